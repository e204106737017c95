"""Measure the lab's overhead per trial, and compare it with a bare loop and with picire's reducer on the same job.

Targets: at most 60 microseconds per trial in the same process without a store, 150 with a SQLite file, 1500 for a
trial that runs a command.

- *overhead*: time per trial minus that of the bare loop, which only calls the subject as often.
- Times are wall time; other programs may run on the same machine. Each figure is the median of several rounds, with
  the worst in parentheses.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import rootward as rw
from rootward.verdict import FAIL, PASS

sys.modules.setdefault(
    "pkg_resources", types.ModuleType("pkg_resources")
)  # picire gets its version from this module, which no longer exists
sys.modules["pkg_resources"].get_distribution = lambda _: types.SimpleNamespace(version=version("picire"))  # type: ignore[attr-defined]
import picire  # noqa: E402

ROUNDS = 7
TRIALS = 5000
COMMANDS = 600
ELEMENTS = 400
CULPRITS = frozenset(range(13, ELEMENTS, 50))


@dataclass(frozen=True, kw_only=True)
class Count(rw.Finding):
    fails: int

    def answer(self) -> dict[str, Any]:
        return {"fails": self.fails}


def sweep(configurations: list[dict[str, Any]]) -> rw.Search[dict[str, Any], Count]:
    """Ask one question per configuration: the worst case for the lab, since nothing is batched."""
    fails = 0
    for configuration in configurations:
        outcomes = yield from rw.all_of([configuration], best=Count(fails=fails))
        fails += outcomes[0].verdict is FAIL
    return Count(fails=fails)


def configurations(count: int) -> list[dict[str, Any]]:
    return [{"speed": i / 7, "gear": "PRND"[i % 4], "n": i} for i in range(count)]


def judge(configuration: dict[str, Any]) -> rw.Verdict:
    return FAIL if configuration["n"] % 3 == 0 else PASS


def bare(subject: Callable[[Any], Any], candidates: list[Any]) -> Callable[[], int]:
    def loop() -> int:
        for candidate in candidates:
            subject(candidate)
        return len(candidates)

    return loop


def lab(subject: Any, candidates: list[Any], **options: Any) -> Callable[[], int]:
    def loop() -> int:
        with rw.Lab(subject, **options) as running:
            return running.run(sweep(candidates)).trials

    return loop


def with_store(subject: Any, candidates: list[Any], **options: Any) -> Callable[[], int]:
    def loop() -> int:
        with tempfile.TemporaryDirectory() as folder:
            return lab(subject, candidates, store=Path(folder) / "x.db", **options)()

    return loop


def holds(kept: list[int]) -> bool:
    return CULPRITS.issubset(kept)


def our_ddmin(subject: Any, **options: Any) -> Callable[[], int]:
    return lambda: rw.reduce(range(ELEMENTS), subject, method="ddmin", flaky=False, **options).trials


def their_ddmin(test: Callable[[Any, Any], Any]) -> Callable[[], int]:
    def loop() -> int:
        calls = 0

        def counted(kept: Any, name: Any) -> Any:
            nonlocal calls
            calls += 1
            return test(kept, name)

        picire.DD(counted, cache=picire.ConfigCache())(list(range(ELEMENTS)))
        return calls

    return loop


def their_command(folder: str) -> Callable[[Any, Any], Any]:
    return picire.SubprocessTest(
        test_builder=lambda kept: "".join(f"{i}\n" for i in kept),
        command_pattern=[*SCRIPT, "%s"],
        work_dir=folder,
        filename="input",
    )


# Exit code 0 if all culprits are there: picire treats it as the failure.
SCRIPT = ["awk", f"/^({'|'.join(map(str, sorted(CULPRITS)))})$/ {{n++}} END {{exit n < {len(CULPRITS)}}}"]


def our_command() -> Callable[[], int]:
    lines = [f"{i}\n" for i in range(ELEMENTS)]
    subject = rw.Command([*SCRIPT, "{file}"])
    return lambda: rw.reduce(lines, _Inverted(subject), method="ddmin", flaky=False).trials


class _Inverted:
    """Inverts a command's verdict. Rootward takes exit code 0 for a pass, picire for a failure; so both reduce to the
    same lines."""

    def __init__(self, command: rw.Command) -> None:
        self.command = command
        self.identity, self.seeded, self.inline, self.by_hand = command.identity, False, False, command.by_hand

    def run(self, candidate: Any, *, seed: int, place: Path) -> rw.Outcome:
        outcome = self.command.run(candidate, seed=seed, place=place)
        return rw.Outcome(PASS if outcome.verdict is FAIL else FAIL)


@dataclass(frozen=True)
class Row:
    """One line of the table. ``base`` names the loop whose cost it includes, ``promised`` is the target for the
    rest."""

    name: str
    loop: Callable[[], int]
    base: str | None = None
    promised: float | None = None


def rows(folder: str) -> list[Row]:
    cases, few, true = configurations(TRIALS), configurations(COMMANDS), ["/bin/true", "0"]
    command = rw.Command(["/bin/true", "{n}"])
    everything = [list(range(ELEMENTS))] * 500
    theirs = their_ddmin(lambda kept, _: picire.Outcome.FAIL if holds(kept) else picire.Outcome.PASS)
    function, process, test = (
        "bare loop, Python function",
        "bare loop, subprocess.run",
        "bare loop, test of 400 elements",
    )
    return [
        Row(function, bare(judge, cases)),
        Row("lab, no store", lab(judge, cases), function, 60),
        Row("lab, SQLite file", with_store(judge, cases), function, 150),
        Row(process, bare(lambda _: subprocess.run(true, check=False), few)),
        Row("lab, command", lab(command, few), process, 1500),
        Row("lab, command, SQLite file", with_store(command, few), process, 1500),
        Row(test, bare(holds, everything)),
        Row("picire, ddmin in process", theirs, test),
        Row("ours, ddmin in process", our_ddmin(rw.fails_when(holds)), test),
        Row("picire, ddmin by command", their_ddmin(their_command(folder)), process),
        Row("ours, ddmin by command", our_command(), process),
    ]


def measure(table: list[Row]) -> tuple[dict[str, int], dict[str, list[float]]]:
    """Return trials and microseconds per trial, by name. All loops run in each round, so that a slow moment affects all
    of them. The first round, in which modules are still imported, does not count."""
    trials: dict[str, int] = {}
    micros: dict[str, list[float]] = {row.name: [] for row in table}
    for _ in range(1 + ROUNDS):
        for row in table:
            start = time.perf_counter()
            trials[row.name] = row.loop()
            micros[row.name].append((time.perf_counter() - start) / trials[row.name] * 1e6)
    return trials, {name: times[1:] for name, times in micros.items()}


def main() -> None:
    print(__doc__)
    print(f"{ROUNDS} rounds; picire {version('picire')}.\n")
    print("| | trials | µs per trial, median (worst) | overhead, median (worst) | target | overhead / target |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        table = rows(folder)
        trials, micros = measure(table)
    for row in table:
        over = [a - b for a, b in zip(micros[row.name], micros[row.base], strict=True)] if row.base else []
        cells = [
            f"{statistics.median(micros[row.name]):.0f} ({max(micros[row.name]):.0f})",
            f"{statistics.median(over):.0f} ({max(over):.0f})" if over else "",
            f"{row.promised:.0f}" if row.promised else "",
            f"{statistics.median(over) / row.promised:.2f}" if row.promised else "",
        ]
        print(f"| {row.name} | {trials[row.name]} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
