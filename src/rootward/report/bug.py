"""A diagnosis as a bug report tells it: what fails and when, in a paragraph, and what shows it, in rows of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rootward.report.answer import diagnosed, enumerated
from rootward.report.cells import cut, text
from rootward.report.certainty import number
from rootward.report.figures.pictures import pictures
from rootward.report.inert import Code
from rootward.rules.text import field_text
from rootward.words import count

SHOWN = 5
"""So many names stand in a sentence ..."""
REFUTING = 20
"""... and so many configurations that refute a claim in a list."""
LONG, ELEMENT = 300, 120
"""Longer texts are cut, and of an element as many characters are shown."""
MEASURES = {"precision": "of what is said to fail, so much does", "recall": "of what fails, so much is said to"}
Told = Mapping[str, Any]


def paragraph(finding: Told, one: Told) -> str:
    """Why one failure happens, in a few sentences."""
    return "".join(parts(finding, one))


def parts(finding: Told, one: Told) -> list[str]:
    """The same, with names and conditions apart from the words."""
    rate = one["rate"]
    rare = rate["value"] is not None and rate["value"] < 1
    sentences = [
        _headline(finding, one),
        [f"The failure: {cut(one['signature'], LONG)}." if one["signature"] else ""],
        _kept(one) if one["causes"] else [],
        _fields(one),
        [f"It does not fail every time: in about {rate['value']:.0%} of runs." if rare else ""],
        [one["check"]["said"] if one["check"] else ""],
        [one["because"]],
        *([said] for said in one["seen"]),
    ]
    return [part for said in sentences if any(said) for part in (" ", *said)][1:]


def _headline(finding: Told, one: Told) -> list[str]:
    said, alone = one["headline"], {**finding, "explanations": [one]}
    if not one["causes"]:
        return [cut(diagnosed(alone, said), 4 * LONG)]
    head, *condition = conditional(said)
    return [diagnosed(alone, head), *condition]


def conditional(said: str) -> list[str]:
    """A sentence that ends with a condition, as ``It fails when x > 1.`` does, part by part."""
    head, when, condition = said.partition(" when ")
    return [f"{head}{when}", Code(cut(condition.removesuffix("."), 4 * LONG)), "."] if when else [said]


def _kept(one: Told) -> list[str]:
    if not one["kept"]:
        return []
    kept: list[list[str]] = [[Code(cut(" ".join(row["element"].split()), ELEMENT))] for row in one["kept"]]
    if one["names"]:
        pairs = zip(one["names"], kept, strict=False)
        kept = [text if text == [name] else [Code(name), " (", *text, ")"] for name, text in pairs]
    verb = "is" if len(kept) == 1 else "are"
    return [f"Of {count(one['elements'], one['noun'])}, {len(kept):,} {verb} needed: ", *_listed(kept), "."]


def _fields(one: Told) -> list[str]:
    names = one["relevant"]
    if not names or not one["causes"]:
        return []
    verb = "matters" if len(names) == 1 else "matter"
    listed = _listed([[Code(field_text(name))] for name in names])
    return [f"Of {count(one['of'], 'field')}, {len(names):,} {verb}: ", *listed, "."]


def _listed(names: Sequence[list[str]]) -> list[str]:
    more = [f"{len(names) - SHOWN:,} more"]
    return enumerated([*names[:SHOWN], more] if len(names) > SHOWN else names)


def came_out(step: Told) -> list[str]:
    """What came out of a step, part by part."""
    kind = step["finding"]["finding"] if step["finding"] else ""
    ends = kind in ("rule_finding", "causes") and step["said"].startswith("It fails when ")
    return conditional(step["said"]) if ends else [step["said"]]


def checks(one: Told) -> list[tuple[str, str, str]]:
    """What fresh runs said: where they were, what they did, and how much of that is as claimed."""
    check = one["check"]
    if check and check.get("whole"):
        return [("everywhere", f"{count(check['whole'], 'run')} as claimed", "")]
    if not check or not check["runs"]:
        return []
    inside, outside, border = check["inside"], check["outside"], check["border"]
    rows = [
        ("where it is said to fail", "failed", inside["fails"], inside["runs"]),
        ("anywhere else", "failed", outside["fails"], outside["runs"]),
        ("next to where it begins", "as claimed", border["right"], border["runs"]),
    ]
    found = [(where, f"{k:,} of {count(n, 'run')} {did}", "") for where, did, k, n in rows if n]
    for name, what in MEASURES.items():
        measure = check[name]
        if measure["value"] is not None:
            span = f"{number(measure['low'])} to {number(measure['high'])}"
            found.append((name, number(measure["value"]), f"({span}): {what}"))
    return found


def refuting(one: Told) -> list[str]:
    """Configurations that did not do what is claimed, by the fields that matter."""
    shown = (one["check"] or {}).get("refuting", [])[:REFUTING]
    names = set(one["relevant"])
    return [
        ", ".join(
            f"{field_text(name)} = {cut(text(value))}" for name, value in it.items() if name in names or not names
        )
        for it in shown
    ]


def telling(finding: Told) -> set[int]:
    """The numbers of the steps whose figures say most, counted from 1: one, and those that show rows."""
    kinds = [step["finding"]["finding"] if step["finding"] else "" for step in finding["steps"]]
    most = [kinds.index(kind) + 1 for kind in _TELLING if kind in kinds][:1]
    return {*most, *(number for number, kind in enumerate(kinds, 1) if kind == "bad_rows")}


_TELLING = ("rule_finding", "causes", "bad_rows", "triage", "product_set", "reduction")


def picture(finding: Told) -> str | None:
    """Of what was reduced, a failing run with everything in it; None if there is no picture of one."""
    found = [one for step in finding["steps"] if step["finding"] for one in pictures(step["finding"])]
    return found[0] if found else None


def artifacts(finding: Told, kind: str, failure: int | None = None) -> list[Told]:
    """Those of this kind; of one failure, or of all."""
    return [one for one in finding["artifacts"] if one["kind"] == kind and failure in (None, one["failure"])]
