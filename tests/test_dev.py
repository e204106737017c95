"""The pure parts of ./dev: when it installs, what it says when that fails, how it keeps benchmark results."""

import importlib.machinery
import importlib.util
import io
import runpy
import shlex
import shutil
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

    def make_environment() -> None:
        shutil.rmtree(tmp_path / ".venv", ignore_errors=True)
        (tmp_path / ".venv").mkdir()
        done.append("environment")

    for name, path in {"ROOT": "", "VENV": ".venv", "LOCKS": "", "PYPROJECT": "pyproject.toml"}.items():
        monkeypatch.setattr(dev, name, tmp_path / path)
    monkeypatch.setattr(dev, "works", lambda: True)
    monkeypatch.setattr(dev, "make_environment", make_environment)
    monkeypatch.setattr(dev, "install_packages", done.append)
    monkeypatch.setattr(dev, "install_project", lambda: done.append("project"))
    (tmp_path / "demo.lock").write_text("numpy==1\n")
    (tmp_path / "dev.lock").write_text("numpy==1\npytest==1\n")
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


EVERYTHING = ["environment", "demo", "dev", "project"]


def test_a_second_call_installs_nothing(dev: ModuleType, installed: list[str]) -> None:
    dev.prepare("test")
    dev.prepare("check")
    dev.prepare("demo")
    assert installed == EVERYTHING


def test_the_demo_installs_only_what_it_needs(dev: ModuleType, installed: list[str]) -> None:
    dev.prepare("demo")
    assert installed == ["environment", "demo", "project"]
    dev.prepare("test")
    assert installed[3:] == ["dev"]


@pytest.mark.parametrize("lock", ["demo.lock", "dev.lock"])
def test_a_new_lock_installs_everything_again(dev: ModuleType, installed: list[str], tmp_path: Path, lock: str) -> None:
    dev.prepare("test")
    (tmp_path / lock).write_text("numpy==2\n")
    dev.prepare("test")
    assert installed == EVERYTHING * 2


def test_a_new_pyproject_installs_only_the_project(dev: ModuleType, installed: list[str], tmp_path: Path) -> None:
    dev.prepare("test")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'rootward'\n")
    dev.prepare("test")
    assert installed == [*EVERYTHING, "project"]


@pytest.mark.parametrize(
    "change", [("identity", lambda: "another Python"), ("works", lambda: False)], ids=lambda c: c[0]
)
def test_another_or_a_lost_python_installs_everything_again(
    dev: ModuleType, installed: list[str], monkeypatch: pytest.MonkeyPatch, change: tuple[str, object]
) -> None:
    dev.prepare("test")
    monkeypatch.setattr(dev, *change)
    dev.prepare("test")
    assert installed == EVERYTHING * 2


