"""Functions that a model computes parameters with, by name. They get hexadecimal digits and travel to other processes.

``xor_A5`` is there for every byte. Others are added: ``FUNCTIONS["key"] = function``, a function of a module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rootward.traces.guard import Value
from rootward.traces.writing.nodes import Node, nearest

FUNCTIONS: dict[str, Callable[[str], Value]] = {}


def function(node: Node) -> Callable[[str], Value]:
    name = node.text("the name of a function")
    if found := re.fullmatch(r"xor_([0-9A-Fa-f]{2})", name):
        return Xor(int(found[1], 16))
    if name not in FUNCTIONS:
        raise node.wrong(f"there is no function {name!r}: {nearest(name, ['xor_XX', *FUNCTIONS])}")
    return FUNCTIONS[name]


@dataclass(frozen=True)
class Xor:
    """Every byte xor this one. Two of them are equal, so that models that say the same are."""

    byte: int

    def __call__(self, digits: str) -> str:
        return bytes(one ^ self.byte for one in bytes.fromhex(digits)).hex().upper()


def number(digits: str) -> int:
    return int(digits, 16)


def sub_function(digits: str) -> int:
    """Without the bit that suppresses the positive response."""
    return int(digits, 16) & 0x7F
