"""The values inside of messages (``M0.speed``) and of the rows of a table (``R17.age``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rootward.formats import csv_text
from rootward.formats.messages import Messages
from rootward.formats.parameters.cells import Cells
from rootward.formats.parameters.json_values import scalars
from rootward.formats.parameters.parameters import Parameters, members, of
from rootward.formats.parameters.stated import Stated
from rootward.formats.rows import Rows

_NAME = re.compile(r"[A-Z](0|[1-9][0-9]*)(?=[.\[])")


def messages(document: Messages, kept: Sequence[int]) -> Parameters | None:
    """All that kept messages say but their times: those stay where they are, whatever comes at them."""
    find = _in_rows if document.path.suffix.lower() == ".csv" else _in_objects

    def removed(name: str) -> bool:
        found = _NAME.match(name) if name.startswith("M") else None
        if found is not None and len(kept) <= int(found[1]) < len(document):
            return True
        return name in members(find(document, range(len(document))))

    return of(find(document, kept), removed, ordered=True, among=find(document, range(len(document))))


def rows(document: Rows, kept: Sequence[int]) -> Parameters | None:
    """The cells of kept rows, which are counted from 1, as ``reduce`` shows them."""
    cells = Cells(document.path, document.text, document.header, document.rows)

    def removed(name: str) -> bool:
        found = _NAME.match(name) if name.startswith("R") else None
        if found is not None and 0 < int(found[1]) <= len(document) and int(found[1]) - 1 not in kept:
            return True
        return name in cells.names

    def content(i: int) -> Stated:
        name = f"R{i + 1}"
        return Stated(name, document[i], document, {cell.path: cell for cell in cells.of(document.rows[i], name)})

    return of(map(content, kept), removed, ordered=True)


def _in_objects(document: Messages, kept: Sequence[int]) -> Iterator[Stated]:
    for place, i in enumerate(kept):
        found = document.found[i]
        values = scalars(document.path, document.text, found.span, f"M{place}")
        yield Stated(f"M{place}", document[i], document, {v.path: v for v in values if v.span != found.stamp})


def _in_rows(document: Messages, kept: Sequence[int]) -> Iterator[Stated]:
    header, *everyone = csv_text.rows(document.path, document.text)
    cells = Cells(document.path, document.text, header, everyone)
    for place, i in enumerate(kept):
        found = cells.of(everyone[i], f"M{place}", [document.found[i].stamp])
        yield Stated(f"M{place}", document[i], document, {cell.path: cell for cell in found})
