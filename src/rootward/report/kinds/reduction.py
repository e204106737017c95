"""A reduction: the elements that are enough to make it fail, where they are, and how often they fail."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from rootward.report.figures.charts import draw_curve, draw_rates
from rootward.report.figures.scene_map import draw_maps
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
from rootward.rules.score import Estimate
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.reduction import Reduction, element_text
from rootward.words import count, plural

MAX_PRINTED = 10
"""Maximum number of elements printed; if there are more, the number of the others is printed."""
MAX_NAMED = 5
"""Maximum number of elements named in the answer; if there are more, a page names none: a few would say nothing."""
_DATA_URI = re.compile(r"data:image/(?:png|gif|jpeg|webp);base64,[A-Za-z0-9+/]+=*")


class ReductionPresenter(Presenter[Reduction[Any]]):
    template = "reduction.html"
    joined_by = "and"

    def words(self, finding: Reduction[Any]) -> str:
        failure = [*failure_lines(finding.signature, finding.error), *steadiness_lines(finding)]
        listed = _element_lines(finding.selection.kept, finding.kept)
        return "\n".join([self.about(finding, "It"), *failure, *_rates(finding), *listed])

    def line(self, finding: Reduction[Any]) -> str:
        elements = finding.selection.elements
        kept = ", ".join(str(element).strip() for element in finding.kept[:MAX_NAMED])
        return f"{len(finding.kept)} of {count(len(elements), elements.noun)} needed: {kept}"

    def about(self, finding: Reduction[Any], name: str) -> str:
        return _headline(finding, name)

    def conditions(self, data: Data) -> list[str]:
        return [one["element"].strip() for one in data["kept"]] if len(data["kept"]) <= MAX_NAMED else []

    def certainty(self, data: Data) -> Certainty | None:
        noun, kept, result = data["noun"], len(data["kept"]), data["result"]
        if data["original"] and result:
            sure = data["confidence"]
            often = f"at least {data['share']:.0%} as often as all {data['of']:,} {plural(noun)}"
            said = "" if sure is None else f" With {min(99, math.floor(100 * sure))}% confidence, that is {often}."
            found = Certainty.of_measure(
                f"This is how often the kept {noun}{'s' if kept > 1 else ''} fail{'s' * (kept == 1)}.{said}",
                "failure rate",
                result,
            )
            return replace(found, question="How often does it fail?")
        if not kept:
            return None
        if data["minimal"]:
            each = f"Each of the {kept:,} {plural(noun)} was" if kept > 1 else f"The {noun} was"
            return Certainty(f"{each} shown to be needed: without it, the failure did not occur.")
        return Certainty(
            f"The kept {noun}{'s' if kept > 1 else ''} did fail. It was not shown whether fewer are enough."
        )

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        return {
            "maps": draw_maps(data),
            "pictures": pictures(data),
            "drawn": [figure for figure in (draw_rates(data), draw_curve(data)) if figure],
            "excerpt": data.get("excerpt"),
        }

    def is_about(self, trials: Data, data: Data) -> bool:
        return bool(trials["of"] == data["of"])


PRESENTER = ReductionPresenter()


def pictures(data: Data) -> list[Markup]:
    """Return the pictures that a run attached to the finding, as data URIs. Anything else is dropped.

    They are marked as markup, because any other long text in a page is cut short.
    """
    return [Markup(uri) for uri in data.get("pictures") or () if isinstance(uri, str) and _DATA_URI.fullmatch(uri)]


def _headline(finding: Reduction[Any], it: str) -> str:
    selection = finding.selection
    noun, total = selection.elements.noun, len(selection.elements)
    found, asked = len(selection.free), len(selection) - len(selection.free)
    if len(selection) == 0:
        return f"{it} fails with no {plural(noun)} at all: the failure does not depend on them."
    if found == 0:
        return f"{it} fails with only the {plural(noun) if asked > 1 else noun} that had to stay."
    beside = f", together with the {asked if asked > 1 else 'one'} that had to stay" if asked else ""
    what = f"{found} of {total} {plural(noun)} {'is' if found == 1 else 'are'} enough to make it fail{beside}"
    if not finding.complete and len(selection) == total:
        return f"None of {total} {plural(noun)} is left out yet (the search did not finish)."
    if not finding.complete:
        return f"{what} (the search did not finish: fewer may be enough)."
    if not finding.minimal:
        return _not_minimal_headline(finding, what)
    rarely = "no longer fails" if finding.original is None else "fails much more rarely or not at all"
    if found == total == 1:
        return f"The only {noun} is needed: without it, it {rarely}."
    if found == total:
        return f"All {total} {plural(noun)} are needed: without any one of them it {rarely}."
    return f"{what}; without {'it,' if found == 1 else 'any one of them'} it {rarely}."


def _not_minimal_headline(finding: Reduction[Any], what: str) -> str:
    if len(finding.selection) < len(finding.selection.elements):
        return f"{what}; fewer may be enough."
    often = " to fail often enough" if finding.original else " to fail"
    return (
        f"No smaller part of the {len(finding.selection)} {plural(finding.selection.elements.noun)} was shown{often}."
    )


def _rates(finding: Reduction[Any]) -> list[str]:
    """Say how often the kept elements fail, and how often the original did."""
    unchanged = len(finding.selection) == len(finding.selection.elements)
    if finding.original is None or finding.result is None:
        return []
    if unchanged and finding.result.runs:
        return [f"It fails in {finding.original}."]
    return describe_rates(
        finding.original, finding.result, finding.share, finding.confidence, often=finding.often, again=finding.again
    )


def describe_rates(
    original: Rate | None,
    result: Rate | None,
    share: float,
    confidence: float | None,
    *,
    often: Estimate | None = None,
    again: Rate | None = None,
) -> list[str]:
    """Say how often a result fails, and how often the original did; nothing if that was not measured."""
    if original is None or result is None:
        return []
    if result.runs == 0:
        return [f"How often that fails has not been measured yet; the original failed in {original}."]
    now, before = often or result.estimate, original.estimate
    always = all(rate.fails == rate.runs for rate in (result, original))
    said = str(result) if again is None or always else f"about {now.value:.0%} of its runs"
    lines = [
        f"It fails in {said} ({now.low:.0%} to {now.high:.0%}); the original failed in {original} "
        f"({before.low:.0%} to {before.high:.0%})."
    ]
    if again is not None:
        lines.append(f"{_with_seeds(again, result.minus(again))}.")
    if confidence is not None:
        sure = min(99, math.floor(100 * confidence))
        lines.append(f"That is at least {share:.0%} as often as the original, with {sure}% confidence.")
    return lines


def _with_seeds(again: Rate, others: Rate) -> str:
    """Return a phrase with two failure rates.

    ``again``: with seeds for which the original failed; ``others``: with other seeds.
    """
    these = f"With {_seeds(again, '')} for which the original failed, it failed {_times(again.fails)}"
    if not others.runs:
        return these
    if not again.runs:
        return f"With {_seeds(others, '')}, it failed {_times(others.fails)}"
    return f"{these}; with {_seeds(others, 'other ')}, {_times(others.fails)}"


def _seeds(rate: Rate, which: str) -> str:
    return f"{rate.runs} {which}seed{'' if rate.runs == 1 else 's'}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _element_lines(positions: Sequence[int], items: list[Any]) -> list[str]:
    """Return a line for each kept element, numbered from 1 like the lines of a file."""
    shown = len(items) if len(items) <= MAX_PRINTED + 1 else MAX_PRINTED
    width = max((len(str(i + 1)) for i in positions[:shown]), default=0)
    lines = [f"  {i + 1:>{width}}  {_short(item)}" for i, item in zip(positions[:shown], items, strict=False)]
    return lines if shown == len(items) else [*lines, f"  ... and {len(items) - shown} more"]


def _short(item: object, limit: int = 100) -> str:
    text = element_text(item).rstrip("\r\n")
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    return text if len(text) <= limit else text[: limit - 3] + "..."
