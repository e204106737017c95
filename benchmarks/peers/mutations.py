"""Mutations of files, as a fuzzer makes them: random damage, and what is odd in places where it is read.

Every mutation takes a source of random choices, a file and other files of its kind, and returns a changed file.
``mutate`` applies one or several of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

MAX_BYTES = 1 << 20
"""Maximum size of a mutated file."""

ODD_NUMBERS = [
    "0", "-0", "-1", "1.5", "1e308", "1e999", "-1e999", "1e-400", "nan", "NaN", "inf", "-Infinity", "2147483648",
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "0x7fffffffffffffff", "1_000", "٣",
    "1" + "0" * 300, "9" * 5000, "-" + "9" * 5000, "0." + "3" * 5000, "1e", "0b2", "65536", "1000000", "100000000000",
]  # fmt: skip
ODD_VALUES = [
    *ODD_NUMBERS, '""', "''", "null", "true", "false", "[]", "{}", "[[]]", "[1, [2, [3]]]", '{"a": 1}', "{ a = 1 }",
    '[""]', '["a", 1, null]', '"\\u0000"', '"\\ud800"', '"\ufffe"', '"' + "x" * 10_000 + '"', '"' + "a b" * 300 + '"',
    "2020-01-01", "2020-13-45T99:99:99Z", '"{config}"', '"{file}"', '"{}"', '"${HOME}"', '"%s%n%d"', '"<b>&amp;</b>"',
    "'\"'", '"/dev/zero"', '"."', '"(a+)+$"', '"[a-z"', '"*"', '"**/*"', "!!python/name:os.system", "&a [*a]", "- -",
    "a: b: c", '"a.b[0]"', '"🙂"', '"é"', '"\\n"', '"1 < x"', '"x * x * x"', '"x ** 99999999"', '"-"',
]  # fmt: skip
ODD_BYTES = [
    b"\0", b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"\x1b[31m", b"\r", b"\n", b"\x0b", b"\x0c", b"\xe2\x80\xae", b"\t",
    b"\xef\xbb\xbf", b"\xc0\x80", b"\x85", b"\xe2\x80\xa8", b"\xf4\x90\x80\x80", b'"', b"'", b"\\", b"<", b"&", b"]]>",
    b"{", b"}", b"[", b"]", b",", b";", b":", b"=", b"#", b"%", b"$(", b"`", b"*", b"&x;", b"<!--", b"\x7f", b"-",
]  # fmt: skip
NESTS = [("[", "]"), ('{"a":', "}"), ("<a>", "</a>"), ("(", ")"), ("- ", ""), ("-", ""), ("not ", ""), ("a.", "")]
DEPTHS = (10, 200, 1000, 5000, 100_000)

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_VALUE = re.compile(
    rb"(?<=[=:,\[(>])[ \t]{0,9}(\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[\w.+-]+|\[[^\n\]]{0,300}\]|\{[^\n}]{0,300}\})"
)
_WORD = re.compile(rb"[A-Za-z_][\w-]*")

Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]


def mutate(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Apply one mutation, sometimes several."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 5))):
        data = chance.choice(MUTATIONS)(chance, data, others)[:MAX_BYTES]
    return data


# Damage


def flip_bits(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(chance.choice((1, 1, 2, 5, 30))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def delete_chunk(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _chunk(chance, data)
    return data[:start] + data[end:]


def duplicate_chunk(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _chunk(chance, data)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 10, 300)) + data[end:]


def splice(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = chance.choice(others) if others else data
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def insert_odd_bytes(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(ODD_BYTES) * chance.choice((1, 1, 1, 2, 70)) + data[place:]


def _chunk(chance: Random, data: bytes) -> tuple[int, int]:
    """Return the start and the end of a chunk: of any bytes, or of whole lines."""
    if chance.random() < 0.5:
        start = chance.randrange(len(data) + 1)
        return start, min(len(data), start + chance.choice((1, 4, 30, 200, 3000)))
    ends = [0, *(found.end() for found in re.finditer(rb"\n", data)), len(data)]
    first = chance.randrange(len(ends))
    return ends[first], ends[min(len(ends) - 1, first + chance.choice((1, 1, 3, 10)))]


# Oddities where they are read


def change_number(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    return _replace(chance, data, _NUMBER, 0, chance.choice(ODD_NUMBERS).encode())


def nudge_number(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change a number a little, so that more of the program runs before it is noticed, if it is."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return flip_bits(chance, data, others)
    old = chance.choice(found)
    value = float(old[0][:300])
    new = chance.choice((value + 1, value - 1, -value, value * 10, value / 7, value + 0.5))
    text = repr(int(new)) if new.is_integer() and abs(new) < 1e15 else repr(new)
    return data[: old.start()] + text.encode() + data[old.end() :]


def change_value(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    return _replace(chance, data, _VALUE, 1, chance.choice(ODD_VALUES).encode("utf-8", "surrogatepass"))


def swap_values(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put a value of this file, or of another one, in the place of a value: often one of another type."""
    values = _VALUE.findall(chance.choice([data, *others]))
    return _replace(chance, data, _VALUE, 1, chance.choice(values)) if values else data


