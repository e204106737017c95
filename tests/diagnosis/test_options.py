"""The options that ``diagnose`` takes: the limits of the study and of the caller, and no repetition."""

from pathlib import Path

import pytest

import rootward as rw

STUDY = """
[subject]
command = ["sh", "-c", "test {n} -lt 5"]
[fields]
n = { type = "int", lo = 0, hi = 10 }
[failing]
n = 9
[lab]
"""


def study(folder: Path, *lines: str) -> Path:
    path = folder / "study.toml"
    path.write_text(STUDY + "\n".join(lines))
    return path


def test_repeat_is_refused(tmp_path: Path) -> None:
    with pytest.raises(rw.InputError, match=r"diagnose measures how often it fails.*: leave repeat= out"):
        rw.diagnose(study(tmp_path), repeat="1of4")
    path = study(tmp_path, 'repeat = "1of4"')
    with pytest.raises(rw.InputError, match=r"diagnose measures how .*: remove repeat from \[lab\] in .*study\.toml"):
        rw.diagnose(path)


def test_limits_of_the_caller_win_over_those_of_the_study(tmp_path: Path) -> None:
    path = study(tmp_path, "trials = 3")
    assert (rw.diagnose(path).trials, rw.diagnose(path).stopped) == (3, "budget")
    assert rw.diagnose(path, trials=5).trials == 5
    assert rw.diagnose(path, budget=4).trials == 4
    assert rw.diagnose(path, seconds=600).trials == 3
    with pytest.raises(rw.InputError, match="use either budget= or trials="):
        rw.diagnose(path, budget=4, trials=4)
