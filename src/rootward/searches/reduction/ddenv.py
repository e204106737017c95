"""ddenv, as von Stein and Elbaum describe it ("Automated Environment Reduction for Debugging Robotic Systems").

The elements of an environment have places, and a robot meets them one after another. So the environment is cut into
parts by what is known of space and time, the parts are tried in the order of their closeness to the failure (both in
``ddenv_schemas.py``), and the first that fails alone is the new environment. The number of parts grows by one from
round to round. Because robots do not do the same every time, each test is a run of its own, and a part that does not
fail is run ``dfk_it`` times more: once is enough.

How Algorithm 1 is read where it would not end:

- Line 16 ends the search when nothing failed and the next number of parts *equals* the number of elements. After the
  environment has shrunk, that number may already have been passed, and lines 19-20 would then repeat the same round for
  ever. Here it ends if the next number of parts is *at least* the number of elements; wherever the published test
  would end the search, this does so in the same round.
- A part that is the whole environment is not tested: equation (1) asks for less than that, and it is known to fail.

So each round makes the environment smaller or the number of parts larger, which only a smaller environment sets back.

The published rule is weaker than the 1-minimality that it is named after (equation (2)): it never tests what is left
*without* an element, and as a rule it ends after as many parts as there are elements less one, before even single
elements have been tested alone. ``check`` adds what is missing: every single removal is tested, deflaked like the
others, and made if it fails, until none does.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search, all_of
from rootward.searches.reduction.ddenv_schemas import PARTITIONS, PRIORITIES, Evidence
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements, Selection
from rootward.verdict import FAIL, Outcome

E = TypeVar("E")
T = TypeVar("T")
NOTHING_KNOWN = Surroundings()


def ddenv(
    elements: Elements[E],
    *,
    surroundings: Surroundings = NOTHING_KNOWN,
    partition: str = "model2model",
    priority: str = "failure-proximal",
    n_partitions: int = 2,
    dfk_it: int = 3,
    check: bool = True,
    seed: int = 0,
) -> Search[Selection[E], Reduction[E]]:
    """The failing environment reduced to a part that still fails; a 1-minimal one unless ``check`` is off.

    ``partition`` and ``priority`` are schemas of the paper's Table I, ``n_partitions`` is the number of parts to start
    with, ``dfk_it`` how often a part that did not fail is run again. The paper's dfk-to, how long a run may take, is
    the subject's time-out. Raises InputError if ``surroundings`` lack what a schema needs.
    """
    cut, needs = _schema(PARTITIONS, "partition", partition)
    order, needs_too = _schema(PRIORITIES, "priority", priority)
    _check_counts(n_partitions, dfk_it)
    known = yield from _sensed(elements, surroundings, wanted="times" in (*needs, *needs_too) or partition == "learner")
    evidence = Evidence(known, np.random.default_rng(seed), [(frozenset(elements.all.kept), True)])
    evidence.require(partition, needs)
    evidence.require(priority, needs_too)

    kept, n = elements.all, int(n_partitions)
    while True:  # 2
        parts = order(cut(kept.free, n, evidence), evidence)  # 3-4
        found = yield from _first_failing(dict.fromkeys(map(elements.pick, parts)), kept, evidence, dfk_it)  # 5-14
        kept = kept if found is None else found  # 12
        n += 1  # 15
        if found is None and n >= len(kept.free):  # 16
            break
        n = min(n, len(kept.free))  # 19-20
    if check:
        kept = yield from _singly(kept, evidence, dfk_it)
    return Reduction(selection=kept, minimal=check and not evidence.unsteady)  # 23


def _first_failing(
    candidates: Iterable[Selection[E]], kept: Selection[E], evidence: Evidence, dfk_it: int
) -> Generator[Ask[Selection[E]], Answers, Selection[E] | None]:
    """Lines 5 to 14: the first candidate smaller than what is kept that fails, at once or when it is deflaked."""
    best = Reduction(selection=kept)
    of = f"{len(kept)} of {len(kept.elements)} kept"
    for candidate in candidates:  # 5
        if len(candidate) == len(kept):
            continue
        note = f"{of}, {len(candidate)} tried"
        outcomes = yield from all_of([candidate], best=best, note=note, fresh=True)  # 6
        if dfk_it and _failing(outcomes) is None:  # 7
            outcomes = yield from all_of([candidate] * dfk_it, best=best, note=f"{note} again", fresh=True)  # 8
            evidence.unsteady |= _failing(outcomes) is not None
        failing = _failing(outcomes)  # 9
        evidence.trials.append((frozenset(candidate.kept), failing is not None))
        if failing is not None:  # 11
            evidence.surroundings = _previous_run(evidence.surroundings, failing)
            return candidate  # 12-13
    return None


def _singly(kept: Selection[E], evidence: Evidence, dfk_it: int) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """Leave out one element after the other, going round, until no single one can be."""
    last = -1
    while True:
        turn = [i for i in kept.free if i > last] + [i for i in kept.free if i < last]
        found = yield from _first_failing((kept.without([i]) for i in turn), kept, evidence, dfk_it)
        if found is None:
            return kept
        last = min(set(kept.kept).difference(found.kept))
        kept = found


def _failing(outcomes: Iterable[Outcome]) -> Outcome | None:
    return next((outcome for outcome in outcomes if outcome.verdict is FAIL), None)


# What is known beforehand


def _sensed(
    elements: Elements[E], surroundings: Surroundings, *, wanted: bool
) -> Generator[Ask[Selection[E]], Answers, Surroundings]:
    """With the times at which the original failing run sensed its elements, if it reports them and they are wanted."""
    if not wanted or surroundings.sensed:
        return surroundings
    note = "when is which element sensed?"
    [outcome] = yield from all_of([elements.all], best=Reduction(selection=elements.all), note=note)
    return _previous_run(surroundings, outcome)


def _previous_run(surroundings: Surroundings, outcome: Outcome) -> Surroundings:
    """With the times of that run instead of earlier ones, if it reports any."""
    if not any(label.startswith("sensed:") for label in outcome.measures):
        return surroundings
    return replace(surroundings, sensed={}).learn(outcome)


def _schema(schemas: Mapping[str, T], kind: str, name: str) -> T:
    if name not in schemas:
        raise InputError(f"there is no {kind} {name!r}; choose {', '.join(schemas)}")
    return schemas[name]


def _check_counts(n_partitions: int, dfk_it: int) -> None:
    if n_partitions < 2 or n_partitions != int(n_partitions):
        raise InputError(f"n_partitions is a whole number, 2 or more, not {n_partitions!r}")
    if dfk_it < 0 or dfk_it != int(dfk_it):
        raise InputError(f"dfk_it is a whole number, 0 or more, not {dfk_it!r}")
