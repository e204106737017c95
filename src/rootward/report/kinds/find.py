"""Failures that a search for failing inputs found: one input for each signature, and what was tried."""

from __future__ import annotations

from collections.abc import Iterator

from rootward.report.kinds.presenter import Certainty, Data, Presenter, failure_lines
from rootward.rules.text import field_text, value_text
from rootward.searches.exploration.failures import Failure, Failures
from rootward.words import count

MAX_FIELDS = 8
"""Maximum number of fields printed for an input."""
MAX_FAILURES = 6
"""Maximum number of failures printed."""
STAGES = {
    "nominal": "as given",
    "natural": "with only ordinary values",
    "values": "with all fields changed",
    "mutations": "with groups of fields changed",
    "pairs": "to cover pairs of values",
    "triples": "to cover triples of values",
    "spread": "spread over the ranges",
    "random": "at random",
}
"""The words for the runs of each stage of the search."""


class FindPresenter(Presenter[Failures]):
    def words(self, finding: Failures) -> str:
        told = [line for failure in finding.failures[:MAX_FAILURES] for line in _describe_failure(finding, failure)]
        left = len(finding.failures) - MAX_FAILURES
        more = [f"... and {count(left, 'more failure')}"] if left > 0 else []
        return "\n".join([_headline(finding), *told, *more, *self.remarks(finding)])

    def line(self, finding: Failures) -> str:
        if not finding.failures:
            return super().line(finding)
        first = finding.failures[0]
        names = first.changed or first.configuration
        return f"It fails with {', '.join(f'{name} = {value_text(first.configuration[name])}' for name in names)}"

    def remarks(self, finding: Failures) -> list[str]:
        if not finding.runs:
            return []
        kinds = [f"{finding.tried[stage]:,} {words}" for stage, words in STAGES.items() if finding.tried.get(stage)]
        unjudged, they = count(finding.unjudged, "run"), "it fails" if finding.unjudged == 1 else "they fail"
        return [
            f"Runs: {', '.join(kinds)}.",
            *([] if finding.failures else [_coverage(finding)]),
            *([f"{unjudged} could not be judged, so it is not known whether {they}."] if finding.unjudged else []),
        ]

    def certainty(self, data: Data) -> Certainty | None:
        if data["found"]:
            return Certainty("Each of these inputs was run and failed.")
        if data["exhausted"]:
            return Certainty("Every possible input was run.")
        values, pairs = data["covered"]["values"], data["covered"]["pairs"]
        both = "" if pairs is None else f", and {pairs:.0%} of their pairs"
        return Certainty(f"The runs covered {values:.0%} of the values to try{both}.")


PRESENTER = FindPresenter()


def _headline(finding: Failures) -> str:
    if not finding.runs:
        return "No failure is known: nothing was run."
    if not finding.failures:
        return f"No failure was found in {count(finding.runs, 'run')}."
    if finding.tried.get("nominal", 0) == finding.runs:
        return "An input that should work fails."
    if len(finding.failures) == 1 and finding.failures[0].seen == finding.runs > 1:
        return f"All {finding.runs:,} runs failed in the same way."
    if len(finding.failures) == 1:
        return f"A failure was found in run {finding.first:,} of {finding.runs:,}."
    found = f"{len(finding.failures)} different failures were found in {finding.runs:,} runs"
    return f"{found}, the first in run {finding.first:,}."


def _describe_failure(finding: Failures, failure: Failure) -> Iterator[str]:
    often = f"seen {'once' if failure.seen == 1 else f'{failure.seen} times'}"
    yield f"Failure: {failure.signature}, {often}" if failure.signature else f"Failure: {often}"
    yield from failure_lines(failure.signature, failure.error)[1:]
    names, total = failure.changed, len(failure.configuration)
    if not finding.given and total <= MAX_FIELDS:
        names = tuple(failure.configuration)
    for name in names[:MAX_FIELDS]:
        yield f"  {field_text(name)} = {value_text(failure.configuration[name])}"
    if len(names) > MAX_FIELDS:
        yield f"  and {count(len(names) - MAX_FIELDS, 'more field')} changed"
    if len(names) < total:
        others = "all fields" if not names else "the others" if total - len(names) > 1 else "the other one"
        yield f"  {others} {'as in an input that should work' if finding.given else 'with ordinary values'}"


def _coverage(finding: Failures) -> str:
    """Say how much of the space the runs covered. This is shown if nothing failed."""
    if finding.exhausted and not finding.unjudged:
        return "These are all configurations that may be run: there is no failure."
    covered = finding.covered
    share = f"They covered {_percent(covered.values)} of the values to try"
    about = "about " * covered.sampled
    both = "" if covered.pairs is None else f", and {about}{_percent(covered.pairs)} of their pairs"
    return f"{share}{both}. A failure that needs other values or combinations is still possible."


def _percent(share: float) -> str:
    """Write a share in percent. ``100%`` and ``0%`` are written only if they are exact."""
    return f"{min(max(share, 0.001), 0.999):.1%}" if 0 < share < 1 else f"{share:.0%}"
