"""``rootward triage``: where recorded traces depart from a model, and for which few causes."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.model import Params, Variant, opened, parameters
from rootward.cli.recordings import Reader
from rootward.cli.targets import Targets
from rootward.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rootward.traces.model import Model
    from rootward.traces.triage import Triage


def triage(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="What is required: YAML, UPPAAL (.xml), ODX (.odx, .pdx).")
    ],
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACES...",
            help="Recordings (ASC, BLF, candump, CSV, TRC, MF4, pcap, JSON lines), folders, or patterns: 'runs/*.asc'.",
        ),
    ],
    param: Params = None,
    ecu: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ID/ID",
            help="The CAN ids of an ECU's requests and responses, such as Body=7E0/7E8, or its DoIP address, such as "
            "Gateway=1001; may be repeated.  [default: what the model says, else the usual ids]",
        ),
    ] = None,
    variant: Variant = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Traces examined at once.")] = 1,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write the finding as a page, too.")] = None,
    as_json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the finding as JSON; - prints it instead.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE.xml", help="Write JUnit XML: a test case for each trace.")
    ] = None,
    annotate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write ASC copies of the failing traces, with remarks in them.")
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a proof of each fault; `rootward model verify` checks one."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the answer.")] = False,
) -> None:
    """Where recorded traces depart from a model, and for which few causes.

    rootward triage uds.yaml recordings/ --param S3=500ms --report triage.html

    Says for every trace where it first departs from the model, which few messages make that a fault, and which traces
    fail for the same reason. Exit code 0: all conform; 1: there are faults; 2: something could not be read.
    """
    from rootward.traces.recordings.ecus import checked
    from rootward.traces.recordings.files import found

    if jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs}")
    targets = Targets(report, as_json, junit, annotate, certificates)
    targets.check()
    known, own = opened(model, parameters(param), variant)
    ecus = checked(_ecus(ecu) or own or None)
    reader = Reader(list(found(traces)), ecus)
    finding = _examined(known, reader, jobs, quiet)
    reader.tell(quiet)
    notes = targets.write(finding, known, reader)
    if as_json != "-":
        _print(finding, [] if quiet else notes)
    raise typer.Exit(_code(finding, reader))


def _print(finding: Triage, notes: Sequence[str]) -> None:
    from rootward.progress import visible

    print(visible("\n".join([str(finding), *([""] if notes else []), *notes])))


def _code(finding: Triage, reader: Reader) -> int:
    if not finding.complete:
        return 130
    return 1 if finding.faults else 2 if reader.unread else 0


def _ecus(said: list[str] | None) -> dict[str, Any]:
    return dict(map(_ecu, said or []))


def _ecu(text: str) -> tuple[str, Any]:
    found = re.fullmatch(
        r"(?P<name>[^\s=]+)=(?:0x)?(?P<req>[0-9A-Fa-f]{1,8})(?:/(?:0x)?(?P<res>[0-9A-Fa-f]{1,8}))?", text
    )
    if found is None:
        raise InputError(f"--ecu {text}: expected a name and two CAN ids such as Body=7E0/7E8, or a DoIP address")
    request = int(found["req"], 16)
    return found["name"], (request, int(found["res"], 16)) if found["res"] else request


def _examined(model: Model, reader: Reader, jobs: int, quiet: bool) -> Triage:
    """What was found, up to Ctrl-C if that came; a second one ends at once."""
    from rootward.cli.examined import shown
    from rootward.interrupts import Interrupts
    from rootward.traces import triage as verb

    def stop(count: int) -> None:
        reader.stop = True
        if count > 1:
            sys.exit(130)

    with Interrupts(stop), _pool(jobs) as pool, shown(len(reader.files), quiet) as show:
        finding = verb.triage(model, reader, jobs=jobs, executor=pool, on_event=show)
    finding = replace(finding, problems=(*finding.problems, *reader.unread.values()))
    return replace(finding, complete=False, stopped="interrupted") if reader.stop else finding


@contextlib.contextmanager
def _pool(jobs: int) -> Iterator[Executor | None]:
    """Processes that leave Ctrl-C to this one."""
    if jobs == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    deaf = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=deaf) as pool:
        yield pool
