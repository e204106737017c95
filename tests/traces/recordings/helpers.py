"""What the tests of recordings share: the files, and frames of messages as a tiny sender makes them."""

from pathlib import Path

from rootward.formats.recordings.frame import Frame
from rootward.traces.recordings import read_trace

DATA = Path(__file__).parents[2] / "data" / "traces"


def pieces(message: bytes, prefix: bytes = b"") -> list[bytes]:
    """The bytes of the classic CAN frames of a message."""
    room = 7 - len(prefix)
    if len(message) <= room:
        return [prefix + bytes([len(message)]) + message]
    first = prefix + bytes([0x10 | len(message) >> 8, len(message) & 255]) + message[: room - 1]
    rest = [message[at : at + room] for at in range(room - 1, len(message), room)]
    return [first, *(prefix + bytes([0x20 | number & 15]) + data for number, data in enumerate(rest, 1))]


def frames(*said: tuple[int, bytes], prefix: bytes = b"", step: int = 1000, channel: str = "1") -> list[Frame]:
    """The frames of messages, each on its CAN id, one after the other."""
    found: list[Frame] = []
    for identifier, message in said:
        for data in pieces(message, prefix):
            number = len(found) + 1
            found.append(Frame(number * step, identifier, identifier > 0x7FF, data, channel, number))
    return found


def texts(trace) -> list[str]:
    return [event.text for event in trace.events]


def read(path: Path, data: bytes | str, **how):
    """The trace of a file with these contents."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_trace(path, **how)
