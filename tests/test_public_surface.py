"""The public names: exactly these, each where it is said to live, and none of them costly before it is used."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rootward
from rootward.verbs import LabOptions

PUBLIC = {
    # verbs and their findings
    "find",
    "Failures",
    "Failure",
    "reduce",
    "Reduction",
    "triggers",
    "ProductSet",
    "Interaction",
    "rule",
    "RuleFinding",
    "causes",
    "Causes",
    "Cause",
    "instrument",
    "Checkpoint",
    "rows",
    "BadRows",
    "diagnose",
    "Diagnosis",
    "Explanation",
    "Finding",
    # triage: models, traces and what is found
    "load_model",
    "learn_model",
    "Limits",
    "Model",
    "read_traces",
    "Trace",
    "TraceMark",
    "Event",
    "triage",
    "Triage",
    "Fault",
    "FaultClass",
    # fields, spaces, rules
    "Bool",
    "Choice",
    "Float",
    "Int",
    "Ordinal",
    "Space",
    "Text",
    "Atom",
    "Conjunction",
    "Estimate",
    "Quantity",
    "Rule",
    # documents and histories
    "open_document",
    "HistoryTable",
    "read_history",
    "Study",
    "load_study",
    # subjects and what they say
    "Command",
    "Function",
    "World",
    "fails_when",
    "passes_when",
    "Outcome",
    "Verdict",
    "Unresolved",
    # the lab
    "Budget",
    "Lab",
    "Repeat",
    "Store",
    "Trial",
    # for those who write searches
    "Ask",
    "Elements",
    "Replay",
    "Search",
    "Selection",
    "all_of",
    "first_failing",
    # errors
    "InputError",
    "MachineTrouble",
    "MissingExtra",
    "NotReproduced",
    "RootwardError",
    "StoreError",
    "StudyError",
    "SubjectError",
}


def test_exactly_these() -> None:
    assert set(rootward.__all__) == PUBLIC
    assert list(rootward.__all__) == sorted(PUBLIC)
    assert {*PUBLIC, "__version__"} <= set(dir(rootward))


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_each_name_resolves_to_where_it_lives(name: str) -> None:
    home = importlib.import_module(f"rootward.{rootward._HOME[name]}")
    assert getattr(rootward, name) is getattr(home, name)


def test_what_the_type_checker_sees_is_what_there_is() -> None:
    tree = ast.parse(Path(rootward.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    seen = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module is not None
        for alias in node.names:
            assert alias.asname is None
            seen[alias.name] = node.module.removeprefix("rootward.")
    assert seen == rootward._HOME


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="'rootward' has no attribute 'frobnicate'"):
        rootward.frobnicate  # noqa: B018
    with pytest.raises(ImportError):
        from rootward import frobnicate  # noqa: F401


def test_a_star_import_brings_them_all() -> None:
    names: dict[str, object] = {}
    exec("from rootward import *", names)
    assert set(names) >= PUBLIC


def loaded(code: str) -> set[str]:
    """The top-level modules that a new process has loaded after the code."""
    script = f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {"numpy", "scipy", "sqlalchemy", "typer", "rich", "pydantic", "jinja2", "starlette", "uvicorn", "cloudpickle"}


def test_the_import_alone_loads_nothing_heavy() -> None:
    assert not loaded("import rootward") & HEAVY
    assert not loaded("import rootward; rootward.InputError, rootward.Verdict, dir(rootward)") & HEAVY


def test_the_errors_form_one_tree() -> None:
    errors = [value for name in PUBLIC if isinstance(value := getattr(rootward, name), type)]
    errors = [value for value in errors if issubclass(value, Exception)]
    assert len(errors) == 9
    assert all(issubclass(error, rootward.RootwardError) for error in errors)
    assert issubclass(rootward.InputError, ValueError)
    assert issubclass(rootward.MissingExtra, ImportError)
    assert (
        str(rootward.MissingExtra("flying", "wings"))
        == 'flying needs an optional package: pip install "rootward[wings]"'
    )


VERBS = ["reduce", "find", "triggers", "rule", "causes", "rows", "instrument", "triage", "diagnose"]
READERS = ["load_model", "load_study", "open_document", "read_history", "read_traces"]


@pytest.mark.parametrize("name", [*VERBS, *READERS])
def test_every_parameter_is_documented(name: str) -> None:
    function = getattr(rootward, name)
    told = re.findall(r"^    :param (\w+): \S", function.__doc__, flags=re.MULTILINE)
    assert told == list(inspect.signature(function).parameters), "in the order of the signature"


def test_every_option_of_the_lab_is_documented() -> None:
    options = set(LabOptions.__annotations__)
    assert options == set(inspect.signature(rootward.Lab).parameters) - {"subject"}
    text = inspect.getsource(LabOptions)
    assert all(re.search(rf'^    {name}: .*\n    """\w', text, flags=re.MULTILINE) for name in options)


def test_the_first_example_is_true() -> None:
    result = doctest.testmod(rootward)
    assert result.attempted > 0
    assert result.failed == 0
