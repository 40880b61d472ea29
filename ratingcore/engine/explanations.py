"""Why a player's rating is what it is, line by line."""

from math import nan

from attrs import evolve

from ratingcore.engine.ratings import Rating
from ratingcore.errors import BadCut, UnknownName
from ratingcore.events import When, instant
from ratingcore.events.times import FIRST
from ratingcore.explain.attribution import MOST, attribute
from ratingcore.explain.causes import Causes
from ratingcore.explain.contributions import contributions, listed, shares
from ratingcore.explain.explanation import Explanation
from ratingcore.explain.lines import ExplainedLine
from ratingcore.lists.cuts import KnownAt, played_through
from ratingcore.methods import Cadence, Method
from ratingcore.methods.text import identity
from ratingcore.replay import Replay, fold
from ratingcore.replay.resume import Standing
from ratingcore.tables.arrays import Floats


class Explaining(Rating):
    """Ratings explained."""

    def explain(
        self,
        pool: str,
        player: str,
        method: str | Method,
        since: When | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        refits: int = MOST,
    ) -> Explanation:
        """Explain a player's rating: the opening rating, a line for everything that moved it, the closing rating.

        Lines and opening add up to the closing rating, which is the unrounded rating of the list. A
        whole-pool method is refitted before and with each of the player's results, in order of play.

        Parameters
        ----------
        since : str, date, datetime or None
            First day whose results are lines; the opening rating is the list's of the day before.
        through, known_at
            As for a rating list.
        refits : int
            How often a whole-pool method may be refitted; beyond that, results are taken together by day, month, year.

        Raises
        ------
        UnknownName
            If the log knows no such player or pool; a player who is not in the pool at this cut has no lines.
        BadCut, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> from ratingcore import GamePlayed, open
        >>> engine = open(":memory:")
        >>> game = GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> ann = engine.explain("rapid", "ann", "elo:k=24")
        >>> ann.opening, [line.contribution for line in ann.lines], ann.closing
        (1500.0, [12.0], 1512.0)
        """
        rated = self.registry.method(method)
        # everything below knows the same events, whatever is appended meanwhile
        position = self.position(known_at, self.pool_id(pool))
        first = None if since is None or instant(since) <= FIRST else instant(since)
        last = played_through(through)
        if first is not None and first > last:
            raise BadCut("since", since, "lies after the last day that counts")
        causes, view = Causes(self.log, self.log.names_book.key), self.view(pool, through, position)
        blank = Explanation(
            player, pool, identity(rated), position, view.digest, first, last, None, None, (),
            causes=causes, subject=self.player_id(player),
        )  # fmt: skip
        try:
            row = self._row(view, player)
        except UnknownName:
            return blank
        replay = self.replay(pool, rated, through, position, keep=True, since=first)
        earlier = None if first is None else self.standing(rated, view.cut(first - 1))
        told = _retrospective if rated.cadence is Cadence.RETROSPECTIVE else _forward
        explained = told(blank, replay, earlier, row, refits)
        positions = [line.position for line in explained.lines if line.position is not None]
        uids = dict(zip(positions, self.log.uids(positions), strict=True)) if positions else {}
        return explained.named(uids, causes.between(0, position, positions, blank.subject, others=False))


def _forward(blank: Explanation, replay: Replay, earlier: Standing | None, row: int, refits: int) -> Explanation:
    cut = earlier is not None and replay.since is None  # a method that cannot go on from where it stood
    whole = replay.beyond(fold(replay.method, earlier.view)) if earlier is not None and cut else replay
    lines = contributions(whole, row)
    return _closed(blank, lines, whole, earlier, row)


def _retrospective(blank: Explanation, replay: Replay, earlier: Standing | None, row: int, refits: int) -> Explanation:
    start = _rating(earlier, row, replay) if earlier is not None else float(replay.start[row])
    made = attribute(replay, row, FIRST if blank.since is None else blank.since, refits)
    lines = shares(replay, row, made, start, float(replay.state["rating"][row]))
    explained = _closed(blank, lines, evolve(replay, start=_put(replay.start, row, start)), earlier, row)
    return evolve(explained, attributed=True, together=made.word, refits=made.refits)


def _closed(
    blank: Explanation, lines: list[ExplainedLine], replay: Replay, earlier: Standing | None, row: int
) -> Explanation:
    """The explanation between the ratings as the lists show them."""
    start = float(replay.start[row])
    opening = start if earlier is None else _listed(earlier, row, start)
    closing = _listed(replay, row, nan)
    listed(lines, opening, closing, start, (replay.at if blank.since is None else blank.since - 1, replay.at))
    return evolve(blank, opening=_known(opening), closing=_known(closing), lines=tuple(lines))


def _listed(replay: Replay | Standing, row: int, unseen: float) -> float:
    """The rating that a list shows, unrounded."""
    rating = replay.method.show(replay.state, replay.at)["rating"]
    return float(rating[row]) if row < len(rating) else unseen


def _rating(earlier: Standing, row: int, replay: Replay) -> float:
    rating = earlier.state["rating"]
    return float(rating[row]) if row < len(rating) else float(replay.start[row])


def _put(column: Floats, row: int, value: float) -> Floats:
    changed = column.copy()
    changed[row] = value
    return changed


def _known(rating: float) -> float | None:
    return None if rating != rating else rating
