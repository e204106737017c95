"""A departure: one cause for which recordings depart from a model, as a part of a diagnosis."""

from __future__ import annotations

from rootward.explanation.diagnosis import Departure
from rootward.report.kinds.presenter import Presenter
from rootward.traces.output.text import describe_class
from rootward.traces.output.words import cause


class DeparturePresenter(Presenter[Departure]):
    def words(self, finding: Departure) -> str:
        return "\n".join([self.about(finding, "It"), *(f"  {line}" for line in describe_class(finding.fault))])

    def about(self, finding: Departure, name: str) -> str:
        return f"{cause(finding.fault, name)}."

    def cause(self, finding: Departure) -> str:
        """Return the sentence that says how the model would have to be changed to behave like the recordings."""
        return cause(finding.fault)


PRESENTER = DeparturePresenter()
