"""Instance queries: how a search for causes asks for runs, and how it turns them into a finding.

A hypothesis is a *box*: for some parameters, the values that it allows. It claims that every instance inside fails. So
a passing run inside refutes it, and a failing one supports it. ``InstanceQueries`` is the state that all methods share:

- *Runs.* It holds the known runs and asks for new ones. Known instances and those that the constraints forbid are never
  asked for, so a method may ask for anything and only pays for what is new. Instances that could not be judged are
  remembered and not asked for again.
- *Causes.* A method writes its hypotheses so far into ``causes`` whenever they change.
- *The answer so far.* ``best`` turns these boxes into a finding, with the evidence for each: its support, its new runs,
  and for each parameter a passing run that shows that the parameter is needed. Every question carries it, so a search
  can be stopped at any time.

To write another method, create an ``InstanceQueries``, set ``causes`` before each question, and return ``best``: see
`shortcut` for the shortest example. ``InstanceQueries`` never ends a search; when to stop is up to the method.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.rules import Atom, Conjunction, Rule
from rootward.rules.constants import is_nan
from rootward.search.ask import Answers, Ask, has_failed
from rootward.search.design import Box, Instance
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.facts import Unjudged
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.candidate import Configuration
from rootward.space.space import Field, Float, Space

Asking = Ask[Configuration]
MAX_COUNTED = 10_000
"""Maximum size of a box whose instances are counted one by one if constraints forbid some."""


class InstanceQueries:
    """The state of a search for causes: the known runs, the random generator, and the hypotheses so far."""

    def __init__(
        self,
        pipeline: Pipeline,
        runs: Runs,
        *,
        goal: str = "all",
        seed: int = 0,
        say: Callable[[Pipeline, Box], Conjunction] | None = None,
    ) -> None:
        """``say``: turns a box into a conjunction. By default, the comparators of the paper are used."""
        if goal not in ("one", "all"):
            raise InputError(f"goal = {goal!r}: expected 'one' or 'all'")
        self.pipeline, self.goal, self._say = pipeline, goal, say or conjunction
        self.runs, self.history = runs.copy(), runs
        self.history_count = len(runs)
        """Number of runs of the history. Runs after these were made by this search."""
        self.unjudged: set[Instance] = set()
        self.rng = np.random.default_rng(seed)
        self.causes: Sequence[Box] = ()
        self.chances: Sequence[float] | None = None
        """The chance of each cause, for a method that can tell."""
        self.guarantee: Fact | None = None
        """Fact about causes that were not found."""
        self.notes = runs.notes
        self.finer_causes: dict[Conjunction, Conjunction] = {}
        """For each original cause with refined bounds, the cause with these bounds, which need not be values of the
        universe."""
        self.runs_beyond: dict[tuple[Conjunction, int], Configuration] = {}
        """The passing runs just beyond the finer bounds, by the original cause and the parameter."""
        self._sizes: dict[Conjunction, int] = {}

    # Asking

    def is_open(self, instance: Instance) -> bool:
        """Return True if the instance is not known and may be run."""
        return instance not in self.runs and instance not in self.unjudged and self.pipeline.allows(instance)

    def ask(
        self, instances: Iterable[Instance], note: str, ahead: Iterable[Instance] = ()
    ) -> Generator[Asking, Answers, list[bool | None]]:
        """Run the instances and return for each True if it fails and False if it passes.

        The result is None for an instance that must not be run or could not be judged. ``ahead``: instances that may be
        asked for next.
        """
        wanted = list(instances)
        if new := [one for one in dict.fromkeys(wanted) if self.is_open(one)]:
            made = [self.pipeline.configuration(one) for one in new]
            hints = [self.pipeline.configuration(one) for one in ahead if self.is_open(one)]
            answers = yield Ask(made, best=self.best, note=note, ahead=hints)
            for one, outcome in zip(new, answers, strict=True):
                if (fails := has_failed(outcome)) is None:
                    self.unjudged.add(one)
                else:
                    self.runs.add(one, fails)
        return [self.runs.has_failed(one) for one in wanted]

    # Evidence

    def runs_inside(self, box: Box) -> NDArray[np.bool_]:
        """Return, for each run, whether it fulfils the box."""
        held = np.ones(len(self.runs), dtype=bool)
        for i, allowed in box.items():
            held &= allowed[self.runs.codes[:, i]]
        return held

    def is_refuted(self, box: Box) -> bool:
        """Return True if a passing run fulfils the box."""
        return bool((self.runs_inside(box) & (self.runs.fails == 0)).any())

    def size(self, box: Box) -> int:
        """Return the number of instances in the box, including forbidden ones."""
        return math.prod(int(box[i].sum()) if i in box else int(size) for i, size in enumerate(self.pipeline.sizes))

    def to_conjunction(self, box: Box) -> Conjunction:
        """Return a hypothesis as a conjunction. Uses the finer bounds if they were found."""
        original = self._say(self.pipeline, box)
        return self.finer_causes.get(original, original)

    def cause(self, box: Box, sure: float | None = None) -> Cause:
        """Return the hypothesis with its evidence."""
        original = self._say(self.pipeline, box)
        failing = self.runs_inside(box) & (self.runs.fails > 0)
        return Cause(
            self.finer_causes.get(original, original),
            support=int(failing.sum()),
            attempts=int(failing[self.history_count :].sum()),
            size=0 if original in self.finer_causes else self._count_allowed(original, box),
            confidence=None if sure is None else min(sure, (int(failing.sum()) + 1) / (int(failing.sum()) + 2)),
            passed=int((self.runs_inside(box) & (self.runs.fails == 0)).sum()),
            text="" if original in self.finer_causes else self.pipeline.text(box),
            needed=tuple(
                (self.pipeline.names[i], one) for i in sorted(box) for one in self._find_contrast(original, box, i)
            ),
        )

    def _count_allowed(self, original: Conjunction, box: Box) -> int:
        if original not in self._sizes:
            size = self.size(box)
            exact = self.pipeline.never is not None and size <= MAX_COUNTED
            self._sizes[original] = self.runs.count_instances(original) if exact else size
        return self._sizes[original]

    def _find_contrast(self, original: Conjunction, box: Box, parameter: int) -> list[Configuration]:
        """Return a passing run that fulfils all conditions on other parameters than this one.

        The list is empty if there is none. Of several, return the run whose value of this parameter is closest to the
        allowed values.
        """
        if (known := self.runs_beyond.get((original, parameter))) is not None:
            return [known]
        rest = {i: allowed for i, allowed in box.items() if i != parameter}
        rows = np.flatnonzero(self.runs_inside(rest) & (self.runs.fails == 0))
        if not len(rows):
            return []
        places, allowed = self.runs.codes[rows, parameter].astype(np.int64), np.flatnonzero(box[parameter])
        apart = np.abs(places[:, None] - allowed).min(axis=1) if self.pipeline.ordered[parameter] else 0 * places
        values = self.pipeline.values[parameter]
        near = int(np.argmin(apart + [len(values) * is_nan(values[place]) for place in places]))  # NaN is farthest
        return [self.pipeline.configuration(self.runs.codes[rows[near]])]

    @property
    def best(self) -> Causes:
        """The finding so far."""
        sure = self.chances if self.chances is not None else repeat(None)
        details = sorted(map(self.cause, self.causes, sure), key=_sort_key)
        explained = np.zeros(len(self.runs), dtype=bool)
        for box in self.causes:
            explained |= self.runs_inside(box)
        failing = self.runs.fails > 0
        return Causes(
            details=tuple(details),
            goal=self.goal,
            of=len(self.pipeline),
            failing=int(failing.sum()),
            unexplained=int((failing & ~explained).sum()),
            passing=int((~failing).sum()),
            guarantee=() if self.guarantee is None else (self.guarantee,),
            notes=(*self.notes, *([Unjudged(len(self.unjudged))] if self.unjudged else [])),
            tested=len(self.runs) > self.history_count or not self.unjudged,
            history=self.history,
        )


def check_positive(name: str, value: object, what: str) -> None:
    """Raise InputError unless the option ``name`` is a number of at least 1.

    ``what``: the things that the option counts, for the error message.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name} = {value!r}: expected the number of {what}, at least 1")


