"""Runs that could refute a claim: where it says that it fails, where it says that it passes, and at its border.

None of them was used to make the claim. Three ideas say which runs these are:

* *Walks.* The fields that the claim does not name get any value, exceptional and ordinary ones alike, for the claim is
  that they do not matter. Those that it names are walked: from a run that is known to lie inside, a field at a time
  takes a value of another run, one from its list or a random one, and the step is kept if it does not leave the region.
  So a region is met however small it is (``Sampling``).
* *Unordered values* have no neighbours that show where a condition ends, so others are tried one by one. Of a list, all
  that were not tried. Of texts, of which there is no end: those that a recording has in the same place, and those that
  differ from the one in the condition by little, as code that looks at a part of it or ignores its case would show.
* *Small spaces* can be run completely. Then a condition is no guess any more, but a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Cause, claim_of
from rootward.rules import Rule
from rootward.searches.conditions.rule_finding import Edge
from rootward.space.candidate import Configuration, key_of
from rootward.space.exceptional_values import TEXTS
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space, Text

if TYPE_CHECKING:
    import numpy as np


Stays = Callable[[Configuration], bool]


def fresh_runs(
    space: Space,
    causes: Sequence[Cause],
    known: Mapping[str, tuple[Configuration, bool]],
    edges: Sequence[Edge],
    *,
    never: Rule | None,
    rng: np.random.Generator,
    key: Callable[[Configuration], str],
) -> list[tuple[str, dict[str, Any]]]:
    """Configurations that are not ``known`` yet, each with where it lies: first all outside, then inside, then border.

    ``edges`` are pairs of runs next to the border; the fields that do not matter are changed in them, and in runs that
    show that a condition is needed. Of a field without an order that the claim names, other values are tried.
    """
    claim = claim_of(causes)
    sampling = Sampling(space, claim, known=known, never=never, rng=rng, key=key)
    each = max(2, TUNING.inside_runs // max(1, len(causes)))
    inside = [one for cause in causes for one in _inside(sampling, cause, known, each)]
    passed = [one for one, fails in known.values() if not fails and not claim.holds(one)]
    anywhere = [one for one in (space.sample(rng) for _ in range(TUNING.outside_runs)) if not claim.holds(one)]
    outside = sampling.outside([*passed, *anywhere], TUNING.outside_runs)
    moved = [sampling.elsewhere(side) for edge in edges for side in (edge.fails, edge.passes)]
    border = [one for one in moved if sampling.new(one)][: TUNING.border_runs]
    border += [one for one in map(sampling.elsewhere, _needing(claim, passed)) if sampling.new(one)]
    others = [one for cause in causes for one in beside(space, cause) if sampling.new(one)]
    outside += [one for one in others if not claim.holds(one)]
    inside += [one for one in others if claim.holds(one)]
    parts = {"outside": outside, "inside": inside, "border": border}
    return [(part, one) for part, group in parts.items() for one in group]


def _needing(claim: Rule, passed: Sequence[Configuration]) -> Iterator[Configuration]:
    """For each condition of the claim, runs that passed though all others of its term hold: without it, they would be
    said to fail."""
    for term in claim.terms:
        for literal in term if len(term) > 1 else ():
            rest = [other for other in term if other is not literal]
            yield from islice((one for one in passed if all(other.holds(one) for other in rest)), TUNING.needed_runs)


def _inside(
    sampling: Sampling, cause: Cause, known: Mapping[str, tuple[Configuration, bool]], wanted: int
) -> list[dict[str, Any]]:
    """Runs inside of one cause, from those that showed it."""
    shown = [one for one, fails in known.values() if fails and cause.rule.holds(one)]
    return sampling.inside([cause.example, *shown], wanted)


# Walks


class Sampling:
    """Draws configurations of a space for one claim."""

    def __init__(
        self,
        space: Space,
        rule: Rule,
        *,
        known: Iterable[str],
        never: Rule | None,
        rng: np.random.Generator,
        key: Callable[[Configuration], str] = key_of,
    ) -> None:
        """``known``: the keys of what need not be drawn, as ``key`` makes them."""
        self._space, self._rule, self._never, self._rng, self._key = space, rule, never, rng, key
        self._named = [name for name in rule.fields if name in space]
        self._rest = [name for name in space.names if name not in set(self._named)]
        self._drawn = set(known)

    def inside(self, start: Sequence[Configuration], wanted: int) -> list[dict[str, Any]]:
        """New configurations where the claim holds, each from one of ``start``, which lie there."""
        return self._walked(start, wanted, self._rule.holds)

    def outside(self, start: Sequence[Configuration], wanted: int) -> list[dict[str, Any]]:
        """The same where it does not hold."""
        return self._walked(start, wanted, lambda one: not self._rule.holds(one))

    def elsewhere(self, known: Configuration) -> dict[str, Any]:
        """The same values of all fields that the claim names, any others."""
        return self._ordered({**known, **{name: self._any(name) for name in self._rest}})

    def new(self, configuration: Configuration) -> bool:
        """Whether it was not drawn before, and may be run."""
        name = self._key(configuration)
        if name in self._drawn or (self._never is not None and self._never.holds(configuration)):
            return False
        self._drawn.add(name)
        return True

    def _walked(self, start: Sequence[Configuration], wanted: int, stays: Stays) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        draws = range(wanted * TUNING.draws_per_run if start else 0)
        for _, one in zip(draws, self._walks(start, stays), strict=False):
            if len(found) == wanted:
                break
            if self.new(one):
                found.append(one)
        return found

    def _walks(self, start: Sequence[Configuration], stays: Stays) -> Iterator[dict[str, Any]]:
        while True:
            known = start[int(self._rng.integers(len(start)))]
            named = {name: known[name] for name in self._named}  # all that the claim looks at
            for name in [*self._named] * TUNING.walk_steps:
                changed = {**named, name: self._other(name, start)}
                if self._rng.random() < 0.5 and stays(changed):
                    named = changed
            yield self.elsewhere({**known, **named})

    def _other(self, name: str, known: Sequence[Mapping[str, Any]]) -> Any:
        return known[int(self._rng.integers(len(known)))][name] if self._rng.random() < 1 / 3 else self._any(name)

    def _any(self, name: str) -> Any:
        """Any value of a field; every other time one from its list."""
        field = self._space[name]
        if self._rng.random() < 0.5:
            return field.values[int(self._rng.integers(len(field.values)))]
        return field.sample(self._rng)

    def _ordered(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values[name] for name in self._space}


# Values without an order


def beside(space: Space, cause: Cause) -> Iterator[dict[str, Any]]:
    """The example of a cause, with other values in one of its fields that have no order."""
    for name in cause.rule.fields:
        if name in space and not isinstance(space[name], Int | Float):
            for value in values_beside(space[name], constants_of(cause.rule, name)):
                yield {**cause.example, name: value}


def values_beside(field: Field, constants: Iterable[Any]) -> Sequence[Any]:
    """The values to try beside these constants."""
    if not isinstance(field, Text):
        return field.values[: TUNING.max_listed_values]
    recorded = [text for text in field.values if text not in TEXTS]
    made = [text for constant in constants if isinstance(constant, str) for text in similar_texts(constant)]
    return list(dict.fromkeys([*recorded[: TUNING.max_listed_values], *made]))


def similar_texts(text: str) -> list[str]:
    """Texts that differ from this one by little."""
    if not 0 < len(text) <= TUNING.max_similar_text:
        return []
    made = dict.fromkeys([text.lower(), text.upper(), f"{text}x", f" {text}", text[:-1], text[1:]])
    return [one for one in made if one not in ("", text)]


def constants_of(rule: Rule, name: str) -> list[Any]:
    """What a rule compares a field with."""
    literals = [literal for term in rule.terms for literal in term if literal.field == name]
    atoms = [atom for literal in literals for conjunction in literal.alternatives for atom in conjunction]
    return list({canonical(atom.value): atom.value for atom in atoms}.values())


# Small spaces


def left_to_run(
    space: Space, known: Collection[str], *, never: Rule | None, key: Callable[[Configuration], str], spent: int
) -> list[dict[str, Any]] | None:
    """What has to be run until all of the space is known; None if that is too much after ``spent`` trials."""
    if not countable(space):
        return None
    most = max(TUNING.rest_runs, spent // TUNING.rest_divisor)
    found = list(islice((one for one in everything(space, never) if key(one) not in known), most + 1))
    return found if len(found) <= most else None


def everything(space: Space, never: Rule | None = None) -> Iterator[dict[str, Any]]:
    """All configurations of a countable space that may be run."""
    for values in product(*(_members(space[name]) for name in space)):
        one = dict(zip(space, values, strict=True))
        if never is None or not never.holds(one):
            yield one


def by_side(runs: Iterable[dict[str, Any]], claim: Rule) -> list[tuple[str, dict[str, Any]]]:
    """The runs with where they lie: first all outside of the claim, then inside."""
    sides = [("inside" if claim.holds(one) else "outside", one) for one in runs]
    return sorted(sides, key=lambda side: side[0] == "inside")


def agrees(claim: Rule, known: Iterable[tuple[Configuration, bool]]) -> bool:
    """Whether all that was run did what the claim says."""
    return all(claim.holds(one) is fails for one, fails in known)


def countable(space: Space) -> bool:
    """Whether all configurations can be looked through; neighbouring floats are never few."""
    dense = any(isinstance(field, Float) and field.step is None for _, field in space.items())
    return not dense and space.size <= TUNING.max_space


def _members(field: Field) -> Iterable[Any]:
    if isinstance(field, Int):
        return range(field.lo, field.hi + 1)
    if isinstance(field, Float):
        first, last = field.steps
        return map(field.multiple, range(first, last + 1))
    return field.values
