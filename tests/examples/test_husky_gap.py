"""examples/husky/gap.toml: from nothing but its study to the true cause, which is known: the robot is 0.785 m high."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rootward as rw
from rootward.diagnosis.handover import bundle
from rootward.explanation.diagnosis import Diagnosis, Explanation
from rootward.formats.parameters import Parameters, parameters
from rootward.study import Study, load_study
from rootward.verdict import FAIL, PASS
from tests.properties import few

pytest.importorskip("mujoco")
pytest.importorskip("lxml")

HUSKY = Path(__file__).parents[2] / "examples" / "husky"
HIGH = 0.39 + 0.395
"""The robot and what it carries, in metres."""
BEAM, RAMP = -0.1, 0.2
"""From the place of the beam to its lower edge, and from that of the ramp to its top."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(HUSKY / "gap.toml")


@pytest.fixture(scope="module")
def found(study: Study) -> Diagnosis:
    return rw.diagnose(study)


@pytest.fixture(scope="module")
def explanation(found: Diagnosis) -> Explanation:
    [explanation] = found.explanations
    return explanation


def gap(configuration: Mapping[str, Any]) -> float:
    """How much room the ramp and the beam leave."""
    return float(configuration["beam.z"] + BEAM - configuration["ramp.z"] - RAMP)


def around(study: Study) -> Parameters:
    """What can be moved in a world of the ground, the beam and the ramp."""
    assert study.elements is not None
    assert study.space is not None
    kept = [i for i, model in enumerate(study.elements) if model.name in ("asphalt", "beam", "ramp")]
    inner = parameters(study.elements, kept)
    assert inner is not None
    restricted = inner.restrict(study.space)
    assert restricted is not None
    return restricted


@pytest.mark.parametrize("seeds", few(1, [range(3), range(3, 12)]))
def test_the_simulator_agrees_that_it_is_a_matter_of_height(study: Study, seeds: range) -> None:
    inner, rng, robot = around(study), np.random.default_rng(seeds.start), study.subject
    for seed in seeds:
        one = inner.space.sample(rng)
        assert robot(inner.alter(one), seed=seed).verdict is (FAIL if gap(one) < HIGH else PASS), one  # type: ignore[operator]


@pytest.mark.rest
def test_two_models_are_the_cause_beside_the_ground(found: Diagnosis, explanation: Explanation) -> None:
    assert found.certain
    assert explanation.reduction is not None
    assert [model.name for model in explanation.reduction.kept] == ["asphalt", "beam", "ramp"]
    assert len(explanation.reduction.selection.elements) == 34


@pytest.mark.rest
def test_the_condition_is_the_true_one(study: Study, explanation: Explanation) -> None:
    assert set(explanation.relevant) == {"beam.z", "ramp.z"}
    space, rng = around(study).space, np.random.default_rng(2)
    for one in (space.sample(rng) for _ in range(1000)):
        assert explanation.rule.holds(one) is (gap(one) < HIGH)


@pytest.mark.rest
def test_what_is_handed_over_fails_now_and_passes_once_it_is_mended(
    study: Study, found: Diagnosis, tmp_path: Path
) -> None:
    written = {path.name: path for path in bundle.write(found, study, tmp_path / "report")}
    report = written["issue.md"].read_text()
    assert "34 models" in report
    reproduced = subprocess.run([sys.executable, written["reproducer.py"]], capture_output=True, text=True)
    assert (reproduced.returncode, "stuck" in reproduced.stderr) == (1, True)
    assert re.search(r"Checked: fails now with (\d+) of \1 inputs; (\d+) of \2 neighbouring inputs pass\.", report)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written["test_husky.py"])]
    mended = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "HUSKY_LOAD": "0.3"}
    assert subprocess.run(command, env=mended, cwd=tmp_path, capture_output=True).returncode == 0
