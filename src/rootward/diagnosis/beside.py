"""Values without an order have no neighbours that show where a condition ends. So others are tried, one by one.

Of a list, all that were not tried. Of texts, of which there is no end: those that a recording has in the same place,
and those that differ from the one in the condition by little, as code that looks at a part of it or ignores its case
would show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rootward.candidate import Configuration
from rootward.diagnosis.diagnosis import Cause
from rootward.keys import canonical
from rootward.rules import Rule
from rootward.rules.text import field_text
from rootward.searches.conditions.rule_finding import untried
from rootward.space import Field, Float, Int, Space, Text
from rootward.values import TEXTS
from rootward.words import count

MOST = 64
"""So many values of a list are tried."""
LONG = 200
"""Nothing is made of longer texts."""


def beside(space: Space, cause: Cause) -> Iterator[dict[str, Any]]:
    """The example of a cause, with other values in one of its fields that have no order."""
    for name in cause.rule.fields:
        if name in space and not isinstance(space[name], Int | Float):
            for value in others(space[name], _constants(cause.rule, name)):
                yield {**cause.example, name: value}


def others(field: Field, constants: Iterable[Any]) -> Sequence[Any]:
    """The values to try beside these constants."""
    if not isinstance(field, Text):
        return field.values[:MOST]
    recorded = [text for text in field.values if text not in TEXTS]
    made = [text for constant in constants if isinstance(constant, str) for text in alike(constant)]
    return list(dict.fromkeys([*recorded[:MOST], *made]))


def alike(text: str) -> list[str]:
    """Texts that differ from this one by little."""
    if not 0 < len(text) <= LONG:
        return []
    made = dict.fromkeys([text.lower(), text.upper(), f"{text}x", f" {text}", text[:-1], text[1:]])
    return [one for one in made if one not in ("", text)]


def tried(space: Space, rule: Rule, known: Sequence[Configuration]) -> list[str]:
    """How many texts were tried where the rule names one, in sentences."""
    texts = [name for name in rule.fields if name in space and isinstance(space[name], Text)]
    return [f"As {field_text(name)}, {count(_count(name, known), 'text')} were tried." for name in texts if known]


def left_open(space: Space, rule: Rule, looked: Iterable[str], known: Sequence[Configuration]) -> Iterator[str]:
    """What was not tried of values without an order, in sentences. ``looked``: the fields that the rule was learnt on;
    another one that it does not name is known not to matter."""
    for name in space.names if known else ():
        field = space[name]
        if isinstance(field, Int | Float):
            continue
        if isinstance(field, Text):
            # One was made from the other here: so the condition is about more than the texts that it names.
            named = [text for text in _constants(rule, name) if isinstance(text, str)]
            if any(made in named for text in named for made in alike(text)):
                yield f"For which other texts as {field_text(name)} it fails is not known."
        elif name in set(looked) and _count(name, known) < len(field.values):
            yield untried(name, field, (one[name] for one in known))


def _count(name: str, known: Iterable[Configuration]) -> int:
    return len({canonical(one[name]) for one in known})


def _constants(rule: Rule, name: str) -> list[Any]:
    """What a rule compares a field with."""
    literals = [literal for term in rule.terms for literal in term if literal.field == name]
    atoms = [atom for literal in literals for conjunction in literal.alternatives for atom in conjunction]
    return list({canonical(atom.value): atom.value for atom in atoms}.values())
