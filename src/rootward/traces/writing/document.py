"""A whole model: its names and constants, then its components, written out or made from a declaration of UDS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rootward.traces.guard import Value, duration
from rootward.traces.model import UNKNOWN, Component, Model, Unknown
from rootward.traces.writing import raw, uds
from rootward.traces.writing.ecus import own_ecu
from rootward.traces.writing.expressions import KEYWORDS, Constant, Scope, constant, span
from rootward.traces.writing.made import Made
from rootward.traces.writing.nodes import Node, nearest, plain
from rootward.traces.writing.requirements import texts
from rootward.traces.writing.tokens import Span, number

_KEYS = ("model", "params", "vars", "clocks", "requirements", "components", *uds.KEYS)
_NAME = re.compile(r"[A-Za-z_]\w*")


def compile_model(node: Node, params: Mapping[str, object]) -> Model:
    """The model that a document describes, with these parameters instead of its own."""
    parts = node.only("a model", _KEYS)
    if "model" not in parts or not ("components" in parts or "services" in parts):
        raise node.wrong("a model has a name, `model`, and `components` or `services`")
    constants = _constants(parts, params)
    clocks = _clocks(parts, constants)
    spelling = uds.spelling if "services" in parts else str
    variables = _variables(parts, Scope(constants=constants, spelling=spelling))
    _distinct(node, [*constants, *variables, *clocks], "parameters, variables and clocks")
    scope = Scope(frozenset(variables), frozenset(clocks), constants, spelling=spelling)
    made = uds.compile_uds(parts, scope) if "services" in parts else Made()
    written = parts["components"].entries("components by their names") if "components" in parts else {}
    return Model(
        parts["model"].text("the name of the model"),
        _different(node, [*made.components, *(raw.component(name, one, scope) for name, one in written.items())]),
        {**variables, **made.variables},
        {**clocks, **made.clocks},
        texts(node),
        {name: duration(one.microseconds) if isinstance(one, Span) else one for name, one in constants.items()},
        "services" in parts and "components" not in parts and not own_ecu(parts),
    )


def _constants(parts: Mapping[str, Node], given: Mapping[str, object]) -> dict[str, Constant]:
    own = parts["params"].entries("parameters and their values") if "params" in parts else {}
    for name in given:
        if name not in own:
            raise parts["model"].wrong(f"the model has no parameter {name!r}: {nearest(name, own)}")
    found: dict[str, Constant] = {}
    for name, node in own.items():
        value = constant(node, Scope(constants=found))
        if name in given:
            value = _given(name, given[name], value, found)
        found[_name(name, node)] = value
    return found


def _given(name: str, said: object, usual: Constant, found: Mapping[str, Constant]) -> Constant:
    """What the caller says instead. A text may be a number here: the command line has nothing else."""
    node = plain(said, f"the parameter {name}")
    node = node.part(node.text("a value"))
    value = constant(node, Scope(constants=found))
    if isinstance(usual, Span) and (isinstance(value, str) or (isinstance(value, Span) and value.microseconds < 0)):
        raise node.wrong(f"expected a span of time such as {duration(usual.microseconds)}, not {said!r}")
    return value


def _clocks(parts: Mapping[str, Node], constants: Mapping[str, Constant]) -> dict[str, int | Unknown]:
    if (node := parts.get("clocks")) is None:
        return {}
    if not isinstance(node.value, dict):
        return {_name(one.text("the name of a clock"), one): UNKNOWN for one in node.items("a list of clocks")}
    scope = Scope(constants=constants)
    return {
        _name(name, one): UNKNOWN if one.value == "unknown" else span(one, scope) for name, one in node.value.items()
    }


def _variables(parts: Mapping[str, Node], scope: Scope) -> dict[str, Value | Unknown]:
    own = parts["vars"].entries("variables and their values") if "vars" in parts else {}
    return {_name(name, node): _value(node, scope) for name, node in own.items()}


def _value(node: Node, scope: Scope) -> Value | Unknown:
    text = node.text("the value of a variable: a number, a text or `unknown`")
    if node.quoted:
        return scope.spelling(text)
    if text == "unknown":
        return UNKNOWN
    value = scope.constants.get(text, number(text.removeprefix("-")))
    if isinstance(value, Span):
        raise node.wrong(f"{text!r} is a span of time: a variable holds a number or a text")
    if value is None:
        return scope.spelling(text)
    return -value if text.startswith("-") and isinstance(value, int) else value


def _name(name: str, node: Node) -> str:
    if not _NAME.fullmatch(name) or name in KEYWORDS:
        raise node.wrong(f"{name!r} is no name: letters, digits and _, none of {', '.join(sorted(KEYWORDS))}")
    return name


def _distinct(node: Node, names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise node.wrong(f"{name!r} is there twice: {what} need different names")
        seen.add(name)


def _different(node: Node, components: list[Component]) -> tuple[Component, ...]:
    _distinct(node, (one.name for one in components), "components")
    if not components:
        raise node.wrong("a model has at least one component or service")
    return tuple(components)
