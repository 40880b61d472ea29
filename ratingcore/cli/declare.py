"""Commands about pools: `declare` sets the method, the results and the zone of a pool, and `pools` lists all pools."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click
from attrs import evolve

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.histories import preview
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import is_there, reading, recording
from ratingcore.engine import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.events import PoolDeclared, iso
from ratingcore.lists.policy import policy_of
from ratingcore.log.lookup import uid_at
from ratingcore.methods.rule_histories import PREFIX, THEN, labelled, steps_of
from ratingcore.registry.rule_books import RuleBook, bundled_books
from ratingcore.replay.declared import UNDECLARED, questions

COLUMNS = ("pool", "players", "results", "method", "digits", "min_games", "active", "from", "zone", "fits")


@command(
    "declare",
    "ratingcore declare club.db --pool club --method elo:k=24 --digits 0 --min-games 5 --active '12 months'",
    "ratingcore declare club.db --pool club --method elo:k=16 --from 2025-07-01 --dry-run",
    "ratingcore declare club.db --pool club --method elo:k=16 --from 2025-07-01",
    "ratingcore declare club.db --pool club --book uschess",
    "ratingcore declare arena.db --pool coding --of arena --results category=coding --method bradley-terry",
    "ratingcore declare club.db --pool cup --fits elo-margin",
    "ratingcore declare club.db --pool cup --any",
    "ratingcore declare club.db --pool club --zone Europe/Prague",
)
@options.log
@click.option("--pool", metavar="POOL", help="The pool; it need not be known yet.")
@click.option("--method", "-m", metavar="METHOD", help="The method of the pool's lists, such as elo:k=24; '' for none.")
@click.option("--digits", type=click.IntRange(-4, 9), metavar="N", help="Decimals of the ratings on the pool's lists.")
@click.option(
    "--min-games", type=options.Count(0), metavar="N", help="Leave players with fewer results off the pool's lists."
)
@click.option(
    "--active", metavar="WINDOW",
    help="Leave off players without a result in this window before the day of the list: '12 months', '90 "
    "days'; '' for no such rule.",
)  # fmt: skip
@click.option(
    "--from", "starting", callback=options.a_played_time, metavar="DAY",
    help="The first day on which this method and policy hold; all days if left out.",
)  # fmt: skip
@click.option(
    "--restated", is_flag=True, help="Rate every result by this method, from the first on, for lists of those days."
)
@click.option(
    "--book",
    metavar="FILE",
    help="A rule with its history: a TOML file with the source of each step, or the name of a bundled one.",
)
@click.option("--of", metavar="POOL", help="A board: take results from this pool.")
@click.option(
    "--results",
    metavar="CONDITIONS",
    help="With --of: the results that count on the board, such as 'category=coding & language!=en'.",
)
@click.option("--fits", metavar="METHOD", help="Take only results that this method can read.")
@click.option("--any", "anything", is_flag=True, help="Take every result again.")
@click.option(
    "--zone",
    metavar="ZONE",
    help="Time zone of the pool's days and periods, such as Europe/Prague; UTC to go back to UTC.",
)
@options.dry_run
@options.own_uid
def declare(
    log: str, pool: str | None, fits: str | None, anything: bool, zone: str | None, restated: bool, dry_run: bool,
    own_uid: str | None, book: str | None, **question: Any,
) -> None:  # fmt: skip
    """Declare the rule of a pool, the day it holds from, the results it takes, and its zone.

    With --method, every command without a method of its own uses this one, with the digits and the policy that are
    declared beside it. With --from, lists of earlier days keep the method that was declared for them; from that day on
    the new method rates the results, starting from the ratings of the old one. With --restated, the new method rates
    every result from the first on for those lists. With --book, the method is a whole history of rules, whose steps are
    shown with their sources; fide-standard, fide-rapid and uschess are bundled. The latest declaration for a day
    counts.

    With --fits, the commands record, import and amend refuse results that the method cannot read; results that are
    already recorded stay. With --zone, days, periods and cuts are those of the zone, also for results that are already
    recorded; a result with a day and no time stays on its day. With --of and --results the pool is a board: matching
    results of the other pool count on it too, and nothing is recorded in the board itself.

    The log is made if it is missing, and a declared pool without results has an empty list. A further declaration
    replaces what it names, and keeps the rest. To take a declaration back, void its uid: the one before it holds again.
    """
    if fits is not None and anything:
        raise Mistake("--fits and --any exclude each other", "--any takes every result again")
    whole = None if book is None else rule_book(book)
    if whole is not None:
        if question["method"] is not None:
            raise Mistake("--book and --method exclude each other", "a book is the method")
        question["method"] = whole.text
    if fits is None and zone is None and not anything and all(value is None for value in question.values()):
        raise Mistake(
            "nothing to declare was given",
            "give --method, --fits, --any or --zone; ratingcore pools lists what is declared",
        )
    if zone == "":
        raise Mistake("--zone is empty", "--zone UTC takes the zone of a pool back")
    if pool is None:
        if not is_there(log):
            raise Mistake("no pool is named, and the log has none yet", "name the pool: --pool NAME")
        with reading(log) as engine:
            pool = engine.core.one_pool()
    takes, further = "" if anything else fits, {"zone": zone, "restated": restated, "own_uid": own_uid, **question}
    if restated and not (question["method"] and question["starting"]):
        raise Mistake("--restated needs --method and --from", "add the one that is missing")
    with reading(log) if dry_run else recording(log) as engine:
        earlier = questions(engine.log, pool)
        if dry_run and (plan := engine.plan.declare(pool, fits=takes, **further)).events:
            preview(engine, plan.events, f"the declaration of {pool}", pool, None, "table")
            return
        receipt = engine.declare(pool, fits=takes, **further)
        if not receipt.accepted:
            note(f"nothing was recorded: pool {pool} is declared so already")
            return
        uid, declared = uid_at(engine.log, receipt.head.position), engine.core.declared(pool)
        now, unrated = questions(engine.log, pool), _unrated(engine, pool) if question["method"] else ""
    click.echo(uid)
    assert declared is not None, "it has just been declared"
    shown = declared if declared.method is None else _in_short(declared, declared.method)
    note(f"recorded at position {receipt.head.position}: {_described(shown)}")
    for line in _in_words(now[-1].method or "") if now and question["method"] else ():
        note(line)
    if unrated:
        note(f"nobody in pool {pool} is rated by it yet: {unrated}")
    for step in whole.steps if whole is not None else ():
        note(f"source, {step.since or 'at first'}: {step.source} ({step.published})")
    for one in earlier:
        if now and one not in now and one.start > now[-1].start:
            note(f"{evolve(one, policy='').question} is replaced too: declare it again to keep it for its days")


def _unrated(engine: Engine, pool: str) -> str:
    """Returns why nobody is rated in a pool that has results but no seeds; empty in any other case."""
    view = engine.core.view(pool)
    if view.n_games + view.n_sessions and not len(view.seeds.position):
        with suppress(RatingCoreError):  # the error is reported when the list is asked for
            return engine.rating_list(pool).provenance.unrated
    return ""


def _described(declared: PoolDeclared) -> str:
    """Describes a declaration: how lists are made if it is about nothing else, otherwise everything that it changes."""
    if declared.question and not (declared.fits or declared.zone or declared.of):
        return f"the lists of {declared.pool} are by {declared.question}"
    return f"pool {declared.pool} takes {declared.taken}"


def rule_book(name: str) -> RuleBook:
    """Reads a rule book from a TOML file, or the bundled book with this name."""
    if name.endswith(".toml"):
        try:
            return RuleBook.read(name)
        except OSError as error:
            raise Mistake(f"{name} cannot be read: {error.strerror}", "name a TOML file") from None
    if name.removeprefix(PREFIX) not in bundled_books():
        own = "a book of your own is a file: --book FILE.toml"
        raise Mistake(f"there is no bundled book {name}", f"bundled are {', '.join(bundled_books())}; {own}")
    return RuleBook.bundled(name.removeprefix(PREFIX))


def _in_short(declared: PoolDeclared, text: str) -> PoolDeclared:
    """Shortens the method of a declaration for a sentence; the steps of a rule with a history are printed after it."""
    label = labelled(text)[0]
    if label == text and THEN in text:
        return evolve(declared, method="a rule with a history", starting="")
    return evolve(declared, method=label)


def _in_words(text: str) -> Iterator[str]:
    """Yields a line for each step of a rule with a history; nothing for any other method."""
    first, later = steps_of(text)
    if not later:
        return
    yield f"before {iso(later[0][1].day)}: {first}"
    ends = [f"until {iso(since.day)}" for _, since in later[1:]]
    for (step, since), until in zip(later, [*ends, "on"], strict=True):
        which = _WHICH[since.by]
        after = "" if since.once is None else f", after once={since.once}"
        yield f"from {iso(since.day)} {until}{which}: {step}, beginning with the ratings of that day{after}"


_WHICH = {
    "day": "",
    "event end": ", by the last day of tournaments",
    "event start": ", by the first day of tournaments",
}


@command("pools", "ratingcore pools club.db", "ratingcore pools club.db --format json")
@options.log
@options.form
def pools(log: str, form: str) -> None:
    """List the pools and what is declared of each.

    Columns: pool, players, results; method, digits, min_games, active and from (the rule of its lists, and the first
    day on which the rule holds); zone (of its days); fits (the method that must be able to read its results; for a
    board, the slice). A pool whose method changed has a row for each day of a change. A pool without a declared method
    is rated by elo.
    """
    with reading(log) as engine:
        rows = [row for pool in engine.pools() for row in _rows(engine, pool)]
    write(rows, COLUMNS, form)
    if undeclared := [row["pool"] for row in rows if not row["method"]]:
        note(
            f"no method is declared for {', '.join(undeclared)}: their lists use {UNDECLARED} unless a command "
            "names a method"
        )


def _rows(engine: Engine, pool: str) -> Iterator[dict[str, Any]]:
    """Yields the rows of a pool: one for each declared method, or a single row if no method is declared."""
    declared, view = engine.core.declared(pool), engine.core.view(pool)
    board = f"{declared.of}[{declared.results}]" if declared is not None and declared.of else None
    takes = {} if declared is None else {"zone": declared.zone or None, "fits": declared.fits or board}
    size = {"players": view.n_players, "results": view.n_games + view.n_sessions}
    blank = dict.fromkeys(COLUMNS) | {"pool": pool} | size | takes
    stated = questions(engine.log, pool)
    for question in stated:
        policy = policy_of(question.policy)
        yield blank | {
            "method": question.method or None, "digits": policy.digits, "min_games": policy.min_games or None,
            "active": None if policy.active is None else str(policy.active), "from": question.starting or None,
        }  # fmt: skip
    if not stated:
        yield blank
