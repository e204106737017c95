"""What is wrong with a model before the first trace is held against it."""

from rootward.traces.linting.lint import lint
from rootward.traces.linting.remark import Remark

__all__ = ["Remark", "lint"]
