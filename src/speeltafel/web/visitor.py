"""Who asks: the user behind the signed cookie, and their language."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from itsdangerous import BadSignature, Signer
from starlette.responses import HTMLResponse, RedirectResponse, Response

from speeltafel.engine.language import LANGUAGES, catalog
from speeltafel.players import PLAYERS
from speeltafel.tables.names import LONGEST
from speeltafel.web import pages
from speeltafel.web.settings import Settings

COOKIE, LANGUAGE, NAME, LEVEL = "speeltafel", "language", "name", "level"
YEAR = 365 * 24 * 3600
USUAL = "greedy"
"""The bot for who never chose one: it plays soundly, a family can beat it, and it needs no time to think."""


@dataclass
class Visitor:
    """Somebody with a browser. A user is kept (by a cookie) only from their first table on."""

    user: str
    known: bool
    """Whether the user came with a valid cookie."""
    language: str
    name: str
    """What they called themselves last, or nothing."""
    level: str
    """The bots that they played against last, or `USUAL`."""
    secure: bool
    path: str
    """The page they are on, to come back to."""
    origin: str
    """The address of this house, for invitations."""
    reachable: bool
    """Whether other devices can come to that address."""
    _signer: Signer
    _cookies: dict[str, tuple[str, bool]]

    def keep(self, name: str = "", level: str = "") -> None:
        """Remember the user, and the name and bots they chose if a table could take them, with the next response."""
        if not self.known:
            self._cookies[COOKIE] = (self.token, True)
        if name and name != self.name and len(name) <= LONGEST:
            self._cookies[NAME] = (name.encode().hex(), True)
        if level in PLAYERS and level != self.level:
            self._cookies[LEVEL] = (level, True)

    def speak(self, language: str) -> None:
        """Remember the language that was chosen, with the next response."""
        self.language = language
        self._cookies[LANGUAGE] = (language, True)

    @property
    def token(self) -> str:
        """The signed user."""
        return self._signer.sign(self.user).decode()

    def _(self, text: str) -> str:
        """A text in the visitor's language."""
        return catalog(self.language).gettext(text)

    def dress(self, response: Response) -> Response:
        """Put what is to be remembered on a response."""
        for key, (value, hidden) in self._cookies.items():
            response.set_cookie(key, value, max_age=YEAR, path="/", httponly=hidden, samesite="lax", secure=self.secure)
        return response

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page in the visitor's language."""
        html = pages.page(template, self.language, visitor=self, **values)
        return self.dress(HTMLResponse(html, status, {"Content-Language": self.language, "Cache-Control": "no-store"}))

    def go(self, path: str) -> Response:
        """On to another page, after something was done."""
        return self.dress(RedirectResponse(path, 303))


def visitor_of(request: Request) -> Visitor:
    """Who asks. A missing or forged cookie means somebody new."""
    signer: Signer = request.app.state.signer
    settings: Settings = request.app.state.settings
    given = request.cookies.get(COOKIE, "")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given = token
    try:
        user, known = signer.unsign(given).decode(), True
    except (BadSignature, UnicodeError):
        user, known = secrets.token_urlsafe(18), False
    query = f"?{request.url.query}" if request.url.query else ""
    level = request.cookies.get(LEVEL, "")
    return Visitor(
        user=user,
        known=known,
        language=language_of(request),
        name=_name(request.cookies.get(NAME, "")),
        level=level if level in PLAYERS else USUAL,
        secure=request.url.scheme == "https",
        path=request.url.path + query if request.method == "GET" else "/",
        origin=settings.url or str(request.base_url).rstrip("/"),
        reachable=settings.reachable,
        _signer=signer,
        _cookies={},
    )


def _name(cookie: str) -> str:
    try:
        return bytes.fromhex(cookie).decode()[:LONGEST]
    except ValueError:
        return ""


def language_of(request: Request) -> str:
    """The language chosen here, or else the one that the browser likes best."""
    chosen = request.cookies.get(LANGUAGE)
    if chosen in LANGUAGES:
        return chosen
    liked: list[tuple[float, str]] = []
    for part in request.headers.get("accept-language", "").split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            liked.append((-float(weight or 1), tag[:2].lower()))
        except ValueError:
            continue
    return next((tag for _, tag in sorted(liked, key=lambda like: like[0]) if tag in LANGUAGES), "en")


Asking = Annotated[Visitor, Depends(visitor_of)]
