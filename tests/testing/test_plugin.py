"""What ``pytest --rootward`` says below a failure, and what it leaves as it is."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

import rootward as rw
from rootward.testing.parametrised_test import Marker

from .conftest import Run

STACKED = """
@pytest.mark.parametrize("mode", ["fast", "safe", "exact"])
@pytest.mark.parametrize("width", [1, 10, 100, 1000])
@pytest.mark.parametrize("mirror", [True, False])
def test_area(width, mode, mirror):
    print("ran", width, mode, mirror)
    with open("log", "a") as log:
        print(width, mode, mirror, file=log)
    assert not (width >= 100 and mode == "fast")
"""
AREA = """
@pytest.mark.rootward(space={"width": rw.Int(0, 10_000), "height": rw.Int(0, 10_000)})
@pytest.mark.parametrize("width, height", [(10, 10), (2000, 2000)])
def test_area(width, height):
    assert width * height <= 1_000_000
"""


def section(result: pytest.RunResult) -> str:
    """What stands below the first failure."""
    found = re.search(r"^-+ rootward -+\n(.*?)^[_=]{3}", result.stdout.str(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def log(pytester: pytest.Pytester) -> list[str]:
    return (pytester.path / "log").read_text().splitlines()


def test_what_was_run_explains_the_failure_and_is_not_run_again(run: Run, pytester: pytest.Pytester) -> None:
    result = run(STACKED)
    result.assert_outcomes(failed=4, passed=20)
    assert section(result) == (
        "It fails whenever this holds (3 settings; 4 runs failed and 20 passed):\n"
        "Failure: AssertionError in test_area (test_it.py:11)\n"
        "  | AssertionError: assert not (100 >= 100 and 'fast' == 'fast'\n"
        "  1. width >= 100 and mode = fast\n"
        "     All 4 combinations with these settings were run and failed.\n"
        "     It passed with one of them changed: mode = safe or width = 10.\n"
        "All other combinations were run and passed.\n"
    )
    assert len(log(pytester)) == 24
    assert result.stdout.str().count("- rootward -") == 1  # below the first failure only
    assert "rootward: test_it.py::test_area: 0 more runs" in result.stdout.str()


def test_without_the_flag_nothing_changes(run: Run) -> None:
    result = run(STACKED, "--strict-markers", flag=False)
    assert result.ret == 1
    assert "rootward:" not in result.stdout.str()
    assert "- rootward -" not in result.stdout.str()


@pytest.mark.parametrize("arguments", [["--maxfail=2"], ["test_it.py::test_area[True-100-fast]"]])
def test_what_was_left_out_is_run_for_the_explanation(
    run: Run, pytester: pytest.Pytester, arguments: list[str]
) -> None:
    result = run(STACKED, *arguments)
    assert result.ret == 1
    assert "width >= 100 and mode = fast" in section(result)
    assert len(log(pytester)) == len(set(log(pytester)))  # nothing twice
    assert result.parseoutcomes().get("failed", 0) <= 2


def test_what_was_deselected_is_not_run(run: Run, pytester: pytest.Pytester) -> None:
    result = run(STACKED, "-x", "-k", "not safe")
    assert "width >= 100 and mode = fast" in section(result)
    assert not [line for line in log(pytester) if "safe" in line]


def test_last_failed_is_explained_with_the_others(run: Run, pytester: pytest.Pytester) -> None:
    run(STACKED, flag=False)
    (pytester.path / "log").unlink()
    result = run(STACKED, "--lf")
    assert result.parseoutcomes()["failed"] == 4
    assert "width >= 100 and mode = fast" in section(result)


def test_the_budget_ends_it(run: Run) -> None:
    assert "not final: the budget is used up" in section(run(AREA, "--rootward-trials=20"))
    result = run(AREA.replace("space=", "trials=12, space="))
    assert "12 more runs" in section(result)
    assert re.search(r"^0 more runs in \d:\d\d; not final", section(run(AREA, "--rootward-seconds=0")), re.MULTILINE)


def test_a_table_is_not_mixed(run: Run) -> None:
    result = run("""
@pytest.mark.parametrize("text, expected", [("1", 1), ("22", 22), ("0x10", 16), ("-3", -3)])
@pytest.mark.parametrize("sign", ["", "+"])
def test_parse(sign, text, expected):
    assert (text, expected) in [("1", 1), ("22", 22), ("0x10", 16), ("-3", -3)]
    assert int(text) == expected
""")
    said = section(result)
    assert "0x10" in said or "expected = 16" in said
    assert "given row by row" in said
    assert "more run" not in said


def test_a_table_of_which_only_a_part_was_run(run: Run) -> None:
    result = run(
        """
