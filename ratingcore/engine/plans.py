"""Plans of changes: each verb returns the events that it would record, checked like an append, and records nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Concatenate, ParamSpec, overload

from attrs import evolve

from ratingcore.columns import FOREVER
from ratingcore.columns.games import Ints
from ratingcore.columns.log_history import Zones
from ratingcore.columns.slices import Slice, conditions_of, pool_of
from ratingcore.corrections.counted_again import counted_twice
from ratingcore.corrections.guards import numbered_uids, row_with_uid
from ratingcore.corrections.propose import ChosenEvents, Propose
from ratingcore.corrections.split import split_of
from ratingcore.engine.arguments import check_counted
from ratingcore.engine.core import Part
from ratingcore.engine.publications import pin, publication_of
from ratingcore.erasure import Erased, Erasure, ErasureRequest
from ratingcore.errors import BadCorrection, BadValue, HeadMoved
from ratingcore.events import DAY, Event, Instant, ListPublished, PoolDeclared, Row, When, instant, iso
from ratingcore.events.values import Key, name, new_uid, player_key
from ratingcore.events.zones import zone_name
from ratingcore.lazy_imports import Later
from ratingcore.lists import RatingList
from ratingcore.lists.policy import Window, policy_of
from ratingcore.log import Head, Log, Receipt
from ratingcore.log.abilities import plugin_tables
from ratingcore.log.chain import taken_back
from ratingcore.log.lookup import corrections_of, row_of
from ratingcore.log.overlay import Moment
from ratingcore.methods.rule_histories import PREFIX, Book, Since, labelled, spelt, steps_of
from ratingcore.methods.text import identity
from ratingcore.plans import Concerns, Plan
from ratingcore.plans.doubts import doubts_of_plan
from ratingcore.plans.notes import PlanNote, RevivedTwice
from ratingcore.registry.rule_books import written_out
from ratingcore.replay.declared import UNDECLARED, declared, declared_before, official, same_declared
from ratingcore.replay.pool_ratings import check_others

if TYPE_CHECKING:  # corrections need no files: importing the readers takes longer than planning one
    from ratingcore.engine.file_plans import FilePlan, ImportRequest
    from ratingcore.importer.recorded_twice import merged_twice
    from ratingcore.importer.report import ImportReport
    from ratingcore.importer.tables import FieldMap
else:
    FilePlan, ImportRequest = (Later("ratingcore.engine.file_plans", name) for name in ("FilePlan", "ImportRequest"))
    merged_twice = Later("ratingcore.importer.recorded_twice", "merged_twice")

Given = ParamSpec("Given")


def _planned(
    proposal: Callable[Concatenate[Propose, Given], Sequence[Event]],
) -> Callable[Concatenate["Plans", Given], Plan]:
    """Makes a method that plans what a proposal returns; it has the parameters and the docstring of the proposal."""

    @wraps(proposal)
    def plan(plans: "Plans", /, *args: Given.args, **options: Given.kwargs) -> Plan:
        now = plans._now()
        return plans._of(now.log, proposal.__name__, proposal(now, *args, **options))

    return plan


class Plans(Part):
    """Plans by verb: each method takes the arguments of the engine's method of the same name, and returns a plan.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> plan = engine.plan.amend("g-1", {"score": 0.5}, own_uid="c-1")
    >>> plan.events[0].changes["score"], engine.log.head.position
    (0.5, 1)
    >>> engine.plan.merge("ann", "bo")
    Traceback (most recent call last):
    ratingcore.errors.event.HaveMet: cannot merge bo: ann and bo have met in pool p
    """

    def _now(self) -> Propose:
        """Returns proposals for the log as it is now; they do not see what others record meanwhile."""
        return Propose(Moment(self.core.log), self.core.view, self.core.needed)

    def _of(self, log: Log, verb: str, events: Sequence[Event], source: str = "") -> Plan:
        check_counted(events)
        plan = Plan.of(log, verb, events, source, partial(self._notes, events))
        self.core.declarations.check(log, plan.head, plan.events, self.core.method)
        return plan

    def _notes(self, events: Sequence[Event], log: Log, trial: Log) -> Iterator[PlanNote]:
        """Yields notes about results that are in doubt, or that count twice, with the last events of a trial."""

        def results_of(pool: str, players: Collection[int]) -> Ints:
            return self.core.view(pool).results_of(players)

        yield from doubts_of_plan(events, log, trial)
        joins = list(trial.rows(log.head.position, None, ("merge",)))
        refs = {row.ref for row in trial.rows(log.head.position, None, ("void",))}
        again = not refs.isdisjoint(corrections_of(log).positions)
        if again and (twice := counted_twice(log, trial, results_of)):
            yield RevivedTwice(tuple(twice))
        if joins or again:
            yield from merged_twice(log, trial, results_of)

    void = _planned(Propose.void)
    revive = _planned(Propose.revive)
    amend = _planned(Propose.amend)
    amend_all = _planned(Propose.amend_all)
    merge = _planned(Propose.merge)
    merge_all = _planned(Propose.merge_all)
    unmerge = _planned(Propose.unmerge)

    def rename(
        self, player: Key, called: str, *, pool: str | None = None, at: When | None = None, own_uid: str | None = None
    ) -> Plan:
        """Plans the description that gives a player another visible name; empty if they have this name already."""
        now = self._now()
        plan = self._of(now.log, "rename", now.rename(player, called, pool=pool, at=at, own_uid=own_uid))
        return plan if plan.events else evolve(plan, concerns=Concerns(described=frozenset((player_key(player),))))

    def void_all(
        self, rows: ChosenEvents | Iterable[Row], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> Plan:
        """Plans the events that take rows back.

        Events `chosen` by source or by positions are taken back together: importing their file again adds them anew.
        The results of a board or slice, and rows given one by one, stay void even if their file is imported again.
        """
        now = self._now()
        given = rows.rows if isinstance(rows, ChosenEvents) else rows
        events = now.void_all(given, why=why, by=by, own_uid=own_uid)
        if not isinstance(rows, ChosenEvents) or rows.by_fields:
            return self._of(now.log, "void_all", events)
        plan = self._of(now.log, "void_all", events, taken_back(rows.source))
        if rows.to_come is None or (events and not plan.concerns.corrected):  # the events are already in the log
            return plan
        return evolve(plan, concerns=evolve(plan.concerns, brought=(rows.to_come,)))

    def split(
        self, player: Key, into: Key, since: When | None = None, *, games: Sequence[str] = (), why: str = "",
        by: str = "", pools: Iterable[str] | None = None, own_uid: str | None = None,
    ) -> Plan:  # fmt: skip
        """Plans the amendments that give `into` the results of a player from a day on, or some of their games."""
        log, player, into = self._now().log, player_key(player), player_key(into)
        views = map(self.core.view, log.book.keys_of("pool") if pools is None else pools)
        events = split_of(log, views, player, into, since, games=games, why=why, by=by, own_uid=own_uid)
        plan = self._of(log, "split", events)
        if not plan.concerns.corrected:  # the events are already in the log
            return plan
        concerns = evolve(plan.concerns, split_into=frozenset((name(into),)))
        if since is not None:
            begins = instant(since) - DAY  # a day begins at another instant in each zone, at most a day earlier
            concerns = concerns.with_results_of(log, log.book.number("player", player), begins)
        return evolve(plan, concerns=concerns)

    def record(self, *events: Event, source: str = "", amend: bool = False) -> Plan:
        """Plans to append events as `record` does; with `amend`, events that differ from the log become amendments."""
        log = self._now().log
        if not amend:
            return self._of(log, "record", events, source)
        from ratingcore.importer.differences import amending  # corrections need no files

        return self._of(log, "record", amending(log, events), source)

    def import_file(
        self,
        /,
        what: str | PathLike[str] | BinaryIO | object,
        pool: str | None = None,
        fields: "Mapping[str, str] | FieldMap | None" = None,
        *,
        decision: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> "FilePlan":
        """Plans to import a file, or several; parameters are those of `Engine.import_file`.

        With the `decision` of an earlier plan of the same file, returns that plan again: `from_json` does this only for
        a file at a path.

        The file is read again when the plan is applied, so anything that can be read only once is refused: a pipe, a
        generator, the cursor of a database.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> plan = engine.plan.import_file([{"played": "2024-03-02", "a": "ann", "b": "bo", "score": "1-0"}], "rapid")
        >>> plan.report.accepted, engine.what_if(plan).rating_list("rapid", "elo").player, engine.log.head.position
        (1, ('ann', 'bo'), 0)
        >>> engine.apply(plan).accepted, engine.log.head.position
        (1, 1)
        """
        request = ImportRequest.of("import_file", what, pool, fields, options)
        return FilePlan.of(self.core, request) if decision is None else FilePlan.decided(self.core, request, decision)

    def import_seeds(
        self, path: str | Path, pool: str | None = None, fields: "Mapping[str, str] | FieldMap | None" = None,
        **options: Any,
    ) -> "FilePlan":  # fmt: skip
        """Plans to import a table of seeds; parameters are those of `Engine.import_seeds`."""
        return FilePlan.of(self.core, ImportRequest.of("import_seeds", path, pool, fields, options))

    def import_players(
        self, path: str | Path, pool: str | None = None, fields: "Mapping[str, str] | FieldMap | None" = None,
        **options: Any,
    ) -> "FilePlan":  # fmt: skip
        """Plans to import a table of players; parameters are those of `Engine.import_players`."""
        return FilePlan.of(self.core, ImportRequest.of("import_players", path, pool, fields, options))

    def from_json(self, given: Mapping[str, Any]) -> "Plan | FilePlan | Erasure":
        """Returns the plan for this log that `as_json` wrote.

        Raises
        ------
        BadValue
            If the value is not such a plan.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> kept = engine.plan.rename("ann", "Ann Lee").as_json()
        >>> engine.apply(engine.plan.from_json(kept)).accepted
        1
        """
        if "request" in given:
            return FilePlan.from_json(given, self.core)
        return Erasure.from_json(given) if "asked" in given else Plan.from_json(given)

    def publish(self, rating_list: RatingList, name: str) -> Plan:
        """Plans to publish a list under a name; empty if the same list is published under this name already.

        Events that are recorded meanwhile do not prevent it, since a list belongs to a position of the log. Parameters
        and errors are those of `Engine.publish`.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> plan = engine.plan.publish(engine.rating_list("rapid", "elo"), "2024-03")
        >>> [(event.kind, event.name) for event in plan], engine.apply(plan).accepted
        ([('list', '2024-03')], 1)
        """
        return publication_of(self.core, rating_list, name)

    def erase(self, player: Key, *, also: Sequence[str] = (), by: str = "", rated_facts: bool = False) -> Erasure:
        """Plans to erase a player for good; parameters and errors are those of `Engine.erase`.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> plan = engine.plan.erase("ann")
        >>> print(plan)
        would be erased, and be shown as (erased 2):
          player: ann
        >>> engine.apply(plan).labels
        ('(erased 2)',)
        """
        request = ErasureRequest(player_key(player), also, frozenset(self.core.registry.facts_read()), rated_facts)
        return Erasure.of(self.core.log, request, by)

    def erased(self, plan: Erasure) -> Erased:
        """Carries out an erasure, and returns its report."""
        log = self.core.log
        return plan.applied(log, () if plugin_tables(log) is None else self.core.registry.erasers)

    @overload
    def apply(self, plan: Plan) -> Receipt: ...
    @overload
    def apply(self, plan: "FilePlan") -> "ImportReport": ...
    @overload
    def apply(self, plan: Erasure) -> Erased: ...
    def apply(self, plan: "Plan | FilePlan | Erasure") -> "Receipt | ImportReport | Erased":
        """Carries out a plan, if nothing it depends on has changed since it was made.

        Applying it again changes nothing.

        Parameters
        ----------
        plan : Plan, FilePlan or Erasure
            A plan made by `engine.plan`. A file is read again, from the same place.

        Returns
        -------
        Receipt, ImportReport or Erased

        Raises
        ------
        PlanOutdated
            If something that the plan depends on has changed; nothing is recorded.
        HeadMoved
            If the plan was made for another log.
        DoesNotFit, Conflict, LogUnavailable, OnlySupposed

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> plan, other = engine.plan.void("g-1"), engine.plan.amend("g-1", {"score": 0.5}, by="secretary")
        >>> engine.apply(plan).accepted, engine.apply(plan).accepted
        (1, 0)
        >>> engine.apply(other)
        Traceback (most recent call last):
        ratingcore.errors.log.PlanOutdated: this amendment was decided at position 1; position 2 is a void of g-1
        """
        if isinstance(plan, Erasure):
            return self.erased(plan)
        if not isinstance(plan, Plan):
            return plan.applied(self.core)
        receipt = self.core.apply(plan)
        for event in plan.events:
            if isinstance(event, ListPublished):
                pin(self.core, self.core.published(event.name, event.pool))
        return receipt

    def declare(
        self,
        pool: str,
        *,
        fits: str | None = None,
        zone: str | None = None,
        method: str | None = None,
        digits: int | None = None,
        min_games: int | None = None,
        active: Window | str | None = None,
        starting: When | None = None,
        restated: bool = False,
        of: str | None = None,
        results: str | None = None,
        own_uid: str | None = None,
    ) -> Plan:
        """Plans the declaration of a pool's accepted results, zone, method and policy; empty if nothing changes."""
        log, key = self._now().log, PoolDeclared(pool=pool).pool
        if fits:
            self.core.registry.method(fits)
            fits = labelled(fits)[1]
        policy: dict[str, Any] = {"digits": digits, "min_games": min_games, "active": active}
        named = {name: None if value == "" else value for name, value in policy.items() if value is not None}
        asks = method is not None or starting is not None or bool(named)
        first = None if starting is None else iso(instant(starting))
        before = declared(log, key)
        now = PoolDeclared(pool=pool) if before is None else before
        fits = "" if fits is None and zone is None and of is None and results is None and not asks else fits
        event = PoolDeclared(
            uid=own_uid or new_uid(), pool=pool,
            fits=now.fits if fits is None else fits, zone=now.zone if zone is None else zone_name(zone),
            of=now.of if of is None else of, results=now.results if results is None else results,
            **(self._asking(key, method, named, first, restated=restated) if asks else {}),
        )  # fmt: skip
        takes = [(one.fits, one.zone, one.of, one.results) for one in (now, event)]
        if event.of and takes[0] != takes[1]:  # refuses a field that no result has
            self.core.view(str(Slice(event.of, conditions_of(event.results))))
        same = own_uid is None and before is not None and takes[0] == takes[1]
        if asks:
            last = official(log, key, FOREVER) or PoolDeclared(pool=pool, method="")
            same = same and last.question == event.question
        plan = self._of(log, "declare", [] if same else [event])
        return plan if plan.events else evolve(plan, concerns=Concerns(declared=frozenset((key,))))

    def _asking(
        self, pool: str, method: str | None, policy: dict[str, Any], starting: str | None, *, restated: bool = False
    ) -> dict[str, str]:
        """Returns the method, policy and start of a declaration; fields that are not given stay as declared last."""
        if method == "":
            return {"method": "", "starting": starting or ""}
        day = FOREVER if starting is None else instant(starting)
        now = official(self.core.log, pool, day)
        was = PoolDeclared(pool=pool) if now is None else now
        text = was.method if method is None else method
        if text is None:
            raise BadValue("method", method, "must be given: none is declared for this pool")
        if PREFIX in text:
            text = written_out(text)
        made = self.core.registry.method(text)
        check_others(self.core.log, pool, made, self.core.method)
        if not isinstance(made, Book):
            text = labelled(text)[1]
        if method is not None and starting is not None and not restated:
            text = self._carried(pool, text, day)
        settled = evolve(policy_of(was.policy), **policy)
        if starting is None:
            starting = was.starting if method is None else ""
        return {"method": text, "policy": str(settled), "starting": starting}

    def _carried(self, pool: str, text: str, day: Instant) -> str:
        """Returns the text of a rule from a day on, which begins with the ratings of the rule before, if any."""
        earlier = official(self.core.log, pool, day - 1)
        if steps_of(text)[1] or (earlier is None and not self._has_results_before(pool, day)):
            return text
        first, later = steps_of(UNDECLARED if earlier is None or not earlier.method else earlier.method)
        steps = [(step, since) for step, since in later if since.day < day]
        last = self.core.registry.method(steps[-1][0] if steps else first)
        whole = first
        for step, since in steps:
            whole = spelt(whole, step, since)
        if identity(last) == identity(self.core.registry.method(text)):  # the rule is in force already
            return whole if steps else text
        book = spelt(whole, text, Since(day))
        self.core.registry.method(book)
        return book

    def _has_results_before(self, pool: str, day: Instant) -> bool:
        if self.core.log.book.find("pool", pool) is None:
            return False
        first = self.core.view(pool).first_played
        return first is not None and first < day

    def undo(
        self, receipt: "Receipt | ImportReport | Erased", *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> Plan:
        """Plans to take back what was recorded, event by event from the last one; voided events stay voided.

        A declaration is replaced by the one before it.

        Parameters
        ----------
        receipt : Receipt, ImportReport or Erased
            The result of recording, importing or applying.

        Raises
        ------
        BadCorrection
            If a published list or a closed period is among the events, a player would be in a result twice, or
            the receipt is the report of an erasure.
        HeadMoved
            If the receipt is of another log.
        """
        if isinstance(receipt, Erased):
            raise BadCorrection(", ".join(receipt.labels), "undo", "what was erased is gone for good")
        now, head, at = self._now(), receipt.head, receipt.positions
        log, end = now.log, now.log.head.position
        if head is not None and (head.position > end or log.digest_at(head.position) != head.digest):
            raise HeadMoved(head.position, min(head.position, end))
        spans = [(at.start, at.stop - 1)] if isinstance(at, range) else at
        rows = [row for first, last in spans for row in log.rows(first - 1, last)] if at else []
        fixed = next((row for row in rows if row.kind in ("list", "period")), None)
        if fixed is not None:
            what = "it is a published list" if fixed.kind == "list" else "it is a closed period"
            raise BadCorrection(fixed.uid, "undo", what, "published lists and closed periods cannot be taken back")
        if row_with_uid(log, own_uid) is not None:
            return self._of(log, "undo", ())
        void = corrections_of(log).void
        back = [row for row in reversed(rows) if row.kind != "pool" and row.position not in void]
        events: list[Event] = list(now.void_all(back, why=why, by=by, own_uid=own_uid)) if back else []
        pools = {log.book.key(row.pool or 0) for row in rows if row.kind == "pool"}
        declarations = [one for pool in sorted(pools) for one in declared_before(log, pool, rows[0].position - 1)]
        rest = islice(numbered_uids(own_uid), len(events), None)
        events += [evolve(one, uid=uid) for uid, one in zip(rest, declarations, strict=False)]
        return self._of(log, "undo", events, taken_back(""))

    def undeclare(self, uid: str, *, own_uid: str | None = None) -> Plan:
        """Plans to restore the declaration that a pool had before the one with this uid, or an empty one.

        Parameters
        ----------
        uid : str
            Uid of the newest declaration of its pool.

        Raises
        ------
        BadCorrection
            If the event is not a declaration, or its pool was declared again since.
        UnknownUid

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipts = [engine.declare("p", method=f"elo:k={k}", own_uid=f"rule-{k}") for k in (20, 40)]
        >>> receipt = engine.apply(engine.plan.undeclare("rule-40"))
        >>> engine.core.question("p", None)[0].k
        20.0
        """
        log = self._now().log
        row = row_of(log, uid)
        if row.kind != "pool":
            raise BadCorrection.of(uid, "undeclare", "it is a {event}", f"void {uid} takes it back", event=row.kind)
        later = [one.uid for one in log.rows(row.position, None, ("pool",), row.pool)]
        pool = log.book.key(row.pool) if row.pool else ""
        if later and own_uid not in later and not same_declared(log, pool, row.position):
            raise BadCorrection.of(
                uid, "undeclare", "its pool was declared again by {later}", f"void {later[-1]} first", later=later[-1]
            )
        return self.undo(Receipt(Head(row.position, log.digest_at(row.position)), 1, 0, (uid,)), own_uid=own_uid)

    def chosen(
        self, source: str | None = None, positions: Sequence[tuple[int, int]] | None = None, pool: str | None = None
    ) -> ChosenEvents:
        """Returns the events of a source, or those at some positions, for `void_all` to take back.

        With `pool`, only the events of this pool, or the results of this board or slice, such as `arena[judge=j7]`.
        """
        log = self.core.log
        number, part = (0, None) if pool is None else pool_of(log.book, pool)
        if pool is not None and (part is not None or Zones(log, number).board(log.head.position) is not None):
            known = self.core.view(pool).known()[1].tolist()
            within = [
                at for at in sorted(known) if positions is None or any(low <= at <= high for low, high in positions)
            ]
            return evolve(ChosenEvents.of(log, source, [(at, at) for at in within]), by_fields=True)
        return ChosenEvents.of(log, source, positions, pool)
