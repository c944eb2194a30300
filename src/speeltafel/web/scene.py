"""What somebody sees of a match: the board, the seats with their scores, the question that is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from speeltafel.engine.game import Game
from speeltafel.engine.language import catalog, translate
from speeltafel.engine.match import Entry, Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Message
from speeltafel.web.pages import environment


@dataclass(frozen=True)
class Chair:
    """A seat as the page shows it."""

    number: int
    name: str
    """`You` for the seat of who looks, where only they do."""
    called: str
    """The name in the middle of a sentence: `you`."""
    mark: int
    you: bool
    level: str
    """Of the bot that plays here now; empty for somebody who plays for themselves."""
    away: bool
    score: int
    note: Message | str
    """A short word beside the score."""
    turn: bool
    winner: bool


@dataclass(frozen=True)
class Scene:
    """One match as one seat, or `SPECTATOR`, sees it, ready for the template `table.html`."""

    game: Game
    seat: int
    acting: bool
    """Whether a decision of this seat is asked."""
    over: bool
    chairs: tuple[Chair, ...]
    prompt: Message
    progress: Message | str
    rule: str
    """The rule behind the question, where the game names one."""
    board: Markup


def hides(game: Game) -> bool:
    """Whether a seat of the game sees anything that others do not."""
    return any(field.audience == "owner" for field in game.rules.State.fields.values())


def scene(
    match: Match,
    seat: int,
    language: str,
    *,
    names: Sequence[str] | None = None,
    bots: Mapping[int, str] | None = None,
    away: Collection[int] = (),
    may_act: bool = True,
    own: int | None = None,
    tips: Sequence[str] = (),
) -> Scene:
    """The match as `seat` sees it. Nothing that the seat's view lacks can get into it.

    Without `may_act` no decision is offered: somebody looks on, or back at a finished match. `own` is the seat that
    is called `You`: `seat` where it is not given, `SPECTATOR` for nobody, when several people look at this screen.
    The decisions `tips` are marked, the best first; `bots` are their levels by seat.
    """
    game = match.game
    view = match.view(seat)
    acting = may_act and seat == match.turn and not match.over
    legal = match.legal() if acting else []
    texts = {move: game.moves.text(match.state, move) for move in legal}
    values = dict(game.board.board(view, seat, legal, recent(match.entries, seat)))
    winners = match.result().winners if match.over else []
    notes = values.get("notes") or [""] * len(match.seats)
    you, you_too = catalog(language).gettext("You"), catalog(language).gettext("you")
    own = seat if own is None else own
    chairs = tuple(
        Chair(
            number=number,
            name=you if number == own else name,
            called=you_too if number == own else name,
            mark=number,
            you=number == seat,
            level=(bots or {}).get(number, ""),
            away=number in away,
            score=game.rules.score(view, number),
            note=notes[number],
            turn=number == match.turn and not match.over,
            winner=number in winners,
        )
        for number, name in enumerate(names or match.seats)
    )

    def act(move: int) -> Markup:
        if move not in texts:
            raise ValueError(f"{game.name}/board.html offers decision {move}, which is not legal now")
        tipped = rank(move)
        mark = Markup(' data-tip="{}" aria-describedby="tip-{}"').format(tipped, tipped) if tipped else ""
        return Markup('name="move" value="{}"{}').format(texts[move], mark)

    def rank(move: int) -> int:
        """The place of a legal decision among the tips, from 1; 0 for one that is no tip."""
        return tips.index(texts[move]) + 1 if texts[move] in tips else 0

    def say_text(message: object, name: str = "?") -> str:
        return translate(message, language, name, names or match.seats)

    board = environment(language).get_template(f"{game.name}/board.html")
    return Scene(
        game=game,
        seat=seat,
        acting=acting,
        over=match.over,
        chairs=chairs,
        prompt=game.moves.ask(view) if not match.over else Message(""),
        progress=values.get("progress", ""),
        rule=str(values.get("rule", "")),
        board=Markup(
            board.render(s=view, seat=seat, legal=legal, seats=chairs, b=values, act=act, rank=rank, say_text=say_text)
        ),
    )


def recent(entries: Sequence[Entry], seat: int) -> list[Entry]:
    """The decisions since the seat's own last turn, oldest first; the turn that it is taking now included."""
    if seat == SPECTATOR:
        seat = entries[-1].seat if entries else 0
    start = len(entries)
    while start and entries[start - 1].seat == seat:
        start -= 1
    while start and entries[start - 1].seat != seat:
        start -= 1
    return list(entries[start:])
