"""A diagnosis: a bug report that says what fails and when, with the steps that show it, each a finding of its own.

The page presents it in a paragraph and tables. The issue, to be pasted into a tracker, presents the same in Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from rootward.errors import InputError
from rootward.explanation.diagnosis import Diagnosis
from rootward.report.answer import answer, title
from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run
from rootward.report.kinds.reduction import pictures
from rootward.report.markdown import MAX_COMMAND_LENGTH, Code, code_block, escape_text, inline_code, join_parts
from rootward.report.sentences import diagnosis as said
from rootward.report.text import cut, duration, enumerate_parts, share, write_value
from rootward.report.trials import judge_again, select_kinds
from rootward.rules import Rule
from rootward.rules.text import field_text
from rootward.words import count

MAX_TITLE_NAMES = 4
"""Maximum number of fields that a title names; if there are more, it names the first two."""
MAX_NAMES = 5
"""Maximum number of names in a sentence."""
MAX_REFUTING = 20
"""Maximum number of listed configurations that contradict a claim."""
MAX_TEXT, MAX_ELEMENT = 300, 120
"""Maximum length of a text, and of the text of an element, in characters."""
MAX_SIGNATURE, MAX_CELL = 100, 400
"""Maximum length, in an issue, of a signature in a title and of a text in a table."""
MAX_FILE_LINES, MAX_CODE_LINES = 60, 300
"""Maximum number of lines, in an issue, of a file of a reproducer and of code that is to be run as it is."""
MEASURES = {
    "precision": "share of predicted failures that failed",
    "recall": "share of failures that were predicted",
}
KINDS_BY_TELLING = ("rule_finding", "causes", "bad_rows", "triage", "product_set", "reduction")
"""The kinds of findings, those first whose figures say most about why it fails."""


class DiagnosisPresenter(Presenter[Diagnosis]):
    template = "diagnosis.html"
    joined_by = "or"
    sentences = staticmethod(said.sentences)
    explanation_text = staticmethod(said.explanation_text)
    headline = staticmethod(said.headline)
    reason_text = staticmethod(said.reason_text)
    detail_lines = staticmethod(said.detail_lines)
    check_details = staticmethod(said.check_details)
    step_result = staticmethod(said.step_result)
    step_condition = staticmethod(said.step_condition)
    step_reason = staticmethod(said.step_reason)
    artifact_result = staticmethod(said.artifact_result)

    def words(self, finding: Diagnosis) -> str:
        return said.diagnosis_text(finding)

    def answer_words(self, finding: Diagnosis) -> str:
        return said.answer_text(finding)

    def cost(self, finding: Diagnosis) -> str:
        nothing = finding.steps and all(step.name == "triage" for step in finding.steps)
        return said.nothing_run(finding) if nothing else super().cost(finding)

    def head(self, data: Data) -> str:
        several = len(data["explanations"])
        if several > 1:
            ways = f"{_subject_and_verb(data, data['explanations'])} in {several} ways"
            return f"{ways}, when" if self.conditions(data) else ways
        if self.conditions(data):
            return f"{_subject_and_verb(data, data['explanations'])} when"
        return str(data["explanations"][0]["named"]) if several else super().head(data)

    def conditions(self, data: Data) -> list[str]:
        found = [_condition(one) for one in data["explanations"]]
        if not found or None in found:
            return []
        if len(found) > 1:
            return [condition for condition in found if condition is not None]
        return [cause["text"] for cause in data["explanations"][0]["causes"]]

    def titles(self, run: Run) -> list[list[str]]:
        """Return titles from long to short.

        The first has the conditions, the next only their fields, and the last only the number of fields.
        """
        said = answer(run)
        if not said.conditions:
            return [[said.head]]
        more = [f" or {said.more:,} more"] if said.more else []
        listed = [part for condition in said.conditions for part in (" or ", Code(condition))]
        whole = [said.head, " ", *listed[1:], *more]
        if len(run["finding"]["explanations"]) > 1:
            return [whole, [said.head.removesuffix(", when")]]
        names = run["finding"]["explanations"][0]["relevant"]
        if not names:
            return [whole]
        named: list[list[str]] = [[Code(field_text(name))] for name in names]
        few = named if len(names) <= MAX_TITLE_NAMES else [*named[:2], [f"{len(names) - 2:,} more fields"]]
        head = f"{said.head.removesuffix(' when')} under a condition on "
        return [whole, [head, *enumerate_parts(few)], [head, count(len(names), "field")]]

    def certainty(self, data: Data) -> Certainty | None:
        explanations = data["explanations"]
        checks = [one["check"] for one in explanations if one["check"] and one["check"]["runs"]]
        if not explanations:
            return None
        if not checks:
            return Certainty("It was not checked on fresh runs.")
        runs = count(sum(check["runs"] for check in checks), "fresh run")
        refuted = sum(len(check["refuting"]) for check in checks)
        which = f"{refuted:,} of them" if refuted else "none"
        part = " Not every failure was checked." if len(checks) < len(explanations) else ""
        said = f"Checked on {runs}; {which} contradicted it.{part}"
        measured = [check["precision"] for check in checks if check["precision"]["value"] is not None]
        if not measured:
            return Certainty(said)
        return Certainty.of_measure(said, "precision", min(measured, key=lambda one: one["value"]))

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        several = len(data["explanations"]) > 1
        return {
            "paragraph": lambda one: "".join(paragraph(data, one)),
            "picture": None if several else picture(data),
            "artifacts": partial(artifacts, data),
            "checks": check_rows,
            "refuting": refuting_texts,
            "telling": steps_to_unfold(data),
        }

    def fields(self, data: Data) -> list[str]:
        steps = [step["finding"] for step in data["steps"] if step["finding"]]
        shown = (name for step in steps for name in presenter_for(step["finding"]).fields(step))
        return list(dict.fromkeys([*super().fields(data), *shown]))

    def issue(self, run: Run) -> str | None:
        return issue(run)


PRESENTER = DiagnosisPresenter()


# One failure, in a paragraph


def paragraph(data: Data, one: Data) -> list[str]:
    """Explain one failure in a few sentences.

    They are a list of parts, so that names and conditions can be shown differently from the words around them.
    """
    rate = one["rate"]
    rare = rate["value"] is not None and rate["value"] < 1
    sentences = [
        _headline(data, one),
        [f"Failure: {cut(one['signature'], MAX_TEXT)}." if one["signature"] else ""],
        _kept_elements(one) if one["causes"] else [],
        _relevant_fields(one),
        [f"It does not fail every time, but in about {rate['value']:.0%} of runs." if rare else ""],
        [one["check"]["said"] if one["check"] else ""],
        [one["because"]],
        *([said] for said in one["seen"]),
    ]
    return [part for said in sentences if any(said) for part in (" ", *said)][1:]


def _headline(data: Data, one: Data) -> list[str]:
    """Say when it fails, in a sentence that names the study."""
    if not one["causes"]:
        return [cut(one["named"], 4 * MAX_TEXT)]
    hope, condition = _subject_and_verb(data, [one]), _condition(one)
    if condition is None:
        return [f"{hope.removesuffix(' exactly')} whatever the values of {count(one['of'], 'field')}."]
    hidden = ", unless another failure comes first" if one["hidden"] else ""
    return [f"{hope} when ", Code(cut(condition, 4 * MAX_TEXT)), f"{hidden}."]


def _subject_and_verb(data: Data, explanations: Sequence[Data]) -> str:
    """Return the subject and verb of an answer that consists of these explanations.

    The verb is ``fails exactly`` if every configuration was run, ``fails`` if the answer is certain, ``fails roughly``
    if it is an approximation, and otherwise ``seems to fail``. Several explanations have the verb of the weakest one.
    """
    proved = all(one["check"] is not None and one["check"]["whole"] for one in explanations)
    certain = all(one["certain"] for one in explanations)
    approximate = all(one["certain"] or one["approximate"] for one in explanations)
    verb = ("fails exactly" if proved else "fails") if certain else "fails roughly" if approximate else "seems to fail"
    return f"{data['study'] or 'It'} {verb}"


def _condition(one: Data) -> str | None:
    """Return the condition of a failure.

    Returns None if no cause is known, or if it fails with all values.
    """
    if not one["causes"]:
        return None
    try:
        rules = [Rule.from_dict(cause["rule"]) for cause in one["causes"]]
        claim = Rule.from_dict(one["rule"])
    except InputError:  # it compares with a value of a class that is not loaded here
        return " or ".join(cause["text"] for cause in one["causes"])
    return str(claim) if all(rule.terms and all(rule.terms) for rule in rules) else None


def _kept_elements(one: Data) -> list[str]:
    if not one["kept"]:
        return []
    kept: list[list[str]] = [[Code(cut(" ".join(row["element"].split()), MAX_ELEMENT))] for row in one["kept"]]
    if one["names"]:
        pairs = zip(one["names"], kept, strict=False)
        kept = [text if text == [name] else [Code(name), " (", *text, ")"] for name, text in pairs]
    verb = "is" if len(kept) == 1 else "are"
    return [f"Of {count(one['elements'], one['noun'])}, {len(kept):,} {verb} needed: ", *_list_names(kept), "."]


def _relevant_fields(one: Data) -> list[str]:
    names = one["relevant"]
    if not names or not one["causes"]:
        return []
    verb = "matters" if len(names) == 1 else "matter"
    listed = _list_names([[Code(field_text(name))] for name in names])
    return [f"Of {count(one['of'], 'field')}, {len(names):,} {verb}: ", *listed, "."]


def _list_names(names: Sequence[list[str]]) -> list[str]:
    more = [f"{len(names) - MAX_NAMES:,} more"]
    return enumerate_parts([*names[:MAX_NAMES], more] if len(names) > MAX_NAMES else names)


# The evidence


def check_rows(one: Data) -> list[tuple[str, str, str]]:
    """Return the results of fresh runs as rows of a table.

    There is a row for each group of runs and for each measure of the claim: a label, the result, and a note.
    """
    check = one["check"]
    if check and check.get("whole"):
        return [("everywhere", f"{count(check['whole'], 'run')} as predicted", "")]
    if not check or not check["runs"]:
        return []
    inside, outside, border = check["inside"], check["outside"], check["border"]
    rows = [
        ("predicted to fail", "failed", inside["fails"], inside["runs"]),
        ("predicted to pass", "failed", outside["fails"], outside["runs"]),
        ("near the boundary", "as predicted", border["right"], border["runs"]),
    ]
    found = [(where, f"{k:,} of {count(n, 'run')} {did}", "") for where, did, k, n in rows if n]
    for name, what in MEASURES.items():
        measure = check[name]
        if measure["value"] is not None:
            between = f"{share(measure['low'])} to {share(measure['high'])}"
            found.append((name, share(measure["value"]), f"({between}): {what}"))
    return found


def refuting_texts(one: Data) -> list[str]:
    """Return the configurations that contradict the claim, each with only the fields that matter."""
    shown = (one["check"] or {}).get("refuting", [])[:MAX_REFUTING]
    names = set(one["relevant"])
    return [
        ", ".join(
            f"{field_text(name)} = {cut(write_value(value))}"
            for name, value in it.items()
            if name in names or not names
        )
        for it in shown
    ]


def picture(data: Data) -> str | None:
    """Return the picture of a failing run before the reduction; None if there is none."""
    found = [one for step in data["steps"] if step["finding"] for one in pictures(step["finding"])]
    return found[0] if found else None


def artifacts(data: Data, kind: str, failure: int | None = None) -> list[Data]:
    """Return the artifacts of this kind. ``failure``: only those of this failure; None for those of all."""
    return [one for one in data["artifacts"] if one["kind"] == kind and failure in (None, one["failure"])]


# The steps


def steps_to_unfold(data: Data) -> set[int]:
    """Return the numbers, from 1, of the steps that a page shows unfolded.

    These are the most informative step, and all steps that found bad rows.
    """
    kinds = [step["finding"]["finding"] if step["finding"] else "" for step in data["steps"]]
    most = [kinds.index(kind) + 1 for kind in KINDS_BY_TELLING if kind in kinds][:1]
    return {*most, *(number for number, kind in enumerate(kinds, 1) if kind == "bad_rows")}


def step_run(run: Run, number: int) -> dict[str, Any]:
    """Return a step as a run of its own, with its finding and the trials that its figures can show.

    The trials of a diagnosis are of several kinds: some keep elements, others give values to fields. A figure shows one
    of these kinds, so trials of other kinds are left out, whichever step ran them.
    """
    data = run["finding"]["steps"][number - 1]["finding"]
    own = partial(presenter_for(data["finding"]).is_about, data=data)
    trials = run["trials"] and judge_again(select_kinds(run["trials"], own), data["signature"])
    return {**run, "id": f"{run['id']}-step-{number}", "finding": data, "trials": trials}


def result_parts(step: Data) -> list[str]:
    """Return the result of a step as parts; a condition that it found is code."""
    return [step["said"]] if step["condition"] is None else ["It seems to fail when ", Code(step["condition"]), "."]


# The diagnosis as an issue


def issue(run: Run) -> str:
    """Return the run of a diagnosis as an issue in Markdown."""
    data = run["finding"]
    several = len(data["explanations"]) > 1
    parts = [f"# {join_parts(title(run))}", _state(data)]
    for number, one in enumerate(data["explanations"], 1):
        named = cut(one["signature"] or "without a name", MAX_SIGNATURE)
        parts += [f"# Failure {number}: {escape_text(named)}"] if several else []
        parts += [join_parts(paragraph(data, one)), *_error(one), *map(escape_text, one["order"]), *_details(one)]
        parts += [*_reproducer(data, number), *_cause_section(one), *_check_section(one), *_unknown_section(one)]
    parts += [*map(escape_text, data["notes"]), *_test(data), *_steps(run)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _state(data: Data) -> str:
    if data["complete"]:
        return ""
    return f"**Not final** ({escape_text(data['stopped'] or 'unfinished')}): this is what is known so far."


def _error(one: Data) -> list[str]:
    """Return the last lines of the error text."""
    error = one.get("error")  # a document of an older version has none
    return [code_block(error, "text", MAX_COMMAND_LENGTH)] if error else []


def _details(one: Data) -> list[str]:
    return [code_block("\n".join(one["details"]), "text", MAX_COMMAND_LENGTH)] if one["details"] else []


def _reproducer(data: Data, number: int) -> list[str]:
    files = artifacts(data, "reproducer", number)
    if not files:
        return []
    shown = [_file(one, "json" if one["name"].endswith(".json") else "", MAX_FILE_LINES) for one in files]
    return ["## Make it fail", *_command(files[0]), *filter(None, shown)]


def _command(one: Data) -> list[str]:
    checked = one["checked"] or "not run"
    said = f"Checked: {escape_text(checked)}." if one["command"] else escape_text(checked)
    typed = (
        ["Run this in the folder of the study:", code_block(one["command"], "sh", MAX_COMMAND_LENGTH)]
        if one["command"]
        else []
    )
    return [*typed, said]


def _file(one: Data, language: str, shown: int) -> str:
    if not one["name"]:
        return ""
    if not one["text"]:
        return f"{escape_text(one['name'])}: {one['bytes']:,} bytes, not text."
    body = code_block(one["text"].rstrip("\n"), language, MAX_COMMAND_LENGTH, shown)
    return f"<details><summary><code>{escape_text(one['name'])}</code></summary>\n\n{body}\n\n</details>"


def _cause_section(one: Data) -> list[str]:
    if not one["causes"]:
        return []
    rows = [[Code(cut(cause["text"], MAX_CELL)), *_counts(cause)] for cause in one["causes"]]
    return [
        "## The cause" if len(rows) == 1 else "## The causes",
        _table(["it fails when", "runs there", "failed", "did not fail"], rows),
        code_block(one["python"].rstrip("\n"), "python", MAX_COMMAND_LENGTH, MAX_CODE_LINES),
    ]


def _counts(cause: Data) -> list[str]:
    runs, fails = cause["runs"], cause["fails"]
    return [f"{number:,}" for number in (runs, fails, runs - fails)]


def _check_section(one: Data) -> list[str]:
    rows = [[where, f"{did} {note}".strip()] for where, did, note in check_rows(one)]
    if not rows:
        return []
    against = [f"- {inline_code(text)}" for text in refuting_texts(one)]
    claim = ["Runs that contradict it:", "\n".join(against)] if against else []
    fresh = count(one["check"]["runs"], "fresh run")
    return ["## How sure is that?", _table([fresh, "result"], rows), *claim]


def _unknown_section(one: Data) -> list[str]:
    listed = "\n".join(f"- {escape_text(text)}" for text in one["unknown"] if text != one["headline"])
    return ["## What is not known", listed] if listed else []


def _test(data: Data) -> list[str]:
    return [
        part
        for one in artifacts(data, "test")
        for part in ("## A test for it", *_command(one), _file(one, "python", MAX_CODE_LINES))
    ]


def _steps(run: Run) -> list[str]:
    data = run["finding"]
    rows = [
        [
            step["name"],
            [step["why"], " ", *result_parts(step), "" if step["complete"] else " (not final)"],
            f"{step['trials']:,}",
            "" if step["seconds"] is None else duration(step["seconds"]),
        ]
        for step in data["steps"]
    ]
    took = "" if run["seconds"] is None else f" in {duration(run['seconds'])}"
    cost = f"{count(data['trials'], 'trial')}{took}."
    again = [code_block(run["reproduce"]["command"], "sh", MAX_COMMAND_LENGTH)] if run["reproduce"]["command"] else []
    table = [_table(["step", "result", "trials", "time"], rows)] if rows else []
    return ["## How it was found", cost, *table, *again]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str | list[str]]]) -> str:
    """Return a table in Markdown; a cell is a text or a list of parts."""
    lines = [[_cell([cell] if isinstance(cell, str) else cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *lines])


def _cell(parts: Sequence[str]) -> str:
    return join_parts([part if isinstance(part, Code) else cut(part, MAX_CELL) for part in parts], cell=True)
