"""Command lines for Gazebo."""

import pytest

from rootward.errors import InputError
from rootward.subjects.world.gazebo import gz_sim, gzserver


def test_gz_sim() -> None:
    assert gz_sim("maze.sdf", seconds=45, seed=7, record="log") == (
        ["gz", "sim", "-s", "-r", "--iterations", "45000", "--seed", "7", "--record-path", "log", "maze.sdf"]
    )
    assert gz_sim() == ["gz", "sim", "-s", "-r", "--iterations", "45000", "--seed", "{seed}", "{file}"]


def test_gazebo_classic() -> None:
    assert gzserver("maze.world", seconds=1.5, seed=7, record="log") == (
        ["gzserver", "--seed", "7", "--iters", "1500", "-r", "--record_path", "log", "maze.world"]
    )
    assert gzserver() == ["gzserver", "--seed", "{seed}", "--iters", "45000", "{file}"]


def test_a_name_with_spaces_stays_one_word() -> None:
    assert gz_sim("my maze.sdf")[-1] == "my maze.sdf"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_times_that_make_no_sense(seconds: float) -> None:
    with pytest.raises(InputError, match="positive"):
        gz_sim(seconds=seconds)
