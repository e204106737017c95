"""The calculus of certainty: each doubt is raised where its evidence is missing, and only there."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import rootward as rw
from rootward.diagnosis.certainty import _factors_in_doubt, doubts_about, outside_in_doubt
from rootward.diagnosis.challenges import Crossing, is_contrived, places_needed
from rootward.diagnosis.claim import Claim, _find_untried_values
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.domain import domain_values, literals_in
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import StepView
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps import fields
from rootward.diagnosis.steps.approximate import _round_numbers
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.explanation.facts import (
    Check,
    FewCrossings,
    FewOwnFailures,
    LooseFactor,
    NotAllSwept,
    NotShownNeeded,
    OtherTexts,
    SeparatePlaces,
)
from rootward.rules import Atom, Quantity, Rule
from rootward.rules.predicates import TextConstant
from rootward.search.ask import Ask
from rootward.space.candidate import key_of
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, OTHER, PASS, Outcome

SPACE = rw.Space({"x": rw.Int(0, 10_000), "y": rw.Int(0, 10_000), "mode": rw.Choice("abc")})


def runs_of(rule: Rule, configurations: list[dict[str, Any]]) -> dict[str, tuple[dict[str, Any], bool]]:
    return {key_of(one): (one, rule.holds(one)) for one in configurations}


def doubts(rule: Rule, configurations: list[dict[str, Any]], crossings: list[Crossing] | None = None) -> list[Any]:
    return doubts_about(SPACE, rule, runs_of(rule, configurations), crossings or [], key_of)


def crossings_of(rule: Rule, places: int) -> list[Crossing]:
    """Return pairs at the bound x > 100, in so many places."""
    [literal] = [literal for literal in rule.terms[0] if literal.field == "x"]
    return [Crossing(literal, *({"x": x, "y": 10 * place, "mode": "a"} for x in (101, 100))) for place in range(places)]


BOUND = Rule([[Atom("x", ">", 100)]])


def test_a_bound_needs_confirmation_in_two_places() -> None:
    for places in (0, 1, 2):
        crossings = crossings_of(BOUND, places)
        run = [one for crossing in crossings for one in crossing[1:]] or [{"x": 5, "y": 0, "mode": "a"}]
        expected = [] if places == 2 else [FewCrossings("x > 100", places, 2)]
        assert doubts(BOUND, run, crossings) == expected


def test_nan_has_no_neighbours_to_confirm() -> None:
    space = rw.Space({"x": rw.Float()})
    rule, runs = Rule([[Atom("x", "=", math.nan)]]), [{"x": math.nan}, {"x": 1.0}]
    assert doubts_about(space, rule, runs_of(rule, runs), [], key_of) == []


def test_a_crossing_that_was_not_run_confirms_nothing() -> None:
    run = [{"x": 5, "y": 0, "mode": "a"}]
    assert doubts(BOUND, run, crossings_of(BOUND, 4)) == [FewCrossings("x > 100", 0, 2)]


@pytest.mark.parametrize(
    ("quantity", "contrived"),
    [
        (Quantity("*", "w", "h"), False),
        (Quantity("-", "a", "b"), False),
        (Quantity("-", Quantity("+", "a", Quantity("*", 2, "b")), "c"), False),
        (Quantity("-", Quantity("*", "a", "a"), "b"), True),
        (Quantity("+", Quantity("*", "a", "b"), Quantity("*", "c", "d")), True),
    ],
)
def test_a_contrived_quantity_needs_more_places(quantity: Quantity, contrived: bool) -> None:
    assert is_contrived(quantity) is contrived
    assert places_needed(quantity) > places_needed("a")
    assert (places_needed(quantity) > places_needed(Quantity("*", "w", "h"))) is contrived


def test_each_condition_must_be_shown_to_be_needed() -> None:
    rule = Rule([[Atom("mode", "=", "a"), Atom("y", "=", 3)]])
    base = [{"x": 0, "y": 3, "mode": mode} for mode in "abc"]
    assert NotShownNeeded("y = 3") in doubts(rule, base)
    assert NotShownNeeded("y = 3") not in doubts(rule, [*base, {"x": 0, "y": 4, "mode": "a"}])


def test_every_value_of_a_small_field_must_be_tried() -> None:
    rule = Rule([[Atom("mode", "=", "a")]])
    tried = [{"x": 0, "y": 0, "mode": mode} for mode in "ab"]
    assert doubts(rule, tried) == [NotAllSwept("mode", 2, 3)]
    assert doubts(rule, [*tried, {"x": 1, "y": 1, "mode": "c"}]) == []


def test_each_alternative_must_explain_failures_of_its_own() -> None:
    rule = Rule([[Atom("mode", "=", "a")], [Atom("mode", "=", "b"), Atom("y", "=", 7)]])
    base = [{"x": x, "y": 7, "mode": mode} for x in range(6) for mode in "ac"]
    base += [{"x": 0, "y": 8, "mode": "b"}]
    few = [{"x": 0, "y": 7, "mode": "b"}]
    enough = [{"x": x, "y": 7, "mode": "b"} for x in range(6)]
    assert any(isinstance(doubt, FewOwnFailures) for doubt in doubts(rule, [*base, *few]))
    assert not any(isinstance(doubt, FewOwnFailures) for doubt in doubts(rule, [*base, *enough]))


def test_each_listed_option_must_explain_a_failure_of_its_own() -> None:
    rule = Rule([[Atom("x", ">", 100)], [Atom("mode", "=", "a")], [Atom("mode", "=", "b")]])
    runs = [{"x": x, "y": 0, "mode": "a"} for x in range(6)] + [{"x": 500, "y": 0, "mode": mode} for mode in "abc"]
    assert FewOwnFailures("mode = b", 0) in doubts(rule, runs)
    assert FewOwnFailures("mode = b", 0) not in doubts(rule, [*runs, {"x": 7, "y": 0, "mode": "b"}])


def test_an_option_that_another_alternative_covers_needs_no_failure_of_its_own() -> None:
    rule = Rule([[Atom("x", ">", 9), Atom("mode", "=", "a")], [Atom("x", ">", 99), Atom("mode", "!=", "c")]])
    runs = [{"x": x, "y": 0, "mode": mode} for x in (*range(20), *range(95, 110)) for mode in "abc"]
    assert not any(isinstance(doubt, FewOwnFailures) for doubt in doubts(rule, runs))
    open_part = Rule([[Atom("x", ">", 200), Atom("mode", "=", "a")], [Atom("x", ">", 99), Atom("mode", "!=", "c")]])
    apart = [one for one in runs if one["mode"] != "a"] + [{"x": x, "y": 0, "mode": "a"} for x in range(201, 208)]
    assert FewOwnFailures("x > 99 and mode = a", 0) in doubts(open_part, apart), "it is named with its term"


@pytest.mark.parametrize(
    ("rule", "places"),
    [
        (Rule([[Atom("x", "=", 223)]]), 1),
        (Rule([[Atom("x", "=", 223)], [Atom("x", "=", 329)]]), 2),
        (Rule([[Atom("x", ">", 3), Atom("x", "<", 9)], [Atom("x", ">", 300), Atom("x", "<", 900)]]), 2),
        (Rule([[Atom("x", "<", 9)], [Atom("x", ">", 300), Atom("x", "<", 900)]]), 2),
        (Rule([[Atom("x", ">", 3), Atom("x", "<", 9)]]), 0),
        (Rule([[Atom("x", "=", 0)]]), 0),
        (Rule([[Atom("x", "<", 9)], [Atom("x", ">", 900)]]), 0),
        (Rule([[Atom("mode", "=", "a")], [Atom("mode", "=", "b")]]), 0),
    ],
)
def test_a_list_of_places_is_no_law(rule: Rule, places: int) -> None:
    found = [doubt for doubt in doubts(rule, [{"x": 5, "y": 0, "mode": "a"}]) if isinstance(doubt, SeparatePlaces)]
    assert found == [SeparatePlaces("x", places)] * bool(places)


@pytest.mark.parametrize(("runs", "percent"), [(40, 7.2), (412, 0.7), (1, 95.0)])
def test_the_bound_on_unseen_failures_is_that_of_no_failure_in_so_many_runs(runs: int, percent: float) -> None:
    missed = Check(outside=(0, runs)).max_missed
    assert missed == pytest.approx(1 - 0.05 ** (1 / runs))
    assert round(100 * (missed or 0), 1) == percent
    assert Check().max_missed is None


def factor_runs(fails: Callable[[int, int], bool], places: list[tuple[int, int]]) -> dict[str, Any]:
    every = [({"x": x, "y": y, "mode": "a"}, fails(x, y)) for x, y in places]
    return {key_of(one): (one, failed) for one, failed in every}


def test_a_factor_that_could_be_another_is_in_doubt() -> None:
    """Minutes never add up to an hour in these runs, so a hundredth fits as well as a sixtieth."""
    rule = Rule([[Atom(Quantity("+", "x", Quantity("*", 0.01, "y")), ">=", 24)]])
    places = [(x, y) for x in (22, 23, 24, 25) for y in range(60)]
    [doubt] = [*_factors_in_doubt(rule, factor_runs(lambda x, y: 60 * x + y >= 1440, places))]
    assert doubt == LooseFactor(0.01, "x + 0.01 * y")


@pytest.mark.parametrize("factor", [2, 0.5, 19.62])
def test_a_factor_that_the_runs_confirm_is_not_in_doubt(factor: float) -> None:
    rule = Rule([[Atom(Quantity("+", "x", Quantity("*", factor, "y")), ">", 100)]])
    runs = factor_runs(lambda x, y: x + factor * y > 100, [(x, y) for x in range(0, 101, 5) for y in range(101)])
    assert not [*_factors_in_doubt(rule, runs)]


# Whole diagnoses


def diagnosed(subject: Any, space: rw.Space, failing: dict[str, Any], **parts: Any) -> rw.Diagnosis:
    return rw.diagnose(Study("it", Path("it.toml"), as_subject(subject, isolate=False), space, failing), **parts)


def test_a_small_space_is_run_completely_and_the_headline_says_so() -> None:
    space = rw.Space({"n": rw.Int(0, 60), "flag": rw.Bool()})
    found = diagnosed(rw.fails_when(lambda one: one["n"] > 41), space, {"n": 50, "flag": True})
    assert str(found).startswith("It fails exactly when n > 41.")


def test_a_claim_says_how_much_can_still_be_missed() -> None:
    found = diagnosed(rw.fails_when(lambda one: one["x"] > 4321), SPACE, {"x": 9000, "y": 1, "mode": "a"})
    assert found.certain
    assert "random runs failed: at most 7.2% of such configurations fail (95%)." in str(found)


@pytest.mark.parametrize("seed", range(6))
def test_a_failure_that_showed_five_times_of_five_is_not_taken_for_steady(seed: int) -> None:
    chance = random.Random(seed)

    def fails(one: dict[str, Any]) -> None:
        assert one["x"] <= 30 or chance.random() >= 0.86

    space = rw.Space({"x": rw.Int(0, 100), "y": rw.Int(0, 100), "mode": rw.Choice("abc")})
    [found] = diagnosed(fails, space, {"x": 70, "y": 4, "mode": "a"}, seed=seed).explanations
    wrong = [x for x in range(101) if found.rule.holds({"x": x, "y": 1, "mode": "b"}) is not (x > 30)]
    assert not (found.certain and wrong)


def test_one_condition_for_each_failure() -> None:
    """The second failure shows in one mode only; in the others the first comes first."""

    def fails(one: dict[str, Any]) -> Outcome | None:
        if one["x"] >= 1000:
            return None
        return Outcome(FAIL, "other date" if one["mode"] == "c" else "no date")

    found = diagnosed(fails, SPACE, {"x": 800, "y": 3, "mode": "a"})
    rules = {one.signature: one.rule for one in found.explanations}
    for x, mode in ((500, "a"), (999, "b"), (500, "c"), (1000, "c"), (5000, "a")):
        one = {"x": x, "y": 5, "mode": mode}
        assert rules["other date"].holds(one) is (x < 1000 and mode == "c"), one
        assert mode == "c" or rules["no date"].holds(one) is (x < 1000), one


@pytest.mark.parametrize("seed", range(3))
def test_runs_for_another_failure_count_for_each_claim(seed: int) -> None:
    """Where the second failure comes first, the first does not show: the claim about the first must say so."""

    def fails(one: dict[str, Any]) -> Outcome | None:
        if one["x"] > 9_000 and one["mode"] == "c":
            return Outcome(FAIL, "second")
        return Outcome(FAIL, "first") if one["y"] > 5_000 else None

    found = diagnosed(fails, SPACE, {"x": 1, "y": 7_000, "mode": "a"}, seed=seed)
    first, second = found.explanations
    assert (first.signature, second.signature) == ("first", "second")
    assert first.hidden or not first.rule.holds({"x": 9_500, "y": 7_000, "mode": "c"})
    assert str(second.rule) == "x > 9000 and mode = c"


def test_a_search_starts_far_from_other_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(state: Any, question: Ask[Any], view: StepView, so_far: Any) -> Generator[Any, Any, list[Outcome]]:
        one: Any = question.candidates[0]
        return [Outcome(OTHER if one["y"] > 5_000 else FAIL if one["x"] > 20 else PASS)]
        yield

    monkeypatch.setattr(fields, "ask", answer)
    state = SimpleNamespace(plan={"simplify"}, begin=lambda name: None, end=lambda facts: None)
    claim = Claim(SPACE, view=StepView())
    claim.runs = {str(y): ({"x": 5, "y": y, "mode": "a"}, False) for y in (4_000, 1)}
    claim.failed_differently = {str(x): {"x": x, "y": y, "mode": "a"} for x, y in ((7, 4_000), (8, 9_000))}
    with pytest.raises(StopIteration) as end:
        next(fields.leave_other_failures(cast(Any, state), claim, {"x": 30, "y": 4_000, "mode": "c"}))
    assert end.value.value == {"x": 30, "y": 1, "mode": "a"}


def test_a_term_that_no_failing_run_needs_is_dropped() -> None:
    broad, listed = Rule([[Atom("x", ">", 10)]]), Rule([[Atom("x", "=", 20)], [Atom("y", "=", 3), Atom("x", "<", 5)]])
    claim = Claim(SPACE, view=StepView())
    claim.causes = [FailureCause(listed, {"x": 20, "y": 1, "mode": "a"}), FailureCause(broad, {"x": 11, "y": 1})]
    points = [{"x": x, "y": y, "mode": "a"} for x in (1, 11, 20) for y in (1, 3)]
    claim.runs = {**runs_of(claim.rule, points)}
    claim.drop_unneeded_terms()
    assert claim.rule == Rule([[Atom("x", ">", 10)], [Atom("y", "=", 3), Atom("x", "<", 5)]])


def test_an_option_with_which_another_failure_always_comes_first_is_not_claimed() -> None:
    def fails(one: dict[str, Any]) -> Outcome | None:
        if one["value"] in ("set", "date"):
            return Outcome(FAIL, "TypeError")
        return Outcome(FAIL, "ValueError") if one["value"] in ("nan", "inf") and one["strict"] else None

    values = ["number", "text", "nan", "inf", "set", "date"]
    space = rw.Space({"value": rw.Choice(values), "strict": rw.Bool(), "x": rw.Int(0, 10**6), "y": rw.Int(0, 10**6)})
    found = diagnosed(fails, space, {"value": "nan", "strict": True, "x": 5, "y": 7})
    rules = {one.signature: one.rule for one in found.explanations}
    for value in values:
        for strict in (False, True):
            one = {"value": value, "strict": strict, "x": 1, "y": 2}
            assert rules["ValueError"].holds(one) is (value in ("nan", "inf") and strict), one


def test_where_no_simple_condition_exists_an_approximation_is_measured() -> None:
    import zlib

    def fails(one: dict[str, Any]) -> bool:
        return zlib.crc32(f"{one['a']},{one['b']}".encode()) % 5 < 2

    space = rw.Space({"a": rw.Int(0, 500), "b": rw.Int(0, 500)})
    failing = next(one for one in ({"a": a, "b": 7} for a in range(500)) if fails(one))
    found = diagnosed(rw.fails_when(fails), space, failing)
    [one] = found.explanations
    assert not found.certain
    assert one.approximate
    assert "No simple condition explains it. It depends on a, b." in str(found)
    assert not one.causes or one.check is not None


@pytest.mark.parametrize("exception", [17, 42, 93])
def test_an_exception_that_the_source_mentions_is_found_in_a_field_that_hardly_matters(exception: int) -> None:
    fails = {
        17: lambda one: one["x"] > 40 and one["z"] != 17,
        42: lambda one: one["x"] > 40 and one["z"] != 42,
        93: lambda one: one["x"] > 40 and one["z"] != 93,
    }[exception]
    space = rw.Space({name: rw.Int(0, 10_000) for name in "xyz"})
    found = diagnosed(rw.fails_when(fails), space, {"x": 90, "y": 60, "z": 1})
    [one] = found.explanations
    assert not one.rule.holds({"x": 90, "y": 60, "z": exception})


def test_a_window_of_a_sum_is_not_certain() -> None:
    window = [Atom(Quantity("+", "x", "y"), ">=", 256), Atom(Quantity("+", "x", "y"), "<=", 338)]
    assert SeparatePlaces("x + y", 1) in doubts_about(SPACE, Rule([window]), {}, [], key_of)
    assert not any(isinstance(one, SeparatePlaces) for one in doubts_about(SPACE, Rule([window[:1]]), {}, [], key_of))


def test_a_claim_that_names_several_words_is_not_certain() -> None:
    space = rw.Space({"name": rw.Text(["con", "aux", "file", "data", "x1"]), "flag": rw.Bool()})
    devices = ("con", "aux", "nul", "prn")
    found = diagnosed(rw.fails_when(lambda one: one["name"].lower() in devices), space, {"name": "con", "flag": True})
    assert not found.certain
    assert "It is not known for which other texts in name it fails." in str(found)
    [one] = found.explanations
    assert all(one.rule.holds({"name": name, "flag": True}) for name in ("con", "CON", "Aux"))


# Values of the user's world


def test_numbers_and_quoted_texts_are_read_from_a_message() -> None:
    text = "encoder error -2: 'width' must be below 65500, got 0x1F and 2.5e3 (id a7b3)"
    assert list(literals_in(text)) == [-2, 65500, 31, 2500.0, "width"]


def test_values_come_from_the_message_the_examples_and_the_source() -> None:
    def subject(one: dict[str, Any]) -> None:
        assert one["x"] != 4711

    study = Study("it", Path("it.toml"), as_subject(subject, isolate=False), SPACE, nominal=[{"x": 12}])
    values = domain_values(study, study.subject, Outcome(FAIL, "ValueError", detail="more than 900"))
    assert values[:2] == [900, 12]
    assert 4711 in values
    assert all(repr(one) != repr(other) for one, other in pairwise(values))


def test_an_approximation_has_three_digits() -> None:
    sum_ = Quantity("+", "x", Quantity("*", 3.3962264150943398, "y"))
    rule = Rule([[Atom(sum_, "<", 13.39622641509434), Atom("mode", "=", "a")], [Atom("x", ">", 123456)]])
    assert str(_round_numbers(rule)) == "x > 123456 or (x + 3.4 * y < 13.4 and mode = a)"


def test_a_claim_that_names_one_word_is_not_certain() -> None:
    """Nobody has mentioned the other words that pass."""
    space = rw.Space({"level": rw.Text(["DEBUG", "debug", "loud", ""]), "quiet": rw.Bool()})
    levels = ("DEBUG", "INFO", "WARNING", "ERROR")
    subject = rw.fails_when(lambda one: one["level"] not in levels)
    found = diagnosed(subject, space, {"level": "loud", "quiet": True})
    [one] = found.explanations
    assert not one.rule.holds({"level": "DEBUG", "quiet": True})
    assert not found.certain


@pytest.mark.parametrize("text", ["\udcff", "\u0416", "\x00"])
def test_a_rare_character_may_stand_for_its_class(text: str) -> None:
    rule = Rule([[Atom(Quantity("contains", "name", TextConstant(text)), "=", True)]])
    space = rw.Space({"name": rw.Text(["a"])})
    assert [*_find_untried_values(space, rule, set(), [{"name": "a"}])] == [OtherTexts("name")]


def test_an_ordinary_character_is_no_class() -> None:
    rule = Rule([[Atom(Quantity("contains", "name", TextConstant("/")), "=", True)]])
    assert not [*_find_untried_values(rw.Space({"name": rw.Text(["a"])}), rule, set(), [{"name": "a"}])]


def test_where_nearly_all_inputs_fail_the_few_that_pass_are_not_known_well() -> None:
    space = rw.Space({"count": rw.Int(0, 1000), "size": rw.Int(0, 8000), "kind": rw.Choice(["byte", "int"])})
    bytes_of = {"byte": 1, "int": 4}
    subject = rw.fails_when(lambda one: one["size"] != one["count"] * bytes_of[one["kind"]])
    found = diagnosed(subject, space, {"count": 4, "size": 20, "kind": "int"})
    assert not found.certain
    assert "so it is not known how many of them fail" in str(found)


@pytest.mark.parametrize(("drawn", "runs", "doubts"), [(13, 100, 1), (14, 100, 0), (0, 1_000_000, 0)])
def test_enough_random_runs_lie_outside_or_the_space_is_covered(drawn: int, runs: int, doubts: int) -> None:
    space = rw.Space({"x": rw.Int(0, 1000), "y": rw.Int(0, 999)})
    assert len([*outside_in_doubt(space, BOUND, drawn, runs)]) == doubts
    assert not [*outside_in_doubt(space, Rule([[]]), drawn, runs)]


def test_while_a_refuted_claim_is_repaired_it_is_neither_certain_nor_stated_twice() -> None:
    """The budget may end at any question of the repair: the answer so far is then the last one."""
    failing = {"x": 101, "y": 1, "mode": "a"}
    study = Study("it", Path("it.toml"), as_subject(print, isolate=False), SPACE, failing)
    state = DiagnosisState(study, Plan.of(study))
    conductor = Conductor(state)
    for at, name in enumerate(("first", "second")):
        draft = Explanation(name, failing=failing, of=3)
        claim = conductor._claims[at] = Claim(SPACE, view=StepView(reference=Outcome(FAIL, name)), draft=draft)
        claim.causes = [FailureCause(BOUND, failing)]
        claim.check = Check((9, 9), (0, 40), score=BOUND.score([(failing, True)]))
        state.explanations.append(claim.explanation())
    assert state.explanations[0].certain
    refuting = {"x": 5, "y": 7, "mode": "b"}
    conductor._claims[1].outcomes[key_of(refuting)] = refuting, Outcome(OTHER, "first")
    question = next(conductor._compare_claims())
    [first] = [one for one in question.best.explanations if one.signature == "first"]
    assert not first.certain
    assert not state.explanations[0].certain
