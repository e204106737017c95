"""Environment variables as elements of a reduction: which of them does a failure need?

Values of variables that look secret are never shown, because answers and reports are passed on.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.files import read_bytes
from rootward.words import hide_password

_SECRET = re.compile(
    r"secret|token|passw|passphrase|passcode|credential|api_?key|bearer|cookie"
    r"|(^|_)(auth|creds?|key|keys|pass|pat|private|pw|session)(_|$)",
    re.IGNORECASE,
)
_ASSIGNMENT = re.compile(r"(?:export\s+)?([A-Za-z_][\w.%()-]*)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, repr=False)
class Variable:
    """An environment variable."""

    name: str
    value: str

    @property
    def called(self) -> str:
        """Its name in ``--keep``."""
        return self.name

    @property
    def is_secret(self) -> bool:
        """True if the value should not be shown, as far as one can tell by the name, or by a password in a URL."""
        return _SECRET.search(self.name) is not None or hide_password(self.value) != self.value

    @property
    def shell_word(self) -> str:
        """The assignment as one types it after ``env``. A secret value is left to the shell to fill in."""
        if not self.is_secret:
            return shlex.quote(f"{self.name}={self.value}")
        return f'{self.name}="${self.name}"' if self.name.isidentifier() else shlex.quote(f"{self.name}=***")

    def __str__(self) -> str:
        return f"{self.name}={'***' if self.is_secret else self.value}"

    __repr__ = __str__  # so that no message or log shows a secret


def list_variables(environment: Mapping[str, str], without: Iterable[str] = ()) -> list[Variable]:
    """Return the variables of an environment in the order of their names, ``without`` those with these names."""
    return [Variable(name, value) for name, value in sorted(environment.items()) if name not in set(without)]


def read_variables(path: Path) -> list[Variable]:
    """Read the output of ``env`` or ``env -0``, or a file of the kind that is called ``.env``.

    Blank lines and comments do not count, ``export`` and quotes around a value are left out, and a line without ``=``
    continues the value before it, as in the output of ``env``. If a name occurs twice, the last one counts.
    """
    text = read_bytes(path).decode("utf-8", "surrogateescape")
    found = _split_at_nul(path, text) if "\0" in text else _split_lines(path, text)
    return list_variables(dict(found))


def _split_at_nul(path: Path, text: str) -> Iterator[tuple[str, str]]:
    for record in filter(None, text.split("\0")):
        name, equals, value = record.partition("=")
        if not (name and equals):
            raise InputError(f"{path}: expected NAME=VALUE, not {record!r:.80}")
        yield name, value


def _split_lines(path: Path, text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _ASSIGNMENT.fullmatch(line.removesuffix("\r"))
        if match is not None:
            found.append((match[1], match[2]))
        elif line.strip() and not line.startswith("#"):
            if not found:
                raise InputError(f"{path}, line {number}: expected NAME=VALUE, as printed by env")
            name, value = found[-1]
            found[-1] = name, f"{value}\n{line}"
    return [(name, _unquote(value)) for name, value in found]


def _unquote(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if is_quoted else value
