"""Commands about published lists: publish, lists, show and diff."""

import sys
from pathlib import Path
from typing import Any

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.files import must_be_new, write_new, write_page
from ratingcore.cli.options import command
from ratingcore.cli.output import chosen, write
from ratingcore.cli.question import Question, chosen_policy, correcting, cut_of, note_far_days, question, reading
from ratingcore.cli.sentences import in_brief, published_as
from ratingcore.columns import FOREVER
from ratingcore.engine import Engine
from ratingcore.events import clock
from ratingcore.events import exact as to_the_second
from ratingcore.lists import Published, RatingList
from ratingcore.lists.diff import COLUMNS
from ratingcore.lists.signatures import SigningKey
from ratingcore.replay.declared import official
from ratingcore.safe_text import counted


@command(
    "publish",
    "ratingcore publish club.db 2024-03 --through 2024-03-31",
    "ratingcore publish club.db 2024-03-strict --method elo:k=24 --through 2024-03-31 --min-games 2 --digits 0",
    "ratingcore publish club.db 2024-02 --through 2024-02-29 --sign key.pem --to signed.json",
)
@options.log
@click.argument("name")
@question()
@options.policy
@options.sign
@click.option("--to", "file", metavar="FILE", help="Write the JSON document of the list to a new file.")
@click.option("--dry-run", is_flag=True, help="Show what would be published and what has changed, and write nothing.")
def publish(
    log: str, name: str, question: Question, sign: str | None, file: str | None, dry_run: bool, **policy: Any
) -> None:
    """Publish a rating list under a name.

    The log keeps the question (pool, method, cuts, policy) and a seal of the rows, so that show can make the list again
    as it is now, whatever is corrected later. The command prints the seal. A name can be used once per pool, and stays
    in the log for ever as it is, so it must not contain the name of a person. Publishing the same list again changes
    nothing. A signature is part of the document, never of the log: show can sign the same list again at any time.
    """
    if sign:
        if file is None:
            raise Mistake("--sign needs --to", "a signature is part of the JSON document: --to list.json")
        SigningKey.read(sign)  # an unusable key is reported before anything is published
    if file:
        must_be_new(file)
    with reading(log) if dry_run else correcting(log) as engine:
        resolved = question.of(engine)
        note_far_days(engine, resolved)
        listed = engine.rating_list(*resolved, policy=chosen_policy(engine, resolved, policy))
        if dry_run:
            _preview_list(engine, listed, name)
            return
        before = engine.log.head.position
        published = engine.publish(listed, name)
        text = engine.published_list(published).document("json", published.name, sign=sign) if file else ""
    click.echo(published.seal)
    done = "published" if published.position > before else "the same list was published before"
    note(f"{done} {published_as(published)}: {counted(published.players, 'player')}")
    if file:
        write_new(file, text)
        note(f"{file}: the list as a document" + (", signed" if sign else ""))


def _preview_list(engine: Engine, listed: RatingList, name: str) -> None:
    """Prints the seal of a list to be published, and how many ratings differ from the newest published list."""
    plan, earlier = engine.plan.publish(listed, name), engine.published(listed.provenance.pool)
    click.echo(listed.seal)
    done = "would be published" if plan.events else "the same list was published before"
    note(f"{done} as {name} of pool {listed.provenance.pool}: {counted(len(listed), 'player')}")
    if earlier and plan.events:
        moved = len(engine.published_list(earlier[-1]).diff(listed))
        note(f"{counted(moved, 'player has', 'players have')} another rating than in the list {earlier[-1].name}")
    note("nothing was recorded")


SHORT = ("name", "pool", "as_of", "method", "players", "known_at", "position", "published", "seal")
FULL = (
    "name",
    "pool",
    "as_of",
    "through",
    "method",
    "policy",
    "players",
    "known_at",
    "digest",
    "position",
    "published",
)


@command(
    "lists",
    "ratingcore lists club.db",
    "ratingcore lists club.db --pool rapid --format json",
)
@options.log
@options.listed_pool
@options.form
def lists(log: str, pool: str | None, form: str) -> None:
    """List what was published, in the order of publication.

    Columns: name, pool, as_of (the day of the list), through (the last instant of play that counts), method, policy,
    players, known_at and digest (the head that the list was made from), position and published (when the publication
    was recorded), version, seal. A table has the most important columns, and shortens method and seal. The question
    that is declared for each pool comes last (on stderr).
    """
    with reading(log) as engine:
        short = form == "table"
        published = engine.published(pool)
        resolved = {one.pool: official(engine.log, one.pool, FOREVER) for one in published}
    write([_row(one, short) for one in published], SHORT if short else (*FULL, "version", "seal"), form)
    for name, declared in resolved.items():
        note(f"lists of {name} are by {declared.question}" if declared else f"no method is declared for pool {name}")


