"""Services that a model does not list: they are refused, by any ECU that follows the standard."""

from __future__ import annotations

from collections.abc import Mapping

from rootward.traces.guard import FALSE, Bound, Param, Test, Var, duration
from rootward.traces.model import Component, Edge, Location
from rootward.traces.pattern import Pattern
from rootward.traces.writing.made import Made, Setting
from rootward.traces.writing.messages import ANY_BUT_ALL
from rootward.traces.writing.nodes import Node
from rootward.traces.writing.service import IDLE, response_code

NOT_SUPPORTED = 0x11


def others(parts: Mapping[str, Node], names: list[str], setting: Setting, made: Made) -> None:
    """Services that are not listed are not supported."""
    node = parts.get("unknown")
    if node is not None and node.value == "ignore":
        return
    code = response_code(node) if node is not None else NOT_SUPPORTED
    who = setting.ecu or "*"
    to = setting.ecu or f"<ecu={ANY_BUT_ALL}>"
    service = rf"<service=(?!(?:{'|'.join(names)})(?!\S))\S+>"
    clock, memory = "other services.wait", "other services.asked"
    said = f"A service that is not listed is refused with NRC {code:02X}"
    asked = Pattern(f"req {to} {service} ...")
    same = ((Test(Param("service"), "=", Var(memory)),),)
    limit = ((Bound(clock, "<=", setting.p2),),)
    late = f"Every request is answered within {duration(setting.p2)}"
    edges = (
        Edge(IDLE, "owed", asked, set={memory: Param("service")}, reset=frozenset({clock}), requirement=said),
        Edge("owed", "owed", asked, requirement=said),
        Edge("owed", IDLE, Pattern(f"res {who} {service} NRC {code:02X}"), same, requirement=said),
        Edge(IDLE, IDLE, Pattern(f"res {who} {service} ..."), FALSE, requirement=said),
    )
    locations = (Location(IDLE), Location("owed", stay=limit, requirement=late))
    made.components.append(Component("other services", locations, (IDLE,), edges))
    made.variables[memory], made.clocks[clock] = "none", 0
