"""Phrases about a table of earlier runs. They are not whole sentences, because they follow a colon."""

from __future__ import annotations

from rootward.facts import Fact
from rootward.formats.tables import facts
from rootward.formats.tables.facts import Odd
from rootward.space.fields import join
from rootward.words import count

ODD = {
    Odd.MIXED: "a mixture of types, such as numbers and text; treated as values without an order",
    Odd.MISSING: "missing in some runs; a missing value is treated as a value of its own",
    Odd.DIFFERENT: "different in every run; if this is not a setting, ignore it",
    Odd.RESULT: "named like a result; if this is not a setting, ignore it",
}


def phrase(fact: Fact) -> str:
    """Return the phrase for a fact about a table, without a full stop."""
    match fact:
        case facts.OddColumns(columns, odd):
            return f"{join(columns)}: {ODD[odd]}"
        case facts.NamelessColumn():
            return "a column without a name is left out"
        case facts.IgnoredColumns(columns):
            return f"the column{'s' * (len(columns) > 1)} {join(columns)} {_is_or_are(len(columns))} left out"
        case facts.SetAside(reasons):
            return f"some runs are left out ({', '.join(f'{number:,} {why}' for why, number in reasons)})"
        case facts.LaterRuns(runs):
            return f"{count(runs, 'run')} after the given date {_is_or_are(runs)} left out"
        case facts.UndatedRuns(runs):
            return f"{count(runs, 'run')} without a time {_is_or_are(runs)} left out"
        case facts.UnjudgedRuns(runs):
            return f"{count(runs, 'run')} could not be judged"
        case facts.RepeatedRuns(runs):
            return f"{count(runs, 'run')} repeated the configuration of an earlier one"
        case facts.Contradictions(configurations):
            return f"{count(configurations, 'configuration')} both passed and failed"
        case facts.NoRun(failed):
            return f"no run {'failed' if failed else 'passed'}"
    raise TypeError(f"no words for {fact!r}")


def _is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"
