"""Challenges: runs that could refute a claim, in families, each of which looks for one way in which a claim is wrong.

A claim agrees with all runs that it was made from, and with nearly all random ones. Wrong claims are wrong in places
that random runs hardly ever reach, but the same kinds of places come up again and again:

* *sweep*. A field with few values has an exception among them (a byte, a list of modes). Every value of each small
  field that the claim names is tried; if all named fields together have few combinations, all of those. A number that a
  condition bounds fails in a second range: values all over its range are tried where the other conditions hold.
* *constants*. A constant is off by a little, or the true condition goes on at the next power: the nearest values on
  either side of every constant are tried where the rest of the term holds, then ten times, a thousand times, 1024 times
  the constant, and the other ends of the range.
* *signs*. Negative numbers behave in another way, or the same: the nearest values on either side of every mirrored
  constant are tried where the rest of the term holds, and values of the other sign for which all of the term holds.
* *border*. The border depends on a field that never varied near it. The claim itself is bisected, which costs no runs,
  from random places inside of it, with all other fields varied, and the two neighbours on either side are run.
* *analogy*. Code treats similar things alike: two fields with equal values (``src = dst``), a sibling of a choice with
  a scaled constant, a mirrored sign.
* *units*. With another option, the same happens in another unit: 1024 instead of 1000.
* *multiples*. With another option, a number equals another multiple of a second number: two bytes for each item instead
  of four. The runs where the two agree are so few that none may have been seen.
* *ends* and *corners*. Something else happens at the end of a range, or where two extremes meet. Fields that the claim
  does not name take part, in passing runs with different options.
* *options*. An exception needs two options together. In each part of the claim alone, every pair of options of the
  fields that the claim names is tried in some run; outside of it, every pair of choices. Earlier runs count.
* *plain*. Options have no effect without others: each part of the claim is run where all else is off, or simplest.
* *slices*. A bound differs by a choice. In each combination of the choices that the claim names, numbers are run at
  their ends and on either side of the border.
* *periods*. A remainder or a bit looks like a bound in one period: two periods of its field are run.
* *neighbours*. Two numbers are compared where a constant was claimed: x = y - 1, y, y + 1.
* *domain*. Values that the user's examples, the error text or the source of the subject mention, in each named field.
* *unnamed*. An exception lies at such a value, or beside it, of a field that the claim does not name: all of these
  fields get one at once, on either side of the claim.
* *texts*. Small variations of a text in the condition, and of texts on either side of the claim: other characters at
  its ends and in its middle, the other case, and the words of other fields in front of it or behind. They expose code
  that compares a part of a text, looks at some characters or ignores case.
* *near*. One or two named fields of a failing run get other values: most mistakes lie near failing runs.
* *needed*. Passing runs that miss one condition of a term are run with other values of the fields that do not matter.
* *inside* and *outside*. Random configurations on either side. They alone measure the claim: the others are selected.

``Challenger.draw`` weaves the families, so that the runs that refute most wrong claims come early. To add a family,
write a generator method of ``Challenger`` and enter it in ``FAMILIES`` with its weight and its limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, combinations, islice, product
from typing import TYPE_CHECKING, Any, NamedTuple

from rootward.diagnosis.notable_values import (
    field_ends,
    find_border,
    members_only,
    nearest_values,
    option_values,
    scaled_values,
    shared_values,
    simplest_value,
    small_members,
    unit_values,
    value_walk,
)
from rootward.diagnosis.refutation import Sampling, pad_text, vary_text, vary_unordered
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause, claim_of
from rootward.rules import Atom, Literal, Quantity, Rule, Term
from rootward.rules.quantity import fields_of, inner_quantities
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Space, Text

if TYPE_CHECKING:
    import numpy as np


MULTIPLES = (1, 2, 4, 8, 3, 16, 10, 5, 6, 12)
"""Numbers of parts that something often has: bytes of a value, values of a point."""


class Crossing(NamedTuple):
    """Two neighbouring configurations on either side of the border that a condition of a term draws."""

    literal: Literal
    inside: dict[str, Any]
    outside: dict[str, Any]


class Challenge(NamedTuple):
    """A configuration to run, and the family that chose it."""

    family: str
    configuration: dict[str, Any]


@dataclass(frozen=True)
class Basis:
    """The knowledge that challenges start from: runs, pairs at the border, and values of the user's world."""

    runs: Mapping[str, tuple[Configuration, bool]]
    edges: Sequence[EdgePair] = ()
    domain: Sequence[Any] = ()


