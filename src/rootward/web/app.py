"""The web application of the live page. It reads the store; the only thing it writes is a request to stop a run.

A stream of events tells a page that something has changed, and the page fetches its parts again. Slow work, above all
access to the store, is done in threads outside the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rootward.errors import StoreError
from rootward.report import assets
from rootward.report.data import showing
from rootward.store.rows import RunRecord
from rootward.store.store import Store
from rootward.web import pages
from rootward.web.guard import Guard
from rootward.web.watch import StoreSource, StoreWatch

STATIC = Path(__file__).parent / "static"
MAX_CACHED_PARTS = 50
"""Maximum number of addresses whose parts are cached for further readers."""


class _RunNumber(Convertor[int]):
    """The number of a run in an address. A longer one is no number of a run, so there is no such page."""

    regex = "[0-9]{1,40}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("run", _RunNumber())


class Live:
    """The web application.

    ``app`` is the object that a server runs. Call ``watch.close`` before the server ends.
    """

    def __init__(self, source: StoreSource, *, token: str | None, loopback: bool) -> None:
        self._source, self.watch = source, StoreWatch(source)
        self._sections = pages.Sections()
        self._made: dict[str, tuple[str, str]] = {}
        self._making: dict[str, asyncio.Lock] = {}
        routes = [
            Route("/", self._list),
            Route("/parts", self._list_parts),
            Route("/events", self._events),
            Route("/runs/{run:run}", self._run),
            Route("/runs/{run:run}/parts", self._run_parts),
            Route("/runs/{run:run}/found", self._found),
            Route("/runs/{run:run}/events", self._events),
            Route("/runs/{run:run}/report.html", self._report),
            Route("/runs/{run:run}/stop", self._stop, methods=["POST"]),
            Route("/static/{name}", self._static),
        ]
        handlers: dict[Any, Any] = {HTTPException: self._problem, StoreError: self._problem}
        inner = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers)
        inner.router.redirect_slashes = False  # a redirection repeats the Host of the request, which can be anything
        self.app = Guard(inner, token=token, loopback=loopback)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.watch.look()
        watching = asyncio.create_task(self.watch.run())
        yield
        self.watch.close()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await asyncio.to_thread(self._source.close)

    # Pages

    async def _list(self, _: Request) -> Response:
        known = await asyncio.to_thread(self._list_variables)
        return HTMLResponse(pages.render("runs.html", **known, parts="/parts", events="/events"))

    async def _list_parts(self, request: Request) -> Response:
        return await self._parts(request, lambda: pages.render("runs_parts.html", **self._list_variables()))

    async def _run(self, request: Request) -> Response:
        here = f"/runs/{request.path_params['run']}"
        links = {"parts": f"{here}/parts {here}/found", "events": f"{here}/events"}
        return HTMLResponse(await asyncio.to_thread(lambda: self._render_run(request.path_params["run"], links)))

    def _render_run(self, run: int, links: dict[str, str]) -> str:
        def make(store: Store, record: RunRecord) -> str:
            found = pages.finding_variables(record, self._sections.of(store, record))
            return pages.render("run.html", **pages.run_variables(store, record) | found | links)

        return self._show(run, make)

    async def _run_parts(self, request: Request) -> Response:
        run = request.path_params["run"]

        def make(store: Store, record: RunRecord) -> str:
            return pages.render("run_parts.html", **pages.run_variables(store, record))

        return await self._parts(request, lambda: self._show(run, make))

    async def _found(self, request: Request) -> Response:
        def make(store: Store, record: RunRecord) -> str:
            return pages.render("found_parts.html", **pages.finding_variables(record, self._sections.of(store, record)))

        return await self._parts(request, lambda: self._show(request.path_params["run"], make))

    async def _report(self, request: Request) -> Response:
        run = request.path_params["run"]
        text = await asyncio.to_thread(self._show, run, pages.report_page)
        if not text:
            raise HTTPException(404, f"Run {run} has no finding yet.")
        return HTMLResponse(text, headers={"Content-Disposition": f'attachment; filename="run-{run}.html"'})

    async def _static(self, request: Request) -> Response:
        texts: dict[str, Callable[[], str]] = {
            "report.css": assets.style,
            "report.js": assets.script,
            "live.css": (STATIC / "live.css").read_text,
            "live.js": (STATIC / "live.js").read_text,
        }
        name = request.path_params["name"]
        if name not in texts:
            raise HTTPException(404, "This page does not exist.")
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response(texts[name](), media_type=kind)

    # Changes

    async def _events(self, request: Request) -> Response:
        """Send server-sent events: one stamp now, and another one whenever something has changed."""

        async def stream() -> AsyncIterator[str]:
            yield "retry: 1000\n\n"
            async for stamp in self.watch.stamps(request.path_params.get("run")):
                yield f"data: {stamp}\n\n"

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def _stop(self, request: Request) -> Response:
        run = request.path_params["run"]
        store, _ = await asyncio.to_thread(self._record, run)
        await asyncio.to_thread(store.ask_to_stop, run)
        await self.watch.look()
        return RedirectResponse(f"/runs/{run}", 303)

    async def _parts(self, request: Request, make: Callable[[], str]) -> Response:
        """Return the parts of a page that may change, rendered once for all readers."""
        path = request.scope["path"]
        if len(self._making) > MAX_CACHED_PARTS:
            self._made.clear()
            self._making.clear()
        async with self._making.setdefault(path, asyncio.Lock()):
            stamp = self.watch.stamp(request.path_params.get("run"))
            if stamp != self._made.get(path, ("", ""))[0]:
                self._made[path] = stamp, await asyncio.to_thread(make)
            text = self._made[path][1]
        return HTMLResponse(text)

    # Access to the store, in threads

    def _list_variables(self) -> dict[str, Any]:
        try:
            return pages.list_variables(self._source.open(), str(self._source))
        except StoreError as error:
            return pages.list_variables(None, str(self._source), str(error))

    def _record(self, run: int) -> tuple[Store, RunRecord]:
        store = self._source.open()
        record = store.run(run) if store else None
        if store is None or record is None:
            raise HTTPException(404, f"There is no run {run} in {self._source}.")
        return store, record

    def _show(self, run: int, make: Callable[[Store, RunRecord], str]) -> str:
        """Return what ``make`` renders of a run. Raises StoreError if the run does not hold what is needed for it."""
        store, record = self._record(run)
        with showing(f"run {run} of {self._source}", StoreError):
            return make(store, record)

    async def _problem(self, request: Request, problem: Exception) -> Response:
        said, code = str(problem), 503
        if isinstance(problem, HTTPException):
            said, code = problem.detail, problem.status_code
        if request.method == "POST":  # the page shows the answer in a line
            return PlainTextResponse(said, code)
        known = {"title": "Not found" if code == 404 else "Not possible", "where": str(self._source), "said": said}
        return HTMLResponse(pages.render("problem.html", **known), code)
