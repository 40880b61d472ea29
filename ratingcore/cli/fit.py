"""`ratingcore fit`: parameters estimated from results, by how likely each was before it was used."""

import click
from attrs import asdict

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note, say
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import chosen, write

COLUMNS = ("parameter", "value", "error", "low", "high")


@click.command(
    "fit",
    cls=Command,
    examples=(
        "ratingcore fit bridge.db",
        "ratingcore fit bridge.db --pool club --method bridge-bayes:deviation=150 --what sigma1,k",
        "ratingcore fit bridge.db -m bridge-bayes:tracking=full,density=student(5) -t 2024-03-20 -f json > fit.json",
    ),
)
@options.log
@options.pool
@click.option(
    "--method", "-m", metavar="METHOD",
    help="The method to fit; parameters that are not estimated stay as they are here. If left out, the only installed "
    "method that can be fitted and reads what the pool holds, games or sessions.",
)  # fmt: skip
@click.option(
    "--what", "-w", metavar="PARAMETER,...",
    help="Parameters to estimate, such as sigma1,deviation; those that the method finds right if left out.",
)  # fmt: skip
@options.through
@options.known_at
@options.form
def fit(
    log: str,
    pool: str | None,
    method: str | None,
    what: str | None,
    through: str | None,
    known_at: str | None,
    form: str | None,
) -> None:
    """Estimate parameters of a method from the results of a pool.

    Only methods whose formula says how likely a result is can be fitted; tune searches for the parameters of others.
    Every result is predicted before it is used. Columns: parameter, value, error (standard error), low and high (95 %
    interval). A parameter of which the results tell nothing has no error. The method text with the estimates follows.
    """
    names = [name.strip() for name in what.split(",")] if what else []
    with reading(log) as engine:
        made = engine.fit(one_pool(engine, pool), method, names, through, known_at=position(engine, known_at))
    rows = [asdict(estimate) for estimate in made.fitted.estimates]
    if chosen(form) == "table":
        write(({name: _rounded(cell) for name, cell in row.items()} for row in rows), COLUMNS, form)
        say(f"\n{made}")
    else:
        write(rows, COLUMNS, form)
        note(str(made))


def _rounded(cell: str | float) -> str | float:
    """A number to four digits, for people."""
    return float(f"{cell:.4g}") if isinstance(cell, float) else cell
