"""What a diagnosis believes about one failure: its causes, the runs that they rest on, and what is still open.

The claim is that the system fails where one of the causes holds, and nowhere else. Steps add causes (``rule``,
``others``), take one back (``verify``), and try the claim on runs that could refute it. Each run that a step makes is
heard here, so whatever is said of the claim rests on all of them, and a run that contradicts it is not forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rootward.diagnosis.questions import View, often_enough
from rootward.diagnosis.refutation import agrees, constants_of, everything, left_to_run, similar_texts
from rootward.explanation.diagnosis import Cause, Explanation, claim_of
from rootward.explanation.facts import Check, Contradicted, OtherTexts, TextsTried
from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.searches.conditions.facts import FewTried
from rootward.searches.conditions.rule_finding import Edge
from rootward.space.candidate import Configuration, key_of
from rootward.space.keys import canonical
from rootward.space.space import Float, Int, Space, Text
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome

Run = tuple[Configuration, bool]
"""What was run, and whether it failed."""


class Unsteady(Exception):
    """One configuration both failed and passed, though the failure was taken to show every time."""


class Claim:
    """All causes of one failure, as far as they are known."""

    def __init__(
        self,
        space: Space,
        *,
        view: View,
        draft: Explanation | None = None,
        rate: float = 1.0,
        never: Rule | None = None,
        seed: int = 0,
        runs: Mapping[str, Run] | None = None,
        elsewhere: Rule | None = None,
        seeded: bool = False,
    ) -> None:
        """
        ``space``: the fields that the causes speak of.
        ``view``: how the subject is asked about configurations of that space.
        ``draft``: what is known of the failure already.
        ``rate``: how often the failure shows.
        ``never``: where nothing may be run.
        ``runs``: runs that somebody else has made, by their keys.
        ``elsewhere``: where it fails in other ways, which are explained: nothing is run there for this one.
        ``seeded``: whether another run of the same may do otherwise.
        """
        import numpy as np

        self.space, self.never, self.seed, self.elsewhere, self.seeded = space, never, seed, elsewhere, seeded
        self.view = replace(view, heard=self._hear, never=never)
        self.draft = draft or Explanation()
        self.expect(rate)
        self.rng = np.random.default_rng([seed, 0xD1A6])
        self.runs = dict(runs or {})
        """What was run, by its key, and whether it failed."""
        self.ways: Counter[str] = Counter()
        """How often it failed in each way, by signature: in more than one, if any failure counts."""
        self.different: set[str] = set()
        """The keys of what failed in another way."""
        self.causes: list[Cause] = []
        self.edges: list[Edge] = []
        """Pairs of runs on either side of a border."""
        self.examined: set[str] = set()
        """Fields that a rule was learnt on."""
        self.mended = 0
        """How often a cause was taken back: the next attempt must not ask the same questions."""
        self.unknown: list[Fact] = []
        self.check: Check | None = None
        self.exhausted = False
        """Whether all that can be run was."""
        self.considered = set(self.runs)
        """Runs already checked against the claim, or imported."""
        self.refuting: list[Run] = []
        """Runs of earlier steps that a claim did not agree with."""

    def expect(self, rate: float) -> None:
        """Take the failure to show that often: so many runs decide a verdict."""
        self.rate = rate
        self.view = replace(self.view, repeat=often_enough(rate))

    def start_over(self, rate: Estimate | None = None) -> None:
        """Forget all runs and causes; ``rate``: how often it was measured to fail, if it was."""
        self.draft = replace(self.draft, causes=(), check=None, rate=self.draft.rate if rate is None else rate)
        self.runs, self.causes, self.edges, self.unknown, self.refuting, self.check = {}, [], [], [], [], None
        self.exhausted = False

    @property
    def rule(self) -> Rule:
        """It fails where one of the causes holds."""
        return claim_of(self.causes)

    @property
    def fields(self) -> set[str]:
        """The fields that the causes name."""
        return {name for cause in self.causes for name in cause.rule.fields}

    def example_of(self, rule: Rule) -> Configuration | None:
        """A configuration that failed and that the rule explains, if one is known."""
        return next((one for one, fails in self.runs.values() if fails and rule.holds(one)), None)

    def key(self, configuration: Configuration) -> str:
        """The name of what the subject gets for it."""
        return key_of(self.view.show(configuration))

    def ordered(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """A configuration with its fields in the order of the space."""
        return {name: values[name] for name in self.space}

    def must_be_steady(self, unsteady: bool) -> None:
        """Raise Unsteady if the failure was taken to show every time, and does not."""
        if unsteady and self.rate == 1:
            raise Unsteady

    def left_to_run(self, spent: int) -> list[dict[str, Any]] | None:
        """What was not run of a small space; None if it is not small, or if one run does not say what happens."""
        if self.rate < 1 or self.seeded:
            return None
        ran = self.runs.keys() | self.different
        return left_to_run(self.space, ran, never=self.never, key=self.key, spent=spent)

    def _hear(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        if outcome.verdict is FAIL:
            self.ways[outcome.signature or ""] += 1
        if outcome.verdict is OTHER:
            self.different.add(key)
        elif outcome.verdict is not UNRESOLVED:
            self.runs[key] = configuration, outcome.verdict is FAIL

    # What it amounts to

    def explanation(self) -> Explanation:
        """What is known of the failure: each cause is weighed by the runs inside of it, and what is open is said.

        Where everything was run, nothing is left open.
        """
        rule, known = self.rule, list(self.runs.values())
        runs = [one for one, _ in known]
        against = sum(rule.holds(one) is not fails for one, fails in self.refuting)
        unknown = [*self.unknown, *([Contradicted(against)] if against else [])]
        unknown += [one for cause in self.causes for one in cause.open]
        unknown += _left_open(self.space, rule, self.examined, runs)
        check = None if self.check is None else self.completed(self.check)
        return replace(
            self.draft,
            causes=tuple(_weighed(cause, known) for cause in self.causes),
            relevant=tuple(name for name in self.space.names if name in set(rule.fields)),
            seen=tuple(_texts_tried(self.space, rule, runs)) if check is not None else (),
            check=check,
            unknown=() if check is not None and check.whole else tuple(dict.fromkeys(unknown)),
        )

    def completed(self, check: Check) -> Check:
        """What fresh runs say of the claim; or all that there can be, if they were all run and agree."""
        if not self.exhausted or not agrees(self.rule, self.runs.values()):
            return check
        every = sum(1 for _ in everything(self.space, self.never))
        return replace(check, whole=every, barred=int(self.space.size) - every, hidden=len(self.different))


def _weighed(cause: Cause, runs: Iterable[Run]) -> Cause:
    inside = [fails for one, fails in runs if cause.rule.holds(one)]
    return replace(cause, fails=sum(inside), runs=len(inside))


def _texts_tried(space: Space, rule: Rule, known: Sequence[Configuration]) -> list[Fact]:
    """How many texts were tried where the rule names one."""
    texts = [name for name in rule.fields if name in space and isinstance(space[name], Text)]
    return [TextsTried(name, _count(name, known)) for name in texts if known]


def _left_open(space: Space, rule: Rule, examined: set[str], known: Sequence[Configuration]) -> Iterator[Fact]:
    """What was not tried of values without an order. A field that is not among ``examined``, and that
    the rule does not name, is known not to matter."""
    for name in space.names if known else ():
        field = space[name]
        if isinstance(field, Int | Float):
            continue
        if isinstance(field, Text):
            # One was made from the other here: so the condition is about more than the texts that it names.
            named = [text for text in constants_of(rule, name) if isinstance(text, str)]
            if any(made in named for text in named for made in similar_texts(text)):
                yield OtherTexts(name)
        elif name in examined and _count(name, known) < len(field.values):
            yield FewTried.among(name, field, (one[name] for one in known))


def _count(name: str, known: Iterable[Configuration]) -> int:
    return len({canonical(one[name]) for one in known})
