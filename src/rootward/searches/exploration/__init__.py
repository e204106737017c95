"""Exploration: find a failing input where none is known.

``explore`` is the search. ``dictionary`` holds the values worth trying, ``stages`` the ways to combine them, each with
its reason, and ``plan`` takes the stages in turn. ``record`` keeps the outcomes, and ``failures`` is the finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.exploration.exploration import explore

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {"stages": explore}
"""Every search for failing inputs, by name. The conformance suite runs them all."""
