"""The server as a program: where it stands, who may come, how it stops, and what a killed one leaves behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from speeltafel.engine.refusals import Refusal
from speeltafel.tables.refusals import Unusable
from speeltafel.web.server import _listen, address_in_the_room, serve

COMMAND = [sys.executable, "-c", "from speeltafel.cli import main; main()"]


@contextmanager
def running(database: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """A server in a process of its own; its address, and the lines it said before it listened."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--no-browser", "--port", "0", "--database", str(database), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANGUAGE": "en"},
    )
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip())
            if "Ctrl+C" in line:
                break
        url = re.search(r"http://\S+", lines[0])
        assert url, lines
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                httpx.get(url[0] + "/about", timeout=5)
                break
            except httpx.TransportError:
                assert process.poll() is None
        yield process, url[0], lines
    finally:
        process.kill()
        process.communicate()


def test_it_stops_when_told_and_keeps_its_tables(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    with running(database) as (process, url, _):
        client = httpx.Client(base_url=url, follow_redirects=True)
        page = client.post("/tables", data={"game": "pixies", "way": "device", "players": 2})
        path = page.url.path
        version = re.search(r'data-version="(\d+)"', page.text)
        move = re.search(r'name="move" value="([^"]+)"', page.text)
        assert version
        assert move
        with client.stream("GET", f"{path}/events") as stream:  # an open page does not keep it from stopping
            lines, heard = stream.iter_lines(), [""]
            while not heard[-1].startswith("data:"):  # the page has its view
                heard.append(next(lines))
            process.send_signal(signal.SIGINT)
            assert len([*heard, *lines]) > 5  # the stream ends by itself
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert (tmp_path / "tables.sqlite.secret").stat().st_mode & 0o077 == 0
    with running(database) as (process, url, _):
        after = httpx.Client(base_url=url, follow_redirects=True, cookies=client.cookies)
        page = after.post(f"{path}/play", data={"move": move[1], "version": version[1]})
        assert page.status_code == 200
        again = re.search(r'data-version="(\d+)"', page.text)
        assert again
        assert int(again[1]) == int(version[1]) + 1
        process.kill()  # and without being told
        process.wait(30)
    with running(database) as (_, url, _):
        after = httpx.Client(base_url=url, cookies=client.cookies)
        assert f'data-version="{again[1]}"' in after.get(path).text
        assert 'name="move"' in after.get(path).text


def test_for_everybody_in_the_room(tmp_path: Path) -> None:
    with running(tmp_path / "t.sqlite", "--host", "0.0.0.0") as (_, url, lines):
        room = address_in_the_room()
        assert any(f"http://{room}:" in line for line in lines)
        assert sum("█" in line or "▀" in line or "▄" in line for line in lines) > 8  # the QR code
        page = httpx.post(url + "/tables", data={"game": "pixies", "way": "friends"}, follow_redirects=True).text
        assert f'value="http://{room}:' in page
        assert "--host 0.0.0.0" not in page


def test_for_this_machine_only(tmp_path: Path) -> None:
    with running(tmp_path / "t.sqlite") as (_, url, _):
        page = httpx.post(url + "/tables", data={"game": "pixies", "way": "friends"}, follow_redirects=True).text
        assert "--host 0.0.0.0" in page
        assert httpx.get(url, headers={"Host": "rebound.example"}).status_code == 400


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Refusal, match=f"Port {port} .* --port {port + 1}"):
            serve(port=port, database=str(tmp_path / "t.sqlite"), browser=False)
    assert not (tmp_path / "t.sqlite").exists()


def test_an_address_of_somebody_else(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "no.such.host.invalid", "a" * 300):
        with pytest.raises(Refusal):
            serve(host=host, port=0, database=str(tmp_path / "t.sqlite"), browser=False)


def test_a_database_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database, only some text that is long enough" * 20)
    for database in (tmp_path, tmp_path / "text.sqlite", tmp_path / "text.sqlite" / "below.sqlite"):
        with pytest.raises(Unusable):
            serve(port=0, database=str(database), browser=False)


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = subprocess.run(
            [*COMMAND, "serve", "--no-browser", "--port", port, "--database", str(tmp_path / "t.sqlite")],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "LANGUAGE": "nl"},
        )
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert port in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answer_does_not_wait_for_the_one_before_it_to_arrive(host: str) -> None:
    """Nagle's algorithm is off: it would hold back every page for 40 ms."""
    delays: list[bool] = []

    async def talk() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            delays.append(not connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = _listen(host, 0)
        server = await asyncio.start_server(answer, sock=listener)
        reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
        await reader.read()
        writer.close()
        server.close()

    asyncio.run(talk())
    assert delays == [False]
