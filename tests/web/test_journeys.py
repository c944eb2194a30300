"""Journeys through the pages in a real browser: whole matches by clicking, tapping, keyboard, and without script."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from speeltafel.games import games

pytestmark = pytest.mark.browser

GAMES = sorted(games())
SHORT = {"upordown": "input[name=option-length][value=short]"}
"""The choice that makes a match of the game short."""
MOVES = "button[name=move]:visible"
WHERE = """play => [...play.querySelectorAll('.board > *')].map(part => {
    const at = part.getBoundingClientRect(); return [at.x, at.y, at.width, at.height].map(Math.round); })"""
"""Where the parts of a board lie."""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def visit(browser: Browser, width: int = 1280, language: str = "en", **more: Any) -> Iterator[Page]:
    """A page of a new visitor. Whatever the browser complains about, or would scroll sideways to, fails the test."""
    phone = width < 720
    context = browser.new_context(
        viewport={"width": width, "height": 844 if phone else 800},
        locale={"en": "en-GB", "nl": "nl-NL"}[language],
        has_touch=phone,
        reduced_motion="reduce",
        **more,
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    expected = ("status of 4", "net::ERR_")  # what is refused, and a connection that was cut, on purpose
    assert [text for text in complaints if not any(part in text for part in expected)] == []
    for opened in context.pages:
        opened.goto("about:blank")  # a context that is closed in the middle of a navigation can hang
    context.close()


def fits(page: Page) -> None:
    """Nothing scrolls sideways."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


def lay_table(page: Page, url: str, game: str, way: str = "bots", players: int = 2) -> None:
    """A table with bots that play at once, through the page with every choice."""
    page.goto(f"{url}/games/{game}")
    page.locator(f"input[name=players][value='{players}']").check(force=True)
    if game in SHORT:
        page.locator(SHORT[game]).check(force=True)
    page.locator("details.more > summary").click()
    page.locator("select[name=pace]").select_option("instant")
    fits(page)
    page.locator(f"button[value={way}]").click()
    page.wait_for_url("**/tables/*")


def version(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or -1)


def ready(page: Page) -> Locator:
    """The decisions offered, once it is our turn; none when the match is over."""
    page.locator(f"{MOVES}, .end").first.wait_for()
    return page.locator(MOVES)


def press(page: Page, button: Locator) -> None:
    """Click or tap a decision, and wait until the table has moved on."""
    had = version(page)
    touch = (page.viewport_size or {"width": 1280})["width"] < 720
    if touch:
        peek = "peek" in (button.get_attribute("class") or "")
        button.tap()
        if peek:  # the first tap only shows
            assert version(page) == had
            expect(button).to_be_focused()
            button.tap()
    else:
        button.click()
    page.locator(f"#live:not([data-version='{had}'])").wait_for()


def play_to_the_end(page: Page, seed: int = 1) -> int:
    """Play random decisions by clicking until the score sheet lies there; returns how many."""
    chance, pressed = random.Random(seed), 0
    while True:
        moves = ready(page)
        values = [str(move.get_attribute("value")) for move in moves.all()]
        if not values:
            return pressed
        press(page, page.locator(f'{MOVES}[value="{chance.choice(values)}"]').first)
        pressed += 1
        if pressed % 10 == 1:
            fits(page)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_clicking(browser: Browser, served: Any, game: str, width: int) -> None:
    with visit(browser, width, "nl" if width == 390 else "en") as page:
        lay_table(page, served.url, game)
        assert play_to_the_end(page) > 5
        expect(page.locator(".score-sheet")).to_have_count(2)
        fits(page)
        page.locator("a[href$='/replay']").click()
        expect(page.locator(".at b")).to_have_text("0")
        page.locator("a[data-key=ArrowRight]").click()
        expect(page.locator(".at b")).to_have_text("1")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".at b")).to_have_text("2")
        page.keyboard.press("End")
        expect(page.locator(".steps .off")).to_have_count(2)
        page.go_back()
        expect(page.locator(".at b")).to_have_text("2")
        fits(page)
        page.locator("nav a[href^='/tables/']").click()
        page.locator("form[action$='/rematch'] button").click()
        expect(page.locator("form.play")).to_be_attached()


@pytest.mark.parametrize("game", GAMES)
def test_one_click_from_the_first_page(browser: Browser, served: Any, game: str) -> None:
    with visit(browser, 390) as page:
        page.goto(served.url)
        fits(page)
        page.locator(f".box.{game} button[value=bots]").tap()
        ready(page)
        assert page.title().startswith("● Your turn")
        fits(page)
        press(page, page.locator(MOVES).first)
        page.locator("nav form[action*='/undo'] button").tap() if game == "upordown" else None
        page.goto(served.url)
        expect(page.locator(".tables a")).to_have_count(1)


