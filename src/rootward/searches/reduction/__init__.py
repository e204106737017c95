"""Reduction: the smallest part of a list that still fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.candidate import Elements
from rootward.search import Search
from rootward.searches.reduction.ddmin import ddmin

METHODS: dict[str, Callable[[Elements[Any]], Search[Any, Any]]] = {"ddmin": ddmin}
"""Every reduction by name; the conformance suite runs them all."""
