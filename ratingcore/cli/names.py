"""Commands about the names of players: name, names and erase."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Interrupted, Mistake, note, on_log, say
from ratingcore.cli.file_import import field_map, print_all, target
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import correcting, reading
from ratingcore.corrections.known_facts import players_with_results
from ratingcore.corrections.similar_names import similar_names
from ratingcore.engine import Engine
from ratingcore.erasure import Erased, known_as
from ratingcore.errors import ErasureUnfinished, UnknownName
from ratingcore.importer.tables import FieldMap
from ratingcore.log.abilities import uncleared
from ratingcore.log.lookup import uid_at


@command(
    "name",
    'ratingcore name club.db bo "Bo Lund"',
    "ratingcore name club.db --file names.csv --dry-run",
)
@options.log
@click.argument("key", required=False)
@click.argument("called", metavar="[SHOWN]", required=False)
@click.option("--file", metavar="FILE", help="A table with columns player and called, in place of KEY and SHOWN.")
@options.encoding
@click.option(
    "--at",
    callback=options.a_played_time,
    metavar="DAY",
    help="The day from which the name holds; the latest name counts.",
)
@click.option("--dry-run", is_flag=True, help="Show what would happen, and write nothing.")
@options.own_uid
def name(
    log: str, key: str | None, called: str | None, file: str | None, encoding: str | None, at: str | None,
    dry_run: bool, own_uid: str | None,
) -> None:  # fmt: skip
    """Show a player under another name.

    The key still identifies the player: results, ratings and digests do not change. Lists, histories and explanations
    show the name in a column beside the key, in every pool. Like the key, the name is removed by erase. A further name
    replaces this one; void takes it back.
    """
    if (file is None) is (key is None) or (key is not None and called is None):
        raise Mistake("expected KEY and SHOWN, or --file FILE", 'such as ratingcore name club.db bo "Bo Lund"')
    if file is not None:
        _name_all(log, file, field_map(None, None, {"encoding": encoding}), at, dry_run)
        return
    assert key is not None and called is not None, "checked above"  # noqa: PT018  # one fact: both are given
    with reading(log) if dry_run else correcting(log) as engine:
        engine.core.player_id(key)
        if dry_run:
            would = engine.plan.rename(key, called, at=at, own_uid=own_uid)
            outcome = (
                f"would be recorded: {key} is called {called}" if would.events else f"{key} is called {called} already"
            )
            note(f"{outcome}\nnothing was recorded")
            return
        receipt = engine.rename(key, called, at=at, own_uid=own_uid)
        if not receipt.accepted:
            note(f"{key} is called {called} already")
            return
        uid = uid_at(engine.log, receipt.head.position)
    click.echo(uid)
    note(f"recorded at position {receipt.head.position}; to take it back: {on_log('void', uid)}")


def _name_all(log: str, file: str, fields: FieldMap, at: str | None, dry_run: bool) -> None:
    with reading(log) as engine:
        pools = engine.pools()
    if not pools:
        raise Mistake(
            "the log holds no players yet", "add results with ratingcore import, or facts with ratingcore players"
        )
    with target(log, dry_run) as engine:
        print_all([engine.import_players(file, pools[0], fields, at=at, only_known=True, dry_run=dry_run)], "text")


@command(
    "names",
    "ratingcore names club.db",
    "ratingcore names club.db --similar --format csv > merges.csv",
)
@options.log
@click.option(
    "--similar", is_flag=True,
    help="List names that differ only by case, accents, blanks, the order of words, initials, or a typing"
    " error.",
)  # fmt: skip
@options.form
def names(log: str, similar: bool, form: str) -> None:
    """List the keys of players.

    Columns: player, called (the name that is shown), results (in all pools). With --similar, pairs of keys: keep (the
    one with more results), other, the results of each, and how they differ: spelling, initials, or typo. Only people
    can decide which pairs are one person: delete the other rows, and give the table to merge --file.
    """
    with reading(log) as engine:
        if not similar:
            rows = ({"called": None} | row for row in players_with_results(engine.log, engine.core.view))
            write(rows, ("player", "called", "results"), form)
            return
        pairs = similar_names(engine.log, engine.core.view)
        write((pair._asdict() for pair in pairs), ("keep", "other", "results", "other_results", "how"), form)
    if pairs:
        note("delete the rows of different people, and merge the others: ratingcore merge LOG --file merges.csv")
    else:
        note("no names differ only in their spelling")


@command(
    "erase",
    'ratingcore erase club.db "bo (guest)" --yes',
    "ratingcore erase club.db ann --also Annie --dry-run",
    "ratingcore erase club.db ann --rated-facts --dry-run",
    "ratingcore erase club.db ann --also Annie --by secretary --yes",
)
@options.log
@click.argument("player", shell_complete=completion.players)
@click.option(
    "--also", multiple=True, metavar="TEXT",
    help="Another text to look for in reasons, actors and sources, such as a surname; repeatable.",
)  # fmt: skip
@options.by
@click.option("--rated-facts", is_flag=True, help="Also erase facts that ratings are computed from; ratings may move.")
@click.option("--dry-run", is_flag=True, help="List what would be erased and what would stay; erase nothing.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation; needed in scripts.")
def erase(
    log: str, player: str, also: tuple[str, ...], by: str, rated_facts: bool, dry_run: bool, yes: bool
) -> None:  # fmt: skip
    """Erase a player for good: name and facts.

    Results and ratings stay, every digest and published list stays valid, and "(erased N)" is shown in place of the
    name. Names that are merged with it are erased as well, and so are facts such as club or title, and reasons, actors
    and sources that mention the player; all of them are listed first. Facts that an installed method uses for ratings,
    such as born, stay, so that no rating moves; --rated-facts erases them too, now or later, for the label "(erased
    N)". A key of digits alone, or of fewer than 3 characters, is not searched for in texts, since "board 12" mentions
    nobody; name such texts with --also. The file is written anew, so that no byte of the name is left in it; this waits
    until nobody reads the file.

    Not erased are uids and further fields of results that hold the name, and facts that an older version recorded: they
    are part of the digests, and are listed by position. Nothing outside this file is erased: old backups, old exports,
    tables in other files, your own tables.
    """
    begun = False
    with reading(log) if dry_run else correcting(log) as engine:
        try:
            names = known_as(engine.log, player)
        except UnknownName:
            names = (player,)
            begun = bool(uncleared(engine.log))
            if begun:
                note("finishing an erasure that was begun before")
            elif not rated_facts:
                raise
        listed: list[str] = []
        if dry_run or not begun:
            would = engine.plan.erase(player, also=also, rated_facts=rated_facts)
            if dry_run:
                say(str(would))
                note("\n".join([*_further(would.report), "nothing was erased"]))
                return
            left = would.report.left()
            listed = [] if yes else left  # users must see what stays before they answer, but only once
            note("\n".join([*would.goes(), *listed, *_further(would.report)]))
            _confirm(names, yes)
        with _reporting_what_is_erased(engine, begun):
            done = engine.erase(player, also=also, by=by, rated_facts=rated_facts)
    say("\n".join(line for line in str(done).splitlines() if line not in listed))
    if not (begun or done.mentions or done.unsought):
        note("no uid contains the name, so a uid cannot confirm a guess at the erased name")
    note("old backups, old exports, and tables in other files still hold the name; ratingcore cannot change them")
    note("a player who is recorded under this name from now on is a new player")


def _further(would: Erased) -> list[str]:
    """Returns advice on the options that would erase more."""
    facts = ["--rated-facts erases the facts that stay, too"] if would.rated else []
    return [*facts, *(["--also TEXT looks for further texts"] if would.unsought else [])]


@contextmanager
def _reporting_what_is_erased(engine: Engine, begun: bool) -> Iterator[None]:
    """Context manager that reports how much was erased if its block ends with an error or an interruption."""
    log = engine.log
    erasures, before = log.look().stamp.erasures, () if begun else uncleared(log)
    try:
        yield
    except ErasureUnfinished:
        raise
    except BaseException as error:
        if {*uncleared(log)} - {*before}:
            so_far = "the name is out of the log, but its bytes are still in the file: the same command clears them"
        else:
            so_far = "nothing was erased" if log.look().stamp.erasures == erasures else "all of it was erased"
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(so_far) from None
        note(so_far)
        raise


def _confirm(names: tuple[str, ...], yes: bool) -> None:
    """Asks on a terminal whether to erase; without a terminal, `--yes` is required."""
    if yes:
        return
    who = " and ".join(names)
    if not _at_a_terminal():
        raise Mistake(
            f"erasing {who} must be confirmed, and there is no terminal", "it cannot be undone; to confirm, add --yes"
        )
    try:
        meant = click.confirm(f"erase {who}? it cannot be undone", err=True)
    except click.Abort:  # Ctrl-C, or the end of input
        click.echo(err=True)
        meant = False
    if not meant:
        raise Mistake("nothing was erased")


def _at_a_terminal() -> bool:
    return sys.stdin.isatty()
