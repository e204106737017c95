"""Small diagnoses, put together from findings that were really made."""

import functools
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import rootward as rw
from rootward.explanation.diagnosis import Diagnosis, Explanation, FailureCause, Step
from rootward.explanation.facts import Check, NotExplained, Reproduced, Result
from rootward.explanation.reasons import Reason
from rootward.rules import Atom, Estimate, Rule, Score, Term
from rootward.search.evidence import Evidence
from rootward.search.finding import Finding
from rootward.searches.conditions.facts import FewTried
from rootward.study import Study, load_study

SPACE = rw.Space({"speed": rw.Int(0, 200), "gear": rw.Choice("PRND"), "load": rw.Float(0, 1)})
FAILING = {"speed": 120, "gear": "R", "load": 0.5}
FAILED = rw.Outcome(rw.Verdict.FAIL, "too fast")
ALWAYS = Estimate(1.0, 0.8, 1.0)


def subject(configuration: dict[str, Any]) -> rw.Outcome | None:
    return FAILED if configuration["speed"] >= 80 and configuration["gear"] in "RN" else None


def lines(kept: list[str]) -> rw.Outcome | None:
    return FAILED if {"line 3", "line 8"} <= set(kept) else None


def settings(configuration: dict[str, Any]) -> rw.Outcome | None:
    return FAILED if configuration["mode"] == "b" and configuration["n"] > 0 else None


@functools.cache
def found() -> dict[str, Finding]:
    """What single searches say."""
    return {
        "reduce": rw.reduce([f"line {i}" for i in range(12)], lines),
        "triggers": rw.triggers(SPACE, subject, FAILING, budget=60),
        "rule": rw.rule(SPACE, subject, FAILING, budget=60),
        "causes": rw.causes(rw.Space({"mode": rw.Choice("ab"), "n": rw.Int(0, 2)}), settings),
    }


@functools.cache
def diagnosis() -> Diagnosis:
    """Of elements and of fields: its trials are of several kinds, as those of one run of a diagnosis are."""
    parts = found()
    steps = [Step("reproduce", Reason.FAILS, (Reproduced(5, 5),), trials=1, seconds=0.1)]
    steps += [
        Step(name, Reason.CONDITION, (Result.FOUND,), one, one.complete, one.trials, 0.25)
        for name, one in parts.items()
    ]
    evidence = [one.evidence for one in parts.values() if one.evidence]
    return Diagnosis(
        study="over-speed",
        explanations=(explanation(),),
        steps=tuple(steps),
        trials=sum(one.trials for one in parts.values()),
        asked=sum(one.asked for one in parts.values()),
        signature="too fast",
        notes=(NotExplained("stuck", 1),),
        evidence=replace(evidence[0], trials=lambda: itertools.chain(*(one.trials() for one in evidence))),
    )


def explanation(**other: Any) -> Explanation:
    rule = found()["rule"]
    assert isinstance(rule, rw.RuleFinding)
    assert isinstance(found()["reduce"], rw.Reduction)
    known: dict[str, Any] = {
        "signature": "too fast",
        "rate": ALWAYS,
        "failing": FAILING,
        "reduction": found()["reduce"],
        "names": ("A", "B"),
        "causes": (FailureCause(rule.rule, FAILING, rule.fails, rule.fails),),
        "relevant": ("speed", "gear"),
        "of": 3,
        "check": Check((10, 10), (0, 10), (7, 8), Score(18, 1, 0, 9), ({"speed": 79, "gear": "R", "load": 0.0},)),
        "unknown": (FewTried("gear", 2, 4),),
    }
    return Explanation(**{**known, **other})


def simple(study: Study, failing: Any, *when: Atom, **other: Any) -> Diagnosis:
    """A diagnosis with one cause, or none, which is all that is known."""
    causes = (FailureCause(Rule.of_terms([Term.of(when)]), failing),) if when else ()
    told = Explanation(**{"failing": failing, "causes": causes, "rate": ALWAYS, **other})
    return Diagnosis(study=study.name, explanations=(told,), evidence=Evidence())


def study(folder: Path, subject: str, rest: str = "", **files: str) -> Study:
    """A study file, with others beside it."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    (folder / "study.toml").write_text(f'name = "over-speed"\n[subject]\n{subject}\n{rest}')
    return load_study(folder / "study.toml")
