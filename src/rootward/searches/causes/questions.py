"""Which instance to run next: the one whose outcome tells most about which rule is true, for what it costs.

What a run is expected to tell is the mutual information between its outcome and the answer. Instances to choose from
are those over which likely rules may disagree: inside a likely conjunction or just outside of it, with everything else
as in a passing run or at random; between a failing and a passing run; and one step from what was run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from rootward.searches.causes.beliefs import Beliefs, Codes, Columns

Bits = NDArray[np.float64]
DRAWN = 64
"""Instances of each kind to choose from."""
LIKELY = 16
"""Conjunctions that instances are drawn around."""


def information(beliefs: Beliefs, codes: Codes, groups: NDArray[np.int64], unseen: float) -> Bits:
    """What running each instance tells about the group that the true rule is in; ``unseen``: how likely an instance
    fails that no rule covers."""
    fails = np.where(beliefs.covers(codes).any(axis=1), 1.0, unseen) * beliefs.chances[:, None]
    count = int(groups.max()) + 1
    chance = np.bincount(groups, beliefs.chances, count)[:, None]
    by_group = np.zeros((count, len(codes)))
    np.add.at(by_group, groups, fails)
    inner = (chance * _entropy(by_group / np.maximum(chance, 1e-300))).sum(axis=0)
    return np.asarray(_entropy(fails.sum(axis=0)) - inner)


def _entropy(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(chance, 1e-12, 1 - 1e-12)
    return np.asarray(-(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside)))


def proposals(
    beliefs: Beliefs, sizes: NDArray[np.int64], failing: Codes, passing: Codes, rng: np.random.Generator
) -> Codes:
    """Instances worth a thought, each once."""
    others = passing if len(passing) else rng.integers(0, sizes, size=(DRAWN, len(sizes)))
    known = np.concatenate([failing, others])
    anywhere = rng.integers(0, sizes, size=(DRAWN, len(sizes)))
    bad, good = (rows[rng.integers(len(rows), size=2 * DRAWN)] for rows in (failing, others))
    between = np.where(rng.random(bad.shape) < rng.random((len(bad), 1)), bad, good)
    beside = _stepped(known[rng.integers(len(known), size=2 * DRAWN)], beliefs.columns, sizes, rng)
    found = [anywhere, between, beside, _around(beliefs, sizes, others, rng)]
    return np.unique(np.concatenate(found), axis=0)


def _stepped(rows: Codes, columns: Columns, sizes: NDArray[np.int64], rng: np.random.Generator) -> Codes:
    rows = rows.copy()
    at = rng.choice(columns, size=len(rows))
    rows[np.arange(len(rows)), at] = rng.integers(0, sizes[at])
    return rows


def _around(beliefs: Beliefs, sizes: NDArray[np.int64], passing: Codes, rng: np.random.Generator) -> Codes:
    """Inside of likely conjunctions, half of them with one parameter that steps out."""
    found = []
    likely = sorted(beliefs.conjunctions().items(), key=lambda item: (-item[1], item[0]))[:LIKELY]
    for place, (key, _) in enumerate(likely):
        slot, count = np.frombuffer(key, np.int16), 2 * DRAWN if place == 0 else 4 * DRAWN // len(likely)
        rows = np.where(
            rng.random((count, 1)) < 0.5,
            rng.integers(0, sizes, size=(count, len(sizes))),
            passing[rng.integers(len(passing), size=count)],
        )
        box = beliefs.box(slot)
        out = rng.choice([*box], size=count) if box else np.zeros(count, dtype=np.int64)
        out[rng.random(count) < 0.5] = -1
        for p, mask in box.items():
            inside = out != p
            rows[inside, p] = rng.choice(np.flatnonzero(mask), size=int(inside.sum()))
        found.append(rows)
    return np.concatenate(found) if found else np.zeros((0, len(sizes)), dtype=np.int64)


def steps(row: NDArray[np.int64], columns: Columns, sizes: NDArray[np.int64]) -> Codes:
    """Every instance that differs in one of the parameters that rules may name."""
    found = []
    for p in columns:
        near = np.repeat(row[None], sizes[p] - 1, axis=0)
        near[:, p] = [place for place in range(sizes[p]) if place != row[p]]
        found.append(near)
    return np.concatenate(found)


def ranked(scores: Bits, codes: Codes, usable: Callable[[NDArray[np.int64]], bool], count: int) -> Iterable[int]:
    """The first few usable instances, the best first."""
    left = count
    for i in np.argsort(-scores, kind="stable"):
        if left and usable(codes[i]):
            left -= 1
            yield int(i)
        if not left:
            return
