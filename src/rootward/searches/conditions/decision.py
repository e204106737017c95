"""A printable decision tree, with the number of failing and passing runs at each node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rootward.rules import Atom, Rule


@dataclass(frozen=True)
class DecisionNode:
    """A node of a decision tree. It has a test and a subtree for either result; a leaf has no test."""

    failing: bool
    """The verdict of a leaf, or of most runs below an inner node."""
    fails: int
    """Number of failing runs at this node."""
    passes: int
    """Number of passing runs at this node."""
    test: Atom | None = None
    holds: DecisionNode | None = None
    otherwise: DecisionNode | None = None
    """The subtree for configurations for which the test does not hold, which includes NaN."""

    def decide(self, configuration: Any) -> bool:
        """Return True if the tree predicts that the configuration fails."""
        if self.test is None or self.holds is None or self.otherwise is None:
            return self.failing
        return (self.holds if self.test.holds(configuration) else self.otherwise).decide(configuration)

    def to_dict(self) -> dict[str, Any]:
        seen: dict[str, Any] = {"failing": self.failing, "fails": self.fails, "passes": self.passes}
        if self.test is None or self.holds is None or self.otherwise is None:
            return seen
        below = {"holds": self.holds.to_dict(), "otherwise": self.otherwise.to_dict()}
        return {**seen, "asks": str(self.test), "test": Rule([[self.test]]).to_dict(), **below}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.test is None or self.holds is None or self.otherwise is None:
            yield self._end()
            return
        for words, child in ((f"if {self.test}:", self.holds), ("else:", self.otherwise)):
            if child.test is None:
                yield f"{words} {child._end()}"
            else:
                yield words
                yield from (f"  {line}" for line in child._lines())

    def _end(self) -> str:
        runs = self.fails + self.passes
        agree = self.fails if self.failing else self.passes
        seen = f"{agree} of {runs} runs" if agree < runs else f"{runs} run{'' if runs == 1 else 's'}"
        return f"{'fails' if self.failing else 'passes'} ({seen})"
