"""A presenter for each kind of finding: it holds the words, figures and tables of that kind.

To change how a kind of finding reads or looks, open its module here and the template of the same name. A new kind needs
a module, a template and a line below.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from rootward.report.kinds.presenter import EmptyPresenter, Presenter

CHAPTERS = {
    "file_reduction": "file_reduction",
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
"""The module of each kind, by the name of the kind in the data. Modules are loaded when they are needed: printing a
reduction does not load the figures of a rule."""


@cache
def presenter_for(kind: str) -> Presenter[Any]:
    """Return the presenter of a kind of finding.

    For an unknown kind, it is the base class, which shows the explanation as text.
    """
    if kind == "nothing":
        return EmptyPresenter()
    if kind not in CHAPTERS:
        return Presenter()
    made: Presenter[Any] = import_module(f"{__name__}.{CHAPTERS[kind]}").PRESENTER
    return made
