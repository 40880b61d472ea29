"""Forecasts: aligned with the games of a view, and told without the future by whatever method."""

import csv
import gzip
from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen
from ratingcore_elo import Elo
from ratingcore_glicko import Glicko, Glicko2

from ratingcore.compare.clusters import Clusters
from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.compare.losses import losses
from ratingcore.compare.played import Played
from ratingcore.compare.scores import binary, scores
from ratingcore.engine import Engine
from ratingcore.errors import BadValue, BrokenContract
from ratingcore.events import RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Cadence, Forecast, Games, Need, Period, Rated, Sides, Solved, State
from ratingcore.replay import replay_with_forecasts
from tests.columns.making import POOL, engine, game, seed, session
from tests.compare.making import games_of, league
from tests.importer.tables.test_nba import GAMES, games, seeds
from tests.replay.toys import Monthly, Pairs, Peeking, Toy, Unrated, Walk, Whole

DAY = 86_400_000_000


def told(method: Any, eng: Engine, through: Any = None, **more: Any) -> Forecasts:
    return forecast(method, eng.core.view(POOL, through), **more)


def changed_after(n: int, total: int, **more: Any) -> tuple[Engine, Engine]:
    """Two leagues of the same first games, of which all later ones ended otherwise."""
    first = league(total, **more)
    rows = games_of(first)
    names = rows.view.names()
    columns = (rows.played.tolist(), rows.a.tolist(), rows.b.tolist(), rows.score.tolist())
    same = [
        game(at / DAY, names[a], names[b], score if g < n else 1.0 - score)
        for g, (at, a, b, score) in enumerate(zip(*columns, strict=True))
    ]
    return first, engine(*same)


# what is told


@pytest.mark.parametrize("method", [Glicko(), Glicko2(), Glicko(period=Period("days", 10))])
def test_deviations_have_grown_to_the_period_for_which_a_periodic_method_is_asked(method: Any) -> None:
    """Glicko was asked as of the first game of all, so that nobody's deviation had grown since they last played."""
    rng = np.random.default_rng(6)
    days = np.sort(rng.integers(0, 900, 120)).tolist()
    pairs = (rng.choice(6, 2, replace=False).tolist() for _ in days)
    eng = engine(
        *(
            game(day, f"p{a}", f"p{b}", float(rng.choice([0.0, 0.5, 1.0])))
            for day, (a, b) in zip(days, pairs, strict=True)
        )
    )
    moves = replay_with_forecasts(method, eng.core.view(POOL, (days[-1] + 62) * DAY)).moves
    assert moves is not None
    assert told(method, eng, (days[-1] + 62) * DAY).expected == pytest.approx(moves.expected, abs=1e-12)


def test_a_continuous_method_says_what_its_replay_says() -> None:
    eng = league(300)
    found, replay = told(Elo(), eng), replay_with_forecasts(Elo(), eng.core.view(POOL))
    assert replay.moves is not None
    assert found.expected.tolist() == replay.moves.expected.tolist()
    assert found.rating_a.tolist() == replay.rating_before[0::2].tolist()
    assert found.rating_b.tolist() == replay.rating_before[1::2].tolist()
    assert found.rated.all()
    assert found.method.startswith("elo@1(k=20.0")
    assert found.text == "elo:" + found.method.removeprefix("elo@1(").removesuffix(")").replace(", ", ",")
    assert told(Elo(), eng, text="elo").text == "elo"


def test_a_periodic_method_is_asked_in_the_state_at_the_start_of_the_period() -> None:
    eng = league(300)
    view = eng.core.view(POOL)
    method = eng_method("elo:period=month")
    replay = replay_with_forecasts(method, view)
    assert replay.moves is not None
    found = forecast(method, view)
    n = len(replay.moves.expected)
    assert found.expected[:n] == pytest.approx(replay.moves.expected, abs=1e-12)
    assert np.isfinite(found.expected).all()
    assert found.rating_a[:n].tolist() == replay.rating_before[0::2].tolist()


def test_games_after_the_last_closed_period_are_forecast_from_its_end() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "b"), game(41, "b", "a"))
    found = told(eng_method("elo:period=month"), eng, 41 * DAY)
    gap = found.rating_a[1] - found.rating_b[1]
    assert gap == pytest.approx(20.0)
    assert found.expected.tolist() == pytest.approx([0.5, 1 / (1 + 10 ** (-gap / 400)), 1 / (1 + 10 ** (gap / 400))])


