"""Read a table from a file (CSV, TSV or Parquet) or from memory (Polars, pandas, Arrow) into Polars, and write it back.

For a command, the cells of a CSV file stay text, because programs read text: 007 and 1.50 are written back unchanged. A
function gets numbers where every cell of a column is one.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rootward.errors import InputError, MissingExtra
from rootward.formats.files import UnreadableFile, check_file, open_file

if TYPE_CHECKING:
    import polars as pl

Form = Callable[[Any], Any]
"""Converts a Polars frame to the form in which the table was given."""
SEPARATORS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table from a file or from memory."""

    frame: pl.DataFrame
    digest: str
    """A hash of its content."""
    convert_back: Form
    path: Path | None = None

    @classmethod
    def of(cls, table: Any, *, text: bool = False) -> Table:
        """Open a table given as a path or as a frame."""
        if isinstance(table, str | Path):
            path = Path(table)
            return cls(read(path, text=text), f"{text} {digest(path)}", lambda frame: frame, path)
        frame, give = as_frame(table)
        return cls(frame, digest(frame), give)


def import_polars() -> Any:
    """Import Polars; MissingExtra if it is not installed."""
    try:
        import polars as pl
    except ImportError as error:
        raise MissingExtra("a table", "tables") from error
    return pl


def read(path: Path, *, text: bool = False) -> pl.DataFrame:
    """Read a file. The extension of its name decides the format. If ``text``, the cells of a CSV file stay text."""
    library = import_polars()
    ending = _ending(path)
    try:
        check_file(path)
        if ending == ".parquet":
            found = library.read_parquet(path)
        else:
            how = {"infer_schema": False} if text else {"infer_schema_length": None}
            found = library.read_csv(path, separator=SEPARATORS[ending], **how)
    except UnreadableFile as error:
        raise InputError(f"{path} cannot be read as a table: {error.reason}") from error
    except (OSError, library.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise InputError(f"{path} cannot be read as a table: {reason}") from error
    except library.exceptions.PanicException:  # not an Exception: Polars met a Parquet file without its pages
        raise InputError(f"{path} cannot be read as a table: it is damaged") from None
    return cast("pl.DataFrame", found)


def writer(path: Path) -> Callable[[pl.DataFrame], memoryview]:
    """Return a function that writes a table in the format of the file at ``path``, with the same line ends."""
    ending = _ending(path)
    if ending == ".parquet":
        return lambda frame: _in_memory(frame.write_parquet)
    newline = "\r\n" if _first_line(path).endswith(b"\r\n") else "\n"
    options = {"separator": SEPARATORS[ending], "line_terminator": newline}
    return lambda frame: _in_memory(frame.write_csv, **options)


def digest(table: Path | pl.DataFrame) -> str:
    """Return a hash of the table's content. It is the same in every process."""
    if isinstance(table, Path):
        with open_file(table) as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()
    found = hashlib.blake2b(repr(table.schema).encode())
    for seed in (1, 2):  # 64 bits per row would be too few for millions of rows
        found.update(table.hash_rows(seed=seed).to_numpy().tobytes())
    return found.hexdigest()


def as_frame(table: Any) -> tuple[pl.DataFrame, Form]:
    """Convert a table in memory to Polars. Also return the function that converts a result back."""
    pl = import_polars()
    library = type(table).__module__.partition(".")[0]
    forms: dict[str, Form] = {
        "pandas": lambda frame: frame.to_pandas(),
        "pyarrow": lambda frame: frame.to_arrow(),
    }
    try:
        if isinstance(table, pl.LazyFrame):
            table = table.collect()
        elif library in forms:
            table = pl.from_pandas(table) if library == "pandas" else pl.from_arrow(table)
    except Exception as error:  # the conversions raise anything for values without a type
        raise InputError(f"the {library} table cannot be read: {str(error).partition(chr(10))[0]}") from error
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            f"a table must be the path of a CSV or Parquet file, or a Polars, pandas or Arrow table, not {table!r:.80}"
        )
    for column in table.iter_columns():
        if column.dtype == pl.Object:
            raise InputError(f"the column {column.name} holds Python objects, which cannot be compared: give it a type")
    return table, forms.get(library, lambda frame: frame)


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in (*SEPARATORS, ".parquet"):
        raise InputError(f"{path} must end in {', '.join(SEPARATORS)} or .parquet: the extension decides the format")
    return ending


def _first_line(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            return file.readline(1_000_000)
    except InputError:  # the file does not exist yet
        return b""


def _in_memory(write: Callable[..., Any], **options: Any) -> memoryview:
    file = io.BytesIO()
    write(file, **options)
    return file.getbuffer()
