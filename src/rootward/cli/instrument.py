"""``rootward instrument``: find the best place for a check in a pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rootward.cli.options import JsonOption, OutOption, ReportOption, command_line
from rootward.errors import InputError


def instrument(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The graph of the pipeline (JSON), with the values of its parameters."),
    ],
    possible: Annotated[
        list[str] | None,
        typer.Option(metavar="NODE", help="A node where a check is possible; may be repeated.  [default: all nodes]"),
    ] = None,
    troublesome: Annotated[
        list[str] | None,
        typer.Option(metavar="PARAMETER", help="A parameter known to take part in failures; may be repeated."),
    ] = None,
    report: ReportOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best place for a check in a pipeline.

    rootward instrument graph.json

    That is where a check makes the search for causes smallest. The file says which nodes each node feeds, and which
    values its parameters can have:
    {"read": {"downstream": ["write"], "params": {"date": ["mon", "tue"]}}, "write": {}}. Nothing is run.
    """
    import json
    from dataclasses import replace

    from rootward.formats.files import read_json
    from rootward.report.files import check_report
    from rootward.report.folder import check_folder
    from rootward.search.evidence import Evidence
    from rootward.searches.causes import checkpoint
    from rootward.words import make_visible

    if report is not None:
        check_report(report)
    if out is not None:
        check_folder(out)
    graph = read_json(file)
    try:
        found = checkpoint.instrument(graph, possible=possible, troublesome=troublesome or ())
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    found = replace(found, evidence=Evidence(f"instrument {file.name}", {"command": command_line()}))
    if report is not None:
        found.report(report)
    if out is not None:
        found.save(out)
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
        return
    print(make_visible(str(found)))
    if report is not None:
        print(f"The report is {report}.")
    if out is not None:
        print(f"The finding is saved in {out}.")
