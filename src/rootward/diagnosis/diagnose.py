"""``diagnose``: from a failure to its cause in one command.

It checks that the failure reproduces and how flaky it is, looks for a failing input if none is given, removes what does
not matter, finds the fields that do, learns the exact condition, looks for further causes, and tries its own claim on
fresh runs. All of that is one search in one lab: every step knows all trials of those before it, and whenever it is
ended, by a budget, Ctrl-C or ``kill -9``, what it has found so far is a diagnosis, and the same command goes on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Unpack, cast

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.state import History, State
from rootward.diagnosis.steps.traces import examine
from rootward.explanation.diagnosis import Diagnosis
from rootward.lab.budget import Budget
from rootward.search.evidence import Evidence
from rootward.study import Study, load
from rootward.study.history import StoredRuns
from rootward.subjects.function import as_subject
from rootward.traces.triage import Listener
from rootward.verbs import FIRST_SEEN, LabOptions, lab_of


def diagnose(study: Study | str | Path, *, skip: Collection[str] = (), **lab: Unpack[LabOptions]) -> Diagnosis:
    """Why a system fails, from nothing but its study.

    ``study``: a study, or the path of its file, whose ``[lab]`` options are the defaults of ``lab``. ``skip``: steps
    that are not wanted (``reduce``, ``order``, ``triggers``, ``rule``, ``others``, ``verify``, ...).
    """
    known = study if isinstance(study, Study) else load(study)
    options = cast(LabOptions, {**known.lab, "name": known.name, **lab, "repeat": FIRST_SEEN})
    plan = Plan.of(known, skip=skip)
    if known.traces is not None:
        return _examined(known, plan, options)
    budget, seed = Budget.of(options.get("budget")).trials, options.get("seed", 0)
    state = State(known, plan, history=_history(known, options), seed=seed, budget=budget)
    with lab_of(state.subject, options) as running:
        found: Diagnosis = running.run(
            Conductor(state).search(), failing=state.failing, name="diagnose", about={"skip": sorted(skip)}
        )
    return found


def _examined(study: Study, plan: Plan, options: LabOptions) -> Diagnosis:
    """Recordings need no lab. Whoever listens is told of each recording, as ``triage`` does."""
    listener = cast(Listener | None, options.get("on_event"))
    jobs, executor = options.get("jobs", 1), options.get("executor")
    found = examine(study, plan, jobs=jobs, executor=executor, on_event=listener)
    return replace(found, evidence=Evidence("diagnose", {"command": options.get("command")}))


def _history(study: Study, options: LabOptions) -> History:
    """The earlier runs of the study: from its file, or those that the store has of the same subject."""
    if not isinstance(study.history, StoredRuns):
        return study.history or ()
    where, space = options.get("store"), study.space
    if space is None or where is None:
        return ()
    return study.history.found_in(str(where), as_subject(study.subject, isolate=False).identity, space)
