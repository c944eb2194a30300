"""What the browser loads beside a page: one stylesheet, one script, pictures; and the symbols inlined in pages."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

from speeltafel.engine.game import Game
from speeltafel.games import games

_STATIC = resources.files("speeltafel.web") / "static"
_STYLE = re.compile(r'\sstyle="([a-z-]+):\s*([^";]+);?"')
_SYMBOL = re.compile(r'<symbol id="(?P<id>[^"]+)".*?</symbol>', re.DOTALL)
_USED = re.compile(r'href="#(?P<id>[^"]+)"|url\(#(?P<url>[^)]+)\)')


@dataclass(frozen=True)
class Sheet:
    """A file for the browser; its address names its content, so it may be kept for ever."""

    name: str
    kind: str
    content: bytes

    @cached_property
    def address(self) -> str:
        """The path from which it is served."""
        return f"/static/{hashlib.sha256(self.content).hexdigest()[:12]}/{self.name}"


@cache
def sheet(name: str) -> Sheet | None:
    """The file of that name: `style.css`, `table.js`, `icon.svg`, `cover-<game>.svg`; None for another."""
    if name == "style.css":
        return Sheet(name, "text/css", _stylesheet().encode())
    if name == "table.js":
        return Sheet(name, "text/javascript", _read("table.js").encode())
    if name == "icon.svg":
        return Sheet(name, "image/svg+xml", _picture("icon.svg", _read("icon.svg"), common()).encode())
    for game in games().values():
        if name == f"cover-{game.name}.svg":
            return Sheet(name, "image/svg+xml", _cover(game).encode())
    return None


def address(name: str) -> str:
    """Where the file of that name is served."""
    found = sheet(name)
    if found is None:
        raise KeyError(name)
    return found.address


def forget() -> None:
    """Read all files anew next time: for those who are drawing them."""
    for kept in (sheet, common, art):
        kept.cache_clear()


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _own(game: Game, file: str) -> str:
    """A file of the game's folder, empty if it has none."""
    try:
        return game.shipped(file)
    except FileNotFoundError:
        return ""


def _stylesheet() -> str:
    """The frame's rules and those of every game's board."""
    parts = [_read(name) for name in ("tokens.css", "style.css", "pages.css")]
    return "\n".join([*parts, *(_own(game, "board.css") for game in games().values())])


def _clean(svg: str) -> str:
    """A sheet as the content security policy allows it: `style` as attributes, no size of its own."""
    svg = svg.replace(' style="position:absolute"', "").replace(' width="0" height="0"', ' class="sheet"')
    svg = _STYLE.sub(lambda m: f' {m[1]}="{m[2]}"', svg)
    return re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)


@cache
def common() -> str:
    """The symbols that all pages share: numerals, icons, seat marks."""
    return _clean(_read("common.svg"))


@cache
def art(game: Game) -> str:
    """The game's own symbols."""
    return _clean(_own(game, "art.svg"))


def _cover(game: Game) -> str:
    """The picture on the box, as a file of its own: `cover.svg` and the symbols that it uses."""
    cover = _own(game, "cover.svg")
    if not cover:
        cover = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 220"><use href="#i-house" x="90" y="60" width="100" height="100"/></svg>'  # noqa: E501
    return _picture(game.name, cover, common() + art(game))


def _picture(name: str, svg: str, symbols: str) -> str:
    """A drawing with the symbols that it uses, directly or through others."""
    known = {match["id"]: match[0] for match in _SYMBOL.finditer(symbols)}
    definitions = re.findall(r"<defs>.*?</defs>", symbols, flags=re.DOTALL)
    wanted, found = [svg], dict[str, str]()
    while wanted:
        for match in _USED.finditer(wanted.pop()):
            id = match["id"] or match["url"]
            if id in known and id not in found:
                found[id] = known[id]
                wanted.append(known[id])
    start = svg.index(">") + 1
    return svg[:start] + "".join(definitions) + "".join(found.values()) + svg[start:]
