"""Reduction: the smallest part of a list that still fails.

A method is a generator function: it takes the ``Elements``, asks which selections of them fail, and returns a
``Reduction`` (reduction.py). To add one, write it in a chapter of its own and enter it in ``METHODS``; ddmin.py is the
shortest example. Of the options that a user gives (task.py), it gets those that its signature names.

Published methods have a chapter each: ``ddmin``, ``hdd``, ``probdd`` and ``ddenv``, whose schemas are in
``ddenv_schemas``. Ours is ``sieve``: ``line`` is the order in which it tries elements, ``sweep`` what it believes of
them, ``flaky`` the same for failures that do not show every time, with ``record`` of the runs and ``rates`` to compare
them by. ``surroundings`` is what is known of elements that have a place in the world, and ``course`` follows any
method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.search.ask import Search
from rootward.searches.reduction.ddenv import ddenv
from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.hdd import hdd
from rootward.searches.reduction.probdd import probdd
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve import sieve

METHODS: dict[str, Callable[..., Search[Any, Reduction[Any]]]] = {
    "ddenv": ddenv,
    "ddmin": ddmin,
    "hdd": hdd,
    "probdd": probdd,
    "sieve": sieve,
}
"""Every reduction by name; the conformance suite runs them all."""
