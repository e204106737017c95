"""Ours: believe in rules, run what tells them apart, challenge what is believed, look for what was not seen.

The ideas live in the parts: `beliefs` (what may be true, and how likely), `questions` (which run tells most),
`challenges` (runs that would show a cause to be wrong), `exploration` (runs that would show another one), `splitting`
(which of very many parameters may matter), `thresholds` (numbers between those that were seen) and `design` (runs that
rule out every other cause of a few settings).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.candidate import Configuration
from rootward.errors import InputError
from rootward.search import Answers, Ask, Search
from rootward.searches.causes.beliefs import Beliefs, Codes
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.challenges import challenges
from rootward.searches.causes.design import covering, forbidden
from rootward.searches.causes.exploration import Unseen
from rootward.searches.causes.inquiry import Asking, Inquiry
from rootward.searches.causes.options import options
from rootward.searches.causes.pipeline import Instance, Pipeline
from rootward.searches.causes.questions import information, proposals, ranked, steps
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.splitting import needed, opposite
from rootward.searches.causes.thresholds import refined
from rootward.verdict import FAIL, PASS, UNRESOLVED, Verdict

MANY = 64
"""With more parameters than this, those that matter are found by splitting first."""
SETTLED = 0.94
"""A rule, or a cause, that is so likely is challenged."""
TELLING = 0.01
"""Runs that tell less, in bits, are not worth it."""
SLOTS, MOST_SLOTS = 4, 16
"""Conjunctions that a rule may have at first; more if they do not explain what failed."""
CHALLENGES, DOUBTFUL, HIDDEN = 3, 8, 24
"""Runs that challenge a cause: more if most runs fail or other causes are at work, many if both hide what passes."""
QUIET, QUIETER = 14, 6
"""Runs in a row that find nothing new, and so many more for each cause that is known, end the search for others."""
FIRST = 100
"""If nothing is known to fail, so many runs look for a failure."""
AHEAD = 7
"""Runs that workers with nothing else to do may begin."""
NEARLY = 0.85
"""What was begun ahead is preferred if it tells nearly as much as the best."""

Yes = Generator[Asking, Answers, bool]
Slot = NDArray[np.int16]


def bayes(
    pipeline: Pipeline,
    runs: Runs,
    *,
    goal: str = "all",
    seed: int = 0,
    certify: int | None = None,
    beyond: bool = False,
) -> Search[Configuration, Causes]:
    """The causes that explain the failing runs and, unless one is enough, those that looking for others finds.

    ``certify``: look on until every combination of so many settings outside of the causes was run. ``beyond``: bisect
    the bounds of numbers between the values of the universe.
    """
    if certify is not None and goal == "one":
        raise InputError("certify rules out other causes, so it goes with the goal 'all'")
    diagnosis = _Diagnosis(pipeline, runs, goal, seed)
    yield from diagnosis.search(certify)
    if beyond:
        return (yield from refined(diagnosis.inquiry))
    return diagnosis.inquiry.best


class _Diagnosis:
    """What is known, believed and still to be done."""

    def __init__(self, pipeline: Pipeline, runs: Runs, goal: str, seed: int) -> None:
        self.pipeline, self.goal, self.seed = pipeline, goal, seed
        self.inquiry = Inquiry(pipeline, runs, goal=goal, seed=seed, say=Pipeline.conjunction)
        self.rng = np.random.default_rng([seed, 1])
        self.options = options(pipeline)
        self.few = len(pipeline) <= MANY
        self.columns = self._named(np.flatnonzero(pipeline.sizes > 1) if self.few else [])
        """The parameters that a cause may name."""
        self.beliefs = self._believer(SLOTS)
        self.unseen = Unseen(self.options if self.few else (), pipeline.sizes, [seed, 3])
        self.split = False
        """Whether the parameters that matter were looked for."""
        self.challenged: set[bytes] = set()
        self.hinted: list[Instance] = []
        """What was begun ahead."""

    def _named(self, found: Iterable[int]) -> NDArray[np.int64]:
        return np.array(sorted(found) or [0], dtype=np.int64)  # a cause needs something to say nothing about

    @property
    def runs(self) -> Runs:
        return self.inquiry.runs

    def search(self, certify: int | None) -> Generator[Asking, Answers, None]:
        if not self.runs.fails.any() and not (yield from self._first()):
            self.inquiry.notes += ("No run is known to fail, so there is nothing to explain.",)
            return
        while True:
            yield from self._settle()
            if (yield from self._challenge()):
                continue
            if self.goal == "one":
                return
            if (yield from self._explore()):
                continue
            if certify is None or not (yield from self._certify(certify)):
                return

    # Believing

    def _believer(self, slots: int) -> Beliefs:
        return Beliefs(self.options, self.columns, slots, [self.seed, 2, slots, len(self.columns)])

    def _believe(self) -> Generator[Asking, Answers, None]:
        """Believe what the runs say, with more parameters or more conjunctions if they say more."""
        while True:
            runs = self.runs
            self.beliefs.update(runs.codes.astype(np.int64), runs.fails, runs.passes)
            if self.beliefs.fit > -1:
                break
            if (yield from self._widen()):
                self.beliefs = self._believer(self.beliefs.slots)
            elif self.beliefs.slots < MOST_SLOTS:
                self.beliefs = self._believer(self.beliefs.slots + 2)
            else:
                break
        self.inquiry.causes = [self.beliefs.box(slot) for slot in self._slots()]
        self.inquiry.sure = [min(1.0, self.beliefs.conjunctions()[slot.tobytes()]) for slot in self._slots()]

    def _widen(self) -> Yes:
        """Find parameters that tell a failing from a passing run where those believed to matter do not."""
        if self.few:
            return False
        pair = self._alike()
        if pair is None:
            return False
        found = yield from needed(self.inquiry, *pair)
        self.columns = self._named({*self.columns.tolist(), *found})
        return bool(found)

    def _alike(self) -> tuple[Instance, Instance] | None:
        """A failing and a passing run that agree in all parameters that are believed to matter, and in many others."""
        codes, failed = self.runs.codes, self.runs.fails > 0
        bad, good = codes[failed], codes[~failed]
        best: tuple[int, Instance, Instance] | None = None
        for one in bad:
            same = good[(good[:, self.columns] == one[self.columns]).all(axis=1)]
            if len(same):
                apart = (same != one).sum(axis=1)
                at = int(np.argmin(apart))
                if best is None or apart[at] < best[0]:
                    best = int(apart[at]), _instance(one), _instance(same[at])
        return None if best is None else best[1:]

    def _slots(self) -> list[Slot]:
        """The conjunctions of the likeliest rule, or the likeliest conjunction of all."""
        if self.goal == "one":
            found = self.beliefs.conjunctions()
            return [np.frombuffer(max(found, key=lambda key: (found[key], key)), np.int16)] if found else []
        best = self.beliefs.rules[0]
        return list(best[best[:, 0] >= 0])

    def _groups(self) -> tuple[NDArray[np.int64], float]:
        """Which rules give the same answer, and how likely the likeliest answer is."""
        beliefs, slots = self.beliefs, self._slots()
        if self.goal == "all" or not slots:
            return np.arange(len(beliefs.rules)), float(beliefs.chances[0])
        [slot] = slots
        failing = self._known(True)
        inside = np.flatnonzero(beliefs.covers(failing, slot[None, None])[0, 0])
        covering_ = beliefs.covers(failing[inside[:1]])[:, :, 0]
        numbers: dict[bytes, int] = {slot.tobytes(): 0}
        groups = []
        for rule, which in zip(beliefs.rules, covering_, strict=True):
            own = [rule[m].tobytes() for m in np.flatnonzero(which)]
            key = slot.tobytes() if slot.tobytes() in own else min(own, default=b"")
            groups.append(numbers.setdefault(key, len(numbers)))
        found = np.array(groups)
        return found, float(beliefs.chances[found == 0].sum())

    def _known(self, failed: bool) -> Codes:
        """The runs that failed, or those that did not."""
        return np.asarray(self.runs.codes[(self.runs.fails > 0) == failed], dtype=np.int64)

    def _codes(self, instances: Sequence[Instance]) -> Codes:
        return np.array(instances, dtype=np.int64).reshape(len(instances), len(self.pipeline))

    # Asking

    def _first(self) -> Yes:
        """Look for a failing run."""
        tests = self.unseen.instances([], self.runs, self._usable, FIRST)
        return (yield from self._ask(tests, FAIL, "looking for a run that fails"))

    def _settle(self) -> Generator[Asking, Answers, None]:
        """Run what tells most, until one answer is likely or nothing tells."""
        if not self.few and not self.split:
            yield from self._split()
        while True:
            yield from self._believe()
            groups, chance = self._groups()
            if chance >= SETTLED:
                return
            if not (questions := self._questions(groups)):
                self.inquiry.sure = [1 - self._open() for _ in self.inquiry.causes]  # the rest says the same otherwise
                return
            self.hinted = questions[1:]
            yield from self._ask(questions[:1], None, f"{chance:.0%} sure", ahead=questions[1:])

    def _open(self) -> float:
        """How likely rules are that differ from the best one in what they say of instances that can still be run."""
        failing, passing = self._known(True), self._known(False)
        codes = proposals(self.beliefs, self.pipeline.sizes, failing, passing, self.rng)
        codes = codes[[self._usable(row) for row in codes]]
        fails: NDArray[np.bool_] = np.asarray(self.beliefs.covers(codes).any(axis=1))
        return float(self.beliefs.chances @ (fails ^ fails[:1]).any(axis=1))

    def _split(self) -> Generator[Asking, Answers, None]:
        """Find the first parameters that matter."""
        self.split = True
        failing = _instance(self._known(True)[0])
        passing = yield from opposite(self.inquiry, failing)
        found = (yield from needed(self.inquiry, failing, passing)) if passing is not None else []
        self.columns = self._named(found)
        self.beliefs = self._believer(SLOTS)

    def _questions(self, groups: NDArray[np.int64]) -> list[Instance]:
        """The run that tells most for its price, and a few that would be next; none if nothing tells."""
        failing, passing = self._known(True), self._known(False)
        sizes, unseen = self.pipeline.sizes, 1 / (2 + len(passing))
        codes = proposals(self.beliefs, sizes, failing, passing, self.rng)
        codes = np.concatenate([self._codes([one for one in self.hinted if self.inquiry.open(one)]), codes])
        scores = self._worth(codes, information(self.beliefs, codes, groups, unseen))
        first = list(ranked(scores, codes, self._usable, 1 + AHEAD))
        if not first:
            return []
        near = steps(codes[first[0]], self.columns, sizes)
        closer = self._worth(near, information(self.beliefs, near, groups, unseen))
        better = [i for i in ranked(closer, near, self._usable, 1) if closer[i] > scores[first[0]]]
        top = closer[better[0]] if better else scores[first[0]]
        if top < TELLING:
            return []
        kept = [i for i in first if i < len(self.hinted) and scores[i] >= NEARLY * top]
        best = codes[kept[0]] if kept else near[better[0]] if better else codes[first[0]]
        return list(dict.fromkeys([_instance(best), *(_instance(codes[i]) for i in first if scores[i] >= TELLING)]))

    def _worth(self, codes: Codes, bits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bits for the price of a run."""
        if self.pipeline.cost is None:
            return bits
        prices = np.array([self.pipeline.price(row) for row in codes])
        return np.asarray(bits * np.median(prices) / np.maximum(prices, 1e-9))

    def _usable(self, row: NDArray[np.int64]) -> bool:
        return self.inquiry.open(_instance(row))

    def _challenge(self) -> Yes:
        """Run what would refute the causes; whether something did."""
        slots = self._slots()
        for slot in slots:
            key = slot.tobytes()
            if key in self.challenged:
                continue
            tests = challenges(self.beliefs, slot, slots, self.runs, self._usable, self._doubts(slot), self.rng)
            if (yield from self._ask(tests, PASS, "challenging a cause")):
                return True
            self.challenged.add(key)
        return False

    def _doubts(self, slot: Slot) -> int:
        """How many runs are to challenge a cause."""
        box, failed = self.beliefs.box(slot), self.runs.fails > 0
        others = bool((failed & ~self.inquiry.inside(box)).any())
        if not box or (others and failed.mean() > 0.75):
            return HIDDEN
        return DOUBTFUL if others or failed.mean() > 0.5 else CHALLENGES

    def _explore(self) -> Yes:
        """Run what may fail for another cause; whether something did."""
        boxes = list(self.inquiry.causes)
        if any(not box for box in boxes):
            return False  # everything fails
        tests = self.unseen.instances(boxes, self.runs, self._usable, QUIET + QUIETER * len(boxes))
        if (yield from self._ask(tests, FAIL, "looking for other causes")):
            return True
        count = sum(self.runs.failed(one) is False for one in tests)
        self.inquiry.guarantee = (
            f"Then {count} runs outside of {'it' if len(boxes) == 1 else 'them'}, as different as can be, all passed: "
            f"what else may fail is likely less than {min(1.0, 3 / count):.0%} of the rest."
            if count
            else "Nothing else can be run."
        )
        return False

    def _certify(self, strength: int) -> Yes:
        """Run every combination of so many settings outside of the causes; whether something failed."""
        boxes = [*forbidden(self.pipeline), *self.inquiry.causes]
        known = [one for one in self.runs.passing if self.pipeline.allows(one)]
        tests = covering(self.pipeline.sizes, strength, forbidden=boxes, known=known, rng=self.rng)
        tests = [one for one in tests if self.inquiry.open(one)]
        if (yield from self._ask(tests, FAIL, f"every combination of {strength} settings")):
            return True
        self.inquiry.guarantee = (
            f"Every combination of {strength} settings that is possible outside of these was run and passed "
            f"({len(tests)} runs for that): no other cause of up to {strength} settings exists."
        )
        return False

    def _ask(self, tests: Sequence[Instance], until: Verdict | None, note: str, ahead: Sequence[Instance] = ()) -> Yes:
        """Run them; whether one of them had the verdict looked for."""
        if not tests:
            return False
        made = [self.pipeline.configuration(one) for one in tests]
        hints = [self.pipeline.configuration(one) for one in ahead]
        answers = yield Ask(made, until=until, best=self.inquiry.best, note=note, ahead=hints)
        found = False
        for one, outcome in zip(tests, answers, strict=True):
            if outcome is not None and outcome.verdict is not UNRESOLVED:
                failed = outcome.verdict is FAIL
                self.runs.add(one, failed)
                found |= until is not None and failed == (until is FAIL)
            elif outcome is not None:
                self.inquiry.unjudged.add(one)
        return found


def _instance(row: NDArray[np.int64]) -> Instance:
    return tuple(map(int, row))
