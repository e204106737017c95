"""Linting: find mistakes in a model before it judges the first trace."""

from rootward.traces.linting.lint import lint
from rootward.traces.linting.names import LintRemark

__all__ = ["LintRemark", "lint"]
