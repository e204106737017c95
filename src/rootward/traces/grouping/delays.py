"""Changes in time: a timer runs out at another time, or answers come late or not at all.

A timer may run out early, or may not be restarted by a message that should restart it. It is not known how early, so
its time is divided into quarters, and each of the first three is a candidate of its own; so is a timer that does not
wait at all.

Answers may be late or missing on several levels: always the answer in this location; always all refusals, if that
answer is one; always all answers of the component; now and then any answer of the component. Every level names the next
one as wider. A missing answer may still have taken effect, and nothing in the trace shows it. So the changed model does
what the answer would do as soon as it is asked for, or while it is awaited, or not at all, and any of these may be the
truth.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from rootward.traces.fault import FORBIDDEN, LATE, Fault
from rootward.traces.grouping.mutant import (
    OLDER,
    ROUGH,
    SPECIFIC,
    WIDER,
    FaultCause,
    Mutant,
    as_if,
    edit_component,
    ends_waiting,
    exclude_matches,
    find_component,
    is_refusal,
    keep_matches,
    possible_effects,
    spanning,
)
from rootward.traces.model.event import Event
from rootward.traces.model.guard import (
    TRUE,
    Atom,
    Bound,
    Conjunction,
    Guard,
    Term,
    Test,
    Var,
    all_of,
    bounds,
    format_duration,
    with_terms,
)
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.proving.explain import Root
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness

TIMER_PARTS = 4
"""Number of parts of a timer's time; an early timer is assumed to run out in one of them except the last."""
AT_ONCE = 100
"""A timer that runs out within this fraction of its time does not wait: one hundredth."""


Change = Callable[[Model, str, set[str]], Model]
"""A function that returns the model with one component (by name) changed in some locations (by name)."""


# Timers


