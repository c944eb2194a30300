from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Refusal
from speeltafel.games import games
from speeltafel.tables import Bot, Human, Open, Store, Tables
from speeltafel.tables.refusals import Busy, Conflict, Forbidden, Illegal, NotFound, Stale, TableRefusal


def two(tables: Tables, **more: Any) -> str:
    """A match of ann (seat 0, first) against bob (seat 1)."""
    id = tables.create("ann", "upordown", [Human("Ann"), Open()], first=0, **more)
    tables.join(tables.table(id).code, "bob", "Bob")
    return id


def step(tables: Tables, id: str, choice: int = 0) -> str:
    """Play one of the legal decisions of whoever's turn it is; returns its text."""
    table = tables.table(id)
    assert table.match is not None
    assert table.turn is not None
    user = table.seats[table.turn].user
    assert user is not None
    text = table.match.legal_texts()[choice]
    tables.play(id, user, None, table.version, text)
    return text


def finish(tables: Tables, id: str) -> None:
    while tables.table(id).status == "running":
        step(tables, id)


# Making a table


def test_without_an_open_seat_the_match_begins_at_once(tables: Tables) -> None:
    table = tables.table(tables.create("ann", "upordown", [Human("Ann"), Bot("greedy"), Bot("first", "Tom")], first=0))
    assert (table.status, table.turn, table.acting("ann")) == ("running", 0, 0)
    assert [seat.kind for seat in table.seats] == ["human", "bot", "bot"]
    assert table.seats[2].name == "Tom"
    assert table.match is not None
    assert table.match.seats == tuple(seat.name for seat in table.seats)
    assert table.legal == tuple(table.match.legal()) == table.legal_for("ann")


def test_options_first_seed_and_language_are_kept(tables: Tables) -> None:
    places = [Human("A"), Human("B"), Human("C")]
    ids = [
        tables.create("ann", "upordown", places, {"length": "short"}, first=2, seed="x", language="nl", hints=False)
        for _ in range(2)
    ]
    one, other = (tables.table(id) for id in ids)
    assert one.match is not None
    assert other.match is not None
    assert (one.match.options, one.match.first, one.language, one.hints) == ({"length": "short"}, 2, "nl", False)
    assert one.match.shuffles == other.match.shuffles
    assert one.id != other.id
    assert one.code != other.code


def test_a_custom_data_file_is_played_with(tables: Tables) -> None:
    from speeltafel.games import find

    text = find("upordown").shipped("colours.csv").replace("yellow", "x").replace("red", "yellow").replace("x", "red")
    table = tables.table(
        tables.create("ann", "upordown", [Human("A"), Human("B")], data={"colours.csv": text}, first=0)
    )
    assert table.match is not None
    assert table.match.data == {"colours.csv": text}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "chess"}, "upordown"),
        ({"seats": [Human("A")]}, "2 to 6"),
        ({"seats": [Bot("greedy")] * 7}, "2 to 6"),
        ({"seats": [Human("A"), Bot("genius")]}, "greedy"),
        ({"seats": [Human(""), Human("B")]}, "at least one character"),
        ({"seats": [Human("A"), Bot("greedy", "x" * 500_000)]}, "at most 24"),
        ({"options": {"speed": "high"}}, "length"),
        ({"options": {"length": "long"}}, "short"),
        ({"data": {"deck.csv": ""}}, "colours.csv"),
        ({"data": {"colours.csv": "number\n1"}}, "colour"),
        ({"data": {"colours.csv": "x" * 500_000}}, "at most"),
        ({"first": 2}, "start seat"),
        ({"pace": "furious"}, "normal"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_not_kept(tables: Tables, change: dict[str, Any], why: str) -> None:
    wanted: dict[str, Any] = {"game": "upordown", "seats": [Human("A"), Human("B")], **change}
    with pytest.raises(Refusal) as refused:
        tables.create("ann", **wanted)
    assert why in str(refused.value)
    assert tables.tables_of("ann") == []


def test_names_at_one_table_differ(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Human("Ann"), Bot("greedy", "ann"), Open()])
    tables.join(tables.table(id).code, "bob", "ANN")
    assert [seat.name for seat in tables.table(id).seats] == ["Ann", "Ann 2", "ann 3", "ANN 4"]


