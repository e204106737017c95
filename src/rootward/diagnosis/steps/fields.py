"""Which fields matter?

Of a few fields the condition can be learnt at once. Of many, those that matter are looked for first: one search tries
all values of all fields together (``searches/products``), so the longest list of values sets the price. The condition
that is learnt afterwards does not rest on these values; so a field with many of them gets the exceptional ones that
most faults are about (the ends, zero and its neighbours, NaN and the infinities), and some of the others, evenly
spread.

A field that was overlooked shows when a run passes where the claim says that it fails. Then there are two
configurations, one that fails and one that does not, and the smallest difference that decides is looked for
(``find_overlooked``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Doing, ask, run_search
from rootward.diagnosis.state import State
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Cause, Explanation
from rootward.explanation.facts import Overlooked, Result, Unended
from rootward.search.ask import Ask
from rootward.search.isolate import Part, isolate
from rootward.search.relay import relay
from rootward.search.repeat import Once
from rootward.searches.products import METHODS
from rootward.searches.products.product_set import ProductSet
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Choice, Field, Float, Int, Space, Text
from rootward.verdict import FAIL


def find_fields(state: State, claim: Claim, failing: Configuration) -> Doing[Sequence[str]]:
    """The fields that matter around a failure. Those that known causes name keep its values: so it stays outside."""
    fixed = claim.fields
    free = [name for name in claim.space.names if name not in fixed]
    if len(free) <= TUNING.few_fields or "triggers" not in state.plan:
        return free
    state.begin("triggers")
    around = shortlisted(claim.space, {name: failing[name] for name in fixed})
    search = METHODS["columns"](around, failing, rate=claim.rate, seed=claim.seed)
    view = replace(claim.view, repeat=Once())
    found: ProductSet = yield from run_search(state, search, view, partial(_drafted, claim, failing))
    state.end([Result.FOUND], found, complete=found.complete)
    claim.must_be_steady(found.unsteady)
    claim.unknown += [] if found.complete else [Unended("triggers")]
    return found.fields


def _drafted(claim: Claim, failing: Configuration, found: ProductSet) -> Explanation:
    """What is known while the fields that matter are looked for."""
    sets = [Cause(found.rule, failing)] if found.sets and not claim.causes else []
    return replace(
        claim.draft, causes=(*claim.causes, *sets), relevant=tuple(found.sets), unknown=(Unended("triggers"),)
    )


# Fewer values


def shortlisted(space: Space, fixed: Mapping[str, Any]) -> Space:
    """The same fields with few values each; those that are ``fixed`` have only that one."""
    made: dict[Field, Field] = {}
    fields: list[tuple[str, Field]] = []
    for name, field in space.items():
        if name in fixed:
            fields.append((name, Choice([fixed[name]])))
        else:
            many = len(field.values) > TUNING.max_field_values
            fields.append((name, made.setdefault(field, _few(field)) if many else field))
    return Space(fields)


def _few(field: Field) -> Field:
    if isinstance(field, Text):
        short = [text for text in field.values if len(text) <= TUNING.max_field_text]
        return Text(_spread(short, TUNING.max_field_values))
    if not isinstance(field, Int | Float):
        return field
    special = [value for value in field.values if value in (-1, 0, 1) or not math.isfinite(value)]
    special += [field.values[0], field.values[-1]]
    others = _spread([value for value in field.values if math.isfinite(value)], TUNING.max_field_values - len(special))
    values = {repr(value): value for value in (*special, *others)}.values()
    if isinstance(field, Int):
        return Int(field.lo, field.hi, field.bits, field.signed, values)
    return Float(field.lo, field.hi, field.bits, values)


def _spread(values: list[Any], wanted: int) -> list[Any]:
    """So many of them, the first and the last among them, evenly spread."""
    last = len(values) - 1
    return [values[i] for i in sorted({round(place * last / (wanted - 1)) for place in range(wanted)})]


# Fields that were overlooked


def find_overlooked(state: State, claim: Claim, cause: Cause, passing: Configuration) -> Doing[list[str]]:
    """The fields that keep ``passing`` from failing, though the cause holds there."""
    base = {**cause.example, **{name: passing[name] for name in cause.rule.fields}}

    def stops_it(part: Part[str]) -> Doing[bool]:
        changed = {**base, **{name: passing[name] for name in part.changes}}
        question = Ask([claim.ordered(changed)], note="which difference matters?")
        [outcome] = yield from ask(state, question, claim.view, claim.draft)
        return outcome is not None and outcome.verdict is not FAIL

    state.begin("triggers")
    found: list[str] = []
    if not (yield from stops_it(Part([]))):
        differing = [name for name in claim.space.names if canonical(base[name]) != canonical(passing[name])]
        found = yield from relay(isolate(differing, limit=TUNING.max_isolated), stops_it)
    state.end([Overlooked(tuple(found))])
    return found
