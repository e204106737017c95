"""Specifications of random control units, from which both a model and a simulator are made.

The two interpretations share only the specification: the model is written as YAML (``document``) and goes through the
model compiler; the simulator (``uds_unit``) checks requirements one by one, as firmware does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random

MS = 1000
NONE = "none"
OPEN, RESET, EXPIRED = "session", "reset", "expiry"
"""Events that clear variables: a change of the session, a reset, the expiry of a session."""
TOGGLES = (0x28, 0x85, 0x87, 0x83, 0x86, 0x2A, 0x29, 0x84)
VENDOR = tuple(range(0xA0, 0xBE))


@dataclass(frozen=True)
class Test:
    """A test that a variable, ``$data`` or ``$key`` has one of these values, or none of them."""

    subject: str
    values: tuple[str, ...]
    negated: bool = False

    @property
    def text(self) -> str:
        values = ", ".join(one if one == NONE else f'"{one}"' for one in self.values)
        return f"{self.subject} {'not in' if self.negated else 'in'} [{values}]"


@dataclass(frozen=True)
class Need:
    """A requirement: one of the tests has to hold, or the unit answers with this code. ``key``: or the key fits the
    seed in that variable."""

    tests: tuple[Test, ...]
    nrc: int
    key: str = ""

    @property
    def text(self) -> str:
        tests = [f"{self.key} == $keyfor"] if self.key else []
        return " or ".join([*tests, *(one.text for one in self.tests)]) + f" else 0x{self.nrc:02X}"


@dataclass(frozen=True)
class Case:
    """A sub-function or an identifier of a service; the whole service if it has none."""

    value: int | None = None
    needs: tuple[Need, ...] = ()
    sets: dict[str, str] = field(default_factory=dict)
    """Variables and their new values; ``$asked`` and ``$answered``: the data of the request, of the response."""
    data: str = ""
    """The answer: a variable, or bytes in quotes."""
    quiet: bool = True
    """Testers may ask for no response."""
    slow: bool = False
    """It needs more time than allowed without NRC 78."""
    xor: int | None = None
    """The mask that turns a seed into a key, if it takes a key."""
    example: tuple[str, ...] = ("",)
    """Data of requests that make sense."""


@dataclass(frozen=True)
class Service:
    sid: int
    form: str
    needs: tuple[Need, ...]
    cases: tuple[Case, ...]
    other: int = 0x12

    def case(self, value: int | None) -> Case | None:
        return next((one for one in self.cases if one.value == value), None)


@dataclass(frozen=True)
class Reaction:
    """A side effect of an answer: it counts, or starts a clock."""

    part: str
    sid: int
    payload: str
    when: Test | None = None
    sets: dict[str, str] = field(default_factory=dict)
    starts: str = ""


@dataclass(frozen=True)
class Timer:
    """While the test holds, changes variables this long after the last start."""

    name: str
    runs: Test
    after: int
    slack: int
    do: dict[str, str]
    talk: bool = False
    """Every message restarts it."""


@dataclass(frozen=True)
class Spec:
    name: str
    p2: int
    pending: int
    variables: dict[str, str]
    services: tuple[Service, ...]
    timers: tuple[Timer, ...]
    reactions: tuple[Reaction, ...]
    hears: bool
    """Requests keep the session alive, too, not only responses."""

    def service(self, sid: int) -> Service | None:
        return next((one for one in self.services if one.sid == sid), None)

    def calls(self) -> Iterator[tuple[Service, Case]]:
        yield from ((service, case) for service in self.services for case in service.cases)


# Random specifications


class _Maker:
    def __init__(self, seed: str, count: int | None) -> None:
        self.rng = Random(seed)
        self.count = count
        self.variables: dict[str, str] = {"session": "01", "sec": "00"}
        self.cleared: dict[str, set[str]] = {"sec": {OPEN, RESET, EXPIRED}, "session": {RESET, EXPIRED}}
        self.services: dict[int, Service] = {}
        self.reactions: list[Reaction] = []
        self.timers: list[Timer] = []
        self.reads: dict[int, Case] = {}
        self.flags: dict[str, tuple[str, ...]] = {}
        self.sessions = [1, 3, *self.rng.sample([2, 0x40, 0x41, 0x60], self.rng.randint(0, 2))]
        self.levels = self.rng.randint(1, 2)

    def some(self, odds: float) -> bool:
        return self.rng.random() < odds

    def variable(self, name: str, value: str, *cleared: str, may: tuple[str, ...] = ()) -> str:
        """Add a variable that is cleared by these events, and perhaps by those."""
        self.variables[name] = value
        self.cleared[name] = {*cleared, *(one for one in may if self.some(0.6))}
        return name

    def bytes(self, count: int) -> str:
        return "".join(f"{self.rng.randrange(256):02X}" for _ in range(count))

    def in_session(self, nrc: int) -> Need:
        others = [f"{one:02X}" for one in self.sessions[1:]]
        return Need((Test("session", tuple(sorted(self.rng.sample(others, self.rng.randint(1, len(others)))))),), nrc)

    def unlocked(self, nrc: int = 0x33) -> Need:
        levels = [f"{one + 1:02X}" for one in range(self.levels)]
        return Need((Test("sec", tuple(sorted(self.rng.sample(levels, self.rng.randint(1, len(levels)))))),), nrc)

    def condition(self) -> list[Need]:
        """Sometimes require a value of a flag."""
        if not self.flags or not self.some(0.3):
            return []
        name = self.rng.choice(sorted(self.flags))
        return [Need((Test(name, (self.rng.choice(self.flags[name]),)),), 0x22)]

    def needs(self, session: float, sec: float, nrc: int = 0x7F) -> tuple[Need, ...]:
        found = [self.in_session(nrc)] if self.some(session) else []
        found += [self.unlocked()] if self.some(sec) and 0x27 in self.services else []
        return (*found, *self.condition())

    def mirror(self, name: str) -> None:
        """Add an identifier by which a variable can be read."""
        self.reads[0x0200 + len(self.reads)] = Case(data=name)

    def add(self, sid: int, form: str, needs: tuple[Need, ...], *cases: Case, other: int = 0x12) -> None:
        self.services[sid] = Service(sid, form, needs, cases, other)

    # Services

    def keys(self) -> None:
        limit = self.rng.randint(2, 3)
        self.variable("attempts", "00", may=(RESET,))
        self.variable("delay", "00")
        seeds = [self.variable(f"seed{one + 1}", NONE, OPEN, RESET, EXPIRED) for one in range(self.levels)]
        early = tuple(f"{one:02X}" for one in range(limit - 1))
        cases = []
        for level, seed in enumerate(seeds, 1):
            asked = [Need((Test("delay", ("00",)),), 0x37)]
            cases.append(Case(2 * level - 1, tuple(asked), {seed: "$answered"}, quiet=False))
            fits = (
                Need((Test(seed, (NONE,), negated=True),), 0x24),
                Need((Test("attempts", early),), 0x36, key=seed),
                Need((), 0x35, key=seed),
            )
            opened = {"sec": f"{level:02X}", "attempts": "00", seed: NONE}
            cases.append(Case(2 * level, fits, opened, xor=self.rng.randrange(1, 256), quiet=False))
        self.add(0x27, "sub", (self.in_session(0x7F),), *cases)
        forget = dict.fromkeys(seeds, NONE)
        for count in range(limit - 1):
            seen = Test("attempts", (f"{count:02X}",))
            self.reactions.append(
                Reaction("attempts", 0x27, "NRC 35", seen, {"attempts": f"{count + 1:02X}", **forget})
            )
        refused = {"attempts": "00", "delay": "01", **forget}
        self.reactions.append(Reaction("attempts", 0x27, "NRC 36", None, refused, "Delay"))
        after = self.rng.randint(800, 1500) * MS
        self.timers.append(Timer("Delay", Test("delay", ("01",)), after, 200 * MS, {"delay": "00"}))
        if self.some(0.5):
            self.mirror("attempts")

    def data(self) -> None:
        for number in range(self.rng.randint(2, 4)):
            self.reads[0xF180 + number] = Case(data=f'"{self.bytes(self.rng.randint(1, 17))}"')
        self.reads[0xF186] = Case(data="session")

    def writable(self) -> None:
        cases = []
        for number in range(self.rng.randint(2, 5)):
            size = self.rng.randint(1, 4)
            name = self.variable(f"d{0x0100 + number:04X}", self.bytes(size), may=(RESET,))
            self.reads[0x0100 + number] = Case(data=name, needs=self.needs(0.2, 0.2, 0x31))
            example = tuple(self.bytes(size) for _ in range(3))
            cases.append(Case(0x0100 + number, self.needs(0, 0.4), {name: "$asked"}, example=example))
        self.add(0x2E, "did", self.needs(0.9, 0.4), *cases, other=0x31)

    def toggle(self, sid: int) -> None:
        values = self.rng.sample(range(1, 0x20), self.rng.randint(2, 3))
        name = self.variable(f"t{sid:02X}", f"{values[0]:02X}", may=(OPEN, RESET, EXPIRED))
        cases = [
            Case(one, self.needs(0.1, 0.2, 0x7E), {name: f"{one:02X}"}, slow=self.some(0.15)) for one in sorted(values)
        ]
        self.add(sid, "sub", self.needs(0.7, 0.2), *cases)
        self.flags[name] = tuple(f"{one:02X}" for one in values)
        self.mirror(name)

    def routine(self) -> None:
        identifier = self.bytes(2)
        state = self.variable("routine", NONE, may=(OPEN, RESET, EXPIRED))
        known = Need((Test("$data", (identifier,)),), 0x31)
        begun = Need((Test(state, (NONE,), negated=True),), 0x24)
        said = (identifier,)
        runs, done = f"{identifier}00", f"{identifier}{self.bytes(2)}"
        start = Case(1, (known, *self.needs(0, 0.4)), {state: runs}, f'"{identifier}"', quiet=False, example=said)
        stop = Case(2, (known, begun), {state: NONE}, f'"{identifier}"', example=said)
        result = Case(3, (known, begun), {}, state, example=said)
        self.add(0x31, "sub", self.needs(0.9, 0), start, stop, result)
        self.reactions.append(Reaction("routine", 0x31, f"01{identifier}", starts="Routine"))
        span = self.rng.randint(300, 900) * MS
        self.timers.append(Timer("Routine", Test(state, (runs,)), span, 150 * MS, {state: done}))

    def trouble(self) -> None:
        count = self.variable("trouble", "00")
        switch = next(iter(sorted(self.flags)), "")
        needs = (Need((Test(switch, self.flags[switch][:1]),), 0x22),) if switch and self.some(0.5) else ()
        self.add(0xBE, "sub", self.needs(0.4, 0), Case(1, needs, {}, quiet=False))
        for one in range(3):
            seen = Test(count, (f"{one:02X}",))
            self.reactions.append(Reaction("trouble", 0xBE, "01", seen, {count: f"{one + 1:02X}"}))
        self.reactions.append(Reaction("trouble", 0xBE, "01", Test(count, ("03",)), {}))
        self.add(0x19, "sub", (), Case(1, data=count), Case(2, self.needs(0.2, 0.3, 0x7E), data='"FF"'))
        everything = Need((Test("$data", ("FFFFFF",)),), 0x31)
        clear = Case(None, (everything, *self.needs(0.3, 0.2)), {count: "00"}, slow=self.some(0.5), example=("FFFFFF",))
        self.add(0x14, "data", (), clear, other=0x31)

    def memory(self) -> None:
        place = self.variable("memory", self.bytes(4), may=(RESET,))
        where = Need((Test("$data", ("1000",)),), 0x31)
        self.add(
            0x23, "data", self.needs(0.5, 0), Case(None, (where, *self.needs(0, 0.3)), {}, place, example=("1000",))
        )
        example = tuple(self.bytes(4) for _ in range(3))
        self.add(0x3D, "data", self.needs(0.9, 0), Case(None, self.needs(0, 0.6), {place: "$asked"}, example=example))

    def output(self) -> None:
        cases = []
        for number in range(self.rng.randint(1, 2)):
            name = self.variable(f"io{number}", "00", RESET, may=(OPEN, EXPIRED))
            example = tuple(self.bytes(1) for _ in range(3))
            cases.append(Case(0x0300 + number, self.needs(0, 0.5), {name: "$asked"}, example=example))
            self.mirror(name)
        self.add(0x2F, "did", self.needs(0.9, 0), *cases, other=0x31)

    def transfer(self) -> None:
        state = self.variable("transfer", NONE, OPEN, RESET, EXPIRED)
        block = self.variable("block", "01")
        active = Need((Test(state, (NONE,), negated=True),), 0x24)
        idle = Need((Test(state, (NONE,)),), 0x70)
        begin = Case(
            None, (idle, *self.needs(0, 0.5)), {state: "01", block: "01"}, slow=self.some(0.5), example=("00",)
        )
        self.add(0x34, "data", (self.in_session(0x7F),), begin)
        self.add(0x36, "data", (), Case(None, (active,), {}, block, example=("AA", "BB")))
        self.add(0x37, "data", (), Case(None, (active,), {state: NONE}))
        for now, then in (("01", "02"), ("02", "03"), ("03", "01")):
            self.reactions.append(Reaction("blocks", 0x36, now, None, {block: then}))

    # The services for sessions come last, because they clear the variables of the others.

    def clearing(self, cause: str) -> dict[str, str]:
        return {name: self.variables[name] for name in self.variables if cause in self.cleared[name]}

    def session(self) -> None:
        clears = {**self.clearing(OPEN)}
        clears.pop("session", None)
        needs = {2: self.rng.choice([("03",), ()])}
        cases = []
        for one in sorted(self.sessions):
            allowed = needs.get(one, ())
            asked = (Need((Test("session", (*allowed, f"{one:02X}")),), 0x7E),) if allowed else ()
            cases.append(Case(one, asked, {"session": f"{one:02X}", **clears}, f'"{self.timing}"'))
        self.add(0x10, "sub", (), *cases)

    def reset(self) -> None:
        cases = [Case(one, (), self.clearing(RESET), quiet=False) for one in self.rng.choice([(1, 3), (1, 2), (1,)])]
        needs = (Need((Test("session", tuple(f"{one:02X}" for one in self.sessions[1:])),), 0x7F),)
        self.add(0x11, "sub", needs if self.some(0.3) else (), *cases)

    def read(self) -> None:
        cases = [Case(did, one.needs, {}, one.data) for did, one in sorted(self.reads.items())]
        self.add(0x22, "did", (), *cases, other=0x31)

    def spec(self, name: str) -> Spec:
        self.timing = self.bytes(4)
        p2, pending = self.rng.choice([25, 50, 100]) * MS, self.rng.choice([500, 800]) * MS
        small = self.count is not None and self.count < 6
        plans: list[Callable[[], None]] = [
            partial(self.add, 0x3E, "sub", (), Case(0)),
            self.data,
            *([] if small else [self.keys]),
        ]
        rest: list[Callable[[], None]] = [
            self.writable,
            self.routine,
            self.trouble,
            self.memory,
            self.output,
            self.transfer,
        ]
        rest += [partial(self.toggle, sid) for sid in TOGGLES]
        if self.count is None:
            plans += [partial(self.toggle, sid) for sid in self.rng.sample(TOGGLES, 2)]
            plans += [self.writable, *self.rng.sample(rest[1:6], 3)]
        else:
            plans += rest
        for number, plan in enumerate(plans):
            if self.count is None or len(self.services) + 3 < self.count or number < 3 - small:
                plan()
        for sid in VENDOR:
            if self.count is not None and len(self.services) + 3 < self.count:
                self.toggle(sid)
        self.session()
        self.read()
        if not small:
            self.reset()
        expired = {**self.clearing(EXPIRED), "session": "01"}
        s3 = Timer("S3", Test("session", ("01",), negated=True), 2000 * MS, 400 * MS, expired, talk=True)
        services = tuple(self.services[sid] for sid in sorted(self.services))
        return Spec(
            name,
            p2,
            pending,
            self.variables,
            services,
            (s3, *self.timers),
            tuple(self.reactions),
            self.some(0.5),
        )


def make(seed: object, services: int | None = None) -> Spec:
    """Return a random unit of about 14 services, or of about ``count``: 3, or at least 6."""
    return _Maker(f"spec {seed}", services).spec(f"unit {seed}")


# Conversion to a model


def document(spec: Spec) -> str:
    """Return the model file of the same unit."""
    lines = [
        f"model: {spec.name}",
        f"params: {{P2: {spec.p2}us, P2x: {spec.pending}us}}",
        "defaults: {p2: P2, pending: P2x}",
        f"vars: {_map(spec.variables)}",
        f"clocks: {{{', '.join(f'{one.name}: 0s' for one in spec.timers if not one.talk)}}}",
        "services:",
    ]
    for service in spec.services:
        lines += _service(service)
    lines += ["timers:"]
    for timer in spec.timers:
        if timer.talk:
            restart = ["request"] * spec.hears + ["response", "suppressed request"]
            lines += [f"  {timer.name}:", f"    while: {timer.runs.text}", f"    restart: [{', '.join(restart)}]"]
            lines += [f"    after: {timer.after}us", f"    slack: {timer.slack}us", f"    do: {_map(timer.do)}"]
    return "\n".join([*lines, *_parts(spec)]) + "\n"


def _service(service: Service) -> Iterator[str]:
    yield f"  0x{service.sid:02X}:"
    yield from _needs(service.needs, "    ")
    if service.form == "data":
        yield from _case(service.cases[0], "    ", [*service.needs])
        return
    for case in service.cases:
        yield f"    {'sub' if service.form == 'sub' else 'did'} {_number(service.form, case.value)}:"
        yield from _needs(case.needs, "      ")
        yield from _case(case, "      ")
    yield f"    else: 0x{service.other:02X}"


def _number(form: str, value: int | None) -> str:
    return f"0x{value:02X}" if form == "sub" else f"{value:04X}"


def _needs(needs: tuple[Need, ...], indent: str) -> Iterator[str]:
    if needs:
        yield f"{indent}require:"
        yield from (f"{indent}  - '{one.text}'" for one in needs)


def _case(case: Case, indent: str, before: list[Need] | None = None) -> Iterator[str]:
    if before is not None and case.needs:
        if not before:
            yield f"{indent}require:"
        yield from (f"{indent}  - '{one.text}'" for one in case.needs)
    if case.xor is not None:
        yield f"{indent}derive: {{keyfor: xor_{case.xor:02X}}}"
    parts = [f"data: {case.data}"] if case.data else []
    written = {"$asked": "$request_data", "$answered": "$data"}
    parts += [f"set: {_map({name: written.get(one, one) for name, one in case.sets.items()})}"] if case.sets else []
    yield f"{indent}positive: {{{', '.join(parts)}}}"


def _map(values: dict[str, str]) -> str:
    said = [f"{name}: {one if one == NONE or one[0] == '$' else _quoted(one)}" for name, one in values.items()]
    return f"{{{', '.join(said)}}}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _parts(spec: Spec) -> Iterator[str]:
    """Return the components that are written explicitly: counters, and those with their own clock."""
    names = list(dict.fromkeys([*(one.part for one in spec.reactions)]))
    if names:
        yield "components:"
    for name in names:
        timer = next(
            (one for one in spec.timers if any(r.part == name and r.starts == one.name for r in spec.reactions)), None
        )
        yield from [f"  {name}:", "    initial: any"]
        if timer:
            last = f"{timer.name} <= {timer.after + timer.slack}us"
            yield f"    locations: {{any: {{stay: 'not ({timer.runs.text}) or {last}'}}}}"
        yield "    edges:"
        for one in spec.reactions:
            if one.part == name:
                yield f"      - {_edge(one)}"
        if timer:
            when = f"{timer.runs.text} and {timer.name} >= {timer.after}us"
            yield f"      - {{from: any, to: any, when: '{when}', set: {_map(timer.do)}}}"


def _edge(one: Reaction) -> str:
    parts = [f"from: any, to: any, on: 'res * {operation(one.sid)} {one.payload}'"]
    parts += [f"when: '{one.when.text}'"] if one.when else []
    parts += [f"set: {_map(one.sets)}"] if one.sets else []
    parts += [f"reset: {one.starts}"] if one.starts else []
    return f"{{{', '.join(parts)}}}"


def operation(sid: int) -> str:
    from rootward.formats.recordings.uds import SERVICES

    return SERVICES.get(sid, f"0x{sid:02X}")
