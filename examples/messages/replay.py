"""Replay the messages of a log to a simulated charging station: ``python replay.py log.jsonl``.

The plug must not be unlocked while there is voltage on it. Exit code 1 if it is, 125 if the log cannot be read. If the
car is silent for two seconds, the station switches off and starts over.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

SILENCE = 2.0
"""Seconds of silence after which the car counts as gone."""
STEPS = {
    ("free", "plug"): "plugged",
    ("plugged", "lock"): "locked",
    ("locked", "start"): "charging",
    ("charging", "pause"): "paused",
    ("paused", "resume"): "charging",
    ("charging", "stop"): "locked",
    ("paused", "stop"): "locked",
    ("locked", "unlock"): "plugged",
    ("paused", "unlock"): "plugged",  # the bug: there is no current, but still voltage
    ("plugged", "unplug"): "free",
}
"""The next state for each state and message; any other message changes nothing."""
LIVE = {"charging", "paused"}
"""The states with voltage on the plug."""


def replay(messages: Iterable[tuple[float, str]]) -> float | None:
    """Return the time at which the plug is unlocked under voltage; None if it is not."""
    state, last = "free", 0.0
    for time, name in messages:
        if time - last > SILENCE:
            state = "free"
        before, state, last = state, STEPS.get((state, name), state), time
        if before in LIVE and state == "plugged":
            return time
    return None


def read(path: Path) -> list[tuple[float, str]]:
    messages = map(json.loads, path.read_text().splitlines())
    return [(float(message["time"]), message["name"]) for message in messages]


def main(path: Path) -> int:
    try:
        messages = read(path)
    except (ValueError, KeyError, TypeError) as error:
        print(f"{path} is no log: {error}")
        return 125
    if (time := replay(messages)) is None:
        return 0
    print(f"after {time:g} s: unlocked under voltage")
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
