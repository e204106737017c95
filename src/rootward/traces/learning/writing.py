"""Writing: what was learned, as a model file in the UDS form, with the evidence beside each line.

Each line belongs to a path of keys (`services`, the service, the branch, ...). The paths make it possible to keep lines
of an older file: see `keep`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rootward.formats.recordings.uds import SERVICES
from rootward.traces.learning.cells import ANSWERED, ASKED, OPEN, STEP, CellEffect, Label, MemoryCell
from rootward.traces.learning.exchanges import POSITIVE, RecordedExchanges, number_of
from rootward.traces.learning.keys import DELAYED, TOO_MANY, WRONG, Keys, Level
from rootward.traces.learning.memory import EXPIRY, MAX_DOUBTED, Case, Reading, label_group
from rootward.traces.learning.rules import DATA, LEVEL, SESSION, RefusalRule
from rootward.traces.learning.services import Branch, Learned, Service
from rootward.traces.learning.sessions import DEFAULT, RESET, SECURITY, SESSION_CONTROL, SessionTimeout
from rootward.traces.learning.time_limits import TimeLimit, widen
from rootward.traces.model.guard import format_duration
from rootward.words import count, make_visible

COLUMN = 58
"""The column in which comments begin, unless the line is longer."""
MAX_FLOW = 100
"""Maximum number of characters of a branch with a condition to be written in one line."""
NEVER = 3600 * 1_000_000
"""The slack of a session that was never seen to end: it may end, but need not."""
NOT_LISTED = 0x11
MAX_CHANGES = 4
"""Maximum number of events to name beside a variable."""
_PLAIN = re.compile(r"[A-Za-z_][\w-]*")
"""Names that need no quotes in YAML."""


@dataclass(frozen=True)
class ModelLine:
    depth: int
    text: str
    comment: str = ""

    def __str__(self) -> str:
        text = "  " * self.depth + self.text
        if not self.comment:
            return text
        return f"{text.ljust(COLUMN)}  # {self.comment}" if text.strip() else f"{text}# {self.comment}"


@dataclass
class Facts:
    """Everything that is written."""

    recordings: RecordedExchanges
    learned: Learned
    keys: Keys
    timeout: SessionTimeout | None
    expiries: int
    p2: TimeLimit
    pending: TimeLimit
    loose: dict[Case, int] = field(default_factory=dict)
    """Cases that the recordings contradict: 1 if the data are left open, 2 if the whole answer is."""
    blamed: dict[Case, tuple[int, int]] = field(default_factory=dict)
    """For each of these cases, the recording and the message of the first contradiction."""


def write_model(facts: Facts, name: str) -> str:
    """Return the model file."""
    return "\n".join(map(str, _Writer(facts).lines(name))) + "\n"


class _Writer:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cells = facts.learned.cells
        self.uses_level = any(level.accepted for level in facts.keys.levels)

    def lines(self, name: str) -> Iterator[ModelLine]:
        recordings = self.facts.recordings
        exchanges = sum(map(len, recordings.exchanges))
        learned = f"Learned from {count(len(recordings.names), 'recording')} with {count(exchanges, 'request')}."
        yield ModelLine(0, "", learned)
        yield ModelLine(0, "", "A line that you correct is kept when you learn again if it has the comment `# keep`.")
        yield ModelLine(0, f"model: {name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)}")
        yield from self._variables()
        yield from self._limits()
        yield ModelLine(0, "services:")
        for service in self.facts.learned.services:
            if self._is_listed(service):
                yield from self._service(service)
        yield from self._timers()
        yield from self._components()
        yield ModelLine(0, "", "Not seen:")
        yield from (ModelLine(0, "", f"- {one}") for one in self._gaps())

    def _gaps(self) -> Iterator[str]:
        """Yield what the recordings do not show."""
        facts, services = self.facts, [one for one in self.facts.learned.services if self._is_listed(one)]
        exchanges = list(facts.recordings.all())
        if not any(one.operation == RESET and one.answer == POSITIVE for one in exchanges):
            yield "a reset"
        if facts.timeout is None:
            yield "a session other than the default one"
        elif facts.timeout.ended is None:
            yield "a session that ended by itself"
        for level in facts.keys.levels:
            name = f"SecurityAccess {level.seed:02X}"
            if not level.refused:
                yield f"{name}: a wrong key"
            if not level.accepted:
                yield f"{name}: a right key"
            elif level.mask is None:
                yield f"{name}: how a key follows from its seed (it is not XOR with one byte)"
        if facts.keys.levels and not facts.keys.too_many:
            yield "too many wrong keys"
        if not facts.pending.seen:
            yield "NRC 78"
        if not any(one.quiet for one in exchanges):
            yield "a request that suppresses its response"
        if not any(one.functional for one in exchanges):
            yield "a request to all ECUs"
        if never := [one.operation for one in services if not one.all_rules() and not one.other]:
            yield f"a refusal of {', '.join(never)}"
        if never := [one.operation for one in services if not any(branch.accepted for branch in one.branches)]:
            yield f"a positive answer of {', '.join(never)}"

    # Variables and limits

    def _variables(self) -> Iterator[ModelLine]:
        yield ModelLine(0, "vars:")
        yield ModelLine(1, f'{SESSION}: "{DEFAULT}"', "as sub-function of DiagnosticSessionControl")
        yield ModelLine(1, f"{LEVEL}: 0", "the sub-function of the last key that was accepted; 0: locked")
        for level in self.facts.keys.levels:
            yield ModelLine(1, f"{level.name}: none", "the last seed")
        if self.facts.keys.tries is not None:
            yield ModelLine(1, "attempts: 0", "wrong keys in a row")
        if self.facts.keys.delay is not None:
            yield ModelLine(1, "delay: 0", "1: there are no seeds for a while")
        for cell in self.cells.values():
            seen = f"observed {_times(cell.observed)}{self._describe_changes(cell)}{self._wrong(cell.wrong)}"
            yield ModelLine(1, f"{cell.name}: {_value(cell.initial)}", seen)
            if any(effect.kind in (OPEN, STEP) for effect in cell.effects.values()):
                yield ModelLine(1, f"any_{cell.name}: unknown", "stands where its value after an event was not seen")
        if self.facts.keys.delay is not None:
            yield ModelLine(0, "clocks: {since_refusal: 0s}")

    def _wrong(self, wrong: Sequence[tuple[int, int]]) -> str:
        if not wrong:
            return ""
        return f"; CHECK: {len(wrong)} otherwise, as in {self._place(wrong[0])}"

    def _place(self, where: tuple[int, int]) -> str:
        """Return the recording and the message, in one line."""
        name = make_visible(self.facts.recordings.names[where[0]]).replace("\n", r"\n")
        return f"{name}, message {where[1]}"

    def _describe_changes(self, cell: MemoryCell) -> str:
        """Return which events change a cell, each with the number of observations that show it."""
        labels = [label for label, effect in cell.effects.items() if effect.kind != OPEN]
        labels.sort(key=lambda label: -cell.support[label])
        texts = [
            f"{self._describe_event(label)} ({_times(cell.support[label]) if cell.support[label] > 0 else 'assumed'})"
            for label in labels[:MAX_CHANGES]
        ]
        texts += [count(len(labels) - MAX_CHANGES, "other")] if len(labels) > MAX_CHANGES else []
        return f"; changed by {', '.join(texts)}" if texts else ""

    def _describe_event(self, label: Label) -> str:
        if label == EXPIRY:
            return str(EXPIRY[0])
        operation, first, answer = label
        wide = self.facts.recordings.forms[str(operation)] == "did"
        text = str(operation) if first is None else f"{operation} {first:0{4 if wide else 2}X}"
        return text if answer == POSITIVE else f"{text} NRC {answer:02X}"

    def _limits(self) -> Iterator[ModelLine]:
        yield ModelLine(0, "defaults:")
        for key, one in (("p2", self.facts.p2), ("pending", self.facts.pending)):
            what = f"{one.seen:,} until NRC 78" if one.announced else f"{one.seen:,}"
            seen = f"longest of {what}: {format_duration(one.longest)}" if one.seen else "not seen: the default"
            if one.where is not None:
                seen += f", in {self._place(one.where)}"
            yield ModelLine(1, f"{key}: {one.limit}us" if one.limit % 1000 else f"{key}: {one.limit // 1000}ms", seen)

    # Services

    @staticmethod
    def _is_listed(service: Service) -> bool:
        """Return whether a service does more than being refused as not supported."""
        codes = {code for branch in service.branches for rule in branch.rules for code in (rule.code,)}
        codes |= {rule.code for rule in service.rules} | set(service.other)
        codes |= {code for branch in service.branches for code in branch.may}
        return (
            any(branch.accepted for branch in service.branches) or codes - {NOT_LISTED} != set() or service.unclear > 0
        )

    def _service(self, service: Service) -> Iterator[ModelLine]:
        number = number_of(service.operation)
        key = f"0x{number:02X}" + (f" {service.operation}" if number in SERVICES else "")
        yield ModelLine(1, f"{key}:", f"{count(service.requests, 'request')}")
        whole = service.branches[0] if service.form == "data" else None
        if whole:
            yield from self._branch(2, service, whole)
            return
        rules = list(self._rules(2, service.rules))
        if service.branches and service.unseen:
            rules[:1] = [ModelLine(2, "require:"), self._open_others(service)]
        yield from rules
        for branch in service.branches:
            yield from self._branch_of(service, branch)
        yield from self._others(service)

    @staticmethod
    def _open_others(service: Service) -> ModelLine:
        """Return the requirement that leaves open what has no branch, with values with which it was not seen."""
        digits = 2 if service.form == "sub" else 4
        known = ", ".join(f"0x{branch.first:0{digits}X}" for branch in service.branches)
        seen = " and ".join(f"{name} not in {_list(values)}" for name, values in service.unseen.items())
        seen = f"({seen})" if len(service.unseen) > 1 else seen
        return ModelLine(
            3, f"- '${service.form} in [{known}] or {seen} else any'", "others: not seen with these values"
        )

    def _others(self, service: Service) -> Iterator[ModelLine]:
        if not service.branches and not service.other:
            yield ModelLine(2, "may: any", "no answer was understood")
        if not service.other:
            return
        code, number = service.other.most_common(1)[0]
        others = f", for {count(service.others, 'other')}" if service.branches else "; never accepted"
        yield ModelLine(2, f"else: 0x{code:02X}", f"{_times(number)}{others}")

    def _branch_of(self, service: Service, branch: Branch) -> Iterator[ModelLine]:
        assert branch.first is not None
        key = f"sub 0x{branch.first:02X}" if service.form == "sub" else f"did {branch.first:04X}"
        lines = list(self._branch(3, service, branch))
        if len(lines) == 3 and lines[0].text == "require:" and lines[2].text.startswith("positive:"):
            condition, positive = lines[1], lines[2]
            text = f"require: [{condition.text.removeprefix('- ')}], {positive.text}"
            if len(text) + len(key) <= MAX_FLOW:
                lines = [ModelLine(0, text, f"{positive.comment}; {condition.comment}")]
        if len(lines) == 1:
            yield ModelLine(2, f"{key}: {{{lines[0].text}}}", lines[0].comment)
            return
        yield ModelLine(2, f"{key}:")
        yield from lines

    def _branch(self, depth: int, service: Service, branch: Branch) -> Iterator[ModelLine]:
        loose = self.facts.loose.get((service.operation, branch.first), 0)
        level = self._level(service, branch)
        if loose > 1:
            blamed = self.facts.blamed[service.operation, branch.first]
            yield ModelLine(depth, "may: any", f"CHECK: no rule found for {self._place(blamed)}")
            positive = self._positive(service, branch, level)
            yield ModelLine(
                depth,
                f"positive: {{{positive}}}",
                f"{_times(branch.accepted)} in {count(branch.recordings, 'recording')}",
            )
            return
        if level is not None and branch.first == level.key and level.mask is not None:
            yield ModelLine(depth, f"derive: {{fits: xor_{level.mask:02X}}}", f"fits {_times(level.accepted)}")
        yield from self._rules(depth, branch.rules, [*self._key_rules(level, branch)], branch.unseen)
        if not branch.accepted:
            refusals = branch.may.most_common(1)
            if refusals and len(branch.may) == 1:
                yield ModelLine(depth, f"else: 0x{refusals[0][0]:02X}", f"{_times(refusals[0][1])}; never accepted")
                return
        may = set(branch.may)
        if level is not None and branch.first == level.key and level.mask is None:
            may |= {WRONG, TOO_MANY}
        if level is not None and branch.first == level.seed and self.facts.keys.delay is None:
            may |= {DELAYED} if self.facts.keys.too_many or self.facts.keys.delayed else set()
        if may:
            seen = "; ".join(self._example(branch, code) for code in sorted(branch.may))
            yield ModelLine(
                depth,
                f"may: [{', '.join(f'0x{code:02X}' for code in sorted(may))}]",
                f"CHECK: no rule found; {seen or self._describe_keys(level)}",
            )
        if not branch.accepted and not branch.may and not branch.rules:
            yield ModelLine(depth, "may: any", "no answer was understood")
        positive = self._positive(service, branch, level)
        seen = (
            f"{_times(branch.accepted)} in {count(branch.recordings, 'recording')}"
            if branch.accepted
            else "never accepted"
        )
        yield ModelLine(depth, f"positive: {{{positive}}}", seen + self._describe_data(branch.reading))

    def _describe_keys(self, level: Level | None) -> str:
        """Return why it is not known how keys follow from seeds; a few exceptions are pointed out."""
        if level is None or not level.wrong or len(level.wrong) > MAX_DOUBTED * (level.accepted + level.refused):
            return "the keys are not understood"
        return f"{count(len(level.wrong), 'key')} did not fit the others, as in {self._place(level.wrong[0])}"

    def _example(self, branch: Branch, code: int) -> str:
        """Describe the refusals with a code that no rule explains."""
        one = branch.examples[code]
        text = f"0x{code:02X} {_times(branch.may[code])}, as in {self._place(one.refused)}"
        if one.otherwise is None:
            return text
        return f"{text} (the same session, level and data, but another answer: {self._place(one.otherwise)})"

    def _describe_data(self, reading: Reading | None) -> str:
        """Return the evidence for the data of a positive answer."""
        if reading is None or not reading.wrong:
            return ""
        if reading.term:
            return self._wrong(reading.wrong)
        few = f"{len(reading.wrong)} of {reading.count:,} data"
        return f"; CHECK: {few} do not fit the others, as in {self._place(reading.wrong[0])}; left open"

    def _rules(
        self,
        depth: int,
        rules: Sequence[RefusalRule],
        more: Sequence[ModelLine] = (),
        unseen: Mapping[str, Sequence[object]] | None = None,
    ) -> Iterator[ModelLine]:
        open_values = dict(unseen or {})
        for rule in rules:
            if rule.unseen and rule.variable != DATA:
                open_values.setdefault(rule.variable, rule.unseen)
        if not rules and not more and not open_values:
            return
        yield ModelLine(depth, "require:")
        if open_values:
            seen = " and ".join(f"{name} not in {_list(values)}" for name, values in open_values.items())
            yield ModelLine(depth + 1, f"- '{seen} else any'", "not seen with these values")
        for rule in rules:
            text = f"- '{_condition(rule)} else 0x{rule.code:02X}'"
            refusals = f"refused {_times(rule.refusals)} in {count(rule.recordings, 'recording')}"
            yield ModelLine(depth + 1, text, f"{refusals}, met {_times(rule.passes)}{self._wrong(rule.wrong)}")
        for line in more:
            yield ModelLine(depth + 1, line.text, line.comment)

    def _positive(self, service: Service, branch: Branch, level: Level | None) -> str:
        parts = []
        loose = self.facts.loose.get((service.operation, branch.first), 0)
        if branch.reading is not None and branch.reading.term and not loose:
            parts.append(f"data: {branch.reading.term}")
        values = self._values((service.operation, branch.first, POSITIVE), level)
        if values:
            parts.append(f"set: {{{', '.join(f'{name}: {value}' for name, value in values.items())}}}")
        if not self.facts.recordings.echoes[service.operation] and service.form != "data":
            parts.append("echo: none")
        return ", ".join(parts)

    def _values(self, label: Label, level: Level | None = None) -> dict[str, str]:
        """Return what an event sets, as it is written."""
        values: dict[str, str] = {}
        if label[0] == SESSION_CONTROL and isinstance(label[1], int):
            values |= {SESSION: f'"{label[1]:02X}"', LEVEL: "0"}
        elif label[0] == RESET or label == EXPIRY:
            values |= {SESSION: f'"{DEFAULT}"', LEVEL: "0"}
        elif level is not None and label[1] == level.key:
            values[LEVEL] = str(level.key)
        elif level is not None:
            values[level.name] = "$data"
        keys = self.facts.keys
        if keys.tries is not None and (label in keys.cleared or (label[0],) in keys.cleared):
            values["attempts"] = "0"
        for one in keys.levels:
            effects = one.memory.effects
            if (effect := effects.get(label) or effects.get(label_group(label))) and effect.value == "none":
                values[one.name] = "none"
        for cell in self.cells.values():
            effect = cell.effects.get(label)
            if effect is not None and effect.kind != STEP:
                values[cell.name] = _term(cell, effect)
        return values

    # SecurityAccess

    def _level(self, service: Service, branch: Branch) -> Level | None:
        if service.operation != SECURITY:
            return None
        return next((one for one in self.facts.keys.levels if branch.first in (one.seed, one.key)), None)

    def _key_rules(self, level: Level | None, branch: Branch) -> Iterator[ModelLine]:
        if level is None:
            return
        keys = self.facts.keys
        if branch.first == level.seed:
            if keys.delay is not None:
                yield ModelLine(0, "- 'delay == 0 else 0x37'", f"refused {_times(keys.delayed)}")
            return
        if level.in_sequence:
            yield ModelLine(0, f"- '{level.name} != none else 0x24'", f"observed {_times(level.memory.observed)}")
        else:
            yield ModelLine(0, f"- '{level.name} != none else any'", "CHECK: no rule found for keys without a seed")
        if level.mask is not None:
            if keys.tries is not None:
                yield ModelLine(
                    0,
                    f"- '{level.name} == $fits or attempts < {keys.tries - 1} else 0x36'",
                    f"refused {_times(keys.too_many)}",
                )
            yield ModelLine(
                0,
                f"- '{level.name} == $fits else 0x35'",
                f"{_times(level.refused)} with a wrong key, met {_times(level.accepted)}",
            )

    # Timers and components

    def _timers(self) -> Iterator[ModelLine]:
        timeout = self.facts.timeout
        if timeout is None:
            return
        after, last = timeout.survived, timeout.ended if timeout.ended is not None else timeout.survived + NEVER
        after, last = widen(after, last, self.facts.p2.longest)
        yield ModelLine(0, "timers:")
        yield ModelLine(1, "S3:")
        yield ModelLine(2, f'while: {SESSION} != "{DEFAULT}"')
        yield ModelLine(2, "restart: [response, suppressed request]")
        yield ModelLine(
            2, f"after: {after}us", f"survived {_times(timeout.survivals)}, at most {format_duration(timeout.survived)}"
        )
        ended = (
            f"ended {_times(timeout.ends)}, after {format_duration(timeout.ended)} at the earliest"
            if timeout.ended is not None
            else "never ended"
        )
        yield ModelLine(2, f"slack: {last - after}us", ended + self._wrong(timeout.wrong))
        yield ModelLine(2, f"do: {{{', '.join(f'{name}: {value}' for name, value in self._values(EXPIRY).items())}}}")

    def _components(self) -> Iterator[ModelLine]:
        counted = [cell for cell in self.cells.values() if self._edges(cell)]
        keys = list(self._key_edges())
        if not counted and not keys:
            return
        yield ModelLine(0, "components:")
        if keys:
            yield ModelLine(1, "keys:")
            yield ModelLine(2, "initial: any")
            if self.facts.keys.delay is not None:
                _, high = widen(*self.facts.keys.delay, self.facts.p2.longest)
                yield ModelLine(
                    2,
                    f"locations: {{any: {{stay: 'delay == 0 or since_refusal <= {high}us'}}}}",
                    f"seeds again after {format_duration(high)} at the earliest",
                )
            yield ModelLine(2, "edges:")
            yield from (ModelLine(3, f"- {{{edge}}}") for edge in keys)
        for cell in counted:
            yield ModelLine(1, f"{cell.name}:")
            yield ModelLine(2, "initial: any")
            yield ModelLine(2, "edges:")
            yield from (ModelLine(3, f"- {{{edge}}}") for edge in self._edges(cell))

    def _key_edges(self) -> Iterator[str]:
        keys = self.facts.keys
        delayed = keys.delay is not None
        for code in (WRONG, TOO_MANY):
            sets = {one.name: "none" for one in keys.levels if (SECURITY, None, code) in one.memory.effects}
            on = f"from: any, to: any, on: 'res * {SECURITY} NRC {code:02X}'"
            if delayed and code == TOO_MANY:
                sets["delay"] = "1"
            reset = ", reset: since_refusal" if delayed and code == TOO_MANY else ""
            if keys.tries is None:
                if sets:
                    yield f"{on}, set: {_map(sets)}{reset}"
            elif code == WRONG:
                for before in range(keys.tries - 1):
                    yield f"{on}, when: 'attempts == {before}', set: {_map({'attempts': str(before + 1), **sets})}"
            else:
                yield f"{on}, set: {_map({'attempts': '0', **sets})}{reset}"
        if keys.delay is not None:
            low, _ = widen(*keys.delay, self.facts.p2.longest)
            yield f"from: any, to: any, when: 'delay == 1 and since_refusal >= {low}us', set: {{delay: 0}}"

    def _edges(self, cell: MemoryCell) -> list[str]:
        """Return the edges of the component for the effects that a service cannot have."""
        found = []
        for label, effect in cell.effects.items():
            if effect.kind != STEP and label[-1] in (POSITIVE, EXPIRY[0]):
                continue
            on = f"from: any, to: any, on: '{_pattern(label, self.facts.recordings.forms)}'"
            if effect.kind != STEP:
                found.append(f"{on}, set: {{{cell.name}: {_term(cell, effect)}}}")
                continue
            for before, after in effect.steps:
                found.append(f"{on}, when: '{cell.name} == {_value(before)}', set: {{{cell.name}: {_value(after)}}}")
            others = _list([one for one, _ in effect.steps])
            found.append(f"{on}, when: '{cell.name} not in {others}', set: {{{cell.name}: any_{cell.name}}}")
        return found


def _pattern(label: Label, forms: Mapping[str, str]) -> str:
    operation, first, answer = label
    if answer != POSITIVE:
        return f"res * {operation} NRC {answer:02X}"
    if first is None:
        return rf"/res \S+ {operation}(?: [0-9A-F]+)?/"
    return rf"/res \S+ {operation} {first:0{ {'sub': 2, 'did': 4}[forms[str(operation)]] }X}[0-9A-F]*/"


def _condition(rule: RefusalRule) -> str:
    if rule.variable == DATA:
        return f"{DATA} in {_list(rule.passed)}"
    if rule.passed:
        return f"{rule.variable} in {_list([*rule.passed, *rule.unseen])}"
    return f"{rule.variable} not in {_list(rule.refused)}"


def _list(values: Iterable[object]) -> str:
    return f"[{', '.join(map(_value, values))}]"


def _value(value: object) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"' if value is not None else "unknown"


def _term(cell: MemoryCell, effect: CellEffect) -> str:
    open_value = {ASKED: "$request_data", ANSWERED: "$data", OPEN: f"any_{cell.name}"}
    return open_value.get(effect.kind) or _value(effect.value)


def _map(values: Mapping[str, Any]) -> str:
    return f"{{{', '.join(f'{name}: {value}' for name, value in values.items())}}}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
