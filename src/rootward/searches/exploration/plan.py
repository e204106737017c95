"""The plan: the order in which the stages are tried, so that none starves, and the candidates that are left out.

Every other run is a point of the ranges. Only random points soon find a failure in a range between exceptional
values, or one that depends on a relation of large numbers. They get half of all runs, so they need at most twice as
many runs as without the other stages. The other half starts with every value of every field, which is cheap, and then
takes all other stages in turn.

A candidate that must not be run, or that a known cause explains, is repaired: see ``ForbiddenRegion``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rootward.errors import InputError
from rootward.rules import Rule
from rootward.search.design import Box, Instance, forbidden_boxes
from rootward.searches.exploration import stages
from rootward.searches.exploration.dictionary import Change, Changes, Dictionary, encode_change, natural_configuration
from rootward.searches.exploration.tuning import TUNING
from rootward.space.candidate import Origin, Variation
from rootward.space.fields import show
from rootward.space.space import Space


@dataclass(frozen=True)
class PlannedTrial:
    """A candidate to run, its stage, and the place of each of its values in the dictionary."""

    stage: str
    candidate: Variation
    places: Instance


class TrialPlan:
    """Candidates in the order in which they are tried, each once; ``most``: maximum number of runs."""

    def __init__(
        self, space: Space, nominal: Sequence[Mapping[str, Any]], *, barred: Rule | None, most: int, seed: int
    ) -> None:
        self.dictionary = Dictionary(space, nominal or [natural_configuration(space)])
        self.is_small = stages.is_small(space)
        self.given, self._most, self._seed = bool(nominal), most, seed
        self._barred = ForbiddenRegion(barred, self.dictionary, self._rng("barred"))
        self._seen: set[str] = set()
        self._places: list[Instance] = []

    def _rng(self, stage: str) -> np.random.Generator:
        """Return a random generator for one stage, so that no stage depends on how much another draws."""
        return np.random.default_rng([self._seed, *stage.encode()])

    def first_drafts(self) -> list[PlannedTrial]:
        """Return the nominal inputs. If there are none, return one input that is likely to work."""
        drafts = []
        for base in self.dictionary.bases:
            changes: Changes | None = {}
            if self._barred.holds(base, {}):
                changes = None if self.given else self._barred.repair(base, {})
            draft = None if changes is None else self._make_draft("nominal" if self.given else "natural", base, changes)
            drafts += [] if draft is None else [draft]
        return drafts

    def drafts(self) -> Iterator[PlannedTrial]:
        """Yield all candidates after the first ones.

        In a small space they end when all were tried, otherwise when nothing new has been found for long.
        """
        missed = 0
        turns: Counter[str] = Counter()
        for stage, changes in self._streams():
            base = self.dictionary.bases[turns[stage] % len(self.dictionary.bases)]
            turns[stage] += 1
            allowed = self._barred.repair(base, changes)
            draft = None if allowed is None else self._make_draft(stage, base, allowed)
            missed = 0 if draft is not None else missed + 1
            if draft is not None:
                yield draft
            elif missed >= TUNING.max_known and not self.is_small:
                return

    def _make_draft(self, stage: str, base: Origin, changes: Changes) -> PlannedTrial | None:
        """Return a draft; None if the same candidate was drafted before."""
        candidate = self.dictionary.candidate(base, changes)
        if (key := candidate.key) in self._seen:
            return None
        self._seen.add(key)
        draft = PlannedTrial(stage, candidate, self.dictionary.places(candidate))
        self._places.append(draft.places)
        return draft

    def _streams(self) -> Iterator[tuple[str, Changes]]:
        known = self.dictionary
        values = _label("values", stages.every_value(known, self._rng("values")))
        mutations = _label("mutations", stages.fewer_changes(known, self._rng("mutations")))
        listed = itertools.chain(values, _alternate([mutations, mutations, self._combinations()]))
        if self.is_small:
            yield from listed
        else:
            yield from _alternate([listed, _label("spread", stages.spread_points(known, self._rng("spread")))])

    def _combinations(self) -> Iterator[tuple[str, Changes]]:
        for name, strength in (("pairs", 2), ("triples", 3)):
            if strength <= len(self.dictionary):
                rows = stages.combine_values(
                    self.dictionary,
                    strength,
                    forbidden=self._barred.boxes,
                    known=lambda: self._places,
                    most=self._most,
                    rng=self._rng(name),
                )
                yield from _label(name, rows)
        rest = stages.every_configuration if self.is_small else stages.random_inputs
        yield from _label("random", rest(self.dictionary, self._rng("random")))


def _label(stage: str, rows: Iterable[Changes]) -> Iterator[tuple[str, Changes]]:
    return ((stage, row) for row in rows)


def _alternate(streams: Sequence[Iterator[tuple[str, Changes]]]) -> Iterator[tuple[str, Changes]]:
    """Take one row of each stream in turn until all are exhausted; a stream that is given twice gets two turns."""
    left = list(streams)
    while left:
        for stream in tuple(left):
            row = next(stream, None)
            if row is None:
                left.remove(stream)
            else:
                yield row


# Candidates that must not be run


class ForbiddenRegion:
    """Repairs candidates for which a rule holds: only the fields that the rule names are drawn again."""

    def __init__(self, rule: Rule | None, dictionary: Dictionary, rng: np.random.Generator) -> None:
        self._rule, self._dictionary, self._rng = rule, dictionary, rng
        at = {name: i for i, name in enumerate(dictionary.names)}
        self._field_numbers = {name: at[name] for name in (rule.fields if rule is not None else ())}
        self._beside = {i: self._list_constants(name, i) for name, i in self._field_numbers.items()}

    def _list_constants(self, name: str, i: int) -> list[Any]:
        """Return values of the field for which the rule may not hold.

        These are the values that the rule compares the field with. For integers, the integers one below and one above
        are added.
        """
        terms = self._rule.terms if self._rule is not None else ()
        literals = [literal for term in terms for literal in term if literal.field == name]
        named = [atom.value for literal in literals for one in literal.alternatives for atom in one]
        near = [value + step for value in named for step in (-1, 1) if type(value) is int]
        return [value for value in (*named, *near) if self._dictionary.fields[i].contains(value)]

    def holds(self, base: Origin, changes: Changes) -> bool:
        if self._rule is None:
            return False
        values = {name: changes[i][0] if i in changes else base.values[name] for name, i in self._field_numbers.items()}
        return self._rule.holds(values)

    def repair(self, base: Origin, changes: Changes) -> Changes | None:
        """Return changes for which the rule does not hold; None if none were found."""
        if not self.holds(base, changes):
            return changes
        for _ in range(TUNING.max_redraws):
            redrawn = {i: self._draw(i, base.values[name]) for name, i in self._field_numbers.items()}
            if not self.holds(base, redrawn):
                return {**changes, **redrawn}
        return None

    def _draw(self, i: int, usual: Any) -> Change:
        field, listed = self._dictionary.fields[i], self._dictionary.values[i]
        ways = [[usual], listed, self._beside[i] or listed, [field.sample(self._rng)]]
        values = ways[int(self._rng.integers(len(ways)))]
        return encode_change(field.coerce(values[int(self._rng.integers(len(values)))]))

    @property
    def boxes(self) -> list[Box]:
        """The boxes that a covering array has to avoid.

        A rule about a quantity of several fields is not a box of values, so rows for which it holds are repaired later.
        """
        if self._rule is None or any(one.field not in self._field_numbers for term in self._rule.terms for one in term):
            return []
        return forbidden_boxes(self._dictionary.names, self._dictionary.values, self._rule)


def join_rules(names: tuple[str, ...], **rules: Rule | None) -> Rule | None:
    """Return the rule that holds if at least one of these rules holds.

    InputError if one of them is not a rule over the fields ``names``.
    """
    given = {word: rule for word, rule in rules.items() if rule is not None}
    for word, rule in given.items():
        if not isinstance(rule, Rule):
            raise InputError(f"{word} must be a Rule, not {show(rule)}")
        if unknown := [name for name in rule.fields if name not in names]:
            raise InputError(f"{word} names the unknown field {unknown[0]!r}: it is not in the space")
    return Rule.of_terms(term for rule in given.values() for term in rule.terms) if given else None