def test_a_game_of_a_long_tournament_is_forecast_without_those_that_ended_while_it_went_on() -> None:
    eng = engine(
        game(1, "a", "b", data={"event": "long"}), game(2, "a", "b", data={"event": "short"}),
        game(3, "b", "a", data={"event": "short"}), game(4, "a", "b", data={"event": "late"}),
        game(9, "a", "b", data={"event": "long"}), game(9.5, "a", "b", data={"event": "open"}),
    )  # fmt: skip
    method = eng_method("elo:period=event,k=32")
    found = told(method, eng)
    assert found.rating_a[:3].tolist() == [1500.0] * 3, "before any tournament ended"
    assert found.rating_b[3] - found.rating_a[3] == pytest.approx(0.0), "two games of the short one, one each"
    assert found.rating_a[4] == pytest.approx(1516.0), "after the short and the late"
    assert found.rating_a[5] > 1516.0


def test_a_retrospective_method_is_refitted_as_often_as_asked() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "b"), game(400, "a", "b"))
    monthly, yearly = told(Whole(), eng), told(Whole(), eng, period="year")
    assert monthly.expected.tolist() == [0.5, 0.501, 0.502]
    assert yearly.expected.tolist() == [0.5, 0.5, 0.502]
    assert told(Whole(), eng, period=Period("months", 12)).expected.tolist() == yearly.expected.tolist()


def test_tournaments_cannot_part_a_walk_forward() -> None:
    with pytest.raises(BadValue, match="tournaments overlap"):
        told(Whole(), league(5), period="event")


@pytest.mark.parametrize("method", [Elo(), Monthly(), Whole(), Pairs()])
def test_nothing_played_is_nothing_forecast_and_one_game_is_one(method: Any) -> None:
    eng = engine(game(1, "a", "b"))
    assert told(method, eng).expected.tolist() == [0.5]
    none = told(method, eng, 0)
    assert (len(none), none.rating_a.tolist()) == (0, [])


class Half(Unrated):
    def rate(self, state: State, games: Games) -> Rated:
        still = np.zeros(len(games))
        return Rated(state, np.full(len(games), 0.5), (still, still))


def test_games_of_unrated_players_have_no_forecast() -> None:
    eng = engine(seed(1, "a"), seed(1, "b"), game(2, "a", "b"), game(3, "a", "c"), game(4, "c", "d"))
    found = told(Half(), eng)
    assert found.rated.tolist() == [True, False, False], "though the method said one half of each"
    entering = told(eng_method("elo:entry=trial(1)"), eng)
    assert entering.rated.tolist() == [True, False, False]
    monthly = told(eng_method("elo:period=month,entry=trial(1)"), eng)
    assert monthly.rated.tolist() == [True, False, False]


class Tables(Toy):
    """Continuous, of sides: a point to every member of the best side."""

    name = "tables"
    cadence = Cadence.CONTINUOUS
    reads = Sides

    def rate(self, state: State, games: Sides) -> Rated:
        rating, change = state.copy("rating"), np.repeat(games.score >= 0.6, np.diff(games.side)).astype(float)
        np.add.at(rating, games.player, change)
        return Rated(state.replace(rating=rating), np.full(len(games.score), 0.5), change)


def test_a_method_of_sides_is_asked_about_the_games_among_sessions() -> None:
    eng = engine(session(1, ("ab", 0.6), ("c", 0.4)), game(2, "a", "c"), session(3, ("c", 0.6), ("a", 0.4)))
    found = told(Tables(), eng)
    assert found.expected.tolist() == [0.5]
    assert (found.rating_a.tolist(), found.rating_b.tolist()) == ([101.0], [100.0])
    assert told(Sessions(), eng, 4 * DAY).rating_a.tolist() == [100.0], "a month that is not over"


class Sessions(Tables):
    name = "sessions"
    cadence = Cadence.PERIODIC
    period = Period.parse("month")


def test_seeds_given_later_in_a_period_are_not_known_before_they_are_given() -> None:
    events = [game(1, "a", "b"), game(2, "c", "d"), seed(5, "a", 150.0), game(6, "a", "b")]
    assert told(Whole(), engine(*events)).rated.tolist() == [False, True, True]
    assert told(Elo(), engine(*events)).rated.tolist() == [True, True, True]
    by_month = told(eng_method("elo:period=month"), engine(*events))
    assert by_month.rated.tolist() == [True, True, True]  # the first game was left out, though its forecast is right
    assert by_month.expected == pytest.approx([0.5, 0.5, 1 / (1 + 10 ** (1350 / 400))])


