"""``rootward model``: learn, check or draw a model before it is used, and verify certificates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rootward.cli.options import Verb
from rootward.cli.triage_recordings import parse_ecus
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.traces.model.event import Trace
    from rootward.traces.model.model import Model
    from rootward.traces.recordings.talk import Ecus

File = Annotated[Path, typer.Argument(metavar="MODEL", help="The model: YAML, UPPAAL (.xml), ODX (.odx, .pdx).")]
Params = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="A parameter of the model, such as S3=500ms; may be repeated."),
]
Variant = Annotated[
    str | None, typer.Option(metavar="NAME", help="The ECU variant of an ODX file, if there are several.")
]
MAX_NAMED = 5
"""Maximum number of recordings to name."""
model = typer.Typer(
    help="Learn a model, check it, draw it, or verify a certificate.", rich_markup_mode=None, no_args_is_help=True
)


@model.command(cls=Verb, no_args_is_help=True)
def learn(
    good: Annotated[
        list[str], typer.Argument(metavar="GOOD...", help="Recordings without a fault: files, folders or patterns.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.yaml", help="The model file to write (YAML).")],
    ecu: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=ID/ID", help="The CAN ids of the ECU, as for `rootward triage`."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE.yaml", help="Keep the lines of this model that have the comment `# keep`."),
    ] = None,
) -> None:
    """Learn a first model from good recordings of one ECU.

    The file has the evidence for each line as a comment, and at its end what was not seen: read it and correct it.
    """
    from rootward.formats.files import check_target, read_bytes, replace_file
    from rootward.traces.languages.nodes import MAX_BYTES
    from rootward.traces.learning.learn import learn_file
    from rootward.traces.recordings import read_traces
    from rootward.words import count, make_visible

    if check_target(out).suffix.lower() not in (".yaml", ".yml"):
        raise InputError(f"{out}: a model file ends in .yaml")
    if out.exists() and (keep is None or not keep.exists() or not keep.samefile(out)):
        raise InputError(f"{out} exists, perhaps with your corrections: choose another file, or add --keep {out}")
    old = None if keep is None else read_bytes(keep, MAX_BYTES).decode("utf-8", "replace")
    traces = list(read_traces(good, ecus=parse_ecus(ecu) or None))
    _print_problems(traces)
    found = learn_file(traces, out.stem, old=old, old_name=str(keep))
    with replace_file(out) as target:
        target.write(found.text.encode("utf-8", "backslashreplace"))
    print(
        f"Learned from {count(found.recordings, 'recording')} with {count(found.requests, 'request')}: "
        f"{_describe_size(found.model)}."
    )
    if found.departing:
        some = ", ".join(map(make_visible, found.departing[:MAX_NAMED]))
        more = ", ..." if len(found.departing) > MAX_NAMED else ""
        print(f"Some of them depart from it ({len(found.departing):,}): {some}{more}.")
        print(f"To see where: rootward triage RECORDING --model {out}")
    if found.kept:
        print(f"Kept of {keep}: {'line' if len(found.kept) == 1 else 'lines'} {', '.join(map(str, found.kept))}.")
    print(f"The model is {out}. Read it, and correct what is wrong.")


def _print_problems(traces: list[Trace]) -> None:
    """Print the first parts of the recordings that could not be read."""
    from rootward.words import count, make_visible

    problems = [one for trace in traces for one in trace.problems]
    for text in problems[:MAX_NAMED]:
        print(make_visible(f"rootward: {text}"), file=sys.stderr)
    if len(problems) > MAX_NAMED:
        print(f"rootward: and {count(len(problems) - MAX_NAMED, 'more problem')}", file=sys.stderr)


@model.command(cls=Verb, no_args_is_help=True)
def check(file: File, param: Params = None, variant: Variant = None) -> None:
    """List what is wrong with a model, such as locations that are never reached or undeclared names.

    Exit code 1 if there are errors, 0 if there are only warnings.
    """
    from rootward.traces.languages import open_model
    from rootward.traces.linting import lint
    from rootward.words import count, make_visible

    found, _ = open_model(file, parse_parameters(param), variant)
    remarks = lint(found)
    for remark in remarks:
        print(make_visible(str(remark)))
    errors = sum(remark.severity == "error" for remark in remarks)
    print(
        f"{make_visible(found.name)}: {_describe_size(found)}; "
        f"{count(errors, 'error')}, {count(len(remarks) - errors, 'warning')}."
    )
    raise typer.Exit(1 if errors else 0)


def _describe_size(found: Model) -> str:
    from rootward.words import count

    locations = sum(len(part.locations) for part in found.components)
    edges = sum(len(part.edges) for part in found.components)
    return f"{count(len(found.components), 'component')}, {count(locations, 'location')}, {count(edges, 'edge')}"


@model.command(cls=Verb, no_args_is_help=True)
def picture(
    file: File,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.svg", help="The picture to write (SVG).")],
    param: Params = None,
    variant: Variant = None,
) -> None:
    """Draw a model: each component as an automaton."""
    from rootward.formats.files import check_target, replace_file
    from rootward.report.figures.automata import picture as draw
    from rootward.traces.languages import open_model

    check_target(out)
    found, _ = open_model(file, parse_parameters(param), variant)
    with replace_file(out) as target:
        target.write(draw(found).encode("utf-8", "backslashreplace"))
    print(f"The picture is {out}.")


@model.command(cls=Verb, no_args_is_help=True)
def verify(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERT", help="A certificate that `rootward triage --certificates` wrote.")
    ],
    against: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="Check that the certificate is about this model.")
    ] = None,
    param: Params = None,
    variant: Variant = None,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check that the certificate is about this recording.")
    ] = None,
    ecu: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=ID/ID", help="The CAN ids of an ECU in that recording, as for `rootward triage`."),
    ] = None,
) -> None:
    """Verify a certificate. Neither the model file nor the recording is needed.

    Prints what an accepted certificate shows, or why it is rejected. Exit code 0: accepted; 1: rejected; 2: the file is
    not a certificate.
    """
    from rootward.traces.languages import open_model
    from rootward.traces.output.certificates.verify import verify as verify_certificate
    from rootward.traces.scope import split_conversations
    from rootward.words import make_visible

    if against is None and (param or variant):
        raise InputError("--param and --variant need a model: add --model MODEL")
    known, own = (None, None) if against is None else open_model(against, parse_parameters(param), variant)
    recording = None if trace is None else _read_recording(trace, parse_ecus(ecu) or own)
    parts = [recording] if known is None or recording is None else split_conversations(known, recording)
    verdicts = [verify_certificate(certificate, model=known, trace=part) for part in parts]
    verdict = next((one for one in verdicts if one.accepted), verdicts[0])
    print(make_visible(verdict.text))
    raise typer.Exit(0 if verdict.accepted else 1)


def _read_recording(file: Path, known: Ecus | None) -> Trace:
    """Read a recording. Raises InputError if none of it can be read."""
    from rootward.traces.recordings import read_trace
    from rootward.traces.recordings.talk import check_ecus

    found = read_trace(file, ecus=check_ecus(known or None))
    if found.problems and not found.events:
        raise InputError(found.problems[0])
    return found


def parse_parameters(said: list[str] | None) -> dict[str, str]:
    """Parse the values of ``--param``, such as ``S3=500ms``."""
    found = {}
    for text in said or []:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise InputError(f"--param {text}: expected NAME=VALUE, such as S3=500ms")
        found[name.strip()] = value.strip()
    return found
