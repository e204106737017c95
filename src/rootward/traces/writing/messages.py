"""What UDS requests and responses look like as patterns: ``req ECU WriteDataByIdentifier 01001234``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rootward.traces.guard import Value
from rootward.traces.pattern import Derived, Pattern
from rootward.traces.writing.functions import number, sub_function

BYTES = "(?:[0-9A-F]{2})*"
SUPPRESSED = 0x80
"""The bit of a sub-function that asks for no positive response."""
PENDING = 0x78
"""The negative response code that asks for more time."""
FUNCTIONAL = "functional"
"""To whom a request goes that is for all ECUs."""
ANY_BUT_ALL = rf"(?!{FUNCTIONAL}\b)\S+"
WITH_SUB = frozenset({0x10, 0x11, 0x19, 0x27, 0x28, 0x29, 0x2C, 0x31, 0x3E, 0x83, 0x85, 0x86, 0x87})
WITH_DID = frozenset({0x22, 0x24, 0x2E, 0x2F})
_DIGITS = {"sub": 2, "did": 4}
_NUMBERS: Mapping[str, Callable[[str], Value]] = {"sub": sub_function, "did": number}


@dataclass(frozen=True)
class Messages:
    """The messages of one service. ``form`` says what comes first in them: ``sub``, ``did`` or, at once, ``data``."""

    operation: str
    form: str
    ecu: str
    """A name, or nothing: any."""
    longer: bool = True
    """Whether requests may have more than what comes first."""

    def request(
        self, first: str, derived: Iterable[Derived] = (), *, functional: bool | None = None, data: str = ""
    ) -> Pattern:
        """A request that begins like that; to all ECUs, to this one only, or either."""
        data = data or (BYTES if self.longer else "")
        return self._pattern("req", self._to(functional), first, f"(?P<data>{data})", tuple(derived))

    def response(self, first: str) -> Pattern:
        return self._pattern("res", self.ecu or "*", first, f"(?P<data>{BYTES})", ())

    def short(self) -> tuple[Pattern, ...]:
        """Requests in which something is missing."""
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

    def negative(self, code: int | None) -> Pattern:
        """A negative response with this code, or with any but "response pending"."""
        said = f"{code:02X}" if code is not None else f"<nrc=(?!{PENDING:02X})[0-9A-F]{{2}}>"
        return Pattern(f"res {self.ecu or '*'} {self.operation} NRC {said}")

    def _to(self, functional: bool | None) -> str:
        if functional:
            return FUNCTIONAL
        if functional is None:
            return f"({self.ecu}|{FUNCTIONAL})" if self.ecu else "*"
        return self.ecu or f"<ecu={ANY_BUT_ALL}>"

    def _pattern(self, kind: str, ecu: str, first: str, data: str, derived: tuple[Derived, ...]) -> Pattern:
        if not first:  # there may be no payload at all, and then there is no word for it
            who = {"*": r"\S+", f"<ecu={ANY_BUT_ALL}>": ANY_BUT_ALL}.get(ecu, ecu)
            return Pattern(f"/{kind} {who} {self.operation}(?: {data})?/", derived)
        if "(?P<" in first:
            derived = (Derived(self.form, _NUMBERS[self.form], (f"{self.form}_hex",)), *derived)
        return Pattern(f"{kind} {ecu} {self.operation} <payload={first}{data}>", derived)

    def first(self, value: int | None = None, *, but: Iterable[int] = (), suppressed: bool | None = None) -> str:
        """How the payload begins: with this value, or with any but those, with or without the bit or either."""
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
