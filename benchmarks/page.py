"""How long a page update of a full table takes: on the server, and in Chromium (script, style and layout)."""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import CDPSession, sync_playwright

from speeltafel.engine import chance
from speeltafel.tables import Tables
from speeltafel.web.app import create_app
from speeltafel.web.scene import scene
from speeltafel.web.settings import Settings

METRICS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")


def fill(tables: Tables, id: str, cards: int) -> None:
    """Play the If It Fits table `id` by chance, without cats, until so many cards lie and seat 0 is to lay one."""
    dice = chance.seeded(0, "page")
    while True:
        table = tables.table(id)
        match = table.match
        assert match is not None
        if match.over:
            sys.exit("the match ended before the table was full")
        texts = match.copy().legal_texts()
        laid = sum(1 for entry in match.entries if entry.text.startswith("lay"))
        if laid >= cards and match.turn == 0 and texts[0].startswith("lay"):
            return
        wanted = [text for text in texts if text == "no cat" or text.startswith(("draw", "card", "lay"))] or texts
        text = wanted[chance.below(len(wanted), dice)]
        user = table.seats[match.turn].user
        assert user is not None
        tables.play(id, user, match.turn, table.version, text)


def spent(devtools: CDPSession) -> dict[str, float]:
    """Seconds that the page has spent so far."""
    found = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    return {name: found[name] for name in METRICS}


def main(arguments: list[str]) -> None:
    """Print the milliseconds of each part, the best and the median of several updates."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks page", description=__doc__)
    parser.add_argument("--cards", type=int, default=60)
    parser.add_argument("--updates", type=int, default=10)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        app = create_app(Settings(database=Path(folder) / "tables.sqlite", bots=False))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        threading.Thread(target=server.run, args=([listener],), daemon=True).start()
        try:
            measure(app.state.tables, f"http://127.0.0.1:{listener.getsockname()[1]}", options)
        finally:
            server.should_exit = True


def measure(tables: Tables, url: str, options: Any) -> None:
    """Fill a table and time its updates."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/games/ififits")
        page.locator("[name=way][value=friends]").first.click()
        id = page.url.rsplit("/", 1)[1].partition("?")[0]
        table = tables.table(id)
        tables.join(table.code, "friend", "Friend")
        fill(tables, id, options.cards)
        match = tables.table(id).match
        assert match is not None
        server = []
        for _ in range(30):
            before = time.process_time()
            scene(match.copy(), 0, "nl")
            server.append(time.process_time() - before)
        page.reload()
        page.wait_for_selector("button[name=move]", state="attached")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        client = []
        for _ in range(options.updates):
            page.wait_for_timeout(400)
            before = spent(devtools)
            version = tables.table(id).version
            # the friend's page asks for nothing: what is timed is one update by the stream, and its layout
            tables.set_pace(id, table.owner, "fast" if version % 2 else "slow")
            page.wait_for_timeout(800)
            after = spent(devtools)
            client.append({name: after[name] - before[name] for name in METRICS})
        laid = sum(1 for entry in match.entries if entry.text.startswith("lay"))
        places = page.locator("button[name=move]").count()
        browser.close()
    print(f"If It Fits with {laid} cards laid and {places} places offered")
    show("server, board with all previews", server)
    for name in METRICS:
        show(f"Chromium, {name}", [update[name] for update in client])
    show("Chromium, together", [sum(update.values()) for update in client])


def show(what: str, seconds: list[float]) -> None:
    """Print one line of milliseconds."""
    ordered = sorted(seconds)
    print(f"{what:34} best {1000 * ordered[0]:6.1f} ms   median {1000 * ordered[len(ordered) // 2]:6.1f} ms")
