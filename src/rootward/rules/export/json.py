"""Write rules as JSON and read them: ``{"any": [{"all": [{"field": "speed", "op": "<", "value": 0}, ...]}, ...]}``.

Besides the six operators there is ``in`` with a list of ``values``, so that a product of sets stays short. A quantity
can take the place of the name of a field: ``{"op": "abs", "parts": ["speed"]}``. A part of a quantity that is a text is
the name of a field; any other text is a constant: ``{"op": "contains", "parts": ["path", {"constant": "//"}]}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from rootward.errors import InputError
from rootward.rules.atoms import Atom
from rootward.rules.predicates import TextConstant
from rootward.rules.quantity import Part, Quantity
from rootward.rules.terms import Conjunction, Literal, Term, conjoin
from rootward.space.values import from_json, to_json


def terms_to_dict(terms: Iterable[Term]) -> dict[str, Any]:
    return {"any": [{"all": [part for literal in term for part in _literal_to_list(literal)]} for term in terms]}


def _literal_to_list(literal: Literal) -> list[dict[str, Any]]:
    if len(literal.alternatives) == 1:
        return [_atom_to_dict(atom) for atom in literal.alternatives[0]]
    if literal.listed:
        values = [to_json(one.atoms[0].value) for one in literal.alternatives]
        return [{"field": _field_to_json(literal.field), "op": "in", "values": values}]
    return [{"any": [{"all": [_atom_to_dict(atom) for atom in one]} for one in literal.alternatives]}]


def _atom_to_dict(atom: Atom) -> dict[str, Any]:
    return {"field": _field_to_json(atom.field), "op": atom.op, "value": to_json(atom.value)}


def _field_to_json(part: Part | TextConstant) -> Any:
    """Convert a part to JSON.

    A name stays unchanged. A quantity becomes ``{"op": "*", "parts": ["width", "height"]}``.
    """
    if isinstance(part, Quantity):
        return {"op": part.op, "parts": [_field_to_json(one) for one in part.parts]}
    if isinstance(part, TextConstant):
        return {"constant": part.text}
    return part if isinstance(part, str) else {"constant": to_json(part)}


def _field(written: Any) -> Any:
    if isinstance(written, str):
        return written
    if "constant" in written:
        value = from_json(written["constant"])
        return TextConstant(value) if isinstance(value, str) else value
    return Quantity(written["op"], *map(_field, written["parts"]))


def terms_from_dict(written: Mapping[str, Any]) -> list[Term]:
    try:
        return [reduce(conjoin, map(_part, term["all"]), Term()) for term in written["any"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this is not a rule as Rule.to_dict() writes it: {error!r}") from error


def _part(part: Mapping[str, Any]) -> Term:
    if "any" in part:
        return _alternatives([Conjunction(map(_atom, choice["all"])) for choice in part["any"]])
    if part["op"] == "in":
        return Term.among({_field(part["field"]): [from_json(value) for value in part["values"]]})
    return Term.of([_atom(part)])


def _alternatives(choices: list[Conjunction]) -> Term:
    fields = {atom.field for choice in choices for atom in choice}
    if len(fields) != 1 or not all(choices):
        raise InputError("this is not a rule as Rule.to_dict() writes it: alternatives must be about one field")
    return Term([Literal(fields.pop(), choices)])


def _atom(part: Mapping[str, Any]) -> Atom:
    return Atom(_field(part["field"]), part["op"], from_json(part["value"]))
