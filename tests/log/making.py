"""What tests of the log are made of: clocks, salts, events, and events read back."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from ratingcore.events import (
    Event,
    Fact,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    PoolDeclared,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
    decode,
)
from ratingcore.log import Log
from ratingcore.log.lookup import uid_at
from ratingcore.log.names import NameDraft
from ratingcore.log.stored_names import StoredNames

START = 1_700_000_000_000_000


L = TypeVar("L", bound=Log)


class Clock:
    """A clock that moves a second each time it is asked."""

    def __init__(self, start: int = START, step: int = 1_000_000) -> None:
        self.at = start - step
        self.step = step

    def __call__(self) -> int:
        self.at += self.step
        return self.at


class Salts:
    """Salts that are different from one another and the same every time."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        return f"{self.made:032x}"


def game(uid: object, a: str = "ann", b: str = "bo", score: float = 1.0, **other: object) -> GamePlayed:
    facts = {"pool": "rapid", "played": "2024-03-02", **other}
    return GamePlayed(uid=str(uid), a=a, b=b, score=score, **facts)  # type: ignore[arg-type]  # fields by name


def games(first: int, last: int, **other: object) -> list[GamePlayed]:
    """Games with the uids `first` to `last`, of ever new players."""
    return [game(uid, f"p{uid}", f"q{uid % 7}", **other) for uid in range(first, last + 1)]


SESSION = SessionPlayed(
    uid="s-1", pool="club", played="2024-03-02", sides=[Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.8)],
    data={"unit": "percent", "boards": 24},
)  # fmt: skip

EVERY_KIND: tuple[Event, ...] = (
    game("g-1", data={"home": "a", "points_a": 3, "points_b": 1.5, "final": True}),
    game("g-2", "Zo\u00eb", "名前", 0.5, order=7, played="1969-12-31T23:59:59.999999Z"),
    SESSION,
    RatingSeeded(uid="r-1", pool="rapid", played="2024-01-01", player="ann", values={"rating": 1500, "deviation": 0.1}),
    PlayerDescribed(uid="p-1", pool="rapid", player="bo", played="2024-01-01", data={"born": 1980}),
    ResultVoided(uid="v-1", of="g-1", why="default, not played", by="the secretary"),
    ResultVoided(uid="v-2", of="v-1", why="it was played"),
    ResultAmended(uid="a-1", of="g-1", changes={"score": 0.0, "b": "cy", "home": None}, why="typing error"),
    ResultAmended(uid="a-2", of="s-1", changes={"sides": [Side("ann", 1.5), Side("cy", -1.5)]}),
    ResultAmended(uid="a-3", of="r-1", changes={"values": {"rating": 1600.0}, "played": "2024-01-02"}),
    PlayersMerged(uid="m-1", keep="bo", other="bob", why="one person"),
    MergeUndone(uid="u-1", of="m-1", by="the secretary"),
    PeriodClosed(uid="c-1", pool="rapid", played="2024-03-31", data={"complete": True}),
    ListPublished(uid="l-1", pool="rapid", played="2024-03-31", name="2024-03", data={"digest": "abc"}),
    PoolDeclared(uid="d-1", pool="rapid", fits="elo"),
)
"""An event of every kind, in an order in which they can be said."""


def fill(log: L) -> L:
    """Appends three batches to a log: every kind of event, a game given twice, new players."""
    log.append(EVERY_KIND[:5], source="march.csv")
    log.append([game("g-1", data=dict(EVERY_KIND[0].data)), *games(1, 3)])  # type: ignore[attr-defined]  # a game
    log.append(EVERY_KIND[5:], source="the secretary")
    return log


class Read:
    """Names and uids of a log, for decoding its rows."""

    def __init__(self, log: Log) -> None:
        self._keys = [name.key for name in log.book.names()]
        self.uid = partial(uid_at, log)
        self._facts = log.book.facts

    def fact(self, number: int) -> Fact | None:
        return self._facts([number])[0]

    def key(self, number: int) -> str:
        key = self._keys[number - 1]
        return f"(erased {number})" if key is None else key


def told(log: Log) -> list[Event]:
    """All events of a log."""
    read = Read(log)
    return [decode(row, read) for row in log.rows()]


def keys(log: Log, kind: str = "") -> list[str | None]:
    """All readable names of a log but its key, or those of one kind."""
    return [name.key for name in log.book.names() if (name.kind == kind if kind else name.kind != "key")]


def uids(log: Log) -> list[str]:
    """All uids in order; positions are seen to be gapless."""
    rows = list(log.rows())
    assert [row.position for row in rows] == list(range(1, len(rows) + 1))
    return [row.uid for row in rows]


def state(log: Log) -> object:
    """Everything a reader can see."""
    return log.head, log.key, list(log.batches()), list(log.rows()), list(log.book.names())


def writer(log: Any) -> Any:
    """The connection with which a log in a file writes."""
    return log._connections._writer.opened()


def fails(error: type[Exception], call: Callable[[], object]) -> Exception:
    """The error a call raises."""
    try:
        call()
    except error as raised:
        return raised
    raise AssertionError(f"{error.__name__} was not raised")


def batches(events: Iterable[Event], size: int) -> list[list[Event]]:
    kept = list(events)
    return [kept[start : start + size] for start in range(0, len(kept), size)]


def empty_book() -> NameDraft:
    """A book of names that no store holds."""
    return NameDraft(StoredNames(lambda *statement: []), 0, Salts())
