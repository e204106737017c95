"""Bad rows: find the rows and cells of a table that make a pipeline fail, with the help of good tables.

``differences`` compares the tables, ``deviation`` measures how odd a cell is, and ``orders`` ranks the differences by
that. ``tables`` holds all of it and builds any ``patch``: the candidate of these searches, a set of differences to
repair. ``opportunistic_testing`` is the published search, ``adaptive_testing`` ours; both return ``BadRows``. To add
one, write a generator function that takes ``Tables``, and enter it in ``METHODS``.
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
"""Every search for bad rows, by name. The conformance suite runs them all."""