# Invitations


def test_friends_join_until_the_last_one_starts_the_match(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open(), Open()])
    code = tables.table(id).code
    assert tables.invited(f" {code.upper()} ").id == id
    assert tables.join(code, "bob", "Bob", seat=2) == (id, 2)
    table = tables.table(id)
    assert (table.status, table.match, table.turn, table.legal) == ("open", None, None, ())
    assert tables.join(code, "bob", "Robert") == (id, 2), "who has a seat keeps it"
    assert tables.table(id).version == table.version
    assert tables.join(code, "cas", "Cas") == (id, 1)
    table = tables.table(id)
    assert table.status == "running"
    assert [seat.name for seat in table.seats] == ["Ann", "Cas", "Bob"]
    assert [(line.kind, line.name) for line in table.log] == [("join", "Bob"), ("join", "Cas")]


def test_an_invitation_that_leads_nowhere_is_refused(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open(), Open()])
    code = tables.table(id).code
    with pytest.raises(NotFound):
        tables.join("wrong", "bob", "Bob")
    with pytest.raises(NotFound):
        tables.join("x" * 500_000, "bob", "Bob")
    with pytest.raises(NotFound):
        tables.join("\ud800\x00", "bob", "Bob")
    with pytest.raises(TableRefusal, match="control"):
        tables.join(code, "bob", "B\x00b")
    with pytest.raises(Conflict, match="taken"):
        tables.join(code, "bob", "Bob", seat=0)
    with pytest.raises(Conflict, match="taken"):
        tables.join(code, "bob", "Bob", seat=99)
    tables.join(code, "bob", "Bob")
    tables.join(code, "cas", "Cas")
    with pytest.raises(Conflict, match="begun"):
        tables.join(code, "dirk", "Dirk")
    assert tables.join(code, "cas", "Cas") == (id, 2), "the link still leads to the own seat"


def test_the_owner_may_begin_with_bots_on_the_open_seats(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open(), Open()])
    tables.join(tables.table(id).code, "bob", "Bob")
    with pytest.raises(Forbidden):
        tables.start(id, "bob")
    with pytest.raises(TableRefusal, match="no bot"):
        tables.start(id, "ann", "genius")
    tables.start(id, "ann", "first")
    table = tables.table(id)
    assert table.status == "running"
    assert [(seat.kind, seat.level) for seat in table.seats] == [("human", ""), ("human", ""), ("bot", "first")]
    with pytest.raises(Conflict):
        tables.start(id, "ann")


