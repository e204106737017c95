"""Runs that end at a check inside of a pipeline: they say what the check says, and nothing of the end.

A cause that only the check has shown is no cause yet: a run to the end, with the same settings, has to fail, too.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Any

from rootward.candidate import Configuration
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.view import View
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.searches.causes.phases import CHECKPOINT
from rootward.verdict import FAIL, Outcome


class Halfway:
    """Keeps runs to the check apart from those to the end."""

    def __init__(self, view: View) -> None:
        """``view``: hears of runs to the end."""
        self._view = view
        self._failing: list[Configuration] = []
        """What failed at the check."""

    @property
    def view(self) -> View:
        """The same view, which hears of no runs to the check."""
        return replace(self._view, heard=self._hear)

    def _hear(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        if CHECKPOINT not in configuration:
            self._view.heard(key, configuration, outcome)
        elif outcome.verdict is FAIL:
            self._failing.append({name: value for name, value in configuration.items() if name != CHECKPOINT})

    def to_the_end(self, conductor: Conductor, rules: Iterable[Rule]) -> Generator[Ask[Any], Answers, None]:
        """Run to the end what failed at the check, for each of these rules that it shows."""
        shown = (next((one for one in self._failing if rule.holds(one)), None) for rule in rules)
        if runs := [one for one in shown if one is not None]:
            yield from conductor.ask(Ask(runs, note="does the end fail, too?"), self._view)
