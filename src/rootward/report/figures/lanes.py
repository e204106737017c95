"""A recording over time: a lane for each ECU and direction, relevant messages emphasised, long pauses shortened."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markupsafe import Markup

from rootward.report.figures.svg import add, clean, drawing, length, markup, shorten

WIDTH, LEFT, RIGHT = 920.0, 132.0, 900.0
TOP, LANE_STEP, PAUSE_WIDTH, HEAD = 66.0, 58.0, 52.0, 18.0
"""The space above the lanes, the distance between them, the width of a shortened pause, and the height (y) at which
durations are written."""
MAX_LANES = 12
"""Maximum number of lanes; those with relevant messages come first."""
LONG_PAUSE_SHARE, MAX_SHORTENED = 0.4, 6
"""A pause that takes more than this share of the time is shortened; maximum number of pauses shortened in this way."""
MIN_DISTANCE = 13.0
"""Minimum distance between two messages, if there is room."""
EXTRA_STYLE = """
.rw-lanes { width: 100%; }
.rw-lanes .lane { stroke: currentColor; stroke-opacity: .22; stroke-width: 1; }
.rw-lanes .message { fill: color-mix(in srgb, currentColor 38%, Canvas); }
.rw-lanes .relevant { fill: var(--way); }
.rw-lanes .fault { fill: var(--hot); }
.rw-lanes .ring { fill: none; stroke: var(--hot); stroke-width: 2; }
.rw-lanes .missing { fill: Canvas; stroke: var(--hot); stroke-width: 2; stroke-dasharray: 3 2.5; }
.rw-lanes .drop { stroke: var(--way); stroke-opacity: .4; stroke-width: 1; }
.rw-lanes .drop.bad { stroke: var(--hot); stroke-opacity: .6; }
.rw-lanes .due { stroke: var(--hot); stroke-width: 1.5; stroke-dasharray: 4 3; }
.rw-lanes .late { fill: var(--hot); fill-opacity: .1; }
.rw-lanes .pause { fill: Canvas; }
.rw-lanes text.blue { fill: var(--way); font-weight: 600; }
.rw-lanes text.red { fill: var(--hot); font-weight: 600; }
"""


def draw_lanes(example: dict[str, Any] | None, fault: dict[str, Any], *, styled: bool = True) -> Markup | None:
    """Draw the messages of an example and its fault. Returns None if there are no messages.

    ``styled``: include the style sheet in the drawing.
    """
    if not example or not example["events"]:
        return None
    return _Lanes(example, fault).draw(styled)


def span(microseconds: float) -> str:
    """Write a duration in a few characters."""
    for unit, size in (("s", 1_000_000), ("ms", 1000)):
        if microseconds >= size:
            return (
                f"{microseconds / size:.3g} {unit}"
                if microseconds < 1000 * size
                else f"{microseconds / size:,.0f} {unit}"
            )
    return f"{microseconds:.0f} µs"


class _Lanes:
    def __init__(self, example: dict[str, Any], fault: dict[str, Any]) -> None:
        self.events: list[dict[str, Any]] = example["events"]
        self.since: int | None = example["since"]
        self.fault = fault
        self.kept = set(fault["kept"])
        self.rows = self._rows()
        self.events = [event for event in self.events if (event["ecu"], event["kind"]) in self.rows]
        self.bottom = TOP + LANE_STEP * (len(self.rows) - 1)
        self.times: list[int] = [event["time"] for event in self.events]
        self.end = self._end()
        self.places, self.pauses = self._place_times()
        self.taken: list[tuple[float, float, float]] = []

    def draw(self, styled: bool) -> Markup:
        height = self.bottom + 54
        label = f"{len(self.events)} messages over time, {len(self.kept)} of them relevant."
        svg = drawing(height, label, wide=WIDTH, kind="rw-lanes", style=EXTRA_STYLE if styled else None)
        self._draw_late(svg)
        self._draw_rows(svg)
        self._draw_due(svg)
        self._draw_pauses(svg)
        self._draw_messages(svg)
        self._draw_times(svg)
        return markup(svg)

    # Places

    def _rows(self) -> list[tuple[str, str]]:
        """Return the lanes, each as an ECU and a direction.

        The lanes of one ECU are together, with its requests first.
        """
        ecus = list(dict.fromkeys(event["ecu"] for event in self.events))
        relevant = {self.fault["index"], *self.kept}
        first = [(event["ecu"], event["kind"]) for event in self.events if event["index"] in relevant]
        missing = [(self._ecu, "res")] if self._is_missing else []
        seen = dict.fromkeys([*missing, *first, *((event["ecu"], event["kind"]) for event in self.events)])
        order = {"req": 0, "res": 1}
        return sorted(list(seen)[:MAX_LANES], key=lambda row: (ecus.index(row[0]), order.get(row[1], 2), row[1]))

    @property
    def _is_missing(self) -> bool:
        return bool(self.fault["kind"] == "missing")

    @property
    def _ecu(self) -> str:
        """The ECU that should have answered: the receiver of the last relevant message."""
        return str(next((e["ecu"] for e in reversed(self.events) if e["index"] in self.kept), self.events[-1]["ecu"]))

    @property
    def due(self) -> int | None:
        """The time by which the answer had to come; None if there is no limit."""
        return None if self.since is None or self.fault["limit"] is None else self.since + int(self.fault["limit"])

    def _end(self) -> int:
        """Return the last time to draw.

        It is the time of the last event. If an answer is missing and was due later than that, it is the time when it
        was due.
        """
        last = self.times[-1]
        return max(last, self.due or 0) if self._is_missing else last

    def _place_times(self) -> tuple[list[tuple[int, float]], list[tuple[int, int]]]:
        """Return the x coordinate of each time, and the pauses that are drawn shortened."""
        instants = sorted({*self.times, self.end})
        gaps = list(pairwise(instants))
        if not gaps:
            return [(instants[0], LEFT + 30)], []
        cut = self._gaps_to_shorten(gaps)
        rest = sum(end - start for start, end in gaps if (start, end) not in cut)
        room = RIGHT - LEFT - 50 - PAUSE_WIDTH * len(cut)
        least = min(MIN_DISTANCE, room / max(1, len(gaps) - len(cut)) * 0.8)
        scale = (room - least * (len(gaps) - len(cut))) / rest if rest else 0.0
        x = LEFT + 24.0
        places = [(instants[0], x)]
        for start, end in gaps:
            x += PAUSE_WIDTH if (start, end) in cut else least + (end - start) * scale
            places.append((end, x))
        return places, sorted(cut)

    def _gaps_to_shorten(self, gaps: list[tuple[int, int]]) -> set[tuple[int, int]]:
        """Return the gaps to draw shortened.

        These are the gaps in which messages are left out, and pauses that would take most of the room.
        """
        cut = {
            (one["time"], other["time"])
            for one, other in pairwise(self.events)
            if other["index"] > one["index"] + 1 and other["time"] > one["time"]
        }
        left = sorted((gap for gap in gaps if gap not in cut), key=lambda gap: gap[0] - gap[1])
        for start, end in left[:MAX_SHORTENED]:
            total = sum(stop - begin for begin, stop in gaps if (begin, stop) not in cut)
            if len(gaps) - len(cut) > 2 and end - start > LONG_PAUSE_SHARE * total:
                cut.add((start, end))
        return cut

    def _x(self, time: float) -> float:
        i = bisect_right(self.places, (time, float("inf")))
        if i == 0:
            return self.places[0][1]
        if i == len(self.places):
            return self.places[-1][1]
        (start, x), (end, to) = self.places[i - 1], self.places[i]
        return x + (to - x) * (time - start) / (end - start)

    def _y(self, ecu: str, kind: str) -> float:
        return TOP + LANE_STEP * self.rows.index((ecu, kind))

    # Marks

    def _draw_rows(self, svg: Element) -> None:
        for ecu, kind in self.rows:
            y = self._y(ecu, kind)
            name = {"req": f"to {ecu}", "res": f"from {ecu}"}.get(kind, f"{ecu} {kind}")
            add(svg, "text", "end", shorten(name, 17), x=LEFT - 10, y=y + 4.5)
            add(svg, "line", "lane", x1=LEFT, y1=y, x2=RIGHT, y2=y)

    def _draw_pauses(self, svg: Element) -> None:
        low, high = HEAD + 8, self.bottom + 26
        silences = {one["before"] for one in self.fault["silences"]}
        matter = {event["time"] for event in self.events if event["index"] in silences}
        for start, end in self.pauses:
            x = (self._x(start) + self._x(end)) / 2
            add(svg, "rect", "pause", x=x - 5, y=low, width=10, height=high - low)
            for side in (-5, 5):
                add(svg, "line", "lane", x1=x + side, y1=low, x2=x + side, y2=high)
            text = span(end - start)
            if self._reserve(HEAD, x, text):
                add(svg, "text", "blue middle" if end in matter else "soft middle", text, x=x, y=HEAD)

    def _draw_late(self, svg: Element) -> None:
        if self.due is not None and self.fault["kind"] == "late":
            x, to = self._x(self.due), self._x(self.fault["time"])
            add(svg, "rect", "late", x=x, y=HEAD + 8, width=max(0.0, to - x), height=self.bottom + 18 - HEAD)

    def _draw_due(self, svg: Element) -> None:
        if self.due is None:
            return
        x = self._x(self.due)
        add(svg, "line", "due", x1=x, y1=HEAD + 8, x2=x, y2=self.bottom + 26)
        text = f"due after {span(self.fault['limit'])}"
        at = min(x, RIGHT - length(text) / 2)
        self._reserve(HEAD, at, text)
        add(svg, "text", "red middle", text, x=at, y=HEAD)

    def _draw_messages(self, svg: Element) -> None:
        for event in sorted(self.events, key=lambda one: (one["index"] in self.kept, one["index"])):
            self._draw_message(svg, event)
        self._draw_labels(svg)
        if self._is_missing:
            x, y = self._x(self.end if self.due is None else self.due), self._y(self._ecu, "res")
            add(svg, "circle", "missing", cx=x, cy=y, r=7)
            add(svg, "text", "red end", "no answer", x=x - 12, y=y - 10)

    def _draw_message(self, svg: Element, event: dict[str, Any]) -> None:
        x, y = self._x(event["time"]), self._y(event["ecu"], event["kind"])
        bad = self._is_fault(event)
        kind, size = ("fault", 6.5) if bad else ("relevant", 6.0) if event["index"] in self.kept else ("message", 3.6)
        if kind != "message":
            drop = "drop bad" if bad else "drop"
            add(svg, "line", drop, x1=x, y1=y, x2=x, y2=self.bottom + 26)
        if bad:
            add(svg, "circle", "ring", cx=x, cy=y, r=11)
        dot = add(svg, "circle", kind, cx=x, cy=y, r=size)
        words = (event["operation"], event["payload"])
        limit = 60 if kind == "message" else 300
        SubElement(dot, "title").text = clean(f"{event['index'] + 1}: {' '.join(filter(None, words))}"[:limit])

    def _is_fault(self, event: dict[str, Any]) -> bool:
        return bool(event["index"] == self.fault["index"] and not self._is_missing)

    def _draw_labels(self, svg: Element) -> None:
        """Label the relevant messages, beginning with the fault.

        The label is the name of the message, above its dot. Where there is no room for the name, it is the number.
        """
        named = [event for event in self.events if event["index"] in self.kept or self._is_fault(event)]
        for event in sorted(named, key=lambda one: (not self._is_fault(one), -one["index"])):
            y = self._y(event["ecu"], event["kind"]) - 15
            for text in (f"{event['index'] + 1}  {shorten(event['operation'], 26)}", f"{event['index'] + 1}"):
                wide = length(text)
                x = min(max(self._x(event["time"]), LEFT + wide / 2), RIGHT - wide / 2)
                if self._reserve(y, x, text):
                    add(svg, "text", "red middle" if self._is_fault(event) else "blue middle", text, x=x, y=y)
                    break

    def _reserve(self, y: float, x: float, text: str) -> bool:
        """Reserve room for a text on the line at ``y``. Returns False if the room is taken already."""
        low, high = x - length(text) / 2 - 3, x + length(text) / 2 + 3
        if any(line == y and start < high and end > low for line, start, end in self.taken):
            return False
        self.taken.append((y, low, high))
        return True

    def _draw_times(self, svg: Element) -> None:
        """Write times below the lanes, those of relevant messages first."""
        y = self.bottom + 44
        fault = [event["time"] for event in self.events if self._is_fault(event)]
        kept = [event["time"] for event in self.events if event["index"] in self.kept]
        for time in dict.fromkeys([*fault, *kept, self.times[0], self.end]):
            text = f"{time / 1e6:.3f} s"
            x = min(max(self._x(time), LEFT + length(text) / 2), RIGHT - length(text) / 2)
            if self._reserve(y, x, text):
                add(svg, "text", "soft middle", text, x=x, y=y)
        add(svg, "text", "soft end", "time", x=LEFT - 10, y=y)
