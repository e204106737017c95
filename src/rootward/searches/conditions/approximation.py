"""An approximate rule for runs that no simple condition explains: a small decision tree over the fields that matter.

The tree is that of ALO-Trees (trees/), grown on all known runs and cut back to a few leaves, so that it stays readable.
It makes no claim: the caller measures it on fresh runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rootward.rules import Rule
from rootward.searches.conditions.trees.axes import Axes, TrialData
from rootward.searches.conditions.trees.fitting import family, grow
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import count_leaves
from rootward.searches.conditions.trees.wording import Wording
from rootward.space.candidate import Configuration
from rootward.space.space import Space

MAX_LEAVES = 8
"""Maximum number of leaves of the tree: more conditions do not fit on a line."""


def approximate_rule(
    space: Space,
    fields: Sequence[str],
    example: Mapping[str, Any],
    runs: Iterable[tuple[Configuration, bool]],
    rng: np.random.Generator,
) -> Rule:
    """Return the rule of a small tree over ``fields`` that predicts the runs best.

    ``example``: a failing configuration.
    """
    axes = Axes(space, example, fields)
    data = TrialData(axes)
    for one, fails in runs:
        if all(field.contains(one[name]) for name, field in zip(axes.names, axes.fields, strict=True)):
            data.add(axes.places(one), axes.features_of(one), fails)
    grown = grow(Splitter(axes, rng), data.features, data.places, data.fails)
    small = next(tree for _, tree in family(grown) if count_leaves(tree) <= MAX_LEAVES)
    return Wording(axes).rule(small).simplify(space)
