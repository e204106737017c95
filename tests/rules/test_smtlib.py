"""The SMT-LIB form of a rule: what a solver finds fulfils the rule, and what it proves is so."""

from __future__ import annotations

import contextlib
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Quantity, Rule
from rootward.rules.export import smtlib
from rootward.rules.export.smtlib import Script, symbol_of
from rootward.space.fields import Bool, Choice, Ordinal, Text
from rootward.space.numeric_fields import Float, Int
from rootward.space.space import Space
from tests.properties import examples
from tests.rules.expressions import quantity_atoms
from tests.waiting import PATIENCE

z3 = pytest.importorskip("z3", reason="z3 is not installed")

NAN, INF = math.nan, math.inf
Q = Quantity
SPACE = Space(
    {
        "i": Int(),
        "l": Int(bits=64),
        "s": Int(bits=8),
        "d": Float(),
        "f": Float(bits=32),
        "b": Float(-1000, 1000),
        "on": Bool(),
        "gear": Choice(["R", "N", 'a"b']),
        "mode": Choice([0, 1, 2]),
        "step": Ordinal([0.5, 1.0, 2.5]),
        "name": Text(),
        "abs": Int(0, 9),
        "my field": Int(0, 9),
    }
)


def holds_in_solver(rule: Rule, configuration: dict[str, Any]) -> bool:
    """What z3 computes of the rule, with the configuration's values in place of the fields."""
    script = Script(SPACE)
    lines = [_defined(name, configuration[name]) for name in rule.fields]
    (found,) = z3.parse_smt2_string("\n".join([*lines, f"(assert {script.rule(rule.terms)})"]), ctx=z3.Context())
    found = z3.simplify(z3.simplify(found))  # once leaves comparisons of texts half done
    assert z3.is_true(found) or z3.is_false(found), found
    return bool(z3.is_true(found))


def _defined(name: str, value: Any) -> str:
    field = SPACE[name]
    written = smtlib._float(value, field.bits) if isinstance(field, Float) else smtlib._constant(value)
    return f"(define-fun {symbol_of(name)} () {smtlib._sort(name, field)} {written})"


def valid(claim: str, fields: tuple[str, ...]) -> bool:
    solver = z3.Solver()
    solver.set("timeout", PATIENCE * 1000)
    solver.from_string("\n".join([*Script(SPACE).declarations(fields), f"(assert (not {claim}))"]))
    found = solver.check()
    assert found in (z3.sat, z3.unsat)
    return bool(found == z3.unsat)


def same(one: Rule, other: Rule) -> bool:
    script = Script(SPACE)
    claim = f"(= {script.rule(one.terms)} {script.rule(other.terms)})"
    return valid(claim, tuple(sorted({*one.fields, *other.fields})))


NUMBERS = st.integers(-9, 9) | st.sampled_from([0.5, -2.0, 0.1, NAN, INF, -INF, -0.0, 1e300, 2**31 - 1, 2**53 + 1])
atoms = quantity_atoms(["i", "l", "s", "d", "f", "b", "mode", "on"], NUMBERS)
OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
plain = st.builds(Atom, st.sampled_from(["i", "l", "s", "d", "f", "b", "step", "abs", "my field"]), OPERATORS, NUMBERS)
listed = st.builds(Atom, st.sampled_from(["gear", "mode", "on", "name"]), st.sampled_from(["=", "!="]),
                   st.sampled_from(["R", "N", 'a"b', 0, 1, True, None, "\U0001f600"]))  # fmt: skip
texts = st.builds(Atom, st.just("name"), st.sampled_from(["<", ">", "<=", ">="]), st.sampled_from(["", "a", "ä", "b"]))
rules = st.lists(st.lists(atoms | plain | listed | texts, min_size=1, max_size=2), min_size=1, max_size=2).map(Rule)
seeds = st.integers(0, 10**6)


