"""What the steps of a diagnosis have run, each trial once: in all, and in this turn.

A diagnosis may go through its steps more than once. The lab remembers what was run, so another turn costs nothing as
far as it asks the same. Only runs that are asked for though the candidate is known would be made anew each time: these
are kept here, and told again in their order.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from rootward.verdict import Outcome


class Ledger:
    """The trials of one diagnosis."""

    def __init__(self) -> None:
        self.spent = 0
        """How many there were, in all turns."""
        self.needed = 0
        """How many of them this turn has needed."""
        self.keys: set[str] = set()
        """The candidates that were run, in all turns."""
        self._runs: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        self._fresh: defaultdict[str, list[Outcome]] = defaultdict(list)
        self._told: Counter[str] = Counter()

    def turn(self) -> None:
        """The steps are gone through once more."""
        self.needed = 0
        self._here.clear()
        self._told.clear()

    def recall(self, key: str) -> Outcome | None:
        """What the next fresh run of a candidate said in an earlier turn."""
        kept, told = self._fresh[key], self._told[key]
        return kept[told] if told < len(kept) else None

    def enter(
        self, key: str, outcome: Outcome, *, attempt: int | None = None, fresh: bool = False, recalled: bool = False
    ) -> int:
        """How many trials this is the first of its turn to need; ``attempt``: that of a replay."""
        name = key if attempt is None else f"{key} {attempt}"
        again = fresh and attempt is None
        new = 0 if recalled else self._add(self._runs, name, outcome.runs, again=again)
        needed = self._add(self._here, name, outcome.runs, again=again)
        if again:
            self._fresh[key] += [] if recalled else [outcome]
            self._told[key] += 1
        self.spent, self.needed = self.spent + new, self.needed + needed
        if new:
            self.keys.add(key)
        return needed

    @staticmethod
    def _add(runs: Counter[str], name: str, made: int, *, again: bool) -> int:
        """A verdict on several runs includes those that were known."""
        new = made if again else max(0, made - runs[name])
        runs[name] += new
        return new
