"""Sentences about a condition that is unknown, or not known to the last digit."""

from __future__ import annotations

from rootward.facts import Fact
from rootward.rules.quantity import Quantity
from rootward.rules.text import field_text, value_text
from rootward.searches.conditions import facts
from rootward.words import count


def sentence(fact: Fact) -> str:
    """Return the sentence for a fact about a condition."""
    match fact:
        case facts.NoCondition(fails, passes, of):
            return no_condition(fails, passes, of)
        case facts.FieldsUnknown(of):
            return f"It is not known yet which of the {of} fields matter."
        case facts.NotSimple():
            return "No simple condition explains all runs: the search gave up, and its answer may be wrong."
        case facts.FewTried(name, tried, values):
            what = f"{count(tried, 'text')} in" if values is None else f"{tried} of {count(values, 'value')} of"
            was = "was" if tried == 1 else "were"
            return f"Only {what} {field_text(name)} {was} tried; others may behave differently."
        case facts.UndefinedQuantity(name, undefined, runs):
            return f"{name} has no value in {undefined} of {count(runs, 'run')}: its definition raises there."
        case facts.OpenConstant(quantity, constant, low, high):
            compared = f"{_quantity_text(quantity)} is compared with {value_text(constant)}"
            return f"Where {compared}, the exact bound may lie anywhere {_between(low, high)}."
        case facts.OpenBound(quantity, low, high):
            return f"The exact bound on {_quantity_text(quantity)} may lie anywhere {_between(low, high)}."
    raise TypeError(f"no words for {fact!r}")


def no_condition(fails: int, passes: int, of: int, *, yet: bool = False) -> str:
    """Say that the runs show no condition on the fields.

    ``of`` is the number of fields. ``yet``: the search did not finish.
    """
    runs = fails + passes
    if not runs:
        return "No condition is known: no run was judged."
    if not fails:
        return f"No condition is known: it never failed in {count(runs, 'run')}."
    if passes:
        return f"No condition is known{' yet' if yet else ''}: {fails} of {runs} runs failed."
    if fails == 1:
        return "No condition is known: it failed in the only run."
    fields = "the only field" if of == 1 else f"the {of} fields"
    return f"It failed in all {fails} runs, whatever the values of {fields}."


def _quantity_text(quantity: str) -> str:
    return quantity if isinstance(quantity, Quantity) else field_text(quantity)


def _between(low: object, high: object) -> str:
    return f"between {value_text(low)} and {value_text(high)}"
