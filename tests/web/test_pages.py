"""Every page, in both languages, and what it may contain."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from speeltafel import games
from speeltafel.engine.rulebook import rulebook
from speeltafel.players import PLAYERS
from speeltafel.web import sheets
from speeltafel.web.app import create_app
from speeltafel.web.settings import Settings
from speeltafel.web.visitor import USUAL

PATHS = [
    "/",
    "/games/pixies",
    "/games/upordown",
    "/rules",
    "/rules?q=row",
    "/rules/pixies",
    "/rules/upordown",
    "/about",
]


def sound(text: str) -> None:
    """Nothing on a page that the content security policy refuses, and no identifier twice."""
    assert ' style="' not in text
    assert "<script>" not in text
    assert not re.search(r'\son[a-z]+="', text)
    assert "javascript:" not in text
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("path", PATHS)
def test_pages(guest: Any, path: str) -> None:
    for language, other in (("nl", "English"), ("en", "Nederlands")):
        answer = guest.get(path, headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert f'<html lang="{language}">' in answer.text
        assert other in answer.text  # the switch names the other language
        sound(answer.text)


def test_home_offers_each_game_in_one_click(guest: Any) -> None:
    guest.get("/")
    for game in games.games().values():
        assert game.title.replace("'", "&#39;") in guest.html
        assert game.designer in guest.html
        assert game.publisher in guest.html
        assert guest.html.count(f'formaction="/tables?game={game.name}"') == 2
        assert f'href="/games/{game.name}?way=device"' in guest.html


def test_every_level_has_a_face_and_says_how_it_plays(guest: Any) -> None:
    for path in ("/", "/games/pixies"):
        page = guest.get(path).text
        for player in PLAYERS.values():
            assert f'<symbol id="face-{player.name}"' in page
            assert f'name="level" value="{player.name}"' in page
            assert f"{player.label.text} {player.line.text}." in page
            style = sheets.sheet("style.css")
            assert style
            assert f"says-{player.name}" in style.content.decode()


def test_the_bots_last_chosen_come_again(guest: Any) -> None:
    def offered(page: str) -> str:
        found = re.search(r'name="level" value="(\w+)"[^>]* checked', page)
        assert found
        return found[1]

    assert offered(guest.get("/").text) == USUAL
    assert guest.tables.table(guest.make("pixies")).seats[1].level == USUAL
    id = guest.make("pixies", level="kitten")
    assert guest.tables.table(id).seats[1].level == "kitten"
    assert offered(guest.get("/").text) == "kitten"
    assert guest.tables.table(guest.make("pixies")).seats[1].level == "kitten"
    guest.client.cookies.clear()
    guest.client.cookies.set("level", "ocelot")
    assert offered(guest.get("/").text) == USUAL


def test_faces_at_the_table(guest: Any) -> None:
    id = guest.make("pixies", players=3, **{"seat-1": "bot:tiger", "seat-2": "bot:kitten"})
    guest.get(f"/tables/{id}")
    while guest.moves():  # until somebody else is to move
        guest.play(id)
    scores = guest.html.split('class="scores"')[1].split("</ol>")[0]
    turn = guest.tables.table(id).turn
    assert re.findall(r'seat-(\d) thinking"', scores) == [str(turn + 1)]
    assert f"{guest.tables.table(id).seats[turn].name} is thinking" in guest.html
    assert re.findall(r'href="#(face-\w+)"', scores) == ["face-tiger", "face-kitten"]
    assert "computer: Tiger" in scores


def test_one_device_asks_who_plays(guest: Any) -> None:
    page = guest.get("/games/pixies?way=device").text
    ways = re.findall(r'name="way" value="(\w+)"', page)
    assert ways == ["device", "bots", "friends"], "Enter passes the device"
    assert 'class="more" open' in page
    assert 'name="players" value="4"' in page


@pytest.mark.parametrize(
    ("header", "language"),
    [("nl-NL,nl;q=0.9,en;q=0.8", "nl"), ("de,en;q=0.5,nl;q=0.7", "nl"), ("fr", "en"), ("", "en"), ("en;q=x, nl", "nl")],
)
def test_language_of_the_browser(guest: Any, header: str, language: str) -> None:
    assert f'lang="{language}"' in guest.get("/", headers={"Accept-Language": header}).text[:60]


def test_language_chosen(guest: Any) -> None:
    answer = guest.post("/language", language="nl", to="/about")
    assert answer.url.path == "/about"
    assert "Over speeltafel" in answer.text
    assert 'lang="nl"' in guest.get("/").text[:60]
    for away in ("https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example"):
        assert guest.post("/language", language="en", to=away).url.host == "testserver"
    assert guest.post("/language", language="fr").status_code == 422


def test_a_game_with_every_choice(guest: Any) -> None:
    guest.get("/games/pixies")
    for option in games.find("pixies").options:
        for choice in option.choices:
            assert f'name="option-{option.name}" value="{str(choice).lower()}"' in guest.html
    assert 'name="data-deck.csv"' in guest.html


def test_as_many_players_from_both_pages(any_game: Any, guest: Any) -> None:
    """Where nobody says how many."""
    table = guest.tables.table(guest.make(any_game.name))
    page = guest.get(f"/games/{any_game.name}").text
    assert re.findall(r'name="players" value="(\d)" checked', page) == [str(len(table.seats))]


def test_seats_as_chosen(guest: Any) -> None:
    id = guest.make(
        "pixies", "device", players=4, name="Anna", **{"seat-2": "bot:random", "name-2": "Robo", "name-1": "Bram"}
    )
    table = guest.tables.table(id)
    assert [(seat.kind, seat.name) for seat in table.seats] == [
        ("human", "Anna"),
        ("human", "Bram"),
        ("bot", "Robo"),
        ("human", "Player 4"),
    ]
    assert table.seats[2].level == "random"


def test_seats_beyond_the_players_do_not_count(guest: Any) -> None:
    table = guest.tables.table(guest.make("pixies", players=2, **{"seat-1": "bot:tiger", "seat-3": "bot:ocelot"}))
    assert [seat.level for seat in table.seats] == ["", "tiger"]


def test_options_reach_the_table(guest: Any) -> None:
    id = guest.make("upordown", players=2, **{"option-length": "short"})
    assert guest.tables.table(id).options == {"length": "short"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"players": "9"}, "takes 2 to 6 players"),
        ({"players": "1"}, "takes 2 to 6 players"),
        ({"players": "99999999999"}, "a whole number is needed"),
        ({"players": "two"}, "a whole number is needed"),
        ({"option-length": "endless"}, "full, short"),
        ({"way": "telepathy"}, "bots, friends, device"),
        ({"seat-1": "ghost"}, "device, open, bot"),
        ({"level": "genius"}, "There is no bot genius"),
        ({"hints": "perhaps"}, "yes, no"),
        ({"pace": "warp"}, "There is no pace warp"),
        ({"name": "x" * 25}, "A name has at most 24 characters"),
    ],
)
def test_a_table_that_cannot_be(guest: Any, fields: dict[str, str], said: str) -> None:
    answer = guest.post("/tables", **{"game": "upordown", "way": "bots", **fields})
    assert answer.status_code == 422
    assert said in answer.text
    assert 'role="alert"' in answer.text
    sound(answer.text)


def test_an_unknown_game(guest: Any) -> None:
    assert guest.post("/tables", game="chess", way="bots").status_code == 404
    assert guest.get("/games/chess").status_code == 404
    assert guest.get("/rules/chess").status_code == 404


def test_own_data_file(guest: Any) -> None:
    shipped = games.find("upordown").shipped("colours.csv")

    def send(content: bytes) -> Any:
        return guest.client.post(
            "/tables", data={"game": "upordown", "way": "bots"}, files={"data-colours.csv": ("mine.csv", content)}
        )

    swapped = shipped.replace("1,", "126,", 1) if "\n1," not in shipped else shipped
    rows = swapped.splitlines()
    rows[1], rows[2] = rows[2], rows[1]
    answer = send("\n".join(rows).encode())
    assert answer.status_code == 200
    assert "colours.csv" in guest.tables.table(answer.url.path.split("/")[2]).data
    answer = send(b"number,shade\n1,red\n")
    assert answer.status_code == 422
    assert "column colour is missing" in answer.text
    answer = send(b"\xff\xfe\x00")
    assert answer.status_code == 422
    assert "UTF-8" in answer.text


def test_rules(guest: Any) -> None:
    for game in games.games():
        text = guest.get(f"/rules/{game}").text
        prefix = games.find(game).moves.RULES
        assert f'id="{prefix}-1"' in text
        for chapter in rulebook(games.find(game), "en"):
            for rule in chapter.rules:
                heading = text[text.index(f'id="{rule.id}"') :]
                assert f'class="source {rule.source}"' in heading[: heading.index("</h3>")]
        for target in re.findall(r'href="#([A-Z]+-\d+)"', text):
            assert f'id="{target}"' in text


def test_rules_found(guest: Any) -> None:
    assert "/rules/upordown#UD-14" in guest.get("/rules?q=ud-14").text
    assert "/rules/upordown#" not in guest.get("/rules?q=zzzz").text
    assert guest.get("/rules", params={"q": "<script>x</script>"}).status_code == 200
    sound(guest.html)


def test_files_for_the_browser(guest: Any) -> None:
    page = guest.get("/").text
    addresses = set(re.findall(r'"(/static/[^"]+)"', page))
    assert len(addresses) >= 3 + len(games.games())
    for address in addresses:
        answer = guest.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert guest.get("/static/000000000000/style.css").headers["cache-control"] == "no-cache"
    assert guest.get("/static/000000000000/secret.txt").status_code == 404


def test_covers_hold_what_they_use() -> None:
    for game in games.games().values():
        cover = sheets.sheet(f"cover-{game.name}.svg")
        assert cover is not None
        text = cover.content.decode()
        for used in re.findall(r'href="#([^"]+)"', text):
            assert f'id="{used}"' in text, f"{game.name}: {used}"


@pytest.mark.parametrize("game", sorted(games.games()))
def test_weight(guest: Any, game: str) -> None:
    """A table in full, with all it loads, stays under 100 kB compressed."""
    id = guest.make(game, players=games.find(game).seats[1])
    guest.my_turn(id)
    for _ in range(12):
        guest.play(id)
        guest.my_turn(id)
    parts = [guest.html.encode()] + [
        found.content for name in ("style.css", "table.js") if (found := sheets.sheet(name))
    ]
    assert sum(len(gzip.compress(part)) for part in parts) < 100_000
    sound(guest.html)
    assert guest.get("/").headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("game", sorted(games.games()))
def test_a_whole_match_without_script(guest: Any, game: str) -> None:
    id = guest.make(game, players=2, **({"option-length": "short"} if game == "upordown" else {}))
    assert guest.finish(id) > 5
    table = guest.tables.table(id)
    assert table.status == "over"
    for number in range(len(table.seats)):
        for line in table.match.breakdown(number):
            assert f'href="/rules/{game}#{line.rule}"' in guest.html
    assert "Play again" in guest.html
    sound(guest.html)
    again = guest.post(f"/tables/{id}/rematch").url.path
    assert again.startswith("/tables/")
    assert id not in again
    assert guest.tables.table(again.split("/")[2]).rematch_of == id
    assert f'href="{again}"' in guest.get(f"/tables/{id}").text
    home = guest.get("/").text
    assert f'href="/tables/{id}"' in home
    assert f'href="{again}"' in home


def test_replay(guest: Any) -> None:
    id = guest.make("upordown", players=2, **{"option-length": "short"})
    guest.finish(id)
    moves = len(guest.tables.table(id).match.entries)
    text = guest.get(f"/tables/{id}/replay").text
    assert f"<b>0</b> / {moves}" in text, "it starts at the beginning"
    first = guest.tables.table(id).match.entries[0]
    text = guest.get(f"/tables/{id}/replay?at=1").text
    assert first.text not in text, "words, no notation"
    who = "You" if first.seat == 0 else guest.tables.table(id).seats[first.seat].name
    assert f'<p class="told">{who} laid ' in text
    assert "<span>You</span>" in text
    assert "<b>0</b>" in guest.get(f"/tables/{id}/replay?at=-5").text
    assert f"<b>{moves}</b>" in guest.get(f"/tables/{id}/replay?at=99999").text
    for seat in ("turn", "0", "1", "watch"):
        text = guest.get(f"/tables/{id}/replay?at=7&seat={seat}").text
        assert f"at=8&amp;seat={seat}" in text
        assert guest.moves() == []
        sound(text)
    assert guest.get(f"/tables/{id}/replay?seat=7").status_code == 404
    file = guest.get(f"/tables/{id}/file")
    assert file.headers["content-disposition"].startswith("attachment")
    answer = guest.client.post("/files", files={"file": ("match.json", file.content)})
    assert answer.status_code == 200
    assert answer.url.path.endswith("/replay")


def test_a_replay_shows_all_hands(guest: Any) -> None:
    id = guest.make("upordown", players=2, **{"option-length": "short"})
    guest.finish(id)
    state = guest.tables.match_at(id, 3).state
    page = guest.get(f"/tables/{id}/replay?at=3&seat=0").text
    shown = re.findall(r"<span>(\w+) (\d+)</span>", page.split('id="hands"')[1].split("</details>")[0])
    held = [state.hand[seat][i] for seat in range(2) for i in range(state.hand_count[seat])]
    assert [int(card) for _colour, card in shown] == held


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "speeltafel-match/1"}', b"\xff"])
def test_a_file_that_is_no_match(guest: Any, content: bytes) -> None:
    answer = guest.client.post("/files", files={"file": ("match.json", content)})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_nothing_to_look_back_at_yet(guest: Any) -> None:
    id = guest.make()
    assert guest.get(f"/tables/{id}/replay").status_code == 403
    assert guest.get(f"/tables/{id}/file").status_code == 403


def test_unknown_addresses(guest: Any) -> None:
    for path in ("/nothing", "/tables/nope", "/tables/nope/replay", "/tables/nope/file", "/join/nope"):
        answer = guest.get(path)
        assert answer.status_code == 404
        assert 'role="alert"' in answer.text
        error = guest.get(path, headers={"Accept": "application/json"}).json()["error"]
        assert error
    assert guest.post("/").status_code == 405
    assert guest.post("/tables/nope/play", move="x", version="1").status_code == 404
    assert guest.post("/tables/nope/undo", version="1").status_code == 404


@pytest.mark.parametrize(
    ("fields", "dutch"),
    [
        ({"level": "ocelot"}, "Er is geen bot ocelot; wel: random, kitten, greedy, lynx, tiger, leopard"),
        (
            {"seat-1": "bot:ocelot", "seat-2": "bot:tiger"},
            "Er is geen bot ocelot; wel: random, kitten, greedy, lynx, tiger, leopard",
        ),
        ({"players": "9"}, "Pixies is voor 2 tot en met 5 spelers, niet voor 6"),
    ],
)
def test_bots_that_cannot_be(guest: Any, fields: dict[str, str], dutch: str) -> None:
    answer = guest.client.post(
        "/tables", data={"game": "pixies", "way": "bots", "name": "Anna", **fields}, headers={"Accept-Language": "nl"}
    )
    assert answer.status_code == 422
    assert f"<p>{dutch}</p>" in answer.text
    assert 'value="Anna"' in answer.text, "what was filled in is not lost"
    if fields.get("seat-2"):
        assert re.search(r'value="bot:tiger" selected', answer.text)


class Broken:
    name = "tiger"
    searches = False

    def choose(self, *_: Any) -> int:
        raise RuntimeError("lost in thought")


def test_a_bot_that_fails_is_replaced_and_the_page_says_so(guest: Any, settings: Settings) -> None:
    guest = type(guest)(create_app(replace(settings, players={**PLAYERS, "tiger": Broken()})))  # type: ignore[dict-item]
    id = guest.make("pixies", players=2, **{"seat-1": "bot:tiger"})
    guest.my_turn(id)
    while guest.tables.table(id).seats[1].level == "tiger":
        guest.play(id)
        guest.my_turn(id)
    bot = guest.tables.table(id).seats[1]
    assert bot.level == "greedy"
    assert f"{bot.name} lost the thread; a simpler bot decides from here on" in guest.html
    assert (
        f"{bot.name} raakte de draad kwijt; vanaf hier beslist een eenvoudiger bot"
        in guest.get(f"/tables/{id}", headers={"Accept-Language": "nl"}).text
    )
    assert "lost in thought" not in guest.html
    scores = guest.html.split('class="scores"')[1].split("</ol>")[0]
    assert "face-greedy" in scores


def test_a_failure_of_our_own(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    from fastapi.testclient import TestClient

    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(app.state.tables, "table", broken)
    client = TestClient(app, raise_server_exceptions=False)
    answer = client.get("/tables/x", headers={"Accept-Language": "nl"})
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "niet aan jou" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_stylesheet_is_one(guest: Any) -> None:
    text = guest.get(sheets.address("style.css")).text
    assert "@import" not in text
    for game in games.games():
        assert f".{game}" in text
    assert text.count("{") == text.count("}")
    assert Path(sheets.__file__).parent.joinpath("static/tokens.css").read_text() in text
