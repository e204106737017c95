"""A presenter for each kind of finding: all that the report says and shows of it.

To change what is said, drawn or listed for a kind, open its chapter here and the template of the same name. A new kind
needs a chapter, a template and a line below.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from rootward.report.kinds.presenter import Nothing, Presenter

CHAPTERS = {
    "reduction": "reduction",
    "product_set": "triggers",
    "rule_finding": "rule",
    "causes": "causes",
    "bad_rows": "rows",
    "checkpoint": "instrument",
    "failures": "find",
    "triage": "triage",
    "departure": "departure",
    "diagnosis": "diagnosis",
}
"""The chapter of each kind, by the name that the data has for it. It is loaded when it is needed: a reduction that is
printed needs none of the figures of a rule."""


@cache
def presenter_for(kind: str) -> Presenter[Any]:
    """The presenter of a kind; one that is not known is shown as what its words say."""
    if kind == "nothing":
        return Nothing()
    if kind not in CHAPTERS:
        return Presenter()
    made: Presenter[Any] = import_module(f"{__name__}.{CHAPTERS[kind]}").PRESENTER
    return made
