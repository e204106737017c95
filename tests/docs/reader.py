"""A reader who does what a page says, from its beginning to its end, in an empty folder.

Files are written, Python blocks run one after the other and share their names, and so do commands, which are typed into
one shell. What is printed is compared with what the page shows. A command that is nothing but ``rootward`` or
``pytest`` and its arguments is run here instead of in a process of its own, which would import everything again.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest import mock

import pytest
import yaml

from rootward import load_model
from rootward.cli import main
from rootward.study import load_study
from rootward.testing import display
from rootward.traces.linting import lint

from .blocks import Block, agrees, blocks, commands
from .manifest import check_dask_cluster

ROOT = Path(__file__).parents[2]


class Reader:
    """``instead`` gives what takes the place of words that only stand for something: the address of a server."""

    def __init__(self, folder: Path, capture: Callable[[], str], instead: Mapping[str, str] | None = None) -> None:
        self.folder, self._captured, self._instead = folder, capture, instead or {}
        self._names: dict[str, object] = {"__name__": "page"}
        self._shell: Shell | None = None
        self._printed: str | None = None

    def read(self, page: Path) -> None:
        text = page.read_text(encoding="utf-8")
        if "examples" in text and not (self.folder / "examples").exists():
            unwanted = shutil.ignore_patterns(".rootward", "__pycache__")
            shutil.copytree(ROOT / "examples", self.folder / "examples", ignore=unwanted)
        for word, meant in self._instead.items():
            text = text.replace(word, meant)
        for block in blocks(text):
            if not block.reason:
                self._do(block, f"{page.relative_to(ROOT)}:{block.line}")

    def close(self) -> None:
        if self._shell:
            self._shell.close()

    def _do(self, block: Block, place: str) -> None:
        before, self._printed = self._printed, None
        if block.file:
            self._write(block)
        if block.language == "python" and not block.file:
            exec(compile(block.text, "example.py", "exec", dont_inherit=True), self._names)
            self._printed = self._captured()
        elif block.language in ("sh", "setup") and not block.file:
            self._printed = self._run_script(block.text, place)
        elif block.language == "console":
            assert block.text.startswith("$ "), f"{place}: a console without a command"
            self._type(block, place)
        elif block.language == "text" and block.adjacent and before is not None:
            assert agrees(before, block.text), f"{place}: printed is\n{before}"
        else:
            assert block.language in CHECKS, f"{place}: a block in {block.language or 'no language'}"
            CHECKS[block.language](block.text, self.folder)

    def _write(self, block: Block) -> None:
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        path.chmod(0o755 if block.text.startswith("#!") else 0o644)

    def _type(self, block: Block, place: str) -> None:
        for typed, shown in commands(block.text):
            code, printed = self._run_here(typed) if ALONE.fullmatch(typed) else self.shell.run(typed)
            if shown:
                assert agrees(printed, shown), f"{place}: {typed}\nexit code {code}, printed is\n{printed}"
            assert code == 0 or (shown and code not in (2, 126, 127)), f"{place}: {typed}\nexit code {code}: {printed}"

    def _run_script(self, script: str, place: str) -> str:
        """Run a script, which the shell ends at the first command that fails, and return what it printed."""
        printed = ""
        for number, part in enumerate(re.split(rf"(?m)^((?:! )?{ALONE.pattern})$", script)):
            is_alone = number % 2 == 1
            is_to_fail = is_alone and part.startswith("! ")
            if is_alone:
                code, said = self._run_here(part.removeprefix("! "))
            else:
                code, said = self.shell.run(f"set -e\n{part}\nset +e")
            assert (code != 0) is is_to_fail, f"{place}: exit code {code}: {said}"
            printed += said
        return printed

    def _run_here(self, typed: str) -> tuple[int, str]:
        """Do what the shell would, with the arguments as it expands them, in the folder where it is."""
        _, words = self.shell.run(f"printf '%s\\0' \"$PWD\" {typed}")
        folder, program, *arguments = words.removesuffix("\0").split("\0")
        _, variables = self.shell.run("env -0")
        environment = dict(one.split("=", 1) for one in variables.removesuffix("\0").split("\0"))
        out, err, before = io.StringIO(), io.StringIO(), set(sys.modules)
        with (
            contextlib.chdir(folder),
            mock.patch.dict(os.environ, environment),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = run_pytest(arguments) if program == "pytest" else run_rootward(arguments)
        for name in set(sys.modules) - before:  # another page may have a module of the same name
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(self.folder)):
                del sys.modules[name]
        return code, out.getvalue() or err.getvalue()

    @property
    def shell(self) -> Shell:
        self._shell = self._shell or Shell(self.folder)
        return self._shell


def run_rootward(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return int(end.value.code or 0)


def run_pytest(arguments: list[str]) -> int:
    """Run pytest inside of this one, without what holds for the whole process, its last words, and without the lines
    that tell that it takes long."""
    with mock.patch.object(display, "LOG_INTERVAL", math.inf):
        return int(pytest.main([*PYTEST.split(), "-p", "no:faulthandler", *arguments]))


ALONE = re.compile(r"(?:rootward (?!serve)|pytest )(?:[^|;&<>$()`'\"\\\n]|\\\n|'[^']*'|\"[^\"$`\\]*\")*")
"""A command of Rootward or pytest without anything that is the shell's business."""
PYTEST = "-p rootward.testing -p no:cacheprovider -p no:hypothesispytest -p no:randomly"
"""pytest without our plugins, which change what it prints or are slow to import."""
PROGRAMS = {
    "python": "",
    "python3": "",
    "rootward": "-m rootward",
    "pytest": f"-m pytest {PYTEST}",
}
"""What a reader has installed, as arguments of this Python."""


