"""A diagnosis of a pipeline whose graph is known: where a check helps, and what it saves."""

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import rootward as rw
from rootward.diagnosis.plan import Plan
from rootward.report.sentences.diagnosis import sentences, step_result
from rootward.study import Study
from rootward.study.sections import PipelineGraph

VALUES = {"file": "abcd", "rows": "123", "fill": "xyz", "model": "tlb", "depth": "248", "folds": "35"}
GRAPH = {
    "load": {"downstream": ["clean"], "params": ["file", "rows"]},
    "clean": {"downstream": ["fit"], "params": ["fill"]},
    "fit": {"downstream": ["score"], "params": ["model", "depth"]},
    "score": {"params": ["folds"]},
}
SPACE = rw.Space({name: rw.Choice(values) for name, values in VALUES.items()})
DIRTY = {"file": "b", "fill": "y"}
BEHIND = {"model": "l", "depth": "8"}


def holds(cause: dict[str, str], configuration: dict[str, Any]) -> bool:
    return all(configuration[name] == value for name, value in cause.items())


def run(configuration: dict[str, Any]) -> rw.Verdict:
    """What comes out of ``clean`` is dirty, or the model does not fit."""
    dirty = holds(DIRTY, configuration)
    failed = dirty if configuration.get("checkpoint") == "clean" else dirty or holds(BEHIND, configuration)
    return rw.Verdict.FAIL if failed else rw.Verdict.PASS


def strict(configuration: dict[str, Any]) -> rw.Verdict:
    """A check that also fails where the end does not mind."""
    if configuration.get("checkpoint") == "clean":
        return rw.Verdict.FAIL if configuration["rows"] == "1" or holds(DIRTY, configuration) else rw.Verdict.PASS
    return run(configuration)


class Past(list[tuple[dict[str, Any], rw.Verdict]]):
    """Earlier runs."""


def study(folder: Path, subject: Any = run, checks: tuple[str, ...] | None = ("clean",)) -> Study:
    every = [dict(zip(VALUES, one, strict=True)) for one in itertools.product(*VALUES.values())]
    history: Any = Past((one, run(one)) for one in random.Random(0).sample(every, 40))
    (folder / "graph.json").write_text(json.dumps(GRAPH))
    graph = PipelineGraph.read(folder / "graph.json", SPACE)
    pipeline = None if checks is None else graph.with_checks(checks, SPACE)
    return Study("made", folder / "none.toml", subject, space=SPACE, history=history, pipeline=pipeline)


def causes(found: rw.Diagnosis) -> set[str]:
    return {str(cause.rule) for one in found.explanations for cause in one.causes}


TRUTH = {"file = b and fill = y", 'depth = "8" and model = l'}


def test_a_check_makes_the_search_smaller(tmp_path: Path) -> None:
    without, checked = (rw.diagnose(study(tmp_path, checks=checks)) for checks in (None, ("clean",)))
    assert causes(without) == causes(checked) == TRUTH
    assert checked.certain
    trials = [next(step.trials for step in one.steps if step.name == "causes") for one in (without, checked)]
    assert trials[1] < trials[0]
    first = checked.steps[0]
    assert (first.name, first.trials) == ("instrument", 0)
    assert step_result(first).endswith(" the result only through it. The search for causes uses that check.")
    for one in checked.explanations:
        assert all("checkpoint" not in cause.example for cause in one.causes), "examples are runs to the end"
        assert all("checkpoint" not in refuting for refuting in one.check.refuting if one.check)


def test_without_a_check_it_is_only_said_where_one_would_help(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def noticed(configuration: dict[str, Any]) -> rw.Verdict:
        seen.append(configuration)
        return run(configuration)

    found = rw.diagnose(study(tmp_path, noticed, checks=()))
    assert causes(found) == TRUTH
    assert step_result(found.steps[0]) == "Put a check after clean: file, fill, rows affect the result only through it."
    assert not any("checkpoint" in one for one in seen)


def test_what_only_the_check_minds_is_no_cause(tmp_path: Path) -> None:
    found = rw.diagnose(study(tmp_path, strict))
    assert causes(found) == TRUTH, "fresh runs to the end tell"


def test_a_cause_that_the_end_does_not_show_is_not_claimed(tmp_path: Path) -> None:
    made = study(tmp_path, strict)
    dirty = {**dict(zip(VALUES, "a2xt23", strict=True)), **DIRTY}
    passing = [(one, verdict) for one, verdict in made.history or () if verdict is rw.Verdict.PASS]
    rare: Any = Past([(dirty, rw.Verdict.FAIL), *passing])
    found = rw.diagnose(replace(made, history=rare), skip=["verify"])
    assert not any("rows" in said for said in causes(found))
    [one] = found.explanations
    assert 'rows = "1" fails the check, but no complete run failed there.' in sentences(one.unknown)
    assert not found.certain


def test_if_no_earlier_run_failed_one_is_looked_for(tmp_path: Path) -> None:
    made = study(tmp_path)
    calm: Any = Past((one, verdict) for one, verdict in made.history or () if verdict is rw.Verdict.PASS)
    found = rw.diagnose(replace(made, history=calm))
    assert set() < causes(found) <= TRUTH
    assert not found.certain
    assert [step.name for step in found.steps][:4] == ["instrument", "find", "reproduce", "causes"]
    nothing = rw.diagnose(replace(made, history=calm), skip=["find"])
    assert (nothing.explanations, str(nothing).splitlines()[0]) == ((), "No failure was found.")


def test_the_step_can_be_left_out(tmp_path: Path) -> None:
    found = rw.diagnose(study(tmp_path), skip=["instrument"])
    assert [step.name for step in found.steps] == ["reproduce", "causes", "verify"]


def test_the_plan(tmp_path: Path) -> None:
    assert [step.name for step in Plan.of(study(tmp_path)).steps] == [
        "instrument",
        "find",
        "reproduce",
        "causes",
        "verify",
    ]
    assert "The subject has checks" in str(Plan.of(study(tmp_path)))
    assert "Nothing is run for this" in str(Plan.of(study(tmp_path, checks=())))
