"""probdd against its paper: Wang et al., "Probabilistic Delta Debugging" (ESEC/FSE 2021)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.lab.lab import Lab
from rootward.searches.reduction.probdd import choose_removal, probdd, update_chances
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Elements
from rootward.subjects.function import fails_when
from tests.properties import examples

Test = Callable[[list[Any]], bool]
thorough = examples(100, derandomize=True)


def reduced(elements: Elements[Any], test: Test, **options: Any) -> tuple[Reduction[Any], list[list[Any]]]:
    """The reduction, and every list that was run, in order."""
    runs: list[list[Any]] = []

    def subject(kept: list[Any]) -> bool:
        runs.append(list(kept))
        return test(kept)

    with Lab(fails_when(subject)) as lab:
        return lab.run(probdd(elements, **options), failing=elements.all), runs


def is_1_minimal(kept: list[Any], test: Test) -> bool:
    return test(kept) and not any(test(kept[:i] + kept[i + 1 :]) for i in range(len(kept)))


# The formulas, by hand


@pytest.mark.parametrize(
    ("chances", "chosen"),
    [
        ([0.5, 0.5, 0.5], [0]),  # gains .5, .5, .375: the smaller of equals
        ([0.3, 0.3, 0.3], [0, 1, 2]),  # .7, .98, 1.029
        ([0.4, 0.1, 0.2, 0.9], [1, 2]),  # of 1, 2, 0, 3: .9, 1.44, 1.296, .1728
        ([0.25, 0.25, 0.25, 0.25, 0.25], [0, 1, 2]),  # .75, 1.125, 1.265625, 1.265625, 1.187
        ([1.0, 0.8, 1.0], [1]),  # .2 only
        ([1.0, 1.0], []),
        ([], []),
    ],
)
def test_what_is_left_out_has_the_greatest_expected_gain(chances: list[float], chosen: list[int]) -> None:
    assert choose_removal(Elements(range(len(chances))).all, np.array(chances)).tolist() == chosen


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([0.5, 0.5], [2 / 3, 2 / 3]),  # / .75
        ([0.1, 0.1], [0.1 / 0.19, 0.1 / 0.19]),
        ([0.2, 0.5, 0.6], [0.2 / 0.84, 0.5 / 0.84, 0.6 / 0.84]),
        ([0.1], [1.0]),
        ([1e-12], [1.0]),
    ],
)
def test_if_it_no_longer_fails_what_was_left_out_becomes_likelier(before: list[float], after: list[float]) -> None:
    assert update_chances(np.array(before)).tolist() == pytest.approx(after, abs=1e-12)


@thorough
@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=30))
def test_no_other_set_gains_more(chances: list[float]) -> None:
    def gain(chosen: Sequence[int]) -> float:
        return float(len(chosen) * np.prod([1 - chances[i] for i in chosen]))

    chosen = choose_removal(Elements(chances).all, np.array(chances)).tolist()
    rng = random.Random(len(chances))
    others = [rng.sample(range(len(chances)), rng.randint(1, len(chances))) for _ in range(50)]
    assert all(gain(other) <= gain(chosen) + 1e-12 for other in others)


@thorough
@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=30))
def test_a_probability_grows_by_a_third_or_becomes_1(chances: list[float]) -> None:
    before = np.array(chances)
    chosen = choose_removal(Elements(chances).all, before)
    after = update_chances(before[chosen])
    assert all((after == 1) | (after >= before[chosen] * 4 / 3 - 1e-9))
    assert all(after <= 1)


# Worked examples


def test_run_by_run() -> None:
    """p0 = .3 of 0, 1, 2, 3; needed is 2."""
    found, runs = reduced(Elements(range(4)), lambda kept: 2 in kept, p0=0.3, check=False)
    assert found.kept == [2]
    assert runs == [
        [0, 1, 2, 3],  # it fails
        [3],  # gains .7, .98, 1.029, .96: without 0, 1, 2; it passes, and .3 becomes .3 / (1 - .343) = .457
        [1, 2],  # of 3, 0, 1, 2: .7, .761, .620: without 3 and 0; it fails
        [],  # .543, .591: without both; it passes, and .457 becomes .457 / (1 - .295) = .648
        [2],  # .352, .248: without 1; it fails
        # without 2: known to pass, so it becomes 1
    ]
    assert found.asked == 6


def test_the_check_asks_what_the_published_end_leaves_open() -> None:
    """0 is needed as long as 1 is there."""

    def test(kept: list[int]) -> bool:
        return 2 in kept and (0 in kept or 1 not in kept)

    published, _ = reduced(Elements(range(3)), test, p0=0.6, check=False)
    assert published.kept == [0, 2]
    checked, runs = reduced(Elements(range(3)), test, p0=0.6)
    assert checked.kept == [2]
    assert runs == [[0, 1, 2], [1, 2], [0, 2], [0], [2], []]


# Any subject


@thorough
@given(st.integers(1, 24), st.data(), st.sampled_from([0.01, 0.1, 0.5, 0.95]), st.booleans())
def test_monotone(n: int, data: st.DataObject, p0: float, check: bool) -> None:
    wanted = data.draw(st.lists(st.frozensets(st.integers(0, n - 1), min_size=1), min_size=1, max_size=3))

    def test(kept: list[int]) -> bool:
        return any(culprit <= set(kept) for culprit in wanted)

    found, _ = reduced(Elements(range(n)), test, p0=p0, check=check)
    assert found.complete
    assert frozenset(found.kept) in wanted


@thorough
@given(st.integers(1, 14), st.integers(0, 10**6), st.floats(0, 1), st.sampled_from([0.01, 0.1, 0.5, 0.95]))
def test_not_monotone(n: int, seed: int, density: float, p0: float) -> None:
    def test(kept: list[int]) -> bool:
        return len(kept) == n or random.Random(f"{seed} {kept}").random() < density

    found, _ = reduced(Elements(range(n)), test, p0=p0)
    assert is_1_minimal(found.kept, test)
    assert test(reduced(Elements(range(n)), test, p0=p0, check=False)[0].kept)


@thorough
@given(st.integers(1, 12), st.data())
def test_pins_and_trees(n: int, data: st.DataObject) -> None:
    parents = [data.draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(n)]
    elements = Elements(range(n), pinned=data.draw(st.frozensets(st.integers(0, n - 1))), parents=parents)
    wanted = data.draw(st.frozensets(st.integers(0, n - 1)))
    found, runs = reduced(elements, lambda kept: wanted <= set(kept))
    assert all(elements.pinned <= set(kept) and list(elements.pick(kept).kept) == kept for kept in runs)
    assert found.selection == elements.pick([*elements._with_ancestors(wanted)])


def test_nothing_at_all_fails() -> None:
    assert reduced(Elements(range(30)), lambda kept: True)[0].kept == []


def test_an_empty_list_that_fails() -> None:
    assert reduced(Elements([]), lambda kept: True)[0].kept == []


@pytest.mark.parametrize("p0", [0, 1, -0.1, 1.5, float("nan")])
def test_odd_probabilities_are_refused(p0: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        reduced(Elements(range(3)), lambda kept: True, p0=p0)


@pytest.mark.rest
def test_ten_thousand_elements_are_quick() -> None:
    start = time.process_time()
    found, runs = reduced(Elements(range(10_000)), lambda kept: 6_789 in kept)
    assert found.kept == [6_789]
    assert len(runs) < 1_200  # sets of ten, as p0 says
    assert time.process_time() - start < 200
