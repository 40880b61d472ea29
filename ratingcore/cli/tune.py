"""`ratingcore tune`: the parameters with which a method forecasts an archive best, tested on games of another time."""

from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import chosen, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ratingcore.compare.tuning import Tuned

WAYS = ("grid", "random", "optimise")


def _span(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str | None, str | None] | None:
    """A span of days, FIRST:LAST; where one is left out, it reaches as far as the games do."""
    if text is None:
        return None
    option = max(param.opts, key=len)
    days = [day.strip() for day in text.split(":")]
    if len(days) != 2:
        raise Mistake(f"{option} is no span of days: {text!r}", "write FIRST:LAST, as in 2019-01-01:2019-12-31")
    since, through = (options.checked_time(day, option) if day else None for day in days)
    return since, through


def _grid(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """Values to try, by parameter."""
    values: dict[str, str] = {}
    for text in texts:
        parameter, equals, tried = (part.strip() for part in text.partition("="))
        if not equals or not parameter:
            raise Mistake(f"--grid is not spelt PARAMETER=VALUES: {text!r}", "write k=8:64:4 or home=0,50,100")
        if parameter in values:
            raise Mistake(f"--grid names a parameter twice: {parameter}", f"write {parameter}=VALUE,VALUE,...")
        values[parameter] = tried
    return values


@click.command(
    "tune",
    cls=Command,
    examples=(
        "ratingcore tune club.db --method elo --grid k=8:64:4",
        "ratingcore tune club.db -m elo -g k=8:64:8 -g first_move=0,35,70 --train :2024-03-04 --test 2024-03-05:",
        "ratingcore tune club.db -m elo -g k=8:64 --how optimise -n 20 -o brier --format csv > tried.csv",
    ),
)
@options.log
@options.pool
@click.option(
    "--method", "-m", metavar="METHOD", default="elo", show_default=True,
    help="The method to tune, and the setting to beat; parameters it names and the grid does not stay as they are.",
)  # fmt: skip
@click.option(
    "--grid", "-g", callback=_grid, multiple=True, required=True, metavar="PARAMETER=VALUES",
    help="What to try: k=8:64:4 (in steps of 4), k=8:64 (any number between), or k=10,20,40; may be repeated.",
)  # fmt: skip
@click.option(
    "--how", type=click.Choice(WAYS), default="grid", show_default=True,
    help="Every combination, some at random, or downhill from the best of a few.",
)  # fmt: skip
@click.option(
    "--objective", "-o", default="log_loss", show_default=True, metavar="SCORE",
    help="log_loss, brier, accuracy, deviance, ece; rps where draws are forecast. Of sessions, as compare has them: "
    "session_log_loss, session_brier, session_rps, session_winner; in a pool without games log_loss, brier, rps, too.",
)  # fmt: skip
@click.option("--train", callback=_span, metavar="DAY:DAY", help="Choose by the games of these days, both included.")
@click.option("--test", callback=_span, metavar="DAY:DAY", help="Test the choice on the games of these days.")
@click.option("-n", "n", type=options.Count(1), metavar="N", help="Settings tried by random and optimise; 60.")
@click.option("--seed", type=options.Count(0), default=0, metavar="N", help="Of what is drawn at random.")
@click.option("--jobs", "-j", type=int, metavar="N", help="Workers, each a process; -1 for one a core.")
@click.option("--refit", metavar="PERIOD", help="How often a retrospective method is fitted anew: month, year, ...")
@options.known_at
@options.form
def tune(
    log: str,
    pool: str | None,
    method: str,
    grid: dict[str, str],
    how: str,
    objective: str,
    train: tuple[str | None, str | None] | None,
    test: tuple[str | None, str | None] | None,
    n: int | None,
    seed: int,
    jobs: int | None,
    refit: str | None,
    known_at: str | None,
    form: str | None,
) -> None:
    """Find the parameters with which a method forecasts best.

    Every forecast is made strictly before its game. Settings are chosen by the games of one span and tested on those
    of another; without --train and --test the first three quarters of the games are trained on. Columns: a column a
    parameter, train and test score, games scored, and the method text of the setting.
    """
    if jobs == 0:
        raise Mistake("--jobs is no number of workers: 0", "write 2, or -1 for one a core")
    with reading(log) as engine:
        tuned = engine.tune(
            one_pool(engine, pool), method, grid, how, objective, train, test, n, seed, jobs,
            known_at=position(engine, known_at), refit=refit,
        )  # fmt: skip
    if chosen(form) == "table":
        say(f"{tuned}\n")
        write(_rounded(tuned), tuple(tuned.table.columns), form)
    else:
        write(tuned, tuple(tuned.table.columns), form)
        note(str(tuned))


def _rounded(tuned: "Tuned") -> "Iterator[Mapping[str, object]]":
    """Rows of the table: scores to six digits, parameters as they were tried."""
    for row in tuned:
        yield {
            name: round(cell, 6) if isinstance(cell, float) and name.startswith(("train_", "test_")) else cell
            for name, cell in row.items()
        }
