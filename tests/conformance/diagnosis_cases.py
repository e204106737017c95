"""Small studies of different character: between them they make a diagnosis take every step and every turn."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.state import DiagnosisState
from rootward.explanation.diagnosis import Diagnosis
from rootward.formats.tables.history import read_history
from rootward.search.ask import Search
from rootward.searches.reduction.task import Task
from rootward.space.space import Bool, Choice, Field, Float, Int, Ordinal, Space
from rootward.study import Study
from rootward.study.sections import DataVersions
from rootward.subjects.function import Function, as_subject, fails_when
from rootward.verdict import FAIL

Truth = Callable[[Any], bool]


@dataclass(frozen=True)
class Character:
    """A study with a planted fault."""

    study: Study
    failing: Any
    """What fails, if the study does not say."""
    truth: Truth
    """Whether the failure that ``failing`` shows happens for what the subject gets."""
    kept: Sequence[Any] = ()
    """The elements that matter."""
    several: bool = False
    """Whether other failures, too, are explained."""

    @property
    def given(self) -> bool:
        """Whether the lab is told what fails."""
        return self.study.elements is not None or self.study.failing is not None

    def fails(self, one: Any) -> bool:
        """Whether any failure happens there; of a subject that takes a seed, whether it may."""
        assert isinstance(self.study.subject, Function)
        return self.study.subject.call(one, 0).verdict is FAIL if self.several else self.truth(one)

    @property
    def candidate(self) -> Any:
        """What fails, as a search has it."""
        return self.failing if self.study.elements is None else Task.of(self.study.elements).elements.all

    def search(self, *, seed: int = 0, budget: int | None = None) -> Search[Any, Diagnosis]:
        """A diagnosis as ``rw.diagnose`` begins it."""
        history: Any = self.study.history or ()
        return Conductor(
            DiagnosisState(self.study, Plan.of(self.study), history=history, seed=seed, budget=budget)
        ).search()


def study_of(name: str, subject: Callable[..., Any], fields: Mapping[str, Field] | None = None, **parts: Any) -> Study:
    """A study without a file."""
    space = None if fields is None else Space(fields)
    return Study(name, Path(f"{name}.toml"), as_subject(subject, isolate=False), space, **parts)


CAR: dict[str, Field] = {"speed": Int(0, 100), "gear": Choice("PRND"), "lights": Bool()}
REVERSE = {"speed": 40, "gear": "R", "lights": True}


def too_fast(one: dict[str, Any]) -> bool:
    return one["gear"] == "R" and one["speed"] > 12


def broad(*names: str) -> dict[str, Field]:
    """Many fields, of which most do not matter."""
    return {**{f"f{i}": Int(0, 9) for i in range(10)}, **{name: Int(0, 50) for name in names}}


def hot_and_loaded(one: dict[str, Any]) -> bool:
    return one["heat"] > 30 and one["load"] >= 7


def either(one: dict[str, Any]) -> bool:
    return one["speed"] > 90 or one["gear"] == "P"


def oversized(one: dict[str, Any]) -> bool:
    return one["width"] > one["room"]


def mean_of_b(one: dict[str, Any]) -> bool:
    return one["data"] == "b" and one["imputer"] == "mean"


def crashes(one: dict[str, Any]) -> None:
    """Two faults with a name each."""
    if one["gear"] == "R" and one["speed"] > 12:
        raise ValueError("reverse")
    if one["gear"] == "N" and not one["lights"]:
        raise KeyError("neutral")


def set_then_go(kept: list[dict[str, Any]]) -> bool:
    """A mode has to be set before a large step."""
    mode = 0
    for message in kept:
        mode = message.get("set", mode)
        if mode == 3 and message.get("go", 0) > 20:
            return True
    return False


def all_of(*lines: bytes) -> Truth:
    return lambda kept: all(line in kept for line in lines)


def sometimes(one: dict[str, Any], seed: int) -> bool:
    """In 70 % of runs; with the seed 0, every time."""
    return too_fast(one) and (seed == 0 or random.Random(seed).random() < 0.7)


def among_others(one: dict[str, Any]) -> None:
    """Another failure surrounds the one that matters, and a part cannot be judged."""
    from rootward.errors import Unresolved

    if one["gear"] == "D" and one["speed"] > 50:
        raise Unresolved("no such road")
    if one["gear"] == "R" and one["speed"] > 12:
        raise ValueError("reverse")
    if one["speed"] > 70:
        raise KeyError("limit")


def summed_up(one: dict[str, Any]) -> bool:
    """A job that is strict about the rows of its table."""
    with open(TABLES / one["export"], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return one["mode"] == "strict" and any(float(row["price"]) > 100 or row["unit"] != "kg" for row in rows)


TABLES = Path(__file__).parents[1] / "data" / "tables"
EXPORT: dict[str, Field] = {
    "export": Choice(["night.csv", "tonight.csv"]),
    "mode": Choice(["strict", "lax", "quick"]),
    "retries": Int(0, 50),
}
TONIGHT = {"export": "tonight.csv", "mode": "strict", "retries": 2}
WIDE = {**{f"f{i}": 3 for i in range(10)}, "heat": 44, "load": 9}
MESSAGES = [
    {"go": 1},
    {"set": 3},
    {"log": 8},
    {"go": 40},
    {"log": 2},
]
LINES = [b"start\n", b"open\n", b"wait\n", b"jump\n", b"close\n", b"stop\n"]
PIPELINE: dict[str, Field] = {
    "data": Choice("abc"),
    "imputer": Choice(["mean", "most"]),
    "size": Float(values=[0.1, 0.2, 0.3]),
    "level": Ordinal(["low", "mid", "top"]),
}
PAST = [
    ({"data": "b", "imputer": "mean", "size": 0.1, "level": "low"}, True),
    ({"data": "a", "imputer": "most", "size": 0.2, "level": "mid"}, False),
    ({"data": "c", "imputer": "mean", "size": 0.3, "level": "top"}, False),
    ({"data": "b", "imputer": "most", "size": 0.3, "level": "low"}, False),
]

CHARACTERS = {
    "few fields": Character(study_of("few fields", fails_when(too_fast), CAR, failing=REVERSE), REVERSE, too_fast),
    "many fields": Character(
        study_of("many fields", fails_when(hot_and_loaded), broad("heat", "load"), failing=WIDE),
        WIDE,
        hot_and_loaded,
    ),
    "two causes": Character(
        study_of("two causes", fails_when(either), CAR, failing={**REVERSE, "speed": 95}),
        {**REVERSE, "speed": 95},
        either,
    ),
    "a relation": Character(
        study_of(
            "a relation",
            fails_when(oversized),
            {"width": Int(0, 200), "room": Int(0, 200), "loud": Bool()},
            failing={"width": 120, "room": 40, "loud": False},
        ),
        {"width": 120, "room": 40, "loud": False},
        oversized,
    ),
    "earlier runs": Character(
        study_of("earlier runs", fails_when(mean_of_b), PIPELINE, history=read_history(PAST)), PAST[0][0], mean_of_b
    ),
    "nothing known": Character(study_of("nothing known", crashes, CAR), REVERSE, too_fast, several=True),
    "messages": Character(
        study_of("messages", fails_when(set_then_go), elements=MESSAGES),
        MESSAGES,
        set_then_go,
        kept=[MESSAGES[1], MESSAGES[3]],
    ),
    "lines": Character(
        study_of("lines", fails_when(all_of(LINES[1], LINES[3])), elements=LINES),
        LINES,
        all_of(LINES[1], LINES[3]),
        kept=[LINES[1], LINES[3]],
    ),
    "flaky": Character(study_of("flaky", fails_when(sometimes), CAR, failing=REVERSE), REVERSE, too_fast),
    "a table": Character(
        study_of(
            "a table",
            fails_when(summed_up),
            EXPORT,
            failing=TONIGHT,
            data=DataVersions(TABLES, "tonight.csv", ("night.csv",), ("id",), text=True),
        ),
        TONIGHT,
        summed_up,
    ),
    "among others": Character(study_of("among others", among_others, CAR, failing=REVERSE), REVERSE, too_fast),
}
