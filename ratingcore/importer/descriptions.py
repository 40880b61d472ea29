"""Imports facts about players that are new to the log, from files of results and from tables of players."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from attrs import evolve

from ratingcore.corrections.known_facts import described_facts
from ratingcore.errors import HeadMoved, RatingCoreError
from ratingcore.events import Event, Instant, PlayerDescribed, RatingSeeded, Row
from ratingcore.events.corrections import Corrections
from ratingcore.importer.event_maker import EventMaker
from ratingcore.importer.identities import Identities
from ratingcore.importer.last_issues import CorrectionsRead
from ratingcore.importer.notes import ColumnsUnused
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_outcomes import RowOutcomes, What
from ratingcore.importer.settings import Settings
from ratingcore.log import Log
from ratingcore.log.derived_uids import Identity, Uids
from ratingcore.log.lookup import decoder_of
from ratingcore.readers import Facts, Made, Outcome, Reason, Seed, Warning, identifies_somebody

Descriptions = list[tuple[Instant, dict[str, Any]]]
"""Facts recorded about a player, ordered by time."""

New = Callable[[PlayerDescribed, int | None], PlayerDescribed | None]
"""Function of a description and the player's number in the log that returns what is new to the log, or None."""


class NewDescriptions:
    """Finds the facts and ratings of players that the log does not have.

    Parameters
    ----------
    log : Log
    settings : Settings
    """

    def __init__(self, log: Log, settings: Settings) -> None:
        self._log, self._settings = log, settings
        self._uids = Uids(log.key)
        self._known: dict[tuple[str, str], Descriptions] = {}
        self._described: dict[str, _PoolDescriptions] = {}
        self._heard: dict[int, dict[str, Any]] = {}
        self._met: dict[str, _PoolPlayers] = {}
        self.identities = Identities()
        """Ids and names of the file's players."""

    def next_file(self) -> None:
        """Reads the log again for the next file, because events may have been rejected, or added by others."""
        self._known.clear()
        self._heard.clear()
        self.identities = Identities()
        for described in self._described.values():
            described.read_on()
        for met in self._met.values():
            met.read_on()

    def news(
        self,
        about: Iterable[Facts | Seed],
        maker: EventMaker,
        report: ImportReport,
        pools: Sequence[str],
        among: Collection[str] = (),
    ) -> Iterator[Event]:
        """Yields the events that record new facts and ratings of players.

        Parameters
        ----------
        pools : sequence of str
            Pools of the document's results, to which the facts belong.
        among : collection of str
            Players in the results. After an erasure, players unknown to the log are described only if among these.
        """
        for item in about:
            if isinstance(item, Seed) and self._settings.seeds == "none":
                report.unused_ratings += 1
                continue
            try:
                if self._log.book.erased and not self._is_known(maker.key(item.who), among):
                    continue  # it may be a player whose name was erased
                if isinstance(item, Seed):
                    yield from self._seed(item, maker, report)
                elif self._settings.facts:
                    yield from self._facts(item, maker, report, pools)
            except RatingCoreError as error:
                if identifies_somebody(item.who.name):  # otherwise their results are refused, with the reason
                    report.notes.append(Warning(item.line, error.cause, getattr(error, "value", None)))

    def _is_known(self, key: str, among: Collection[str]) -> bool:
        return key in among or self._log.book.find("player", key) is not None

    def _facts(self, item: Facts, maker: EventMaker, report: ImportReport, pools: Sequence[str]) -> Iterator[Event]:
        for pool in pools or [maker.pool({})]:
            event = maker.described(item, pool)
            if event.called:
                self.identities.add(item.line, event.player, event.called)
            descriptions = self._descriptions_of(pool, event.player)
            place = bisect_right(descriptions, event.played, key=lambda one: one[0])
            known: dict[str, Any] = {}
            for _, earlier in descriptions[:place]:
                known |= earlier
            facts = self._first_facts(event)
            if known | facts != known:
                descriptions.insert(place, (event.played, facts))
                report.facts += 1
                data = {name: value for name, value in facts.items() if name != "called"}
                yield evolve(event, data=data, called=facts.get("called", ""))

    def _first_facts(self, event: PlayerDescribed) -> dict[str, Any]:
        """Returns the facts that are the first ones in the file for this player and time.

        If a later value replaced an earlier one, the two would alternate at each import of the file.
        """
        of = hash(
            (event.pool, event.player, event.played)
        )  # a list has a million players: their names need not be kept
        facts, heard = described_facts(event), self._heard.get(of, {})
        first = {name: value for name, value in facts.items() if name not in heard}
        self._heard[of] = heard | first if heard else first
        return first

    def _descriptions_of(self, pool: str, player: str) -> Descriptions:
        """Returns the facts that the log has about a player in a pool."""
        descriptions = self._known.get((pool, player))
        if descriptions is None:
            described = self._described.get(pool)
            if described is None:
                described = self._described[pool] = _PoolDescriptions(self._log, pool)
            descriptions = self._known[pool, player] = described.of(player)
        return descriptions

    def _seed(self, item: Seed, maker: EventMaker, report: ImportReport) -> Iterator[Event]:
        seed = maker.seed(item)
        if self._settings.seeds == "first" and seed.player in self._players(seed.pool):
            report.unused_ratings += 1
        elif not self._is_recorded(seed):
            report.seeds += 1
            yield seed

    def _is_recorded(self, seed: RatingSeeded) -> bool:
        """True if the log has a seed of this player at this time, even a void one, which stays void."""
        pool, player = self._log.book.find("pool", seed.pool), self._log.book.find("player", seed.player)
        if pool is None or player is None:
            return False
        uid = self._uids.uid(Identity("seed", pool, seed.played, 0, player), 0)
        return bool(self._log.find([uid]))

    def _players(self, pool: str) -> "_PoolPlayers":
        """Returns the players who had a result or a seed in a pool before this file."""
        if pool not in self._met:
            self._met[pool] = _PoolPlayers(self._log, pool)
        return self._met[pool]