def test_two_friends_racing_for_the_last_seat_do_not_both_get_it(another: Callable[[], Tables]) -> None:
    tables = [another() for _ in range(4)]
    id = tables[0].create("ann", "upordown", [Human("Ann"), Open()])
    code = tables[0].table(id).code
    got: list[object] = []

    def join(number: int) -> None:
        try:
            got.append(tables[number].join(code, f"user {number}", "Bob"))
        except Conflict as refusal:
            got.append(refusal)

    threads = [threading.Thread(target=join, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got.count((id, 1)) == 1
    assert len(got) == 4


def test_one_device_holds_several_seats(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Human("Bob")], first=1)
    table = tables.table(id)
    assert (table.seats_of("ann"), table.acting("ann"), table.facing("ann")) == ((0, 1), 1, 1)
    for _ in range(4):
        step(tables, id)
    table = tables.table(id)
    assert (table.turn, table.facing("ann")) == (0, 0)
    with pytest.raises(Forbidden, match="turn of Ann"):
        tables.play(id, "ann", 1, table.version, "play 1")


# Playing


def test_a_decision_is_kept_with_its_words_and_time(tables: Tables, clock: Any) -> None:
    id = two(tables)
    clock.now += 2.5
    text = step(tables, id)
    line = tables.table(id).log[-1]
    assert (line.kind, line.seat, line.name, line.at, line.seconds) == ("move", 0, "Ann", clock.now, 2.5)
    assert line.entry is not None
    assert line.entry.text == text
    assert line.words == line.entry.words


def test_what_is_not_allowed_is_refused_and_changes_nothing(tables: Tables) -> None:
    id = two(tables)
    before = tables.table(id)
    legal = before.match.legal_texts()[0] if before.match else ""
    with pytest.raises(Illegal) as illegal:
        tables.play(id, "ann", 0, before.version, "draw down")
    assert illegal.value.rule.startswith("UD-")
    for nonsense in ("jump", "", "play x" * 100_000, "<script>", "play 9999999999999999999999"):
        with pytest.raises(Illegal):
            tables.play(id, "ann", 0, before.version, nonsense)
    with pytest.raises(Forbidden, match="turn of Ann"):
        tables.play(id, "bob", 1, before.version, legal)
    with pytest.raises(Forbidden, match="turn of Ann"):
        tables.play(id, "bob", None, before.version, legal)
    with pytest.raises(Forbidden, match="not yours"):
        tables.play(id, "bob", 0, before.version, legal)
    with pytest.raises(Forbidden, match="no seat"):
        tables.play(id, "eve", None, before.version, legal)
    with pytest.raises(Forbidden, match="no seat"):
        tables.undo(id, "eve", before.version)
    with pytest.raises(NotFound):
        tables.play("nowhere", "ann", None, before.version, legal)
    for version in (before.version - 1, before.version + 1, -1, 0):
        with pytest.raises(Stale) as stale:
            tables.play(id, "ann", 0, version, legal)
        assert (stale.value.kind, stale.value.current) == ("conflict", before.version)
    assert tables.table(id) is before


@pytest.mark.parametrize("id", ["", "nowhere", "x" * 500_000, "a b", "../etc", "\x00", "\ud800"])
def test_an_unknown_table_is_refused_everywhere(tables: Tables, id: str) -> None:
    asked: list[Callable[[], object]] = [
        lambda: tables.table(id),
        lambda: tables.version(id),
        lambda: tables.start(id, "ann"),
        lambda: tables.undo(id, "ann", 0),
        lambda: tables.leave(id, "ann"),
        lambda: tables.come_back(id, "ann"),
        lambda: tables.set_pace(id, "ann", "slow"),
        lambda: tables.rematch(id, "ann"),
        lambda: tables.document(id),
        lambda: tables.match_at(id, 0),
    ]
    for ask in asked:
        with pytest.raises(NotFound) as refused:
            ask()
        assert len(str(refused.value)) < 100


def test_a_table_that_has_not_begun_cannot_be_played_at(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open()])
    with pytest.raises(Conflict, match="not begun"):
        tables.play(id, "ann", 0, 0, "play 1")
    with pytest.raises(Conflict, match="not begun"):
        tables.undo(id, "ann", 0)
    with pytest.raises(Conflict, match="not over"):
        tables.rematch(id, "ann")


def race(tables: Tables, id: str, version: int, text: str, won: list[str], lost: list[int]) -> None:
    try:
        tables.play(id, "ann", None, version, text)
    except Stale as stale:
        lost.append(stale.current)
    else:
        won.append(text)


