"""Comments in recordings: which of them mark an error.

A test environment writes into its recordings what it thinks of them. Most of these texts only say what is done ("Step
3: read the VIN"); some say that something is wrong ("Step 3: FAIL"). Only the latter are marks. If a text does not come
from a column for marks, its words decide, and a user may say which words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rootward.errors import InputError
from rootward.formats.recordings.frame import Comment, Frame
from rootward.traces.model.event import TraceMark

OWN_SIGN = "rootward:"
"""The beginning of the comments that Rootward itself writes into a copy of a recording."""
_MAX_LENGTH = 300
"""Maximum number of characters of a mark; the rest is a log of its own."""
_WORDS = (
    r"fail(?:s|ed|ing|ures?)?|errors?|nok|n\.?i\.?o|(?:not|nicht) ok|wrong|incorrect|unexpected|mismatch\w*|"
    r"miss(?:ing|ed)|time-?outs?|timed out|violat\w+|fehler\w*|falsch\w*|fehlgeschlagen"
)
_DENIED = r"\b(?:no|0|zero|without|kein\w*|ohne)\s+"
_MARKING = re.compile(rf"(?P<denied>{_DENIED})?\b(?:{_WORDS})\b", re.IGNORECASE)
"""Words that say that something is wrong, and whether they are denied, as in "0 errors"."""


def check_pattern(marks: str | None) -> re.Pattern[str] | None:
    """Return the regular expression that a user gave for marks. Raises InputError if it is not one."""
    if marks is None:
        return None
    try:
        return re.compile(marks, re.IGNORECASE)
    except (re.error, TypeError) as error:
        raise InputError(f"{marks!r:.60} is not a regular expression for the texts of marks: {error}") from error


class MarkCollector:
    """Collects the comments of a recording that mark an error. All others are dropped at once: there may be millions.

    If there is a ``pattern``, a comment that contains it is a mark; else its column decides, or its words.
    """

    def __init__(self, pattern: str | None = None) -> None:
        self._pattern = check_pattern(pattern)
        self._found: list[Comment] = []

    def add(self, comment: Comment) -> None:
        if not comment.text.startswith(OWN_SIGN) and self._is_mark(comment):
            self._found.append(comment)

    def take_from(self, items: Iterable[Frame | Comment]) -> Iterator[Frame]:
        """Yield the frames of a recording, and add its comments."""
        for one in items:
            if isinstance(one, Comment):
                self.add(one)
            else:
                yield one

    def marks(self, start: int) -> tuple[TraceMark, ...]:
        """Return the marks, sorted by time. Times count from ``start``."""
        found = [
            TraceMark(max(0, one.time - start), " ".join(one.text.split())[:_MAX_LENGTH], one.number)
            for one in self._found
        ]
        return tuple(sorted(found, key=lambda mark: (mark.time, mark.line)))

    def _is_mark(self, comment: Comment) -> bool:
        if self._pattern is not None:
            return self._pattern.search(comment.text) is not None
        return comment.is_mark or _says_wrong(comment.text)


def _says_wrong(text: str) -> bool:
    return any(not found["denied"] for found in _MARKING.finditer(text))
