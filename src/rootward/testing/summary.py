"""All explanations of a session as GitHub-flavoured Markdown, for a comment under a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from rootward.report.inert import code, escaped
from rootward.testing.explanation import Explanation


def markdown(explanations: Sequence[Explanation]) -> str:
    """What is written to a file; nothing in it can be anything but text."""
    if not explanations:
        return "## Rootward\n\nNo parametrised test failed.\n"
    parts = [f"### {escaped(one.test.name)}\n\n{code(str(one), 'text')}" for one in explanations]
    return "\n\n".join(["## Rootward: why tests failed", *parts]) + "\n"
