"""What fresh runs say of a claim. One that would refute it by chance is made again before it is believed.

A failure that does not show every time passes now and then however often it is run, and among many fresh runs one such
pass is likely. It would refute what is true.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Explanation
from rootward.diagnosis.view import View
from rootward.repeat import Once, Policy, Repeat
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.verdict import FAIL, PASS
from rootward.words import count

SURE = 2
"""So many times as many runs decide whether a pass is believed that a claim depends on."""
Run = tuple[str, Mapping[str, Any]]
Told = tuple[str, Mapping[str, Any], bool]
"""Where a run lies, its configuration, and whether it failed."""


def surer(policy: Policy) -> Policy:
    """Twice as many runs decide."""
    return Repeat.k_of_n(1, SURE * policy.limit)


def tried(
    conductor: Conductor, fresh: Sequence[Run], claim: Rule, view: View, so_far: Explanation
) -> Generator[Ask[Any], Answers, list[Told]]:
    """What these runs did; those that could not be judged, or failed in another way, are left out."""
    note = f"is it true? {count(len(fresh), 'fresh run')}"
    outside = [run for run in fresh if run[0] == "outside"]
    others = [run for run in fresh if run[0] != "outside"]
    # Where it should pass, another run tells more than the same one again.
    told = yield from _told(conductor, outside, Ask((), note=note), replace(view, repeat=Once()), so_far)
    told += yield from _told(conductor, others, Ask((), note=note), view, so_far)
    if isinstance(view.repeat, Once):
        return told
    chance = [(part, one) for part, one, fails in told if claim.holds(one) and not fails]
    more = replace(view, repeat=surer(view.repeat))
    again = yield from _told(conductor, chance, Ask((), note="do these pass again?"), more, so_far)
    failed = [one for _, one, fails in again if fails]
    return [(part, one, fails or one in failed) for part, one, fails in told]


def _told(
    conductor: Conductor, runs: Sequence[Run], ask: Ask[Any], view: View, so_far: Explanation
) -> Generator[Ask[Any], Answers, list[Told]]:
    outcomes = yield from conductor.ask(replace(ask, candidates=[one for _, one in runs]), view, so_far)
    verdicts = [None if outcome is None else outcome.verdict for outcome in outcomes]
    pairs = zip(runs, verdicts, strict=True)
    return [(part, one, verdict is FAIL) for (part, one), verdict in pairs if verdict in (FAIL, PASS)]
