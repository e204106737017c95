"""On what the laws are tried: every registered search, each on small problems of different character.

A new method needs an entry here: ``test_every_search_has_cases`` says so.
"""

from __future__ import annotations

import importlib
import itertools
import json
import math
import pkgutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rootward import searches
from rootward.errors import Unresolved
from rootward.formats.documents.whole_file import WholeFile
from rootward.search.ask import Search
from rootward.search.finding import Finding
from rootward.searches import causes as configurations
from rootward.searches import products, reduction, rows
from rootward.searches.products.product_set import ProductSet
from rootward.searches.reduction.files.coarse_to_fine import CoarseToFine
from rootward.searches.reduction.files.file_reduction import FileReduction
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space
from rootward.subjects.function import fails_when

from .cause_cases import PAPER, causes
from .exploration_cases import EXPLORATIONS
from .laws import Case, Fails
from .row_cases import bad_rows
from .rule_cases import RULES


def registered() -> set[str]:
    """``family.method`` of every search that the package offers."""
    families = [module.name for module in pkgutil.iter_modules(searches.__path__) if module.ispkg]
    methods = {name: importlib.import_module(f"rootward.searches.{name}").METHODS for name in families}
    return {f"{family}.{method}" for family in families for method in methods[family]}


# Reductions


def all_of(*wanted: Any) -> Callable[[Any], Any]:
    return fails_when(lambda kept: all(item in kept for item in wanted))


def odd_sum_with(wanted: int) -> Callable[[Any], Any]:
    """Not monotone: more elements may stop it from failing."""
    return fails_when(lambda kept: wanted in kept and sum(kept) % 2 == 1)


def crashes_with(culprit: str, other: str) -> Callable[[Any], Any]:
    """Fails by raising; and differently where only the other culprit is there."""

    def subject(kept: list[str]) -> None:
        if culprit in kept:
            raise ValueError(culprit)
        if other in kept and len(kept) % 2:
            raise KeyError(other)

    return subject


def unjudged_without(frame: Sequence[Any], culprit: Any) -> Callable[[Any], Any]:
    """Cannot be judged unless the frame is complete or missing altogether, as a program that does not compile."""

    def subject(kept: list[Any]) -> None:
        there = [item for item in frame if item in kept]
        if there and len(there) < len(frame):
            raise Unresolved("broken frame")
        if there and culprit in kept:
            raise RuntimeError("culprit")

    return subject


PROBLEMS: dict[str, tuple[Sequence[Any], Callable[[Any], Any]]] = {
    "one culprit": (range(16), all_of(5)),
    "two far apart": (range(11), all_of(0, 9)),
    "three of eight": ([1, 2, 3, 4, 5, 6, 7, 8], all_of(1, 7, 8)),
    "every element": (range(5), all_of(*range(5))),
    "not monotone": (range(1, 11), odd_sum_with(4)),
    "nothing at all": (range(4), fails_when(lambda kept: True)),
    "a single element": (["only"], all_of("only")),
    "duplicates": ([1, 2, 2, 1, 3, 3], fails_when(lambda kept: kept.count(2) == 2 and 3 in kept)),
    "crash": ([f"line {i}" for i in range(9)], crashes_with("line 6", "line 2")),
    "frame": ("ab(cd)ef", unjudged_without("()", "d")),
    "unhashable": ([{"x": i, "tags": [i]} for i in range(6)], fails_when(lambda kept: {"x": 3, "tags": [3]} in kept)),
}


FLAKY = ["three of eight", "every element", "a single element", "crash"]
"""Problems for a search that takes every failure for a flaky one: few, because it runs everything many times."""


def reductions(
    method: Callable[[Elements[Any]], Search[Any, Any]],
    *,
    minimal: bool,
    among: Iterable[str] = PROBLEMS,
    how: str = "",
) -> list[Case]:
    """``minimal``: whether a complete finding that says it is 1-minimal is so."""
    problems = [(f"{name}{how}", *PROBLEMS[name]) for name in among]
    return [_reduction(name, method, Elements(items), subject, minimal) for name, items, subject in problems]


