"""Learning a product set run by run: the knowledge proposes a question, and its answer is learnt.

Idle workers of the lab are offered what will be asked after either answer, and after the answers to that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator

from rootward.search.ask import Answers
from rootward.searches.products.knowledge import Knowledge, Query
from rootward.searches.products.queries import Asking, ProductQueries
from rootward.searches.products.tuning import TUNING
from rootward.space.candidate import Configuration


class Learner:
    """The knowledge so far, and the `ProductQueries` whose answer it updates."""

    def __init__(self, queries: ProductQueries, seed: int) -> None:
        self.queries, self.problem, self.seed = queries, queries.problem, seed
        self.knowledge = Knowledge(self.problem, rate=queries.rate, seed=seed)
        self.asked = 0

    def learn(self) -> Generator[Asking, Answers, None]:
        """Ask until each value of each field is known to trigger or to stop the failure.

        Ends earlier if the answers contradict each other.
        """
        knowledge, queries = self.knowledge, self.queries
        while (query := knowledge.propose()) is not None:
            candidate = self.problem.configuration(query.items)
            [failed] = yield from queries.run_once([candidate], knowledge.note, self._foresee(query))
            self.asked += 1
            knowledge.learn(query, failed)
            self.update()

    def _foresee(self, query: Query) -> Iterator[Configuration]:
        """Yield the next question after each possible answer to ``query``, then the questions after these."""
        asked = deque([(self.knowledge.fork(), query)])
        for _ in range(TUNING.foreseen_questions):
            before, query = asked.popleft()
            for failed in (True, False):
                after = before.fork()
                after.learn(query, failed)
                if (then := after.propose()) is not None:
                    yield self.problem.configuration(then.items)
                    asked.append((after, then))
            if not asked:
                break

    def update(self) -> None:
        """Copy what is known into the answer so far."""
        queries, knowledge = self.queries, self.knowledge
        queries.sets = {i: s.good for i, s in knowledge.suspects.items() if s.bad or i in knowledge.interacting}
        queries.unknown = {i: set(knowledge.suspects[i].chances) for i in queries.sets}
        queries.open = knowledge.open_count
        queries.confidence = knowledge.confidence
