"""The known runs: instances of a pipeline with how often each failed and passed (Definitions 2 to 5 of BugDoc).

``hypothetical``, ``definitive`` and ``minimal`` are the definitions of the paper, word for word, applied to the known
runs. A failing run is one with the verdict FAIL. OTHER is not the failure that is being diagnosed, so it counts as
passing; UNRESOLVED says nothing and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.rules import Conjunction
from rootward.search.design import Instance
from rootward.searches.causes.pipeline import Pipeline
from rootward.space.fields import show
from rootward.verdict import FAIL, UNRESOLVED, Verdict

History = Iterable[tuple[Mapping[str, Any], Verdict | bool]]
"""Earlier runs: configurations with their verdicts (True: it failed)."""
FIRST_ROWS = 256
"""Number of rows to allocate at first; the arrays double when they are full."""
MAX_KEY_BYTES = 32
"""Maximum length of an instance that is its own key; a longer one is identified by a digest of this length."""


class Runs:
    """The distinct instances that were run, in the order of their first run."""

    def __init__(self, pipeline: Pipeline, notes: tuple[Fact, ...] = ()) -> None:
        """``notes``: facts about the runs that a person should know."""
        self.pipeline, self.notes = pipeline, notes
        self._index: dict[bytes, int] = {}
        self._codes = np.zeros((FIRST_ROWS, len(pipeline)), dtype=_choose_dtype(pipeline))
        self._counts = np.zeros((FIRST_ROWS, 2), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._index)

    def _key(self, instance: Instance) -> bytes:
        row = np.array(instance, dtype=self._codes.dtype).tobytes()
        return row if len(row) <= MAX_KEY_BYTES else blake2b(row, digest_size=MAX_KEY_BYTES).digest()

    def add(self, instance: Instance, failed: bool, times: int = 1) -> None:
        """Record that an instance was run ``times`` times with this verdict."""
        row = self._index.setdefault(self._key(instance), len(self._index))
        if row == len(self._codes):
            self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
        self._codes[row] = instance
        self._counts[row, int(failed)] += times

    def copy(self) -> Runs:
        """Return an independent copy."""
        made = Runs(self.pipeline, self.notes)
        made._index, made._codes, made._counts = self._index.copy(), self._codes.copy(), self._counts.copy()
        return made

    def __contains__(self, instance: Instance) -> bool:
        return self._key(instance) in self._index

    def has_failed(self, instance: Instance) -> bool | None:
        """Return True if the instance was seen to fail, False if it only passed, None if it was not run."""
        row = self._index.get(self._key(instance))
        return None if row is None else bool(self._counts[row, 1])

    @property
    def codes(self) -> NDArray[Any]:
        """The distinct instances, one per row."""
        return self._codes[: len(self)]

    @property
    def fails(self) -> NDArray[np.int64]:
        """Number of times that each instance failed."""
        return self._counts[: len(self), 1]

    @property
    def passes(self) -> NDArray[np.int64]:
        """Number of times that each instance passed."""
        return self._counts[: len(self), 0]

    @property
    def failing(self) -> list[Instance]:
        return self._instances(self.fails > 0)

    @property
    def passing(self) -> list[Instance]:
        """The instances that were never seen to fail."""
        return self._instances(self.fails == 0)

    @property
    def contradictory(self) -> list[Instance]:
        """The instances that both failed and passed."""
        return self._instances((self.fails > 0) & (self.passes > 0))

    def sample_rows(self, most: int) -> NDArray[np.int64]:
        """Return all rows or, if there are more than ``2 * most``, a sample.

        The sample is evenly spaced and has about ``most`` rows of each verdict.
        """
        if len(self) <= 2 * most:
            return np.arange(len(self))
        some = [np.flatnonzero((self.fails > 0) == failed) for failed in (True, False)]
        return np.sort(np.concatenate([own[:: len(own) // most + 1] for own in some]))

    def thin(self, most: int) -> Runs:
        """Return the same runs if there are at most ``2 * most``, otherwise a part of them.

        The part consists of a sample (see ``sample_rows``) and the latest ``most`` runs.
        """
        if len(self) <= 2 * most:
            return self
        rows = np.union1d(self.sample_rows(most), np.arange(len(self) - most, len(self)))
        keys, part = list(self._index), Runs(self.pipeline, self.notes)
        part._index = {keys[row]: place for place, row in enumerate(rows)}
        part._codes, part._counts = self._codes[rows], self._counts[rows]
        return part

    def codes_of(self, failed: bool) -> NDArray[np.int64]:
        """Return the instances that failed or, if ``failed`` is False, those that never failed, one per row."""
        return np.asarray(self.codes[(self.fails > 0) == failed], dtype=np.int64)

    def _instances(self, wanted: NDArray[np.bool_]) -> list[Instance]:
        return [tuple(row) for row in self.codes[wanted].tolist()]

    def without(self, instances: Iterable[Instance]) -> Runs:
        """Return a copy without these instances."""
        gone, kept = {self._key(one) for one in instances}, Runs(self.pipeline, self.notes)
        left = [row for key, row in self._index.items() if key not in gone]
        kept._index = {key: place for place, key in enumerate(key for key in self._index if key not in gone)}
        if left:
            kept._codes, kept._counts = self._codes[left], self._counts[left]
        return kept

    def configurations(self) -> Iterator[tuple[Mapping[str, Any], bool]]:
        """Yield each run as a configuration, with True if it failed."""
        for row, fails in zip(self.codes, self.fails, strict=True):
            yield self.pipeline.configuration(row), bool(fails)

    # The definitions of the paper

    def hypothetical(self, cause: Conjunction) -> bool:
        """Definition 3: some failing run fulfils the conjunction, and no passing one does."""
        held = [failed for configuration, failed in self.configurations() if cause.holds(configuration)]
        return bool(held) and all(held)

    def find_refuting(self, cause: Conjunction) -> list[Mapping[str, Any]]:
        """Return the passing runs that fulfil the conjunction."""
        return [one for one, failed in self.configurations() if not failed and cause.holds(one)]

    def definitive(self, cause: Conjunction) -> bool:
        """Definition 4, as far as runs can show it.

        The conjunction is hypothetical, and every instance that fulfils it was run.
        """
        inside = sum(cause.holds(configuration) for configuration, _ in self.configurations())
        return self.hypothetical(cause) and inside == self.count_instances(cause)

    def minimal(self, cause: Conjunction) -> bool:
        """Definition 5: the conjunction is definitive, and no proper subset of its comparisons is definitive."""
        parts = (Conjunction(part) for size in range(len(cause)) for part in combinations(cause.atoms, size))
        return self.definitive(cause) and not any(self.definitive(part) for part in parts)

    def count_instances(self, cause: Conjunction) -> int:
        """Return the number of instances of the universe that fulfil the conjunction and may be run."""
        pipeline = self.pipeline
        places = [
            [place for place, value in enumerate(values) if all(a.accepts(value) for a in cause if a.field == name)]
            for name, values in zip(pipeline.names, pipeline.values, strict=True)
        ]
        bound = {i for i, _ in pipeline.constrained}
        free = math.prod(len(own) for i, own in enumerate(places) if i not in bound)
        if not bound or not free:
            return free
        return free * sum(
            map(pipeline.allows, product(*(own if i in bound else own[:1] for i, own in enumerate(places))))
        )


def are_disjoint(one: Instance, other: Instance) -> bool:
    """Definition 6: the instances share no value of any parameter."""
    return all(mine != its for mine, its in zip(one, other, strict=True))


def sufficiently_different(one: Conjunction, other: Conjunction) -> bool:
    """Definition 7, for conjunctions of equalities.

    They share at least two parameters, and each shared parameter has different values in the two.
    """
    mine, its = ({atom.field: atom.value for atom in cause} for cause in (one, other))
    shared = mine.keys() & its.keys()
    return len(shared) >= 2 and all(mine[name] != its[name] for name in shared)


def read_runs(pipeline: Pipeline, history: History) -> Runs:
    """Read the runs of a history; InputError if a configuration does not fit the space."""
    runs = Runs(pipeline)
    for number, (configuration, verdict) in enumerate(history, 1):
        failed = _read_verdict(verdict, number)
        if failed is None:
            continue
        instance = pipeline.encode(configuration)
        if instance is None:
            raise InputError(f"run {number} of the history has a value that its field in the space does not list")
        runs.add(instance, failed)
    return runs


def _read_verdict(verdict: object, number: int) -> bool | None:
    if isinstance(verdict, bool | np.bool_):
        return bool(verdict)
    if not isinstance(verdict, Verdict):
        raise InputError(
            f"run {number} of the history: expected a Verdict or a bool (True: it failed), not {show(verdict)}"
        )
    return None if verdict is UNRESOLVED else verdict is FAIL


def _choose_dtype(pipeline: Pipeline) -> Any:
    """Return the smallest integer type that holds every place."""
    return np.min_scalar_type(max(1, int(pipeline.sizes.max()) - 1))
