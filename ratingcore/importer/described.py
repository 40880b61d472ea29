"""Facts and ratings of players that come with results: which of them are news to the log."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ratingcore.errors import RatingCoreError
from ratingcore.events import Event, Instant, PlayerDescribed, RatingSeeded
from ratingcore.importer.making import Making
from ratingcore.importer.report import ImportReport
from ratingcore.importer.settings import Settings
from ratingcore.log import Log
from ratingcore.log.identity import Identity, Uids
from ratingcore.readers import Facts, Seed, tells_who

Described = dict[str, list[tuple[Instant, dict[str, Any]]]]
"""By player, the facts that were told of them, by time."""


class People:
    """Tells which facts and ratings of players the log does not have yet.

    Parameters
    ----------
    log : Log
    settings : Settings
    """

    def __init__(self, log: Log, settings: Settings) -> None:
        self._log, self._settings = log, settings
        self._known: dict[str, Described] = {}
        self._met: dict[str, set[str]] = {}
        self._uids = Uids(log.key)

    def news(
        self,
        about: Iterable[Facts | Seed],
        making: Making,
        report: ImportReport,
        pools: Sequence[str],
        among: Collection[str] = (),
    ) -> Iterator[Event]:
        """The events by which the log learns what is told about players.

        Parameters
        ----------
        pools : sequence of str
            Where the document's results belong; facts hold there.
        among : collection of str
            Players who are in the results. Where names were erased, nobody else is told of whom the log does not know.
        """
        for item in about:
            if isinstance(item, Seed) and self._settings.seeds == "none":
                report.unused_ratings += 1
                continue
            try:
                if self._log.names_book.erased and not self._is_known(making.key(item.who), among):
                    continue  # it may be somebody whose name was erased
                if isinstance(item, Seed):
                    yield from self._seed(item, making, report)
                elif self._settings.facts:
                    yield from self._facts(item, making, report, pools)
            except RatingCoreError as error:
                if tells_who(item.who.name):  # else their results are refused, and say why
                    report.warnings.append(f"line {item.line}: {error}")

    def _is_known(self, key: str, among: Collection[str]) -> bool:
        return key in among or self._log.id_of("player", key) is not None

    def _facts(self, item: Facts, making: Making, report: ImportReport, pools: Sequence[str]) -> Iterator[Event]:
        for pool in pools or [making.pool({})]:
            event = making.described(item, pool)
            told = self._told(pool).setdefault(event.player, [])
            place = bisect_right(told, event.played, key=lambda one: one[0])
            known: dict[str, Any] = {}
            for _, earlier in told[:place]:
                known |= earlier
            facts = _facts_of(event)
            if known | facts != known:
                told.insert(place, (event.played, facts))
                report.facts += 1
                yield event

    def _told(self, pool: str) -> Described:
        """The facts that the log has of the players of a pool."""
        if pool not in self._known:
            told: Described = defaultdict(list)
            number = self._log.id_of("pool", pool)
            if number is not None:
                event, now = self._log.decoder(), self._log.corrections()
                for row in self._log.rows(0, None, ("player",), number):
                    read = now.read(row)
                    if read is not None:
                        described = event(read)
                        assert isinstance(described, PlayerDescribed)
                        told[described.player].append((described.played, _facts_of(described)))
                for several in told.values():
                    several.sort(key=lambda one: one[0])
            self._known[pool] = told
        return self._known[pool]

    def _seed(self, item: Seed, making: Making, report: ImportReport) -> Iterator[Event]:
        seed = making.seed(item)
        if self._settings.seeds == "first" and seed.player in self._players(seed.pool):
            report.unused_ratings += 1
        elif not self._is_recorded(seed):
            report.seeds += 1
            yield seed

    def _is_recorded(self, seed: RatingSeeded) -> bool:
        """Whether the log has a seed of this player at this time, which stands."""
        pool, player = self._log.id_of("pool", seed.pool), self._log.id_of("player", seed.player)
        if pool is None or player is None:
            return False
        uid = self._uids.uid(Identity("seed", pool, seed.played, 0, player), 0)
        return bool(self._log.find([uid]))

    def _players(self, pool: str) -> set[str]:
        """Everybody who has a result or a seed in a pool, as it was when they were first asked for."""
        if pool not in self._met:
            number, numbers = self._log.id_of("pool", pool), set()
            if number is not None:
                games = self._log.games(number, 0, self._log.head.position)
                numbers |= {*games.a.tolist(), *games.b.tolist()}
                for row in self._log.rows(0, None, ("session", "seed"), number):
                    sides = row.facts.get("sides", ())
                    numbers |= {row.a} if row.a else {player for players, _ in sides for player in players}
            listed = sorted(one for one in numbers if one is not None)
            self._met[pool] = set(self._log.names_book.keys(listed))
        return self._met[pool]


def _facts_of(event: PlayerDescribed) -> dict[str, Any]:
    return dict(event.data) | ({"called": event.called} if event.called else {})
