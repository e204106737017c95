"""The planted reductions are what the benchmark says they are, and its peers do what they are said to do."""

from __future__ import annotations

import math
import random
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import curves, picire_peer, reducers, reductions

from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome
from tests.properties import examples

SEEDS = st.integers(0, 2**32)


@examples(100)
@given(st.sampled_from(reductions.KINDS), st.integers(4, 80), SEEDS)
def test_the_whole_fails_and_so_does_the_smallest_part(kind: str, size: int, seed: int) -> None:
    law = reductions.make(kind, size, 1 + seed % 4, seed)
    assert law(range(size)) is FAIL
    assert law([]) is not FAIL
    assert law.minimal(sorted(law.smallest))


@examples(60)
@given(st.sampled_from(("brackets", "chains")), st.integers(10, 60), SEEDS)
def test_a_broken_part_is_invalid(kind: str, size: int, seed: int) -> None:
    law = reductions.make(kind, size, 2, seed)
    for one, other in (*law.brackets, *law.needs):
        assert law([i for i in range(size) if i != other]) is UNRESOLVED
        assert one != other
    assert all(b < a for a, b in law.needs)
    spans = law.brackets
    assert all(not a < c < b < d for a, b in spans for c, d in spans), "brackets are nested, or apart"


def test_each_law_by_hand() -> None:
    needed = frozenset({2, 5})
    both = reductions.Planted(8, (needed,), pairs=((0, 7),))
    assert both([2, 5]) is FAIL
    assert both([0, 2, 5]) is PASS
    assert both([0, 2, 5, 7]) is FAIL
    even = reductions.Planted(8, (needed,), even=frozenset({0, 1}))
    assert even([0, 1, 2, 5]) is FAIL
    assert even([1, 2, 5]) is PASS
    either = reductions.Planted(8, (needed, frozenset({6})))
    assert either.smallest == {6}
    assert either([6]) is FAIL
    assert either([2]) is PASS
    assert either.minimal([2, 5])
    assert not either.minimal([2, 5, 6])
    chain = reductions.Planted(8, (needed,), needs=((5, 4), (4, 1)))
    assert chain.smallest == {1, 2, 4, 5}
    assert chain([2, 5]) is UNRESOLVED


def test_the_limit_by_hand() -> None:
    assert reductions.limit(8, 1) == 3 + 1
    assert reductions.limit(10_000, 3) == pytest.approx(math.log2(166_616_670_000) + 3, abs=0.01)


def test_a_flaky_law_fails_at_its_rate() -> None:
    law = reductions.Flaky(10, 0.8, ((3, 0.0), (4, 0.5)))
    assert law.needed == {3, 4}
    for kept, chance in (([3, 4], 0.8), ([3], 0.4), ([4], 0.0)):
        assert law.chance(kept) == pytest.approx(chance)
        shown = sum(law(kept, seed=seed) is FAIL for seed in range(2000)) / 2000
        assert shown == pytest.approx(chance, abs=0.04)


@examples(30)
@given(st.sampled_from(reductions.KINDS), st.integers(4, 60), SEEDS)
def test_picire_is_one_minimal_and_its_tests_are_counted(kind: str, size: int, seed: int) -> None:
    law = reductions.make(kind, size, 1 + seed % 3, seed)
    asked: list[tuple[int, ...]] = []

    def fails(kept: Any) -> bool:
        asked.append(tuple(kept))
        return law(kept) is FAIL

    kept, runs = picire_peer.reduce(size, fails)
    assert law.minimal(kept)
    assert runs == len(asked) + 1
    assert len(set(asked)) == len(asked), "no test twice"


def test_picire_in_parallel_finds_the_same() -> None:
    law = reductions.make("conjunction", 30, 2, 1)

    def fails(kept: Any) -> bool:
        time.sleep(0.01)
        return law(kept) is FAIL

    kept, runs = picire_peer.reduce_parallel(30, fails, jobs=2)
    assert set(kept) == law.smallest
    assert runs > len(kept)


def test_every_method_is_measured() -> None:
    solved = reducers.solve(reducers.Steady("conjunction", 40, 3, 5))
    assert set(solved.results) == set(reducers.COUNTED)
    assert solved.results[reducers.UNSURE].runs > solved.results["auto"].runs  # it looks whether the failure is flaky
    for method, result in solved.results.items():
        assert result.minimal, method
        assert result.kept == 3
        assert 3 < result.runs < 200
    assert solved.over("auto", "auto") == 1
    assert solved.over_limit("auto") == solved.results["auto"].runs / solved.limit


