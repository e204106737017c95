"""What a person reads of a reduction, and what a program does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import rootward as rw
from rootward.rules.score import Estimate
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements

LINES = Elements([f"line {i}\n" for i in range(20)], "line")


def found(*kept: int, of: Elements[Any] = LINES, **options: Any) -> Reduction[Any]:
    return Reduction(selection=of.pick(kept), **options)


@pytest.mark.parametrize(
    ("reduction", "text"),
    [
        (found(3), "1 of 20 lines is enough to make it fail; without it, it no longer fails.\n  4  line 3"),
        (
            found(3, 11),
            "2 of 20 lines are enough to make it fail; without any one of them it no longer fails.\n"
            "   4  line 3\n  12  line 11",
        ),
        (found(3, minimal=False), "1 of 20 lines is enough to make it fail; fewer may be enough.\n  4  line 3"),
        (
            found(3, complete=False, minimal=False),
            "1 of 20 lines is enough to make it fail (the search did not finish: fewer may be enough).\n  4  line 3",
        ),
        (found(), "It fails with no lines at all: the failure does not depend on them."),
        (
            found(0, 1, of=Elements("ab")),
            "All 2 elements are needed: without any one of them it no longer fails.\n  1  a\n  2  b",
        ),
        (
            found(0, 1, of=Elements("ab"), minimal=False),
            "No smaller part of the 2 elements was shown to fail.\n  1  a\n  2  b",
        ),
        (
            found(3, signature="exit code 3", error="the roll limit\nis wrong"),
            "1 of 20 lines is enough to make it fail; without it, it no longer fails.\n"
            "Failure: exit code 3\n  | the roll limit\n  | is wrong\n  4  line 3",
        ),
        (
            found(3, original=Rate(7, 10), result=Rate(8, 10), share=0.5, confidence=0.973),
            "1 of 20 lines is enough to make it fail; without it, it fails much more rarely or not at all.\n"
            "It fails in 8 of 10 runs (49% to 94%); the original failed in 7 of 10 runs (40% to 89%).\n"
            "That is at least 50% as often as the original, with 97% confidence.\n"
            "  4  line 3",
        ),
        (
            found(3, original=Rate(7, 10), result=Rate(), share=0.5, minimal=False, complete=False),
            "1 of 20 lines is enough to make it fail (the search did not finish: fewer may be enough).\n"
            "How often that fails has not been measured yet; the original failed in 7 of 10 runs.\n"
            "  4  line 3",
        ),
    ],
)
def test_the_text(reduction: Reduction[Any], text: str) -> None:
    assert str(reduction) == text


def test_the_text_tells_apart_what_was_found_and_what_had_to_stay() -> None:
    pinned = Elements("abcdef", "model", pinned=[0, 5])
    assert str(found(2, of=pinned)) == (
        "1 of 6 models is enough to make it fail, together with the 2 that had to stay; "
        "without it, it no longer fails.\n"
        "  1  a\n  3  c\n  6  f"
    )
    assert str(found(of=pinned)).startswith("It fails with only the models that had to stay.\n")
    assert [one["pinned"] for one in found(2, of=pinned).to_dict()["kept"]] == [True, False, True]


def test_a_flaky_failure_of_which_nothing_could_go() -> None:
    whole = found(0, 1, of=Elements("ab"), minimal=False, original=Rate(3, 10), result=Rate(3, 10))
    assert str(whole).startswith("No smaller part of the 2 elements was shown to fail often enough.\n")


def test_confidence_is_never_rounded_up_to_certainty() -> None:
    text = str(found(3, original=Rate(70, 70), result=Rate(70, 70), share=0.5, confidence=0.99999))
    assert "100% confidence" not in text


def test_a_long_answer_is_shortened() -> None:
    lines = str(found(*range(20), minimal=False)).splitlines()
    assert lines[-1] == "  ... and 10 more"
    assert len(lines) == 12


def test_what_cannot_be_printed_is_shown() -> None:
    elements = Elements([b"\xff\x00bytes\n", "x" * 300, "tab\tbell\x07"])
    text = str(found(0, 1, 2, of=elements))
    assert "\\xff\\x00bytes" in text
    assert "\x07" not in text
    assert max(map(len, text.splitlines())) < 120


def test_kept_and_removed() -> None:
    reduction = found(0, 2, of=Elements("abcd"))
    assert (reduction.kept, reduction.removed, reduction.gone) == (["a", "c"], ["b", "d"], 0.5)
    assert found(of=Elements([])).gone == 0.0


def test_whether_it_can_be_trusted() -> None:
    assert found(1).is_trusted
    assert not found(1, original=Rate(7, 10)).is_trusted
    assert found(1, original=Rate(7, 10), confidence=0.96).is_trusted


@pytest.mark.parametrize(
    ("again", "result", "said"),
    [
        (Rate(5, 5), Rate(5, 5), "With 5 seeds for which the original failed, it failed 5 times."),
        (
            Rate(1, 1),
            Rate(3, 5),
            "With 1 seed for which the original failed, it failed once; with 4 other seeds, 2 times.",
        ),
        (Rate(), Rate(0, 1), "With 1 seed, it failed 0 times."),
        (
            Rate(3, 4),
            Rate(3, 6),
            "With 4 seeds for which the original failed, it failed 3 times; with 2 other seeds, 0 times.",
        ),
    ],
)
def test_replayed_runs_are_told_from_others(again: Rate, result: Rate, said: str) -> None:
    often = Estimate(0.333, 0.2, 0.6)
    reduction = found(3, original=Rate(7, 20), result=result, again=again, often=often, share=0.5, confidence=0.97)
    lines = str(reduction).splitlines()
    assert (
        lines[1] == "It fails in about 33% of its runs (20% to 60%); the original failed in 7 of 20 runs (18% to 57%)."
    )
    assert lines[2:4] == [said, "That is at least 50% as often as the original, with 97% confidence."]
    data = json.loads(json.dumps(reduction.to_dict(), allow_nan=False))
    assert data["again"] == {"fails": again.fails, "runs": again.runs}
    assert (data["result"]["value"], data["result"]["low"], data["result"]["high"]) == often


def test_as_data() -> None:
    reduction = found(3, original=Rate(7, 10), result=Rate(8, 10), share=0.5, confidence=0.97, course=((0, 20), (9, 1)))
    data = json.loads(json.dumps(reduction.to_dict(), allow_nan=False))
    assert data["kept"] == [{"position": 3, "element": "line 3\n", "pinned": False}]
    assert (data["noun"], data["of"], data["minimal"]) == ("line", 20, True)
    assert (data["original"]["fails"], data["original"]["runs"]) == (7, 10)
    assert data["result"]["low"] < 0.8 < data["result"]["high"]
    assert (data["share"], data["confidence"]) == (0.5, 0.97)
    assert data["course"] == [[0, 20], [9, 1]]
    assert data["map"] is None
    assert (found(3).to_dict()["original"], found(3).to_dict()["result"]) == (None, None)


def test_the_map() -> None:
    around = Surroundings.of("abc", {"a": (1, 2), "c": (5, 6)}, [(0, 0, 0), (1, 5, 5)])
    reduction = found(0, of=Elements("abc"), surroundings=around, way=((0.0, 0.0, 0.0, 0.0),))
    drawn = json.loads(json.dumps(reduction.to_dict(), allow_nan=False))["map"]
    assert drawn["elements"] == [
        {"name": "a", "kept": True, "outlines": [[[1.0, 2.0]]]},
        {"name": "b", "kept": False, "outlines": []},
        {"name": "c", "kept": False, "outlines": [[[5.0, 6.0]]]},
    ]
    assert drawn["before"] == [[0.0, 0.0, 0.0, 0.0], [1.0, 5.0, 5.0, 0.0]]
    assert drawn["after"] == [[0.0, 0.0, 0.0, 0.0]]


def test_how_it_came_about_does_not_make_it_another_answer() -> None:
    reduction = found(3)
    assert replace(reduction, course=((0, 20),), surroundings=Surroundings(), way=((0.0, 0.0, 0.0, 0.0),)) == reduction
    assert replace(reduction, minimal=False) != reduction


def test_the_answer_of_the_verb_reads_well() -> None:
    reduction = rw.reduce("abcdefgh", rw.fails_when(lambda kept: "c" in kept and "g" in kept))
    assert str(reduction) == (
        "2 of 8 elements are enough to make it fail; without any one of them it no longer fails.\n  3  c\n  7  g"
    )
    assert reduction.course[0] == (0, 8)
    assert reduction.course[-1][1] == 2


def test_what_failed_every_time_is_counted_and_not_estimated() -> None:
    every = Rate(12, 12)
    rates: dict[str, Any] = {"original": every, "result": every, "again": every, "often": Estimate(0.8, 0.5, 1.0)}
    said = str(found(3, **rates, share=0.5, confidence=0.97)).splitlines()[1]
    assert said.startswith("It fails in 12 of 12 runs (50% to 100%); the original failed in 12 of 12 runs ")
