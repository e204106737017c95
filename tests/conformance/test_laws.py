"""Every registered search obeys the laws of the lab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from . import laws
from .cases import CASES, FILES, registered
from .laws import Case, Pools

pytestmark = pytest.mark.slow
one_case_each = pytest.mark.parametrize("case", [pytest.param(cases[0], id=name) for name, cases in CASES.items()])


def every_case(turn: int) -> pytest.MarkDecorator:
    """Try a law on every case; in `./dev test` on one case of each search, by turns another for each law."""

    def half(number: int, cases: list[Case]) -> pytest.MarkDecorator:
        return pytest.mark.both if number == turn % len(cases) else pytest.mark.rest

    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=f"{name}-{case}", marks=half(number, cases))
            for name, cases in CASES.items()
            for number, case in enumerate(cases)
        ],
    )


@pytest.fixture(scope="session")
def pools() -> Iterator[Pools]:
    with ThreadPoolExecutor(2) as two, ThreadPoolExecutor(8) as eight:
        yield {2: two, 8: eight}


def test_every_search_has_cases() -> None:
    assert set(CASES) == registered() | {FILES}, "add the new search to tests/conformance/cases.py"
    assert all(CASES.values())


@every_case(turn=0)
def test_width_changes_nothing(case: Case, pools: Pools) -> None:
    laws.width_changes_nothing(case, pools)


@one_case_each
def test_worker_processes_change_nothing(case: Case) -> None:
    laws.worker_processes_change_nothing(case)


@every_case(turn=1)
def test_every_budget_gives_a_valid_finding_whatever_the_width(case: Case, pools: Pools) -> None:
    laws.every_budget_gives_a_valid_finding_whatever_the_width(case, pools)


@every_case(turn=2)
def test_every_best_is_valid(case: Case) -> None:
    laws.every_best_is_valid(case)


@every_case(turn=3)
def test_an_interruption_at_any_run_gives_a_valid_finding(case: Case, pools: Pools) -> None:
    laws.an_interruption_at_any_run_gives_a_valid_finding(case, pools)


@every_case(turn=4)
def test_odd_answers_are_tolerated(case: Case, pools: Pools) -> None:
    laws.odd_answers_are_tolerated(case, pools)


@every_case(turn=5)
def test_replay_runs_nothing(case: Case, pools: Pools, tmp_path: Path) -> None:
    laws.replay_runs_nothing(case, pools, tmp_path)


@every_case(turn=6)
def test_resumed_after_any_stop(case: Case, tmp_path: Path) -> None:
    laws.resumed_after_any_stop(case, tmp_path)


@every_case(turn=7)
def test_resumed_in_parallel(case: Case, pools: Pools, tmp_path: Path) -> None:
    laws.resumed_in_parallel(case, pools, tmp_path)


@pytest.mark.parametrize("each", [1, pytest.param(None, marks=pytest.mark.rest)], ids=["one case each", "every case"])
def test_the_hash_seed_changes_nothing(each: int | None) -> None:
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1]);"
        "from tests.conformance.cases import CASES; from tests.conformance.laws import summary;"
        f"print(json.dumps({{name: list(map(summary, cases[:{each}])) for name, cases in CASES.items()}}))"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parents[2])]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "4711"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    elsewhere = json.loads(done.stdout)
    assert set(elsewhere) == set(CASES)
    for name, cases in CASES.items():
        assert elsewhere[name] == json.loads(json.dumps(list(map(laws.summary, cases[:each])))), name
