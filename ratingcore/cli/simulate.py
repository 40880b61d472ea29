"""`ratingcore simulate`: a world in which the true strength is known, and methods that try to find it."""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.open_log import recording
from ratingcore.cli.output import chosen, write
from ratingcore.cli.report_files import keep, see_free

if TYPE_CHECKING:
    from ratingcore.laboratory import Contender, Trial, World
    from ratingcore.laboratory.study import Study

ROUNDS = (1, 5, 10, 20, 50)
"""Rounds that the table shows, with the last one, unless all are asked for."""

SHORT = ("round", "contender", "deviation", "over seeds", "largest", "shift", "kendall", "pearson", "players")
PLAYERS = (
    "contender", "player", "true", "estimated", "off", "games", "appetite", "wins", "draws", "losses", "boosts",
    "joined", "left",
)  # fmt: skip
SOURCE = ("A", "B", "C")
START = 1100.0
"""Rating at which everybody begins in the source study."""


@click.command(
    "simulate",
    cls=Command,
    examples=(
        "ratingcore simulate thesis-1",
        "ratingcore simulate thesis-2:rounds=5 --seeds 2 -m elo:k=40 --html lab.html",
        "ratingcore simulate thesis-1:rounds=3,games_mean=5 --without B --without C --log world.db",
        "ratingcore simulate thesis-1:players=300,joining_mean=20,leaving_mean=20,rounds=10 --players > players.csv",
    ),
)
@click.argument("scenario", metavar="SCENARIO")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many runs.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
    help="Of the first run; each further one has the next number.",
)  # fmt: skip
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True,
    help="A further method beside A, B and C, such as elo:k=24; with entry=trial(15) newcomers enter by games. May be "
    "repeated.",
)  # fmt: skip
@click.option(
    "--without", metavar="NAME", multiple=True, type=click.Choice(SOURCE), help="Leave A, B or C out; may be repeated."
)
@click.option(
    "--k", default="czech", show_default=True, metavar="K",
    help="K of A, B and C: a number, or a rule; czech is 15 below 2400 and 10 from there on.",
)  # fmt: skip
@click.option(
    "--start", default="1100", show_default=True, metavar="RATING",
    help="Where further methods begin, but for whole-pool ones and those that say initial= themselves; own: where each "
    "would by itself.",
)  # fmt: skip
@click.option("--rounds", "all_rounds", is_flag=True, help="Show every round.")
@click.option("--players", is_flag=True, help="Show every player of the first run after the last round instead.")
@click.option(
    "--player", "follow", type=click.IntRange(min=0), multiple=True, metavar="NUMBER",
    help="Follow a player in the report and the curves; may be repeated; a few unlike ones unless said.",
)  # fmt: skip
@click.option("--jobs", type=int, default=1, show_default=True, metavar="N", help="Processes; -1 for one a core.")
@click.option(
    "--log", "log", metavar="LOG", help="Write what the first contender played in the first run to a new log."
)
@click.option("--html", metavar="FILE", help="Write a report with charts to a new file that needs no other.")
@click.option("--json", "as_json", metavar="FILE", help="Write every number to a new JSON file.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write a CSV file a table into a folder.")
@options.form
def simulate(
    scenario: str,
    seeds: int,
    seed: int,
    methods: tuple[str, ...],
    without: tuple[str, ...],
    k: str,
    start: str,
    all_rounds: bool,
    players: bool,
    follow: tuple[int, ...],
    jobs: int,
    log: str | None,
    html: str | None,
    as_json: str | None,
    folder: str | None,
    form: str | None,
) -> None:
    """Simulate players of known strength, and see which method finds it.

    SCENARIO is thesis-1, thesis-2 or thesis-3, the three worlds of the source study, or one of them with what is
    to differ: thesis-1:players=500,joining_mean=30,leaving_mean=30,evolution=sine. A, B and C are the study's
    combinations: Elo; Elo with newcomers who enter by games; the same with a K that adapts. All contenders live
    through the same arrivals and departures, and adding one changes nothing for the others. Where sides of several
    players meet (seats=2), A, B and C cannot take part.

    The table shows the mean and the largest distance between true and estimated ratings, the mean by which estimated
    ratings are higher than true ones (shift), and two correlations, each a mean over the runs. Other formats have
    all measures, unrounded.
    """
    from ratingcore.laboratory import World

    if all_rounds and players:
        raise Mistake("--rounds and --players are two different tables", "ask for one of them; --csv writes all")
    if jobs == 0:
        raise Mistake("--jobs is none: 0", "one process at least, or -1 for one a core")
    see_free(log, as_json, folder=folder, html=html)
    world = World.parse(scenario)
    contenders = _contenders(methods, SOURCE if world.seats > 1 else without, k, start)
    from ratingcore.laboratory.study import Study

    numbers = range(seed, seed + seeds)
    command = _command(world, numbers, methods, without, k, start, follow)
    made = Study.of(_played(world, contenders, numbers, jobs, log), follow=follow, command=command)
    keep(made, lambda: _page(made), html, as_json, folder)
    _show(made, all_rounds, players, form)


