"""Growing, after C4.5: ask the question with the highest information gain, and go on with either side.

It ends where all trials have one label, where there are fewer than five, and where no question gains anything.
"""

from __future__ import annotations

from rootward.searches.conditions.trees.axes import Rows
from rootward.searches.conditions.trees.questions import Bools
from rootward.searches.conditions.trees.splitters import Splitter
from rootward.searches.conditions.trees.tree import Split, Tree, leaf

FEW = 5
"""Fewer trials than this are not split: what they tell apart is more likely noise."""


def grow(splitter: Splitter, features: Rows, places: Rows, fails: Bools) -> Tree:
    """The whole tree for these trials, not yet pruned."""
    if len(fails) < FEW or fails.all() or not fails.any():
        return leaf(fails)
    question = splitter.best(features, places, fails)
    if question is None:
        return leaf(fails)
    yes = question.holds(features)
    grown = [grow(splitter, features[side], places[side], fails[side]) for side in (yes, ~yes)]
    return Split(question, *grown)