class _PoolDescriptions:
    """Descriptions of a pool's players, decoded for one player at a time: a rating list has a million players."""

    def __init__(self, log: Log, pool: str) -> None:
        self._log, self._pool, self._seen = log, pool, 0
        self._rows: dict[int, list[Row]] = {}
        self._corrections = CorrectionsRead(log)
        self.read_on()

    def read_on(self) -> None:
        """Reads the rows recorded since the last call."""
        number, head = self._log.book.find("pool", self._pool), self._log.head.position
        if number is None or head == self._seen:
            return
        for row in self._log.rows(self._seen, head, ("player",), number):
            if row.a is not None:
                self._rows.setdefault(row.a, []).append(row)
        self._seen = head

    def of(self, player: str) -> Descriptions:
        """Returns the facts about a player, ordered by time."""
        number = self._log.book.find("player", player)
        rows = () if number is None else self._rows.get(number, ())
        now = Corrections.of(self._corrections.about(rows) if rows else ())
        event, descriptions = decoder_of(self._log), []
        for row in rows:
            read = now.read(row)
            described = None if read is None else event(read)
            if isinstance(described, PlayerDescribed):
                descriptions.append((described.played, described_facts(described)))
        return sorted(descriptions, key=lambda one: one[0])


class _PoolPlayers:
    """The players who have a result or a seed in a pool."""

    def __init__(self, log: Log, pool: str) -> None:
        self._log, self._pool, self._seen = log, pool, 0
        self._numbers: set[int] = set()
        self.read_on()

    def read_on(self) -> None:
        """Reads the rows recorded since the last call."""
        number, head = self._log.book.find("pool", self._pool), self._log.head.position
        if number is None or head == self._seen:
            return
        games = self._log.games(number, self._seen, head)
        self._numbers |= {*games.a.tolist(), *games.b.tolist()}
        for row in self._log.rows(self._seen, head, ("session", "seed"), number):
            sides = row.facts.get("sides", ())
            self._numbers |= {row.a} if row.a else {player for players, _ in sides for player in players}
        self._seen = head

    def __contains__(self, player: str) -> bool:
        return self._log.book.find("player", player) in self._numbers


def import_players(
    log: Log,
    path: str | PathLike[str],
    unused: Sequence[str],
    outcomes: Iterable[Outcome],
    compared: Callable[[], New],
    *,
    only_known: bool = False,
) -> ImportReport:
    """Appends the facts of players in rows that are new to the log.

    Parameters
    ----------
    unused : sequence of str
        Unused columns of the file, for the report.
    compared : callable
        Reads the log and returns the function that finds what is new; called again if another process appends.
    only_known : bool
        Whether to refuse rows of players unknown to the log.
    """
    report = ImportReport(Path(path).name)
    made = list[tuple[int, PlayerDescribed]]()
    for outcome in outcomes:
        if not isinstance(outcome, Made):
            report.note(outcome)
        elif isinstance(outcome.event, PlayerDescribed):
            report.read += 1
            made.append((outcome.line, outcome.event))
    if unused:
        report.notes.append(ColumnsUnused(tuple(unused)))
    head = log.head
    descriptions, fresh = _news(log, made, compared(), report, only_known=only_known)
    if fresh:
        try:
            log.append(fresh, source=report.source, expect=head)
        except HeadMoved:  # the comparison is outdated: another process has appended, maybe the same file
            with log.writing():
                descriptions, fresh = _news(log, made, compared(), report, only_known=only_known)
                log.append(fresh, source=report.source)
    return descriptions


def _news(
    log: Log, made: Sequence[tuple[int, PlayerDescribed]], new: New, read: ImportReport, *, only_known: bool
) -> tuple[ImportReport, list[Event]]:
    """Returns the report with the outcome of each row, and the events with facts that are new to the log."""
    settled = RowOutcomes()
    settled.extend(read.settled)
    report = evolve(read, refused=[*read.refused], notes=[*read.notes], settled=settled)
    book, fresh, strangers = log.book, list[Event](), dict[str, None]()
    known = book.known("player", [event.player for _, event in made])  # one look-up for all players
    lines: dict[What, list[int]] = {"known": [], "taken": []}
    for line, event in made:
        number = known.get(event.player) or book.labelled("player", event.player)
        if number is None and only_known:
            report.refused.append((line, Reason("no player has the name", event.player), ""))
        elif (description := new(event, number)) is None:
            lines["known"].append(line)
        else:
            lines["taken"].append(line)
            fresh.append(description)
            if number is None:
                strangers[event.player] = None
    for what, some in lines.items():
        settled.add(what, some)
    report.refused.sort()
    if strangers and log.book.nameless("player"):
        report.note_returned([*strangers])
    return report, fresh
