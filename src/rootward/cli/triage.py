"""``rootward triage``: find where recorded traces violate a model, and group the faults by cause."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

from rootward.cli.model import Params, Variant, parse_parameters
from rootward.cli.options import JsonOption, OutOption, ReportOption, command_line
from rootward.cli.triage_output import Targets
from rootward.cli.triage_recordings import TraceReader, parse_ecus, print_problems
from rootward.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rootward.traces.limits import Limits
    from rootward.traces.triage import TraceExamined, Triage

_REASONS = {
    "interrupted": "Interrupted",
    "executor lost": "The workers were lost",
    "machine trouble": "The machine was in trouble",
}
"""The reasons why a triage is not complete, in words."""


def triage(
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACES...",
            help="Recordings (ASC, BLF, candump, CSV, TRC, MF4, pcap, JSON lines), folders, or patterns: 'runs/*.asc'.",
        ),
    ],
    model: Annotated[
        Path,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="The required behaviour: YAML, UPPAAL (.xml), ODX (.odx, .pdx), or iso14229, what the standard "
            "requires of any ECU.",
        ),
    ] = Path("iso14229"),
    param: Params = None,
    ecu: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ID/ID",
            help="The CAN ids of an ECU's requests and responses, such as Body=7E0/7E8, or its DoIP address, such as "
            "Gateway=1001; may be repeated.  [default: from the model, else the usual ids]",
        ),
    ] = None,
    marks: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="A regular expression for the comments with which your test environment marks an error.  "
            "[default: words such as failed, error, not ok]",
        ),
    ] = None,
    variant: Variant = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Number of traces to examine in parallel.")
    ] = 1,
    executor: Annotated[
        Literal["processes", "dask"] | None, typer.Option(help="Where traces are examined.  [default: processes]")
    ] = None,
    address: Annotated[str | None, typer.Option(metavar="URL", help="The Dask scheduler, such as tcp://host:8786.")] = (
        None
    ),
    max_states: Annotated[
        int | None,
        typer.Option(metavar="N", help="Limit of the states that the model may be in at once.  [default: 500]"),
    ] = None,
    max_proof_steps: Annotated[
        int | None, typer.Option(metavar="N", help="Limit of the steps of a proof that are checked.  [default: 300]")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Limit of the time for one trace.  [default: none]")
    ] = None,
    report: ReportOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE.xml", help="Write JUnit XML: a test case for each trace.")
    ] = None,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write ASC copies of the failing traces, with remarks at the faults."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a proof of each fault, for `rootward model verify`."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the answer.")] = False,
) -> None:
    """Find where recorded traces violate a model, grouped by cause.

    rootward triage recordings/ --model uds.yaml --param S3=500ms --report triage.html

    For every trace, it finds the first message that violates the model, the few messages that make it a fault, and the
    other traces that fail for the same reason. Exit code 0: all traces conform; 1: there are faults; 2: something could
    not be read, judged or written.
    """
    from rootward.traces.languages import MODEL_ENDINGS, open_model
    from rootward.traces.limits import Limits
    from rootward.traces.recordings.comments import check_pattern
    from rootward.traces.recordings.files import find_recordings
    from rootward.traces.recordings.talk import check_ecus

    if jobs < 1:
        raise InputError(f"--jobs must be at least 1, not {jobs}")
    if address is not None and executor != "dask":
        raise InputError("--address needs --executor dask: it is the address of a Dask scheduler")
    check_pattern(marks)
    for path in traces:
        if path.lower().endswith(MODEL_ENDINGS):
            raise InputError(f"{path} is a model, not a recording: write --model {path}")
    given = {"states": max_states, "proof_steps": max_proof_steps, "seconds": max_seconds}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    files = list(find_recordings(traces))
    targets = Targets(report, out, junit, annotate, certificates)
    targets.check([model, *(path for path, _ in files)])
    known, own = open_model(model, parse_parameters(param), variant)
    reader = TraceReader(files, check_ecus(parse_ecus(ecu) or own or None), known, marks)
    with _open_workers(jobs, executor, address) as pool:
        finding = _examine(reader, jobs, pool, limits, quiet)
    print_problems(finding, quiet)
    _print(finding, reader, as_json)
    notes, failed = targets.write(finding, reader)
    _print_notes([] if quiet else notes, failed, sys.stderr if as_json else sys.stdout)
    raise typer.Exit(2 if failed else _exit_code(finding))


def _print(finding: Triage, reader: TraceReader, as_json: bool) -> None:
    """Print the finding. This is done first, before anything else can go wrong."""
    import json

    from rootward.words import make_visible

    if as_json:
        print(json.dumps(finding.to_dict(), indent=2), flush=True)
        return
    print(make_visible(str(finding)))
    if not finding.complete:
        why = _REASONS[finding.stopped or ""]
        print(f"\n{why}: this covers {reader.files_examined:,} of {len(reader.files):,} traces.")
    sys.stdout.flush()


def _print_notes(notes: Sequence[str], failed: Sequence[str], stream: TextIO) -> None:
    from rootward.words import make_visible

    if notes:
        print(make_visible("\n".join(["", *notes])), file=stream)
    for text in failed:
        print(make_visible(f"rootward: {text}"), file=sys.stderr)


def _exit_code(finding: Triage) -> int:
    if not finding.complete:
        return 130 if finding.stopped == "interrupted" else 3
    return 1 if finding.faults else 2 if finding.unjudged else 0


def _examine(reader: TraceReader, jobs: int, pool: Executor | None, limits: Limits, quiet: bool) -> Triage:
    """Examine the traces. Ctrl-C returns what was found so far; a second Ctrl-C exits at once."""
    from rootward.cli.triage_progress import show_progress
    from rootward.lab.interrupts import Interrupts
    from rootward.search.evidence import Evidence
    from rootward.traces import triage as verb

    def stop(count: int) -> None:
        if count > 1:
            sys.exit(130)
        raise KeyboardInterrupt

    with Interrupts(stop), show_progress(len(reader.files), quiet) as show:

        def on_event(event: TraceExamined) -> None:
            reader.names.append((event.name, event.path))
            if show is not None:
                show(event)

        found = verb.triage(reader.model, reader, jobs=jobs, executor=pool, limits=limits, on_event=on_event)
    return replace(found, evidence=Evidence("triage", {"command": command_line()}))


@contextlib.contextmanager
def _open_workers(jobs: int, executor: str | None, address: str | None) -> Iterator[Executor | None]:
    """Yield the executor for traces: None (this process), a pool of processes, or a Dask cluster."""
    if executor == "dask":
        from rootward.lab import execute

        cluster: Any = execute.connect_dask(address, jobs)
        try:
            yield cluster
        finally:
            cluster.rootward_close()
    elif jobs == 1:
        yield None
    else:
        with open_processes(jobs) as pool:
            yield pool


def open_processes(jobs: int) -> contextlib.AbstractContextManager[Executor]:
    """Open a pool of processes that ignore Ctrl-C, which this process handles."""
    from multiprocessing import get_context

    from rootward.traces import triage as verb

    return verb.open_processes(jobs, mp_context=get_context("spawn"), initializer=_prepare_worker)


def _prepare_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, and end when it ends."""
    from rootward.traces.triage import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
