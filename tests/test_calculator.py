"""What a method expects of two ratings is what it expects of them in a log; prospects of games and of series."""

from itertools import product
from math import comb, erf, nan, sqrt

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from ratingcore.calculator import MOST, GameFacts, Prospect, expectations, prospect
from ratingcore.columns import Games, Need
from ratingcore.errors import BadField, BadValue, CannotSay, MethodNotFound
from ratingcore.events import instant
from ratingcore.methods import Cadence, Column, Forecast, Method, Rated, State
from ratingcore.registry import Registry


@st.composite
def prospects(draw: st.DrawFn) -> Prospect:
    """Prospects with a draw that leaves room for it."""
    expected = draw(st.floats(0.0, 1.0))
    return Prospect(expected, draw(st.floats(0.0, 1.0)) * 2.0 * min(expected, 1.0 - expected))


@given(prospects())
def test_the_three_outcomes_are_all_there_are_and_make_the_expected_share(game: Prospect) -> None:
    win, draw, loss = game.outcomes
    assert min(win, draw, loss) >= 0.0
    assert win + draw + loss == pytest.approx(1.0)
    assert win + 0.5 * draw == pytest.approx(game.expected)
    assert game.worth(1.0, 0.5, 0.0) == pytest.approx(game.expected)


@given(prospects(), st.integers(1, 6))
def test_a_series_is_what_all_its_courses_add_up_to(game: Prospect, games: int) -> None:
    """Brute force: every sequence of wins, draws and losses, one by one."""
    wins, points = np.zeros(games + 1), np.zeros(2 * games + 1)
    for course in product(range(3), repeat=games):  # 0 a win, 1 a draw, 2 a loss
        chance = float(np.prod([game.outcomes[result] for result in course]))
        wins[course.count(0)] += chance
        points[2 * course.count(0) + course.count(1)] += chance
    np.testing.assert_allclose(game.wins(games).exactly, wins, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(game.points(games).exactly, points, rtol=1e-12, atol=1e-15)


@given(prospects(), st.integers(1, 40))
def test_chances_add_up_and_points_have_the_mean_of_their_games(game: Prospect, games: int) -> None:
    points = game.points(games)
    assert points.count.tolist() == [half / 2.0 for half in range(2 * games + 1)]
    assert points.at_least[0] == pytest.approx(1.0)
    assert float(points.count @ points.exactly) == pytest.approx(games * game.expected)
    np.testing.assert_allclose(points.at_least[:-1] - points.at_least[1:], points.exactly[:-1], atol=1e-12)


@pytest.mark.parametrize("share", [1e-9, 0.111278, 0.5, 0.999])
def test_wins_without_draws_are_binomial(share: float) -> None:
    """Small chances keep their digits: every one of them is compared with the formula, relative to itself."""
    n = 60
    formula = [comb(n, k) * share**k * (1.0 - share) ** (n - k) for k in range(n + 1)]
    np.testing.assert_allclose(Prospect(share).wins(n).exactly, formula, rtol=1e-11, atol=1e-300)


def test_the_longest_series_is_still_a_distribution() -> None:
    wins = Prospect(0.5).wins(MOST)
    assert float(wins.exactly.sum()) == pytest.approx(1.0)
    assert int(np.argmax(wins.exactly)) == MOST // 2


def test_without_a_chance_of_a_draw_games_are_won_or_lost_and_neither_is_told() -> None:
    game = Prospect(0.25)
    assert (game.win, game.draw, game.loss) == (None, None, None)
    assert game.outcomes == (0.25, 0.0, 0.75)
    assert game.worth(3.0, 1.0, 0.0) == 0.75


def test_counts_that_cannot_be_are_refused() -> None:
    game = Prospect(0.5, 0.2)
    with pytest.raises(BadValue, match=r"wins must be one of 0, 1, 2, \.\.\. 3: 4"):
        game.wins(3).place(4)
    with pytest.raises(BadValue, match=r"points must be one of 0, 0\.5, 1, \.\.\. 3: 1\.2"):
        game.points(3).place(1.2)
    for games in (0, MOST + 1):
        with pytest.raises(BadValue, match="games must be from 1 to 10000"):
            game.wins(games)
    with pytest.raises(BadValue, match=r"expected must be from 0 to 1: 1\.5"):
        Prospect(1.5)


METHOD = Registry.installed().method

ABLE = (
    "elo", "elo:curve=normal", "elo:curve=normal,draw_band=20", "elo:curve=table", "elo:preset=fide",
    "elo:period=month", "elo:rule=2025", "elo:rule=by-date,period=month", "elo:k=15,entry=trial(15)", "periodic", "dwz",
    "egf", "egf:variant=gor", "fesa", "adaptive-k", "elo-margin:preset=nba538", "elo-margin:preset=football",
    "chess-bayes:deviation=0", "chess-bayes:model=davidson", "berkin-change",
)  # fmt: skip


class Silent(Elo):
    """An Elo that has no number for anybody."""

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), nan))


