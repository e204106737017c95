"""A report as GitHub-flavoured Markdown: an issue for a tracker, or a short comment for a pull request."""

from __future__ import annotations

from rootward.report.answer import finding_of, sentence
from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Data, Run
from rootward.report.markdown import MAX_COMMAND_LENGTH, MAX_LINE_LENGTH, code_block, escape_text
from rootward.words import count


def summary(document: Data) -> str:
    """Return a summary of a report: all runs with their explanations, costs and commands.

    For a single diagnosis, it is the text of its issue.
    """
    runs = document["runs"]
    issue = presenter_for(finding_of(runs[0])["finding"]).issue(runs[0]) if len(runs) == 1 else None
    return issue or "\n\n".join(["## Rootward", *map(_section, runs)]) + "\n"


def _section(run: Run) -> str:
    finding = run["finding"]
    title = [f"### {escape_text(run['name'][:MAX_LINE_LENGTH])}"] if run["name"] else []
    if finding is None:
        return "\n\n".join([*title, f"{sentence(run)} ({escape_text(run['status'])})"])
    return "\n\n".join(
        filter(None, [*title, code_block(finding["explanation"], "text"), _cost(finding), _reproduction(run)])
    )


def _cost(finding: Data) -> str:
    if not finding["asked"]:
        return ""
    ended = "" if finding["complete"] else f" Not final: {escape_text(finding['stopped'] or 'unfinished')}."
    return f"After {count(finding['trials'], 'trial')}.{ended}"


def _reproduction(run: Run) -> str:
    command, seed = run["reproduce"]["command"], run["reproduce"]["seed"]
    if not command:
        return "" if seed is None else f"Seed {seed}."
    seeded = "" if seed is None else f"\n\nSeed {seed}."
    return (
        "<details><summary>How to reproduce "
        f"it</summary>\n\n{code_block(command, 'sh', MAX_COMMAND_LENGTH)}{seeded}\n\n</details>"
    )
