"""``columns``, the default search for product sets: column group testing, then an attack on its answer.

The search first believes that the fault is a *product set*: some fields matter, each has values that *trigger* the
fault and values that *stop* it, and it fails exactly if every such field has a triggering value. Under this assumption,
what it learns is exact (`knowledge` explains how it asks so little; `learner` runs it).

Then the assumption is tested by what it implies (`predictions`): random members of the set must fail, and
configurations with one stopping value must pass. A prediction that does not hold is a contradiction. Isolating the
smallest change behind it finds the fields that depend on each other, or a second product set apart from the first
(`contradictions`, `interaction`). The fields of such a group are learnt again one by one, and the check is repeated a
few times. Finally, each group gets a table of what its values do together.

Of a field with very many values only some are tried. Between two neighbours that differ, bisection finds the exact
place where triggering begins or ends; between two that agree, all values are taken to be the same.

The search ends when the predictions bring up no new group, after a few contradictions have been explained, or at once
if the same configuration both fails and passes (``unsteady``). The checks take about a tenth of the runs of learning.
To detect another kind of interaction, add its runs to `predictions` and use them in ``_check_inside`` (they must fail)
or ``_check_outside`` (they must pass).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from itertools import pairwise
from typing import Any

from rootward.search.ask import Answers, Search
from rootward.search.border import BorderStep, bisect, midpoint
from rootward.search.relay import relay
from rootward.searches.products import interaction, predictions
from rootward.searches.products.contradictions import ContradictionLog
from rootward.searches.products.learner import Learner
from rootward.searches.products.problem import Problem
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.queries import Asking, ProductQueries, check_samples
from rootward.searches.products.tuning import TUNING
from rootward.space.candidate import Configuration
from rootward.space.space import Space

PRECISION_METHOD = "clopper-pearson"


def columns(
    space: Space,
    failing: Mapping[str, Any],
    *,
    rate: float = 1.0,
    samples: int | None = None,
    seed: int = 0,
) -> Search[Configuration, ProductSet]:
    """Find the product set around a failing configuration.

    ``rate``: how often a configuration that triggers the fault fails. ``samples``: number of random members of the set
    that measure its precision; by default a twentieth of the questions asked.
    """
    check_samples(samples)
    queries = ProductQueries(Problem(space, failing), rate=rate, seed=seed)
    return (yield from _Columns(Learner(queries, seed)).search(samples))


class _Columns:
    """One search, from the first question to the last check."""

    def __init__(self, learning: Learner) -> None:
        self.learning, self.queries, self.problem = learning, learning.queries, learning.problem
        self.knowledge = learning.knowledge
        self.contradictions = ContradictionLog(learning)

    def search(self, samples: int | None) -> Search[Configuration, ProductSet]:
        queries = self.queries
        yield from self._learn()
        count = self._default_samples if samples is None else samples
        passed = yield from queries.verify(count, PRECISION_METHOD)
        verified = queries.name_sets(queries.sets)
        yield from self._check(passed, count)
        yield from self._tabulate()
        yield from thresholds(queries)
        if queries.thinned or queries.name_sets(queries.sets) != verified:
            yield from queries.verify_whole(count, PRECISION_METHOD)
        return queries.best

    @property
    def _default_samples(self) -> int:
        """The default number of samples: a twentieth of the questions, but at least 2.

        At least 8 if no field seems to matter, because this is a strong claim.
        """
        return max(2 if self.queries.sets else 8, self.learning.asked // 20)

    @property
    def _check_budget(self) -> int:
        """The number of questions for checking the model.

        It is a tenth of the questions for learning, but at least 4. ``_check_outside`` may ask more if few fields
        matter.
        """
        return max(4, self.learning.asked // 10)

    def _learn(self) -> Generator[Asking, Answers, None]:
        yield from self.learning.learn()
        while self.knowledge.conflict is not None:
            yield from self.contradictions.explain_conflict()
            yield from self.learning.learn()
        self.queries.open = 0

    # Checks

    def _check(self, passed: list[dict[int, int]], samples: int) -> Generator[Asking, Answers, None]:
        """Test the predictions of the product set until nothing new turns up.

        ``passed``: members of the set that passed although they should fail.
        """
        queries = self.queries
        alone = {i: suspect.tried_alone for i, suspect in self.knowledge.suspects.items()}
        ends = predictions.corners(queries) + predictions.members_alone(queries, alone, self._check_budget // 4)
        found = yield from queries.check_changes(ends, "checking the corners of the set")
        passed += [end for end, fails in zip(ends, found, strict=True) if not fails]
        for _ in range(TUNING.max_explained):
            before = queries.groups
            yield from self._check_inside(passed)
            yield from self._check_outside()
            if queries.unsteady or before == queries.groups:
                break
            members = [queries.draw_member(self._keep_own(self.knowledge.interacting)) for _ in range(max(2, samples))]
            found = yield from queries.check_changes(members, "checking members with the interacting fields unchanged")
            passed = [member for member, fails in zip(members, found, strict=True) if not fails]

    def _keep_own(self, fields: set[int]) -> dict[int, int]:
        return {i: self.problem.own_places[i] for i in fields}

    def _check_inside(self, passed: list[dict[int, int]]) -> Generator[Asking, Answers, None]:
        """For each member that passed, find the values that stop the failure together but not alone."""
        for member in passed[: TUNING.max_explained]:
            changes = {
                i: v
                for i, v in member.items()
                if v != self.problem.own_places[i] and i not in self.knowledge.interacting
            }
            if self.queries.groups:
                [fails] = yield from self.queries.check_changes(
                    [changes], "checking whether known groups explain a pass"
                )
                if fails:
                    continue
            if not (yield from self.contradictions.check_steady(changes)):
                return
            yield from self.contradictions.explain_pass(changes)

    def _check_outside(self) -> Generator[Asking, Answers, None]:
        """Check that configurations with a stopping value pass."""
        queries, apart = self.queries, self.knowledge.interacting
        pairs = predictions.equal_pairs(queries, max(2, self._check_budget // 4))
        pairs += predictions.stopping_pairs(queries, TUNING.max_explained)
        yield from self.contradictions.check_passes([pair for pair in pairs if apart.isdisjoint(pair[0])])
        bases = [base for base in predictions.stopping_values(queries) if apart.isdisjoint(base)]
        tries = (
            2 * len(bases) + 4
            if len(bases) <= TUNING.max_checked_fields
            else max(2 * TUNING.max_checked_fields, self._check_budget // 2)
        )
        chosen = [bases[at] for at in queries.rng.permutation(len(bases))[: tries // 2]]
        turns = int(self.problem.other_counts.max())  # after this many, every value of every other field has been used
        yield from self.contradictions.vary_around((chosen * turns)[:tries])

    # Groups

    def _tabulate(self) -> Generator[Asking, Answers, None]:
        """Tabulate the effects of the fields of each group, alone and together.

        Drop the groups if the failure is unsteady.
        """
        queries = self.queries
        if queries.unsteady:
            queries.groups, queries.others = [], []
            return
        if queries.groups:
            yield from self._try_alone()
        for at, group in enumerate(queries.groups):
            queries.groups[at] = yield from interaction.tabulate(queries, group)

    def _try_alone(self) -> Generator[Asking, Answers, None]:
        """Try values of suspected fields alone.

        Tries the values that were only tried while other fields changed, too.
        """
        suspects = self.knowledge.suspects
        items = [(i, place) for i, s in suspects.items() for place in range(s.size) if place not in s.tried_alone]
        items = [(i, place) for i, place in items if place != self.problem.own_places[i]]
        found = yield from self.queries.check_changes(
            [dict([item]) for item in items], "trying values of single fields alone"
        )
        for (i, place), fails in zip(items, found, strict=True):
            if fails:
                suspects[i].record_failure(place)
            else:
                self.knowledge.record_stop(i, place)
        self.learning.update()


# Fields with very many values


def thresholds(queries: ProductQueries) -> Generator[Asking, Answers, None]:
    """Extend the sets of fields with very many values.

    For such a field only some values were tried. Borders between triggering and stopping values are bisected, and all
    values between triggering ones are added.
    """
    for i, domain in enumerate(queries.problem.domains):
        if domain.thinned and domain.ordered and i in queries.sets:
            yield from _extend(queries, i)


def _extend(queries: ProductQueries, i: int) -> Generator[Asking, Answers, None]:
    domain, name = queries.problem.domains[i], queries.problem.names[i]
    state = {at: place in queries.sets[i] for place, at in enumerate(domain.tried)}

    def triggers(one: BorderStep[int]) -> Generator[Asking, Answers, bool]:
        candidate = queries.problem.configuration({}, {i: one.place})
        [state[one.place]] = yield from queries.check_configurations(
            [candidate], f"bisecting where {name} begins to trigger"
        )
        return state[one.place] == state[one.near]

    for below, above in pairwise(domain.tried):
        if state[below] != state[above]:
            yield from relay(bisect(below, above, midpoint), triggers)
    queries.extended[i] = _fill(state)


def _fill(state: dict[int, bool]) -> list[int]:
    """Return the triggering places.

    These are the places that were tried and trigger, and all places between two neighbours that both trigger.
    """
    known = sorted(state)
    runs = [range(below, above + 1) for below, above in pairwise(known) if state[below] and state[above]]
    return sorted({at for run in runs for at in run} | {at for at in known if state[at]})
