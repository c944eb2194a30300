"""A match against bots in the terminal, in the same words as on the page."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from speeltafel.engine import rulebook
from speeltafel.engine.game import Game
from speeltafel.engine.language import translate
from speeltafel.engine.match import Entry, Match
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.lab.matches import decide
from speeltafel.players.player import Player

ME = 0
"""The seat of the human."""


def rule_text(rule: rulebook.Rule) -> str:
    """One rule as Markdown."""
    return f"### {rule.id} · {rule.title}\n\n{rule.body}\n"


def rulebook_text(game: Game, language: str) -> str:
    """A whole rulebook as Markdown."""
    parts = [f"# {game.title}\n"]
    for chapter in rulebook.rulebook(game, language):
        parts += [f"## {chapter.title}\n", chapter.intro, *(rule_text(rule) for rule in chapter.rules)]
    return "\n".join(parts)


def play(match: Match, bot: Player, language: str, console: Console) -> None:
    """Let whoever types play seat 0 of the match against a bot in each other seat, until it ends or they leave."""
    _Evening(match, bot, language, console).play()


class _Leave(Exception):
    """The player has had enough."""


class _Evening:
    def __init__(self, match: Match, bot: Player, language: str, console: Console) -> None:
        self.match, self.bot, self.language, self.console = match, bot, language, console

    def _(self, message: Message, seat: int = ME) -> str:
        return translate(message, self.language, self.match.seats[seat], self.match.seats)

    def show(self, message: Message, style: str = "") -> None:
        self.console.print(self._(message), style=style, markup=False)

    def play(self) -> None:
        self.show(say("Type a number or the decision itself; ? explains what else you can type."), "dim")
        try:
            while not self.match.over:
                self.step()
        except (_Leave, EOFError, KeyboardInterrupt):
            self.console.print()
            self.show(say("Until next time!"))
            return
        self.score_sheet()

    def step(self) -> None:
        """One decision of whoever it is."""
        match = self.match
        if match.turn != ME:
            self.tell(decide(match, self.bot))
        elif len(legal := match.legal()) == 1:
            self.tell(match.play_move(legal[0]))
        else:
            self.choose(match.legal_texts())

    def tell(self, entry: Entry) -> None:
        for words in entry.words:
            self.console.print(f"  {self._(words, entry.seat)}", style="" if entry.seat == ME else "cyan", markup=False)

    def choose(self, texts: list[str]) -> None:
        """Ask until a decision is taken, or something is taken back."""
        self.console.print()
        self.console.rule(escape(self.scores()), style="dim")
        for line in self.match.game.picture.picture(self.match.view(ME), ME):
            self.console.print(line if isinstance(line, str) else self._(line), markup=False)
        self.console.print()
        self.console.print(self._(self.match.game.moves.ask(self.match.view(ME))), style="bold", markup=False)
        choices = (f"[dim]{number}[/] {escape(text)}" for number, text in enumerate(texts, start=1))
        self.console.print(Columns(choices, padding=(0, 3)))
        while True:
            typed = self.console.input("> ").strip()
            word, _, rest = typed.partition(" ")
            if word in ("quit", "stop", "q"):
                raise _Leave
            if word in ("undo", "terug", "u"):
                if self.undo():
                    return
            elif word in ("rule", "rules", "regel", "regels", "r"):
                self.rules(rest.strip())
            elif word in ("score", "stand", "s"):
                self.score_sheet()
            elif word in ("?", "help", ""):
                self.help()
            elif typed.isdecimal() and not 1 <= int(typed) <= len(texts):
                self.show(say("The numbers run from 1 to {last}", last=len(texts)), "red")
            else:
                try:
                    self.tell(self.match.play(texts[int(typed) - 1] if typed.isdecimal() else typed))
                    return
                except Refusal as refusal:
                    self.show(refusal.message, "red")
                    if refusal.rule:
                        self.show(say("See rule {rule}: type r {rule}", rule=refusal.rule), "dim")

    def scores(self) -> str:
        pairs = zip(self.match.seats, self.match.scores(), strict=True)
        return " · ".join(f"{name} {points}" for name, points in pairs)

    def undo(self) -> bool:
        """Take back the last decision that was a choice; forced ones before it go with it."""
        if not self.match.can_undo(ME):
            self.show(say("There is nothing to take back: a card was turned up or the turn has passed"), "red")
            return False
        while self.match.can_undo(ME):
            self.match.undo(ME)
            if len(self.match.legal()) > 1:
                break
        return True

    def rules(self, identifier: str) -> None:
        """Print one rule, or which there are."""
        game = self.match.game
        try:
            if identifier:
                self.console.print(Markdown(rule_text(rulebook.rule(game, identifier, self.language))))
                return
            for chapter in rulebook.rulebook(game, self.language):
                self.console.print(chapter.title, style="bold", markup=False)
                for rule in chapter.rules:
                    self.console.print(f"  {rule.id}  {rule.title}", markup=False)
        except Refusal as refusal:
            self.show(refusal.message, "red")

    def help(self) -> None:
        for message in (
            say("A number, or the decision in the notation of match files: take it"),
            say("undo: take your last decision back"),
            say("score: the score sheet as it stands"),
            say("rule: the list of rules; rule and its identifier: one rule"),
            say("quit: leave the table"),
        ):
            self.show(message, "dim")

    def score_sheet(self) -> None:
        """Everybody's score by rule."""
        match = self.match
        for seat, name in enumerate(match.seats):
            table = Table(title=escape(name), title_justify="left", box=None, show_header=False, padding=(0, 2, 0, 0))
            table.add_column(style="dim")
            table.add_column()
            table.add_column(justify="right")
            for line in match.breakdown(seat):
                table.add_row(line.rule, escape(self._(line.label, seat)), str(line.points))
            table.add_row("", self._(say("Total")), str(match.scores()[seat]), style="bold")
            self.console.print(table)
        if match.over:
            winners = [match.seats[seat] for seat in match.result().winners]
            self.show(say("Won by: {names}", names=winners), "bold green")
