"""Causes: the settings that make it fail, the evidence for and against each, and the runs behind it."""

from __future__ import annotations

from typing import Any

from rootward.report.figures.parallel_coordinates import draw_parallel
from rootward.report.figures.setting_axis import text
from rootward.report.instances import Instances, instances, literals
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
from rootward.report.sentences.causes import sentence
from rootward.report.text import amount, to_one_line
from rootward.report.trials import read_value
from rootward.rules import Conjunction
from rootward.rules.text import field_text, value_text
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.facts import Remark

DOUBTS = frozenset({Remark.NOT_EXPLAINED, Remark.PASS_FAILS_NOW, Remark.FAILURE_PASSES_NOW})
"""Remarks that contradict some of the runs behind the causes."""
MAX_RUNS, MAX_COLUMNS, MAX_VALUE_LENGTH = 250, 10, 60
"""Maximum number of runs listed, of settings listed for each run, and of characters of a value."""
MAX_DRAWN = 8
"""Maximum number of causes that have a figure."""
MAX_SETTINGS = 12
"""Maximum number of settings of a passing run listed beside a cause, those that the cause names first."""


class CausesPresenter(Presenter[Causes]):
    template = "causes.html"
    joined_by = "or"

    def words(self, finding: Causes) -> str:
        lines = [_headline(finding)]
        for number, cause in enumerate((one for one in finding.details if one.conjunction), 1):
            lines += [f"  {number}. {cause}", *(f"     {said}" for said in self.evidence(cause))]
        failure = [*failure_lines(finding.signature, finding.error), *steadiness_lines(finding)]
        return "\n".join([lines[0], *failure, *lines[1:], *self.remarks(finding)])

    def evidence(self, cause: Cause) -> list[str]:
        """Return sentences with the evidence for a cause.

        The evidence is the runs that met the cause, and the passing runs that show that each of its conditions is
        needed.
        """
        if cause.definitive:
            was = "was" if cause.size == 1 else "were"
            said = [f"{_all_combinations(cause.size)} with these settings {was} run and failed."]
        else:
            sure = "" if cause.confidence is None else f" Confidence: {_percent(cause.confidence)}."
            new = f" ({cause.attempts} of them new)" if cause.attempts else ""
            every = "and failed" if cause.support == 1 or cause.passed else "and all failed"
            if cause.passed:
                every += f"; {_runs(cause.passed)} with them passed, because the failure is flaky"
            said = [f"{_runs(cause.support)} had these settings{new} {every}.{sure}"]
        passed = [f"{field_text(name)} = {value_text(run[name])}" for name, run in cause.needed]
        if len(passed) == 1:
            said.append(f"It passed with {passed[0]} instead.")
        elif passed:
            said.append(f"It passed with one of them changed: {', '.join(passed[:-1])} or {passed[-1]}.")
        return said

    def remarks(self, finding: Causes) -> list[str]:
        left = "1 failing run is" if finding.unexplained == 1 else f"{finding.unexplained} failing runs are"
        it = "it" if len(finding.details) == 1 else "them"
        missing = [f"{left} not explained by {it}."] if finding.details and finding.unexplained else []
        return [*missing, *filter(None, [self.guarantee(finding)]), *self.notes(finding)]

    def guarantee(self, finding: Causes) -> str:
        """Say what is known about causes that were not found; empty if nothing is known."""
        return " ".join(dict.fromkeys(map(sentence, finding.guarantee)))

    def notes(self, finding: Causes) -> list[str]:
        """Return sentences about anything else that the user should know."""
        return list(map(sentence, finding.notes))

    def conditions(self, data: Data) -> list[str]:
        return [cause["text"] for cause in data["causes"] if literals(cause)]

    def certainty(self, data: Data) -> Certainty | None:
        causes = data["causes"]
        if not causes:
            return None
        if all(cause["definitive"] for cause in causes):
            return Certainty("Every combination with these settings was run and failed.")
        sure = [cause["confidence"] for cause in causes if not cause["definitive"] and cause["confidence"] is not None]
        seen = f"{data['failing']:,} failing and {data['passing']:,} passing runs are known."
        if not sure:
            return Certainty(seen)
        which = "Of the least certain cause. " if len(causes) > 1 else ""
        return Certainty(f"{which}{seen}", "confidence", min(sure))

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        known = instances(run)
        return {
            "weights": evidence_rows(data),
            "shown": [
                _show_cause(run, known, cause, number < MAX_DRAWN) for number, cause in enumerate(data["causes"])
            ],
            "alone": None if data["causes"] else draw_parallel(run, None, known),
            "runs": list_runs(data, known),
        }


PRESENTER = CausesPresenter()


