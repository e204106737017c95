"""The rows of the store: how they are written, and the only place that decides whether a row can be read.

Disks lose bits, and people edit databases. A row that no longer says what was written must not become an answer, and
must not stop a command either. So every row carries a checksum of its columns, and whoever reads a row calls one of the
``read_...`` functions, which raise ``Unreadable`` unless the row is exactly what was written. To its reader, such a row
is absent: a trial is run again. ``store.py`` warns about it.

Two parts are checked on their own. A candidate may be large, and a run that is resumed does not read it: it has its own
checksum, which the checksum of the row includes. The row of a run changes while the run goes on, and several processes
change different columns of it: its checksum covers what never changes, and the texts that do change are sealed one by
one.
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from rootward.space.candidate import dump, to_json
from rootward.store.trial import Trial
from rootward.verdict import Outcome, Verdict

MAX_CANDIDATE_BYTES = 1 << 24
"""Maximum length of a candidate as JSON. A longer one is stored by its length alone. Nothing longer is ever unpacked,
so that a small row cannot fill the memory."""
MIN_COMPRESSED_BYTES = 1024
"""Length from which a candidate is compressed."""
MAX_TIME = 253_402_300_800.0
"""The end of the year 9999, in seconds since 1970: no clock shows a later time."""

Row = Mapping[Any, Any]

_TRIAL: tuple[str, ...] = ("subject", "epoch", "key", "attempt", "run", "candidate_checksum", "seed", "verdict")
_TRIAL += ("outcome", "seconds", "tries", "finished")
_FINDING = ("run", "made", "complete", "finding")
_RUN = ("key", "epoch", "subject", "name", "settings", "started")
_DAMAGE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, zlib.error)


class Unreadable(Exception):
    """The row is not what was written. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run, as a row of the store."""

    id: int
    key: str
    epoch: int
    subject: str
    name: str
    settings: dict[str, Any]
    status: str
    started: float
    updated: float
    seconds: float
    best: str
    progress: dict[str, Any]
    """The figures of ``events.Progress`` and the search's note; empty at first."""
    stop: float | None
    """The time when the run was asked to stop."""
    trials: int = 0


# Trials


def write_trial(trial: Trial, run: RunRecord, subject: str, now: float) -> dict[str, Any]:
    assert trial.outcome is not None
    candidate = pack_candidate(to_json(trial.candidate))
    row = {
        "subject": subject,
        "epoch": run.epoch,
        "key": trial.key,
        "attempt": trial.attempt,
        "run": run.id,
        "candidate": candidate,
        "candidate_checksum": zlib.crc32(candidate),
        "seed": trial.seed,
        "verdict": trial.outcome.verdict.value,
        "outcome": _write_outcome(trial.outcome),
        "seconds": float(trial.seconds),
        "tries": trial.tries,
        "finished": now,
    }
    row["checksum"] = _checksum(row, _TRIAL)
    return row


def read_trial(row: Row) -> Trial:
    """Return the trial without its candidate, whose column the row need not have."""
    _check(row, _TRIAL)
    try:
        outcome = _read_outcome(row["outcome"])
        return Trial(None, row["key"], row["attempt"], row["seed"], outcome, row["seconds"], row["tries"])
    except _DAMAGE as error:
        raise Unreadable(_describe(error)) from None


def export_row(row: Row) -> dict[str, Any]:
    """Return a trial with its candidate as plain data."""
    _check(row, _TRIAL)
    try:
        if zlib.crc32(row["candidate"]) != row["candidate_checksum"]:
            raise Unreadable("the candidate does not match its checksum")
        return _export(row, json.loads(unpack_candidate(row["candidate"])), _read_outcome(row["outcome"]))
    except _DAMAGE as error:
        raise Unreadable(_describe(error)) from None


def export_trial(trial: Trial, run: int | None = None) -> dict[str, Any]:
    """Return a trial as plain data, in the form in which the store exports it."""
    assert trial.outcome is not None
    facts = {name: getattr(trial, name) for name in ("key", "attempt", "seed", "seconds", "tries")}
    outcome = _read_outcome(dump(trial.outcome.to_dict()))
    return _export({**facts, "run": run, "finished": None}, json.loads(to_json(trial.candidate)), outcome)


def _export(row: Row, candidate: Any, outcome: Outcome) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("run", "key", "attempt", "seed")},
        "candidate": candidate,
        "verdict": outcome.verdict.value,
        **{name: getattr(outcome, name) for name in ("signature", "detail", "measures", "artifacts")},
        **{name: row[name] for name in ("seconds", "tries", "finished")},
    }


def _write_outcome(outcome: Outcome) -> str:
    known = _BARE[outcome.verdict]
    return known[1] if outcome == known[0] else dump(outcome.to_dict())


