"""Exploration: no failing input is known, so one is looked for.

``explored`` is the search. ``dictionary`` has the values that are worth trying, ``stages`` the ways to combine them,
each with its reason, and ``plan`` takes them in turn. ``record`` keeps what the runs said, and ``failures`` is the
finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.exploration.exploration import explored

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {"stages": explored}
"""Every search for failing inputs by name; the conformance suite runs them all."""
