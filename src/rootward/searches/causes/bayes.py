"""``bayes``, the default search for causes: weigh rules, ask what tells them apart, then try to refute the answer.

The search believes in a set of rules, each with its chance given all known runs (`beliefs`, `opinion`). It works in
phases, and a run that contradicts the answer sends it back to the second one:

1. Find a failing run, if none is known.
2. Settle: run the instance that is expected to tell most (`questions`), update the beliefs, and repeat until one answer
   is likely or no instance tells anything. If there are very many parameters, `splitting` first finds some that matter.
3. Challenge each cause of the answer with runs that should fail. A pass refutes it.
4. Settle again with a higher threshold, if there were only few runs, and narrow the bounds of parameters with very many
   values.
5. Explore: run instances outside of all causes. A failure reveals another cause.
6. With ``certify``, run every combination of a few settings outside of the causes (a covering array, `search.design`).

The search ends when the phases that the goal needs pass without a surprise, when even the largest rules do not explain
the runs, or when too many runs in a row cannot be judged. With ``beyond``, `thresholds` then bisects
the bounds of numbers between the values that were run.

To add a phase, write a method that asks and returns True if its runs contradicted the answer, and give it its turn in
``search``. What the beliefs can express is decided in `options` and `beliefs`.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.search.ask import Answers, Ask, Search
from rootward.search.design import Constraints, Instance, covering_array
from rootward.search.design.constraints import FREE
from rootward.searches.causes.beliefs import Codes, Slot
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.facts import Certified, GivenUp, PassedOutside, Remark, Rest
from rootward.searches.causes.history import RerunCheck
from rootward.searches.causes.instance_queries import Asking, InstanceQueries, check_positive
from rootward.searches.causes.opinion import Opinion
from rootward.searches.causes.pipeline import Pipeline, instance_of
from rootward.searches.causes.questions import (
    UnseenCauses,
    challenges,
    expected_information,
    one_step_neighbours,
    proposals,
    rank_usable,
)
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.splitting import find_informative_parameters, find_opposite, isolate_parameters
from rootward.searches.causes.thresholds import find_gaps, refine_bounds
from rootward.searches.causes.tuning import TUNING
from rootward.space.candidate import Configuration
from rootward.verdict import FAIL, PASS, UNRESOLVED, Verdict

Yes = Generator[Asking, Answers, bool]


def bayes(
    pipeline: Pipeline,
    runs: Runs,
    *,
    goal: str = "all",
    seed: int = 0,
    certify: int | None = None,
    beyond: bool = False,
    rate: float = 1.0,
) -> Search[Configuration, Causes]:
    """Find the causes of the known failing runs.

    With the goal "all", also explore, and find the causes of other failures.

    ``certify``: go on until every combination of this many settings outside of the causes was run. ``beyond``: bisect
    the bounds of numbers between the values of the universe. ``rate``: how often a run that a cause covers fails.
    """
    if certify is not None:
        check_positive("certify", certify, "settings to combine")
        if goal == "one":
            raise InputError("certify rules out other causes, so it needs the goal 'all', not 'one'")
    search = _CauseSearch(pipeline, runs, goal, seed, rate)
    yield from search.search(certify)
    if beyond:
        return (yield from refine_bounds(search.queries))
    return search.queries.best


class _CauseSearch:
    """The state of one search: the known runs, the beliefs about the causes, and the steps done so far."""

    def __init__(self, pipeline: Pipeline, runs: Runs, goal: str, seed: int, rate: float) -> None:
        self.pipeline, self.goal, self.seed, self.rate = pipeline, goal, seed, rate
        self.queries = InstanceQueries(pipeline, runs, goal=goal, seed=seed, say=Pipeline.conjunction)
        self.rng = np.random.default_rng([seed, 1])
        self.has_few_parameters = len(pipeline) <= TUNING.max_parameters
        self.opinion = Opinion(
            self.queries, np.flatnonzero(pipeline.sizes > 1) if self.has_few_parameters else [], seed, rate
        )
        self.unseen = UnseenCauses(self.opinion.options if self.has_few_parameters else (), pipeline.sizes, [seed, 3])
        self.stuck = False
        """True if the search cannot go on."""
        self.unjudged = 0
        """Number of runs in a row that could not be judged."""
        self.trust = RerunCheck(self.queries, rate)
        self.is_split = False
        """True once `splitting` has looked for the parameters that matter."""
        self.challenged: set[bytes] = set()
        self.offered_ahead: list[Instance] = []
        """Instances that were offered to idle workers and may have been started."""

    @property
    def runs(self) -> Runs:
        return self.queries.runs

    def search(self, certify: int | None) -> Generator[Asking, Answers, None]:
        limits = Constraints(self.pipeline.sizes.tolist(), self.pipeline.forbidden)
        if limits and not limits.allow([FREE] * len(self.pipeline)):
            self.queries.notes += (Remark.ALL_FORBIDDEN,)
        if self.pipeline.combinations == 1:
            self.queries.notes += (Remark.SINGLE_VALUES,)
        if not self.runs.fails.any() and not (yield from self._find_failure()):
            self.queries.notes += (Remark.NO_FAILURE,)
            return
        while True:
            yield from self._settle(TUNING.likely_chance)
            if self.stuck:
                return
            if (yield from self._challenge()):
                continue
            if len(self.runs) - self.queries.history_count < TUNING.min_runs_to_settle:
                yield from self._settle(TUNING.settled_chance)
            if (yield from self._narrow()) or any(
                slot.tobytes() not in self.challenged for slot in self.opinion.slots()
            ):
                continue
            yield from self.trust.still_fails()
            if self.goal == "one" or self.stuck:
                return
            if (yield from self._explore()):
                continue
            if certify is None or not (yield from self._certify(certify)):
                return

    # Believing

    def _believe(self) -> Generator[Asking, Answers, None]:
        """Update the beliefs until the best rule explains the runs.

        While it does not, allow more values, parameters or conjunctions. If nothing more can be allowed, add a note.
        """
        while True:
            self.opinion.update()
            if self.opinion.fits:
                break
            slots = self.opinion.beliefs.slots
            if self.opinion.recut_blocks() or (yield from self._widen()):
                self.opinion.restart(slots)
            elif not self.opinion.is_full and (yield from self.trust.still_passes()):
                self.opinion.restart(slots + 2)
            else:
                self._note_misfit()
                break
        self.opinion.publish(self.opinion.beliefs.conjunctions())

    def _note_misfit(self) -> None:
        """Note that the best rule does not explain the runs, and stop."""
        note = Remark.PASS_FAILS_NOW if self.trust.changed else Remark.NOT_EXPLAINED
        self.stuck = True
        if note not in self.queries.notes:
            self.queries.notes += (note,)

    def _widen(self) -> Yes:
        """Look for further parameters that matter, and add them to the believed ones.

        Takes a failing and a passing run that agree in all believed parameters, and isolates the parameters that make
        the difference. Returns True if any were found.
        """
        if self.has_few_parameters:
            return False
        pair = self.opinion.find_conflicting_pair()
        if pair is None:
            return False
        found = yield from isolate_parameters(self.queries, *pair)
        self.opinion.set_columns({*self.opinion.columns.tolist(), *found})
        return bool(found)

    def _codes(self, instances: Sequence[Instance]) -> Codes:
        return np.array(instances, dtype=np.int64).reshape(len(instances), len(self.pipeline))

    # Asking

    def _find_failure(self) -> Yes:
        """Look for a failing run; return True if one was found."""
        tests = self.unseen.instances([], self.runs, self._usable, TUNING.max_first_runs)
        return (yield from self._ask(tests, FAIL, "looking for a run that fails"))

    def _settle(self, enough: float) -> Generator[Asking, Answers, None]:
        """Make the most informative runs.

        Stops when one answer has at least the chance ``enough``, or when no further run gives information.
        """
        if not self.has_few_parameters and not self.is_split:
            yield from self._split()
        while True:
            yield from self._believe()
            groups, chance = self.opinion.groups()
            among = self.goal == "one" and self.opinion.has_several_causes()
            if self.stuck or chance >= (TUNING.settled_among_chance if among else enough):
                return
            if not (questions := self._questions(groups)):
                same = 1 - self._differing_chance()  # the remaining rules only say the same in other words
                self.opinion.publish({slot.tobytes(): same for slot in self.opinion.slots()})
                return
            self.offered_ahead = questions[1:]
            note = f"{chance:.0%} sure of the cause" if chance > 0.5 else "looking for the cause"
            yield from self._ask(questions[:1], None, note, ahead=questions[1:])

    def _differing_chance(self) -> float:
        """Return the chance that the best rule makes a wrong prediction.

        This is the sum of the chances of all rules that disagree with the best rule about an instance that can be run.
        """
        runs = self.runs.thin(TUNING.max_question_runs)
        failing, passing = runs.codes_of(True), runs.codes_of(False)
        codes = proposals(self.opinion.beliefs, self.pipeline.sizes, failing, passing, self.rng)
        codes = codes[[self._usable(row) for row in codes]]
        if not len(codes):
            return 1 - self.opinion.groups()[1]
        fails: NDArray[np.bool_] = np.asarray(self.opinion.beliefs.covers(codes).any(axis=1))
        return float(self.opinion.beliefs.chances @ (fails ^ fails[:1]).any(axis=1))

    def _split(self) -> Generator[Asking, Answers, None]:
        """Find the first parameters that matter, in a pipeline with very many parameters."""
        self.is_split = True
        if suspects := find_informative_parameters(self.runs):
            self.opinion.set_columns(suspects)
            return
        failing = instance_of(self.runs.codes[np.argmax(self.runs.fails > 0)])
        passing = yield from find_opposite(self.queries, failing)
        found = (yield from isolate_parameters(self.queries, failing, passing)) if passing is not None else []
        self.opinion.set_columns(found)

    def _questions(self, groups: NDArray[np.int64]) -> list[Instance]:
        """Return the run with the most information for its price, followed by a few runs that may be next.

        The list is empty if no run gives enough information.
        """
        runs = self.runs.thin(TUNING.max_question_runs)
        failing, passing = runs.codes_of(True), runs.codes_of(False)
        sizes, unseen = self.pipeline.sizes, 1 / (2 + len(passing))
        codes = proposals(self.opinion.beliefs, sizes, failing, passing, self.rng)
        offered_ahead = self._codes([one for one in self.offered_ahead if self.queries.is_open(one)])
        codes = np.concatenate([offered_ahead, codes])
        scores = self._weigh_by_price(codes, expected_information(self.opinion.beliefs, codes, groups, unseen))
        first = list(rank_usable(scores, codes, self._usable, 1 + TUNING.ahead_runs))
        if not first:
            return []
        best, top = codes[first[0]], float(scores[first[0]])
        for _ in range(TUNING.climbs):
            near = one_step_neighbours(best, self.opinion.columns, sizes)
            closer = self._weigh_by_price(near, expected_information(self.opinion.beliefs, near, groups, unseen))
            better = [i for i in rank_usable(closer, near, self._usable, 1) if closer[i] > top]
            if not better:
                break
            best, top = near[better[0]], float(closer[better[0]])
        if top < TUNING.min_information:
            return []
        begun = [i for i in first if i < len(offered_ahead) and scores[i] >= TUNING.ahead_share * top]
        chosen = [*begun[:1], *(i for i in first if scores[i] >= TUNING.min_information)]
        rows = [codes[i] for i in chosen] if begun else [best, *(codes[i] for i in chosen)]
        return list(dict.fromkeys(map(instance_of, rows)))

    def _weigh_by_price(self, codes: Codes, bits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the information of each instance in relation to its price."""
        if self.pipeline.cost is None:
            return bits
        prices = np.array([self.pipeline.price(row) for row in codes])
        return np.asarray(bits * np.median(prices) / np.maximum(prices, 1e-9))

    def _usable(self, row: NDArray[np.int64]) -> bool:
        return self.queries.is_open(instance_of(row))

    def _challenge(self) -> Yes:
        """Make runs that could refute the causes; return True if one did."""
        slots, runs = self.opinion.slots(), self.runs.thin(TUNING.max_question_runs)
        for slot in slots:
            key = slot.tobytes()
            if key in self.challenged:
                continue
            tests = challenges(
                self.opinion.beliefs, slot, slots, runs, self._usable, self._count_challenges(slot), self.rng
            )
            if (yield from self._ask(tests, PASS, "challenging a cause")):
                return True
            self.challenged.add(key)
        return False

    def _narrow(self) -> Yes:
        """Halve one gap at a bound of a parameter with very many values; return True if there was such a gap."""
        for one, name in find_gaps(self.queries, TUNING.max_blocks):
            if self.queries.is_open(one):
                yield from self._ask([one], None, f"bisecting where {name} begins to fail")
                return True
        return False

    def _count_challenges(self, slot: Slot) -> int:
        """Return the number of runs to make as challenges of a cause."""
        box, failed = self.opinion.beliefs.box(slot), self.runs.fails > 0
        others = bool((failed & ~self.queries.runs_inside(box)).any())
        if not box or others:
            many = TUNING.challenges_among if self.has_few_parameters else 2 * TUNING.challenges_doubtful
            if not box or failed.mean() > 0.75:
                many = TUNING.challenges_hidden
            return many if not box or self.goal == "one" else many // TUNING.challenge_divisor
        if self.has_few_parameters:
            return TUNING.challenges_doubtful if failed.mean() > 0.5 else TUNING.challenges
        # Splitting makes half of its runs fail by design, so only the history shows whether failures are common.
        known = failed[: self.queries.history_count]
        return 2 * TUNING.challenges_doubtful if known.sum() > 0.3 * len(known) else TUNING.challenges - 1

    def _explore(self) -> Yes:
        """Make runs that may show another cause; return True if one failed."""
        boxes = list(self.queries.causes)
        if any(not box for box in boxes):
            return False  # everything fails
        tests = self.unseen.instances(boxes, self.runs, self._usable, TUNING.quiet_runs * max(1, len(boxes)))
        if (yield from self._ask(tests, FAIL, "looking for other causes")):
            return True
        self.queries.guarantee = self._describe_rest(tests, len(boxes))
        return False

    def _describe_rest(self, tests: Sequence[Instance], causes: int) -> Fact:
        """Return the fact to report about the space outside of the causes.

        ``tests``: the instances outside of the causes that were run last. ``causes``: the number of causes.
        """
        count = sum(self.runs.has_failed(one) is False for one in tests)
        left = self.pipeline.combinations if self.pipeline.never is None else math.inf
        if len(self.runs) == left:
            return Rest.PASSED
        return PassedOutside(count, causes) if count else Rest.NOTHING_LEFT

    def _certify(self, strength: int) -> Yes:
        """Run every combination of ``strength`` settings outside of the causes; return True if something failed."""
        boxes = [*self.pipeline.forbidden, *self.queries.causes]
        known = [one for one in self.runs.passing if self.pipeline.allows(one)]
        tests = covering_array(self.pipeline.sizes, strength, forbidden=boxes, known=known, rng=self.rng)
        new = [one for one in tests if self.queries.is_open(one)]
        if (yield from self._ask(new, FAIL, f"running every combination of {strength} settings")):
            return True
        unknown = sum(one in self.queries.unjudged for one in tests)
        self.queries.guarantee = Certified(strength, runs=len(new), unjudged=unknown)
        return False

    def _ask(self, tests: Sequence[Instance], until: Verdict | None, note: str, ahead: Sequence[Instance] = ()) -> Yes:
        """Run the tests; return True if one of them had the verdict ``until``."""
        if not tests:
            return False
        made = [self.pipeline.configuration(one) for one in tests]
        hints = [self.pipeline.configuration(one) for one in ahead]
        answers = yield Ask(made, until=until, best=self.queries.best, note=note, ahead=hints)
        found = False
        for one, outcome in zip(tests, answers, strict=True):
            if outcome is not None and outcome.verdict is not UNRESOLVED:
                failed = outcome.verdict is FAIL
                self.runs.add(one, failed, outcome.runs)
                found |= until is not None and failed == (until is FAIL)
                self.unjudged = 0
            elif outcome is not None:
                self.queries.unjudged.add(one)
                self.unjudged += 1
        if self.unjudged >= TUNING.max_unjudged and not self.stuck:
            self.stuck = True
            self.queries.notes += (GivenUp(self.unjudged),)
        return found
