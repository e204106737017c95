"""Quantities that come in steps: a diagnosis asks for nothing between them, and ends at neighbours."""

from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.study import Study
from tests.properties import few


@pytest.mark.parametrize("seed", few(1, range(2)))
def test_the_room_between_two_heights(seed: int) -> None:
    heights = {"beam": rw.Float(0.9, 1.5, step=0.01), "ramp": rw.Float(-0.2, 0.05, step=0.01)}
    space = rw.Space({**heights, "aside": rw.Float(-1, 1, step=0.1)})

    def stuck(at: dict[str, Any]) -> bool:
        assert space.check(at) == at
        return bool(at["beam"] - at["ramp"] < 1.085)

    failing = {"beam": 1.05, "ramp": 0.0, "aside": 0.3}
    study = Study("steps", Path("steps.toml"), rw.fails_when(stuck), space=space, failing=failing)
    [explanation] = rw.diagnose(study, seed=seed).explanations
    assert explanation.relevant == ("beam", "ramp")
    rule = explanation.rule
    for beam in range(90, 151):
        for ramp in range(-20, 6):
            assert rule.holds({**failing, "beam": beam / 100, "ramp": ramp / 100}) is (beam - ramp <= 108)
