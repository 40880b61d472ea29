"""Commands that correct the log (void, revive, merge, unmerge, split), and the code that they share with amend."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import click
from attrs import frozen

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note, on_log
from ratingcore.cli.file_import import field_map
from ratingcore.cli.histories import preview
from ratingcore.cli.notes import words
from ratingcore.cli.options import command
from ratingcore.cli.question import correcting, reading, warn_of_newcomers
from ratingcore.corrections.known_facts import result_counts
from ratingcore.corrections.propose import ChosenEvents, Span
from ratingcore.engine import Engine
from ratingcore.errors import BadCorrection
from ratingcore.events import Event, PoolDeclared, Row
from ratingcore.events.values import new_uid
from ratingcore.importer.inputs import source_at
from ratingcore.importer.tables.short_tables import read_merges
from ratingcore.log import Log, Receipt
from ratingcore.log.lookup import corrections_of, row_of, uid_at
from ratingcore.plans import Plan
from ratingcore.registry import Registry
from ratingcore.safe_text import counted

FEW = 100
"""Largest number of uids that are printed; larger corrections are taken back by a span of positions."""


@frozen
class CorrectionOptions:
    """Values of the options that every correction has.

    Parameters
    ----------
    why, by : str
        The reason, and the person who decided.
    own_uid : str or None
        Uid of the correction itself; made up if None.
    dry_run : bool
        Whether the correction is only tried, and not recorded.
    method, pool : str or None
        With `dry_run`, the method and the pool whose moved ratings are shown.
    form : str
        Format of the output.
    """

    why: str
    by: str
    own_uid: str | None
    dry_run: bool
    method: str | None
    pool: str | None
    form: str

    def words(self) -> dict[str, str]:
        """Returns the reason, the actor and the uid as arguments of the engine."""
        return {"why": self.why, "by": self.by, "own_uid": self.own_uid or new_uid()}

    def opened(self, log: str) -> Engine:
        """Opens an existing log: for reading in a dry run, otherwise to append to it."""
        return reading(log) if self.dry_run else correcting(log)

    def make(
        self,
        engine: Engine,
        plan: Callable[[], Plan],
        what: str,
        back: Callable[[Sequence[Event]], str],
        *,
        bulk: bool = False,
    ) -> None:
        """Records a correction and prints its uids; in a dry run, only prints its effect.

        Parameters
        ----------
        plan : callable
            Makes the plan; it is called again if the log has changed meanwhile in something that the plan depends on.
        what : str
            Name of the correction in messages, such as "the void of g-1".
        back : callable
            Returns a sentence on how to take the recorded events back, or on what follows from them.
        bulk : bool
            Whether only the positions of the events are printed, and not each uid.
        """
        if self.dry_run:
            planned = plan()
            _warn(planned)
            preview(engine, planned.events, what, self.pool, self.method, self.form)
            return
        made: Plan | None = None

        def again() -> Plan:
            nonlocal made
            made = plan()
            return made

        receipt = engine.core.applied(again)
        assert made is not None, "it was applied"
        events = made.events
        _report(engine, receipt, [event.uid for event in events], back(events), bulk or len(events) > FEW)
        _warn(made)


def correcting_options(command: options.Function) -> options.Function:
    """Adds the options that every correction has; the command gets them as one `CorrectionOptions`."""

    @wraps(command)
    def packed(
        *args: Any, why: str, by: str, own_uid: str | None, dry_run: bool, method: str | None, pool: str | None,
        form: str, **further: Any,
    ) -> Any:  # fmt: skip
        return command(*args, correction=CorrectionOptions(why, by, own_uid, dry_run, method, pool, form), **further)

    result: options.Function = packed
    for option in (
        options.form,
        options.tried_pool,
        options.tried_method,
        options.dry_run,
        options.own_uid,
        options.by,
        options.why,
    ):
        result = option(result)
    return result


def _report(engine: Engine, receipt: Receipt, uids: Sequence[str], back: str, many: bool) -> None:
    """Prints the uids of a correction, its positions, and how to take it back."""
    last = receipt.head.position
    for uid in () if many else uids:
        click.echo(uid)
    places = f"position {last}" if receipt.accepted == 1 else f"positions {last - receipt.accepted + 1} to {last}"
    if receipt.accepted and many:
        first = last - receipt.accepted + 1
        span = str(last) if first == last else f"{first}-{last}"
        back = f"to take it back: {on_log('void', '--positions', span)}"
    if receipt.accepted:
        note(f"recorded at {places}; {back}")
        warn_of_newcomers(engine, last - receipt.accepted)
        return
    void = corrections_of(engine.log).void
    gone = " ".join(row.uid for row in engine.log.find(uids).values() if row.position in void)
    note(f"in the log already; {f'taken back since: {gone}' if gone else back}")


def _warn(plan: Plan) -> None:
    for one in plan.notes:
        note(f"warning: {words(one)}")


def _voiding(made: Sequence[Event]) -> str:
    """Returns a sentence with the command that voids each event of a correction."""
    return f"to take it back: {on_log('void', *(event.uid for event in made))}"


def uid_named(log: Log, text: str) -> str:
    """Returns a uid that was typed, or that of the event at a position, if the text can only be a position.

    In a log that numbers its own events, a number is a uid, perhaps a mistyped one.
    """
    position = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    if not 0 < position <= log.head.position or log.find([text]):
        return text
    uid = uid_at(log, position)
    if uid.isdigit():
        return text
    note(f"note: no event has the uid {text}; position {text} is {uid}")
    return uid


def typed_spans(ctx: click.Context, param: click.Parameter, text: str | None) -> Sequence[Span] | None:
    """Callback of an option for positions or lines, given as spans separated by commas: `41301-72146,80000`."""
    if text is None:
        return None
    spans = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not all(end.isascii() and end.isdigit() and len(end) < 19 for end in (first, last or first)):
            raise Mistake(f"--{param.name} must be numbers and spans: {text}", "such as 41301-72146, or 7, or 3-5,9")
        spans.append((int(first), int(last or first)))
    return spans


@command(
    "void",
    "ratingcore void club.db g-1 --dry-run --method elo:k=24",
    'ratingcore void club.db g-1 --why "default, not played" --by secretary',
    "ratingcore void club.db --source 'games*.csv' --dry-run",
    "ratingcore void club.db --positions 3-5",
    "ratingcore void arena.db --pool 'arena[judge=j7]' --why 'judge withdrawn'",
    "ratingcore log club.db --kind void --last 1",
)
@options.log
@click.argument("uids", metavar="[UID]...", nargs=-1)
@click.option(
    "--source",
    metavar="PATTERN",
    help="All events from this source, such as 'games*.csv'; ratingcore log shows sources.",
)
@click.option(
    "--positions",
    metavar="N-M,...",
    callback=typed_spans,
    help="All events at these positions; ratingcore log shows them.",
)
@correcting_options
def void(
    log: str, uids: tuple[str, ...], source: str | None, positions: Sequence[Span] | None, correction: CorrectionOptions
) -> None:
    """Count an event as never recorded, or all events of a file.

    Give the uids or positions of games, sessions, seeds or corrections; several are voided together. Nothing is
    deleted: lists as they were known before do not change. The command prints the uid of the void; to take the void
    back, void that uid, or revive the event. To take a merge back, use unmerge. If a declaration is voided, alone, the
    declaration before it holds again.

    --source or --positions voids a whole import in one batch, and takes merges back too; events that are already void
    are left alone. With --pool, only events of that pool are voided. --pool by itself is enough for a board or a slice
    of a pool: its results are voided, and every list that counted them is restated. The command prints the positions of
    the voids; to take them back, void those positions.
    """
    chosen = source is not None or positions is not None
    if chosen if uids else not chosen and correction.pool is None:
        raise _nothing_chosen()
    if not uids:
        _void_chosen(log, source, positions, correction)
        return
    own = correction.own_uid
    with correction.opened(log) as engine:
        words, uids = correction.words(), tuple(dict.fromkeys(uid_named(engine.log, uid) for uid in uids))
        rows = [row_of(engine.log, uid) for uid in uids]
        merge = next((row.uid for row in rows if row.kind == "merge"), None)
        if merge is not None:
            raise BadCorrection(merge, "void", "it is a merge", f"use unmerge {merge}")
        rule = next((row.uid for row in rows if row.kind == "pool"), None)
        if rule is not None:
            if len(rows) > 1:
                raise BadCorrection(rule, "void", "it is a declaration", f"void it alone: {on_log('void', rule)}")
            _undeclare(engine, rule, correction)
            return
        if own is None or not engine.log.find([own]):
            corrections = corrections_of(engine.log)
            for uid in uids:
                if corrections.read(row_of(engine.log, uid)) is None:
                    note(f"note: {uid} counts as never recorded already; this void is a further one")
        what = f"the void of {', '.join(uids) if len(uids) <= FEW else f'{len(uids)} events'}"
        correction.make(engine, lambda: engine.plan.void_all(rows, **words), what, _voiding)


def _undeclare(engine: Engine, uid: str, correction: CorrectionOptions) -> None:
    """Takes a declaration back by declaring again what was declared before it."""

    def back(made: Sequence[Event]) -> str:
        (*_, last) = [event for event in made if isinstance(event, PoolDeclared)]
        if last.method:
            return f"the lists of {last.pool} are by {last.question} again"
        return f"no method is declared for {last.pool} any more: name one with --method"

    plan = partial(engine.plan.undeclare, uid, own_uid=correction.words()["own_uid"])
    correction.make(engine, plan, f"the undoing of {uid}", back)


def _void_chosen(
    log: str, source: str | None, positions: Sequence[Span] | None, correction: CorrectionOptions
) -> None:  # fmt: skip
    """Voids all events from a source, at positions, or of a slice of a pool."""
    words, pool = correction.words(), correction.pool
    with correction.opened(log) as engine:
        chosen = engine.plan.chosen(source, positions, pool)
        if source is None and positions is None and not chosen.by_fields:
            raise _nothing_chosen()
        note(_counts_of(chosen))
        if not chosen.rows:
            return

        def plan() -> Plan:
            return engine.plan.void_all(engine.plan.chosen(source, positions, pool), **words)

        what = f"the void of {len(chosen.rows):,} events"
        correction.make(engine, plan, what, lambda made: f"to take it back: {on_log('void', made[0].uid)}", bulk=True)


def _nothing_chosen() -> Mistake:
    return Mistake(
        "expected UID..., or --source PATTERN, or --positions N-M", "ratingcore log shows uids, sources and positions"
    )


def _counts_of(chosen: ChosenEvents) -> str:
    """Returns a sentence with the numbers of chosen events by kind, and of the events that are left alone."""
    kinds = ", ".join(f"{count:,} of kind {kind}" for kind, count in Counter(row.kind for row in chosen.rows).items())
    left = [
        f"{count:,} {why}" for count, why in (
            (chosen.void, "count as never recorded already"), (chosen.other, "are closed periods or published lists"),
        ) if count
    ]  # fmt: skip
    left += [f"{uid} is a declaration, taken back by {on_log('void', uid)}" for uid in chosen.declarations[-1:]]
    return "; ".join([f"chosen: {kinds or 'nothing'}", *left])


@command(
    "revive",
    "ratingcore revive club.db g-1 --dry-run",
    'ratingcore revive club.db g-1 --why "it was played after all" --by secretary',
)
@options.log
@click.argument("uid")
@correcting_options
def revive(log: str, uid: str, correction: CorrectionOptions) -> None:
    """Count a voided event again.

    Every void of the event that is in force is taken back, in one batch; for a merge, every unmerge. The command prints
    the uids of what it records.
    """
    with correction.opened(log) as engine:
        uid = uid_named(engine.log, uid)
        plan = partial(engine.plan.revive, uid, **correction.words())
        correction.make(engine, plan, f"the revival of {uid}", lambda _: f"{uid} counts again")


@command(
    "merge",
    'ratingcore merge club.db bo "bo (guest)" --dry-run --method elo:k=24',
    'ratingcore merge club.db bo "bo (guest)" --why "the same person" --by secretary',
    "ratingcore merge club.db --file merges.csv --dry-run",
)
@options.log
@click.argument("keep", required=False, shell_complete=completion.players)
@click.argument("other", required=False, shell_complete=completion.players)
@click.option("--file", metavar="FILE", help="A table with columns keep and other, in place of KEEP and OTHER.")
@correcting_options
def merge(log: str, keep: str | None, other: str | None, file: str | None, correction: CorrectionOptions) -> None:
    """Count two names as one player.

    Every result of OTHER, past and to come, counts as a result of KEEP, in every pool. The command prints the uid of
    the merge; to take it back, use unmerge. Players who have met each other cannot be merged.

    All merges of a file are recorded in one batch, or none of them is. The command prints their positions; to take them
    back, void those positions.
    """
    if (file is None) is (other is None):
        raise Mistake("expected KEEP and OTHER, or --file FILE", "names --similar lists names that may be one player")
    if file is not None:
        _merge_all(log, file, correction)
        return
    assert keep is not None, "checked above: the second is there"
    assert other is not None, "checked above"
    with correction.opened(log) as engine:
        plan = partial(engine.plan.merge, keep, other, **correction.words())
        results = result_counts(engine.log, engine.core.view).get(engine.log.book.find("player", other) or 0, 0)
        effect = f"{other} counts as {keep}" + (f", with {counted(results, 'result')}" if results else "")
        correction.make(
            engine, plan, f"the merge of {other} into {keep}",
            lambda made: f"{effect}; to take it back: {on_log('unmerge', made[0].uid)}",
        )  # fmt: skip


def _merge_all(log: str, file: str, correction: CorrectionOptions) -> None:
    pairs = read_merges(source_at(file, Registry.installed().sheets))
    words = correction.words()
    with correction.opened(log) as engine:
        plan = partial(engine.plan.merge_all, pairs, **words)
        correction.make(engine, plan, f"{len(pairs):,} merges", lambda made: f"unmerge {made[0].uid}", bulk=True)


@command(
    "unmerge",
    "ratingcore unmerge club.db bo bob --dry-run",
    'ratingcore unmerge club.db bo "bob" --why "two persons after all"',
    "ratingcore unmerge club.db m-1",
)
@options.log
@click.argument("names", metavar="UID | KEEP OTHER", nargs=-1, required=True)
@correcting_options
def unmerge(log: str, names: tuple[str, ...], correction: CorrectionOptions) -> None:
    """Count a merge as never recorded.

    Give the uid of the merge, or the two players as they were merged.
    """
    if len(names) > 2:
        raise Mistake(f"expected a uid or two players, found {len(names)} names", "put names with spaces in quotes")
    own = correction.own_uid
    with correction.opened(log) as engine:
        again = None if own is None else engine.log.find([own]).get(own)
        uid = names[0] if len(names) == 1 else _uid_of(engine, *names, again=again)
        if again is None and row_of(engine.log, uid).position in corrections_of(engine.log).void:
            note(f"note: {uid} is taken back already; this unmerge is a further one")
        plan = partial(engine.plan.unmerge, uid, **correction.words())
        correction.make(engine, plan, f"taking back the merge {uid}", lambda _: f"{uid} counts as never recorded")


def _uid_of(engine: Engine, keep: str, other: str, *, again: Row | None) -> str:
    """Returns the uid of the last merge of two players that is in force.

    `again` is the unmerge that the log has under the uid of this command, if any; then the merge that it took back
    counts too, so that a repeated command names the same merge.
    """
    players = engine.core.player_id(keep), engine.core.player_id(other)
    back = corrections_of(engine.log).void
    for row in reversed(list(engine.log.rows(0, None, ("merge",)))):
        mine = again is not None and again.ref == row.position
        if (row.a, row.b) == players and (mine or row.position not in back):
            return row.uid
    raise Mistake(f"{other} is not merged into {keep}", "ratingcore log LOG --kind merge lists the merges")


@command(
    "split",
    "ratingcore split club.db bo bo-junior --since 2024-03-05 --dry-run",
    "ratingcore split club.db bo bo-junior --file games.csv --lines 2-40 --dry-run",
    'ratingcore split club.db bo bo-junior --since 2024-03-05 --why "father and son" --by secretary',
    "ratingcore split club.db bo bo-junior --games g-1 --dry-run",
)
@options.log
@click.argument("player", shell_complete=completion.players)
@click.argument("into", shell_complete=completion.players)
@click.option(
    "--since",
    "-s",
    callback=options.a_played_time,
    metavar="DAY",
    help="First day that belongs to INTO.",
)
@click.option("--games", metavar="UID,...", help="The results that belong to INTO, in place of a first day.")
@click.option("--file", metavar="FILE", help="An imported file; the results on its --lines belong to INTO.")
@click.option(
    "--lines", metavar="N-M,...", callback=typed_spans, help="Lines of FILE whose results of PLAYER belong to INTO."
)
@click.option("--source", metavar="NAME", help="The name of FILE in the log, if the file has another name now.")
@click.option("--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of FILE; recognised by content if left out.")
@click.option(
    "--map", "pairs", metavar="FIELD=COLUMN,...", help="The columns of FILE that hold the fields; overrides --mapping."
)
@click.option("--mapping", metavar="TOML", help="The mapping with which FILE was imported.")
@options.encoding
@click.option("--date-format", metavar="FORM", help="How FILE writes days, such as %d/%m/%Y.")
@click.option("--only", "pools", multiple=True, metavar="POOL", help="Only results of this pool; repeatable.")
@correcting_options
def split(
    log: str, player: str, into: str, since: str | None, games: str | None, pools: tuple[str, ...],
    correction: CorrectionOptions, **of_file: Any,
) -> None:  # fmt: skip
    """Move games of a player, or all from a day on, to another one.

    Results, sessions, seeds and descriptions are amended in one batch. Results that count for PLAYER by a merge move
    too, and void events stay void. INTO may be new to the log. The command prints the uids of the amendments; to take
    the split back, void them.

    With --file and --lines, PLAYER's results on these lines of a file are moved. The file is read again, so give the
    options with which it was imported. A single line must hold a result of PLAYER; in a span of lines, those without
    one are skipped.
    """
    file, lines = of_file["file"], of_file["lines"]
    if sum(one is not None for one in (since, games, file)) != 1 or (file is None) is not (lines is None):
        raise Mistake(
            "expected one choice of the results to move", "--since DAY, or --games UID,..., or --file FILE --lines N-M"
        )
    uids = [uid for uid in map(str.strip, (games or "").split(",")) if uid]
    with correction.opened(log) as engine:
        if file is not None:
            settings = {"date": of_file["date_format"], "encoding": of_file["encoding"]}
            fields = field_map(of_file["pairs"], of_file["mapping"], settings)
            pool = correction.pool or (pools[0] if len(pools) == 1 else None)
            how = {name: of_file[name] for name in ("source", "reader")}
            uids += engine.games_on_lines(file, lines, player, pool, fields, **how)
        split = partial(engine.plan.split, player, into, since, games=uids, pools=pools or None)
        plan = partial(split, **correction.words())
        correction.make(engine, plan, f"the split of {player}", _voiding)