def test_a_deviation_that_is_given_alone_within_a_period_is_known_from_its_start_on() -> None:
    alone = RatingSeeded(pool=POOL, played=5 * DAY, player="a", values={"deviation": 40.0})
    events = [game(1, "a", "b"), alone, game(6, "a", "b")]
    assert told(eng_method("glicko:period=month"), engine(*events)).rated.tolist() == [False, True]


def test_seeds_before_1970_are_known_too() -> None:
    """The last of a period was sought from 1970 on."""
    eng = engine(seed(-9000, "a"), game(-9000, "a", "b"))
    assert told(eng_method("elo:period=month"), eng).rated.tolist() == [True]


# what is denied


@frozen(eq=False)
class Ahead(Toy):
    """Continuous: expects of every game what the one after it will bring."""

    name = "ahead"
    cadence = Cadence.CONTINUOUS

    def rate(self, state: State, games: Games) -> Rated:
        told = np.append(games.score[1:], 0.5) * 0.2 + 0.4
        return Rated(state, told, (np.zeros(len(games)), np.zeros(len(games))))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.where(np.isnan(games.score), 0.5, games.score * 0.2 + 0.4))


@frozen(eq=False)
class Own(Ahead):
    """Continuous: expects of every game what it brought."""

    name = "own"

    def rate(self, state: State, games: Games) -> Rated:
        return Rated(state, games.score.copy(), (np.zeros(len(games)), np.zeros(len(games))))


@frozen(eq=False)
class FarAhead(Ahead):
    """Continuous: peeks only well into a call."""

    name = "far-ahead"

    def rate(self, state: State, games: Games) -> Rated:
        told = np.full(len(games), 0.5)
        told[20:] = games.score[20:]
        return Rated(state, told, (np.zeros(len(games)), np.zeros(len(games))))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


@pytest.mark.parametrize("method", [Ahead(), Own(), FarAhead()])
def test_a_continuous_method_that_reads_ahead_is_caught(method: Any) -> None:
    with pytest.raises(BrokenContract, match="when that score and all that comes later are withheld"):
        told(method, league(300))


@frozen(eq=False)
class Reaching(Toy):
    """Reaches for the memory that its columns are cut from, and for what it was given before."""

    name = "reaching"
    cadence: Cadence = Cadence.CONTINUOUS  # type: ignore[misc]  # the test chooses
    kept: list[Any] = field(factory=list)

    @property
    def period(self) -> Period:
        return Period.parse("month")

    def _seen(self, games: Games) -> float:
        """The sum of all scores it can lay hands on."""
        known = [array for kept in (*self.kept, games) for array in (kept.score, kept.score.base) if array is not None]
        return float(max(np.nansum(array) for array in known))

    def rate(self, state: State, games: Games) -> Any:
        seen = self._seen(games)
        self.kept.append(games)
        if self.cadence is Cadence.RETROSPECTIVE:
            return Solved(state.replace(rating=state["rating"] * 0 + seen), games.score.copy())
        still = np.zeros(len(games))
        return Rated(state, np.full(len(games), 0.5), (still, still))

    def expected(self, state: State, games: Games) -> Forecast:
        if self.cadence is Cadence.CONTINUOUS:
            return Forecast(np.full(len(games), 0.5))
        return Forecast(0.5 + (state["rating"][games.a] - 100.0 + self._seen(games)) / 1e4)


