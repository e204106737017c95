"""Check what every search takes for granted, before it begins: the subject runs, and its failure is one failure.

A search asks where the subject fails. If the command cannot even start, it fails everywhere, and the search would
explain a typing error: "it fails with nothing at all". If the failure has another name in each run, no run seems to
show it a second time. Both are noticed with a run or two that most searches need anyway:

* The failing input. If its outcome looks like a program that did not start (``Outcome.unstarted``), the simplest other
  input is run, too. If that fails in the same way, nothing more is run. A command may be expected to pass without its
  input (``Premises.passes_on_simplest``): then it is always run on the simplest one.
* The failing input again. If it fails differently this time, and again the third time, its failures are not the same.
* The first inputs of the search. If all of them fail alike, an input that should not show this failure is run
  (``Premises.nothing``): if it does, the subject fails on everything.

The move raises SubjectError with the last lines of the error text. It does not judge anything else.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from rootward.errors import SubjectError
from rootward.search.ask import Answers, Ask, R, Search
from rootward.search.relay import relay
from rootward.search.repeat import Once
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome

C = TypeVar("C")

MAX_ALIKE = 8
"""Number of different candidates that may fail alike before the subject is suspected to fail on everything."""
MAX_UNSTARTED = 2
"""Number of different candidates on which a program may fail to start before the search is given up."""


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
    """Run a search. Raises SubjectError if the subject fails alike on its first candidates and on ``nothing``."""
    nothing, alike = premises.nothing, list[Any]()
    suspicious = nothing is not None

    def watch(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        nonlocal suspicious
        if not suspicious:
            return (yield ask)
        splits = ask.until is None and len(ask.candidates) > MAX_ALIKE
        first = replace(ask, candidates=ask.candidates[:MAX_ALIKE], ahead=()) if splits else ask
        answers = yield first
        yield from note_outcomes(first, answers)
        return [*answers, *(yield replace(ask, candidates=ask.candidates[MAX_ALIKE:]))] if splits else answers

    def note_outcomes(ask: Ask[C], answers: Answers) -> Generator[Ask[C], Answers, None]:
        nonlocal suspicious
        for candidate, outcome in zip(ask.candidates, answers, strict=True):
            if outcome is None or outcome.verdict is UNRESOLVED:
                continue
            if outcome.verdict is not FAIL:
                suspicious = False
                return
            if candidate not in alike:
                alike.append(candidate)
        if len(alike) < MAX_ALIKE:
            return
        suspicious = False
        note = f"does it fail on {premises.nothing_name}, too?"
        (other,) = yield Ask([nothing], best=ask.best, note=note, repeat=Once())  # type: ignore[list-item]
        if other is not None and other.verdict is FAIL:
            raise SubjectError(
                f"it fails on everything: on {len(alike)} different inputs, and on {premises.nothing_name}, in the "
                f"same way{_quote_error(other)}\nCheck that the command runs. If it passes somewhere, give such a "
                "configuration in [nominal]."
            )

    return (yield from relay(search, watch))


def check_same_failure(failing: C, first: Outcome, *, best: Any) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Run the failing candidate again, and return the new outcomes.

    Raises SubjectError if it fails differently, and does so again in a third run.
    """
    outcomes: list[Outcome] = []
    while len(outcomes) < 2 and (not outcomes or outcomes[-1].verdict is OTHER):
        (again,) = yield Ask([failing], fresh=True, best=best, note="does it fail in the same way again?")
        assert again is not None
        outcomes.append(again)
    refuse_changed_failures([first], outcomes)
    return outcomes


def refuse_changed_failures(before: Sequence[Outcome], outcomes: Sequence[Outcome]) -> None:
    """Raise SubjectError if all of the new outcomes are other failures than the one ``before``."""
    if not outcomes or any(outcome.verdict is not OTHER for outcome in outcomes):
        return
    names = [one.signature or "a failure without a name" for one in (*before, *outcomes)]
    raise SubjectError(
        "the failing input fails in another way each time it is run: "
        f"{'; '.join(dict.fromkeys(names))}{_quote_error(outcomes[-1])}\n"
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


def stop_if_unstarted(search: Search[C, Any]) -> Search[C, Any]:
    """Run a search that has no failing candidate. Raises SubjectError if the program starts on no candidate.

    Its first candidates are run one by one until one of them starts.
    """
    started, unstarted = list[Outcome](), list[Outcome]()

    def note_outcomes(answers: Answers) -> None:
        for outcome in answers:
            if outcome is None or outcome.verdict is UNRESOLVED:
                continue
            if not outcome.unstarted:
                started.append(outcome)
                return
            unstarted.append(outcome)
            if len(unstarted) >= MAX_UNSTARTED:
                raise SubjectError(f"the command does not start on {MAX_UNSTARTED} inputs{_quote_error(outcome)}")

    def watch(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        if started or ask.until is not None:
            answers = yield ask
            if not started:
                note_outcomes(answers)
            return answers
        before: list[Outcome | None] = []
        while not started and len(before) < len(ask.candidates):
            (outcome,) = yield replace(ask, candidates=[ask.candidates[len(before)]], ahead=())
            before.append(outcome)
            note_outcomes([outcome])
        rest = ask.candidates[len(before) :]
        return [*before, *(yield replace(ask, candidates=rest))] if rest else before

    found = yield from relay(search, watch)
    if unstarted and not started:
        raise SubjectError(f"the command does not start{_quote_error(unstarted[-1])}")
    return found


def _quote_error(outcome: Outcome) -> str:
    lines = outcome.detail.splitlines()
    return "".join(f"\n  | {line}" for line in lines) if lines else f" ({outcome.signature or 'no error text'})"
