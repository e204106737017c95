"""Predicates about texts, and the equality of two fields: evaluated, written, exported, read back."""

from __future__ import annotations

import datetime
import json
import pickle
import re
import unicodedata
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Quantity, Rule
from rootward.rules.predicates import (
    ALPHABET,
    CLASSES,
    EXAMPLES,
    SETS,
    SHAPES,
    TextConstant,
    describe_characters,
    describe_order,
    pattern_of,
    set_pattern,
)
from rootward.space.space import Choice, Int, Space, Text

SPACE = Space({"s": Text(), "t": Text(), "n": Int(), "u": Choice(["a", "b", "//"])})


def about(op: str, constant: str) -> Quantity:
    return Quantity(op, "s", TextConstant(constant))


PARTS = st.text("ab/0.-1 é\n", max_size=3)
PREDICATES = st.one_of(
    st.builds(about, st.sampled_from(["contains", "starts", "ends"]), PARTS.filter(bool)),
    st.builds(about, st.just("any"), st.sampled_from(["ab", "/]-^", "0\u00e9"])),
    st.builds(about, st.sampled_from(["has", "made"]), st.sampled_from(sorted(CLASSES))),
    st.just(about("has", "line breaks before the end")),
    st.builds(about, st.just("shaped"), st.sampled_from(sorted(SHAPES))),
    st.builds(
        about, st.sampled_from(SETS), st.sets(st.sampled_from('ab-0 \n\u00e9"]^'), min_size=1).map(describe_characters)
    ),
    st.builds(about, st.sampled_from(SETS), st.sampled_from(['letters and "_"', "digits, non-ASCII characters"])),
    st.builds(about, st.just("folded"), st.sampled_from(["a", "ab.", "a0", "\u00e9b"])),
    st.builds(
        about, st.just("later"), st.builds(describe_order, PARTS.filter(bool), PARTS.filter(bool), apart=st.booleans())
    ),
    st.just(Quantity("same", "s", "t")),
    st.just(Quantity("same", "s", "u")),
)
LENGTHS = st.builds(
    Atom, st.just(Quantity("len", "s")), st.sampled_from(["=", "!=", "<", ">="]), st.sampled_from([0, 1, 3])
)
ATOMS = st.builds(Atom, PREDICATES, st.sampled_from(["=", "!="]), st.booleans()) | LENGTHS
TEXTS = PARTS | st.sampled_from(["2001-02-30", "12", "1.5", "-1e9", "AB", "a b", "//", "12:30"])
CONFIGURATIONS = st.fixed_dictionaries(
    {
        "s": TEXTS | st.sampled_from([None, 1, True]),
        "t": TEXTS,
        "n": st.integers(0, 3),
        "u": st.sampled_from(["a", "//"]),
    }
)


@pytest.mark.parametrize(
    ("quantity", "holds", "not_holds"),
    [
        (about("contains", "//"), ["//", "a//b"], ["", "/", "a/b/", None, 7]),
        (about("starts", "0"), ["0", "01"], ["10", ""]),
        (about("ends", ".."), ["a.."], ["..a", "."]),
        (about("any", "[/]"), ["a[", "/", "]x"], ["", "a", "^"]),
        (about("other", 'letters, digits and "-_"'), ["a b", "é", "."], ["", "a-b_1"]),
        (about("inner", 'letters and "_"'), ["a b", "1\n", "a\n\n"], ["", "\n", "a_\n"]),
        (about("shaped", "a date with an optional final line feed"), ["2001-02-30\n"], ["2001-02-30\n\n", "\n"]),
        (about("first", 'letters and "_"'), ["a1", "_"], ["", "1a", "-a", "éa"]),
        (about("last", '"\\n."'), ["a.", "\n"], ["", "a", ".a", ".\n "]),
        (about("folded", "max-age"), ["max-age", "Max-Age"], ["", "maxage", "max-age "]),
        (about("later", '"[" and later "]"'), ["[]", "a[b\n]c", "][]"], ["", "][", "[", "]"]),
        (about("later", '"<!" and later, not right after it, "!>"'), ["<!a!>", "<!!>!>"], ["<!!>", "<!>", "!><!"]),
        (about("later", '"a" and later "b"'), ["a" * 1_000_000 + "b"], ["a" * 1_000_000]),  # no square of the length
        (about("shaped", "a decimal number"), ["-1", "+.5", "1.5"], ["1.", "1e5", ".", "\u0663"]),
        (about("shaped", "a decimal number in any script"), ["-1", "1.\u0663"], ["1.", "1e5", "."]),
        (about("has", "digits"), ["a1"], ["a", "", "é"]),
        (about("has", "characters beyond Latin-1"), ["Ж", "a中"], ["é", "a"]),
        (about("has", "characters beyond U+FFFF"), ["😀"], ["中"]),
        (
            about("shaped", "a number, infinity or NaN with optional spaces"),
            [" 1.5 ", "-inf", "nan", "Infinity"],
            ["x"],
        ),
        (about("has", "non-ASCII characters"), ["é", "a中"], ["a", "\x7f"]),
        (about("has", "control characters"), ["\x1b", "a\x80"], ["a b"]),
        (about("made", "digits"), ["1", "12"], ["", "1a", "1\n"]),
        (about("made", "punctuation"), ["!~", "[`{"], ["a!", " "]),
        (about("shaped", "a date"), ["2001-02-30"], ["2001-2-3", "2001-02-30 ", "2001-02-30\n"]),
        (about("shaped", "a date that does not exist"), ["2001-02-30", "0000-01-01"], ["2001-02-28", "2001-2-30", "x"]),
        (about("shaped", "an integer"), ["-12", "+0"], ["1.0", "", "-"]),
        (about("shaped", "a number"), ["1", "1.", ".5", "1e9", "-1.5E-3"], [".", "1e", "NaN", "1 "]),
        (about("shaped", "a JSON number"), ["0", "-1.5e3", "10"], ["01", "1.", ".5", "+1"]),
        (about("shaped", "a time"), ["12:30", "12:30:59"], ["1:30", "12:30:"]),
    ],
)
def test_it_holds_for_these_texts_only(quantity: Quantity, holds: list[Any], not_holds: list[Any]) -> None:
    atom = Atom(quantity, "=", True)
    assert [value for value in [*holds, *not_holds] if atom.holds({"s": value})] == holds


