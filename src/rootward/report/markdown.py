"""A report as GitHub-flavoured Markdown: what a comment under a pull request has room for."""

from __future__ import annotations

from typing import Any

from rootward.report.answer import found_by, sentence
from rootward.report.inert import COMMAND, WIDE, code, escaped
from rootward.report.issue import issue


def summary(document: dict[str, Any]) -> str:
    """All runs of a report, each with its explanation, its cost and how to reproduce it; a diagnosis as an issue."""
    if len(document["runs"]) == 1 and found_by(document["runs"][0])["finding"] == "diagnosis":
        return issue(document["runs"][0])
    return "\n\n".join(["## Rootward", *(_section(run) for run in document["runs"])]) + "\n"


def _section(run: dict[str, Any]) -> str:
    finding = run["finding"]
    title = [f"### {escaped(run['name'][:WIDE])}"] if run["name"] else []
    if finding is None:
        return "\n\n".join([*title, f"{sentence(run)} ({escaped(run['status'])})"])
    return "\n\n".join(filter(None, [*title, code(finding["explanation"], "text"), _cost(finding), _again(run)]))


def _cost(finding: dict[str, Any]) -> str:
    if not finding["asked"]:
        return ""
    runs = f"{finding['trials']:,} trial{'' if finding['trials'] == 1 else 's'}"
    ended = "" if finding["complete"] else f" Not final: {escaped(finding['stopped'] or 'unfinished')}."
    return f"After {runs}.{ended}"


def _again(run: dict[str, Any]) -> str:
    command, seed = run["reproduce"]["command"], run["reproduce"]["seed"]
    if not command:
        return "" if seed is None else f"Seed {seed}."
    seeded = "" if seed is None else f"\n\nSeed {seed}."
    return f"<details><summary>How to reproduce it</summary>\n\n{code(command, 'sh', COMMAND)}{seeded}\n\n</details>"
