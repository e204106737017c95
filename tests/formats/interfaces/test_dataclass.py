"""Dataclasses: every annotation has its field, or an error that says what to do."""

import dataclasses
import enum
import threading
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NewType, Optional

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.interfaces import from_dataclass, nest


class Gear(enum.IntEnum):
    P = 0
    D = 3


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Nothing(enum.Enum):
    pass


@dataclass
class Point:
    x: float
    y: float = 0.3


@dataclass
class Robot:
    on: bool
    count: int
    speed: float
    name: str
    raw: bytes
    gear: Gear
    colour: Colour
    mode: Literal["a", 1, None]
    limit: int | None
    at: Point
    pair: tuple[int, float, bool]
    corners: tuple[Point, Point]


Metres = NewType("Metres", float)


def one(annotation, **options):
    """The only field of a dataclass with this member."""
    cls = dataclasses.make_dataclass("One", [("x", annotation, field(**options))])
    return from_dataclass(cls)["x"]


def refused(annotation, **options):
    with pytest.raises(InputError) as caught:
        one(annotation, **options)
    return str(caught.value)


def test_every_annotation():
    space = from_dataclass(Robot)
    assert dict(space.items()) == {
        "on": rw.Bool(),
        "count": rw.Int(bits=64),
        "speed": rw.Float(),
        "name": rw.Text(),
        "raw": rw.Choice([value.encode("utf-8", "surrogateescape") for value in rw.Text().values]),
        "gear": rw.Choice(Gear),
        "colour": rw.Choice(Colour),
        "mode": rw.Choice(["a", 1, None]),
        "limit": rw.Choice([None, *rw.Int(bits=64).values]),
        "at.x": rw.Float(),
        "at.y": rw.Float(values=[*rw.Float().values, 0.3]),
        "pair[0]": rw.Int(bits=64),
        "pair[1]": rw.Float(),
        "pair[2]": rw.Bool(),
        **{f"corners[{n}].x": rw.Float() for n in (0, 1)},
        **{f"corners[{n}].y": rw.Float(values=[*rw.Float().values, 0.3]) for n in (0, 1)},
    }
    assert space.values("gear") == (Gear.P, Gear.D)
    assert type(space.values("gear")[0]) is Gear


def test_the_nested_form_builds_the_dataclass():
    space = from_dataclass(Point)
    assert Point(**nest({"x": 1.0, "y": 2.0})) == Point(1.0, 2.0)
    assert space.names == ("x", "y")


def test_further_forms_of_annotations():
    assert one(Optional[bool]) == rw.Choice([None, False, True])  # noqa: UP045 (this spelling is tested)
    assert one(Metres) == rw.Float()
    assert one(None) == rw.Choice([None])
    assert one(Gear | None) == rw.Choice([None, *Gear])
    assert one(bool | Literal["auto"]) == rw.Choice([False, True, "auto"])
    assert one(Literal[Gear.P]) == rw.Choice([Gear.P])
    assert one(Annotated[int, "a comment", {"un": "hashable"}]) == rw.Int(bits=64)


def test_literals_are_told_apart_by_type():
    cls = dataclasses.make_dataclass("Two", [("a", Literal[1]), ("b", Literal[True])])
    assert from_dataclass(cls).values("b") == (True,)
    assert from_dataclass(cls).values("b")[0] is True


def test_enumerations_of_the_same_name_are_told_apart():
    made: list[Any] = [enum.Enum("E", ["A"]), enum.Enum("E", ["A"])]
    first, second = made
    assert one(first).values == (first.A,)
    assert one(second).values[0] is second.A


def test_a_field_given_wins():
    assert one(Annotated[int, rw.Int(0, 10)]) == rw.Int(0, 10)
    assert one(Annotated[list[int], rw.Choice([[1], [2]])]) == rw.Choice([[1], [2]])
    assert one(int, metadata={"rootward": rw.Int(0, 10)}, default=5) == rw.Int(0, 10)
    assert one(threading.Lock, metadata={"rootward": rw.Bool()}) == rw.Bool()
    assert one(Annotated[int, rw.Int(0, 10)], metadata={"rootward": rw.Int(0, 5)}) == rw.Int(0, 5)
    assert one(Annotated[int, rw.Int(0, 10)] | None) == rw.Choice([None, *range(11)])
    wrong = refused(int, metadata={"rootward": 5})
    assert wrong == "x: the metadata 'rootward' must be a field such as rw.Int(0, 10), not 5"


def test_defaults_are_tried():
    assert 77 in one(int, default=77).values
    assert one(int, default=77) == rw.Int(bits=64, values=[*rw.Int(bits=64).values, 77])
    assert one(int | None, default=None) == one(int | None)
    assert 77 in one(int | None, default=77).values
    assert b"own" in one(bytes, default=b"own").values
    assert one(Gear, default=Gear.D) == rw.Choice(Gear)
    assert one(float, default=1) == rw.Float()


def test_a_nested_default_is_tried_place_by_place():
    frozen = dataclasses.make_dataclass("Frozen", [("x", int)], frozen=True)
    members: list[Any] = [("other", frozen), ("at", frozen, field(default=frozen(77)))]
    outer = dataclasses.make_dataclass("Outer", members)
    space = from_dataclass(outer)
    assert 77 in space.values("at.x")
    assert 77 not in space.values("other.x")


def test_a_default_that_does_not_fit():
    assert refused(int, default=None) == "x = None (NoneType): expected integer (int64)"
    assert refused(int | None, default="a").startswith("x = 'a': expected one of None, or integer (int64)")
    assert refused(bytes, default="a") == "x: 'a' (str): expected bytes"
    assert refused(Literal["a", "b"], default="c") == "x = 'c' (str): expected one of a, b"


