"""Exploration: no failing input is known, so one is looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search import Search
from rootward.searches.exploration.explored import explored

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {"stages": explored}
"""Every search for failing inputs by name; the conformance suite runs them all."""
