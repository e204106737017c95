"""Wrong checks: a comparison is skipped, accepts one value more or one less, takes one value for another, or is made in
the wrong order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.grouping.mutant import (
    SPECIFIC,
    WIDER,
    FaultCause,
    Mutant,
    as_if,
    awaited_codes,
    edit_component,
    exclude_matches,
    find_component,
    keep_matches,
    spanning,
)
from rootward.traces.model.event import Event
from rootward.traces.model.guard import Atom, Const, Guard, Param, Test, Value, Var, all_of, none_of
from rootward.traces.model.model import Component, Edge, Model
from rootward.traces.model.overlap import NO, can_both_match
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import SymbolicState, evaluate_term

Meaning = Callable[[Test], "Test | bool"]
"""A change of a test: it returns another test, or True or False if the test always or never holds."""


def check_mutants(engine: Engine, state: SymbolicState, move: Move, event: Event) -> Iterator[Mutant]:
    """Yield changes of the comparisons in the guard that decided which answer was due: for all requests, or only for
    requests like this one."""
    owner = move.option.owner
    source = move.option.edge.source
    edges = [edge for edge in find_component(engine.model, owner).edges if edge.is_request and edge.source == source]
    own = [edge for edge in edges if edge.matches(event)]
    others = [edge for edge in edges if not edge.matches(event)]
    for atom in move.option.when:
        if isinstance(atom, Test):
            wider = list(_param_mutants(owner, atom))
            above = tuple(one.name for one in wider)
            unchecked = as_if("{component} did not check {test}", component=owner, test=atom.negate())
            some: list[tuple[FaultCause, Meaning, tuple[str, ...], int]]
            everywhere = [*_spanning_checks(engine, state, atom)]
            some = [(unchecked, partial(_assume_failed, failed={atom}), (*above, everywhere[0].name), 0)]
            resized = tuple(one.name for one in everywhere[1:])
            some += [(what, meaning, resized, 1) for what, meaning in _resized_lists(engine, state, owner, atom)]
            yield from everywhere
            for what, meaning, names, size in some:
                change = partial(_change_tests, owner=owner, meaning=meaning)
                yield Mutant(what, SPECIFIC, change, names, size)
                if own and any(_compares(edge, atom) for edge in others):
                    like = own[-1]  # the edges that accept a request come after those that refuse it
                    such = FaultCause(f"{what.sentence} ({{event}})", {**what.facts, "event": like.event})
                    yield Mutant(such, SPECIFIC, partial(change, like=like), (what.name,), size + 1)
            yield from wider


def _spanning_checks(engine: Engine, state: SymbolicState, atom: Test) -> Iterator[Mutant]:
    """Yield the changes of a comparison wherever it is made: it is skipped, or takes one value for another."""
    change = partial(_change_tests, meaning=partial(_assume_failed, failed={atom}))
    yield spanning("no component checked {test}", change, test=atom.negate())
    if not isinstance(atom.left, Var) or not isinstance(atom.right, tuple):
        return
    own = evaluate_term(engine.names, state, atom.left, {})
    if not isinstance(own, int | str):
        return
    for value in engine.model.listed_values.get(atom.left, ()):
        if (value in atom.right) != (own in atom.right):
            yield confuse_values(atom.left.name, own, value)
            yield _merge_values(atom.left.name, *sorted((own, value), key=str))


def confuse_values(variable: str, value: Value, other: Value) -> Mutant:
    """Return the change in which every check of a variable takes one value for another."""
    return spanning(
        "every component took {value} for {other} where it checked {variable}",
        partial(_change_tests, meaning=partial(_take_value_for, subject=Var(variable), value=value, other=other)),
        value=Const(value),
        other=Const(other),
        variable=variable,
    )


def _merge_values(variable: str, value: Value, other: Value) -> Mutant:
    """Return the change in which every check of a variable that accepts one of two values accepts both."""
    return replace(
        spanning(
            "no component told {value} from {other} where it checked {variable}",
            partial(_change_tests, meaning=partial(_accept_both, subject=Var(variable), values={value, other})),
            value=Const(value),
            other=Const(other),
            variable=variable,
        ),
        size=1,
    )


def _accept_both(test: Test, subject: Var, values: set[Value]) -> Test | bool:
    if test.left == subject and isinstance(test.right, tuple) and not values.isdisjoint(test.right):
        return replace(test, right=tuple(dict.fromkeys((*test.right, *sorted(values, key=str)))))
    return test


def _take_value_for(test: Test, subject: Var, value: Value, other: Value) -> Test | bool:
    """Return the test that treats ``value`` of a variable like ``other``."""
    if test.left != subject:
        return test
    if isinstance(test.right, tuple) and (value in test.right) != (other in test.right):
        rest = tuple(one for one in test.right if one != value)
        return replace(test, right=rest if value in test.right else (*rest, value))
    return test


def _compares(edge: Edge, atom: Test) -> bool:
    return any(one in (atom, atom.negate()) for when in edge.when for one in when)


def _param_mutants(owner: str, atom: Test) -> Iterator[Mutant]:
    """Yield the change that skips all checks of one part of the request against variables.

    The part is the one that ``atom`` compares with a variable. Yields nothing if there is none.
    """
    params = [term for term in (atom.left, atom.right) if isinstance(term, Param)]
    if params and any(isinstance(term, Var) for term in (atom.left, atom.right)):
        op, value = atom.negate().op, params[0]
        what = as_if("{component} did not check {op} {value}", component=owner, op=op, value=value)
        yield Mutant(
            what,
            WIDER,
            partial(_change_tests, owner=owner, meaning=partial(_assume_alike, failed=atom, param=params[0])),
        )


def _resized_lists(
    engine: Engine, state: SymbolicState, owner: str, atom: Test
) -> Iterator[tuple[FaultCause, Meaning]]:
    """Yield the change in which the list of values in ``atom`` has one value more or less.

    The value is the present value of the variable: it is removed if it is in the list, else added.
    """
    if not isinstance(atom.left, Var) or not isinstance(atom.right, tuple):
        return
    own = evaluate_term(engine.names, state, atom.left, {})
    if not isinstance(own, int | str):
        return
    new = tuple(one for one in atom.right if one != own) if own in atom.right else (*atom.right, own)
    if new:
        what = as_if(
            "{component} checked {test} instead of {other}",
            component=owner,
            test=Test(atom.left, "in", new),
            other=Test(atom.left, "in", atom.right),
        )
        yield what, partial(_replace_values, atom=atom, values=new)


def _assume_failed(test: Test, failed: set[Test]) -> Test | bool:
    return False if test in failed else True if test.negate() in failed else test


def _assume_alike(test: Test, failed: Test, param: Param) -> Test | bool:
    """Return a fixed result for a test that compares ``param`` with a variable.

    The result is False if the test has the operator of ``failed``, and True if it has the opposite operator. Any other
    test is returned unchanged.
    """
    terms = (test.left, test.right)
    if param not in terms or not any(isinstance(term, Var) for term in terms):
        return test
    return False if test.op == failed.op else True if test.op == failed.negate().op else test


def _replace_values(test: Test, atom: Test, values: tuple[Value, ...]) -> Test | bool:
    return replace(test, right=values) if test in (atom, atom.negate()) else test


def _change_tests(model: Model, owner: str, meaning: Meaning, like: Edge | None = None) -> Model:
    """Change the tests in all requests of a component, or only in those that the edge ``like`` matches."""

    def change(edge: Edge) -> list[Edge]:
        when = _rewrite_guard(edge.when, meaning) if edge.is_request else edge.when
        if when == edge.when or edge.on is None:
            return [edge]
        if like is None or like.on is None:
            return [replace(edge, when=when)] if when else []
        kept = replace(edge, on=exclude_matches(edge.on, like.on.source), label=edge.event)
        return [kept, replace(kept, on=keep_matches(edge.on, like.on.source), when=when)] if when else [kept]

    return edit_component(model, owner, change)


def _rewrite_guard(guard: Guard, meaning: Meaning) -> Guard:
    found = []
    for when in guard:
        atoms: list[Atom] = []
        for atom in when:
            new = meaning(atom) if isinstance(atom, Test) else atom
            if new is False:
                break
            if new is not True:
                atoms.append(new)
        else:
            found.append(tuple(atoms))
    return tuple(found)


# The order of the checks


def order_mutants(part: Component, location: str, last: Event) -> Iterator[Mutant]:
    """Yield the changes in which the requirement with the code that came is checked before the one with the code that
    was due: in this component, or in all."""
    due, came = awaited_codes(part).get(location, ""), last.payload
    if due and came != due and came in awaited_codes(part).values():
        change = partial(_swap_checks, due=due, came=came)
        sentence, facts = "checked what is refused with {payload} before {other}", {"payload": came, "other": due}
        everywhere = spanning(f"every component {sentence}", change, **facts)
        what = as_if(f"{{component}} {sentence}", component=part.name, **facts)
        yield Mutant(what, SPECIFIC, partial(change, owner=part.name), (everywhere.name,))
        yield everywhere


def _swap_checks(model: Model, owner: str, due: str, came: str) -> Model:
    """Return the model in which a component refuses a request with ``came`` if it can be refused with both codes.

    The conditions of the first check are those of its edges that the edges of the second check negate.
    """
    codes = awaited_codes(find_component(model, owner))
    part = find_component(model, owner)
    asked = [edge for edge in part.edges if edge.is_request and edge.source != edge.target and edge.on is not None]
    early = [edge for edge in asked if codes.get(edge.target) == due]
    late = [edge for edge in asked if codes.get(edge.target) == came]
    answered = [edge for edge in asked if edge.target not in codes]
    new: dict[int, list[Edge]] = {}
    for second in late:
        for first in early:
            if first.source == second.source and (own := _find_own_conditions(first.when, second.when)) is not None:
                refused, freed = own
                if () in freed and any(_may_overlap(second, one) for one in answered):
                    continue  # it is checked first already: without the other check, it would refuse everything
                new.setdefault(id(second), [second]).append(replace(second, when=freed))
                new[id(first)] = [
                    piece for edge in new.get(id(first), [first]) for piece in _allow_less(edge, second, refused)
                ]
    return edit_component(model, owner, lambda edge: new.get(id(edge), [edge]))


def _may_overlap(one: Edge, other: Edge) -> bool:
    """Return whether the same request may match both edges."""
    return one.on is not None and other.on is not None and can_both_match(one.on, other.on) != NO


def _find_own_conditions(first: Guard, second: Guard) -> tuple[Guard, Guard] | None:
    """Return the condition of the second check alone, and its guard without the first check.

    Returns None if the guards are not those of two checks, the first before the second.
    """
    atoms = {atom for when in first for atom in when}
    passed = {atom for when in second for atom in when if atom.negate() in atoms}
    if not passed:
        return None
    shared = passed | {atom for atom in atoms if all(atom in when for when in second)}
    own = tuple(tuple(atom for atom in when if atom not in shared) for when in second)
    return own, tuple(tuple(atom for atom in when if atom not in passed) for when in second)


def _allow_less(edge: Edge, other: Edge, refused: Guard) -> list[Edge]:
    """Return the versions of an edge that take no request which ``other`` takes under the condition ``refused``."""
    assert edge.on is not None
    assert other.on is not None
    when = all_of([edge.when, none_of(refused)])
    if edge.on == other.on:
        return [replace(edge, when=when)]
    rest = replace(edge, on=exclude_matches(edge.on, other.on.source), label=edge.event)
    return [rest, replace(edge, on=keep_matches(edge.on, other.on.source), label=edge.event, when=when)]