class Challenger:
    """The families of challenges to one claim."""

    def __init__(
        self,
        space: Space,
        causes: Sequence[FailureCause],
        basis: Basis,
        *,
        never: Rule | None,
        rng: np.random.Generator,
        key: Callable[[Configuration], str],
    ) -> None:
        """``never``: a rule; where it holds, nothing may be run. ``key``: returns the key of a configuration."""
        self.crossings: list[Crossing] = []
        """The pairs at the border among the challenges drawn so far; one side, or both, may have been run before."""
        self._space, self._causes, self._basis, self._rng, self._key = space, causes, basis, rng, key
        self._claim = claim_of(causes)
        self._sampling = Sampling(space, self._claim, known=basis.runs, never=never, rng=rng, key=key)
        self._named = [name for name in self._claim.fields if name in space]
        runs = basis.runs.values()
        self._failed = [one for one, fails in runs if fails and self._claim.holds(one)]
        self._passed = [one for one, fails in runs if not fails and not self._claim.holds(one)]

    def draw(self) -> Iterator[Challenge]:
        """Take from the families in turn, as many as the weight of each says, until all are exhausted."""
        waiting = {name: islice(self._new_runs(make(self)), limit) for name, (make, _, limit) in FAMILIES.items()}
        while waiting:
            for name in [*waiting]:
                taken = [Challenge(name, one) for one in islice(waiting[name], FAMILIES[name][1])]
                yield from taken
                if len(taken) < FAMILIES[name][1]:
                    del waiting[name]

    def _new_runs(self, drawn: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the configurations that may be run and are new, with the fields in the order of the space."""
        for values in drawn:
            one = {name: values[name] for name in self._space}
            if self._sampling.is_new(one):
                yield one

    # Where challenges start

    @cached_property
    def _witnesses(self) -> list[tuple[Term, list[Configuration]]]:
        """For each term, failing runs where it holds. Those that lie in the fewest other terms come first.

        In another term, a mistake of this one would not show.
        """
        examples = [cause.example for cause in self._causes]
        found = []
        for term in self._claim.terms:
            mine = [one for one in (*examples, *self._failed) if term.holds(one)]
            mine.sort(key=lambda one: sum(other.holds(one) for other in self._claim.terms))
            if mine:
                found.append((term, mine[: TUNING.max_witnesses]))
        return found

    @cached_property
    def _starts(self) -> list[Configuration]:
        """A witness of each term, and a passing run."""
        return [*(mine[0] for _, mine in self._witnesses), *self._passed[-1:]]

    # Small fields

    def sweep(self) -> Iterator[dict[str, Any]]:
        fields = {name: members for name in self._named if (members := small_members(self._space[name])) is not None}
        together = math.prod(map(len, fields.values())) if len(fields) == len(self._named) else math.inf
        if together <= TUNING.max_swept:
            start = self._starts[0] if self._starts else {}
            for values in product(*fields.values()):
                yield self._sampling.vary_rest_allowed({**start, **dict(zip(fields, values, strict=True))})
            return
        for term, witnesses in self._witnesses:
            mine = set(_term_fields(term)) & fields.keys()
            ordered = sorted(mine, key=lambda name: (len(fields[name]), name))
            tried = {name: list(fields[name]) for name in ordered}
            tried |= {name: self._spread(name) for name, _ in self._field_constants(term) if name not in fields}
            for name in tried:
                rest = [literal for literal in term if literal.field != name]
                for value in tried[name]:
                    one = self._set_value(witnesses, name, value, rest)
                    yield one if self._sampling.is_allowed(one) else self._sampling.vary_rest_allowed(one)

    def _spread(self, name: str) -> list[Any]:
        """Return values all over the range of a number: a random one of each of its parts."""
        field, parts = self._space[name], TUNING.spread_values
        low, high = field_ends(field)[:2]
        shares = [(part + float(self._rng.random())) / parts for part in range(parts)]
        if isinstance(field, Float):
            return members_only(field, [field.nearest(low * (1 - share) + high * share) for share in shares])
        return members_only(field, [low + int(share * (high - low)) for share in shares])

    def _set_value(
        self, witnesses: Sequence[Configuration], name: str, value: Any, rest: Sequence[Literal]
    ) -> dict[str, Any]:
        """Return a run with this value of a field in which the other conditions of a term hold, if one is found.

        Where they do not hold, the value would have no effect.
        """

        def rest_holds(one: Configuration) -> bool:
            return all(literal.holds(one) for literal in rest)

        moved = [{**one, name: value} for one in witnesses]
        if (found := next((one for one in moved if rest_holds(one)), None)) is not None:
            return found
        start = moved[0]
        broken = [other for one in rest if not one.holds(start) for other in fields_of(one.field) if other != name]
        drawn = (
            {**start, **{other: self._sampling.pick_any(other) for other in broken}} for _ in range(TUNING.max_walk)
        )
        return next((one for one in drawn if rest_holds(one)), start)

    # Constants

    def constants(self) -> Iterator[dict[str, Any]]:
        made = []
        for term, witnesses in self._witnesses:
            for name, constant in self._field_constants(term):
                for values in (nearest_values, scaled_values):
                    made.append([_move(term, witnesses, name, one) for one in values(self._space[name], constant)])
        yield from _weave(made)

    def signs(self) -> Iterator[dict[str, Any]]:
        made = []
        for term, witnesses in self._witnesses:
            for name, constant in self._field_constants(term):
                mirrored = nearest_values(self._space[name], -constant)[:3]
                made.append([_move(term, witnesses, name, value) for value in mirrored])
            for name in dict.fromkeys(_term_fields(term)):
                if isinstance(self._space[name], Int | Float):
                    moved = ({**one, name: value} for one in witnesses for value in self._mirror(name, one[name]))
                    made.append(list(islice(filter(term.holds, moved), TUNING.field_places)))
        yield from _weave(made)

    def _mirror(self, name: str, value: Any) -> list[Any]:
        """Return values of the other sign, of the same magnitude or a neighbouring one."""
        smaller = value // 10 if isinstance(value, int) else value / 10
        return [one for one in members_only(self._space[name], [-value, -smaller, -10 * value]) if one * value < 0]

    def _field_constants(self, term: Term) -> Iterator[tuple[str, Any]]:
        """Yield the fields of a term that are compared with numbers, each with the number."""
        for literal in term:
            if literal.field in self._space and isinstance(self._space[literal.field], Int | Float):
                for atom in _atoms(literal):
                    yield str(literal.field), atom.value

    # The border

    def border(self) -> Iterator[dict[str, Any]]:
        yield from _weave([self._cross(term, literal) for term, _ in self._witnesses for literal in term])

    def _cross(self, term: Term, literal: Literal) -> Iterator[dict[str, Any]]:
        """Yield pairs of neighbours on either side of the border that a condition of a term draws."""
        names = [name for name in fields_of(literal.field) if name in self._space and self._space[name].ordered]
        names = [name for name in names if isinstance(self._space[name], Int | Float)]
        mine = next(found for one, found in self._witnesses if one is term)
        wanted = places_needed(literal.field) + TUNING.spare_crossings
        found = set[str]()
        for turn in range(TUNING.draws_per_crossing * wanted if names else 0):
            if len(found) == wanted:
                return
            pivot = names[turn % len(names)]
            drawn = self._sampling.draw_like(mine, term.holds)
            drawn = self._to_extreme(term, drawn, pivot, turn // 2) if turn % 2 else drawn
            ends = self._space[pivot].values
            outside = [value for value in ends if not literal.holds({**drawn, pivot: value}) and value == value]
            if not outside or drawn[pivot] != drawn[pivot] or not term.holds(drawn):
                continue
            end = outside[int(self._rng.integers(len(outside)))]
            crossing = self._bisect_literal(term, literal, drawn, pivot, end)
            if crossing is not None and (key := self._key(crossing.inside)) not in found:
                found.add(key)
                self.crossings.append(crossing)
                yield from crossing[1:]

    def _to_extreme(self, term: Term, inside: Mapping[str, Any], pivot: str, turn: int) -> dict[str, Any]:
        """Return a configuration of a term in which another number that the claim names is zero or far out.

        If a bound depends on another number, it differs most at the ends of that number; zero is often an exception.
        ``turn`` chooses the number and the value.
        """
        numbers = [name for name in self._named if name != pivot and isinstance(self._space[name], Int | Float)]
        if not numbers or not term.holds(inside):
            return dict(inside)
        name = numbers[turn % len(numbers)]
        ends = list(dict.fromkeys([simplest_value(self._space[name]), *field_ends(self._space[name])[:2]]))
        end = ends[turn // len(numbers) % len(ends)]
        if term.holds({**inside, name: end}) or inside[name] != inside[name]:
            return {**inside, name: end}
        near, _ = find_border(self._space[name], inside[name], end, lambda value: term.holds({**inside, name: value}))
        return {**inside, name: near}

    def _bisect_literal(
        self, term: Term, literal: Literal, inside: Mapping[str, Any], pivot: str, end: Any
    ) -> Crossing | None:
        """Find the nearest configurations on either side of a condition's border, along one field. This runs nothing.

        The other conditions of the term hold on both sides, so that the border is that of this condition. Return None
        if there are none.
        """
        field = self._space[pivot]
        near, far = find_border(field, inside[pivot], end, lambda value: literal.holds({**inside, pivot: value}))
        rest = [other for other in term if other is not literal]
        walks = (value_walk(field, near, inside[pivot]), value_walk(field, far, end))
        for_side = [({**inside, pivot: value} for value in walk) for walk in walks]
        failing = next((one for one in for_side[0] if term.holds(one)), None)
        passing = next((one for one in for_side[1] if all(other.holds(one) for other in rest)), None)
        if failing is None or passing is None or self._claim.holds(passing):
            return None
        return Crossing(literal, failing, passing)

    # Analogy

    def analogy(self) -> Iterator[dict[str, Any]]:
        yield from _weave([self._equal_pairs(), self._siblings()])

    def _equal_pairs(self) -> Iterator[dict[str, Any]]:
        """Yield configurations in which two similar fields have the same value, for each value that both can have."""
        named = set(self._named)
        pairs = sorted(_pairs_with(self._space.names, named), key=lambda pair: -len(named & set(pair)))
        for one, other in pairs[: TUNING.max_field_pairs]:
            shared = shared_values(self._space[one], self._space[other])
            most = TUNING.max_shared_numbers if self._space[one].ordered else TUNING.max_shared_values
            for start in self._starts:
                for value in shared[:most]:
                    yield {**start, one: value, other: value}

    def _siblings(self) -> Iterator[dict[str, Any]]:
        """Yield witnesses with another choice and another number: the same form may hold there."""
        for term, (start, *_) in self._witnesses:
            numbers = list(self._field_constants(term))
            for name, value in self._other_options(term, start) if numbers else ():
                number, constant = numbers[int(self._rng.integers(len(numbers)))]
                field = self._space[number]
                there = [*scaled_values(field, constant), *field.values]
                yield {**start, name: value, number: there[int(self._rng.integers(len(there)))]}

    def units(self) -> Iterator[dict[str, Any]]:
        """Yield witnesses with another choice, at the same place in another system of units."""
        made = []
        for term, (start, *_) in self._witnesses:
            for number, constant in self._field_constants(term):
                beside = unit_values(self._space[number], constant)
                others = list(self._other_options(term, start))
                made.append([{**start, name: value, number: one} for one in beside for name, value in others])
        yield from _weave(made)

    def multiples(self) -> Iterator[dict[str, Any]]:
        """Yield witnesses, also with another choice, in which a number is a multiple of the one it is compared with."""
        made = []
        for term, (start, *_) in self._witnesses:
            for many, few in chain.from_iterable(_equated_fields(literal.field) for literal in term):
                if not all(isinstance(self._space[name], Int | Float) for name in (many, few)):
                    continue  # equal choices, or the length of a text
                others = ({name: value} for name, value in self._other_options(term, start))
                made += [self._set_multiples({**start, **option}, many, few) for option in ({}, *others)]
        yield from _weave(made)

    def _set_multiples(self, start: Configuration, many: str, few: str) -> Iterator[dict[str, Any]]:
        """Yield pairs of runs in which the number ``many`` is a multiple of the number ``few``."""
        most = field_ends(self._space[many])[1]
        for factor in MULTIPLES:
            values = [int(self._rng.uniform(min(2, most / factor), most / factor)) for _ in range(2)]
            for value in members_only(self._space[few], values):
                for times in members_only(self._space[many], [factor * value]):
                    yield {**start, few: value, many: times}

    def _other_options(self, term: Term, start: Configuration) -> Iterator[tuple[str, Any]]:
        """Yield the other values of the choices and flags that a term names."""
        for name in _term_fields(term):
            if isinstance(self._space[name], Choice | Bool):
                yield from ((name, value) for value in self._space[name].values if value != start[name])

    # Extremes

    def ends(self) -> Iterator[dict[str, Any]]:
        """Yield witnesses and passes in which one named number is at an end of its range, mirrored, or 0."""
        made = []
        for start in self._starts:
            for name in self._named:
                field = self._space[name]
                if isinstance(field, Int | Float):
                    mirrored = [-start[name]] if start[name] == start[name] else []
                    values = [*field_ends(field), *mirrored, 0, 1, -1]
                    made.append([{**start, name: value} for value in members_only(field, values)])
        yield from _weave([*made, self._unnamed_ends()])

    def _unnamed_ends(self) -> Iterator[dict[str, Any]]:
        """Yield passing runs with different options in which all numbers that the claim does not name are at an end."""
        fields = {name: field for name, field in self._space.items() if isinstance(field, Int | Float)}
        ends = {name: field_ends(field)[:2] for name, field in fields.items() if name not in self._named}
        contexts = {
            tuple(canonical(value) for name, value in one.items() if name not in fields): one for one in self._passed
        }
        for at in self._rng.permutation(len(contexts))[: TUNING.max_witnesses] if any(ends.values()) else ():
            for side in (0, -1):
                yield {**[*contexts.values()][at], **{name: values[side] for name, values in ends.items() if values}}

    def corners(self) -> Iterator[dict[str, Any]]:
        """Yield known runs in which two fields have exceptional values. Pairs with a named field come first."""
        names = self._space.names
        pairs = _pairs_with(names, set(self._named) or set(names))
        starts = [*self._passed[-TUNING.max_witnesses :], *self._starts]
        for _ in range(TUNING.draws_per_run * TUNING.max_corners if pairs and starts else 0):
            start = starts[int(self._rng.integers(len(starts)))]
            pair = pairs[int(self._rng.integers(len(pairs)))]
            made = {**start, **{name: self._pick_special(name) for name in pair}}
            if not self._claim.holds(made) or self._rng.random() < 1 / 4:
                yield made

    def _pick_special(self, name: str) -> Any:
        values = self._space[name].values
        return values[int(self._rng.integers(len(values)))]

    # Options

    def option_pairs(self) -> Iterator[dict[str, Any]]:
        """Yield configurations that show each pair of options together, in each part of the claim and outside of it.

        Outside, choices of all fields are paired; in a part of the claim, only options of the fields that it names.
        """
        choices = [name for name in self._space if not isinstance(self._space[name], Int | Float)]
        options = {name: option_values(self._space[name]) for name in dict.fromkeys([*self._named, *choices])}
        every = {name: {canonical(value): value for value in values} for name, values in options.items() if values}
        levels = {name: every[name] for name in self._named if name in every}
        streams = [self._cover_pairs(every, self._passed[-TUNING.max_witnesses :], self._is_outside)]
        for term, mine in self._witnesses:
            for part in _parts(term):
                starts = [{**one, **part} for one in mine]
                streams.append(self._cover_pairs(levels, starts, partial(self._is_alone, term, part)))
        yield from _weave(streams)

    def _is_outside(self, configuration: Configuration) -> bool:
        return not self._claim.holds(configuration)

    def _is_alone(self, term: Term, part: Mapping[str, Any], configuration: Configuration) -> bool:
        """Return True if a term holds with the values in ``part``, and no other term holds."""
        held = term.holds(configuration) and all(configuration[name] == value for name, value in part.items())
        return held and not any(other.holds(configuration) for other in self._claim.terms if other is not term)

    def _cover_pairs(
        self,
        levels: Mapping[str, Mapping[bytes, Any]],
        starts: Sequence[Configuration],
        region: Callable[[Configuration], bool],
    ) -> Iterator[dict[str, Any]]:
        """Yield configurations of a region until each pair of options was seen there; earlier runs count."""

        def pairs_in(one: Configuration) -> Iterator[Any]:
            return combinations([(name, key) for name in levels if (key := canonical(one[name])) in levels[name]], 2)

        seen = {pair for one, _ in self._basis.runs.values() if region(one) for pair in pairs_in(one)}
        every = combinations([(name, key) for name in levels for key in levels[name]], 2)
        wanted = [pair for pair in every if pair[0][0] != pair[1][0] and pair not in seen]
        self._rng.shuffle(wanted)
        for pair in wanted:
            values = {name: levels[name][key] for name, key in pair}
            there = [one for one in ({**start, **values} for start in starts) if pair not in seen and region(one)]
            if there:
                one = self._sampling.draw_like(there, region) | values
                if region(one) and self._sampling.is_allowed(one):
                    seen.update(pairs_in(one))
                    yield one

    def plain(self) -> Iterator[dict[str, Any]]:
        """Yield each part of the claim with the simplest values of all fields that it does not name."""
        for term, mine in self._witnesses:
            named = set(_term_fields(term))
            rest = {name: simplest_value(self._space[name]) for name in self._space if name not in named}
            for part in _parts(term):
                yield {**mine[0], **part, **rest}

    def slices(self) -> Iterator[dict[str, Any]]:
        """Yield runs in each combination of choices: numbers at their ends, and both sides of the border there.

        A claim that names choices and numbers says something about each combination of choices. Random runs reach each
        of them seldom, and a wrong bound in one of them even more seldom.
        """
        numbers = [name for name in self._named if isinstance(self._space[name], Int | Float)]
        choices = [name for name in self._named if not isinstance(self._space[name], Int | Float | Text)]
        starts = [one for _, mine in self._witnesses for one in mine]
        if not numbers or not choices or not starts:
            return
        every = list(islice(product(*(self._space[name].values for name in choices)), TUNING.max_space))
        made = []
        for at in self._rng.permutation(len(every)):
            start = {**starts[int(self._rng.integers(len(starts)))], **dict(zip(choices, every[at], strict=True))}
            made.append(self._cross_claim(start, numbers))
        yield from _weave(made)

    def _cross_claim(self, start: Configuration, numbers: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield runs in which a number is at an end of its range, and at the border of the claim on the way there."""
        for name in numbers:
            for end in field_ends(self._space[name])[:2]:
                yield {**start, name: end}
                yield from self._bisect_claim(start, name, end)

    def _bisect_claim(self, start: Configuration, pivot: str, end: Any) -> list[dict[str, Any]]:
        """Return the neighbours on either side of the claim's border along one field, if there is one on the way."""
        inside = self._claim.holds(start)
        if start[pivot] != start[pivot] or self._claim.holds({**start, pivot: end}) is inside:
            return []

        def stays(value: Any) -> bool:
            return self._claim.holds({**start, pivot: value}) is inside

        return [{**start, pivot: value} for value in find_border(self._space[pivot], start[pivot], end, stays)]

    # Periods and neighbours

    def periods(self) -> Iterator[dict[str, Any]]:
        """Yield two periods of each field under a remainder or a bit, from a witness."""
        for term, (start, *_) in self._witnesses:
            for literal in term:
                for name, period in periods_of(literal.field):
                    field = self._space[name]
                    if isinstance(field, Int):
                        steps = range(-period, period + 1, max(1, period // TUNING.max_period_runs))
                        for value in members_only(field, [start[name] + step for step in steps]):
                            yield {**start, name: value}

    def neighbours(self) -> Iterator[dict[str, Any]]:
        """Yield runs in which a named number lies beside another number."""
        numbers = [name for name in self._space.names if isinstance(self._space[name], Int | Float)]
        named = [name for name in numbers if name in self._named]
        pairs = [(one, other) for one in named for other in numbers if one != other][: TUNING.max_field_pairs]
        made = []
        for start in self._starts:
            for one, other in pairs:
                if start[other] == start[other]:
                    values = [start[other] + step for step in (0, 1, -1)]
                    made.append([{**start, one: value} for value in members_only(self._space[one], values)])
        yield from _weave(made)

    # The user's world

    def domain(self) -> Iterator[dict[str, Any]]:
        made = []
        for start in self._starts:
            for name in self._named:
                field = self._space[name]
                made.append([{**start, name: value} for value in members_only(field, self._basis.domain)])
        yield from _weave(made)

    def unnamed_fields(self) -> Iterator[dict[str, Any]]:
        """Yield runs in which every field that the claim does not name has a value of the user's world.

        The claim says that none of these fields matters, so one run tries a value of each of them.
        """
        rest = [name for name in self._space if name not in self._named]
        worlds = {name: values for name in rest if (values := self._values_near_domain(self._space[name]))}
        for turn in range(max(map(len, worlds.values()), default=0)):
            known = {name: values[turn % len(values)] for name, values in worlds.items()}
            for start in self._starts:
                yield {**self._sampling.vary_rest(start), **known}

    def _values_near_domain(self, field: Field) -> list[Any]:
        """Return the values of the user's world that a field can have, then the nearest ones on either side."""
        world = [self._basis.domain[int(at)] for at in self._rng.permutation(len(self._basis.domain))]
        near = (nearest_values(field, value)[:3] for value in world if isinstance(field, Int | Float))
        return members_only(field, [*world, *chain.from_iterable(near)])

    def texts(self) -> Iterator[dict[str, Any]]:
        """Yield other values of the unordered fields, and variations of the texts on either side of the claim."""
        known = [vary_unordered(self._space, cause) for cause in self._causes]
        yield from _weave([*known, *self._text_variations()])

    def _text_variations(self) -> list[Iterator[dict[str, Any]]]:
        """Return variations of each text that a term looks at.

        They start from a witness of the term, and from passing runs that miss only one condition on the text.
        """
        found = []
        for term, (start, *_) in self._witnesses:
            for literal in term:
                for name in fields_of(literal.field):
                    if name in self._space and isinstance(self._space[name], Text):
                        missing = (one for one in self._passed if misses_only(term, literal, one))
                        found += [self._vary_text(one, name) for one in (start, *islice(missing, 1))]
        return found

    def _vary_text(self, start: Configuration, name: str) -> Iterator[dict[str, Any]]:
        """Yield a run with variations of a text: padded, joined with words of the study, then all others at random."""
        text = start[name]
        if not isinstance(text, str) or len(text) > TUNING.max_similar_text:
            return
        words = {
            value: None
            for other in self._space
            if other != name and not self._space[other].ordered
            for value in self._space[other].values
            if isinstance(value, str) and value
        }
        joined = [made for word in islice(words, TUNING.max_shared_values) for made in (word + text, text + word)]
        others = [*vary_text(text), *(word for word in self._basis.domain if isinstance(word, str))]
        for value in [*pad_text(text), *joined, *(others[int(i)] for i in self._rng.permutation(len(others)))]:
            yield {**start, name: value}

    # Random runs

    def near(self) -> Iterator[dict[str, Any]]:
        """Yield failing runs in which one or two named fields have other values, on whichever side that is."""
        starts = [one for _, mine in self._witnesses for one in mine]
        for turn in range(TUNING.draws_per_run * TUNING.near_runs if starts and self._named else 0):
            start = starts[int(self._rng.integers(len(starts)))]
            names = self._rng.choice(self._named, size=min(1 + turn % 2, len(self._named)), replace=False)
            yield {**start, **{str(name): self._sampling.pick_any(str(name)) for name in names}}

    def near_misses(self) -> Iterator[dict[str, Any]]:
        """Yield variations of passing runs that fulfil all conditions of a term except one.

        Such a run shows that this condition is needed: without it, the claim would predict that the run fails.
        """
        for term in self._claim.terms:
            for literal in term if len(term) > 1 else ():
                rest = [other for other in term if other is not literal]
                near = (one for one in self._passed if all(other.holds(one) for other in rest))
                for one in islice(near, TUNING.needed_runs):
                    yield self._sampling.vary_rest(one)
        for edge in self._basis.edges:
            yield self._sampling.vary_rest(edge.fails)
            yield self._sampling.vary_rest(edge.passes)

    def inside(self) -> Iterator[dict[str, Any]]:
        for _ in range(TUNING.draws_per_run * TUNING.inside_runs):
            for term, mine in self._witnesses:
                yield self._sampling.draw_like(mine, term.holds)

    def outside(self) -> Iterator[dict[str, Any]]:
        """Yield independent random configurations outside of the claim.

        The fields get ordinary and exceptional values alike, so that the share of failures says something about both.
        """
        for _ in range(TUNING.draws_per_run * TUNING.outside_runs):
            one = self._sampling.draw_any()
            if not self._claim.holds(one):
                yield one


Family = Callable[[Challenger], Iterator[Mapping[str, Any]]]
FAMILIES: dict[str, tuple[Family, int, int]] = {
    "constants": (Challenger.constants, 2, TUNING.constant_runs),
    "signs": (Challenger.signs, 1, TUNING.sign_runs),
    "analogy": (Challenger.analogy, 1, TUNING.analogy_runs),
    "units": (Challenger.units, 1, TUNING.unit_runs),
    "multiples": (Challenger.multiples, 8, TUNING.multiple_runs),
    "border": (Challenger.border, 2, TUNING.border_runs),
    "sweep": (Challenger.sweep, 4, TUNING.sweep_runs),
    "ends": (Challenger.ends, 1, TUNING.end_runs),
    "corners": (Challenger.corners, 2, TUNING.max_corners),
    "options": (Challenger.option_pairs, 2, TUNING.option_runs),
    "plain": (Challenger.plain, 1, TUNING.plain_runs),
    "slices": (Challenger.slices, 2, TUNING.slice_challenges),
    "periods": (Challenger.periods, 1, TUNING.period_runs),
    "neighbours": (Challenger.neighbours, 1, TUNING.neighbour_runs),
    "domain": (Challenger.domain, 1, TUNING.domain_runs),
    "unnamed": (Challenger.unnamed_fields, 2, TUNING.unnamed_runs),
    "texts": (Challenger.texts, 1, TUNING.text_runs),
    "near": (Challenger.near, 2, TUNING.near_runs),
    "needed": (Challenger.near_misses, 1, TUNING.needed_limit),
    "inside": (Challenger.inside, 1, TUNING.inside_runs),
    "outside": (Challenger.outside, 2, TUNING.outside_runs),
}
"""The families, each with its weight (the runs taken from it in a turn) and its limit."""


# Parts of a claim


def places_needed(field: str) -> int:
    """Return the number of places in which the border of a field or quantity must be confirmed."""
    if not isinstance(field, Quantity):
        return TUNING.field_places
    return TUNING.contrived_places if is_contrived(field) else TUNING.quantity_places


def is_contrived(quantity: Quantity) -> bool:
    """Return True if a quantity is longer than what code usually compares, or uses a field twice.

    A quantity that the user has defined is not contrived.
    """
    if quantity.op == "derived":
        return False
    names = [part for inner in inner_quantities(quantity) for part in inner.parts if part in quantity.fields]
    return len(names) > len(set(names)) or len(names) > TUNING.max_plain_fields


def _equated_fields(field: str) -> list[tuple[str, str]]:
    """Return the two numbers that a quantity compares for being equal, the one that is a multiple of the other first.

    If no one is, both orders are returned; if the quantity does not compare two numbers in this way, none.
    """
    if not isinstance(field, Quantity) or field.op not in ("abs", "!=") or len(field.fields) != 2:
        return []
    one, other = field.fields
    multiplied = [part.fields for part in inner_quantities(field) if part.op == "*" and len(part.fields) == 1]
    return [pair for pair in ((one, other), (other, one)) if not multiplied or pair[1] in multiplied[0]]


def _parts(term: Term) -> list[dict[str, Any]]:
    """Return a value of a field for each value that a term lists; only an empty one if it lists no values."""
    fields = [literal for literal in term if not isinstance(literal.field, Quantity)]
    listed = [literal for literal in fields if literal.listed and len(literal.alternatives) > 1]
    return [{atom.field: atom.value} for literal in listed for atom in _atoms(literal)] or [{}]


def periods_of(field: str) -> Iterator[tuple[str, int]]:
    """Yield the fields inside of a quantity that are under a remainder or a bit, with the period."""
    for inner in inner_quantities(field):
        if inner.op in ("%", "&") and isinstance(inner.parts[1], int):
            period = inner.parts[1] if inner.op == "%" else 2 * inner.parts[1]
            yield from ((name, period) for name in inner.fields)


def _move(term: Term, witnesses: Sequence[Configuration], name: str, value: Any) -> dict[str, Any]:
    """Return a witness with another value of a field, one in which the other conditions of the term hold if possible.

    A quantity such as ``rows + columns`` changes with the field, so not every witness will do.
    """
    rest = [literal for literal in term if literal.field != name]
    moved = [{**one, name: value} for one in reversed(witnesses)]
    return next((one for one in moved if all(literal.holds(one) for literal in rest)), moved[0])


def _atoms(literal: Literal) -> Iterator[Atom]:
    for conjunction in literal.alternatives:
        yield from conjunction


def misses_only(term: Term, literal: Literal, configuration: Configuration) -> bool:
    """Return True if a configuration fulfils all conditions of a term except one."""
    return not literal.holds(configuration) and all(
        other.holds(configuration) for other in term if other is not literal
    )


def _pairs_with(names: Sequence[str], named: Set[str]) -> list[tuple[str, str]]:
    """Return the pairs of names, in their order, of which at least one is in ``named``.

    There may be thousands of names, and millions of other pairs, which are not looked at.
    """
    found, later = [], [name for name in names if name in named]
    for at, one in enumerate(names):
        if one in named:
            later.remove(one)
        found += [(one, other) for other in (names[at + 1 :] if one in named else later)]
    return found


def _term_fields(term: Term) -> list[str]:
    return [name for literal in term for name in fields_of(literal.field)]


def _weave(streams: Sequence[Iterable[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Yield one item of each stream in turn until all are exhausted."""
    waiting = [iter(stream) for stream in streams]
    while waiting:
        for stream in [*waiting]:
            try:
                yield next(stream)
            except StopIteration:
                waiting.remove(stream)
