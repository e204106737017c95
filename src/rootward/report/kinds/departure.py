"""A departure: one cause for which recordings depart from a model, as a diagnosis tells it."""

from __future__ import annotations

from rootward.explanation.diagnosis import Departure
from rootward.report.kinds.presenter import Presenter
from rootward.traces.output.text import described
from rootward.traces.output.words import cause


class DeparturePresenter(Presenter[Departure]):
    def words(self, finding: Departure) -> str:
        return "\n".join([self.about(finding, "It"), *(f"  {line}" for line in described(finding.fault))])

    def about(self, finding: Departure, name: str) -> str:
        return f"{cause(finding.fault, name)}."

    def cause(self, finding: Departure) -> str:
        """What the recordings behave like."""
        return cause(finding.fault)


PRESENTER = DeparturePresenter()
