"""Sentences about a diagnosis: its failures, the result of each step, and what is still unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rootward.explanation import facts
from rootward.explanation.diagnosis import Diagnosis, Explanation, Step
from rootward.explanation.facts import Check, Gap, Result, is_measured
from rootward.facts import Fact
from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import failure_lines
from rootward.report.sentences import rule
from rootward.report.sentences.plan import reason
from rootward.rules import Rule
from rootward.rules.text import field_text, value_text
from rootward.searches.causes.causes import Causes
from rootward.traces.output.text import notes
from rootward.words import count

MAX_CONDITION = 100
"""Maximum length of a condition, in characters, where it must fit on one line."""
MAX_ALTERNATIVES = 4
"""Maximum number of alternatives of a long condition that is not certain."""
MAX_SETTINGS = 5
"""Maximum number of settings that a sentence names."""
MIN_RANDOM = 20
"""Minimum number of random inputs that show that nearly all inputs fail, or few."""
NAMELESS = "without a name"
NOT_CHECKED = "Not checked on fresh runs."
NEAR = "half of them near failing ones"
NONE_LEFT = "Not checked on fresh runs: no informative run was left."

UNFINISHED = {
    "reduce": "Fewer elements may be enough: the search for them did not finish.",
    "triggers": "The search for the fields that matter did not finish.",
    "rule": "The search for the exact condition did not finish.",
    "others": "The search for further causes did not finish.",
    "causes": "The search for the causes did not finish.",
    "rows": "The search for the rows that make it fail did not finish.",
    "verify": "Not all runs that could refute it were made.",
    "triage": "Not all recordings were examined.",
}
GAPS = {
    Gap.NOT_REPRODUCED: "It failed once, but not when it was run again.",
    Gap.UNSTEADY: "The same configuration both failed and passed, more often than expected.",
    Gap.FLAKY: "The same configuration both failed and passed: the failure may be flaky.",
    Gap.NO_FAILURE_BEFORE: (
        "None of the earlier runs failed, so causes of failures that were not found now may be missing."
    ),
    Gap.ROWS_SKIPPED: "The rows that make it fail were not searched for.",
    Gap.NO_REPAIR: "It is not known why it fails.",
    Gap.REPAIR_BY_CHANCE: "Even when repaired, it does not pass every time: the earlier pass may have been chance.",
    Gap.OTHER_SETTINGS: "It is not known whether the same rows matter with other settings.",
    Gap.NO_CHANGE: "It is known what is wrong, but not why: no single change of the model explains it.",
    Gap.SEVERAL_CHANGES: (
        "Each of these changes of the model explains it; the recordings do not show which one is right."
    ),
}
RESULTS = {
    Result.CHECK_USED: "The search for causes uses that check.",
    Result.NOTHING_TO_REORDER: "There is nothing to reorder.",
    Result.NOT_NEEDED: "Earlier runs, made with less budget, that no step needed later.",
}


def _say_files_stay(files: Sequence[str]) -> str:
    return f"{'Its file stays' if len(files) == 1 else 'Its files stay'}: {', '.join(files)}."


def sentences(told: Iterable[Fact]) -> list[str]:
    """Return the sentences for the facts: several for a triage, and one for any other fact."""
    found: list[str] = []
    for one in told:
        found += notes(one.triage) if isinstance(one, facts.TriageNotes) else [sentence(one)]
    return found


def sentence(told: Fact) -> str:
    """Return the sentence for a fact."""
    match told:
        case facts.CutShort(step, left):
            return f"{UNFINISHED[step].rstrip('.')}{_say_budget_used(left)}."
        case Gap():
            return GAPS[told]
        case facts.Contradicted(runs):
            return f"{count(runs, 'run')} of earlier steps contradict{'s' * (runs == 1)} it."
        case facts.FewCrossings(condition, places, needed):
            return f"The bound {condition} was confirmed in {count(places, 'place')}; certainty needs {needed}."
        case facts.NotShownNeeded(condition):
            return f"No run shows that {condition} is needed."
        case facts.FewOwnFailures(alternative, 0):
            return f"No failing run needs the part {alternative}."
        case facts.FewOwnFailures(alternative, runs):
            return f"Only {count(runs, 'failing run')} {'needs' if runs == 1 else 'need'} the part {alternative}."
        case facts.SeparatePlaces(name, 1):
            return f"Of the values of {field_text(name)}, one is known to fail; there may be more."
        case facts.SeparatePlaces(name, places):
            return f"It fails in {places} separate places of {field_text(name)}; there may be more."
        case facts.NotAllSwept(name, tried, values):
            return f"Of {values} values of {field_text(name)}, {tried} were tried."
        case facts.LooseFactor(factor, quantity):
            return f"The factor {factor:g} in {quantity} is known only roughly."
        case facts.FewOutside(runs):
            found = f"only {runs} random ones were" if runs else "no random one was"
            return f"Few inputs are outside of it: {found} found, so it is not known how many of them fail."
        case facts.NoSimpleCondition():
            return _say_no_condition(told)
        case facts.NotMeasured(wrong, runs):
            contradict = f"{wrong} of all {count(runs, 'run')} contradict{'s' * (wrong == 1)} it"
            return f"Its accuracy was not measured: the budget ended before that. {contradict}."
        case facts.WrongMostOften(place, wrong, runs):
            return f"It is wrong most often when {place}: for {wrong} of {count(runs, 'run')} there."
        case facts.OtherTexts(name):
            return f"It is not known for which other texts in {field_text(name)} it fails."
        case facts.Unexplained(runs):
            return f"None of these causes explains {count(runs, 'failing run')}."
        case facts.OnlyAtCheck(cause):
            return f"{cause} fails the check, but no complete run failed there."
        case facts.TextsTried(name, texts):
            return f"{count(texts, 'text')} {_conjugate_was(texts)} tried in {field_text(name)}."
        case facts.SeveralWays(ways, names):
            listed = ", ".join(name or NAMELESS for name in names)
            return f"It failed in {ways} ways: {listed}. The earlier runs do not say which, so each of them counts."
        case facts.NotExplained(name, runs):
            return f"{count(runs, 'run')} failed in another way, which is not explained: {name or NAMELESS}."
        case facts.NoLongerShown(name, files):
            gone = f"A failure of an earlier diagnosis no longer shows: {name or NAMELESS}."
            return f"{gone} {_say_files_stay(files)}"
        case facts.ChangedSince(name, files):
            changed = f"An earlier diagnosis had another condition, or its files were edited: {name or NAMELESS}."
            return f"{changed} {_say_files_stay(files)}"
        case facts.SeemsMended(tests):
            if not tests:
                return "The failing input passes now: the bug may be mended."
            do = "does" if len(tests) == 1 else "do"
            return f"The failing input passes now, and so {do} {', '.join(tests)}: the bug seems mended."
        case facts.HowToExplain():
            return "To explain one of these, give an input that fails in that way as the failing input."
        case facts.Unproved(departures):
            return f"The checker did not accept the proof of {count(departures, 'departure')}."
        case facts.TriedOnSome(tried, alike):
            some = f"{tried} of {alike} similar recordings"
            return f"That change of the model was tried on {some}; it is assumed to explain the others, too."
        case _:
            return _say_rows(told) or _say_order(told) or _say_step_result(told) or rule.sentence(told)


def _say_no_condition(told: facts.NoSimpleCondition) -> str:
    """Say that no condition is known, on which fields it depends, and how many random inputs fail."""
    names, (failed, runs) = told.fields, told.random
    listed = ", ".join(map(field_text, names[:MAX_SETTINGS]))
    listed += f" and {count(len(names) - MAX_SETTINGS, 'other field')}" * (len(names) > MAX_SETTINGS)
    none = "No simple condition explains it." if told.searched else "No condition is known that agrees with all runs."
    said = [none, *([f"It depends on {listed}."] if names else [])]
    if runs:
        fail = {0: "Few inputs fail: ", runs: "Nearly all inputs fail: "}.get(failed, "") * (runs >= MIN_RANDOM)
        every = f"{failed or 'none'} of {runs} random"
        said.append(f"{fail}{every} ones." if fail else f"{every[0].upper()}{every[1:]} inputs failed.")
    return " ".join(said)


def _say_budget_used(left: int) -> str:
    """Say that the budget is used up, if ``left`` further runs are known to be missing."""
    return f": the budget is used up, and {count(left, 'run')} {'is' if left == 1 else 'are'} left" if left else ""


def _say_rows(told: Fact) -> str:
    match told:
        case facts.CopyPasses(table):
            return f"It does not fail with a copy of {table}, so the rows that take part cannot be found."
        case facts.CellsNotEnough(good, bad, cells):
            return f"{good} with only {_those_cells(cells, bad)} does not fail: another difference takes part."
        case facts.RepairedRuns(cells, passed, runs):
            return f"With {_those_cells(cells)} repaired, it passed in {passed} of {count(runs, 'fresh run')}."
        case facts.NothingElse(good):
            return f"Nothing else differs from {good}."
        case facts.BrokenRuns(good, bad, cells, failed, runs):
            return f"{good} with only {_those_cells(cells, bad)} failed in {failed} of {count(runs, 'fresh run')}."
        case facts.CellsEnoughAlone(enough, cells):
            some = f"{enough} of these {cells} alone {'is' if enough == 1 else 'are'}"
            which = "Each of them alone is" if enough == cells else some if enough else "None of them alone is"
            return f"{which} enough to make it fail."
        case facts.TableNotNamed(table):
            return f"No run whose settings name {table} failed."
        case facts.AnyTable(table):
            return f"It fails whichever table the settings name, so {table} was not examined."
        case facts.CopyTried(table, fails):
            return f"With a copy of {table}, it {'fails, too' if fails else 'does not fail in this way'}."
        case facts.FoundWith():
            return _say_found_with(told)
    return ""


def _those_cells(cells: int, bad: str = "") -> str:
    return f"{'this' if cells == 1 else 'these'}{f' taken from {bad}' if bad else ''}"


def _conjugate_was(number: int) -> str:
    return "was" if number == 1 else "were"


def _say_order(told: Fact) -> str:
    match told:
        case facts.Before(one, other, ends):
            return f"{one} must come before {other}{', although neighbours can be swapped' if ends else ''}."
        case facts.Exchangeable(one, other):
            return f"{one} and {other} can be swapped."
        case facts.WholeOrder(names, matters):
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            said = "matters, although any two neighbours can be swapped" if matters else "does not matter"
            return f"The order of {listed} {said}."
    return ""


# The result of checking a claim on fresh runs


def check_summary(check: Check) -> str:
    """Summarise in a few words whether fresh runs agree with a claim."""
    if check.whole:
        agree = "all agree with it" if check.whole > 1 else "it agrees"
        hidden = f"all but {check.hidden:,}, which failed in another way, agree with it"
        return f"{_all_configurations(check)}; {hidden if check.hidden else agree}."
    if not check.runs:
        return NONE_LEFT
    runs = count(check.runs, fresh_noun(check))
    if check.refuting:
        return f"{len(check.refuting)} of {runs} contradict it."
    return f"All {runs} agree with it." if check.runs > 1 else "The only fresh run agrees with it."


def check_details(check: Check) -> str:
    """Report the fresh runs in detail: how many inside, outside and near the border of the claim agreed with it."""
    if check.whole:
        hidden = f", except that {check.hidden:,} failed in another way, which may hide this one"
        return f"{_all_configurations(check)}: it failed exactly where predicted{hidden if check.hidden else ''}."
    if not check.runs:
        return NONE_LEFT
    if check.is_sample or check.is_near:
        return _say_measured(check)
    if not check.refuting:
        chosen = f", {check.directed[1]} of them chosen to refute it" if check.directed[1] else ""
        return f"{check_summary(check).rstrip('.')}{chosen}.{_say_missed(check)}"
    (failed, inside), (missed, outside) = check.inside, check.outside
    parts = [f"{failed} of {inside} predicted failures failed"] if inside else []
    parts += [f"{missed} of {outside} predicted passes failed"] if outside else []
    right, border = check.border
    parts += [f"{right} of {count(border, 'run')} near the boundary matched"] if border else []
    right, directed = check.directed
    others = "other run" if parts else "run"
    parts += [f"{right} of {count(directed, others)} matched"] if directed else []
    rates = f"precision {check.score.precision}, recall {check.score.recall}"
    left = rates if inside or directed else "no run was left where it should fail"
    return f"Checked on {count(check.runs, 'fresh run')}: {', '.join(parts)}; {left}.{_say_missed(check)}"


def fresh_noun(check: Check) -> str:
    return "random input" if check.is_sample else "input" if check.is_near else "fresh run"


def _say_measured(check: Check) -> str:
    """Say how good an approximation is, and for which inputs that was measured."""
    score = check.score
    failed = score.hits + score.misses
    drawn = "each field drawn from its whole range" if check.is_sample else NEAR
    where = f"Measured on {count(check.runs, fresh_noun(check))}, {drawn}"
    rates = [("recall", score.recall, "failing runs"), ("precision", score.precision, "predicted failures")]
    said = [f"{name} {rate}" if is_measured(rate) else f"too few {what} for a {name}" for name, rate, what in rates]
    return f"{where}: {failed} of them failed; {'; '.join(reversed(said))}."


def _say_missed(check: Check) -> str:
    """Say how large an unseen exception can still be."""
    if check.max_missed is None:
        return ""
    failed, runs = check.outside
    return (
        f" Outside of it, {failed} of {count(runs, 'random run')} failed: "
        f"at most {check.max_missed:.1%} of such configurations fail (95%)."
    )


def _all_configurations(check: Check) -> str:
    """Say that every configuration was run."""
    if check.whole == 1:
        return "The only configuration was run"
    return f"All {check.whole:,} configurations{' that the constraints allow' if check.barred else ''} were run"


# The steps


def _say_step_result(told: Fact) -> str:
    match told:
        case Result():
            return RESULTS[told]
        case Check():
            return check_summary(told)
        case facts.Condition(rule, sure):
            return f"{'It seems' if sure else 'So far, it seems'} to fail when {shorten(str(rule))}."
        case facts.Reproduced(failed, runs):
            every = "every time" if failed == runs else "not every time" if failed else "not again"
            return f"It failed in {failed} of {runs} runs: {every}."
        case facts.PassesRepeated(runs, failed):
            return (
                f"{count(runs, 'passing run')} among failing ones {_conjugate_was(runs)} repeated; "
                f"{f'{failed} failed' if failed else 'all passed again' if runs > 1 else 'it passed again'}."
            )
        case facts.RunsRepeated(runs, changed):
            return f"{count(runs, 'run')} {_conjugate_was(runs)} repeated; {changed or 'none'} ended differently."
        case facts.OverlookedFields(names):
            return f"Also matters: {', '.join(names)}." if names else "All fields that matter were already known."
        case facts.OutsideRuns(failed, runs, complete):
            if failed:
                return "It fails elsewhere, too."
            if runs:
                return f"It did not fail elsewhere in {count(runs, 'run')}."
            why = "no candidate was found there" if complete else "no budget was left for it"
            return f"Nothing was run elsewhere: {why}."
        case facts.Simplified(names, of):
            fields = "the field" if of == 1 else f"{len(names)} of {of} fields"
            return f"A simpler input fails, too: {fields} changed." if names else "No simpler input fails."
        case facts.RefutedByEarlier(runs):
            return f"{count(runs, 'run')} of earlier steps contradict{'s' * (runs == 1)} it."
    return ""


def step_result(step: Step) -> str:
    """Return the result of a step; empty while it is still running."""
    return " ".join(_finding_headline(step) if one is Result.FOUND else sentence(one) for one in step.results)


def step_reason(step: Step) -> str:
    """Return the reason why a step was taken; empty if there is none."""
    return "" if step.why is None else reason(step.why)


def _finding_headline(step: Step) -> str:
    """Return the headline of a step's finding as a sentence.

    If the headline announces a list, causes are added to it in one line; any other list is left out.
    """
    if step.finding is None:
        return ""
    said = step.finding.headline()
    if not said.endswith(":"):
        return said
    if isinstance(step.finding, Causes):
        return f"{said} {shorten(' or '.join(map(str, step.finding.details)))}."
    return said.rstrip(":") + "."


def step_condition(step: Step) -> str | None:
    """Return the condition that a step found. Returns None unless its search was complete.

    The condition is shortened in the same way as in the sentence about the step.
    """
    found = [one for one in step.results if isinstance(one, facts.Condition) and one.sure]
    return shorten(str(found[0].rule)) if found else None


def shorten(text: str) -> str:
    """Cut a text that is too long for a line of a table."""
    return text if len(text) <= MAX_CONDITION else f"{text[: MAX_CONDITION - 4]} ..."


def _table(steps: Sequence[Step]) -> list[str]:
    """Return the steps with their trials and results, as lines for a terminal."""
    if not steps:
        return []
    name, trials = (max(map(len, texts)) for texts in zip(*((s.name, str(s.trials)) for s in steps), strict=True))
    lines = [f"  {step.name:<{name}}  {step.trials:>{trials}}  {step_result(step)}".rstrip() for step in steps]
    return ["", "Steps, each with the number of its trials:", *lines]


# The result of running a reproducer or a test


def artifact_result(fact: Fact) -> str:
    """Say what happened when the command of a reproducer or a test was run.

    The text is a phrase. If there is no such command, it is a sentence that says why.
    """
    match fact:
        case facts.NoArtifact(because):
            return f"There is none: {because}."
        case facts.CommandFailed(end, rate, run, other):
            often, seen = ("", "") if rate is None else (f" in about {rate:.0%} of runs", f"; seen in run {run}")
            return f"fails{often}, {end}{seen}" + (f", but with another failure: {other}" if other else "")
        case facts.CommandPassed(end, runs):
            return f"did not fail in {count(runs, 'run')}, {end}"
        case facts.NoPytest():
            return "not run: pytest is not installed"
        case facts.RegressionBroken(error):
            return f"cannot be run: {error.rstrip('.')}"
        case facts.RegressionRun(failed, inputs, passed, others):
            now = f"fails now with {failed} of {count(inputs, 'input')}"
            now = (
                now
                if failed
                else f"does not fail now with {'its input' if inputs == 1 else f'any of its {inputs} inputs'}"
            )
            return f"{now}; {passed} of {others} neighbouring inputs pass" if others else now
    raise TypeError(f"no words for {fact!r}")


# Failures


def diagnosis_text(found: Diagnosis) -> str:
    """Return the whole text of a diagnosis: its answer, and the steps that led to it."""
    return "\n".join([answer_text(found), *_table(found.taken)])


def answer_text(found: Diagnosis) -> str:
    """Say when it fails, for each failure, and how sure that is."""
    lines: list[str] = []
    several = len(found.explanations) > 1
    for number, one in enumerate(found.explanations, 1):
        failure = [f"Failure {number}: {one.signature or NAMELESS}"] if several else []
        head, *rest = explanation_text(one).splitlines()
        named = failure_lines(one.signature, one.error)
        lines += [*failure, head, *(named[1:] if several else named), *rest]
    none = "No failure was found." if found.complete else "No failure is explained yet."
    return "\n".join([*(lines or [none]), *sentences(found.notes)])


def nothing_run(found: Diagnosis) -> str:
    """Say that nothing was run, and whether the answer is final."""
    return "Nothing was run." if found.complete else f"Nothing was run; not final ({found.stopped})"


def explanation_text(one: Explanation) -> str:
    """Explain one failure, line by line."""
    lines = [headline(one)]
    if one.reduction is not None and one.causes:
        lines += [*str(one.reduction).splitlines()[:12], *_element_names(one)]
    unchecked = bool(one.causes) and not one.approximate
    fresh = [check_details(one.check)] if one.check is not None else [NOT_CHECKED] * unchecked
    behind = [reason_text(one)] if reason_text(one) else []
    claim, rest = (fresh, []) if behind else ([], fresh)
    lines += [*claim, *behind, *detail_lines(one), *sentences([*one.order, *one.seen]), *rest]
    if 0 < one.rate.value < 1:
        lines.append(f"It does not fail every time, but in about {one.rate.value:.0%} of runs.")
    return "\n".join([*lines, *(said for said in sentences(one.unknown) if said != lines[0])])


def headline(one: Explanation, study: str = "") -> str:
    """Say in one sentence when it fails; ``study`` is the name of what fails."""
    it = study or "It"
    if one.causes:
        hope = f"{it} fails" if one.certain else f"{it} seems to fail"
        if one.approximate:
            return f"{it} fails roughly when {one.rule}{_say_accuracy(one.check)}."
        if not all(cause.rule.terms and all(cause.rule.terms) for cause in one.causes):
            return f"{hope} whatever the values of {count(one.of, 'field')}."
        if one.certain and one.check is not None and one.check.whole:
            hope = f"{it} fails exactly"
        rule = str(one.rule) if one.certain else _main_alternatives(one)
        return f"{hope} when {rule}{', unless another failure comes first' * bool(one.hidden)}."
    if one.because is not None:
        return sentence(one.because)
    found = one.details[0] if one.details else one.reduction
    if found is None:
        told = next((fact for fact in one.unknown if isinstance(fact, facts.NoSimpleCondition)), None)
        return "It is not known yet why it fails." if told is None else sentence(told)
    return presenter_for(found.kind).about(found, it)


def _say_accuracy(check: Check | None) -> str:
    """Return the rates of an approximation, in parentheses; empty if none was measured."""
    if check is None:
        return ""
    rates = [("precision", check.score.precision), ("recall", check.score.recall)]
    known = ", ".join(f"{name} {rate.value:.2f}" for name, rate in rates if is_measured(rate))
    near = f", {NEAR}" * check.is_near
    return f" ({known} on {count(check.runs, fresh_noun(check))}{near})" if known else ""


def _main_alternatives(one: Explanation) -> str:
    """Return the condition; of a long one, only the causes with most failing runs. Reports list all of them."""
    causes = sorted(one.causes, key=lambda cause: -cause.fails)
    terms = [term for cause in causes for term in cause.rule.terms]
    if len(terms) <= MAX_ALTERNATIVES or len(str(one.rule)) <= MAX_CONDITION:
        return str(one.rule)
    main = Rule.of_terms(terms[:MAX_ALTERNATIVES])
    return f"{main} or in {count(len(terms) - MAX_ALTERNATIVES, 'other case')}"


def reason_text(one: Explanation) -> str:
    """Return the reason behind the condition; empty if it is not known."""
    return sentence(one.because) if one.causes and one.because is not None else ""


def detail_lines(one: Explanation) -> list[str]:
    """Return the lines of the details, without the headline."""
    return [line for detail in one.details for line in str(detail).splitlines()[1:]]


def _element_names(one: Explanation) -> list[str]:
    """Say which element each name in the causes stands for."""
    if one.reduction is None or not one.names or list(one.names) == list(map(str, one.reduction.kept)):
        return []
    noun, kept = one.reduction.selection.elements.noun, one.reduction.selection.kept
    return [", ".join(f"{name} is {noun} {i + 1}" for name, i in zip(one.names[:8], kept, strict=False)) + "."]


def _say_found_with(told: facts.FoundWith) -> str:
    """Return the headline of a finding, preceded by the settings with which it was found.

    If some of the settings are relevant, only these are named.
    """
    settings = told.settings
    names = [name for name in settings if name in told.relevant] or list(settings)
    listed = [f"{field_text(name)} = {value_text(settings[name])}" for name in names[:MAX_SETTINGS]]
    listed += [f"{count(len(names) - MAX_SETTINGS, 'setting')} more"] if len(names) > MAX_SETTINGS else []
    which = " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
    said = told.finding.headline()
    return f"With {which}, {said[0].lower()}{said[1:]}"
