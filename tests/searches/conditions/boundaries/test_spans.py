"""The table of intervals, against brute force over all constants."""

import numpy as np
import pytest

import rootward as rw
from rootward.searches.conditions.boundaries.feature import Feature
from rootward.searches.conditions.boundaries.observations import Observations
from rootward.searches.conditions.boundaries.simplicity import estimate_prices, find_simplest, price
from rootward.searches.conditions.boundaries.spans import SpanTable

from .planted import notebook_of


def random_notebook(seed: int, offset: int = 0) -> Observations:
    """Twelve brackets between random values of a field."""
    rng = np.random.default_rng(seed)
    notebook = notebook_of(x=rw.Int(-(2**62), 2**62, bits=64))
    while len(notebook.brackets) < 12:
        low, high = sorted(int(value) + offset for value in rng.integers(-30, 30, size=2))
        if low < high:
            notebook.add((low,), False)
            notebook.add((high,), True)
            notebook.bracket((low,), (high,), 0)
    return notebook


@pytest.mark.parametrize("offset", [0, 2**60])
@pytest.mark.parametrize("seed", range(5))
def test_the_heaviest_region_is_that_of_the_best_constant(seed: int, offset: int) -> None:
    """Integers beyond 2**53 are exact, too."""
    notebook = random_notebook(seed, offset)
    table, feature = SpanTable(), Feature("a", (0,), 1.0)
    rows = table.fill([feature], notebook.brackets, notebook.points)
    columns = np.arange(len(notebook.brackets))
    region = table.regions(feature, columns)[0]
    by_constant = [
        sum(one.weight for one in notebook.brackets if one.low <= constant < one.high)
        for constant in range(offset - 30, offset + 30)
    ]
    weight = sum(notebook.brackets[i].weight for i in region.inside)
    assert weight == pytest.approx(max(by_constant))
    assert all(notebook.brackets[i].low <= region.low < region.high <= notebook.brackets[i].high for i in region.inside)
    assert table.total(rows, columns)[0] == pytest.approx(sum(one.weight for one in notebook.brackets))
    assert table.heaviest(rows, columns)[0] <= table.total(rows, columns)[0]


def test_a_table_that_grows_is_the_same_as_one_filled_at_once() -> None:
    notebook = random_notebook(7)
    feature, other = Feature("a", (0,), 1.0), Feature("abs(a)", (0,), 3.0)
    grown, whole = SpanTable(), SpanTable()
    grown.fill([feature], notebook.brackets[:5], notebook.points)
    columns = np.arange(len(notebook.brackets))
    fresh = [Feature("a", (0,), 1.0), Feature("abs(a)", (0,), 3.0)]
    one = grown.heaviest(grown.fill([feature, other], notebook.brackets, notebook.points), columns)
    two = whole.heaviest(whole.fill(fresh, notebook.brackets, notebook.points), columns)
    assert one.tolist() == two.tolist()


def test_the_estimate_of_a_constant_is_about_its_price() -> None:
    rng = np.random.default_rng(0)
    middles = np.exp(rng.uniform(0, 12, size=300)) * rng.choice([-1, 1], size=300)
    lows, highs = middles - np.abs(middles) / 100, middles + np.abs(middles) / 50
    exact = [price(find_simplest(float(low), float(high))) for low, high in zip(lows, highs, strict=True)]
    off = estimate_prices(lows, highs) - np.array(exact)
    assert np.abs(off).mean() < 1.0
    assert estimate_prices(np.array([-3.0]), np.array([5.0])).tolist() == [1.0]
