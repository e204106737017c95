"""Product sets: the fields of a failing configuration that matter, and the values of each with which it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.products.columns import columns
from rootward.searches.products.hpsl import hpsl

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {"columns": columns, "hpsl": hpsl}
"""Every search for product sets, by name. The conformance suite runs them all."""
