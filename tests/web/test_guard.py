"""Headers, origins, cookies, limits."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from speeltafel.tables import Store
from speeltafel.tables.refusals import Unusable
from speeltafel.web.app import create_app
from speeltafel.web.settings import Limits, Settings, _make_secret, secret_of


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/games", "/api/nothing", "/static/x/style.css", "/tables/x"])
def test_headers(guest: Any, path: str) -> None:
    headers = guest.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    if not path.startswith("/static"):
        for part in (
            "script-src 'self'",
            "style-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ):
            assert part in policy


def test_the_cookie(guest: Any, other: Any) -> None:
    guest.get("/")
    assert not guest.client.cookies
    answer = guest.client.post(
        "/tables", data={"game": "pixies", "way": "bots", "name": "Anna"}, follow_redirects=False
    )
    cookies = answer.headers.get_list("set-cookie")
    seat = next(cookie for cookie in cookies if cookie.startswith("speeltafel="))
    assert "HttpOnly" in seat
    assert "SameSite=lax" in seat
    assert "Path=/" in seat
    id = answer.headers["location"].split("/")[2]
    token = guest.client.cookies["speeltafel"]
    page = guest.get(f"/tables/{id}").text
    assert token not in page
    assert token.split(".")[0] not in page
    assert "Anna" in guest.get("/games/pixies").text  # the name is remembered
    before = guest.client.cookies["speeltafel"]
    guest.make("pixies")
    assert guest.client.cookies["speeltafel"] == before
    other.client.cookies.set("name", "zz not hex")
    assert other.get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://testserver.elsewhere.example"},
        {"Origin": "http://testserver:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
    ],
)
def test_from_another_site(guest: Any, headers: dict[str, str]) -> None:
    id = guest.make()
    guest.my_turn(id)
    version = guest.tables.table(id).version
    for path in (f"/tables/{id}/play", "/tables", "/language", f"/tables/{id}/leave", f"/api/tables/{id}/moves"):
        answer = guest.client.post(path, data={"move": guest.moves()[0], "version": version}, headers=headers)
        assert answer.status_code == 403
        assert "another site" in answer.text
    assert guest.tables.table(id).version == version


def test_from_our_own_pages(guest: Any) -> None:
    for headers in ({}, {"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        assert guest.client.post("/language", data={"language": "nl"}, headers=headers).status_code == 200


def limited(settings: Settings, **limits: Any) -> TestClient:
    return TestClient(create_app(replace(settings, limits=replace(Limits(), **limits))))


def test_too_fast(settings: Settings) -> None:
    client = limited(settings, changes=(0.5, 3))
    say = {"language": "nl"}
    for _ in range(3):
        assert client.post("/language", data=say, follow_redirects=False).status_code == 303
    answer = client.post("/language", data=say, headers={"Accept-Language": "en"}, follow_redirects=False)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "2"
    assert "2 s" in answer.text
    assert client.get("/").status_code == 200  # other requests go on
    settings.monotonic.now += 2  # type: ignore[attr-defined]
    assert client.post("/language", data=say, follow_redirects=False).status_code == 303
    assert client.post("/language", data=say, follow_redirects=False).status_code == 429
    settings.monotonic.now += 3600  # type: ignore[attr-defined]
    for _ in range(3):
        assert client.post("/language", data=say, follow_redirects=False).status_code == 303
    assert client.post("/language", data=say, follow_redirects=False).status_code == 429


def test_too_many_pages(settings: Settings) -> None:
    client = limited(settings, pages=(1, 2))
    assert [client.get("/about").status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/static/x/style.css").status_code == 200
    assert client.get("/about", headers={"Accept": "application/json"}).json()["error"]


def test_too_many_tables(settings: Settings) -> None:
    client = limited(settings, tables=(0.1, 2))
    wish = {"game": "pixies", "way": "bots"}
    assert [client.post("/tables", data=wish).status_code for _ in range(3)] == [200, 200, 429]
    body = {"game": "pixies", "seats": [{"kind": "human"}, {"kind": "bot"}]}
    assert client.post("/api/tables", json=body).status_code == 429


def test_guessing_invitations(settings: Settings) -> None:
    client = limited(settings, codes=(0.1, 2))
    assert [client.get("/join/guess").status_code for _ in range(3)] == [404, 404, 429]


def test_too_large(guest: Any) -> None:
    answer = guest.post("/tables", game="pixies", way="bots", name="x" * 500_000)
    assert answer.status_code == 413
    assert "64 kB" in answer.text

    def parts() -> Iterator[bytes]:
        for _ in range(70):
            yield b"x" * 1024

    answer = guest.client.post(
        "/language", content=parts(), headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 413
    answer = guest.client.post("/files", files={"file": ("m.json", b" " * (1024 * 1024 + 1))})
    assert answer.status_code == 413
    assert "1024 kB" in answer.text
    answer = guest.client.post("/language", content=b"x", headers={"Content-Length": "many"})
    assert answer.status_code == 413


def test_many_fields(guest: Any) -> None:
    answer = guest.post("/tables", game="pixies", **{f"f{n}": "x" for n in range(2000)})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_strange_request(guest: Any) -> None:
    assert guest.client.post(
        "/files", content=b"\x00\x01", headers={"Content-Type": "multipart/form-data"}
    ).status_code in (400, 422)
    assert (
        guest.client.post("/api/tables", content=b"{", headers={"Content-Type": "application/json"}).status_code == 422
    )
    assert guest.client.request("DELETE", "/tables/x").status_code == 405
    assert guest.client.request("TRACE", "/").status_code == 405


def test_host_names(settings: Settings) -> None:
    app = create_app(replace(settings, hosts=("localhost", "127.0.0.1")))
    assert TestClient(app, base_url="http://localhost:8000").get("/about").status_code == 200
    assert TestClient(app, base_url="http://rebound.example").get("/about").status_code == 400


def test_the_secret(tmp_path: Path) -> None:
    store = Store(tmp_path / "here" / "tables.sqlite")
    secret = secret_of(store)
    assert len(secret) > 40
    assert secret_of(store) == secret
    file = tmp_path / "here" / "tables.sqlite.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("")
    with pytest.raises(Unusable, match="is empty"):
        secret_of(store)
    file.unlink()
    file.mkdir()
    with pytest.raises(Unusable):
        secret_of(store)


def test_servers_that_start_at_once_share_a_secret(tmp_path: Path) -> None:
    """Two make their secret between the moment that each finds none and the moment that one is there."""
    store = Store(tmp_path / "tables.sqlite")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: secret_of(store), range(64)))
    assert len(set(found)) == 1
    file = tmp_path / "tables.sqlite.secret"
    _make_secret(file)  # who comes late changes nothing
    assert file.read_text() == found[0]
    assert [path.name for path in tmp_path.glob("*.secret*")] == [file.name]


def test_only_the_head(guest: Any) -> None:
    id = guest.make()
    for path in ("/", "/games/pixies", f"/tables/{id}", f"/tables/{id}/events", "/api/games", "/static/x/style.css"):
        answer = guest.client.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path
        assert "default-src" in answer.headers["Content-Security-Policy"]
    assert guest.client.head("/nowhere").status_code == 404
    assert guest.client.head(f"/tables/{id}/play").status_code == 405


def test_the_seat_survives_a_restart(settings: Settings) -> None:
    first = TestClient(create_app(settings))
    path = first.post("/tables", data={"game": "pixies", "way": "device", "players": "2"}).url.path
    again = TestClient(create_app(settings), cookies=first.cookies)
    assert 'name="move"' in again.get(path).text
    stranger = TestClient(create_app(replace(settings, secret="another")), cookies=first.cookies)
    assert 'name="move"' not in stranger.get(path).text


def test_no_secret_in_the_log(guest: Any, app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    id = guest.make()
    guest.my_turn(id)
    guest.play(id)
    guest.play(id, "take 10")
    token = guest.client.cookies["speeltafel"]
    seed = str(guest.tables.table(id).match.seed)
    assert token not in caplog.text
    assert seed not in caplog.text
    for path in (f"/tables/{id}", f"/api/tables/{id}"):
        assert seed not in guest.get(path).text


def test_a_name_that_no_seat_got_is_not_remembered(app: FastAPI) -> None:
    answer = TestClient(app, follow_redirects=False).post(
        "/tables", data={"game": "upordown", "name": "y" * 60_000, "name-0": "Anna"}
    )
    assert answer.status_code == 303
    assert sum(map(len, answer.headers.get_list("set-cookie"))) < 400
