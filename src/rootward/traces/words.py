"""A triage in words, and as plain data."""

from rootward.traces.output.data import as_data
from rootward.traces.output.text import summary

__all__ = ["as_data", "summary"]
