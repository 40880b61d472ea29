"""Hypothesis strategies for property tests: events of small pools with many collisions, and logs of such events.

This is the only module of the kit that needs hypothesis (the extra `dev`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from ratingcore.events import (
    DAY,
    Event,
    GamePlayed,
    MergeUndone,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
    instant,
)
from ratingcore.events.values import new_uid
from ratingcore.log import SqliteLog
from ratingcore.testing.season import POOL

PLAYERS = ("ann", "bo", "cy", "di", "ed", "flo")
FIRST = instant("2024-01-01")

players = st.sampled_from(PLAYERS)
"""Few players, so that they meet often."""

instants = st.integers(0, 120).map(lambda day: FIRST + day * DAY // 2)
"""Half days within two months, so that many results share an instant and periods contain several results."""

shares = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)
"""Scores of a game, mostly 0, 0.5 or 1."""

ratings = st.floats(500.0, 2500.0)
"""Ratings of seeds."""


@st.composite
def games(draw: st.DrawFn, uid: str | None = None, pool: str = POOL) -> GamePlayed:
    """Draws a game between two of the players."""
    a, b = draw(st.lists(players, min_size=2, max_size=2, unique=True))
    order = draw(st.integers(-1, 1))
    return GamePlayed(uid=uid or new_uid(), pool=pool, played=draw(instants), a=a, b=b, score=draw(shares), order=order)


@st.composite
def sessions(draw: st.DrawFn, uid: str | None = None, pool: str = POOL) -> SessionPlayed:
    """Draws a session of two or three sides with one or two players each."""
    seated = draw(st.permutations(PLAYERS))
    sides = draw(st.integers(2, 3))
    starts = [0]
    for _ in range(sides):
        starts.append(starts[-1] + draw(st.integers(1, 2)))
    seats = [Side(seated[start:stop], draw(shares)) for start, stop in pairwise(starts)]
    return SessionPlayed(uid=uid or new_uid(), pool=pool, played=draw(instants), sides=seats)


@st.composite
def seeds(draw: st.DrawFn, uid: str | None = None, pool: str = POOL) -> RatingSeeded:
    """Draws a seed of a player, who may have no results."""
    values = {"rating": draw(ratings)}
    return RatingSeeded(uid=uid or new_uid(), pool=pool, played=draw(instants), player=draw(players), values=values)


@st.composite
def histories(
    draw: st.DrawFn, most: int = 30, *, corrections: bool = True, seeded: bool = True, seated: bool = False
) -> list[Event]:
    """Draws events in an order in which they may be recorded: results, some recorded late, and corrections.

    Parameters
    ----------
    most : int
        The largest number of events.
    corrections : bool
        Whether results are voided and amended, players merged, and corrections taken back.
    seeded : bool
        Whether there are seeds.
    seated : bool
        Whether there are sessions among the games.
    """
    events: list[Event] = []
    kinds = ["game"] * 5 + ["seed"] * seeded + ["session"] * (2 * seated)
    for number in range(draw(st.integers(1, most))):
        corrected = ["void", "amend", "merge", "unmerge"] if corrections and events else []
        made = _event(draw, draw(st.sampled_from([*kinds, *corrected])), f"e{number}", events)
        if made is not None:
            events.append(made)
    return events


def _event(draw: st.DrawFn, kind: str, uid: str, events: Sequence[Event]) -> Event | None:
    """Draws an event of a kind; a correction refers to an earlier event, and is None if there is none to correct."""
    if kind in {"game", "seed", "session"}:
        made: Any = {"game": games, "seed": seeds, "session": sessions}[kind](uid)
        return draw(made)  # type: ignore[no-any-return]  # an event, whichever strategy made it
    if kind == "merge":
        keep, other = draw(st.lists(players, min_size=2, max_size=2, unique=True))
        met = {event.a for event in events if isinstance(event, GamePlayed)}
        met |= {event.b for event in events if isinstance(event, GamePlayed)}
        return PlayersMerged(uid=uid, keep=keep, other=other) if {keep, other} <= met else None
    spoken = {
        "void": (GamePlayed, SessionPlayed, RatingSeeded, ResultVoided, ResultAmended),
        "amend": (GamePlayed,),
        "unmerge": (PlayersMerged,),
    }[kind]
    targets = [event.uid for event in events if isinstance(event, spoken)]
    if not targets:
        return None
    of = draw(st.sampled_from(targets))
    if kind == "unmerge":
        return MergeUndone(uid=uid, of=of)
    if kind == "void":
        return ResultVoided(uid=uid, of=of)
    changes: list[dict[str, object]] = [{"score": draw(shares)}, {"played": draw(instants)}]
    return ResultAmended(uid=uid, of=of, changes=draw(st.sampled_from(changes)))


@st.composite
def logs(draw: st.DrawFn, /, most: int = 30, **kinds: bool) -> SqliteLog:
    """Draws a log with a history in a few batches; `kinds` as for `histories`."""
    events = draw(histories(most, **kinds))
    log = SqliteLog(":memory:", clock=lambda: 0, salt=lambda: "00")
    at = 0
    while at < len(events):
        size = draw(st.integers(1, len(events)))
        log.append(events[at : at + size])
        at += size
    return log
