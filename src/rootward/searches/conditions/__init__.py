"""Conditions: find the exact predicate of a failure, as it would stand in code.

``boundaries/`` is Rootward's own search and the default. ``trees/`` is ALO-Trees, as published. ``verify`` checks the
rule of either on fresh runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.conditions.boundaries.boundaries import boundaries as by_boundaries
from rootward.searches.conditions.trees.alo import alo

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {"alo": alo, "boundaries": by_boundaries}
"""All searches for a condition by name; the conformance suite runs each of them."""
