"""examples/ardupilot: the check before and after the fix, and the rule that tells them apart."""

import importlib.util
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rootward as rw
from rootward.study import Study, load_study

ARDUPILOT = Path(__file__).parents[2] / "examples" / "ardupilot"


@pytest.fixture(scope="module")
def attitude() -> ModuleType:
    spec = importlib.util.spec_from_file_location("attitude", ARDUPILOT / "attitude.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(ARDUPILOT / "study.toml")


def differs(attitude: ModuleType, state: dict[str, int]) -> bool:
    return bool(attitude.limits_before(**state) != attitude.limits_after(**state))


def states() -> list[dict[str, int]]:
    """All combinations of values at and beside what the code compares."""
    rolls = [sign * roll for roll in (0, 1, 4499, 4500, 4501, 6000, 6001, 32767, 32768, 2**31 - 1) for sign in (1, -1)]
    limits = [-(2**15), -1, 0, 1, 4499, 4500, 4501, 6000, 2**15 - 1]
    names = ("acro_roll", "angle_max", "acro_trainer")
    return [dict(zip(names, values, strict=True)) for values in itertools.product(rolls, limits, (0, 1, 2))]


def test_the_fields_have_the_types_of_the_code(study: Study) -> None:
    assert study.space is not None
    assert study.space["acro_roll"].size == 2**32
    assert study.space["angle_max"].size == 2**16
    assert study.space.values("acro_trainer") == (0, 1, 2)


def test_the_state_of_the_study_fails(attitude: ModuleType, study: Study) -> None:
    assert differs(attitude, dict(study.failing or {}))
    assert not differs(attitude, {**(study.failing or {}), "angle_max": 4500})


@pytest.mark.parametrize(("state", "code"), [((6000, 7000, 2), 1), ((6000, 7000, 1), 0), ((-4500, 4500, 2), 0)])
def test_it_exits_with_1_where_the_versions_differ(tmp_path: Path, state: tuple[int, ...], code: int) -> None:
    values = dict(zip(("acro_roll", "angle_max", "acro_trainer"), state, strict=True))
    (tmp_path / "state.json").write_text(json.dumps(values))
    command: list[str | Path] = [sys.executable, "-IS", ARDUPILOT / "attitude.py", tmp_path / "state.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "the roll limit is wrong\n" if code else "")


def test_the_readme_says_what_differs(attitude: ModuleType) -> None:
    """The printed cases, read as Python."""
    cases = re.findall(r"^  (.*acro_trainer.*)$", (ARDUPILOT / "README.md").read_text(), re.MULTILINE)
    assert len(cases) == 2
    program = compile(re.sub(r"(?<![<>])=", "==", f"{cases[0]} or {cases[1]}"), "README.md", "eval")
    for state in states():
        assert eval(program, dict(state)) is differs(attitude, state), state


def test_the_rule_is_found(attitude: ModuleType, study: Study) -> None:
    @rw.fails_when
    def wrong(state: dict[str, int]) -> bool:
        return differs(attitude, state)

    assert study.space is not None
    found = rw.rule(study.space, wrong, study.failing)
    assert found.complete
    assert found.trials < 400
    assert [found.rule.holds(state) for state in states()] == [differs(attitude, state) for state in states()]
    assert "\n".join(str(found).splitlines()[:3]) in (ARDUPILOT / "README.md").read_text()
