"""Pictures of failing runs: of two that failed alike, with what matters marked, if there is something to draw with."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rootward as rw
from rootward.diagnosis.handover.pictures import illustrated, pictured
from rootward.study import Study
from rootward.verdict import FAIL, PASS, Outcome


@dataclass
class Drawing:
    """Fails if 2 and 5 are there, at a place that depends on the seed; draws what it is told to."""

    can: bool = True
    drawn: list[tuple[list[int], int, list[int]]] = field(default_factory=list)
    identity, seeded, inline = "drawing", True, True

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        return Outcome(FAIL, "stuck", {"at": float(seed % 2)}) if {2, 5} <= set(candidate) else Outcome(PASS)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return ""

    def alike(self, outcome: Outcome, reference: Outcome) -> bool:
        return outcome.measures == reference.measures

    def picture(self, elements: list[int], *, seed: int, marked: list[int]) -> str | None:
        self.drawn.append((list(elements), seed, list(marked)))
        return f"data:image/png;base64,{'A' * len(elements)}" if self.can else None


def test_a_run_of_everything_and_one_of_what_is_left_that_failed_alike() -> None:
    subject = Drawing()
    found = rw.reduce(list(range(8)), subject, keep=[5])
    assert found.evidence is not None
    shown = pictured(found, subject, found.evidence.trials())
    assert shown.pictures == ("data:image/png;base64,AAAAAAAA", "data:image/png;base64,AA")
    (everything, before, _), (left, after, marked) = subject.drawn
    assert (everything, left, marked) == (list(range(8)), [2, 5], [2])
    assert before % 2 == after % 2


def test_where_nothing_can_be_drawn_there_are_none() -> None:
    subject = Drawing(can=False)
    found = rw.reduce(list(range(8)), subject)
    assert found.evidence is not None
    assert pictured(found, subject, found.evidence.trials()).pictures == ()
    assert pictured(found, subject, ()) == found


def test_a_diagnosis_gets_them_where_its_elements_were_left_out() -> None:
    subject = Drawing()
    study = Study("drawing", Path("drawing.toml"), subject, elements=list(range(8)))
    found = illustrated(rw.diagnose(study, skip=["rule"]), subject)
    [step] = [step for step in found.steps if step.name == "reduce"]
    assert len(step.finding.pictures) == 2  # type: ignore[union-attr]
    without = rw.diagnose(study, skip=["rule"])
    assert illustrated(without, object()) is without
