"""A program that runs a search with a store, for tests that kill it: driver.py SETTINGS (JSON).

Each TrialFinished is written to the acknowledgements before anything else happens, so that whoever kills this process
knows what it was told; after "at_most" of them it only waits for that. Each command writes its candidate to a log when
it starts and when it ends.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any

import rootward as rw
from rootward.lab.events import Event, TrialFinished
from rootward.store import store

NUMBER = 'echo "start $1" >> "$LOG"; eval "$WORK"; echo "end $1" >> "$LOG"; case $1 in *7*7*) exit 3;; esac; exit 0'
LINES = """c=$(tr '\\n' , < "$1"); echo "start $c" >> "$LOG"; eval "$WORK"; echo "end $c" >> "$LOG"
case ,$c in *,17,*42,*80,*) exit 3;; esac; exit 0"""


@dataclass(frozen=True, kw_only=True)
class Failing(rw.Finding):
    numbers: tuple[int, ...] = ()

    def answer(self) -> dict[str, Any]:
        return {"numbers": list(self.numbers)}


def failing_numbers(total: int, batch: int = 100) -> rw.Search[dict[str, int], Failing]:
    """Which numbers fail, asked in batches."""
    found: tuple[int, ...] = ()
    for start in range(0, total, batch):
        numbers = range(start, min(start + batch, total))
        outcomes = yield from rw.all_of([{"n": n} for n in numbers], best=Failing(numbers=found))
        found += tuple(n for n, outcome in zip(numbers, outcomes, strict=True) if outcome.verdict is rw.Verdict.FAIL)
    return Failing(numbers=found)


def label(candidate: Any) -> str:
    """The candidate as the command writes it."""
    return str(candidate["n"]) if isinstance(candidate, dict) else "".join(candidate.items).replace("\n", ",")


def main(settings: dict[str, Any]) -> None:
    acknowledgements = os.open(settings["acknowledgements"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    left = itertools.count((settings["at_most"] or sys.maxsize) - 1, -1)
    if settings.get("patience"):
        store.MAX_WAIT = settings["patience"]  # type: ignore[attr-defined]
        store.Store._write.__defaults__ = (settings["patience"],)

    def acknowledge(event: Event) -> None:
        if isinstance(event, TrialFinished):
            line = f"{event.trial.key} {label(event.trial.candidate)}\n"
            os.write(acknowledgements, line.encode())
            if next(left) == 0:
                threading.Event().wait()

    script, argument = (NUMBER, "{n}") if settings["search"] == "numbers" else (LINES, "{file}")
    env = {
        "LOG": settings["log"],
        "WORK": settings["work"],
    }  # a file named in the command would be part of its identity
    command = rw.Command(["/bin/sh", "-c", script, "sh", argument], env=env)
    lab: dict[str, Any] = {"jobs": settings["jobs"], "store": settings["store"], "on_event": acknowledge}
    if settings["search"] == "numbers":
        with rw.Lab(command, **lab) as running:
            found: rw.Finding = running.run(failing_numbers(settings["total"]), name="numbers")
    else:
        found = rw.reduce([f"{i}\n" for i in range(settings["total"])], command, method="ddmin", **lab)
    print(json.dumps(found.to_dict()), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
