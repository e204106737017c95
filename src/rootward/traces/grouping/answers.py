"""Changed answers: with another code or other data, never with the required content, or where no answer is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rootward.traces.fault import Fault
from rootward.traces.grouping.checks import order_mutants
from rootward.traces.grouping.mutant import (
    ANYTHING,
    LAST,
    ROUGH,
    SPECIFIC,
    WIDER,
    Mutant,
    as_if,
    awaited_codes,
    constant_updates,
    edit_component,
    ends_waiting,
    exclude_matches,
    find_component,
    is_refusal,
    possible_effects,
    spanning,
)
from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Const, Guard, Term, Var, all_of, names, none_of, with_terms
from rootward.traces.model.model import UNKNOWN, Component, Edge, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.part import Move

ANSWERED_INSTEAD = "{component} answered {location!r} instead of {other!r} ({event})"


def answer_mutants(model: Model, fault: Fault, last: Event, moves: list[Move]) -> Iterator[Mutant]:
    """Yield the changes for an answer that was not allowed in the location of the component."""
    part = find_component(model, fault.component)
    here = [edge for edge in part.edges if edge.source == fault.location and edge.on is not None]
    for edge in here:
        if edge.matches(last):
            yield from _content_mutants(model, part, edge)
    if fault.location in part.deadlines:
        yield from _replacement_mutants(part, fault.location, last)
    else:
        yield from _unasked_mutants(part, fault.location, last)
    yield from _redirect_mutants(part, last, moves)
    if fault.location not in part.initial:
        yield from _arbitrary_mutants(part, fault.location, last)


def _is_code(last: Event) -> bool:
    """Return whether an answer is a code, such as "NRC 7F": two words are a code, one is data."""
    return " " in last.payload


def _data_pattern(last: Event) -> Pattern:
    """Return a pattern for an answer with any data."""
    return Pattern(f"{last.kind} * {last.operation} <payload>")


# The content of an answer


def _content_mutants(model: Model, part: Component, edge: Edge) -> Iterator[Mutant]:
    """Yield changes of the content of an answer.

    The content is never what is required, or always what the initial values of the variables require, or anything.
    """
    facts = {"component": part.name, "event": edge.event}
    change = partial(_change_guard, owner=part.name, edge=edge)
    if edge.when:
        never = as_if("this answer never said what it should ({component}: {event})", **facts)
        yield Mutant(never, ROUGH, partial(change, when=none_of))
        fixed = partial(_use_initial_values, model=model)
        if fixed(edge.when) != edge.when:
            always = as_if("this answer always said what was so at first ({component}: {event})", **facts)
            yield Mutant(always, SPECIFIC, partial(change, when=fixed), size=1)
        whatever = as_if("the content of this answer did not matter ({component}: {event})", **facts)
        yield Mutant(whatever, LAST, partial(change, when=_always_true))


def _always_true(guard: Guard) -> Guard:
    return TRUE


def _use_initial_values(guard: Guard, model: Model) -> Guard:
    """Return a guard with each variable replaced by its initial value, if that is known."""

    def term(one: Term) -> Term:
        first = model.variables.get(one.name, UNKNOWN) if isinstance(one, Var) else UNKNOWN
        return Const(first) if isinstance(first, int | str) else one

    return with_terms(guard, term)


def _change_guard(model: Model, owner: str, edge: Edge, when: Callable[[Guard], Guard]) -> Model:
    """Return the model with the guard of an edge changed by ``when``.

    Edges from other locations are changed, too, if they have the same event, guard and updates.
    """
    return edit_component(
        model,
        owner,
        lambda e: [
            replace(e, when=when(e.when)) if (e.event, e.when, e.set) == (edge.event, edge.when, edge.set) else e
        ],
    )


# Another answer


def _replacement_mutants(part: Component, location: str, last: Event) -> Iterator[Mutant]:
    """Yield the changes in which another answer always comes in place of the one due."""
    owner, facts = part.name, {"component": part.name, "location": location}
    if _is_code(last):
        on = Pattern(f"{last.kind} * {last.operation} {last.payload}")
        what = as_if("{component} answered {payload} where {location!r} is due", payload=last.payload, **facts)
        others = list(_code_mutants(part, location, last))
        names = tuple(one.name for one in others)
        yield from order_mutants(part, location, last)
        yield Mutant(what, ROUGH, partial(_replace_answers, owner=owner, places={location}, on=on), names)
        yield from others
        return
    limits = part.deadlines
    data = {e.source for e in part.edges if ends_waiting(e, limits) and not is_refusal(e)}
    wider = as_if("{component} always answered with other data than those due", component=owner)
    if location in data:
        what = as_if("{component} always answered with other data where {location!r} is due", **facts)
        change = partial(_replace_answers, owner=owner, places={location}, on=_data_pattern(last))
        yield Mutant(what, SPECIFIC, change, (wider.name,))
        yield Mutant(wider, WIDER, partial(_replace_answers, owner=owner, places=data, on=_data_pattern(last)))
    else:
        what = as_if("{component} answered with data where {location!r} is due", **facts)
        yield Mutant(what, ROUGH, partial(_replace_answers, owner=owner, places={location}, on=_data_pattern(last)))


def _code_mutants(part: Component, location: str, last: Event) -> Iterator[Mutant]:
    """Yield the changes in which another code always comes in place of one that is due: in this component, or in
    all."""
    due = awaited_codes(part).get(location, "")
    if due and due != last.payload:
        change = partial(_replace_codes, due=due, kind=last.kind, code=last.payload)
        sentence, facts = "answered {payload} where {other} is due", {"payload": last.payload, "other": due}
        everywhere = spanning(f"every component {sentence}", change, **facts)
        what = as_if(f"{{component}} always {sentence}", component=part.name, **facts)
        yield Mutant(what, WIDER, partial(change, owner=part.name), (everywhere.name,))
        yield everywhere


def _replace_codes(model: Model, owner: str, due: str, kind: str, code: str) -> Model:
    """Return the model in which a component sends another code wherever the code ``due`` is."""
    part = find_component(model, owner)
    places = {place for place, one in awaited_codes(part).items() if one == due}
    operation = _find_operation(part, kind)
    if not places or not operation:
        return model
    heard = [edge for other in model.components if other is not part for edge in _edges_on(other, kind, operation, due)]
    return _replace_answers(model, owner, places, Pattern(f"{kind} * {operation} {code}"), heard)


def _edges_on(part: Component, kind: str, operation: str, code: str) -> Iterator[Edge]:
    """Yield what a component without states, such as a counter, does when it hears a code."""
    if len(part.locations) == 1:
        for edge in part.edges:
            if edge.on is not None and edge.on.text.split() == [kind, "*", operation, *code.split()]:
                yield edge


def _find_operation(part: Component, kind: str) -> str:
    """Return the operation that a component answers, or an empty text if it is not known."""
    heads = (edge.on.head.split() for edge in part.edges if edge.on is not None and edge.on.head)
    return next((words[1] for words in heads if words[0] == kind), "")


def _replace_answers(model: Model, owner: str, places: set[str], on: Pattern, heard: Sequence[Edge] = ()) -> Model:
    """Return the model with wrong answers in place of the right ones in the locations ``places``.

    Wrong answers are the events that match ``on`` and are not right answers. ``heard``: what other components do on a
    right answer. The system may still do it, because it may only say something else than it means.
    """
    limits = find_component(model, owner).deadlines

    def change(edge: Edge) -> list[Edge]:
        if edge.source not in places or not ends_waiting(edge, limits) or edge.on is None:
            return [edge]
        wrong = exclude_matches(on, edge.on.source)
        own = [replace(one, on=wrong, label="") for one in possible_effects(edge)]
        return own + [
            replace(one, when=all_of([one.when, e.when]), set={**one.set, **e.set}, reset=one.reset | e.reset)
            for one in own
            for e in heard
        ]

    return edit_component(model, owner, change)


def _unasked_mutants(part: Component, location: str, last: Event) -> Iterator[Mutant]:
    """Yield the changes in which an answer comes where none is due.

    Either an answer with data always comes in ``location``, or any answer may come now and then.
    """
    if not _is_code(last) and location not in part.initial:
        sentence = "{component} always answered where it owes no answer ({location!r})"
        what = as_if(sentence, component=part.name, location=location)
        change = partial(_require_answer, owner=part.name, location=location, on=_data_pattern(last))
        if _awaits_answer(part, location):  # without a deadline
            yield Mutant(what, ROUGH, change)
        else:
            everywhere = spanning(
                "every component always answered where it owes no answer ({location!r})",
                partial(_require_own_answer, location=location, kind=last.kind),
                location=location,
            )
            yield Mutant(what, WIDER, change, (everywhere.name,))
            yield everywhere
    on = Pattern(f"{last.kind} * {last.operation} ...")
    what = as_if("{component} could answer unasked", component=part.name)
    yield Mutant(what, LAST, partial(_allow_unasked, owner=part.name, on=on))


def _awaits_answer(part: Component, location: str) -> bool:
    """Return whether some answer leads from a location to where the component begins."""
    return any(
        edge.source == location and edge.target in part.initial and edge.on is not None and not edge.is_request
        for edge in part.edges
    )


def _allow_unasked(model: Model, owner: str, on: Pattern) -> Model:
    """Allow an answer wherever none is due.

    Such an answer changes nothing.
    """
    part = find_component(model, owner)
    limits = part.deadlines
    rest = [one.name for one in part.locations if one.name not in limits]
    return _with_edges(model, part, [*part.edges, *(Edge(name, name, on) for name in rest)])


def _require_answer(model: Model, owner: str, location: str, on: Pattern) -> Model:
    """Require an answer that matches ``on`` in a location.

    Requests are no longer taken there, so the answer has to come before the next request.
    """
    part = find_component(model, owner)
    edges = [edge for edge in part.edges if edge.source != location or not edge.is_request]
    return _with_edges(model, part, [*edges, Edge(location, part.initial[0], on)])


def _require_own_answer(model: Model, owner: str, location: str, kind: str) -> Model:
    """Require any data in a location where the component owes no answer, if it has such a location."""
    part = find_component(model, owner)
    operation = _find_operation(part, kind)
    if not operation or location in part.deadlines or all(one.name != location for one in part.locations):
        return model
    return _require_answer(model, owner, location, Pattern(f"{kind} * {operation} <payload>"))


def _with_edges(model: Model, part: Component, edges: Iterable[Edge]) -> Model:
    new = replace(part, edges=tuple(edges))
    return replace(model, components=tuple(new if one is part else one for one in model.components))


def _redirect_mutants(part: Component, last: Event, moves: list[Move]) -> Iterator[Mutant]:
    """Yield the changes in which the request leads to a location where the answer that came is allowed."""
    allowed = {e.source: e for e in part.edges if e.when and e.matches(last)}
    for move in moves:
        edge = move.option.edge
        for target, taken in allowed.items():
            if target != edge.target:
                what = as_if(
                    ANSWERED_INSTEAD, component=part.name, location=target, other=edge.target, event=edge.event
                )
                change = partial(_redirect, owner=part.name, edge=edge, target=target)
                yield Mutant(what, LAST if _is_vague(taken) else ROUGH, change)


def _redirect(model: Model, owner: str, edge: Edge, target: str) -> Model:
    old = (edge.event, edge.target)
    return edit_component(model, owner, lambda e: [replace(e, target=target) if (e.event, e.target) == old else e])


def _is_vague(edge: Edge) -> bool:
    """Return whether an edge takes many different events."""
    assert edge.on is not None
    asked = names(edge.when)[1]
    return edge.on.text.endswith("...") or bool(edge.on.params - asked - {"payload", "ecu", "data"})


def _arbitrary_mutants(part: Component, location: str, last: Event) -> Iterator[Mutant]:
    """Yield the changes in which an answer comes where another one is due: always the same code, or anything."""
    head = f"{last.kind} * {last.operation}"
    for text, rank in ((f"{head} {last.payload}", ROUGH), (f"{head} ...", ANYTHING)):
        if rank == ANYTHING or (_is_code(last) and location in part.deadlines):
            what = as_if("{component} could answer {event} whatever is due", component=part.name, event=text)
            yield Mutant(what, rank, partial(_allow_any_answer, owner=part.name, text=text), size=1)


def _allow_any_answer(model: Model, owner: str, text: str) -> Model:
    """Allow any answer that matches ``text`` wherever an answer is due.

    The answer changes nothing, or has the effect of the answer that is due.
    """
    on, kind = Pattern(text), text.split(" ")[0]
    part = find_component(model, owner)
    some = [e for e in part.edges if e.on is not None and e.event.split(" ")[0] == kind and e.when]
    some = [e for e in some if e.source not in part.initial]
    alike = [replace(e, on=on, label="", when=TRUE, set=constant_updates(e)) for e in some]
    bare = [Edge(source, part.initial[0], on) for source in dict.fromkeys(e.source for e in some)]
    return _with_edges(model, part, [*part.edges, *alike, *bare])
