"""examples/uds: the sound unit passes its suite, each fault is noticed, and the recordings say what happened."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from rootward.traces.languages import load_model
from rootward.traces.recordings import read_traces
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses
from tests.properties import few

can = pytest.importorskip("can")
pytest.importorskip("isotp")
pytest.importorskip("udsoncan")

UDS = Path(__file__).parents[2] / "examples" / "uds"
PAGE = (UDS / "README.md").read_text(encoding="utf-8")
FAULTS = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
MODULES = ("ecu", "bench", "tester", "record")


@pytest.fixture(scope="module")
def tester() -> Iterator[ModuleType]:
    sys.path.insert(0, str(UDS))
    yield importlib.import_module("tester")
    sys.path.remove(str(UDS))
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def record(tester: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The program that records the suite, here two cases of it: returns its exit code."""
    cases = {name: tester.suite()[name] for name in ("write_adaptation", "wrong_key_ends_the_seed")}
    monkeypatch.setattr(tester, "suite", lambda: cases)

    def run(out: Path, *options: str) -> int:
        monkeypatch.setattr(sys, "argv", ["record.py", str(out), *options])
        return int(importlib.import_module("record").main())

    return run


@cache
def engine() -> Engine:
    return Engine(load_model(UDS / "model.yaml"))


def departing(folder: Path, suffix: str) -> set[str]:
    """The cases whose recordings the model does not allow."""
    traces = read_traces([folder / f"*.{suffix}"])
    return {Path(trace.path).stem for trace in traces if any(True for _ in find_witnesses(engine(), trace))}


def frames(path: Path) -> list[tuple[float, int, bytes]]:
    """What a file says: seconds since the first frame, identifier, data."""
    with can.LogReader(path) as reader:
        messages = list(reader)
    return [(one.timestamp - messages[0].timestamp, one.arbitration_id, bytes(one.data)) for one in messages]


def said(path: Path) -> list[tuple[int, bytes]]:
    """What tester and unit said to each other, without the times."""
    return [(identifier, data) for _, identifier, data in frames(path) if identifier != 0x123]


def test_a_sound_unit_passes_and_both_recordings_are_the_same(tester: ModuleType, tmp_path: Path) -> None:
    results = tester.run_all(tmp_path, simulated=True)
    assert len(results) >= 60
    assert [result for result in results if result.problem] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{result.case}.{suffix}" for result in results for suffix in ("asc", "blf")
    )
    assert departing(tmp_path, "asc") == set()
    for result in results:
        text, binary = (frames(tmp_path / f"{result.case}.{suffix}") for suffix in ("asc", "blf"))
        assert [frame[1:] for frame in text] == [frame[1:] for frame in binary]
        assert [at for at, *_ in text] == pytest.approx([at for at, *_ in binary], abs=2e-6)
        assert 0x7E0 in {identifier for _, identifier, _ in text}


@pytest.mark.parametrize("fault", few(2, FAULTS))
def test_a_fault_is_noticed_by_cases_and_by_the_model(tester: ModuleType, tmp_path: Path, fault: str) -> None:
    results = tester.run_all(tmp_path, faults=[fault], simulated=True)
    failed = {result.case for result in results if result.problem}
    assert 2 <= len(failed) <= len(results) / 2
    assert departing(tmp_path, "blf") == failed


def test_the_page_names_all_faults(tester: ModuleType) -> None:
    described = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    assert described == importlib.import_module("ecu").FAULTS
    assert len(described) >= 12


def test_simulated_time_gives_the_same_recording_again(tester: ModuleType, tmp_path: Path) -> None:
    for out in (tmp_path / "one", tmp_path / "two"):
        out.mkdir()
        assert tester.run("erase", out, simulated=True).problem == ""
    assert frames(tmp_path / "one" / "erase.asc") == frames(tmp_path / "two" / "erase.asc")


def test_real_time_gives_the_same_messages(tester: ModuleType, tmp_path: Path) -> None:
    problems = []
    for simulated in (False, True):
        out = tmp_path / str(simulated)
        out.mkdir()
        problems.append(tester.run("write_after_erase", out, simulated=simulated).problem)
    assert problems[1] == ""
    real, expected = (said(tmp_path / str(simulated) / "write_after_erase.blf") for simulated in (False, True))
    if problems[0].endswith("too late"):  # on a busy machine the unit may be, and then the case ends there
        expected = expected[: len(real)]
    assert real == expected
    times = [at for at, *_ in frames(tmp_path / "False" / "write_after_erase.blf")]
    assert times == sorted(times)


def test_late_and_missing_answers_are_told_apart(tester: ModuleType, tmp_path: Path) -> None:
    late, missing = (
        tester.run("erase", tmp_path, faults=[fault], simulated=True).problem
        for fault in ("pending_too_late", "pending_forever")
    )
    assert late == "31 01 02 01: expected 71 01 02 01 00, got it 300 ms too late"
    assert missing == "31 01 02 01: expected 71 01 02 01 00, got no answer"
    assert frames(tmp_path / "erase.asc")[-1][0] > 1.0, "the recording goes on while nothing comes"


def test_faults_are_recorded_in_folders_of_their_own(
    record: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(tmp_path / "bad", "--fault", "lost_write", "--fault", "seed_kept", "--virtual-time") == 1
    assert sorted(path.name for path in (tmp_path / "bad").iterdir()) == ["lost_write", "seed_kept"]
    said = capsys.readouterr().out
    assert "lost_write: 1 of 2 passed" in said
    assert "seed_kept: 1 of 2 passed" in said
    assert record(tmp_path / "good", "--virtual-time") == 0
    assert len(list((tmp_path / "good").glob("*.blf"))) == 2


def test_an_unknown_fault_is_refused(
    record: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        record(tmp_path / "out", "--fault", "gremlins")
    assert end.value.code == 2
    assert "gremlins" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
