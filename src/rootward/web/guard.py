"""Who may see the page, and what a page may do.

On the own machine, whoever can connect may look: but other web sites, which a browser also lets talk to this machine,
must not. They are told apart by the name under which they came (``Host``) and by where a request comes from. Elsewhere,
a token is asked for: once in the address, from then on in a cookie that no script and no other site can use.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        # Styles may stand in the page because drawings carry their own; they come from templates only.
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NO_TOKEN = "This page needs a token: open the address that `rootward serve` printed."
OTHER_NAME = "This page is for this machine only: open it as http://localhost or http://127.0.0.1."
OTHER_SITE = "Only the page itself may ask for that."


class Guard:
    """Stands before the application. ``token``: None if there is none to ask for; ``loopback``: whether only this
    machine can connect."""

    def __init__(self, app: ASGIApp, *, token: str | None, loopback: bool) -> None:
        self._app, self._token, self._loopback = app, token, loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> Response | None:
        """What is answered instead of the page; None if nothing speaks against it."""
        headers = Headers(scope=scope)
        if self._loopback and not _is_this_machine(headers.get("host", "")):
            return PlainTextResponse(OTHER_NAME, 421)
        if self._token is not None and not self._same(_cookie(headers, self._name(scope))):
            return self._let_in(scope)
        if scope["method"] not in ("GET", "HEAD") and not _same_site(headers):
            return PlainTextResponse(OTHER_SITE, 403)
        return None

    def _let_in(self, scope: Scope) -> Response:
        """With the token in the address, the same address without it and the cookie from now on."""
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if not self._same(asked.pop("token", "")):
            return PlainTextResponse(NO_TOKEN, 401)
        path = "/" + scope["path"].lstrip("/")  # one that begins with two would lead to another machine
        response = RedirectResponse(f"{path}?{urlencode(asked)}" if asked else path, 303)
        assert self._token is not None
        response.set_cookie(self._name(scope), self._token, httponly=True, samesite="strict")
        return response

    def _same(self, said: str) -> bool:
        return self._token is not None and secrets.compare_digest(said.encode(), self._token.encode())

    def _name(self, scope: Scope) -> str:
        """The cookie's name: a browser sends the cookies of all servers of a machine to each of them."""
        server = scope.get("server")
        return f"rootward-{server[1] if server else 0}"


def _is_this_machine(host: str) -> bool:
    """Whether it is a name that leads to this machine and nowhere else; a tunnel may have any port."""
    return re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", host) is not None


def _same_site(headers: Headers) -> bool:
    """Whether a page of ours asks. A browser always says where a request that changes something comes from."""
    if "sec-fetch-site" in headers:
        return headers["sec-fetch-site"] == "same-origin"
    return urlsplit(headers.get("origin", "")).netloc == headers.get("host") != ""


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
