"""Compare ``triggers`` with HPSL, decision trees and simpler methods: queries needed to find a planted product set.

- *auto*: Rootward's own. *hpsl*: Algorithm 1 of the paper.
- *queries*: runs of the subject, including that of the failing configuration and the checks at the end.
- *information limit*: the bits needed to identify the planted set among all sets with as many relevant fields. No
  method can need fewer queries on average.
- *certificate*: the number of runs needed to prove the answer: one for each value that does not trigger, and one for
  each further value of the field with the most triggering values.
- *exact*: the answer has all relevant fields and no others, each with all of its triggering values and no others.
- *of these, for precision*: queries for random members of the answer, which measure its precision.
- *seconds*: processor time.

Figures are medians, with the worst in parentheses. Every instance is generated from a seed: the number of its table,
then its place in the table.

    ./dev exec python benchmarks/triggers.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from peers import figure, planted, tables, trees, unions
from peers.bench import Bench, run
from peers.contest import RATES, Job, Recipe, Result, Solved, solve
from peers.tables import of, percent, say, spread, table, three

FIGURE = Path(__file__).parent / "figures" / "triggers.svg"
BUGS = {104: 179, 116: 1176, 117: 1706, 118: 1176}
PAPER = {104: 2035, 116: 3459, 117: 4506, 118: 3663}
SIMPLER = ("tree, depth 10", "tree, IPP", "ddmin", "random")
K = TypeVar("K", bound=Hashable)


class Contest(Bench):
    """Runs several methods on the same instances."""

    def solve(self, jobs: Iterable[Job]) -> list[Solved]:
        return self.map(solve, list(jobs), lambda job: job.cost)

    def solve_groups(self, groups: Mapping[K, Sequence[Job]]) -> dict[K, list[Solved]]:
        solved = iter(self.solve(chain.from_iterable(groups.values())))
        return {name: [next(solved) for _ in jobs] for name, jobs in groups.items()}


def everyone(groups: Mapping[Any, Iterable[Solved]]) -> list[Solved]:
    return list(chain.from_iterable(groups.values()))


def shapes(bench: Contest) -> None:
    """The shapes of HPSL's Table I"""
    groups = {}
    for (middle, large), counts in {(15, 21): (40, 40, 40), (22, 30): (40, 5, 5)}.items():
        full, simple, slow = map(bench.count, counts)
        for bug, fields in BUGS.items():
            options = {"fields": fields, "middle": middle, "large": large}
            groups[f"{bug}, 2 / {middle} / {large}"] = [
                Job(
                    Recipe((1, bug, middle, i), {**options, "relevant": 9 + i % 3}),
                    ("auto", *(["hpsl"] if i < slow else []), *(SIMPLER if i < simple else [])),
                )
                for i in range(full)
            ]
    done = bench.solve_groups(groups)
    say(
        "k = 9 to 11 relevant fields among N; half of all fields are Boolean. The numbers of *values* are those of a "
        "Boolean / an integer or choice / a float. The last table shows how many instances each method got.\n\n"
        "- *paper's HPSL*: the queries in its Table I.\n"
        f"- *trees*: learned from {trees.EXAMPLES} examples, as in the paper.\n"
        "- *ddmin*: isolates the differences from a random passing configuration.\n"
        "- *random*: mutates 10% of the fields in each run until every triggering value has occurred in a failing "
        "run. It is told when to stop, because it cannot know."
    )
    first = "like bug, values"
    table(
        first,
        done,
        {
            "N": lambda group: group[0].fields,
            "information limit": tables.limit,
            "certificate": tables.certificate,
            "auto, queries": lambda group: f"**{tables.queries('auto')(group)}**",
            "of these, for precision": tables.checks(),
            "hpsl": tables.queries("hpsl"),
            "paper's HPSL": lambda group: PAPER[group[0].recipe.seed[1]],
            "trees": lambda group: trees.EXAMPLES,
            "ddmin": tables.queries("ddmin"),
            "random": tables.queries("random"),
            "auto / information limit": tables.over_limit(),
            "auto / certificate": tables.over_certificate(),
        },
    )
    say(
        "Share of exact answers. ddmin names fields but no values; for ddmin, the share of the relevant fields that "
        "it names."
    )
    named = {"ddmin": lambda group: percent(result.named for result in of(group, "ddmin"))}
    methods = ("auto", "hpsl", *SIMPLER)
    table(first, done, {method: named.get(method, tables.exact(method)) for method in methods})
    say("Seconds. The trees and random judge thousands of configurations at once, without a lab.")
    columns = {method: tables.seconds(method) for method in methods}
    counted = {f"instances: {method}": tables.instances(method) for method in ("auto", "hpsl", "random")}
    table(first, done, columns | counted)
    tables.confess(tables.inexact(everyone(done), "auto", "hpsl"))


