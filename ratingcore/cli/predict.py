"""`ratingcore predict`: what a method expects of games to come, and what the ratings would be after each result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.fields import pairs, typed_facts
from ratingcore.cli.file_import import field_map
from ratingcore.cli.files import write_page
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import Asked, asking, note_undeclared
from ratingcore.cli.sentences import in_brief
from ratingcore.engine import Engine
from ratingcore.errors import BadFile, RatingCoreError
from ratingcore.events.values import Fact
from ratingcore.explain.points_table import Worth
from ratingcore.importer.inputs import source_at
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.short_tables import Fixture, read_fixtures
from ratingcore.predict import Prediction, Predictions, Season
from ratingcore.registry import Registry

Meeting = tuple[tuple[tuple[str, ...], tuple[str, ...]], dict[str, Fact]]
"""The two sides, and what else is known of their game."""


def _a_picture(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    if file is not None and not file.lower().endswith((*options.PAGES, ".svg")):
        raise Mistake(f"--to writes a page or a picture, and this is neither: {file}", "name it .html, .pdf or .svg")
    return file


@command(
    "predict",
    "ratingcore predict club.db ann bo",
    "ratingcore predict club.db ann bo --pool rapid --method glicko2:preset=lichess --at 2024-06-01",
    "ratingcore predict club.db ann bo --method elo:first_move=35 --home a --format json",
    "ratingcore predict bridge.db ann+bo cy+di --method weng-lin",
    "ratingcore predict club.db --file fixtures.csv --method elo:k=24 --format csv",
    "ratingcore predict club.db --fixtures fixtures.csv --table 3,1,0 --simulate 1000 --from 2024-01-01",
)
@asking("pool", "method", "known_at")
@click.argument("sides", metavar="[SIDE]...", nargs=-1, shell_complete=completion.players)
@click.option(
    "--at", callback=options.a_played_time, metavar="DAY",
    help="When it is played; right after everything known if left out.",
)  # fmt: skip
@click.option("--home", type=click.Choice(("a", "b")), help="Which side is at home, or has the first move.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A further fact that the method reads.")
@click.option(
    "--result", "results", multiple=True, metavar="SCORES", help="A result to look at: a score a side, as 60-40."
)
@click.option(
    "--file",
    "--fixtures",
    "file",
    metavar="FILE",
    help="A table with columns a and b, in place of SIDEs: a row of output each.",
)
@click.option("--map", "mapped", metavar="FIELD=COLUMN,...", help="With --file: which columns hold a, b, played, ...")
@click.option("--mapping", metavar="FILE", help="With --file: the TOML file with which its results are imported.")
@options.encoding
@click.option("--newcomers", is_flag=True, help="Take players whom the pool does not know for newcomers.")
@click.option(
    "--table", "worth", callback=options.a_worth, metavar="W,D,L",
    help="The final table of a season in which win, draw and loss are worth these, with the chance of each place; the "
    "games to come are those of --fixtures.",
)  # fmt: skip
@click.option(
    "--simulate", "runs", type=click.IntRange(1, 10**6), metavar="N",
    help="With --table: how often the rest of the season is played, 10000 times if left out.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63), metavar="N", help="With --table: of the dice, 1 if left out.")
@click.option("--from", "since", callback=options.a_time, metavar="DAY", help="With --table: first day of the season.")
@click.option(
    "--to", "page", callback=_a_picture, metavar="FILE",
    help="With --table: write it to a new file as a page, .html or .pdf, or the chances of places as a picture, .svg.",
)  # fmt: skip
@options.language
@options.form
def predict(
    engine: Engine,
    asked: Asked,
    sides: tuple[str, ...],
    at: str | None,
    home: str | None,
    fields: tuple[str, ...],
    results: tuple[str, ...],
    file: str | None,
    mapped: str | None,
    mapping: str | None,
    encoding: str | None,
    newcomers: bool,
    worth: Worth | None,
    runs: int | None,
    seed: int | None,
    since: str | None,
    page: str | None,
    language: str,
    form: str,
) -> None:
    """Say what to expect of a game to come, and what the ratings would be after each result.

    A SIDE is a player, or several that sit together: ann+cy. Columns, a row a player: side, player, what the method
    lists (rating, deviation, ...), expected score of the side, its chances of win, draw and loss where the method gives
    them, and what it would list after each: rating_win, rating_draw, rating_loss. Of three or four sides the orders of
    finish stand in their place, as places by side (rating_places_2-1-3: the second side comes in first), of more each
    side first; the numbers of --result are scores, the highest being best (rating_scores_60-40). Of a method that rates
    by period the ratings after a result are those at the end of the period, with everything else that is known of it.

    A file may have a column played, in place of --at, and a column for each further fact (home: a or b). A side of
    several players is written ann+cy there too; --map names columns that are called otherwise, and --mapping takes the
    file with which the results are imported: home ground, words and forms of days are read as there. Then a row
    a game comes out: a, b, played, expected, win, draw, loss of a, and the ratings before it.

    With --table the fixtures are the rest of a season that began on the day of --from. Columns, a row a player: player,
    played, points (so far), left (games to come), expected and spread (mean and standard deviation of the final
    points), place (the mean one), and the chance of each place; a table shows the first three and the last. In each
    run ratings are drawn once from their deviations; then every game to come is played. Days of fixtures mean nothing
    here. The same log, options and seed give the same numbers.
    """
    if (file is None) is (len(sides) == 0):
        raise Mistake("expected two or more SIDEs, or --file FILE", "such as: ratingcore predict club.db ann bo")
    if len(sides) == 1:
        raise Mistake("one SIDE is named", "name two or more")
    about_files = {"--map": mapped, "--mapping": mapping, "--encoding": encoding}
    if file is None and (given := [name for name, text in about_files.items() if text is not None]):
        raise Mistake(f"{given[-1]} is about a file", "name it: --file FILE")
    if worth is None and (runs, seed, since, page) != (None, None, None, None):
        hint = "say what its games are worth: --table 3,1,0"
        raise Mistake("--simulate, --seed, --from and --to are about a season", hint)
    if worth is not None and (file is None or results or at is not None):
        raise Mistake("--table is about the games of --fixtures FILE, without --result and --at")
    columns = field_map(mapped, mapping, {"encoding": encoding})
    typed = typed_facts(pairs([*fields, *([f"home={home}"] if home else [])]))
    if file is not None:
        if worth is not None:
            fixtures = _fixtures(engine, file, columns, typed)
            found = engine.season(
                asked.pool, asked.method, [sides for sides, _ in fixtures], worth, asked.known_at, since=since,
                facts=[further for _, further in fixtures], newcomers=newcomers, runs=runs or 10_000,
                seed=1 if seed is None else seed,
            )  # fmt: skip
            _write_season(engine, found, page, language, form)
            note_undeclared(engine, asked)
            return
        if results:
            raise Mistake("--result is given with a file", "ratings after a result are told of typed sides only")
        _write_file(engine, file, columns, asked, at, typed, newcomers, form)
        note_undeclared(engine, asked)
        return
    seated = [side_of(engine, side) for side in sides]
    scores = [_scores(text, len(sides)) for text in results]
    (one,) = engine.predict(
        asked.pool, asked.method, [seated], at, asked.known_at, facts=typed, results=scores, newcomers=newcomers
    )
    write_prediction(one, form)
    note_undeclared(engine, asked)


def _fixtures(engine: Engine, file: str, fields: FieldMap, typed: dict[str, Fact]) -> list[Meeting]:
    """The games to come of a table."""
    fixtures = read_fixtures(source_at(file, Registry.installed().sheets), fields)
    return [_meeting(engine, file, one, typed) for one in fixtures]


PLACES = 3
"""Places from the top whose chances a table shows, before that of the last one."""


def _write_season(engine: Engine, found: Season, page: str | None, language: str, form: str) -> None:
    """Prints a row a player, or writes the page or the picture."""
    if page is not None:
        kind = "season_picture" if page.lower().endswith(".svg") else "season"
        write_page(engine, page, kind, found, language=language)
        return
    table = found.as_table()
    if form == "table":
        by_place = [name for name in table.columns if name.startswith("place ")]
        shown = [*by_place[:PLACES], *by_place[max(PLACES, len(by_place) - 1) :]]
        names = {name: name for name in ("player", "points", "left", "expected", "place")}
        names |= {name: f"{name.removeprefix('place ')}." for name in shown}
        rows: Iterable[Mapping[str, object]] = ({head: row[name] for name, head in names.items()} for row in table)
        write(rows, tuple(names.values()), form, digits=2)
    else:
        write(table, tuple(table.columns), form)
    note("\n".join(in_brief(found.notes(), engine.registry)))


def write_prediction(one: Prediction, form: str) -> None:
    """Prints a row a player, and on stderr what the method does not say."""
    write(one, tuple(one.as_table().columns), form, digits=4)
    note("\n".join([f"as of {one.time}", *one.notes]))


def side_of(engine: Engine, text: str) -> tuple[str, ...]:
    """The players of a side: one whose name it is, or several with + between them."""
    if "+" not in text or engine.log.id_of("player", text) is not None:
        return (text,)
    players = tuple(player.strip() for player in text.split("+"))
    if not all(players):
        raise Mistake(f"a side names no player beside a +: {text}", "write several players as ann+cy")
    return players


def _scores(text: str, sides: int) -> tuple[float, ...]:
    try:
        scores = tuple(float(part) for part in text.split("-"))
    except ValueError:
        scores = ()
    if len(scores) != sides:
        raise Mistake(f"--result has not one score for each of {sides} sides: {text}", "such as 60-40")
    return scores


def _write_file(
    engine: Engine, file: str, fields: FieldMap, asked: Asked, at: str | None, typed: dict[str, Fact], newcomers: bool,
    form: str,
) -> None:  # fmt: skip
    """Prints a row a game of a table."""
    source = source_at(file, Registry.installed().sheets)
    fixtures = read_fixtures(source, fields)
    made: list[Prediction] = []
    # games of one day follow one another in most tables: they are looked at together
    for played, some in groupby(fixtures, lambda one: one.played):
        games = list(some)
        with _named(file, games[0].line):
            day = options.checked_time(played, "the column played") if played else at
        meetings = [_meeting(engine, file, one, typed) for one in games]
        ask = partial(
            engine.predict, asked.pool, asked.method, at=day, known_at=asked.known_at, newcomers=newcomers, after=False
        )
        made += _predicted(file, [one.line for one in games], meetings, ask)
    predictions = Predictions(tuple(made))
    table = predictions.as_table()
    write(table, tuple(table.columns), form, digits=4)
    for text in predictions.notes:
        note(text)


@contextmanager
def _named(file: str, line: int) -> Iterator[None]:
    """Says of what goes wrong in which line of the file it does."""
    try:
        yield
    except Mistake as mistake:
        raise BadFile(file, f"line {line}: {mistake.message}", mistake.hint) from None
    except RatingCoreError as error:
        raise BadFile(file, f"line {line}: {error}", error.suggestion) from error


def _meeting(engine: Engine, file: str, one: Fixture, typed: dict[str, Fact]) -> Meeting:
    with _named(file, one.line):
        return (side_of(engine, one.a), side_of(engine, one.b)), typed | typed_facts(one.facts)


def _predicted(
    file: str, lines: Sequence[int], meetings: Sequence[Meeting], ask: Callable[..., Iterable[Prediction]]
) -> list[Prediction]:
    """Predictions of meetings of one time, which are looked at together; of one that cannot be, its line is found."""
    sides, further = [sides for sides, _ in meetings], [further for _, further in meetings]
    if len(lines) == 1:
        with _named(file, lines[0]):
            return list(ask(sides, facts=further))
    try:
        return list(ask(sides, facts=further))
    except RatingCoreError:
        half = len(lines) // 2
        first = _predicted(file, lines[:half], meetings[:half], ask)
        return first + _predicted(file, lines[half:], meetings[half:], ask)
