"""Help is quick, and says what there is."""

import dataclasses
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import rootward
from rootward.cli import app
from rootward.cli.options import LabFlags, RunFlags

HEAVY = [
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "jinja2",
    "numpy",
    "scipy",
    "pydantic",
    "rich",
    "cloudpickle",
    "distributed",
]


def loaded_by(code: str) -> set[str]:
    """Return the modules that a new process has loaded after this code."""
    code = (
        f"import contextlib, io, sys\nwith contextlib.redirect_stdout(io.StringIO()):\n    {code}\nprint(*sys.modules)"
    )
    return set(subprocess.check_output([sys.executable, "-c", code], text=True).split())


def test_help_loads_little_beside_typer():
    """It is to take less than 0.3 s of CPU, most of which is spent on loading modules; those can be counted."""
    typer = "from typer.testing import CliRunner"
    shown = loaded_by(f"{typer}; from rootward.cli import app; assert CliRunner().invoke(app, ['--help']).output")
    assert len(shown - loaded_by(typer)) < 60


def test_heavy_modules_wait_for_the_command_that_needs_them():
    assert loaded_by("import rootward.cli").isdisjoint(HEAVY)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_the_program_lists_its_commands(arguments):
    said = CliRunner().invoke(app, arguments).output
    assert "find        Find inputs that fail, where none is known." in said
    assert "reduce      Find the smallest part of a failing input that still fails." in said
    assert "triggers    Find the fields and values that trigger a failure." in said
    assert "rule        Find the exact condition of a failure, as code would state it." in said
    assert "causes      Find the combinations of settings that always fail." in said
    assert "rows        Find the rows and cells of a table that make it fail" in said
    assert "instrument  Find the best place for a check in a pipeline." in said
    assert "triage      Find where recorded traces violate a model" in said
    assert "import      Turn past runs into a history for `rootward causes`." in said
    assert "model       Learn a model, check it, draw it, or verify a certificate." in said
    assert "runs        List runs, show one" in said
    assert "serve       Watch runs in the browser" in said


@pytest.mark.parametrize("verb", ["find", "reduce", "rows", "triggers", "rule", "causes"])
def test_a_verb_lists_the_shared_options(verb):
    said = CliRunner().invoke(app, [verb, "--help"]).output
    shared = (*dataclasses.fields(LabFlags), *dataclasses.fields(RunFlags))
    assert all(f"--{field.name.replace('_', '-')}" in said for field in shared)


def test_the_usage_line_has_no_braces_which_mark_placeholders():
    usages = [
        CliRunner().invoke(app, [*words, "-h"]).output.splitlines()[0]
        for words in (["reduce"], ["triggers"], ["rule"], ["causes"], ["runs", "show"], ["runs", "export"])
    ]
    assert [usage.partition("] ")[2] for usage in usages] == [
        "[FILE] [-- CMD ...]",
        *["FILE [-- CMD ...]"] * 3,
        *["ID"] * 2,
    ]


def test_version():
    assert CliRunner().invoke(app, ["--version"]).output == f"rootward {rootward.__version__}\n"
