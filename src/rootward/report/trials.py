"""The trials of a run as columns of distinct values: small to embed in a page, quick to sort and to filter.

A column lists its distinct values once, in their natural order, and for each trial the position of its value among
them. So sorting a table by a column is sorting numbers, and a page of 10,000 trials holds mostly small integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rootward.errors import InputError
from rootward.report.text import cut, duration, visible, write_value
from rootward.rules.constants import value_order
from rootward.search.evidence import Row
from rootward.space.keys import canonical
from rootward.space.values import from_json, to_json

MAX_TRIALS = 20_000
"""Maximum number of trials in a document."""
MAX_CELLS = 200_000
"""Maximum number of values of the trials in a document, in all fields together."""
MAX_FIELDS = 40
"""Maximum number of fields."""
MAX_TEXT = 300
"""Maximum length of a text, in characters."""

Column = dict[str, Any]
_RANGES = re.compile(r"(\d{1,18}(-\d{1,18})?(,|$))*")


def pack_trials(rows: Iterable[Row], *, run: int | None, signature: str | None, named: Sequence[str]) -> dict[str, Any]:
    """Return the ``trials`` of a document.

    If there are too many trials, only the first are kept, and those of ``run`` come before all others. The fields in
    ``named`` come before the other fields.
    """
    known = drop_other_shapes(_shorten_rows(rows), run)
    listed = known
    if len(known) > MAX_TRIALS:
        others = [row for row in known if row["run"] != run]
        listed = [*(row for row in known if row["run"] == run), *others][:MAX_TRIALS]
    kept = [kept_of(row["candidate"]) for row in listed]
    fields, fixed, left_out = _fields([row["candidate"] for row in listed], named)
    columns = {name: pack_column([row[name] for row in listed]) for name in ("attempt", "seed", "run")}
    return {
        "total": len(known),
        "listed": len(listed),
        "columns": {
            "verdict": pack_column([judge(row, signature) for row in listed]),
            "signature": pack_column([_cut_text(row["signature"]) for row in listed]),
            "detail": pack_column([_cut_text(row["detail"]) or None for row in listed]),
            "seconds": pack_column([float(f"{row['seconds']:.3g}") for row in listed]),
            **columns,
        },
        "fields": fields,
        "fixed": fixed,
        "left_out": left_out,
        "kept": pack_column([size for size, _ in kept]) if any(of for _, of in kept) else None,
        "of": max((of for _, of in kept if of), default=None),
        "kinds": _kinds([row["candidate"] for row in listed], [*fields, *fixed]),
    }


def _shorten_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the trials without what a document does not show, which can be megabytes for each of them.

    Of a selection, only the number of its elements is shown. Equal texts of different trials are held once.
    """
    texts: dict[str, str] = {}
    short = []
    for row in rows:
        candidate = row["candidate"]
        size, of = kept_of(candidate)
        if of is not None:
            candidate = {"kept": f"1-{size}" if size else "", "of": of}
        elif isinstance(candidate, dict):
            candidate = {
                name: texts.setdefault(value, value) if isinstance(value, str) else value
                for name, value in candidate.items()
            }
        short.append({**row, "candidate": candidate, "detail": _cut_text(row["detail"])})
    return short


def pack_column(cells: Sequence[Any]) -> Column:
    """Pack cells into a list of distinct values, and the position of each cell's value in this list.

    None counts as no value, and has the position -1.
    """
    distinct: dict[Hashable, Any] = {_identity(cell): cell for cell in cells if cell is not None}
    ordered = sorted(distinct.items(), key=lambda item: value_order(item[1]))
    place = {identity: i for i, (identity, _) in enumerate(ordered)}
    index = [-1 if cell is None else place[_identity(cell)] for cell in cells]
    return {"values": [to_json(value) for _, value in ordered], "index": index}


def unpack_column(column: Mapping[str, Any]) -> list[Any]:
    """Unpack a column into the value of each trial. A trial without a value has None."""
    distinct = [read_value(value) for value in column["values"]]
    return [None if i < 0 else distinct[i] for i in column["index"]]


def read_value(written: Any) -> Any:
    """Read a value of the document; return its text if it cannot be read back."""
    try:
        return from_json(written)
    except InputError:
        return str(next(iter(written.values()), "")) if isinstance(written, dict) else str(written)


def drop_other_shapes(rows: list[Row], run: int | None) -> list[Row]:
    """Drop the trials of other runs whose candidates have another shape than all candidates of ``run``.

    The shape is the set of fields, or the number of elements. If ``run`` has no trials, nothing is dropped.
    """
    mine = {_shape(row["candidate"]) for row in rows if row["run"] == run}
    if not mine:  # answered by earlier runs alone
        return rows
    return [row for row in rows if row["run"] == run or _shape(row["candidate"]) in mine]


