"""Patterns as people read them: what a model says in regular expressions is said in blanks.

``res * ECUReset <payload=(?P<sub_hex>[0-7][0-9A-F])(?P<data>(?:[0-9A-F]{2})*)>`` is ``res ECUReset <sub>...``.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"<(?P<name>[A-Za-z_]\w*)=(?P<regex>(?:\(\?P<\w+>|[^<>]|<(?![a-z_]+=))*)>")
_WHOLE = re.compile(r"/(?P<regex>(?:req|res|err) [^/]*)/")
_ANYONE = re.compile(r"\b(?P<kind>req|res|err) (?:\*|\\S\+|<ecu>|\(\?!functional\\b\)\\S\+)(?= )")
_ANY_BYTES = "(?:[0-9A-F]{2})*"
_LONG_VALUE = 80


def readable(text: str, ecu: str = "") -> str:
    """A text with its patterns made plain. ``ecu``: who is meant where any ECU would do."""
    text = _WHOLE.sub(lambda found: _plain(found["regex"]) or found[0], text)
    text = _WORD.sub(lambda found: _plain(found["regex"]) or f"<{found['name']}>", text)
    who = f" {ecu}" if ecu else ""
    text = _ANYONE.sub(lambda found: found["kind"] + who, text.replace("|functional)", ")"))
    text = re.sub(r"\((\w+)\)(?= )", r"\1", text)
    text = re.sub(r"\(((?:\w+\|){2})(?:\w+\|)+\w+\)", r"(\1…)", text)
    text = re.sub(r" if \w+\.wait <= (\S+ \w+)$", r" within \1", text)
    return _filled(text)


def _plain(regex: str) -> str:
    """A regular expression in blanks; empty if that cannot be said."""
    regex = regex.replace(r"\S+", "*").replace("(?!functional\\b)*", "*")
    found = re.fullmatch(r"(?P<first>[^()]*)\(\?: (?P<rest>.*)\)\?", regex)
    if found:  # a word that may be missing
        regex = f"{found['first']} {found['rest']}"
    plain = regex.replace(f"(?P<data>{_ANY_BYTES})", "<data>").replace("(?P<data>)", "")
    plain = re.sub(r"\(\?:(\w+)\|\w+\)", r"\1", plain)
    plain = re.sub(r"\(\?P<(\w+?)(?:_hex)?>[^()]*(?:\(\?![^()]*\)[^()]*)?\)", r"<\1>", plain)
    return "" if re.search(r"[][()\\^$+?{}]", plain) else plain


def _filled(text: str) -> str:
    """With the value that a blank has to have; a blank of which nothing more is said is the rest."""
    found = re.fullmatch(r"(?P<event>.*?) if \$(?P<name>\w+) = (?P<var>\S+) \((?P=var) is (?P<value>\S*)\)", text)
    if found and f"<{found['name']}>" in found["event"] and len(found["value"]) <= _LONG_VALUE:
        return f"{found['event'].replace('<' + found['name'] + '>', found['value'])} (the value of {found['var']})"
    if "$data" not in text:
        text = text.replace("<data>", "...")
    return text
