"""Which ECU a model is about, and which identifiers its messages have on the bus."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rootward.traces.writing.nodes import Node

_ECU = re.compile(r"[\w-]{1,80}")
_IDENTIFIER = re.compile(r"0[xX][0-9A-Fa-f]{1,8}")


def ecus(node: Node) -> dict[str, tuple[int, int]]:
    """The ECUs that a document names, with the identifiers of their requests and responses."""
    found = {}
    entries = node.entries("a model")
    for name, one in entries["ecus"].entries("ECUs by their names").items() if "ecus" in entries else ():
        parts = one.only(f"the ECU {name}", ("request", "response"))
        if len(parts) < 2:
            raise one.wrong(f"the ECU {name} needs `request` and `response`, its CAN identifiers")
        found[_name(one.part(name))] = (_identifier(parts["request"]), _identifier(parts["response"]))
    return found


def _identifier(node: Node) -> int:
    text = node.text("a CAN identifier such as 0x7E0")
    if not _IDENTIFIER.fullmatch(text):
        raise node.wrong(f"expected a CAN identifier such as 0x7E0, got {text!r}")
    return int(text, 16)


def _name(node: Node) -> str:
    text = node.text("the name of an ECU")
    if not _ECU.fullmatch(text):
        raise node.wrong(f"expected the name of an ECU, letters, digits, _ and -, got {text!r}")
    return text


def own_ecu(parts: Mapping[str, Node]) -> str:
    """The ECU that the model is about; nothing: any."""
    listed = ecus(Node({"ecus": parts["ecus"]}, "")) if "ecus" in parts else {}
    if "ecu" in parts:
        name = _name(parts["ecu"])
        if listed and name not in listed:
            raise parts["ecu"].wrong(f"there is no ECU {name!r} among `ecus`: {', '.join(listed)}")
        return name
    if len(listed) > 1:
        raise parts["ecus"].wrong("a model is about one ECU: say which, `ecu: NAME`")
    return next(iter(listed), "")
