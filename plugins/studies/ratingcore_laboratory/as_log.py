"""Writes a simulated league as an ordinary log."""

from collections.abc import Iterator

import numpy as np

from ratingcore.plugin import BadValue
from ratingcore.plugin.analysis import Event, GamePlayed, Head, Log, RatingSeeded, SessionPlayed, Side
from ratingcore_laboratory.course import RoundResults
from ratingcore_laboratory.played import Played, opening
from ratingcore_laboratory.trial import Trial


def write(trial: Trial, log: Log, *, contender: str | None = None, pool: str = "world") -> Head:
    """Appends the games of one contender of a trial, a batch per round; returns the new head of the log.

    A round is a month from January 2000 on. First ratings given from outside are seeds. The entry games of newcomers
    are played at the end of the month and have the field `entry`; replayed with `entry=trial(n)` they count as they
    did. Games have points where they were drawn for the contender. Writing the same trial again adds nothing.

    Parameters
    ----------
    trial : Trial
        Trial of a laboratory with `keep=True`.
    contender : str or None
        The first one if None.
    pool : str
        Name of the pool, and the beginning of the uids.

    Raises
    ------
    BadValue
        If the results of the trial were not kept.
    """
    name = trial.contenders[0] if contender is None else contender
    round_results = trial[name].round_results
    if not round_results and trial.rounds:
        raise BadValue("trial", str(trial.world), "has no results: make its laboratory with keep=True")
    width = len(str(max(len(trial.people) - 1, 0)))
    head = log.head
    for round_, part in enumerate(round_results):
        events = list(_events(part, f"{pool}-{name}-{trial.seed}-{round_}", round_, pool, width))
        if events:
            head = log.append(events, source=f"simulation {trial.world}, seed {trial.seed}, {name}").head
    return head


def player(number: int, width: int) -> str:
    """Name of a simulated player, padded so that names sort as ids.

    Examples
    --------
    >>> player(7, 4)
    'player-0007'
    """
    return f"player-{number:0{width}d}"


def _events(part: RoundResults, uid: str, round_: int, pool: str, width: int) -> Iterator[Event]:
    yield from _results(part.results, f"{uid}-r", pool, width, None)
    at = opening(round_)
    for number, (who, rating) in enumerate(zip(part.begun.tolist(), part.rating.tolist(), strict=True)):
        yield RatingSeeded(
            pool=pool, played=at, player=player(who, width), values={"rating": rating}, uid=f"{uid}-s{number}"
        )
    if part.entries is not None:
        yield from _results(part.entries, f"{uid}-e", pool, width, {"entry": 1})


def _results(played: Played, uid: str, pool: str, width: int, data: dict[str, int] | None) -> Iterator[Event]:
    points = {name: column.astype(np.int64).tolist() for name, column in played.points.items()}
    rows = zip(played.a.tolist(), played.b.tolist(), played.score.tolist(), played.at.tolist(), strict=True)
    for number, (a, b, score, at) in enumerate(rows):
        if played.seats == 1:
            yield GamePlayed(
                pool=pool, played=at, a=player(a[0], width), b=player(b[0], width), score=score,
                data={**(data or {}), **{name: column[number] for name, column in points.items()}} or None,
                uid=f"{uid}{number}",
            )  # fmt: skip
            continue
        sides = [Side([player(who, width) for who in side], share) for side, share in ((a, score), (b, 100.0 - score))]
        yield SessionPlayed(pool=pool, played=at, sides=sides, data={"unit": "percent"}, uid=f"{uid}{number}")
