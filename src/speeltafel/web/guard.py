"""What protects pages and tables: response headers, where requests come from, how many, how large."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from speeltafel.engine.refusals import Refusal, say
from speeltafel.web.settings import Limits

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""On every response. Pages load nothing from elsewhere and nobody may frame them."""
SAFE = ("GET", "HEAD", "OPTIONS")
CLIENTS = 10_000
"""How many clients the buckets remember."""


class Blocked(Refusal):
    """A request that is not let in; `status` is that of HTTP, `wait` the seconds until it may be tried again."""

    def __init__(self, status: int, refusal: Refusal, wait: float = 0) -> None:
        super().__init__(refusal.message, refusal.rule)
        self.status, self.wait = status, wait


class Buckets:
    """Token buckets, one a client and kind of request: so many a second, so many at once."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = {name: getattr(limits, name) for name in ("pages", "changes", "tables", "codes")}
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, kind: str, client: str) -> None:
        """Take one token. Raises `Blocked` with 429 when there is none."""
        rate, most = self._limits[kind]
        with self._lock:
            now = self._clock()
            left, since = self._left.pop((kind, client), (most, now))
            left = min(most, left + (now - since) * rate)
            self._left[kind, client] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > CLIENTS:
                self._left.popitem(last=False)
        if left < 1:
            wait = math.ceil((1 - left) / rate)
            raise Blocked(
                429, Refusal(say("That goes a little too fast; try again in {seconds} s", seconds=wait)), wait
            )


class Guard:
    """The middleware around everything. What it blocks is answered by `refuse`."""

    def __init__(
        self,
        app: ASGIApp,
        buckets: Buckets,
        limits: Limits,
        refuse: Callable[[Request, Refusal], ASGIApp],
    ) -> None:
        self.app, self.buckets, self.limits, self.refuse = app, buckets, limits, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["method"] == "HEAD":  # what GET would answer, without its body
            scope, send = {**scope, "method": "GET"}, _bare(send)
        request = Request(scope)
        try:
            self._check(request)
            read = await self._read(request, receive) if scope["method"] not in SAFE else receive
        except Blocked as blocked:
            await self.refuse(request, blocked)(scope, receive, headed)
            return
        await self.app(scope, read, headed)

    def _check(self, request: Request) -> None:
        if request.url.path.startswith("/static/"):
            return
        changing = request.method not in SAFE
        self.buckets.take("changes" if changing else "pages", request.client.host if request.client else "")
        if changing and not same_origin(request.headers, request.url.netloc):
            raise Blocked(403, Refusal(say("This came from another site; open the table itself and try again there")))

    async def _read(self, request: Request, receive: Receive) -> Receive:
        """The whole body, if it is not too large."""
        upload = request.headers.get("content-type", "").startswith("multipart/form-data")
        most = self.limits.upload if upload else self.limits.form
        declared = request.headers.get("content-length", "0")
        size, parts, more = 0, [], True
        if not declared.isdecimal() or int(declared) > most:
            raise _too_large(most)
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            size += len(message.get("body", b""))
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
            if size > most:
                raise _too_large(most)
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": b"".join(parts), "more_body": False}

        return again


def _bare(send: Send) -> Send:
    """Sends the head of an answer and nothing else, so that even a stream ends there."""

    async def bare(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return bare


def _too_large(most: int) -> Blocked:
    return Blocked(413, Refusal(say("That is too large; at most {size} kB", size=most // 1024)))


def same_origin(headers: Headers, host: str) -> bool:
    """Whether a request comes from our own pages; programs that are no browsers name no origin at all."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2].lower() == host.lower()
