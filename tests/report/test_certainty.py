"""How sure an answer is: the same words for every kind, and never more than was measured."""

from typing import Any

import pytest

from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Certainty
from rootward.report.text import share

from .samples import runs

RATE = {"fails": 9, "runs": 10, "value": 0.9, "low": 0.6, "high": 0.99}
FLAKY = {"original": RATE, "result": RATE, "confidence": 0.999, "share": 0.8}


def certainty(finding: dict[str, Any]) -> Certainty | None:
    return presenter_for(finding["finding"]).certainty(finding)


def test_one_field_has_no_pairs_to_cover() -> None:
    found = runs()["failures"]["finding"]
    told = certainty({**found, "found": [], "exhausted": False, "covered": {**found["covered"], "pairs": None}})
    assert told is not None
    assert told.said.endswith("% of the values to try.")


@pytest.mark.parametrize(("value", "text"), [(1.0, "1.00"), (0.999, ">0.99"), (0.994, "0.99"), (0.0, "0.00")])
def test_what_is_not_certain_is_not_rounded_to_it(value: float, text: str) -> None:
    assert share(value) == text


@pytest.mark.parametrize(
    ("kind", "changes", "name", "said"),
    [
        ("map", {}, "", "Each of the 2 elements was shown to be needed"),
        ("map", {"minimal": False}, "", "It was not shown whether fewer are enough"),
        ("map", FLAKY, "failure rate", "With 99% confidence, that is at least 80% as often as all 20 elements."),
        ("product_set", {}, "precision", "random members of the set failed"),
        ("product_set", {"verified": 0}, "", "was not measured"),
        ("rule_finding", {"verified": 0}, "", "not checked on fresh runs"),
        ("rule_finding", {"verified": 1}, "", "Balanced accuracy is undefined"),
        ("causes", {}, "", "Every combination with these settings was run"),
        ("bad_rows", {}, "", "With this difference repaired it passes"),
        ("bad_rows", {"repaired": 2}, "", "with any one of them left unrepaired, it fails"),
        ("bad_rows", {"repaired": 2, "minimal": False}, "", "It was not shown whether each is needed"),
        ("checkpoint", {}, "", "nothing had to be run"),
        ("triage", {}, "", "accepted by a separate checker"),
        ("failures", {}, "", "was run and failed"),
        ("failures", {"found": False, "exhausted": True}, "", "Every possible input was run"),
        ("failures", {"found": False, "exhausted": False}, "", "of the values to try, and"),
        ("diagnosis", {}, "precision", "Checked on 28 fresh runs; 1 of them contradicted it."),
    ],
)
def test_each_kind_says_what_was_done(kind: str, changes: dict[str, Any], name: str, said: str) -> None:
    told = certainty({**runs()[kind]["finding"], **changes})
    assert told is not None
    assert told.name == name
    assert said in told.said
    assert (told.value is None) is (name == "")


def test_the_least_certain_cause_counts() -> None:
    finding = runs()["causes"]["finding"]
    doubted = [{**cause, "definitive": False, "confidence": 0.8} for cause in finding["causes"]]
    told = certainty({**finding, "causes": doubted})
    assert told is not None
    assert (told.name, told.value, told.low) == ("confidence", 0.8, None)


@pytest.mark.parametrize(
    ("kind", "changes"), [("map", {"kept": []}), ("causes", {"causes": []}), ("triage", {"faults": []})]
)
def test_nothing_is_said_of_nothing(kind: str, changes: dict[str, Any]) -> None:
    assert certainty({**runs()[kind]["finding"], **changes}) is None