def configuration(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    found = {name: rng.choice(SPACE[name].values) for name in SPACE.names}
    found["name"] = rng.choice(["", "a", "ab", "b", "ä", "\U0001f600"])
    if seed % 2:
        found |= {"i": rng.randint(-9, 9), "l": rng.randint(-9, 9), "s": rng.randint(-9, 9), "b": rng.uniform(-9, 9)}
    return found


@examples(80, derandomize=True)
@given(rules, seeds)
def test_generated_rules_agree(rule: Rule, seed: int) -> None:
    row = configuration(seed)
    with contextlib.suppress(InputError):
        assert holds_in_solver(rule, row) == rule.holds(row), (str(rule), row)


def rule(*conjunctions: list[tuple[str, str, object]]) -> Rule:
    return Rule([[Atom(*atom) for atom in line] for line in conjunctions])


@pytest.mark.parametrize(
    "given_",
    [
        rule([(Q("*", "i", "s"), ">", 2**31 - 1), ("on", "=", True), ("gear", "!=", "R")]),
        rule([(Q("wrap", Q("+", "i", "i"), 32, True), "<", 0), ("i", ">", 0)]),
        rule([(Q("&", "i", 12), "=", 8), (Q("%", "i", 7), "=", 3)]),
        rule([(Q("-", "i", "s"), "=", -5), ("mode", "=", 2)]),
        rule([("d", "=", NAN), ("f", ">", 1e38)]),
        rule([(Q("<=", "b", Q("*", "f", 2.0)), "=", True), ("f", "<", 0)]),
        rule([(Q("rem", "i", "s"), "=", -3), (Q(">>", "i", 4), "<", -100)]),
        rule([(Q("int", "b"), "=", -7)]),
    ],
)
def test_a_model_fulfils_the_rule(given_: Rule) -> None:
    solver = z3.Solver()
    solver.set("timeout", PATIENCE * 1000)
    solver.from_string(given_.to_smtlib(SPACE))
    assert solver.check() == z3.sat
    model = solver.model()
    found = {symbol.name(): _value(model[symbol]) for symbol in model.decls() if symbol.name() in given_.fields}
    found |= {name: SPACE[name].values[0] for name in given_.fields if name not in found}
    assert all(SPACE[name].contains(found[name]) for name in given_.fields)
    assert given_.holds(found)


def _value(value: Any) -> Any:
    value = z3.simplify(value)
    if z3.is_int_value(value):
        return value.as_long()
    if z3.is_fp_value(value):
        if value.isNaN() or value.isInf():
            return NAN if value.isNaN() else -INF if value.isNegative() else INF
        return float(z3.simplify(z3.fpToReal(value)).as_fraction())
    return z3.is_true(value) if z3.is_bool(value) else value.as_string()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (rule([(Q("abs", "i"), ">", 4500)]), rule([("i", "<", -4500)], [("i", ">", 4500)]), True),
        (rule([(Q("abs", "i"), ">", 4500)]), rule([("i", "<", -4500)], [("i", ">", 4501)]), False),
        (rule([("i", ">", 3)]), rule([("i", ">=", 4)]), True),
        (rule([("d", ">", 3)]), rule([("d", ">=", 4)]), False),
        (rule([(Q("<", "d", "b"), "=", False)]), rule([(Q(">=", "d", "b"), "=", True)]), False),  # NaN
        (rule([(Q("<", "b", "i"), "=", False)]), rule([(Q(">=", "b", "i"), "=", True)]), True),
        (rule([(Q("&", "i", 7), "=", 5)]), rule([(Q("%", "i", 8), "=", 5)]), True),
        (rule([(Q("wrap", "i", 8, False), "=", 5)]), rule([(Q("%", "i", 256), "=", 5)]), True),
        (rule([("gear", "!=", "R")]), rule([("gear", "=", "N")], [("gear", "=", 'a"b')]), True),
    ],
)
def test_equivalence_is_proved(one: Rule, other: Rule, expected: bool) -> None:
    assert same(one, other) is expected


def test_the_negation_has_no_model_in_common() -> None:
    given_ = rule([(Q("*", "i", "s"), ">", 2**31 - 1), ("d", "<", 1)])
    solver = z3.Solver()
    solver.from_string(given_.to_smtlib(SPACE) + f"(assert (not {Script(SPACE).rule(given_.terms)}))")
    assert solver.check() == z3.unsat


def test_script() -> None:
    assert rule([("i", ">", -3), ("on", "=", True)]).to_smtlib(SPACE) == (
        "(declare-const i Int)\n"
        "(assert (and (<= (- 2147483648) i) (<= i 2147483647)))\n"
        "(declare-const on Bool)\n"
        "(assert (and (> i (- 3)) (= on true)))\n"
    )
    assert "(assert false)" in rule().to_smtlib(SPACE)
    assert rule([]).to_smtlib(SPACE) == "(assert true)\n"


@pytest.mark.parametrize(
    ("given_", "space", "expected"),
    [
        (rule([("x", ">", 1)]), SPACE, "'x'"),
        (rule([("x", "=", 1)]), Space({"x": Choice([1, "a"])}), "no sort"),
        (rule([(Q("%", "d", 3), "=", 1)]), SPACE, "cannot be written"),
        (rule([(Q("<<", "i", "l"), "=", 1)]), SPACE, "at most 64 different values"),
        (rule([("a|b", "=", 1)]), Space({"a|b": Int()}), "not allowed in SMT-LIB"),
    ],
)
def test_what_smtlib_cannot_say_is_refused(given_: Rule, space: Space, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        given_.to_smtlib(space)
