"""Pydantic models: the space holds what the model validates."""

import enum
import math
from dataclasses import dataclass
from typing import Annotated, Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    PositiveInt,
    RootModel,
    StringConstraints,
    ValidationError,
    conint,
)

import rootward as rw
from rootward.errors import InputError
from rootward.formats.interfaces import from_pydantic, nest
from rootward.space.exceptional_values import largest
from tests.properties import examples


class Gear(enum.Enum):
    P = "park"
    D = "drive"


@dataclass
class Size:
    width: int


class Wheel(BaseModel):
    radius: float = Field(gt=0, lt=1)
    tyre: Literal["winter", "summer"] = "summer"


class Car(BaseModel):
    on: bool
    seats: int = Field(ge=1, le=9)
    doors: int = Field(gt=1, lt=6)
    speed: float = Field(ge=0, le=300)
    mass: FiniteFloat
    gear: Gear = Gear.P
    name: str = Field(max_length=3)
    code: Annotated[str, StringConstraints(min_length=2, max_length=4)]
    owner: str | None = None
    horn: Optional[Annotated[int, Field(ge=2, le=4)]]  # noqa: UP045 (this spelling is tested)
    wheels: tuple[Wheel, Wheel]
    size: Size
    count: PositiveInt
    lanes: list[conint(ge=0, le=3)] = Field(min_length=2, max_length=2)  # type: ignore[valid-type]


def one(annotation, **options):
    class One(BaseModel):
        x: annotation = Field(**options)  # type: ignore[misc, valid-type]

    return from_pydantic(One)["x"]


def refused(annotation, **options):
    with pytest.raises(InputError) as caught:
        one(annotation, **options)
    return str(caught.value)


def test_every_field():
    space = from_pydantic(Car)
    texts = [text for text in rw.Text().values if "\udcff" not in text]
    assert space["on"] == rw.Bool()
    assert space["seats"] == rw.Int(1, 9)
    assert space["doors"] == rw.Int(2, 5)
    assert space["speed"] == rw.Float(0, 300)
    assert space["mass"] == rw.Float(-largest(64), largest(64))
    assert space["gear"] == rw.Choice(["park", "drive"])
    assert space["owner"] == rw.Choice([None, *texts])
    assert space["horn"] == rw.Choice([None, 2, 3, 4])
    assert space["wheels[1].radius"] == rw.Float(math.nextafter(0, 1), math.nextafter(1, 0))
    assert space["wheels[0].tyre"] == rw.Choice(["winter", "summer"])
    assert space["size.width"] == rw.Int(bits=64)
    assert space["count"] == rw.Int(1, bits=64)
    assert space["lanes[1]"] == rw.Int(0, 3)
    assert set(space.values("name")) == {*(text for text in texts if len(text) <= 3), "aaa"}
    assert {len(text) for text in space.values("code")} == {2, 3, 4}


def test_the_model_accepts_whatever_is_tried():
    space = from_pydantic(Car)
    normal = {name: space.values(name)[0] for name in space}
    for name in space:
        for value in space.values(name):
            Car.model_validate(nest(normal | {name: value}))


numbers = {int: st.integers(-5, 5) | st.integers(), float: st.integers(-5, 5) | st.floats(allow_nan=False)}


@st.composite
def bounded(draw):
    kind = draw(st.sampled_from([int, float]))
    return kind, draw(st.dictionaries(st.sampled_from(["ge", "gt", "le", "lt"]), numbers[kind], min_size=1, max_size=2))


def valid(model, value):
    try:
        return model.model_validate({"x": value}) is not None
    except ValidationError:
        return False


@examples(60)
@given(bounded())
def test_bounds_are_exact(declared):
    kind, bounds = declared

    class One(BaseModel):
        x: kind = Field(**bounds)  # type: ignore[misc, valid-type]

    try:
        field = from_pydantic(One)["x"]
    except InputError:  # nothing lies between the bounds
        assert not any(valid(One, value) for value in range(-6, 6))
        return
    ends = [end for end in (field.lo, field.hi) if end is not None and abs(end) < 2**62]
    for end in ends:
        beside = (
            (math.nextafter(end, math.inf), math.nextafter(end, -math.inf)) if kind is float else (end - 1, end + 1)
        )
        for value in (end, *beside):
            assert field.contains(value) == valid(One, value)


def test_infinities_and_nan():
    assert one(float) == rw.Float()
    assert one(float, ge=0) == rw.Float(0)
    assert one(float, ge=0, allow_inf_nan=False) == rw.Float(0, largest(64))

    class Finite(BaseModel):
        model_config = ConfigDict(allow_inf_nan=False)
        x: float

    assert from_pydantic(Finite)["x"] == rw.Float(-largest(64), largest(64))


def test_integers_beyond_64_bits_are_cut():
    assert one(int, ge=-(10**30), le=10**30) == rw.Int(bits=64)
    assert one(int, ge=0, le=10**30) == rw.Int(bits=64, signed=False)
    assert one(int, ge=2**63) == rw.Int(2**63, bits=64, signed=False)
    assert "is above hi" in refused(int, ge=10**30)


def test_defaults_and_examples_are_tried():
    assert {7, 77, 777} <= set(one(int, default=7, examples=[77, 777]).values)
    assert one(Gear, default=Gear.D) == rw.Choice(["park", "drive"])
    assert one(str, pattern="^v[0-9]$", examples=["v1"]).values == ("v1",)
    assert refused(str, pattern="^v[0-9]$").endswith("pattern '^v[0-9]$': add a default or an example")

    class Outer(BaseModel):
        at: Wheel = Wheel(radius=0.3)

    assert 0.3 in from_pydantic(Outer).values("at.radius")


def test_a_field_given_wins():
    assert one(Annotated[int, rw.Int(0, 10)], ge=3) == rw.Int(0, 10)


def test_names_are_those_that_are_validated():
    class Aliased(BaseModel):
        first: int = Field(alias="First")
        second: int = Field(validation_alias="2nd")
        third: int = Field(validation_alias=AliasChoices("c", "d"))

    assert from_pydantic(Aliased).names == ("First", '["2nd"]', "third")


def test_root_models_have_no_name_of_their_own():
    class Numbers(RootModel[list[int]]):
        pass

    class Positive(RootModel[Annotated[int, Field(gt=0, lt=5)]]):
        pass

    class Holder(BaseModel):
        numbers: Numbers
        positive: Positive

    assert from_pydantic(Numbers, lengths={"": 2}).names == ("[0]", "[1]")
    assert from_pydantic(Positive)[""] == rw.Int(1, 4)
    assert from_pydantic(Holder, lengths={"numbers": 1}).names == ("numbers[0]", "positive")


def test_bounds_of_a_length():
    class Few(BaseModel):
        x: list[int] = Field(min_length=1, max_length=3)

    assert len(from_pydantic(Few, lengths={"x": 3})) == 3
    with pytest.raises(InputError, match="lengths: x = 4: this list must have 1 to 3 items"):
        from_pydantic(Few, lengths={"x": 4})


class Node(BaseModel):
    next: "Node | None" = None


def test_mistakes():
    with pytest.raises(InputError, match="next: Node contains itself"):
        from_pydantic(Node)
    with pytest.raises(InputError, match="from_pydantic needs a pydantic model class, not 5"):
        from_pydantic(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="from_pydantic needs a pydantic model class"):
        from_pydantic(Size)  # type: ignore[arg-type]
    assert refused(int, multiple_of=3).startswith("x: multiple_of is not supported")
    assert refused(Wheel | Size) == "x: a union of records or lists has no fixed set of fields"
    assert refused(list[int]).startswith("x is a list of variable length")
