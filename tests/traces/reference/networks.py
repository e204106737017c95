"""Small random networks, and traces for them of which a good share is accepted.

A network has few locations and small bounds, so that trying everything stays cheap. What the model leaves open is
avoided: a variable is written by one component on events and by one while time passes, so no two writes meet; edges of
time that lead back reset no clock, so waiting comes to an end; invariants bound clocks from above, so nothing that
another component does can break them; order is asked of variables that never get a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import TRUE, Bound, Const, Guard, Param, Term, Test, Value, Var, any_of
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model, Unknown
from rootward.traces.model.pattern import Pattern

from .brute import Brute

NUMBERS = (0, 1, 2)
WORDS = ("r", "s")
PATTERNS = ("req M a", "res M b <v:int>", "res M c <v>", "req M (a|d)", "req M d", "res * b <v:int>")
ALPHABET = ("req M a", "req M d", *(f"res M b {one}" for one in NUMBERS), *(f"res M c {one}" for one in WORDS))
LIMIT = 6
"""No bound is larger, in microseconds."""


def networks(seed: int, traces: int = 10, most: int = 3) -> tuple[Model, list[Trace]]:
    """A network of at most so many components, clocks and variables, and traces for it; the same for the same seed."""
    random = Random(seed)
    model = network(random, most)
    return model, list(walks(model, random, traces))


def seeded() -> st.SearchStrategy[tuple[Model, list[Trace]]]:
    """Networks of at most two components, with two traces each."""
    return st.integers(0, 2**32).map(lambda seed: networks(seed, 2, 2))


def network(random: Random, most: int = 3) -> Model:
    return _Maker(random, random.randint(1, most), random.randint(1, most), random.randint(1, most)).model()


def walks(model: Model, random: Random, count: int) -> Iterator[Trace]:
    """Traces that the model accepts as far as it can, and such with a change or two."""
    brute = Brute(model)
    for number in range(count):
        trace = _walk(brute, random, f"walk {number}")
        for _ in range(random.choice((0, 1, 2, 3))):
            trace = _changed(trace, random)
        yield trace


class _Maker:
    def __init__(self, random: Random, components: int, clocks: int, variables: int) -> None:
        self.random = random
        self.clocks = [f"c{number}" for number in range(clocks)]
        self.variables = [f"x{number}" for number in range(variables)]
        self.numeric = [name for name in self.variables if random.random() < 0.6]
        self.count = components
        self.deadline = (random.choice(self.clocks), random.randint(1, 4)) if random.random() < 0.4 else None
        """A moment at which every component with somewhere to go has to leave its first location."""
        self.on_event = {name: random.randrange(components) for name in self.variables}
        self.on_time = {name: random.randrange(components) for name in self.variables}

    def model(self) -> Model:
        random = self.random
        variables: dict[str, Value | Unknown] = {name: self.constant(name) for name in self.variables}
        clocks: dict[str, int | Unknown] = {name: random.choice((0, 0, 0, 1, 3)) for name in self.clocks}
        if random.random() < 0.5:
            variables[random.choice(self.variables)] = UNKNOWN
        if random.random() < 0.5:
            clocks[random.choice(self.clocks)] = UNKNOWN
        parts = tuple(self.component(index) for index in range(self.count))
        return Model("random", parts, variables, clocks)

    def component(self, index: int) -> Component:
        random = self.random
        names = [f"l{number}" for number in range(random.randint(1, 3))]
        patterns = random.sample(PATTERNS, random.randint(1, 3))
        edges = [self.event_edge(index, random.choice(names), random.choice(names), patterns) for _ in range(3)]
        edges += [self.event_edge(index, name, random.choice(names), patterns) for name in names]
        edges += list(self.time_edges(index, names))
        places = [self.location(name) for name in names]
        if self.deadline is not None and len(names) > 1:
            clock, limit = self.deadline
            places[0] = Location(names[0], stay=((Bound(clock, "<", limit),),))
            at_once: Guard = ((Bound(clock, ">=", limit), Bound(clock, "<=", limit)),)
            edges.append(Edge(names[0], names[1], None, at_once, self.written(index)))
        initial = tuple(sorted(random.sample(names, 1 if random.random() < 0.8 else len(names))))
        return Component(f"m{index}", tuple(places), initial, tuple(edges))

    def location(self, name: str) -> Location:
        random = self.random
        invariant = TRUE if random.random() < 0.75 else ((self.above(3),),)
        return Location(name, invariant, TRUE if random.random() < 0.6 else self.guard(None, 0.3))

    def event_edge(self, index: int, source: str, target: str, patterns: list[str]) -> Edge:
        random = self.random
        pattern = Pattern(random.choice(patterns))
        updates = {
            name: self.term(name, pattern)
            for name in self.variables
            if self.on_event[name] == index and random.random() < 0.4
        }
        when = TRUE if random.random() < 0.3 else self.guard(pattern, 0.65)
        return Edge(source, target, pattern, when, updates, self.resets(0.3))

    def time_edges(self, index: int, names: list[str]) -> Iterator[Edge]:
        random = self.random
        for place, source in enumerate(names):
            for target in names[place + 1 :]:
                if random.random() < 0.6:
                    yield Edge(source, target, None, self.slack(), self.written(index), self.resets(0.25))
            if random.random() < 0.1:
                yield Edge(source, random.choice(names[: place + 1]), None, self.slack())

    def written(self, index: int) -> dict[str, Term]:
        names = [name for name in self.variables if self.on_time[name] == index and self.random.random() < 0.5]
        return {name: self.term(name, None) for name in names}

    def slack(self) -> Guard:
        """A span in which something may happen."""
        random = self.random
        clock, low = random.choice(self.clocks), random.randint(0, LIMIT - 1)
        start = Bound(clock, random.choice((">=", ">")), low)
        end = Bound(clock, random.choice(("<", "<=")), random.randint(low, LIMIT))
        kept = [(start, end), (start,), (end,), ()]
        return (random.choices(kept, (6, 2, 1, 1))[0],)

    def guard(self, pattern: Pattern | None, data: float) -> Guard:
        """One or two atoms, or a choice of two; `data` is how often one is about data."""
        random = self.random
        atoms = [self.test(pattern) if random.random() < data else self.bound() for _ in range(random.randint(1, 2))]
        return any_of(((one,),) for one in atoms) if random.random() < 0.3 else (tuple(atoms),)

    def bound(self) -> Bound:
        random = self.random
        if random.random() < 0.5:
            return self.above(1)
        return Bound(random.choice(self.clocks), random.choice((">", ">=")), random.randint(0, LIMIT - 2))

    def above(self, least: int) -> Bound:
        random = self.random
        return Bound(random.choice(self.clocks), random.choice(("<", "<=")), random.randint(least, LIMIT))

    def test(self, pattern: Pattern | None) -> Test:
        random = self.random
        left = random.choice(self.variables)
        kind = random.random()
        if pattern is not None and pattern.params and kind < 0.4:
            return Test(Var(left), random.choice(("=", "=", "!=")), Param("v"))
        if kind < 0.6:
            return Test(Var(left), random.choice(("=", "!=")), Const(self.constant(left)))
        if kind < 0.75:
            return Test(Var(left), random.choice(("in", "not in")), (random.choice(NUMBERS), random.choice(WORDS)))
        if left not in self.numeric or kind < 0.85:
            return Test(Var(left), random.choice(("=", "!=")), Var(random.choice(self.variables)))
        right = Var(random.choice(self.numeric)) if random.random() < 0.5 else Const(random.choice(NUMBERS))
        return Test(Var(left), random.choice(("<", "<=", ">", ">=")), right)

    def term(self, name: str, pattern: Pattern | None) -> Term:
        """What a variable can be set to."""
        random = self.random
        numeric = name in self.numeric
        if (
            pattern is not None
            and ("<v:int>" in pattern.text or (pattern.params and not numeric))
            and random.random() < 0.6
        ):
            return Param("v")
        if random.random() < 0.3:
            return Var(random.choice(self.numeric if numeric else self.variables))
        return Const(self.constant(name))

    def constant(self, name: str) -> Value:
        return self.random.choice(NUMBERS if name in self.numeric else (*NUMBERS, *WORDS))

    def resets(self, share: float) -> frozenset[str]:
        return frozenset(clock for clock in self.clocks if self.random.random() < share)


def _walk(brute: Brute, random: Random, name: str) -> Trace:
    now, events = 0, []
    starts = sorted(brute.begin(frozenset((*NUMBERS, *WORDS))), key=repr)
    if not starts:
        return Trace(name, ())
    at = random.choice(starts)
    for _ in range(random.randint(1, 7)):
        waits = [wait for wait in random.sample(range(LIMIT + 1), 3) if brute.wait([at], wait)]
        if not waits:
            break
        at = random.choice(sorted(brute.wait([at], waits[0]), key=repr))
        texts = [text for text in random.sample(ALPHABET, len(ALPHABET)) if brute.step([at], _event(0, text))]
        if not texts:
            break
        now += waits[0]
        events.append(_event(now, texts[0]))
        at = random.choice(sorted(brute.step([at], events[-1]), key=repr))
    ends = [now + wait for wait in (0, 1, 2, 5) if brute.wait([at], wait)]
    return Trace(name, tuple(events), random.choice((*ends, None)))


def _changed(trace: Trace, random: Random) -> Trace:
    """One event lost, added or another one; or a wait of another length."""
    instants = [0, *(event.time for event in trace.events)]
    gaps = [after - before for before, after in pairwise(instants)]
    texts = [event.text for event in trace.events]
    tail = random.choice((None, 0, 3, 6))
    match random.choice(("lost", "added", "other", "other", "wait", "end")):
        case "lost" if len(texts) > 1:
            place = random.randrange(len(texts))
            del gaps[place], texts[place]
        case "added":
            place = random.randint(0, len(texts))
            gaps.insert(place, random.randint(0, LIMIT))
            texts.insert(place, random.choice(ALPHABET))
        case "other" if texts:
            texts[random.randrange(len(texts))] = random.choice(ALPHABET)
        case "wait" if gaps:
            gaps[random.randrange(len(gaps))] = random.randint(0, LIMIT + 2)
    times = [sum(gaps[: place + 1]) for place in range(len(gaps))]
    events = tuple(_event(time, text) for time, text in zip(times, texts, strict=True))
    return Trace(trace.name, events, None if tail is None else (times[-1] if times else 0) + tail)


def _event(time: int, text: str) -> Event:
    kind, ecu, operation, *payload = text.split()
    return Event(time, kind, ecu, operation, " ".join(payload))
