"""`ratingcore simulate`: a world of known true strengths, and methods that try to find them."""

import shlex
import sys
from collections.abc import Iterator, Sequence

import click

from ratingcore.plugin import Cadence
from ratingcore.plugin.analysis import Registry, split
from ratingcore.plugin.commands import Mistake, check_free, command, keep, note, options, recording, shown
from ratingcore_laboratory.as_log import write
from ratingcore_laboratory.command_tables import show, show_extremes, show_thresholds
from ratingcore_laboratory.contender import Contender, combinations
from ratingcore_laboratory.report import lab_html
from ratingcore_laboratory.run import Laboratory, trials
from ratingcore_laboratory.study import Study
from ratingcore_laboratory.thresholds import THRESHOLDS, Thresholds
from ratingcore_laboratory.trial import Trial
from ratingcore_laboratory.world import World, preset_of

SOURCE = ("A", "B", "C")
START = 1100.0
"""Rating at which everybody begins in the source study."""


@command(
    "simulate",
    "ratingcore simulate thesis-1",
    "ratingcore simulate thesis-1 --thresholds 0.55,0.6,0.65",
    "ratingcore simulate thesis-2:rounds=5 --seeds 2 -m elo:k=20 --html lab.html",
    "ratingcore simulate thesis-1:rounds=3,games_mean=5 --without B --without C --log world.db",
    "ratingcore simulate thesis-1:players=300,joining_mean=20,leaving_mean=20,rounds=10 --players > players.csv",
)
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--seeds",
    type=options.Count(1, 10_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of runs.",
)
@click.option(
    "--seed", type=options.Count(0), default=1, show_default=True, metavar="N",
    help="Seed of the first run; each further run has the next number.",
)  # fmt: skip
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True,
    help="A further method beside A, B and C, such as elo:k=24; newcomers enter by games with entry=trial(15), by "
    "their results with entry=pooled(5,26). May be repeated.",
)  # fmt: skip
@click.option(
    "--without", metavar="NAME", multiple=True, type=click.Choice(SOURCE), help="Leave A, B or C out; may be repeated."
)
@click.option(
    "--k", default="40", show_default=True, metavar="K",
    help="K of A, B and C: a number, or a rule; czech is 15 below 2400 and 10 from there on.",
)  # fmt: skip
@click.option(
    "--thresholds", metavar="LIST",
    help="Compare thresholds of C, such as 0.55,0.6,0.65, and show only these; files about thesis-1 have "
    "these three unless you give another list, or none.",
)  # fmt: skip
@click.option(
    "--start", default="1100", show_default=True, metavar="RATING",
    help="First rating in further methods, except in whole-pool ones and where initial= is given; own: "
    "each method's own first rating.",
)  # fmt: skip
@click.option("--rounds", "all_rounds", is_flag=True, help="Show every round.")
@click.option("--players", is_flag=True, help="Show every player of the first run after the last round instead.")
@click.option("--extremes", is_flag=True, help="Show the best and the worst estimated player of each round instead.")
@click.option(
    "--follow", "--player", "followed", multiple=True, metavar="ID,...",
    help="Follow these players in the report and the curves, even if they join later; a varied few if "
    "left out.",
)  # fmt: skip
@click.option(
    "--jobs", type=int, default=1, show_default=True, metavar="N", help="Number of processes; -1 for one per core."
)
@click.option(
    "--log", "log", metavar="LOG", help="Write the games of the first contender in the first run to a new log."
)
@click.option("--html", metavar="FILE", help="Write a report with charts to a new file, complete in itself.")
@click.option("--json", "as_json", metavar="FILE", help="Write every number to a new JSON file.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write each table to a CSV file in this folder.")
@options.form
def simulate(
    scenario: str,
    seeds: int,
    seed: int,
    methods: tuple[str, ...],
    without: tuple[str, ...],
    k: str,
    thresholds: str | None,
    start: str,
    all_rounds: bool,
    players: bool,
    extremes: bool,
    followed: tuple[str, ...],
    jobs: int,
    log: str | None,
    html: str | None,
    as_json: str | None,
    folder: str | None,
    form: str,
) -> None:
    """Simulate players of known strength, and measure how well each method finds it.

    SCENARIO is thesis-1, thesis-2 or thesis-3, the three worlds of the source study, or one of them with changed
    parameters: thesis-1:players=500,joining_mean=30,leaving_mean=30,evolution=sine. A, B and C are the study's
    combinations: Elo; Elo with newcomers who enter by games; the same with a K that adapts. All contenders see the same
    arrivals and departures, and adding one changes nothing for the others. For methods that read points, such as
    elo-margin, margins are drawn from the gap of the strengths (margin=13.86 points). Where sides of several players
    meet (seats=2), A, B and C cannot take part.

    The table shows the mean and the largest distance between true and estimated ratings, the mean by which estimated
    ratings are higher than true ones (shift), and two correlations, each a mean over the runs. Other formats have all
    measures, unrounded.
    """
    flags = {"--thresholds": thresholds not in (None, "none"), "--players": players, "--extremes": extremes}
    tables = [name for name, wanted in flags.items() if wanted]
    if all_rounds and players:
        tables.insert(0, "--rounds")
    if len(tables) > 1:
        raise Mistake(f"{' and '.join(tables[:2])} are two different tables", "ask for one of them; --csv writes all")
    follow = _ids(followed)
    if jobs == 0:
        raise Mistake("--jobs must not be 0", "write 2, or -1 for one per core")
    check_free(log, as_json, folder=folder, html=html)
    world = World.parse(scenario)
    contenders = _contenders(methods, SOURCE if world.seats > 1 else without, k, start)

    numbers = range(seed, seed + seeds)
    chosen = _thresholds(thresholds, world, contenders, filed=bool(html or as_json or folder))
    command = _command(world, numbers, methods, without, k, thresholds, start, follow)
    runs = tuple(_played(world, contenders, numbers, jobs, log, follow))
    tried = _tried(world, chosen, numbers, jobs, k) if chosen else None
    made = Study.of(runs, follow=follow, command=command, thresholds=tried)
    keep(made, lambda: lab_html(made), html, as_json, folder)
    if tried is not None and thresholds is not None:
        show_thresholds(made, tried.answer, all_rounds, form)
    elif extremes:
        show_extremes(made, all_rounds, form)
    else:
        show(made, all_rounds, players, form)


