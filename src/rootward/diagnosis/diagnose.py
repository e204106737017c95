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
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.state import History, State
from rootward.diagnosis.steps.traces import examine
from rootward.errors import InputError
from rootward.explanation.diagnosis import Diagnosis
from rootward.lab.budget import Budget
from rootward.search.evidence import Evidence
from rootward.study import Study, load_study
from rootward.study.history import StoredRuns
from rootward.subjects.function import as_subject
from rootward.traces.triage import Listener
from rootward.verbs import FIRST_SEEN, LabOptions, lab_of, with_defaults

NO_REPEAT = "diagnose measures how often it fails, and repeats runs as often as that needs"


def diagnose(study: Study | str | Path, *, skip: Collection[str] = (), **lab: Unpack[LabOptions]) -> Diagnosis:
    """Find out why a system fails, from nothing but its study.

    :param study: a study, or the path of its file
    :param skip: steps to leave out: ``reduce``, ``order``, ``triggers``, ``rule``, ``others``, ``verify``, ...
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`; what the study says in ``[lab]`` is
        their default. ``repeat`` is refused: how often it fails is measured
    """
    known = study if isinstance(study, Study) else load_study(study)
    if known.lab.get("repeat") is not None:
        raise InputError(f"{NO_REPEAT}: remove repeat from [lab] in {known.path}")
    if lab.get("repeat") is not None:
        raise InputError(f"{NO_REPEAT}: leave repeat= out")
    options = with_defaults({**known.lab, "name": known.name}, {**lab, "repeat": FIRST_SEEN})
    plan = Plan.of(known, skip=skip)
    if known.traces is not None:
        return _writable(_examined(known, plan, options), known)
    budget = Budget.of(options.get("budget"), options.get("trials"), options.get("seconds"))
    state = State(known, plan, history=_history(known, options), seed=options.get("seed", 0), budget=budget.trials)
    with lab_of(state.subject, options) as running:
        found: Diagnosis = running.run(
            Conductor(state).search(), failing=state.failing, name="diagnose", about={"skip": sorted(skip)}
        )
    return _writable(found, known)


def _writable(found: Diagnosis, study: Study) -> Diagnosis:
    def write(diagnosis: Diagnosis, folder: Path, check: bool) -> None:
        bundle.write(diagnosis, study, folder, check=check)

    return replace(found, write=write)


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
