"""Commands that find the right method: compare, tune and fit."""

from collections.abc import Iterator, Mapping

import click
from attrs import asdict

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, counting, note, say
from ratingcore.cli.files import check_free, keep, page_of
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import ResolvedQuestion, asking, note_undeclared
from ratingcore.compare.comparison import Comparison
from ratingcore.compare.tuning import Tuned
from ratingcore.engine import Engine
from ratingcore.lists import ListPolicy
from ratingcore.report.table import Table

SHORT = ("method", "games", "log_loss", "95 %", "better_by", "± 95 %", "brier", "accuracy", "ece", "unrated")
SESSIONS = (
    "method", "sessions", "sides", "log_loss", "95 %", "better_by", "± 95 %", "brier", "rps", "winner", "unrated",
)  # fmt: skip
ODD = ("left out by ", "home of ")
"""Prefixes of the facts that count results without a field that a method reads."""
COHORTS = ("gap", "strength", "experience", "year")


@command(
    "compare",
    "ratingcore compare club.db -m elo -m elo:k=40",
    "ratingcore compare club.db -m elo -m periodic -m chess-bayes --since 2024-03-04 --format csv > scores.csv",
    "ratingcore compare club.db -m elo -m elo:k=40 --csv tables --json comparison.json",
)
@asking("pool", "through", "known_at")
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True, required=True, shell_complete=completion.methods,
    help="A method with its parameters; repeat it for each method to compare.",
)  # fmt: skip
@click.option(
    "--since",
    callback=options.a_time,
    metavar="DAY",
    help="Score only results from this day on; earlier ones are still rated.",
)
@click.option(
    "--burn-in", default="none", metavar="RULE",
    help="Leave games unscored while ratings settle: each(N) if a player has played fewer than N games before, "
    "games(N) the first N of the pool, days(N) those of the first N days.",
)  # fmt: skip
@click.option("--refit", metavar="PERIOD", help="How often retrospective methods are refitted; default: month.")
@click.option(
    "--cohort", "-c", "cohorts", metavar="KIND", multiple=True,
    help="Score by gap, strength, experience, year, event, or a field of results or players; may be repeated; "
    f"default: {', '.join(COHORTS)}.",
)  # fmt: skip
@click.option(
    "--player", "players", metavar="NAME", multiple=True, shell_complete=completion.players,
    help="Follow the rating of a player; may be repeated; default: the five players with most games.",
)  # fmt: skip
@click.option(
    "--against", "--reference", "-r", "reference", metavar="METHOD", shell_complete=completion.methods,
    help="Compare the other methods with this one; default: the first.",
)  # fmt: skip
@options.min_games
@options.active
@click.option(
    "--clusters",
    metavar="FIELD",
    help="Field that groups results with correlated errors, for the intervals, such as judge or day.",
)
@click.option("--seed", type=options.Count(0), default=0, metavar="N", help="Seed of the bootstrap.")
@click.option("--html", metavar="FILE", help="Write a report with charts to a single new file.")
@click.option("--json", "as_json", metavar="FILE", help="Write every number to a new JSON file.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write each table to a CSV file in this folder.")
@options.form
def compare(
    engine: Engine,
    question: ResolvedQuestion,
    methods: tuple[str, ...],
    since: str | None,
    burn_in: str,
    refit: str | None,
    cohorts: tuple[str, ...],
    players: tuple[str, ...],
    reference: str | None,
    min_games: int | None,
    active: str | None,
    clusters: str | None,
    seed: int,
    html: str | None,
    as_json: str | None,
    folder: str | None,
    form: str,
) -> None:
    """Score the forecasts of several methods on the same results.

    Every forecast is made strictly before its result; retrospective methods are refitted at the beginning of every
    period of --refit. Games and sessions are scored separately, and only those that every method can forecast. Tables
    are ranked by log loss. Columns: 95 % is the interval of the log loss; better_by is how many nats per game or
    session a method is better than the reference; ± 95 % is half the width of that interval; unrated is how many games
    or sessions the method could not forecast.

    Each session counts once. Its columns are log_loss and brier of "one side finishes ahead of another", averaged over
    all pairs of sides, with a tie as one half; rps, the ranked probability score of the places (Epstein 1969); and
    winner, the log loss of the winner. The other formats have all columns, unrounded: those of the games, or those of
    the sessions if there are no games.
    """
    check_free(as_json, folder=folder, html=html)
    with counting("forecasts", f"of {len(methods)} methods") as progress:
        comparison = engine.compare(
            question.pool, methods, question.through, question.known_at, since=since, burn_in=burn_in, refit=refit,
            cohorts=cohorts or COHORTS, players=players, reference=reference,
            policy=_policy(min_games=min_games, active=active), clusters=clusters, seed=seed, progress=progress,
        )  # fmt: skip
    keep(comparison, lambda: page_of(engine, "comparison", comparison), html, as_json, folder)
    _show(comparison, form)