def test_two_fields_are_the_same_if_type_and_value_are() -> None:
    rule = Rule([[Atom(Quantity("same", "a", "b"), "=", True)]])
    assert str(rule) == "a = b"
    assert rule.holds({"a": "x", "b": "x"})
    assert not rule.holds({"a": 1, "b": True})
    assert not rule.holds({"a": "x", "b": "y"})
    assert str(rule.complement()) == "a != b"


@pytest.mark.parametrize(
    ("atom", "text"),
    [
        (Atom(about("contains", "//"), "=", True), 's contains "//"'),
        (Atom(about("contains", "//"), "=", False), 's does not contain "//"'),
        (Atom(about("starts", "0"), "!=", False), 's starts with "0"'),
        (Atom(about("made", "digits"), "=", True), "s consists of digits"),
        (Atom(about("has", "spaces"), "=", False), "s has no spaces"),
        (Atom(about("shaped", "a date"), "=", True), "s has the shape of a date"),
        (Atom(about("other", 'letters and "_"'), "=", True), 's has a character other than letters and "_"'),
        (Atom(about("first", "digits"), "=", False), "s does not start with one of digits"),
        (Atom(about("later", '"[" and later "]"'), "=", True), 's has "[" and later "]"'),
        (Atom(about("later", '"[" and later "]"'), "=", False), 's does not have "[" and later "]"'),
        (Atom(Quantity("len", "s"), ">", 31), "len(s) > 31"),
        (Atom(Quantity("same", "s", "t"), "=", False), "s != t"),
    ],
)
def test_it_reads_like_a_sentence(atom: Atom, text: str) -> None:
    assert str(atom) == text


@given(ATOMS, CONFIGURATIONS)
def test_the_python_form_agrees(atom: Atom, configuration: dict[str, Any]) -> None:
    rule = Rule([[atom]])
    assert bool(eval(rule.to_python(), {"re": re, "c": configuration})) is rule.holds(configuration)
    assert rule.holds_many([configuration]).tolist() == [rule.holds(configuration)]
    names: dict[str, Any] = {}
    exec(rule.to_python_function(), names)
    assert names["fails"](configuration) is rule.holds(configuration)


@given(ATOMS, CONFIGURATIONS)
def test_json_and_pickle_keep_the_meaning(atom: Atom, configuration: dict[str, Any]) -> None:
    rule = Rule([[atom]])
    assert Rule.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule
    assert pickle.loads(pickle.dumps(rule)) == rule


@given(st.lists(ATOMS, min_size=1, max_size=3), CONFIGURATIONS)
def test_simplifying_keeps_the_meaning(atoms: list[Atom], configuration: dict[str, Any]) -> None:
    rule = Rule([[atom] for atom in atoms])
    assert rule.condense().holds(configuration) is rule.holds(configuration)
    if isinstance(configuration["s"], str):
        assert rule.condense(SPACE).holds(configuration) is rule.holds(configuration)


