"""Reduce real files that real tools disagree about, and compare with the reducers that are made for it.

Each case is a public file with a property that holds of it, such as: one compiler accepts it and another one does not.
`benchmarks/files/README.md` names the files, their properties and licences. The *design* half was looked at during
development; the *held-out* half was only measured, and only its sums are printed.

Every execution of the property counts, also repeated ones, including the first one of the original. A tool runs with
its default options and one job, until it finishes, or reaches a limit of executions or of seconds. *ours* is `rootward
reduce` without options; *ddmin* and *probdd* are the published algorithms as implemented in Rootward, on lines. Tools
that are not installed, or cannot read such an input, have a dash. Results are kept in `benchmarks/files/results.jsonl`,
so that a run can be resumed and peers need not be installed.

    ./dev exec python benchmarks/files/install.py            # once, needs the network
    ./dev exec python benchmarks/real_files.py [--half design] [--cases a,b] [--tools ours,cvise] [--quick]
"""

from __future__ import annotations

import argparse
import hashlib
import math
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from files import corpus, measure, results, tools
from files.corpus import Case
from files.measure import Measured
from peers.kept_results import fingerprint
from peers.tables import rows, say

import rootward

SEARCHES = Path(rootward.__file__).parent / "searches" / "reduction"
MAX_EXECUTIONS = 2000
MAX_SECONDS = 120.0
POINTS = (50, 100, 200, 500, 1000)
QUICK_POINTS = (25, 50, 100, 200, 400, 800)
DASH = "–"
NO_LIMITS = results.Limits(0, 0.0)
"""Accepts kept results of every limit."""

Measurements = Mapping[str, Mapping[str, Measured]]
"""Results by case and tool."""


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("--cases", type=_names, default=[], metavar="A,B", help="only these cases")
    parser.add_argument("--tools", type=_names, default=list(tools.TOOLS), metavar="A,B", help=", ".join(tools.TOOLS))
    parser.add_argument("--half", choices=corpus.HALVES, help="only this half")
    parser.add_argument("--executions", type=int, default=MAX_EXECUTIONS, help="limit of each reduction (%(default)s)")
    parser.add_argument("--seconds", type=float, default=MAX_SECONDS, help="likewise (%(default)s)")
    parser.add_argument("--src", type=Path, help="sources of Rootward to measure; implies --fresh")
    parser.add_argument("--fresh", action="store_true", help="neither use nor keep results")
    parser.add_argument("--kept", action="store_true", help="measure nothing: use only kept results")
    parser.add_argument("--quick", action="store_true", help="print a line for each result; keep only those of peers")
    parser.add_argument("--open", action="store_true", help="with --quick: also print held-out cases one by one")
    options = parser.parse_args()
    if unknown := set(options.tools) - set(tools.TOOLS):
        parser.error(f"unknown tool: {', '.join(sorted(unknown))}")
    chosen = corpus.cases(options.cases, [options.half] if options.half else corpus.HALVES)
    if options.quick or options.src:
        _print_lines(chosen, options)
        return
    print((__doc__ or "").partition("    ./dev")[0].strip())
    measured: dict[str, dict[str, Measured]] = {case.name: {} for case in chosen}
    for name in options.tools:
        for case in chosen:
            if found := _measure(case, name, options):
                measured[case.name][name] = found
    _print_tables(chosen, measured)


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


# Measure


def _measure(case: Case, tool: str, options: argparse.Namespace) -> Measured | None:
    """Return the kept result, or measure and keep it; None if the tool or the packages of the case are missing."""
    version = _version(tool)
    limits = results.Limits(options.executions, options.seconds)
    conditions = {"case_fingerprint": case.fingerprint, "version": version}
    fresh = options.fresh or options.src or (options.quick and tools.TOOLS[tool].is_ours)
    final = version is None or options.kept  # a kept result is all that there can be
    if not fresh and (found := results.Results().get(tool, case.name, conditions, NO_LIMITS if final else limits)):
        return found
    if final:
        return None
    if case.missing:
        _tell(f"{case.name}: {case.missing}")
        return None
    _tell(f"{tool} on {case.name}")
    measured = measure.measure(case, tool, options.executions, options.seconds, options.src)
    if measured and not measured.executions:
        return None  # the tool could not even start
    if measured and not fresh:
        results.Results().put(measured, conditions, limits)
    return measured


def _version(tool: str) -> str | None:
    """Return the version of a tool; for Rootward a digest of its sources, of a published method those of its own."""
    if not tools.TOOLS[tool].is_ours:
        return tools.version_of(tool)
    if tool == "ours":
        return fingerprint([])
    return hashlib.sha256((SEARCHES / f"{tool}.py").read_bytes()).hexdigest()[:16]


def _tell(text: str) -> None:
    print(f"[real_files] {text}", file=sys.stderr, flush=True)


# Print


