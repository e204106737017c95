"""Why: ``requirement`` names a requirement or is its text, ``text`` is its text."""

from __future__ import annotations

from collections.abc import Mapping

from rootward.traces.writing.nodes import Node

REASON = ("requirement", "text")


def reason(parts: Mapping[str, Node], default: str = "") -> str:
    """The name or the text of the requirement of whatever has these entries."""
    if node := parts.get("requirement") or parts.get("text"):
        return node.text("the name of a requirement, or its text")
    return default


def texts(node: Node) -> dict[str, str]:
    """The texts of all requirements by their names: from the table of them, and wherever both are given."""
    found: dict[str, str] = {}
    _collect(node, found)
    for name, one in node.entries("a model").items():
        if name == "requirements":
            found |= {key: text.text("the text of a requirement") for key, text in one.entries("requirements").items()}
    return found


def _collect(node: Node, found: dict[str, str]) -> None:
    children = node.value.values() if isinstance(node.value, dict) else node.value
    if isinstance(node.value, dict) and all(key in node.value for key in REASON):
        found[node.value["requirement"].text("the name of a requirement")] = node.value["text"].text("its text")
    for one in () if isinstance(children, str) else children:
        _collect(one, found)