def test_of_racing_writers_exactly_one_wins(another: Callable[[], Tables]) -> None:
    several = [another() for _ in range(4)]
    id = several[0].create("ann", "upordown", [Human("Ann"), Human("Bob")])
    for _ in range(8):
        table = several[0].table(id)
        assert table.match is not None
        texts = table.match.legal_texts()
        won: list[str] = []
        lost: list[int] = []
        threads = [
            threading.Thread(target=race, args=(several[n % 4], id, table.version, texts[n % len(texts)], won, lost))
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        assert lost == [table.version + 1] * 7
        for tables in several:
            after = tables.table(id)
            assert after.version == table.version + 1
            assert after.match is not None
            assert after.match.entries[-1].text == won[0]


def test_a_snapshot_never_changes(tables: Tables) -> None:
    id = two(tables)
    before = tables.table(id)
    assert before.match is not None
    state, entries = bytes(before.match.state), list(before.match.entries)
    step(tables, id)
    step(tables, id)
    assert (bytes(before.match.state), before.match.entries) == (state, entries)
    assert len(tables.table(id).log) == len(before.log) + 2


# Taking back


def test_undo_goes_up_to_what_was_learned_and_no_further(tables: Tables) -> None:
    id = two(tables)
    dealt = tables.table(id)
    assert dealt.match is not None
    assert not dealt.can_undo("ann")
    with pytest.raises(Conflict, match="nothing to take back"):
        tables.undo(id, "ann", dealt.version)
    for _ in range(3):  # play, take, place
        step(tables, id)
    with pytest.raises(Forbidden):
        tables.undo(id, "bob", tables.version(id))
    with pytest.raises(Stale):
        tables.undo(id, "ann", dealt.version)
    for left in (True, True, False):
        assert tables.table(id).can_undo("ann")
        assert not tables.table(id).can_undo("bob")
        tables.undo(id, "ann", tables.version(id))
        assert tables.table(id).can_undo("ann") is left
    table = tables.table(id)
    assert table.match is not None
    assert bytes(table.match.state) == bytes(dealt.match.state)
    assert table.version == dealt.version + 6, "taking back is an event too"
    assert [line.kind for line in table.log] == ["join", "undo"]
    for _ in range(4):  # the draw is a horizon
        step(tables, id)
    assert not tables.table(id).can_undo("ann")
    with pytest.raises(Forbidden, match="turn of Bob"):
        tables.undo(id, "ann", tables.version(id))
    with pytest.raises(Conflict, match="nothing to take back"):
        tables.undo(id, "bob", tables.version(id))


def test_a_click_on_a_page_from_before_an_undo_is_stale(tables: Tables) -> None:
    id = two(tables)
    step(tables, id)
    old = tables.table(id)
    tables.undo(id, "ann", old.version)
    step(tables, id)
    assert old.match is not None
    with pytest.raises(Stale):
        tables.play(id, "ann", None, old.version, old.match.legal_texts()[0])


# Leaving and coming back


def test_who_leaves_before_the_deal_frees_the_seat(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open(), Open()])
    code = tables.table(id).code
    tables.join(code, "bob", "Bob")
    tables.leave(id, "bob")
    assert [seat.kind for seat in tables.table(id).seats] == ["human", "open", "open"]
    assert [(line.kind, line.name) for line in tables.table(id).log] == [("join", "Bob"), ("leave", "Bob")]
    with pytest.raises(Forbidden):
        tables.leave(id, "bob")
    assert tables.tables_of("bob") == []


def test_an_owner_who_leaves_hands_the_table_on_or_closes_it(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Open(), Open()])
    code = tables.table(id).code
    tables.join(code, "bob", "Bob")
    tables.leave(id, "ann")
    assert tables.table(id).owner == "bob"
    tables.leave(id, "bob")
    assert tables.table(id).status == "closed"
    assert tables.tables_of("bob") == []
    with pytest.raises(Conflict):
        tables.join(code, "cas", "Cas")
    assert tables.leave(id, "bob") == tables.version(id)


def test_an_owner_who_only_looks_on_may_send_somebody_away(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Open(), Open()])
    tables.join(tables.table(id).code, "bob", "Bob")
    tables.leave(id, "ann", seat=0)
    table = tables.table(id)
    assert (table.status, table.owner, table.seats[0].kind) == ("open", "ann", "open")


def test_a_stand_in_plays_until_the_player_is_back(tables: Tables, clock: Any) -> None:
    id = two(tables)
    table = tables.table(id)
    tables.leave(id, "ann")
    table = tables.table(id)
    assert (table.seats[0].away, table.seats[0].played_by_bot, table.acting("ann")) == (True, True, None)
    assert table.match is not None
    with pytest.raises(Conflict, match="take your seat back"):
        tables.play(id, "ann", None, table.version, table.match.legal_texts()[0])
    assert tables.leave(id, "ann") == table.version, "leaving twice is leaving once"
    clock.now += 10
    assert tables.run_due() == 1
    tables.come_back(id, "ann")
    table = tables.table(id)
    assert table.acting("ann") == 0
    clock.now += 10
    assert tables.run_due() == 0
    assert [line.kind for line in table.log] == ["join", "leave", "move", "back"]
    assert tables.come_back(id, "ann") == table.version
    step(tables, id)
    with pytest.raises(Forbidden):
        tables.come_back(id, "eve")


def test_the_owner_may_put_a_stand_in_on_somebody_elses_seat(tables: Tables) -> None:
    id = two(tables)
    with pytest.raises(Forbidden):
        tables.leave(id, "bob", seat=0)
    tables.leave(id, "ann", seat=1)
    assert [seat.away for seat in tables.table(id).seats] == [False, True]


