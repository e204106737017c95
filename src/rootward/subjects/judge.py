"""Judge a command by its exit code, a pattern in its output, or JSON; and store its output."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import threading
import uuid
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from rootward.errors import InputError, trouble_of
from rootward.subjects.error_text import last_lines, name_error
from rootward.subjects.process import exit_name
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome, Verdict

_MAX_READ_BYTES = 1 << 22
MAX_TAIL_BYTES = 20_000
"""Maximum number of bytes at the end of an output in which the error text is looked for."""
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[\"([^\"]*)\"\]")


@dataclass(frozen=True)
class Judge:
    """Turns the exit code and the output of a command into an outcome.

    ``verdict`` and ``signature`` are regular expressions, or JSON paths if they start with ``$``. Without them, the
    name of a failure is its exit code and its error text (see ``error_text``). With ``interesting``, it is the exit
    code alone: a test that says which inputs are interesting has judged the error already.
    """

    verdict: str | None = None
    signature: str | None = None
    measures: str | None = None
    """The path of an object with numbers in the JSON output."""
    interesting: int | None = None
    """The only exit code of a failing run, as tests for other reducers define it; None if every code but 0 is one."""

    def __post_init__(self) -> None:
        if self.interesting is not None and self.verdict is not None:
            raise InputError("use either interesting or verdict: both say which runs fail")
        if self.interesting is not None and (self.interesting not in range(256) or self.interesting == 125):
            raise InputError(f"interesting must be an exit code from 0 to 255 other than 125, not {self.interesting}")
        for text in (self.verdict, self.signature):
            if text is not None:
                _check_pattern(text)
        if self.measures is not None and not self.measures.startswith("$"):
            raise InputError(f"measures must be a path such as $.measures, got {self.measures!r}")
        _path(self.measures or "$")

    def __call__(
        self, code: int, output: Path | None, artifacts: Mapping[str, str], *, errors: str = "", candidate: Any = None
    ) -> Outcome:
        """Return the outcome of a run.

        :param output: the file with everything that the command printed
        :param errors: the end of its standard error stream
        :param candidate: the input of the run, whose values do not count where the error text repeats them
        """
        if code == 125:
            return Outcome(UNRESOLVED, artifacts=artifacts, detail=_last_line(output) or "exit code 125")
        is_plain = self.verdict is None and self.signature is None and self.measures is None
        if is_plain and not self._fails(code):
            return Outcome(PASS, artifacts=artifacts, detail=exit_name(code) if code else "")
        text = _head_and_tail(output)
        verdict, problem = self._verdict(code, text)
        measures = self._measures(text)
        if verdict is not FAIL:
            return Outcome(verdict, measures=measures, artifacts=artifacts, detail=problem)
        own = self.signature is None and self.verdict is None and self.interesting is None and _prints_its_error(code)
        named = name_error(errors, candidate) if own else self._signature(text)
        parts = [exit_name(code) if code or self.interesting is not None else "", named or ""]
        return Outcome(
            FAIL,
            signature=": ".join(filter(None, parts)) or None,
            measures=measures,
            artifacts=artifacts,
            detail=problem or last_lines(errors or _tail(output)),
        )

    def _fails(self, code: int) -> bool:
        return code != 0 if self.interesting is None else code == self.interesting

    def _verdict(self, code: int, text: str) -> tuple[Verdict, str]:
        if self.verdict is None:
            return (FAIL, "") if self._fails(code) else (PASS, exit_name(code) if code else "")
        if not self.verdict.startswith("$"):
            return (FAIL if re.search(self.verdict, text, re.MULTILINE) else PASS), ""
        found = _last_json(text)
        said = _at(found, self._verdict_path)
        try:
            return Verdict(str(said).lower()), ""
        except ValueError:
            missing = f"no line of the output is JSON, so {self.verdict} is missing"
            what = missing if found is None else f"{self.verdict} is {said!r:.80}"
            return UNRESOLVED, f"{what}; expected pass, fail, other or unresolved"

    @cached_property
    def _verdict_path(self) -> list[str | int]:
        return _path(self.verdict or "$")

    def _measures(self, text: str) -> dict[str, float]:
        """Return the numbers in the JSON object of measures that the command prints. Its other values are left out."""
        found = _at(_last_json(text), _path(self.measures)) if self.measures else None
        numbers = found.items() if isinstance(found, dict) else ()
        return {name: float(value) for name, value in numbers if type(value) in (int, float)}

    def _signature(self, text: str) -> str | None:
        if self.signature is None:
            return None
        if self.signature.startswith("$"):
            found = _at(_last_json(text), _path(self.signature))
            return None if found is None else str(found)
        match = re.search(self.signature, text, re.MULTILINE)
        return None if match is None else (match[1] if match.re.groups else match[0])


def _prints_its_error(code: int) -> bool:
    """Return True if a program that ended in this way has printed why.

    A process that a signal ended printed whatever it was doing at that time, except after ``abort``.
    """
    return code > 0 or code == -signal.SIGABRT


def _check_pattern(text: str) -> None:
    """Raise InputError if the text is neither a path nor a regular expression."""
    if text.startswith("$"):
        _path(text)
        return
    try:
        re.compile(text)
    except re.error as error:
        raise InputError(f"{text!r} is not a regular expression: {error}") from None


def _path(text: str) -> list[str | int]:
    """Parse a path: ``$.a.b[0]`` -> ["a", "b", 0]."""
    steps: list[str | int] = []
    position = 1
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            raise InputError(f"{text!r} is not a path such as $.result.status or $.runs[0].verdict")
        steps.append(int(match[2]) if match[2] is not None else match[1] if match[1] is not None else match[3])
        position = match.end()
    return steps


def _at(value: Any, path: list[str | int]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _last_json(text: str) -> Any:
    """Return the last line of the output that is a JSON object or list.

    If no line is one, the whole output is tried. Returns None if that is not one either.
    """
    for part in [*reversed(text.splitlines()), text]:
        if part.strip()[:1] in ("{", "["):
            try:
                return json.loads(part)
            except (ValueError, RecursionError):
                continue
    return None


def _head_and_tail(output: Path | None) -> str:
    """Return the output; if it is very long, its beginning and its end."""
    if output is None:
        return ""
    with open(output, "rb") as file:
        data = file.read(_MAX_READ_BYTES)
        size = file.seek(0, 2)
        if size > _MAX_READ_BYTES:
            file.seek(max(_MAX_READ_BYTES, size - _MAX_READ_BYTES))
            data += b"\n" + file.read()
    return data.decode("utf-8", "replace")


def _last_line(output: Path | None) -> str:
    lines = _tail(output).strip().splitlines()
    return lines[-1].strip()[:300] if lines else ""


def _tail(output: Path | None) -> str:
    """Return the end of an output."""
    if output is None:
        return ""
    with open(output, "rb") as file:
        file.seek(max(0, file.seek(0, 2) - MAX_TAIL_BYTES))
        return file.read().decode("utf-8", "replace")


# The output goes to a file: a pipe would block if a grandchild of the process stays alive. Most commands that a search
# runs print nothing, and creating a file takes longer than many of them run. So each thread has two files ready, for
# the two streams: if something was printed, it goes to the trial; else the next trial uses them. The streams are
# separate because a program that prints to both usually writes its error text before the rest of its output.


MAX_OUTPUT_BYTES = 1 << 30
"""Maximum number of bytes of output. A process that prints more is ended, because it would fill the disk."""
MAX_KEPT_BYTES = 1 << 20
"""Maximum number of bytes of output that are kept: of a longer one, the beginning and the end."""
_ready = threading.local()


class Output:
    """The files in ``folder`` for the output of the next command of this thread: one for each of its two streams."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.path = folder, folder / f"output-{uuid.uuid4().hex}"
        self.error_path = self.path.with_name(f"{self.path.name}-errors")
        self.file, self.error_file = map(self._open, (self.path, self.error_path))

    def _open(self, path: Path) -> BinaryIO:
        file = open(path, "ab")  # noqa: SIM115
        weakref.finalize(self, _discard, file, path)
        return file

    @property
    def size(self) -> int:
        return self.path.stat().st_size + self.error_path.stat().st_size

    @property
    def exists(self) -> bool:
        return self.path.exists() and self.error_path.exists()

    @property
    def trouble(self) -> str | None:
        """The reason why the process must be ended, or None."""
        try:
            size = self.size
        except OSError as error:  # something has removed the files
            raise trouble_of(error) from error
        return f"more than {MAX_OUTPUT_BYTES >> 30} GiB of output" if size > MAX_OUTPUT_BYTES else None

    def keep(self, target: Path) -> tuple[Path | None, str]:
        """Move the output to ``target``, where the trial keeps it: the standard output, then the error text.

        Return the path, which is None if there is no output, and the end of the error text.
        """
        if not self.size:
            return None, ""
        for file in (self.file, self.error_file):
            _check_complete(file)
        errors = _tail(self.error_path)
        self.file.close()
        self.error_file.close()
        del _ready.output
        if errors and self.path.stat().st_size:
            with open(self.path, "ab") as whole, open(self.error_path, "rb") as rest:
                shutil.copyfileobj(rest, whole)
        (self.path if self.path.stat().st_size else self.error_path).replace(target)
        for left in (self.path, self.error_path):
            left.unlink(missing_ok=True)
        return target, errors


