"""`ratingcore record`: records one game that is typed on the command line."""

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note, on_log
from ratingcore.cli.fields import pairs, score, typed_facts
from ratingcore.cli.histories import preview
from ratingcore.cli.options import command
from ratingcore.cli.predict import write_prediction
from ratingcore.cli.question import new_pool, one_pool, reading, recording, warn_of_newcomers
from ratingcore.corrections.mentions import Mentions
from ratingcore.corrections.merge import self_pairings
from ratingcore.events import GamePlayed
from ratingcore.events.values import Fact, new_uid
from ratingcore.importer.recorded_notes import BetweenOnePerson
from ratingcore.importer.recorded_twice import recorded_twice
from ratingcore.spelling import near_names


@command(
    "record",
    "ratingcore record club.db --pool rapid --played 2024-03-02 ann bo 1-0",
    "ratingcore record club.db --pool rapid --played 2024-03-09 ann cy 1/2 --uid march-7 --home a",
    "ratingcore record club.db --pool rapid --played 2024-03-09 ann cy 1-0 --dry-run --method elo:k=24",
    "ratingcore record club.db --pool rapid --played 2024-03-09 ann cy --dry-run --method elo:k=24",
    "ratingcore record club.db --pool rapid --played 2024-03-09T19:30+01:00 bo cy 0-1 --set home=b --set round=2",
)
@options.log
@click.argument("a", shell_complete=completion.players)
@click.argument("b", shell_complete=completion.players)
@click.argument("points", metavar="[SCORE]", required=False)
@options.pool
@click.option(
    "--played",
    callback=options.a_played_time,
    required=True,
    metavar="DAY",
    help="Day of the game, or time with an offset.",
)
@click.option("--uid", metavar="TEXT", help="A unique id of the game; generated if left out.")
@click.option("--order", type=int, default=0, metavar="N", help="Order among the games of one day or time.")
@click.option("--home", type=click.Choice(("a", "b")), help="The player who was at home, or had the first move.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A further fact: home=a or event=Open.")
@options.dry_run
@options.tried_method
@options.form
def record(
    log: str, a: str, b: str, points: str | None, pool: str | None, played: str, uid: str | None, order: int,
    home: str | None, fields: tuple[str, ...], dry_run: bool, method: str | None, form: str,
) -> None:  # fmt: skip
    """Record one game.

    A played against B; SCORE is the score of A: 1-0, 1/2, 0-1, or a share such as 0.75. The log is made if it is
    missing. The command prints the uid of the game, which void and amend need. With --uid, recording the same game
    twice changes nothing.

    With --dry-run and without a SCORE, the command shows the expected score and the ratings after each result, as
    predict does.
    """
    typed = typed_facts(pairs([*fields, *([f"home={home}"] if home else [])]))
    if points is None:
        if not dry_run:
            raise Mistake(
                "no SCORE is given", "write 1-0, 1/2 or 0-1; with --dry-run it may be left out, to see what to expect"
            )
        _expect(log, a, b, pool, played, typed, method, form)
        return

    game = GamePlayed(
        uid=new_uid() if uid is None else uid, pool=new_pool(log, pool), played=played, a=a, b=b,
        score=score(points), order=order, data=typed,
    )  # fmt: skip
    with reading(log) if dry_run else recording(log) as engine:
        named = (("pool", game.pool), ("player", game.a), ("player", game.b))
        new = [
            f"{kind} {name}" + (f" (did you mean {' or '.join(near)}?)" if near else "")
            for kind, name in named
            if engine.log.book.find(kind, name) is None
            for near in [near_names(name, engine.log.book.keys_of(kind))]
        ]
        for doubt in engine.core.doubts([game]):
            note(f"warning: {doubt}")
        here = f"new here: {', '.join(new)}" if new else ""
        if dry_run:
            if here:
                note(here)
            preview(engine, [game], "the game", game.pool, method, form)
        else:
            if uid is not None and Mentions([a, b]).within(uid):
                note(f"warning: the uid {uid} contains the name of a player, and a uid can never be erased")
            receipt = engine.record(game)
            click.echo(game.uid)
            if not receipt.duplicates and (at := sorted(self_pairings(engine.log, receipt.head.position - 1))):
                note(f"warning: {BetweenOnePerson(len(at), at[0])}")
            last = receipt.head.position
            for twice in recorded_twice(engine.log, last - 1, [(last, last)]) if receipt.accepted else ():
                note(f"warning: {twice.noted({})}; if it is the same game: {on_log('void', game.uid)}")
            warn_of_newcomers(engine, last - receipt.accepted)
            for left_out in [] if receipt.duplicates else engine.core.unlisted([game]):
                note(f"note: {left_out}")
            done = "in the log already" if receipt.duplicates else f"recorded at position {receipt.head.position}"
            note(f"{done}; {here}" if here else done)


def _expect(
    log: str, a: str, b: str, pool: str | None, played: str, typed: dict[str, Fact], method: str | None, form: str
) -> None:
    """Prints the forecast of a game that has no result yet."""
    with reading(log) as engine:
        (one,) = engine.predict(one_pool(engine, pool), method, [(a, b)], played, facts=typed, newcomers=True)
        write_prediction(one, form)
        note("nothing was recorded")
