"""The C form of a rule, compiled, agrees with the rule on every configuration."""

from __future__ import annotations

import ctypes
import itertools
import math
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Quantity, Rule
from rootward.space.fields import Bool, Choice, Text
from rootward.space.numeric_fields import Float, Int
from rootward.space.space import Space
from tests.properties import examples
from tests.rules.expressions import quantity_atoms

NAN, INF = math.nan, math.inf
Q = Quantity
COMPILER = shutil.which("cc") or shutil.which("gcc")

SPACE = Space(
    {
        "i": Int(),
        "u": Int(bits=64, signed=False),
        "l": Int(bits=64),
        "s": Int(bits=8),
        "d": Float(),
        "f": Float(bits=32),
        "b": Float(-1000, 1000),
        "on": Bool(),
        "gear": Choice(["R", "N", 'a"b']),
        "mode": Choice([0, 1, 2]),
    }
)
TYPES: dict[str, tuple[str, Any]] = {
    "i": ("int32_t", ctypes.c_int32),
    "u": ("uint64_t", ctypes.c_uint64),
    "l": ("int64_t", ctypes.c_int64),
    "s": ("int8_t", ctypes.c_int8),
    "d": ("double", ctypes.c_double),
    "f": ("float", ctypes.c_float),
    "b": ("double", ctypes.c_double),
    "on": ("_Bool", ctypes.c_bool),
    "gear": ("const char *", ctypes.c_char_p),
    "mode": ("int", ctypes.c_int),
}
FLAGS = ["-O1", "-std=gnu11", "-ffp-contract=off", "-fno-fast-math", "-Wall", "-Werror", "-Wno-tautological-compare"]
FLAGS += ["-Wno-bool-compare", "-Wno-type-limits", "-Wno-unused-value", "-Wno-parentheses", "-Wno-div-by-zero"]


def compiled(expressions: list[str], folder: Path) -> list[Any]:
    """The expressions as functions of a configuration of the space."""
    arguments = ", ".join(f"{name} {field}" for field, (name, _) in TYPES.items())
    lines = [f"int rule{index}({arguments}) {{ return {text}; }}" for index, text in enumerate(expressions)]
    source, library = folder / "rules.c", folder / "rules.so"
    source.write_text("\n".join(["#include <math.h>", "#include <stdint.h>", "#include <string.h>", *lines, ""]))
    if not COMPILER:
        pytest.skip("there is no C compiler")
    command = [COMPILER, *FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = ctypes.CDLL(str(library))
    found = [getattr(loaded, f"rule{index}") for index in range(len(expressions))]
    for function in found:
        function.argtypes = [of for _, of in TYPES.values()]
    return found


def called(function: Any, configuration: dict[str, Any]) -> bool:
    held = [value.encode() if isinstance(value, str) else value for value in configuration.values()]
    return bool(function(*held))


def configurations(count: int) -> list[dict[str, Any]]:
    rng = random.Random(1)
    found = []
    for _ in range(count):
        found.append({name: rng.choice(SPACE[name].values) for name in SPACE.names})
        small = {"i": rng.randint(-9, 9), "u": rng.randint(0, 9), "l": rng.randint(-9, 9), "s": rng.randint(-9, 9)}
        real = {"d": rng.choice([0.5, -2.0, 3.0, rng.uniform(-9, 9)]), "b": rng.uniform(-9, 9), "f": 0.5}
        found.append({**found[-1], **small, **real})
    return found


NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.sampled_from([0.5, -2.0, 0.1, 3.0, NAN, INF, -INF, -0.0, 1e300, 2**31 - 1, 2**53 + 1, 2**63, 2**64, 10**400]),
)
atoms = quantity_atoms(["i", "u", "l", "s", "d", "f", "b", "mode"], NUMBERS)
plain = st.builds(Atom, st.sampled_from("iulsdfb"), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), NUMBERS)
rules = st.lists(st.lists(atoms | plain, min_size=1, max_size=2), min_size=1, max_size=2).map(Rule)