def _shape(candidate: Any) -> Hashable:
    _, of = kept_of(candidate)
    if of is not None:
        return of
    return frozenset(candidate) if isinstance(candidate, dict) else type(candidate).__name__


def _kinds(candidates: list[Any], listed: Sequence[str]) -> dict[str, Any] | None:
    """Return a description of the kinds of candidates, and the kind of each trial.

    Returns None if all are of one kind.
    """
    shapes = [_shape(candidate) for candidate in candidates]
    kinds = {shape: i for i, shape in enumerate(dict.fromkeys(shapes))}
    if len(kinds) < 2:
        return None
    names = [{*map(_cut_text, kind)} if isinstance(kind, frozenset) else set() for kind in kinds]
    told = [
        {"of": kind if isinstance(kind, int) else None, "fields": [name for name in listed if name in own]}
        for kind, own in zip(kinds, names, strict=True)
    ]
    return {"told": told, "index": [kinds[shape] for shape in shapes]}


def kept_of(candidate: Any) -> tuple[int | None, int | None]:
    """Return the number of elements that a selection keeps, and the number that it selects from.

    For any other candidate, both are None.
    """
    if not (isinstance(candidate, dict) and candidate.keys() == {"kept", "of"} and isinstance(candidate["of"], int)):
        return None, None
    if not isinstance(candidate["kept"], str) or not _RANGES.fullmatch(candidate["kept"]):
        return None, None  # a configuration whose fields happen to have these names
    ends = [part.split("-") for part in candidate["kept"].split(",") if part]
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends), candidate["of"]


