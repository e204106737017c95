"""Tables from any source, as batches of encoded columns: never the whole table in memory.

A column of a history has few distinct values and many rows. So a batch holds, for each column, its distinct values and,
for each row, the index of its value among them: later stages process each value once and see rows only as numbers. A
source can be read several times. `source_of` opens a file by its extension (`FORMATS`), a frame of pandas, Polars or
Arrow, or pairs in Python.
"""

from __future__ import annotations

import contextlib
import csv
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rootward.errors import InputError, MissingExtra
from rootward.facts import Fact
from rootward.formats.files import UnreadableFile, check_file, open_file
from rootward.space.candidate import dump
from rootward.space.fields import show
from rootward.verdict import FAIL, PASS, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encoded = tuple[Sequence[Any], NDArray[np.integer[Any]]]
    """The distinct values of a column, and for each row the index of its value among them."""


MAX_CELLS = 8_000_000
"""Maximum number of Python values in a batch."""
MAX_ARROW_CELLS = 25_000_000
"""Maximum number of Arrow values in a batch: 200 MB at 8 bytes each."""
MAX_INTEGER_SPAN = 256
"""Integer columns with a smaller span than this are encoded by their distance from the minimum, without hashing."""
MAX_LINE_LENGTH = 16_000_000
"""Maximum number of characters in a line of a file."""
VERDICT = "\0verdict"
"""Name of the verdict column of a source that has verdicts apart from its configurations."""


@runtime_checkable
class TableSource(Protocol):
    """A table that can be read several times."""

    title: str
    names: tuple[str, ...]
    text: bool
    """True if its cells are text from which values have to be read."""
    notes: Sequence[Fact]
    """Facts that a user should know about it."""

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        """Yield the columns ``names`` of all rows, in order."""
        ...


class _ValueSource:
    """The defaults of most sources. Cells are values, and there are no notes."""

    text = False
    notes: Sequence[Fact] = ()


