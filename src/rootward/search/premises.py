"""Check what every search takes for granted, before it begins: the subject runs, and its failure is one failure.

A search asks where the subject fails. If the command cannot even start, it fails everywhere, and the search would
explain a typing error: "it fails with nothing at all". If the failure has another name in each run, no run seems to
show it a second time. Both are noticed with a run or two that most searches need anyway:

* The failing input. If its outcome looks like a program that did not start (``Outcome.unstarted``), the simplest other
  input is run, too. If that fails in the same way, nothing more is run. A command may be expected to pass without its
  input (``Premises.passes_on_simplest``): then it is always run on the simplest one.
* The failing input again. If it fails in other ways the second and the third time, its failures are not the same.
* The first inputs of the search. If the program starts on none of them, nothing more is run. If all of them fail alike,
  an input that should not show this failure is run (``Premises.nothing``): if it does, the subject fails on everything.

The move raises SubjectError with the last lines of the error text. It does not judge anything else.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NoReturn, TypeVar, cast

from rootward.errors import SubjectError
from rootward.search.ask import Answers, Ask, R, Search
from rootward.search.relay import relay
from rootward.search.repeat import Once
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome

C = TypeVar("C")

MAX_ALIKE = 8
"""Number of different candidates that may fail alike before the subject is suspected to fail on everything."""
MAX_UNSTARTED = 2
"""Number of runs in which a program may fail to start before the search is given up."""
COMPARED_RUNS = 3
"""Number of runs of one candidate that show if it fails in another way each time: two ways may be a race."""
MAX_NAMED = 5
"""Maximum number of failures that a message names."""


@dataclass(frozen=True)
class Premises(Generic[C]):
    """The candidate that shows if a failure depends on the input at all."""

    simplest: C | None = None
    """The simplest input: no elements, or usual values. None if there is none that differs from the failing one."""
    name: str = "the simplest input"
    """Its name in a message."""
    passes_on_simplest: bool = False
    """True if a failure on the simplest input means that there is nothing to search for."""
    nothing: C | None = None
    """An input that cannot show a failure that depends on the input: an empty one, or one that should work. None if
    there is none."""
    nothing_name: str = "an empty configuration"
    """Its name in a message."""


NO_PREMISES: Premises[Any] = Premises()


def check_start(failing: C, premises: Premises[C], *, best: Any) -> Generator[Ask[C], Answers, Outcome]:
    """Return the outcome of the failing candidate. Raises SubjectError if the subject fails on everything."""
    (first,) = yield Ask([failing], best=best, note="does the failing input fail?")
    assert first is not None
    if first.verdict is not FAIL or not (first.unstarted or premises.passes_on_simplest):
        return first
    if premises.simplest is None:
        if first.unstarted:
            raise SubjectError(f"the command does not start{_quote_error(first)}")
        return first
    note = f"does it fail on {premises.name}, too?"
    (other,) = yield Ask([premises.simplest], best=best, note=note, repeat=Once())
    if other is None or other.verdict is not FAIL or other.signature != first.signature:
        return first
    if first.unstarted:
        raise SubjectError(
            f"the command does not start: it fails in the same way on {premises.name}{_quote_error(first)}"
        )
    raise SubjectError(
        f"it fails in the same way on {premises.name}, so the failure does not depend on the input"
        f"{_quote_error(first)}\nCheck that the command runs, and that it passes on an input that works."
    )


def check_premises(search: Search[C, Any], failing: C, premises: Premises[C]) -> Search[C, Any]:
    """Check that the subject starts before the first question of a search is asked."""
    checked = False

    def check_first(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        nonlocal checked
        if not checked:
            checked = True
            yield from check_start(failing, premises, best=ask.best)
        return (yield ask)

    return (yield from relay(search, check_first))


def stop_if_always_failing(search: Search[C, Any], premises: Premises[C]) -> Search[C, Any]:
    """Run a search. Raises SubjectError if its first candidates fail alike, and the subject cannot be expected to pass.

    It cannot if it does not even start, or if it fails in the same way on ``premises.nothing``. The first candidates
    are run in small groups until one of them does not fail, or fails in another way.
    """
    alike: list[Any] = []
    reference: Outcome | None = None
    runs = 0
    suspicious = True

    def count_wanted() -> int:
        may_start = reference is not None and not reference.unstarted
        return max(1, MAX_ALIKE - len(alike) if may_start else MAX_UNSTARTED - runs)

    def watch(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        answers: list[Outcome | None] = []
        while suspicious and ask.until is None and len(ask.candidates) - len(answers) > count_wanted():
            group = ask.candidates[len(answers) : len(answers) + count_wanted()]
            outcomes = yield replace(ask, candidates=group, ahead=())
            yield from note_outcomes(group, outcomes, ask.best)
            answers += outcomes
        rest = ask.candidates[len(answers) :] if answers else ask.candidates
        outcomes = yield replace(ask, candidates=rest)
        yield from note_outcomes(rest, outcomes, ask.best)
        return [*answers, *outcomes]

    def note_outcomes(candidates: Sequence[Any], outcomes: Answers, best: Any) -> Generator[Ask[C], Answers, None]:
        nonlocal reference, runs, suspicious
        if not suspicious:
            return
        for candidate, outcome in zip(candidates, outcomes, strict=True):
            if outcome is None or outcome.verdict is UNRESOLVED:
                continue
            reference, runs = reference or outcome, runs + 1
            if outcome.verdict is not FAIL or outcome.signature != reference.signature:
                suspicious = False
                return
            if candidate not in alike:
                alike.append(candidate)
        if reference is None:
            return
        if reference.unstarted and runs >= MAX_UNSTARTED:
            raise SubjectError(f"the command does not start{_quote_error(reference)}")
        if len(alike) >= MAX_ALIKE:
            suspicious = False
            yield from try_nothing(reference, best)

    def try_nothing(reference: Outcome, best: Any) -> Generator[Ask[C], Answers, None]:
        if premises.nothing is None:
            return
        note = f"does it fail on {premises.nothing_name}, too?"
        (other,) = yield Ask([premises.nothing], best=best, note=note, repeat=Once())
        if other is not None and other.verdict is FAIL and other.signature == reference.signature:
            raise SubjectError(
                f"it fails on everything: on {len(alike)} different inputs, and on {premises.nothing_name}, in the "
                f"same way{_quote_error(other)}\nCheck that it runs at all. If it passes somewhere, give such a "
                "configuration in [nominal]."
            )

    found = yield from relay(search, watch)
    if suspicious and reference is not None and reference.unstarted:
        raise SubjectError(f"the command does not start{_quote_error(reference)}")
    return found


def check_same_failure(failing: C, first: Sequence[Outcome], *, best: Any) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Run the failing candidate again, and return the new outcomes.

    If it fails in another way, it is run until three outcomes are known. Raises SubjectError if they all differ.
    ``first``: the first outcome, if it is known.
    """
    outcomes: list[Outcome] = []
    while not outcomes or (outcomes[-1].verdict is OTHER and len(first) + len(outcomes) < COMPARED_RUNS):
        (again,) = yield Ask([failing], fresh=True, best=best, note="does it fail in the same way again?")
        assert again is not None
        outcomes.append(again)
    refuse_scattered_failures([*first, *outcomes])
    return outcomes


