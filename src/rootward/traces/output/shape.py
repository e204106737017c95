"""JSON data of which nothing is believed: each part knows where it is, and says what it should have been."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.traces.guard import Value

LARGEST = 50_000_000
"""Bytes of a file."""
FAR = 10**18
"""No number is larger: in microseconds, these are 30,000 years."""


@dataclass(frozen=True)
class Shape:
    raw: Any
    where: str

    def wrong(self, reason: str) -> InputError:
        return InputError(f"{self.where} {reason}")

    def of(self, key: str) -> Shape:
        entries = self.entries()
        if key not in entries:
            raise self.wrong(f"has no {key!r}")
        return entries[key]

    def entries(self) -> dict[str, Shape]:
        if not isinstance(self.raw, dict):
            raise self.wrong("is no object")
        return {key: Shape(one, f"{self.where}, {key[:40]}") for key, one in self.raw.items()}

    def items(self) -> list[Shape]:
        if not isinstance(self.raw, list):
            raise self.wrong("is no list")
        return [Shape(one, f"{self.where}, {number}") for number, one in enumerate(self.raw, 1)]

    def parts(self, count: int) -> list[Shape]:
        items = self.items()
        if len(items) != count:
            raise self.wrong(f"has {len(items)} parts, not {count}")
        return items

    def text(self) -> str:
        if not isinstance(self.raw, str):
            raise self.wrong("is no text")
        return self.raw

    def one_of(self, *words: str) -> str:
        if self.raw not in words:
            raise self.wrong(f"is none of {', '.join(words)}")
        return self.text()

    def number(self) -> int:
        if type(self.raw) is not int or abs(self.raw) > FAR:
            raise self.wrong("is no whole number of a sensible size")
        return self.raw

    def number_or_none(self) -> int | None:
        return None if self.raw is None else self.number()

    def value(self) -> Value:
        if type(self.raw) is not int and not isinstance(self.raw, str):
            raise self.wrong("is neither a number nor a text")
        return self.raw

    def value_or_none(self) -> Value | None:
        return None if self.raw is None else self.value()


def read_shape(path: Path) -> Shape:
    """What is in a JSON file. InputError if it is none, or too large."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST:,} bytes, which no certificate is")
        return Shape(json.loads(content, object_pairs_hook=_object), str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # an InputError is a ValueError
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not JSON: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object says the same key twice")
    return found