def _contenders(methods: Sequence[str], without: Sequence[str], k: str, start: str) -> list[Contender]:
    method = Registry.installed().method
    contenders = [contender for contender in combinations(method, k) if contender.name not in without]
    begins = _start(start)
    for text in methods:
        kind = method(text)
        own = "initial" in split(text)[1] or kind.cadence is Cadence.RETROSPECTIVE  # the latter starts anew every round
        contenders.append(Contender.of(text, kind, None if own else begins))
    if not contenders:
        raise Mistake("no method takes part", "name a method: -m elo:k=24")
    return contenders


def _ids(texts: Sequence[str]) -> tuple[int, ...]:
    """The numbers of players in texts such as 3,17."""
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in words:
        if not word.isdecimal() or len(word) > 9:
            raise Mistake(
                f"--follow must be numbers of players: {word!r}", "players have the numbers 0, 1, 2, ...: --follow 3,17"
            )
    return tuple(map(int, words))


def _start(text: str) -> float | None:
    if text.strip() == "own":
        return None
    try:
        return float(text)
    except ValueError:
        raise Mistake(f"--start is neither a rating nor own: {text!r}", "write it like 1100") from None


def _thresholds(text: str | None, world: World, contenders: Sequence[Contender], *, filed: bool) -> tuple[float, ...]:
    """The thresholds to compare: the requested ones, or in files about the first world of the study its own."""
    if text is None:
        complete = set(SOURCE) <= {contender.name for contender in contenders}
        return THRESHOLDS if filed and complete and preset_of(world) == "thesis-1" else ()
    if text.strip() == "none":
        return ()
    if world.seats > 1:
        raise Mistake(
            "--thresholds needs C, which cannot take part where sides have several players",
            "leave out seats or --thresholds",
        )
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError:
        raise Mistake(f"--thresholds must be shares: {text!r}", "write them like 0.55,0.6,0.65") from None


def _tried(world: World, thresholds: Sequence[float], seeds: range, jobs: int, k: str) -> Thresholds:
    return Thresholds.play(world, Registry.installed().method, thresholds, seeds, jobs, k=k)


def _command(
    world: World, seeds: range, methods: Sequence[str], without: Sequence[str], k: str, thresholds: str | None,
    start: str, follow: Sequence[int],
) -> str:  # fmt: skip
    """The command line that makes the same report."""
    words = ["ratingcore", "simulate", str(world), "--seeds", str(len(seeds)), "--seed", str(seeds.start)]
    for option, given in (("--method", methods), ("--without", without)):
        for value in given:
            words += [option, value]
    words += ["--follow", ",".join(map(str, follow))] if follow else []
    words += ["--k", k] if k != "40" else []
    words += ["--thresholds", thresholds] if thresholds is not None else []
    words += ["--start", start] if methods and start != "1100" else []
    return shlex.join([*words, "--html", "lab.html"])


def _played(
    world: World,
    contenders: Sequence[Contender],
    seeds: range,
    jobs: int,
    log: str | None,
    follow: Sequence[int],
) -> Iterator[Trial]:
    """Yields the runs one after another; writes the games of the first one into a log if one is named."""
    rest, watched = list(seeds), sys.stderr.isatty()
    if log is not None:
        first = Laboratory(world, contenders, rest.pop(0), keep=True, follow=follow).run()
        _write_log(first, log)
        for standing in first.standings:
            standing.round_results = ()
        yield first
    for number, trial in enumerate(trials(world, contenders, rest, jobs, follow=follow), len(seeds) - len(rest) + 1):
        if watched and len(seeds) > 1:
            click.echo(f"\rseeds: {number} of {len(seeds)}" + "\n" * (number == len(seeds)), nl=False, err=True)
        yield trial


def _write_log(trial: Trial, log: str) -> None:
    with recording(log) as engine:
        head = write(trial, engine.log)
    played = f"{head.position:,} events of the pool world, played by {trial.contenders[0]}, seed {trial.seed}"
    note(f"{shown(log)}: {played}")
