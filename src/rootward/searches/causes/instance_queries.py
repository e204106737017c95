"""What the paper's searches share: asking for instances, and what the answers amount to so far.

A hypothesis is a *box*: for some parameters, which of their values it allows. One place decides what may be asked for
(never what is known, nor what the constraints forbid) and what evidence a hypothesis has.
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
COUNTED = 10_000
"""Boxes with no more instances are counted one by one where constraints forbid some."""


class Inquiry:
    """One search for causes: what it knows, its randomness, and its hypotheses so far."""

    def __init__(
        self,
        pipeline: Pipeline,
        runs: Runs,
        *,
        goal: str = "all",
        seed: int = 0,
        say: Callable[[Pipeline, Box], Conjunction] | None = None,
    ) -> None:
        """``say``: how a box is said; with the paper's comparators unless given."""
        if goal not in ("one", "all"):
            raise InputError(f"goal = {goal!r}: expected 'one' or 'all'")
        self.pipeline, self.goal, self._say = pipeline, goal, say or conjunction
        self.runs, self.history = runs.copy(), runs
        self.known = len(runs)
        """So many of the runs are the history's; what comes after them, this search has run."""
        self.unjudged: set[Instance] = set()
        self.rng = np.random.default_rng(seed)
        self.causes: Sequence[Box] = ()
        self.sure: Sequence[float] | None = None
        """How likely each of them is, for a search that can tell."""
        self.guarantee: Fact | None = None
        """What is known about causes that were not found."""
        self.notes = runs.notes
        self.finer: dict[Conjunction, Conjunction] = {}
        """Causes whose bounds were found more exactly than the universe can say them, and ..."""
        self.crossed: dict[tuple[Conjunction, int], Configuration] = {}
        """... the passing runs just beyond these bounds, by parameter."""
        self._sizes: dict[Conjunction, int] = {}

    # Asking

    def open(self, instance: Instance) -> bool:
        """Whether it may be run and is not known."""
        return instance not in self.runs and instance not in self.unjudged and self.pipeline.allows(instance)

    def failed(
        self, instances: Iterable[Instance], note: str, ahead: Iterable[Instance] = ()
    ) -> Generator[Asking, Answers, list[bool | None]]:
        """Whether each fails; None where nobody can tell: it must not be run, or could not be judged.

        ``ahead``: what may be asked next.
        """
        wanted = list(instances)
        if new := [one for one in dict.fromkeys(wanted) if self.open(one)]:
            made = [self.pipeline.configuration(one) for one in new]
            hints = [self.pipeline.configuration(one) for one in ahead if self.open(one)]
            answers = yield Ask(made, best=self.best, note=note, ahead=hints)
            for one, outcome in zip(new, answers, strict=True):
                if (fails := has_failed(outcome)) is None:
                    self.unjudged.add(one)
                else:
                    self.runs.add(one, fails)
        return [self.runs.failed(one) for one in wanted]

    # Evidence

    def inside(self, box: Box) -> NDArray[np.bool_]:
        """Which runs fulfil it."""
        held = np.ones(len(self.runs), dtype=bool)
        for i, allowed in box.items():
            held &= allowed[self.runs.codes[:, i]]
        return held

    def refuted(self, box: Box) -> bool:
        """Whether a passing run fulfils it."""
        return bool((self.inside(box) & (self.runs.fails == 0)).any())

    def size(self, box: Box) -> int:
        """How many instances fulfil it, forbidden ones included."""
        return math.prod(int(box[i].sum()) if i in box else int(size) for i, size in enumerate(self.pipeline.sizes))

    def said(self, box: Box) -> Conjunction:
        """What a hypothesis says."""
        said = self._say(self.pipeline, box)
        return self.finer.get(said, said)

    def cause(self, box: Box, sure: float | None = None) -> Cause:
        """The hypothesis with its evidence."""
        said = self._say(self.pipeline, box)
        failing = self.inside(box) & (self.runs.fails > 0)
        return Cause(
            self.finer.get(said, said),
            support=int(failing.sum()),
            attempts=int(failing[self.known :].sum()),
            size=0 if said in self.finer else self._allowed(said, box),
            confidence=None if sure is None else min(sure, (int(failing.sum()) + 1) / (int(failing.sum()) + 2)),
            passed=int((self.inside(box) & (self.runs.fails == 0)).sum()),
            text="" if said in self.finer else self.pipeline.text(box),
            needed=tuple((self.pipeline.names[i], one) for i in sorted(box) for one in self._contrast(said, box, i)),
        )

    def _allowed(self, said: Conjunction, box: Box) -> int:
        if said not in self._sizes:
            size = self.size(box)
            exact = self.pipeline.never is not None and size <= COUNTED
            self._sizes[said] = self.runs.instances(said) if exact else size
        return self._sizes[said]

    def _contrast(self, said: Conjunction, box: Box, parameter: int) -> list[Configuration]:
        """A passing run that fulfils all but what is said of one parameter, if there is one: near to its values."""
        if (known := self.crossed.get((said, parameter))) is not None:
            return [known]
        rest = {i: allowed for i, allowed in box.items() if i != parameter}
        rows = np.flatnonzero(self.inside(rest) & (self.runs.fails == 0))
        if not len(rows):
            return []
        places, allowed = self.runs.codes[rows, parameter].astype(np.int64), np.flatnonzero(box[parameter])
        apart = np.abs(places[:, None] - allowed).min(axis=1) if self.pipeline.ordered[parameter] else 0 * places
        values = self.pipeline.values[parameter]
        near = int(np.argmin(apart + [len(values) * is_nan(values[place]) for place in places]))  # NaN is near nothing
        return [self.pipeline.configuration(self.runs.codes[rows[near]])]

    @property
    def best(self) -> Causes:
        """The answer so far."""
        sure = self.sure if self.sure is not None else repeat(None)
        details = sorted(map(self.cause, self.causes, sure), key=_most_first)
        explained = np.zeros(len(self.runs), dtype=bool)
        for box in self.causes:
            explained |= self.inside(box)
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
            tested=len(self.runs) > self.known or not self.unjudged,
            history=self.history,
        )


