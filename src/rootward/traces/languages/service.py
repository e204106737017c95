"""One UDS service as a component: it is idle, then it owes one particular answer, then it is idle again.

The request decides which answer is owed: the requirements are checked in order, and the first that does not hold
determines the negative response. Each answer that can be owed has its own location, in which only this answer is
accepted, and only in time; NRC 78 ("response pending") leads to a second location with more time. So wrong answers need
not be listed: an answer is wrong if no edge accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count

from rootward.traces.languages.components import REASON, read_reason, read_updates
from rootward.traces.languages.expressions import Scope, conjoin, guard, term
from rootward.traces.languages.messages import PENDING, ServiceMessages, find_function
from rootward.traces.languages.nodes import Node
from rootward.traces.model.guard import (
    FALSE,
    TRUE,
    Bound,
    Const,
    Guard,
    Param,
    Term,
    Test,
    Value,
    Var,
    all_of,
    format_duration,
    names,
)
from rootward.traces.model.model import Component, Edge, Location
from rootward.traces.model.pattern import Derived, Pattern

IDLE, SUPPRESSED, ANNOUNCED, LATER, OPTIONAL = "idle", "suppressed", "announced", " pending", "optional"
MAX_EDGES = 50_000
"""Maximum number of edges of a service, and of all services of a model."""
MAX_REQUIREMENTS = 100
"""Maximum number of requirements of one service or branch."""
SILENT = frozenset({0x11, 0x12, 0x31, 0x7E, 0x7F})
"""Negative responses that are not sent if the request was addressed to all ECUs."""
_RESERVED = {"sub", "did", "data", "request_data", "sub_hex", "did_hex", "payload", "ecu", "nrc"}
REQUIRE = ("require", "positive", "derive", "else", "may", *REASON)
ANY = "any"
"""In place of a negative response code: every answer is allowed."""


class ServiceWriter:
    """Builds the component of a service. Add the cases one after the other, then call ``component``."""

    def __init__(
        self, messages: ServiceMessages, scope: Scope, node: Node, *, p2: int, pending: int, writes: bool
    ) -> None:
        self.messages, self.scope, self.node, self.writes = messages, scope, node, writes
        self.p2, self.pending = p2, pending
        self.name = messages.operation
        self.clock = f"{self.name}.wait"
        self.locations = {IDLE: Location(IDLE)}
        self.variables: dict[str, Value] = {}
        self._ready = [IDLE]
        self._requests: list[Edge] = []
        self._answers: list[Edge] = []

    def component(self) -> Component:
        """Return the component.

        It knows every response of the service. So it forbids any response that it does not owe.
        """
        requests = [
            replace(edge, source=ready, target=edge.target or ready) for ready in self._ready for edge in self._requests
        ]
        unasked = Edge(
            IDLE,
            IDLE,
            self.messages.any_response(),
            FALSE,
            requirement=f"{self.name} is answered only when asked, and as required",
        )
        return Component(self.name, tuple(self.locations.values()), (IDLE,), (*requests, *self._answers, unasked))

    def case(self, parts: Mapping[str, Node], case: RequestCase) -> RequestCase:
        """Add the requirements of a case. Return the case of the requests that meet all of them."""
        derive = parts["derive"].entries("parameters and the functions they come from") if "derive" in parts else {}
        for name, node in derive.items():
            if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in _RESERVED:
                raise node.error(
                    f"{name!r} cannot be the name of a derived parameter: use letters, digits and _, and none of "
                    f"{', '.join(sorted(_RESERVED))}"
                )
        made = tuple(Derived(name, find_function(node), ("data",)) for name, node in derive.items())
        case = replace(case, derived=(*case.derived, *made))
        case = replace(case, params={**case.params, **{one.name: Param(one.name) for one in made}})
        lines = parts["require"].items("a list of requirements") if "require" in parts else ()
        if len(lines) > MAX_REQUIREMENTS:
            raise parts["require"].error(f"more than {MAX_REQUIREMENTS} requirements, the maximum for a service")
        for node in lines:
            case = self._add_requirement(node, case)
        return case

    def _add_requirement(self, node: Node, case: RequestCase) -> RequestCase:
        if isinstance(node.value, dict):
            own = node.checked_entries("a requirement", ("require", "set", *REASON))
            if "require" not in own:
                raise node.error("a requirement needs `require`, such as `session in [3] else 0x7F`")
            line = own["require"]
        else:
            own, line = {}, node
        text, found, code = line.text("a requirement such as `session in [3] else 0x7F`").rpartition(" else ")
        if not found:
            raise line.error(
                "a requirement needs the negative response if it does not hold: `session in [3] else 0x7F`"
            )
        condition, scope = line.part(text), self.scope.with_params(case.params)
        refused = conjoin(line, case.held, guard(condition, scope, negated=True))
        if code.strip() == ANY:
            if "set" in own:
                raise own["set"].error("with `else any`, it is open whether the request is refused: leave out `set`")
            case = replace(case, left_open=(*case.left_open, refused))
        else:
            nrc = read_response_code(line.part(code))
            default = f"{self._label(case)} needs {text.strip()}, else NRC {nrc:02X}"
            self.refuse(replace(case, held=refused), nrc, read_reason(own, default), own.get("set"))
        return replace(case, held=conjoin(line, case.held, guard(condition, scope)))

    def refuse(self, case: RequestCase, code: int, requirement: str, updates: Node | None = None) -> None:
        """Let the requests of this case get a negative response, which makes the updates.

        If the code is in ``SILENT``, functional requests get no response: the updates are made at once.
        """
        kept = Memory(self.name, case, self.messages.form, writes=True)
        values = read_updates(updates, self.scope.with_params(kept.asked)) if updates is not None else {}
        stored = kept.variables_to_store(values.values())
        self.variables |= dict.fromkeys(stored, "none")
        location = self._owe(f"{case.name} NRC {code:02X}".strip())
        self._add_answer(location, self.messages.negative_response(code), TRUE, values, requirement)
        silent = code in SILENT
        asked = self._requests_of(case, functional=False if silent else None)
        self._add_request(asked, location, case, requirement, stored)
        if silent:
            everyone = self._requests_of(case, functional=True)
            self._add_request(everyone, "", case, requirement, kept.at_request(values))

    def finish_refusals(self, case: RequestCase) -> None:
        """Let requests of this case get any answer where the answer is left open."""
        for held in case.left_open:
            said = f"{self._label(case)} is answered"
            location = self._owe(f"{case.name} left open".strip())
            self._add_answer(location, self.messages.response(""), requirement=said)
            self._add_answer(location, self.messages.negative_response(None), requirement=said)
            self._add_request(self._requests_of(case, functional=False), location, replace(case, held=held), said)
            self._add_request(
                self._requests_of(case, functional=True), self._optional(), replace(case, held=held), said
            )

    def _optional(self) -> str:
        """Return the location in which any answer is allowed, and none is owed."""
        if OPTIONAL not in self.locations:
            self.locations[OPTIONAL] = Location(OPTIONAL)
            self._ready.append(OPTIONAL)
            on = self.messages.any_response()
            self._answers.append(Edge(OPTIONAL, OPTIONAL, on, requirement=f"{self.name} may be answered"))
        return OPTIONAL

    def allow_answers(self, name: str, requests: tuple[Pattern, ...], requirement: str, *answers: Pattern) -> None:
        """Let these requests get any one of these answers."""
        location = self._owe(name)
        for one in requests:
            self._add_request(one, location, RequestCase(), requirement)
        for one in answers:
            self._add_answer(location, one, requirement=requirement)

    def accept(self, case: RequestCase, node: Node, may: tuple[int | None, ...] = ()) -> None:
        """Let the requests of this case get a positive response, unless they suppress it.

        ``may``: the negative responses that are allowed, too; None stands for all.
        """
        for held in case.left_open:
            self._accept(replace(case, held=held), node, (None,))
        self._accept(case, node, may)

    def _accept(self, case: RequestCase, node: Node, may: tuple[int | None, ...]) -> None:
        parts = node.checked_entries("a positive response", ("echo", "data", "set", *REASON))
        kept = Memory(self.name, case, self.messages.form, writes=self.writes)
        first, same = self._echo(parts.get("echo"), case, kept)
        scope = self.scope.with_params(kept.at_response)
        data = term(parts["data"], scope.with_params(kept.asked)) if "data" in parts else None
        when = all_of([same, ((Test(Param("data"), "=", data),),) if data is not None else TRUE])
        values = read_updates(parts["set"], scope) if "set" in parts else {}
        stored = kept.variables_to_store(
            [*values.values(), data, *(one.right for one in when[0] if isinstance(one, Test))]
        )
        self.variables |= dict.fromkeys(stored, "none")
        said = f"{self._label(case)} is answered positively" + ("" if data is None else f" with {data}")
        location = self._owe(f"{case.name} positive".strip())
        self._add_answer(location, self.messages.response(first), when, values, read_reason(parts, said))
        for code in may:
            refused = f"{self._label(case)} may be refused with {'any NRC' if code is None else f'NRC {code:02X}'}"
            self._add_answer(location, self.messages.negative_response(code), requirement=refused)
        form = self.messages.form
        asked = self._requests_of(case, suppressed=False if form == "sub" else None)
        self._add_request(asked, location, case, read_reason(parts, said), stored)
        if form == "sub":
            said = f"{self._label(case)} is not answered positively if the request says so"
            target = self._optional() if may else SUPPRESSED
            self._add_request(self._requests_of(case, suppressed=True), target, case, said, kept.at_request(values))
            if not may:
                self._add_suppressed()

    def _add_suppressed(self) -> None:
        """Add the location in which no response is owed, unless NRC 78 announces one."""
        if SUPPRESSED in self.locations:
            return
        self.locations[SUPPRESSED] = Location(SUPPRESSED)
        self._ready.append(SUPPRESSED)
        self._add_pending(SUPPRESSED, ANNOUNCED, ((Bound(self.clock, "<=", self.p2),),))
        self._add_waiting(ANNOUNCED, ANNOUNCED, self.pending)
        answer = self.messages.response(self.messages.first_part(suppressed=False))
        said = f"{self.name} is answered positively after NRC 78"
        self._answers.append(Edge(ANNOUNCED, IDLE, answer, requirement=said))

    def _echo(self, node: Node | None, case: RequestCase, kept: Memory) -> tuple[str, Guard]:
        """Return the beginning of the payload of the positive response, and the condition that it must meet."""
        form = self.messages.form
        echo = node.text("sub, did or none") if node else form
        if echo not in ("none", form) and node:
            raise node.error(f"requests of {self.name} begin with {form}: `echo` can be {form} or none, not {echo!r}")
        if echo == "none" or form == "data":
            return "", TRUE
        first = self.messages.first_part(case.value, suppressed=False if form == "sub" else None)
        return first, TRUE if case.value is not None else ((Test(Param(form), "=", kept.at_response[form]),),)

    def _requests_of(
        self, case: RequestCase, *, suppressed: bool | None = None, functional: bool | None = None
    ) -> Pattern:
        """Return the pattern of the requests of a case."""
        form = self.messages.form
        first = self.messages.first_part(case.value, but=case.but, suppressed=suppressed)
        if case.value is not None and form in names(case.held)[1]:
            first = f"(?P<{form}_hex>{first})"
        return self.messages.request(first, case.derived, functional=functional)

    def _label(self, case: RequestCase) -> str:
        return f"{self.name} {case.name}".strip()

    def _owe(self, name: str) -> str:
        """Add two locations in which an answer is owed: one before and one after NRC 78.

        Return the name of the first.
        """
        if len(self._answers) > MAX_EDGES:
            raise self.node.error(f"{self.name} has more than {MAX_EDGES:,} edges, the maximum for a service")
        tried = chain([name], (f"{name} #{number}" for number in count(2)))
        name = next(one for one in tried if one not in self.locations)
        self._add_waiting(name, name + LATER, self.p2)
        self._add_waiting(name + LATER, name + LATER, self.pending)
        return name

    def _add_waiting(self, name: str, later: str, limit: int) -> None:
        """Add a location in which an answer is owed within ``limit``, with the edges for NRC 78 and for further
        requests."""
        within = f"within {format_duration(limit)}" + (" after NRC 78" if name == later else "")
        stay = ((Bound(self.clock, "<=", limit),),)
        self.locations[name] = Location(name, stay=stay, requirement=f"{self.name} is answered {within}")
        self._add_pending(name, later)
        again = f"{self.name} is not looked at while an answer is owed"
        self._answers.append(Edge(name, name, self.messages.any_request(), requirement=again))

    def _add_pending(self, source: str, later: str, when: Guard = TRUE) -> None:
        said = f"{self.name} may answer NRC 78 and take more time"
        on = self.messages.negative_response(PENDING)
        self._answers.append(Edge(source, later, on, when, reset=frozenset({self.clock}), requirement=said))

    def _add_answer(
        self,
        owed: str,
        on: Pattern,
        when: Guard = TRUE,
        values: Mapping[str, Term] | None = None,
        requirement: str = "",
    ) -> None:
        for source in (owed, owed + LATER):
            self._answers.append(Edge(source, IDLE, on, when, values or {}, requirement=requirement))

    def _add_request(
        self, on: Pattern, target: str, case: RequestCase, requirement: str, values: Mapping[str, Term] | None = None
    ) -> None:
        reset = frozenset({self.clock} if target else ())
        self._requests.append(Edge("", target, on, case.held, values or {}, reset, requirement))


def read_response_code(node: Node) -> int:
    """Read a negative response code such as ``0x31``."""
    text = node.text("a negative response code such as 0x31").strip()
    digits = text.lower().removeprefix("0x")
    if digits == text.lower() or not 1 <= len(digits) <= 2 or set(digits) - set("0123456789abcdef"):
        raise node.error(f"expected a negative response code such as 0x31, got {text!r}")
    return int(digits, 16)


def read_optional_codes(parts: Mapping[str, Node]) -> tuple[int | None, ...]:
    """Read the codes of ``may``; None stands for any code."""
    if "may" not in parts:
        return ()
    listed = parts["may"].items("negative response codes such as [0x22, 0x31], or any")
    return tuple(None if one.value == ANY else read_response_code(one) for one in listed)


# Requests that are treated alike, and the parts of a request that are remembered until it is answered


@dataclass(frozen=True)
class RequestCase:
    """Requests that are treated alike."""

    name: str = ""
    value: int | None = None
    """The sub-function or identifier; None for all but those in ``but``."""
    but: tuple[int, ...] = ()
    """The sub-functions or identifiers that are excluded if ``value`` is None."""
    params: Mapping[str, Term] = field(default_factory=dict)
    """The term that each ``$name`` stands for in conditions on the request."""
    derived: tuple[Derived, ...] = ()
    held: Guard = TRUE
    """The requirements that were already checked and hold for the requests of this case."""
    left_open: tuple[Guard, ...] = ()
    """Conditions under which any answer is allowed."""


class Memory:
    """The parameters of a request that must be remembered until its response, each in a variable."""

    def __init__(self, name: str, case: RequestCase, form: str, *, writes: bool) -> None:
        kept = {one: Var(f"{name}.{one}") for one in (form, "data", *(one.name for one in case.derived))}
        fixed = {form: Const(case.value)} if case.value is not None else {}
        self.params = {var.name: Param(one) for one, var in kept.items()}
        self.asked: dict[str, Term] = {**kept, **fixed, "request_data": kept["data"]}
        """The term that ``$name`` stands for at the time of the response, if it refers to the request."""
        self.at_response = self.asked if writes else {**self.asked, "data": Param("data")}
        """Like ``asked``, but ``$data`` is the data of the response, unless the response has none (``writes``)."""

    def variables_to_store(self, terms: Iterable[object]) -> dict[str, Term]:
        """Return the variables that the request must set because these terms use them."""
        return {one.name: self.params[one.name] for one in terms if isinstance(one, Var) and one.name in self.params}

    def at_request(self, values: Mapping[str, Term]) -> dict[str, Term]:
        """Return the updates whose values are already known when the request arrives."""
        return {
            name: self.params.get(one.name, one) if isinstance(one, Var) else one
            for name, one in values.items()
            if not isinstance(one, Param)
        }
