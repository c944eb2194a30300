"""What is done at a table: playing, taking back, leaving, inviting, passing one device on; and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from speeltafel.engine import chance as dice_of
from speeltafel.engine.language import translate
from speeltafel.engine.match import Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.games import find
from speeltafel.web.hints import chance, lead
from speeltafel.web.scene import hides, scene


def test_a_decision(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    before = guest.tables.table(id)
    text = guest.moves()[0]
    answer = guest.play(id, text)
    assert [hop.status_code for hop in answer.history] == [303]
    after = guest.tables.table(id)
    assert after.version == before.version + 1
    assert after.log[-1].entry.text == text
    assert "You" in answer.text


def test_taken_back(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    assert re.search(r'data-key="z"[^>]* disabled', guest.html)
    guest.play(id)
    assert not re.search(r'data-key="z"[^>]* disabled', guest.html)
    answer = guest.post(f"/tables/{id}/undo", version=guest.field("version"))
    assert answer.status_code == 200
    assert guest.tables.table(id).log[-1].kind == "undo"
    answer = guest.post(f"/tables/{id}/undo", version=guest.field("version"))
    assert answer.status_code == 409
    assert "nothing to take back" in answer.text


def test_a_hint(guest: Any, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speeltafel.tables.tables.HINT", 1e-9)
    id = guest.make()
    guest.my_turn(id)
    answer = guest.post(f"/tables/{id}/hint", version=guest.field("version"))
    assert answer.status_code == 200
    best = guest.tables.table(id).tips[0].move
    marked = re.findall(r'value="([^"]+)" data-tip="1" aria-describedby="tip-1"', answer.text)
    assert set(marked) == {best}
    assert 'id="tip-1"' in answer.text
    assert f"Lay {best.removeprefix('play ')} in the circle" in answer.text
    assert "little time to think" in answer.text, "one playout is no ground for figures"
    assert "You asked for a hint" in answer.text
    assert f"{guest.tables.table(id).seats[0].name} asked for a hint" in other.get(f"/tables/{id}").text
    assert "data-tip" not in other.html
    assert "in the circle</b>" not in other.html
    assert "data-tip" not in guest.play(id).text


def test_too_many_hints_at_once(guest: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speeltafel.tables.tables.HINTS", 0)
    id = guest.make()
    guest.my_turn(id)
    answer = guest.post(f"/tables/{id}/hint", version=guest.field("version"))
    assert answer.status_code == 503
    assert "ask again in a moment" in answer.text
    assert 'name="move"' in answer.text, "the table is there to play on"


def test_a_hint_in_figures(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    user = guest.tables.table(id).owner
    guest.tables.hint(id, user, guest.tables.table(id).version, playouts=200)
    tips = guest.tables.table(id).tips
    page = guest.get(f"/tables/{id}").text
    assert len(tips) == 3
    assert f"wins about {round(100 * tips[0].chance)} games in 100, on average " in page
    assert [rank for rank in "123" if f'data-tip="{rank}"' in page] == ["1", "2", "3"]
    dutch = guest.get(f"/tables/{id}", headers={"Accept-Language": "nl"}).text
    assert f"wint ongeveer {round(100 * tips[0].chance)} van de 100 partijen, gemiddeld " in dutch
    assert "in de kring</b>" in dutch


def test_a_hint_calls_its_reader_you_in_the_sentence() -> None:
    match = Match(find("kattenkwaad"), ["Anna", "Bram"], seed="you")
    shown = scene(match, 1, "nl", own=1)
    assert [(chair.name, chair.called) for chair in shown.chairs] == [("Anna", "Anna"), ("Jij", "jou")]


def test_a_hint_where_there_is_no_choice(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    while len(guest.moves()) > 1:
        guest.play(id)
        guest.my_turn(id)
    answer = guest.post(f"/tables/{id}/hint", version=guest.field("version"))
    assert "There is no choice now:" in answer.text
    assert [tip.move for tip in guest.tables.table(id).tips] == guest.moves()[:1]
    assert '<p id="tip-1">' in answer.text, "one decision has no number"


def test_a_table_without_hints(guest: Any) -> None:
    page = guest.get("/games/upordown").text
    assert re.findall(r'name="hints" value="(\w+)"( checked)?', page) == [("yes", " checked"), ("no", "")]
    id = guest.make()
    guest.my_turn(id)
    assert f"/tables/{id}/hint" in guest.html
    id = guest.make(hints="no")
    guest.my_turn(id)
    assert f"/tables/{id}/hint" not in guest.html
    answer = guest.post(f"/tables/{id}/hint", version=guest.field("version"))
    assert answer.status_code == 403
    assert "At this table there are no hints" in answer.text


def test_figures_of_a_hint() -> None:
    assert chance(0.624, True).values == {"percent": 62}
    assert [chance(part, False).text for part in (1.0, 0.0)] == ["wins nearly always", "hardly ever wins"]
    figures = [("pixies", 4.4), ("pixies", -1.2), ("pixies", 0.3), ("kattenkwaad", 0.9), ("kattenkwaad", -1.6)]
    said = [translate(lead(find(game), points, True), "nl") for game, points in figures]
    assert said == [
        "gemiddeld 4 punten voor",
        "gemiddeld 1 punt achter",
        "gemiddeld gelijk",
        "gemiddeld 1 huis voor",
        "gemiddeld 2 huizen achter",
    ]


def test_an_illegal_decision_names_its_rule(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    version = guest.tables.table(id).version
    answer = guest.play(id, "take 10")
    assert answer.status_code == 422
    rule = re.search(r'class="rule" href="/rules/upordown#(UD-\d+)"', answer.text)
    assert rule
    assert guest.moves()  # the table is there, to go on
    assert guest.tables.table(id).version == version
    for nonsense in ("fly away", "", "play 9999999999999999", "play ٣", "<script>", "x" * 101):
        guest.get(f"/tables/{id}")
        assert guest.play(id, nonsense).status_code == 422
    assert guest.tables.table(id).version == version


def test_a_stale_page(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    first, version = guest.moves()[0], guest.field("version")
    guest.play(id)
    answer = guest.play(id, first, version=version)
    assert answer.status_code == 409
    assert "has moved on" in answer.text
    assert guest.moves()
    assert guest.field("version") != version
    for broken, status in (("", 422), ("x", 422), ("1e3", 422), ("-1", 409), ("9" * 400, 409)):
        guest.get(f"/tables/{id}")
        assert guest.play(id, first, version=broken).status_code == status


def test_somebody_elses_seat(guest: Any, other: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    move, version, acting = guest.moves()[0], guest.field("version"), guest.field("acting")
    for cookie in (None, "", "forged", "c29tZWJvZHk.forged", guest.client.cookies["speeltafel"][:-4] + "xxxx"):
        other.client.cookies.clear()
        if cookie is not None:
            other.client.cookies.set("speeltafel", cookie)
        answer = other.post(f"/tables/{id}/play", move=move, version=version, acting=acting)
        assert answer.status_code == 403
        assert "no seat" in answer.text
        assert other.moves() == []
    assert other.post(f"/tables/{id}/undo", version=version).status_code == 403
    assert other.post(f"/tables/{id}/leave").status_code == 403
    assert other.post(f"/tables/{id}/back").status_code == 403
    assert other.post(f"/tables/{id}/pace", pace="slow").status_code == 403
    assert other.post(f"/tables/{id}/rematch").status_code == 403
    assert other.post(f"/tables/{id}/start").status_code == 403


def test_not_your_turn(guest: Any, other: Any) -> None:
    id, code = invite(guest)
    join(other, code, "Bram")
    table = guest.tables.table(id)
    waiting = other if table.turn == 0 else guest
    waiting.get(f"/tables/{id}")
    assert waiting.moves() == []
    assert "is thinking" in waiting.html
    answer = waiting.post(f"/tables/{id}/play", move="play 1", version=str(table.version))
    assert answer.status_code == 403
    assert "It is the turn of" in answer.text


def invite(guest: Any, game: str = "upordown", **fields: Any) -> tuple[str, str]:
    """A table with a free seat; returns its identifier and the code of the invitation."""
    id = guest.make(game, "friends", name="Anna", players=2, **fields)
    found = re.search(r"/join/([a-z0-9]+)", guest.html)
    assert found
    return id, found[1]


def join(guest: Any, code: str, name: str, **fields: Any) -> httpx.Response:
    answer: httpx.Response = guest.post(f"/join/{code}", name=name, **fields)
    return answer


def test_an_invitation(guest: Any, other: Any) -> None:
    id, code = invite(guest)
    assert 'class="qr"' in guest.html
    assert f"http://testserver/join/{code}" in guest.html
    page = other.get(f"/join/{code}").text
    assert "You are invited" in page
    assert "Anna" in page
    answer = join(other, code, "Bram")
    assert answer.url.path == f"/tables/{id}"
    assert [seat.name for seat in guest.tables.table(id).seats] == ["Anna", "Bram"]
    assert guest.tables.table(id).status == "running"
    assert other.get(f"/join/{code}").url.path == f"/tables/{id}"  # who sits there goes on
    assert join(other, code, "Bram").url.path == f"/tables/{id}"


def test_joining_by_code(guest: Any, other: Any) -> None:
    id, code = invite(guest)
    assert other.get("/join", params={"code": f" {code.upper()} "}).url.path == f"/join/{code}"
    for wrong in ("", "nope", "../about", "a b", "é"):
        assert other.get("/join", params={"code": wrong}).status_code == 404
    assert other.get("/join/nope").status_code == 404
    assert guest.tables.table(id).status == "open"


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\nb", "x" * 30_000])
def test_a_name_that_cannot_be(guest: Any, other: Any, name: str) -> None:
    _, code = invite(guest)
    answer = join(other, code, name)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_a_script_in_a_name(guest: Any, other: Any) -> None:
    name = "<script>x</script>"
    id, code = invite(guest)
    join(other, code, name)
    for someone in (guest, other):
        for path in (f"/tables/{id}", "/", f"/join/{code}"):
            text = someone.get(path).text
            assert name not in text
            assert "<script>" not in text
    assert "&lt;script&gt;" in guest.get(f"/tables/{id}").text
    quoted = '"><img src=x onerror=a>'
    id, code = invite(guest)
    join(other, code, quoted)
    assert quoted not in guest.get(f"/tables/{id}").text


def test_a_seat_already_taken(app: FastAPI, guest: Any, other: Any) -> None:
    id = guest.make("upordown", "friends", name="Anna", players=3)
    code = guest.tables.table(id).code
    join(other, code, "Bram", seat=2)
    third = type(guest)(app)
    answer = join(third, code, "Cas", seat=2)
    assert answer.status_code == 409
    assert join(third, code, "Cas", seat=1).url.path == f"/tables/{id}"
    late = type(guest)(app)
    assert join(late, code, "Daan").status_code == 409
    assert late.get(f"/join/{code}").url.path == f"/tables/{id}"  # but may look on


def test_beginning_with_bots(guest: Any) -> None:
    id, _ = invite(guest)
    answer = guest.post(f"/tables/{id}/start", level="random")
    assert answer.status_code == 200
    assert guest.tables.table(id).seats[1].level == "random"
    assert guest.post(f"/tables/{id}/start").status_code == 409
    assert guest.post(f"/tables/{id}/start", level="genius").status_code in (409, 422)


def test_beginning_without_the_free_seats(guest: Any, other: Any) -> None:
    id = guest.make("pixies", way="friends", players=4, name="Anna")
    assert 'value="nobody"' not in guest.html  # not alone
    assert guest.post(f"/tables/{id}/start", level="nobody").status_code == 422
    join(other, guest.tables.table(id).code, "Bram", seat=3)
    assert 'value="nobody"' in guest.get(f"/tables/{id}").text
    assert guest.post(f"/tables/{id}/start", level="nobody").status_code == 200
    assert [(seat.kind, seat.name) for seat in guest.tables.table(id).seats] == [("human", "Anna"), ("human", "Bram")]


def test_looking_on(guest: Any, other: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    answer = other.get(f"/tables/{id}")
    assert answer.status_code == 200
    assert "You are watching" in answer.text
    assert other.moves() == []
    assert "speeltafel" not in other.client.cookies  # looking on leaves nothing behind


def test_a_table_nobody_may_watch(guest: Any, other: Any) -> None:
    made = guest.client.post(
        "/api/tables",
        json={"game": "pixies", "watch": False, "seats": [{"kind": "human", "name": "Anna"}, {"kind": "bot"}]},
    ).json()
    id = made["table"]["id"]
    assert guest.get(f"/tables/{id}").status_code == 200
    for path in (f"/tables/{id}", f"/tables/{id}/events", f"/api/tables/{id}"):
        answer = other.get(path)
        assert answer.status_code == 403
        assert "looks on" in answer.text
    answer = other.post(f"/tables/{id}/play", move="x", version=1)
    assert answer.status_code == 403
    assert 'id="live"' not in answer.text


def test_leaving_and_coming_back(guest: Any, other: Any) -> None:
    id, code = invite(guest)
    join(other, code, "Bram")
    assert other.post(f"/tables/{id}/leave").url.path == "/"
    assert guest.tables.table(id).seats[1].away
    assert "a stand-in plays" in guest.get(f"/tables/{id}").text
    text = other.get(f"/tables/{id}").text
    assert "Take my seat back" in text
    assert other.moves() == []
    other.post(f"/tables/{id}/back")
    assert not guest.tables.table(id).seats[1].away
    guest.post(f"/tables/{id}/leave", other=1)  # who made the table may let a bot in
    assert guest.tables.table(id).seats[1].away


def test_everybody_gone(guest: Any) -> None:
    id = guest.make()
    guest.post(f"/tables/{id}/leave")
    assert guest.tables.run_due() == 0
    assert "waits until somebody is back" in guest.get(f"/tables/{id}").text
    id, _ = invite(guest)
    guest.post(f"/tables/{id}/leave")
    assert "cleared" in guest.get(f"/tables/{id}").text
    assert f"/tables/{id}" not in guest.get("/").text


def test_pace(guest: Any) -> None:
    id = guest.make()
    guest.post(f"/tables/{id}/pace", pace="slow")
    assert guest.tables.table(id).pace == "slow"
    assert 'value="slow" selected' in guest.html
    assert guest.post(f"/tables/{id}/pace", pace="warp").status_code == 422


def test_the_curtain(guest: Any) -> None:
    """On one device nobody's cards show before the next one says that it is them."""
    id = guest.make("upordown", "device", players=3, name="Anna")
    hands = [list(guest.tables.table(id).match.state.hand[seat]) for seat in range(3)]
    turn = guest.tables.table(id).turn
    guest.get(f"/tables/{id}")
    for seat in range(3):
        assert not shown(guest.html, hands[seat])
    assert "show my cards" in guest.html
    assert guest.moves() == []
    guest.get(f"/tables/{id}?seat={turn}")
    assert shown(guest.html, hands[turn])
    wrong = (turn + 1) % 3
    guest.get(f"/tables/{id}?seat={wrong}")
    assert not shown(guest.html, hands[wrong])
    guest.get(f"/tables/{id}?seat={turn}")
    while guest.tables.table(id).turn == turn:
        answer = guest.post(
            f"/tables/{id}/play?seat={turn}",
            move=guest.moves()[0],
            version=guest.field("version"),
            acting=guest.field("acting"),
        )
        assert answer.status_code == 200
    assert answer.url.query == f"seat={turn}".encode()
    assert "show my cards" in guest.html
    assert not shown(guest.html, hands[(turn + 1) % 3])
    assert guest.get(f"/tables/{id}?seat=x").status_code == 422
    assert guest.get(f"/tables/{id}?seat=7").status_code == 200


