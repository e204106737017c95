"""Linting: what is wrong with a model, before the first trace is compared with it."""

from rootward.traces.linting.lint import lint
from rootward.traces.linting.names import Remark

__all__ = ["Remark", "lint"]
