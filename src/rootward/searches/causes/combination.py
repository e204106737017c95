"""BugDoc as a whole (section 7): Stacked Shortcut first, then debugging decision trees from all that was run.

Stacked Shortcut is cheap but may be too short and knows equalities alone. Its assertion is one more suspect beside the
paths of the tree: it is tested as they are, and the simplification makes one explanation of all that survives.
"""

from __future__ import annotations

from rootward.candidate import Configuration
from rootward.search import Search
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.decision_tree import debug
from rootward.searches.causes.inquiry import Inquiry
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.shortcut import stack

FEW = 64
"""With more parameters than this, there are no trees: the paper has them "when there are few"."""


def bugdoc(
    pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0, k: int = 4, tests: int = 10
) -> Search[Configuration, Causes]:
    """The causes that survive; with goal "one", the assertion of Stacked Shortcut if it does, else the first path."""
    inquiry = Inquiry(pipeline, runs, goal=goal, seed=seed)
    yield from stack(inquiry, k)
    if len(pipeline) <= FEW:
        inquiry.notes = ()
        yield from debug(inquiry, tests, asserted=inquiry.causes)
    return inquiry.best
