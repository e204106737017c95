"""Bad rows: the cells of a table that make it fail, and what is odd about each of them."""

from __future__ import annotations

import contextlib
import datetime
import math
from collections.abc import Sequence
from typing import Any

from rootward.report.figures.table_strips import draw_table
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
from rootward.rules.text import field_text, value_text
from rootward.searches.rows.bad_rows import TEXT_TYPES, BadRows
from rootward.searches.rows.deviation import Array
from rootward.searches.rows.differences import ADDED, MISSING
from rootward.words import count

MAX_PRINTED = 10
"""Maximum number of cells printed; if there are more, the number of the others is printed."""
MAX_NAMED = 5
"""Maximum number of cells named in the answer; if there are more, a page names none: a few would say nothing."""
MAX_TEXT = 60
"""Maximum length of a text, in characters."""


class RowsPresenter(Presenter[BadRows]):
    template = "rows.html"
    joined_by = "and"

    def words(self, finding: BadRows) -> str:
        lines = [
            self.about(finding, "It"),
            *failure_lines(finding.signature, finding.error),
            *steadiness_lines(finding),
        ]
        if finding.passes:
            lines += [f"  {cell.row}: {cell.text}" for cell in finding.first_cells(MAX_PRINTED + 1)[:MAX_PRINTED]]
            if len(finding.patch) > MAX_PRINTED:
                lines.append(f"  ... and {len(finding.patch) - MAX_PRINTED:,} more")
        return "\n".join([*lines, *self.remarks(finding)])

    def line(self, finding: BadRows) -> str:
        cells = "; ".join(f"{cell.row}: {cell.text}" for cell in finding.first_cells(MAX_NAMED))
        return f"It fails because of {cells}" if finding.passes and cells else super().line(finding)

    def about(self, finding: BadRows, name: str) -> str:
        return _headline(finding, name)

    def remarks(self, finding: BadRows) -> list[str]:
        name = finding.tables.names[1]
        if finding.passes is False:
            return [f"The differences from {name} are not the cause, or not all of it; or {name} fails, too."]
        if not finding.passes:
            return []
        return [*self._repair_remarks(finding), *self._alike_remarks(finding)]

    def _repair_remarks(self, finding: BadRows) -> list[str]:
        name = finding.tables.names[1]
        one = len(finding.patch) == 1
        taken = f"With {'this' if one else 'these'} repaired as in {name}, it passes"
        if not finding.minimal:
            return [f"{taken}; it was not tested whether all of that is needed."]
        return [f"{taken}; with {'it' if one else 'any one of them'} left unrepaired, it does not."]

    def _alike_remarks(self, finding: BadRows) -> list[str]:
        """Name the cells that deviate in the same way, although repairing them was not needed."""
        more = finding.alike_count
        if not more:
            return []
        verb, them = ("deviates", "it") if more == 1 else ("deviate", "them")
        shown = more if more <= MAX_PRINTED else MAX_NAMED
        listed = "; ".join(f"{cell.row}: {cell.text}" for cell in finding.first_alike(shown))
        rest = f"; and {more - shown:,} more" if more > shown else ""
        said = f"{count(more, 'more difference')} {verb} in the same way; repairing {them} was not needed"
        return [f"{said}: {listed}{rest}."]

    # One cell

    def row_name(self, names: Sequence[str], key: Sequence[Any]) -> str:
        """Name a row by its key, as in ``id=17``."""
        return ", ".join(f"{field_text(one)}={self.value(part)}" for one, part in zip(names, key, strict=True))

    def whole_row(self, column: int, good: str) -> str:
        """Say in which of the two tables a whole row is missing. ``good`` is the name of the good table."""
        said = {ADDED: f"the row is not in {good}", MISSING: f"the row is missing; {good} has it"}
        return said[column]

    def cell(self, name: str, bad: Any, good: Sequence[Any], odd: tuple[str, float, Array] | None) -> str:
        """Say what is odd about a cell: its value, the values in the good tables, and an odd difference if any.

        ``odd`` describes the difference from another column in the same row: the name of that column, the difference in
        the bad table, and the differences in the good tables.
        """
        text = f"{field_text(name)} is {self.value(bad)} ({self._describe_good(good)})"
        if odd is not None:
            other, difference, usual = odd
            pair = f"{field_text(name)} - {field_text(other)}"
            text += f", but {pair} is {self.value(difference)} ({self._describe_good(usual.tolist())})"
        return text

    def _describe_good(self, good: Sequence[Any]) -> str:
        """Describe the values of the good tables: as a range of numbers or dates, or as a list."""
        where = "in the good table" + ("s" if len(good) > 1 else "")
        distinct = list(dict.fromkeys(map(self.value, good)))
        if len(distinct) > 1 and None not in (ranked := [_order_key(value) for value in good]):
            low, high = (good[ranked.index(end)] for end in (min(ranked), max(ranked)))
            return f"{self.value(low)} to {self.value(high)} {where}"
        more = f" or {len(distinct) - 3} more" if len(distinct) > 3 else ""
        return f"{' or '.join(distinct[:3])}{more} {where}"

    def value(self, value: Any) -> str:
        """Write a value of a table."""
        if value is None:
            return "missing"
        if isinstance(value, str):
            short = value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}..."
            return short if _order_key(value) is not None else value_text(short)
        if isinstance(value, float) and math.isfinite(value):
            return f"{value:.6g}"
        return str(value) if isinstance(value, TEXT_TYPES) else value_text(value)

    # Its part of a page

    def conditions(self, data: Data) -> list[str]:
        few = data["passes"] and len(data["cells"]) <= MAX_NAMED
        return [f"{cell['row']}: {cell['text']}" for cell in data["cells"]] if few else []

    def certainty(self, data: Data) -> Certainty | None:
        if not data["passes"]:
            return None
        if data["repaired"] == 1:
            return Certainty("With this difference repaired it passes; without, it fails. Both were run.")
        if data["minimal"]:
            return Certainty(
                "With all of them repaired it passes; with any one of them left unrepaired, it fails. Both were run."
            )
        return Certainty("With all of them repaired it passes. It was not shown whether each is needed.")

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        return {"drawn": draw_table(data), "part": data.get("excerpt")}


PRESENTER = RowsPresenter()


def _headline(finding: BadRows, it: str) -> str:
    every = count(len(finding.tables), "difference")
    if finding.passes is None:
        return f"Nothing is known yet about the {every} between the tables."
    if not finding.passes:
        return f"Even with every difference repaired ({every}), it does not pass: these tables do not explain it."
    rows = f"{finding.row_count:,} of {finding.tables.key_count:,} rows"
    if not finding.minimal:
        return f"{it} passes with {rows} repaired; perhaps not all of them are bad."
    return f"{it} fails because of {rows}."


def _order_key(value: Any) -> Any:
    """Return a key that orders dates and numbers, including numbers written as text. Returns None for other values."""
    if isinstance(value, datetime.date):
        return value
    with contextlib.suppress(TypeError, ValueError):
        number = None if isinstance(value, bool) else float(value)
        return None if number is None or math.isnan(number) else number
    return None
