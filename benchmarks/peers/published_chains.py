"""The single steps as they were published, carried from one to the next by hand.

*HPSL, then ALO-Trees*: HPSL on all fields; the fields that it names are the ones that ALO-Trees may change, in 200
trials. It counts as right if the answer of one of the two is. *BugDoc* (Stacked Shortcut, then debugging decision
trees), where every field has few values: it starts from the failing input and from random ones, until four pass. A list
is reduced by ddmin first; the fields of what is left are those of HPSL. Where a bug is flaky, a trial that does not
fail is run up to six times: the only one of the papers that deals with this, DDEnv, repeats what does not fail. Trials
are runs; that of the failing input is counted once.
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
"""Trials after which a step has to stop."""
PASSING = 4
"""Passing runs that Stacked Shortcut starts from."""
DRAWS = 50
B = TypeVar("B", Configured, Listed)
Rules = list[rw.Rule]
Steps = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Answer:
    """What a chain states of a bug, what that is worth, and what it took."""

    method: str
    trials: int
    judged: Judged
    text: str
    certain: bool = False
    seconds: float = 0.0
    steps: Steps = ()


def published(bug: Configured | Listed) -> Answer:
    """The chain that fits; where two do, the cheaper one that is right, else the cheaper."""
    if isinstance(bug, Listed):
        return _timed(_list_chain, bug)
    answers = [_timed(_hpsl_alo, bug), *([_timed(_bugdoc, bug)] if bug.finite else [])]
    return min(answers, key=lambda answer: (not answer.judged.true, answer.trials))


def _timed(chain: Callable[[B], Answer], bug: B) -> Answer:
    start = time.process_time()
    answer = chain(bug)
    return replace(answer, seconds=time.process_time() - start)


def _lab(bug: Configured | Listed) -> dict[str, Any]:
    return {"seed": bug.seed, "budget": LIMIT, **({"repeat": REPEAT} if bug.rate < 1 else {})}


def _hpsl_alo(bug: Configured) -> Answer:
    rules, steps = _fields(bug.space, bug.subject, bug.failing, _lab(bug))
    judged, rule = _best((judge_rule(bug, rule), rule) for rule in rules)
    return Answer("HPSL, ALO-Trees", _total(steps), judged, str(rule), steps=steps)


def _fields(space: rw.Space, subject: Any, failing: Mapping[str, Any], lab: Mapping[str, Any]) -> tuple[Rules, Steps]:
    """HPSL, then ALO-Trees on the fields that it names; where it names none, nothing is left to learn."""
    named = rw.triggers(space, subject, failing, method="hpsl", **lab)
    if not named.sets:
        return [rw.Rule.always()], (("hpsl", named.trials),)
    learned = rw.rule(space, subject, failing, fields=list(named.sets), method="alo", **lab)
    return [learned.rule, named.rule], (("hpsl", named.trials), ("alo", learned.trials))


def _best(judged: Iterable[tuple[Judged, rw.Rule]]) -> tuple[Judged, rw.Rule]:
    """The first that is true; if none is, the last one learned, which is the first."""
    return max(judged, key=lambda one: one[0].true)


def _total(steps: Steps) -> int:
    """The failing input is run anew by each step, but needs to be counted once."""
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
    """A random configuration that shares no value with the failing one."""
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
