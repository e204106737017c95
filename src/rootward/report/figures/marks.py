"""Runs as marks: a cross for one that failed, a dot for one that passed, a ring for one that ended otherwise.

Shape and colour both tell the verdict. The first few hundred tell their values to a mouse; the others of a long search
are drawn as one path for each kind, those that would cover each other once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from rootward.report.figures.svg import add, number
from rootward.report.figures.view import Flat

TITLED = 150
"""So many runs tell their values ..."""
DRAWN = 1200
"""... and so many are drawn at most."""
NEAR = 2.5
"""Marks of one kind that are nearer than this are one."""
KINDS = {"FAIL": "fail", "PASS": "pass", "OTHER": "other", "UNRESOLVED": "other"}
STYLE = """
.rw-plane .fail { fill: none; stroke: var(--hot); stroke-width: 2; stroke-linecap: round; }
.rw-plane .pass { fill: none; stroke: var(--way); stroke-width: 6; stroke-linecap: round; }
.rw-plane .other { fill: none; stroke: color-mix(in srgb, currentColor 70%, Canvas); stroke-width: 1.5; }
.rw-plane .off { opacity: .3; }
"""


@dataclass(frozen=True)
class Mark:
    at: Flat
    verdict: str
    off: bool
    """Whether it lies off the plane that is drawn."""
    run: int
    """Which run it is, counted from 0."""


def draw(svg: Element, marks: Sequence[Mark], title: Callable[[int], str]) -> None:
    """Draws them, what lies off the plane and what passed below the rest; ``title``: what a run tells to a mouse."""
    seen = _thinned(marks)[:DRAWN]
    ordered = sorted(seen, key=lambda mark: (not mark.off, mark.verdict == "FAIL"))
    told = {id(mark) for mark in seen[:TITLED]}
    silent = [mark for mark in ordered if id(mark) not in told]
    for kind, group in _grouped(silent).items():
        add(svg, "path", kind, d="".join(map(_shape, group)))
    for mark in ordered:
        if id(mark) in told:
            part = add(svg, "path", _kind(mark), d=_shape(mark))
            add(part, "title", "name", title(mark.run))


def _thinned(marks: Iterable[Mark]) -> list[Mark]:
    """Those on the plane first, each place once."""
    places: dict[tuple[str, int, int], Mark] = {}
    for mark in sorted(marks, key=lambda mark: mark.off):
        places.setdefault((_kind(mark).split()[0], round(mark.at[0] / NEAR), round(mark.at[1] / NEAR)), mark)
    return list(places.values())


def _grouped(marks: Iterable[Mark]) -> dict[str, list[Mark]]:
    groups: dict[str, list[Mark]] = {}
    for mark in marks:
        groups.setdefault(_kind(mark), []).append(mark)
    return groups


def _kind(mark: Mark) -> str:
    return f"{KINDS.get(mark.verdict, 'other')}{' off' if mark.off else ''}"


def _shape(mark: Mark) -> str:
    x, y = mark.at
    if mark.verdict == "FAIL":
        return f"M{number(x - 3.5)} {number(y - 3.5)}l7 7m0-7l-7 7"
    if mark.verdict == "PASS":
        return f"M{number(x)} {number(y)}h0"
    return f"M{number(x - 3)} {number(y)}a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