def shown(text: str, cards: list[int]) -> bool:
    """Whether any of the cards lies in the hand on the page."""
    hand = text[text.index('class="hand') :] if 'class="hand' in text else ""
    return any(f'data-glide="card-{card}"' in hand for card in cards if card)


def test_no_curtain_where_nothing_is_hidden(guest: Any) -> None:
    assert not hides(find("pixies"))
    id = guest.make("pixies", "device", players=2, name="Anna")
    guest.get(f"/tables/{id}")
    assert guest.moves()


def positions(game: str, seats: int) -> Iterator[Match]:
    """Some positions of a match."""
    dice = dice_of.seeded("positions", game)
    match = Match(find(game), [f"P{i}" for i in range(seats)], seed=f"{game}{seats}")
    step = 0
    while not match.over:
        if step % 17 == 0:
            yield match
        legal = match.legal()
        match.play_move(legal[dice_of.below(len(legal), dice)])
        step += 1


@pytest.mark.parametrize(
    ("game", "seats"), [("upordown", 2), ("upordown", 6), ("pixies", 3), ("ififits", 3), ("kattenkwaad", 4)]
)
def test_no_leak(game: str, seats: int) -> None:
    """Two worlds that differ only in what a seat cannot know give it the same page, byte for byte."""
    dice = dice_of.seeded("worlds", game)
    for match in positions(game, seats):
        for seat in [*range(seats), SPECTATOR]:
            twin = match.copy()
            twin.state = match.view(seat)
            match.game.rules.imagine(twin.state, seat, dice)
            assert scene(twin, seat, "nl") == scene(match, seat, "nl")


