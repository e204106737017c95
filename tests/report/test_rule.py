"""The page of a rule: the condition first, then what it rests on."""

import math
from typing import Any

import pytest

from rootward.rules import Atom, Estimate, Rule
from rootward.searches.conditions.decision import DecisionNode
from rootward.searches.conditions.facts import NotSimple, OpenConstant
from rootward.searches.conditions.rule_finding import EdgePair, RuleFinding

from .pages import fragment, page
from .test_page import Reader

RULE = Rule([[Atom("<b>", ">", 4500), Atom("gear", "=", "R")], [Atom("x", "=", math.nan)]])
TREE = DecisionNode(False, 9, 9, Atom("<b>", ">", 4500), DecisionNode(True, 9, 0), DecisionNode(False, 0, 9))


def found(**known: Any) -> dict[str, Any]:
    usual = {"rule": RULE, "of": 3, "fails": 9, "passes": 11, "verified": 20, "accuracy": Estimate(0.95, 0.8, 0.99)}
    return RuleFinding(**{**usual, **known}).to_dict()


def test_the_condition_stands_alone() -> None:
    read = Reader(page(found()))
    assert "It seems to fail when" in read.text
    assert "x is NaN" in read.text
    assert '"<b>" > 4500 and gear = R' in read.text
    assert "0.95 balanced accuracy, 0.80 to 0.99" in read.text
    assert "Measured on 20 fresh runs" in read.text
    assert next(attrs["class"] for tag, attrs in read.tags if tag == "div") == "condition"
    assert not [tag for tag, _ in read.tags if tag == "b"]


def test_the_accuracy_is_drawn_where_it_was_measured() -> None:
    (bar,) = [attrs for _, attrs in Reader(page(found())).tags if attrs.get("class") == "measure"]
    assert bar["aria-label"] == "balanced accuracy 0.95, between 0.80 and 0.99"
    assert 'class="measure"' not in page(found(accuracy=Estimate(math.nan, 0.0, 1.0)))


def test_the_tree_the_runs_beside_the_border_and_the_code() -> None:
    edge = EdgePair({"<b>": 4501, "gear": "R", "x": 0.0}, {"<b>": 4500, "gear": "R", "x": 0.0})
    read = Reader(page(found(tree=TREE, edges=(edge,))))
    for said in (
        '"<b>" > 4500?',
        "yes:× fails 9 runs",
        "no:● passes 9 runs",
        '"<b>" = 4501',
        '"<b>" = 4500',
        "gear = R, x = 0.0",
        "As code",
    ):
        assert said in read.text
    assert RULE.to_python() in read.text


def test_what_is_not_known_is_said() -> None:
    known = {"open": (OpenConstant("<x>", 5, 4, 6),), "unknown": (NotSimple(),), "unsteady": True}
    text = Reader(page(found(**known, unjudged=3, complete=False))).text
    bound = 'Where "<x>" is compared with 5, the exact bound may lie anywhere between 4 and 6.'
    for said in ("So far, it seems to fail when", bound, "No simple condition explains all runs", "3 runs could"):
        assert said in text


@pytest.mark.parametrize("known", [{"fails": 0}, {"passes": 0}, {"fails": 0, "passes": 0}, {"rule": Rule.never()}])
def test_a_page_without_a_condition_shows_none(known: dict[str, Any]) -> None:
    data = found(**known, verified=0, accuracy=Estimate(math.nan, 0.0, 1.0))
    text = fragment(data)
    assert 'class="condition"' not in text
    assert "As code" not in text
    assert data["explanation"].partition("\n")[0] in Reader(text).text
