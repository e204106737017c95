"""Runs that would show a cause to be wrong: inside of it, new, allowed, and pairs first."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rootward as rw
from rootward.rules import Atom, Rule
from rootward.searches.causes.beliefs import Beliefs
from rootward.searches.causes.options import options
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.questions import challenges
from rootward.searches.causes.runs import Runs
from tests.properties import examples

quick = examples(50, derandomize=True)


class World:
    """A random pipeline, random runs of it, and a cause that none of them refutes."""

    def __init__(self, sizes: list[int], seed: int, constrained: bool) -> None:
        rng = np.random.default_rng(seed)
        space = rw.Space({f"p{i}": rw.Choice(list(range(size))) for i, size in enumerate(sizes)})
        self.pipeline = Pipeline(space, never=Rule([[Atom("p0", "=", 0)]]) if constrained else None)
        self.runs = Runs(self.pipeline)
        self.beliefs = Beliefs(options(self.pipeline, self.runs), np.arange(len(sizes)), 2, [seed])
        self.slots = [
            np.array([rng.integers(0, len(own)) for own in self.beliefs.options], dtype=np.int16) for _ in range(2)
        ]
        self.box = self.beliefs.box(self.slots[0])
        for row in rng.permutation(np.array(list(product(*map(range, sizes)))))[: int(rng.integers(0, 12))]:
            inside = any(self.beliefs.covers(row[None], slot[None, None]).any() for slot in self.slots)
            self.runs.add(tuple(row.tolist()), bool(inside))
        self.rng = rng

    def usable(self, row: NDArray[np.int64]) -> bool:
        one = tuple(row.tolist())
        return one not in self.runs and self.pipeline.allows(one)

    def challenges(self, count: int) -> list[tuple[int, ...]]:
        return challenges(self.beliefs, self.slots[0], self.slots, self.runs, self.usable, count, self.rng)

    def unpaired(self) -> list[int]:
        """Parts of the cause that a passing run violates alone, without a run inside that differs in nothing else."""
        known = self.runs.codes.tolist()
        found = []
        for p, mask in self.box.items():
            alone = [
                row
                for row, fails in zip(known, self.runs.fails, strict=True)
                if not fails and not mask[row[p]] and all(m[row[i]] for i, m in self.box.items() if i != p)
            ]
            twins = [
                one
                for row in alone
                for one in known
                if mask[one[p]] and all(one[i] == row[i] for i in range(len(row)) if i != p)
            ]
            if alone and not twins:
                found.append(p)
        return found


@quick
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 9999), st.booleans(), st.integers(1, 9))
def test_challenges_are_inside_new_and_allowed(sizes: list[int], seed: int, constrained: bool, count: int) -> None:
    world = World(sizes, seed, constrained)
    before = world.runs.codes.copy()
    found = world.challenges(count)
    assert len(found) <= count
    assert len(set(found)) == len(found)
    for one in found:
        assert all(mask[one[p]] for p, mask in world.box.items()), "outside of the cause"
        assert one not in world.runs
        assert world.pipeline.allows(one)
    assert np.array_equal(before, world.runs.codes)


@quick
@given(st.lists(st.integers(2, 4), min_size=2, max_size=4), st.integers(0, 9999), st.integers(1, 9))
def test_missing_pairs_come_first(sizes: list[int], seed: int, count: int) -> None:
    world = World(sizes, seed, constrained=False)
    missing = world.unpaired()[:count]
    found = world.challenges(count)
    passing = world.runs.passing
    completed = []
    for one in found[: len(missing)]:
        apart = [[i for i, (mine, its) in enumerate(zip(one, row, strict=True)) if mine != its] for row in passing]
        completed.append({p for p in missing if [p] in apart})
    assert all(completed[:1])
    if len(found) >= len(missing):  # two parts may need the same run; then it is asked for once
        assert set().union(*completed) == set(missing)


@quick
@given(st.lists(st.integers(2, 4), min_size=2, max_size=4), st.integers(0, 9999))
def test_something_is_found_inside_of_a_cause_that_was_not_all_run(sizes: list[int], seed: int) -> None:
    world = World(sizes, seed, constrained=False)
    inside = [one for one in product(*map(range, sizes)) if all(mask[one[p]] for p, mask in world.box.items())]
    if sum(one not in world.runs for one in inside) * 2 > len(inside):
        assert world.challenges(3)
