"""How sure an answer is, in the same words for every kind: a number with its interval where there is one, and a
sentence that says what was done to find out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rootward.words import count

Certainty = dict[str, Any]
"""``name``, ``value``, ``low`` and ``high`` of a measure (None where there is none), and ``said``."""


def certainty(finding: dict[str, Any]) -> Certainty | None:
    """None where nothing is to be said."""
    judge = _JUDGES.get(finding["finding"])
    return judge(finding) if judge else None


def number(value: float) -> str:
    """Two digits, but never more than was measured."""
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def _said(sentence: str, name: str = "", measure: dict[str, Any] | None = None) -> Certainty | None:
    known = measure or {"value": None, "low": None, "high": None}
    return {"name": name, **{key: known[key] for key in ("value", "low", "high")}, "said": sentence}


def _rule(finding: dict[str, Any]) -> Certainty | None:
    if not finding["found"]:
        return None
    if not finding["verified"]:
        return _said("It was not checked on fresh runs.")
    runs = count(finding["verified"], "fresh run")
    if finding["accuracy"]["value"] is None:
        return _said(f"It was checked on {runs}. They all ended alike, so there is no balanced accuracy.")
    share = "the mean share of failing and of passing runs that it predicts"
    return _said(f"Measured on {runs}: {share}.", "balanced accuracy", finding["accuracy"])


def _product(finding: dict[str, Any]) -> Certainty | None:
    precision, runs = finding["precision"], finding["verified"]
    if not runs or precision["value"] is None:
        return _said("How much of it fails was not measured.")
    fails = round(precision["value"] * runs)
    return _said(f"{fails:,} of {count(runs, 'random member')} of the set failed.", "precision", precision)


def _reduction(finding: dict[str, Any]) -> Certainty | None:
    noun, kept, result = finding["noun"], len(finding["kept"]), finding["result"]
    if finding["original"] and result:
        sure = finding["confidence"]
        often = f"at least {finding['share']:.0%} as often as all {finding['of']:,} {noun}s"
        said = "" if sure is None else f" With {min(99, math.floor(100 * sure))}% confidence, that is {often}."
        return _said(f"So often the kept ones fail.{said}", "failure rate", result)
    if not kept:
        return None
    if finding["minimal"]:
        each = f"Each of the {kept:,} {noun}s was" if kept > 1 else f"The {noun} was"
        return _said(f"{each} seen to be needed: without it, the failure did not show.")
    return _said(f"The kept {noun}{'s' if kept > 1 else ''} did fail. Whether fewer do was not shown.")


def _causes(finding: dict[str, Any]) -> Certainty | None:
    causes = finding["causes"]
    if not causes:
        return None
    if all(cause["definitive"] for cause in causes):
        return _said("Every combination with these settings was run, and failed.")
    open_ = [cause for cause in causes if not cause["definitive"] and cause["confidence"] is not None]
    seen = f"{finding['failing']:,} failing and {finding['passing']:,} passing runs are known."
    if not open_:
        return _said(seen)
    least = min(cause["confidence"] for cause in open_)
    which = "the least certain of them" if len(causes) > 1 else "this being the cause"
    return _said(f"For {which}. {seen}", "confidence", {"value": least, "low": None, "high": None})


def _rows(finding: dict[str, Any]) -> Certainty | None:
    if not finding["passes"]:
        return None
    if finding["minimal"]:
        return _said(
            "With all of them repaired it passes; with any one of them left as it is, it fails. Both were run."
        )
    return _said("With all of them repaired it passes. Whether each is needed was not shown.")


def _checkpoint(finding: dict[str, Any]) -> Certainty | None:
    return _said("Computed from the graph of the pipeline: exact, and nothing had to be run.")


def _triage(finding: dict[str, Any]) -> Certainty | None:
    total, checked = len(finding["faults"]), sum(fault["checked"] for fault in finding["faults"])
    if not total:
        return None
    proofs = "The proof of the fault was" if total == 1 else f"The proofs of all {total:,} faults were"
    if checked < total:
        proofs = f"The proofs of {checked:,} of {total:,} faults were"
    return _said(f"{proofs} accepted by a separate checker.")


def _failures(finding: dict[str, Any]) -> Certainty | None:
    if finding["found"]:
        return _said("Each of these inputs was run, and failed.")
    if finding["exhausted"]:
        return _said("Every input there is was run.")
    covered = finding["covered"]
    return _said(f"{covered['values']:.0%} of the values to try were run, and {covered['pairs']:.0%} of their pairs.")


def _diagnosis(finding: dict[str, Any]) -> Certainty | None:
    explanations = finding["explanations"]
    checks = [one["check"] for one in explanations if one["check"] and one["check"]["runs"]]
    if not explanations:
        return None
    if not checks:
        return _said("It was not checked on fresh runs.")
    measured = [check["precision"] for check in checks if check["precision"]["value"] is not None]
    runs = count(sum(check["runs"] for check in checks), "fresh run")
    refuting = sum(len(check["refuting"]) for check in checks)
    said = f"{refuting:,} of them" if refuting else "none of them"
    part = " Not every failure was checked." if len(checks) < len(explanations) else ""
    least = min(measured, key=lambda one: one["value"], default=None)
    return _said(f"Checked on {runs}; {said} refuted it.{part}", "precision" if least else "", least)


_JUDGES: dict[str, Callable[[dict[str, Any]], Certainty | None]] = {
    "rule_finding": _rule,
    "product_set": _product,
    "reduction": _reduction,
    "causes": _causes,
    "bad_rows": _rows,
    "checkpoint": _checkpoint,
    "triage": _triage,
    "failures": _failures,
    "diagnosis": _diagnosis,
}
