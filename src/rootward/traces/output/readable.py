"""Patterns as people read them: what a model says in regular expressions is said in blanks.

``res * ECUReset <payload=(?P<sub_hex>[0-7][0-9A-F])(?P<data>(?:[0-9A-F]{2})*)>`` is ``res ECUReset <sub>...``.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"<(?P<name>[A-Za-z_]\w*)=(?P<regex>(?:\(\?P<\w+>|[^<>]|<(?![a-z_]+=))*)>")
_WHOLE = re.compile(r"/(?P<regex>(?:req|res|err) [^/]*)/")
_ANYONE = re.compile(r"\b(?P<kind>req|res|err) (?:\*|\\S\+|<ecu>|\(\?!functional\\b\)\\S\+)(?= )")
_INSTEAD = re.compile(r"answered '(?P<one>[^']*)' instead of '(?P<other>[^']*)'")
_OWED = re.compile(r"(?:(?P<what>.*) )?(?P<answer>positive|NRC [0-9A-F]{2})(?: #\d+)?(?: pending)?")
_ASKED = {"sub": "sub-function", "did": "identifier", "data": "data"}
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
    return _own(_filled(text))


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


def _own(text: str) -> str:
    """Without the names that only the compiler of UDS models gives."""
    text = _INSTEAD.sub(_instead, text)
    text = re.sub(r"\btimer (\w+) did not restart \1\.time\b", r"timer \1 did not restart", text)
    text = re.sub(r"^(\w+)\.time: restarted by timer \1\b", r"timer \1: restarted", text)
    text = re.sub(r"^([\w ]+)\.wait: restarted by \1(?=$| )", r"the time that \1 takes: restarted", text)
    text = text.replace("other services.asked", "the service that was asked for")
    text = re.sub(r"\b([A-Z]\w+)\.(sub|did|data)\b", lambda found: f"the {_ASKED[found[2]]} of the {found[1]}", text)
    return re.sub(r"\$(\w+)", lambda found: f"<{found[1]}>" if f"<{found[1]}" in text else found[1], text)


def _instead(found: re.Match[str]) -> str:
    one, other = _owed(found["one"]), _owed(found["other"])
    return f"gave {one} instead of {other}" if one and other else found[0]


def _owed(location: str) -> str:
    """The answer that is owed in a location of a service; empty if this is none."""
    if location in ("idle", "suppressed", "announced"):
        return "an answer" if location == "announced" else "none"
    if location.removesuffix(" pending") in ("several", "too short"):
        return f"the answer to a request {'for several' if location[0] == 's' else 'that is too short'}"
    found = _OWED.fullmatch(location)
    if found is None:
        return ""
    answer = "a positive answer" if found["answer"] == "positive" else found["answer"]
    return f"{answer} ({found['what']})" if found["what"] else answer


def _filled(text: str) -> str:
    """With the value that a blank has to have; a blank of which nothing more is said is the rest."""
    found = re.fullmatch(
        r"(?P<event>.*?) if \$(?P<name>\w+) = (?P<var>(?:other )?\S+) \((?P=var) is (?P<value>\S*)\)", text
    )
    if found and f"<{found['name']}>" in found["event"] and len(found["value"]) <= _LONG_VALUE:
        return f"{found['event'].replace('<' + found['name'] + '>', found['value'])} (the value of {found['var']})"
    if "$data" not in text:
        text = text.replace("<data>", "...")
    return text
