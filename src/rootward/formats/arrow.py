"""Tables that Arrow reads, as batches of encoded columns: Parquet files, and frames of polars, pyarrow and others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError, MissingExtra
from rootward.formats.batches import encoded, used

if TYPE_CHECKING:
    from rootward.formats.batches import Encoded

CELLS = 25_000_000
"""Values that are held at once: 200 MB if each takes 8 bytes."""
CLOSE = 256
"""Integers so close together are told apart by their distance."""


class Parquet:
    """A Parquet file, of which only the columns asked for are read."""

    text = False
    notes: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        with self._file() as file:
            self.names = tuple(file.schema_arrow.names)
            self._texts = [field.name for field in file.schema_arrow if str(field.type).endswith("string")]

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        rows = max(1, CELLS // max(1, len(names)))
        with self._file(self._texts) as file:
            for batch in file.iter_batches(batch_size=rows, columns=list(names)):
                yield [_encoded(batch.column(name)) for name in names]

    @contextlib.contextmanager
    def _file(self, texts: Sequence[str] = ()) -> Iterator[Any]:
        pa, pq = _pyarrow()
        try:
            # Text is taken as the dictionary that the file has of it. Nothing is read ahead, for it would be kept.
            with pq.ParquetFile(self.path, read_dictionary=list(texts), pre_buffer=False) as file:
                yield file
        except pa.ArrowInvalid as error:
            raise InputError(f"{self.title} is not a Parquet file that can be read: {error}") from error
        except OSError as error:
            raise InputError(f"{self.title} cannot be read: {error.strerror or error}") from error


class Frame:
    """A frame that can show itself as a stream of Arrow batches."""

    text = False
    notes: Sequence[str] = ()
    title = "the frame"

    def __init__(self, frame: Any) -> None:
        pa, _ = _pyarrow()
        try:
            self.table = pa.table(frame)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise InputError(f"this is no frame that can be read: {error}") from error
        self.names = tuple(self.table.column_names)

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        rows = max(1, CELLS // max(1, len(names)))
        for batch in self.table.select(list(names)).to_batches(max_chunksize=rows):
            yield [_encoded(column) for column in batch.columns]


def _encoded(column: Any) -> Encoded:
    import numpy as np

    pa, _ = _pyarrow()
    if pa.types.is_dictionary(column.type):
        return used(*_parted(column))  # it may be that of a larger part of the table, or of a type
    if pa.types.is_integer(column.type) and column.type != pa.uint64() and len(column) > column.null_count == 0:
        numbers = column.to_numpy()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < CLOSE:  # no hashing, which takes longest of all
            return used(range(low, high + 1), np.subtract(numbers, low, dtype=np.int64))
    try:
        return _parted(column.dictionary_encode())
    except pa.ArrowNotImplementedError:  # lists and the like
        return encoded(column.to_pylist())


def _parted(column: Any) -> Encoded:
    """The values and places of a column with a dictionary; a missing value is one, too."""
    values, places = column.dictionary.to_pylist(), column.indices
    if places.null_count:
        values, places = [*values, None], places.cast("int64").fill_null(len(values))
    return values, places.to_numpy()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtra("a Parquet file or a frame", "tables") from error
    return pa, pq