def _fields(candidates: list[Any], named: Sequence[str]) -> tuple[dict[str, Column], dict[str, Any], int]:
    """Return the columns of the fields that vary, and the values of the fields that do not.

    The last item is the number of varying fields that are left out.
    """
    runs = [one if isinstance(one, dict) and kept_of(one)[1] is None else {} for one in candidates]
    first: dict[str, Any] = {}
    varying: set[str] = set()
    for place, one in enumerate(filter(None, runs)):  # a selection has no fields, but that does not make fields vary
        varying |= first.keys() ^ one.keys() if place else set()
        for name, value in one.items():
            known = first.setdefault(name, value)
            if value is not known and not _is_same(value, known):
                varying.add(name)
    names = [name for name in dict.fromkeys([*named, *first]) if name in first]
    varies = [name for name in names if name in varying]
    room = min(MAX_FIELDS, max(len(named), MAX_CELLS // max(1, len(runs))))
    columns = {_cut_text(name): pack_column([_cut_text(one.get(name)) for one in runs]) for name in varies[:room]}
    fixed = [name for name in names if name not in varying][:MAX_FIELDS]
    return columns, {_cut_text(name): to_json(_cut_text(first[name])) for name in fixed}, len(varies) - len(columns)


def _is_same(one: Any, other: Any) -> bool:
    alike = type(one) is type(other) and one == other
    return alike or _identity(one) == _identity(other)


def _identity(value: Any) -> Hashable:
    """Return a key that tells different values apart. For Python, 1, 1.0 and True are equal; their keys are not."""
    if isinstance(value, str):
        return value
    return (type(value).__name__, value) if isinstance(value, int | bool) else canonical(value)


def judge(row: Row, signature: str | None) -> str:
    """Return the verdict of a trial about the failure with this signature.

    The verdict of a trial that failed with another signature is ``OTHER``.
    """
    if row["verdict"] == "fail" and signature is not None and row["signature"] != signature:
        return "OTHER"
    return str(row["verdict"]).upper()


def _cut_text(value: Any) -> Any:
    return cut(value, MAX_TEXT) if isinstance(value, str) else value


# Some of the trials: those of one step of a diagnosis


def select_kinds(trials: dict[str, Any], is_own: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any] | None:
    """Return only the trials of the kinds for which ``is_own`` returns True; None if there are none."""
    kinds = trials.get("kinds")
    if kinds is None:
        return trials
    fits = [is_own(kind) for kind in kinds["told"]]
    chosen = [i for i, kind in enumerate(kinds["index"]) if fits[kind]]
    fields = {name for kind, fit in zip(kinds["told"], fits, strict=True) if fit for name in kind["fields"]}
    if not chosen:
        return None

    def pick(column: Column) -> Column:
        return {**column, "index": [column["index"][i] for i in chosen]}

    return {
        **trials,
        "total": len(chosen),
        "listed": len(chosen),
        "columns": {name: pick(column) for name, column in trials["columns"].items()},
        "fields": {name: pick(column) for name, column in trials["fields"].items() if name in fields},
        "fixed": {name: value for name, value in trials["fixed"].items() if name in fields},
        "kept": None if fields else trials["kept"] and pick(trials["kept"]),
        "kinds": None,
    }


def judge_again(trials: dict[str, Any] | None, signature: str | None) -> dict[str, Any] | None:
    """Judge the trials again, now about the failure with this signature.

    The verdict of a trial that failed with another signature is ``OTHER``.
    """
    if trials is None or signature is None:
        return trials
    names, verdicts = trials["columns"]["signature"], trials["columns"]["verdict"]
    own = names["values"].index(_cut_text(signature)) if _cut_text(signature) in names["values"] else None
    order = ["FAIL", "OTHER", "PASS", "UNRESOLVED"]
    said = [verdicts["values"][i] for i in verdicts["index"]]
    judged = [
        ("FAIL" if name == own else "OTHER") if verdict in ("FAIL", "OTHER") else verdict
        for verdict, name in zip(said, names["index"], strict=True)
    ]
    column = {"values": order, "index": [order.index(verdict) for verdict in judged]}
    return {**trials, "columns": {**trials["columns"], "verdict": column}}


# The table of trials: its columns, and its first rows for readers without scripts, notebooks and paper

MAX_ROWS = 50
"""Number of rows in the HTML itself: the first page of the table."""
INITIAL_FIELDS = 8
"""Number of fields that have a column from the start; the reader can choose others."""


def columns(trials: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the possible columns, each with its label and whether it is shown from the start."""
    fields = [
        _column("field", name, visible(cut(name, 60)), place < INITIAL_FIELDS, column)
        for place, (name, column) in enumerate(trials["fields"].items())
    ]
    kept = [_column("kept", "kept", f"kept of {trials['of']}", True, trials["kept"])] if trials["kept"] else []
    verdict, *others = (
        _column(
            "column",
            name,
            "time" if name == "seconds" else name,
            name in ("verdict", "seconds") or _varies(name, column),
            column,
        )
        for name, column in trials["columns"].items()
        if column["values"]
    )
    return [verdict, *fields, *kept, *others]


def _column(kind: str, name: str, label: str, shown: bool, column: dict[str, Any]) -> dict[str, Any]:
    """Describe a column. ``float``: True if its numbers are written with decimal points, even whole ones."""
    floats = any(isinstance(value, float) for value in column["values"])
    return {"kind": kind, "name": name, "label": label, "shown": shown, "float": floats}


def _varies(name: str, column: dict[str, Any]) -> bool:
    return name != "seed" and len(set(column["index"])) > 1


def first_rows(trials: dict[str, Any], shown: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of the first trials.

    A row holds a cell, with ``kind`` and ``text``, for each shown column.
    """
    picked = [(column["kind"], column["name"], _data(trials, column)) for column in shown]
    for trial in range(min(MAX_ROWS, trials["listed"])):
        yield [_cell(kind, name, column, trial) for kind, name, column in picked]


def _data(trials: dict[str, Any], column: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = {"field": trials["fields"], "column": trials["columns"], "kept": trials}[column["kind"]]
    data: dict[str, Any] = place[column["name"]]
    return data


def _cell(kind: str, name: str, column: dict[str, Any], trial: int) -> dict[str, Any]:
    at = column["index"][trial]
    if at < 0:
        return {"kind": "none", "text": "", "number": False}
    value = column["values"][at]
    write = write_value if kind != "column" else duration if name == "seconds" else lambda it: visible(str(it))
    shown_as = "verdict" if (kind, name) == ("column", "verdict") else kind
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return {"kind": shown_as, "text": cut(write(value)), "number": plain}


def count_earlier(run: dict[str, Any]) -> int:
    """Return how many of the listed trials come from earlier runs."""
    column = run["trials"]["columns"].get("run")
    if run["run"] is None or column is None:
        return 0
    return sum(place >= 0 and column["values"][place] != run["run"] for place in column["index"])


def verdict_counts(trials: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the number of listed trials for each verdict, failing ones first."""
    column = trials["columns"]["verdict"]
    order = ["FAIL", "OTHER", "UNRESOLVED", "PASS"]
    counts = [(value.upper(), column["index"].count(place)) for place, value in enumerate(column["values"])]
    return sorted(counts, key=lambda one: order.index(one[0]))
