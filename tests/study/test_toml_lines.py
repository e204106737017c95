"""Where a key stands in a TOML text."""

import tomllib
from pathlib import Path

import pytest

from rootward.study.mistakes import key_lines, line_of

TEXT = '''\
# a comment with "quotes" and [brackets]
name = "x" # another = 1
a.b.c = 1

[table]
"quoted key" = 1
'literal.key' = 2
"tab\\tkey" = 3
long = """
not = "a key"
[nor a table]
""" # after
raw = \'\'\'
also = not\'\'\'
list = [
  1,  # one = 1
  [2, 3],
  { x = 4,
    "y" = 5 },
]
inline = { p = { q = 6 }, r = [7] }
empty = []
none = {}
date = 1979-05-27 07:32:00
[ table . "sub table" ]
z = 1
[[array]]
k = 1
[[array]]
k = 2
[array.inner]
m = 3
[[array.deep]]
n = 4
[[array.deep]]
n = 5
'''.replace("{ x = 4,\n    ", "{ x = 4, ")  # tomllib takes no line breaks within an inline table


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (["name"], 2),
        (["a"], 3),
        (["a", "b", "c"], 3),
        (["table"], 5),
        (["table", "quoted key"], 6),
        (["table", "literal.key"], 7),
        (["table", "tab\tkey"], 8),
        (["table", "long"], 9),
        (["table", "raw"], 13),
        (["table", "list"], 15),
        (["table", "list", 0], 16),
        (["table", "list", 1, 1], 17),
        (["table", "list", 2, "y"], 18),
        (["table", "inline", "p", "q"], 20),
        (["table", "inline", "r", 0], 20),
        (["table", "date"], 23),
        (["table", "sub table"], 24),
        (["table", "sub table", "z"], 25),
        (["array"], 26),
        (["array", 0, "k"], 27),
        (["array", 1], 28),
        (["array", 1, "k"], 29),
        (["array", 1, "inner", "m"], 31),
        (["array", 1, "deep", 0, "n"], 33),
        (["array", 1, "deep", 1, "n"], 35),
    ],
)
def test_the_line_of_a_key(path, line):
    tomllib.loads(TEXT)
    assert line_of(key_lines(TEXT), path) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (["table", "missing"], 5),
        (["table", "inline", "p", "missing"], 20),
        (["array", 1, "x", 3], 28),
        (["none"], 1),
        ([], 1),
    ],
)
def test_what_is_not_there_is_said_to_be_in_the_table_around_it(path, line):
    assert line_of(key_lines(TEXT), path) == line


def paths(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in pairs:
        yield from paths(item, (*path, name))


@pytest.mark.parametrize(
    "text",
    [TEXT, TEXT.replace("\n", "\r\n"), (Path(__file__).parents[2] / "pyproject.toml").read_text(), "", "a=1", "a=''"],
    ids=["all syntax", "CRLF", "pyproject", "empty", "one key", "empty text"],
)
def test_every_key_is_found_on_a_line_that_holds_it(text):
    found, rows = key_lines(text), text.splitlines()
    for path in paths(tomllib.loads(text)):
        if path:
            line = rows[found[path] - 1]
            assert isinstance(path[-1], int) or path[-1] in line or "\\t" in line