class Shell:
    """One bash for a page: its folder, its variables and what it starts in the background stay until the end."""

    def __init__(self, folder: Path) -> None:
        programs = folder / ".programs"
        programs.mkdir()
        for name, command in PROGRAMS.items():
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
            (programs / name).chmod(0o755)
        path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        self._out, self._err = programs / "out", programs / "err"
        self._bash = subprocess.Popen(
            ["bash", "--norc"],
            cwd=folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "REPOSITORY": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, command: str) -> tuple[int, str]:
        """The exit code, and what was printed: the output, or the complaint if there is no output."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.write(f"{{ {command}\n}} </dev/null >{self._out} 2>{self._err}\necho $?\n")
        self._bash.stdin.flush()
        code = int(self._bash.stdout.readline() or self._bash.wait())
        printed = self._out.read_text(encoding="utf-8")
        return code, printed or self._err.read_text(encoding="utf-8")

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.communicate()


def check_toml(text: str, folder: Path) -> None:
    """It is a study, and is loaded, with all that it names."""
    (folder / "block.toml").write_text(text, encoding="utf-8")
    load_study(folder / "block.toml")


def check_yaml(text: str, folder: Path) -> None:
    """It is a manifest or a model without mistakes, or steps for a CI server, which we cannot know."""
    written = yaml.safe_load(text)
    if isinstance(written, dict) and "apiVersion" in written:
        check_dask_cluster(written)
    elif isinstance(written, dict):
        (folder / "block.yaml").write_text(text, encoding="utf-8")
        assert [str(one) for one in lint(load_model(folder / "block.yaml"))] == []


def check_sh(text: str, folder: Path) -> None:
    """It is a script; a command of the page will run it."""
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)


def check_nothing(text: str, folder: Path) -> None:
    """There is nothing to run: it is shown, or it is no code but a directive."""


CHECKS: dict[str, Callable[[str, Path], object]] = {
    "json": lambda text, _: json.loads(text),
    "jsonl": lambda text, _: [json.loads(line) for line in text.splitlines()],
    "python": lambda text, _: compile(text, "example.py", "exec"),
    "sh": check_sh,
    "toml": check_toml,
    "yaml": check_yaml,
    **dict.fromkeys(["text", "{toctree}", "{eval-rst}", "{command-line}", "{include}"], check_nothing),
}
"""What is done with a block that is not run, by its language. Another language, or none, is a mistake of the page."""
