"""The words of a diagnosis: the only place where its facts become sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rootward.diagnosis import facts
from rootward.diagnosis.facts import Check, Gap, Told
from rootward.facts import Fact
from rootward.report.sentences import rule
from rootward.rules.text import field_text, value_text
from rootward.search.finding import Finding
from rootward.words import count

MAX_CONDITION = 100
"""Longer conditions are cut where a line has to do."""
MAX_SETTINGS = 5
"""Maximum number of settings named in a sentence."""
NAMELESS = "without a name"
NONE_LEFT = "Not checked on fresh runs: none was left to be made that tells anything."

UNENDED = {
    "reduce": "Fewer elements may be enough: the search for them has not ended.",
    "triggers": "The search for the fields that matter has not ended.",
    "rule": "The search for the exact condition has not ended.",
    "others": "The search for further causes has not ended.",
    "causes": "The search for the causes has not ended.",
    "rows": "The search for the rows that make it fail has not ended.",
    "triage": "Not all recordings were examined.",
}
GAPS = {
    Gap.NOT_AGAIN: "It failed once, and not again when it was run again.",
    Gap.UNSTEADY: "The same configuration was seen to fail and to pass, more often than expected.",
    Gap.FLAKY: "The same configuration was seen to fail and to pass: the failure may be flaky.",
    Gap.NO_FAILURE_BEFORE: (
        "None of the earlier runs failed: causes of failures that were not found now may be missing."
    ),
    Gap.ROWS_NOT_ASKED: "Which rows make it fail was not asked.",
    Gap.NO_REASON: "Why it fails is not known.",
    Gap.REPAIR_BY_CHANCE: "Repaired, it does not pass every time: that it passed before may have been chance.",
    Gap.OTHER_SETTINGS: "Whether the same rows matter with other settings is not known.",
    Gap.NO_CHANGE: "No single change of the model explains it: what is wrong is known, and not why.",
    Gap.SEVERAL_CHANGES: (
        "Each of these changes of the model explains it: which one it is cannot be told from the recordings."
    ),
}


def sentences(told: Iterable[Told]) -> list[str]:
    """A sentence for each fact."""
    return [sentence(one) for one in told]


def sentence(told: Told) -> str:
    """A fact as a person reads it; what another search has said stays as it is."""
    match told:
        case str():
            return told
        case facts.Unended(step):
            return UNENDED[step]
        case Gap():
            return GAPS[told]
        case facts.Contradicted(runs):
            return f"It is not true of {count(runs, 'run')} of earlier steps."
        case facts.OtherTexts(name):
            return f"For which other texts as {field_text(name)} it fails is not known."
        case facts.Unexplained(runs):
            return f"{runs} failing runs are explained by none of these causes."
        case facts.OnlyAtCheck(cause):
            return f"{cause} fails the check, but no run to the end failed there."
        case facts.TextsTried(name, texts):
            return f"As {field_text(name)}, {count(texts, 'text')} were tried."
        case facts.SeveralWays(ways, names):
            listed = ", ".join(name or NAMELESS for name in names)
            return f"It failed in {ways} ways: {listed}. The earlier runs do not say in which, so any counts."
        case facts.NotExplained(name, runs):
            return f"{count(runs, 'run')} failed in another way, which is not explained: {name or NAMELESS}."
        case facts.HowToExplain():
            return "To have one of these explained, give an input that fails in this way as the failing one."
        case facts.Unproved(departures):
            return f"The checker has not accepted the proof of {count(departures, 'departure')}."
        case facts.TriedOnSome(tried, alike):
            some = f"{tried} of {alike} recordings that are alike"
            return f"That change of the model was tried on {some}, and taken for granted of the others."
        case _:
            return _of_rows(told) or _of_order(told) or rule.sentence(told)


def _of_rows(told: Fact) -> str:
    match told:
        case facts.CopyPasses(table):
            return f"With a copy of {table}, it does not show: which of its rows take part cannot be told."
        case facts.NotAlone(good, bad, cells):
            return f"{good} does not fail with only {_these(cells, bad)}: something else that differs takes part."
        case facts.Repaired(cells, passed, runs):
            return f"With {_these(cells)} repaired, it passed in {passed} of {count(runs, 'fresh run')}."
        case facts.NothingElse(good):
            return f"Nothing else differs from {good}."
        case facts.Broken(good, bad, cells, failed, runs):
            return f"{good}, with only {_these(cells, bad)}, failed in {failed} of {count(runs, 'fresh run')}."
        case facts.EnoughAlone(enough, cells):
            some = f"{enough} of these {cells} alone {'is' if enough == 1 else 'are'}"
            which = "Each of them alone is" if enough == cells else some if enough else "None of them alone is"
            return f"{which} enough to make it fail."
    return ""


def _these(cells: int, bad: str = "") -> str:
    return f"{'this' if cells == 1 else 'these'}{f' as in {bad}' if bad else ''}"


def _of_order(told: Fact) -> str:
    match told:
        case facts.Before(one, other, ends):
            return f"{one} has to come before {other}{', though neighbours may change places' if ends else ''}."
        case facts.Exchangeable(one, other):
            return f"{one} and {other} may change places."
        case facts.WholeOrder(names, matters):
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            said = "matters, though any two neighbours may change places" if matters else "does not matter"
            return f"The order of {listed} {said}."
    return ""


# What fresh runs say of a claim


def verdict(check: Check) -> str:
    """What fresh runs say of a claim, in a few words."""
    if check.whole:
        but = f" but {check.hidden:,}, which failed in another way," if check.hidden else ""
        return f"{_everything(check)}, and all{but} are as it says."
    if not check.runs:
        return NONE_LEFT
    runs = count(check.runs, "fresh run")
    return f"{len(check.refuting)} of {runs} refute it." if check.refuting else f"All of {runs} are as it says."


def checked(check: Check) -> str:
    """The same, with how many runs were made where, and what they did."""
    if check.whole:
        hidden = f", but for {check.hidden:,} that failed in another way, which may hide this one"
        return f"{_everything(check)}: it failed where it says so, and nowhere else{hidden if check.hidden else ''}."
    if not check.runs:
        return NONE_LEFT
    (failed, inside), (missed, outside) = check.inside, check.outside
    parts = [f"{failed} of {inside} failed where it says so"] if inside else []
    parts += [f"{missed} of {outside} failed elsewhere"] if outside else []
    right, border = check.border
    parts += [f"{right} of {border} next to its border were as it says"] if border else []
    rates = f"precision {check.score.precision}, recall {check.score.recall}"
    left = rates if inside else "where it says that it fails, nothing was left to be run"
    return f"Checked on {count(check.runs, 'fresh run')}: {', '.join(parts)}; {left}."


def _everything(check: Check) -> str:
    """What was run, if that is all there is."""
    if check.whole == 1:
        return "The only configuration was run"
    return f"All {check.whole:,} configurations{' that the constraints allow' if check.barred else ''} were run"


# Explanations


def with_settings(settings: Mapping[str, Any], relevant: Sequence[str], found: Finding) -> str:
    """What was found with settings, in a sentence that says which these are, as far as they matter."""
    names = [name for name in settings if name in relevant] or list(settings)
    told = [f"{field_text(name)} = {value_text(settings[name])}" for name in names[:MAX_SETTINGS]]
    told += [f"{count(len(names) - MAX_SETTINGS, 'setting')} more"] if len(names) > MAX_SETTINGS else []
    listed = " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)
    said = found.headline()
    return f"With {listed}, {said[0].lower()}{said[1:]}"


def shortened(text: str) -> str:
    """The text, cut if it is too long for a line of a table."""
    return text if len(text) <= MAX_CONDITION else f"{text[: MAX_CONDITION - 4]} ..."
