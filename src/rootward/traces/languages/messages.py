"""Patterns for UDS requests and responses, such as ``req ECU WriteDataByIdentifier 01001234``, and the functions that
compute parameters from their bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rootward.traces.languages.nodes import Node, suggest
from rootward.traces.model.event import EVERYONE
from rootward.traces.model.guard import Value
from rootward.traces.model.pattern import Derived, Pattern

BYTES = "(?:[0-9A-F]{2})*"
SUPPRESSED = 0x80
"""The bit of a sub-function that suppresses the positive response."""
PENDING = 0x78
"""The negative response code "response pending", which asks for more time."""
ANY_ECU_BUT_EVERYONE = rf"(?!{EVERYONE}\b)\S+"
WITH_SUB = frozenset({0x10, 0x11, 0x19, 0x27, 0x28, 0x29, 0x2C, 0x31, 0x3E, 0x83, 0x85, 0x86, 0x87})
WITH_DID = frozenset({0x22, 0x24, 0x2E, 0x2F})
_DIGITS = {"sub": 2, "did": 4}


@dataclass(frozen=True)
class ServiceMessages:
    """The messages of one service.

    ``form`` says what the payload begins with: a sub-function (``sub``), an identifier (``did``), or neither
    (``data``).
    """

    operation: str
    form: str
    ecu: str
    """The name of the ECU; empty for any ECU."""
    allows_data: bool = True
    """True if requests may contain data after the first part."""

    def request(
        self, first: str, derived: Iterable[Derived] = (), *, functional: bool | None = None, data: str = ""
    ) -> Pattern:
        """Return the pattern of requests whose payload begins with ``first``.

        ``functional``: True for requests to all ECUs, False for requests to this one, None for both.
        """
        data = data or (BYTES if self.allows_data else "")
        return self._pattern("req", self._to(functional), first, f"(?P<data>{data})", tuple(derived))

    def response(self, first: str) -> Pattern:
        return self._pattern("res", self.ecu or "*", first, f"(?P<data>{BYTES})", ())

    def too_short_requests(self) -> tuple[Pattern, ...]:
        """Return the patterns of requests that are too short."""
        nothing = f"req {self._to(None)} {self.operation}"
        return {
            "sub": (Pattern(nothing),),
            "did": (Pattern(nothing), Pattern(f"{nothing} <data=[0-9A-F]{{2}}>")),
            "data": (),
        }[self.form]

    def any_request(self) -> Pattern:
        return Pattern(f"req {self._to(None)} {self.operation} ...")

    def any_response(self) -> Pattern:
        return Pattern(f"res {self.ecu or '*'} {self.operation} ...")

    def negative_response(self, code: int | None) -> Pattern:
        """Return the pattern of negative responses with this code.

        If ``code`` is None, the pattern matches every code except "response pending".
        """
        nrc = f"{code:02X}" if code is not None else f"<nrc=(?!{PENDING:02X})[0-9A-F]{{2}}>"
        return Pattern(f"res {self.ecu or '*'} {self.operation} NRC {nrc}")

    def _to(self, functional: bool | None) -> str:
        if functional:
            return EVERYONE
        if functional is None:
            return f"({self.ecu}|{EVERYONE})" if self.ecu else "*"
        return self.ecu or f"<ecu={ANY_ECU_BUT_EVERYONE}>"

    def _pattern(self, kind: str, ecu: str, first: str, data: str, derived: tuple[Derived, ...]) -> Pattern:
        if not first:  # the payload may be empty, and then the event has no word for it
            who = {"*": r"\S+", f"<ecu={ANY_ECU_BUT_EVERYONE}>": ANY_ECU_BUT_EVERYONE}.get(ecu, ecu)
            return Pattern(f"/{kind} {who} {self.operation}(?: {data})?/", derived)
        if "(?P<" in first:
            derived = (Derived(self.form, _NUMBERS[self.form], (f"{self.form}_hex",)), *derived)
        return Pattern(f"{kind} {ecu} {self.operation} <payload={first}{data}>", derived)

    def first_part(self, value: int | None = None, *, but: Iterable[int] = (), suppressed: bool | None = None) -> str:
        """Return the regular expression for the first part of the payload.

        It matches ``value``. If ``value`` is None, it matches every value except those in ``but``. ``suppressed``: True
        if the suppress bit must be set, False if it must not be set, None if it may be either.
        """
        if self.form == "data":
            return ""
        if value is not None:
            return self._one(value, suppressed)
        others = "|".join(self._one(one, None) for one in but)
        digits = {None: "[0-9A-F]{2}", True: "[89A-F][0-9A-F]", False: "[0-7][0-9A-F]"}[suppressed]
        found = digits if self.form == "sub" else "[0-9A-F]{4}"
        return f"(?P<{self.form}_hex>{f'(?!{others})' if others else ''}{found})"

    def _one(self, value: int, suppressed: bool | None) -> str:
        digits = f"{value:0{_DIGITS[self.form]}X}"
        if self.form == "did" or suppressed is False:
            return digits
        quiet = f"{value | SUPPRESSED:02X}"
        return quiet if suppressed else f"(?:{digits}|{quiet})"


# Functions with which a model computes parameters. They take hexadecimal digits, and are pickled for other processes.
# ``xor_XX`` exists for every byte, such as ``xor_A5``. Register others with ``FUNCTIONS["key"] = function``, which must
# be a function at the top level of a module.


FUNCTIONS: dict[str, Callable[[str], Value]] = {}


def find_function(node: Node) -> Callable[[str], Value]:
    """Return the function with this name."""
    name = node.text("the name of a function")
    if found := re.fullmatch(r"xor_([0-9A-Fa-f]{2})", name):
        return Xor(int(found[1], 16))
    if found := re.fullmatch(r"longer_times_(\d{1,12})_(\d{1,12})", name):
        return LongerTimes(int(found[1]), int(found[2]))
    if name not in FUNCTIONS:
        raise node.error(f"unknown function {name!r}: {suggest(name, ['xor_XX', *FUNCTIONS])}")
    return FUNCTIONS[name]


@dataclass(frozen=True)
class Xor:
    """A function that XORs every byte with ``byte``.

    It is a class so that two functions with the same byte are equal. Otherwise, models that use them would not be
    equal.
    """

    byte: int

    @property
    def name(self) -> str:
        return f"xor_{self.byte:02X}"

    def __call__(self, digits: str) -> str:
        return bytes(one ^ self.byte for one in bytes.fromhex(digits)).hex().upper()


@dataclass(frozen=True)
class LongerTimes:
    """A function of the data in a response to DiagnosticSessionControl: whether the ECU announces ``longer`` times than
    P2 and P2* (in microseconds), or not (``default``)."""

    p2: int
    pending: int

    @property
    def name(self) -> str:
        return f"longer_times_{self.p2}_{self.pending}"

    def __call__(self, digits: str) -> str:
        if len(digits) < 8:
            return "default"
        longer = int(digits[:4], 16) * 1_000 > self.p2 or int(digits[4:8], 16) * 10_000 > self.pending
        return "longer" if longer else "default"


def number(digits: str) -> int:
    return int(digits, 16)


def sub_function(digits: str) -> int:
    """Return the sub-function without the bit that suppresses the positive response."""
    return int(digits, 16) & 0x7F


_NUMBERS: Mapping[str, Callable[[str], Value]] = {"sub": sub_function, "did": number}
"""For each form, the function that converts the digits of the first part of a payload to its value."""