def random_sets(bench: Contest) -> None:
    """Random product sets"""
    solved = bench.solve(_random_jobs(bench.count(510), bench.count(8)))
    say(
        "N is log-uniform in 100..3000 (every twentieth in 3000..20,000), and k is uniform in 1..30. Integers and "
        "choices have 3 to 31 values, floats 5 to 41; each kind of field has one to three lists of values. In every "
        "third instance, the triggering values of ordered fields are intervals; the limits ignore that. Ratios: "
        "median / 90% quantile / worst."
    )
    bands = {"N < 1000": (0, 1000), "1000 <= N < 3000": (1000, 3000), "3000 <= N": (3000, math.inf)}
    groups = {
        f"{name}, {'intervals' if shape else 'any sets'}": [
            one for one in solved if low <= one.fields < high and one.recipe.options["intervals"] == shape
        ]
        for shape in (False, True)
        for name, (low, high) in bands.items()
    }
    table(
        "",
        {name: group for name, group in {**groups, "all": solved}.items() if group},
        {
            "instances": len,
            "auto, queries": tables.queries("auto"),
            "of these, for precision": tables.checks(),
            "auto / information limit": lambda group: three(one.over_limit("auto") for one in group),
            "auto / certificate": lambda group: three(one.over_certificate("auto") for one in group),
            "auto / the larger of the two": lambda group: three(
                min(one.over_limit("auto"), one.over_certificate("auto")) for one in group
            ),
            "exact": lambda group: f"{sum(result.exact for result in of(group, 'auto'))} of {len(group)}",
            "seconds": tables.seconds("auto"),
        },
    )
    _against_hpsl([one for one in solved if "hpsl" in one.results])
    tables.confess(tables.inexact(solved, "auto", "hpsl"))


def _random_jobs(count: int, with_hpsl: int) -> list[Job]:
    rng = np.random.default_rng(2)
    jobs: list[Job] = []
    for i in range(count):
        options = {
            "fields": round(math.exp(rng.uniform(*np.log((3000, 20_000) if i % 20 == 19 else (100, 3000))))),
            "relevant": int(rng.integers(1, 31)),
            "middle": int(rng.integers(4, 31)),
            "large": int(rng.integers(6, 41)),
            "variety": int(rng.integers(1, 4)),
            "intervals": i % 3 == 2,
        }
        compared = 1000 <= options["fields"] <= 3000 and with_hpsl > 0
        with_hpsl -= compared
        jobs.append(Job(Recipe((2, i), options), ("auto", "hpsl") if compared else ("auto",)))
    return jobs


def _against_hpsl(both: list[Solved]) -> None:
    if not both:
        return
    saved = [one.results["hpsl"].trials / one.results["auto"].trials for one in both]
    ours, theirs = tables.queries("auto")(both), tables.queries("hpsl")(both)
    say(
        f"Compared with hpsl, on the first {len(both)} instances with N in 1000..3000: hpsl needs {theirs} queries, "
        f"auto {ours}. The ratio of hpsl to auto is **{statistics.median(saved):.1f}** in the median, between "
        f"{min(saved):.1f} and {max(saved):.1f}. hpsl is exact in {tables.exact('hpsl')(both)}, and takes "
        f"{tables.seconds('hpsl')(both)} seconds."
    )


# Growth


def growth_in_fields(bench: Contest) -> None:
    """Growth with the number of fields"""
    say("k = 10 relevant fields; 2 / 15 / 21 values.")
    sizes = {100: (12, 4), 300: (12, 4), 1000: (12, 3), 3000: (12, 2), 10_000: (4, 1), 30_000: (2, 0), 100_000: (1, 0)}
    _growth(bench, 3, "N", {n: ({"fields": n, "relevant": 10}, *counts) for n, counts in sizes.items()})


