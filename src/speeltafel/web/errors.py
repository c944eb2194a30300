"""Refusals as responses: an HTTP status, and a page or JSON that says what is wrong."""

from __future__ import annotations

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from speeltafel.engine.complaints import complaint
from speeltafel.engine.language import translate
from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables.refusals import Stale, TableRefusal
from speeltafel.web.guard import HEADERS, Blocked
from speeltafel.web.visitor import visitor_of

STATUS = {
    "invalid": 422,
    "not found": 404,
    "forbidden": 403,
    "conflict": 409,
    "illegal": 422,
    "busy": 503,
    "unusable": 503,
}
"""HTTP status by kind of refusal."""


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    if isinstance(refusal, Blocked):
        return refusal.status
    return STATUS[refusal.kind] if isinstance(refusal, TableRefusal) else 422


def wants_json(request: Request) -> bool:
    """Whether a program asks rather than a browser."""
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("application/json" in accept and "text/html" not in accept)


def answer(request: Request, refusal: Refusal) -> Response:
    """The response to something refused."""
    visitor = visitor_of(request)
    status = status_of(refusal)
    headers = {}
    if isinstance(refusal, Blocked) and refusal.wait:
        headers["Retry-After"] = str(int(refusal.wait))
    response: Response
    if wants_json(request):
        said = translate(refusal.message, visitor.language)
        # half a character that came in cannot go out
        body = {"error": said.encode(errors="replace").decode(), "rule": refusal.rule or None}
        if isinstance(refusal, Stale):
            body["version"] = str(refusal.current)
        response = JSONResponse(body, status, headers)
    else:
        response = visitor.page("refused.html", status, refusal=refusal)
        response.headers.update(headers)
    return response


async def on_refusal(request: Request, error: Exception) -> Response:
    """For `Refusal`."""
    assert isinstance(error, Refusal)
    return answer(request, error)


async def on_http(request: Request, error: Exception) -> Response:
    """For what the framework itself does not find or allow."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        refusal = Refusal(say("There is nothing here; the address may be mistyped"))
    elif error.status_code == 405:
        refusal = Refusal(say("That cannot be done at this address"))
    else:
        refusal = Refusal(say("This request cannot be read: {why}", why=error.detail))
    return answer(request, Blocked(error.status_code, refusal))


async def on_invalid(request: Request, error: Exception) -> Response:
    """For parameters that are missing or of another kind."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = first["loc"][1:] if first["type"] != "json_invalid" else ()
    where = ".".join(str(part) for part in place) or str(first["loc"][0])
    return answer(request, Blocked(422, Refusal(say("{where}: {why}", where=where, why=complaint(first)))))


async def on_failure(request: Request, error: Exception) -> Response:
    """For our own mistakes: no details to the outside, the server's log has them."""
    refusal = Refusal(say("Something went wrong here, and it is not your fault. Nothing was lost; try again"))
    response = answer(request, Blocked(500, refusal))
    response.headers.update(HEADERS)  # the guard is passed by on this way out
    return response