@pytest.mark.parametrize(
    ("interrupted", "done"),
    [
        ("install_packages", ["environment", "environment", "demo", "dev", "project"]),
        ("install_project", EVERYTHING),
    ],
)
def test_an_interrupted_installation_is_done_again(
    dev: ModuleType, installed: list[str], monkeypatch: pytest.MonkeyPatch, interrupted: str, done: list[str]
) -> None:
    def interrupt(*stage: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(dev, interrupted, interrupt)
        with pytest.raises(KeyboardInterrupt):
            dev.prepare("test")
    dev.prepare("test")
    assert installed == done


@pytest.mark.parametrize(("stage", "packages"), [("demo", 20), ("dev", 100)])
def test_a_lock_is_hashed_and_names_no_registry(dev: ModuleType, stage: str, packages: int) -> None:
    lock = dev.lock_of(stage).read_text()
    assert len(dev.pins(lock)) > packages
    assert all("--hash=sha256:" in pin for pin in lock.replace("\\\n", "").splitlines())
    assert "://" not in lock
    assert not any(line.startswith(("-", "#")) for line in lock.splitlines())


def test_the_locks_agree(dev: ModuleType) -> None:
    demo, everything = (set(dev.pins(dev.lock_of(stage).read_text())) for stage in ("demo", "dev"))
    assert demo < everything


@pytest.mark.parametrize("terminal", [True, False])
def test_what_is_being_installed_is_shown_on_a_terminal(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, terminal: bool
) -> None:
    printed = io.StringIO()
    printed.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", printed)
    monkeypatch.setattr(dev, "LOCKS", tmp_path)
    (tmp_path / "demo.lock").write_text("numpy==1\n")
    (tmp_path / "dev.lock").write_text("numpy==1\npytest==1\n")
    pip = [sys.executable, "-c", "print('Collecting pytest==1 (from ...)')", "--"]
    monkeypatch.setattr(dev, "PYTHON", tmp_path / "python")
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {shlex.join(pip)} "$@"\n')
    (tmp_path / "python").chmod(0o755)
    dev.install_packages("dev")
    assert "[dev] installing 1 packages for tests" in printed.getvalue()
    assert ("fetching pytest==1" in printed.getvalue()) is terminal


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        ("The virtual environment was not created: ensurepip is not available", "-venv"),
        ("NewConnectionError: Temporary failure in name resolution", "check the network connection"),
        ("error: command 'gcc' failed: No such file or directory", "install a C compiler"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "does not match its hash in the lock file",
        ),
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


def test_the_summary_takes_its_figures_from_the_tables(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    first = "| bug | runs |\n| --- | ---: |\n| a, b | 7 (9), 50% |\n"
    second = "| bug | fields | runs |\n| --- | ---: | ---: |\n| a | 20 | >1,000 |\n| a | 30 | 5 |\n"
    third = "| robot | runs |\n| --- | ---: |\n| a | 43 |\n"
    bodies = {"find": f"text\n\n{first}\n### Growth (Figure 1)\n\n{second}\n**All**: worlds.\n\n{third}"}
    references = (
        "{find; ; a, b; runs} {find; ; a, b; runs; 2} {find; Growth; a, 30; runs} {find; Growth; a, 20; runs; 0} "
        "{find; All; a; runs} {find; ; robot: a; runs}"
    )
    assert dev.summarise(references, bodies) == "7 (9), 50% 50% 5 >1,000 43 43"
    assert not capsys.readouterr().err
    assert dev.summarise("{find; Growth; c; runs}", bodies) == "(not measured)"
    assert "printed no row 'c' with a column 'runs' below 'Growth'" in "".join(capsys.readouterr())


def test_every_figure_of_the_summary_is_in_the_results(dev: ModuleType) -> None:
    results = dev.RESULTS.read_text()
    summary = dev.summarise(dev.SUMMARY.read_text(), dev.sections(results))
    assert "not measured)" not in summary
    assert results.startswith(summary)


@pytest.fixture
def benchmarks(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the benchmarks `a` and `b`, and results of both."""
    monkeypatch.setattr(dev, "BENCHMARKS", tmp_path)
    monkeypatch.setattr(dev, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(dev, "header", lambda bodies: "# Results")
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
    with pytest.raises(dev.Trouble, match="unknown benchmark: c; expected one of a, b"):
        dev.bench("c")


def test_help_needs_no_environment(dev: ModuleType) -> None:
    done = subprocess.run([sys.executable, ROOT / "dev", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert all(f"./dev {name}" in done.stdout for name in dev.COMMANDS)


def test_temporary_files_are_in_memory_where_there_is_room_and_do_not_stay(dev, tmp_path, monkeypatch):
    memory, disk = tmp_path / "memory", tmp_path / "disk"
    memory.mkdir()
    disk.mkdir()
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(dev, "MEMORY", str(memory))
    monkeypatch.setattr(dev.tempfile, "tempdir", str(disk))
    for room, memory_or_disk in [(1, memory), (1 << 70, disk)]:
        monkeypatch.setattr(dev, "ROOM", room)
        with dev.temporary_folder() as folder:
            Path(folder, "file").touch()
            assert Path(folder).parent == memory_or_disk
        assert list(memory_or_disk.iterdir()) == []
    assert not dev.has_room(str(tmp_path / "none"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with dev.temporary_folder() as folder:
        assert folder == str(tmp_path)
    assert tmp_path.exists()
