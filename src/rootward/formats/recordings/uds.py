"""Decode the first byte of a UDS message (ISO 14229-1): its service, and request or response."""

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
"""Names of the services, by the first byte of a request."""
POSITIVE = 0x40
"""The bit set in the first byte of a positive response."""
NEGATIVE = 0x7F
"""The first byte of a negative response."""


class DecodedMessage(NamedTuple):
    operation: str
    payload: str
    negative: bool = False


def decode_request(data: bytes) -> DecodedMessage:
    """Return the service and the bytes after it. ``data`` must have at least one byte."""
    return DecodedMessage(_service(data[0]), _digits(data[1:]))


def decode_response(data: bytes) -> DecodedMessage:
    """Return the answered service and the bytes after it.

    For a negative response, ``NRC`` and the code take the place of these bytes. If the first byte cannot begin a
    response, this byte becomes the name of the operation.
    """
    if data[0] == NEGATIVE and len(data) > 2:
        return DecodedMessage(_service(data[1]), f"NRC {_digits(data[2:])}", negative=True)
    answers = data[0] & POSITIVE and data[0] != NEGATIVE
    return DecodedMessage(_service(data[0] - POSITIVE) if answers else f"0x{data[0]:02X}", _digits(data[1:]))


def _service(number: int) -> str:
    return SERVICES.get(number) or f"0x{number:02X}"


def _digits(data: bytes) -> str:
    return data.hex().upper()
