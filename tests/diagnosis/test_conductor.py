"""The course of a diagnosis where it is not straight: it ends, and says what it does not know."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.claim import Claim
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import StepView
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps import approximate, rule, verify
from rootward.diagnosis.steps.other_failures import find_others
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause
from rootward.explanation.facts import Contradicted, CutShort, Gap, NoSimpleCondition
from rootward.report.sentences.diagnosis import sentences, step_result
from rootward.rules import Atom, Rule
from rootward.searches.conditions.facts import NoCondition
from rootward.space.candidate import Configuration
from rootward.study import Study
from rootward.subjects.function import as_subject

CAR = rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice("PRND"), "lights": rw.Bool()})
REVERSE = {"speed": 40, "gear": "R", "lights": True}


def study(subject: Any, space: rw.Space = CAR, **parts: Any) -> Study:
    return Study("car", Path("car.toml"), as_subject(subject, isolate=False), space, **parts)


def test_a_further_failure_that_no_rule_explains_ends_the_search_for_more(monkeypatch):
    """The same search would meet it again, and again."""
    take, taken = rule.add_cause, []

    def first_only(claim: Claim, found: rw.RuleFinding, failing: Configuration) -> None:
        taken.append(found)
        assert len(taken) < 9
        if len(taken) == 1:
            take(claim, replace(found, rule=Rule([[Atom("speed", ">", 90)]])), failing)
        else:
            claim.unknown.append(NoCondition(found.fails, found.passes, found.of))

    monkeypatch.setattr(rule, "add_cause", first_only)
    loud = rw.fails_when(lambda one: one["speed"] > 90 or one["gear"] == "P")
    found = rw.diagnose(study(loud, failing={**REVERSE, "speed": 95}), skip=["verify"])
    assert len(taken) == 3, "the last one begins again, slice by slice, because the gear matters"
    assert not found.certain
    assert "No condition is known: " in str(found)


def test_a_field_that_matters_for_rare_values_only_is_found_by_fresh_runs():
    """A claim without it is refuted where it passes, and mended."""
    fields = {f"f{i}": rw.Int(0, 9) for i in range(4)}
    space = rw.Space({**fields, "heat": rw.Int(0, 50), "valve": rw.Choice([f"v{i}" for i in range(30)])})
    hot = rw.fails_when(lambda one: one["heat"] > 30 and one["valve"] not in ("v7", "v19", "v23"))
    found = rw.diagnose(study(hot, space, failing={**dict.fromkeys(fields, 3), "heat": 44, "valve": "v0"}))
    wrong = [v for v in ("v7", "v19", "v23") if found.rule.holds({**dict.fromkeys(fields, 3), "heat": 44, "valve": v})]
    assert not (wrong and found.certain)
    assert "heat" in found.explanations[0].relevant


def test_failures_of_several_kinds_are_explained_one_by_one():
    def crashes(one: dict[str, Any]) -> rw.Outcome | None:
        if one["gear"] == "R" and one["speed"] > 12:
            return rw.Outcome(rw.Verdict.FAIL, "reverse")
        return rw.Outcome(rw.Verdict.FAIL) if one["gear"] == "N" and not one["lights"] else None

    found = rw.diagnose(study(crashes))
    told = {one.signature: one.headline() for one in found.explanations}
    assert told == {
        "reverse": "It fails when speed > 12 and gear = R.",
        None: "It fails when gear = N and lights = false.",
    }
    assert found.notes == ()


def test_fresh_runs_of_elements_are_fresh():
    """None of the runs that check the claim was made before."""

    def fails(kept: list[dict[str, int]]) -> bool:
        return any(one.get("go", 0) > 20 for one in kept)

    elements = [{"log": 1}, {"go": 40}, {"log": 2}]
    found = rw.diagnose(Study("m", Path("m.toml"), as_subject(rw.fails_when(fails), isolate=False), elements=elements))
    [explanation] = found.explanations
    assert explanation.check is not None
    assert sum(step.trials for step in found.steps if step.name == "verify") == explanation.check.runs


def test_what_a_check_refutes_is_not_certain():
    """A claim that holds nowhere near where it was learnt."""
    found = rw.diagnose(study(rw.fails_when(lambda one: one["speed"] > 12), failing=REVERSE))
    [explanation] = found.explanations
    assert explanation.certain
    assert explanation.check is not None
    refuted = replace(explanation, check=replace(explanation.check, refuting=(REVERSE,)))
    assert not refuted.certain
    assert refuted.headline().startswith("It seems to fail when ")
    assert not replace(explanation, unknown=(Gap.NO_REPAIR,)).certain
    assert not replace(found, complete=False).certain


def test_a_claim_is_held_against_what_was_run_before(monkeypatch):
    """The first cause is learnt without a field that matters, though runs of the search for such fields showed it."""
    named: Any = rw.ProductSet.fields
    asked: list[rw.ProductSet] = []

    def overlooking(self: rw.ProductSet) -> list[str]:
        asked.append(self)
        return ["heat"] if len(asked) == 1 else named.fget(self)

    monkeypatch.setattr(rw.ProductSet, "fields", property(overlooking))
    fields = {f"f{i}": rw.Int(0, 9) for i in range(10)}
    hot = rw.fails_when(lambda one: one["heat"] > 30 or one["f0"] == 0)
    failing = {**dict.fromkeys(fields, 3), "heat": 44}
    found = rw.diagnose(study(hot, rw.Space({**fields, "heat": rw.Int(0, 50)}), failing=failing), skip=["others"])
    against = next(step for step in found.steps if step.name == "verify")
    assert step_result(against).endswith(" of earlier steps contradict it.")
    assert against.trials == 0
    assert str(found).startswith("It fails when f0 = 0 or heat > 30.")


def test_a_claim_that_cannot_be_repaired_is_an_approximation(monkeypatch):
    monkeypatch.setattr(rw.ProductSet, "fields", property(lambda self: ["heat"]))
    fields = {f"f{i}": rw.Int(0, 9) for i in range(10)}
    hot = rw.fails_when(lambda one: one["heat"] > 30 and one["f0"] < 9)
    failing = {**dict.fromkeys(fields, 3), "heat": 44}
    monkeypatch.setattr(verify, "repair", lambda state, claim, refuting: iter(()))
    found = rw.diagnose(study(hot, rw.Space({**fields, "heat": rw.Int(0, 50)}), failing=failing), skip=["others"])
    [explanation] = found.explanations
    assert explanation.approximate
    assert not found.certain
    assert re.match(
        r"It fails roughly when .+ \(precision [01]\.\d\d, recall [01]\.\d\d on \d+ random inputs\)\.", str(found)
    )
    assert "Measured on 60 random inputs, each field drawn from its whole range: " in str(found)


def test_an_approximation_is_measured_on_inputs_drawn_evenly_from_the_ranges(monkeypatch):
    """Runs near failing ones, and exceptional values, choose the rule, but do not measure it."""
    batches = []
    make = verify.run_fresh

    def overhear(state, fresh, *parts):
        batches.append([one for _, one in fresh])
        return make(state, fresh, *parts)

    monkeypatch.setattr(approximate, "run_fresh", overhear)
    monkeypatch.setattr(verify, "repair", lambda state, claim, refuting: iter(()))
    wide = rw.Space({"x": rw.Int(0, 10**6), "y": rw.Int(0, 10**6)})
    near = rw.fails_when(lambda one: one["x"] < 1000 or (one["x"] + one["y"]) % 97 < 30)
    found = rw.diagnose(study(near, wide, failing={"x": 5, "y": 5}), skip=["others", "simplify"])
    [explanation] = found.explanations
    assert explanation.approximate
    sample = batches[-1]
    assert len(sample) == TUNING.approximate_runs
    assert sum(one["x"] < 10**5 for one in sample) < 20
    check = explanation.check
    assert check is None or (check.is_sample and check.runs == len(sample))


def test_only_fields_that_runs_show_to_matter_are_named():
    claim = Claim(CAR, view=StepView())
    passing = {"speed": 0, "gear": "P", "lights": True}
    claim.runs = {
        "a": (REVERSE, True),
        "b": ({**REVERSE, "gear": "P"}, False),
        "c": ({**REVERSE, "lights": False}, True),
        "d": (passing, False),
    }
    assert claim.select_relevant(CAR.names) == ("gear",)
    assert sentences([NoSimpleCondition(())]) == ["No simple condition explains it."]


def test_a_simple_claim_that_was_refuted_beats_a_bad_repair(monkeypatch):
    def repair(state, claim, refuting):
        claim.causes = [replace(claim.causes[0], rule=Rule([[Atom("heat", "<", 20)]]))]
        yield from ()

    monkeypatch.setattr(rw.ProductSet, "fields", property(lambda self: ["heat"]))
    monkeypatch.setattr(verify, "repair", repair)
    monkeypatch.setattr(approximate, "approximate_rules", lambda *parts: [Rule.never()])
    fields = {f"f{i}": rw.Int(0, 9) for i in range(10)}
    hot = rw.fails_when(lambda one: one["heat"] > 30 and one["f0"] < 9)
    failing = {**dict.fromkeys(fields, 3), "heat": 44}
    found = rw.diagnose(study(hot, rw.Space({**fields, "heat": rw.Int(0, 50)}), failing=failing), skip=["others"])
    assert str(found).startswith("It fails roughly when heat > 30 ")


def test_what_always_fails_in_one_way_or_another_is_told_apart():
    """No run passes, so each failure ends where the other one begins."""

    def crashes(one: dict[str, Any]) -> rw.Outcome:
        return rw.Outcome(rw.Verdict.FAIL, "fast" if one["speed"] > 30 else "slow")

    found = rw.diagnose(study(crashes, rw.Space({"speed": rw.Int(0, 100), "lights": rw.Bool()})))
    assert {one.signature: str(one.rule) for one in found.explanations} == {"fast": "speed > 30", "slow": "speed <= 30"}


def test_until_something_is_explained_nothing_is_said_not_to_fail():
    found = rw.diagnose(study(rw.fails_when(lambda one: False)), budget=3)
    assert str(found).startswith("No failure is explained yet.")


def test_a_failure_that_was_found_is_told_wherever_the_budget_ends():
    found = rw.diagnose(study(rw.fails_when(lambda one: True)), budget=3)
    assert str(found).startswith("It is not known yet why it fails.")
    assert found.explanations[0].failing is not None


def test_what_must_not_be_run_is_not_run_by_any_step():
    run: list[dict[str, Any]] = []

    def fast(one: dict[str, Any]) -> bool:
        run.append(one)
        return one["speed"] > 70

    barred = Rule([[Atom("gear", "=", "N"), Atom("speed", ">", 30)]])
    found = rw.diagnose(study(rw.fails_when(fast), failing={**REVERSE, "speed": 90}, constraints=barred))
    assert str(found.rule) == "speed > 70"
    assert found.certain
    assert not any(barred.holds(one) for one in run)


def test_what_fails_everywhere_leaves_nothing_to_run_elsewhere():
    found = rw.diagnose(study(rw.fails_when(lambda one: True), failing=REVERSE))
    [said] = [step_result(step) for step in found.steps if step.name == "others"]
    assert said == "Nothing was run elsewhere: no candidate was found there."


def test_a_budget_that_ends_before_it_looks_elsewhere():
    car = study(rw.fails_when(bool), failing=REVERSE)
    made, claim = DiagnosisState(car, Plan.of(car), budget=0), Claim(CAR, view=StepView())
    claim.causes = [FailureCause(Rule([[Atom("speed", ">", 90)]]), {**REVERSE, "speed": 95})]
    assert list(find_others(made, claim)) == [], "nothing is asked"
    assert [step_result(step) for step in made.steps] == ["Nothing was run elsewhere: no budget was left for it."]
    assert "The search for further causes did not finish." in sentences(claim.unknown)


@pytest.mark.rest
def test_a_failure_that_turns_out_not_to_show_every_time_is_measured_as_any_other():
    """The first five runs fail; later ones do not always."""
    runs: list[int] = []

    def tired(one: dict[str, Any]) -> bool:
        runs.append(1)
        return one["speed"] > 12 and (len(runs) < 8 or len(runs) % 5 > 0)

    space = rw.Space({"speed": rw.Int(0, 100), "lights": rw.Bool()})
    found = rw.diagnose(study(rw.fails_when(tired), space, failing={"speed": 25, "lights": True}), budget=400)
    measured = [step_result(step) for step in found.steps if step.name == "reproduce"]
    assert measured[0] == "It failed in 5 of 5 runs: every time."
    assert measured[-1] == "It failed in 16 of 20 runs: not every time."
    assert found.explanations[0].rate.value == 0.8


@pytest.mark.parametrize("seed", range(2))
def test_a_condition_may_use_a_derived_quantity(seed):
    space = rw.Space({"width": rw.Int(1, 5000), "height": rw.Int(1, 5000), "lights": rw.Bool()})
    large = rw.fails_when(lambda one: (one["width"] + 8) * one["height"] > 1_000_000)
    given = study(
        large,
        space,
        failing={"width": 3000, "height": 2000, "lights": True},
        derived={"area": "(width + 8) * height"},
    )
    found = rw.diagnose(given, seed=seed)
    assert str(found.rule) == "area > 1000000"
    assert "area > 1000000" in str(found)
    assert rw.Rule.from_dict(found.rule.to_dict()) == found.rule


@pytest.mark.parametrize("seed", range(2))
def test_a_condition_on_a_text_is_found(seed):
    space = rw.Space({"path": rw.Text(), "speed": rw.Int(0, 100), "lights": rw.Bool()})
    slashes = rw.fails_when(lambda one: "//" in one["path"] and one["speed"] > 10)
    found = rw.diagnose(study(slashes, space, failing={"path": "usr//lib", "speed": 40, "lights": True}), seed=seed)
    assert str(found.rule) == 'speed > 10 and path contains "//"'


@pytest.mark.parametrize("seed", range(4))
def test_equal_choices_are_said_to_be_equal(seed):
    places = rw.Choice(["db", "fs", "s3", "mem"])
    flags = {name: rw.Bool() for name in "abc"}
    space = rw.Space({"src": places, "dst": places, "x": rw.Int(0, 100), **flags})
    nominal = {"src": "db", "dst": "fs", "x": 3, **dict.fromkeys(flags, True)}
    equal = rw.fails_when(lambda one: one["src"] == one["dst"] and one["x"] > 10)
    failing = {**nominal, "dst": "db", "x": 50}
    found = rw.diagnose(study(equal, space, failing=failing, nominal=(nominal,)), seed=seed)
    assert str(found.rule) == "x > 10 and src = dst"


def slow_product(one: dict[str, Any]) -> bool:
    return bool(one["a"] * one["b"] > 40000 and one["on"])


@pytest.mark.parametrize("budget", [40, 60])
def test_a_small_budget_leaves_runs_that_check_the_claim(budget):
    """A step that asks for more runs than its share allows gets only these."""
    fields = {name: rw.Int(0, 1000) for name in "abc"}
    space = rw.Space({**fields, "on": rw.Bool()})
    found = rw.diagnose(study(rw.fails_when(slow_product), space), budget=budget)
    assert any(step.name == "verify" and step.trials for step in found.steps)
    assert found.explanations[0].causes, "a claim is not dropped if no budget is left to learn it again"
    assert not any(isinstance(fact, Contradicted) for fact in found.explanations[0].unknown)


def test_a_claim_that_no_budget_is_left_to_check_says_so():
    fast = {**REVERSE, "speed": 95}
    car = study(rw.fails_when(lambda one: one["speed"] > 90), failing=fast)
    made, claim = DiagnosisState(car, Plan.of(car), budget=0), Claim(CAR, view=StepView())
    claim.causes = [FailureCause(Rule([[Atom("speed", ">", 90)]]), fast)]
    assert list(verify.verify(made, claim)) == [], "nothing is run"
    assert claim.check is None
    [doubt] = [fact for fact in claim.doubts if isinstance(fact, CutShort)]
    assert doubt.left > 50
    said = str(claim.explanation())
    assert "Not checked on fresh runs.\n" in said
    assert (
        f"Not all runs that could refute it were made: the budget is used up, and {doubt.left} runs are left." in said
    )
    assert "no informative run" not in said
