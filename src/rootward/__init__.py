"""Rootward finds out why a black-box system fails.

>>> import rootward as rw
>>> print(rw.reduce([3, 1, 4, 1, 5], rw.fails_when(lambda kept: 4 in kept)))
1 of 5 elements is enough to make it fail; without it, it no longer fails.
  3  4
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rootward.diagnosis.diagnose import diagnose
    from rootward.errors import (
        InputError,
        MachineTrouble,
        MissingExtra,
        NotReproduced,
        RootwardError,
        StoreError,
        StudyError,
        SubjectError,
        Unresolved,
    )
    from rootward.explanation.diagnosis import Diagnosis, Explanation
    from rootward.formats.documents.registry import open_document
    from rootward.formats.tables.history import HistoryTable, read_history
    from rootward.lab.budget import Budget
    from rootward.lab.lab import Lab
    from rootward.rules import Atom, Conjunction, Estimate, Quantity, Rule
    from rootward.search.ask import Ask, Replay, Search, all_of, first_failing
    from rootward.search.finding import Finding
    from rootward.search.repeat import Repeat
    from rootward.searches.causes.causes import Cause, Causes
    from rootward.searches.causes.checkpoint import Checkpoint, instrument
    from rootward.searches.conditions.rule_finding import RuleFinding
    from rootward.searches.exploration.failures import Failure, Failures
    from rootward.searches.products.product_set import Interaction, ProductSet
    from rootward.searches.reduction.reduction import Reduction
    from rootward.searches.rows.bad_rows import BadRows
    from rootward.space.candidate import Elements, Selection
    from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space, Text
    from rootward.store.store import Store
    from rootward.store.trial import Trial
    from rootward.study import Study, load_study
    from rootward.subjects.command import Command
    from rootward.subjects.function import Function, fails_when, passes_when
    from rootward.subjects.world import World
    from rootward.traces.fault import Fault
    from rootward.traces.grouping.classify import FaultClass
    from rootward.traces.languages import load_model
    from rootward.traces.learning.learn import learn_model
    from rootward.traces.limits import Limits
    from rootward.traces.model.event import Event, Trace, TraceMark
    from rootward.traces.model.model import Model
    from rootward.traces.recordings import read_traces
    from rootward.traces.triage import Triage, triage
    from rootward.verbs import causes, find, reduce, rows, rule, triggers
    from rootward.verdict import Outcome, Verdict

# The module of each public name. Names are imported on first use, so that `rootward --help` is quick.
_HOMES = {
    "diagnosis.diagnose": ["diagnose"],
    "explanation.diagnosis": ["Diagnosis", "Explanation"],
    "errors": [
        "InputError",
        "MachineTrouble",
        "MissingExtra",
        "NotReproduced",
        "RootwardError",
        "StoreError",
        "StudyError",
        "SubjectError",
        "Unresolved",
    ],
    "formats.documents.registry": ["open_document"],
    "formats.tables.history": ["HistoryTable", "read_history"],
    "lab.budget": ["Budget"],
    "lab.lab": ["Lab"],
    "rules": ["Atom", "Conjunction", "Estimate", "Quantity", "Rule"],
    "search.ask": ["Ask", "Replay", "Search", "all_of", "first_failing"],
    "search.finding": ["Finding"],
    "search.repeat": ["Repeat"],
    "searches.causes.causes": ["Cause", "Causes"],
    "searches.causes.checkpoint": ["Checkpoint", "instrument"],
    "searches.conditions.rule_finding": ["RuleFinding"],
    "searches.exploration.failures": ["Failure", "Failures"],
    "searches.products.product_set": ["Interaction", "ProductSet"],
    "searches.reduction.reduction": ["Reduction"],
    "searches.rows.bad_rows": ["BadRows"],
    "space.candidate": ["Elements", "Selection"],
    "space.space": ["Bool", "Choice", "Float", "Int", "Ordinal", "Space", "Text"],
    "store.store": ["Store"],
    "store.trial": ["Trial"],
    "study": ["Study", "load_study"],
    "subjects.command": ["Command"],
    "subjects.function": ["Function", "fails_when", "passes_when"],
    "subjects.world": ["World"],
    "traces.model.event": ["Event", "Trace", "TraceMark"],
    "traces.fault": ["Fault"],
    "traces.grouping.classify": ["FaultClass"],
    "traces.model.model": ["Model"],
    "traces.recordings": ["read_traces"],
    "traces.limits": ["Limits"],
    "traces.triage": ["Triage", "triage"],
    "traces.languages": ["load_model"],
    "traces.learning.learn": ["learn_model"],
    "verbs": ["causes", "find", "reduce", "rows", "rule", "triggers"],
    "verdict": ["Outcome", "Verdict"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = [
    "Ask",
    "Atom",
    "BadRows",
    "Bool",
    "Budget",
    "Cause",
    "Causes",
    "Checkpoint",
    "Choice",
    "Command",
    "Conjunction",
    "Diagnosis",
    "Elements",
    "Estimate",
    "Event",
    "Explanation",
    "Failure",
    "Failures",
    "Fault",
    "FaultClass",
    "Finding",
    "Float",
    "Function",
    "HistoryTable",
    "InputError",
    "Int",
    "Interaction",
    "Lab",
    "Limits",
    "MachineTrouble",
    "MissingExtra",
    "Model",
    "NotReproduced",
    "Ordinal",
    "Outcome",
    "ProductSet",
    "Quantity",
    "Reduction",
    "Repeat",
    "Replay",
    "RootwardError",
    "Rule",
    "RuleFinding",
    "Search",
    "Selection",
    "Space",
    "Store",
    "StoreError",
    "Study",
    "StudyError",
    "SubjectError",
    "Text",
    "Trace",
    "TraceMark",
    "Triage",
    "Trial",
    "Unresolved",
    "Verdict",
    "World",
    "all_of",
    "causes",
    "diagnose",
    "fails_when",
    "find",
    "first_failing",
    "instrument",
    "learn_model",
    "load_model",
    "load_study",
    "open_document",
    "passes_when",
    "read_history",
    "read_traces",
    "reduce",
    "rows",
    "rule",
    "triage",
    "triggers",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rootward' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rootward.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
