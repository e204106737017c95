"""Hash the questions and findings of every search: if the hashes are equal before and after a change, no answer
changed.

A seeded search replays exactly, so the questions of a run are a property of the code. The runs are those of the
conformance laws (every method on each of its cases, also with odd answers), the planted bugs of
`benchmarks/diagnose.py`, the studies in `examples/`, and triages of simulated control units. Each run has one hash of
its questions, in order, and one of each part of its finding: every entry of its data, its text, and its page.

    ./dev transcripts [--out FILE] [--against FILE] [NAME ...]     NAME: the beginning of a run's name, such as planted/
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import re
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import diagnose as planted  # noqa: E402

import rootward as rw  # noqa: E402
from rootward.lab.lab import Lab  # noqa: E402
from rootward.search.ask import Answers, Ask, Replay, Search  # noqa: E402
from rootward.search.relay import relay  # noqa: E402
from rootward.space.candidate import key_of  # noqa: E402
from tests.conformance import laws  # noqa: E402
from tests.conformance.cases import CASES  # noqa: E402
from tests.conformance.diagnosis_cases import CHARACTERS  # noqa: E402

CHANGING = re.compile(
    r'[0-9.,]+ (?:µs|ms|s|min|h)\b|"seconds": ?[-+.e0-9]+|"rootward-document">[^<]*|function \w+ [0-9a-f]{8,}'
)
"""Parts of a page that change with each run or when a module moves: durations, the embedded document (compressed; it is
compared as data), and the identity of a function."""
ODD = 3
"""Number of times each case is also run with odd answers."""


class Overheard:
    """Hashes the questions of all searches that labs run in the meantime."""

    def __init__(self) -> None:
        self.hash, self.count = hashlib.blake2b(digest_size=8), 0

    @contextmanager
    def everywhere(self) -> Iterator[None]:
        start = Lab.start

        def overheard(lab: Lab, search: Search[Any, Any], **options: Any) -> None:
            start(lab, relay(search, self._hear), **options)

        with mock.patch.object(Lab, "start", overheard):
            yield

    def _hear(self, ask: Ask[Any]) -> Generator[Ask[Any], Answers, Answers]:
        self.count += 1
        self.hash.update(json.dumps([str(ask.until), ask.fresh, *map(_name, ask.candidates)]).encode())
        return (yield ask)


def _name(candidate: Any) -> str:
    return f"{key_of(candidate.candidate)} {candidate.attempt}" if isinstance(candidate, Replay) else key_of(candidate)


def _digest(data: Any) -> str:
    text = json.dumps(_timeless(data), sort_keys=True, default=str).replace(str(ROOT), "")
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _timeless(data: Any) -> Any:
    """Return the data without durations, and without the last digits of its numbers."""
    if isinstance(data, float):
        return float(f"{data:.12g}")
    if isinstance(data, dict):
        return {name: _timeless(value) for name, value in data.items() if name != "seconds"}
    return [_timeless(value) for value in data] if isinstance(data, list | tuple) else data


# The runs, by name


def _case(case: laws.Case, odd: int | None) -> Any:
    bench = laws.Bench(case, subject=None if odd is None else laws._odd(case, odd))
    with Lab(bench) as lab:
        return lab.run(case.search(), failing=case.told)


def _bug(job: planted.Job) -> Any:
    bug = job.bug()
    return rw.diagnose(bug.study, seed=bug.seed, budget=planted.LIMIT)


def _study(path: Path) -> Any:
    return rw.diagnose(rw.load_study(path))


def _triage(seed: int) -> Any:
    from peers.trace_grouping import data_set

    made = data_set(seed)
    return rw.triage(made.model, made.traces)


def _page(finding: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        finding.report(Path(folder) / "page.html")
        return CHANGING.sub("", (Path(folder) / "page.html").read_text())


@cache
def runs() -> dict[str, Callable[[], Any]]:
    named: dict[str, Callable[[], Any]] = {}
    for method, cases in CASES.items():
        for case in cases:
            named[f"conformance/{method}/{case.name}"] = partial(_case, case, None)
            named |= {f"conformance/{method}/{case.name}/odd{odd}": partial(_case, case, odd) for odd in range(ODD)}
    named |= {f"diagnosis/{name}": partial(rw.diagnose, one.study) for name, one in CHARACTERS.items()}
    jobs = [
        planted.Job(kind, name, seed) for kind, bugs in planted.KINDS.items() for name in bugs for seed in planted.SEEDS
    ]
    named |= {f"planted/{job.name}/{job.seed}": partial(_bug, job) for job in sorted(jobs, key=lambda job: job.cost)}
    studies = sorted([*ROOT.glob("examples/*/study.toml"), ROOT / "examples" / "husky" / "gap.toml"])
    named |= {f"examples/{path.parent.name}/{path.stem}": partial(_study, path) for path in studies}
    named |= {f"triage/{seed}": partial(_triage, seed) for seed in range(4)}
    return named


def transcript(name: str) -> tuple[str, dict[str, Any]]:
    heard = Overheard()
    begun = time.monotonic()
    with heard.everywhere():
        try:
            finding = runs()[name]()
            found: Any = {**finding.to_dict(), "words": str(finding), "page": _page(finding)}
        except Exception as error:
            found = {"error": repr(error)}
    print(f"{time.monotonic() - begun:7.1f} s  {name}", file=sys.stderr, flush=True)
    parts = {f"found {part}": _digest(value) for part, value in found.items()}
    return name, {"questions": heard.count, "asked": heard.hash.hexdigest(), **parts}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev transcripts", description="Hash what searches ask and find.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a run's name; all by default")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "transcripts.json")
    parser.add_argument("--against", type=Path, help="compare with the transcripts of an earlier run")
    options = parser.parse_args()
    wanted = tuple(options.names or [""])
    if unknown := [name for name in options.names if not any(run.startswith(name) for run in runs())]:
        parser.error(f"no run is called {unknown[0]}...")
    if options.against and not options.against.is_file():
        parser.error(f"there is no file {options.against}")
    before = json.loads(options.against.read_text()) if options.against else {}
    chosen = [name for name in runs() if name.startswith(wanted)]
    done: dict[str, Any] = {}
    gone = [name for name in before if name.startswith(wanted) and name not in runs()]
    for name in gone:
        print(f"{name}: no longer exists", flush=True)
    differ = len(gone)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # Spawn, not fork: a forked child lacks polars' threads and would wait for them forever.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for name, now in pool.map(transcript, reversed(chosen)):
            done[name] = now
            options.out.write_text(json.dumps(dict(sorted(done.items())), indent=1) + "\n")
            if before and (was := before.get(name)) != now:
                differ += 1
                parts = [] if was is None else sorted(key for key in was | now if was.get(key) != now.get(key))
                print(f"{name}: {', '.join(parts) or 'is new'}", flush=True)
    compared = f", {differ} different" if before else ""
    print(f"{len(done)} transcripts in {options.out}{compared}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
