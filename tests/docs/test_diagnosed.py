"""The studies in examples/ that are diagnosed: from nothing but the study file to the true cause, to files that show
it, and to what their pages say. Their causes are known, because they were built in.

A diagnosis takes long, so each is made once: the pages do not run theirs, and are compared with these."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rootward.rules import Rule

from .blocks import agrees, blocks, commands

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"
HANDED_OVER = "study.diagnosis"
ALONE = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:randomly"]
Configuration = Mapping[str, Any]


@dataclass(frozen=True)
class Known:
    """What is known of an example."""

    folder: str
    needs: tuple[str, ...]
    fails: Callable[[Configuration], bool]
    """The truth ..."""
    points: Callable[[], Iterator[Configuration]]
    """... and where it is compared with what is found: on both sides of each border, and all that is small."""
    repaired: Mapping[str, str]
    """The variables that make the subject a sound one."""
    certain: bool = True
    """A single identifier among 65,536 is not: others may fail, too."""


def grid(**values: Any) -> Iterator[Configuration]:
    return (dict(zip(values, one, strict=True)) for one in product(*values.values()))


def landing_fails(plane: Configuration) -> bool:
    soon = plane["LAND_FLARE_SEC"] > 0 and plane["height"] <= plane["sink_rate"] * plane["LAND_FLARE_SEC"]
    return plane["height"] > plane["LAND_FLARE_ALT"] and soon and plane["wp_proportion"] <= 0.5


def landings() -> Iterator[Configuration]:
    return grid(
        height=[-10.0, 0.0, 3.0, 3.0000001, 15.0, 30.5, 30.500001, 61.0, 200.0],
        sink_rate=[-10.0, 0.0, 0.1, 6.1, 20.0],
        wp_proportion=[0.0, 0.5, 0.5000001, 1.5],
        LAND_FLARE_ALT=[0.0, 3.0, 20.0],
        LAND_FLARE_SEC=[0.0, 0.5, 5.0, 10.0],
    )


def wines_fail(settings: Configuration) -> bool:
    neighbours = settings["dataset"] == "june.csv" and settings["estimator"] == "nearest_neighbours"
    return neighbours and settings["imputer"] != "median"


def wines() -> Iterator[Configuration]:
    return grid(
        dataset=["april.csv", "may.csv", "june.csv", "july.csv"],
        imputer=["mean", "median", "most_frequent"],
        estimator=["nearest_neighbours", "decision_tree", "gradient_boosting"],
        test_size=[0.2, 0.3, 0.4, 0.5],
        seed=[0, 1, 2],
    )


def secret_is_out(values: Configuration) -> bool:
    return values["M0.session"] == 3 and values["M3.session"] in (1, 2, 3) and values["M4.did"] == 0x0120


def requests() -> Iterator[Configuration]:
    sessions = [0, 1, 2, 3, 4, 127]
    return grid(
        **{"M0.session": sessions, "M3.session": sessions, "M4.did": [0, 0x0110, 0x011F, 0x0120, 0x0121, 0xFFFF]}
    )


KNOWN = {
    "landing": Known("landing", (), landing_fails, landings, {"LANDING": "repaired"}),
    "wines": Known("wines", ("sklearn",), wines_fail, wines, {"MISSING": "-999"}),
    "uds": Known("uds", ("can", "isotp"), secret_is_out, requests, {"FAULTS": ""}, certain=False),
}


def run(folder: Path, *command: str, said: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """A command in that folder, where ``python`` is this one."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    clean = {"PATH": path, "PYTHONPATH": str(EXAMPLES.parent / "src"), "PYTEST_ADDOPTS": ""}
    env = {**os.environ, **clean, **variables}
    options: dict[str, Any] = {"cwd": folder, "env": env, "input": said}
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@dataclass(frozen=True)
class Diagnosed:
    """An example, and the folder in which it was diagnosed."""

    known: Known
    folder: Path
    printed: str

    def shown(self, typed: str) -> str:
        """What the page says that this prints."""
        page = (EXAMPLES / self.known.folder / "README.md").read_text(encoding="utf-8")
        typing = (pair for block in blocks(page) if block.language == "console" for pair in commands(block.text))
        [shown] = [text for command, text in typing if command == typed]
        return shown

    @property
    def answer(self) -> dict[str, Any]:
        finding: dict[str, Any] = json.loads((self.folder / HANDED_OVER / "finding.json").read_text(encoding="utf-8"))
        return finding

    def tested(self, **variables: str) -> subprocess.CompletedProcess[str]:
        return run(self.folder, sys.executable, "-m", "pytest", "-q", *ALONE, HANDED_OVER, **variables)


@pytest.fixture(scope="module")
def diagnoses(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Diagnosed]:
    """Diagnose an example, once: whatever the order of tests, what was diagnosed is kept until the last of them."""

    @cache
    def diagnose(name: str) -> Diagnosed:
        known = KNOWN[name]
        folder = tmp_path_factory.mktemp("diagnosed") / known.folder
        unwanted = shutil.ignore_patterns(".rootward", "__pycache__", HANDED_OVER)
        shutil.copytree(EXAMPLES / known.folder, folder, ignore=unwanted)
        done = run(folder, sys.executable, "-m", "rootward", "diagnose", "study.toml")
        assert done.returncode == 0, done.stderr
        return Diagnosed(known, folder, done.stdout)

    return diagnose


@pytest.fixture(params=list(KNOWN))
def diagnosed(request: pytest.FixtureRequest, diagnoses: Callable[[str], Diagnosed]) -> Diagnosed:
    for module in KNOWN[request.param].needs:
        pytest.importorskip(module)
    return diagnoses(request.param)