def keyboard_press(page: Page) -> None:
    """Reach a decision by Tab, and take it."""
    had = version(page)
    for _ in range(80):
        if page.evaluate("document.activeElement?.name") == "move":
            break
        page.keyboard.press("Tab")
    else:
        pytest.fail("no decision can be reached by Tab")
    page.keyboard.press("Enter")
    page.locator(f"#live:not([data-version='{had}'])").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard(browser: Browser, served: Any, game: str) -> None:
    """A whole match of Pixies, the beginning of the others."""
    with visit(browser) as page:
        lay_table(page, served.url, game)
        pressed = 0
        while (game == "pixies" or pressed < 15) and ready(page).count():
            if pressed:  # the focus is back at what can be chosen
                expect(page.locator(f"{MOVES}:focus")).to_have_count(1)
            keyboard_press(page)
            pressed += 1
        if game == "pixies":
            expect(page.locator(".score-sheet")).to_have_count(2)


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_leaves_the_board_where_it_is(browser: Browser, served: Any, game: str) -> None:
    with visit(browser) as page:
        lay_table(page, served.url, game)
        press(page, ready(page).first)
        ready(page)
        was = page.locator("form.play").evaluate(WHERE)
        page.keyboard.press("h")
        page.locator(".notice.tip").wait_for()
        assert page.locator("form.play").evaluate(WHERE) == was
        assert page.evaluate("scrollY") == 0


def test_a_phone_goes_back_after_a_hint_and_shows_who_won(browser: Browser, served: Any) -> None:
    with visit(browser, 390) as page:
        lay_table(page, served.url, "pixies")
        press(page, ready(page).first)
        ready(page)
        page.evaluate("scrollTo(0, 60)")
        page.keyboard.press("h")
        page.locator(".notice.tip").wait_for()
        expect(page.locator("[data-tip='1']")).to_be_in_viewport()
        tables, id = served.app.state.tables, page.url.rsplit("/", 1)[1]
        user = tables.table(id).owner

        def play() -> None:
            table = tables.table(id)
            text = table.game.moves.text(table.match.state, table.legal[0])
            tables.play(id, user, table.turn, table.version, text)

        play()
        page.locator(".notice.tip").wait_for(state="detached")
        page.wait_for_function("scrollY == 60")
        while ready(page).count():
            page.evaluate("scrollTo(0, 300)")
            had = version(page)
            play()
            page.locator(f"#live:not([data-version='{had}'])").wait_for()
        assert page.evaluate("scrollY") == 0


def test_keys_that_stand_for_controls(browser: Browser, served: Any) -> None:
    with visit(browser) as page:
        lay_table(page, served.url, "upordown")
        ready(page)
        had = version(page)
        page.keyboard.press("1")
        page.locator(f"#live:not([data-version='{had}'])").wait_for()
        page.keyboard.press("z")
        expect(page.locator("#log li").first).to_contain_text("You")
        expect(page.locator("#live")).to_have_attribute("data-version", str(had + 2))
        page.locator("#menu summary").click()
        page.keyboard.press("Escape")
        assert page.locator("#menu").get_attribute("open") is None


@pytest.mark.parametrize("game", GAMES)
def test_without_script(browser: Browser, served: Any, game: str) -> None:
    """A whole match of Up or Down?, the beginning of the others; plain requests play them all to the end."""
    with visit(browser, java_script_enabled=False) as page:
        lay_table(page, served.url, game)
        chance, pressed = random.Random(2), 0
        while not page.locator(".end").count() and (game == "upordown" or pressed < 15):
            moves, waits = page.locator(MOVES), page.locator("meta[http-equiv=refresh]")
            moves.or_(waits).or_(page.locator(".end")).first.wait_for(state="attached")
            if moves.count():
                moves.nth(chance.randrange(moves.count())).click()
                pressed += 1
            elif waits.count():
                page.reload()
        if game == "upordown":
            expect(page.locator(".score-sheet")).to_have_count(2)


def test_two_at_a_table_one_without_connection(browser: Browser, served: Any, wire: Any) -> None:
    with visit(browser, language="en") as anna, visit(browser, 390, "nl") as bram:
        lay_table(anna, served.url, "upordown", "friends")
        link = anna.locator("#invitation").input_value()
        bram.goto(link.replace(served.url, wire.url))
        bram.locator("input[name=name]").fill("Bram")
        fits(bram)
        bram.locator("button.loud").tap()
        expect(anna.locator("form.play")).to_be_attached()  # nobody had to reload
        tables = served.app.state.tables
        id = re.search(r"/tables/(\w+)", anna.url)
        assert id

        def turn() -> None:
            """A whole turn of whoever has it."""
            seat = tables.table(id[1]).turn
            while tables.table(id[1]).turn == seat:
                press((anna, bram)[seat], ready((anna, bram)[seat]).first)

        def together() -> None:
            for page in (anna, bram):
                expect(page.locator("#live")).to_have_attribute("data-version", str(tables.table(id[1]).version))

        for _ in range(3):
            turn()
        together()
        if tables.table(id[1]).turn == 1:
            turn()
        together()
        wire.cut()
        expect(bram.locator("#away")).to_be_visible()
        turn()
        had = version(bram)
        assert had < tables.table(id[1]).version
        wire.mend()
        together()
        expect(bram.locator("#away")).to_be_hidden()
        turn()
        together()