def _headline(finding: Causes) -> str:
    known = f"{_runs(finding.failing)} failed and {finding.passing} passed"
    settings = "1 setting" if finding.of == 1 else f"{finding.of} settings"
    if not finding.details:
        return f"No cause is known ({settings}; {known})."
    if finding.details[0].conjunction == Conjunction():
        it = "It" if finding.tested else "Judging by the history alone, it"
        return f"{it} fails whatever the {settings} {'is' if finding.of == 1 else 'are'}: {known}."
    several = f"one of these {len(finding.details)} causes holds"
    hope = "It fails whenever" if finding.complete else "So far, it seems to fail whenever"
    if finding.complete and not DOUBTS.isdisjoint(finding.notes):
        hope = "It seems to fail whenever"
    if not finding.tested:
        hope = "Judging by the history alone, it seems to fail whenever"
    return f"{hope} {'this holds' if len(finding.details) == 1 else several} ({settings}; {known}):"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"


def _all_combinations(count: int) -> str:
    return "The only combination" if count == 1 else "Both combinations" if count == 2 else f"All {count} combinations"


def _percent(share: float) -> str:
    return "more than 99%" if share > 0.99 else f"{share:.0%}"


# The evidence for and against each cause


def evidence_rows(data: Data) -> list[dict[str, str]]:
    """Return a row for each cause.

    It says how many runs support the cause, how many contradict it, and which combinations were not tried.
    """
    return [
        {
            "text": to_one_line(cause["text"], 400),
            "failed": amount(cause["support"]),
            "now": amount(cause["attempts"]) if cause["attempts"] else "",
            "passed": amount(cause["passed"]) if cause["passed"] else "",
            "tried": _untried_text(cause),
            "sure": _confidence_text(cause),
        }
        for cause in data["causes"]
        if literals(cause)
    ]


def _untried_text(cause: Data) -> str:
    if cause["definitive"]:
        return "none: all were run"
    if not cause["size"]:
        return "some numbers in between"  # its bounds are finer than the values of the universe
    if cause["size"] >= 10**9:
        return f"nearly all of {amount(cause['size'])}"
    return f"{amount(cause['size'] - cause['support'] - cause['passed'])} of {amount(cause['size'])}"


def _confidence_text(cause: Data) -> str:
    if cause["definitive"]:
        return "certain"
    sure = cause["confidence"]
    return "" if sure is None else "more than 99%" if sure > 0.99 else f"{sure:.0%}"


# One cause


def _show_cause(run: Run, known: Instances, cause: Data, drawn: bool) -> dict[str, Any]:
    """Return the sentences, the figure and the rows of one cause.

    Sentences that say the same as the rows are left out. ``drawn``: include the figure.
    """
    rows = neighbours(cause)
    said = cause["evidence"][: 1 if rows else None]
    return {"cause": cause, "said": said, "rows": rows, "figure": draw_parallel(run, cause, known) if drawn else None}


def neighbours(cause: Data) -> list[dict[str, Any]]:
    """Return a row for each setting that a cause names, with a run that has another value there and passed.

    ``says``: the cause's condition on the setting; ``passed``: its value in the passing run, empty if no such run is
    known; ``others``: the other settings of that run. There are no rows if no such run is known for any setting.
    """
    if not cause["needed"]:
        return []
    runs = {needed["field"]: needed["configuration"] for needed in cause["needed"]}
    said = literals(cause)
    named = [literal.field for literal in said]
    return [{"says": str(literal), **_passing_run(literal.field, named, runs)} for literal in said]


def _passing_run(field: str, named: list[str], runs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if field not in runs:
        return {"passed": "", "others": [], "more": 0}
    run = runs[field]
    others = [name for name in dict.fromkeys([*named, *run]) if name != field]
    return {
        "passed": _setting(field, run[field]),
        "others": [_setting(name, run[name]) for name in others[:MAX_SETTINGS]],
        "more": max(0, len(others) - MAX_SETTINGS),
    }


def _setting(field: str, value: Any) -> str:
    return f"{field_text(field)} = {value_text(read_value(value))}"


# The runs behind the answer


def list_runs(data: Data, known: Instances) -> dict[str, Any] | None:
    """Return the runs behind the answer, each with its origin; None if none is known."""
    if not len(known):
        return None
    inside = [known.inside(literals(cause)) for cause in data["causes"]]
    named = dict.fromkeys(one.field for cause in data["causes"] for one in literals(cause))
    order = [name for name in dict.fromkeys([*named, *known.settings]) if name in known.settings]
    settings = [known.settings[name] for name in order[:MAX_COLUMNS]]
    rows = [
        {
            "failed": known.failed[at],
            "origin": known.origin[at],
            "causes": [number for number, held in enumerate(inside, 1) if held[at]],
            "values": [to_one_line(text(one.values[one.index[at]]), MAX_VALUE_LENGTH) for one in settings],
        }
        for at in range(min(len(known), MAX_RUNS))
    ]
    return {
        "origins": known.counts(),
        "names": [to_one_line(field_text(one.name), MAX_VALUE_LENGTH) for one in settings],
        "rows": rows,
        "total": len(known),
        "columns_more": len(order) - len(settings),
    }
