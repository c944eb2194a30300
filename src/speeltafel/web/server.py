"""Serving the table to browsers, from the command line."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from types import FrameType

import segno
import uvicorn

from speeltafel.engine.language import translate
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.tables import default_database
from speeltafel.web.app import create_app
from speeltafel.web.settings import Settings

GRACE = 5
"""Seconds that open requests get when the server stops."""
TURN = 0.0005
"""Seconds after which Python may turn to another thread: so long a bot that thinks in plain Python holds a page up."""


class _Server(uvicorn.Server):
    """Tells when it listens, and open pages when it stops."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._ready.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        stopping: asyncio.Event = self.config.app.state.stopping  # type: ignore[union-attr]
        self._loop.call_soon_threadsafe(stopping.set)
        super().handle_exit(sig, frame)


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    browser: bool = True,
    language: str = "en",
    data: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Serve until interrupted. Port 0 takes a free one; only `host` 0.0.0.0 (or ::) lets other devices in.

    `data` are data files for new tables, by game and name of the file.
    Raises `Refusal` for a host or port that cannot be taken and `Unusable` for a database.
    """
    listener = _listen(host, port)
    try:
        port = listener.getsockname()[1]
        alone = _loopback(host)
        everywhere = host in ("0.0.0.0", "::")
        shown = address_in_the_room() if everywhere else host
        own = f"http://{_bracket('127.0.0.1' if everywhere else host)}:{port}"
        url = f"http://{_bracket(shown)}:{port}"
        app = create_app(
            Settings(
                database=database or default_database(),
                url="" if alone else url,
                hosts=("localhost", "127.0.0.1", "[::1]", host) if alone else ("*",),
                reachable=not alone,
                data=data or {},
            )
        )
    except BaseException:
        listener.close()
        raise

    def tell(message: Message) -> None:
        print(translate(message, language), flush=True)

    tell(say("The table stands at {url}", url=own))
    if not alone:
        tell(say("Phones in the room scan this, or open {url}", url=url))
        segno.make(url).terminal(out=sys.stdout, compact=True)
    tell(say("Stop with Ctrl+C"))
    ready = threading.Event()
    if browser:
        threading.Thread(target=lambda: ready.wait() and webbrowser.open(own), daemon=True).start()
    sys.setswitchinterval(TURN)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE, server_header=False
    )
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, ready).run([listener])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises `Refusal`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # named, because asyncio turns Nagle's delay of 40 ms off for sockets that say they are TCP only
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as error:
        raise Refusal(say("{host} is no address of this machine: {why}", host=host[:80], why=str(error))) from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise Refusal(
            say(
                "Port {port} at {host} cannot be used: {why}. Another one: --port {other}",
                port=port,
                host=host[:80],
                why=getattr(error, "strerror", None) or str(error),
                other=port + 1 if port < 65535 else 8000,
            )
        ) from None
    return listener


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def address_in_the_room() -> str:
    """The address of this machine on the local network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
