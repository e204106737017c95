"""``rootward serve``: show runs in the browser, during and after they run."""

from __future__ import annotations

from typing import Annotated

import typer

from rootward.cli.options import DEFAULT_STORE


def serve(
    store: Annotated[
        str, typer.Argument(metavar="[STORE]", help="The store to watch: a path or URL.", show_default=True)
    ] = DEFAULT_STORE,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="The address to listen on. Other machines can connect only with a token."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="The port to listen on; 0 takes any free one.", min=0, max=65535)
    ] = 8421,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="The token that a browser must present.  [default: none on this machine, else a random one]",
        ),
    ] = None,
) -> None:
    """Watch runs in the browser, and stop them there. Start it before, during or after a run."""
    from rootward.web.server import serve as run
    from rootward.web.watch import StoreSource

    source = StoreSource(store)
    found = source.open() is not None  # report a file that is not a store now, not in the browser

    def say(link: str) -> None:
        waits = "" if found else " There is no store yet: the page will show a run once it has started."
        print(f"{source} is shown at {link} until Ctrl-C.{waits}", flush=True)

    run(source, host=host, port=port, token=token, say=say)