def _policy(**given: object) -> ListPolicy | None:
    """Returns the list policy that the options give; None if none of them is given."""
    return None if all(value is None for value in given.values()) else options.list_policy(ListPolicy(), **given)


def _show(comparison: Comparison, form: str) -> None:
    left_out = [f"left out: {row['method']}: {row['why']}" for row in comparison.left_out]
    kinds = ((comparison.scores, SHORT), (comparison.sessions, SESSIONS))
    scored = [(table, columns) for table, columns in kinds if len(table)]
    if form != "table":
        table, _ = scored[0]
        write(table, tuple(table.columns), form)
        odd = [f"{row['fact']}: {row['value']}" for row in comparison.provenance if str(row["fact"]).startswith(ODD)]
        note("\n".join([comparison.answer, comparison.measured, *left_out, *odd]))
        return
    say(f"{comparison.answer}\n{comparison.measured}\n")
    for number, (table, columns) in enumerate(scored):
        if number:
            say("")
        write(_short(table, columns), columns, form)
    facts = [f"{row['fact']}: {row['value']}" for row in comparison.provenance]
    best_two = [f"the two best: {row['verdict']}" for row in _of_best_two(comparison)]
    say("\n".join(["", *best_two, *left_out, *facts]))


def _of_best_two(comparison: Comparison) -> Iterator[Mapping[str, object]]:
    """Yields the row that compares the two best methods, if neither of them is the reference."""
    return (row for row in comparison.pairs if row["used"] and row["against"] != comparison.reference)


def _short(table: Table, columns: tuple[str, ...]) -> Iterator[dict[str, object]]:
    """Yields rows of scores rounded as the table shows them."""
    for row in table:
        better, low, high = row["better_by"], row["better_by_low"], row["better_by_high"]
        yield {
            **{name: _rounded(row[name]) for name in columns if name in row},
            "95 %": _between(row["log_loss_low"], row["log_loss_high"]),
            "better_by": None if better is None else f"{better:+.4f}",
            "± 95 %": None if low is None or high is None else f"{(float(high) - float(low)) / 2:.4f}",
        }


def _rounded(cell: object) -> object:
    return round(cell, 4) if isinstance(cell, float) else cell


def _between(low: object, high: object) -> str | None:
    return None if low is None or high is None else f"{low:.4f} to {high:.4f}"


WAYS = ("grid", "random", "optimise")


def _span(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str | None, str | None] | None:
    """Parses a span of days, FIRST:LAST; an end that is left out is None, and means the first or last game."""
    if text is None:
        return None
    option = max(param.opts, key=len)
    days = [day.strip() for day in text.split(":")]
    if len(days) != 2:
        raise Mistake(f"{option} must be a span of days: {text!r}", "write FIRST:LAST, as in 2019-01-01:2019-12-31")
    since, through = (options.checked_time(day, option) if day else None for day in days)
    return since, through