def placed(**options: Any) -> Callable[[Elements[Any]], Search[Any, Any]]:
    """ddenv, with the elements in a row beside which the robot went."""

    def method(elements: Elements[Any]) -> Search[Any, Any]:
        row = [(float(i), 1.0) for i in range(len(elements))]
        scene = Surroundings.of(elements.items, row, [(0.0, 0.0, 0.0), (1.0, len(row) - 1.0, 0.0)])
        return reduction.METHODS["ddenv"](elements, surroundings=scene, **options)

    return method


def _reduction(
    name: str,
    method: Callable[[Elements[Any]], Search[Any, Any]],
    elements: Elements[Any],
    subject: Callable[[Any], Any],
    minimal: bool,
) -> Case:
    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, Reduction)
        kept = finding.selection.kept
        assert list(kept) == sorted(set(kept) & set(range(len(elements))))
        assert [elements.items[i] for i in kept] == finding.kept
        assert len(finding.kept) + len(finding.removed) == len(elements)
        assert fails(finding.kept)
        if minimal and finding.complete and finding.minimal:
            assert not any(fails(finding.kept[:i] + finding.kept[i + 1 :]) for i in range(len(kept)))

    return Case(name, lambda: method(elements), elements.all, subject, check)


# Files

FILES = "reduction.files"
"""The search on the text of a file, which is chosen by what is reduced and not by a name."""


def with_texts(*wanted: bytes) -> Callable[[Any], Any]:
    return fails_when(lambda data: all(text in data for text in wanted))


def crashes_with_text(culprit: bytes, other: bytes) -> Callable[[Any], Any]:
    """Fails by raising; and differently where only the other culprit is there."""

    def subject(data: bytes) -> None:
        if culprit in data:
            raise ValueError(culprit)
        if other in data and len(data) % 2:
            raise KeyError(other)

    return subject


def unjudged_unless_json(culprit: bytes) -> Callable[[Any], Any]:
    def subject(data: bytes) -> None:
        try:
            json.loads(data)
        except ValueError:
            raise Unresolved("no JSON") from None
        if culprit in data:
            raise RuntimeError("culprit")

    return subject


TEXTS: dict[str, tuple[str, bytes, Callable[[Any], Any]]] = {
    "two lines": ("crash.txt", b"a line\nwith bug\nand\nso ugly\n", with_texts(b"bug", b"ugly")),
    "not monotone": ("crash.txt", b"to be or not", fails_when(lambda data: b"or" in data and len(data) % 3 == 0)),
    "values": ("crash.json", b'{"a": [1, 23, "no"], "b": {"c": 7}}', unjudged_unless_json(b"7")),
    "program": ("crash.py", b"def f(x):\n    # why\n    return x / 0\nf(1)\n", crashes_with_text(b"/ 0", b"def")),
    "table": ("crash.csv", b"id,speed\n1,20\n2,-5\n3,30\n", with_texts(b",-5")),
    "no text": ("crash.bin", bytes(range(0, 250, 10)), with_texts(b"\x14", b"\xc8\xd2")),
    "every byte": ("crash.txt", b"a bug", with_texts(b"a bug")),
    "nothing at all": ("crash.txt", b"a\nb\n", with_texts()),
    "a single byte": ("crash.txt", b"x", with_texts(b"x")),
}
"""A name, a content and a subject each. They are short, because each law runs them many times."""


def texts(among: Iterable[str] = TEXTS, how: str = "", **options: Any) -> list[Case]:
    return [_text(f"{name}{how}", *TEXTS[name], **options) for name in among]


def _text(name: str, file_name: str, data: bytes, subject: Callable[[Any], Any], **options: Any) -> Case:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file_name)
        path.write_bytes(data)
        job = CoarseToFine(WholeFile(path))

    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, FileReduction)
        assert finding.original.data == data
        left = finding.content.data
        pieces = [one if isinstance(one, bytes) else data[slice(*one)] for one in finding.content.pieces]
        assert b"".join(pieces) == left
        assert len(left) <= len(data)
        assert fails(left)
        json.dumps(finding.to_dict(), allow_nan=False)
        if finding.complete and finding.minimal and finding.until == "characters":
            assert not any(fails(left[:i] + left[i + 1 :]) for i in range(len(left)))

    return Case(name, lambda: job.search(**{"flaky": False, "replays": False, **options}), job.failing, subject, check)


