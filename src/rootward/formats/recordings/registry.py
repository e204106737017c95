"""The kinds of recordings and their readers: the place to add another one.

A kind has a reader (`READERS`) and is recognised by the first bytes of the file (`MAGICS`), by the file name extension
(`ENDINGS`), or, where several kinds share an extension, by one of the first lines (`kind_of_line`). A reader yields
everything readable, in file order, and reports the rest as problems.

ASC, BLF and candump have readers of their own (each file says why), which need no extra and are about as fast as
python-can's: 5 to 7 microseconds per frame. The other CAN logs go through python-can. A network recording (``pcap``)
contains packets. Some of them may be CAN frames, which its reader here yields; `doip.DoipListener` collects DoIP.

Any recording may be compressed (`source`): what is said here of a file holds for what is inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from rootward.formats.recordings import blf, candump, pcap
from rootward.formats.recordings.asc import read_asc
from rootward.formats.recordings.frame import Comment, Frame
from rootward.formats.recordings.mf4 import read_mf4
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.python_can import CSV_HEADER, read_csv, read_trc
from rootward.formats.recordings.socketcan import read_can_packets

READERS: dict[str, Callable[[Path, Problems], Iterator[Frame | Comment]]] = {
    "asc": read_asc,
    "blf": blf.read_blf,
    "log": candump.read_candump,
    "csv": read_csv,
    "trc": read_trc,
    "mf4": read_mf4,
    "pcap": read_can_packets,
}
"""Readers of CAN frames, by kind. ASC, BLF and CSV have comments between the frames."""
MAGICS = {blf.MAGIC: "blf", b"MDF ": "mf4", b"UnFinMF": "mf4", **dict.fromkeys(pcap.MAGICS, "pcap")}
"""Kinds by the first bytes of a file."""
ENDINGS = {
    ".asc": "asc",
    ".blf": "blf",
    ".trc": "trc",
    ".mf4": "mf4",
    ".pcap": "pcap",
    ".pcapng": "pcap",
    ".cap": "pcap",
}
"""Kinds by extensions that only they have; ``.csv``, ``.log`` and ``.txt`` are shared."""
_ASC = re.compile(r"\s*(?:date\s+\w{3}\s|base\s+(?:hex|dec)\b|begin\s+triggerblock\b)", re.IGNORECASE)


def kind_of_line(line: str) -> str:
    """Return the kind of CAN log in which ``line`` may be one of the first lines.

    Empty if the line does not identify a kind.
    """
    if line.replace(" ", "").lower().startswith(CSV_HEADER):
        return "csv"
    if candump.LINE.fullmatch(line):
        return "log"
    if line.startswith(";$FILEVERSION"):
        return "trc"
    return "asc" if _ASC.match(line) else ""
