"""The command that a report gives to see it again."""

from __future__ import annotations

from contextvars import copy_context

import pytest

from rootward.cli import typed


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["rule", "my study.toml"], "rootward rule 'my study.toml'"),
        (["rule", "--fresh", "study.toml", "--jobs", "2"], "rootward rule study.toml --jobs 2"),
        (["reduce", "a.txt", "--fresh", "--", "make", "--fresh"], "rootward reduce a.txt -- make --fresh"),
    ],
)
def test_it_is_what_was_typed_but_does_not_start_over(given: list[str], told: str) -> None:
    def told_after() -> str:
        typed.remember(given)
        return typed.command_line()

    assert copy_context().run(told_after) == told