@pytest.mark.rest
def test_the_page_shows_what_is_printed(diagnosed: Diagnosed) -> None:
    assert agrees(diagnosed.printed, diagnosed.shown("rootward diagnose study.toml")), diagnosed.printed


@pytest.mark.rest
def test_the_true_cause_is_stated(diagnosed: Diagnosed) -> None:
    answer, known = diagnosed.answer, diagnosed.known
    assert answer["certain"] is known.certain
    assert len(answer["explanations"]) == 1
    rule = Rule.from_dict(answer["rule"])
    told = [(point, rule.holds(point), known.fails(point)) for point in known.points()]
    assert [point for point, said, true in told if said is not true] == []
    assert {true for _, _, true in told} == {False, True}


@pytest.mark.rest
def test_the_reproducer_fails_until_it_is_repaired(diagnosed: Diagnosed) -> None:
    command = next(one["command"] for one in diagnosed.answer["artifacts"] if one["kind"] == "reproducer")
    assert run(diagnosed.folder, "sh", "-c", command).returncode == 1
    repaired = run(diagnosed.folder, "sh", "-c", command, **diagnosed.known.repaired)
    assert repaired.returncode == 0, repaired.stderr


@pytest.mark.rest
def test_the_regression_test_fails_until_it_is_repaired(diagnosed: Diagnosed) -> None:
    faulty, repaired = diagnosed.tested(), diagnosed.tested(**diagnosed.known.repaired)
    assert faulty.returncode == 1, faulty.stdout
    assert "test_it_no_longer_fails[smallest" in faulty.stdout
    assert "test_it_still_passes" not in faulty.stdout, "only what failed before fails"
    assert repaired.returncode == 0, repaired.stdout
    typed, variables = f"pytest -q {HANDED_OVER}", diagnosed.known.repaired
    assert agrees(faulty.stdout, diagnosed.shown(typed)), faulty.stdout
    mended = " ".join([*(f"{name}={value}" for name, value in variables.items()), typed])
    assert agrees(repaired.stdout, diagnosed.shown(mended)), repaired.stdout


@pytest.mark.rest
def test_messages_are_reduced_and_their_order_is_known(diagnosed: Diagnosed) -> None:
    [explanation] = diagnosed.answer["explanations"]
    if diagnosed.known.folder != "uds":
        assert explanation["kept"] is None
        return
    kept = [json.loads(line) for line in (diagnosed.folder / HANDED_OVER / "reproducer.jsonl").read_text().splitlines()]
    assert [one["request"] for one in kept] == ["session", "seed", "key", "session", "read"]
    assert explanation["order"] == [f"M{i} must come before M{i + 1}." for i in range(4)]


@pytest.mark.rest
def test_the_rows_behind_it_are_stated(diagnosed: Diagnosed) -> None:
    [explanation] = diagnosed.answer["explanations"]
    if diagnosed.known.folder != "wines":
        assert explanation["because"] == ""
        return
    assert explanation["because"].endswith("it fails because of 6 of 178 rows.")
    [rows] = [step["finding"] for step in diagnosed.answer["steps"] if step["name"] == "rows"]
    june = (EXAMPLES / "wines" / "june.csv").read_text().splitlines()
    assert rows["rows"] == [line.partition(",")[0] for line in june if ",-999" in line]
    assert {cell["bad"] for cell in rows["cells"]} == {"-999"}


# The truth is what the examples do


def calls(folder: str, program: str) -> list[Any]:
    """What a program in the folder of an example prints, as JSON."""
    done = run(EXAMPLES / folder, sys.executable, "-B", "-", said=program)
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout)
    return told


def test_a_plane_flares_too_early_where_we_think() -> None:
    planes = list(landings())
    program = f"""
import json, landing
planes = json.loads({json.dumps(planes)!r})
ways = landing.flares_before, landing.flares_after
print(json.dumps([[way(plane) and not landing.may_flare(plane) for way in ways] for plane in planes]))
"""
    assert calls("landing", program) == [[landing_fails(plane), False] for plane in planes]


def test_the_fields_of_the_plane_are_made_of_its_table(tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLES / "landing", tmp_path / "landing")
    assert run(folder, sys.executable, "make_plane.py").returncode == 0
    for name in ("plane.schema.json", "plane.json"):
        assert (folder / name).read_text() == (EXAMPLES / "landing" / name).read_text()
    assert len(json.loads((folder / "plane.json").read_text())) > 1000


@pytest.mark.rest
def test_the_score_collapses_where_we_think() -> None:
    pytest.importorskip("sklearn")
    sizes = {"nearest_neighbours": (0.2, 0.5), "decision_tree": (0.2, 0.5), "gradient_boosting": (0.2,)}
    settings = [one for one in wines() if one["test_size"] in sizes[one["estimator"]] and one["seed"] == 0]
    program = f"import json, wines; print(json.dumps(list(map(wines.score, {settings!r}))))"
    scores = calls("wines", program)
    assert [score < 0.65 for score in scores] == [wines_fail(one) for one in settings]
    assert all(abs(score - 0.65) > 0.03 for score in scores), "none of them is a close call"


@pytest.mark.rest
def test_the_unit_gives_away_its_secret_where_we_think() -> None:
    pytest.importorskip("can")
    pytest.importorskip("isotp")
    points = list(requests())
    program = f"""
import json, replay
def log(values):
    yield {{"request": "session", "session": values["M0.session"]}}
    yield {{"request": "seed"}}
    yield {{"request": "key"}}
    yield {{"request": "session", "session": values["M3.session"]}}
    yield {{"request": "read", "did": values["M4.did"]}}
print(json.dumps([[replay.replay(log(one), faults) for faults in (["security_kept"], [])] for one in {points!r}]))
"""
    assert calls("uds", program) == [[secret_is_out(point), False] for point in points]