@pytest.mark.parametrize("width, half", [(n, n // 2) for n in range(12)])
def test_half(width, half):
    assert half == width // 2, "not in the table"
    assert width < 6
""",
        "-x",
    )
    assert "width >= 6" in section(result) or "half >= 3" in section(result)
    assert "5 more runs" in section(result)


def test_fixtures_classes_and_marks(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        """
@pytest.fixture(scope="module")
def server():
    with open("log", "a") as log:
        print("up", file=log)
        yield "server"
        print("down", file=log)

@pytest.fixture(params=["a", "b"])
def backend(request, server):
    return request.param

@pytest.fixture
def size(request):
    return request.param * 2

class TestStore:
    def setup_method(self):
        self.ready = True

    @pytest.mark.parametrize("size", [1, 2, 3, pytest.param(4, marks=pytest.mark.skip)], indirect=True)
    @pytest.mark.parametrize("mode", ["r", pytest.param("x", marks=pytest.mark.xfail), "w"])
    def test_write(self, backend, size, mode, tmp_path, monkeypatch):
        assert self.ready
        (tmp_path / "file").write_text("x")
        monkeypatch.setenv("A", "b")
        if mode == "x":
            raise RuntimeError("expected")
        assert not (mode == "w" and size >= 4 and backend == "b")
""",
        "-x",
    )
    assert "backend = b and mode = w" in section(result)
    assert "size >= 2" in section(result)
    assert "size = 4" not in section(result)
    assert log(pytester) == ["up", "down"] * 2  # once for pytest, once for the explanation


def test_what_cannot_be_judged(run: Run) -> None:
    result = run(
        """
@pytest.fixture
def machine(kind):
    if kind == "broken":
        raise OSError("no machine")
    if kind == "torn":
        pytest.skip("not here")

@pytest.mark.parametrize("kind", ["good", "bad", "broken", "torn"])
@pytest.mark.parametrize("speed", [1, 2])
def test_it(machine, kind, speed):
    assert kind != "bad"
""",
    )
    assert "(2 settings; 2 runs failed and 2 passed)" in section(result)
    assert "  1. kind = bad" in section(result)


def test_objects_go_by_their_ids(run: Run) -> None:
    result = run("""
import enum
class Color(enum.Enum):
    RED = 1
    BLUE = 2

@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("codec", [object(), pytest.param(object(), id="zip"), len])
def test_it(codec, color):
    assert codec is len or color is Color.BLUE
""")
    assert "codec != len and color = Color.RED" in section(result)


def test_several_ways_to_fail(run: Run) -> None:
    result = run("""
@pytest.mark.parametrize("text", ["1", None, "x"])
@pytest.mark.parametrize("base", [10, 36])
def test_it(text, base):
    assert int(text, base) < 2
""")
    assert "There are 3 different failures: TypeError in test_it (test_it.py:7) (2 times); ValueError" in section(
        result
    )


def test_subtests_are_explained_without_running_them(run: Run, pytester: pytest.Pytester) -> None:
    result = run("""
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("m", [1, 2])
def test_sub(subtests, n, m):
    for limit in (9, 3, 9):
        with subtests.test(limit=limit):
            assert n < limit
""", "--maxfail=2")  # fmt: skip
    assert "it seems to fail whenever this holds (2 settings; 2 runs failed and 2 passed)" in section(result)
    assert "each subtest of this test is reported separately" in section(result)


def test_hypothesis_and_coroutines(run: Run) -> None:
    result = run(
        """
import hypothesis, hypothesis.strategies as st

@pytest.mark.parametrize("mode", ["a", "b"])
@hypothesis.given(n=st.integers(0, 3))
@hypothesis.settings(database=None, derandomize=True, max_examples=5)
def test_given(n, mode):
    assert mode == "a"

@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["a", "b", "c"])
async def test_async(mode, anyio_backend_name):
    assert mode == "a"

@pytest.fixture
def anyio_backend():
    return "asyncio"
""",
        "-p", "anyio", "-p", "_hypothesis_pytestplugin", "-x", "--maxfail=2",
    )  # fmt: skip
    said = result.stdout.str()
    assert "  1. mode = b\n" in said
    assert "  1. mode in {b, c}\n" in said or "  1. mode != a\n" in said


def test_a_wrong_marker_is_told_in_one_sentence(run: Run) -> None:
    marker = "@pytest.mark.rootward(space={'widht': rw.Int()})"
    result = run(f"{marker}\n@pytest.mark.parametrize('width', [1, 2])\ndef test_it(width): pass")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "the test has no parameter 'widht': did you mean 'width'?"
    assert (
        f"ERROR: test_it.py::test_it[1]: @pytest.mark.rootward: {message}" in result.stderr.str() + result.stdout.str()
    )
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"space": {"other": rw.Int()}}, "the test has no parameter 'other'; expected one of width"),
        ({"space": 7}, "space must be a rootward.Space or a dictionary of fields, not 7"),
        ({"space": {"width": 7}}, "field 'width' is 7 (int): expected one of Bool, Int, Float, Choice, Ordinal, Text"),
        ({"trials": -1}, "trials must be a whole number, 0 or more, not -1"),
        ({"verb": "reduce"}, 'verb must be "causes" or "rule", not \'reduce\''),
        ({"flaky": 7}, "flaky = 7: expected the share of runs that fail, above 0 and at most 1, or True to measure it"),
        ({"spce": {}}, "unknown argument 'spce': did you mean 'space'?"),
    ],
)
def test_what_is_wrong_with_a_marker(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rw.InputError, match=re.escape(message)):
        Marker.read((), options, {"width": [1, 2]})


def test_a_marker_takes_names_only() -> None:
    with pytest.raises(rw.InputError, match="expected only keyword arguments: space, trials, verb, flaky"):
        Marker.read((7,), {}, {"width": [1, 2]})


def test_where_pytest_shows_no_failures_the_explanation_stands_alone(run: Run) -> None:
    small = "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n): assert n == 1"
    for argument in ("--tb=no", "--show-capture=no"):
        said = run(small, argument).stdout.str()
        assert "= rootward =" in said
        assert said.count("  1. n = 2") == 1
    assert run(small, "--tb=line").stdout.str().count("  1. n = 2") == 1


def test_nothing_that_a_run_prints_is_shown(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    run(
        AREA.replace("    assert", "    print('LOUD'); import os; os.system('echo LOUDER'); assert"),
        "-s",
        "--rootward-trials=5",
    )
    said = capfd.readouterr().out
    assert said.count("LOUD\n") == said.count("LOUDER\n") == 2


def test_warnings_of_more_runs_are_not_counted(run: Run) -> None:
    warns = "import warnings\n" + AREA.replace("    assert", "    warnings.warn(f'{width}'); assert")
    assert run(warns, "--rootward-trials=9").parseoutcomes()["warnings"] == 2
    result = run(warns, "-W", "error", "--rootward-trials=9")
    assert "It failed in all 9 runs" in section(result)  # as pytest says, a warning is a failure
    assert result.parseoutcomes()["failed"] == 2


def test_other_reports_are_as_they_were(run: Run, pytester: pytest.Pytester) -> None:
    run(AREA, "--junitxml=with.xml", "--rootward-trials=5")
    run(AREA, "--junitxml=without.xml", flag=False)
    both = [ElementTree.parse(pytester.path / name).getroot()[0] for name in ("with.xml", "without.xml")]
    counts = [{name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} for suite in both]
    assert counts[0] == counts[1] == {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert [[case.get("name") for case in suite] for suite in both] == [
        ["test_area[10-10]", "test_area[2000-2000]"]
    ] * 2


def test_ctrl_c_ends_the_explanation_only(run: Run) -> None:
    result = run(
        "import os, signal\nruns = []\n"
        + AREA.replace(
            "    assert", "    runs.append(1)\n    if len(runs) == 30: os.kill(os.getpid(), signal.SIGINT)\n    assert"
        )
    )
    assert result.ret == 1
    assert re.search(r"28 more runs in \d:\d\d; not final: interrupted\.", section(result))
    assert "So far, it seems to fail" in section(result)


def test_ctrl_c_during_the_tests_ends_all(run: Run) -> None:
    result = run(
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    assert n > 1\n    raise KeyboardInterrupt"
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "more runs" not in result.stdout.str()


def test_the_failure_has_to_show_again(run: Run) -> None:
    result = run("seen = []\n" + AREA.replace("    assert", "    seen.append(1)\n    assert len(seen) > 2 or"))
    assert "Not explained: the test passed when it was run again." in section(result)


def test_a_test_that_has_one_instance(run: Run) -> None:
    result = run("@pytest.mark.parametrize('n', [1])\ndef test_it(n): assert 0\ndef test_plain(): assert 0")
    assert section(result).startswith("Not explained: each parameter has only one value: add values")


def test_flaky_tests_are_run_more_often(run: Run) -> None:
    result = run("""
import random
dice = random.Random(1)
@pytest.mark.rootward(flaky=0.7)
@pytest.mark.parametrize("a", [0, 1, 2])
@pytest.mark.parametrize("b", [0, 1])
def test_it(a, b):
    assert not (a == 2 and b == 1 and dice.random() < 0.7)
""")
    assert "a = 2 and b = 1" in section(result)


def test_markers_are_documented(run: Run) -> None:
    run("", "--markers", flag=False).stdout.fnmatch_lines(["@pytest.mark.rootward(space=None, *"])
