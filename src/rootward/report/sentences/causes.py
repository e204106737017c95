"""What is said of a search for causes, beside the causes."""

from __future__ import annotations

from rootward.facts import Fact
from rootward.report.sentences import history
from rootward.rules.text import field_text, value_text
from rootward.searches.causes import facts
from rootward.searches.causes.facts import Remark, Rest

MAX_SETTINGS = 8
"""Maximum number of fixed settings that are named."""
MANY = 8
"""After more runs than this that passed, it is said how rare other failures are."""

REST = {
    Rest.PASSED: "Everything else was run, and passed.",
    Rest.NOTHING_LEFT: "Nothing else can be run.",
    Rest.NOT_EXPLAINED: "It explains one failing run; others may have other causes.",
}
REMARKS = {
    Remark.ALL_FORBIDDEN: "The constraints forbid every combination, so nothing can be run.",
    Remark.SINGLE_VALUES: "Every setting has a single value, so there is nothing to compare.",
    Remark.NO_FAILURE: "No run is known to fail, so there is nothing to explain.",
    Remark.NOT_EXPLAINED: (
        "A few causes do not explain all runs: there may be many, or it depends on what is no setting."
    ),
    Remark.PASS_FAILS_NOW: (
        "A run that passed in the history fails now with the same settings: perhaps what is run is not what made "
        "the history, or something else has changed."
    ),
    Remark.FAILURE_PASSES_NOW: (
        "A run that failed in the history does not fail now with the same settings: perhaps what is run is not what "
        "made the history, or the failure does not show every time (flaky)."
    ),
    Remark.CHECK_NEVER_PASSED: "The check never passed, so what comes after it could not be searched.",
    Remark.CHECK_DOES_NOT_ISOLATE: (
        "The check does not isolate: two runs for which it passed differ only in what it should cover, and one "
        "of them failed. Only runs with the values that are fixed now were believed."
    ),
    Remark.ROW_BY_ROW: (
        "Its parameters are given row by row, so other combinations were not tried; "
        "@pytest.mark.rootward(space=...) says which may be."
    ),
    Remark.OTHER_PROCESSES: ("Nothing was run for this: with -n, tests run elsewhere. Without -n, more can be told."),
    Remark.SUBTESTS: "Nothing was run for this: a test with subtests reports each of them by itself.",
}


def sentence(fact: Fact) -> str:
    """A fact about causes as a person reads it."""
    match fact:
        case Rest():
            return REST[fact]
        case Remark():
            return REMARKS[fact]
        case facts.PassedOutside(runs, causes):
            likely = f": what else fails, if anything, is likely less than {3 / runs:.0%} of all other combinations"
            outside = "it" if causes == 1 else "them"
            return f"Then {runs} runs outside of {outside}, as different as can be, all passed{likely * (runs > MANY)}."
        case facts.Certified():
            return _certified(fact)
        case facts.Survived(tests):
            return f"Each cause survived {tests} tests, or all that there are; causes that no run has met may exist."
        case facts.NothingRun(causes):
            return "Nothing was run: new runs may refute it." if causes else "Nothing was run."
        case facts.NotKnown(failing):
            which = "failing" if failing else "passing"
            return f"Shortcut needs a failing and a passing run, and no {which} one is known."
        case facts.GivenUp(runs):
            return f"It was given up: the last {runs} runs could not be judged."
        case facts.Unjudged(runs):
            which = "1 run" if runs == 1 else f"{runs} runs"
            return f"{which} could not be judged, and nothing is concluded from that."
        case facts.Contradictory(combinations):
            one = combinations == 1
            which = "1 combination of settings" if one else f"{combinations} combinations of settings"
            return (
                f"In the history, {which} both failed and passed, and {'was' if one else 'were'} set aside. "
                "If the failure does not show every time, say so (flaky)."
            )
        case facts.KeptInMind(kept, runs):
            return f"Of the {runs:,} runs of the history, {kept:,} were kept in mind."
        case facts.OfHistory(known):
            return f"Note on the history: {history.phrase(known)}."
        case facts.Phase():
            return _phase(fact)
        case facts.OnlyForFixed(settings):
            named = ", ".join(map(field_text, settings))
            return (
                f"The check depends on {named}, too: what is said of it holds for the fixed values, and for "
                "others as far as the check passes."
            )
    raise TypeError(f"no words for {fact!r}")


def _certified(fact: facts.Certified) -> str:
    one = fact.settings == 1
    what = "setting" if one else f"combination of {fact.settings} settings"
    took = f" ({fact.runs} runs for that)" if fact.runs else ""
    done = f"Every {what} that is possible outside of these was run{took}"
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
