"""`ratingcore publish`: a rating list under a name, which stays what it was."""

from typing import Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.new_file import must_be_new, write_new
from ratingcore.cli.open_log import correcting, note_far_days, one_pool, position
from ratingcore.cli.phrases import players, published_as


@click.command(
    "publish",
    cls=Command,
    examples=(
        "ratingcore publish club.db 2024-03 --through 2024-03-31",
        "ratingcore publish club.db 2024-03-strict --method elo:k=24 --through 2024-03-31 --min-games 2 --digits 0",
        "ratingcore publish club.db 2024-02 --through 2024-02-29 --sign key.pem --to signed.json",
    ),
)
@options.log
@click.argument("name")
@options.question
@options.policy
@options.sign
@click.option("--to", "file", metavar="FILE", help="Write the JSON document of the list to a new file.")
def publish(
    log: str,
    name: str,
    pool: str | None,
    method: str,
    through: str | None,
    known_at: str | None,
    sign: str | None,
    file: str | None,
    **policy: Any,
) -> None:
    """Publish a rating list under a name.

    The log keeps the question (pool, method, cuts, policy) and a seal on the rows, so that show makes the list
    again as it is now, whatever is corrected later. The seal is printed. A name is given once in a pool, for ever; it
    stands in the log as it is, so it must name nobody. Publishing the same list again changes nothing.
    A signature is part of the document, and never of the log: show signs the same list again whenever it is needed.
    """
    if sign:
        from ratingcore.lists.signatures import SigningKey

        if file is None:
            raise Mistake("a signature is part of the document of a list", "say where to write it: --to list.json")
        SigningKey.read(sign)  # a key that cannot be used is told before anything is published
    if file:
        must_be_new(file)
    with correcting(log) as engine:
        pool, cut = one_pool(engine, pool), position(engine, known_at)
        note_far_days(engine, pool, through, cut)
        listed = engine.rating_list(pool, method, through, cut, policy=options.list_policy(**policy))
        before = engine.log.head.position
        published = engine.publish(listed, name)
        text = engine.published_list(published).document("json", published.name, sign=sign) if file else ""
    click.echo(published.seal)
    done = "published" if published.position > before else "the same list was published before"
    note(f"{done} {published_as(published)}: {players(published.players)}")
    if file:
        write_new(file, text)
        note(f"{file}: the list as a document" + (", signed" if sign else ""))
