"""The command line. Every error of its user is one line and exit code 2, in Dutch or English."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from time import perf_counter
from typing import Any, Literal, TextIO

import click
from babel.numbers import format_decimal, format_percent
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from speeltafel import games, players
from speeltafel.engine import documents, rulebook
from speeltafel.engine.game import Game
from speeltafel.engine.language import LANGUAGES, translate
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.lab import bench, peers, terminal
from speeltafel.lab.ladder import CONFIDENCE, Ladder, climb, standings
from speeltafel.lab.matches import Outcome
from speeltafel.lab.simulate import Plan, Summary, Tally, simulate
from speeltafel.players import compiled


def main() -> None:
    """Run the command line with the arguments of this process, and exit."""
    # a shell may have closed any of them
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a sign that the terminal lacks is no reason to stop
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line; returns its exit code: 0, 1 when `check` found a bad match, 2 for a user's error."""
    language = _environment_language(os.environ)
    try:
        language, rest = _language(arguments, language)
        code = build(language).main(rest, prog_name="speeltafel", standalone_mode=False)
        sys.stdout.flush()
    except Refusal as refusal:
        return _error(refusal, language)
    except click.Abort:
        return 130
    except click.ClickException as error:
        return _error(_explain(error), language)
    except OSError as error:
        # a second complaint at exit is of no use
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # whoever read our output has left
            return 1
        return _error(Refusal(say("This cannot be done: {why}", why=error.strerror or str(error))), language)
    return code if isinstance(code, int) else 0


def _environment_language(environment: Mapping[str, str]) -> str:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "nl" if environment[name].startswith("nl") else "en"
    return "en"


def _language(arguments: Sequence[str], default: str) -> tuple[str, list[str]]:
    """Take `--language` out of the arguments, wherever it stands: help texts need it before they are parsed."""
    rest = list(arguments)
    for at, argument in enumerate(rest):
        if argument == "--":
            break
        if argument == "--language" or argument.startswith("--language="):
            value = argument[11:] if "=" in argument else (rest[at + 1] if at + 1 < len(rest) else "")
            if value not in LANGUAGES:
                raise Refusal(
                    say("Language {language} is not one of {known}", language=value or "-", known=", ".join(LANGUAGES))
                )
            return value, rest[:at] + rest[at + (1 if "=" in argument else 2) :]
    return default, rest


def _error(refusal: Refusal, language: str) -> int:
    text = " ".join(translate(refusal.message, language).split())
    click.echo(f"speeltafel: {text}{f' ({refusal.rule})' if refusal.rule else ''}", err=True)
    return 2


def _explain(error: click.ClickException) -> Refusal:
    """A complaint of the argument parser in our own words."""
    if isinstance(error, click.NoSuchOption):
        return Refusal(say("There is no option {option}; see --help", option=error.option_name))
    if isinstance(error, click.MissingParameter) and error.param is not None:
        what = error.param.metavar or (error.param.name or "").upper()
        return Refusal(say("{what} is missing; see --help", what=what))
    if isinstance(error, click.BadOptionUsage):
        return Refusal(say("Option {option} is not used like that; see --help", option=error.option_name))
    return Refusal(say("This is not understood: {why} See --help", why=error.format_message()))


class Whole(click.ParamType[int]):
    """A whole number between two others."""

    name = "N"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises `Refusal` naming the option and what is allowed."""
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise Refusal(
                say(
                    "{option} is a whole number from {low} to {high}, not {value}",
                    option=param.opts[-1] if param else "-",
                    low=self.low,
                    high=self.high,
                    value=value,
                )
            )
        return number


class Seconds(click.ParamType[float]):
    """Seconds, or parts of one."""

    name = "SECONDS"
    low, high = 0.001, 3600

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Raises `Refusal` naming the option and what is allowed."""
        try:
            number = float(value)
        except ValueError:
            number = 0
        if not self.low <= number <= self.high:
            raise Refusal(
                say(
                    "{option} is a number of seconds from {low} to {high}, not {value}",
                    option=param.opts[-1] if param else "-",
                    low=self.low,
                    high=self.high,
                    value=value,
                )
            )
        return number


class Text(click.ParamType[str]):
    """A text as it was typed, in whole characters."""

    name = "TEXT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text. Raises `Refusal` naming the option when it holds bytes that are none."""
        try:
            str(value).encode()
        except UnicodeEncodeError:
            raise Refusal(say("{file} is not a text in UTF-8", file=param.opts[-1] if param else "-")) from None
        return str(value)