_BARE = {verdict: (Outcome(verdict), dump(Outcome(verdict).to_dict())) for verdict in Verdict}
"""The outcomes that say nothing else, which most passes are, as they are written."""


def _read_outcome(text: str) -> Outcome:
    data = json.loads(text)
    verdict, votes = Verdict(data.pop("verdict")), tuple(map(Verdict, data.pop("votes")))
    outcome = Outcome(verdict, votes=votes, **data)
    texts, tables = (outcome.detail, outcome.signature or ""), (outcome.measures, outcome.artifacts)
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("the outcome has values of other types")
    return outcome


def pack_candidate(text: str) -> bytes:
    """Encode a candidate, compressed if it is long."""
    data = text.encode("ascii")
    if len(data) > MAX_CANDIDATE_BYTES:
        data = dump(f"(too long to be stored: {len(data):,} bytes)").encode("ascii")
    return data if len(data) < MIN_COMPRESSED_BYTES else zlib.compress(data, 1)


def unpack_candidate(data: bytes) -> bytes:
    """Return the JSON of a candidate. Raises Unreadable if it is damaged or longer than any that is written."""
    if data[:1] != b"\x78":
        return data
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, MAX_CANDIDATE_BYTES)
    if not unpacking.eof:
        raise Unreadable("the candidate is cut short, or too long")
    return text


# Findings


def write_finding(run: int, finding: dict[str, Any], made: float) -> dict[str, Any]:
    row = {"run": run, "made": made, "complete": bool(finding["complete"]), "finding": dump(finding)}
    return {**row, "checksum": _checksum(row, _FINDING)}


def read_finding(row: Row) -> dict[str, Any]:
    _check({**row, "complete": row["complete"] == 1}, _FINDING)  # SQLite has no type for truth values
    return _read_table(row["finding"])


# Runs


def write_run(key: str, epoch: int, subject: str, name: str, settings: dict[str, Any]) -> dict[str, Any]:
    now = time.time()
    row = {"key": key, "epoch": epoch, "subject": subject, "name": escape(name), "settings": dump(settings)}
    row |= {"status": "running", "started": now, "updated": now, "seconds": 0.0, "best": "", "progress": ""}
    row |= {"partial": "", "stop": None}
    return {**row, "checksum": _checksum(row, _RUN)}


def read_run(row: Row) -> RunRecord:
    _check(row, _RUN)
    known = {name: row[name] for name in ("id", *_RUN, "status", "updated", "seconds", "stop")}
    known |= {"trials": row.get("trials", 0), "settings": _read_table(row["settings"])}
    known |= {"best": unseal(row["best"]), "progress": _read_progress(row["progress"])}
    if not isinstance(row["id"], int) or not isinstance(row["status"], str) or not is_time(row["updated"]):
        raise Unreadable("its state is not one that was written")
    if not (_is_number(row["seconds"]) and (row["stop"] is None or is_time(row["stop"]))):
        raise Unreadable("its times are not numbers")
    return RunRecord(**known)


def _read_progress(text: Any) -> dict[str, Any]:
    progress = read_sealed(text) or {}
    note = progress.get("note", "")
    figures = [value for name, value in progress.items() if name != "note"]
    if not isinstance(note, str) or not all(figure is None or _is_number(figure) for figure in figures):
        raise Unreadable("its progress is not one that was written")
    return progress


def seal(text: str) -> str:
    """Put a checksum in front of a text. The empty text stays empty."""
    return f"{zlib.crc32(text.encode()):08x} {text}" if text else ""


def unseal(text: Any) -> str:
    """Return a text that was sealed. Raises Unreadable if it was changed since."""
    if not isinstance(text, str) or seal(text[9:]) != text:
        raise Unreadable("a text does not match its checksum")
    return text[9:]


def read_sealed(text: Any) -> dict[str, Any] | None:
    """Return a table that was written as JSON and sealed; None if the text is empty."""
    return _read_table(written) if (written := unseal(text)) else None


def escape(text: str) -> str:
    """Escape lone surrogates and NUL, which not every database accepts."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")


# Checks


def _checksum(row: Row, columns: tuple[str, ...]) -> int:
    """Return a checksum of the columns, which distinguishes values of different types as well."""
    return zlib.crc32(ascii(itemgetter(*columns)(row)).encode("ascii"))


def _check(row: Row, columns: tuple[str, ...]) -> None:
    """Raise Unreadable unless the row is as it was written."""
    if _checksum(row, columns) != row["checksum"]:
        raise Unreadable("the row does not match its checksum")


def _read_table(text: Any) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except _DAMAGE as error:
        raise Unreadable(_describe(error)) from None
    if not isinstance(table, dict):
        raise Unreadable("a text is not a JSON object")
    return table


def is_time(value: Any) -> bool:
    """Return True if the value is a time that a clock can show."""
    return _is_number(value) and value < MAX_TIME


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= sys.float_info.max


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
