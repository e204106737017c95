"""``rootward serve``: runs in the browser, while they go on and afterwards."""

from __future__ import annotations

from typing import Annotated

import typer

from rootward.cli.options import DEFAULT_STORE


def serve(
    store: Annotated[
        str, typer.Argument(metavar="[STORE]", help="The store to watch: a path or URL.", show_default=True)
    ] = DEFAULT_STORE,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="Where to listen; elsewhere than on this machine, a token is needed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any that is free.", min=0, max=65535)] = 8421,
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The token to ask for.  [default: a new one, where needed]")
    ] = None,
) -> None:
    """Watch runs in the browser, and stop them there. It may be started before, during or after a run."""
    from rootward.web.server import serve as run
    from rootward.web.watch import Source

    source = Source(store)
    found = source.open() is not None  # what is no store is better said now than in the browser

    def say(link: str) -> None:
        waits = "" if found else " There is nothing yet: the page shows a run once it has begun."
        print(f"{source} is shown at {link} until Ctrl-C.{waits}", flush=True)

    run(source, host=host, port=port, token=token, say=say)
