"""A decision tree that can be printed: what decides, one question after another, and what was seen at each end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rootward.rules import Atom, Rule


@dataclass(frozen=True)
class Node:
    """A question with an answer for where it holds and one for where it does not; or, without a question, a leaf."""

    failing: bool
    """What it says if no further question is asked: the leaf's verdict, or that of most runs below."""
    fails: int
    passes: int
    """How many runs of each kind led here."""
    test: Atom | None = None
    holds: Node | None = None
    otherwise: Node | None = None
    """Where the test does not hold, which is also where its value is NaN."""

    def decide(self, configuration: Any) -> bool:
        """Whether the tree says that it fails."""
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
