"""Notes on results that may be mistakes: points that contradict the score, improbable days, and words for nobody."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

from attrs import frozen

from ratingcore.events import DAY, Event, GamePlayed, Instant, ResultAmended, Row, SessionPlayed, instant, iso
from ratingcore.events.kinds import players_of
from ratingcore.events.values import contrary_points
from ratingcore.log import Log
from ratingcore.log.lookup import bases_of, corrections_of, decoder_of
from ratingcore.readers import Note
from ratingcore.readers.spellings import nobody

LIKELY_FROM = instant("1850-01-01")
"""Results of earlier days are doubtful; results before `bounds.EARLIEST` are refused."""
_SHOWN = 3


@frozen
class _Doubt(Note):
    """Doubt about results: their number, and uid and words of the first ones."""

    results: int
    cases: tuple[tuple[str, str], ...]
    _what: ClassVar[str]
    _way: ClassVar[str]

    @classmethod
    def of(cls, cases: list[tuple[str, str]]) -> Self:
        """Returns the note on some cases."""
        return cls(len(cases), tuple(cases[:_SHOWN]))

    def __str__(self) -> str:
        first = "; ".join(f"{uid}: {words}" for uid, words in self.cases)
        more = f"; and {self.results - len(self.cases)} more" if self.results > len(self.cases) else ""
        return f"{self._what}: {first}{more}; {self._way}"


class ContraryPoints(_Doubt):
    """Games whose points and score name different winners."""

    _what = "points and score disagree about the winner"
    _way = "the score counts: amend the points, or the score if that is wrong"


class FarPlayed(_Doubt):
    """Results of days before 1850 or after tomorrow."""

    _what = "the day is before 1850 or after tomorrow"
    _way = "amend played if that is wrong"


class NobodyRated(_Doubt):
    """Results of players whose name is a word for a missing player."""

    _what = "a player is called by a word for a missing player, and is rated"
    _way = "void the result unless that is a name"


Doubt = ContraryPoints | FarPlayed | NobodyRated


def doubts(events: Iterable[Event], now: Instant) -> list[Doubt]:
    """Returns notes on those of some events that are doubtful results, a note of each kind.

    Examples
    --------
    >>> import ratingcore as rc
    >>> game = rc.GamePlayed(uid="g", pool="p", played="2062-12-24", a="ann", b="BYE", score=1.0)
    >>> for note in doubts([game], instant("2024-03-02")):
    ...     print(note)
    the day is before 1850 or after tomorrow: g: 2062-12-24; amend played if that is wrong
    a player is called by a word for a missing player, and is rated: g: BYE; void the result unless that is a name
    """
    return _notes((event.uid, kind, words) for event in events for kind, words in _of(event, now))


def doubts_of_plan(events: Iterable[Event], log: Log, trial: Log) -> list[Doubt]:
    """Returns notes on doubtful results among planned events, and on results that amendments make doubtful.

    Parameters
    ----------
    log, trial : Log
        The log without the events, and with them.
    """
    now, amended = trial.now(), [event.of for event in events if isinstance(event, ResultAmended)]
    cases = [(event.uid, *one) for event in events for one in _of(event, now)]
    bases = bases_of(trial, trial.find(amended).values()) if amended else {}
    before, after, decode = corrections_of(log), corrections_of(trial), decoder_of(trial)
    for row in {base.position: base for base in bases.values() if base.kind in ("game", "session")}.values():
        was, reads = before.read(row), after.read(row)
        if reads is not None and not _of_one_player(reads) and row.position <= log.head.position:
            known = set() if was is None or _of_one_player(was) else {*_of(decode(was), now)}
            cases += [(row.uid, *one) for one in _of(decode(reads), now) if one not in known]
    return _notes(cases)


def _of_one_player(row: Row) -> bool:
    """True if amendments made both sides of a game one player, so that it does not count."""
    return row.kind == "game" and row.a == row.b


def _of(event: Event, now: Instant) -> Iterator[tuple[type[Doubt], str]]:
    """Yields the doubts about an event, in words."""
    if not isinstance(event, GamePlayed | SessionPlayed):
        return
    if isinstance(event, GamePlayed) and event.data and (how := contrary_points(event.score, event.data)):
        yield ContraryPoints, how
    if not LIKELY_FROM <= event.played <= now + DAY:
        yield FarPlayed, iso(event.played)[:10]
    for name in players_of(event):
        if nobody(name):
            yield NobodyRated, name


def _notes(cases: Iterable[tuple[str, type[Doubt], str]]) -> list[Doubt]:
    found: dict[type[Doubt], list[tuple[str, str]]] = {}
    for uid, kind, words in cases:
        found.setdefault(kind, []).append((uid, words))
    return [kind.of(some) for kind, some in found.items()]
