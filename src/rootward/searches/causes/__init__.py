"""Causes: the shortest combinations of settings that always fail (BugDoc, sections 3 to 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.causes.bayes import bayes
from rootward.searches.causes.decision_tree import bugdoc, ddt
from rootward.searches.causes.shortcut import shortcut, stacked_shortcut

METHODS: dict[str, Callable[..., Search[Any, Any]]] = {
    "bayes": bayes,
    "bugdoc": bugdoc,
    "ddt": ddt,
    "shortcut": shortcut,
    "stacked_shortcut": stacked_shortcut,
}
"""Every search for causes, by name. The conformance suite runs them all."""
