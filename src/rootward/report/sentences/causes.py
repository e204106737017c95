"""Sentences about a search for causes: what it guarantees, and what the user should know besides the causes."""

from __future__ import annotations

from rootward.facts import Fact
from rootward.report.sentences import history
from rootward.rules.text import field_text, value_text
from rootward.searches.causes import facts
from rootward.searches.causes.facts import Remark, Rest

MAX_SETTINGS = 8
"""Maximum number of fixed settings that a sentence names."""
MIN_RUNS_FOR_SHARE = 8
"""The share of other combinations that fail is estimated only if more runs than this passed outside the causes."""

REST = {
    Rest.PASSED: "All other combinations were run and passed.",
    Rest.NOTHING_LEFT: "No other combination can be run.",
    Rest.NOT_EXPLAINED: "This explains one failing run; others may have other causes.",
}
REMARKS = {
    Remark.ALL_FORBIDDEN: "The constraints forbid every combination, so nothing can be run.",
    Remark.SINGLE_VALUES: "Every setting has a single value, so there is nothing to compare.",
    Remark.NO_FAILURE: "No run is known to fail, so there is nothing to explain.",
    Remark.NOT_EXPLAINED: (
        "A few causes do not explain all runs. There may be many causes, or the failure may depend on something that "
        "is not a setting."
    ),
    Remark.PASS_FAILS_NOW: (
        "A combination of settings that passed in the history fails now. Perhaps the history comes from another "
        "system, or something else has changed."
    ),
    Remark.FAILURE_PASSES_NOW: (
        "A combination of settings that failed in the history does not fail now. Perhaps the history comes from "
        "another system, or the failure is flaky."
    ),
    Remark.CHECK_NEVER_PASSED: "The check never passed, so the part after it could not be searched.",
    Remark.CHECK_DOES_NOT_ISOLATE: (
        "The check does not isolate the part before it: two runs that passed the check differ only in settings that "
        "it should cover, and one of them failed. So only runs with the values that are fixed now were used."
    ),
    Remark.ROW_BY_ROW: (
        "The parameters of this test are given row by row, so other combinations were not tried. To allow some, list "
        "them with @pytest.mark.rootward(space=...)."
    ),
    Remark.OTHER_PROCESSES: (
        "No further runs were made: with -n, tests run in other processes. Without -n, Rootward can find out more."
    ),
    Remark.SUBTESTS: "No further runs were made: each subtest of this test is reported separately.",
}


def sentence(fact: Fact) -> str:
    """Return the sentence for a fact about causes."""
    match fact:
        case Rest():
            return REST[fact]
        case Remark():
            return REMARKS[fact]
        case facts.PassedOutside(runs, causes):
            likely = f": of all other combinations, likely less than {3 / runs:.0%} fail"
            outside = "this cause" if causes == 1 else "these causes"
            spread = f"Then {runs} runs outside {outside}, as different as possible, all passed"
            return f"{spread}{likely * (runs > MIN_RUNS_FOR_SHARE)}."
        case facts.Certified():
            return _say_certified(fact)
        case facts.Survived(tests):
            return f"Each cause survived {tests} tests, or all there are; there may be causes that no run has shown."
        case facts.NothingRun(causes):
            return "Nothing was run; new runs may refute this." if causes else "Nothing was run."
        case facts.NotKnown(failing):
            which = "failing" if failing else "passing"
            return f"Shortcut needs a failing and a passing run, but no {which} run is known."
        case facts.GivenUp(runs):
            return f"The search gave up: the last {runs} runs could not be judged."
        case facts.Unjudged(runs):
            which = "1 run" if runs == 1 else f"{runs} runs"
            return f"{which} could not be judged and {'was' if runs == 1 else 'were'} ignored."
        case facts.Contradictory(combinations):
            one = combinations == 1
            which = "1 combination of settings" if one else f"{combinations} combinations of settings"
            return (
                f"In the history, {which} both failed and passed and {'was' if one else 'were'} left out. "
                "If the failure does not occur every time, set the option flaky."
            )
        case facts.KeptInMind(kept, runs):
            return f"Only {kept:,} of the {runs:,} runs in the history were used."
        case facts.OfHistory(known):
            return f"Note on the history: {history.phrase(known)}."
        case facts.Phase():
            return _phase(fact)
        case facts.OnlyForFixed(settings):
            named = ", ".join(map(field_text, settings))
            return (
                f"The check also depends on {named}: what is said about {'it' if len(settings) == 1 else 'them'} "
                "was shown for the fixed values, and for other values only as far as the check passes."
            )
    raise TypeError(f"no words for {fact!r}")


def _say_certified(fact: facts.Certified) -> str:
    one = fact.settings == 1
    what = "setting" if one else f"combination of {fact.settings} settings"
    took = f" (with {fact.runs} new runs)" if fact.runs else ""
    done = f"Every possible {what} outside these causes was run{took}"
    if fact.unjudged:
        return f"{done}, but {fact.unjudged} could not be judged."
    few = "of one setting" if one else f"of up to {fact.settings} settings"
    return f"{done} and passed: no other cause {few} exists."


def _phase(fact: facts.Phase) -> str:
    if fact.node is not None:
        where = f"At {field_text(fact.node)}"
    else:
        named = [f"{field_text(name)} = {value_text(value)}" for name, value in fact.fixed[:MAX_SETTINGS]]
        more = ", ..." if len(fact.fixed) > MAX_SETTINGS else ""
        where = f"With {', '.join(named)}{more}, for which the check passes"
    if not fact.failed:
        return f"{where}, no run failed."
    if not fact.passed:
        return f"{where}, every run failed."
    return f"{where}: {'; '.join(map(str, fact.causes)) or 'no cause was found'}."
