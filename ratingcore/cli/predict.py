"""`ratingcore predict`: forecasts upcoming games, and shows the ratings after each possible result."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.fields import pairs, typed_facts
from ratingcore.cli.file_import import field_map
from ratingcore.cli.fixtures import Meeting, in_line, meeting_of, side_of
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import ResolvedQuestion, asking, note_undeclared
from ratingcore.engine import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.events.values import Fact
from ratingcore.importer.inputs import source_at
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.short_tables import read_fixtures
from ratingcore.predict import Prediction, Predictions
from ratingcore.registry import Registry


@command(
    "predict",
    "ratingcore predict club.db ann bo",
    "ratingcore predict club.db ann bo --pool rapid --method glicko2:preset=lichess --at 2024-06-01",
    "ratingcore predict club.db ann bo --method elo:first_move=35 --home a --format json",
    "ratingcore predict bridge.db ann+bo cy+di --method weng-lin",
    "ratingcore predict club.db --file fixtures.csv --method elo:k=24 --format csv",
)
@asking("pool", "method", "known_at")
@click.argument("sides", metavar="[SIDE]...", nargs=-1, shell_complete=completion.players)
@click.option(
    "--at", callback=options.a_played_time, metavar="DAY",
    help="When the game is played; right after the last known result if left out.",
)  # fmt: skip
@click.option("--home", type=click.Choice(("a", "b")), help="The side that is at home, or has the first move.")
@click.option(
    "--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A further fact of the game that the method reads."
)
@click.option(
    "--result",
    "results",
    multiple=True,
    metavar="SCORES",
    help="A result to consider: one score per side, such as 60-40.",
)
@click.option(
    "--file",
    "--fixtures",
    "file",
    metavar="FILE",
    help="A table with columns a and b, in place of SIDEs; one row of output per row.",
)
@click.option(
    "--map", "mapped", metavar="FIELD=COLUMN,...", help="With --file: the columns that hold a, b, played, ..."
)
@click.option(
    "--mapping", metavar="FILE", help="With --file: the TOML mapping file with which its results are imported."
)
@options.encoding
@click.option("--newcomers", is_flag=True, help="Treat players who are unknown to the pool as newcomers.")
@options.form
def predict(
    engine: Engine,
    question: ResolvedQuestion,
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
    form: str,
) -> None:
    """Predict the score of a game, and the ratings after each result.

    A SIDE is a player, or several players on one side: ann+cy. One row per player, with the columns side, player, the
    method's columns (rating, deviation, ...), the expected score of the side, its chances of win, draw and loss where
    the method gives them, and the ratings after each result: rating_win, rating_draw, rating_loss. With three or four
    sides, the results are all orders of finish, written as the place of each side (rating_places_2-1-3: the second side
    finishes first); with more sides, each side finishing first. The numbers of --result are scores, the highest being
    best (rating_scores_60-40). For a method that rates by period, the ratings after a result are those at the end of
    the period, together with everything else that is known of it.

    A file may have a column played, in place of --at, and a column for each further fact (home: a or b). A side of
    several players is written ann+cy there too. Use --map if columns have other names, or --mapping with the mapping
    file of your imports: home, words and forms of days are then read as in imports. The output has one row per game: a,
    b, played, expected, win, draw and loss of a, and the ratings before the game.
    """
    if (file is None) is (len(sides) == 0):
        raise Mistake("expected two or more SIDEs, or --file FILE", "such as: ratingcore predict club.db ann bo")
    if len(sides) == 1:
        raise Mistake("only one SIDE is given", "give two or more")
    about_files = {"--map": mapped, "--mapping": mapping, "--encoding": encoding}
    if file is None and (given := [name for name, text in about_files.items() if text is not None]):
        raise Mistake(f"{given[-1]} is only for files", "add --file FILE")
    columns = field_map(mapped, mapping, {"encoding": encoding})
    typed = typed_facts(pairs([*fields, *([f"home={home}"] if home else [])]))
    if file is not None:
        if results:
            raise Mistake(
                "--result cannot be used with --file",
                "ratings after a result are shown only for SIDEs on the command line",
            )
        _write_file(engine, file, columns, question, at, typed, newcomers, form)
        note_undeclared(engine, question)
        return
    seated = [side_of(engine, side) for side in sides]
    scores = [_scores(text, len(sides)) for text in results]
    (one,) = engine.predict(
        question.pool,
        question.method,
        [seated],
        at,
        question.known_at,
        facts=typed,
        results=scores,
        newcomers=newcomers,
    )
    write_prediction(one, form)
    note_undeclared(engine, question)


def write_prediction(one: Prediction, form: str) -> None:
    """Prints a row per player, and on stderr the time of the forecast and its notes."""
    write(one, tuple(one.as_table().columns), form, digits=4)
    note("\n".join([f"as of {one.time}", *one.notes]))


def _scores(text: str, sides: int) -> tuple[float, ...]:
    try:
        scores = tuple(float(part) for part in text.split("-"))
    except ValueError:
        scores = ()
    if len(scores) != sides:
        example = "-".join(map(str, range(sides, 0, -1)))
        raise Mistake(f"--result needs one score for each of {sides} sides: {text}", f"write it as {example}")
    return scores


def _write_file(
    engine: Engine, file: str, fields: FieldMap, question: ResolvedQuestion, at: str | None, typed: dict[str, Fact],
    newcomers: bool,
    form: str,
) -> None:  # fmt: skip
    """Prints one row for each game of a table."""
    source = source_at(file, Registry.installed().sheets)
    fixtures = read_fixtures(source, fields)
    made: list[Prediction] = []
    # most tables list games by day, so consecutive games of one day are predicted together
    for played, some in groupby(fixtures, lambda one: one.played):
        games = list(some)
        with in_line(file, games[0].line):
            day = options.checked_time(played, "the column played") if played else at
        meetings = [meeting_of(engine, file, one, typed) for one in games]
        ask = partial(
            engine.predict,
            question.pool,
            question.method,
            at=day,
            known_at=question.known_at,
            newcomers=newcomers,
            after=False,
        )
        made += _predicted(file, [one.line for one in games], meetings, ask)
    predictions = Predictions(tuple(made))
    table = predictions.as_table()
    write(table, tuple(table.columns), form, digits=4)
    for text in predictions.notes:
        note(text)


def _predicted(
    file: str, lines: Sequence[int], meetings: Sequence[Meeting], ask: Callable[..., Iterable[Prediction]]
) -> list[Prediction]:
    """Predicts games of one time together; after an error, finds the line that caused it by halving."""
    sides, further = [sides for sides, _ in meetings], [further for _, further in meetings]
    if len(lines) == 1:
        with in_line(file, lines[0]):
            return list(ask(sides, facts=further))
    try:
        return list(ask(sides, facts=further))
    except RatingCoreError:
        half = len(lines) // 2
        first = _predicted(file, lines[:half], meetings[:half], ask)
        return first + _predicted(file, lines[half:], meetings[half:], ask)
