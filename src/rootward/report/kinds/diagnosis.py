"""A diagnosis: a bug report that says what fails and when, and shows it by its steps, each a finding of its own.

The page tells it in a paragraph and tables; an issue, what a person pastes into a tracker and nobody has to ask back
about, tells the same in Markdown.
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
from rootward.report.markdown import COMMAND, Code, code, escaped, marked, span
from rootward.report.sentences import diagnosis as said
from rootward.report.text import cut, duration, enumerate_parts, share, write_value
from rootward.report.trials import judged_by, only_of
from rootward.rules import Rule
from rootward.rules.text import field_text
from rootward.words import count

NAMES = 4
"""So many fields are named in a title; of more, the first two."""
LISTED = 5
"""So many names stand in a sentence ..."""
REFUTING = 20
"""... and so many configurations that refute a claim in a list."""
LONG, ELEMENT = 300, 120
"""Longer texts are cut; of an element, as many characters are shown."""
SIGNATURE, CELL = 100, 400
"""In an issue, longer signatures are cut in a title, and longer texts in the cells of tables."""
FILE, TEST = 60, 300
"""So many lines of a reproducer are shown there, and so many of what is to be run as it stands."""
MEASURES = {
    "precision": "share of predicted failures that failed",
    "recall": "share of failures that were predicted",
}
TELLING = ("rule_finding", "causes", "bad_rows", "triage", "product_set", "reduction")
"""The kinds whose figures say most about why it fails, the best first."""


class DiagnosisPresenter(Presenter[Diagnosis]):
    template = "diagnosis.html"
    joined_by = "or"
    sentences = staticmethod(said.sentences)
    explanation = staticmethod(said.explanation)
    headline = staticmethod(said.headline)
    because = staticmethod(said.because)
    details = staticmethod(said.details)
    checked = staticmethod(said.checked)
    came_out = staticmethod(said.came_out)
    condition_of = staticmethod(said.condition_of)
    why = staticmethod(said.why)
    tried = staticmethod(said.tried)

    def words(self, finding: Diagnosis) -> str:
        return said.diagnosis(finding)

    def cost(self, finding: Diagnosis) -> str:
        nothing = finding.steps and all(step.name == "triage" for step in finding.steps)
        return said.cost_of_nothing(finding) if nothing else super().cost(finding)

    def head(self, data: Data) -> str:
        several = len(data["explanations"])
        if several > 1:
            return f"{data['study'] or 'It'} fails in {several} ways"
        if self.conditions(data):
            return f"{_hope(data, data['explanations'][0])} when"
        return str(data["explanations"][0]["named"]) if several else super().head(data)

    def conditions(self, data: Data) -> list[str]:
        if len(data["explanations"]) != 1 or _condition(data["explanations"][0]) is None:
            return []
        return [cause["text"] for cause in data["explanations"][0]["causes"]]

    def titles(self, run: Run) -> list[list[str]]:
        """With its conditions; or, if these are too long for a title, with their fields, or the number of these."""
        said = answer(run)
        if not said.conditions:
            return [[said.head]]
        more = [f" or {said.more:,} more"] if said.more else []
        listed = [part for condition in said.conditions for part in (" or ", Code(condition))]
        whole = [said.head, " ", *listed[1:], *more]
        names = run["finding"]["explanations"][0]["relevant"]
        if not names:
            return [whole]
        named: list[list[str]] = [[Code(field_text(name))] for name in names]
        few = named if len(names) <= NAMES else [*named[:2], [f"{len(names) - 2:,} more fields"]]
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
        return Certainty.measured(said, "precision", min(measured, key=lambda one: one["value"]))

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        several = len(data["explanations"]) > 1
        return {
            "paragraph": lambda one: "".join(tell(data, one)),
            "picture": None if several else picture(data),
            "artifacts": partial(artifacts, data),
            "checks": checks,
            "refuting": refuting,
            "telling": telling(data),
        }

    def fields(self, data: Data) -> list[str]:
        steps = [step["finding"] for step in data["steps"] if step["finding"]]
        shown = (name for step in steps for name in presenter_for(step["finding"]).fields(step))
        return list(dict.fromkeys([*super().fields(data), *shown]))

    def issue(self, run: Run) -> str | None:
        return issue(run)


PRESENTER = DiagnosisPresenter()


# One failure, in a paragraph


def tell(data: Data, one: Data) -> list[str]:
    """Why one failure happens, in a few sentences, with names and conditions apart from the words."""
    rate = one["rate"]
    rare = rate["value"] is not None and rate["value"] < 1
    sentences = [
        _headline(data, one),
        [f"The failure: {cut(one['signature'], LONG)}." if one["signature"] else ""],
        _kept(one) if one["causes"] else [],
        _fields(one),
        [f"It does not fail every time, but in about {rate['value']:.0%} of runs." if rare else ""],
        [one["check"]["said"] if one["check"] else ""],
        [one["because"]],
        *([said] for said in one["seen"]),
    ]
    return [part for said in sentences if any(said) for part in (" ", *said)][1:]


def _headline(data: Data, one: Data) -> list[str]:
    """When it fails, in a sentence that names what was diagnosed."""
    if not one["causes"]:
        return [cut(one["named"], 4 * LONG)]
    hope, condition = _hope(data, one), _condition(one)
    if condition is None:
        return [f"{hope} whatever the values of {count(one['of'], 'field')}."]
    return [f"{hope} when ", Code(cut(condition, 4 * LONG)), "."]


def _hope(data: Data, one: Data) -> str:
    """How firmly it is said that it fails."""
    return f"{data['study'] or 'It'} {'fails' if one['certain'] else 'seems to fail'}"


def _condition(one: Data) -> str | None:
    """The condition under which a failure shows; None if no cause is known, or if it always shows."""
    if not one["causes"]:
        return None
    try:
        rules = [Rule.from_dict(cause["rule"]) for cause in one["causes"]]
        claim = Rule.from_dict(one["rule"])
    except InputError:  # it compares with a value of a class that is not loaded here
        return " or ".join(cause["text"] for cause in one["causes"])
    return str(claim) if all(rule.terms and all(rule.terms) for rule in rules) else None


def _kept(one: Data) -> list[str]:
    if not one["kept"]:
        return []
    kept: list[list[str]] = [[Code(cut(" ".join(row["element"].split()), ELEMENT))] for row in one["kept"]]
    if one["names"]:
        pairs = zip(one["names"], kept, strict=False)
        kept = [text if text == [name] else [Code(name), " (", *text, ")"] for name, text in pairs]
    verb = "is" if len(kept) == 1 else "are"
    return [f"Of {count(one['elements'], one['noun'])}, {len(kept):,} {verb} needed: ", *_listed(kept), "."]


def _fields(one: Data) -> list[str]:
    names = one["relevant"]
    if not names or not one["causes"]:
        return []
    verb = "matters" if len(names) == 1 else "matter"
    listed = _listed([[Code(field_text(name))] for name in names])
    return [f"Of {count(one['of'], 'field')}, {len(names):,} {verb}: ", *listed, "."]


def _listed(names: Sequence[list[str]]) -> list[str]:
    more = [f"{len(names) - LISTED:,} more"]
    return enumerate_parts([*names[:LISTED], more] if len(names) > LISTED else names)


# What shows it


def checks(one: Data) -> list[tuple[str, str, str]]:
    """What fresh runs said: where they were, what they did, and how much of that is as claimed."""
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


def refuting(one: Data) -> list[str]:
    """Configurations that did not do what is claimed, by the fields that matter."""
    shown = (one["check"] or {}).get("refuting", [])[:REFUTING]
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
    """Of what was reduced, a failing run with everything in it; None if there is no picture of one."""
    found = [one for step in data["steps"] if step["finding"] for one in pictures(step["finding"])]
    return found[0] if found else None


def artifacts(data: Data, kind: str, failure: int | None = None) -> list[Data]:
    """Those of this kind; of one failure, or of all."""
    return [one for one in data["artifacts"] if one["kind"] == kind and failure in (None, one["failure"])]


# The steps


def telling(data: Data) -> set[int]:
    """The numbers of the steps whose figures say most, counted from 1: one, and those that show rows."""
    kinds = [step["finding"]["finding"] if step["finding"] else "" for step in data["steps"]]
    most = [kinds.index(kind) + 1 for kind in TELLING if kind in kinds][:1]
    return {*most, *(number for number, kind in enumerate(kinds, 1) if kind == "bad_rows")}


def step_run(run: Run, number: int) -> dict[str, Any]:
    """A step as a run of its own: what it found, and those of all trials that its figures can show.

    The trials of a diagnosis are of several kinds: some keep elements, others give values to fields. A figure is about
    one of these kinds, so the others are left out, whichever step ran them.
    """
    data = run["finding"]["steps"][number - 1]["finding"]
    own = partial(presenter_for(data["finding"]).is_about, data=data)
    trials = run["trials"] and judged_by(only_of(run["trials"], own), data["signature"])
    return {**run, "id": f"{run['id']}-step-{number}", "finding": data, "trials": trials}


def came_out(step: Data) -> list[str]:
    """What came out of a step, part by part: if that is the condition that it found, the condition is code."""
    return [step["said"]] if step["condition"] is None else ["It fails when ", Code(step["condition"]), "."]


# The same as an issue


def issue(run: Run) -> str:
    """The run of a diagnosis, in Markdown."""
    data = run["finding"]
    several = len(data["explanations"]) > 1
    parts = [f"# {marked(title(run))}", _state(data)]
    for number, one in enumerate(data["explanations"], 1):
        named = cut(one["signature"] or "without a name", SIGNATURE)
        parts += [f"# Failure {number}: {escaped(named)}"] if several else []
        parts += [marked(tell(data, one)), *map(escaped, one["order"]), *_details(one)]
        parts += [*_reproducer(data, number), *_causes(one), *_checked(one), *_unknown(one)]
    parts += [*map(escaped, data["notes"]), *_test(data), *_steps(run)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _state(data: Data) -> str:
    if data["complete"]:
        return ""
    return f"**Not final** ({escaped(data['stopped'] or 'unfinished')}): this is what is known so far."


def _details(one: Data) -> list[str]:
    return [code("\n".join(one["details"]), "text", COMMAND)] if one["details"] else []


def _reproducer(data: Data, number: int) -> list[str]:
    files = artifacts(data, "reproducer", number)
    if not files:
        return []
    shown = [_file(one, "json" if one["name"].endswith(".json") else "", FILE) for one in files]
    return ["## Make it fail", *_command(files[0]), *filter(None, shown)]


def _command(one: Data) -> list[str]:
    checked = one["checked"] or "not run"
    said = f"Checked: {escaped(checked)}." if one["command"] else escaped(checked)
    typed = ["Run this in the folder of the study:", code(one["command"], "sh", COMMAND)] if one["command"] else []
    return [*typed, said]


def _file(one: Data, language: str, shown: int) -> str:
    if not one["name"]:
        return ""
    if not one["text"]:
        return f"{escaped(one['name'])}: {one['bytes']:,} bytes, not text."
    body = code(one["text"].rstrip("\n"), language, COMMAND, shown)
    return f"<details><summary><code>{escaped(one['name'])}</code></summary>\n\n{body}\n\n</details>"


def _causes(one: Data) -> list[str]:
    if not one["causes"]:
        return []
    rows = [[Code(cut(cause["text"], CELL)), *_counts(cause)] for cause in one["causes"]]
    return [
        "## The cause" if len(rows) == 1 else "## The causes",
        _table(["it fails when", "runs there", "failed", "did not fail"], rows),
        code(one["python"].rstrip("\n"), "python", COMMAND, TEST),
    ]


def _counts(cause: Data) -> list[str]:
    runs, fails = cause["runs"], cause["fails"]
    return [f"{number:,}" for number in (runs, fails, runs - fails)]


def _checked(one: Data) -> list[str]:
    rows = [[where, f"{did} {note}".strip()] for where, did, note in checks(one)]
    if not rows:
        return []
    against = [f"- {span(text)}" for text in refuting(one)]
    claim = ["Runs that contradict it:", "\n".join(against)] if against else []
    fresh = count(one["check"]["runs"], "fresh run")
    return ["## How sure is that?", _table([fresh, "result"], rows), *claim]


def _unknown(one: Data) -> list[str]:
    listed = "\n".join(f"- {escaped(text)}" for text in one["unknown"])
    return ["## What is not known", listed] if one["unknown"] else []


def _test(data: Data) -> list[str]:
    return [
        part
        for one in artifacts(data, "test")
        for part in ("## A test for it", *_command(one), _file(one, "python", TEST))
    ]


def _steps(run: Run) -> list[str]:
    data = run["finding"]
    rows = [
        [
            step["name"],
            [step["why"], " ", *came_out(step), "" if step["complete"] else " (not final)"],
            f"{step['trials']:,}",
            "" if step["seconds"] is None else duration(step["seconds"]),
        ]
        for step in data["steps"]
    ]
    took = "" if run["seconds"] is None else f" in {duration(run['seconds'])}"
    cost = f"{count(data['trials'], 'trial')}{took}."
    again = [code(run["reproduce"]["command"], "sh", COMMAND)] if run["reproduce"]["command"] else []
    table = [_table(["step", "result", "trials", "time"], rows)] if rows else []
    return ["## How it was found", cost, *table, *again]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str | list[str]]]) -> str:
    """Of cells that are texts, or made of parts."""
    lines = [[_cell([cell] if isinstance(cell, str) else cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *lines])


def _cell(parts: Sequence[str]) -> str:
    return marked([part if isinstance(part, Code) else cut(part, CELL) for part in parts], cell=True)
