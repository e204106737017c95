"""Fields: every kind answers the same questions, and the answers fit together."""

import enum
import json
import math
import pickle
import time

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.space.exceptional_values import TEXTS, order
from rootward.space.keys import canonical, key
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Text, field_from_dict
from tests.properties import examples


class Gear(enum.IntEnum):
    P = 0
    R = 1


@st.composite
def ints(draw):
    bits, signed = draw(st.integers(1, 64) | st.sampled_from([8, 16, 32, 64])), draw(st.booleans())
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    ends = sorted(draw(st.tuples(st.integers(least, most), st.integers(least, most))))
    lo, hi = (draw(st.sampled_from([end, None])) for end in ends)
    values = st.lists(st.integers(least if lo is None else lo, most if hi is None else hi), min_size=1, unique=True)
    return Int(lo, hi, bits, signed, draw(st.none() | values))


@st.composite
def floats(draw):
    bits = draw(st.sampled_from([32, 64]))
    numbers = st.floats(allow_nan=False, width=bits).filter(math.isfinite) | st.sampled_from([0.0, -0.0, 1.0])
    ends = sorted(draw(st.tuples(numbers, numbers)), key=order)
    lo, hi = (draw(st.sampled_from([end, None])) for end in ends)
    if lo is None and hi is None:
        values = st.lists(st.floats(width=bits), min_size=1, unique_by=canonical)
    else:
        values = st.lists(st.floats(lo, hi, width=bits), min_size=1, unique_by=canonical)
    return Float(lo, hi, bits, draw(st.none() | values))


@st.composite
def stepped(draw):
    step = draw(st.sampled_from([0.01, 0.1, 0.25, 3.0, 1e-6]) | st.floats(1e-3, 1e3))
    first, more = draw(st.integers(-1000, 1000)), draw(st.integers(0, 1000))
    return Float((first - 0.5) * step, (first + more + 0.5) * step, step=step)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
anything = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(), scalars, max_size=2)
listings = st.lists(anything, min_size=1, max_size=6, unique_by=canonical)
texts = st.builds(Text, st.none() | st.lists(st.text(), min_size=1, unique=True))
numbers = ints() | floats() | stepped()
listed = st.builds(Bool) | st.builds(Choice, listings) | st.builds(Ordinal, listings)
fields = numbers | listed | texts
seeds = st.integers(0, 2**32 - 1)


@examples(50)
@given(fields)
def test_the_values_to_try_are_distinct_members(field):
    assert field.values
    assert len(set(map(canonical, field.values))) == len(field.values)
    assert all(canonical(field.coerce(value)) == canonical(value) for value in field.values)


@given(numbers)
def test_numbers_to_try_ascend_with_nan_last(field):
    known = [value for value in field.values if value == value]
    assert known == sorted(known)
    assert not any(math.isnan(value) for value in field.values[:-1])


@given(fields, anything)
def test_coerce_accepts_what_contains_accepts_and_is_idempotent(field, value):
    if field.contains(value):
        member = field.coerce(value)
        assert canonical(field.coerce(member)) == canonical(member)
    else:
        with pytest.raises(InputError, match="speed = "):
            field.coerce(value, "speed")


@given(fields, seeds)
def test_samples_are_members_and_repeat_with_the_seed(field, seed):
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    samples = [field.sample(one) for _ in range(10)]
    assert all(canonical(field.coerce(sample)) == canonical(sample) for sample in samples)
    assert key(samples) == key([field.sample(other) for _ in range(10)])


@given(fields)
def test_a_field_survives_json_and_pickle(field):
    again = field_from_dict(json.loads(json.dumps(field.to_dict(), allow_nan=False)))
    assert again == field == pickle.loads(pickle.dumps(field))
    assert (type(again), hash(again), str(again)) == (type(field), hash(field), str(field))
    assert key(again.values) == key(field.values)


@given(fields, fields)
def test_equal_exactly_when_written_the_same(one, other):
    assert (one == other) == (key(one.to_dict()) == key(other.to_dict()))


@given(fields, seeds)
def test_places_lie_in_the_span_and_lead_back(field, seed):
    low, high = field.span
    member = field.sample(np.random.default_rng(seed))
    place = field.compress(member)
    assert low <= place <= high or (isinstance(field, Float) and not math.isfinite(member))
    back = field.decompress(place)
    if isinstance(field, Float) and field.bits == 64 and math.isfinite(member):
        assert abs(back - member) <= abs(member) * 2.0**-43
    elif isinstance(field, Int):
        assert abs(back - member) <= abs(member) // 2**47
    else:
        assert canonical(back) == canonical(member)