# Product sets


def within(**sets: Sequence[Any]) -> Callable[[Any], Any]:
    """Fails where each of these fields has one of its values, by type as well as by value."""
    from rootward.space.keys import canonical

    triggering = {name: {canonical(value) for value in values} for name, values in sets.items()}
    return fails_when(lambda one: all(canonical(one[name]) in values for name, values in triggering.items()))


def crashes_in_reverse(culprit: str, other: str) -> Callable[[Any], Any]:
    """Fails by raising; and differently with another gear."""

    def subject(one: dict[str, Any]) -> None:
        if one["gear"] == culprit and one["speed"] > 0:
            raise ValueError(culprit)
        if one["gear"] == other and not one["lights"]:
            raise KeyError(other)

    return subject


def unjudged_at(mode: str) -> Callable[[Any], Any]:
    """Cannot be judged in one mode, nor with the speed at an end; fails in the others at speed."""

    def subject(one: dict[str, Any]) -> None:
        if one["gear"] == mode or one["speed"] == 9:
            raise Unresolved("no such mode")
        if one["speed"] > 0:
            raise RuntimeError("too fast")

    return subject


@dataclass(frozen=True)
class Trigger:
    """A small space, a configuration in it that fails, and the product set it is in, if the fault is one."""

    fields: Mapping[str, Any]
    failing: dict[str, Any]
    subject: Callable[[Any], Any]
    sets: Mapping[str, Sequence[Any]] | None = field(default=None)


CAR = {"gear": Choice("PRN"), "speed": Int(values=[0, 1, 9]), "lights": Bool()}
ODD = Float(values=[-0.0, 0.0, 1.5, math.nan])
REVERSE = {"gear": "R", "speed": 1, "lights": True}
TRIGGERS: dict[str, Trigger] = {
    "plain": Trigger(
        {**CAR, "level": Ordinal(["low", "mid", "top"])},
        {**REVERSE, "level": "mid"},
        within(gear="RN", speed=[1, 9], level=["low", "mid"]),
        {"gear": "RN", "speed": [1, 9], "level": ["low", "mid"]},
    ),
    "every field": Trigger(
        CAR, REVERSE, within(gear="R", speed=[1, 9], lights=[True]), {"gear": "R", "speed": [1, 9], "lights": [True]}
    ),
    "nothing matters": Trigger(CAR, REVERSE, within(), {}),
    "a single field": Trigger({"gear": CAR["gear"]}, {"gear": "N"}, within(gear="PN"), {"gear": "PN"}),
    "a single value": Trigger({"gear": Choice("P")}, {"gear": "P"}, within(gear="P"), {}),
    "crash": Trigger(CAR, REVERSE, crashes_in_reverse("R", "N"), {"gear": "R", "speed": [1, 9]}),
    "unjudged": Trigger(CAR, REVERSE, unjudged_at("P"), {"gear": "RN", "speed": [1]}),
    "interacting": Trigger(
        {"x": Int(values=range(3)), "y": Int(values=range(4)), "lights": Bool()},
        {"x": 1, "y": 2, "lights": False},
        fails_when(lambda one: one["x"] < one["y"]),
    ),
    "two sets": Trigger(
        CAR,
        REVERSE,
        fails_when(
            lambda one: (one["gear"] == "R" and one["speed"] > 0) or (one["gear"] in "PN" and not one["lights"])
        ),
    ),
    "odd numbers": Trigger(
        {"a": ODD, "b": ODD, "c": Choice([1, True])},
        {"a": -0.0, "b": math.nan, "c": True},
        within(a=[-0.0, math.nan], b=[math.nan, 1.5, 0.0], c=[True]),
        {"a": [-0.0, math.nan], "b": [math.nan, 1.5, 0.0], "c": [True]},
    ),
    "unhashable": Trigger(
        {"a": Choice([[], [1], {"x": [1]}]), "b": Choice([{"k": 1}, {"k": 2}]), "lights": Bool()},
        {"a": [1], "b": {"k": 2}, "lights": True},
        within(a=[[1], {"x": [1]}], b=[{"k": 2}]),
        {"a": [[1], {"x": [1]}], "b": [{"k": 2}]},
    ),
}


