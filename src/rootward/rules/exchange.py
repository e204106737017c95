"""Rules as JSON: ``{"any": [{"all": [{"field": "speed", "op": "<", "value": 0}, ...]}, ...]}``.

Beside the six operators there is ``in`` with a list of ``values``, so that a product of sets is written as it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rootward.errors import InputError
from rootward.plain import from_json, to_json
from rootward.rules.atoms import Atom, Conjunction
from rootward.rules.terms import Literal, Term, equalities


def terms_to_dict(terms: Iterable[Term]) -> dict[str, Any]:
    return {"any": [{"all": [part for literal in term for part in _literal_to_list(literal)]} for term in terms]}


def _literal_to_list(literal: Literal) -> list[dict[str, Any]]:
    if len(literal.alternatives) == 1:
        return [_atom_to_dict(atom) for atom in literal.alternatives[0]]
    if literal.listed:
        values = [to_json(one.atoms[0].value) for one in literal.alternatives]
        return [{"field": literal.field, "op": "in", "values": values}]
    return [{"any": [{"all": [_atom_to_dict(atom) for atom in one]} for one in literal.alternatives]}]


def _atom_to_dict(atom: Atom) -> dict[str, Any]:
    return {"field": atom.field, "op": atom.op, "value": to_json(atom.value)}


def terms_from_dict(written: Mapping[str, Any]) -> list[Term]:
    try:
        return [_term(term["all"]) for term in written["any"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this is not a rule as Rule.to_dict() writes it: {error!r}") from error


def _term(parts: Iterable[Mapping[str, Any]]) -> Term:
    atoms: dict[str, list[Atom]] = {}
    literals: list[Literal] = []
    for part in parts:
        if "any" in part:
            choices = [Conjunction(map(_atom, choice["all"])) for choice in part["any"]]
            literals.append(Literal(choices[0].atoms[0].field, choices))
        elif part["op"] == "in":
            literals.append(Literal(part["field"], equalities(part["field"], map(from_json, part["values"]))))
        else:
            atoms.setdefault(part["field"], []).append(_atom(part))
    return Term(literals + [Literal(field, [Conjunction(found)]) for field, found in atoms.items()])


def _atom(part: Mapping[str, Any]) -> Atom:
    return Atom(part["field"], part["op"], from_json(part["value"]))