@given(fields, st.floats(allow_nan=False, allow_infinity=False) | st.floats(-70, 70), st.floats(-70, 70))
@example(Float(1, 2), 0.0, 0.0)
@example(Float(0, 1), -0.0, 0.0)
def test_every_finite_place_holds_a_member_and_order_is_kept(field, one, other):
    low, high = sorted((one, other))
    members = field.decompress(low), field.decompress(high)
    assert all(map(field.contains, members))
    assert field.compress(members[0]) <= field.compress(members[1])


@given(fields, st.floats(0, 1, exclude_max=True), st.sampled_from(["even", "human", "broad"]))
def test_every_share_of_every_scale_holds_a_member(field, share, scale):
    assert field.contains(field.at(share, scale=scale))


@given(ints(), st.floats(0, 1, exclude_max=True))
def test_integers_of_any_width_can_be_spread_evenly(field, share):
    there = field.lo + (field.hi - field.lo) * share
    assert abs(field.at(share, scale="even") - there) <= 1 + max(abs(field.lo), abs(field.hi)) * 2.0**-40


@given(numbers)
def test_the_ends_of_the_axis_are_the_ends_of_the_interval(field):
    low, high = field.span
    assume(low < high)  # an interval may be so short that its ends share a place
    for place, end in ((low, field.lo), (high, field.hi)):
        assert end is None or field.decompress(place) == end


@given(fields, st.lists(st.floats(-1100, 1100) | st.floats(-70, 70), max_size=10))
def test_many_are_handled_like_one(field, places):
    members = field.decompress_many(np.array(places))
    single = [field.decompress(place) for place in places]
    assert key(list(members)) == key(single)
    assert field.compress_many(single).tolist() == [field.compress(member) for member in single]


@examples(50)
@given(numbers, numbers)
def test_size_counts_members(one, other):
    assert one.size >= len(one.values)
    if isinstance(one, Int):
        assert one.size == one.hi - one.lo + 1


@given(numbers, seeds)
def test_the_middle_of_two_members_is_a_member_between_them(field, seed):
    rng = np.random.default_rng(seed)
    low, high = sorted(field.decompress(float(place)) for place in rng.uniform(field.span[0], field.span[1], 2))
    middle = field.middle(low, high)
    assert field.contains(middle)
    assert low <= middle <= high


@given(stepped(), seeds)
def test_with_a_step_there_is_nothing_between_its_multiples(field, seed):
    first, last = field.steps
    member = field.sample(np.random.default_rng(seed))
    place = field.steps_to(member)
    assert first <= place <= last
    assert field.multiple(place) == member == field.coerce(min(math.nextafter(member, math.inf), field.hi))
    assert abs(member / field.step - round(member / field.step)) < 1e-3
    if place < last:
        assert not field.contains((field.multiple(place) + field.multiple(place + 1)) / 2)


