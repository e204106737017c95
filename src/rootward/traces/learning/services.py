"""Services: for each, the rules for all its requests, and then each sub-function or identifier with its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rootward.traces.languages.uds import OTHERWISE
from rootward.traces.learning.cells import INITIAL, MemoryCell
from rootward.traces.learning.exchanges import (
    NOTHING,
    POSITIVE,
    UNCLEAR,
    Answer,
    Exchange,
    RecordedExchanges,
    number_of,
)
from rootward.traces.learning.memory import Case, Reading, Timeline, cell_name, domains, learn_readings
from rootward.traces.learning.rules import DATA, LEVEL, SESSION, RefusalRule, Sample, count_exceptions, learn_rules
from rootward.traces.learning.sessions import SECURITY

UNSUPPORTED = "NRC 11"
MIN_TURNS = 4
"""A hidden cell must have changed at least so often."""


@dataclass(frozen=True)
class Contradiction:
    """A refusal that no rule explains."""

    refused: tuple[int, int]
    otherwise: tuple[int, int] | None
    """The same request in the same state with another answer, if there is one."""


@dataclass
class Branch:
    """The requests of a service that are answered alike: one sub-function or identifier, or all."""

    first: int | None
    rules: list[RefusalRule] = field(default_factory=list)
    reading: Reading | None = None
    accepted: int = 0
    recordings: int = 0
    unseen: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """For each variable that conditions mention, the values with which no such request was seen."""
    may: Counter[int] = field(default_factory=Counter)
    """Codes of refusals that no rule explains, with their number."""
    examples: dict[int, Contradiction] = field(default_factory=dict)
    """For each of these codes, an example."""


@dataclass
class Service:
    operation: str
    form: str
    requests: int
    rules: list[RefusalRule] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    other: Counter[int] = field(default_factory=Counter)
    """The codes of refusals of sub-functions or identifiers without a branch."""
    others: int = 0
    """Number of different sub-functions or identifiers without a branch."""
    unseen: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """For each variable, the values that a rule refuses and with which these were not seen."""
    silent: int = 0
    """Number of requests that were not answered at all."""
    unclear: int = 0
    """Number of answers that say nothing, but that the service is supported."""

    def all_rules(self) -> list[RefusalRule]:
        return [*self.rules, *(rule for branch in self.branches for rule in branch.rules)]


@dataclass
class Learned:
    """Everything that was learned from the exchanges."""

    services: list[Service]
    cells: dict[str, MemoryCell]
    readings: dict[Case, Reading]


class ServiceLearner:
    """Learns services one after the other. Cells that one of them needs are known to the others."""

    def __init__(self, recordings: RecordedExchanges, timeline: Timeline) -> None:
        self.recordings, self.timeline = recordings, timeline
        self.readings, self.cells = learn_readings(recordings, timeline)
        self.mentioned = {SESSION, LEVEL}
        self.exceptions = count_exceptions(len(recordings.names))
        self.by_service: dict[str, list[Exchange]] = defaultdict(list)
        for exchange in recordings.all():
            self.by_service[exchange.operation].append(exchange)

    def learn(self) -> Learned:
        for again in (False, True):  # once more, because cells that are found late explain refusals of earlier services
            before = len(self.cells)
            services = [self._service(name, some) for name, some in self._in_order()]
            self.mentioned |= {rule.variable for one in services for rule in one.all_rules()} - {DATA}
            if len(self.cells) == before and again:
                break
        return Learned(services, self.cells, self.readings)

    def _in_order(self) -> list[tuple[str, list[Exchange]]]:
        return sorted(self.by_service.items(), key=lambda one: number_of(one[0]))

    def _service(self, operation: str, exchanges: Sequence[Exchange]) -> Service:
        form = self.recordings.forms[operation]
        service = Service(operation, form, len(exchanges))
        service.silent = sum(one.answer == NOTHING for one in exchanges)
        service.unclear = sum(one.answer == UNCLEAR and one.raw_answer not in (None, UNSUPPORTED) for one in exchanges)
        samples = [self._sample(one, form) for one in exchanges if one.answer not in (UNCLEAR, NOTHING)]
        accepted = {one.case for one in samples if one.answer == POSITIVE}
        known = domains(self.recordings, self.cells)
        if form == "data":
            service.branches = [self._branch((operation, None), samples, known, ())]
            return service
        service.rules, rest = learn_rules(samples, known, self.exceptions, shared=True)
        own, others = self._split(rest, accepted, form)
        service.other = Counter(one.answer for one in others if isinstance(one.answer, int))
        service.others = len({one.case for one in others})
        service.branches = [
            self._branch(case, own[case], known, service.rules) for case in sorted(own, key=lambda case: case[1] or 0)
        ]
        service.unseen = self._find_unseen_others(service, [one for one in samples if one.case not in own])
        return service

    def _find_unseen_others(self, service: Service, others: Sequence[Sample]) -> dict[str, tuple[object, ...]]:
        """Return the values that a rule refuses, by variable, with which nothing without a branch was requested.

        With these it is not known whether the rule comes before the refusal of what is not supported. A request that an
        earlier rule of the service refuses shows nothing.
        """
        found: dict[str, set[object]] = defaultdict(set)
        rest = others
        for rule in service.all_rules():
            if rule.variable != DATA:
                found[rule.variable] |= set(rule.refused) - {one.values.get(rule.variable) for one in rest}
            if rule in service.rules:
                rest = [one for one in rest if not rule.refuses(one)]
        return {variable: tuple(sorted(values, key=str)) for variable, values in sorted(found.items()) if values}

    @staticmethod
    def _split(
        samples: Sequence[Sample], accepted: set[object], form: str
    ) -> tuple[dict[Case, list[Sample]], list[Sample]]:
        """Return the samples of each case with a branch of its own, and all others.

        Those that were always refused with one code have none: with the code of the standard for what is not
        supported, or with the most frequent one.
        """
        by_case: dict[Case, list[Sample]] = defaultdict(list)
        for one in samples:
            by_case[one.case].append(one)  # type: ignore[index]
        refused = {case: some for case, some in by_case.items() if case not in accepted}
        codes = Counter(code for some in refused.values() for code in {one.answer for one in some})
        usual = max(codes, key=lambda code: (code == OTHERWISE.get(form), codes[code]), default=None)
        alike = [case for case, some in refused.items() if {one.answer for one in some} == {usual}]
        others = [one for case in alike for one in by_case.pop(case)]
        return by_case, others

    def _sample(self, exchange: Exchange, form: str) -> Sample:
        data = exchange.data
        answer: Answer = exchange.answer
        if exchange.operation == SECURITY and answer in (0x24, 0x35, 0x36, 0x37):
            answer = POSITIVE  # explained separately
        return Sample(exchange.case, {**exchange.state, DATA: data}, answer, (exchange.recording, exchange.message))

    def _branch(
        self,
        case: Case,
        samples: Sequence[Sample],
        known: Mapping[str, Sequence[object]],
        shared: Sequence[RefusalRule],
    ) -> Branch:
        branch = Branch(case[1], reading=self.readings.get(case))
        passed = [one for one in samples if one.answer == POSITIVE]
        branch.accepted, branch.recordings = len(passed), len({one.where[0] for one in passed})
        branch.unseen = self._find_unseen(samples, known, shared)
        data = {one.values[DATA] for one in samples}
        for again in (True, False):
            known = {**domains(self.recordings, self.cells), DATA: sorted(data, key=str)}
            branch.rules, rest = learn_rules(samples, known, self.exceptions)
            branch.may = Counter(one.answer for one in rest if isinstance(one.answer, int))
            branch.examples = {code: _find_contradiction(code, rest, samples) for code in branch.may}
            if not (branch.may and again):
                break
            # a rule that is only probable may stand for something that happened before
            _, rest = learn_rules(samples, known, self.exceptions, meant=True)
            if not self._add_cell(case, rest):
                break
        return branch

    def _find_unseen(
        self,
        samples: Sequence[Sample],
        known: Mapping[str, Sequence[object]],
        shared: Sequence[RefusalRule],
    ) -> dict[str, tuple[object, ...]]:
        """Return the values of each variable with which no request got past the rules of the service."""
        found = {}
        for variable in sorted(self.mentioned & set(known)):
            refused = {value for rule in shared if rule.variable == variable for value in rule.refused}
            seen = {one.values[variable] for one in samples if variable in one.values}
            missing = [value for value in known[variable] if value not in seen | refused]
            if missing:
                found[variable] = tuple(missing)
        return found

    def _add_cell(self, case: Case, rest: Sequence[Sample]) -> bool:
        """Add a cell that explains why the same requests are refused now and accepted then, if there is one."""
        shown = {one.where: one.answer for one in rest}

        def observe(exchange: Exchange) -> object:
            answer = shown.get((exchange.recording, exchange.message))
            return None if answer is None else "yes" if answer == POSITIVE else f"{answer:02X}"

        segments = self.timeline.segments(observe)
        if sum(one.before not in (INITIAL, one.after) for one in segments) < MIN_TURNS:
            return False
        name = f"ready_{cell_name(case)}"
        if name in self.cells:
            return False
        cell = self.timeline.learn_cell(name, case[0], observe, steps=False)
        if not cell.understood:
            return False
        self.cells[name] = cell
        self.timeline.add_values(cell, observe)
        return True


def _find_contradiction(code: int, rest: Sequence[Sample], samples: Sequence[Sample]) -> Contradiction:
    """Return a refusal with this code, if possible one whose request was answered otherwise in the same state."""
    others: dict[object, tuple[int, int]] = {}
    for one in samples:
        if one.answer != code and (state := _state(one)) is not None:
            others.setdefault(state, one.where)
    refused = [one for one in rest if one.answer == code]
    found = next((one for one in refused if _state(one) in others), refused[0])
    return Contradiction(found.where, others.get(_state(found)))


def _state(sample: Sample) -> object:
    """Return the request and its state, as far as it is visible; None if the session is not known."""
    values = sample.values
    return None if SESSION not in values else (sample.case, values[SESSION], values.get(LEVEL), values[DATA])
