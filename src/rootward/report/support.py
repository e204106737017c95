"""What speaks for each cause and what against it, and the runs behind that: rows of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rootward.report.figures.coordinates import text
from rootward.report.figures.svg import short
from rootward.report.instances import Instances, literals
from rootward.rules.text import field_text

ROWS, COLUMNS, LONG = 250, 10, 60
"""So many runs are listed, with so many settings each, in so many characters."""


def weighed(finding: Mapping[str, Any]) -> list[dict[str, str]]:
    """A row for each cause: how many runs support it, how many refute it, and what nobody has tried."""
    return [
        {
            "text": brief(cause["text"], 400),
            "failed": amount(cause["support"]),
            "now": amount(cause["attempts"]) if cause["attempts"] else "",
            "passed": amount(cause["passed"]) if cause["passed"] else "",
            "tried": _tried(cause),
            "sure": _sure(cause),
        }
        for cause in finding["causes"]
        if literals(cause)
    ]


def _tried(cause: Mapping[str, Any]) -> str:
    if cause["definitive"]:
        return "nothing: all were run"
    if not cause["size"]:
        return "some of the numbers between"  # its bounds are finer than the values of the universe
    if cause["size"] >= 10**9:
        return f"nearly all of {amount(cause['size'])}"
    return f"{amount(cause['size'] - cause['support'] - cause['passed'])} of {amount(cause['size'])}"


def _sure(cause: Mapping[str, Any]) -> str:
    if cause["definitive"]:
        return "certain"
    sure = cause["confidence"]
    return "" if sure is None else "more than 99%" if sure > 0.99 else f"{sure:.0%}"


def amount(count: int | str) -> str:
    """A number for people: no reader counts the digits of 2^200. One that is written already stays as it is."""
    if isinstance(count, str):
        return count
    if abs(count) < 10**13:
        return f"{count:,}"
    digits = f"{count:x}"  # decimal digits of a very long integer are refused
    return f"about 2^{4 * (len(digits) - 1) + int(digits[0], 16).bit_length() - 1}"


def brief(words: Any, limit: int = 160) -> str:
    """What is repeated on a page, in one line: a name may have a million characters."""
    return short(str(words), limit)


def listed(run: Mapping[str, Any], known: Instances) -> dict[str, Any] | None:
    """The instances that the answer rests on, each with where it comes from; None if nothing is known of them."""
    if not len(known):
        return None
    inside = [known.inside(literals(cause)) for cause in run["finding"]["causes"]]
    named = dict.fromkeys(one.field for cause in run["finding"]["causes"] for one in literals(cause))
    order = [name for name in dict.fromkeys([*named, *known.settings]) if name in known.settings]
    settings = [known.settings[name] for name in order[:COLUMNS]]
    rows = [
        {
            "failed": known.failed[at],
            "origin": known.origin[at],
            "causes": [number for number, held in enumerate(inside, 1) if held[at]],
            "values": [brief(text(one.values[one.index[at]]), LONG) for one in settings],
        }
        for at in range(min(len(known), ROWS))
    ]
    return {
        "origins": known.counts(),
        "names": [brief(field_text(one.name), LONG) for one in settings],
        "rows": rows,
        "total": len(known),
        "columns_more": len(order) - len(settings),
    }
