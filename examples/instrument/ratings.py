"""A pipeline that rates products every day, and the gain from a check in the middle of it.

`graph.json` is the graph of the pipeline. `run` is a small version of it: it reads the reviews of a day, rates the
products, and compares the share of good ones with the day before. `python ratings.py` searches for the causes of its
failures twice: without a check, and with the check that `rootward instrument graph.json` recommends.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import rootward as rw

GRAPH = json.loads((Path(__file__).parent / "graph.json").read_text())
VALUES: dict[str, list[str]] = {}
for params in GRAPH["nodes"].values():
    for name, values in params.items():
        VALUES.setdefault(name, []).extend(values)
SPACE = rw.Space({name: rw.Choice(values) for name, values in VALUES.items()})

# The share of good ratings stored on each day. On 03-22 the file was truncated.
STORED = {"03-20": 0.70, "03-21": 0.72, "03-22": None, "03-23": 0.69}


def previous_ratings(configuration: dict[str, Any]) -> float | None:
    """The node Read Previous Ratings."""
    return STORED[configuration["Previous Date"]]


def todays_ratings(configuration: dict[str, Any]) -> float:
    """The nodes Read File, Compute Rating and Aggregate Ratings."""
    share = {"03-21": 0.72, "03-22": 0.71, "03-23": 0.69, "03-24": 0.74}[configuration["Date"]]
    # Version 3 of script 1 gives four grades, but version 2 of script 2 knows only two.
    return share / 2 if configuration["Script 1"] == "v3" and configuration["Script 2"] == "v2" else share


def run(configuration: dict[str, Any]) -> rw.Verdict:
    """Run the pipeline; with an entry "checkpoint", only up to that node, with the verdict of the check there."""
    previous = previous_ratings(configuration)
    if "checkpoint" in configuration:
        return rw.Verdict.PASS if previous is not None else rw.Verdict.FAIL
    good = previous is not None and abs(todays_ratings(configuration) - previous) < 0.2
    return rw.Verdict.PASS if good else rw.Verdict.FAIL


def earlier_runs(count: int = 12) -> list[tuple[dict[str, Any], rw.Verdict]]:
    """Return some earlier runs."""
    every = [dict(zip(VALUES, values, strict=True)) for values in itertools.product(*VALUES.values())]
    return [(one, run(one)) for one in random.Random(0).sample(every, count)]


def main() -> None:
    checkpoint = rw.instrument(GRAPH)
    print(checkpoint, end="\n\n")
    for check in (None, checkpoint):
        found = rw.causes(SPACE, run, earlier_runs(), method="ddt", checkpoint=check)
        print(f"{'without' if check is None else 'with'} the check, {found.trials} runs:")
        print(*(f"  {cause}" for cause in found.causes), sep="\n")


if __name__ == "__main__":
    main()
