"""Bad rows: which rows and cells of a table make a pipeline fail, found with the help of good tables.

``differences`` compares the tables, ``deviation`` measures how odd a cell is, and ``orders`` ranks the differences by
that. ``tables`` holds it all and makes any ``patch``, which is what a search proposes to run. ``opportunistic`` is the
published search, ``adaptive`` ours; both return ``rows``. To add one, write a generator function that takes
``Tables``, and enter it in ``METHODS``.
"""

from __future__ import annotations

from collections.abc import Callable

from rootward.search.ask import Search
from rootward.searches.rows.adaptive_testing import adaptive
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.opportunistic_testing import opportunistic
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables

METHODS: dict[str, Callable[[Tables], Search[Patch, BadRows]]] = {"adaptive": adaptive, "opportunistic": opportunistic}
"""Every search for bad rows by name; the conformance suite runs them all."""
