"""Help is quick, and says what there is."""

import dataclasses
import resource
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import rootward
from rootward.cli import app
from rootward.cli.options import Lab, Runs

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


def test_help_takes_less_than_0_3_seconds_of_cpu():
    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    costs = []
    for _ in range(3):
        before = spent()
        subprocess.run([sys.executable, "-m", "rootward", "--help"], check=True, capture_output=True)
        costs.append(spent() - before)
    assert min(costs) < 0.3


def test_heavy_modules_wait_for_the_command_that_needs_them():
    code = f"import sys, rootward.cli; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_the_program_lists_its_commands(arguments):
    said = CliRunner().invoke(app, arguments).output
    assert "find        Inputs that fail, where none is known." in said
    assert "reduce      The smallest part of a failing input that still fails." in said
    assert "triggers    Which fields of a failing input matter" in said
    assert "rule        The exact condition of a failure, as it would stand in code." in said
    assert "causes      Which combinations of settings always fail." in said
    assert "rows        Which rows of a table make it fail" in said
    assert "instrument  Where to put a check into a pipeline" in said
    assert "triage      Where recorded traces depart from a model" in said
    assert "import      Past runs become a history." in said
    assert "model       Check a model, draw it, check a certificate again." in said
    assert "runs        List runs, show one" in said
    assert "serve       Watch runs in the browser" in said


@pytest.mark.parametrize("verb", ["find", "reduce", "rows", "triggers", "rule", "causes"])
def test_a_verb_lists_the_shared_options(verb):
    said = CliRunner().invoke(app, [verb, "--help"]).output
    shared = (*dataclasses.fields(Lab), *dataclasses.fields(Runs))
    assert all(f"--{field.name.replace('_', '-')}" in said for field in shared)


def test_the_usage_line_has_no_braces_which_mark_placeholders():
    usages = [
        CliRunner().invoke(app, [*words, "-h"]).output.splitlines()[0]
        for words in (["reduce"], ["triggers"], ["rule"], ["causes"], ["runs", "show"], ["runs", "export"])
    ]
    assert [usage.partition("] ")[2] for usage in usages] == ["FILE [-- CMD ...]"] * 4 + ["ID"] * 2


def test_version():
    assert CliRunner().invoke(app, ["--version"]).output == f"rootward {rootward.__version__}\n"