def _row(published: Published, short: bool) -> dict[str, object]:
    return {
        "name": published.name,
        "pool": published.pool,
        "as_of": None if published.of_no_day else clock(published.zone).day(published.at),
        "through": published.cut,
        "method": published.method.partition("(")[0] if short else published.method,
        "policy": published.policy,
        "players": published.players,
        "known_at": published.known_at,
        "digest": published.digest,
        "position": published.position,
        "published": to_the_second(published.recorded)[:10] if short else to_the_second(published.recorded),
        "version": published.version,
        "seal": published.seal[:12] if short else published.seal,
    }


FORMS = ("csv", "csv-spreadsheet", "json", "markdown")
_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown"}
"""The format for each ending of a file name."""


@command(
    "show",
    "ratingcore show club.db 2024-03",
    "ratingcore show club.db 2024-03 --format json > list.json",
    "ratingcore show club.db 2024-03 --to list.md",
    "ratingcore show club.db 2024-03 --sign key.pem --to signed.json",
)
@options.log
@click.argument("name", shell_complete=completion.lists)
@options.listed_pool
@click.option(
    "--format", "-f", "form", type=click.Choice(("table", *FORMS)),
    help=f"Format of the list. Default: a table on a terminal, csv elsewhere. {options.PROTECTED}",
)  # fmt: skip
@options.exact
@options.sign
@click.option(
    "--to",
    "file",
    metavar="FILE",
    help="Write the list to a new file; its ending is the format: .html, .pdf, .csv, .json or .md.",
)
@options.language
def show(
    log: str,
    name: str,
    pool: str | None,
    form: str | None,
    exact: bool,
    sign: str | None,
    file: str | None,
    language: str,
) -> None:
    """Show a published list as it was published.

    The list is made again from the log and compared with its seal. Every format includes what the list was made from:
    CSV in leading lines that begin with #, JSON in the form that prove checks. The columns of --exact were not
    published, and prove does not check them.
    """
    if file is not None and file.lower().endswith(options.PAGES) and form is None and not sign:
        with reading(log) as engine:
            published = engine.core.published(name, pool)
            write_page(engine, file, "published", published.pool, published.name, language=language)
        return
    way = form or (_way(file) if file else "json" if sign else chosen(None))
    if sign and way != "json":
        raise Mistake(f"a list can be signed only as JSON, not as {way}", "use --format json")
    with reading(log) as engine:
        published = engine.core.published(name, pool)
        listed = engine.published_list(published)
        listed = listed.with_exact() if exact else listed
        text = _table(engine, listed, published) if way == "table" else listed.document(way, published.name, sign=sign)
    if file is None:
        say(text.removesuffix("\n")) if way == "table" else sys.stdout.write(text)
        return
    write_new(file, text)
    note(f"{file}: the list published {published_as(published)}")


def _way(file: str) -> str:
    ending = Path(file).suffix.lower()
    if ending not in _ENDINGS:
        raise Mistake(f"the file has none of the endings {', '.join(_ENDINGS)}: {file}", "use one, or give --format")
    return _ENDINGS[ending]


def _table(engine: Engine, listed: RatingList, published: Published) -> str:
    facts = [
        f"published {published_as(published)}, {to_the_second(published.recorded)}",
        *listed.provenance.lines(brief=in_brief(engine.registry)),
        f"digest of the list {listed.digest}",
        f"seal of the list {listed.seal}",
    ]
    return "\n".join([*listed.table(), "", *facts, ""])


@command(
    "diff",
    "ratingcore diff club.db 2024-03",
    "ratingcore diff club.db 2024-03 --known-at 5",
    "ratingcore diff club.db 2024-03 2024-04",
)
@options.log
@click.argument("name", shell_complete=completion.lists)
@click.argument("other", required=False, shell_complete=completion.lists)
@options.listed_pool
@options.known_at
@options.form
def diff(log: str, name: str, other: str | None, pool: str | None, known_at: str | None, form: str) -> None:
    """Compare a published list with what is known now, or with another published list.

    The question of the list (pool, method, day, policy) is answered again from today's log, or from the log at
    --known-at; or OTHER names a second published list. Rows are the players whose rating differs, the largest change
    first: player, rank, new_rank, rating, new_rating, change.
    """
    if other is not None and known_at is not None:
        raise Mistake("--known-at and OTHER exclude each other", "compare with one of them")
    with reading(log) as engine:
        published = engine.core.published(name, pool)
        old = engine.published_list(published)
        if other is None:
            new = engine.restated(published, known_at=cut_of(engine, known_at))
            against = f"as known at position {new.known_at}"
        else:
            new = engine.published_list(engine.core.published(other, pool))
            against = f"against {other}"
        differences = old.diff(new)
        if differences.questions:
            note(f"note: the two lists answer different questions: {differences.questions}")
        write(differences, COLUMNS, form, rounded=differences.rounded_columns)
    moved = f"{len(differences)} of {counted(len(differences) + differences.same, 'player')}"
    note(f"{name}, known at position {published.known_at}, {against}: the rating of {moved} differs")
