"""Access control: who may see the live page, and what a page may do.

If the server listens on this machine only, everyone who can connect may see the page. Other web sites must not,
although a browser lets them send requests to this machine; they are recognised by the ``Host`` of a request and by its
origin. If the server also listens to other machines, a token is required: once in the address, afterwards in a cookie
that no script and no other site can use.
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
        # Inline styles are allowed because figures have their own; they come only from templates.
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
OTHER_SITE = "This request came from another site: open the address that `rootward serve` printed."


class Guard:
    """Middleware that refuses requests before they reach the application.

    ``token``: the token to require, or None; ``loopback``: only this machine can connect.
    """

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
        """Return the response that refuses the request, or None to accept it."""
        headers = Headers(scope=scope)
        if self._loopback and not _is_this_machine(headers.get("host", "")):
            return PlainTextResponse(OTHER_NAME, 421)
        if self._token is not None and not self._is_token(_read_cookie(headers, self._cookie_name(scope))):
            return self._let_in(scope)
        if scope["method"] not in ("GET", "HEAD") and not _is_same_site(headers):
            return PlainTextResponse(OTHER_SITE, 403)
        return None

    def _let_in(self, scope: Scope) -> Response:
        """Answer a request that has no valid cookie.

        If the address contains the token, set the cookie and redirect. Otherwise refuse the request.
        """
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if not self._is_token(asked.pop("token", "")):
            return PlainTextResponse(NO_TOKEN, 401)
        path = "/" + scope["path"].lstrip("/")  # a path that begins with two slashes would redirect to another machine
        response = RedirectResponse(f"{path}?{urlencode(asked)}" if asked else path, 303)
        assert self._token is not None
        response.set_cookie(self._cookie_name(scope), self._token, httponly=True, samesite="strict")
        return response

    def _is_token(self, said: str) -> bool:
        return self._token is not None and secrets.compare_digest(said.encode(), self._token.encode())

    def _cookie_name(self, scope: Scope) -> str:
        """Return the name of the cookie, which contains the port.

        A browser sends the cookies of one server to all servers on the same machine, so their names must differ.
        """
        server = scope.get("server")
        return f"rootward-{server[1] if server else 0}"


def _is_this_machine(host: str) -> bool:
    """Return True for a host name that always means this machine.

    The port does not matter, because a tunnel may change it.
    """
    return re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", host) is not None


def _is_same_site(headers: Headers) -> bool:
    """Return True if one of our pages sent the request. Browsers always send the origin of a POST request."""
    if "sec-fetch-site" in headers:
        return headers["sec-fetch-site"] == "same-origin"
    try:
        return urlsplit(headers.get("origin", "")).netloc == headers.get("host") != ""
    except ValueError:  # not a URL
        return False


def _read_cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