def _check_complete(file: BinaryIO) -> None:
    """Raise OSError if a process that wrote to the file may not have been able to write everything.

    A disk quota is invisible, so a page more is written, and removed again.
    """
    size = os.fstat(file.fileno()).st_size
    try:
        os.write(file.fileno(), bytes(4096))
    finally:
        os.ftruncate(file.fileno(), size)


def output_in(folder: Path) -> Output:
    """Return the output file that is ready for this thread."""
    ready: Output | None = getattr(_ready, "output", None)
    if ready is None or ready.folder != folder or not ready.exists:
        ready = _ready.output = Output(folder)
    return ready


def discard_ready_output() -> None:
    """Remove the output files that are ready for this thread, because it will run no more commands soon."""
    vars(_ready).pop("output", None)


def shorten(output: Path) -> None:
    """Keep the beginning and the end of a long output."""
    size = output.stat().st_size
    if size <= MAX_KEPT_BYTES:
        return
    half = MAX_KEPT_BYTES // 2
    with open(output, "r+b") as file:
        file.seek(size - half)
        tail = file.read()
        file.seek(half)
        file.write(b"\n[... %d bytes left out ...]\n" % (size - 2 * half) + tail)
        file.truncate()


def _discard(file: BinaryIO, path: Path) -> None:
    file.close()
    with contextlib.suppress(OSError):
        path.unlink()
