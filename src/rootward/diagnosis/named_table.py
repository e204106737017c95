"""Behind settings that fail may be a table that they name: which of its rows have to be repaired, with these settings?

The settings are held at those of an example of the failure, and the table that they name is repaired. What is found is
true of the cells only if a copy of the table, as we write it, fails like the original: that is tried first.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Set
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Explanation
from rootward.diagnosis.rates import cautious, often_enough
from rootward.diagnosis.rows import explained
from rootward.diagnosis.view import View
from rootward.search import Answers, Ask
from rootward.searches.rows.patch import PatchedSettings
from rootward.searches.rows.tables import Tables
from rootward.study.data import Data
from rootward.verdict import FAIL

OTHERS = "Whether the same rows matter with other settings is not known."


def looked_into(
    conductor: Conductor, data: Data, explanation: Explanation, view: View, *, varied: Set[str]
) -> Generator[Ask[Any], Answers, Explanation]:
    """The explanation of a failure of settings, with the rows of the table that these name; ``varied``: the fields that
    have more than one value."""
    if "rows" not in conductor.plan:
        return explanation
    naming = [one for one in _failing(explanation) if data.named_in(one)]
    if not naming:
        conductor.begin("rows")
        conductor.end(f"No settings that name {data.bad} were seen to fail.")
        return explanation
    names = {name for one in naming for name in data.named_in(one)}
    if explanation.certain and explanation.causes and names <= varied - set(explanation.relevant):
        conductor.begin("rows")
        conductor.end(f"It fails whichever table is named: {data.bad} is not looked into.")
        return explanation
    settings, unknown = dict(naming[0]), (*explanation.unknown, *([] if explanation.causes else [OTHERS]))
    rate = 1.0 if explanation.rate.value == 1 else cautious(explanation.rate)
    view = replace(view, show=partial(PatchedSettings, settings), repeat=often_enough(rate))
    if naming[0] is not explanation.failing:
        view = replace(view, reference=None)  # in which way an example of a cause fails is not known
    conductor.draft = replace(explanation, settings=settings, unknown=unknown)
    if not (yield from _copied(conductor, data.tables, view)):
        untold = f"With a copy of {data.bad}, it does not show: which of its rows take part cannot be told."
        return replace(explanation, unknown=(*explanation.unknown, untold))
    return (yield from explained(conductor, data.tables, view=view, rate=rate))


def _failing(explanation: Explanation) -> list[Mapping[str, Any]]:
    """Settings that were seen to fail, those that were reproduced first."""
    shown = [explanation.failing, *(cause.example for cause in explanation.causes)]
    return [one for one in shown if isinstance(one, Mapping)]


def _copied(conductor: Conductor, tables: Tables, view: View) -> Generator[Ask[Any], Answers, bool]:
    conductor.begin("reproduce")
    ask: Ask[Any] = Ask([tables.failing], note=f"does it fail with a copy of {tables.names[0]}?")
    [outcome] = yield from conductor.ask(ask, view)
    fails = outcome is not None and outcome.verdict is FAIL
    conductor.end(f"With a copy of {tables.names[0]}, it {'fails, too' if fails else 'does not fail in that way'}.")
    return fails
