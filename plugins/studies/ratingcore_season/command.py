"""`ratingcore season`: the final table of a season, with the chance of every place."""

import click

from ratingcore.plugin.analysis import Worth
from ratingcore.plugin.commands import (
    Engine,
    Mistake,
    ResolvedQuestion,
    asking,
    command,
    field_map,
    in_brief,
    meetings_in,
    note,
    note_undeclared,
    options,
    pairs,
    typed_facts,
    write,
    write_page,
)
from ratingcore_season.season import MOST, Season
from ratingcore_season.season import season as played_out

PLACES = 3
"""Places from the top whose chances a table shows, before that of the last one."""


def _a_picture(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    if file is not None and not file.lower().endswith((*options.PAGES, ".svg")):
        raise Mistake(
            f"--to writes .html, .pdf or .svg files, and this name ends otherwise: {file}",
            "name it .html, .pdf or .svg",
        )
    return file


@command(
    "season",
    "ratingcore season club.db fixtures.csv",
    "ratingcore season club.db fixtures.csv --worth 2,1,0 --from 2024-01-01 --method elo:first_move=35",
    "ratingcore season club.db fixtures.csv --runs 1000 --seed 2 --format json",
)
@asking("pool", "method", "known_at")
@click.argument("file")
@click.option(
    "--worth", callback=options.a_worth, default="3,1,0", show_default=True, metavar="W,D,L",
    help="Points for a win, a draw and a loss.",
)  # fmt: skip
@click.option("--from", "since", callback=options.a_time, metavar="DAY", help="First day of the season.")
@click.option(
    "--runs",
    type=click.IntRange(1, MOST),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Number of runs.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the random numbers.",
)
@click.option("--home", type=click.Choice(("a", "b")), help="The side that is at home, or has the first move.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A further fact that the method reads.")
@click.option("--map", "mapped", metavar="FIELD=COLUMN,...", help="The columns that hold a, b, played, ...")
@click.option("--mapping", metavar="FILE", help="The TOML mapping file with which its results are imported.")
@options.encoding
@click.option("--newcomers", is_flag=True, help="Treat players who are unknown to the pool as newcomers.")
@click.option(
    "--to", "page", callback=_a_picture, metavar="FILE",
    help="Write a page to a new file, .html or .pdf, or the chances of places as a picture, .svg.",
)  # fmt: skip
@options.language
@options.form
def season(
    engine: Engine,
    question: ResolvedQuestion,
    file: str,
    worth: Worth,
    since: str | None,
    runs: int,
    seed: int,
    home: str | None,
    fields: tuple[str, ...],
    mapped: str | None,
    mapping: str | None,
    encoding: str | None,
    newcomers: bool,
    page: str | None,
    language: str,
    form: str,
) -> None:
    """Play out a season: the final table, and the chance of every place.

    FILE is a table of the games to come, with columns a and b, and one for each further fact (home: a or b); days are
    ignored. These games are the rest of a season that began on the day of --from. Columns, one row per player: player,
    played, points (so far), left (games to come), expected and spread (mean and standard deviation of the final
    points), place (the mean place), and the chance of each place; a table shows the first three places and the last
    one. Each run draws the ratings once from their deviations, and then plays every game to come. The same log, options
    and seed give the same numbers.
    """
    facts = typed_facts(pairs([*fields, *([f"home={home}"] if home else [])]))
    fixtures = meetings_in(engine, file, field_map(mapped, mapping, {"encoding": encoding}), facts)
    found = played_out(
        engine, question.pool, question.method, [sides for sides, _ in fixtures], worth, question.known_at, since=since,
        facts=[further for _, further in fixtures], newcomers=newcomers, runs=runs, seed=seed,
    )  # fmt: skip
    if page is not None:
        kind = "season_picture" if page.lower().endswith(".svg") else "season"
        write_page(engine, page, kind, found, language=language)
    else:
        _write(found, form)
        note("\n".join(found.notes(in_brief(engine.registry))))
    note_undeclared(engine, question)


def _write(found: Season, form: str) -> None:
    """Prints one row per player."""
    table = found.as_table()
    if form != "table":
        write(table, tuple(table.columns), form)
        return
    by_place = [name for name in table.columns if name.startswith("place ")]
    shown = [*by_place[:PLACES], *by_place[max(PLACES, len(by_place) - 1) :]]
    names = {name: name for name in ("player", "points", "left", "expected", "place")}
    names |= {name: f"{name.removeprefix('place ')}." for name in shown}
    write(({head: row[name] for name, head in names.items()} for row in table), tuple(names.values()), form, digits=2)
