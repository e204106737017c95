"""Reduction: find a small part of a list that still fails.

A method is a generator function: it takes the ``Elements``, asks which selections of them fail, and returns a
``Reduction`` (reduction.py). To add a method, write it in a file of its own and enter it in ``METHODS``; ddmin.py is
the shortest example. A method receives those of the user's options (task.py) that its signature names.

Each published method has a file: ``ddmin``, ``hdd``, ``probdd`` and ``ddenv`` (whose schemas are in ``ddenv_schemas``).
Rootward's own method is ``sieve``. ``line`` holds the order in which it tries elements, and ``sweep`` its beliefs about
them; ``chunks`` is what it tries where a sweep of a text is slow. ``flaky_sieve`` is the variant for flaky failures; it
keeps its runs in ``record`` and compares failure rates with ``rates``. ``surroundings`` describes elements that have a
position in the world. ``course`` tracks the progress of any method. The search for whole files is in ``files``.
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
"""All reduction methods by name; the conformance suite runs each of them."""
