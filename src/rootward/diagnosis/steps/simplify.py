"""Find the simplest input that fails, for a person to read.

The input that failed first may hold anything: random numbers, long texts, in fields that do not matter. Once the
condition is known, a simpler one can be predicted without a run. Fields that the condition does not name get their
nominal value, or the simplest one that they have. The others get the simplest value close to the failing one with which
the condition still holds. One run usually confirms the prediction. If it does not fail, the changes are halved until
some of them are accepted, for a limited number of runs.

Around that input, the condition also predicts the two sides of its border: one field changes, the rest stays. These
pairs are run, too, and are the neighbouring inputs of the regression test.

All of these runs could refute the claim, so the step comes before ``verify``, which repairs a claim that they
contradict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import Any

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.notable_values import simplest_value
from rootward.diagnosis.questions import Routine, ask
from rootward.diagnosis.state import DiagnosisState, named_data
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause
from rootward.explanation.facts import Simplified
from rootward.search.ask import Ask
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.space.candidate import Configuration
from rootward.space.fields import MISFIT
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space, Text
from rootward.verdict import FAIL, PASS, Outcome

Predicate = Callable[[Configuration], bool]
MAX_DIGITS = 17
"""Significant digits that are enough to write any float exactly."""
BORDER_DIGITS = 3
"""Significant digits of the two numbers on either side of a border, if the field has no smallest step."""
ZERO_BELOW = 1e-12
"""A border this small, relative to the failing value, is taken for zero."""
MAX_HALVINGS = 1100
"""Maximum number of times that an interval is halved: enough for all floats."""
MAX_CUTS = 400
"""Maximum number of shorter texts that are considered. Nothing is run for that."""


def simplify(state: DiagnosisState, claim: Claim) -> Routine[None]:
    """Replace the example of each cause by a simple one, and the failing input by that of the first cause."""
    if "simplify" not in state.plan or not claim.causes:
        return
    state.begin("simplify")
    runs, before = min(state.allowance, TUNING.simplifying_runs), claim.causes[0].example
    if runs < 1:
        state.cancel()
        return
    usual = next(iter(state.study.nominal), {})
    data = named_data(state.study)
    tables = () if data is None else data.fields(claim.space)
    for place, cause in enumerate(claim.causes):
        nominal = {**usual, **{name: cause.example[name] for name in tables}}  # the table is examined afterwards
        example = yield from _accept_simpler(state, claim, cause, nominal, int(runs))
        border = yield from _try_border(state, claim, replace(cause, example=example), nominal)
        claim.causes[place] = replace(cause, example=example, border=border)
    simplest = claim.causes[0].example
    claim.draft = replace(claim.draft, failing=simplest)
    changed = [name for name in claim.space.names if canonical(before[name]) != canonical(simplest[name])]
    state.end([Simplified(tuple(changed), len(claim.space))])


def _accept_simpler(
    state: DiagnosisState, claim: Claim, cause: FailureCause, nominal: Configuration, runs: int
) -> Routine[Configuration]:
    """Return the example of a cause with those simpler values that keep it failing, after at most this many runs."""
    example = dict(cause.example)
    holds = _shows_only(cause, claim.causes)
    target = simplest_input(claim.space, holds, example, cause.rule.fields, nominal)
    groups = [[name for name in claim.space.names if canonical(target[name]) != canonical(example[name])]]
    while groups and runs:
        group = groups.pop(0)
        simpler = {**example, **{name: target[name] for name in group}}
        if group and holds(simpler):
            runs -= 1
            [outcome] = yield from _run(state, claim, [simpler])
            if outcome is not None and outcome.verdict is FAIL:
                example = simpler
                continue
        if len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return example


def _try_border(
    state: DiagnosisState, claim: Claim, cause: FailureCause, nominal: Configuration
) -> Routine[tuple[EdgePair, ...]]:
    """Run both sides of the border around the example, and return the pairs with verdicts as predicted."""
    fields = [name for name in claim.space.names if name in set(cause.rule.fields)]
    pairs: list[EdgePair] = []
    for name in fields[: TUNING.max_border_fields]:
        values = border_values(claim.space[name], claim.rule.holds, cause.example, name, nominal)
        if values is not None:
            inside, outside = ({**cause.example, name: value} for value in values)
            pairs.append(EdgePair(inside, outside))
    if not pairs or state.allowance < 2 * len(pairs):
        return ()
    outcomes = yield from _run(state, claim, [run for pair in pairs for run in (pair.fails, pair.passes)])
    verdicts = [None if outcome is None else outcome.verdict for outcome in outcomes]
    sides = zip(pairs, verdicts[::2], verdicts[1::2], strict=True)
    return tuple(pair for pair, inside, outside in sides if (inside, outside) == (FAIL, PASS))


def _run(state: DiagnosisState, claim: Claim, runs: Sequence[Configuration]) -> Routine[list[Outcome | None]]:
    question = Ask([claim.order_fields(one) for one in runs], note="does a simpler input fail, too?")
    return (yield from ask(state, question, claim.view, claim.explanation()))


def _shows_only(cause: FailureCause, causes: Sequence[FailureCause]) -> Predicate:
    """Return a predicate: the cause holds, and of the other causes only those that also hold for its example."""
    others = [one.rule for one in causes if one is not cause and not one.rule.holds(cause.example)]
    return lambda configuration: cause.rule.holds(configuration) and not any(one.holds(configuration) for one in others)


# Simple values


def simplest_input(
    space: Space, holds: Predicate, example: Configuration, relevant: Sequence[str], nominal: Configuration
) -> dict[str, Any]:
    """Return a simple configuration close to ``example`` for which ``holds`` is still true. Nothing is run.

    ``relevant``: the fields that ``holds`` depends on. The other fields get their nominal or simplest value.
    """
    found = dict(example)
    for name, field in space.items():
        if name not in relevant:
            found[name] = nominal[name] if name in nominal else simplest_value(field)
    if not holds(found):  # it depends on more than the relevant fields
        found = dict(example)
    for name, field in space.items():
        if name in relevant:
            usual = [nominal[name]] if name in nominal else []
            simpler = [*usual, simplest_value(field), *_simpler_numbers(field, example[name])]
            found[name] = next((value for value in simpler if holds({**found, name: value})), found[name])
            if isinstance(field, Text):
                found[name] = _shorten(found[name], lambda text, name=name: holds({**found, name: text}))  # type: ignore[misc]
    return found


def _simpler_numbers(field: Field, value: Any) -> Iterator[Any]:
    """Yield members of a numeric field close to ``value`` with fewer digits, those with the fewest digits first."""
    if not isinstance(field, Int | Float) or value == 0 or not math.isfinite(value):
        return
    for digits in range(1, MAX_DIGITS):
        low, high = _round(value, digits)
        for number in (low, high) if value > 0 else (high, low):
            member = field.fit(int(number) if isinstance(field, Int) else float(number))
            if member is not MISFIT:
                yield member


def _round(value: float, digits: int) -> tuple[Decimal, Decimal]:
    """Return the numbers with this many significant digits next to ``value``, below and above it."""
    exact = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    unit = Decimal(1).scaleb(exact.adjusted() + 1 - digits)
    return exact.quantize(unit, ROUND_FLOOR), exact.quantize(unit, ROUND_CEILING)


def _shorten(text: str, holds: Callable[[str], bool]) -> str:
    """Return a shorter text for which ``holds`` is still true: parts are cut out as long as it is, large ones first."""
    size, tries = len(text), 0
    while size > 1 and tries < MAX_CUTS:
        size = (size + 1) // 2
        start = 0
        while start < len(text) and tries < MAX_CUTS:
            tries += 1
            shorter = text[:start] + text[start + size :]
            if holds(shorter):
                text = shorter
            else:
                start += size
    return text


# The border


def border_values(
    field: Field, holds: Predicate, example: Configuration, name: str, nominal: Configuration
) -> tuple[Any, Any] | None:
    """Return two values of a field next to each other: ``holds`` is true with the first and false with the second.

    All other fields keep their value in ``example``, for which ``holds`` is true. Returns None if no value of the field
    makes it false. Nothing is run.
    """

    def is_inside(value: Any) -> bool:
        return holds({**example, name: value})

    inside = example[name]
    usual = [nominal[name]] if name in nominal else []
    listed = sorted(field.values, key=len) if isinstance(field, Text) else field.values
    outside = [value for value in [*usual, simplest_value(field), *listed] if not is_inside(value)]
    if not outside or not is_inside(inside):
        return None
    if not isinstance(field, Int | Float) or not math.isfinite(inside):
        return inside, outside[0]
    finite = [value for value in outside if math.isfinite(value)]
    if not finite:
        return inside, outside[0]
    far = min(finite, key=lambda value: abs(value - inside))
    for _ in range(MAX_HALVINGS):
        middle = field.middle(min(inside, far), max(inside, far))
        if middle in (inside, far):
            break
        inside, far = (middle, far) if is_inside(middle) else (inside, middle)
    if isinstance(field, Int) or field.step is not None:
        return inside, far
    at_zero = abs(inside) < ZERO_BELOW * abs(example[name])
    return _round_border(field, is_inside, 0.0 if at_zero else inside)


def _round_border(field: Float, is_inside: Callable[[Any], bool], border: float) -> tuple[float, float] | None:
    """Return the numbers of few digits on either side of a border; None if the field has none."""
    exact = Decimal(repr(border))
    unit = Decimal(1).scaleb(exact.adjusted() + 1 - BORDER_DIGITS)
    first = exact.quantize(unit, ROUND_FLOOR)
    members = [field.fit(float(first + steps * unit)) for steps in (-1, 0, 1, 2)]
    for one, other in pairwise(members):
        if MISFIT not in (one, other) and is_inside(one) is not is_inside(other):
            return (one, other) if is_inside(one) else (other, one)
    return None
