"""What a person reads of a rule, and what a program gets."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.report.kinds.rule import MAX_CASES, MAX_ROUGH_CASES, PRESENTER
from rootward.rules import Atom, Estimate, Quantity, Rule
from rootward.searches.conditions.decision import DecisionNode
from rootward.searches.conditions.facts import FewTried, NotSimple, OpenBound, OpenConstant
from rootward.searches.conditions.rule_finding import MAX_SHARED_VALUES, EdgePair, RuleFinding

ROLL = Rule([[Atom("roll", ">", 4500), Atom("trainer", "=", 2)]])
CHECKED: dict[str, Any] = {"accuracy": Estimate(1.0, 0.9, 1.0), "verified": 30, "fails": 62, "passes": 108}


def finding(rule: Rule = ROLL, **known: Any) -> RuleFinding:
    return RuleFinding(rule=rule, of=3, **known)


def test_the_rule_and_how_it_was_checked() -> None:
    assert str(finding(**CHECKED)).splitlines() == [
        "It seems to fail when roll > 4500 and trainer = 2.",
        "Checked on 30 fresh runs: balanced accuracy 1.00 (0.90..1.00); 62 of 170 runs failed.",
    ]


def test_a_long_disjunction_has_a_line_for_each_case() -> None:
    names = [f"the_temperature_of_sensor_{i}" for i in range(2)]
    rule = Rule([[Atom(name, ">", 4500), Atom("trainer", "=", 2)] for name in names])
    assert str(finding(rule, **CHECKED)).splitlines()[:3] == [
        "It seems to fail when one of these 2 holds:",
        "  the_temperature_of_sensor_0 > 4500 and trainer = 2",
        "  the_temperature_of_sensor_1 > 4500 and trainer = 2",
    ]
    short = Rule([[Atom("roll", ">", 4500)], [Atom("trainer", "=", 2), Atom("on", "=", True)]])
    said = finding(short, **CHECKED)
    assert str(said).startswith(f"It seems to fail when {short}.")
    assert said.to_dict()["cases"] == ["roll > 4500", "on = true and trainer = 2"]


@pytest.mark.parametrize(
    ("known", "headline"),
    [
        ({}, "No condition is known: no run was judged."),
        ({"passes": 1}, "No condition is known: it never failed in 1 run."),
        ({"passes": 40}, "No condition is known: it never failed in 40 runs."),
        ({"fails": 1}, "No condition is known: it failed in the only run."),
        ({"fails": 40}, "It failed in all 40 runs, whatever the values of the 3 fields."),
        ({"fails": 40, "of": 1}, "It failed in all 40 runs, whatever the values of the only field."),
        ({"fails": 3, "passes": 4, "rule": Rule.never()}, "No condition is known: 3 of 7 runs failed."),
        ({"fails": 3, "passes": 4, "rule": Rule.always()}, "No condition is known: 3 of 7 runs failed."),
        (
            {"fails": 3, "passes": 4, "rule": Rule.never(), "complete": False},
            "No condition is known yet: 3 of 7 runs failed.",
        ),
        (
            {"fails": 3, "passes": 4, "complete": False},
            "So far, it seems to fail when roll > 4500 and trainer = 2.",
        ),
    ],
)
def test_headlines(known: dict[str, Any], headline: str) -> None:
    assert str(RuleFinding(**{"rule": ROLL, "of": 3, **known})).splitlines()[0] == headline


@pytest.mark.parametrize(
    "known",
    [{}, {"verified": 0}, {"verified": 2000}, {"unsteady": True}, {"accuracy": Estimate(0.6, 0.4, 0.8)}],
    ids=str,
)
def test_a_rule_that_is_not_proved_is_not_told_as_a_fact(known: dict[str, Any]) -> None:
    found = finding(**{**CHECKED, **known})
    assert str(found).startswith("It seems to fail when roll > 4500 and trainer = 2.")
    assert "It fails" not in str(found)
    assert PRESENTER.head(found.to_dict()) == "It seems to fail when"


def test_a_rule_is_exact_if_every_configuration_was_run() -> None:
    found = finding(fails=3, passes=5, whole=8)
    assert str(found).splitlines() == [
        "It fails exactly when roll > 4500 and trainer = 2.",
        "All 8 configurations were run; all agree with it.",
    ]
    assert PRESENTER.head(found.to_dict()) == "It fails exactly when"
    certainty = PRESENTER.certainty(found.to_dict())
    assert certainty is not None
    assert certainty.said == "All 8 configurations were run; all agree with it."


def test_of_very_many_cases_only_some_are_printed() -> None:
    rule = Rule([[Atom(f"the_sensor_{i}", ">", 4500)] for i in range(64)])
    lines = str(finding(rule, **CHECKED)).splitlines()
    assert lines[0] == "It seems to fail when one of these 64 holds:"
    assert lines[MAX_CASES] == "  ... and 53 more"
    assert lines[MAX_CASES + 1].startswith("Checked on ")


def test_a_rule_of_a_search_that_gave_up_is_told_as_an_approximation() -> None:
    rule = Rule([[Atom(f"the_sensor_{i}", ">", 4500)] for i in range(10)])
    rough = finding(rule, **{**CHECKED, "unknown": (NotSimple(),), "explained": tuple(range(10))})
    lines = str(rough).splitlines()
    assert lines[0] == "It seems to fail roughly when one of these 10 holds:"
    assert lines[1] == f"  {Rule.of_terms(rule.terms[-1:])}", "it explains most failing runs"
    assert lines[MAX_ROUGH_CASES] == "  ... and 7 more"
    assert PRESENTER.head(rough.to_dict()) == "It seems to fail roughly when"


def test_a_rule_that_tells_nothing_apart_is_not_said_to_be_checked() -> None:
    for known in ({"passes": 40}, {"fails": 40}, {"rule": Rule.always(), "fails": 2, "passes": 2}):
        given: dict[str, Any] = {"rule": ROLL, "of": 3, "verified": 9, **known}
        one = RuleFinding(**given)
        assert not one.found
        assert "hecked" not in str(one)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"verified": 0}, "Not checked on fresh runs; 62 of 170 runs failed."),
        (
            {"verified": 1, "accuracy": Estimate(math.nan, 0.0, 1.0)},
            "Checked on 1 fresh run; balanced accuracy is undefined, as it needs failing and passing runs; "
            "62 of 170 runs failed.",
        ),
        ({"accuracy": Estimate(0.9, 0.7, 0.95)}, "It was wrong for some fresh runs: take it as a hint"),
        ({"unjudged": 1}, "1 run could not be judged and is left out."),
        ({"unjudged": 4}, "4 runs could not be judged and are left out."),
        ({"unsteady": True}, "The same configuration both failed and passed"),
        (
            {"open": (OpenConstant("big roll", 1.5, 1, 2),)},
            'Where "big roll" is compared with 1.5, the exact bound may lie anywhere between 1 and 2.',
        ),
        (
            {"open": (OpenBound(Quantity("*", "roll", "trainer"), 1, 2),)},
            "The exact bound on roll * trainer may lie anywhere between 1 and 2.",
        ),
        (
            {"untried": (FewTried("mode", 1, 4),)},
            "Only 1 of 4 values of mode was tried; others may behave differently.",
        ),
        ({"untried": (FewTried("name", 2, None),)}, "Only 2 texts in name were tried; others may behave differently."),
        ({"unknown": (NotSimple(),)}, "No simple condition explains all runs: the search gave up"),
        ({"signature": "exit code 3"}, "Failure: exit code 3"),
    ],
)
def test_remarks(known: dict[str, Any], said: str) -> None:
    plain = str(finding(**CHECKED))
    assert said not in plain
    assert any(line.startswith(said) for line in str(replace(finding(**CHECKED), **known)).splitlines())


def test_as_data() -> None:
    edge = EdgePair({"roll": math.nan, "trainer": 2}, {"roll": 4500, "trainer": 2})
    tree = DecisionNode(True, 2, 1, Atom("roll", ">", 4500), DecisionNode(True, 2, 0), DecisionNode(False, 0, 1))
    said = json.loads(json.dumps(finding(**CHECKED, edges=(edge,), tree=tree).to_dict(), allow_nan=False))
    assert said["finding"] == "rule_finding"
    assert Rule.from_dict(said["rule"]) == ROLL
    assert said["found"]
    assert said["accuracy"] == {"value": 1.0, "low": 0.9, "high": 1.0}
    assert eval(said["expressions"]["Python"], {"math": math, "c": {"roll": 4501, "trainer": 2}})
    assert said["edges"][0]["changed"] == ["roll"]
    assert said["edges"][0]["rows"] == [{"field": "roll", "fails": "NaN", "passes": "4500"}]
    assert said["edges"][0]["same"] == ["trainer = 2"]
    assert said["tree"]["text"] == "if roll > 4500: fails (2 runs)\nelse: passes (1 run)"
    assert said["tree"]["holds"] == {"failing": True, "fails": 2, "passes": 0}
    assert finding().to_dict()["accuracy"]["value"] is None


def test_two_runs_with_many_fields_in_common_are_cut_short() -> None:
    many = {f"p{i}": i for i in range(MAX_SHARED_VALUES + 3)}
    said = EdgePair({**many, "x": 1}, {**many, "x": 2}).to_dict()["same"]
    assert said[-2:] == [f"p{MAX_SHARED_VALUES - 1} = {MAX_SHARED_VALUES - 1}", "3 more"]


def test_equal_is_what_says_the_same() -> None:
    one = finding(**CHECKED)
    assert one == replace(one, trials=9, asked=8, accuracy=Estimate(0.5, 0.0, 1.0), verified=2)
    assert one != replace(one, rule=Rule.always())
    assert one != replace(one, open=(OpenConstant("roll", 1.5, 1, 2),))


# Trees


def trees() -> st.SearchStrategy[DecisionNode]:
    counts = st.integers(0, 9)
    leaves = st.builds(DecisionNode, st.booleans(), counts, counts)
    atoms = st.builds(Atom, st.sampled_from("xy"), st.sampled_from(["<", ">=", "=", "!="]), st.integers(-2, 2))
    return st.recursive(
        leaves, lambda below: st.builds(DecisionNode, st.booleans(), counts, counts, atoms, below, below)
    )


@given(trees(), st.fixed_dictionaries({name: st.integers(-3, 3) | st.just(math.nan) for name in "xy"}))
def test_the_printed_tree_is_a_program_that_decides_the_same(tree: DecisionNode, one: dict[str, Any]) -> None:
    """Read the lines as a person would."""
    lines = str(tree).splitlines()
    place, depth = 0, 0
    while True:
        words = lines[place].strip()
        if words.startswith("if "):
            test, _, rest = words[3:].partition(":")
            if not _holds(test, one):
                depth_of = [len(line) - len(line.lstrip()) for line in lines]
                place = next(
                    i for i in range(place + 1, len(lines)) if depth_of[i] == depth and lines[i].strip()[:4] == "else"
                )
                rest = lines[place].strip().partition(":")[2]
        else:
            rest = words
        if rest.strip():
            assert rest.strip().startswith("fails" if tree.decide(one) else "passes")
            return
        place, depth = place + 1, depth + 2


def _holds(test: str, one: dict[str, Any]) -> bool:
    field, op, value = test.split()
    return Atom(field, op, int(value)).holds(one)


@given(trees())
def test_a_tree_as_data_has_all_of_its_ends(tree: DecisionNode) -> None:
    def ends(data: dict[str, Any]) -> int:
        return 1 if "test" not in data else ends(data["holds"]) + ends(data["otherwise"])

    data = tree.to_dict()
    json.dumps(data, allow_nan=False)
    assert ends(data) == str(tree).count("fails") + str(tree).count("passes")
