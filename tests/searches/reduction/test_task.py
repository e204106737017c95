"""What a reduction is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.scenes.scene import SceneModel
from rootward.searches.reduction import METHODS
from rootward.searches.reduction.task import Task
from rootward.space.candidate import Elements

from .helpers import Driver, needs

NAMES = ["robot", "wall_1", "wall_2", "[box]", "box"]


@pytest.mark.parametrize(
    ("keep", "pinned"),
    [
        (["robot"], {0}),
        (["wall_*"], {1, 2}),
        (["wall_?", "robot"], {0, 1, 2}),
        (["[box]"], {3}),  # a name before a pattern
        (["*"], {0, 1, 2, 3, 4}),
        ([], set()),
    ],
)
def test_what_has_to_stay_by_name_or_pattern(keep: list[str], pinned: set[int]) -> None:
    assert Task.of(NAMES, keep=keep).elements.pinned == pinned


@dataclass(frozen=True)
class Thing:
    name: str

    def __str__(self) -> str:
        return self.name


def test_what_has_to_stay_by_the_element_itself() -> None:
    things = [Thing("a"), Thing("b"), Thing("b")]
    assert Task.of(things, keep=[things[0]]).elements.pinned == {0}
    assert Task.of(things, keep=["b"]).elements.pinned == {1, 2}
    assert Task.of([10, 20, 30], keep=[20]).elements.pinned == {1}


def test_two_models_of_one_name_are_both_meant() -> None:
    models = [SceneModel(0, "crate"), SceneModel(1, "crate (2)", called="crate"), SceneModel(2, "wall")]
    assert Task.of(models, keep=["crate"]).elements.pinned == {0, 1}
    assert Task.of(models, keep=["crate (2)"]).elements.pinned == {1}


@pytest.mark.parametrize("keep", ["nobody", "wall_x*", "ROBOT"])
def test_nothing_of_that_name(keep: str) -> None:
    with pytest.raises(InputError) as error:
        Task.of(Elements(NAMES, "model"), keep=["robot", keep])
    assert str(error.value) == f"no model to keep is named {keep}, or matches it"


def test_what_was_pinned_stays_pinned() -> None:
    elements = Elements(NAMES, "model", pinned=[4])
    task = Task.of(elements, keep=["robot"])
    assert task.elements.pinned == {0, 4}
    assert task.elements.noun == "model"
    assert elements.pinned == {4}


def test_what_it_lies_in_stays_too() -> None:
    tree = Elements("abcd", parents=[None, 0, 1, None])
    assert Task.of(tree, keep=["c"]).elements.pinned == {0, 1, 2}


def test_a_document_says_what_its_parts_are_called() -> None:
    class Document(list[str]):
        noun = "message"
        parents = (None, 0)

    task = Task.of(Document(["a", "b"]))
    assert (task.elements.noun, task.elements.parents) == ("message", (None, 0))
    assert (Task.of("ab").elements.noun, Task.of("ab").elements.parents) == ("element", None)


@pytest.mark.parametrize("stop_at", [0, -0.1, 1.01, float("nan")])
def test_a_share_of_the_elements(stop_at: float) -> None:
    with pytest.raises(InputError, match="stop_at must be a share of the elements, above 0 and at most 1"):
        Task.of(NAMES, stop_at=stop_at)


def test_what_carries_the_robot_is_never_all_left_out() -> None:
    task = Task.of(range(8), supports=lambda items: [i for i in items if i % 4 == 0])
    assert task.require == (frozenset({0, 4}),)
    drive = Driver(needs(3))
    found = drive(task.search(METHODS["sieve"]))
    assert {0, 4} & set(found.kept)
    assert all({0, 4} & set(kept) for kept in drive.runs)
    assert Task.of(range(8), supports=lambda items: []).require == ()


def test_options_go_to_the_method_that_has_them() -> None:
    task = Task.of(range(8), stop_at=0.5)
    for name in ("ddmin", "hdd", "probdd", "sieve"):
        found = Driver(needs(3))(task.search(METHODS[name], seed=1, share=None))
        assert 3 in found.kept
        assert found.gone >= 0.5
    with pytest.raises(InputError, match="ddmin has no option share"):
        task.search(METHODS["ddmin"], share=0.5)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"keep": ["none"]}, "no element to keep is named none"),
        ({"stop_at": 2}, "stop_at must be a share"),
        ({"method": "magic"}, "unknown method 'magic'"),
        ({"method": "ddenv", "flaky": True}, "ddenv repeats passing runs itself: use dfk_it instead of flaky"),
        ({"method": "ddmin", "partition": "timeseg"}, "ddmin has no option partition"),
        ({"method": "sieve", "priority": "random"}, "sieve has no option priority"),
        ({"positions": [(1, 2, 3, 4)] * 3}, "a position must be"),
        ({"positions": [(1, 2)]}, "position"),
        ({"positions": [1, 2, 3]}, "a position must be"),
        ({"trajectory": [1, 2]}, "trajectory"),
        ({"trajectory": [(float("nan"), 1, 2)]}, "trajectory"),
        ({"share": 0.7}, "share applies only to flaky failures"),
        ({"method": "ddenv"}, "model2model needs the positions"),
    ],
)
def test_mistakes_are_said_before_anything_is_run(options: dict[str, Any], complaint: str) -> None:
    runs: list[Any] = []
    with pytest.raises(InputError, match=complaint):
        rw.reduce(range(3), runs.append, **options)
    assert runs == []


def test_ddenv_by_name() -> None:
    found = rw.reduce(
        range(6),
        rw.fails_when(lambda kept: {1, 4} <= set(kept)),
        method="ddenv",
        positions=[(i, 0) for i in range(6)],
        trajectory=[(0, 0, 1), (1, 4, 1)],
        partition="trajectoryseg",
        priority="average-trajectory-proximal",
        n_partitions=3,
        dfk_it=1,
    )
    assert found.kept == [1, 4]


def test_ddenv_runs_without_being_told_of_a_flaky_failure() -> None:
    found = rw.reduce(
        range(4),
        rw.fails_when(lambda kept: 2 in kept),
        method="ddenv",
        positions=[(i, 0) for i in range(4)],
        trajectory=[(0, 0, 1)],
    )
    assert found.kept == [2]


def test_one_name_to_keep() -> None:
    found = rw.reduce(NAMES, rw.fails_when(lambda kept: "box" in kept), keep="robot")
    assert found.kept == ["robot", "box"]


def test_a_document_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "arena.sdf"
    path.write_text("<sdf version='1.6'><world name='w'><model name='a'/><model name='b'/></world></sdf>")
    world: Any = rw.open_document(str(path))  # type: ignore[arg-type,unused-ignore]
    found = rw.reduce(world, rw.fails_when(lambda kept: "b" in map(str, kept)))
    assert [str(model) for model in found.kept] == ["b"]
    assert str(found).startswith("1 of 2 models is enough to make it fail")
