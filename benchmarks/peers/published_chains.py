"""The published methods, run one after the other as a user would do by hand.

- *HPSL, then ALO-Trees*: HPSL on all fields, then ALO-Trees on the fields that HPSL names, in 200 trials. It counts as
  right if either answer is.
- *BugDoc* (Stacked Shortcut, then debugging decision trees), if every field has few values: it starts from the failing
  input and from random ones, until four pass.

A list is first reduced by ddmin; HPSL then works on the fields of the elements left. With a flaky bug, a trial that
does not fail is run up to six times: DDEnv is the only paper that treats flaky failures, and it repeats trials that do
not fail. Trials are runs; that of the failing input is counted once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

import rootward as rw
from peers.bug_truth import Judged, judge_list, judge_rule
from peers.planted_bugs import Configured
from peers.planted_lists import Element, Listed
from rootward.formats.interfaces import from_document, nest

REPEAT = rw.Repeat.k_of_n(1, 6)
LIMIT = 40_000
"""Maximum number of trials of a step."""
PASSING = 4
"""Number of passing runs that Stacked Shortcut starts from."""
DRAWS = 50
B = TypeVar("B", Configured, Listed)
Rules = list[rw.Rule]
Steps = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Answer:
    """The cause that a method states for a bug, its judgement, and its cost."""

    method: str
    trials: int
    judged: Judged
    text: str
    certain: bool = False
    seconds: float = 0.0
    steps: Steps = ()


def published(bug: Configured | Listed) -> Answer:
    """Run the chains that fit the bug. Return the cheapest correct answer; if none is correct, the cheapest."""
    if isinstance(bug, Listed):
        return _time(_list_chain, bug)
    answers = [_time(_hpsl_alo, bug), *([_time(_bugdoc, bug)] if bug.finite else [])]
    return min(answers, key=lambda answer: (not answer.judged.true, answer.trials))


def _time(chain: Callable[[B], Answer], bug: B) -> Answer:
    start = time.process_time()
    answer = chain(bug)
    return replace(answer, seconds=time.process_time() - start)


def _lab(bug: Configured | Listed) -> dict[str, Any]:
    """Return the options of the lab. The published methods do not check that a failure is steady."""
    return {"seed": bug.seed, "budget": LIMIT, **({"repeat": REPEAT} if bug.rate < 1 else {"flaky": False})}


def _hpsl_alo(bug: Configured) -> Answer:
    rules, steps = _fields(bug.space, bug.subject, bug.failing, _lab(bug))
    judged, rule = _best((judge_rule(bug, rule), rule) for rule in rules)
    return Answer("HPSL, ALO-Trees", _total(steps), judged, str(rule), steps=steps)


def _fields(space: rw.Space, subject: Any, failing: Mapping[str, Any], lab: Mapping[str, Any]) -> tuple[Rules, Steps]:
    """Run HPSL, then ALO-Trees on the fields that it names. If it names none, the rule is "always"."""
    named = rw.triggers(space, subject, failing, method="hpsl", **lab)
    if not named.sets:
        return [rw.Rule.always()], (("hpsl", named.trials),)
    learned = rw.rule(space, subject, failing, fields=list(named.sets), method="alo", **lab)
    return [learned.rule, named.rule], (("hpsl", named.trials), ("alo", learned.trials))


def _best(judged: Iterable[tuple[Judged, rw.Rule]]) -> tuple[Judged, rw.Rule]:
    """Return the first rule that is true; if none is, the first one, which was learned last."""
    return max(judged, key=lambda one: one[0].true)


def _total(steps: Steps) -> int:
    """Return all trials. Each step runs the failing input, but it counts only once."""
    return sum(trials for _, trials in steps) - len(steps) + 1


def _bugdoc(bug: Configured) -> Answer:
    rng = np.random.default_rng([bug.seed, 5])
    history: list[tuple[dict[str, Any], bool]] = [(bug.failing, True)]
    while sum(not failed for _, failed in history) < PASSING and len(history) < DRAWS:
        one = _disjoint(bug, rng)
        history.append((one, bug.triggered(one)))
    found = rw.causes(bug.space, bug.subject, history, method="bugdoc", goal="all", **_lab(bug))
    steps = (("first runs", len(history)), ("bugdoc", found.trials))
    return Answer(
        "BugDoc", sum(trials for _, trials in steps), judge_rule(bug, found.rule), str(found.rule), steps=steps
    )


def _disjoint(bug: Configured, rng: np.random.Generator) -> dict[str, Any]:
    """Draw a random configuration that shares no value with the failing one."""
    return {
        name: others[int(rng.integers(len(others)))]
        for name, field in bug.space.items()
        for others in [[value for value in field.values if value != bug.failing[name]]]
    }


def _list_chain(bug: Listed) -> Answer:
    reduced = rw.reduce(bug.elements, bug.subject, method="ddmin", **_lab(bug))
    kept: list[Element] = reduced.kept
    rules, steps = _kept_fields(bug, kept)
    steps = (("ddmin", reduced.trials), *steps)
    judged, rule = _best((judge_list(bug, reduced.selection.kept, rule, order=None), rule) for rule in rules)
    return Answer("ddmin, HPSL, ALO-Trees", _total(steps), judged, f"{len(kept)} kept; {rule}", steps=steps)


def _kept_fields(bug: Listed, kept: Sequence[Element]) -> tuple[Rules, Steps]:
    document = {f"M{i}": one for i, one in enumerate(kept)}
    space = from_document(document)
    failing = {f"M{i}.{name}": value for i, one in enumerate(kept) for name, value in one.items()}

    def elements(configuration: Mapping[str, Any]) -> list[Element]:
        return list(nest(configuration).values())

    if bug.rate == 1:
        return _fields(space, lambda configuration: bug.subject(elements(configuration)), failing, _lab(bug))
    return _fields(space, lambda configuration, seed: bug.subject(elements(configuration), seed), failing, _lab(bug))
