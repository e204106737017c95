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
        """Return a sentence that says how the recordings behave: as if the model had been changed in some way.

        If no such change was found, return the headline of the fault.
        """
        return cause(finding.fault)


PRESENTER = DeparturePresenter()