class Commands(click.Group):
    """A group that names its commands when it is asked for another."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name. Raises `Refusal` for an unknown one."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = ", ".join(self.list_commands(ctx))
            raise Refusal(say("There is no command {command}; there are: {known}", command=args[0], known=known))
        return super().resolve_command(ctx, args)


def _read(path: str) -> str:
    """The text of a file. Raises `Refusal` when it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Refusal(say("{file} cannot be read: {why}", file=path, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise Refusal(say("{file} cannot be read: {why}", file=path, why=say("it is not text in UTF-8"))) from None


def _data(game: Game, deck: str | None, board: str | None) -> dict[str, str]:
    """The data files that take the place of the shipped ones: decks end in `.csv`, boards in `.txt`."""
    data = {}
    for path, ending, option in ((deck, ".csv", "--deck"), (board, ".txt", "--board")):
        if path is not None:
            names = [name for name in game.data.FILES if name.endswith(ending)]
            if not names:
                raise Refusal(say("{game} has no file for {option}", game=game.title, option=option))
            data[names[0]] = _read(path)
    return data


def _house_data(decks: Sequence[str], boards: Sequence[str]) -> dict[str, dict[str, str]]:
    """Data files for a whole house, by game: each is for the game whose own file begins most like it.

    Raises `Refusal` for a file that its game cannot use.
    """
    data: dict[str, dict[str, str]] = {}
    for paths, ending in ((decks, ".csv"), (boards, ".txt")):
        known = [(game, name) for game in games.games().values() for name in game.data.FILES if name.endswith(ending)]
        for path in paths:
            text = _read(path)
            head = {word.strip() for word in text.partition("\n")[0].split(",")}

            def difference(place: tuple[Game, str], head: set[str] = head) -> int:
                return len(head ^ set(place[0].shipped(place[1]).partition("\n")[0].strip().split(",")))

            game, name = min(known, key=difference)
            game.set_up(game.seats[0], 0, {}, {name: text})
            data.setdefault(game.name, {})[name] = text
    return data


def _options(game: Game, pairs: Sequence[str]) -> dict[str, Any]:
    """The options written as `name=choice`. Raises `Refusal` naming those that exist."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refusal(say("An option is written name=choice, not {text}", text=pair))
        written = {_choice(choice): choice for choice in game.option(name).choices}
        if value not in written:
            raise Refusal(
                say(
                    "Option {option} is one of {known}, not {value}", option=name, known=", ".join(written), value=value
                )
            )
        options[name] = written[value]
    return options


def _names(written: str) -> tuple[str, ...]:
    """The names in a list by comma."""
    return tuple(name.strip() for name in written.split(","))


def _choice(choice: str | int | bool) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def build(language: str) -> click.Group:
    """The commands with their help in a language."""
    console = Console(highlight=False)

    def _(message: Message) -> str:
        return translate(message, language)

    def match_options(command: Callable[..., Any]) -> Callable[..., Any]:
        """What may be chosen for every match."""
        for option in (
            click.option("--board", metavar="FILE", help=_(say("Play on this board instead of the shipped one."))),
            click.option("--deck", metavar="FILE", help=_(say("Play with this deck instead of the shipped one."))),
            click.option(
                "--option", "pairs", metavar="NAME=CHOICE", multiple=True, help=_(say("Choose an option of the game."))
            ),
            click.option("--seed", metavar="TEXT", type=Text(), help=_(say("The same seed gives the same cards."))),
        ):
            command = option(command)
        return command

    jobs_option = click.option(
        "--jobs", default="1", type=Whole(1, 64), help=_(say("How many processes work side by side."))
    )

    class Help(click.HelpFormatter):
        headings = {"Options": say("Options"), "Commands": say("Commands")}

        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or _(say("Usage: ")))

        def write_heading(self, heading: str) -> None:
            super().write_heading(_(self.headings[heading]) if heading in self.headings else heading)

    class Context(click.Context):
        formatter_class = Help

    help_option = click.help_option("--help", "-h", help=_(say("Explain this command.")))

    @help_option
    @click.group(
        cls=Commands,
        invoke_without_command=True,
        help=_(say("Small-box games at a digital table: play them, look their rules up, simulate them.")),
    )
    @click.option("--language", metavar="|".join(LANGUAGES), help=_(say("Language of all texts.")))
    @click.version_option(package_name="speeltafel", message="%(prog)s %(version)s", help=_(say("Print the version.")))
    @click.pass_context
    def commands(context: click.Context, language: str | None) -> None:
        if context.invoked_subcommand is None:
            click.echo(context.get_help())

    commands.context_class = Context

    def command(name: str, help: Message) -> Callable[[Callable[..., Any]], None]:
        def add(function: Callable[..., Any]) -> None:
            made = click.command(name, help=_(help), short_help=_(help))(help_option(function))
            made.context_class = Context
            commands.add_command(made)

        return add

    @command("games", say("List the games with their options; the first choice is the default."))
    def games_() -> None:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for head in (say("Game"), say("Title"), say("Players"), say("Minutes"), say("Options")):
            table.add_column(_(head))
        for game in games.games().values():
            options = "\n".join(_option_line(option) for option in game.options)
            low, high = game.seats
            table.add_row(game.name, game.title, f"{low}-{high}", str(game.minutes), options or "-")
        console.print(table)

    def _option_line(option: Any) -> str:
        choices = [_choice(choice) for choice in option.choices]
        choices.insert(0, choices.pop(option.default))
        return f"{option.name}={'|'.join(choices)}"

    @command("rules", say("Print the rulebook of a game, or one rule."))
    @click.argument("game")
    @click.argument("id", required=False)
    def rules_(game: str, id: str | None) -> None:
        found = games.find(game)
        if id:
            console.print(Markdown(terminal.rule_text(rulebook.rule(found, id, language))))
        else:
            console.print(Markdown(terminal.rulebook_text(found, language)))

    @command(
        "simulate",
        say("Play matches between players and count who wins. Players: random, kitten, greedy, lynx, tiger, leopard."),
    )
    @click.argument("game")
    @click.option(
        "--seats", metavar="NAME,NAME,...", default="greedy,random", help=_(say("The player in each seat, by comma."))
    )
    @click.option("--games", "count", default="100", type=Whole(1, 10_000_000), help=_(say("How many matches.")))
    @match_options
    @click.option("--rotate", is_flag=True, help=_(say("Everybody moves one seat on after every match.")))
    @click.option("--out", metavar="FILE", help=_(say("Write the matches, one a line.")))
    @click.option("--legal", is_flag=True, help=_(say("Write the legal decisions of every move too.")))
    @jobs_option
    def simulate_(
        game: str,
        seats: str,
        count: int,
        seed: str | None,
        pairs: Sequence[str],
        deck: str | None,
        board: str | None,
        rotate: bool,
        out: str | None,
        legal: bool,
        jobs: int,
    ) -> int:
        found = games.find(game)
        if legal and out is None:
            raise Refusal(say("{option} needs {other}", option="--legal", other="--out FILE"))
        plan = Plan(
            game=game,
            seats=_names(seats),
            games=count,
            seed=token_hex(8) if seed is None else seed,
            options=_options(found, pairs),
            data=_data(found, deck, board),
            rotate=rotate,
            document=out is not None,
            legal=legal,
        )
        plan.check()
        summary = Summary.of(plan)
        begun = perf_counter()
        with ExitStack() as stack:
            file = stack.enter_context(_writing(out)) if out is not None else None
            progress = stack.enter_context(_progress(found))
            stack.enter_context(suppress(KeyboardInterrupt))
            for outcome in progress.track(simulate(plan, jobs), count):
                summary.add(outcome)
                if file is not None:
                    file.write(f"{outcome.document}\n")
                    file.flush()
        if not summary.matches:
            raise KeyboardInterrupt
        _report(plan, summary, perf_counter() - begun)
        return _complete(summary.matches, count)

    def _complete(played: int, asked: int) -> int:
        """The exit code of matches that were played; says so when somebody stopped them before the end."""
        if played == asked:
            return 0
        console.print(_(say("Stopped before the end: {matches} matches were asked for.", matches=asked)))
        return 130

    def _progress(game: Game) -> Progress:
        return Progress(
            TextColumn(game.title),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )

    def _percent(part: float) -> str:
        return format_percent(part, "0.0 %", locale=language)

    def _decimal(number: float) -> str:
        return format_decimal(number, "#,##0.0", locale=language)

    def _report(plan: Plan, summary: Summary, seconds: float) -> None:
        def row(table: Table, names: Sequence[str], tally: Tally) -> None:
            table.add_row(*names, str(tally.wins), str(tally.shared), _percent(tally.rate), _decimal(tally.mean))

        counts = (say("Wins"), say("Shared"), say("Share of wins"), say("Mean score"))
        by_seat = Table(box=None, padding=(0, 2, 0, 0))
        by_seat.add_column(_(say("Seat")), justify="right")
        by_seat.add_column(_(say("Player")))
        by_bot = Table(box=None, padding=(0, 2, 0, 0))
        by_bot.add_column(_(say("Player")))
        for table in (by_seat, by_bot):
            for head in counts:
                table.add_column(_(head), justify="right")
        for seat, tally in enumerate(summary.seats):
            row(by_seat, (str(seat), "*" if plan.rotate else plan.seats[seat]), tally)
        for name, tally in summary.bots.items():
            row(by_bot, (name,), tally)
        console.print(by_seat)
        if len(summary.bots) < len(plan.seats) or plan.rotate:
            console.print()
            console.print(by_bot)
        console.print()
        console.print(
            _(
                say(
                    "The start seat won {rate}, an average seat {average}.",
                    rate=_percent(summary.start.rate),
                    average=_percent(summary.average),
                )
            )
        )
        console.print(
            _(
                say(
                    "{matches} matches with seed {seed}, {decisions} decisions in {seconds} s.",
                    matches=summary.matches,
                    seed=plan.seed,
                    decisions=summary.decisions,
                    seconds=_decimal(seconds),
                )
            )
        )

    @command("ladder", say("Let bots play the same deals in every seating, and rate them."))
    @click.argument("game")
    @click.option("--players", "count", type=Whole(2, 6), help=_(say("How many players; else as many as bots.")))
    @click.option("--bots", metavar="NAME,NAME,...", default="tiger,greedy", help=_(say("The bots, by comma.")))
    @click.option("--games", "matches", default="100", type=Whole(1, 10_000_000), help=_(say("How many matches.")))
    @click.option(
        "--playouts",
        type=Whole(1, 10_000_000),
        help=_(say("So many playouts for each second of thinking, instead of the clock: the same on every machine.")),
    )
    @match_options
    @jobs_option
    def ladder_(
        game: str,
        count: int | None,
        bots: str,
        matches: int,
        playouts: int | None,
        seed: str | None,
        pairs: Sequence[str],
        deck: str | None,
        board: str | None,
        jobs: int,
    ) -> int:
        found = games.find(game)
        names = _names(bots)
        plan = Ladder(
            game=game,
            bots=names,
            seats=count or len(names),
            games=matches,
            seed=token_hex(8) if seed is None else seed,
            playouts=playouts,
            options=_options(found, pairs),
            data=_data(found, deck, board),
        )
        plan.check()
        begun = perf_counter()
        outcomes: list[Outcome] = []
        with _progress(found) as progress, suppress(KeyboardInterrupt):
            for outcome in progress.track(climb(plan, jobs), plan.matches):
                outcomes.append(outcome)
        # whole deals only, so that everybody sat everywhere equally often
        played = len(outcomes) // len(plan.seatings) * len(plan.seatings)
        if not played:
            raise KeyboardInterrupt
        del outcomes[played:]
        table = Table(box=None, padding=(0, 1, 0, 0))
        table.add_column(_(say("Player")))
        for head in (say("Rating"), say("± 95 %"), say("Share of wins"), say("95 % interval"), say("Mean score")):
            table.add_column(_(head), justify="right")
        for seat in range(plan.seats):
            table.add_column(_(say("Seat {seat}", seat=seat)), justify="right")
        for bot in standings(plan, outcomes):
            table.add_row(
                bot.name,
                _decimal(bot.rating),
                _decimal(CONFIDENCE * bot.sigma),
                _percent(bot.rate),
                "–".join(map(_percent, bot.interval)),
                _decimal(bot.mean),
                *(format_percent(bot.rate_in(seat), "0 %", locale=language) for seat in range(plan.seats)),
            )
        console.print(table)
        console.print()
        console.print(
            _(
                say(
                    "{matches} matches with seed {seed}: {deals} deals in {seatings} seatings each, in {seconds} s.",
                    matches=played,
                    seed=plan.seed,
                    deals=played // len(plan.seatings),
                    seatings=len(plan.seatings),
                    seconds=_decimal(perf_counter() - begun),
                )
            )
        )
        return _complete(played, plan.matches)

    @command("bench", say("Measure how fast rules and bots run on this machine."))
    @click.argument("names", nargs=-1, metavar="[GAME]...")
    @click.option("--seconds", default="1", type=Seconds(), help=_(say("Time for each figure.")))
    @click.option("--json", "out", metavar="FILE", help=_(say("Write the figures to this file.")))
    @click.option(
        "--against",
        metavar="FILE",
        help=_(say("Compare with the figures in this file; exit code 1 names what is more than 30 % slower.")),
    )
    @click.option("--peers", "others", is_flag=True, help=_(say("Measure other engines too, where installed.")))
    @click.option("--no-cold", is_flag=True, help=_(say("Leave out how long compiling takes.")))
    def bench_(
        names: Sequence[str], seconds: float, out: str | None, against: str | None, others: bool, no_cold: bool
    ) -> int:
        names = [games.find(name).name for name in names] or list(games.games())
        stored = bench.loads(_read(against)) if against is not None else None
        _writable(out)
        run = bench.Run()
        with Progress(TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(_(say("Measuring ...")))
            for line, found in bench.measure(names, seconds, cold=not no_cold):
                progress.update(task, description=line)
                if isinstance(found, int):
                    run.bytes[line] = found
                else:
                    run.figures[line] = found
            for line, figure in peers.measure(seconds) if others else ():
                progress.update(task, description=line)
                run.peers[line] = figure
        _figures(run)
        if others:
            _peers(run)
        if out is not None:
            with _writing(out) as file:
                file.write(run.model_dump_json(indent=1) + "\n")
        if stored is None:
            return 0
        slower = run.slower(stored)
        for line, part in slower.items():
            console.print(_(say("{line}: {part} of the stored run", line=line, part=_percent(part))))
        if not slower:
            console.print(_(say("Nothing is more than 30 % slower than in the stored run.")))
        return 1 if slower else 0

    def _table(names: Sequence[Message], numbers: Sequence[Message], title: Message | None = None) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), title=_(title) if title else None, title_justify="left")
        for head in names:
            table.add_column(_(head))
        for head in numbers:
            table.add_column(_(head), justify="right")
        return table

    def _whole(number: float) -> str:
        return format_decimal(number, "#,##0", locale=language)

    def _figures(run: bench.Run) -> None:
        sizes = _table([say("Game")], [say("Bytes"), say("Cold (s)"), say("Warm (s)")], say("State, first decision"))
        plain, one = say("Plain"), say("Compiled")
        decisions = _table(
            [say("Game")], [say("Seats"), plain, one, say("Two threads"), say("Times one")], say("Decisions per second")
        )
        playouts = _table(
            [say("Game")], [say("Seats"), plain, say("Lynx"), say("Tiger")], say("Playouts of the search per second")
        )
        for game, size in run.bytes.items():
            begun = [run.figures.get(f"{game}/{part}") for part in bench.BEGINNINGS]
            sizes.add_row(
                game, _whole(size), *("-" if figure is None else _decimal(1 / figure.rate) for figure in begun)
            )
            low, high = games.find(game).seats
            for seats in map(str, range(low, high + 1)):
                rates = [run.figures[f"{game}/{seats}/{part}"].rate for part in bench.PARTS]
                gain = format_decimal(rates[2] / rates[1], "0.00", locale=language)
                decisions.add_row(game, seats, *map(_whole, rates[:3]), gain)
                playouts.add_row(game, seats, *map(_whole, rates[3:]))
        for table in (sizes, decisions, playouts):
            console.print(table)
            console.print()
        had = min(figure.cores for line, figure in run.figures.items() if line.endswith("/two threads"))
        if had < bench.IDLE:
            console.print(
                _(
                    say(
                        "This machine was busy: two threads had {cores} cores, so theirs is too low.",
                        cores=_decimal(had),
                    )
                )
            )

    def _peers(run: bench.Run) -> None:
        table = _table([say("Engine and game")], [say("Decisions per second"), say("Ratio")])
        for line, figure in run.peers.items():
            table.add_row(line, _whole(figure.rate), _decimal(figure.ratio))
        console.print()
        console.print(
            _(say("Other engines play other games; compare what a decision costs: listed, chosen, carried out."))
        )
        if run.peers:
            console.print(table)
        for title in peers.missing():
            console.print(_(say("{engine} is not installed; ./dev bench installs it.", engine=title)))

    @command("check", say("Replay match files; exit code 1 names what does not follow the rules."))
    @click.argument("files", nargs=-1, required=True, metavar="FILE...")
    def check_(files: Sequence[str]) -> int:
        texts = [(file, _read(file)) for file in files]
        good = bad = 0
        for file, text in texts:
            matches = list(documents.read_lines(text))
            if not matches:
                click.echo(_(say("{file}: there is no match in it", file=file)), err=True)
                bad += 1
            for number, line in enumerate(matches, start=1):
                try:
                    document = documents.loads(line)
                    Match.replay(games.find(document.game), document)
                    good += 1
                except Refusal as refusal:
                    bad += 1
                    why = translate(refusal.message, language)
                    rule = f" ({refusal.rule})" if refusal.rule else ""
                    place = say("{file}, match {number}: {why}", file=file, number=number, why=why + rule)
                    click.echo(" ".join(_(place).split()), err=True)
        click.echo(_(say("Good matches: {good}. Bad ones: {bad}.", good=good, bad=bad)))
        return 1 if bad else 0

    @command("play", say("Play in the terminal against bots."))
    @click.argument("game")
    @click.option("--players", "count", type=Whole(2, 6), help=_(say("How many players, you among them.")))
    @click.option("--against", metavar="NAME", default="greedy", help=_(say("The player in the other seats.")))
    @click.option("--name", metavar="TEXT", type=Text(), default=_(say("Player")), help=_(say("Your name.")))
    @match_options
    @click.option("--out", metavar="FILE", help=_(say("Write the match to this file when it ends.")))
    def play_(
        game: str,
        count: int | None,
        against: str,
        name: str,
        seed: str | None,
        pairs: Sequence[str],
        deck: str | None,
        board: str | None,
        out: str | None,
    ) -> None:
        found = games.find(game)
        bot = players.find(against)
        names = [name] + [f"{_(bot.label)} {i}" for i in range(1, count or found.seats[0])]
        match = Match(found, names, _options(found, pairs), seed=seed, data=_data(found, deck, board))
        _writable(out)
        if bot.searches:
            compiled.warm_in_background([found], delay=0)
        terminal.play(match, bot, language, console)
        if out is not None:
            with _writing(out) as file:
                file.write(match.document().text() + "\n")

    @command("warm", say("Compile the rules in advance, so that bots think at full speed at once."))
    @click.argument("names", nargs=-1, metavar="[GAME]...")
    def warm_(names: Sequence[str]) -> None:
        chosen = [games.find(name) for name in names] or list(games.games().values())
        for game in compiled.warm(chosen):
            console.print(_(say("{game} is compiled.", game=game.title)))

    @command("serve", say("Serve the table to browsers."))
    @click.option("--host", metavar="NAME", default="127.0.0.1", help=_(say("0.0.0.0 lets others in the room join.")))
    @click.option("--port", default="8000", type=Whole(0, 65535), help=_(say("The port; 0 takes a free one.")))
    @click.option("--database", metavar="FILE", help=_(say("Where the tables are kept.")))
    @click.option("--no-browser", is_flag=True, help=_(say("Do not open the browser.")))
    @click.option(
        "--deck",
        "decks",
        metavar="FILE",
        multiple=True,
        help=_(say("New tables play with this deck; its columns tell which game it is for.")),
    )
    @click.option("--board", "boards", metavar="FILE", multiple=True, help=_(say("New tables play on this board.")))
    def serve_(
        host: str, port: int, database: str | None, no_browser: bool, decks: Sequence[str], boards: Sequence[str]
    ) -> None:
        # only here, so that other commands start without the web
        from speeltafel.web.server import serve

        data = _house_data(decks, boards)
        # once the first pages are out, so that a slow machine shows them soon
        compiled.warm_in_background(list(games.games().values()), delay=5)
        serve(host=host, port=port, database=database, browser=not no_browser, language=language, data=data)

    return commands


def _writable(path: str | None) -> None:
    """Raise `Refusal` for a file that cannot be written, before minutes of work or play are lost."""
    if path is not None:
        with _writing(path, "a"):
            pass


@contextmanager
def _writing(path: str, mode: Literal["w", "a"] = "w") -> Iterator[TextIO]:
    """A file to write to, a new one or with mode `a` the old one. Raises `Refusal` when that cannot be."""
    try:
        with open(path, mode, encoding="utf-8") as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refusal(say("{file} cannot be written: {why}", file=path, why=error.strerror)) from None
