"""A timer of an ECU as a component of one location: time may pass in it until what the timer does is due."""

from __future__ import annotations

from rootward.traces.guard import Bound, any_of, duration, said
from rootward.traces.model import Component, Edge, Location
from rootward.traces.pattern import Pattern
from rootward.traces.writing.expressions import both, guard, span
from rootward.traces.writing.made import Setting
from rootward.traces.writing.messages import BYTES
from rootward.traces.writing.nodes import Node
from rootward.traces.writing.raw import updates
from rootward.traces.writing.requirements import REASON, reason


def timer(name: str, node: Node, quiet: list[str], setting: Setting) -> Component:
    """While its condition holds, something happens so long after the last restart."""
    parts = node.only(f"the timer {name}", ("while", "restart", "after", "slack", "do", *REASON))
    if missing := [one for one in ("while", "restart", "after", "do") if one not in parts]:
        raise node.wrong(f"the timer {name} needs {', '.join(missing)}")
    scope, clock = setting.scope, f"{name}.time"
    runs, idles = guard(parts["while"], scope), guard(parts["while"], scope, negated=True)
    after = span(parts["after"], scope)
    last = after + (span(parts["slack"], scope) if "slack" in parts else 0)
    values = updates(parts["do"], scope)
    what = ", ".join(f"{variable} becomes {value}" for variable, value in values.items())
    within = duration(after) if last == after else f"{duration(after)} to {duration(last)}"
    why = reason(parts, f"While {said(runs)}: {what} {within} after {name} was last restarted")
    restarts = [_restart(one, quiet, setting) for one in parts["restart"].items("a list of what restarts it")]
    edges = [
        Edge("timer", "timer", on, reset=frozenset({clock}), requirement=f"{name} restarts") for on in restarts if on
    ]
    due = both(node, runs, ((Bound(clock, ">=", after),),))
    stay = any_of([idles, ((Bound(clock, "<=", last),),)])
    time = Edge("timer", "timer", None, due, values, requirement=why)
    return Component(f"timer {name}", (Location("timer", stay=stay, requirement=why),), ("timer",), (*edges, time))


def _restart(node: Node, quiet: list[str], setting: Setting) -> Pattern | None:
    who = setting.ecu or "*"
    to = f"({setting.ecu}|functional)" if setting.ecu else "*"
    match node.text("what restarts the timer"):
        case "response":
            return Pattern(f"res {who} ...")
        case "request":
            return Pattern(f"req {to} ...")
        case "suppressed request":
            return Pattern(f"req {to} ({'|'.join(quiet)}) <payload=[89A-F][0-9A-F]{BYTES}>") if quiet else None
    raise node.wrong(f"a timer restarts with a response, a request or a suppressed request, not {node.value!r}")
