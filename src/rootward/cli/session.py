"""Run one verb from its options to its exit code: show its progress, and print its finding."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from rootward.cli.options import DEFAULT_STORE, LabFlags, command_line
from rootward.formats.ownership import make_kept_folder
from rootward.lab.events import BestChanged, Event, TrialStarted
from rootward.report.files import check_report
from rootward.report.folder import check_folder
from rootward.report.kinds import presenter_for
from rootward.report.progress import show_progress
from rootward.report.text import moment
from rootward.search.finding import Finding
from rootward.space.keys import key
from rootward.subjects import Subject
from rootward.verdict import FAIL, PASS, Outcome
from rootward.words import make_visible

Verb = Callable[..., Finding]
"""A verb that still needs its subject and the options of the lab."""
PREVIEW_TRIALS = 5
"""Number of trials that a dry run shows."""
MAX_PREVIEW_RUNS = 40
"""Maximum number of trials of a dry run, repetitions included."""
NOTHING_RUN = "This is answered from stored runs{}: nothing was run now. --fresh runs them again."
NOT_SEEN = "There is no answer yet: the run ended before the failure was seen once."


def answer(
    verb: Verb,
    subject: Subject,
    lab: LabFlags,
    defaults: Mapping[str, Any],
    *,
    keep: Callable[[Any], None] = lambda finding: None,
    closing: Callable[[Any], str] = lambda finding: "",
    alone: Callable[[Any], str] | None = None,
    showing: Callable[[], AbstractContextManager[Callable[[Any], None] | None]] = show_progress,
) -> None:
    """Run the verb, print its finding and exit.

    :param keep: called with each better finding, and with the last one
    :param closing: returns a line to print below the finding
    :param alone: returns the text to print on the standard output instead of the finding, which then goes to the
        standard error stream
    :param showing: opens the listener for events that shows the progress
    """
    if lab.report is not None:
        check_report(lab.report)
    if lab.out is not None:
        check_folder(lab.out)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_reserve_stdout())
        options = stack.enter_context(lab.options(defaults))
        show = None if lab.quiet else stack.enter_context(showing())
        started = 0

        def on_event(event: Event) -> None:
            nonlocal started
            started += isinstance(event, TrialStarted)
            if isinstance(event, BestChanged):
                keep(event.best)
            if show is not None:
                show(event)

        finding = verb(subject, **options, on_event=on_event, command=command_line())
    keep(finding)
    if lab.report is not None:
        finding.report(lab.report)
    if lab.out is not None:
        finding.save(lab.out)
    try:
        closed = closing(finding)
    except KeyboardInterrupt:  # the finding is printed nevertheless
        finding = replace(finding, stopped="interrupted")
        closed = closing(finding)
    remembered = "" if started or not finding.asked else _describe_memory(finding)
    if lab.quiet or lab.json:  # a stale answer must not look like a new one
        print(remembered, end="\n" if remembered else "", file=sys.stderr)
    notes = [
        finding.cost(),
        remembered,
        closed,
        _describe_resume(finding, lab),
    ]
    notes.append(f"The report is {lab.report}." if lab.report else "")
    notes.append(f"The finding is saved in {lab.out}." if lab.out else "")
    _print(finding, lab, notes, None if alone is None else alone(finding))
    raise typer.Exit(_exit_code(finding))


@contextlib.contextmanager
def _reserve_stdout() -> Iterator[None]:
    """Send what subjects print to the standard error stream, also from child processes.

    The standard output is reserved for the answer.
    """
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)


def _print(finding: Finding, lab: LabFlags, notes: list[str], alone: str | None) -> None:
    known = finding.complete or finding.asked or bool(getattr(finding, "explanations", ()))
    presenter = presenter_for(finding.kind)
    words = presenter.answer_words if lab.quiet else presenter.words
    explanation = make_visible(words(finding) if known else NOT_SEEN)
    text = explanation if lab.quiet else "\n".join([explanation, "", *(make_visible(note) for note in notes if note)])
    if lab.json:
        print(json.dumps(finding.to_dict(), indent=2))
    elif alone is None:
        print(text)
    else:
        print(alone.rstrip("\n"))
        if not lab.quiet:
            print(text, file=sys.stderr)


def _describe_memory(finding: Finding) -> str:
    """Say that nothing was run now, and from when the stored trials are."""
    rows = finding.evidence.trials() if finding.evidence else ()
    times = [row["finished"] for row in rows if row["finished"] is not None]
    if not times:
        return NOTHING_RUN.format("")
    days = dict.fromkeys(moment(one).replace("T", " ").rstrip("Z") for one in (min(times), max(times)))
    return NOTHING_RUN.format(f" of {' to '.join(days)} UTC")


def _describe_resume(finding: Finding, lab: LabFlags) -> str:
    if finding.complete:
        return ""
    changes = ["with a larger budget"] if finding.stopped == "budget" else []
    changes += ["without --fresh"] if lab.fresh else []
    return " ".join(["Repeat the command", " and ".join(changes), "to continue from here."]).replace("  ", " ")


def _exit_code(finding: Finding) -> int:
    if finding.stopped == "interrupted":
        return 130
    return 0 if finding.complete else 3


class _Preview:
    """A subject that runs nothing and records the commands that would be run.

    Every trial passes, except that the first candidate fails if ``fails`` is True. Repetitions are not recorded.
    """

    inline = True

    def __init__(self, subject: Subject, folder: Path, *, fails: bool) -> None:
        self.folder, self.fails = folder, fails
        self.subject, self.seeded, self.identity = subject, subject.seeded, f"preview of {subject.identity}"
        self.commands: list[str] = []
        self.sizes: list[str] = []
        self._seen: list[str] = []

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        name = key(candidate)
        if name not in self._seen and len(self.commands) < PREVIEW_TRIALS:
            self.commands.append(self.by_hand(candidate, seed=seed, place=self.folder / str(len(self.commands) + 1)))
            self.sizes.append(_describe_size(candidate))
        self._seen.append(name)
        return Outcome(FAIL if self.fails and name == self._seen[0] else PASS)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return self.subject.by_hand(candidate, seed=seed, place=place)


def _describe_size(candidate: Any) -> str:
    """Return a shell comment that says how much a trial keeps; empty for a configuration."""
    if isinstance(candidate, bytes):
        return f"  # {len(candidate):,} bytes kept"
    return f"  # {len(candidate):,} elements kept" if isinstance(candidate, list) else ""


def preview(
    verb: Verb,
    subject: Subject,
    lab: LabFlags,
    defaults: Mapping[str, Any],
    estimate: Mapping[str, Any],
    *,
    fails: bool = True,
) -> None:
    """Print the first trials and an estimate of their number; run nothing and store nothing.

    :param fails: the first trial is a known failure
    """
    with lab.options(defaults) as options:
        pretended = _Preview(subject, _make_folder(options["store"]), fails=fails)
        repeat = {"repeat": options["repeat"]} if options.get("repeat") else {}
        verb(pretended, seed=options.get("seed", 0), trials=MAX_PREVIEW_RUNS, **repeat)
        runs = options["repeat"].limit if repeat else 1
    if lab.json:
        print(json.dumps({"commands": pretended.commands, "estimate": estimate}, indent=2))
        return
    case = "the first trial fails and the others pass" if fails else "all trials pass"
    print(f"Dry run: nothing is run. If {case}, the first trials are:\n")
    for command, size in zip(pretended.commands, pretended.sizes, strict=True):
        print(f"  {make_visible(command)}{size}")
    again = f" Each trial may take up to {runs} runs." if runs > 1 else ""
    print(f"\n{estimate['words']}{again}")


def _make_folder(store: str | Path) -> Path:
    """Return the folder for the files of a dry run.

    It is beside the store, or a temporary folder if the place beside the store is not writable.
    """
    file = DEFAULT_STORE if "://" in str(store) else store
    folder = Path(file).parent / "dry-run"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder if os.access(folder, os.W_OK) else make_kept_folder()
