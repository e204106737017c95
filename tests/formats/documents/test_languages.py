"""The language of a file is recognised by its content first, and by the ending of its name second."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.documents.languages import recognise
from tests.properties import examples

GEO = b'{"type": "FeatureCollection", "features": []}'
DEEP = b"<!-- one -->\n" * 60


@pytest.mark.parametrize(
    ("name", "data", "language"),
    [
        # JSON under any ending that says nothing else
        ("cities.geojson", GEO, "json"),
        ("cities", GEO, "json"),
        ("cities.map", b"\n  " + GEO, "json"),
        ("cities.yaml", GEO, "json"),
        ("a", b"\xef\xbb\xbf[1, 2]", "json"),
        ("a", b'// why\n/* and\n how */ {\n // key\n "a": 1}', "json"),
        ("settings.json", b"// only a comment", "json"),
        ("empty.json", b"", "json"),
        # ... but not what only looks like it
        ("a.ini", b"[section]\nkey = 1\n", "ini"),
        ("a", b"[section]\nkey = 1\n", "text"),
        ("a.cfg", b"[1]\nkey = 1\n", "ini"),
        ("a.toml", b"[table]\nkey = 1\n", "toml"),
        ("a.py", b"[1, 2, 3]\n", "python"),
        ("a.js", b'{"a": 1}', "javascript"),
        ("a.c", b"{ int x; }", "c"),
        # Markup
        ("a.xml", b"<!DOCTYPE html>\n<p>", "html"),
        ("page", b"<html lang=en>", "html"),
        ("page", b" <!-- one -->\n<!-- two --> <!doctype HTML>", "html"),
        ("a.html", b"<p>part of a page", "html"),
        ("a", b'<?xml version="1.0"?><a/>', "xml"),
        ("a.svg", b"<svg xmlns='x'/>", "xml"),
        ("picture", b"<!-- drawn -->\n<svg>", "xml"),
        ("a.world", b"<sdf version='1.6'>", "xml"),
        ("robot.txt", b"<robot name='r'>", "xml"),
        # Programs by their first line
        ("run", b"#!/bin/sh\necho\n", "bash"),
        ("run", b"#!/usr/bin/env python3\nprint()\n", "python"),
        ("run", b"#!/usr/bin/python3.11 -u\nprint()\n", "python"),
        ("run.txt", b"#!/usr/bin/env node\n", "javascript"),
        ("run.py", b"#!/usr/bin/env unknown\n", "python"),
        # By the ending
        ("A.PY", b"x = 1", "python"),
        ("src.d/a.c", b"int x;", "c"),
        ("src.c/a", b"int x;", "text"),
        ("Makefile", b"all:\n", "make"),
        ("Dockerfile", b"FROM x\n", "dockerfile"),
        ("a.csv", b"a,b\n", "csv"),
        ("a.unknown", b"words\n", "text"),
        ("", b"", "text"),
        # Not text
        ("a.py", b"x\0y", "bytes"),
        ("a.json", bytes(range(1, 256)), "bytes"),
        ("a.png", b"\x89PNG\r\n\x1a\n\xff", "bytes"),
        ("latin.txt", b"first some words, then gr\xfc\xdfe, then more words" * 3, "text"),
        # Many comments before something else
        ("a.html", DEEP + b"<p>", "html"),
        ("a.txt", DEEP + b"<p>", "text"),
        ("a", DEEP + b"<svg>", "xml"),
        ("a.c", b"/* line */\n" * 60 + b"int x;", "c"),
    ],
)
def test_the_language_is_recognised(name: str, data: bytes, language: str) -> None:
    assert recognise(name, data) == language


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@examples(100)
@given(VALUES.filter(lambda value: isinstance(value, list | dict)), st.sampled_from([None, 2]), st.booleans())
def test_objects_and_lists_are_json_under_any_unknown_ending(value: object, indent: int | None, ascii: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii).encode("utf-8", "replace")
    for name in ("a", "a.unknown", "a.geojson", "a.yaml"):
        assert recognise(name, data) == "json"


@examples(100)
@given(st.text(max_size=8), st.binary(max_size=40))
def test_any_bytes_have_a_language(name: str, data: bytes) -> None:
    language = recognise(name, data)
    assert (language == "bytes") >= (b"\0" in data)
    assert recognise(name, b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf")) == language