def normal(gap: float, spread: float = 200.0 * sqrt(2.0)) -> float:
    return 0.5 * (1.0 + erf(gap / spread / sqrt(2.0)))


@pytest.mark.parametrize("text", ABLE)
def test_a_log_with_these_ratings_forecasts_the_same(text: str) -> None:
    seeds = [
        RatingSeeded(pool="p", played="2024-01-01", player=player, values={"rating": rating})
        for player, rating in (("ann", 1834.0), ("bo", 2179.0))
    ]
    facts = {"points_a": 3, "points_b": 1} if text.startswith("elo-margin") else {}
    with open_log(":memory:") as engine:
        engine.record(*seeds, GamePlayed(pool="p", played="2024-02-03", a="ann", b="bo", score=1.0, data=facts))
        (row,) = engine.forecasts("p", text)
    game = prospect(METHOD(text), 1834.0, 2179.0, GameFacts(played=instant("2024-02-03")))
    assert game.expected == pytest.approx(row["expected"], rel=1e-12)
    assert game.draw == pytest.approx(row["draw"], rel=1e-12) if "draw" in row else game.draw is None


def test_fields_of_the_game_are_read_as_a_log_reads_them() -> None:
    method = METHOD("elo:curve=normal,first_move=35")
    for word, ahead in (("a", 35.0), ("b", -35.0), ("n", 0.0)):
        game = prospect(method, 1834.0, 2179.0, GameFacts({"home": word}))
        assert game.expected == pytest.approx(normal(-345.0 + ahead))
    with pytest.raises(BadField, match="field home must be one of a, b, n at the game: 'c'"):
        prospect(method, 1.0, 2.0, GameFacts({"home": "c"}))


def test_columns_of_both_players_can_be_given_and_start_where_the_method_starts() -> None:
    method = METHOD("chess-bayes:draw_band=0,deviation=70")
    spread = 2.0 * 200.0**2
    game = prospect(method, 1600.0, 1500.0, GameFacts(a={"deviation": 30.0}, b={"deviation": "40"}))
    assert game.expected == pytest.approx(normal(100.0, sqrt(spread + 30.0**2 + 40.0**2)))
    half = prospect(method, 1600.0, 1500.0, GameFacts(b={"deviation": 0}))
    assert half.expected == pytest.approx(normal(100.0, sqrt(spread + 70.0**2)))


def test_players_may_spread_differently() -> None:
    """The difference of two performances has the sum of both variances: the wider, the nearer to even."""
    method = METHOD("elo:curve=normal,spread=own")
    game = prospect(method, 1700.0, 1500.0, GameFacts(a={"sigma": 350.0}, b={"sigma": 100.0}))
    assert game.expected == pytest.approx(normal(200.0, sqrt(350.0**2 + 100.0**2)))
    assert prospect(method, 1700.0, 1500.0).expected == pytest.approx(normal(200.0))


def test_columns_of_games_are_the_games_one_by_one() -> None:
    method = METHOD("elo:rule=2022,period=month")  # which looks at all games of an event together
    a, b = np.array([2700.0, 2700.0, 1500.0]), np.array([2200.0, 1700.0, 1400.0])
    together = expectations(method, a, b, GameFacts({"event": "Open"})).expected
    alone = [prospect(method, x, y, GameFacts({"event": "Open"})).expected for x, y in zip(a, b, strict=True)]
    assert together.tolist() == alone


