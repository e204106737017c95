"""Points around a failing one that are always worth a run."""

import pytest

import rootward as rw
from rootward.searches.conditions.boundaries.observations import ask
from rootward.searches.conditions.boundaries.openings import Openings, choose_distances
from rootward.searches.conditions.boundaries.tuning import TUNING

from .planted import drive, notebook_of

PLAUSIBLE = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 50, 60, 64, 100, 128, 256, 1000, 1024)


@pytest.mark.parametrize("reach", [100, 178, 255, 1000, 4096])
def test_a_few_distances_are_multiples_of_the_plausible_moduli(reach: int) -> None:
    found = choose_distances(reach)
    assert len(found) <= TUNING.max_shifts
    assert max(found) <= reach
    shown = [m for m in PLAUSIBLE if any(by % m == 0 for by in found)]
    assert len(shown) >= 0.9 * sum(m <= reach for m in PLAUSIBLE)


def test_a_period_shows_within_the_range_of_a_byte() -> None:
    notebook = notebook_of(n=rw.Int(0, 255))
    openings = Openings(notebook, [0])
    drive(notebook, ask([(77,), (76,), (78,)]), lambda point: point[0] % 60 == 17)
    assert [n for (n,) in openings.periods((77,), notebook.axes[0]) if n % 60 == 17 and n != 77]
