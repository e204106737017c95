"""The cases: loading them, splitting them into halves, and checking their truth against the software itself.

./dev exec python benchmarks/real/corpus.py check [NAME...] [--most 2000]
./dev exec python benchmarks/real/corpus.py list
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

import rootward as rw
from real import environments
from real.points import MAX_WHOLE, Point
from real.workers import TIMEOUT, worker
from rootward.study import Study, load_study
from rootward.verdict import FAIL, PASS, UNRESOLVED

CASES = Path(__file__).parent / "cases"
KINDS = ("values", "text", "options", "two failures", "slow", "pair", "simulator", "no simple condition")
DESIGN, HELD_OUT = "design", "held-out"
OPENED = set(Path(__file__).with_name("opened.txt").read_text().split())
"""The cases that were held out until their diagnoses were read."""
MAX_CHECKED = 2000
"""Maximum number of points of a case on which the software itself is run to check the predicate."""
UNRESOLVED_CODE = "exit code 125"
Verdict = bool | str
"""The truth about a point: whether it fails, or the name of its failure; and False if it passes."""


@dataclass(frozen=True)
class Case:
    """A failure of public software."""

    name: str
    folder: Path

    def __reduce__(self) -> tuple[Any, ...]:
        return Case, (self.name, self.folder)  # without the loaded module, which cannot be sent to another process

    @property
    def half(self) -> str:
        """The half that the case belongs to. Its name decides, nobody's choice, until somebody reads its diagnosis."""
        held_out = hashlib.sha256(self.name.encode()).digest()[0] % 2 == 1
        return HELD_OUT if held_out and self.name not in OPENED else DESIGN

    @cached_property
    def truth(self) -> ModuleType:
        """The module truth.py."""
        spec = importlib.util.spec_from_file_location(f"truth_{self.name}", self.folder / "truth.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    @property
    def kind(self) -> str:
        return str(self.truth.KIND)

    @property
    def pins(self) -> tuple[str, ...]:
        return tuple(sorted(self.truth.PACKAGES))

    @property
    def variants(self) -> dict[str, tuple[str, ...]]:
        """Further environments by name, for a case that compares versions of packages."""
        return {name: tuple(sorted(pins)) for name, pins in getattr(self.truth, "VARIANTS", {}).items()}

    @property
    def all_pins(self) -> set[tuple[str, ...]]:
        """The pins of every environment that the case needs."""
        return {pins for pins in (self.pins, *self.variants.values()) if pins}

    @property
    def skipped(self) -> str:
        """The reason why the case cannot run here; empty if it can."""
        first, end = getattr(self.truth, "PYTHON", ((3, 11), (4,)))
        if not first <= sys.version_info[:3] < end:
            here = ".".join(map(str, sys.version_info[:3]))
            return f"shown by Python {'.'.join(map(str, first))} to before {'.'.join(map(str, end))}; this is {here}"
        try:
            for pins in self.all_pins:
                environments.find(pins)
        except environments.NotInstalled as error:
            return str(error)
        return ""

    @cached_property
    def loaded(self) -> Study:
        """The study as its file says."""
        return load_study(self.folder / "study.toml")

    @property
    def space(self) -> rw.Space:
        assert self.loaded.space is not None
        return self.loaded.space

    @property
    def failing(self) -> dict[str, Any]:
        return dict(self.loaded.failing or {})

    def study(self, software: Software | None = None) -> Study:
        """Return the study, with the worker instead of the command."""
        return replace(self.loaded, subject=rw.Function(software or Software(self)))

    def fails(self, point: Mapping[str, Any]) -> Verdict:
        """Return the truth about a point."""
        said: Verdict | None = self.truth.fails(point)
        return said or False

    def fails_as(self, point: Mapping[str, Any], failure: Verdict) -> bool:
        """Return True if this is how a point fails."""
        return self.fails(point) == failure

    def is_known(self, point: Mapping[str, Any]) -> bool:
        """Return True unless the point is so close to the border that the predicate does not decide."""
        decides = getattr(self.truth, "decides", None)
        return decides is None or bool(decides(point))

    @cached_property
    def points(self) -> list[Point]:
        """The points on which claims are judged, always the same."""
        drawn = [self.space.check(point) for point in self.truth.points(random.Random(self.name))]
        return list({repr(sorted(point.items())): dict(point) for point in drawn}.values())

    @cached_property
    def is_whole(self) -> bool:
        """True if the points are the whole space."""
        return self.space.size <= min(MAX_WHOLE, len(self.points))


@dataclass(frozen=True)
class Software:
    """The subject of a case: its worker, judged as the command would be. The signature is the type of the exception."""

    case: Case

    def __call__(self, candidate: Mapping[str, Any]) -> rw.Outcome:
        answer = self.ask(candidate)
        if answer["fails"] == UNRESOLVED_CODE:
            return rw.Outcome(UNRESOLVED, detail=answer["detail"])
        if answer["fails"] is None:
            return rw.Outcome(PASS)
        return rw.Outcome(FAIL, signature=answer["fails"], detail=f"{answer['fails']}: {answer['detail']}")

    def ask(self, candidate: Mapping[str, Any]) -> dict[str, Any]:
        case = self.case
        language = "js" if (case.folder / "fail.js").is_file() else "py"
        variants = {name: str(environments.find(pins)) for name, pins in case.variants.items()}
        request = {"case": str(case.folder), "variants": variants, "config": dict(candidate)}
        timeout = getattr(case.loaded.subject, "timeout", None) or TIMEOUT
        return worker(language, environments.find(case.pins)).ask(request, timeout)


def cases(names: Collection[str] = (), half: str = "all") -> list[Case]:
    """Return the cases of a half, or those named."""
    found = [Case(path.parent.name, path.parent) for path in sorted(CASES.glob("*/truth.py"))]
    if unknown := set(names) - {case.name for case in found}:
        raise SystemExit(f"unknown case: {', '.join(sorted(unknown))}")
    return [case for case in found if (case.name in names if names else half in ("all", case.half))]


# Checking the truth


@dataclass(frozen=True)
class Checked:
    """The result of a check: the points where the software does not do what the predicate says."""

    runs: int
    wrong: list[tuple[Point, Verdict, Verdict]]
    """Each with what the predicate says and what the software does."""
    seen: dict[str, int]
    """How many points were run, by what the software did."""


def check(case: Case, most: int = MAX_CHECKED) -> Checked:
    """Run the software on the points of a case and compare it with the predicate.

    The failing configuration always is among them. If there are more points than ``most``, they are drawn, half of
    them failing if there are enough.
    """
    software, rng = Software(case), random.Random(f"check {case.name}")
    chosen = [case.failing, *map(dict, case.loaded.nominal), *_choose(case, rng, most)]
    wrong, seen = [], dict[str, int]()
    for point in chosen:
        said, did = case.fails(point), software.ask(point)["fails"] or False
        seen[str(did)] = seen.get(str(did), 0) + 1
        if bool(said) != bool(did) if said is True else said != did:
            wrong.append((point, said, did))
    return Checked(len(chosen), wrong, seen)


def _choose(case: Case, rng: random.Random, most: int) -> Sequence[Point]:
    if len(case.points) <= most:
        return case.points
    failing = [point for point in case.points if case.fails(point)]
    passing = [point for point in case.points if not case.fails(point)]
    half = min(len(failing), max(most // 2, most - len(passing)))
    return [*rng.sample(failing, half), *rng.sample(passing, min(len(passing), most - half))]


def main() -> int:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("command", choices=("check", "list"))
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--most", type=int, default=MAX_CHECKED, help=f"runs of each case ({MAX_CHECKED})")
    options = parser.parse_args()
    failed = 0
    for case in cases(options.names):
        if options.command == "list":
            print(f"{case.name} ({case.kind}): {case.truth.CONDITION}")
            continue
        if case.skipped:
            print(f"{case.name}: skipped: {case.skipped}", flush=True)
            continue
        start = time.monotonic()
        done = check(case, options.most)
        each = 1000 * (time.monotonic() - start) / done.runs
        counts = ", ".join(f"{'passes' if name == 'False' else name} {count}" for name, count in done.seen.items())
        state = f"{len(done.wrong)} WRONG" if done.wrong else "agrees"
        print(f"{case.name}: {state}; {done.runs} runs of {len(case.points)} points, {each:.1f} ms each; {counts}")
        for point, said, did in done.wrong[:5]:
            print(f"  {str(point)[:300]}: predicate {said!r}, software {did!r}")
        sys.stdout.flush()
        failed += bool(done.wrong) or len(done.seen) < 2
    return 1 if failed else 0


if __name__ == "__main__":
    # The command runs the module under its usual name, so that there is only one class of each name.
    from real.corpus import main as run_command

    sys.exit(run_command())