def test_when_everybody_has_left_the_bots_wait(tables: Tables, clock: Any) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Bot("greedy")], first=1)
    tables.leave(id, "ann")
    assert tables.table(id).paused
    clock.now += 1000
    assert tables.run_due() == 0
    assert tables.next_due() is None
    tables.come_back(id, "ann")
    clock.now += 10
    assert tables.run_due() == 1


# After the end


def test_a_match_that_is_over_has_winners_and_takes_nothing_more(tables: Tables, clock: Any) -> None:
    id = two(tables, options={"length": "short"})
    with pytest.raises(Forbidden, match="hidden"):
        tables.document(id)
    with pytest.raises(Forbidden, match="hidden"):
        tables.match_at(id, 0)
    finish(tables, id)
    table = tables.table(id)
    assert table.match is not None
    assert table.status == "over"
    assert table.winners == tuple(table.match.result().winners)
    assert (table.turn, table.acting("ann"), table.legal) == (None, None, ())
    for user in ("ann", "eve"):
        with pytest.raises(Conflict, match="over"):
            tables.play(id, user, None, table.version, "play 1")
        with pytest.raises(Conflict, match="over"):
            tables.undo(id, user, table.version)
    assert tables.leave(id, "ann") == table.version
    assert tables.come_back(id, "ann") == table.version
    (summary,) = tables.tables_of("bob")
    assert (summary.status, summary.scores, summary.winners) == ("over", table.scores, table.winners)


def test_a_finished_match_goes_out_as_a_file_and_comes_in_again(tables: Tables, clock: Any) -> None:
    id = two(tables, options={"length": "short"})
    while tables.table(id).status == "running":
        clock.now += 1.5
        step(tables, id, -1)
    document = tables.document(id)
    assert document.id == id
    assert set(document.times or []) == {1.5}
    assert document.result is not None
    copy = tables.import_match("eve", document.text(), "nl")
    table = tables.table(copy)
    assert (table.status, table.imported, table.owner, table.winners) == (
        "over", True, "eve", tuple(document.result.winners),
    )  # fmt: skip
    assert tables.document(copy) == document
    assert [line.seconds for line in table.log] == document.times
    assert [summary.id for summary in tables.tables_of("eve")] == [copy]
    assert tables.table(copy).may_watch("anybody")
    with pytest.raises(Forbidden):
        tables.rematch(copy, "eve")


def test_an_imported_file_keeps_its_own_keys(tables: Tables) -> None:
    id = two(tables, options={"length": "short"})
    finish(tables, id)
    bare = json.loads(tables.document(id).text())
    for key in ("id", "seed", "started", "ended", "times", "rules"):
        del bare[key]
    bare["notes"] = "A fine evening"
    copy = tables.import_match("eve", json.dumps(bare))
    assert json.loads(tables.document(copy).text()) == bare


@pytest.mark.parametrize(
    "keys", [{"started": "2026-11-29t20:00:00z"}, {"started": "2026-11-29 20:00:00+01:00"}, {"seed": 10**300}]
)
def test_whatever_the_format_allows_comes_in(tables: Tables, keys: dict[str, Any]) -> None:
    id = two(tables, options={"length": "short"})
    finish(tables, id)
    whole = {**json.loads(tables.document(id).text()), **keys}
    copy = tables.import_match("eve", json.dumps(whole))
    fresh = Tables(tables.store)
    assert json.loads(fresh.document(copy).text()) == whole
    assert fresh.match_at(copy, 3).entries[2].text == whole["moves"][2]


def test_a_file_that_cannot_be_replayed_is_refused(tables: Tables) -> None:
    id = two(tables, options={"length": "short"})
    for _ in range(5):
        step(tables, id)
    match = tables.table(id).match
    assert match is not None
    with pytest.raises(TableRefusal, match="not over"):
        tables.import_match("eve", match.document().text())
    finish(tables, id)
    whole = json.loads(tables.document(id).text())
    for wrong in (
        "",
        "{",
        "[]",
        json.dumps({**whole, "colour": "red"}),
        json.dumps({**whole, "game": "chess"}),
        json.dumps({**whole, "moves": whole["moves"][1:], "times": whole["times"][1:]}),
        json.dumps({**whole, "result": {"scores": [0, 0], "winners": [0]}}),
        json.dumps({**whole, "seats": ["a\x00", "b"]}),
    ):
        with pytest.raises(Refusal):
            tables.import_match("eve", wrong)
    assert tables.tables_of("eve") == []


