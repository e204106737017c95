"""Draw configurations for a claim: inside of it, anywhere, variations of texts, and all that is left of a small space.

Random configurations would hardly ever lie inside, because failures are rare. So a configuration inside is the end of a
*walk* (``Sampling``). Fields that the claim does not name get any value, exceptional or ordinary: the claim says that
they do not matter. The fields that it names take a walk that starts at a known run on the wanted side: one field
after another gets a value of another known run, one from its list or a random one, and the change is kept if it does
not cross to the other side. So even a very small region is reached.

Unordered values have no neighbours that show where a condition ends, so other values are tried one by one. If a field
has a list of values, these are the untried ones. Texts cannot be listed, so the texts recorded in the same field are
tried, and small variations of the text in the condition (``vary_unordered``).

Small spaces are run completely (``left_to_run``). Then the condition is proved.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause
from rootward.rules import Quantity, Rule
from rootward.rules.quantity import fields_of
from rootward.space.candidate import Configuration, key_of
from rootward.space.exceptional_values import TEXTS
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space, Text

if TYPE_CHECKING:
    import numpy as np


_INSERTED = "aZ0 -_./:,'\"%&<\\\n\t\0\x1b\xe9\u4e2d"
_LAST_BITS = (1 - 8 * sys.float_info.epsilon, 1 + 8 * sys.float_info.epsilon)
StaysInRegion = Callable[[Configuration], bool]


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
        """``known``: the keys of configurations that must not be drawn again, as computed by ``key``."""
        self._space, self._rule, self._never, self._rng, self._key = space, rule, never, rng, key
        self._named = [name for name in rule.fields if name in space]
        self._rest = [name for name in space.names if name not in set(self._named)]
        self._drawn = set(known)

    def draw_any(self) -> dict[str, Any]:
        """Return an independent random configuration, of ordinary and exceptional values."""
        return {name: self.pick_any(name) for name in self._space}

    def draw_evenly(self) -> dict[str, Any]:
        """Return a random configuration, each field drawn evenly from its whole range."""
        return {name: field.at(float(self._rng.random()), scale="even") for name, field in self._space.items()}

    def draw_like(self, start: Sequence[Configuration], stays: StaysInRegion) -> dict[str, Any]:
        """Return a random configuration of a region: the end of a walk from one of the configurations in ``start``."""
        known = start[int(self._rng.integers(len(start)))]
        named = {name: known[name] for name in self._named}  # all that the claim looks at
        for name in [*self._named] * TUNING.walk_steps:
            changed = {**known, **named, name: self._pick_other(name, start)}
            if self._rng.random() < 0.5 and stays(changed):
                named[name] = changed[name]
        return self.vary_rest({**known, **named})

    def vary_rest(self, known: Configuration) -> dict[str, Any]:
        """Return a copy of ``known`` in which the fields that the claim does not name get random values."""
        return self._order_fields({**known, **{name: self.pick_any(name) for name in self._rest}})

    def vary_rest_allowed(self, known: Configuration) -> dict[str, Any]:
        """Return a variation as ``vary_rest`` does, one that may be run if a few attempts find one."""
        drawn = (self.vary_rest(known) for _ in range(TUNING.max_redraws))
        return next((one for one in drawn if self.is_allowed(one)), self.vary_rest(known))

    def is_allowed(self, configuration: Configuration) -> bool:
        return self._never is None or not self._never.holds(configuration)

    def is_new(self, configuration: Configuration) -> bool:
        """Return True if the configuration was not drawn before and may be run. If so, remember it as drawn."""
        name = self._key(configuration)
        if name in self._drawn or not self.is_allowed(configuration):
            return False
        self._drawn.add(name)
        return True

    def _pick_other(self, name: str, known: Sequence[Mapping[str, Any]]) -> Any:
        return known[int(self._rng.integers(len(known)))][name] if self._rng.random() < 1 / 3 else self.pick_any(name)

    def pick_any(self, name: str) -> Any:
        """Return a random value of a field. With probability 1/2, it is taken from the field's list of values.

        Otherwise, a text is a variation of one in the list.
        """
        field = self._space[name]
        if self._rng.random() < 0.5:
            return field.values[int(self._rng.integers(len(field.values)))]
        return self.vary_value(name, field.sample(self._rng))

    def vary_value(self, name: str, value: Any) -> Any:
        """Return a random variation of a text; any other value as it is."""
        if not isinstance(self._space[name], Text) or len(value) > TUNING.max_similar_text:
            return value
        made = [*pad_text(value), *vary_text(value)]
        return made[int(self._rng.integers(len(made)))]

    def _order_fields(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values[name] for name in self._space}


# Values without an order


def vary_unordered(space: Space, cause: FailureCause) -> Iterator[dict[str, Any]]:
    """Yield copies of the example of a cause, each with another value in one unordered field of the cause."""
    for name in cause.rule.fields:
        if name in space and not isinstance(space[name], Int | Float):
            for value in _other_values(space[name], constants_of(cause.rule, name)):
                yield {**cause.example, name: value}


def _other_values(field: Field, constants: Iterable[Any]) -> Sequence[Any]:
    """Return values to try in an unordered field. ``constants``: the values that a rule compares the field with."""
    if not isinstance(field, Text):
        return field.values[: TUNING.max_listed_values]
    recorded = [text for text in field.values if text not in TEXTS]
    made = [text for constant in constants if isinstance(constant, str) for text in similar_texts(constant)]
    return list(dict.fromkeys([*recorded[: TUNING.max_listed_values], *made]))


def similar_texts(text: str) -> list[str]:
    """Return small variations of a text."""
    if not 0 < len(text) <= TUNING.max_similar_text:
        return []
    made = dict.fromkeys([text.lower(), text.upper(), f"{text}x", f" {text}", text[:-1], text[1:]])
    return [one for one in made if one not in ("", text)]


def pad_text(text: str) -> list[str]:
    """Return a text with a line feed or a space around it: code often overlooks them, or removes them."""
    return [f"{text}\n", f"{text} ", f" {text}"]


def vary_text(text: str) -> list[str]:
    """Return variations of a text: changed, doubled or reversed, and with a character of each kind at each place."""
    made = [text.lower(), text.upper(), text.swapcase(), text + text, text[::-1], text[:-1], text[1:], ""]
    for char in _INSERTED:
        made += [text[:place] + char + text[place:] for place in (0, len(text) // 2, len(text))]
    return [one for one in dict.fromkeys(made) if one != text]


def constants_of(rule: Rule, name: str) -> list[Any]:
    """Return the constants that a rule compares a field with."""
    literals = [literal for term in rule.terms for literal in term if literal.field == name]
    atoms = [atom for literal in literals for conjunction in literal.alternatives for atom in conjunction]
    return list({canonical(atom.value): atom.value for atom in atoms}.values())


# Small spaces


def left_to_run(
    space: Space, known: Collection[str], *, never: Rule | None, key: Callable[[Configuration], str], most: int
) -> list[dict[str, Any]] | None:
    """Return the configurations that must still be run until the whole space is known; None if more than ``most``."""
    if not _is_countable(space):
        return None
    found = list(islice((one for one in all_configurations(space, never) if key(one) not in known), most + 1))
    return found if len(found) <= most else None


def all_configurations(space: Space, never: Rule | None = None) -> Iterator[dict[str, Any]]:
    """Yield all configurations of a space that may be run. The space must be small enough to be enumerated."""
    for values in product(*(members_of(space[name]) for name in space)):
        one = dict(zip(space, values, strict=True))
        if never is None or not never.holds(one):
            yield one


def sort_by_side(runs: Iterable[dict[str, Any]], claim: Rule) -> list[tuple[str, dict[str, Any]]]:
    """Return each run with its place: first all runs outside of the claim, then all inside."""
    sides = [("inside" if claim.holds(one) else "outside", one) for one in runs]
    return sorted(sides, key=lambda side: side[0] == "inside")


def agrees(claim: Rule, known: Iterable[tuple[Configuration, bool]]) -> bool:
    """Return True if no run contradicts the claim."""
    return not any(contradicts(claim, one, fails) for one, fails in known)


def contradicts(claim: Rule, configuration: Configuration, fails: bool) -> bool:
    """Return True if a run has another verdict than the claim predicts, and not only because of rounding."""
    return claim.holds(configuration) is not fails and not is_decided_by_rounding(claim, configuration)


def is_decided_by_rounding(claim: Rule, configuration: Configuration) -> bool:
    """Return True if the last bits of a float in a formula decide if the claim holds.

    Code that compares ``v * v / (2 * a)`` with ``gap`` rounds differently from ``v * v > 2 * a * gap``. A field that
    is compared on its own has no rounding.
    """
    literals = [literal for term in claim.terms for literal in term]
    alone = {literal.field for literal in literals if not isinstance(literal.field, Quantity)}
    inside = {name for one in literals if isinstance(one.field, Quantity) for name in fields_of(one.field)} - alone
    floats = [name for name in inside if isinstance(configuration.get(name), float)]
    predicted = claim.holds(configuration)
    beside = ({**configuration, name: configuration[name] * factor} for name in floats for factor in _LAST_BITS)
    return any(claim.holds(one) is not predicted for one in beside)


def _is_countable(space: Space) -> bool:
    """Return True if all configurations can be enumerated; a float without a step has too many values."""
    dense = any(isinstance(field, Float) and field.step is None for _, field in space.items())
    return not dense and space.size <= TUNING.max_space


def members_of(field: Field) -> Iterable[Any]:
    """Return all values of a field that has finitely many."""
    if isinstance(field, Int):
        return range(field.lo, field.hi + 1)
    if isinstance(field, Float):
        first, last = field.steps
        return map(field.multiple, range(first, last + 1))
    return field.values
