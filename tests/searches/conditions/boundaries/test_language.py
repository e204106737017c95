"""Conditions that the search must be able to state: multipliers, centres, bounds inside a pattern; and none at all."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import rootward as rw
from rootward.searches.conditions.facts import NotSimple
from rootward.searches.conditions.rule_finding import RuleFinding
from tests.properties import few

Condition = Callable[[dict[str, Any]], bool]
SIDE = rw.Int(0, 200)
PLANE = {"x": rw.Int(-100, 100), "y": rw.Int(-100, 100)}
COUNT = {"n": rw.Int(0, 10_000), "m": rw.Int(0, 100)}


def found(fields: dict[str, Any], fails: Condition, failing: dict[str, Any], seed: int = 0) -> RuleFinding:
    return rw.rule(rw.Space(fields), rw.fails_when(fails), failing, seed=seed)


def differences(finding: RuleFinding, fails: Condition, **values: Any) -> list[dict[str, Any]]:
    """By brute force: the configurations about which the rule is wrong."""
    every = [dict(zip(values, point, strict=True)) for point in product(*values.values())]
    told = finding.rule.holds_many(every)
    return [one for one, holds in zip(every, told, strict=True) if holds != fails(one)]


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_three_numbers_with_multipliers(seed: int) -> None:
    finding = found(
        {"a": SIDE, "b": SIDE, "c": SIDE},
        lambda one: one["a"] + 2 * one["b"] - one["c"] > 168,
        {"a": 150, "b": 60, "c": 20},
        seed,
    )
    assert str(finding.rule) == "a + 2 * b > c + 168"


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_three_numbers_of_few_values(seed: int) -> None:
    """The boundary of a short field is seen to move, although each of its few values is likely to be a boundary."""
    finding = found(
        {"length": rw.Int(5, 20), "position": rw.Int(0, 19), "window": rw.Int(2, 6)},
        lambda one: one["position"] + one["window"] < one["length"],
        {"length": 12, "position": 3, "window": 3},
        seed,
    )
    assert str(finding.rule) == "length > position + window"
    assert finding.trials < 200


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_the_size_of_a_sum_with_units(seed: int) -> None:
    finding = found(
        {"days": rw.Int(-200_000, 200_000), "hours": rw.Int(-1000, 1000), "mode": rw.Int(0, 9)},
        lambda one: abs(24 * one["days"] + one["hours"]) > 2_562_047,
        {"days": 150_000, "hours": 0, "mode": 0},
        seed,
    )
    assert str(finding.rule) == "abs(24 * days + hours) > 2562047"
    assert finding.trials < 350


@pytest.mark.parametrize("seed", few(1, [0, 1]))
def test_three_fields_in_nested_units(seed: int) -> None:
    """The minutes matter only where days and hours are exactly at the boundary."""
    finding = found(
        {"days": rw.Int(-200_000, 200_000), "hours": rw.Int(-1000, 1000), "minutes": rw.Int(0, 59)},
        lambda one: abs(1440 * one["days"] + 60 * one["hours"] + one["minutes"]) > 153_722_867,
        {"days": 150_000, "hours": 0, "minutes": 0},
        seed,
    )
    assert str(finding.rule) == "abs(1440 * days + 60 * hours + minutes) > 153722867"


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_power_law_of_three_numbers(seed: int) -> None:
    finding = found(
        {"k": rw.Float(1.0, 1e5), "m": rw.Float(0.1, 10.0), "t": rw.Float(0.001, 0.1), "mode": rw.Choice("pqr")},
        lambda one: one["k"] * one["t"] ** 2 > (8 if one["mode"] == "r" else 4) * one["m"],
        {"k": 5000.0, "m": 1.0, "t": 0.05, "mode": "p"},
        seed,
    )
    assert str(finding.rule) == "t * t * k > 8 * m or (mode != r and t * t * k > 4 * m)"


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_power_law_whose_boundary_is_not_quite_sharp(seed: int) -> None:
    """As of a simulation that diverges so slowly, close to the boundary, that another field decides."""
    finding = found(
        {"k": rw.Float(1.0, 1e5), "m": rw.Float(0.1, 10.0), "t": rw.Float(0.001, 0.1), "start": rw.Float(0.0, 1.0)},
        lambda one: one["k"] * one["t"] ** 2 > (4 + 1e-4 * (2 - one["start"])) * one["m"],
        {"k": 5000.0, "m": 1.0, "t": 0.05, "start": 0.25},
        seed,
    )
    assert str(finding.rule) == "t * t * k > 4 * m"


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_power_law_that_the_code_computes_in_another_order(seed: int) -> None:
    """A stopping distance: next to the boundary, its quotient is rounded differently from the products."""
    finding = found(
        {"speed": rw.Float(0.0, 60.0), "gap": rw.Float(1.0, 100.0), "grip": rw.Float(0.1, 1.0)},
        lambda one: one["speed"] ** 2 / (2 * 9.81 * one["grip"]) > one["gap"],
        {"speed": 40.0, "gap": 20.0, "grip": 0.3},
        seed,
    )
    assert str(finding.rule) == "speed * speed > 19.62 * gap * grip"
    assert not finding.open


TEXTS: list[tuple[str, Condition]] = [
    ("len(text) < start", lambda one: len(one["text"]) < one["start"]),
    ("len(text) + start > end", lambda one: len(one["text"]) + one["start"] > one["end"]),
]


@pytest.mark.parametrize(("expected", "fails"), TEXTS)
def test_the_length_of_a_text_beside_numbers(expected: str, fails: Condition) -> None:
    fields = {"text": rw.Text(["ab", "hello"]), "start": rw.Int(0, 100), "end": rw.Int(0, 100)}
    finding = found(fields, fails, {"text": "hello", "start": 60, "end": 20})
    assert str(finding.rule) == expected


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_power_law_of_four_integers(seed: int) -> None:
    """The divisors may be zero."""

    def fails(one: dict[str, Any]) -> bool:
        return bool(one["a"] * one["b"] ** 2 > 3 * one["c"] * one["d"])

    side = rw.Int(0, 1000)
    finding = found({"a": side, "b": side, "c": side, "d": side}, fails, {"a": 10, "b": 100, "c": 10, "d": 10}, seed)
    assert str(finding.rule) == "b * b * a > 3 * c * d"
    assert not differences(finding, fails, a=[0, 1, 3, 700], b=[0, 5, 30], c=[0, 1, 7, 75, 900], d=[0, 1, 9, 700])


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_mere_list_of_values(seed: int) -> None:
    """A list is preferred over remainders, bits and squares that happen to describe it."""
    years = {2004, 2009, 2015, 2020, 2026, 2032, 2037}
    finding = found(
        {"year": rw.Int(2000, 2040), "week": rw.Int(1, 53)},
        lambda one: one["week"] == 53 and one["year"] not in years,
        {"year": 2021, "week": 53},
        seed,
    )
    assert str(finding.rule) == "week = 53 and year not in {2004, 2009, 2015, 2020, 2026, 2032, 2037}"


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_list_does_not_hide_that_a_bound_differs_for_one_of_its_values(seed: int) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool(one["day"] > (29 if one["month"] == 2 else 30) and one["month"] in (2, 4, 6, 9, 11))

    finding = found({"month": rw.Int(1, 12), "day": rw.Int(1, 31)}, fails, {"month": 11, "day": 31}, seed)
    assert not differences(finding, fails, month=range(1, 13), day=range(1, 32))
    assert "*" not in str(finding.rule)


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_single_value_does_not_hide_others_that_fail_farther_beyond_a_bound(seed: int) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool((one["month"] == 2 and one["day"] > 29) or (one["month"] in (4, 6, 9, 11) and one["day"] > 30))

    fields = {"year": rw.Int(1990, 2030), "month": rw.Int(1, 12), "day": rw.Int(1, 31)}
    finding = found(fields, fails, {"year": 2023, "month": 2, "day": 30}, seed)
    assert not differences(finding, fails, year=[2000], month=range(1, 13), day=range(1, 32))


def test_a_circle_around_any_centre() -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool((one["x"] - 30) ** 2 + (one["y"] + 20) ** 2 < 625)

    finding = found(PLANE, fails, {"x": 31, "y": -11})
    assert len(finding.rule.terms) == 1
    assert not differences(finding, fails, x=range(-100, 101), y=range(-100, 101))


def test_a_circle_of_real_numbers() -> None:
    finding = found(
        {"x": rw.Float(-100.0, 100.0), "y": rw.Float(-100.0, 100.0)},
        lambda one: (one["x"] - 3) ** 2 + (one["y"] + 2) ** 2 < 25,
        {"x": 3.0, "y": -1.0},
    )
    assert str(finding.rule) == "(x - 3) * (x - 3) + (y + 2) * (y + 2) < 25.0"


@pytest.mark.parametrize("seed", few(2, range(7)))
def test_a_square_and_the_same_field_again(seed: int) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool(2 * one["edges"] > one["nodes"] * (one["nodes"] - 1))

    fields = {"nodes": rw.Int(1, 200), "edges": rw.Int(0, 5000), "multigraph": rw.Bool()}
    finding = found(fields, fails, {"nodes": 10, "edges": 60, "multigraph": False}, seed)
    assert not differences(finding, fails, nodes=range(1, 201), edges=range(0, 5001, 7), multigraph=[False])


@pytest.mark.parametrize("seed", few(2, range(7)))
@pytest.mark.parametrize("divides", [True, False])
def test_a_remainder_by_another_field(seed: int, divides: bool) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return (one["rows"] % one["parts"] == 0) is divides

    fields = {"rows": rw.Int(1, 60), "columns": rw.Int(1, 60), "parts": rw.Int(1, 12), "wide": rw.Bool()}
    finding = found(fields, fails, {"rows": 12 if divides else 10, "columns": 12, "parts": 4, "wide": False}, seed)
    assert str(finding.rule) == f"rows % parts {'=' if divides else '>'} 0"


@pytest.mark.parametrize("seed", few(2, range(7)))
def test_a_bound_inside_a_residue_class(seed: int) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool(one["n"] % 5 == 0 and one["n"] > 500)

    finding = found(COUNT, fails, {"n": 1000, "m": 3}, seed)
    assert str(finding.rule) == "n > 500 and n % 5 = 0"
    assert not differences(finding, fails, n=range(10_001), m=[3])


@pytest.mark.parametrize("seed", few(2, range(6)))
def test_any_number_may_be_a_modulus(seed: int) -> None:
    def fails(one: dict[str, Any]) -> bool:
        return bool(one["n"] % 37 == 3)

    finding = found(COUNT, fails, {"n": 928, "m": 3}, seed)
    assert not differences(finding, fails, n=range(10_001), m=[3])


@pytest.mark.parametrize("seed", few(1, [0, 1]))
def test_no_simple_condition_is_noticed_early(seed: int) -> None:
    """The verdict is a hash of both fields: more runs only make the model longer."""
    finding = found(
        {"a": rw.Int(0, 1000), "b": rw.Int(0, 1000)},
        lambda one: (one["a"] * 2654435761 ^ one["b"] * 40503) % 1009 < 300,
        {"a": 5, "b": 9},
        seed,
    )
    assert NotSimple() in finding.unknown
    assert finding.trials <= 250


WIDTHS = {"n": rw.Int(-100_000, 100_000), "m": rw.Int(0, 10**9), "width": rw.Int(0, 20)}
LENGTHS: list[tuple[str, Condition]] = [
    ("len(str(n)) > width", lambda one: len(str(one["n"])) > one["width"]),
    ("len(str(abs(n))) > width", lambda one: len(str(abs(one["n"]))) > one["width"]),
    ("width < len(str(n)) + len(str(m))", lambda one: len(str(one["n"])) + len(str(one["m"])) > one["width"]),
]


@pytest.mark.parametrize(("expected", "fails"), LENGTHS)
def test_the_length_of_a_number(expected: str, fails: Condition) -> None:
    finding = found(WIDTHS, fails, {"n": -54_321, "m": 12_345, "width": 4})
    assert str(finding.rule) == expected
    assert finding.trials < 250


@pytest.mark.parametrize("seed", few(1, [0, 1, 2]))
def test_a_bound_at_a_power_of_ten_is_no_length(seed: int) -> None:
    finding = found(WIDTHS, lambda one: 100 <= one["n"] < 1000, {"n": 444, "m": 5, "width": 4}, seed)
    assert str(finding.rule) == "100 <= n < 1000"