def test_what_is_no_input_is_left_out():
    @dataclass
    class Partly:
        shared: ClassVar[int] = 3
        given: int
        once: InitVar[int]
        _: KW_ONLY
        derived: int = field(init=False)
        last: bool = False

    assert from_dataclass(Partly).names == ("given", "last")


@dataclass
class Holder:
    numbers: list[int]
    points: Sequence[Point]
    limits: dict[str, int]
    rows: tuple[tuple[int, ...], ...]


def test_lists_and_maps_need_lengths():
    lengths: dict[str, Any] = {
        "numbers": 2,
        "points": 1,
        "limits": ["left", "x y"],
        "rows": 2,
        "rows[*]": 1,
        "rows[1]": 0,
    }
    space = from_dataclass(Holder, lengths=lengths)
    expected = ["numbers[0]", "numbers[1]", "points[0].x", "points[0].y", "limits.left", 'limits["x y"]', "rows[0][0]"]
    assert list(space.names) == [*expected, "rows[1]"]
    assert space.values("rows[1]") == ([],)
    assert nest(dict.fromkeys(expected, 0) | {"rows[1]": []})["rows"] == [[0], []]


def test_a_map_can_be_given_a_number_of_keys():
    cls = dataclasses.make_dataclass("One", [("x", Mapping[str, bool])])
    assert from_dataclass(cls, lengths={"x": 2}).names == ('x["0"]', 'x["1"]')
    assert from_dataclass(cls, lengths={"x": 0}).values("x") == ({},)


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({}, "numbers is a list of variable length, but a space needs a fixed set of fields: give its length, "
             "lengths={'numbers': 3}"),
        ({"numbers": 1, "points": 1}, "limits is a map with variable keys, but a space needs a fixed set of fields: "
                                      "give its keys or their number, lengths={'limits': [\"a\", \"b\"]}"),
        ({"numbers": -1}, "lengths: numbers is a list: give an integer from 0, not -1"),
        ({"numbers": True}, "lengths: numbers is a list: give an integer from 0, not True"),
        ({"numbers": ["a"]}, "lengths: numbers is a list: give an integer from 0, not ['a']"),
        ({"numbers": 1, "points": 1, "limits": "ab"},
         "lengths: limits is a map: give its keys as a list of strings, not 'ab'"),
        ({"numbers": 1, "points": 1, "limits": 1, "rows": 0, "nmbers": 2},
         "lengths: 'nmbers' is not a list of variable length or a map (did you mean 'numbers'?)"),
        ({"numbers": 1, "points": 1, "limits": 1, "rows": 0, "points[0].x": 2},
         "lengths: 'points[0].x' is not a list of variable length or a map (did you mean 'points'?)"),
    ],
)  # fmt: skip
def test_lengths_that_are_missing_or_wrong(lengths, message):
    with pytest.raises(InputError) as caught:
        from_dataclass(Holder, lengths=lengths)
    assert str(caught.value) == message


def test_a_record_without_members_is_kept():
    empty = dataclasses.make_dataclass("Empty", [])
    assert one_space(empty).values("x") == ({},)
    assert one_space(tuple[()]).values("x") == ([],)


def one_space(annotation):
    return from_dataclass(dataclasses.make_dataclass("One", [("x", annotation)]))


def test_an_optional_record_or_list_is_present():
    assert one_space(Point | None).names == ("x.x", "x.y")
    holder = dataclasses.make_dataclass("Holder", [("x", list[bool] | None, field(default=None))])
    assert from_dataclass(holder, lengths={"x": 2}).names == ("x[0]", "x[1]")


@dataclass
class Tree:
    value: int
    children: "list[Tree]"


@dataclass
class Lost:
    x: "NoSuchType"  # type: ignore[name-defined] # noqa: F821


def test_what_cannot_be_mapped():
    assert refused(Any) == "x: unsupported type Any: add a field, as in Annotated[Any, rw.Choice([...])]"
    assert refused(set[int]).startswith("x: unsupported type set[int]: add a field")
    assert refused(complex).startswith("x: unsupported type complex: add a field")
    assert refused(list) == "x: list needs the type of its items: write list[...]"
    assert refused(list[dict[str, complex]]).startswith("x[*][*]: unsupported type complex")
    assert refused(tuple[int, complex]).startswith("x[1]: unsupported type complex")
    assert refused(Point | int) == "x: a union of records or lists has no fixed set of fields"
    assert refused(Nothing) == "x: a field needs at least one value, but none is given"
    with pytest.raises(InputError, match=r"children\[\*\]: Tree contains itself, so it has no fixed set of fields"):
        from_dataclass(Tree, lengths={"children": 1})
    with pytest.raises(InputError, match=r"Lost: an annotation cannot be resolved .*NoSuchType"):
        from_dataclass(Lost)


@pytest.mark.parametrize("given", [int, Point(1.0), "Point", None])
def test_what_is_no_dataclass(given):
    with pytest.raises(InputError, match="from_dataclass needs a dataclass, not"):
        from_dataclass(given)


def test_constraints_are_understood_in_dataclasses_too():
    annotated_types = pytest.importorskip("annotated_types")
    assert one(Annotated[int, annotated_types.Gt(0), annotated_types.Le(9)]) == rw.Int(1, 9)
    assert one(Annotated[int, annotated_types.Ge(0), annotated_types.Ge(5), annotated_types.Lt(7.5)]) == rw.Int(
        5, 8 - 1
    )
    assert refused(Annotated[int, annotated_types.MultipleOf(2)]).startswith("x: multiple_of is not supported")