def _print_lines(chosen: Sequence[Case], options: argparse.Namespace) -> None:
    """Print bytes after a few numbers of executions, one line for each result."""
    columns = [*(f"@{point}" for point in QUICK_POINTS), "end", "runs", "seconds", "stopped"]
    print(f"{'case':<24}{'tool':<10}{'start':>9}" + "".join(f"{column:>9}" for column in columns), flush=True)
    ratios: dict[str, list[list[float]]] = {}
    for case in chosen:
        for name in options.tools:
            found = _measure(case, name, options)
            if found is None:
                continue
            sizes = [found.bytes_after(point) for point in QUICK_POINTS] + [found.final]
            shown = [DASH if size is None else f"{size:,}" for size in sizes]
            cells = [*shown, f"{found.executions:,}", f"{found.seconds:.0f}", found.stopped[:8]]
            hidden = case.half == corpus.HELD_OUT and not options.open
            if not hidden:
                print(f"{case.name:<24}{name:<10}{case.size:>9,}" + "".join(f"{cell:>9}" for cell in cells), flush=True)
            known = [case.size if size is None else size for size in sizes]
            ratios.setdefault(f"{case.half} {name}", []).append([max(size, 1) / case.size for size in known])
    for name, shares in ratios.items():
        means = [statistics.geometric_mean(column) for column in zip(*shares, strict=True)]
        title = f"{name}, {len(shares)} cases, share left (geometric mean)"
        print(f"{title:<43}" + "".join(f"{100 * mean:>8.3f}%" for mean in means))


def _print_tables(chosen: Sequence[Case], measured: Measurements) -> None:
    names = [name for name in tools.TOOLS if any(name in found for found in measured.values())]
    halves = {half: [case for case in chosen if case.half == half] for half in corpus.HALVES}
    if halves[corpus.DESIGN]:
        print("\n### Bytes left, design half")
        _print_cases(halves[corpus.DESIGN], measured, names)
    print("\n### Size left as a share of the original")
    say(
        "Geometric mean over the cases that the tool can read, in percent. *finished*: reductions that ended before a "
        "limit. *seconds*: the median."
    )
    for half, cases in halves.items():
        if cases:
            _print_shares(half, cases, measured, names)
    print("\n### Beside the best peer")
    say(
        "The best peer of a case is the one with the smallest final size, and of those with this size the one that "
        "reached it first.\n\n"
        "- *as small at the end*: cases whose final size is at most that of the best peer.\n"
        "- *executions to its size*: executions to reach the best peer's final size, divided by its own; the median, "
        "where a case that did not reach it counts as infinite.\n"
        "- *final size*: divided by that of the best peer; the median and the worst.\n"
        "- *smaller at 100*: cases with fewer bytes after 100 executions than any peer."
    )
    heads = ["half", "as small at the end", "executions to its size", "final size", "smaller at 100"]
    ours = [name for name in names if tools.TOOLS[name].is_ours]
    lines = [[name, half, *_beside(cases, measured, name)] for name in ours for half, cases in halves.items() if cases]
    if lines:
        rows(["tool", *heads], lines)


def _print_cases(cases: Sequence[Case], measured: Measurements, names: Sequence[str]) -> None:
    lines = []
    for case in cases:
        for name in names:
            found = measured[case.name].get(name)
            label = [case.name, case.kind, f"{case.size:,}", name]
            lines.append([*label, *(_cells(found) if found else [DASH] * (len(POINTS) + 2))])
    heads = ["kind", "bytes", "tool", *(f"at {point}" for point in POINTS), "end", "executions"]
    rows(["case", *heads], lines)


def _cells(found: Measured) -> list[str]:
    sizes = [*(found.bytes_after(point) for point in POINTS), found.final]
    mark = "" if found.stopped == "finished" else f" ({found.stopped})"
    return [*(DASH if size is None else f"{size:,}" for size in sizes), f"{found.executions:,}{mark}"]


def _print_shares(half: str, cases: Sequence[Case], measured: Measurements, names: Sequence[str]) -> None:
    lines = []
    for name in names:
        group = [(case, measured[case.name][name]) for case in cases if name in measured[case.name]]
        if not group:
            continue
        shares = []
        for point in (*POINTS, math.inf):
            sizes = [(case, found.bytes_after(int(min(point, MAX_EXECUTIONS)))) for case, found in group]
            logs = [math.log(max(case.size if size is None else size, 1) / case.size) for case, size in sizes]
            shares.append(f"{100 * math.exp(statistics.mean(logs)):.3g}%")
        finished = sum(found.stopped == "finished" for _, found in group)
        seconds = statistics.median(found.seconds for _, found in group)
        executions = statistics.median(found.executions for _, found in group)
        lines.append([name, len(group), *shares, f"{executions:,.0f}", finished, f"{seconds:.0f}"])
    heads = ["cases", *(f"at {point}" for point in POINTS), "end", "executions, median", "finished", "seconds"]
    if lines:
        rows([f"{half} half", *heads], lines)


def _beside(cases: Sequence[Case], measured: Measurements, name: str) -> list[str]:
    as_small, sooner, ratios, sizes, total = 0, 0, [], [], 0
    for case in cases:
        found = measured[case.name].get(name)
        peers = {
            other: one
            for other, one in measured[case.name].items()
            if not tools.TOOLS[other].is_ours and one.final is not None
        }
        if found is None or found.final is None or not peers:
            continue
        total += 1
        best = min(peers.values(), key=lambda one: (one.final, one.executions_to(one.final or 0)))
        assert best.final is not None
        as_small += found.final <= best.final
        needed = found.executions_to(best.final)
        ratios.append(needed / (best.executions_to(best.final) or 1) if needed else math.inf)
        sizes.append(max(found.final, 1) / max(best.final, 1))
        early = [one.bytes_after(100) or case.size for one in peers.values()]
        sooner += (found.bytes_after(100) or case.size) < min(early)
    if not total:
        return [DASH] * 4
    middle = statistics.median(ratios)
    ratio = "never" if math.isinf(middle) else f"{middle:.2f}"
    return [
        f"{as_small} of {total}",
        ratio,
        f"{statistics.median(sizes):.2f} ({max(sizes):.2f})",
        f"{sooner} of {total}",
    ]


if __name__ == "__main__":
    main()