def at_least_one(name: str, value: object, what: str) -> None:
    """InputError unless an option is a number of what it counts."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name} = {value!r}: expected how many {what}, 1 or more")


def conjunction(pipeline: Pipeline, box: Box) -> Conjunction:
    """What a box says, with the paper's comparators: ``=``, ``!=``, ``<`` and ``>=``."""
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


def box_of(pipeline: Pipeline, said: Conjunction) -> Box:
    """The values of the universe that a conjunction allows."""
    box = {}
    for name in said.fields:
        i = pipeline.names.index(name)
        own = [atom for atom in said if atom.field == name]
        box[i] = np.array([all(atom.accepts(value) for atom in own) for value in pipeline.values[i]], dtype=bool)
    return box


def simplified(pipeline: Pipeline, boxes: Sequence[Box]) -> list[Box]:
    """The explanation simplification of section 7: fewer or shorter boxes that hold for the same configurations.

    Between the smallest and the largest number that a parameter was seen with, that is: the others are not spoken of.
    """
    rule = Rule(conjunction(pipeline, box) for box in boxes)
    if not rule.fields:
        return list(boxes)
    shorter = rule.simplify(Space({name: _spanned(pipeline, name) for name in rule.fields}))
    if sum(term.size for term in shorter.terms) > len(boxes):
        return list(boxes)  # a set of values that no comparison says became several causes
    return [box_of(pipeline, said) for said in shorter.conjunctions]


def _spanned(pipeline: Pipeline, name: str) -> Field:
    field, values = pipeline.space[name], pipeline.values[pipeline.names.index(name)]
    if isinstance(field, Float) and len(values) > 1 and all(map(math.isfinite, values)):
        return Float(values[0], values[-1], bits=field.bits)
    return field


def _most_first(cause: Cause) -> tuple[Any, ...]:
    return -cause.support, len(cause.conjunction), cause.conjunction.order
