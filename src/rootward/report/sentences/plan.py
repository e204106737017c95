"""Sentences about the plan of a diagnosis: why each step is taken or left out."""

from __future__ import annotations

from collections.abc import Sequence

from rootward.explanation import reasons
from rootward.explanation.reasons import Reason
from rootward.facts import Fact
from rootward.words import count, plural

REASONS = {
    Reason.FAILS: "Does it fail every time?",
    Reason.FAILS_AGAIN: "Does a run that failed fail again, every time?",
    Reason.NO_FAILURE_GIVEN: "No failing configuration is given: which one fails?",
    Reason.NO_FAILURE_BEFORE: "If none of the earlier runs failed: with which settings does it fail?",
    Reason.CONDITION: "Under which exact condition on the fields that matter does it fail?",
    Reason.OTHER_REASON: "Does it also fail for another reason?",
    Reason.ELSEWHERE: "Does it also fail elsewhere, for another reason?",
    Reason.SIMPLEST: "Does a simpler input fail, too, and where next to it does it pass?",
    Reason.UNSEEN_RUNS: "Does that hold on fresh runs?",
    Reason.UNSEEN_FIELDS: "Does that hold on fresh runs, whatever the values of the fields that do not matter?",
    Reason.NOT_WANTED: "You asked to skip it.",
    Reason.ELEMENTS_FIRST: "There are elements, and these come first: the table is not examined.",
    Reason.BUDGET_LEFT: "Some of the budget was left: the steps that it had cut short continue.",
}


def plan(steps: Sequence[tuple[str, float | None, Fact]]) -> str:
    """Describe the steps of a plan.

    Each step is a name, a share of the budget and a reason. The share is None if the step is left out.
    """
    width = max(len(name) for name, _, _ in steps)
    lines = [
        f"  {name:<{width}}  {'skip' if share is None else f'{share:>4.0%}'}  {reason(why)}"
        for name, share, why in steps
    ]
    return "\n".join(["The steps, each with the share of the remaining budget that it may use:", *lines])


def reason(fact: Fact) -> str:
    """Return the sentence that says why a step is taken or left out."""
    match fact:
        case Reason():
            return REASONS[fact]
        case reasons.Needed(elements, noun):
            return f"There are {count(elements, noun)}: which of them are needed to make it fail?"
        case reasons.NoValues(noun):
            return f"The {plural(noun)} hold no values that could be varied."
        case reasons.InOrder(noun):
            return f"Does the order of the remaining {plural(noun)} matter?"
        case reasons.ValuesMatter(noun, values):
            return f"If the remaining {plural(noun)} hold more than {values} values: which of these matter?"
        case reasons.ValuesFail(noun):
            return f"For which values in the remaining {plural(noun)} does it fail?"
        case reasons.WhereToCheck(nodes, checks):
            why = f"after which of its {count(nodes, 'node')} does a check help most?"
            then = "so causes before and after one are searched for separately."
            then = f"The subject has checks, {then}" if checks else "Nothing is run for this."
            return f"The graph of the pipeline is known: {why} {then}"
        case reasons.Combinations(settings):
            return f"There are earlier runs with {count(settings, 'setting')}: which combinations always fail?"
        case reasons.FieldsMatter(fields, few):
            if few:
                return f"There are only {count(fields, 'field')}: all can be examined together."
            return f"There are {count(fields, 'field')}: which of them matter, and with which values?"
        case _:
            return _table_reason(fact)


def _table_reason(fact: Fact) -> str:
    match fact:
        case reasons.FailsWith(table):
            return f"Does it fail every time with {table}?"
        case reasons.RowsMatter(good, None):
            return f"{good} is a good version: which rows and cells must be taken from it to make it pass?"
        case reasons.RowsMatter(good, bad):
            which = "which rows and cells must be taken from it to make failing settings pass?"
            return f"{good} is a good version of {bad}: {which}"
        case reasons.BothWays(good):
            return f"Does it pass every time with these repaired, and does {good} fail with only these changes?"
        case reasons.NotNamed(table):
            return f"No field has {table} among its values: the table is not examined."
        case reasons.Departures(recordings):
            many = count(recordings, "recording")
            return (
                f"There is a model and {many}: where do they depart from it, and which few causes explain that? "
                "Nothing is run."
            )
    raise TypeError(f"no words for {fact!r}")
