"""A product set: which fields and values trigger the failure, and how well that describes it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rootward.report.figures.charts import bound
from rootward.report.figures.field_values import tried
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run
from rootward.report.sentences.triggers import phrase
from rootward.rules.text import field_text, value_text
from rootward.searches.products.product_set import Interaction, ProductSet
from rootward.searches.products.values import Values
from rootward.words import count


class TriggersPresenter(Presenter[ProductSet]):
    template = "triggers.html"
    relation = staticmethod(phrase)
    joined_by = "and"
    checked_later = True

    def words(self, finding: ProductSet) -> str:
        lines = [_headline(finding)]
        lines += ["Changed on its own, each of them may have these values:"] if finding.groups else []
        lines += [*_lines(finding.sets), *map(self.interaction, finding.groups)]
        for other in finding.others:
            lines += ["It also fails outside of this set, where:", *_lines(other)]
        lines += self.remarks(finding)
        return "\n".join([*lines, *([f"Failure: {finding.signature}"] if finding.signature else [])])

    def line(self, finding: ProductSet) -> str:
        return f"It fails when {finding.rule}" if finding.sets and not finding.groups else super().line(finding)

    def interaction(self, group: Interaction) -> str:
        """Fields that do not act each for itself, in a sentence."""
        names = _joined(group.fields)
        failed = sum(fails for _, fails in group.table)
        seen = f" ({failed} of {len(group.table)} combinations tried fail)" if group.table else ""
        if group.relation is None:
            return f"{names} depend on each other{seen}."
        return f"{names} depend on each other: it fails where {phrase(group.relation)}{seen}."

    def remarks(self, finding: ProductSet) -> list[str]:
        remarks = [_precision(finding)] if finding.verified else []
        if finding.unsteady:
            remarks.append(
                "The same configuration was seen to fail and to pass: the failure does not show every time. "
                "Run it again as flaky (--flaky yes), for this answer may be wrong."
            )
        elif not finding.fits:
            remarks.append("No single product set describes this fault: take the sets as a hint, not as the condition.")
        if finding.confidence < 1:
            remarks.append(
                f"It was taken to fail in {finding.rate:.0%} of the runs that trigger it; no triggering value is "
                f"missing with a confidence of {finding.confidence:.0%}."
            )
        if finding.unjudged:
            runs = "1 run" if finding.unjudged == 1 else f"{finding.unjudged} runs"
            remarks.append(f"{runs} could not be judged, or failed in another way; they count as not failing.")
        if finding.thinned:
            many = f"Not all values of {_joined(finding.thinned)} were tried"
            remarks.append(
                f"{many}: if they have an order, those between two that are alike are taken to be like them."
            )
        return remarks

    def conditions(self, data: Data) -> list[str]:
        return [f"{field_text(row['field'])} in {row['text']}" for row in data["sets"]]

    def certainty(self, data: Data) -> Certainty | None:
        precision, runs = data["precision"], data["verified"]
        if not runs or precision["value"] is None:
            return Certainty("How much of it fails was not measured.")
        said = f"{round(precision['value'] * runs):,} of {count(runs, 'random member')} of the set failed."
        return Certainty.measured(said, "precision", precision)

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        # The precision is the first remark if it was measured; the page says it at its top.
        remarks = data["remarks"][1:] if data["verified"] else data["remarks"]
        return {"remarks": remarks, "tried": partial(tried, run), "bound": bound(data)}

    def fields(self, data: Data) -> list[str]:
        return list(dict.fromkeys([*(row["field"] for row in data["sets"]), *super().fields(data)]))


PRESENTER = TriggersPresenter()


def _headline(finding: ProductSet) -> str:
    matter, rest = len(finding.sets), finding.of - len(finding.sets)
    which = f"these {matter} of {finding.of} fields have these values"
    if matter == 1:
        which = f"{f'this one of {finding.of} fields' if rest else 'the field'} has one of these values"
    if not finding.complete:
        kept = "while all other fields keep theirs" if matter else "as it was found; no field is known to matter yet"
        when = f"when {which}, " if matter else ""
        return f"It fails {when}{kept} (the search did not end: {_fields(finding.open)} not fully tried)."
    if not matter:
        return f"It fails whatever the values: {_none_of(rest)}."
    others = f"; {_none_of(rest, 'other ')}" if rest else ""
    if finding.groups:
        return f"These {matter} of {finding.of} fields matter, but not each for itself{others}."
    return f"It fails when {which}{others}."


def _precision(finding: ProductSet) -> str:
    value, low, _ = finding.precision
    members = f"{round(value * finding.verified)} of {finding.verified} random members of the set failed"
    return f"Precision {value:.2f} (at least {low:.2f}): {members}."


def _fields(count: int) -> str:
    return "1 field is" if count == 1 else f"{count} fields are"


def _none_of(count: int, which: str = "") -> str:
    return f"the {which}field does not matter" if count == 1 else f"the {which}{count} fields do not matter"


def _lines(sets: Mapping[str, Values]) -> list[str]:
    return [f"  {field_text(name)} in set {values}{_ends(values)}" for name, values in sets.items()]


def _ends(values: Values) -> str:
    """Where triggering ends, for a range: the values tried may be far apart."""
    beside = " and ".join(map(value_text, values.beside))
    return f" ({beside} stop{'s' * (len(values.beside) == 1)} it)" if len(values.listed) > 2 and beside else ""


def _joined(names: tuple[str, ...], shown: int = 5) -> str:
    texts = [field_text(name) for name in names[:shown]]
    if len(names) > shown:
        texts.append(f"{len(names) - shown} more")
    return " and ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])} and {texts[-1]}"
