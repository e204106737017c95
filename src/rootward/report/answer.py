"""What was found, as the top of a page says it: a sentence, and below it the conditions that it speaks of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rootward.report.cells import cut
from rootward.report.inert import Code
from rootward.report.instances import literals
from rootward.rules.text import field_text
from rootward.words import count

SHOWN = 10
"""So many conditions stand at the top; all of them are below."""
FEW = 5
"""So many elements or cells are an answer in themselves; of more, the first ones say nothing."""
LONG = 400
"""Longer ones are cut there."""
TITLE = 100
"""A title is not longer than this."""
NAMES = 4
"""So many fields are named in a title; of more, the first two."""

_UNKNOWN = {"not reproduced": "What should fail did not fail when it was run.", "running": "Nothing is known yet."}

Answer = dict[str, Any]
"""``head``: a sentence or its beginning; ``conditions``, joined by ``word``; how many ``more`` there are."""


def found_by(run: dict[str, Any]) -> dict[str, Any]:
    """The finding of a run; if it has none, one that says so."""
    known = {"complete": False, "stopped": None, "signature": None, "trials": 0, "asked": 0}
    said = _UNKNOWN.get(run["status"], "Nothing was found.")
    return run["finding"] or {"finding": "nothing", "explanation": said, **known}


def answer(run: dict[str, Any]) -> Answer:
    """What the run found."""
    finding = found_by(run)
    head = str(finding["explanation"]).partition("\n")[0]
    find, word = _CONDITIONS.get(finding["finding"], (lambda _: [], ""))
    found = find(finding)
    if finding["finding"] == "diagnosis":
        head = diagnosed(finding, head)
    if finding["finding"] in ("rule_finding", "diagnosis") and found:  # its sentence holds the conditions already
        head = f"{head.partition(' when ')[0]} when"
    return {
        "head": head,
        "conditions": [cut(text, LONG) for text in found[:SHOWN]],
        "word": word,
        "more": max(0, len(found) - SHOWN),
    }


def sentence(run: dict[str, Any]) -> str:
    """The same in one line."""
    said = answer(run)
    if not said["conditions"]:
        return str(said["head"])
    more = [f"{said['more']:,} more"] if said["more"] else []
    listed = f" {said['word']} ".join([*said["conditions"], *more])
    return f"{said['head'].rstrip(':.')}: {listed}"


def title(run: dict[str, Any]) -> list[str]:
    """The same in few words, part by part; a condition that is too long for a title is told by its fields."""
    forms = [_whole(run), *_about(run)] if found_by(run)["finding"] == "diagnosis" else []
    short = next((form for form in forms if len("".join(form)) <= TITLE), [])
    said = sentence(run)
    return short or [said if len(said) <= TITLE else f"{said[: TITLE - 1]}…"]


def _whole(run: dict[str, Any]) -> list[str]:
    said = answer(run)
    more = [f" or {said['more']:,} more"] if said["more"] else []
    listed = [part for condition in said["conditions"] for part in (" or ", Code(condition))]
    return [said["head"], *([" ", *listed[1:], *more] if listed else [])]


def _about(run: dict[str, Any]) -> list[list[str]]:
    """What a condition is about, in ever fewer words."""
    said = answer(run)
    if not said["conditions"]:
        return []
    names = run["finding"]["explanations"][0]["relevant"]
    named: list[list[str]] = [[Code(field_text(name))] for name in names]
    listed = named if len(names) <= NAMES else [*named[:2], [f"{len(names) - 2:,} more fields"]]
    head = f"{said['head'].removesuffix(' when')} under a condition on "
    return [[head, *enumerated(listed)], [head, count(len(names), "field")]] if names else []


def enumerated(names: Sequence[Sequence[str]]) -> list[str]:
    """``a, b and c``, part by part."""
    words = [", "] * (len(names) - 2) + [" and "] * (len(names) > 1) + [""]
    return [part for name, word in zip(names, words, strict=False) for part in (*name, word)]


def _rule(finding: dict[str, Any]) -> list[str]:
    return list(finding["cases"]) if finding["found"] else []


def _causes(finding: dict[str, Any]) -> list[str]:
    return [cause["text"] for cause in finding["causes"] if literals(cause)]


def _rows(finding: dict[str, Any]) -> list[str]:
    few = finding["passes"] and len(finding["cells"]) <= FEW
    return [f"{cell['row']}: {cell['text']}" for cell in finding["cells"]] if few else []


def _kept(finding: dict[str, Any]) -> list[str]:
    return [one["element"].strip() for one in finding["kept"]] if len(finding["kept"]) <= FEW else []


def diagnosed(finding: dict[str, Any], head: str) -> str:
    """A title that names what was diagnosed."""
    several, study = len(finding["explanations"]) > 1, finding["study"]
    if several:
        return f"{study or 'It'} fails in {len(finding['explanations'])} ways"
    return f"{study} {head.removeprefix('It ')}" if study and head.startswith("It ") else head


def _failures(finding: dict[str, Any]) -> list[str]:
    explanations = finding["explanations"]
    if len(explanations) == 1 and " when " in explanations[0]["headline"]:
        return [cause["text"] for cause in explanations[0]["causes"]]
    return []


def _classes(finding: dict[str, Any]) -> list[str]:
    return [one["cause"] for one in finding["classes"]]


def _sets(finding: dict[str, Any]) -> list[str]:
    return [f"{field_text(row['field'])} in {row['text']}" for row in finding["sets"]]


_CONDITIONS: dict[str, tuple[Callable[[dict[str, Any]], list[str]], str]] = {
    "rule_finding": (_rule, "or"),
    "causes": (_causes, "or"),
    "product_set": (_sets, "and"),
    "bad_rows": (_rows, "and"),
    "reduction": (_kept, "and"),
    "triage": (_classes, "and"),
    "diagnosis": (_failures, "or"),
}
