"""The helpers of the benchmarks are no installed package: they are found beside the scripts that use them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
