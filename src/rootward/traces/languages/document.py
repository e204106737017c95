"""Compile a whole model: its names and constants, then its components, written out or generated from UDS services.

A `Draft` is the same document written in Python, with a few lines for each service. It uses the same words as a file,
and the same compiler reads both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rootward.traces.languages.components import REASON, compile_component
from rootward.traces.languages.expressions import KEYWORDS, Constant, Scope, TimeSpan, constant, number, span
from rootward.traces.languages.nodes import Node, from_python, suggest
from rootward.traces.languages.uds import UDS_KEYS, Generated, compile_uds, own_ecu, spelling_of_bytes
from rootward.traces.model.guard import Value, format_duration
from rootward.traces.model.model import UNKNOWN, Component, Model, Unknown

_KEYS = ("model", "params", "vars", "clocks", "requirements", "components", *UDS_KEYS)
_NAME = re.compile(r"[A-Za-z_]\w*")


def compile_model(node: Node, params: Mapping[str, object]) -> Model:
    """Compile the model that a document describes.

    ``params`` replace the parameters that the document itself declares.
    """
    parts = node.checked_entries("a model", _KEYS)
    if "model" not in parts or not ("components" in parts or "services" in parts):
        raise node.error("a model needs `model`, its name, and `components` or `services`")
    constants = _constants(parts, params)
    clocks = _clocks(parts, constants)
    spelling = spelling_of_bytes if "services" in parts else str
    variables = _variables(parts, Scope(constants=constants, spelling=spelling))
    _check_distinct(node, [*constants, *variables, *clocks], "parameters, variables and clocks")
    scope = Scope(frozenset(variables), frozenset(clocks), constants, spelling=spelling)
    made = compile_uds(parts, scope) if "services" in parts else Generated()
    written = parts["components"].entries("components by their names") if "components" in parts else {}
    return Model(
        parts["model"].text("the name of the model"),
        _check_components(
            node, [*made.components, *(compile_component(name, one, scope) for name, one in written.items())]
        ),
        {**variables, **made.variables},
        {**clocks, **made.clocks},
        _requirements(node),
        {
            name: format_duration(one.microseconds) if isinstance(one, TimeSpan) else one
            for name, one in constants.items()
        },
        "services" in parts and "components" not in parts and not own_ecu(parts),
    )


def _constants(parts: Mapping[str, Node], given: Mapping[str, object]) -> dict[str, Constant]:
    own = parts["params"].entries("parameters and their values") if "params" in parts else {}
    for name in given:
        if name not in own:
            raise parts["model"].error(f"unknown parameter {name!r}: {suggest(name, own)}")
    found: dict[str, Constant] = {}
    for name, node in own.items():
        value = constant(node, Scope(constants=found))
        if name in given:
            value = _read_override(name, given[name], value, found)
        found[_name(name, node)] = value
    return found


def _read_override(name: str, given: object, default: Constant, found: Mapping[str, Constant]) -> Constant:
    """Read the value that the caller gives for a parameter.

    A text may stand for a number, because the command line passes only texts.
    """
    node = from_python(given, f"the parameter {name}")
    node = node.part(node.text("a value"))
    value = constant(node, Scope(constants=found))
    if isinstance(default, TimeSpan) and (
        isinstance(value, str) or (isinstance(value, TimeSpan) and value.microseconds < 0)
    ):
        raise node.error(f"expected a duration such as {format_duration(default.microseconds)}, got {given!r}")
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
    if isinstance(value, TimeSpan):
        raise node.error(f"{text!r} is a duration, but a variable holds a number or a text")
    if value is None:
        return scope.spelling(text)
    return -value if text.startswith("-") and isinstance(value, int) else value


def _name(name: str, node: Node) -> str:
    if not _NAME.fullmatch(name) or name in KEYWORDS:
        raise node.error(
            f"{name!r} is not a valid name: use letters, digits and _, start with a letter or _, and avoid the words "
            f"{', '.join(sorted(KEYWORDS))}"
        )
    return name


def _check_distinct(node: Node, names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise node.error(f"{name!r} is declared twice: {what} need different names")
        seen.add(name)


def _check_components(node: Node, components: list[Component]) -> tuple[Component, ...]:
    _check_distinct(node, (one.name for one in components), "components")
    if not components:
        raise node.error("a model needs at least one component or service")
    return tuple(components)


def _requirements(node: Node) -> dict[str, str]:
    """Return the texts of all requirements, by name.

    They come from the table ``requirements``, and from every entry that gives both a name and a text. If both give a
    text for the same name, the one in the table is used.
    """
    found: dict[str, str] = {}
    _collect_texts(node, found)
    for name, one in node.entries("a model").items():
        if name == "requirements":
            found |= {key: text.text("the text of a requirement") for key, text in one.entries("requirements").items()}
    return found


def _collect_texts(node: Node, found: dict[str, str]) -> None:
    children = node.value.values() if isinstance(node.value, dict) else node.value
    if isinstance(node.value, dict) and all(key in node.value for key in REASON):
        found[node.value["requirement"].text("the name of a requirement")] = node.value["text"].text("its text")
    for one in () if isinstance(children, str) else children:
        _collect_texts(one, found)


Entries = Mapping[str, Any]


class Draft:
    """A model under construction: add services, timers and components, then call ``model()``."""

    def __init__(
        self,
        name: str,
        *,
        params: Entries | None = None,
        variables: Entries | None = None,
        clocks: Sequence[str] | Entries | None = None,
        requirements: Mapping[str, str] | None = None,
        ecu: str | None = None,
        p2: str | int | None = None,
        pending: str | int | None = None,
        unknown: str | int | None = None,
    ) -> None:
        given = {"params": params, "vars": variables, "clocks": clocks, "requirements": requirements}
        defaults = {key: value for key, value in (("p2", p2), ("pending", pending)) if value is not None}
        more = {"ecu": ecu, "unknown": unknown, "defaults": defaults or None}
        self.document: dict[str, Any] = {"model": name}
        """The content of the equivalent model file."""
        self.document |= {key: value for key, value in {**given, **more}.items() if value is not None}

    def component(
        self,
        name: str,
        *,
        initial: str | Sequence[str],
        edges: Sequence[Entries],
        locations: Mapping[str, Entries] | None = None,
        deterministic: bool = False,
    ) -> Draft:
        """Add a component of locations and edges."""
        parts = {"initial": initial, "edges": edges, "locations": locations or {}, "deterministic": deterministic}
        return self._add("components", name, parts)

    def service(
        self,
        sid: int,
        *,
        require: Sequence[str | Entries] = (),
        positive: Entries | None = None,
        derive: Mapping[str, str] | None = None,
        sub: Mapping[int, Entries] | None = None,
        did: Mapping[int, Entries] | None = None,
        otherwise: int | None = None,
        requirement: str | None = None,
    ) -> Draft:
        """Add a UDS service.

        ``sub`` and ``did`` hold branches by sub-function or by identifier. ``otherwise`` is the negative response code
        for sub-functions or identifiers that have no branch.
        """
        parts = {"positive": positive, "derive": derive, "else": otherwise, "requirement": requirement}
        parts |= {f"sub {value}": branch for value, branch in (sub or {}).items()}
        parts |= {f"did {value:04X}": branch for value, branch in (did or {}).items()}
        stated = {key: value for key, value in parts.items() if value is not None}
        return self._add("services", f"0x{sid:02X}", {"require": list(require), **stated})

    def timer(
        self,
        name: str,
        *,
        runs: str,
        restart: str | Sequence[str],
        after: str | int,
        do: Entries,
        slack: str | int = 0,
        requirement: str | None = None,
    ) -> Draft:
        """Add a timer that runs while the condition ``runs`` holds.

        It performs the action ``do`` when the time ``after`` has passed since its last restart, or at most ``slack``
        later.
        """
        parts = {"while": runs, "restart": restart, "after": after, "slack": slack, "do": do}
        return self._add("timers", name, parts | ({"requirement": requirement} if requirement else {}))

    def model(self, **params: object) -> Model:
        """Compile the model.

        ``params`` replace the parameters of the draft. Raises InputError if the model is not valid.
        """
        return compile_model(from_python(self.document, f"the model {self.document['model']}"), params)

    def _add(self, kind: str, name: str, parts: Entries) -> Draft:
        self.document.setdefault(kind, {})[name] = parts
        return self
