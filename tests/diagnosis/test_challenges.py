"""The families of challenges: each reaches the places that it is for, and every drawn run is new and allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.challenges import FAMILIES, Basis, Challenger, periods_of
from rootward.diagnosis.notable_values import (
    nearest_values,
    scaled_values,
    shared_values,
    small_members,
    unit_values,
)
from rootward.explanation.diagnosis import FailureCause
from rootward.rules import Atom, Quantity, Rule
from rootward.rules.predicates import TextConstant
from rootward.space.candidate import key_of
from rootward.space.space import Bool, Choice, Float, Int, Space, Text
from rootward.study import Study
from rootward.subjects.function import as_subject

SOURCES = ["db", "fs", "s3", "mem"]
SPACE = Space(
    {
        "byte": Int(0, 255),
        "port": Int(0, 65535),
        "peer": Int(0, 65535),
        "src": Choice(SOURCES),
        "dst": Choice(SOURCES),
        "gain": Float(-1e6, 1e6),
        "flag": Bool(),
        "kind": Text(["go", "stop"]),
    }
)
FAILING = {"byte": 20, "port": 5000, "peer": 7, "src": "db", "dst": "db", "gain": 3.0, "flag": True, "kind": "go"}
PASSING = {**FAILING, "port": 100}


def challenger(
    rule: Rule, *, space: Space = SPACE, seed: int = 0, never: Rule | None = None, **parts: Any
) -> Challenger:
    runs = {key_of(one): (one, fails) for one, fails in ((FAILING, True), (PASSING, False))}
    basis = Basis(runs, **parts)
    causes = [FailureCause(rule, FAILING)]
    return Challenger(space, causes, basis, never=never, rng=np.random.default_rng(seed), key=key_of)


def drawn(rule: Rule, family: str, **parts: Any) -> list[dict[str, Any]]:
    return [one for name, one in challenger(rule, **parts).draw() if name == family]


PORT = Rule([[Atom("port", ">", 1023)]])


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_every_challenge_is_new_allowed_and_complete(seed: int) -> None:
    never = Rule([[Atom("flag", "=", False), Atom("src", "=", "s3")]])
    found = list(challenger(PORT, seed=seed, never=never).draw())
    keys = [key_of(one) for _, one in found]
    assert len(set(keys)) == len(keys)
    assert not {key_of(FAILING), key_of(PASSING)} & set(keys)
    assert not any(never.holds(one) for _, one in found)
    assert all(SPACE.check(one) == one and list(one) == list(SPACE) for _, one in found)
    assert {name for name, _ in found} <= set(FAMILIES)


def test_every_value_of_a_small_field_is_tried() -> None:
    rule = Rule([[Atom("byte", ">", 10), Atom("port", ">", 1023)]])
    rest_holds = [one for _, one in challenger(rule).draw() if one["port"] == 5000]
    assert {one["byte"] for one in rest_holds} | {FAILING["byte"]} == set(range(256))


def test_each_value_of_a_small_field_is_tried_where_the_other_conditions_hold() -> None:
    distance = Quantity("-", "byte", "peer")
    rule = Rule([[Atom("byte", "=", 20), Atom(distance, "<=", 30), Atom("port", ">", 1023)]])
    rest = Rule([[Atom(distance, "<=", 30), Atom("port", ">", 1023)]])
    runs = [FAILING, *(one for _, one in challenger(rule).draw())]
    assert {one["byte"] for one in runs if rest.holds(one)} == set(range(256))


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_values_all_over_a_range_are_tried_where_the_other_conditions_hold(seed: int) -> None:
    near = Atom(Quantity("-", "port", "peer"), "<=", 30_000)
    runs = drawn(Rule([[Atom("port", ">", 1023), near]]), "sweep", seed=seed)
    ports = {one["port"] * 12 // 65_536 for one in runs if Rule([[near]]).holds(one)}
    assert len(ports) >= 11


@pytest.mark.parametrize(
    "field", [Int(-(2**63), 2**63 - 1, bits=64), Int(0, 301), Float(), Float(-1e308, 1e308), Float(0, 100, step=0.25)]
)
def test_values_all_over_any_range_are_values_of_the_field(field: Any) -> None:
    space = Space({**dict(SPACE.items()), "gain": field})
    runs = drawn(Rule([[Atom("gain", ">", 2)]]), "sweep", space=space)
    assert len({one["gain"] for one in runs}) >= 11
    assert all(field.contains(one["gain"]) for one in runs)


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_where_a_number_is_compared_with_a_multiple_others_are_tried_with_each_option(seed: int) -> None:
    distance = Quantity("abs", Quantity("-", "peer", Quantity("*", 4, "port")))
    rule = Rule([[Atom(distance, ">", 0), Atom("src", "=", "db")]])
    runs = [one for one in drawn(rule, "multiples", seed=seed) if one["port"]]
    found = {(one["src"], one["peer"] / one["port"]) for one in runs}
    assert found >= {(option, factor) for option in SOURCES for factor in (1, 2, 4, 8)}


@pytest.mark.parametrize(
    "field", [Quantity("!=", "src", "dst"), Quantity("abs", Quantity("-", "port", Quantity("len", "kind")))]
)
def test_only_numbers_have_multiples(field: Quantity) -> None:
    compared = Atom(field, "=", False) if field.op == "!=" else Atom(field, ">", 0)
    assert not drawn(Rule([[compared]]), "multiples")


def test_passing_runs_of_each_option_are_tried_with_all_else_at_an_end() -> None:
    passing = [{**FAILING, "port": 100, "src": src} for src in SOURCES]
    basis = Basis({key_of(one): (one, False) for one in passing} | {key_of(FAILING): (FAILING, True)})
    rng = np.random.default_rng(0)
    made = Challenger(SPACE, [FailureCause(PORT, FAILING)], basis, never=None, rng=rng, key=key_of)
    at_ends = [one for name, one in made.draw() if name == "ends" and one["peer"] in (0, 65535)]
    assert {(one["src"], one["byte"]) for one in at_ends} >= {(src, byte) for src in SOURCES for byte in (0, 255)}


def test_few_combinations_are_all_tried() -> None:
    rule = Rule([[Atom("src", "=", "db"), Atom("dst", "=", "db")]])
    pairs = {(one["src"], one["dst"]) for _, one in challenger(rule).draw()} | {("db", "db")}
    assert len(pairs) == 16


def test_values_beside_a_constant_and_its_multiples_are_tried() -> None:
    ports = [one["port"] for _, one in challenger(PORT).draw()]
    assert {1023, 1024, 1022, 1025, 1021, 1026, 1020} <= set(ports)
    assert {10230, 102, 2046} <= set(ports)


def test_the_other_sign_is_tried_where_the_rest_of_the_term_holds() -> None:
    space = Space({"rows": Int(), "columns": Int()})
    large = Atom(Quantity("+", "rows", "columns"), ">", 4680)
    runs = [{"rows": 444, "columns": columns} for columns in (9000, 4500, 4300)]
    basis = Basis({key_of(one): (one, True) for one in runs})

    def draw_signs(*atoms: Atom) -> list[dict[str, Any]]:
        cause, rng = FailureCause(Rule([[*atoms, large]]), runs[0]), np.random.default_rng(0)
        made = Challenger(space, [cause], basis, never=None, rng=rng, key=key_of)
        return [one for family, one in made.draw() if family == "signs" and large.holds(one)]

    bounds = draw_signs(Atom("rows", ">=", 100), Atom("rows", "<", 1000))
    assert {-101, -100, -99, -1001, -1000, -999} <= {one["rows"] for one in bounds}
    inside = draw_signs(Atom(Quantity("len_str", "rows"), "=", 3))
    assert -44 in {one["rows"] for one in inside}


def test_with_another_option_the_same_place_in_another_unit_is_tried() -> None:
    space = Space({"n": Int(0, 10**10, bits=64), "binary": Bool()})
    assert {2**20 - 1, 2**20} <= set(unit_values(space["n"], 10**6))
    assert {10**9 - 1, 10**9} <= set(unit_values(space["n"], 2**30))
    rule = Rule([[Atom("n", ">=", 999950), Atom("n", "<", 10**6), Atom("binary", "=", False)]])
    failing = {"n": 999960, "binary": False}
    basis = Basis({key_of(failing): (failing, True)})
    made = Challenger(space, [FailureCause(rule, failing)], basis, never=None, rng=np.random.default_rng(0), key=key_of)
    assert {"n": 2**20 - 1, "binary": True} in [one for _, one in made.draw()]


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_each_pair_of_options_is_tried_with_each_listed_value(seed: int) -> None:
    modes, space = ["r", "w", "rU", "rw", "wb"], SPACE.restrict(["src", "dst", "flag", "port"])
    space = Space({**dict(space.items()), "mode": Choice(modes)})
    rule = Rule([[Atom("flag", "=", False)], *([Atom("mode", "=", mode)] for mode in ("rU", "rw", "wb"))])
    rule |= Rule([[Atom("mode", "=", "r"), Atom("src", "=", "s3"), Atom("dst", "=", "s3")]])
    failing = {"src": "db", "dst": "fs", "flag": True, "port": 5, "mode": "rU"}
    basis = Basis({key_of(failing): (failing, True)})
    rng = np.random.default_rng(seed)
    made = Challenger(space, [FailureCause(rule, failing)], basis, never=None, rng=rng, key=key_of)
    found = [failing, *(one for _, one in made.draw())]
    for mode in ("rU", "rw", "wb"):
        alone = [one for one in found if one["mode"] == mode and one["flag"]]
        assert {(one["src"], one["dst"]) for one in alone} == {(a, b) for a in SOURCES for b in SOURCES}


def test_outside_of_the_claim_each_pair_of_choices_is_tried_also_of_fields_that_it_does_not_name() -> None:
    outside = [one for family, one in challenger(PORT).draw() if family == "options" and one["port"] <= 1023]
    pairs = {(one["src"], one["dst"]) for one in (PASSING, *outside)}
    assert pairs == {(a, b) for a in SOURCES for b in SOURCES}


def test_a_list_of_lengths_names_no_option() -> None:
    space = Space({**dict(SPACE.items()), "path": Text(["", "a", "abc", "C:"])})
    length = Quantity("len", "path")
    rule = Rule([[Atom(length, "=", 1), Atom("flag", "=", True)], [Atom(length, "=", 3), Atom("flag", "=", True)]])
    failing = {**FAILING, "flag": True, "path": "a"}
    basis = Basis({key_of(failing): (failing, True)})
    rng = np.random.default_rng(0)
    assert list(Challenger(space, [FailureCause(rule, failing)], basis, never=None, rng=rng, key=key_of).draw())


def test_the_border_is_crossed_between_neighbours_while_all_else_varies() -> None:
    made = challenger(PORT)
    list(made.draw())
    assert len(made.crossings) >= 4
    for _, inside, outside in made.crossings:
        assert (inside["port"], outside["port"]) == (1024, 1023)
        assert {name for name in SPACE if inside[name] != outside[name]} == {"port"}
    assert len({inside["byte"] for _, inside, _ in made.crossings}) > 1


def test_the_border_is_crossed_where_the_other_conditions_hold() -> None:
    rule = Rule([[Atom("port", ">", 1023), Atom(Quantity("%", "port", 4), "=", 3)]])
    failing = {**FAILING, "port": 5003}
    basis = Basis({key_of(failing): (failing, True)})
    rng = np.random.default_rng(0)
    made = Challenger(SPACE, [FailureCause(rule, failing)], basis, never=None, rng=rng, key=key_of)
    list(made.draw())
    bound = [one for one in made.crossings if one.literal.field == "port"]
    assert len(bound) >= 2
    assert {(inside["port"], outside["port"]) for _, inside, outside in bound} == {(1027, 1023)}


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_the_border_is_crossed_at_the_ends_of_other_numbers(seed: int) -> None:
    rule = Rule([[Atom("port", ">", 1023), Atom("peer", ">=", 100), Atom("peer", "<", 900)]])
    failing = {**FAILING, "peer": 500}
    basis = Basis({key_of(failing): (failing, True)})
    rng = np.random.default_rng(seed)
    made = Challenger(SPACE, [FailureCause(rule, failing)], basis, never=None, rng=rng, key=key_of)
    list(made.draw())
    assert {100, 899} <= {inside["peer"] for literal, inside, _ in made.crossings if literal.field == "port"}


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_the_border_is_crossed_where_another_number_is_zero(seed: int) -> None:
    rule = Rule([[Atom("port", ">", 1023), Atom("gain", ">", -5000.0)]])
    made = challenger(rule, seed=seed)
    list(made.draw())
    assert 0.0 in {inside["gain"] for literal, inside, _ in made.crossings if literal.field == "port"}


def test_the_border_of_a_product_is_crossed_in_many_places() -> None:
    area = Rule([[Atom(Quantity("*", "port", "peer"), ">", 30_000)]])
    made = challenger(area)
    list(made.draw())
    places = {inside["port"] for _, inside, _ in made.crossings}
    assert len(places) > 3
    assert all(area.holds(inside) and not area.holds(outside) for _, inside, outside in made.crossings)


def test_two_alike_fields_get_every_value_that_both_have() -> None:
    rule = Rule([[Atom("src", "=", "db"), Atom("port", ">", 1023)]])
    equal = {one["src"] for one in drawn(rule, "analogy") if one["src"] == one["dst"]}
    assert equal >= {"fs", "s3", "mem"}


def test_a_remainder_is_tried_for_two_periods() -> None:
    rule = Rule([[Atom(Quantity("%", "port", 5), "=", 0)]])
    ports = {one["port"] for one in drawn(rule, "periods")}
    assert ports >= {4995, 4996, 4999, 5001, 5005}


def test_values_that_a_message_mentions_are_tried() -> None:
    assert 8080 in {one["port"] for one in drawn(PORT, "domain", domain=[8080, "nothing", 70_000])}


def test_values_of_the_users_world_in_all_fields_that_the_claim_does_not_name() -> None:
    runs = drawn(PORT, "unnamed", domain=[42, "halt"])
    assert {one["port"] for one in runs} == {5000, 100}  # on either side of the claim
    for port in (5000, 100):
        mine = [one for one in runs if one["port"] == port]
        assert {41, 42, 43} <= {one["byte"] for one in mine} & {one["peer"] for one in mine}
        assert {one["kind"] for one in mine} == {"halt"}


def test_a_text_is_padded_varied_and_joined_with_the_words_of_other_fields() -> None:
    go = Rule([[Atom(Quantity("starts", "kind", TextConstant("go")), "=", True)]])
    made = {one["kind"] for one in drawn(go, "texts")}
    assert {"go\n", " go", "GO", "dbgo", "gos3", "g-o"} <= made


def test_random_texts_are_not_only_the_listed_ones() -> None:
    made = {one["kind"] for one in drawn(PORT, "outside")}
    assert made > {"go", "stop"}


def test_random_runs_outside_lie_outside_and_vary_in_everything() -> None:
    outside = drawn(PORT, "outside")
    assert not any(PORT.holds(one) for one in outside)
    assert all(len({one[name] for one in outside}) > 1 for name in SPACE)


@pytest.mark.parametrize(
    ("field", "constant", "expected"),
    [
        (Int(0, 9), 9, [9, 8, 7, 6]),
        (Int(0, 9), 4.5, [4, 5, 3, 6, 2, 7, 1]),
        (Float(0, 1, values=[0.0]), 0.0, [0.0]),
        (Choice(["a"]), "a", []),
        (Int(), True, []),
    ],
)
def test_values_beside_a_constant_are_values_of_the_field(field: Any, constant: Any, expected: list[Any]) -> None:
    assert nearest_values(field, constant)[: len(expected)] == expected
    assert all(field.contains(value) for value in nearest_values(field, constant))


def test_beside_a_machine_limit_are_the_others() -> None:
    assert {2**15 - 1, 2**16 - 1, 2**63 - 1} <= set(scaled_values(Int(bits=64), 2**31 - 1))


def test_values_are_shared_only_by_fields_of_one_kind() -> None:
    assert shared_values(Choice("abc"), Choice("bcd")) == ["b", "c"]
    assert shared_values(Choice("abc"), Int(0, 9)) == []
    assert shared_values(Bool(), Bool()) == []


def test_members_of_small_fields_only() -> None:
    assert list(small_members(Int(3, 5)) or ()) == [3, 4, 5]
    assert small_members(Int(0, 10**6)) is None
    assert small_members(Text(["a"])) is None
    assert small_members(Float(0, 1)) is None
    assert list(small_members(Choice("ab")) or ()) == ["a", "b"]


def test_periods_are_found_inside_of_quantities() -> None:
    assert list(periods_of(Quantity("%", "n", 7))) == [("n", 7)]
    assert list(periods_of(Quantity("&", "n", 8))) == [("n", 16)]
    assert list(periods_of(Quantity("+", Quantity("%", "n", 7), "m"))) == [("n", 7)]
    assert list(periods_of("n")) == []


def test_an_exception_in_a_byte_is_found() -> None:
    """256 values, two of them exceptions: no random run meets them."""
    space = rw.Space({"a": rw.Int(0, 255), "d": rw.Int(0, 255)})
    fails = rw.fails_when(lambda one: one["a"] == 192 and one["d"] > 7 and one["d"] not in (170, 171))
    subject = as_subject(fails, isolate=False)
    study = Study("block", Path("block.toml"), subject, space=space, failing={"a": 192, "d": 20})
    [found] = rw.diagnose(study).explanations
    wrong = [d for d in range(256) if found.rule.holds({"a": 192, "d": d}) is not (d > 7 and d not in (170, 171))]
    assert not wrong or not found.certain