@pytest.mark.parametrize("cadence", list(Cadence))
def test_a_method_that_keeps_what_it_was_given_and_reaches_beyond_it_finds_no_future(cadence: Cadence) -> None:
    one, other = changed_after(150, 300)
    first, second = told(Reaching(cadence=cadence), one), told(Reaching(cadence=cadence), other)
    known = int(np.searchsorted(games_of(one).played, games_of(one).played[150] // (31 * DAY) * (31 * DAY)))
    assert first.expected[:known].tolist() == second.expected[:known].tolist()
    assert known > 60


@frozen(eq=False)
class ByPoints(Toy):
    """Reads the winner from the points, which are known when the score is."""

    name = "by-points"
    cadence: Cadence = Cadence.PERIODIC  # type: ignore[misc]  # the test chooses
    needs = (Need("points_a", default=0.0), Need("points_b", default=0.0))

    @property
    def period(self) -> Period:
        return Period.parse("month")

    def rate(self, state: State, games: Games) -> Any:
        won = np.where(games["points_a"] > games["points_b"], 0.9, 0.5)
        if self.cadence is Cadence.RETROSPECTIVE:
            return Solved(state, won)
        return Rated(state, won, (won * 0, won * 0))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.where(games["points_a"] > games["points_b"], 0.9, 0.5))


def test_points_are_withheld_as_scores_are() -> None:
    eng = engine(*(game(day, "a", "b", data={"points_a": 3, "points_b": 1}) for day in range(1, 90)))
    for cadence in (Cadence.PERIODIC, Cadence.RETROSPECTIVE):
        assert set(told(ByPoints(cadence=cadence), eng).expected.tolist()) == {0.5}
    with pytest.raises(BrokenContract):
        told(ByPoints(cadence=Cadence.CONTINUOUS), eng)


@pytest.mark.parametrize(
    "method", [Elo(), Walk(), Pairs(), Monthly(), Whole(), Peeking()], ids=lambda method: method.name
)
def test_forecasts_are_the_same_whatever_comes_later(method: Any) -> None:
    one, other = changed_after(150, 300)
    cut = int(games_of(one).played[149])
    first, second, third = told(method, one), told(method, other), told(method, one, cut)
    assert first.expected[:150].tolist() == second.expected[:150].tolist() == third.expected.tolist()
    assert first.rating_a[:150].tolist() == second.rating_a[:150].tolist() == third.rating_a.tolist()


@pytest.mark.parametrize(
    "text", ["elo:period=month", "elo:period=event", "periodic", "adaptive-k", "elo:entry=trial(3)"]
)
def test_forecasts_of_installed_methods_are_the_same_whatever_comes_later(text: str) -> None:
    one, other = changed_after(150, 300)
    first, second = (told(eng_method(text), eng).expected[:150] for eng in (one, other))
    assert np.array_equal(first, second, equal_nan=True)


# what is refused


@pytest.mark.parametrize("share", [1.2, -0.1])
def test_a_forecast_that_is_no_share_names_the_method_and_the_game(share: float) -> None:
    class Sure(Monthly):
        name = "sure"

        def expected(self, state: State, games: Games) -> Forecast:
            return Forecast(np.where(games.position == 2, share, 0.5))

    with pytest.raises(BrokenContract, match=f"sure .*forecast of the game at position 2 is not a share: .*{share}"):
        told(Sure(), league(5))


def test_a_share_is_brought_into_its_range_when_only_rounding_took_it_out() -> None:
    class Nearly(Monthly):
        def expected(self, state: State, games: Games) -> Forecast:
            return Forecast(np.full(len(games), 1 + 2e-16))

    assert told(Nearly(), league(3)).expected.tolist() == [1.0] * 3


def test_the_chance_of_a_draw_makes_a_whole_forecast() -> None:
    eng = engine(game(1, "a", "b", 0.5), game(2, "a", "b", 1.0))
    found = told(Elo(curve="normal", draw_band=50.0), eng)
    win, draw, loss = found.outcomes
    assert win + draw + loss == pytest.approx([1.0, 1.0])
    assert win + draw / 2 == pytest.approx(found.expected)
    assert (draw > 0).all()


# the games asked about


def test_pairs_have_one_number_whoever_is_a() -> None:
    found = games_of(engine(game(1, "a", "b"), game(2, "b", "a"), game(3, "c", "b"), game(4, "a", "b")))
    assert Clusters.of(found).pair.tolist() == [0, 0, 1, 0]


def test_months_are_those_of_the_calendar() -> None:
    found = games_of(engine(*(game(day, "a", "b") for day in (-1, 0, 30.9, 31, 100))))
    assert found.block.tolist() == [0, 1, 1, 2, 4]


# a real archive


def test_the_log_loss_of_the_nba_preset_is_that_of_the_published_probabilities() -> None:
    eng = Engine(SqliteLog(":memory:"))
    eng.record(*(evolve(event, uid=str(number)) for number, event in enumerate([*seeds(), *games()])))
    view = eng.core.view("nba")
    found, played = forecast(eng.registry.method("elo-margin:preset=nba538"), view), Played.of(view)
    with gzip.open(GAMES, "rt", encoding="utf-8", newline="") as file:
        published = np.array([float(row["elo_prob1"]) for row in csv.DictReader(file)])
    ours, theirs = scores(found, played), binary(published, played.score)
    assert (ours.n, ours.unrated) == (50_257, 0)
    assert ours.log_loss == pytest.approx(theirs.log_loss, abs=1e-6)
    assert ours.brier == pytest.approx(theirs.brier, abs=1e-6)
    assert np.abs(losses(found.expected, played.score) - losses(published, played.score)).max() < 1e-4


def eng_method(text: str) -> Any:
    return Engine(SqliteLog(":memory:")).registry.method(text)
