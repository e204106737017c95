"""Small real runs of every kind, long made-up ones, and hostile ones: what the tests of reports are made of."""

import functools
import math
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.report.data import document, run_of
from rootward.report.trials import pack_column
from tests.diagnosis.samples import diagnosis

ROOT = Path(__file__).parents[2]


@functools.cache
def findings() -> dict[str, rw.Finding]:
    """What a small real run of every kind found."""
    space = rw.Space({"speed": rw.Int(values=range(0, 200, 10)), "gear": rw.Choice("PRND"), "load": rw.Float(0, 1)})
    fails = rw.fails_when(lambda c: c["speed"] >= 80 and c["gear"] in "RN")
    failing = {"speed": 120, "gear": "R", "load": 0.5}
    finite = rw.Space({"mode": rw.Choice("abc"), "n": rw.Int(values=range(5))})
    places = {f"rock {i}": (7 * i % 11 - 5, 3 * i % 7 - 3) for i in range(20)}
    lines = [f"line {i}\n" for i in range(40)]
    graph = {"load": [], "clean": ["load"], "train": ["clean"]}
    model = rw.load_model(ROOT / "examples" / "models" / "uds_basic.yaml", S3="500ms")
    return {
        "map": rw.reduce(
            list(places),
            rw.fails_when(lambda kept: {"rock 3", "rock 8"} <= set(kept)),
            positions=places,
            trajectory=[(t, t - 5, math.sin(t)) for t in range(11)],
        ),
        "text": rw.reduce(lines, rw.fails_when(lambda kept: lines[7] in kept and lines[30] in kept)),
        "file": _file(),
        "failures": rw.find(space, fails),
        "product_set": rw.triggers(space, fails, failing),
        "rule_finding": rw.rule(space, fails, failing, budget=55),
        "causes": rw.causes(finite, rw.fails_when(lambda c: c["mode"] == "b" and c["n"] > 2)),
        "bad_rows": _bad_rows(),
        "checkpoint": rw.instrument(graph, {"a": [*"xyz"], "b": [*"xyz"]}, params={"clean": ["a"], "train": ["b"]}),
        "triage": rw.triage(model, rw.read_traces(sorted((ROOT / "tests" / "data" / "traces").glob("bad*.asc"))[:2])),
        "diagnosis": diagnosis(),
    }


@functools.cache
def runs() -> dict[str, dict[str, Any]]:
    """The runs that found them, as a report has them."""
    return {name: run_of(finding) for name, finding in findings().items()}


def _file() -> rw.Finding:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        path.write_text("".join(f"line {i}\n" for i in range(40)))
        return rw.reduce(path, rw.fails_when(lambda data: b"line 7\n" in data and b"30" in data))


def _bad_rows() -> rw.BadRows:
    polars = pytest.importorskip("polars")
    good = polars.DataFrame({"id": range(30), "a": range(30)})
    bad = good.with_columns(polars.when(polars.col("id") == 17).then(-999).otherwise(polars.col("a")).alias("a"))
    return rw.rows(bad, good, rw.fails_when(lambda table: (table["a"] < 0).any()), key="id")


@functools.cache
def everything() -> dict[str, Any]:
    """All of them in one document."""
    return document(list(runs().values()))


def brief(run: dict[str, Any]) -> dict[str, Any]:
    """The run with few trials: what holds for three holds for all."""
    if not run["trials"]:
        return run
    short = lambda column: column and {**column, "index": column["index"][:3]}  # noqa: E731
    groups = {name: {key: short(it) for key, it in run["trials"][name].items()} for name in ("columns", "fields")}
    return {
        **run,
        "trials": {
            **run["trials"],
            **groups,
            "kept": short(run["trials"]["kept"]),
            "kinds": short(run["trials"]["kinds"]),
            "listed": min(3, run["trials"]["listed"]),
        },
    }


def made(count: int, fields: int = 3, seed: int = 0) -> dict[str, Any]:
    """A document with so many trials."""
    rng = random.Random(seed)
    names = [f"field{i}" for i in range(fields)]
    cells: dict[str, list[Any]] = {
        name: [rng.choice(["a", "b", rng.random()]) for _ in range(count)] for name in names[1:]
    }
    cells[names[0]] = [i * 7919 % count for i in range(count)]
    trials = {
        "total": count,
        "listed": count,
        "columns": {
            "verdict": pack_column(["FAIL" if value % 4 == 0 else "PASS" for value in cells[names[0]]]),
            "signature": pack_column([None] * count),
            "detail": pack_column([f"detail {i % 50}" for i in range(count)]),
            "seconds": pack_column([rng.random() for _ in range(count)]),
            "attempt": pack_column([0] * count),
            "run": pack_column([1] * count),
        },
        "fields": {name: pack_column(cells[name]) for name in names},
        "fixed": {"same": "yes"},
        "left_out": 0,
        "kept": None,
        "of": None,
    }
    return document([{**runs()["rule_finding"], "trials": trials}])


EVIL = [
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "--><img src=x onerror='window.hit = 1'>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil\u2066 \u05e9\u05dc\u05d5\u05dd",
    "lone \udcff and \0",
    "'\"><svg onload=window.hit=1>",
    "x" * 1_000_000,
    "__proto__",
]


@functools.cache
def hostile() -> list[dict[str, Any]]:
    """Everything that a subject can say is evil."""
    space = rw.Space({name: rw.Choice(EVIL[:4]) for name in EVIL} | {"n": rw.Int(0, 3)})

    def subject(configuration: dict[str, Any]) -> rw.Outcome:
        fails = configuration["n"] > 1
        return rw.Outcome(
            rw.Verdict.FAIL if fails else rw.Verdict.PASS, EVIL[1] if fails else None, detail=EVIL[2] + EVIL[7]
        )

    failing = dict.fromkeys(EVIL, EVIL[0]) | {"n": 3}
    found = [
        rw.find(space, subject, budget=15),
        rw.rule(space, subject, failing, budget=15),
        rw.triggers(space, subject, failing, budget=15),
        rw.causes(space, subject, [(failing, True)], budget=15),
        rw.reduce(EVIL, subject=rw.fails_when(lambda kept: set(EVIL) <= set(kept))),
    ]
    runs = [run_of(one) for one in found]
    said = {"name": EVIL[0] + EVIL[7], "store": EVIL[2], "status": EVIL[4]}
    again = {"command": EVIL[1] + EVIL[7], "seed": 1, "repeat": EVIL[3], "subject": EVIL[6]}
    return [{**run, **said, "reproduce": again} for run in runs]
