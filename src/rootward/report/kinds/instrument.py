"""A checkpoint: the node of a pipeline where a check helps most, and a comparison of all nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from rootward.report.figures.flow import draw_flow
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run
from rootward.rules.text import field_text
from rootward.searches.causes.checkpoint import CheckEffect, Checkpoint, to_plain

NOWHERE = "A check does not help at any node: none separates the parameters."


class InstrumentPresenter(Presenter[Checkpoint]):
    template = "instrument.html"

    def words(self, finding: Checkpoint) -> str:
        lines = [NOWHERE] if finding.node is None else _advice(finding.row.to_dict(), to_plain(finding.before))
        return "\n".join([*lines, "", *_table(finding.nodes)])

    def certainty(self, data: Data) -> Certainty | None:
        return Certainty("Computed from the graph of the pipeline: exact, and nothing had to be run.")

    def basis(self, run: Run, data: Data) -> Markup:
        nodes, params = len(data["nodes"]), len(data["params"])
        said = "{} node{} of the pipeline compared; {} parameter{} vary."
        return Markup(said.format(nodes, "" if nodes == 1 else "s", params, "" if params == 1 else "s"))

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        best = next((row for row in data["nodes"] if row["node"] == data["node"]), None)
        if data["node"] is None or best is None:
            return {"best": None, "advice": [], "drawn": draw_flow(data)}
        return {"best": best, "advice": _advice(best, data["before"])[1:], "drawn": draw_flow(data)}


PRESENTER = InstrumentPresenter()


def _advice(row: Data, before: int | str) -> list[str]:
    """Say where to put the check, and why; ``row`` is the row of its node."""
    sizes = f"{_count(row['inside'])} + {_count(row['outside'])} = {_count(row['sum'])}"
    own = f"{_join(row['exclusive_to'])} {_affect(row['exclusive_to'])}"
    lines = [
        f"Put a check after {field_text(row['node'])}: {own} the result only through it.",
        f"That leaves {sizes} combinations to search, instead of {_count(before)}.",
    ]
    if row["covers"]:
        lines.append(f"It covers parameters that took part in failures: {_join(row['covers'])}.")
    if shared := sorted({*row["params_to"]}.difference(row["exclusive_to"])):
        lines.append(
            f"The check also depends on {_join(shared)}, which {_affect(shared)} the result in other ways, too."
        )
    return lines


def _affect(names: Sequence[str]) -> str:
    return "affects" if len(names) == 1 else "affect"


def _table(rows: Iterable[CheckEffect]) -> list[str]:
    lines = [("node", "depends on", "only through it", "combinations", "of the others", "sum"), *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = [
        [f"{cell:{'<' if place < 3 else '>'}{widths[place]}}" for place, cell in enumerate(line)] for line in lines
    ]
    return ["  ".join(line) for line in aligned]


def _cells(row: CheckEffect) -> tuple[str, ...]:
    name = row.node if row.possible else f"{row.node} (no check)"
    sizes = (_count(to_plain(number)) for number in (row.inside, row.outside, row.size))
    return name, _join(row.params, str), _join(row.exclusive, str), *sizes


def _join(names: Sequence[str], text: Callable[[str], str] = field_text, shown: int = 4) -> str:
    more = [f"{len(names) - shown} more"] if len(names) > shown else []
    return ", ".join([*map(text, names[:shown]), *more]) or "-"


def _count(number: int | str) -> str:
    return number if isinstance(number, str) else f"{number:,}"