def test_one_device_passed_around(browser: Browser, served: Any) -> None:
    with visit(browser, 390) as page:
        lay_table(page, served.url, "upordown", "device")
        for _ in range(4):
            expect(page.locator(".curtain")).to_be_visible()
            assert page.locator(".hand").count() == 0
            page.locator(".pass a.loud").tap()
            while ready(page).count():
                press(page, page.locator(MOVES).first)
                if page.locator(".curtain").count():
                    break
        fits(page)


def test_another_language_in_the_middle(browser: Browser, served: Any) -> None:
    with visit(browser, language="nl") as page:
        page.goto(served.url)
        expect(page.locator("h1")).to_have_text("Wat leggen we op tafel?")
        page.locator("button[lang=en]").click()
        expect(page.locator("h1")).to_have_text("What shall we put on the table?")
        lay_table(page, served.url, "pixies")
        ready(page)
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_focus_and_scroll_stay(browser: Browser, served: Any) -> None:
    with visit(browser) as page:
        lay_table(page, served.url, "upordown", "friends")
        page.locator("#menu summary").focus()
        page.keyboard.press("Enter")
        tables = served.app.state.tables
        id = page.url.rsplit("/", 1)[1]
        tables.join(tables.table(id).code, "somebody", "Bram")
        expect(page.locator("form.play")).to_be_attached()
        assert page.locator("#menu").get_attribute("open") is not None
        assert page.evaluate("document.activeElement.localName") == "summary"


def test_a_refusal_is_shown(browser: Browser, served: Any) -> None:
    with visit(browser) as page:
        lay_table(page, served.url, "upordown")
        ready(page)
        page.locator(MOVES).first.evaluate("button => { button.value = 'take 10'; }")
        page.locator(MOVES).first.click()
        expect(page.locator(".notice .rule")).to_contain_text("UD-")
        expect(page.locator(MOVES).first).to_be_visible()


def fronts(page: Page, url: str) -> Iterator[str]:
    """Every kind of page that has no table, one after the other."""
    for path in ("/", "/games/pixies", "/rules", "/rules?q=row", "/rules/upordown", "/about", "/nothing"):
        page.goto(url + path)
        yield path
    page.goto(url)
    page.locator("#opponents > summary").click()
    page.locator("input[name=level][value=tiger]").check(force=True)
    expect(page.locator("#opponents > summary .says-tiger")).to_be_visible()
    yield "opponents"
    page.goto(f"{url}/games/ififits?way=device")
    page.locator("select[name=seat-2]").select_option("bot:lynx")
    expect(page.locator(".seat-line .says-lynx:visible")).to_have_count(1)
    yield "one device"


def stages(page: Page, url: str, tables: Any, game: str) -> Iterator[str]:
    """A table of a game from the first turn to what is left of it afterwards."""
    lay_table(page, url, game, players=3)
    for _ in range(9):
        press(page, ready(page).first)
    ready(page)
    yield "my turn"
    page.keyboard.press("h")
    page.locator(".notice.tip").wait_for()
    expect(page.locator("[data-tip='1']").first).to_be_attached()
    yield "hint"
    page.locator("#menu summary").click()
    yield "menu"
    id = page.url.rsplit("/", 1)[1]
    page.context.new_page().close()
    user = tables.table(id).owner
    while (table := tables.table(id)).status == "running":
        if table.acting(user) is None:
            tables.run_due()
        else:
            text = table.game.moves.text(table.match.state, table.legal[-1])
            tables.play(id, user, table.turn, table.version, text)
    page.reload()
    page.locator(".end").wait_for()
    yield "over"
    page.goto(f"{url}/tables/{id}/replay?at=20")
    yield "replay"
    if page.locator("#hands").count():
        page.locator("#hands > summary").click()
        yield "hands"


def meetings(page: Page, url: str) -> Iterator[str]:
    """The pages on which people meet."""
    lay_table(page, url, "upordown", "device", 3)
    yield "curtain"
    lay_table(page, url, "upordown", "friends", 3)
    yield "waiting room"
    link = page.locator("#invitation").input_value()
    page.context.clear_cookies()
    page.goto(link)
    yield "invitation"
    page.goto(url)
    yield "first page of somebody new"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("walk", ["fronts", *GAMES, "meetings"])
def test_axe_finds_nothing(browser: Browser, served: Any, walk: str, width: int, scheme: str) -> None:
    found = []
    with visit(browser, width, color_scheme=scheme) as page:
        if walk == "fronts":
            pages = fronts(page, served.url)
        elif walk == "meetings":
            pages = meetings(page, served.url)
        else:
            pages = stages(page, served.url, served.app.state.tables, walk)
        for kind in pages:
            fits(page)
            for violation in Axe().run(page).response["violations"]:
                nodes = [(node["html"][:160], node.get("failureSummary", "")[:300]) for node in violation["nodes"][:3]]
                found.append((kind, violation["id"], nodes))
    assert found == []
