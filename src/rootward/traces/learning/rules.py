"""Rules: under which conditions a service refuses a request, and with which code.

An ECU checks conditions one after the other, and the first that does not hold determines the code. So the rules of a
service are a list: "if the session is one of these, the answer is this code; otherwise go on". A rule is possible if
all remaining requests with one of these values were answered with the same code. The rule that answers most requests
comes first; its requests are removed; and so on, until only positive answers remain, or a mixture without a rule.

A rule may be true by chance: if two thirds of the remaining requests are refused, three refusals in a row with the same
value of a variable show little. Codes whose meaning the standard fixes (0x7F: the session, 0x33: the security level)
need no more evidence than their meaning. Any other rule must be improbable by chance: the share of its code to the
power of the number of requests, times the number of values tried, must be below `MAX_CHANCE`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rootward.traces.learning.exchanges import POSITIVE, Answer

SESSION, LEVEL, DATA = "session", "sec", "$data"
MEANING = {0x7F: SESSION, 0x7E: SESSION, 0x33: LEVEL, 0x31: DATA}
"""The variable that a code is about, by the standard."""
MAX_CHANCE = 0.01
"""Maximum probability that a rule is true by chance."""
MAX_EXCEPTIONS = 0.002
"""Maximum share of recordings that may contradict one rule, or one cell: then these recordings are suspected rather
than the rule. So there are none in fewer than 500 recordings."""
MAX_EXCEPTIONAL = 0.05
"""Maximum share of the requests of a rule that may contradict it."""
MAX_VALUES = 12
"""Maximum number of values of a variable that conditions may mention."""


@dataclass(frozen=True)
class Sample:
    """A request for which a condition may matter."""

    case: object
    values: Mapping[str, object]
    """The values of the variables that are known."""
    answer: Answer
    where: tuple[int, int]


@dataclass(frozen=True)
class RefusalRule:
    """A condition, and the code of the refusal if it does not hold."""

    variable: str
    refused: tuple[object, ...]
    """The values with which requests were refused, with which they passed, and those that were not seen here."""
    passed: tuple[object, ...]
    unseen: tuple[object, ...]
    code: int
    refusals: int
    passes: int
    recordings: int
    """Number of recordings with a refusal."""
    wrong: tuple[tuple[int, int], ...] = ()
    """The recordings and messages that contradict it."""

    def refuses(self, sample: Sample) -> bool:
        return sample.values.get(self.variable) in self.refused


def count_exceptions(recordings: int) -> int:
    """Return the maximum number of recordings that may contradict one rule, or one cell."""
    return int(MAX_EXCEPTIONS * recordings)


def learn_rules(
    samples: Sequence[Sample],
    domains: Mapping[str, Sequence[object]],
    exceptions: int,
    *,
    shared: bool = False,
    meant: bool = False,
) -> tuple[list[RefusalRule], list[Sample]]:
    """Return the rules in their order, and the samples that they do not refuse.

    :param domains: the values of each variable, in all recordings
    :param exceptions: maximum number of recordings that may contradict a rule
    :param shared: look only for rules that hold for all cases of a service
    :param meant: look only for rules whose code means this variable by the standard
    """
    rules: list[RefusalRule] = []
    rest = list(samples)
    search = _Search(domains, exceptions, shared, meant)
    while {one.answer for one in rest} - {POSITIVE}:
        rule = search.best_rule(rest)
        if rule is None:
            break
        rules.append(rule)
        rest = [one for one in rest if not _removes(rule, one)]
    return rules, rest


def _removes(rule: RefusalRule, sample: Sample) -> bool:
    if rule.variable in sample.values:
        return rule.refuses(sample)
    return sample.answer == rule.code


@dataclass(frozen=True)
class _Search:
    """The search for the next rule of a service."""

    domains: Mapping[str, Sequence[object]]
    exceptions: int
    shared: bool
    meant: bool

    def best_rule(self, samples: Sequence[Sample]) -> RefusalRule | None:
        """Return the rule that answers most samples; one whose code means its variable comes first."""
        counts = Counter(one.answer for one in samples)
        cases = len({one.case for one in samples})
        tried = sum(len(values) for values in self.domains.values())
        best: tuple[tuple[bool, int], RefusalRule] | None = None
        for variable in self.domains:
            table = _table(samples, variable)
            by_code: dict[int, list[object]] = defaultdict(list)
            for value, seen in table.items():
                code = self._code(seen)
                if code is not None:
                    by_code[code].append(value)
            for code, values in by_code.items():
                refused = [one for value in values for one in table[value]]
                meant = MEANING.get(code) == variable
                share = counts[code] / len(samples)
                if not meant and (self.meant or share ** len(refused) * tried > MAX_CHANCE):
                    continue
                alike = max(len({one.case for one in table[value]}) for value in values)
                if self.shared and cases > 1 and alike < 2:
                    continue
                if variable == DATA and not _few_values(table, values):
                    continue
                key = (meant, len(refused))
                if best is None or key > best[0]:
                    best = key, _rule(variable, code, values, table, self.domains, refused)
        return best[1] if best else None

    def _code(self, samples: Sequence[Sample]) -> int | None:
        """Return the code with which all samples were refused, but for a few exceptions."""
        (code, _), *others = Counter(one.answer for one in samples).most_common()
        if others:
            wrong = [one.where[0] for one in samples if one.answer != code]
            if len(set(wrong)) > self.exceptions or len(wrong) > MAX_EXCEPTIONAL * len(samples):
                return None
        return code if isinstance(code, int) else None


def _table(samples: Iterable[Sample], variable: str) -> dict[object, list[Sample]]:
    table: dict[object, list[Sample]] = defaultdict(list)
    for one in samples:
        if variable in one.values:
            table[one.values[variable]].append(one)
    return table


def _few_values(table: Mapping[object, Sequence[Sample]], refused: Sequence[object]) -> bool:
    """Return whether the data with which requests pass are few and known: by Good and Turing, the next value is new
    with a probability of about the share of the values seen once."""
    passed = [len(seen) for value, seen in table.items() if value not in refused]
    return 0 < len(passed) <= MAX_VALUES and sum(one == 1 for one in passed) <= 0.05 * sum(passed)


def _rule(
    variable: str,
    code: int,
    values: Sequence[object],
    table: Mapping[object, Sequence[Sample]],
    domains: Mapping[str, Sequence[object]],
    refused: Sequence[Sample],
) -> RefusalRule:
    passed = [value for value in table if value not in values]
    unseen = [value for value in domains[variable] if value not in table]
    return RefusalRule(
        variable,
        tuple(sorted(values, key=str)),
        tuple(sorted(passed, key=str)),
        tuple(sorted(unseen, key=str)),
        code,
        len(refused),
        sum(len(table[value]) for value in passed),
        len({one.where[0] for one in refused}),
        tuple(one.where for one in refused if one.answer != code),
    )
