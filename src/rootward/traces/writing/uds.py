"""The declarative form for UDS: what each service requires, in the order of ISO 14229-1, and what it answers.

Each service becomes a component, and so does each timer. One more takes care of services that are not listed, and one
of messages that are not complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rootward.formats.uds import SERVICES
from rootward.traces.guard import FALSE, Const, Param, Term
from rootward.traces.model import UNKNOWN, Component, Edge, Location
from rootward.traces.pattern import Pattern
from rootward.traces.writing.case import Case
from rootward.traces.writing.ecus import own_ecu
from rootward.traces.writing.expressions import Scope, span
from rootward.traces.writing.made import MOST, Made, Setting
from rootward.traces.writing.messages import WITH_DID, WITH_SUB, Messages
from rootward.traces.writing.nodes import Node
from rootward.traces.writing.others import others
from rootward.traces.writing.requirements import REASON, reason
from rootward.traces.writing.service import IDLE, REQUIRE, ServiceWriter, response_code
from rootward.traces.writing.timer import timer

KEYS = ("services", "timers", "defaults", "ecu", "ecus", "unknown")
P2, PENDING = "50ms", "5s"
OTHERWISE = {"sub": 0x12, "did": 0x31}
"""What is answered if a service lists sub-functions or identifiers and is asked for another one."""
WRITES = frozenset({0x2E, 0x3D})
"""Services whose positive response has no data: ``$data`` is that of the request."""
SEVERAL = frozenset({0x22})
"""Services that can be asked for several identifiers at once."""
_BRANCH = re.compile(r"(?P<form>sub|did)\s+(?P<value>\w{1,8})")
_SERVICE = re.compile(r"0[xX](?P<sid>[0-9A-Fa-f]{1,2})(?:\s+(?P<name>\w{1,80}))?")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")


def spelling(text: str) -> str:
    """Bytes are written in capitals, as they are in events."""
    return text.upper() if _HEX.fullmatch(text) else text


def compile_uds(parts: Mapping[str, Node], scope: Scope) -> Made:
    defaults = parts["defaults"].only("defaults", ("p2", "pending")) if "defaults" in parts else {}
    here = parts["services"]
    limits = [span(defaults.get(key, here.part(value)), scope) for key, value in (("p2", P2), ("pending", PENDING))]
    setting = Setting(scope, own_ecu(parts), *limits)
    made, quiet = Made(), []
    for key, node in here.entries("services such as `0x10 DiagnosticSessionControl`").items():
        writer = _service(key, node, setting)
        made.components.append(writer.component())
        if sum(len(one.edges) for one in made.components) > MOST:
            raise node.wrong(f"the model has more than {MOST:,} edges, which no model has")
        made.variables |= writer.variables
        made.clocks[writer.clock] = 0
        quiet += [writer.name] * (writer.messages.form == "sub")
    others(parts, [one.name for one in made.components], setting, made)
    for name, node in (parts["timers"].entries("timers by their names") if "timers" in parts else {}).items():
        made.components.append(timer(name, node, quiet, setting))
        made.clocks[f"{name}.time"] = UNKNOWN
    whole = Edge(IDLE, IDLE, Pattern(f"err {setting.ecu or '*'} ..."), FALSE, requirement="Messages are complete")
    made.components.append(Component("transport", (Location(IDLE),), (IDLE,), (whole,)))
    return made


def _service(key: str, node: Node, setting: Setting) -> ServiceWriter:
    found = _SERVICE.fullmatch(key)
    if found is None:
        raise node.wrong(f"expected a service such as `0x10 DiagnosticSessionControl`, got {key!r}")
    sid = int(found["sid"], 16)
    operation = SERVICES.get(sid, f"0x{sid:02X}")
    if found["name"] not in (None, operation) and sid in SERVICES:
        raise node.wrong(f"the service 0x{sid:02X} is {operation}, not {found['name']}")
    entries = node.entries(f"what {operation} requires and answers")
    branches = {one: found for one in entries if (found := _BRANCH.fullmatch(one))}
    node.only(operation, (*REQUIRE, *branches, *(() if branches else ("sub N", "did XXXX"))))
    messages = Messages(operation, _form(sid, node, branches), setting.ecu, longer=sid not in SEVERAL)
    writer = ServiceWriter(messages, setting.scope, node, p2=setting.p2, pending=setting.pending, writes=sid in WRITES)
    values = {_value(entries[one], found): one for one, found in branches.items()}
    if len(values) < len(branches):
        raise node.wrong(f"{operation} lists a {messages.form} twice")
    _cases(writer, node, entries, values)
    return writer


def _form(sid: int, node: Node, branches: Mapping[str, re.Match[str]]) -> str:
    """What the requests of a service begin with: what the declaration speaks of, or else what the standard says."""
    spoken = re.compile(r"\$(sub|did)\b|^echo (sub|did)$")
    forms = {found["form"] for found in branches.values()} or {
        found[1] or found[2] for text in _texts(node) for found in spoken.finditer(text)
    }
    if len(forms) > 1:
        raise node.wrong("a service begins with a sub-function or with an identifier, not with both")
    return next(iter(forms), "sub" if sid in WITH_SUB else "did" if sid in WITH_DID else "data")


def _texts(node: Node, key: str = "") -> Iterable[str]:
    """All that is written there, each with its key."""
    if isinstance(node.value, str):
        yield f"{key} {node.value}"
    elif isinstance(node.value, dict):
        for name, one in node.value.items():
            yield from _texts(one, name)
    else:
        for one in node.value:
            yield from _texts(one)


def _value(node: Node, found: re.Match[str]) -> int:
    sub, text = found["form"] == "sub", found["value"]
    try:
        value = int(text, 0 if sub else 16)
    except ValueError:
        value = -1
    if not 0 <= value <= (0x7F if sub else 0xFFFF):
        example = "sub 1 or sub 0x7F" if sub else "did F190"
        raise node.wrong(f"expected something like `{example}`, got {found[0]!r}")
    return value


def _cases(writer: ServiceWriter, node: Node, entries: Mapping[str, Node], branches: Mapping[int, str]) -> None:
    form, name = writer.messages.form, writer.name
    params: dict[str, Term] = {one: Param(one) for one in (form, "data")}
    whole = writer.case(entries, Case(params=params))
    if writer.messages.short():
        some = f"{name} refuses a request that is too short"
        writer.unclear("too short", writer.messages.short(), some, writer.messages.negative(None))
    if not writer.messages.longer:
        several = writer.messages.request(writer.messages.first(), data="(?:[0-9A-F]{2})+")
        answers = (writer.messages.response(writer.messages.first()), writer.messages.negative(None))
        writer.unclear("several", (several,), f"{name} is answered", *answers)
    for value, key in branches.items():
        parts = entries[key].only(f"{name} {key}", REQUIRE)
        named = f"sub {value}" if form == "sub" else f"did {value:04X}"
        own = replace(whole, name=named, value=value, params={**whole.params, form: Const(value)})
        _end(writer, entries[key], parts, writer.case(parts, own))
    rest = replace(whole, name="other" if branches else "", but=tuple(branches))
    if branches and "positive" not in entries:
        known = ", ".join(f"{one}" if form == "sub" else f"{one:04X}" for one in branches)
        code = response_code(entries["else"]) if "else" in entries else OTHERWISE[form]
        writer.refuse(rest, code, f"{name} knows only {form} {known}, else NRC {code:02X}")
    else:
        _end(writer, node, entries, rest)


def _end(writer: ServiceWriter, node: Node, parts: Mapping[str, Node], case: Case) -> None:
    """What happens when all requirements are met."""
    if "else" in parts and "positive" in parts:
        raise node.wrong("either `positive` or `else`: what is answered when all requirements are met")
    if "else" in parts:
        code = response_code(parts["else"])
        writer.refuse(case, code, reason(parts, f"{writer.name} {case.name} is refused with NRC {code:02X}"))
        return
    positive = parts.get("positive", node.part(""))
    own = {key: parts[key] for key in REASON if key in parts}
    writer.accept(case, Node({**own, **positive.entries("a positive response")}, positive.where))