class Csv(_ValueSource):
    """A CSV file in UTF-8 with a header."""

    text = True

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        with self._rows() as rows:
            header = next(rows, None)
        if header is None:
            raise InputError(f"{path} is empty: expected a header with the names of the columns")
        self.names = tuple(name.strip() for name in header)

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        wanted, width = _places(names, self.names), len(self.names)
        with self._rows() as rows:
            next(rows, None)
            while some := list(islice(rows, max(1, MAX_CELLS // width))):
                columns = list(zip(*some, strict=True))
                yield [encode_text(columns[place]) for place in wanted]

    @contextlib.contextmanager
    def _rows(self) -> Iterator[Iterator[list[str]]]:
        with contextlib.closing(_read_lines(self, newline="")) as lines:
            yield self._check_rows(csv.reader(lines, strict=True))

    def _check_rows(self, reader: Any) -> Iterator[list[str]]:
        """Yield the rows that are not blank.

        Raises an InputError that names the line if a row does not match the header.
        """
        width = None
        try:
            for row in reader:
                if row:
                    if len(row) != (width := width or len(row)):
                        message = f"the row has {len(row)} cells, the header has {width}"
                        raise InputError(f"{self.title}:{reader.line_num}: {message}")
                    yield row
        except csv.Error as error:
            raise InputError(f"{self.title}:{reader.line_num}: not valid CSV: {error}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{self.title} is not UTF-8: {error.reason} after line {reader.line_num}") from error


class JsonLines(_ValueSource):
    """A file with one JSON object per line; nested objects become columns such as ``candidate.speed``."""

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        self.names = tuple(dict.fromkeys(name for row in self._rows() for name in row))

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        return batch_rows(self._rows(), names)

    def _rows(self) -> Iterator[dict[str, Any]]:
        with contextlib.closing(_read_lines(self)) as file:
            lines = enumerate(file, 1)
            while True:
                try:
                    number, line = next(lines)
                except StopIteration:
                    return
                except UnicodeDecodeError as error:
                    raise InputError(f"{self.title} is not UTF-8: {error.reason}") from error
                if line.strip():
                    yield dict(flatten_dotted(self._object(number, line)))

    def _object(self, number: int, line: str) -> Mapping[str, Any]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.title}:{number}: not valid JSON: {error}") from error
        if not isinstance(row, dict):
            raise InputError(f"{self.title}:{number}: expected a JSON object {{...}}, got {show(row)}")
        return row


class Pairs(_ValueSource):
    """Pairs of a configuration and a verdict, as Python objects."""

    title = "the history"

    def __init__(self, pairs: Iterable[Any]) -> None:
        self.rows = [_check_pair(number, pair) for number, pair in enumerate(pairs, 1)]
        self.names = tuple(self.rows[0]) if self.rows else (VERDICT,)
        for number, row in enumerate(self.rows, 1):
            if row.keys() != self.rows[0].keys():
                odd = sorted(row.keys() ^ self.rows[0].keys(), key=str)
                raise InputError(f"run {number} of the history has other fields than the first: see {odd[0]!r}")

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        return batch_rows(self.rows, names)


class Pandas(_ValueSource):
    """A pandas frame, whose columns may hold any objects; the index is ignored."""

    title = "the frame"

    def __init__(self, frame: Any) -> None:
        self.frame, self.names = frame, tuple(map(str, frame.columns))

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        places, step = _places(names, self.names), max(1, MAX_CELLS // max(1, len(names)))
        for start in range(0, len(self.frame), step):
            part = self.frame.iloc[start : start + step]
            yield [encode(part.iloc[:, place].tolist()) for place in places]


class Parquet(_ValueSource):
    """A Parquet file; only the requested columns are read."""

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        with self._file() as file:
            self.names = tuple(file.schema_arrow.names)
            self._texts = [field.name for field in file.schema_arrow if str(field.type).endswith("string")]

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        rows = max(1, MAX_ARROW_CELLS // max(1, len(names)))
        with self._file(self._texts) as file:
            for batch in file.iter_batches(batch_size=rows, columns=list(names)):
                yield [_encode_arrow(batch.column(name)) for name in names]

    @contextlib.contextmanager
    def _file(self, texts: Sequence[str] = ()) -> Iterator[Any]:
        pa, pq = _import_pyarrow()
        try:
            # Text columns keep the file's dictionary encoding. Nothing is read ahead, because it would stay in memory.
            check_file(self.path)
            with pq.ParquetFile(self.path, read_dictionary=list(texts), pre_buffer=False) as file:
                yield file
        except pa.ArrowInvalid as error:
            raise InputError(f"{self.title} is not a Parquet file that can be read: {error}") from error
        except UnreadableFile as error:
            raise InputError(f"{self.title} cannot be read: {error.reason}") from error
        except OSError as error:
            raise InputError(f"{self.title} cannot be read: {error.strerror or error}") from error


class ArrowFrame(_ValueSource):
    """A frame that can export a stream of Arrow batches."""

    title = "the frame"

    def __init__(self, frame: Any) -> None:
        pa, _ = _import_pyarrow()
        try:
            self.table = pa.table(frame)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise InputError(f"the frame cannot be read: {error}") from error
        self.names = tuple(self.table.column_names)

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        rows = max(1, MAX_ARROW_CELLS // max(1, len(names)))
        for batch in self.table.select(list(names)).to_batches(max_chunksize=rows):
            yield [_encode_arrow(column) for column in batch.columns]


FORMATS: dict[str, Callable[[Path], TableSource]] = {
    ".csv": Csv,
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".parquet": Parquet,
}


def source_of(given: Any) -> TableSource:
    """Open a table given as a file, a frame or pairs."""
    if isinstance(given, TableSource):
        return given
    if isinstance(given, str | Path):
        path = Path(given)
        if path.suffix.lower() not in FORMATS:
            raise InputError(f"{path} must end in {', '.join(FORMATS)}: the extension decides the format")
        return FORMATS[path.suffix.lower()](path)
    if type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "columns"):
        return Pandas(given)
    if hasattr(given, "__arrow_c_stream__"):
        return ArrowFrame(given)
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        return Pairs(given)
    raise InputError(f"a history must be a file, a frame or (configuration, verdict) pairs, not {show(given)}")


def encode(column: Iterable[Any]) -> Encoded:
    """Encode a column of Python values. Equal values of different types stay distinct."""
    different, places = encode_text([(type(value), value) for value in map(_make_hashable, column)])
    return [value for _, value in different], places


def encode_text(column: Sequence[Any]) -> Encoded:
    """Encode a column of texts or of other hashable values."""
    import numpy as np

    different = list(dict.fromkeys(column))
    place = {value: at for at, value in enumerate(different)}
    return different, np.fromiter(map(place.__getitem__, column), np.int32, len(column))


def drop_unused(values: Sequence[Any], places: NDArray[np.integer[Any]]) -> Encoded:
    """Return the encoded column without the values that no row has."""
    import numpy as np

    found = np.bincount(places, minlength=len(values)) > 0
    if found.all():
        return values, places
    return [value for value, kept in zip(values, found, strict=True) if kept], (np.cumsum(found) - 1)[places]


def batch_rows(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[list[Encoded]]:
    """Yield batches of rows given as mappings. A column that a row lacks is None in this row."""
    step, left = max(1, MAX_CELLS // max(1, len(names))), iter(rows)
    while some := list(islice(left, step)):
        yield [encode([row.get(name) for row in some]) for name in names]


def _places(names: Sequence[str], among: Sequence[str]) -> list[int]:
    place = {name: at for at, name in enumerate(among)}
    return [place[name] for name in names]


def _check_pair(number: int, pair: Any) -> dict[str, Any]:
    try:
        configuration, verdict = pair
        row = dict(configuration)
    except (TypeError, ValueError):
        raise InputError(f"run {number} of the history is {show(pair)}: expected (configuration, verdict)") from None
    if not isinstance(verdict, bool | Verdict):
        raise InputError(f"run {number} of the history has the verdict {show(verdict)}: expected an rw.Verdict")
    return {**row, VERDICT: verdict if isinstance(verdict, Verdict) else FAIL if verdict else PASS}


def flatten_dotted(row: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a nested mapping with its path, such as ``db.port``. A list counts as one value."""
    for name, value in row.items():
        if isinstance(value, Mapping) and value:
            yield from flatten_dotted(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _make_hashable(value: Any) -> Any:
    """Return the value. If it is a collection, return its JSON text instead."""
    try:
        hash(value)
    except TypeError:
        return dump(value)
    return dump(value) if isinstance(value, tuple) else value


def _read_lines(source: Csv | JsonLines, newline: str | None = None) -> Generator[str]:
    """Yield the lines of a file. Raises InputError if one is too long, because a line is held in memory."""
    try:
        opened = open_file(source.path)
    except UnreadableFile as error:
        raise InputError(f"{source.title} cannot be read: {error.reason}") from error
    with TextIOWrapper(opened, encoding="utf-8-sig", newline=newline) as file:
        for number in count(1):
            line = file.readline(MAX_LINE_LENGTH)
            if not line:
                return
            if len(line) == MAX_LINE_LENGTH:
                raise InputError(f"{source.title}:{number}: the line is longer than {MAX_LINE_LENGTH:,} characters")
            yield line


# Arrow


def _encode_arrow(column: Any) -> Encoded:
    import numpy as np

    pa, _ = _import_pyarrow()
    if pa.types.is_dictionary(column.type):
        return drop_unused(
            *_split_dictionary(column)
        )  # the dictionary may be that of a larger part of the table, or a type
    if pa.types.is_integer(column.type) and column.type != pa.uint64() and len(column) > column.null_count == 0:
        numbers = column.to_numpy()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < MAX_INTEGER_SPAN:  # avoids hashing, the slowest step
            return drop_unused(range(low, high + 1), np.subtract(numbers, low, dtype=np.int64))
    try:
        return _split_dictionary(column.dictionary_encode())
    except pa.ArrowNotImplementedError:  # lists and the like
        return encode(column.to_pylist())


def _split_dictionary(column: Any) -> Encoded:
    """Return the values and indices of a dictionary-encoded column; a missing value counts as a value."""
    values, places = column.dictionary.to_pylist(), column.indices
    if places.null_count:
        values, places = [*values, None], places.cast("int64").fill_null(len(values))
    return values, places.to_numpy()


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtra("a Parquet file or a frame", "tables") from error
    return pa, pq