def test_hands_of_others_stay_off_the_page(guest: Any, other: Any) -> None:
    id, code = invite(guest)
    join(other, code, "Bram")
    mine, theirs = (list(guest.tables.table(id).match.state.hand[seat]) for seat in (0, 1))
    guest.get(f"/tables/{id}")
    other.get(f"/tables/{id}")
    assert shown(guest.html, mine)
    assert shown(other.html, theirs)
    assert not any(f'data-glide="card-{card}"' in guest.html for card in theirs)
    assert not any(f'data-glide="card-{card}"' in other.html for card in mine)


def test_dutch(guest: Any) -> None:
    guest.client.headers["Accept-Language"] = "nl"
    id = guest.make()
    guest.my_turn(id)
    answer = guest.play(id, "take 10")
    assert answer.status_code == 422
    assert "Verloop" in answer.text
    assert "Jouw beurt" in answer.text
    for english in ("What happened", "Your turn", "Take back", "is thinking"):
        assert english not in answer.text


def test_a_part_for_the_script(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    fields = {"move": guest.moves()[0], "version": guest.field("version"), "acting": guest.field("acting")}
    headers = {"X-Part": "live", "Origin": "http://testserver"}
    answer = guest.client.post(f"/tables/{id}/play", data=fields, headers=headers)
    assert answer.status_code == 200
    assert answer.text.startswith('<div id="live"')
    answer = guest.client.post(f"/tables/{id}/play", data=fields, headers=headers)
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text


def test_a_program_hears_json(guest: Any) -> None:
    id = guest.make()
    guest.my_turn(id)
    answer = guest.client.post(
        f"/tables/{id}/play",
        data={"move": "take 10", "version": guest.field("version")},
        headers={"Accept": "application/json", "Accept-Language": "nl"},
    )
    assert answer.status_code == 422
    assert answer.json()["rule"].startswith("UD-")
