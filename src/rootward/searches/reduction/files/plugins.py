"""Passes of other packages: functions that yield smaller texts for a text and the name of its language.

A package offers one as an entry point of the group ``rootward.passes``::

    [project.entry-points."rootward.passes"]
    join_strings = "my_package.passes:join_strings"
"""

from __future__ import annotations

from importlib.metadata import entry_points

from rootward.errors import InputError
from rootward.searches.reduction.files.shrink import TextPass

GROUP = "rootward.passes"


def load_passes() -> list[TextPass]:
    """Return the passes of all installed packages, in the order of their names."""
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            one = point.load()
        except Exception as error:  # importing a package may raise anything
            raise InputError(f"the pass {point.name} of {point.value} cannot be loaded: {error}") from error
        if not callable(one):
            raise InputError(f"the pass {point.name} of {point.value} is not a function")
        found.append(one)
    return found
