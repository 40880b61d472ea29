"""Methods side by side on one log: the engine's door to comparisons."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ratingcore._version import __version__
from ratingcore.engine.core import Base
from ratingcore.events import When, instant
from ratingcore.lists import rating_list
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.people import People
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import text_of
from ratingcore.replay import stand

if TYPE_CHECKING:
    from ratingcore.compare import Comparison
    from ratingcore.compare.burn_in import BurnIn

COHORTS = ("gap", "strength", "experience", "year")


class Comparing(Base):
    """What several methods make of the same games."""

    def compare(
        self,
        pool: str,
        methods: Sequence[str | Method],
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        since: When | None = None,
        burn_in: "str | BurnIn" = "none",
        refit: str | Period | None = None,
        cohorts: Sequence[str] = COHORTS,
        players: Sequence[str] = (),
        reference: str | None = None,
        seed: int = 0,
    ) -> "Comparison":
        """Forecasts of several methods, each made strictly before its game, scored on the same games.

        Parameters
        ----------
        pool : str
        methods : sequence of str or Method
            `elo`, `elo:k=40`, or method values. One that cannot forecast this pool is left out, with the reason.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log.
        since : str, date, datetime or None
            Score the games from then on; those before are rated all the same.
        burn_in : str or BurnIn
            Games that are rated and not scored: `each(30)`, `games(1000)`, `days(365)`.
        refit : str, Period or None
            How often retrospective methods are refitted: `month` if None, `quarter`, `year`, `days(7)`.
        cohorts : sequence of str
            `gap`, `strength`, `experience`, `year`, `event`, or any field of results or players.
        players : sequence of str
            Whose rating is followed; the five with most games if empty.
        reference : str or None
            The method that the others are held against, as it is spelt in `methods`; the first if None.
        seed : int
            Of the bootstrap: the same seed gives the same intervals.

        Returns
        -------
        Comparison
            Tables of lists, curves, health and cohorts are worked out when they are first looked at; where a method
            reads what is said of players, that has to be while the log is open.

        Raises
        ------
        SameMethod, NothingForecast, MethodNotFound, BadParameter, UnknownName, BadCut

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     for day in range(1, 29):
        ...         engine.record(
        ...             rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a="ann", b="bo", score=1.0)
        ...         ) and None
        ...     found = engine.compare("p", ["elo", "elo:k=40"])
        >>> found.methods
        ('elo:k=40', 'elo')
        """
        from ratingcore.compare.burn_in import BurnIn
        from ratingcore.compare.compare import compare  # few who rate compare

        asked = [(m, self.registry.method(m)) if isinstance(m, str) else (text_of(m), m) for m in methods]
        view = self.view(pool, through, known_at)
        people = People(self.log.names_book)
        settling = BurnIn.parse(burn_in) if isinstance(burn_in, str) else burn_in
        return compare(
            asked, view, lambda method: rating_list(stand(method, view), __version__, people), __version__,
            since=None if since is None else instant(since), burn_in=settling,
            refit=refit, cohorts=tuple(cohorts), followed=[self._row(view, player) for player in players],
            reference=reference, seed=seed,
        )  # fmt: skip