def triggers(method: Callable[..., Search[Any, Any]], *, alone: bool) -> list[Case]:
    """``alone``: whether each value of each set fails on its own, even if the fault is no product set."""
    return [_trigger(name, method, trigger, alone) for name, trigger in TRIGGERS.items()]


def _trigger(name: str, method: Callable[..., Search[Any, Any]], trigger: Trigger, alone: bool) -> Case:
    space, failing = Space(trigger.fields), trigger.failing

    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, ProductSet)
        assert (finding.of, list(finding.sets)) == (len(space), [one for one in space if one in finding.sets])
        assert all(failing[one] in values for one, values in finding.sets.items())
        assert all(group.fields and set(group.fields) <= set(space) for group in finding.groups)
        assert 0 <= finding.open <= len(space)
        assert str(finding)
        json.dumps(finding.to_dict(), allow_nan=False)
        for group in finding.groups:
            for values, said in group.table:
                assert fails({**failing, **dict(zip(group.fields, values, strict=True))}) is said
        if alone:
            assert all(fails({**failing, one: value}) for one, values in finding.sets.items() for value in values)
        if trigger.sets is None or not _is_product(space, trigger.sets, fails):
            return
        assert all(fails({**failing, **member}) for member in _members(finding.sets))
        assert (finding.groups, finding.others, finding.unsteady) == ((), (), False)
        if finding.complete:
            assert _keys(finding.sets) == _keys(trigger.sets)

    return Case(name, lambda: method(space, failing), failing, trigger.subject, check)


def _is_product(space: Space, sets: Mapping[str, Sequence[Any]], fails: Fails) -> bool:
    """Whether that is what fails, and nothing else: odd answers may have made something else of it."""
    keys = _keys(sets)
    every = _members({name: space.values(name) for name in space})
    return all(fails(one) == all(canonical(one[name]) in keys[name] for name in keys) for one in every)


def _keys(sets: Mapping[str, Any]) -> dict[str, frozenset[bytes]]:
    return {name: frozenset(map(canonical, values)) for name, values in sets.items()}


def _members(sets: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(sets, values, strict=True)) for values in itertools.product(*sets.values())]


CASES: dict[str, list[Case]] = {
    "products.columns": triggers(products.METHODS["columns"], alone=False),
    "products.hpsl": triggers(products.METHODS["hpsl"], alone=True),
    "reduction.ddenv": [
        *reductions(placed(dfk_it=0), minimal=True, among=["unhashable", "duplicates", "nothing at all"]),
        *reductions(placed(dfk_it=1), minimal=True, among=["duplicates", "a single element"], how=", run again"),
    ],
    "reduction.ddmin": reductions(reduction.METHODS["ddmin"], minimal=True),
    "reduction.hdd": reductions(reduction.METHODS["hdd"], minimal=True),
    "reduction.probdd": reductions(reduction.METHODS["probdd"], minimal=True),
    "reduction.sieve": [
        *reductions(reduction.METHODS["sieve"], minimal=True),
        *reductions(partial(reduction.METHODS["sieve"], flaky=True), minimal=True, among=FLAKY, how=", as if flaky"),
        *reductions(
            partial(reduction.METHODS["sieve"], flaky=True, replays=True), minimal=True, among=FLAKY, how=", replayed"
        ),
    ],
    FILES: [
        *texts(),
        *texts(["values", "program"], ", to its parts", until="parts"),
        *texts(["two lines", "every byte"], ", as if flaky", flaky=True),
    ],
    **PAPER,
    "causes.bayes": causes(configurations.METHODS["bayes"], definitive=False, among=("one value", "unjudged")),
    **RULES,
    **EXPLORATIONS,
    "rows.adaptive": bad_rows(rows.METHODS["adaptive"], minimal=True),
    "rows.opportunistic": bad_rows(rows.METHODS["opportunistic"], minimal=False),
}
