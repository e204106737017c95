"""Reduction: the smallest part of a list that still fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.environment import ddenv
from rootward.searches.reduction.hierarchical import hdd
from rootward.searches.reduction.probabilistic import probdd
from rootward.searches.reduction.sieve import sieve

METHODS: dict[str, Callable[..., Any]] = {
    "ddenv": ddenv,
    "ddmin": ddmin,
    "hdd": hdd,
    "probdd": probdd,
    "sieve": sieve,
}
"""Every reduction by name; the conformance suite runs them all."""
