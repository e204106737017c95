"""``rootward rows``: find the rows and cells of a table that cause a failure, given good versions of the table."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import FlakyOption, LabFlags, RunFlags, parse_flaky, split_names, with_options
from rootward.cli.studies import check_placeholder
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.searches.rows.bad_rows import BadRows

EXAMPLE = "rootward rows bad.csv good.csv --key id -- ./pipeline.sh {file}"


@with_options
def rows(
    bad: Annotated[Path, typer.Argument(metavar="BAD", help="The table with which it fails (CSV or Parquet).")],
    rest: Annotated[
        list[str],
        typer.Argument(
            metavar="GOOD... -- CMD ...",
            help="Tables with which it passes (repairs take their values from the first), and the command, with {file} "
            "for the path of the table.",
        ),
    ],
    key: Annotated[str, typer.Option(metavar="NAMES", help="The columns that identify a row, such as id or a,b.")],
    lab: LabFlags,
    runs: RunFlags,
    columns: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Compare only these columns, such as a,b.  [default: all]")
    ] = None,
    repaired: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the repaired table (CSV or Parquet).")
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The search: auto, adaptive or opportunistic.")] = "auto",
    flaky: FlakyOption = None,
) -> None:
    """Find the rows and cells of a table that make it fail.

    rootward rows bad.csv good.csv --key id -- ./pipeline.sh {file}

    Where the tables differ, the search replaces bad values by those of the first good table, to find as few
    replacements as possible that make it pass. Exit code 0 of the command means that it passes, 125 that the run cannot
    be judged, any other that it fails. No input file is changed.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview
    from rootward.searches.rows.tables import Tables
    from rootward.subjects.command import Command
    from rootward.subjects.table_patches import patch_subject

    good, command = _split_arguments(rest, bad)
    tables = Tables.of(bad, good, split_names([key]), None if columns is None else split_names([columns]), text=True)
    subject: Any = patch_subject(Command(command, **runs.options), tables)
    verb = partial(verbs.search_rows, tables, method=method, flaky=parse_flaky(flaky), name=bad.name)
    if lab.dry_run:
        preview(verb, subject, lab, {}, _estimate(len(tables), method))
        return
    answer(verb, subject, lab, {}, closing=_RepairedTable(repaired, tables.path))


def _split_arguments(rest: list[str], bad: Path) -> tuple[list[Path], list[str]]:
    """Split the arguments into the good tables and the command.

    Tables are recognised by their file endings, because Typer drops the ``--`` between them and the command.
    """
    count = next((i for i, word in enumerate(rest) if Path(word).suffix.lower() not in _ENDINGS), len(rest))
    good, command = list(map(Path, rest[:count])), rest[count:]
    if not good:
        raise InputError(f"there is no good table (CSV or Parquet): name one with which it passes, as in {EXAMPLE}")
    if not command:
        raise InputError(f"there is no command: after --, give the command that fails with {bad}, as in {EXAMPLE}")
    check_placeholder(command, "{file}", "patched table", bad, EXAMPLE)
    return good, command


_ENDINGS = (".csv", ".tsv", ".parquet")


class _RepairedTable:
    """Writes the repaired table, if the user asked for one."""

    def __init__(self, out: Path | None, bad: Path | None) -> None:
        from rootward.formats.files import check_target
        from rootward.formats.tables.table import writer

        self.out = out
        if out is not None:
            check_target(out)
            if bad is not None and out.exists() and out.samefile(bad):
                raise InputError(f"{out} is the bad table, which is never changed: name another file with --repaired")
            self._write = writer(out)

    def __call__(self, finding: BadRows) -> str:
        from rootward.formats.files import replace_file

        if self.out is None or not finding.passes:
            return ""
        with replace_file(self.out) as file:
            file.write(self._write(finding.repaired()))
        return f"The repaired table is {self.out}."


def _estimate(n: int, method: str) -> dict[str, Any]:
    """Estimate the number of trials from the number of bits needed to tell one set of cells from all others."""
    differ = f"The tables differ in {n:,} place{'' if n == 1 else 's'}"
    if method == "opportunistic":
        words = f"{differ}: each column takes about {math.ceil(math.log2(n + 1)) + 1} trials."
        return {"differences": n, "words": words}
    most = {k: math.ceil(math.log2(math.comb(n, k)) + 2 * k + 3) for k in (1, 3, 10) if k <= n}
    guesses = ", ".join(f"{count}{' trials' * (k == 1)} if {k} must be repaired" for k, count in most.items())
    words = f"{differ}. At most about {guesses}; far fewer if the bad values stand out."
    return {"differences": n, "most": most, "words": words}
