"""What is known of the elements beside their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rootward.errors import InputError
from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.searches.reduction.surroundings import Surroundings
from rootward.verdict import FAIL, Outcome

ITEMS = ["a", "b", "c"]


def said(artifacts: dict[str, str] | None = None, **measures: float) -> Outcome:
    return Outcome(
        FAIL, measures={name.replace("_", ":"): x for name, x in measures.items()}, artifacts=artifacts or {}
    )


@pytest.mark.parametrize(
    "positions",
    [
        {"a": (1, 2), "c": (3, 4, 5)},
        lambda item: {"a": (1, 2), "c": (3, 4, 5)}.get(item),
        [(1, 2), None, (3.0, 4.0, 5.0)],
    ],
)
def test_positions_by_element_by_a_function_or_in_order(positions: Any) -> None:
    assert Surroundings.of(ITEMS, positions).positions == ((1.0, 2.0, 0.0), None, (3.0, 4.0, 5.0))


def test_nobody_has_a_place() -> None:
    assert Surroundings.of(ITEMS).positions == ()
    assert Surroundings.of(ITEMS, {}).distance(0) is None


def test_models_know_where_they_are_and_how_large() -> None:
    model = SceneModel(0, "block", Pose(3.0, 4.0, 1.0), (Shape("box", (6.0, 8.0, 2.0)),))
    known = Surroundings.of([model], way=[(0, 3.0, 24.0)])
    assert known.positions == ((3.0, 4.0, 1.0),)
    assert known.sizes == (5.0,)
    assert known.names == ("block",)
    assert known.distance(0) == pytest.approx(15.0)


@pytest.mark.parametrize("place", [(1,), (1, 2, 3, 4), (1, float("nan")), (float("inf"), 0, 0), ()])
def test_a_place_that_is_none(place: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match=r"a position must be \(x, y\) or \(x, y, z\)"):
        Surroundings.of(ITEMS, [place, (0, 0), (0, 0)])
    with pytest.raises(InputError, match="a position must be"):
        Surroundings.of(ITEMS, way=[(0.0, *place)])


def test_the_way_is_in_the_order_of_time_and_ends_at_the_failure() -> None:
    known = Surroundings.of(ITEMS, [(0, 2), (9, 0), (4, 4)], [(2, 5, 0), (0, 0, 0), (1, 1, 0, 7)])
    assert known.trajectory == ((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 7.0), (2.0, 5.0, 0.0, 0.0))
    assert known.failure_point == (5.0, 0.0, 0.0)
    assert Surroundings().failure_point is None
    assert [known.distance(i) for i in range(3)] == pytest.approx([2.0, 4.0, 17**0.5])


def test_inside_is_no_distance() -> None:
    known = Surroundings(positions=((0.0, 1.0, 0.0),), sizes=(3.0,), trajectory=((0.0, 0.0, 0.0, 0.0),))
    assert known.distance(0) == 0.0


def test_a_run_tells_what_it_touched_and_sensed() -> None:
    known = Surroundings.of(ITEMS).learn(said(contact_a=1, contact_c=2, sensed_b=0.5, sensed_none=3, x=4.0))
    assert known.contacts == {0: 1, 2: 2}
    assert known.sensed == {1: 0.5}


def test_a_later_run_takes_the_place_of_an_earlier_one() -> None:
    known = Surroundings.of(ITEMS).learn(said(contact_a=1, sensed_b=0.5)).learn(said(contact_b=1))
    assert (known.contacts, known.sensed) == ({1: 1}, {})
    assert known.learn(said(x=1.0)) == known


def test_two_of_one_name_cannot_be_told_apart() -> None:
    known = Surroundings.of(["a", "a", "b"]).learn(said(contact_a=1, contact_b=1))
    assert known.contacts == {2: 1}


def test_a_name_may_hold_a_colon() -> None:
    known = Surroundings.of(["ns:a", "b"]).learn(Outcome(FAIL, measures={"contact:ns:a": 1.0}))
    assert known.contacts == {0: 1.0}


def test_the_trajectory_that_a_run_left(tmp_path: Path) -> None:
    path = tmp_path / "way.csv"
    path.write_text("t,x,y,z\n0,1,2,3\n1,4,5,6\n")
    left = said({"trajectory": str(path)})
    assert Surroundings.of(ITEMS).learn(left).trajectory == ((0.0, 1.0, 2.0, 3.0), (1.0, 4.0, 5.0, 6.0))
    given = Surroundings.of(ITEMS, way=[(0, 9, 9)])
    assert given.learn(left).trajectory == given.trajectory, "what the user gave stays"


@pytest.mark.parametrize("text", [None, "", "no numbers\nat all\n", "\0"])
def test_a_trajectory_that_is_gone_or_broken_is_as_none(tmp_path: Path, text: str | None) -> None:
    path, good = tmp_path / "way.csv", tmp_path / "good.csv"
    good.write_text("0,1,2\n")
    if text is not None:
        path.write_text(text)
    known = Surroundings.of(ITEMS).learn(said({"trajectory": str(good)}))
    assert known.learn(said({"trajectory": str(path)})).trajectory == known.trajectory
