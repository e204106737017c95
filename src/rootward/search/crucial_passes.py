"""The passing runs that an answer rests on: if one of them passed by chance, the answer is wrong.

A minimal part rests on the passes without each single one of its elements. A condition rests on the passes that
violate exactly one of its comparisons: they show that the comparison is needed, and where its border is. The others
would have to be wrong together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from rootward.rules import Rule, Term
from rootward.rules.atoms import Atom
from rootward.space.candidate import Configuration, Selection

C = TypeVar("C")
MAX_PASSES_PER_COMPARISON = 2
"""Maximum number of passes repeated for one comparison: those that were run last, which are nearest to its border."""


def passes_without_one(selection: Selection[Any], passes: Iterable[Selection[Any]]) -> list[Selection[Any]]:
    """Return the passing selections that lack exactly one of the kept elements."""
    smaller = [selection.without([i]) for i in selection.free]
    passed = {one.kept for one in passes}
    return [one for one in smaller if one.kept in passed]


def passes_beside_rule(rule: Rule, passes: Iterable[Configuration]) -> list[Configuration]:
    """Return the passing configurations, nearest to the border first, that violate only one comparison of a term."""
    beside: dict[tuple[Term, Atom], list[Configuration]] = {}
    for one in passes:
        for term in rule.terms:
            if (broken := _only_violation(term, one)) is not None:
                beside.setdefault((term, broken), []).append(one)
    chosen = [one for found in beside.values() for one in found[-MAX_PASSES_PER_COMPARISON:]]
    return list({id(one): one for one in chosen}.values())


def _only_violation(term: Term, configuration: Mapping[str, Any]) -> Atom | None:
    """Return the comparison that a configuration violates, if it violates exactly one part of the term."""
    broken = [literal for literal in term if not literal.holds(configuration)]
    if len(broken) != 1:
        return None
    atoms = [atom for one in broken[0].alternatives for atom in one if not atom.holds(configuration)]
    return atoms[0] if atoms else None