def conjunction(pipeline: Pipeline, box: Box) -> Conjunction:
    """Return a box as a conjunction, with the comparators of the paper: ``=``, ``!=``, ``<`` and ``>=``."""
    atoms = []
    for i, allowed in sorted(box.items()):
        name, values, above = pipeline.names[i], pipeline.values[i], int(np.flatnonzero(allowed)[-1]) + 1
        own = pipeline.atoms(i, allowed)
        if len(own) == 1 and own[0].op != "=" and np.count_nonzero(~allowed) == 1:
            own = [Atom(name, "!=", values[int(np.flatnonzero(~allowed)[0])])]
        for atom in own:
            below = atom.op == "<=" and not is_nan(values[above])
            atoms.append(Atom(name, "<", values[above]) if below else atom)
    return Conjunction(atoms)


def box_of(pipeline: Pipeline, cause: Conjunction) -> Box:
    """Return the values of the universe that a conjunction allows."""
    box = {}
    for name in cause.fields:
        i = pipeline.names.index(name)
        own = [atom for atom in cause if atom.field == name]
        box[i] = np.array([all(atom.accepts(value) for atom in own) for value in pipeline.values[i]], dtype=bool)
    return box


def simplify_boxes(pipeline: Pipeline, boxes: Sequence[Box]) -> list[Box]:
    """Simplify an explanation as in section 7 of BugDoc.

    The result covers the same configurations with fewer or shorter boxes. For a float, only values between the smallest
    and the largest one in the universe are considered.
    """
    rule = Rule(conjunction(pipeline, box) for box in boxes)
    if not rule.fields:
        return list(boxes)
    shorter = rule.simplify(Space({name: _limit_range(pipeline, name) for name in rule.fields}))
    if sum(term.size for term in shorter.terms) > len(boxes):
        return list(boxes)  # a set of values that no single comparison expresses became several causes
    return [box_of(pipeline, cause) for cause in shorter.conjunctions]


def _limit_range(pipeline: Pipeline, name: str) -> Field:
    field, values = pipeline.space[name], pipeline.values[pipeline.names.index(name)]
    if isinstance(field, Float) and len(values) > 1 and all(map(math.isfinite, values)):
        return Float(values[0], values[-1], bits=field.bits)
    return field


def _sort_key(cause: Cause) -> tuple[Any, ...]:
    return -cause.support, len(cause.conjunction), cause.conjunction.order