def _contenders(methods: Sequence[str], without: Sequence[str], k: str, start: str) -> "list[Contender]":
    from ratingcore.laboratory import Contender, combinations
    from ratingcore.methods import Cadence
    from ratingcore.methods.text import split
    from ratingcore.registry import Registry

    method = Registry.installed().method
    contenders = [contender for contender in combinations(method, k) if contender.name not in without]
    begins = _start(start)
    for text in methods:
        kind = method(text)
        own = "initial" in split(text)[1] or kind.cadence is Cadence.RETROSPECTIVE  # the latter starts anew every round
        contenders.append(Contender.of(text, kind, None if own else begins))
    if not contenders:
        raise Mistake("nobody takes part", "name a method: -m elo:k=24")
    return contenders


def _start(text: str) -> float | None:
    if text.strip() == "own":
        return None
    try:
        return float(text)
    except ValueError:
        raise Mistake(f"--start is neither a rating nor own: {text!r}", "write it like 1100") from None


def _command(
    world: "World", seeds: range, methods: Sequence[str], without: Sequence[str], k: str, start: str,
    follow: Sequence[int],
) -> str:  # fmt: skip
    """The command line that makes the same report."""
    words = ["ratingcore", "simulate", str(world), "--seeds", str(len(seeds)), "--seed", str(seeds.start)]
    for option, given in (("--method", methods), ("--without", without), ("--player", follow)):
        for value in given:
            words += [option, str(value)]
    words += ["--k", k] if k != "czech" else []
    words += ["--start", start] if methods and start != "1100" else []
    return shlex.join([*words, "--html", "lab.html"])


def _played(
    world: "World", contenders: "Sequence[Contender]", seeds: range, jobs: int, log: str | None
) -> "Iterator[Trial]":
    """Yields the runs one after another; writes what the first one played into a log if one is named."""
    from ratingcore.laboratory import Laboratory, trials

    rest, watched = list(seeds), sys.stderr.isatty()
    if log is not None:
        first = Laboratory(world, contenders, rest.pop(0), keep=True).run()
        _write_log(first, log)
        for standing in first.standings:
            standing.kept = ()
        yield first
    for number, trial in enumerate(trials(world, contenders, rest, jobs), len(seeds) - len(rest) + 1):
        if watched and len(seeds) > 1:
            click.echo(f"\rseeds: {number} of {len(seeds)}" + "\n" * (number == len(seeds)), nl=False, err=True)
        yield trial


def _write_log(trial: "Trial", log: str) -> None:
    from ratingcore.laboratory import write as write_log

    with recording(log) as engine:
        head = write_log(trial, engine.log)
    note(f"{log}: {head.position:,} events of the pool world, played by {trial.contenders[0]}, seed {trial.seed}")


def _page(made: "Study") -> str:
    from ratingcore.laboratory.report import lab_html

    return lab_html(made)


def _show(made: "Study", all_rounds: bool, players: bool, form: str | None) -> None:
    short = chosen(form) == "table"
    table = made.players if players else made.rounds
    rows: Iterator[Mapping[str, Any]] = iter(table)
    if not players:
        shown = _shown(len(made.trials[0].worlds), all_rounds)
        rows = (row for row in rows if shown(row["round"]))
    if short:
        sys.stdout.write(f"{made.answer}\n\n")
        write(map(_player if players else _round, rows), PLAYERS if players else SHORT, form)
        facts = [f"{row['fact']}: {row['value']}" for row in made.provenance if row["fact"] != "parameters"]
        sys.stdout.write("\n".join(["", *facts, ""]))
    else:
        write(rows, tuple(table.columns), form)
        note(made.answer)


def _shown(last: int, every: bool) -> Callable[[int], bool]:
    return lambda number: every or number in ROUNDS or number == last


def _round(row: Mapping[str, Any]) -> Mapping[str, Any]:
    low, high = row["deviation_low"], row["deviation_high"]
    return {
        "round": row["round"], "contender": row["contender"], "deviation": _to(row["deviation"], 1),
        "over seeds": None if low is None or low == high else f"{low:.1f} to {high:.1f}",
        "largest": _to(row["largest"], 0), "shift": _to(row["shift"], 1), "kendall": _to(row["kendall"], 3),
        "pearson": _to(row["pearson"], 3), "players": _to(row["active"], 0),
    }  # fmt: skip


def _player(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        **row,
        **{name: _to(row[name], 1) for name in ("true", "estimated", "off")},
        "appetite": _to(row["appetite"], 2),
    }


def _to(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:z.{digits}f}"
