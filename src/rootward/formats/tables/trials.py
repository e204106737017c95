"""Write trials as a table: CSV and Parquet with one column per field, JSON Lines as in the store.

A configuration, its measures and its artifacts are mappings; their entries become columns such as ``candidate.speed``.
The columns are the union over all rows, so the rows are read twice.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from rootward.errors import InputError, MissingExtra
from rootward.formats.files import replace_file
from rootward.space.candidate import dump

Row = Mapping[str, Any]
Rows = Callable[[], Iterable[Row]]
"""Returns an iterable over all rows; called once per pass."""


def write(rows: Rows, path: Path) -> None:
    """Write the rows in the format of the path's extension."""
    write_to = writer(path)
    with replace_file(path) as file:
        write_to(rows, file)


def print_lines(rows: Rows, stream: TextIO) -> None:
    """Write the rows as JSON lines to a stream."""
    for row in rows():
        stream.write(dump(row) + "\n")


def writer(path: Path) -> Callable[[Rows, BinaryIO], None]:
    """Return the function that writes the format of the path's extension."""
    try:
        return _WRITERS[path.suffix.lower()]
    except KeyError:
        raise InputError(f"{path.name} must end in {', '.join(_WRITERS)}: the extension decides the format") from None


def _jsonl(rows: Rows, file: BinaryIO) -> None:
    for row in rows():
        file.write(dump(row).encode("ascii") + b"\n")


def _csv(rows: Rows, file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
    table = csv.DictWriter(text, _columns(rows))
    table.writeheader()
    for row in rows():
        table.writerow({name: _cell(value) for name, value in _flat(row)})
    text.detach()  # flushes; the file is the caller's to close


def _parquet(rows: Rows, file: BinaryIO) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtra("a Parquet file", "tables") from error
    flat = [dict(_flat(row)) for row in rows()]
    columns = {name: _column(pa, [row.get(name) for row in flat]) for name in _columns(rows)}
    pq.write_table(pa.table(columns), file)


_WRITERS: dict[str, Callable[[Rows, BinaryIO], None]] = {".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet}


def _columns(rows: Rows) -> list[str]:
    """Return the columns of all rows in order of first appearance.

    The columns that come from one mapping stay together.
    """
    seen: dict[str, dict[str, None]] = {}
    for row in rows():
        for name, _ in _flat(row):
            seen.setdefault(name.partition(".")[0], {})[name] = None
    return [name for group in seen.values() for name in group]


def _flat(row: Row) -> Iterable[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", item) for inner, item in value.items())
        else:
            yield name, value


def _cell(value: Any) -> Any:
    """Format a value for a spreadsheet: text as it is, numbers in full, everything else as JSON."""
    return "" if value is None else value if isinstance(value, str) else dump(value)


def _column(pa: Any, values: list[Any]) -> Any:
    """Return an Arrow column of the values.

    Values of one type keep this type. Mixed types and numbers that are too large become text.
    """
    plain = [_escape(value) if isinstance(value, str) else value for value in values]
    if not any(isinstance(value, list | Mapping) for value in plain):
        try:
            return pa.array(plain)
        except (pa.ArrowException, OverflowError):
            pass
    return pa.array([None if value is None else _escape(_cell(value)) for value in plain], pa.string())


def _escape(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