def timer_mutants(model: Model, root: Root, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes of a timer that waits for a clock: it runs out early, or does not notice its last restart."""
    timers = {
        (part.name, atom.limit): None
        for part in model.components
        for edge in part.time_edges
        for atom in bounds(edge.when)
        if atom.clock == root.name and atom.op in (">", ">=")
    }
    for owner, limit in timers:
        early = partial(_make_early, owner=owner, clock=root.name, limit=limit)
        at_once = as_if("{component} ran out at once", component=owner)
        yield Mutant(at_once, OLDER, partial(early, least=0, most=limit // AT_ONCE), size=4 + TIMER_PARTS)
        for k in range(1, TIMER_PARTS):
            least, most = max(limit * (k - 1) // TIMER_PARTS, limit // AT_ONCE), limit * k // TIMER_PARTS
            span = f"{format_duration(least)} to {format_duration(most)}"
            what = as_if("{component} ran out after {span}", component=owner, span=span)
            yield Mutant(what, SPECIFIC, partial(early, least=least, most=most), size=4 + TIMER_PARTS - k)
    if timers and root.component:
        yield from _unheard_mutants(model, root, witness)


def _make_early(model: Model, owner: str, clock: str, limit: int, least: int, most: int) -> Model:
    """Let the time edge be taken from ``least`` on, and require it by ``most``."""

    def lower_atom(atom: Atom) -> Atom:
        late = isinstance(atom, Bound) and (atom.clock, atom.limit) == (clock, limit) and atom.op in (">", ">=")
        return Bound(clock, ">=", least) if late else atom

    def change(edge: Edge) -> list[Edge]:
        return [
            edge if edge.on is not None else replace(edge, when=tuple(tuple(map(lower_atom, w)) for w in edge.when))
        ]

    def lower_stay(one: Location) -> Location:
        return replace(one, stay=_lower_bounds(one.stay, clock, most))

    return edit_component(model, owner, change, lower_stay)


def _lower_bounds(guard: Guard, clock: str, most: int) -> Guard:
    """Lower all upper bounds of a clock in a guard to at most ``most``."""

    def cap(when: Conjunction) -> Conjunction:
        return tuple(
            Bound(clock, "<=", min(atom.limit, most))
            if isinstance(atom, Bound) and atom.clock == clock and atom.op in ("<", "<=")
            else atom
            for atom in when
        )

    return tuple(map(cap, guard))


def _unheard_mutants(model: Model, root: Root, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes in which certain messages do not restart the clock.

    The messages are those with the operation of the message that restarted the clock last, or those that match the
    pattern of the edge that restarted it last.
    """
    step, part = witness.steps[root.step - witness.first], find_component(model, root.component)
    edge = part.edges[root.edge]
    if not isinstance(step, Event) or edge.on is None or root.name not in edge.reset:
        return
    operation = rf"\S+ \S+ {re.escape(step.operation)}(?: .*)?"
    change = partial(_ignore_restart, owner=root.component, clock=root.name)
    what = as_if("{operation} did not restart {clock}", operation=step.operation, clock=root.name)
    yield Mutant(what, SPECIFIC, partial(change, regex=operation), size=1)
    others = (one.on for one in part.edges if one is not edge and root.name in one.reset and one.on is not None)
    if not edge.on.text.endswith("...") and any(one.match(step) is not None for one in others):
        what = as_if("nothing like {event} restarted {clock}", event=edge.event, clock=root.name)
        yield Mutant(what, SPECIFIC, partial(change, regex=edge.on.source), size=1)


def _ignore_restart(model: Model, owner: str, clock: str, regex: str) -> Model:
    """Return a model in which messages that match ``regex`` do not restart the clock.

    Otherwise they are taken as before.
    """

    def change(edge: Edge) -> list[Edge]:
        if edge.on is None or clock not in edge.reset:
            return [edge]
        return [
            replace(edge, on=exclude_matches(edge.on, regex), label=edge.event),
            replace(edge, on=keep_matches(edge.on, regex), label=edge.event, reset=edge.reset - {clock}),
        ]

    return edit_component(model, owner, change)


# Answers


def delay_mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes in which answers take longer, or never come."""
    if fault.kind == FORBIDDEN:
        relied = {root.name for root in fault.roots}
        for part, location in _find_owing(engine, witness):
            if any(relied & edge.set.keys() for edge in _find_answers(part, location)):
                yield from _missing_mutants(part, location)
    elif fault.component:
        part = find_component(engine.model, fault.component)
        if fault.location in part.deadlines:
            yield from (
                _late_mutants(part, fault.location) if fault.kind == LATE else _missing_mutants(part, fault.location)
            )


def _find_owing(engine: Engine, witness: Witness) -> Iterator[tuple[Component, str]]:
    """Yield the components that owe an answer when a fault shows, with their locations."""
    found: dict[tuple[int, str], None] = {}
    for state in witness.reached[-1]:
        for k, part in enumerate(engine.model.components):
            location = part.locations[state.locations[k]]
            if location.name in part.deadlines:
                found[k, location.name] = None
    for k, name in found:
        yield engine.model.components[k], name


def _late_mutants(part: Component, location: str) -> Iterator[Mutant]:
    limits = part.deadlines
    same = {name for name, bound in limits.items() if bound == limits[location]}
    sentences = (
        "{component} always took longer than {span} where {location!r} is due",
        "{component} always took longer than {span} to refuse",
        "{component} always took longer than {span}",
        "{component} could take longer than {span}",
    )
    limit = limits[location].limit
    span = format_duration(limit)
    causes = [as_if(one, component=part.name, location=location, span=span) for one in sentences]
    everywhere = [
        spanning(one, partial(_delay_component, limit=limit, refusals=refusals), span=span)
        for one, refusals in (
            ("every component always took longer than {span} to refuse", True),
            ("every component always took longer than {span}", False),
        )
    ]
    yield from _level_mutants(part, location, same, (_delay_answers, _allow_any_time), causes, everywhere)


def _missing_mutants(part: Component, location: str) -> Iterator[Mutant]:
    sentences = (
        "{component} did not answer where {location!r} is due",
        "{component} never refused",
        "{component} never answered",
        "{component} need not answer",
    )
    causes = [as_if(one, component=part.name, location=location) for one in sentences]
    everywhere = [
        spanning("no component ever refused", partial(_silence_component, refusals=True)),
        spanning("no component ever answered", partial(_silence_component, refusals=False)),
    ]
    limits = part.deadlines
    yield from _level_mutants(part, location, set(limits), (_drop_answers, _allow_no_answer), causes, everywhere)
    if limits[location].limit > min(bound.limit for bound in limits.values()):  # it asked for more time
        same = {name for name, bound in limits.items() if bound.limit == limits[location].limit}
        span = format_duration(limits[location].limit)
        what = as_if("{component} never answered where it may take {span}", component=part.name, span=span)
        yield Mutant(what, WIDER, partial(_apply, change=_drop_answers, owner=part.name, places=same))


def _level_mutants(
    part: Component,
    location: str,
    every: set[str],
    changes: tuple[Change, Change],
    causes: list[FaultCause],
    everywhere: list[Mutant],
) -> Iterator[Mutant]:
    """Yield one change for each level, the most specific first.

    The levels are: always the answer due in ``location``; always all refusals, if that answer is a refusal; always all
    answers; any answer now and then. Two more are about all components: always all refusals; always all answers.
    """
    always, perhaps = changes
    codes = every - _find_data_locations(part)
    levels = [({location}, always, SPECIFIC), (codes, always, WIDER), (every, always, WIDER), (every, perhaps, ROUGH)]
    wider = [everywhere[0].name, everywhere[0].name, everywhere[1].name, ""]
    if location not in codes:
        del levels[1], causes[1], wider[0], everywhere[0]
    for k, (places, change, rank) in enumerate(levels):
        how = partial(_apply, change=change, owner=part.name, places=places)
        above = [one.name for one in causes[k + 1 : k + 2]]
        yield Mutant(causes[k], rank, how, tuple(filter(None, [*above, wider[k]])))
    for one in everywhere:
        yield replace(one, wider=tuple(other.name for other in everywhere if other is not one)[-1:])


def _find_data_locations(part: Component) -> set[str]:
    """Return the locations in which an answer is due that is no refusal."""
    limits = part.deadlines
    return {edge.source for edge in part.edges if ends_waiting(edge, limits) and not is_refusal(edge)}


def _find_waiting(part: Component, *, refusals: bool) -> set[str]:
    """Return the locations in which an answer is due; with ``refusals``, those in which only a refusal is."""
    limits = part.deadlines
    some = {edge.source for edge in part.edges if ends_waiting(edge, limits)}
    return some - _find_data_locations(part) if refusals else some


def _delay_component(model: Model, owner: str, limit: int, *, refusals: bool) -> Model:
    """Allow the answers that have this time limit only after it."""
    part = find_component(model, owner)
    places = {one for one in _find_waiting(part, refusals=refusals) if part.deadlines[one].limit == limit}
    return _delay_answers(model, owner, places) if places else model


def _silence_component(model: Model, owner: str, *, refusals: bool) -> Model:
    places = _find_waiting(find_component(model, owner), refusals=refusals)
    return _drop_answers(model, owner, places) if places else model


def _apply(model: Model, change: Change, owner: str, places: set[str]) -> Model:
    return change(model, owner, places)


def _find_answers(part: Component, location: str) -> list[Edge]:
    limits = part.deadlines
    return [edge for edge in part.edges if edge.source == location and ends_waiting(edge, limits)]


def _remove_deadlines(model: Model, owner: str, places: set[str], edges: Callable[[Edge], list[Edge]]) -> Model:
    """Remove the deadlines of the locations ``places``, and replace each edge by ``edges(edge)``."""
    return edit_component(
        model, owner, edges, lambda one: replace(one, stay=TRUE, invariant=TRUE) if one.name in places else one
    )


def _delay_answers(model: Model, owner: str, places: set[str]) -> Model:
    """Allow answers only after their deadline."""
    limits = find_component(model, owner).deadlines

    def change(edge: Edge) -> list[Edge]:
        if edge.source not in places or not ends_waiting(edge, limits):
            return [edge]
        return [replace(edge, when=all_of([edge.when, ((limits[edge.source].negate(),),)]))]

    return _remove_deadlines(model, owner, places, change)


def _allow_any_time(model: Model, owner: str, places: set[str]) -> Model:
    return _remove_deadlines(model, owner, places, lambda edge: [edge])


def _drop_answers(model: Model, owner: str, places: set[str], *, perhaps: bool = False) -> Model:
    """Remove answers (or, with ``perhaps``, make them optional). The effect of an answer takes place when it is asked
    for, or while it is awaited, or not at all."""
    part = find_component(model, owner)
    limits = part.deadlines
    answers: dict[str, list[Edge]] = defaultdict(list)
    for one in part.edges:
        if one.source in places and ends_waiting(one, limits):
            answers[one.source].append(one)
    asked = {edge.target for edge in part.edges if edge.is_request and edge.source not in limits}
    heads = {edge.on.head for some in answers.values() for edge in some if edge.on is not None}
    restarted = {head: _restarted_clocks(model, head) for head in heads}

    def change(edge: Edge) -> list[Edge]:
        if edge in answers.get(edge.source, ()):
            silent = [] if edge.source in asked else [replace(one, on=None, label="") for one in possible_effects(edge)]
            return [edge, *silent] if perhaps else silent
        if edge.is_request and edge.target in answers and edge.source not in limits:
            return [edge, *(done for one in answers[edge.target] for done in _answer_at_once(edge, one, restarted))]
        return [edge]

    return _remove_deadlines(model, owner, places, change)


def _allow_no_answer(model: Model, owner: str, places: set[str]) -> Model:
    return _drop_answers(model, owner, places, perhaps=True)


def _answer_at_once(asked: Edge, answer: Edge, restarted: Mapping[str, frozenset[str]]) -> Iterator[Edge]:
    """Yield versions of a request after which no answer is due: with the effect of the answer, and without it. Each
    resets the clocks that the answer would reset. ``restarted``: the clocks that answers restart, by their head."""
    assert answer.on is not None
    clocks = restarted[answer.on.head]
    for one in possible_effects(answer):
        before = partial(_term_before, asked)
        tests = tuple(tuple(atom for atom in when if isinstance(atom, Test)) for when in with_terms(one.when, before))
        values = {name: before(term) for name, term in one.set.items()}
        yield replace(
            asked,
            target=answer.target,
            when=all_of([asked.when, tests]),
            set={**asked.set, **values},
            reset=asked.reset | answer.reset | clocks,
        )


def _term_before(asked: Edge, term: Term) -> Term:
    """Return a term that has the same value before a request as ``term`` has after it.

    A variable that the request sets is replaced by the value that it is set to.
    """
    return asked.set.get(term.name, term) if isinstance(term, Var) else term


def _restarted_clocks(model: Model, head: str) -> frozenset[str]:
    """Return the clocks that any message with this head, which is a kind and an operation, restarts."""
    kind, _, operation = head.partition(" ")
    any_one = Event(0, kind, "*", operation)
    found: set[str] = set()
    for one in (one for part in model.components for one in part.restarting_edges if head):
        if one.on is not None and one.on.head in ("", head) and one.on.match(any_one) is not None:
            found |= one.reset
    return frozenset(found)
