"""What is said of the plan of a diagnosis: why each step is taken, or left out."""

from __future__ import annotations

from collections.abc import Sequence

from rootward.explanation import reasons
from rootward.explanation.reasons import Reason
from rootward.facts import Fact
from rootward.words import count

REASONS = {
    Reason.FAILS: "Does it fail, and every time?",
    Reason.FAILS_AGAIN: "Does a run that failed fail again, and every time?",
    Reason.NO_FAILURE_GIVEN: "No failing configuration is given: one is looked for.",
    Reason.NO_FAILURE_BEFORE: "If none of the earlier runs failed: with which settings does it fail?",
    Reason.CONDITION: "Under which exact condition on the fields that matter does it fail?",
    Reason.OTHER_REASON: "Does it also fail for another reason?",
    Reason.ELSEWHERE: "Does it also fail elsewhere, for another reason?",
    Reason.UNSEEN_RUNS: "Is that true of runs that have not been seen?",
    Reason.UNSEEN_FIELDS: "Is that true of runs that have not been seen, whatever the fields that do not matter?",
    Reason.NOT_WANTED: "You do not want it.",
    Reason.ELEMENTS_FIRST: "There are elements, and these come first: the table is not looked into.",
    Reason.BUDGET_LEFT: "Some of the budget was left: the steps that it had cut go on.",
}


def plan(steps: Sequence[tuple[str, float | None, Fact]]) -> str:
    """The steps of a plan: their names, their shares of the budget (None: left out), and why."""
    width = max(len(name) for name, _, _ in steps)
    lines = [
        f"  {name:<{width}}  {' out' if share is None else f'{share:>4.0%}'}  {reason(why)}"
        for name, share, why in steps
    ]
    return "\n".join(["The steps, and how much of what is then left of the budget each may use:", *lines])


def reason(fact: Fact) -> str:
    """Why a step is taken, or left out, as a person reads it."""
    match fact:
        case Reason():
            return REASONS[fact]
        case reasons.Needed(elements, noun):
            return f"There are {count(elements, noun)}: which of them are needed to fail?"
        case reasons.NoValues(noun):
            return f"The {noun}s hold no values that could be varied."
        case reasons.InOrder(noun):
            return f"Of the {noun}s that are left, does their order matter?"
        case reasons.ValuesMatter(noun, values):
            return f"If the {noun}s that are left hold more than {values} values: which of these matter?"
        case reasons.ValuesFail(noun):
            return f"For which values inside of the {noun}s that are left does it fail?"
        case reasons.WhereToCheck(nodes, checks):
            why = f"after which of its {count(nodes, 'node')} does a check tell most?"
            then = "so the causes before one and behind it are searched for one after the other."
            then = f"The subject has checks, {then}" if checks else "Nothing is run for it."
            return f"The graph of the pipeline is known: {why} {then}"
        case reasons.Combinations(settings):
            return f"There are earlier runs with {count(settings, 'setting')}: which combinations always fail?"
        case reasons.FieldsMatter(fields, few):
            if few:
                return f"There are only {count(fields, 'field')}: all can be looked at at once."
            return f"There are {count(fields, 'field')}: which of them matter, and with which values?"
        case _:
            return _of_tables(fact)


def _of_tables(fact: Fact) -> str:
    match fact:
        case reasons.FailsWith(table):
            return f"Does it fail with {table}, and every time?"
        case reasons.RowsMatter(good, None):
            return f"{good} is a good version: which rows and cells have to be as in there for it to pass?"
        case reasons.RowsMatter(good, bad):
            which = "which of its rows and cells have to be as in there for it to pass?"
            return f"{good} is a good version of {bad}: with settings with which it fails, {which}"
        case reasons.BothWays(good):
            return f"Does it pass every time with these repaired, and does {good} fail with them alone?"
        case reasons.NotNamed(table):
            return f"No field has {table} among its values: the table is not looked into."
        case reasons.Departures(recordings):
            many = count(recordings, "recording")
            return (
                f"There is a model, and {many}: where do they depart from it, and for which few causes? Nothing is run."
            )
    raise TypeError(f"no words for {fact!r}")
