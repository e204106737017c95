"""The trials of a run as columns of few distinct values: small to embed in a page, quick to sort and to filter.

A column lists its distinct values once, in their natural order, and the position of each trial's value among them. So
sorting a table by a column is sorting numbers, and what a page of 10,000 trials has to hold is mostly small integers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from rootward.errors import InputError
from rootward.evidence import Row
from rootward.keys import canonical
from rootward.plain import from_json, to_json
from rootward.report.cells import cut
from rootward.rules.atoms import value_order

LISTED = 20_000
"""So many trials are listed ..."""
CELLS = 200_000
"""... with so many values of fields ..."""
FIELDS = 40
"""... and so many fields, at most."""
LONG = 300
"""Longer texts are cut."""

Column = dict[str, Any]


def packed(rows: Iterable[Row], *, run: int | None, signature: str | None, named: Sequence[str]) -> dict[str, Any]:
    """The document's ``trials``. Those of the run come first if there are too many; ``named`` fields come first."""
    known = _of_one_kind(list(rows), run)
    listed = known
    if len(known) > LISTED:
        others = [row for row in known if row["run"] != run]
        listed = [*(row for row in known if row["run"] == run), *others][:LISTED]
    kept = [kept_of(row["candidate"]) for row in listed]
    fields, fixed, left_out = _fields([row["candidate"] for row in listed], named)
    columns = {name: column([row[name] for row in listed]) for name in ("attempt", "seed", "run")}
    return {
        "total": len(known),
        "listed": len(listed),
        "columns": {
            "verdict": column([_verdict(row, signature) for row in listed]),
            "signature": column([_cut(row["signature"]) for row in listed]),
            "detail": column([_cut(row["detail"]) or None for row in listed]),
            "seconds": column([float(f"{row['seconds']:.3g}") for row in listed]),
            **columns,
        },
        "fields": fields,
        "fixed": fixed,
        "left_out": left_out,
        "kept": column([size for size, _ in kept]) if any(of for _, of in kept) else None,
        "of": max((of for _, of in kept if of), default=None),
        "kinds": _kinds([row["candidate"] for row in listed], [*fields, *fixed]),
    }


def column(cells: Sequence[Any]) -> Column:
    """The cells as distinct values and positions; None is no value."""
    distinct: dict[Hashable, Any] = {_identity(cell): cell for cell in cells if cell is not None}
    ordered = sorted(distinct.items(), key=lambda item: value_order(item[1]))
    place = {identity: i for i, (identity, _) in enumerate(ordered)}
    index = [-1 if cell is None else place[_identity(cell)] for cell in cells]
    return {"values": [to_json(value) for _, value in ordered], "index": index}


def values(column: Mapping[str, Any]) -> list[Any]:
    """The cell of each trial; None where it has none."""
    distinct = [read(value) for value in column["values"]]
    return [None if i < 0 else distinct[i] for i in column["index"]]


def read(written: Any) -> Any:
    """A value of the data; what cannot be read back is the text of how it was written."""
    try:
        return from_json(written)
    except InputError:
        return str(next(iter(written.values()), "")) if isinstance(written, dict) else str(written)


def _of_one_kind(rows: list[Row], run: int | None) -> list[Row]:
    """Without what other runs tried that has another shape: their lists are not this one's."""
    mine = {_shape(row["candidate"]) for row in rows if row["run"] == run}
    return [row for row in rows if row["run"] == run or _shape(row["candidate"]) in mine]


def _shape(candidate: Any) -> Hashable:
    _, of = kept_of(candidate)
    if of is not None:
        return of
    return frozenset(candidate) if isinstance(candidate, dict) else type(candidate).__name__


def _kinds(candidates: list[Any], listed: Sequence[str]) -> dict[str, Any] | None:
    """Of candidates of several kinds: what tells the kinds apart, and which of them each is; None for one kind."""
    shapes = [_shape(candidate) for candidate in candidates]
    kinds = {shape: i for i, shape in enumerate(dict.fromkeys(shapes))}
    if len(kinds) < 2:
        return None
    names = [{*map(_cut, kind)} if isinstance(kind, frozenset) else set() for kind in kinds]
    told = [
        {"of": kind if isinstance(kind, int) else None, "fields": [name for name in listed if name in own]}
        for kind, own in zip(kinds, names, strict=True)
    ]
    return {"told": told, "index": [kinds[shape] for shape in shapes]}


def kept_of(candidate: Any) -> tuple[int | None, int | None]:
    """How many elements a selection keeps, and of how many."""
    if not (isinstance(candidate, dict) and candidate.keys() == {"kept", "of"} and isinstance(candidate["kept"], str)):
        return None, None
    ends = [part.split("-") for part in candidate["kept"].split(",") if part]
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends), candidate["of"]


def _fields(candidates: list[Any], named: Sequence[str]) -> tuple[dict[str, Column], dict[str, Any], int]:
    """The columns of fields that vary, the values of those that do not, and how many of the former are left out."""
    runs = [one if isinstance(one, dict) and kept_of(one)[1] is None else {} for one in candidates]
    first: dict[str, Any] = {}
    varying: set[str] = set()
    for place, one in enumerate(filter(None, runs)):  # a selection has no fields, which is not to vary them
        varying |= first.keys() ^ one.keys() if place else set()
        for name, value in one.items():
            known = first.setdefault(name, value)
            if value is not known and not _same(value, known):
                varying.add(name)
    names = [name for name in dict.fromkeys([*named, *first]) if name in first]
    varies = [name for name in names if name in varying]
    room = min(FIELDS, max(len(named), CELLS // max(1, len(runs))))
    columns = {_cut(name): column([_cut(one.get(name)) for one in runs]) for name in varies[:room]}
    fixed = [name for name in names if name not in varying][:FIELDS]
    return columns, {_cut(name): to_json(_cut(first[name])) for name in fixed}, len(varies) - len(columns)


def _same(one: Any, other: Any) -> bool:
    alike = type(one) is type(other) and one == other
    return alike or _identity(one) == _identity(other)


def _identity(value: Any) -> Hashable:
    """What tells values apart: not as Python does, for which 1, 1.0 and True are the same."""
    if isinstance(value, str):
        return value
    return (type(value).__name__, value) if isinstance(value, int | bool) else canonical(value)


def _verdict(row: Row, signature: str | None) -> str:
    """Seen from the failure in question: another one is not that."""
    if row["verdict"] == "fail" and signature is not None and row["signature"] != signature:
        return "OTHER"
    return str(row["verdict"]).upper()


def _cut(value: Any) -> Any:
    return cut(value, LONG) if isinstance(value, str) else value
