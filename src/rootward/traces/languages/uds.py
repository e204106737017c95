"""Compile the declarative form for UDS: what each service requires, in the order of ISO 14229-1, and what it answers.

Each service becomes a component, and so does each timer. Two more components deal with services that are not listed
and with messages that are incomplete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rootward.formats.recordings.uds import SERVICES
from rootward.traces.languages.components import REASON, pattern, read_reason, read_updates
from rootward.traces.languages.expressions import Scope, conjoin, guard, span
from rootward.traces.languages.messages import ANY_ECU_BUT_EVERYONE, BYTES, PENDING, WITH_DID, WITH_SUB, ServiceMessages
from rootward.traces.languages.nodes import Node
from rootward.traces.languages.service import (
    IDLE,
    LATER,
    MAX_EDGES,
    REQUIRE,
    RequestCase,
    ServiceWriter,
    read_optional_codes,
    read_response_code,
)
from rootward.traces.model.event import EVERYONE
from rootward.traces.model.guard import (
    FALSE,
    Bound,
    Const,
    Param,
    Term,
    Test,
    Value,
    Var,
    any_of,
    format_duration,
    format_guard,
)
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Unknown
from rootward.traces.model.pattern import Pattern

UDS_KEYS = ("services", "timers", "defaults", "ecu", "ecus", "unknown")
P2, P2_PENDING = "50ms", "5s"
NOT_SUPPORTED = 0x11
OTHERWISE = {"sub": 0x12, "did": 0x31}
"""Default negative response if a service lists sub-functions or identifiers and the request has another one."""
WRITES = frozenset({0x2E, 0x3D})
"""Services whose positive response has no data: ``$data`` means the data of the request."""
WITH_SEVERAL_DIDS = frozenset({0x22})
"""Services whose requests can contain several identifiers."""
_BRANCH = re.compile(r"(?P<form>sub|did)\s+(?P<value>\w{1,8})")
_SERVICE = re.compile(r"0[xX](?P<sid>[0-9A-Fa-f]{1,2})(?:\s+(?P<name>\w{1,80}))?")
_ECU = re.compile(r"[\w-]{1,80}")
_IDENTIFIER = re.compile(r"0[xX][0-9A-Fa-f]{1,8}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")


@dataclass
class Generated:
    """The components, variables and clocks generated from the declaration."""

    components: list[Component] = field(default_factory=list)
    variables: dict[str, Value] = field(default_factory=dict)
    clocks: dict[str, int | Unknown] = field(default_factory=dict)


@dataclass(frozen=True)
class ServiceContext:
    """The settings that all services share."""

    scope: Scope
    ecu: str
    """The name of the ECU; empty for any ECU."""
    p2: int
    """Maximum response time, in microseconds."""
    pending: int
    """Maximum response time after NRC 78, in microseconds."""


def spelling_of_bytes(text: str) -> str:
    """Return hexadecimal bytes in capitals, as events have them. Other texts are returned unchanged."""
    return text.upper() if _HEX.fullmatch(text) else text


def compile_uds(parts: Mapping[str, Node], scope: Scope) -> Generated:
    """Generate the components for the services and timers of a document."""
    defaults = parts["defaults"].checked_entries("defaults", ("p2", "pending")) if "defaults" in parts else {}
    here = parts["services"]
    limits = [span(defaults.get(key, here.part(value)), scope) for key, value in (("p2", P2), ("pending", P2_PENDING))]
    setting = ServiceContext(scope, own_ecu(parts), *limits)
    made, quiet = Generated(), []
    for key, node in here.entries("services such as `0x10 DiagnosticSessionControl`").items():
        writer = _service(key, node, setting)
        made.components.append(writer.component())
        if sum(len(one.edges) for one in made.components) > MAX_EDGES:
            raise node.error(f"the services have more than {MAX_EDGES:,} edges, the maximum for a model")
        made.variables |= writer.variables
        made.clocks[writer.clock] = 0
        quiet += [writer.name] * (writer.messages.form == "sub")
    _add_unlisted_services(parts, [one.name for one in made.components], setting, made)
    for name, node in (parts["timers"].entries("timers by their names") if "timers" in parts else {}).items():
        made.components.append(_compile_timer(name, node, quiet, setting))
        made.clocks[f"{name}.time"] = UNKNOWN
    whole = Edge(IDLE, IDLE, Pattern(f"err {setting.ecu or '*'} ..."), FALSE, requirement="Messages are complete")
    made.components.append(Component("transport", (Location(IDLE),), (IDLE,), (whole,)))
    return made


def _service(key: str, node: Node, setting: ServiceContext) -> ServiceWriter:
    found = _SERVICE.fullmatch(key)
    if found is None:
        raise node.error(f"expected a service such as `0x10 DiagnosticSessionControl`, got {key!r}")
    sid = int(found["sid"], 16)
    operation = SERVICES.get(sid, f"0x{sid:02X}")
    if found["name"] not in (None, operation) and sid in SERVICES:
        raise node.error(f"the service 0x{sid:02X} is called {operation}, not {found['name']}")
    entries = node.entries(f"what {operation} requires and answers")
    branches = {one: found for one in entries if (found := _BRANCH.fullmatch(one))}
    node.checked_entries(operation, (*REQUIRE, *branches, *(() if branches else ("sub N", "did XXXX"))))
    messages = ServiceMessages(
        operation, _find_form(sid, node, branches), setting.ecu, allows_data=sid not in WITH_SEVERAL_DIDS
    )
    writer = ServiceWriter(messages, setting.scope, node, p2=setting.p2, pending=setting.pending, writes=sid in WRITES)
    values = {_value(entries[one], found): one for one, found in branches.items()}
    if len(values) < len(branches):
        raise node.error(f"{operation} lists the same {messages.form} twice")
    _add_cases(writer, node, entries, values)
    return writer


def _find_form(sid: int, node: Node, branches: Mapping[str, re.Match[str]]) -> str:
    """Return the form of the requests of a service.

    It is ``sub`` or ``did`` if the declaration mentions one of them. Otherwise, it is the form that the standard
    defines.
    """
    spoken = re.compile(r"\$(sub|did)\b|^echo (sub|did)$")
    forms = {found["form"] for found in branches.values()} or {
        found[1] or found[2] for text in _texts(node) for found in spoken.finditer(text)
    }
    if len(forms) > 1:
        raise node.error(
            "requests begin with a sub-function or with an identifier: use either `sub` or `did`, not both"
        )
    return next(iter(forms), "sub" if sid in WITH_SUB else "did" if sid in WITH_DID else "data")


def _texts(node: Node, key: str = "") -> Iterable[str]:
    """Yield all texts in the node, each preceded by its key and a space; items of a list have an empty key."""
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
        raise node.error(f"expected something like `{example}`, got {found[0]!r}")
    return value


def _add_cases(writer: ServiceWriter, node: Node, entries: Mapping[str, Node], branches: Mapping[int, str]) -> None:
    form, name = writer.messages.form, writer.name
    params: dict[str, Term] = {one: Param(one) for one in (form, "data")}
    whole = writer.case(entries, RequestCase(params=params))
    if writer.messages.too_short_requests():
        some = f"{name} refuses a request that is too short"
        writer.allow_answers(
            "too short", writer.messages.too_short_requests(), some, writer.messages.negative_response(None)
        )
    if not writer.messages.allows_data:
        several = writer.messages.request(writer.messages.first_part(), data="(?:[0-9A-F]{2})+")
        answers = (writer.messages.response(writer.messages.first_part()), writer.messages.negative_response(None))
        writer.allow_answers("several", (several,), f"{name} is answered", *answers)
    for value, key in branches.items():
        parts = entries[key].checked_entries(f"{name} {key}", REQUIRE)
        named = f"sub {value}" if form == "sub" else f"did {value:04X}"
        own = replace(whole, name=named, value=value, params={**whole.params, form: Const(value)})
        _add_final_answer(writer, entries[key], parts, writer.case(parts, own))
    rest = replace(whole, name="other" if branches else "", but=tuple(branches))
    if branches and "positive" not in entries:
        known = ", ".join(f"{one}" if form == "sub" else f"{one:04X}" for one in branches)
        code = read_response_code(entries["else"]) if "else" in entries else OTHERWISE[form]
        writer.finish_refusals(rest)
        writer.refuse(rest, code, f"{name} knows only {form} {known}, else NRC {code:02X}")
    else:
        _add_final_answer(writer, node, entries, rest)


def _add_final_answer(writer: ServiceWriter, node: Node, parts: Mapping[str, Node], case: RequestCase) -> None:
    """Add the answer that is given when all requirements are met."""
    if "else" in parts and "positive" in parts:
        raise node.error("use either `positive` or `else`, not both, for the answer when all requirements are met")
    if "else" in parts:
        code = read_response_code(parts["else"])
        writer.finish_refusals(case)
        writer.refuse(case, code, read_reason(parts, f"{writer.name} {case.name} is refused with NRC {code:02X}"))
        return
    may = read_optional_codes(parts)
    positive = parts.get("positive", node.part(""))
    own = {key: parts[key] for key in REASON if key in parts}
    writer.accept(case, Node({**own, **positive.entries("a positive response")}, positive.where), may)


# ECUs: the one that a model describes, and the identifiers of their messages on the bus


def ecus(node: Node) -> dict[str, tuple[int, int]]:
    """Return the ECUs that a document names, with the CAN identifiers of their requests and responses."""
    found = {}
    entries = node.entries("a model")
    for name, one in entries["ecus"].entries("ECUs by their names").items() if "ecus" in entries else ():
        parts = one.checked_entries(f"the ECU {name}", ("request", "response"))
        if len(parts) < 2:
            raise one.error(f"the ECU {name} needs `request` and `response`, its CAN identifiers")
        found[_name(one.part(name))] = (_identifier(parts["request"]), _identifier(parts["response"]))
    return found


def _identifier(node: Node) -> int:
    text = node.text("a CAN identifier such as 0x7E0")
    if not _IDENTIFIER.fullmatch(text):
        raise node.error(f"expected a CAN identifier such as 0x7E0, got {text!r}")
    return int(text, 16)


def _name(node: Node) -> str:
    text = node.text("the name of an ECU")
    if not _ECU.fullmatch(text):
        raise node.error(f"expected the name of an ECU (letters, digits, _ and -), got {text!r}")
    return text


def own_ecu(parts: Mapping[str, Node]) -> str:
    """Return the name of the ECU that the model describes. It is empty if the model describes any ECU."""
    listed = ecus(Node({"ecus": parts["ecus"]}, "")) if "ecus" in parts else {}
    if "ecu" in parts:
        name = _name(parts["ecu"])
        if listed and name not in listed:
            raise parts["ecu"].error(f"unknown ECU {name!r}: `ecus` lists {', '.join(listed)}")
        return name
    if len(listed) > 1:
        raise parts["ecus"].error("a model describes one ECU: choose one of these with `ecu: NAME`")
    return next(iter(listed), "")


# Timers: components with one location, in which time may pass until the timer runs out


def _compile_timer(name: str, node: Node, quiet: list[str], setting: ServiceContext) -> Component:
    """Compile a timer. While its condition holds, it acts when a certain time has passed since its last restart."""
    parts = node.checked_entries(f"the timer {name}", ("while", "restart", "after", "slack", "do", *REASON))
    if missing := [one for one in ("while", "restart", "after", "do") if one not in parts]:
        raise node.error(f"the timer {name} needs {', '.join(missing)}")
    scope, clock = setting.scope, f"{name}.time"
    runs, idles = guard(parts["while"], scope), guard(parts["while"], scope, negated=True)
    after = span(parts["after"], scope)
    last = after + (span(parts["slack"], scope) if "slack" in parts else 0)
    values = read_updates(parts["do"], scope)
    what = ", ".join(f"{variable} becomes {value}" for variable, value in values.items())
    within = format_duration(after) if last == after else f"{format_duration(after)} to {format_duration(last)}"
    why = read_reason(parts, f"While {format_guard(runs)}: {what} {within} after {name} was last restarted")
    restarts = [_restart(one, quiet, setting) for one in parts["restart"].items("a list of what restarts it")]
    edges = [
        Edge("timer", "timer", on, reset=frozenset({clock}), requirement=f"{name} restarts") for on in restarts if on
    ]
    due = conjoin(node, runs, ((Bound(clock, ">=", after),),))
    stay = any_of([idles, ((Bound(clock, "<=", last),),)])
    time = Edge("timer", "timer", None, due, values, requirement=why)
    return Component(f"timer {name}", (Location("timer", stay=stay, requirement=why),), ("timer",), (*edges, time))


def _restart(node: Node, quiet: list[str], setting: ServiceContext) -> Pattern | None:
    who = setting.ecu or "*"
    to = f"({setting.ecu}|{EVERYONE})" if setting.ecu else "*"
    text = node.text("what restarts the timer")
    match text:
        case "response":
            return Pattern(f"res {who} ...")
        case "request":
            return Pattern(f"req {to} ...")
        case "suppressed request":
            return Pattern(f"req {to} ({'|'.join(quiet)}) <payload=[89A-F][0-9A-F]{BYTES}>") if quiet else None
    if text.startswith(("req ", "res ", "/")):
        return pattern(node)
    raise node.error(
        "expected `response`, `request`, `suppressed request` or an event such as `res * SecurityAccess NRC 36` as the "
        f"restart, got {text!r}"
    )


# Services that a model does not list: an ECU that follows the standard refuses them


def _add_unlisted_services(
    parts: Mapping[str, Node], names: list[str], setting: ServiceContext, made: Generated
) -> None:
    """Add the component that requires a negative response to services that are not listed."""
    node = parts.get("unknown")
    if node is not None and node.value == "ignore":
        return
    code = read_response_code(node) if node is not None else NOT_SUPPORTED
    who = setting.ecu or "*"
    to = setting.ecu or f"<ecu={ANY_ECU_BUT_EVERYONE}>"
    service = rf"<service=(?!(?:{'|'.join(names)})(?!\S))\S+>"
    clock, memory = "other services.wait", "other services.asked"
    said = f"A service that is not listed is refused with NRC {code:02X}"
    slow = f"A service that is not listed may answer NRC {PENDING:02X} and take more time"
    asked = Pattern(f"req {to} {service} ...")
    refused, pending = (Pattern(f"res {who} {service} NRC {one:02X}") for one in (code, PENDING))
    same = ((Test(Param("service"), "=", Var(memory)),),)
    again = frozenset({clock})
    edges = [
        Edge(IDLE, "owed", asked, set={memory: Param("service")}, reset=again, requirement=said),
        Edge(IDLE, IDLE, Pattern(f"res {who} {service} ..."), FALSE, requirement=said),
    ]
    locations = [Location(IDLE)]
    for late, limit in (("", setting.p2), (LATER, setting.pending)):
        one, several = f"owed{late}", f"several owed{late}"
        within = f"Every request is answered within {format_duration(limit)}{' after NRC 78' if late else ''}"
        stay = ((Bound(clock, "<=", limit),),)
        locations += [Location(name, stay=stay, requirement=within) for name in (one, several)]
        edges += [
            Edge(one, several, asked, reset=again, requirement=said),
            Edge(one, f"owed{LATER}", pending, same, reset=again, requirement=slow),
            Edge(one, IDLE, refused, same, requirement=said),
            Edge(several, several, asked, reset=again, requirement=said),
            Edge(several, f"several owed{LATER}", pending, reset=again, requirement=slow),
            *(Edge(several, then, refused, requirement=said) for then in (several, IDLE)),  # another may still be owed
        ]
    made.components.append(Component("other services", tuple(locations), (IDLE,), tuple(edges)))
    made.variables[memory], made.clocks[clock] = "none", 0
