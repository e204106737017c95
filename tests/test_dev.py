"""The pure parts of ./dev: when it installs, what it says when that fails, how it keeps benchmark results."""

import importlib.machinery
import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def dev() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("dev", str(ROOT / "dev"))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)  # else a `devc` appears beside ./dev
        loader.exec_module(module)
    return module


@pytest.fixture
def installed(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A repository in `tmp_path` whose installations are only written down, here."""
    done: list[str] = []

    def install_packages() -> None:
        (tmp_path / ".venv").mkdir(exist_ok=True)
        done.append("packages")

    for name, path in {"ROOT": "", "VENV": ".venv", "LOCK": "dev.lock", "PYPROJECT": "pyproject.toml"}.items():
        monkeypatch.setattr(dev, name, tmp_path / path)
    monkeypatch.setattr(dev, "works", lambda: True)
    monkeypatch.setattr(dev, "install_packages", install_packages)
    monkeypatch.setattr(dev, "install_project", lambda: done.append("project"))
    (tmp_path / "dev.lock").write_text("numpy==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return done


def test_bytecode_is_kept_and_the_rest_is_inherited(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("ANOTHER", "one")
    environment = dev.environment()
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert environment["ANOTHER"] == "one"
    assert environment["PATH"].startswith(str(dev.VENV))


def test_the_demo_starts_anew(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its store may be of an older version of Rootward."""
    monkeypatch.chdir(tmp_path)
    demo = runpy.run_path(str(ROOT / dev.DEMO))["main"].__globals__
    subject = SimpleNamespace(run=lambda *_, **__: SimpleNamespace(detail="It is stuck"))
    (store := demo["OUT"] / "demo.db").parent.mkdir(parents=True)
    store.write_text("old")
    monkeypatch.setitem(demo, "load", lambda _: SimpleNamespace(elements=[1], subject=subject))
    monkeypatch.setattr(demo["subprocess"], "run", lambda _: SimpleNamespace(returncode=int(store.exists()) + 3))
    assert demo["main"]() == 3


def test_a_second_call_installs_nothing(dev: ModuleType, installed: list[str]) -> None:
    dev.prepare()
    dev.prepare()
    assert installed == ["packages", "project"]


def test_a_new_lock_installs_everything_again(dev: ModuleType, installed: list[str], tmp_path: Path) -> None:
    dev.prepare()
    (tmp_path / "dev.lock").write_text("numpy==2\n")
    dev.prepare()
    assert installed == ["packages", "project"] * 2


def test_a_new_pyproject_installs_only_the_project(dev: ModuleType, installed: list[str], tmp_path: Path) -> None:
    dev.prepare()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'rootward'\n")
    dev.prepare()
    assert installed == ["packages", "project", "project"]


def test_another_python_installs_everything_again(
    dev: ModuleType, installed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dev.prepare()
    monkeypatch.setattr(dev, "identity", lambda: "another Python")
    dev.prepare()
    assert installed == ["packages", "project"] * 2


def test_an_interrupted_installation_is_done_again(
    dev: ModuleType, installed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(dev, "install_project", interrupted)
        with pytest.raises(KeyboardInterrupt):
            dev.prepare()
    dev.prepare()
    assert installed == ["packages", "project"]


def test_the_lock_is_hashed_and_names_no_registry(dev: ModuleType) -> None:
    lock = dev.LOCK.read_text()
    assert dev.count(lock) > 50
    assert all("--hash=sha256:" in pin for pin in lock.replace("\\\n", "").splitlines())
    assert "://" not in lock
    assert not any(line.startswith(("-", "#")) for line in lock.splitlines())


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        ("The virtual environment was not created: ensurepip is not available", "-venv"),
        ("NewConnectionError: Temporary failure in name resolution", "is there a network?"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not the one that was locked"),
        ("something unheard of", "something unheard of"),
    ],
)
def test_a_failed_installation_is_explained(dev: ModuleType, output: str, cause: str) -> None:
    first, *rest = dev.explain(output).splitlines()
    assert cause in first
    assert rest == [output]


def test_results_survive_being_read_and_written(dev: ModuleType) -> None:
    bodies = {"ddmin": "| a |\n| - |\n| 1 |", "lab": "## A heading of its own\n\ntext"}
    text = dev.compose("# Results", bodies)
    assert dev.sections(text) == bodies
    assert dev.compose("# Results", dev.sections(text)) == text


@pytest.fixture
def benchmarks(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the benchmarks `a` and `b`, and results of both."""
    monkeypatch.setattr(dev, "BENCHMARKS", tmp_path)
    monkeypatch.setattr(dev, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(dev, "header", lambda: "# Results")
    (tmp_path / "a.py").write_text("print('new a')")
    (tmp_path / "b.py").write_text("print('new b')")
    (tmp_path / "_shared.py").write_text("raise SystemExit('not a benchmark')")
    (tmp_path / "RESULTS.md").write_text(dev.compose("# Results", {"a": "old a", "b": "old b", "gone": "old"}))
    return tmp_path


def test_bench_rewrites_every_section(dev: ModuleType, benchmarks: Path) -> None:
    assert dev.bench() == 0
    results = dev.sections((benchmarks / "RESULTS.md").read_text())
    assert list(results) == ["a", "b"]
    assert all(f"new {name}" in body for name, body in results.items())


def test_bench_keeps_the_sections_it_was_not_asked_for(dev: ModuleType, benchmarks: Path) -> None:
    assert dev.bench("a") == 0
    results = dev.sections((benchmarks / "RESULTS.md").read_text())
    assert "new a" in results["a"]
    assert results["b"] == "old b"


def test_bench_keeps_the_old_section_of_a_failing_script(dev: ModuleType, benchmarks: Path) -> None:
    (benchmarks / "b.py").write_text("print('half a table'); raise SystemExit(1)")
    assert dev.bench() == 1
    results = dev.sections((benchmarks / "RESULTS.md").read_text())
    assert "new a" in results["a"]
    assert results["b"] == "old b"


def test_an_unknown_benchmark_is_named(dev: ModuleType, benchmarks: Path) -> None:
    with pytest.raises(dev.Trouble, match="no such benchmark: c; there are: a, b"):
        dev.bench("c")


def test_help_needs_no_environment(dev: ModuleType) -> None:
    done = subprocess.run([sys.executable, ROOT / "dev", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert all(f"./dev {name}" in done.stdout for name in dev.COMMANDS)
