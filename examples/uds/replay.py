"""Replay recorded requests on the bench, in virtual time: ``python replay.py requests.jsonl``.

The unit may reveal 0120 only while it is unlocked: by the right key, until the session changes or the unit is reset.
Exit code 1 if it reveals it otherwise. Each request is sent when the previous one was answered, whatever the time in
the recording; an invalid request is not sent. The environment variable FAULTS names the faults of the unit; with
FAULTS=, it has none.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from bench import Bench, Simulated
from ecu import Ecu, key_for

SECRET = bytes.fromhex("62 01 20")
"""The beginning of the answer that only an unlocked unit may give."""
REQUESTS: dict[str, Callable[[Mapping[str, Any], bytes], bytes]] = {
    "session": lambda said, seed: b"\x10" + number(said["session"], 127),
    "reset": lambda said, seed: b"\x11" + number(said["kind"], 127),
    "read": lambda said, seed: b"\x22" + number(said["did"], 0xFFFF),
    "seed": lambda said, seed: b"\x27\x01",
    "key": lambda said, seed: b"\x27\x02" + key_for(seed),
    "write": lambda said, seed: b"\x2e" + number(said["did"], 0xFFFF) + number(said["value"], 0xFFFF),
    "routine": lambda said, seed: b"\x31\x01" + number(said["routine"], 0xFFFF) + number(said["signal"], 1),
    "present": lambda said, seed: b"\x3e\x00",
}
"""The bytes to send for each kind of recorded request; ``seed`` is the last one that the unit gave."""
_channels = itertools.count()


def number(value: int, most: int) -> bytes:
    """Encode a number in as many bytes as ``most`` needs; OverflowError if it is larger than ``most`` or negative."""
    if not 0 <= value <= most:
        raise OverflowError
    return value.to_bytes(1 + (most > 0xFF), "big")


def request(said: Mapping[str, Any], seed: bytes) -> bytes | None:
    """Return the bytes to send; None if the request is invalid."""
    try:
        return REQUESTS[said["request"]](said, seed)
    except (KeyError, OverflowError):
        return None


def replay(requests: Iterable[Mapping[str, Any]], faults: Iterable[str]) -> bool:
    """Return True if the unit revealed its secret although it was locked."""
    clock = Simulated()
    bench = Bench(Ecu(list(faults), Random(0), alive=clock.now()), clock, f"replay {next(_channels)}")
    seed, locked = bytes(4), True
    try:
        for said in requests:
            if (sent := request(said, seed)) is None:
                continue
            bench.send(sent)
            answer = bench.listen(0.2)
            if answer.startswith(b"\x67\x01"):
                seed = answer[2:]
            if locked and answer.startswith(SECRET):
                return True
            locked = answer[:1] in (b"\x50", b"\x51") or (locked and answer != b"\x67\x02")
        return False
    finally:
        bench.close()


def check(messages: Iterable[Any]) -> None:
    """Raise if the unit revealed its secret."""
    if replay([json.loads(str(message)) for message in messages], os.environ.get("FAULTS", "security_kept").split()):
        raise AssertionError("a locked unit gave away its secret")


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    except AssertionError as error:
        sys.exit(str(error))
