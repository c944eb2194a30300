"""The JSON interface."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from speeltafel.games import games


def create(
    guest: Any, game: str = "upordown", seats: list[dict[str, Any]] | None = None, **more: Any
) -> dict[str, Any]:
    seats = seats or [{"kind": "human", "name": "Anna"}, {"kind": "bot", "level": "random"}]
    answer = guest.client.post("/api/tables", json={"game": game, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_games(guest: Any) -> None:
    found = {game["name"]: game for game in guest.get("/api/games").json()}
    assert set(found) == set(games())
    option = found["upordown"]["options"][0]
    assert option["choices"] == ["full", "short"]
    assert option["default"] == "full"
    nl = guest.get("/api/games", headers={"Accept-Language": "nl"}).json()
    assert nl != list(found.values())


def test_a_table_without_hints(guest: Any) -> None:
    assert guest.tables.table(create(guest)["table"]["id"]).hints
    assert not guest.tables.table(create(guest, hints=False)["table"]["id"]).hints


def test_a_whole_match(guest: Any) -> None:
    table = create(guest, options={"length": "short"})["table"]
    id = table["id"]
    while table["status"] == "running":
        if table["legal"]:
            answer = guest.client.post(
                f"/api/tables/{id}/moves", json={"move": table["legal"][0], "version": table["version"]}
            )
            assert answer.status_code == 200
            table = answer.json()
        else:
            assert guest.tables.run_due()
            table = guest.get(f"/api/tables/{id}").json()
    assert len(table["scores"]) == 2
    assert table["winners"]
    assert table["question"] is None
    assert [line["move"] for line in table["log"] if line["kind"] == "move"]


def test_a_view_shows_the_own_hand_only(guest: Any, other: Any) -> None:
    made = create(guest, seats=[{"kind": "human", "name": "Anna"}, {"kind": "human", "name": "Bram"}])
    id = made["table"]["id"]
    view = guest.get(f"/api/tables/{id}", params={"seat": 0}).json()["view"]
    assert any(view["hand"][0])
    assert not any(any(hand) for hand in view["hand"][1:])
    assert "down" not in view
    assert "deck" not in view
    watched = other.get(f"/api/tables/{id}").json()
    assert watched["seat"] is None
    assert not any(any(hand) for hand in watched["view"]["hand"])
    assert watched["legal"] == []
    assert watched["invitation"] is None
    assert other.get(f"/api/tables/{id}", params={"seat": 0}).status_code == 403


def test_undo(guest: Any) -> None:
    table = create(guest, seats=[{"kind": "human", "name": "A"}, {"kind": "human", "name": "B"}])["table"]
    url = f"/api/tables/{table['id']}"
    legal = table["legal"]
    table = guest.client.post(f"{url}/moves", json={"move": legal[0], "version": table["version"]}).json()
    assert table["can_undo"]
    table = guest.client.post(f"{url}/undo", json={"version": table["version"]}).json()
    assert table["legal"] == legal
    assert guest.client.post(f"{url}/undo", json={"version": table["version"]}).status_code == 409


def test_a_token_instead_of_a_cookie(guest: Any, app: Any) -> None:
    made = create(guest)
    url = f"/api/tables/{made['table']['id']}"
    bare = TestClient(app)
    assert bare.get(url).json()["seat"] is None
    assert bare.get(url, headers={"Authorization": f"Bearer {made['token']}"}).json()["seat"] == 0
    assert bare.get(url, headers={"Authorization": "Bearer forged"}).json()["seat"] is None


def test_refusals(guest: Any) -> None:
    def refused(answer: Any, status: int) -> dict[str, Any]:
        assert answer.status_code == status, answer.text
        body: dict[str, Any] = answer.json()
        assert body["error"]
        return body

    table = create(guest, seats=[{"kind": "human", "name": "A"}, {"kind": "human", "name": "B"}])["table"]
    url, version = f"/api/tables/{table['id']}", table["version"]
    body = refused(guest.client.post(f"{url}/moves", json={"move": "take 10", "version": version}), 422)
    assert body["rule"].startswith("UD-")
    body = refused(guest.client.post(f"{url}/moves", json={"move": "take 10", "version": version - 1}), 409)
    assert body["version"] == str(version)
    refused(guest.client.post(f"{url}/moves", json={"move": "take 10"}), 422)
    refused(guest.client.post(f"{url}/moves", json={"move": "take 10", "version": version, "extra": 1}), 422)
    refused(guest.client.get("/api/tables/nope"), 404)
    refused(guest.client.get("/api/nope"), 404)
    seats = [{"kind": "human"}, {"kind": "bot"}]
    refused(guest.client.post("/api/tables", json={"game": "chess", "seats": seats}), 404)
    refused(guest.client.post("/api/tables", json={"game": "pixies", "seats": seats[:1]}), 422)
    refused(guest.client.post("/api/tables", json={"game": "pixies", "seats": seats, "options": {"x": 1}}), 422)
    refused(guest.client.post("/api/tables", json={"game": "pixies", "seats": [{"kind": "ghost"}] * 2}), 422)
    refused(guest.client.post("/api/tables", json=[]), 422)
    nl = guest.client.get("/api/tables/nope", headers={"Accept-Language": "nl"}).json()["error"]
    assert nl == "Er is geen tafel nope"


@pytest.mark.parametrize(
    ("wanted", "dutch"),
    [
        ({"game": "pixies"}, "seats: dat ontbreekt"),
        ({"game": "pixies", "seats": "two"}, "seats: hier hoort een lijst"),
        ({"game": "pixies", "seats": [{"kind": "ghost"}]}, "seats.0.kind: hier hoort een van human, open, bot"),
        ({"game": "pixies", "seats": [{"kind": "bot", "level": 0}]}, "seats.0.level: hier hoort een tekst"),
        ({"game": "pixies", "seats": [{"kind": "bot", "playouts": 0}]}, "seats.0.playouts: dat is hier niet bekend"),
        ({"game": "pixies", "seats": [], "watch": "maybe"}, "watch: hier hoort true of false"),
        ({"game": "pixies", "seats": [{"kind": "bot"}] * 13}, "seats: dat is te lang; hoogstens 12"),
        ({"game": "pixies", "seats": [{"kind": "bot"}] * 6}, "Pixies is voor 2 tot en met 5 spelers, niet voor 6"),
        (
            {"game": "pixies", "seats": [{"kind": "human"}, {"kind": "bot", "level": "ocelot"}]},
            "Er is geen bot ocelot; wel: random, kitten, greedy, lynx, tiger, leopard",
        ),
        ([], "body: hier hoort een object"),
    ],
)
def test_what_cannot_be_is_refused_in_dutch(guest: Any, wanted: Any, dutch: str) -> None:
    answer = guest.client.post("/api/tables", json=wanted, headers={"Accept-Language": "nl"})
    assert (answer.status_code, answer.json()["error"]) == (422, dutch)


def test_a_body_that_is_no_json(guest: Any) -> None:
    headers = {"Content-Type": "application/json", "Accept-Language": "nl"}
    answer = guest.client.post("/api/tables", content=b"{bad", headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (422, "body: dit is geen JSON")


def test_half_a_character_is_refused_whole(guest: Any) -> None:
    answer = guest.client.post(
        "/api/tables",
        content=b'{"game": "\\ud800", "seats": [{"kind": "human"}]}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 404
    assert "?" in answer.json()["error"]


def test_its_description(guest: Any) -> None:
    described = guest.get("/api/docs.json").json()
    assert set(described["paths"]) == {
        "/api/games",
        "/api/tables",
        "/api/tables/{id}",
        "/api/tables/{id}/moves",
        "/api/tables/{id}/undo",
    }