@pytest.mark.parametrize("rule", ["2022", "by-date"])
def test_a_game_by_itself_is_an_event_by_itself(rule: str) -> None:
    """One that named no event was refused, as were all lists with such a game."""
    method, day = METHOD(f"elo:rule={rule},period=month"), instant("2023-05-01")
    named, unnamed = (prospect(method, 2700.0, 1700.0, GameFacts(game, played=day)) for game in ({"event": "Open"}, {}))
    assert unnamed == named


@frozen
class Timed(Method):
    """A method that has no number for a game whose pace is not said."""

    name = "timed"
    cadence = Cadence.CONTINUOUS

    @property
    def needs(self) -> tuple[Need, ...]:
        return (Need("pace"),)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Games) -> Rated:
        half = np.full(len(games), 0.5)
        return Rated(state, half, (0.0 * half, 0.0 * half))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(0.5 + 0.0 * games["pace"])


def test_a_field_that_is_needed_and_not_given_is_named() -> None:
    assert prospect(Timed(), 1500.0, 1500.0, GameFacts({"pace": 60})).expected == 0.5
    with pytest.raises(CannotSay, match="it reads the field pace, which is not given") as refused:
        prospect(Timed(), 1500.0, 1500.0)
    assert refused.value.field == "pace"


@pytest.mark.parametrize(
    ("text", "pairing", "why"),
    [
        ("berkin", GameFacts(), "berkin cannot say what to expect of two ratings: it rates a whole pool at once"),
        ("bridge-bayes", GameFacts(), "bridge-bayes cannot say what to expect of two ratings: it reads sides"),
    ],
)
def test_methods_that_need_more_say_so(text: str, pairing: GameFacts, why: str) -> None:
    with pytest.raises(CannotSay, match=why) as refused:
        prospect(METHOD(text), 2700.0, 1700.0, pairing)
    assert refused.value.hint


def test_ratings_for_which_a_formula_has_no_number_are_refused() -> None:
    with pytest.raises(CannotSay, match="it has no number for 3400 against 2000"):
        prospect(METHOD("egf"), 3400.0, 2000.0)
    with pytest.raises(CannotSay, match="it has no number for 0 against 0"):
        prospect(Silent(), 0.0, 0.0)
    for rating in (nan, float("inf")):
        with pytest.raises(BadValue, match="rating must be a finite number"):
            prospect(METHOD("elo"), rating, 1500.0)


def test_names_that_a_method_does_not_read_are_refused() -> None:
    with pytest.raises(BadValue, match=r"field is not read by elo, which reads none here: 'home'"):
        prospect(METHOD("elo"), 1.0, 2.0, GameFacts({"home": "a"}))
    with pytest.raises(BadValue, match=r"column is not read by chess-bayes, which reads deviation, last: 'rd'"):
        prospect(METHOD("chess-bayes"), 1.0, 2.0, GameFacts(a={"rd": 3.0}))


def test_a_field_of_players_may_be_given_though_only_k_reads_it() -> None:
    method = METHOD("elo:preset=fide")
    assert prospect(method, 1834.0, 2179.0, GameFacts(a={"born": 2010})) == prospect(method, 1834.0, 2179.0)


def test_a_method_may_be_a_text_or_a_value() -> None:
    method = Registry.installed().method("elo:curve=normal")
    assert rc.expect(1834, 2179, method) == rc.expect(1834, 2179, "elo:curve=normal")
    assert rc.expect(1500, 1500).expected == 0.5


def test_the_rules_are_those_of_the_day_and_the_latest_without_one() -> None:
    """Differences were capped at 350 before July 2009, at 400 in 2024, and not from 2650 on since October 2025."""
    text = "elo:rule=by-date,period=month"
    on = {day: round(rc.expect(2700, 1700, text, played=day).expected, 6) for day in ("2008-05-01", "2024-05-01")}
    assert on == {"2008-05-01": 0.882338, "2024-05-01": 0.909091}
    assert rc.expect(2700, 1700, text).expected == rc.expect(2700, 1700, text, played="2026-01-01").expected
    with pytest.raises(BadValue):
        rc.expect(2700, 1700, text, played="next year")


def test_methods_come_from_the_registry_that_is_given() -> None:
    with pytest.raises(MethodNotFound):
        rc.expect(1500, 1500, "elo", registry=Registry())