def test_a_finished_match_is_stepped_through(tables: Tables) -> None:
    id = two(tables, options={"length": "short"})
    states = []
    while (table := tables.table(id)).status == "running":
        assert table.match is not None
        states.append(bytes(table.match.state))
        step(tables, id)
    final = tables.table(id).match
    assert final is not None
    assert [bytes(tables.match_at(id, moves).state) for moves in range(len(states))] == states
    for beyond in (len(states), len(states) + 100):
        assert bytes(tables.match_at(id, beyond).state) == bytes(final.state)
    assert tables.match_at(id, -1).entries == []
    hand = tables.match_at(id, 0).view(0)
    assert bytes(hand) != bytes(tables.match_at(id, 0).view(SPECTATOR))


def test_a_rematch_is_one_table_for_all_with_the_next_start_seat(tables: Tables) -> None:
    id = two(tables, options={"length": "short"}, pace="fast", hints=False)
    with pytest.raises(Conflict):
        tables.rematch(id, "ann")
    finish(tables, id)
    with pytest.raises(Forbidden):
        tables.rematch(id, "eve")
    before = tables.version(id)
    again = tables.rematch(id, "bob")
    assert tables.rematch(id, "ann") == again
    old, new = tables.table(id), tables.table(again)
    assert old.version == before + 1, "pages of the old table learn of it"
    assert (old.rematch, new.rematch_of) == (again, id)
    assert new.match is not None
    assert old.match is not None
    assert (new.status, new.match.first, new.options) == ("running", 1, {"length": "short"})
    assert (new.seats, new.pace, new.hints) == (old.seats, "fast", False)
    assert new.match.shuffles != old.match.shuffles
    assert {summary.id: summary.rematch for summary in tables.tables_of("ann")} == {id: again, again: None}


def test_who_was_away_at_the_end_is_away_in_the_rematch_until_back(tables: Tables, clock: Any) -> None:
    id = two(tables, options={"length": "short"}, pace="instant")
    tables.leave(id, "bob")
    while (table := tables.table(id)).status == "running":
        if table.acting("ann") is None:
            assert tables.run_due() == 1
        else:
            step(tables, id)
    again = tables.rematch(id, "ann")
    assert [seat.away for seat in tables.table(again).seats] == [False, True]
    tables.come_back(again, "bob")
    assert not tables.table(again).seats[1].away


# Who sees what


def test_spectators_are_welcome_unless_the_table_says_no(tables: Tables) -> None:
    watched, private = (tables.table(two(tables, watch=watch)) for watch in (True, False))
    assert watched.may_watch("eve")
    assert not private.may_watch("eve")
    assert private.may_watch("ann")
    assert private.may_watch("bob")
    assert (private.facing("eve"), private.facing("bob"), private.legal_for("eve")) == (SPECTATOR, 1, ())


def test_a_view_of_the_table_holds_no_hidden_card(tables: Tables) -> None:
    table = tables.table(two(tables))
    assert table.match is not None
    seen = table.view(1)
    assert seen is not None
    assert bytes(seen) == bytes(table.match.state.view(1))
    assert not any(seen.hand[0])


def test_own_tables_are_listed_with_those_waiting_first(tables: Tables, clock: Any) -> None:
    waiting = two(tables)
    clock.now += 1
    done = two(tables, options={"length": "short"})
    finish(tables, done)
    clock.now += 1
    theirs = two(tables)
    for _ in range(4):
        step(tables, theirs)
    clock.now += 1
    unfilled = tables.create("ann", "upordown", [Human("Ann"), Open()])
    listed = tables.tables_of("ann")
    assert [summary.id for summary in listed] == [waiting, unfilled, theirs, done]
    assert [summary.your_turn for summary in listed] == [True, False, False, False]
    assert [summary.status for summary in listed] == ["running", "open", "running", "over"]
    assert [(summary.turn, summary.yours) for summary in listed[:3]] == [(0, (0,)), (None, (0,)), (1, (0,))]
    assert [summary.id for summary in tables.tables_of("ann", limit=2)] == [unfilled, theirs]
    assert tables.tables_of("eve") == []


