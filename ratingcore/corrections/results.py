"""Results of a log at a cut, with corrections applied and merged players as one."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from ratingcore.columns.log_history import Zones, clocks
from ratingcore.columns.slices import Slice, conditions_of, pool_of
from ratingcore.errors import PlayedThemselves
from ratingcore.events import Clock, GamePlayed, Instant, SessionPlayed, Side
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of, decoder_of


def results(log: Log, pool: str | None, through: Instant, to: int) -> Iterator[tuple[int, GamePlayed | SessionPlayed]]:
    """Yields results with their positions, in the order of the log.

    A game between two names of one player is left out, as in every list.

    Parameters
    ----------
    log : Log
    pool : str or None
        Pool, board or slice of the results, as corrected; None for all results.
    through : Instant
        Last time of play that counts; for a pool with a zone, a reading of its clock, or a `Timed`.
    to : int
        Number of known events.
    """
    part = None if pool is None else as_slice(log, pool, to)
    reading, event = corrections_of(log, to), decoder_of(log)
    names, faces = _Roots(log, reading.roots), clocks(log, to)
    for row in log.rows(0, to, ("game", "session")):
        read = reading.read(row)
        if read is None or (read.played is not None and not _counts(read.played, through, faces.get(read.pool))):
            continue
        result = event(read)
        assert isinstance(result, GamePlayed | SessionPlayed)
        if part is not None and (result.pool != part.pool or not part.takes(result.data)):
            continue
        try:
            yield row.position, names.counted(result)
        except PlayedThemselves:
            continue


def as_slice(log: Log, pool: str, to: int) -> Slice:
    """Expresses a pool, a slice, or a board as declared at a position, as a slice of a pool.

    Raises
    ------
    UnknownName
        If there is no such pool.
    """
    number, part = pool_of(log.book, pool)
    board = Zones(log, number).board(to) if part is None else None
    own = Slice(log.book.key(number), ()) if part is None else part
    return own if board is None else Slice(board[0], conditions_of(board[1]))


def pools_in_use(log: Log) -> list[str]:
    """Returns the pools of a log except those in which every event was taken back; all pools if none is left."""
    pools = log.book.keys_of("pool")
    if len(pools) < 2:
        return pools
    void = corrections_of(log).void
    rows = {pool: log.rows(0, None, (), log.book.find("pool", pool)) for pool in pools}
    return [pool for pool, held in rows.items() if any(row.position not in void for row in held)] or pools


def _counts(played: Instant, through: Instant, clock: Clock | None) -> bool:
    return played <= through if clock is None else clock.of_result(played) <= clock.cut(through)


class _Roots:
    """The keys of the players into whom others are merged."""

    def __init__(self, log: Log, roots: Mapping[int, int]) -> None:
        book = log.book
        self._root_of = dict(zip(book.keys(list(roots)), book.keys(list(roots.values())), strict=True))

    def counted(self, result: GamePlayed | SessionPlayed) -> GamePlayed | SessionPlayed:
        """Returns the result with each merged player replaced by the player they are merged into."""
        root_of = self._root_of
        if not root_of:
            return result
        if isinstance(result, GamePlayed):
            return evolve(result, a=root_of.get(result.a, result.a), b=root_of.get(result.b, result.b))
        sides = [Side(tuple(root_of.get(one, one) for one in side.players), side.score) for side in result.sides]
        return evolve(result, sides=sides)
