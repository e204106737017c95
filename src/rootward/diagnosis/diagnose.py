"""``diagnose``: from a failure to its cause in one command.

It looks for a failing input if none is given, reproduces the failure and measures how flaky it is, removes what does
not matter, finds the fields that do, learns the exact condition, looks for further causes, and tests its own claim on
fresh runs. All of that is one search in one lab: every step can use all trials of the steps before it. If it is ended
early, by a budget, Ctrl-C or ``kill -9``, the result so far is a valid diagnosis, and the same command resumes it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack, cast

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.state import DiagnosisState, History
from rootward.diagnosis.steps.traces import examine
from rootward.errors import InputError
from rootward.explanation.diagnosis import Diagnosis
from rootward.lab.budget import Budget
from rootward.search.evidence import Evidence
from rootward.search.premises import Premises
from rootward.study import Study, load_study
from rootward.study.history import StoredRuns
from rootward.subjects.function import as_subject
from rootward.traces.triage import Listener
from rootward.verbs import (
    FIRST_FAILURE_REPEAT,
    LabOptions,
    check_start_first,
    open_lab,
    premises_of,
    with_defaults,
)

NO_REPEAT = "diagnose measures how often it fails, and repeats runs accordingly"


def diagnose(study: Study | str | Path, *, skip: Collection[str] = (), **lab: Unpack[LabOptions]) -> Diagnosis:
    """Find out why a system fails, given only its study.

    :param study: a study, or the path of its file
    :param skip: steps to leave out: ``reduce``, ``order``, ``triggers``, ``rule``, ``others``, ``verify``, ...
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`; their defaults are in ``[lab]`` of the
        study. ``repeat`` is refused, because the rate of the failure is measured
    """
    known = study if isinstance(study, Study) else load_study(study)
    if known.lab.get("repeat") is not None:
        raise InputError(f"{NO_REPEAT}: remove repeat from [lab] in {known.path}")
    if lab.get("repeat") is not None:
        raise InputError(f"{NO_REPEAT}: leave repeat= out")
    options = with_defaults({**known.lab, "name": known.name}, {**lab, "repeat": FIRST_FAILURE_REPEAT})
    plan = Plan.of(known, skip=skip)
    if known.traces is not None:
        return make_writable(_examine_recordings(known, plan, options), known)
    budget = Budget.of(options.get("budget"), options.get("trials"), options.get("seconds"))
    state = DiagnosisState(
        known,
        plan,
        history=_read_history(known, options),
        seed=options.get("seed", 0),
        budget=budget.trials,
        seconds=budget.seconds,
    )
    conductor = Conductor(state)
    search = check_start_first(conductor.search(), state.subject, state.failing, _premises(state))
    with open_lab(state.subject, options) as running:
        found: Diagnosis = running.run(search, failing=state.failing, name="diagnose", about={"skip": sorted(skip)})
    return make_writable(conductor.settle(found), known)


def _premises(state: DiagnosisState) -> Premises[Any]:
    """Return what to check before the first step: for elements the empty list, for fields an input that should work."""
    study = state.study
    if study.elements is not None:
        return premises_of(state.subject, task=state.task)
    usual = next((one for one in study.nominal if one != study.failing), None)
    if study.failing is not None and usual is not None:
        name = "an input that should work"
        return Premises(dict(usual), name, nothing=dict(usual), nothing_name=name)
    return premises_of(state.subject, study.space, study.failing, never=study.constraints)


def make_writable(found: Diagnosis, study: Study) -> Diagnosis:
    """Return the diagnosis, with the function that writes it into a folder, with reproducers and a test."""

    def write(diagnosis: Diagnosis, folder: Path, check: bool) -> None:
        bundle.write(diagnosis, study, folder, check=check)

    return replace(found, write=write)


def _examine_recordings(study: Study, plan: Plan, options: LabOptions) -> Diagnosis:
    """Diagnose recordings, without a lab.

    The option ``on_event`` is called with the events of ``triage``.
    """
    listener = cast(Listener | None, options.get("on_event"))
    jobs, executor = options.get("jobs", 1), options.get("executor")
    found = examine(study, plan, jobs=jobs, executor=executor, on_event=listener)
    return replace(found, evidence=Evidence("diagnose", {"command": options.get("command")}))


def _read_history(study: Study, options: LabOptions) -> History:
    """Return the earlier runs of the study.

    If the history of the study stands for stored runs, the runs of the same subject are read from the store.
    """
    if not isinstance(study.history, StoredRuns):
        return study.history or ()
    where, space = options.get("store"), study.space
    if space is None or where is None:
        return ()
    return study.history.read_from(str(where), as_subject(study.subject, isolate=False).identity, space)