# Several processes, and a process that ends


def test_another_process_continues_at_the_same_decision(another: Callable[[], Tables]) -> None:
    tables = another()
    id = two(tables)
    for _ in range(10):
        step(tables, id)
    tables.undo(id, "ann", tables.version(id))
    before, after = tables.table(id), another().table(id)
    assert before.match is not None
    assert after.match is not None
    assert bytes(before.match.state) == bytes(after.match.state)
    assert before.match.entries == after.match.entries
    assert (before.log, before.legal, before.version) == (after.log, after.legal, after.version)
    assert before.match.can_undo(0)
    assert after.match.can_undo(0)


def test_processes_take_turns_at_one_table(another: Callable[[], Tables]) -> None:
    several = [another(), another()]
    id = two(several[0], options={"length": "short"})
    number = 0
    while several[0].table(id).status == "running":
        step(several[number % 2], id)
        number += 1
    assert several[1].table(id).status == "over"


def test_a_log_that_the_rules_do_not_allow_is_refused_not_guessed(another: Callable[[], Tables]) -> None:
    tables = another()
    id = two(tables)
    step(tables, id)
    with tables.store.write() as connection:
        connection.exec_driver_sql("UPDATE tables SET rules = 99")
    with pytest.raises(Conflict, match="99"):
        another().table(id)


def test_a_house_has_its_own_data_files(opened: Callable[[], Store], bots: dict[str, Any]) -> None:
    own = games()["kattenkwaad"].shipped("board.txt").replace("4", "2")
    house = Tables(opened(), players=bots, data={"kattenkwaad": {"board.txt": own}})

    def used(game: str, **chosen: Any) -> Any:
        match = house.table(house.create("ann", game, [Human("Ann"), Bot("first")], **chosen)).match
        assert match is not None
        return match.data

    assert used("kattenkwaad") == {"board.txt": own}
    assert used("kattenkwaad", data={}) == {}
    assert used("pixies") == {}


def test_a_hint(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Human("Bob")], first=0, seed="hint")
    version = tables.table(id).version
    with pytest.raises(Forbidden):
        tables.hint(id, "eve", version, playouts=20)
    version = tables.hint(id, "ann", version, playouts=20)
    table = tables.table(id)
    assert table.match is not None
    assert {tip.move for tip in table.tips} <= set(table.match.copy().legal_texts())
    assert all(0 <= tip.chance <= 1 for tip in table.tips)
    assert table.log[-1].kind == "hint"
    with pytest.raises(Stale):
        tables.hint(id, "ann", version - 1, playouts=20)
    tables.play(id, "ann", 0, version, table.tips[0].move)
    assert tables.table(id).tips == ()


def test_a_hint_needs_a_playout(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Bot("first")], first=0)
    with pytest.raises(Refusal, match="at least one playout"):
        tables.hint(id, "ann", tables.version(id), playouts=0)
    assert tables.table(id).log == ()


def test_more_hints_than_can_wait_are_refused(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is thought about, in a thread that gives way to people; the next does not wait in line."""
    ids = [tables.create("ann", "upordown", [Human("Ann"), Human("Bob")], first=0) for _ in range(2)]
    monkeypatch.setattr("speeltafel.tables.tables.HINTS", 1)
    think, threads = tables._think_along, []

    def thinking(*of: Any) -> Any:
        threads.append(threading.current_thread().name)
        with pytest.raises(Busy, match="in a moment"):
            tables.hint(ids[1], "ann", tables.version(ids[1]), playouts=20)
        return think(*of)

    monkeypatch.setattr(tables, "_think_along", thinking)
    tables.hint(ids[0], "ann", tables.version(ids[0]), playouts=20)
    assert [name.split("_")[0] for name in threads] == ["hints"]
    assert tables.hint(ids[0], "ann", tables.version(ids[0]), playouts=20), "there is room again"


def test_a_table_without_hints(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Human("Ann"), Bot("first")], first=0, hints=False)
    with pytest.raises(Forbidden, match="no hints"):
        tables.hint(id, "ann", tables.table(id).version, playouts=20)