def test_a_step_counts_as_it_is_written():
    field = Float(-0.2, 0.05, step=0.01)
    assert (field.lo, field.hi, field.size) == (-0.2, 0.05, 26)
    assert [field.multiple(k) for k in (-7, 0, 3)] == [-0.07, 0.0, 0.03]
    assert str(field) == "number -0.2..0.05 in steps of 0.01"
    assert (Float(0.004, 0.996, step=0.01).lo, Float(0.004, 0.996, step=0.01).hi) == (0.01, 0.99)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"step": 0.1}, "lo and hi"),
        ({"lo": 0, "hi": math.inf, "step": 0.1}, "lo and hi"),
        ({"lo": 0, "hi": 1, "step": 0}, "above 0"),
        ({"lo": 0, "hi": 1, "step": True}, "above 0"),
        ({"lo": 0.01, "hi": 0.09, "step": 0.1}, "no multiple"),
        ({"lo": 0, "hi": 1e9, "step": 1e-9}, "too fine"),
        ({"lo": 0, "hi": 1, "step": 0.1, "bits": 32}, "too fine"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused(options, expected):
    with pytest.raises(InputError, match=expected):
        Float(**options)


def test_sizes():
    assert (Bool().size, Choice("abc").size, Int(0, 10).size, Int(bits=64).size) == (2, 3, 11, 2**64)
    assert (Float(0, 0).size, Float(-0.0, 5e-324).size, Text().size) == (2, 3, math.inf)
    assert Float(bits=32).size == 2**32 - 2**24 + 2 + 1  # every pattern but the NaNs', both infinities, and one NaN
    assert Float(1, 2).size == 2**52 + 1


def test_types_are_told_apart():
    assert not Int().contains(True)
    assert not Int().contains(1.0)
    assert not Float().contains(True)
    assert not Float().contains("1")
    assert not Bool().contains(1)
    assert not Choice([1]).contains(1.0)
    assert not Choice([1]).contains(True)
    assert not Text().contains(b"a")
    assert Choice([0.0]).contains(0.0)
    assert not Choice([0.0]).contains(-0.0)
    assert Choice([math.nan]).contains(-math.nan)


@pytest.mark.parametrize(
    ("field", "value", "member"),
    [
        (Float(), 3, 3.0),
        (Float(), np.float32(0.5), 0.5),
        (Float(bits=32), 0.1, 0.10000000149011612),
        (Float(), np.int64(2), 2.0),
        (Int(), np.uint8(7), 7),
        (Int(), Gear.R, 1),
        (Bool(), np.bool_(True), True),
        (Choice([1, "a"]), np.int32(1), 1),
        (Choice([(1, 2)]), [1, 2], (1, 2)),
        (Text(), np.str_("x"), "x"),
        (Choice(Gear), Gear.P, Gear.P),
    ],
)
def test_coerce_gives_plain_values(field, value, member):
    found = field.coerce(value)
    assert found == member
    assert type(found) is type(member)


def test_special_floats_belong_where_no_bound_excludes_them():
    specials = [math.nan, math.inf, -math.inf]
    domains = [Float(), Float(lo=0), Float(hi=0), Float(0, 1), Float(-math.inf, math.inf)]
    assert [[field.contains(special) for special in specials] for field in domains] == [
        [True, True, True],
        [False, True, False],
        [False, False, True],
        [False, False, False],
        [False, True, True],
    ]


def test_special_floats_pass_the_axis_only_where_they_are_members():
    assert math.isnan(Float().decompress(Float().compress(math.nan)))
    assert np.isnan(Float().decompress_many(np.array([math.nan, math.inf]))).tolist() == [True, False]
    for field in (Float(0, 1), Int(), Bool()):
        with pytest.raises(InputError):
            field.decompress(math.nan)
        with pytest.raises(InputError):
            field.decompress_many(np.array([math.nan]))


def test_both_zeros_are_tried():
    assert [math.copysign(1, value) for value in Float(0, 1).values if value == 0] == [-1, 1]


def test_numbers_too_large_for_the_width_are_refused():
    assert not Float(bits=32).contains(1e39)
    assert not Float().contains(10**400)
    assert not Int(bits=8).contains(128)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Int(3, 2), "lo = 3 is above hi = 2"),
        (lambda: Float(1.5, 1), "lo = 1.5 is above hi = 1.0"),
        (lambda: Float(lo=math.inf), "above"),
        (lambda: Float(lo=math.nan), "lo = nan"),
        (lambda: Float(hi="1"), "hi = '1'"),  # type: ignore[arg-type]
        (lambda: Float(bits=16), "32 or 64"),
        (lambda: Float(hi=1e39, bits=32), "hi = 1e\\+39"),
        (lambda: Int(0, 10**12), "bits="),
        (lambda: Int(-1, signed=False), "unsigned"),
        (lambda: Int(0, 1.5), "hi = 1.5"),  # type: ignore[arg-type]
        (lambda: Int(True), "lo = True"),
        (lambda: Int(bits=65), "1 to 64"),
        (lambda: Int(0, 10, values=[11]), "values = 11 .*integer 0..10"),
        (lambda: Int(0, 10, values=[1, 1]), "twice"),
        (lambda: Int(values=[]), "at least one value"),
        (lambda: Float(0, 1, values=[math.nan]), "values = nan"),
        (lambda: Float(values=[0.0, 0]), "twice"),
        (lambda: Choice([]), "at least one value"),
        (lambda: Choice([1, 2, np.int64(1)]), "value 1 is given twice"),
        (lambda: Choice([[1], (1,)]), "twice"),
        (lambda: Ordinal({1, 2}), "order"),
        (lambda: Text([1]), "values = 1 .*text"),  # type: ignore[list-item]
        (lambda: Int().coerce(10**5000), "too long to write"),
        (lambda: Int(0, 10).coerce(True, "gear"), r"gear = True \(bool\): expected integer 0..10"),
        (lambda: Choice(["P", "R"]).coerce("X", "gear"), r"gear = 'X' \(str\): expected one of P, R"),
        (lambda: Text(["a"]).compress("b"), "'b' is not one of the values"),
        (lambda: field_from_dict({"kind": "Complex"}), "Complex"),
        (lambda: field_from_dict({"kind": "Int", "low": 1}), "low"),
        (lambda: field_from_dict({}), "kind"),
    ],
)
def test_mistakes_are_named(make, said):
    with pytest.raises(InputError, match=said):
        make()


