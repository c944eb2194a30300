"""The application: pages, live updates, JSON, behind one guard."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from itsdangerous import Signer
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response

from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables import Store, Tables
from speeltafel.tables.refusals import NotFound
from speeltafel.web import api, errors, home, joining, making, replay, rules, sheets, table
from speeltafel.web.guard import Buckets, Guard
from speeltafel.web.settings import Settings, secret_of


def create_app(settings: Settings) -> FastAPI:
    """The application on a database. Raises `Unusable` for one that cannot be used."""
    store = Store(settings.database)
    tables = Tables(store, clock=settings.clock, players=settings.players, data=settings.data)
    signer = Signer(settings.secret or secret_of(store), salt="seat")

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        bots = asyncio.create_task(tables.tend_bots()) if settings.bots else None
        yield
        app.state.stopping.set()
        if bots is not None:
            bots.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await bots
        store.close()

    app = FastAPI(
        title="speeltafel",
        version=version("speeltafel"),
        lifespan=living,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/docs.json",
    )
    app.state.settings = settings
    app.state.tables = tables
    app.state.signer = signer
    app.state.buckets = Buckets(settings.limits, settings.monotonic)
    app.state.stopping = asyncio.Event()
    for part in (home, making, joining, table, replay, rules, api):
        app.include_router(part.router)

    @app.get("/static/{hash}/{name}", include_in_schema=False)
    def static(hash: str, name: str) -> Response:
        found = sheets.sheet(name)
        if found is None:
            raise NotFound(say("There is nothing here; the address may be mistyped"))
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable"
            if found.address.split("/")[2] == hash
            else "no-cache"
        }
        if name.endswith(".svg"):
            headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return Response(found.content, media_type=found.kind, headers=headers)

    app.add_exception_handler(Refusal, errors.on_refusal)
    app.add_exception_handler(HTTPException, errors.on_http)
    app.add_exception_handler(RequestValidationError, errors.on_invalid)
    app.add_exception_handler(Exception, errors.on_failure)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=6)
    app.add_middleware(Guard, buckets=app.state.buckets, limits=settings.limits, refuse=errors.answer)
    if settings.hosts != ("*",):
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts))
    return app
