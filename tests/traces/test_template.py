"""The paper's equivalence in the fast engine: its examples, its weakest preconditions, and what times decide.

Syntactic constraints are not unique, so those of a condition are read as the fewest from which it can be made.
Two things are compared with Z3 on random networks, where every time is longer than none: each condition of a template
is the weakest precondition of the reference, as a formula; and times are parted by the constraints in the same way as
by the comparisons of Z3's formula that are needed, each found by asking for two configurations that differ in it alone.
Times lie on no bound there, as Z3 and we may write a bound with or without its limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from rootward.traces.examine import Examiner
from rootward.traces.grouping import template as made
from rootward.traces.grouping.region import Region, find_needed_bounds, is_end, is_thin
from rootward.traces.grouping.template import Constraint, Spot, find_survivors, make_template
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import Bound
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.engine import Engine
from rootward.traces.running.unknown_values import Datum, Symbol
from rootward.traces.running.zone import UNBOUNDED, Zone, at_most, less_than

from .reference.ctr import ACK, DONE, GET, LOG, MS, SET, TEST_1, TEST_2, TEST_3, ctr, trace
from .reference.formulas import atoms, parts, said, satisfiable
from .reference.networks import networks
from .reference.paper import TEXT, Paper, _compared

FIRST = f"{SET}; {ACK}; {GET}; res CTR ret 0; 2 to 4 < 50000 µs; 3 to 4 < 50000 µs"


def start(engine: Engine) -> list[Spot]:
    return list(dict.fromkeys(state._replace(resets=(), zone=None) for state in engine.begin()))


def exact(examiner: Examiner, trace: Trace) -> str:
    [fault, *_] = examiner.find_faults(trace)
    assert fault.occasion is not None
    return examiner.timing.key(fault.occasion)


@cache
def counter() -> Examiner:
    return Examiner(ctr())


@cache
def punctual() -> Examiner:
    return Examiner(_punctual())


def written(one: Constraint) -> str:
    times = [f"u{number}" for number in range(one.early, one.late)]
    op = "<=" if one.bound & 1 else "<"
    return f"{' + '.join([*([one.clock] if one.clock else []), *times])} {op} {one.bound >> 1}"


# Examples


def test_figure_4_the_constraints_of_the_template() -> None:
    """Its u2 is our u2, before the get, and its u1 our u3. Before the acknowledgement, nothing is added."""
    engine = Engine(ctr())
    found = [sorted(map(written, point)) for point in make_template(engine, start(engine), TEST_1.events, False)]
    reset = [f"u2 + u3 < {50 * MS}"]
    assert found == [
        *[reset] * 4,
        [f"clk + u2 + u3 < {50 * MS}"],
        [f"clk + u3 < {50 * MS}"],
        [f"clk + u3 < {50 * MS}"],
        [],
    ]


def test_example_5_tests_1_and_2_are_equal_and_test_3_is_not() -> None:
    assert exact(counter(), TEST_1) == exact(counter(), TEST_2) == FIRST
    assert exact(counter(), TEST_3) != FIRST


def test_the_times_of_the_counter_are_parted_as_the_paper_parts_them() -> None:
    engine, paper = Engine(ctr()), Paper(ctr())
    constraints = make_template(engine, start(engine), TEST_1.events, False)
    theirs: dict[object, set[tuple[int, ...]]] = {}
    ours: dict[object, set[tuple[int, ...]]] = {}
    for get, answer in ((1, 20), (30, 19), (30, 20), (60, 19), (60, 54)):
        times = (3 * MS, 2 * MS, get * MS, answer * MS)
        steps = [step for pair in zip(times, TEST_1.events, strict=True) for step in pair]
        theirs.setdefault(paper.key(steps), set()).add(times)
        ours.setdefault(vector(constraints, times), set()).add(times)
    assert len(ours) == 3
    assert sorted(map(sorted, ours.values())) == sorted(map(sorted, theirs.values()))


@given(st.tuples(*[st.integers(0, 10**9)] * 2), st.integers(0, 49 * MS), st.data())
def test_other_times_on_the_same_side_of_all_constraints_make_no_difference(
    early: tuple[int, int], get: int, data: st.DataObject
) -> None:
    answer = data.draw(st.integers(0, 50 * MS - 1 - get))
    assert exact(counter(), _timed(SET, ACK, GET, "res CTR ret 0", times=(*early, get, answer))) == FIRST


def test_what_was_left_out_with_its_time_took_none() -> None:
    before = ((3, SET), (2, ACK), (70, LOG), (5, DONE))
    assert exact(counter(), trace("long", *before, (9, SET), (2, ACK), (15, GET), (2, "res CTR ret 0"))) == FIRST


@given(st.integers(0, 80), st.integers(0, 80))
def test_crossing_a_bound_makes_a_difference(one: int, two: int) -> None:
    """Too early and too late are different, but how much is not."""
    if not {_side(one), _side(two)} & {"in time"}:
        alike = exact(punctual(), _answered(one)) == exact(punctual(), _answered(two))
        assert alike == (_side(one) == _side(two))


def test_a_key_says_what_is_true_of_the_times() -> None:
    assert exact(punctual(), _answered(9)) == "req M ask; res M answer; 1 to 2 < 10 µs; 1 to 2 < 50 µs"
    assert exact(punctual(), _answered(50)) == "req M ask; res M answer; 1 to 2 >= 10 µs; 1 to 2 >= 50 µs"


def test_a_missing_answer_is_time_that_passes() -> None:
    """How long nothing came is no matter."""
    idle, asked = Location("idle"), Location("asked", stay=((Bound("c", "<", 50),),))
    model = _punctual()
    examiner = Examiner(replace(model, components=(replace(model.components[0], locations=(idle, asked)),)))
    ask = "req M ask"
    missing = {exact(examiner, replace(_timed(ask, times=(7,)), end=end)) for end in (7, 60, 1000)}
    assert missing == {"req M ask; time passes; 1 to 2 >= 50 µs"}
    assert exact(examiner, _timed("res M answer", times=(7,))) == "res M answer"


def test_where_a_template_is_too_large_each_time_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "MAX_STEPS", 1)
    examiner = Examiner(_punctual())
    assert exact(examiner, _answered(9)) == (
        "req M ask; res M answer; 0 to 1 < 10 µs; 0 to 1 < 50 µs; 1 to 2 < 10 µs; 1 to 2 < 50 µs"
    )
    assert exact(examiner, _answered(9)) != exact(examiner, _answered(50))


def _punctual() -> Model:
    """An answer comes in 10 to 50 microseconds, or not at all."""
    edges = (
        Edge("idle", "asked", Pattern("req M ask"), reset=frozenset({"c"})),
        Edge("asked", "idle", Pattern("res M answer"), when=((Bound("c", ">=", 10), Bound("c", "<", 50)),)),
    )
    return Model("punctual", (Component("m", (Location("idle"), Location("asked")), ("idle",), edges),), {}, {"c": 0})


def _answered(wait: int) -> Trace:
    return _timed("req M ask", "res M answer", times=(7, wait))


def _side(wait: int) -> str:
    return "early" if wait < 10 else "late" if wait >= 50 else "in time"


def _timed(*texts: str, times: Sequence[int]) -> Trace:
    events = []
    for number, text in enumerate(texts):
        kind, ecu, operation, *payload = text.split()
        events.append(Event(sum(times[: number + 1]), kind, ecu, operation, " ".join(payload)))
    return Trace("timed", tuple(events))


# Bounds


def test_a_bound_that_another_zone_covers_does_not_count() -> None:
    """Who leaves within u2 >= 50, or stays for u2 < 55 and leaves within u2 + u3 >= 50, survives if u2 + u3 >= 50."""
    at_once = _zone((2, 3, at_most(-50)))
    later = _zone((3, 2, less_than(55)), (2, 4, at_most(-50)))
    assert find_needed_bounds(at_once) == ((2, 3), (3, 4))
    assert [pair for pair in find_needed_bounds(at_once) if is_end(at_once, pair, [later])] == [(3, 4)]
    assert find_needed_bounds(later) == ((2, 3), (2, 4), (3, 2), (3, 4))
    assert [pair for pair in find_needed_bounds(later) if is_end(later, pair, [at_once])] == [(2, 3), (2, 4), (3, 4)]


def _zone(*bounds: tuple[int, int, int]) -> Zone:
    zone: Zone | None = Zone(
        (2, 3, 4), ((1, UNBOUNDED, UNBOUNDED), (UNBOUNDED, 1, UNBOUNDED), (UNBOUNDED, UNBOUNDED, 1))
    )
    for one, two, bound in ((2, 3, at_most(0)), (3, 4, at_most(0)), *bounds):
        zone = zone and zone.restrict(one, two, bound)
    assert zone is not None
    return zone


# Z3


def vector(
    constraints: Iterable[Iterable[Constraint]], times: Sequence[Fraction | int]
) -> tuple[tuple[Constraint, bool], ...]:
    instants: list[Any] = [sum(times[:place]) for place in range(len(times) + 1)]
    every = sorted({one for point in constraints for one in point}, key=repr)
    return tuple((one, one.satisfiable(instants)) for one in every)


class Compared:
    """The template of some events of a network, and what Z3 says of it."""

    def __init__(self, model: Model, events: tuple[Event, ...]) -> None:
        self.engine, self.paper, self.events = Engine(model), Paper(model), events
        self.times = [z3.Real(f"u{number}") for number in range(len(events))]
        self.points = find_survivors(self.engine, start(self.engine), events, False)

    def conditions(self) -> Iterator[tuple[Spot, list[Region], z3.BoolRef]]:
        """At each spot of each point, the survivors and the weakest precondition."""
        steps = [step for pair in zip(self.times, self.events, strict=True) for step in pair]
        after: dict[tuple[str, ...], z3.BoolRef] = {}
        for step, regions in zip(reversed(steps), reversed(self.points), strict=True):
            after = self.paper.wp(step, after, {self.place(spot) for spot in regions})
            for spot, some in regions.items():
                held = [
                    (self.paper.variables[name], self.datum(spot.data[k]))
                    for name, k in self.engine.names.variables.items()
                ]
                yield spot, some, z3.substitute(after[self.place(spot)], *held)

    def place(self, spot: Spot) -> tuple[str, ...]:
        parts = zip(self.engine.parts, spot.locations, strict=True)
        return tuple(part.component.locations[i].name for part, i in parts)

    def given(self, spot: Spot) -> z3.BoolRef:
        return z3.And(self.paper.positive, *(time > 0 for time in self.times), *self.told(spot.facts))

    def datum(self, one: Datum) -> z3.ArithRef:
        return z3.Int(f"first {one.name}") if isinstance(one, Symbol) else self.paper.code(one)

    def told(self, facts: Iterable[tuple[Datum, str, Datum]]) -> Iterator[z3.BoolRef]:
        for left, op, right in facts:
            one, two = self.datum(left), self.datum(right)
            yield _compared(one, op, two)
            if op not in ("=", "!="):
                yield (one < TEXT) == (two < TEXT)

    def formula(self, region: Region) -> z3.BoolRef:
        """Clocks are spans before the present instant, the others are instants after it."""
        names: Any = region.zone.names
        moments = {
            one: -self.paper.clocks[one] if isinstance(one, str) else z3.Sum(0, *self.times[region.now : one])
            for one in names
        }
        found = list(self.told(region.facts))
        for one, two in product(names, names):
            bound = region.zone.bound(one, two)
            if bound < UNBOUNDED and one != two:
                found.append(_compared(moments[one] - moments[two], "<=" if bound & 1 else "<", z3.RealVal(bound >> 1)))
        return z3.And(*found)

    def literals(self, condition: z3.BoolRef, given: z3.BoolRef) -> Iterator[z3.BoolRef]:
        """The comparisons of times and clocks that make the condition true: beside it, but for them all is alike."""
        timed = [one for one in atoms(condition) if any(map(z3.is_real, parts(one))) and not z3.is_eq(one)]
        some = list({tuple(said(one).rsplit(" ", 2)[::2]): one for one in timed}.values())
        other = [(one, z3.Real(f"{one}'")) for one in (*self.times, *self.paper.clocks.values())]
        clear = z3.And(given, *(one.arg(0) != one.arg(1) for one in some))
        beside = z3.And(clear, z3.substitute(z3.And(clear, z3.Not(condition)), *other))
        for one in some:
            alike = [z3.substitute(two, *other) == two for two in some if two is not one]
            for literal in (one, z3.Not(one)):
                if satisfiable(beside, *alike, condition, literal):
                    yield literal

    def vector(self, literals: Iterable[z3.BoolRef], times: Sequence[Fraction]) -> tuple[bool, ...]:
        held = [(one, z3.Q(time.numerator, time.denominator)) for one, time in zip(self.times, times, strict=True)]
        return tuple(satisfiable(self.paper.positive, z3.substitute(one, *held)) for one in literals)


def cases(seeds: Iterable[int]) -> Iterator[Compared]:
    for seed in seeds:
        model, traces = networks(seed, 1, 2)
        yield from (Compared(model, one.events[:2]) for one in traces if one.events)


def agree_with_the_weakest_preconditions(seeds: Iterable[int]) -> int:
    """How many conditions were compared that are neither always true nor always false."""
    count = 0
    for case in cases(seeds):
        for spot, regions, condition in case.conditions():
            ours = z3.Or(*map(case.formula, regions))
            assert not satisfiable(case.given(spot), ours == condition)
            count += satisfiable(case.given(spot), condition) and satisfiable(case.given(spot), ours)
    return count


def part_times_like_the_comparisons_of_z3(seeds: Iterable[int]) -> int:
    """How many templates were compared by which not all times are alike."""
    count = 0
    for case in cases(seeds):
        if any(is_thin(region.zone) for point in case.points for some in point.values() for region in some):
            continue
        literals = [
            one for spot, _, condition in case.conditions() for one in case.literals(condition, case.given(spot))
        ]
        constraints = make_template(case.engine, start(case.engine), case.events, False)
        theirs: dict[object, set[tuple[Fraction, ...]]] = {}
        ours: dict[object, set[tuple[Fraction, ...]]] = {}
        random = Random(0)
        for _ in range(40):
            times = tuple(random.randint(0, 8) + Fraction(1, 3 ** (place + 1)) for place in range(len(case.events)))
            theirs.setdefault(case.vector(literals, times), set()).add(times)
            ours.setdefault(vector(constraints, times), set()).add(times)
        assert sorted(map(sorted, ours.values())) == sorted(map(sorted, theirs.values()))
        count += len(ours) > 1
    return count


def test_templates_are_weakest_preconditions() -> None:
    assert agree_with_the_weakest_preconditions(range(16, 21)) >= 10


def test_templates_part_times_like_the_comparisons_of_z3() -> None:
    """In the first two, some bounds of zones do not count."""
    assert part_times_like_the_comparisons_of_z3([40, 61, 10, 30]) >= 2


@pytest.mark.rest
@pytest.mark.slow
def test_templates_are_weakest_preconditions_on_more_networks() -> None:
    assert agree_with_the_weakest_preconditions(range(107, 112)) >= 15


@pytest.mark.rest
@pytest.mark.slow
def test_templates_part_times_like_the_comparisons_of_z3_on_more_networks() -> None:
    assert part_times_like_the_comparisons_of_z3([83, 253, *range(31, 38)]) >= 4