@pytest.mark.both
def test_generated_rules_agree(tmp_path: Path) -> None:
    said: list[tuple[Rule, str]] = []
    refused = 0

    @examples(150, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(rules)
    def collect(rule: Rule) -> None:
        nonlocal refused
        try:
            said.append((rule, rule.to_c(SPACE)))
        except InputError:
            refused += 1

    collect()
    assert len(said) > refused
    functions = compiled([text for _, text in said], tmp_path)
    rows = configurations(40)
    for (rule, text), function in zip(said, functions, strict=True):
        for row in rows:
            assert called(function, row) == rule.holds(row), (str(rule), text, row)


def rule(*conjunctions: list[tuple[str, str, object]]) -> Rule:
    return Rule([[Atom(*atom) for atom in atoms] for atoms in conjunctions])


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (rule(), "0"),
        (rule([]), "1"),
        (rule([("on", "=", True), ("i", ">", 4500)]), "i > 4500 && on"),
        (rule([("on", "=", False)], [("i", "!=", 3)]), "i != 3 || !on"),
        (rule([("gear", "=", "R")]), 'strcmp(gear, "R") == 0'),
        (rule([("gear", "=", 1)]), "0"),
        (rule([("i", ">", 2.5)]), "i >= 3"),
        (rule([("s", ">", 1000)]), "0"),
        (rule([("s", "<=", 1000)]), "1"),
        (rule([("d", "=", NAN)]), "isnan(d)"),
        (rule([("d", ">", 2**53 + 1)]), "d >= 9007199254740994.0"),
        (rule([(Q("abs", "i"), ">", 4500)]), "((int64_t)i < 0 ? -(int64_t)i : (int64_t)i) > 4500"),
        (rule([(Q("*", "i", "i"), ">", 2147483647)]), "((int64_t)i * (int64_t)i) > 2147483647"),
        (rule([(Q("*", "l", "i"), ">", 7)]), "((__int128)l * (__int128)i) > 7"),
        (rule([(Q("*", "d", 2), ">", 7)]), "(d * 2.0) > 7.0"),
        (rule([(Q("<=", "d", Q("*", "f", "b")), "=", True)]), "d <= ((double)f * b)"),
        (rule([(Q("wrap", Q("+", "i", "i"), 32, True), "<", 0)]), "(int64_t)(int32_t)((int64_t)i + (int64_t)i) < 0"),
    ],
)
def test_source(given_: Rule, expected: str) -> None:
    assert given_.to_c(SPACE) == expected


def test_examples_agree(tmp_path: Path) -> None:
    """What a property test reaches rarely: casts of floats, shifts, exact comparison of integers with floats,
    constants at the ends of types."""
    quantities = [
        *(Q("wrap", Q("int", "d"), 32, True), Q("wrap", Q("int", "d"), 16, False), Q("wrap", "l", 24, True)),
        *(Q("int", "b"), Q("int", "d"), Q(">>", "l", "mode"), Q("<<", "i", "mode"), Q(">>", "u", 3), Q("%", "l", 7)),
        *(
            Q("rem", "l", "s"),
            Q("rem", "d", "b"),
            Q("%", "d", 3),
            Q("min", "d", "b"),
            Q("max", "i", "s"),
            Q("sqrt", "u"),
        ),
        *(Q("len_str", "l"), Q("len_str", "u"), Q("len_str", "s"), Q("len_str", Q("int", "b"))),
        *(Q("/", "i", "s"), Q("&", "u", 2**40 - 1), Q("^", "l", "s"), Q("-", "l", "u")),
    ]
    made = [Rule([[Atom(q, op, c)]]) for q in quantities for op, c in itertools.product([">", "=", "!="], [0, 3, NAN])]
    made += [Rule([[Atom(Q(op, *pair), "=", True)]]) for op in ("<", ">=", "==", "!=") for pair in ("ld", "ud", "di")]
    ends = [-(2**63), -(2**31), 2**31, 2**63, 2**64]
    made += [Rule([[Atom(Q("+", "l", end), ">", end)]]) for end in ends]
    functions = compiled([one.to_c(SPACE) for one in made], tmp_path)
    rows = configurations(50)
    for one, function in zip(made, functions, strict=True):
        for row in rows:
            assert called(function, row) == one.holds(row), (str(one), one.to_c(SPACE), row)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (rule([(Q("*", Q("*", "l", "l"), "l"), ">", 1)]), "128 bits"),
        (rule([(Q("&", "d", 1), "=", 1)]), "needs integers"),
        (rule([(Q("/", "l", "u"), "=", 1)]), "not exact"),
        (rule([(Q("len_str", "d"), "=", 1)]), "needs integers"),
        (rule([("mode", "=", None)]), ""),
    ],
)
def test_what_c_cannot_say_is_refused(given_: Rule, expected: str) -> None:
    if not expected:
        assert given_.to_c(SPACE) == "0"
        return
    with pytest.raises(InputError, match=expected):
        given_.to_c(SPACE)


def test_names() -> None:
    assert rule([("max speed", ">", 1), ("int", "<", 2)]).to_c() == "_int < 2.0 && max_speed > 1.0"
    with pytest.raises(InputError, match="same name"):
        rule([("a b", ">", 1), ("a-b", "<", 2)]).to_c()
    with pytest.raises(InputError, match="cannot be written in C"):
        rule([("x", "=", None)]).to_c()
    with pytest.raises(InputError, match="cannot be written in C"):
        rule([("x", "=", 1)]).to_c(Space({"x": Choice([1, "a"])}))
    assert rule([("t", "<", "b")]).to_c(Space({"t": Text()})) == 'strcmp(t, "b") < 0'