def refuse_scattered_failures(outcomes: Sequence[Outcome]) -> None:
    """Raise SubjectError if a candidate always fails, in three ways or more, but in none of them half of the time."""
    ways = Counter(outcome.signature for outcome in outcomes)
    always = all(outcome.verdict in (FAIL, OTHER) for outcome in outcomes)
    if always and len(ways) >= COMPARED_RUNS and 2 * max(ways.values()) < len(outcomes):
        _refuse_changing_failure(outcomes)


def refuse_lost_failure(first: Sequence[Outcome], again: Sequence[Outcome]) -> None:
    """Raise SubjectError if the failure never shows again, because all of the new runs fail in other ways."""
    if again and all(outcome.verdict is OTHER for outcome in again):
        _refuse_changing_failure([*first, *again])


def _refuse_changing_failure(outcomes: Sequence[Outcome]) -> NoReturn:
    names = dict.fromkeys(one.signature or "a failure without a name" for one in outcomes)
    shown = "; ".join(itertools.islice(names, MAX_NAMED))
    more = f"; and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    raise SubjectError(
        f"the failing input fails in another way each time it is run: {shown}{more}{_quote_error(outcomes[-1])}\n"
        "Name the failure with --signature (in Python: signature=), a pattern for the part of its output that "
        "stays the same. A pattern that matches nothing leaves only the exit code."
    )


def state_failure(search: Search[C, R]) -> Search[C, R]:
    """Run a search for which any failure counts, and state in its findings the one that its runs have shown.

    Nothing is stated if they have shown several, because the answer is about all of them.
    """
    seen: dict[str | None, Outcome] = {}

    def state(found: Any) -> Any:
        if found is None or len(seen) != 1:
            return found
        (first,) = seen.values()
        return replace(found, signature=first.signature, error=first.detail)

    def watch(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        answers = yield replace(ask, best=state(ask.best))
        for outcome in answers:
            if outcome is not None and outcome.verdict is FAIL:
                seen.setdefault(outcome.signature, outcome)
        return answers

    return cast(R, state((yield from relay(search, watch))))


def _quote_error(outcome: Outcome) -> str:
    lines = outcome.detail.splitlines()
    return "".join(f"\n  | {line}" for line in lines) if lines else f" ({outcome.signature or 'no error text'})"
