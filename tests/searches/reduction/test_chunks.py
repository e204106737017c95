"""Chunks in the sieve: what fails still fails, and lists that are not monotone cost far less."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.search.ask import Search
from rootward.searches.reduction import chunks
from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.line import Asking, Ground
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve import sieve
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements, Selection
from rootward.verdict import FAIL, PASS, UNRESOLVED, Verdict
from tests.properties import examples

from .helpers import Driver, Kept, Says, one_of


def lines(n: int) -> Elements[Any]:
    return Elements(range(n), noun="line")


def program(n: int, seed: int) -> Says:
    """A failure of line ``n // 3`` of a program in which most lines use an earlier one, and cannot do without it."""
    rng = random.Random(seed)
    uses = {i: rng.randrange(max(0, i - 10), i) for i in range(1, n) if rng.random() < 0.9}

    def says(kept: Kept) -> Verdict:
        present = set(kept)
        if any(i in present and used not in present for i, used in uses.items()):
            return UNRESOLVED
        return FAIL if n // 3 in present else PASS

    return says


def finding(step: Asking[Any, Selection[Any]]) -> Search[Selection[Any], Reduction[Any]]:
    return Reduction(selection=(yield from step))


@pytest.mark.parametrize("seed", range(6))
def test_lines_that_depend_on_each_other_take_no_more_runs_than_ddmin(seed: int) -> None:
    ours, theirs = Driver(program(400, seed)), Driver(program(400, seed))
    found, other = ours(sieve(lines(400))), theirs(ddmin(lines(400)))
    assert len(found.selection) <= len(other.selection)
    assert len(ours.runs) <= 1.2 * len(theirs.runs)


@examples(60)
@given(st.integers(1, 40), st.data())
def test_each_step_returns_a_selection_that_fails(n: int, data: st.DataObject) -> None:
    ways = data.draw(st.lists(st.frozensets(st.integers(0, n - 1)), min_size=1, max_size=3))
    required = data.draw(st.frozensets(st.sampled_from(sorted(ways[0])), max_size=2)) if ways[0] else frozenset()
    elements, says = lines(n), one_of(ways)
    ground = Ground(elements, Surroundings(), (required,) if required else ())
    order = tuple(data.draw(st.permutations(range(n))))
    for step in (
        chunks.keep_one_part(ground, elements.all, order),
        chunks.try_parts(elements.all, order, 8),
        chunks.leave_out_chunks(ground, elements.all, order),
    ):
        assert says(Driver(says)(finding(step)).selection.kept) is FAIL


@pytest.mark.parametrize("count", [10, 100, 1000, 5000])
def test_the_expected_costs_are_those_of_a_list_that_is_needed_as_a_whole(count: int) -> None:
    elements = lines(count)
    needed = one_of([frozenset(range(count))])
    ground = Ground(elements, Surroundings(), ())
    parts, left_out = Driver(needed), Driver(needed)
    parts(finding(chunks.try_parts(elements.all, range(count), 8)))
    left_out(finding(chunks.leave_out_chunks(ground, elements.all, range(count))))
    assert len(parts.runs) <= chunks.cost_of_parts(8) + 1
    assert len(left_out.runs) <= chunks.cost_of_chunks(count)
