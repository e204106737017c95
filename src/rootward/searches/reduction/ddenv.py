"""ddenv, as von Stein and Elbaum describe it ("Automated Environment Reduction for Debugging Robotic Systems").

The elements of an environment have positions, and a robot meets them one after another. So ddenv splits the environment
into parts by space or time, tries the parts closest to the failure first (both in ``ddenv_schemas.py``), and continues
with the first part that fails alone. The number of parts grows by one from round to round. Because robots do not behave
the same every time, each test is a new run. A part that does not fail is run ``dfk_it`` more times ("deflaked"), and
counts as failing if one of these runs fails.

Where Algorithm 1 taken literally would not end, this implementation deviates:

- Line 16 ends the search when nothing failed and the next number of parts *equals* the number of elements. After the
  environment has shrunk, that number may already have been exceeded, and lines 19-20 would then repeat the same round
  for ever. Here the search ends if the next number of parts is *at least* the number of elements. Where the published
  condition would end the search, this one ends it in the same round.
- A part that is the whole environment is not tested: equation (1) asks for a smaller one, and the whole is known to
  fail.

So each round makes the environment smaller or the number of parts larger, and the number of parts decreases only when
the environment shrinks.

The published termination rule is weaker than the 1-minimality after which it is named (equation (2)). It never tests
what is left *without* an element, and it usually ends with one part fewer than there are elements, before single
elements have been tested alone. ``check`` adds what is missing: it tests every single removal, deflaked like the other
tests, and removes what it can, until each element that is left is needed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search, all_of
from rootward.searches.reduction.ddenv_schemas import PARTITIONS, PRIORITIES, SchemaEvidence
from rootward.searches.reduction.reduction import Reduction, count_left
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
    """Reduce the failing environment to a part that still fails. With ``check``, the part is 1-minimal.

    ``partition`` and ``priority`` are schemas of the paper's Table I. ``n_partitions`` is the initial number of parts,
    ``dfk_it`` the number of times to repeat a part that did not fail. The paper's dfk-to, the maximum duration of a
    run, is the subject's time-out. Raises InputError if ``surroundings`` lack something that a schema needs.
    """
    cut, needs = _find_schema(PARTITIONS, "partition", partition)
    order, needs_too = _find_schema(PRIORITIES, "priority", priority)
    _check_counts(n_partitions, dfk_it)
    known = yield from _ask_sensed_times(
        elements, surroundings, wanted="times" in (*needs, *needs_too) or partition == "learner"
    )
    evidence = SchemaEvidence(known, np.random.default_rng(seed), [(frozenset(elements.all.kept), True)])
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
        kept = yield from _remove_singles(kept, evidence, dfk_it)
    return Reduction(selection=kept, minimal=check and not evidence.is_flaky)  # 23


def _first_failing(
    candidates: Iterable[Selection[E]], kept: Selection[E], evidence: SchemaEvidence, dfk_it: int
) -> Generator[Ask[Selection[E]], Answers, Selection[E] | None]:
    """Return the first candidate that is smaller than ``kept`` and fails, at once or when it is run again.

    These are lines 5 to 14 of the algorithm.
    """
    best = Reduction(selection=kept)
    for candidate in candidates:  # 5
        if len(candidate) == len(kept):
            continue
        note = f"{count_left(kept)}, trying {len(candidate):,} of them"
        outcomes = yield from all_of([candidate], best=best, note=note, fresh=True)  # 6
        if dfk_it and _find_failing(outcomes) is None:  # 7
            outcomes = yield from all_of([candidate] * dfk_it, best=best, note=f"{note} again", fresh=True)  # 8
            evidence.is_flaky |= _find_failing(outcomes) is not None
        failing = _find_failing(outcomes)  # 9
        evidence.trials.append((frozenset(candidate.kept), failing is not None))
        if failing is not None:  # 11
            evidence.surroundings = _use_sensed_times(evidence.surroundings, failing)
            return candidate  # 12-13
    return None


def _remove_singles(
    kept: Selection[E], evidence: SchemaEvidence, dfk_it: int
) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """Remove single elements, cycling through the list, until none can be removed."""
    last = -1
    while True:
        turn = [i for i in kept.free if i > last] + [i for i in kept.free if i < last]
        found = yield from _first_failing((kept.without([i]) for i in turn), kept, evidence, dfk_it)
        if found is None:
            return kept
        last = min(set(kept.kept).difference(found.kept))
        kept = found


def _find_failing(outcomes: Iterable[Outcome]) -> Outcome | None:
    return next((outcome for outcome in outcomes if outcome.verdict is FAIL), None)


# Evidence before the first round


def _ask_sensed_times(
    elements: Elements[E], surroundings: Surroundings, *, wanted: bool
) -> Generator[Ask[Selection[E]], Answers, Surroundings]:
    """Return the surroundings with the times at which the robot sensed each element of the original.

    The original is run only if the times are ``wanted`` and unknown. They may still be missing, because the run need
    not report them.
    """
    if not wanted or surroundings.sensed:
        return surroundings
    note = "running the original to learn when each element is sensed"
    [outcome] = yield from all_of([elements.all], best=Reduction(selection=elements.all), note=note)
    return _use_sensed_times(surroundings, outcome)


def _use_sensed_times(surroundings: Surroundings, outcome: Outcome) -> Surroundings:
    """Return the surroundings with the sensed times that this run reports.

    They replace earlier ones. If the run reports none, the surroundings stay unchanged.
    """
    if not any(label.startswith("sensed:") for label in outcome.measures):
        return surroundings
    return replace(surroundings, sensed={}).learn(outcome)


def _find_schema(schemas: Mapping[str, T], kind: str, name: str) -> T:
    if name not in schemas:
        raise InputError(f"unknown {kind} {name!r}; choose {', '.join(schemas)}")
    return schemas[name]


def _check_counts(n_partitions: int, dfk_it: int) -> None:
    if n_partitions < 2 or n_partitions != int(n_partitions):
        raise InputError(f"n_partitions must be a whole number, 2 or more, not {n_partitions!r}")
    if dfk_it < 0 or dfk_it != int(dfk_it):
        raise InputError(f"dfk_it must be a whole number, 0 or more, not {dfk_it!r}")
