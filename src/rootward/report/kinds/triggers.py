"""A product set: the fields and values that trigger the failure, and how well they describe it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rootward.report.figures.charts import draw_bounds
from rootward.report.figures.field_values import draw_values
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
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
        lines = [_headline(finding), *failure_lines(finding.signature, finding.error), *steadiness_lines(finding)]
        lines += ["If only one of them is changed, it still fails with these values:"] if finding.groups else []
        lines += [*_set_lines(finding.sets), *map(self.interaction, finding.groups)]
        for other in finding.others:
            lines += ["It also fails outside this set, where:", *_set_lines(other)]
        return "\n".join([*lines, *self.remarks(finding)])

    def line(self, finding: ProductSet) -> str:
        return f"It seems to fail when {finding.rule}" if finding.sets and not finding.groups else super().line(finding)

    def interaction(self, group: Interaction) -> str:
        """Return the sentence about fields that depend on each other."""
        names = _join_names(group.fields)
        failed = sum(fails for _, fails in group.table)
        seen = f" ({failed} of {len(group.table)} combinations tried failed)" if group.table else ""
        if group.relation is None:
            return f"{names} depend on each other{seen}."
        return f"{names} depend on each other: it fails where {phrase(group.relation)}{seen}."

    def remarks(self, finding: ProductSet) -> list[str]:
        remarks = [_precision(finding)] if finding.verified else []
        if finding.unsteady:
            remarks.append(
                "The same configuration both failed and passed: the failure does not occur every time, and this "
                "answer may be wrong. Run it again with --flaky yes (in Python: flaky=True)."
            )
        elif not finding.fits:
            remarks.append("No single product set describes this fault: take the sets as a hint, not as the condition.")
        if finding.confidence < 1:
            remarks.append(
                f"If triggering runs fail {finding.rate:.0%} of the time, as assumed, no triggering value is missing, "
                f"with {finding.confidence:.0%} confidence."
            )
        if finding.unjudged:
            runs = "1 run" if finding.unjudged == 1 else f"{finding.unjudged} runs"
            remarks.append(f"{runs} could not be judged, or failed in another way; they count as not failing.")
        if finding.thinned:
            many = f"Not all values of {_join_names(finding.thinned)} were tried"
            remarks.append(
                f"{many}: if they have an order, values between two that behave alike are assumed to behave like them."
            )
        return remarks

    def conditions(self, data: Data) -> list[str]:
        return [f"{field_text(row['field'])} in {row['text']}" for row in data["sets"]]

    def certainty(self, data: Data) -> Certainty | None:
        precision, runs = data["precision"], data["verified"]
        if not runs or precision["value"] is None:
            return Certainty("Its precision was not measured.")
        said = f"{round(precision['value'] * runs):,} of {count(runs, 'random member')} of the set failed."
        return Certainty.of_measure(said, "precision", precision)

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        # If the precision was measured, it is the first remark; the top of the page says it already.
        remarks = data["remarks"][1:] if data["verified"] else data["remarks"]
        return {"remarks": remarks, "tried": partial(draw_values, run), "bound": draw_bounds(data)}

    def fields(self, data: Data) -> list[str]:
        return list(dict.fromkeys([*(row["field"] for row in data["sets"]), *super().fields(data)]))


PRESENTER = TriggersPresenter()


def _headline(finding: ProductSet) -> str:
    matter, rest = len(finding.sets), finding.of - len(finding.sets)
    which = f"these {matter} of {finding.of:,} fields have these values"
    if matter == 1:
        which = f"{f'this field (1 of {finding.of})' if rest else 'the field'} has one of these values"
    if not finding.complete:
        kept = "and all other fields keep theirs" if matter else "as it was given; no field is known to matter yet"
        when = f"seems to fail when {which}" if matter else "fails"
        return f"It {when} {kept} (the search did not finish: {_fields_are(finding.open)} not fully tried)."
    if not matter:
        return f"It seems to fail whatever the values: {_no_field_matters(rest)}."
    others = f"; {_no_field_matters(rest, 'other ')}" if rest else ""
    if finding.groups:
        return f"{matter} of {finding.of:,} fields matter, only in combination{others}."
    return f"It seems to fail when {which}{others}."


def _precision(finding: ProductSet) -> str:
    value, low, _ = finding.precision
    members = f"{round(value * finding.verified)} of {finding.verified} random members of the set failed"
    return f"Precision {value:.2f} (at least {low:.2f}): {members}."


def _fields_are(count: int) -> str:
    return "1 field is" if count == 1 else f"{count} fields are"


def _no_field_matters(count: int, which: str = "") -> str:
    return f"the {which}field does not matter" if count == 1 else f"the {which}{count:,} fields do not matter"


def _set_lines(sets: Mapping[str, Values]) -> list[str]:
    return [f"  {field_text(name)} in set {values}{_range_ends(values)}" for name, values in sets.items()]


def _range_ends(values: Values) -> str:
    """Name the tried values just outside a range. They do not trigger the failure.

    They may be far from the ends of the range, if no value between was tried.
    """
    beside = " and ".join(map(value_text, values.border_values))
    return (
        f" ({beside} do{'es' * (len(values.border_values) == 1)} not trigger it)"
        if len(values.listed) > 2 and beside
        else ""
    )


def _join_names(names: tuple[str, ...], shown: int = 5) -> str:
    texts = [field_text(name) for name in names[:shown]]
    if len(names) > shown:
        texts.append(f"{len(names) - shown} more")
    return " and ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])} and {texts[-1]}"