@given(ATOMS, TEXTS)
def test_the_smtlib_form_agrees(atom: Atom, text: str) -> None:
    configuration = {"s": text, "t": "//", "u": "//", "n": 0}
    rule = Rule([[atom]])
    solver = z3.Solver()
    solver.from_string(rule.to_smtlib(SPACE))
    escaped = "".join(char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}" for char in text)
    solver.add(z3.String("s") == z3.StringVal(escaped))
    for name in ("t", "u"):
        solver.add(z3.String(name) == z3.StringVal("//"))
    assert (solver.check() == z3.sat) is rule.holds(configuration)


def test_c_writes_parts_of_texts_and_equal_fields() -> None:
    parts = Rule([[Atom(about("contains", "//"), "=", True), Atom(about("starts", "a"), "=", False)]])
    assert parts.to_c(SPACE) == 'strstr(s, "//") != NULL && !(strncmp(s, "a", 1) == 0)'
    assert Rule([[Atom(Quantity("same", "s", "u"), "=", True)]]).to_c(SPACE) == "strcmp(s, u) == 0"


@pytest.mark.parametrize("quantity", [Quantity("len", "s"), about("has", "digits"), about("shaped", "a date")])
def test_c_refuses_the_rest(quantity: Quantity) -> None:
    atom = Atom(quantity, "=", quantity.is_comparison or 3)
    with pytest.raises(InputError, match="cannot be written in C"):
        Rule([[atom]]).to_c(SPACE)


@pytest.mark.parametrize(
    ("op", "parts", "message"),
    [
        ("contains", ("s", "t"), "needs a TextConstant"),
        ("has", ("s", TextConstant("vowels")), "expected one of digits"),
        ("other", ("s", TextConstant("vowels")), "not a set of characters"),
        ("first", ("s", TextConstant('letters, "')), "not a set of characters"),
        ("later", ("s", TextConstant("brackets")), "not two parts in order"),
        ("later", ("s", TextConstant('"[" and later "]" or ")"')), "not two parts in order"),
        ("later", ("s", TextConstant('"[" and later 1')), "not two parts in order"),
        ("same", ("s", TextConstant("t")), "compares two fields"),
        ("starts", (1, TextConstant("t")), "is about a field"),
    ],
)
def test_wrong_parts_are_refused(op: str, parts: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Quantity(op, *parts)


def test_examples_belong_to_their_class_only() -> None:
    for name, members in EXAMPLES.items():
        for char in members:
            others = [other for other in EXAMPLES if re.fullmatch(pattern_of("has", other).python, char)]
            assert others == [name]


def test_digits_of_any_form_are_those_of_isdigit() -> None:
    pattern = re.compile(pattern_of("has", "digits of any script or form").python)
    known = [char for char in map(chr, range(0x11000)) if unicodedata.category(char) != "Cn"]
    assert [char for char in known if pattern.fullmatch(char)] == [char for char in known if char.isdigit()]


@given(st.sets(st.sampled_from(ALPHABET), min_size=1))
def test_a_set_of_characters_is_described_exactly(members: set[str]) -> None:
    pattern = set_pattern(describe_characters(members)).python
    assert {char for char in ALPHABET if re.fullmatch(pattern, char)} == members


def test_a_set_of_characters_is_described_as_a_person_would() -> None:
    assert describe_characters("abcdefghijklmnopqrstuvwxyz_") == 'lower-case letters and "_"'
    name = [char for char in ALPHABET if char.isascii() and (char.isalnum() or char in "-._")]
    assert describe_characters(name) == 'letters, digits and "-._"'
    assert describe_characters("\t\n") == '"\\t\\n"'


NUMBERS = st.text("0123456789+-._eEinfa \t\n\x1c\x85\xa0\u0663\u2028\U0001d7ce", max_size=6)


@given(NUMBERS)
def test_the_numbers_of_python_are_what_python_reads(text: str) -> None:
    for name, read in (("a Python int", int), ("a Python float", float)):
        try:
            read(text)
        except ValueError:
            is_read = False
        else:
            is_read = True
        assert Atom(about("shaped", name), "=", True).holds({"s": text}) is is_read


@given(st.text("a\n\r\x0b\x1c\x1f\x85\u2028\u2029", max_size=6))
def test_a_text_with_line_breaks_before_the_end_has_several_lines(text: str) -> None:
    assert Atom(about("has", "line breaks before the end"), "=", True).holds({"s": text}) is (
        len(text.splitlines()) > 1
    )
    assert Atom(about("has", "line breaks"), "=", True).holds({"s": text}) is (len(f"{text}a".splitlines()) > 1)


@given(st.from_regex(r"[0-9]{2}([0-9]{2}|00)-[01][0-9]-[0-3][0-9]", fullmatch=True))
def test_a_day_of_the_calendar_exists(text: str) -> None:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        exists = False
    else:
        exists = True
    assert Atom(about("shaped", "a day of the calendar"), "=", True).holds({"s": text}) is exists
    assert Atom(about("shaped", "a date that does not exist"), "=", True).holds({"s": text}) is not exists