def growth_in_relevant(bench: Contest) -> None:
    """Growth with the number of relevant fields"""
    say("N = 1000; 2 / 15 / 21 values.")
    _growth(bench, 4, "k", {k: ({"fields": 1000, "relevant": k}, 12, 2) for k in (1, 2, 5, 10, 20, 30)})


def growth_in_values(bench: Contest) -> None:
    """Growth with the number of values"""
    say("N = 1000, k = 10; all fields are integers or floats with this number of values.")
    fixed = {"fields": 1000, "relevant": 10, "spread": 0, "shares": planted.NUMBERS_ONLY}
    points = {x: ({**fixed, "middle": x, "large": x}, 12, 2 if x < 32 else 1) for x in (2, 4, 8, 16, 32, 64)}
    _growth(bench, 5, "values", points)


def _growth(bench: Bench, number: int, first: str, points: Mapping[int, tuple[dict[str, Any], int, int]]) -> None:
    """Print a table of growth. Each point has the options of its problems, their number, and how many of them hpsl
    gets."""
    groups = {
        f"{point:,}": [
            Job(Recipe((number, point, i), options), ("auto", "hpsl") if i < bench.count(few) else ("auto",))
            for i in range(bench.count(full))
        ]
        for point, (options, full, few) in points.items()
    }
    done = bench.solve_groups(groups)
    columns = {
        "information limit": tables.limit,
        "queries: auto": tables.queries("auto"),
        "queries: hpsl": tables.queries("hpsl"),
        "auto / limit": tables.over_limit(),
        "exact: auto": tables.exact("auto"),
        "exact: hpsl": tables.exact("hpsl"),
        "instances: auto": len,
        "instances: hpsl": tables.instances("hpsl"),
        "seconds: auto": tables.seconds("auto"),
        "seconds: hpsl": tables.seconds("hpsl"),
    }
    table(first, done, columns)
    tables.confess(tables.inexact(everyone(done), "auto", "hpsl"))


# Problems outside HPSL's model


def pairs(bench: Contest) -> None:
    """Two fields that interact"""
    full = bench.count(100)
    say(
        f"300 fields, {full} instances of each kind. Beside the pair there are 0 to 3 ordinary relevant fields. Both "
        "fields of the pair have the same 8 to 16 integers. *rest exact*: no other field is named, and the ordinary "
        "ones are exact."
    )
    done = bench.solve_groups(
        {
            kind: [Job(Recipe((6, number, i), {"fields": 300, "others": i % 4}, kind)) for i in range(full)]
            for number, kind in enumerate(planted.PAIRS)
        }
    )
    columns = {
        "auto, queries": tables.queries("auto"),
        "of these, for precision": tables.checks(),
        "both found": lambda group: percent(result.named == 1 for result in of(group, "auto")),
        "reported together": lambda group: percent(result.together for result in of(group, "auto")),
        "rest exact": lambda group: percent(result.clean for result in of(group, "auto")),
        "seconds": tables.seconds("auto"),
    }
    table("fails if", done, columns)
    for group in done.values():
        missed = [("auto", one, _describe_mistakes(one.results["auto"])) for one in group]
        tables.confess([entry for entry in missed if entry[2]], most=2)


def _describe_mistakes(result: Result) -> str:
    """Describe what is wrong about an answer with two interacting fields; empty if nothing is."""
    wrong = {"not both found": result.named < 1, "not together": not result.together, "rest wrong": not result.clean}
    return result.problem or ", ".join(text for text, holds in wrong.items() if holds)


def flaky(bench: Contest) -> None:
    """Flaky failures"""
    full = bench.count(34)
    say(
        f"{full} instances per row; 2 / 15 / 21 values. A triggering configuration fails at the given rate; any other "
        "never fails. *unaware*: the same with `flaky=False`."
    )
    methods = ("auto", *(f"{how} {rate}" for how in ("flaky", "unaware") for rate in RATES))
    sizes = [(179, 10), (600, 3), (600, 10)]
    solved = bench.solve_groups(
        {
            (n, k): [Job(Recipe((7, n, k, i), {"fields": n, "relevant": k}), methods) for i in range(full)]
            for n, k in sizes
        }
    )
    heads = [
        "queries",
        "of these, for precision",
        "queries / queries at rate 1",
        "exact",
        "stated confidence, median (least)",
    ]
    tables.rows(
        ["N, k, rate", *heads, "unaware: queries", "unaware: exact", "seconds"],
        [[f"{n}, {k}, {rate}", *_flaky_row(group, rate)] for (n, k), group in solved.items() for rate in RATES],
    )
    tables.confess(tables.inexact(everyone(solved), *methods[:3]))


