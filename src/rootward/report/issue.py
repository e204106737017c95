"""A report as GitHub-flavoured Markdown: an issue for a tracker, or a short comment for a pull request."""

from __future__ import annotations

from rootward.report.answer import found_by, sentence
from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Data, Run
from rootward.report.markdown import COMMAND, WIDE, code, escaped
from rootward.words import count


def summary(document: Data) -> str:
    """Return all runs of a report with their explanations, costs and commands; a single diagnosis as an issue."""
    runs = document["runs"]
    issue = presenter_for(found_by(runs[0])["finding"]).issue(runs[0]) if len(runs) == 1 else None
    return issue or "\n\n".join(["## Rootward", *map(_section, runs)]) + "\n"


def _section(run: Run) -> str:
    finding = run["finding"]
    title = [f"### {escaped(run['name'][:WIDE])}"] if run["name"] else []
    if finding is None:
        return "\n\n".join([*title, f"{sentence(run)} ({escaped(run['status'])})"])
    return "\n\n".join(filter(None, [*title, code(finding["explanation"], "text"), _cost(finding), _reproduction(run)]))


def _cost(finding: Data) -> str:
    if not finding["asked"]:
        return ""
    ended = "" if finding["complete"] else f" Not final: {escaped(finding['stopped'] or 'unfinished')}."
    return f"After {count(finding['trials'], 'trial')}.{ended}"


def _reproduction(run: Run) -> str:
    command, seed = run["reproduce"]["command"], run["reproduce"]["seed"]
    if not command:
        return "" if seed is None else f"Seed {seed}."
    seeded = "" if seed is None else f"\n\nSeed {seed}."
    return f"<details><summary>How to reproduce it</summary>\n\n{code(command, 'sh', COMMAND)}{seeded}\n\n</details>"
