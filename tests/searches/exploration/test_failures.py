"""What a person reads."""

from __future__ import annotations

import json
import math

import rootward as rw
from rootward.report.kinds.find import MAX_FAILURES
from rootward.searches.exploration.dictionary import CoveredShares
from rootward.searches.exploration.failures import Failure, Failures

ONE = Failure("ValueError", {"speed": -1, "gear": "R", "n": 0}, ("speed",), seen=3)


def lines(finding: Failures) -> list[str]:
    return str(finding).splitlines()


def test_one_failure_beside_an_input_that_works() -> None:
    finding = Failures(failures=(ONE,), tried={"nominal": 1, "values": 15}, first=4, given=True)
    assert lines(finding) == [
        "A failure was found in run 4 of 16.",
        "Failure: ValueError, seen 3 times",
        "  speed = -1",
        "  the others as in an input that should work",
        "Runs: 1 as given, 15 with all fields changed.",
    ]


def test_without_an_input_that_works_few_fields_are_all_told() -> None:
    finding = Failures(failures=(ONE,), tried={"natural": 1, "values": 15}, first=4)
    assert lines(finding)[2:5] == ["  speed = -1", "  gear = R", "  n = 0"]


def test_many_fields_and_many_failures_are_cut() -> None:
    wide = Failure(None, {f"f{i}": i for i in range(500)}, tuple(f"f{i}" for i in range(300)))
    finding = Failures(failures=(wide,) * (MAX_FAILURES + 2), tried={"values": 9}, first=1)
    assert lines(finding)[0] == "8 different failures were found in 9 runs, the first in run 1."
    assert lines(finding)[1] == "Failure: seen once"
    assert "  and 292 more fields changed" in lines(finding)
    assert "... and 2 more failures" in lines(finding)
    assert len(lines(finding)) < 80


def test_nothing_found_is_said_with_what_was_tried() -> None:
    finding = Failures(
        tried={"natural": 1, "values": 50, "spread": 1949}, covered=CoveredShares(1.0, 0.2578, True), unjudged=1
    )
    more = "A failure that needs other values or combinations is still possible."
    assert lines(finding) == [
        "No failure was found in 2,000 runs.",
        "Runs: 1 with only ordinary values, 50 with all fields changed, 1,949 spread over the ranges.",
        f"They covered 100% of the values to try, and about 25.8% of their pairs. {more}",
        "1 run could not be judged, so it is not known whether it fails.",
    ]


def test_what_is_nearly_all_is_not_said_to_be_all() -> None:
    said = str(Failures(tried={"values": 5}, covered=CoveredShares(0.99999, 0.00001)))
    assert "99.9% of the values" in said
    assert "0.1% of their pairs" in said


def test_as_data() -> None:
    odd = Failure("x", {"a": math.nan, "b": 2**70}, ("a",), others=({"a": math.inf, "b": 0},), seen=2)
    said = Failures(failures=(odd,), passing={"a": 0.0, "b": 0}, tried={"values": 3}, first=2).to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["finding"] == "failures"
    assert said["failures"][0]["configuration"] == {"a": {"float": "nan"}, "b": {"int": hex(2**70)}}
    assert said["failures"][0]["others"] == [{"a": {"float": "inf"}, "b": 0}]


def test_the_verb() -> None:
    space = rw.Space({"speed": rw.Int(-100, 100), "gear": rw.Choice("PRND"), "lights": rw.Bool()})

    def drive(one: dict[str, object]) -> None:
        if one["gear"] == "R" and one["speed"] > 0:  # type: ignore[operator]
            raise RuntimeError("reverse")

    finding = rw.find(space, drive, nominal={"speed": 30, "gear": "D", "lights": True}, seed=1)
    assert finding.complete
    assert finding.trials == finding.asked == finding.runs
    [failure] = finding.failures
    assert failure.signature.startswith("RuntimeError in drive")
    assert finding.passing == {"speed": 30, "gear": "D", "lights": True}
    known = rw.Rule([[rw.Atom("gear", "=", "R")]])
    nothing = rw.find(space, drive, outside=known, most=200)
    assert (nothing.found, nothing.runs) == (False, 200)


def test_a_budget_ends_it_with_what_is_known() -> None:
    space = rw.Space({"n": rw.Int()})
    finding = rw.find(space, rw.fails_when(lambda one: False), budget=5)
    assert (finding.complete, finding.stopped, finding.runs) == (False, "budget", 0)