def _grid(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """Returns the values to try for each parameter, as typed."""
    values: dict[str, str] = {}
    for text in texts:
        parameter, equals, tried = (part.strip() for part in text.partition("="))
        if not equals or not parameter:
            raise Mistake(f"--grid must be PARAMETER=VALUES: {text!r}", "write k=8:64:4 or home=0,50,100")
        if parameter in values:
            raise Mistake(f"--grid names a parameter twice: {parameter}", f"write {parameter}=VALUE,VALUE,...")
        values[parameter] = tried
    return values


@command(
    "tune",
    "ratingcore tune club.db --method elo --grid k=8:64:4",
    "ratingcore tune club.db -m elo -g k=8:64:8 -g first_move=0,35,70 --train :2024-03-04 --test 2024-03-05:",
    "ratingcore tune club.db -m elo -g k=8:64 --how optimise -n 20 -o brier --format csv > tried.csv",
)
@asking("pool", "known_at")
@click.option(
    "--method", "-m", metavar="METHOD",
    help="The method to tune; its own parameters are the setting to beat, and those not in the grid keep their "
    "values. Default: the method of the pool.",
)  # fmt: skip
@click.option(
    "--grid", "-g", callback=_grid, multiple=True, required=True, metavar="PARAMETER=VALUES",
    help="Values to try: k=8:64:4 (in steps of 4), k=8:64 (any number between), or k=10,20,40; may be "
    "repeated.",
)  # fmt: skip
@click.option(
    "--how", type=click.Choice(WAYS), default="grid", show_default=True,
    help="How to search: every combination, random ones, or descent from the best of a few.",
)  # fmt: skip
@click.option(
    "--objective", "-o", default="log_loss", show_default=True, metavar="SCORE",
    help="Score to choose by: log_loss, brier, accuracy, deviance, ece, or rps where draws are forecast; for sessions "
    "session_log_loss, session_brier, session_rps or session_winner; without games, log_loss, brier and rps are these.",
)  # fmt: skip
@click.option(
    "--train", callback=_span, metavar="DAY:DAY", help="Choose the setting on the games of these days, both included."
)
@click.option("--test", callback=_span, metavar="DAY:DAY", help="Test the choice on the games of these days.")
@click.option(
    "-n", "n", type=options.Count(1), metavar="N", help="Number of settings that random and optimise try; default: 60."
)
@click.option("--seed", type=options.Count(0), default=0, metavar="N", help="Seed of the random numbers.")
@click.option("--jobs", "-j", type=int, metavar="N", help="Number of processes; -1 for one per core.")
@click.option("--refit", metavar="PERIOD", help="How often a retrospective method is refitted, such as month or year.")
@click.option(
    "--clusters",
    metavar="FIELD",
    help="Field that groups results with correlated errors, for the intervals, such as judge or day.",
)
@options.form
def tune(
    engine: Engine,
    question: ResolvedQuestion,
    method: str | None,
    grid: dict[str, str],
    how: str,
    objective: str,
    train: tuple[str | None, str | None] | None,
    test: tuple[str | None, str | None] | None,
    n: int | None,
    seed: int,
    jobs: int | None,
    refit: str | None,
    clusters: str | None,
    form: str,
) -> None:
    """Find the parameters with which a method forecasts best.

    Every forecast is made strictly before its game. Settings are chosen on the games of one span of days and tested on
    the games of another; without --train and --test, the first three quarters of the games are for training. Columns:
    one per parameter, the training and test scores, the number of games scored, and the method text of the setting.
    """
    if jobs == 0:
        raise Mistake("--jobs must not be 0", "write 2, or -1 for one per core")
    with counting("scored", "settings") as progress:
        tuned = engine.tune(
            question.pool, method, grid, how, objective, train, test, n, seed, jobs,
            known_at=question.known_at, refit=refit, clusters=clusters, progress=progress,
        )  # fmt: skip
    note_undeclared(engine, question._replace(method=method))
    if form == "table":
        say(f"{tuned}\n")
        write(_six_digits(tuned), tuple(tuned.as_table().columns), form)
    else:
        write(tuned, tuple(tuned.as_table().columns), form)
        note(str(tuned))


def _six_digits(tuned: Tuned) -> Iterator[Mapping[str, object]]:
    """Yields the rows of the table, with scores rounded to six decimals and parameters as tried."""
    for row in tuned:
        yield {
            name: round(cell, 6) if isinstance(cell, float) and name.startswith(("train_", "test_")) else cell
            for name, cell in row.items()
        }


COLUMNS = ("parameter", "value", "error", "low", "high")


@command(
    "fit",
    "ratingcore fit bridge.db",
    "ratingcore fit bridge.db --pool club --method bridge-bayes:deviation=150 --what sigma1,k",
    "ratingcore fit bridge.db -m bridge-bayes:tracking=full,density=student(5) -t 2024-03-20 -f json > fit.json",
)
@asking("pool", "through", "known_at")
@click.option(
    "--method", "-m", metavar="METHOD",
    help="The method to fit; parameters that are not estimated keep the values given here. Default: the "
    "only installed method that can be fitted to what the pool holds, games or sessions.",
)  # fmt: skip
@click.option(
    "--what", "-w", metavar="PARAMETER,...",
    help="Parameters to estimate, such as sigma1,deviation; default: those that the method suggests.",
)  # fmt: skip
@options.form
def fit(engine: Engine, question: ResolvedQuestion, method: str | None, what: str | None, form: str) -> None:
    """Estimate parameters of a method from the results of a pool.

    Only methods with a formula for the probability of a result can be fitted; use tune to find the parameters of the
    others. Every result is predicted before it is used. Columns: parameter, value, error (standard error), low and high
    (95 % interval). A parameter that the results do not determine has no error. The method text with the estimates
    follows.
    """
    names = [name.strip() for name in what.split(",")] if what else []
    made = engine.fit(question.pool, method, names, question.through, known_at=question.known_at)
    rows = [asdict(estimate) for estimate in made.fitted.estimates]
    if form == "table":
        write(({name: _four_digits(cell) for name, cell in row.items()} for row in rows), COLUMNS, form)
        say(f"\n{made}")
    else:
        write(rows, COLUMNS, form)
        note(str(made))


def _four_digits(cell: str | float) -> str | float:
    """Rounds a number to four significant digits."""
    return float(f"{cell:.4g}") if isinstance(cell, float) else cell
