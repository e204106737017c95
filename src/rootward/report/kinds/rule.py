"""A rule: the condition under which it fails, how well it predicts fresh runs, and the runs on either side of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rootward.facts import Fact
from rootward.report.figures.scatter import draw_planes
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
from rootward.report.sentences.rule import no_condition, sentence
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.words import count

MAX_ONE_LINE = 100
"""Maximum length, in characters, of a disjunction that is printed on one line."""
MAX_CASES = 12
"""Maximum number of alternatives of a rule that are printed."""
MAX_ROUGH_CASES = 4
"""The same for a rule of a search that gave up; the first ones explain most failures."""


class RulePresenter(Presenter[RuleFinding]):
    template = "rule.html"
    joined_by = "or"
    checked_later = True

    def words(self, finding: RuleFinding) -> str:
        failure = [*failure_lines(finding.signature, finding.error), *steadiness_lines(finding)]
        cases = [f"  {case}" for case in finding.cases] if finding.found and _is_long(finding) else []
        most = MAX_ROUGH_CASES if finding.gave_up else MAX_CASES
        if len(cases) > most:
            cases[most - 1 :] = [f"  ... and {len(cases) - most + 1} more"]
        return "\n".join([_headline(finding), *cases, *failure, *self.remarks(finding)])

    def remarks(self, finding: RuleFinding) -> list[str]:
        checked = [_check_result(finding)] if finding.found else []
        unsteady = [
            "The same configuration both failed and passed: the failure does not occur every time, and this answer may "
            "be wrong. Run it again with --flaky yes (in Python: flaky=True)."
        ]
        one = finding.unjudged == 1
        out = [f"{count(finding.unjudged, 'run')} could not be judged and {'is' if one else 'are'} left out."]
        doubt = ["It was wrong for some fresh runs: take it as a hint, not as the condition."]
        return [
            *checked,
            *(doubt if finding.found and finding.doubtful else []),
            *(unsteady if finding.unsteady else []),
            *self.sentences([*finding.open, *finding.untried, *finding.unknown]),
            *(out if finding.unjudged else []),
        ]

    def sentences(self, facts: Iterable[Fact]) -> list[str]:
        """Return a sentence for each fact. The facts are about what is not known."""
        return list(map(sentence, facts))

    def head(self, data: Data) -> str:
        if not data["found"]:
            return super().head(data)
        # A document of an older version does not say whether the search gave up or ran every configuration.
        rough, proved = data.get("gave_up", False), bool(data.get("whole"))
        return f"{_claim(complete=data['complete'], proved=proved, rough=rough)} when"

    def conditions(self, data: Data) -> list[str]:
        return list(data["cases"]) if data["found"] else []

    def certainty(self, data: Data) -> Certainty | None:
        if not data["found"]:
            return None
        if whole := data.get("whole"):
            return Certainty(_all_agree(whole))
        if not data["verified"]:
            return Certainty("It was not checked on fresh runs.")
        runs = count(data["verified"], "fresh run")
        if data["accuracy"]["value"] is None:
            return Certainty(
                f"It was checked on {runs}. Balanced accuracy is undefined: it needs failing and passing runs."
            )
        what = "the mean of the shares of failing and of passing runs that it predicts"
        return Certainty.of_measure(f"Measured on {runs}: {what}.", "balanced accuracy", data["accuracy"])

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        # The first remark of a rule that was found says how it was checked; the top of the page says that already.
        remarks = data["remarks"][1:] if data["found"] else data["remarks"]
        return {"remarks": remarks, "planes": draw_planes(run)}


PRESENTER = RulePresenter()


def _headline(finding: RuleFinding) -> str:
    if not finding.found:
        return no_condition(finding.fails, finding.passes, finding.of, yet=not finding.complete)
    hope = _claim(complete=finding.complete, proved=bool(finding.whole), rough=finding.gave_up)
    several = f"one of these {len(finding.rule.terms)} holds:"
    return f"{hope} when {several if _is_long(finding) else f'{finding.rule}.'}"


def _claim(*, complete: bool, proved: bool, rough: bool) -> str:
    """Return the beginning of the answer, which says how sure it is.

    It never says "It fails when": that is what a diagnosis says after it challenged the condition.
    """
    if not complete:
        return "So far, it seems to fail"
    if proved:
        return "It fails exactly"
    return "It seems to fail roughly" if rough else "It seems to fail"


def _is_long(finding: RuleFinding) -> bool:
    """True if the rule is so long that each case gets a line of its own."""
    return len(finding.rule.terms) > 1 and len(str(finding.rule)) > MAX_ONE_LINE


def _all_agree(whole: int) -> str:
    """Say that every configuration was run and agrees with the rule."""
    return f"All {whole:,} configurations were run; all agree with it."


def _check_result(finding: RuleFinding) -> str:
    seen = f"{finding.fails} of {finding.fails + finding.passes} runs failed"
    if finding.whole:
        return _all_agree(finding.whole)
    if not finding.verified:
        return f"Not checked on fresh runs; {seen}."
    fresh = f"{finding.verified} fresh run{'' if finding.verified == 1 else 's'}"
    if math.isnan(finding.accuracy.value):
        return f"Checked on {fresh}; balanced accuracy is undefined, as it needs failing and passing runs; {seen}."
    return f"Checked on {fresh}: balanced accuracy {finding.accuracy}; {seen}."
