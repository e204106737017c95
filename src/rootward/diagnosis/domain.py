"""Values from the user's world: those that the error text, the inputs that should work, or the source mention.

A condition in code compares with values that occur in its domain: a message says "more than 65500", a table in the
source lists the reserved addresses. No random run meets such a value, so a claim is also challenged with them
(``challenges``). Reading them costs no runs. Nothing is parsed beyond numbers and quoted texts, so it works for any
language; a value that means nothing only costs a run.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rootward.study import Study
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function
from rootward.verdict import Outcome

MAX_SOURCE = 200_000
"""Maximum number of bytes of a source file that is read."""
MAX_VALUES = 200
"""Maximum number of values; those of messages and examples come first."""
_NUMBER = re.compile(r"(?<![\w.])-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
_QUOTED = re.compile(r"'([^'\n\\]{1,40})'|\"([^\"\n\\]{1,40})\"")


def domain_values(study: Study, subject: Subject, failure: Outcome | None) -> list[Any]:
    """Return the values that the study's examples, the text of the failure and the source of the subject mention."""
    found: dict[str, Any] = {}
    for value in _mentioned_values(study, subject, failure):
        found.setdefault(repr(value), value)
        if len(found) == MAX_VALUES:
            break
    return list(found.values())


def _mentioned_values(study: Study, subject: Subject, failure: Outcome | None) -> Iterator[Any]:
    for text in (failure.detail, failure.signature or "") if failure is not None else ():
        yield from literals_in(text)
    for one in study.nominal:
        yield from one.values()
    yield from literals_in(_source_of(subject))


def literals_in(text: str) -> Iterator[Any]:
    """Yield the numbers and the quoted texts in a text, in their order."""
    for number in _NUMBER.findall(text):
        if "x" in number.lower():
            yield int(number, 16)
        else:
            yield float(number) if re.search(r"[.eE]", number) else int(number)
    for one, other in _QUOTED.findall(text):
        yield one or other


def _source_of(subject: Subject) -> str:
    """Return the source of a function's module, or of the files that a command names; empty if there is none."""
    if isinstance(subject, Function):
        try:
            return inspect.getsource(inspect.unwrap(subject.function))[:MAX_SOURCE]
        except (OSError, TypeError):
            return ""
    if isinstance(subject, Command):
        words = subject.argv.split() if isinstance(subject.argv, str) else subject.argv
        return "\n".join(_read(Path(subject.cwd or ".") / word) for word in words)
    return ""


def _read(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > MAX_SOURCE:
            return ""
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
