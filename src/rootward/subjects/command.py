"""A command as a subject: one process per trial, judged by its exit code or by its output.

By default no shell is involved, so a value is always one argument, whatever characters it contains. The command gets
its candidate through placeholders: ``{config}`` (path of a JSON file), ``{file}`` (path of the reduced input),
``{seed}``, ``{dir}`` (a folder for this trial only), ``{args}`` (the kept words, if the candidate is a list of words)
and ``{NAME}`` for any field of a configuration.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shlex
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rootward.errors import InputError, SubjectError
from rootward.formats.documents.paths import nest
from rootward.formats.environment import Variable
from rootward.formats.files import make_relative
from rootward.space.candidate import dump
from rootward.space.keys import key
from rootward.subjects import check_limits, out_of_memory, process
from rootward.subjects.error_text import tells_of_failed_start
from rootward.subjects.interpreters import join_remote_words
from rootward.subjects.judge import Judge, output_in, shorten
from rootward.subjects.local_files import CommandFolders, digest_of, find_local_files
from rootward.subjects.machine import Watch
from rootward.subjects.quoting import check_words, fill_words, names_in_braces
from rootward.subjects.sandbox import check_sandbox, find_program, hidden_paths, sandbox_words
from rootward.subjects.shell_script import PLACEHOLDER
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome

if TYPE_CHECKING:
    from rootward.formats.documents.registry import Document
    from rootward.formats.documents.whole_file import WholeFile

MAX_KEPT_INPUT_BYTES = 1 << 17
"""Maximum length of the input of a failing trial that is kept: the inputs of a large reduction would fill the disk."""
_CODES_OF_KILLS = {code for sent in (signal.SIGKILL, signal.SIGTERM) for code in (-sent, 128 + sent)}
"""Exit codes of a program that was killed, and of a shell whose program was. Programs rarely do that to themselves."""
_RESERVED = {"config", "dir", "file", "seed"}
_ARGS = "{args}"
_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # surrogates that do not stand for an undecodable byte


@dataclass(frozen=True)
class Command:
    """A command that is run for each candidate.

    Exit code 0 is PASS, 125 is UNRESOLVED, and any other is FAIL. A time-out is a FAIL with the signature ``timeout``.

    ``verdict`` and ``signature`` say how to judge by the output. Each is a regular expression, or a path such as
    ``$.result.status`` into the last line that is JSON. With ``verdict``, the exit code no longer counts, except 125.
    If ``verdict`` is an expression, the run fails if it matches, and passes if not. If ``verdict`` is a path, the value
    at the path must be the verdict: ``pass``, ``fail``, ``other`` or ``unresolved``. The signature of a failing run is
    its exit code, unless that is 0, followed by what ``signature`` finds. For an expression, this is its first group,
    or the whole match if it has no group. For a path, it is the value at the path. If neither ``verdict`` nor
    ``signature`` is given, the exit code is followed by the last line of the standard error stream, without numbers,
    quoted texts, paths and values of the candidate; of a Python traceback, by the exception and the function that
    raised it.

    ``interesting`` is for tests that were written for other reducers, which exit with 0 if the input is interesting.
    With ``interesting=0``, exit code 0 is FAIL, 125 is UNRESOLVED, and any other is PASS. A time-out, too much memory
    and a signal are PASS as well: those reducers take every end but exit code 0 for "not interesting".

    ``env`` adds environment variables and ``cwd`` sets the working directory. Both may contain placeholders; ``{dir}``
    is the trial's own folder. ``memory`` limits the bytes that a run and all processes that it starts use together, and
    the address space of each of them. If they exceed it together, the run is a FAIL with the signature ``memory``.
    ``shell=True`` passes the command to ``sh -c``. In a script for a shell, values are quoted, and the rest is
    interpreted by the shell. If a run writes a file
    ``trajectory.csv`` (t, x, y, z) to its ``{dir}``, that is its trajectory.
    """

    argv: Sequence[str] | str
    timeout: float | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    memory: int | None = None
    verdict: str | None = None
    signature: str | None = None
    shell: bool = False
    file_name: str = "input"
    """The name of ``{file}``, for programs that need a certain ending."""
    nested: bool = False
    """True if ``{config}`` is a nested document, in which ``a.b[0]`` is a path, not a flat mapping of such names."""
    document: Document | None = None
    """The document that renders ``{file}`` from its parts; None if the elements only have to be joined."""
    bundle: WholeFile | None = None
    """The folder or archive that writes ``{file}`` from its members."""
    measures: str | None = None
    """The path, such as ``$.measures``, of an object with numbers in the last line that is JSON."""
    tolerance: Mapping[str, float] = field(default_factory=dict)
    """Maximum difference of each measure between two runs of the same failure."""
    files: Sequence[str] = ()
    """Further files that the command uses, as names, folders or patterns such as ``data/*.csv``. If one of them
    changes, stored trials no longer count. Files that the command names, and local modules that its Python scripts
    import, need not be listed."""
    calls_meanwhile: ClassVar[bool] = True
    """It calls ``process.MEANWHILE`` while it runs, so the lab need not wait for it in another thread."""
    sandbox: bool = False
    """True to run it without network, and without write access to files outside ``{dir}`` and a private ``/tmp``."""
    interesting: int | None = None
    """The only exit code that is FAIL."""
    beside_file: bool = False
    """True to run it in the folder of ``{file}``, for programs that know the name of their input. They need not be told
    its path, so ``{file}`` may be missing in the command."""
    takes_variables: bool = False
    """True if its candidates are lists of ``Variable``: these are then its whole environment, except for ``env``."""

    def __post_init__(self) -> None:
        check_limits(self.timeout, self.memory)
        if isinstance(self.argv, str) != self.shell or not self.argv:
            raise InputError(
                'a command must be a list such as ["./run.sh", "{config}"], or one text with shell set to true'
            )
        if self.beside_file and self.cwd is not None:
            raise InputError("use either cwd or beside_file: both say where the command runs")
        if not self._used and not self.takes_variables:
            raise InputError(
                f"the command {self} has no placeholder for its input: add {{config}} or {{file}} (the path of a "
                "file), or {NAME} (the value of a field)"
            )
        if any("\0" in text for text in (*self._argv, *self.env, *self.env.values(), self.cwd or "", self.file_name)):
            raise InputError("a command, its variables and its folder cannot contain a NUL character")
        if wrong := [name for name in self.env if not name or "=" in name]:
            raise InputError(f"{wrong[0]!r} is not the name of an environment variable")
        check_words(self._argv, {"config", "dir", "file"})
        if self.tolerance and not self.measures:
            raise InputError("tolerance needs measures: give the path of the measures, such as $.measures")
        self.judge  # noqa: B018  (so that an invalid pattern is an error now, not at the first trial)

    def __str__(self) -> str:
        return self.argv if isinstance(self.argv, str) else shlex.join(self.argv)

    @property
    def inline(self) -> bool:
        return False

    @property
    def reads_fields_from_file(self) -> bool:
        """True if the command gets all fields in ``{config}``, and none as a word of its own."""
        return "config" in self._used and self._used <= _RESERVED

    @cached_property
    def seeded(self) -> bool:
        return "seed" in self._used

    @cached_property
    def judge(self) -> Judge:
        return Judge(self.verdict, self.signature, self.measures, self.interesting)

    @cached_property
    def identity(self) -> str:
        """The command with its options, and a digest of the local files that it uses.

        A changed program, module or data file is a different subject; ``local_files`` says which files are seen.
        """
        looks = self.verdict, self.signature
        options: list[Any] = [self._argv, dict(self.env), self.cwd, self.file_name, self.timeout, self.memory, *looks]
        options += ["nested"] if self.nested else []
        options += [self.measures, dict(self.tolerance)] if self.measures or self.tolerance else []
        options += [key(self.document.render(list(self.document)))] if self.document else []
        options += [self.bundle.identity] if self.bundle else []
        options += ["sandbox"] if self.sandbox else []
        options += [f"interesting {self.interesting}"] if self.interesting is not None else []
        options += [name for name in ("beside_file", "takes_variables") if getattr(self, name)]
        digests = [digest_of(file) for file in self._local_files]
        return f"command {self} {key([*map(str, options), digests])[:16]}"

    @cached_property
    def _local_files(self) -> list[Path]:
        folders = CommandFolders.of(Path(PLACEHOLDER.sub("", self._folder)), {**os.environ, **self.env})
        return find_local_files(_words(self.argv), folders, self.files)

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        """Run the command once.

        The output, if any, is kept in ``PLACE.txt``. Other files of the trial are next to it.
        """
        if self.sandbox:
            check_sandbox()
        with Watch(str(place.parent)) as machine:
            output = output_in(place.parent)
            files = {1: output.file.fileno(), 2: output.error_file.fileno()}
            limits = {"memory": self.memory, "address_space": self.memory}
            try:
                argv, options = self._prepare(candidate, seed, place)
            except SubjectError:
                raise
            except InputError as error:  # this candidate cannot be passed to the command
                return Outcome(UNRESOLVED, detail=str(error))
            try:
                with process.run_process(argv, files=files, **limits, **options) as leader:
                    trouble = process.wait(leader, self.timeout, lambda: output.trouble or machine.trouble)
            except OSError as error:
                return _start_failure(error)
            machine.check(leader.returncode)
            kept, errors = output.keep(_path_next_to(place, ".txt"))
            outcome = self.judge_end(candidate, leader.returncode, trouble, kept, errors)
            if outcome.verdict is not PASS:
                machine.check_text(errors)
            if self._needs_folder and (way := place / "trajectory.csv").is_file():
                outcome = replace(outcome, artifacts={**outcome.artifacts, "trajectory": str(way)})
            if outcome.verdict is not FAIL:
                self._tidy(place)
            elif "file" in self._used:
                _discard_large(place / self.file_name)
            return outcome

    def judge_end(self, candidate: Any, code: int, trouble: str | None, output: Path | None, errors: str) -> Outcome:
        """Return the outcome of a run.

        :param trouble: the reason why the process was killed, or None
        :param output: the file with everything that it printed
        :param errors: the end of its standard error stream
        """
        artifacts = {"output": str(output)} if output else {}
        if self.sandbox and signal.NSIG > code - 128 > 0:
            code = 128 - code  # bubblewrap reports a signal in this way
        if trouble == "timeout":
            detail = f"timed out after {self.timeout:g} s"
            outcome = Outcome(FAIL, signature="timeout", artifacts=artifacts, detail=detail)
        elif trouble == "memory" and self.memory:
            outcome = replace(out_of_memory(self.memory), artifacts=artifacts)
        elif trouble:
            outcome = Outcome(FAIL, signature=trouble, artifacts=artifacts, detail=trouble)
        if trouble and self.interesting is not None:
            outcome = Outcome(PASS, artifacts=artifacts, detail=outcome.detail)
        elif not trouble:
            outcome = self.judge(code, output, artifacts, errors=errors, candidate=candidate)
            fixed = [word for word in _words(self.argv) if not PLACEHOLDER.search(word)]
            may_be_unstarted = outcome.verdict is FAIL and self.interesting is None
            if may_be_unstarted and tells_of_failed_start(code, errors, fixed):
                outcome = replace(outcome, unstarted=True)
            if code in _CODES_OF_KILLS:
                outcome = replace(outcome, killed=True)
        if output:
            shorten(output)
        return outcome

    def alike(self, outcome: Outcome, reference: Outcome) -> bool:
        """Return True if two failures are the same.

        They must have the same signature, and must agree in the measures that have a tolerance.
        """
        a, b = outcome.measures, reference.measures
        near = (abs(a.get(name, nan) - b.get(name, nan)) <= far for name, far in self.tolerance.items())
        return outcome.signature == reference.signature and all(near)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            argv, options = self._prepare(candidate, seed, place)
        except InputError as error:
            return f"{self}  # {error}"
        going = f"cd {shlex.quote(_no_option(options['cwd']))} && " if options["cwd"] else ""
        return going + self._type(candidate, argv, options["env"])

    def show_with(self, kept: Sequence[Any]) -> str:
        """Return the command with only the kept words or variables, as one types it. Other placeholders stay."""
        argv = [word for place in self._argv for word in (kept if place == _ARGS else [place])]
        return self._type(kept, [self._program, *argv[1:]] if self.takes_variables else argv, self.env)

    def inputs(self, candidate: Any) -> dict[str, bytes]:
        """Return the contents of the files that the command gets, by their placeholders."""
        found: dict[str, bytes] = {}
        if "config" in self._used:
            nested = self.nested and isinstance(candidate, Mapping)
            found["config"] = dump(nest(candidate) if nested else candidate).encode("ascii")
        if "file" in self._used:
            found["file"] = self._render(candidate)
        return found

    def _render(self, candidate: Any) -> bytes:
        if isinstance(candidate, bytes):
            return candidate
        return _join(candidate) if self.document is None else self.document.render(candidate)

    def command_line(
        self, candidate: Any, *, seed: int, places: Mapping[str, Path], folder: Path, replaces_shell: bool = False
    ) -> str:
        """Return the command to type in ``folder``. ``places`` gives the path of the file for each placeholder.

        ``replaces_shell``: the program replaces the shell that runs the line. A shell that waits for its program turns
        a signal into an exit code, and adds a line to the error text.
        """
        fields = self._fields(candidate)
        here = Path(folder, _fill(self._folder, {**fields, **{name: str(path) for name, path in places.items()}}))
        paths = {name: _no_option(make_relative(here, path)) for name, path in places.items()}
        values = {**fields, **paths, "seed": str(seed)}
        argv, env = self._fill_all(values, candidate)
        home, own = (shlex.quote(_no_option(make_relative(folder, path))) for path in (here, places["dir"]))
        going = "" if here.absolute() == folder.absolute() else f"cd {home} && "
        made = f"mkdir -p {own} && " if "dir" in self._used else ""
        before = ["exec"] * replaces_shell + self._sandbox_in_shell(here, folder, places)
        return f"{made}{going}{self._type(candidate, argv, env, before)}"

    def _sandbox_in_shell(self, here: Path, folder: Path, places: Mapping[str, Path]) -> list[str]:
        """Return the words that put a command that is typed in the folder ``here`` into a sandbox.

        The folders may be in ``/tmp``, and may have been moved, so the shell finds out where they are.
        """
        if not self.sandbox:
            return []
        writable = {name: path.parent if name == "file" else path for name, path in places.items() if name != "config"}
        readable = [here, folder, *(places[name].parent for name in places if name == "config")]
        found = [
            {f'"$(realpath -- {shlex.quote(make_relative(here, path))})"': None for path in paths}
            for paths in (readable, [path for name, path in writable.items() if name in self._used])
        ]
        return sandbox_words(*found)

    # Building the command line

    @cached_property
    def _argv(self) -> list[str]:
        return ["sh", "-c", self.argv] if isinstance(self.argv, str) else join_remote_words(self.argv)

    @cached_property
    def _used(self) -> set[str]:
        """The placeholders that occur in the command."""
        texts = [*self.env.values(), self._folder]
        used = names_in_braces(self._argv).union(*map(PLACEHOLDER.findall, texts))
        return used | {"file"} if self.beside_file else used

    @property
    def _folder(self) -> str:
        """The working directory, with placeholders; empty for that of Rootward."""
        return "{dir}" if self.beside_file else self.cwd or ""

    @cached_property
    def _program(self) -> str:
        """The program as a path that is valid without the variable PATH."""
        return shutil.which(self._argv[0]) or self._argv[0]

    @cached_property
    def _needs_folder(self) -> bool:
        return not self._used.isdisjoint({"dir", "file"})

    def _prepare(self, candidate: Any, seed: int, place: Path) -> tuple[list[str | bytes], dict[str, Any]]:
        if self._needs_folder:
            if place.exists():  # left by a lab that was killed
                shutil.rmtree(place)
            place.mkdir(parents=True)
        values = self._values(candidate, seed, place)
        argv, env = self._fill_all(values, candidate)
        cwd = os.fsdecode(_argument(_fill(self._folder, values))) if self._folder else None
        if self.takes_variables:
            argv = [self._program, *argv[1:]]
            env = {**{variable.name: variable.value for variable in _check_variables(candidate)}, **env}
        if self.sandbox:
            program = find_program(os.fsdecode(argv[0]), env, cwd)
            shown = hidden_paths([Path(cwd or "."), place.parent, program, *self._local_files])
            argv = [*sandbox_words(shown, [str(place.resolve())] if place.exists() else []), *argv]
        return argv, {"env": env, "cwd": cwd, "inherits": not self.takes_variables}

    def _fill_all(self, values: Mapping[str, str], candidate: Any = None) -> tuple[list[str | bytes], dict[str, str]]:
        """Return the words of the command and the variables in ``env``, with the placeholders replaced."""
        takes_words = "args" in self._used and not isinstance(candidate, Mapping)
        kept = _check_args(self._argv, candidate) if takes_words else []
        argv: list[str | bytes] = []
        for place, word in zip(self._argv, fill_words(self._argv, values), strict=True):
            argv += map(_argument, kept if takes_words and place == _ARGS else [word])
        if not argv:
            raise InputError("no word of the command is left")
        return argv, {name: os.fsdecode(_argument(_fill(text, values))) for name, text in self.env.items()}

    def _type(
        self, candidate: Any, argv: Sequence[str | bytes], env: Mapping[str, str], before: Sequence[str] = ()
    ) -> str:
        """Return the command as one types it. ``env``: the variables that it gets in addition to its environment."""
        if not self.takes_variables:
            return _type(argv, env, before)
        kept = [variable.shell_word for variable in candidate if variable.name not in self.env]
        own = [shlex.quote(f"{name}={value}") for name, value in env.items() if name in self.env]
        return " ".join([*before, "env", "-i", *kept, *own, *(shlex.quote(os.fsdecode(word)) for word in argv)])

    def _fields(self, candidate: Any) -> dict[str, str]:
        """Return the values of the placeholders that are names of fields."""
        fields = candidate if isinstance(candidate, Mapping) else {}
        if clash := sorted(self._used & _RESERVED & set(fields)):
            raise SubjectError(f"{{{clash[0]}}} is a reserved placeholder in a command: give the field another name")
        return {name: _text(fields[name]) for name in self._used & fields.keys()}

    def _values(self, candidate: Any, seed: int, place: Path) -> dict[str, str]:
        """Return the value of each placeholder. An input file is written only if a placeholder names it."""
        values = self._fields(candidate)
        if "file" in self._used and self.bundle is not None:
            target = place / self.file_name
            self.bundle.write(candidate, target)
            return {**values, "file": str(target.absolute()), "seed": str(seed), "dir": str(place.absolute())}
        for name, content in self.inputs(candidate).items():
            target = _path_next_to(place, ".json") if name == "config" else place / self.file_name
            target.write_bytes(content)
            values[name] = str(target.absolute())
        return {**values, "seed": str(seed), "dir": str(place.absolute())}

    def _tidy(self, place: Path) -> None:
        """Remove the input files of a trial that did not fail, because thousands of copies would add up."""
        if "config" in self._used:
            _path_next_to(place, ".json").unlink(missing_ok=True)
        if "file" in self._used and ("dir" not in self._used or self.beside_file):
            shutil.rmtree(place, ignore_errors=True)


def _discard_large(file: Path) -> None:
    """Remove the input of a failing trial if it is large. ``by_hand`` writes it again for the trial that matters."""
    with contextlib.suppress(OSError):
        files = [one for one in file.rglob("*") if one.is_file()] if file.is_dir() else [file]
        if sum(one.stat().st_size for one in files) > MAX_KEPT_INPUT_BYTES:
            shutil.rmtree(file) if file.is_dir() else file.unlink()
            file.parent.rmdir()  # unless the program has written something, too


def _path_next_to(place: Path, ending: str) -> Path:
    """Return the path of a file next to the trial's folder.

    The folder itself need not be created for it. Creating and removing thousands of folders can take longer than the
    trials.
    """
    return place.with_name(place.name + ending)


def _fill(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders in the value of a variable, or in the name of a folder."""
    return PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), template)


def _text(value: Any) -> str:
    """Return the value of a field as one argument. Text is unchanged; everything else is written as JSON.

    A lone surrogate becomes three undecodable bytes, as UTF-8 would write it.
    """
    text = value if isinstance(value, str) else dump(value)
    if _LONE_SURROGATE.search(text):
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    return text


def _argument(text: str) -> bytes:
    if "\0" in text:
        raise InputError("a value contains a NUL character, which a command argument cannot: pass it in {config}")
    encoded = text.encode("utf-8", "surrogateescape")
    if len(encoded) >= 131072:
        raise InputError(f"a value of {len(encoded)} bytes is too long for a command argument: pass it in {{config}}")
    return encoded


def _type(argv: Sequence[str | bytes], env: Mapping[str, str], before: Sequence[str] = ()) -> str:
    """Return a command with its variables as one types it in a shell. ``before``: words to put before the command."""
    words = [shlex.quote(os.fsdecode(word)) for word in argv]
    if re.match(r"\w+=", words[0]):  # or it would be taken for a variable
        words[0] = f"'{words[0]}'"
    if all(name.isidentifier() for name in env):
        variables = [f"{name}={shlex.quote(value)}" for name, value in env.items()]
        return " ".join([*variables, *before, *words])
    variables = [shlex.quote(f"{name}={value}") for name, value in env.items()]
    return " ".join([*before, "env", *variables, *words])


def _no_option(path: str) -> str:
    """Return the path so that no program takes it for an option."""
    return f"./{path}" if path.startswith("-") else path


def _check_args(argv: Sequence[str], candidate: Any) -> list[str]:
    """Return the words that replace {args}. Raises SubjectError if they cannot."""
    if any(_ARGS in word and word != _ARGS for word in argv):
        raise SubjectError(
            "{args} must be a word of its own, because it stands for several words. In a script for a shell, use "
            """"$@": sh -c 'gcc "$@" -c t.c' sh {args}"""
        )
    if not isinstance(candidate, list | tuple) or not all(isinstance(word, str) for word in candidate):
        raise SubjectError("{args} works only for lists of text; use {config} for other candidates")
    return list(candidate)


def _check_variables(candidate: Any) -> Sequence[Variable]:
    if isinstance(candidate, Mapping) or not all(isinstance(one, Variable) for one in candidate):
        raise SubjectError("a command that takes variables works only for lists of Variable")
    return list(candidate)


def _join(candidate: Any) -> bytes:
    """Join the kept pieces of a file."""
    if isinstance(candidate, Mapping) or not {*map(type, candidate)} <= {str, bytes}:
        raise InputError("{file} works only for lists of text; use {config} for other candidates")
    return b"".join([p if isinstance(p, bytes) else p.encode("utf-8", "surrogateescape") for p in candidate])


def _words(command: Sequence[str] | str) -> list[str]:
    """Return the words of a command, including those inside ``sh -c '...'`` and after ``=`` in ``--script=run.py``."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:  # an unclosed quote, which sh will report
        words = str(command).split()
    scripts = [inner for word in words if " " in word for inner in _words(word)] if len(words) > 1 else []
    return words + scripts + [word.partition("=")[2] for word in words if word.startswith("-") and "=" in word]


def _start_failure(error: OSError) -> Outcome:
    """Handle a command that cannot be started.

    Returns UNRESOLVED if the values of this candidate are too long for a command line. Raises SubjectError if the
    command cannot be started for any candidate. Any other error is the machine's, and is raised again.
    """
    if error.errno == errno.E2BIG:
        long = "the values are too long for a command line: pass them in {config}"
        return Outcome(UNRESOLVED, detail=f"the command cannot be started: {long}")
    if error.errno in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR):
        name = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        raise SubjectError(f"the command cannot be started: {name}{error.strerror}") from error
    raise error
