"""``rootward instrument``: where to put a check into a pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def instrument(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The graph of the pipeline (JSON), with its parameters' values.")
    ],
    possible: Annotated[
        list[str] | None,
        typer.Option(metavar="NODE", help="Where a check can be put, if not everywhere; may be repeated."),
    ] = None,
    troublesome: Annotated[
        list[str] | None,
        typer.Option(metavar="PARAMETER", help="What is known to take part in failures; may be repeated."),
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write the finding as a page, too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Where to put a check into a pipeline, so that the search for causes gets smallest.

    rootward instrument graph.json

    The file says which node feeds which, and the values of each node's parameters:
    {"read": {"downstream": ["write"], "params": {"date": ["mon", "tue"]}}, "write": {}}. Nothing is run.
    """
    import json
    from dataclasses import replace

    from rootward.cli.options import command_line
    from rootward.formats.files import check_target, read_json
    from rootward.search.evidence import Evidence
    from rootward.searches.causes import checkpoint
    from rootward.words import visible

    if report is not None:
        check_target(report)
    found = checkpoint.instrument(read_json(file), possible=possible, troublesome=troublesome or ())
    if report is not None:
        told = Evidence(f"instrument {file.name}", {"command": command_line()})
        replace(found, evidence=told).report(report)
    print(json.dumps(found.to_dict(), indent=2) if as_json else visible(str(found)))
    if report is not None and not as_json:
        print(f"The report is {report}.")