def _flaky_row(group: list[Solved], rate: float) -> list[str]:
    aware, unaware = f"flaky {rate}", f"unaware {rate}"
    return [
        tables.queries(aware)(group),
        tables.checks(aware)(group),
        spread((one.results[aware].trials / one.results["auto"].trials for one in group), 2),
        tables.exact(aware)(group),
        spread((result.confidence for result in of(group, aware)), 4, min),
        tables.queries(unaware)(group),
        tables.exact(unaware)(group),
        tables.seconds(aware)(group),
    ]


# Figure 5


def figure_five(bench: Contest) -> None:
    """Figure 5: precision and generality of the answers"""
    repeats = bench.count(20)
    say(
        f"One instance of each shape; {repeats} training sets of {trees.EXAMPLES} examples for each kind of tree. All "
        "measures are computed exactly; medians, with the extremes in parentheses.\n\n"
        "- *precision*: the share of the configurations labelled as failing that do fail.\n"
        "- *generalisation factor*: log10 of the fraction of all configurations that the answer labels as failing.\n"
        "- *recall*: the share of the failing configurations that the answer labels as failing."
    )
    recipes = {bug: Recipe((8, bug), {"fields": fields, "relevant": 9 + bug % 3}) for bug, fields in BUGS.items()}
    grown = {bug: [Job(one, SIMPLER[:2], draw=i) for i in range(repeats)] for bug, one in recipes.items()}
    exact = bench.solve_groups({bug: [Job(one, ("auto", "hpsl"))] for bug, one in recipes.items()})
    found = {
        bug: {method: of(exact[bug], method) for method in ("auto", "hpsl")}
        | {method: of(group, method) for method in SIMPLER[:2]}
        | {"everything": [_everything(recipes[bug])]}
        for bug, group in bench.solve_groups(grown).items()
    }
    FIGURE.parent.mkdir(exist_ok=True)
    FIGURE.write_text(_draw(found))
    print(f"\n![Generalisation factor and fields named against precision]({FIGURE.parent.name}/{FIGURE.name})")
    tables.rows(
        ["like bug", "method", "queries", "precision", "generalisation factor", "recall", "fields named"],
        [[bug, method, *_measures(results)] for bug, series in found.items() for method, results in series.items()],
    )
    tables.confess(tables.inexact(everyone(exact), "auto", "hpsl"))


def _everything(recipe: Recipe) -> Result:
    return Result(0, False, quality=unions.quality(planted.Coded(recipe.make()), [{}]))


def _measures(results: Sequence[Result]) -> list[str]:
    known = [result.quality for result in results if result.quality]
    digits = {"precision": 3, "factor": 2, "recall": 3, "named": 0}
    measured = [_range([getattr(one, name) for one in known], places) for name, places in digits.items()]
    return [f"{statistics.median(result.trials for result in results):.0f}", *measured]


def _range(values: Sequence[float], digits: int) -> str:
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}..{max(values):.{digits}f})"


def _draw(found: Mapping[int, Mapping[str, Sequence[Result]]]) -> str:
    names = list(next(iter(found.values())))
    rows = [_row("log10 of the fraction labelled", "factor", found), _row("fields named", "named", found)]
    return figure.draw("What the answers are worth", "precision", names, rows)


def _row(label: str, measure: str, found: Mapping[int, Mapping[str, Sequence[Result]]]) -> figure.Row:
    def points(results: Sequence[Result]) -> list[figure.Point]:
        known = [result.quality for result in results if result.quality and math.isfinite(result.quality.factor)]
        return [(one.precision, getattr(one, measure)) for one in known]

    panels = [
        figure.Panel(f"like bug {bug}, N = {BUGS[bug]}", {name: points(results) for name, results in series.items()})
        for bug, series in found.items()
    ]
    return figure.Row(label, panels)


TABLES = {
    "shapes": shapes,
    "random": random_sets,
    "fields": growth_in_fields,
    "relevant": growth_in_relevant,
    "values": growth_in_values,
    "pairs": pairs,
    "flaky": flaky,
    "figure": figure_five,
}


if __name__ == "__main__":
    run(__doc__, TABLES, Contest)