def change_word(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    words = _WORD.findall(chance.choice([data, *others]))
    return _replace(chance, data, _WORD, 0, chance.choice(words)) if words else data


def nest(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    (opening, closing), depth = chance.choice(NESTS), chance.choice(DEPTHS)
    nested = (opening * depth + "1" + closing * (depth if chance.random() < 0.7 else 0)).encode()
    if chance.random() < 0.3:
        return nested
    return _replace(chance, data, _VALUE, 1, nested)


def lengthen_line(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    long = chance.choice((b"x", b" ", b"1,", b"a b ", b"\xc3\xa9", b'"a",')) * chance.choice((2000, 60_000))
    return _replace(chance, data, _WORD, 0, long)


def encode(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    name = chance.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp037", "utf-7"))
    return text.replace("e", "é", 3).encode(name, "replace")


def change_line_ends(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\0\n", b"\n\n", b"", b"\xe2\x80\xa8")))


def change_tree(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change a node of a JSON document: remove it, replace it, or wrap it. Another file gets an odd value instead."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return change_value(chance, data, others)
    return json.dumps(changed_tree(chance, tree)).encode()


def changed_tree(chance: Random, tree: Any) -> Any:
    """Return plain data with one node changed, somewhere below its root."""
    holder = tree
    while isinstance(holder, dict | list):
        keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return odd_data(chance)
        key = chance.choice(keys)
        if isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.8:
            holder = holder[key]
            continue
        what = chance.randrange(5)
        if what == 0:
            del holder[key]
        elif what == 1:
            holder[key] = [holder[key]] if chance.random() < 0.5 else {"": holder[key]}
        elif what == 2 and isinstance(holder, dict):
            holder[chance.choice(["", "\0", "a.b[0]", "é" * 300, "__class__"])] = holder.pop(key)
        else:
            holder[key] = odd_data(chance)
        return tree
    return odd_data(chance)


def odd_data(chance: Random) -> Any:
    """Return a value of JSON that few expect."""
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    return chance.choice(
        [None, True, 0, -1, 2**63, 10**400, 1.5, 1e308, float("nan"), float("inf"), "", "\0", "\ud800", "x" * 10_000,
         "\x1b[2J", "<script>", [], {}, [[]], {"": None}, [None, {}], deep, "2020-01-01", "nan", "1e999"]
    )  # fmt: skip


def _replace(chance: Random, data: bytes, pattern: re.Pattern[bytes], group: int, new: bytes) -> bytes:
    """Replace one match of the pattern. A file without one gets the new bytes somewhere."""
    found = list(pattern.finditer(data))
    if not found:
        place = chance.randrange(len(data) + 1)
        return data[:place] + new + data[place:]
    start, end = chance.choice(found).span(group)
    return data[:start] + new + data[end:]


MUTATIONS: list[Mutation] = [
    flip_bits, cut, delete_chunk, delete_chunk, duplicate_chunk, splice, insert_odd_bytes, change_number, change_number,
    nudge_number, nudge_number, nudge_number, change_value, change_value, change_value, swap_values, swap_values,
    change_word, nest, lengthen_line, encode, change_line_ends, change_tree, change_tree,
]  # fmt: skip