@pytest.mark.parametrize("method", reducers.FLAKY)
def test_what_is_said_about_a_flaky_reduction_is_true(method: str) -> None:
    problem = reducers.Shaky("never", 20, 2, 0.95, 1)
    found = reducers.verify(problem, method)
    assert found.kept >= 2
    assert found.often
    assert found.good is found.same
    assert found.runs >= 5


def test_a_wrong_claim_is_refuted_and_a_right_one_is_not() -> None:
    law = reductions.Flaky(10, 0.7, ((3, 0.0), (4, 0.0)))
    assert not reducers.refuted(law, [3, 4])
    assert reducers.refuted(law, [3, 4, 9])


def test_a_failure_that_hides_at_first_costs_runs() -> None:
    tries = iter([PASS, PASS])

    def subject(kept: list[int], seed: int) -> Any:
        return next(tries, FAIL if 1 in kept else PASS)

    found, wasted = reducers.reproduced(range(4), subject, seed=0, method="ddmin")
    assert (found.kept, wasted) == ([1], 2)


def test_curves_are_well_formed_and_fall() -> None:
    lines = {"one < two": [(1, 43), (5, 20), (30, 2)], "two": [(1, 43), (400, 12)]}
    drawn = ET.fromstring(curves.draw("A & B", "executions", "left", lines))
    paths = [part.get("d", "") for part in drawn.iter() if "line l" in part.get("class", "")]
    assert len(paths) == 2 * 2  # in the plot and in the legend
    dots = [float(part.get("cy", "")) for part in drawn.iter() if part.tag.endswith("circle")]
    assert len(dots) == 2
    assert dots[0] < dots[1], "the last drawn, which has fewer left, is lower"


# Worlds


@pytest.fixture
def worlds() -> Any:
    pytest.importorskip("mujoco")
    pytest.importorskip("lxml")
    from peers import worlds

    return worlds


def test_our_worlds_are_those_of_the_example(worlds: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert [site.name for site in worlds.ours()] == ["our ditch", "our rubble", "our friction", "our hall"]
    assert all(site.path.is_file() for site in worlds.ours())
    monkeypatch.delenv("ROOTWARD_WORLDS", raising=False)
    assert worlds.papers() == []
    monkeypatch.setenv("ROOTWARD_WORLDS", str(tmp_path))
    (tmp_path / "frictionpatch6.world").touch()
    assert [site.name for site in worlds.papers()] == ["paper's friction"]


@pytest.mark.parametrize("method", ["auto", "timeseg + trajectory", "ddmin", "picire"])
def test_a_world_is_reduced_and_its_result_judged(worlds: Any, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    site = worlds.ours()[2]
    barrel = next(model.index for model in site.models if model.name == "barrel_0")

    def ran(site: Any, kept: tuple[int, ...], seed: int) -> Any:
        verdict = FAIL if barrel in kept and random.Random(seed).random() < 0.9 else PASS
        measures = {"x": 0.0, "y": 0.0, "time": 2.0} | {f"sensed:{model.name}": 1.0 for model in site.models}
        return worlds.Ran(Outcome(verdict, "stuck", measures), 0.5)

    monkeypatch.setattr(worlds, "_ran", ran)
    failure = Outcome(FAIL, "stuck", {"x": 0.1, "y": 0.0})
    scenario = worlds.Scenario(site, failure, 0.9, ((0.0, -4.0, 0.0, 0.0), (5.0, 0.0, 0.0, 0.0)))
    found = worlds.reduce(worlds.Job(scenario, method, 1))
    assert "barrel_0" in found.names
    assert 0.7 < found.rate <= 1
    assert found.curve[0] == (1, 25)
    assert found.curve[-1] == (found.executions, len(found.kept))
    assert found.simulated == 2.0 * found.executions
    assert found.seconds == 0.5 * found.executions


def test_another_failure_does_not_count(worlds: Any) -> None:
    site = worlds.ours()[2]
    scenario = worlds.Scenario(site, Outcome(FAIL, "stuck", {"x": 0.0, "y": 0.0}), 0.5, ())
    there, elsewhere = (scenario.judged(Outcome(FAIL, "stuck", {"x": x, "y": 0.0})) for x in (0.2, 2.0))
    assert there.verdict is FAIL
    assert elsewhere.verdict is not FAIL
    assert there.signature != elsewhere.signature