def test_fields_read_well():
    shown = [Bool(), Int(0, 10), Int(), Int(bits=8, signed=False), Float(), Float(0, 1), Float(lo=0), Float(hi=2.5)]
    assert list(map(str, shown)) == [
        "False or True",
        "integer 0..10",
        "integer (int32)",
        "integer (uint8)",
        "number (float64)",
        "number 0.0..1.0",
        "number >= 0.0",
        "number <= 2.5",
    ]
    assert str(Choice(["P", "R", "D"])) == "one of P, R, D"
    assert str(Choice([1, "1", "", Gear.P])) == "one of 1, '1', '', P"
    assert str(Ordinal(["low", "high"])) == "one of low < high"
    assert str(Choice(range(100))) == "one of 0, 1, 2, 3, 4, 5, 6, 7, ... (100 values)"
    assert len(repr(Choice(["x" * 10**6]))) < 100
    assert repr(Int(0, 10)) == "<Int: integer 0..10>"


def test_enumerations():
    assert Choice(Gear).values == Ordinal(Gear).values == Choice.of_enum(Gear).values == (Gear.P, Gear.R)
    assert Choice.of_enum(Gear, outside=True).values == (Gear.P, Gear.R, -1, 2, 255)
    again = field_from_dict(json.loads(json.dumps(Choice(Gear).to_dict())))
    assert again == Choice(Gear)
    assert again.values[0] is Gear.P


def test_the_order_of_a_set_is_the_same_in_every_process():
    assert Choice({"b", "a", "c"}).values == ("a", "b", "c")


def test_only_ordered_kinds_say_so():
    assert [field.ordered for field in (Bool(), Choice("ab"), Text(), Ordinal("ab"), Int(), Float())] == [False] * 3 + [
        True
    ] * 3


def test_text_is_open_and_starts_with_its_dictionary():
    assert Text().values == TEXTS
    assert Text(["a"]).contains("anything")
    assert Text().to_dict()["values"] is None


def test_fields_are_frozen_and_hashable():
    with pytest.raises(AttributeError):
        Int().lo = 3  # type: ignore[misc]
    assert len({Int(), Int(), Int(0), Choice([[1]]), Choice([[1]])}) == 3
    assert Choice([1]) != Choice([True]) != Ordinal([True])


def test_samples_are_heavy_at_human_scale_and_reach_far():
    rng = np.random.default_rng(1)
    for field, share in ((Float(), 0.25), (Int(), 0.4), (Int(bits=64), 0.3)):
        sizes = [abs(field.sample(rng)) for _ in range(2000)]
        assert sum(size <= 1000 for size in sizes) > share * len(sizes)
        assert sum(size > 1e6 for size in sizes) > 0.1 * len(sizes)
    inside = [Float(0, 100).sample(rng) for _ in range(2000)]
    assert 0.2 < np.mean(np.array(inside) > 50) < 0.5
    assert {Int(0, 10).sample(rng) for _ in range(300)} == set(range(11))
    assert any(map(math.isnan, (Float().sample(rng) for _ in range(5000))))


@pytest.mark.rest
def test_a_million_values():
    started = time.process_time()
    field = Choice(range(10**6))
    built = time.process_time() - started
    assert built < 50  # about one second; the margin is for a loaded machine
    started = time.process_time()
    assert all(field.contains(value) for value in range(999_000, 10**6))
    assert not field.contains(10**6)
    assert time.process_time() - started < 2  # to look through a million values a thousand times takes longer
    assert len(Int(0, 10**6).values) < 50
