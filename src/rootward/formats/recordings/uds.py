"""The first byte of a UDS message (ISO 14229-1): which service it is about, and whether that was asked or answered."""

from __future__ import annotations

from typing import NamedTuple

SERVICES: dict[int, str] = {
    0x10: "DiagnosticSessionControl",
    0x11: "ECUReset",
    0x14: "ClearDiagnosticInformation",
    0x19: "ReadDTCInformation",
    0x22: "ReadDataByIdentifier",
    0x23: "ReadMemoryByAddress",
    0x24: "ReadScalingDataByIdentifier",
    0x27: "SecurityAccess",
    0x28: "CommunicationControl",
    0x29: "Authentication",
    0x2A: "ReadDataByPeriodicIdentifier",
    0x2C: "DynamicallyDefineDataIdentifier",
    0x2E: "WriteDataByIdentifier",
    0x2F: "InputOutputControlByIdentifier",
    0x31: "RoutineControl",
    0x34: "RequestDownload",
    0x35: "RequestUpload",
    0x36: "TransferData",
    0x37: "RequestTransferExit",
    0x38: "RequestFileTransfer",
    0x3D: "WriteMemoryByAddress",
    0x3E: "TesterPresent",
    0x83: "AccessTimingParameter",
    0x84: "SecuredDataTransmission",
    0x85: "ControlDTCSetting",
    0x86: "ResponseOnEvent",
    0x87: "LinkControl",
}
"""The name of each service, by the number with which it is asked for."""
ANSWERED = 0x40
"""Set in the first byte of a positive response."""
NEGATIVE = 0x7F


class Decoded(NamedTuple):
    operation: str
    payload: str
    negative: bool = False


def decode_request(data: bytes) -> Decoded:
    """The service and the bytes after it. ``data`` has at least one byte."""
    return Decoded(_service(data[0]), _digits(data[1:]))


def decode_response(data: bytes) -> Decoded:
    """The service that is answered and the bytes after it, or ``NRC`` and the code of a negative response.

    What cannot be a response is named by its first byte as it is.
    """
    if data[0] == NEGATIVE and len(data) > 2:
        return Decoded(_service(data[1]), f"NRC {_digits(data[2:])}", negative=True)
    answers = data[0] & ANSWERED and data[0] != NEGATIVE
    return Decoded(_service(data[0] - ANSWERED) if answers else f"0x{data[0]:02X}", _digits(data[1:]))


def _service(number: int) -> str:
    return SERVICES.get(number) or f"0x{number:02X}"


def _digits(data: bytes) -> str:
    return data.hex().upper()
