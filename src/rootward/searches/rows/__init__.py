"""Bad rows: which rows and cells of a table make a pipeline fail, found with the help of good tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.searches.rows.adaptive import adaptive
from rootward.searches.rows.opportunistic import opportunistic

METHODS: dict[str, Callable[..., Any]] = {"adaptive": adaptive, "opportunistic": opportunistic}
"""Every search for bad rows by name; the conformance suite runs them all."""
