"""Where nothing is run: what cannot be, and what is known to fail already."""

from __future__ import annotations

from typing import Any

import numpy as np

from rootward.candidate import Origin
from rootward.design import Box, forbidden
from rootward.errors import InputError
from rootward.fields import show
from rootward.rules import Rule
from rootward.searches.exploration.dictionary import Change, Changes, Dictionary, change

TRIES = 60
"""How often the fields that a rule names are drawn anew before a candidate is given up."""


class Barred:
    """A candidate for which a rule holds is repaired: only the fields that the rule names are drawn anew."""

    def __init__(self, rule: Rule | None, dictionary: Dictionary, rng: np.random.Generator) -> None:
        self._rule, self._dictionary, self._rng = rule, dictionary, rng
        at = {name: i for i, name in enumerate(dictionary.names)}
        self._named = {name: at[name] for name in (rule.fields if rule is not None else ())}
        self._beside = {i: self._constants(name, i) for name, i in self._named.items()}

    def _constants(self, name: str, i: int) -> list[Any]:
        """The values that the rule compares the field with, and integers beside them: there it begins and ends."""
        terms = self._rule.terms if self._rule is not None else ()
        literals = [literal for term in terms for literal in term if literal.field == name]
        named = [atom.value for literal in literals for one in literal.alternatives for atom in one]
        near = [value + step for value in named for step in (-1, 1) if type(value) is int]
        return [value for value in (*named, *near) if self._dictionary.fields[i].contains(value)]

    def holds(self, base: Origin, changes: Changes) -> bool:
        if self._rule is None:
            return False
        values = {name: changes[i][0] if i in changes else base.values[name] for name, i in self._named.items()}
        return self._rule.holds(values)

    def repaired(self, base: Origin, changes: Changes) -> Changes | None:
        """Changes for which the rule does not hold; None if none were found."""
        for _ in range(TRIES):
            if not self.holds(base, changes):
                return changes
            changes = {**changes, **{i: self._drawn(i, base.values[name]) for name, i in self._named.items()}}
        return None

    def _drawn(self, i: int, usual: Any) -> Change:
        field, listed = self._dictionary.fields[i], self._dictionary.values[i]
        ways = [[usual], listed, self._beside[i] or listed, [field.sample(self._rng)]]
        values = ways[int(self._rng.integers(len(ways)))]
        return change(field.coerce(values[int(self._rng.integers(len(values)))]))

    @property
    def boxes(self) -> list[Box]:
        """What a covering array has to avoid. A rule about a quantity of several fields is no box of values: rows for
        which it holds are repaired, as all others."""
        if self._rule is None or any(one.field not in self._named for term in self._rule.terms for one in term):
            return []
        return forbidden(self._dictionary.names, self._dictionary.values, self._rule)


def either(names: tuple[str, ...], **rules: Rule | None) -> Rule | None:
    """The rule that holds where one of these does; InputError if one is no rule over such fields."""
    given = {word: rule for word, rule in rules.items() if rule is not None}
    for word, rule in given.items():
        if not isinstance(rule, Rule):
            raise InputError(f"{word} is a Rule, not {show(rule)}")
        if unknown := [name for name in rule.fields if name not in names]:
            raise InputError(f"{word} names {unknown[0]!r}, which is no field of the space")
    return Rule.of_terms(term for rule in given.values() for term in rule.terms) if given else None
