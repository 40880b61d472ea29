"""Predictions: laws over all methods, and each number held against what really recording the result gives."""

from math import isnan

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.columns import Sides
from ratingcore.engine import Engine
from ratingcore.errors import BadValue, CannotSay, PlayedThemselves, UnknownName
from ratingcore.events import DAY, Event, GamePlayed, Side, instant
from ratingcore.log import SqliteLog
from ratingcore.methods import Cadence, Method
from ratingcore.predict import Prediction
from ratingcore.registry import Registry
from ratingcore.replay import fold
from ratingcore.testing.random_seasons import seasons
from ratingcore.testing.season import POOL, Season
from tests.engine.test_explanations import TEXTS

REGISTRY = Registry.installed()
FURTHER = ("glicko2:preset=lichess", "elo:entry=mean", "elo:period=event", "weng-lin:model=bt_part")


def recorded(events: tuple[Event, ...], result: Event, method: Method, through: int) -> dict[str, dict[str, float]]:
    """The list of a copy of the log in which a result was really recorded: a replay from the first event on."""
    copy = Engine(SqliteLog(":memory:"), REGISTRY)
    copy.record(*events)
    copy.record(result)
    replay = fold(method, copy.core.view(POOL, through))
    shown = method.show(replay.state, replay.at)
    names = replay.view.names()
    return {player: {name: float(column[row]) for name, column in shown.items()} for row, player in enumerate(names)}


def agree(one: Prediction, season: Season, method: Method, facts: dict[str, object]) -> int:
    """Holds the ratings after each result against a copy of the log; returns how many were compared."""
    labels = {column.name: column.labels for column in method.columns() if column.labels}
    compared, events = 0, season.events
    for end in one.after:
        game = len(one.sides) == 2 and all(len(side) == 1 for side in one.sides) and season.view.n_games > 0
        event: Event = rc.SessionPlayed(
            pool=POOL, played=one.at, sides=[Side(s, p) for s, p in zip(one.sides, end.scores, strict=True)], data=facts
        )
        if game:
            event = GamePlayed(
                pool=POOL, played=one.at, a=one.sides[0][0], b=one.sides[1][0], score=end.scores[0], data=facts
            )
        really = recorded(events, event, method, one.listed)
        for player, columns in end.players.items():
            for name, cell in columns.items():
                wanted = really[player][name]
                if name in labels:
                    assert cell == labels[name][int(wanted)]
                elif cell is None:
                    assert isnan(wanted)
                else:
                    assert cell == pytest.approx(wanted, rel=1e-9, abs=1e-9), (player, name, end.result)
                    compared += 1
    return compared


def sound(one: Prediction) -> None:
    """What must hold of every prediction."""
    if one.win is not None:
        assert one.draw is not None
        assert one.loss is not None
        assert one.win + one.draw + one.loss == pytest.approx(1.0, abs=1e-9)
        assert min(one.win, one.draw, one.loss) >= 0.0
        assert one.ahead[0][1] == pytest.approx(one.win + 0.5 * one.draw, abs=1e-9)
    for i, row in enumerate(one.ahead):
        for j, share in enumerate(row):
            other = one.ahead[j][i]
            assert (share is None) == (other is None)
            if share is not None and other is not None:
                assert share + other == pytest.approx(1.0, abs=1e-9)


def facts_of(method: Method, season: Season) -> dict[str, object]:
    """Fields without which the method rates no result, as the last result of the season has them."""
    needed = [need.name for need in method.needs if need.of == "result" and need.default is None]
    last = next(event for event in reversed(season.events) if event.kind in ("game", "session"))
    return {name: value for name, value in (last.data or {}).items() if name in needed}  # type: ignore[attr-defined]  # a result


@pytest.mark.parametrize("text", [*TEXTS, *FURTHER])
def test_ratings_after_a_result_are_those_that_recording_it_gives(text: str) -> None:
    method = REGISTRY.method(text)
    season = next(iter(seasons(method)))
    eng = Engine(season.log, REGISTRY)
    names, last = season.view.names(), season.view.last_happened
    assert last is not None
    assert season.view.first_played is not None
    facts = facts_of(method, season)
    meetings = [(names[0], names[1]), (names[2], names[0])]
    compared = 0
    middle = season.view.first_played + 3 * (last - season.view.first_played) // 4
    for at, some in ((None, meetings), (last + 40 * DAY, meetings[:1]), (middle, meetings[1:])):
        for one, (a, b) in zip(eng.predict(POOL, method, some, at, facts=facts), some, strict=True):
            sound(one)
            assert one.sides == ((a,), (b,))
            replay = fold(method, season.view.cut(one.at if method.cadence is not Cadence.PERIODIC else one.at - 1))
            shown = method.show(replay.state, one.at)
            for player in (a, b):
                rating = float(shown["rating"][names.index(player)])
                assert one.before[player]["rating"] == (None if isnan(rating) else pytest.approx(rating, rel=1e-9))
            compared += agree(one, season, method, facts)
            turned = eng.predict(POOL, method, [(b, a)], at, facts=facts, after=False)[0]
            if one.expected[0] is not None and "home" not in facts:
                assert turned.expected[0] == pytest.approx(one.expected[1], abs=1e-9)
                assert (turned.win is None) == (one.loss is None)
                assert one.loss is None or turned.win == pytest.approx(one.loss, abs=1e-9)
                assert one.draw is None or turned.draw == pytest.approx(one.draw, abs=1e-9)
    assert compared, "nothing was compared"


@pytest.mark.parametrize(
    "text",
    [
        "elo", "elo:entry=mean", "elo:k=15,entry=trial(3)", "elo:period=month", "glicko2:preset=lichess", "glicko2",
        "weng-lin", "whr", "bradley-terry", "uschess", "fesa", "chess-bayes",
    ],
)  # fmt: skip
def test_newcomers_enter_as_they_would_by_really_playing(text: str) -> None:
    method = REGISTRY.method(text)
    season = next(iter(seasons(method)))
    eng = Engine(season.log, REGISTRY)
    (one,) = eng.predict(POOL, method, [(season.view.names()[1], "zoe")], newcomers=True)
    sound(one)
    assert len(one.after) == 3, one.notes
    agree(one, season, method, {})


def test_many_meetings_are_looked_at_one_by_one() -> None:
    season = next(iter(seasons(REGISTRY.method("glicko2:preset=lichess"))))
    eng, names = Engine(season.log, REGISTRY), season.view.names()
    pairs = [(a, b) for a in names[:4] for b in names[:4] if a != b]
    for text in ("glicko2:preset=lichess", "weng-lin", "elo:period=month"):
        together = eng.predict(POOL, text, pairs)
        for pair, one in zip(pairs, together, strict=True):
            (single,) = eng.predict(POOL, text, [pair])
            assert single == one


@pytest.mark.parametrize("text", ["weng-lin", "trueskill", "elo-mmr", "codeforces", "bridge-bayes"])
def test_sides_of_several_players_and_many_sides(text: str) -> None:
    method = REGISTRY.method(text)
    assert method.reads is Sides
    season = next(iter(seasons(method)))
    eng, names = Engine(season.log, REGISTRY), season.view.names()
    for meeting in (((names[0], names[1]), (names[2], names[3])), ((names[0],), (names[1],), (names[2],))):
        if text in ("elo-mmr", "codeforces") and len(meeting[0]) > 1:
            continue
        (one,) = eng.predict(POOL, method, [meeting])
        sound(one)
        assert len(one.expected) == len(meeting)
        labels = [end.result for end in one.after]
        assert labels == (["win", "draw", "loss"] if len(meeting) == 2 else [
            "1-2-3", "1-3-2", "2-1-3", "3-1-2", "2-3-1", "3-2-1",
        ])  # fmt: skip
        assert agree(one, season, method, {})


@pytest.fixture
def club() -> Engine:
    """Three players, of whom two have met."""
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
    eng.record(
        GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0),
        GamePlayed(pool="blitz", played="2024-03-02", a="cy", b="bo", score=1.0),
    )
    return eng


def test_the_formula_by_hand(club: Engine) -> None:
    """METHODS of Elo: E = 1 / (1 + 10^(-24/400)), and 24 points times the surprise."""
    (one,) = club.predict("rapid", "elo:k=24", [("ann", "bo")])
    share = 1.0 / (1.0 + 10.0 ** (-24.0 / 400.0))
    assert one.expected == pytest.approx((share, 1.0 - share), abs=1e-12)
    ratings = [end.players["ann"]["rating"] for end in one.after]
    assert ratings == pytest.approx([1512 + 24 * (score - share) for score in (1.0, 0.5, 0.0)], abs=1e-9)
    assert (one.win, one.time) == (None, "2024-03-02")
    assert any("no chance of a draw" in note for note in one.notes)


def test_a_method_with_draws_gives_the_chances_of_the_source() -> None:
    """METHODS section 9, square: ratings 2000 and 2100, deviations 100 and 50: a win 0.157138, then 2061.167485."""
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
    for player, rating, deviation in (("ann", 2000.0, 100.0), ("bo", 2100.0, 50.0)):
        values = {"rating": rating, "deviation": deviation}
        eng.record(rc.RatingSeeded(pool="p", played="2024-01-01", player=player, values=values))
    (one,) = eng.predict("p", "chess-bayes:model=square", [("ann", "bo")])
    assert one.win == pytest.approx(0.157138, abs=1e-6)
    assert one.after[0].players["ann"]["rating"] == pytest.approx(2061.167485, abs=1e-5)
    assert one.before["ann"]["deviation"] == 100.0


def test_a_known_time_and_further_facts_count(club: Engine) -> None:
    late = instant("2025-03-02")
    near, far = (club.predict("rapid", "glicko2:preset=lichess", [("ann", "bo")], at)[0] for at in (None, late))
    assert far.before["ann"]["deviation"] > near.before["ann"]["deviation"]  # type: ignore[operator]  # numbers
    home, away = club.predict(
        "rapid", "elo:first_move=50", [("ann", "bo"), ("ann", "bo")], facts=[{"home": "a"}, {"home": "b"}], after=False
    )
    assert home.expected[0] > away.expected[0]  # type: ignore[operator]  # numbers


def test_an_earlier_log_knows_what_it_knew(club: Engine) -> None:
    before = club.predict("rapid", "elo:k=24", [("ann", "bo")])
    head = club.log.head.position
    club.record(GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    assert club.predict("rapid", "elo:k=24", [("ann", "bo")], known_at=head) == before
    assert club.predict("rapid", "elo:k=24", [("ann", "bo")]) != before
    assert club.log.head.position == head + 1, "nothing is recorded"


def test_unknown_players_are_refused_with_near_names_or_taken_for_newcomers(club: Engine) -> None:
    with pytest.raises(UnknownName, match="no player named: anne") as refused:
        club.predict("rapid", "elo", [("anne", "bo")])
    assert refused.value.near == ("ann",)
    with pytest.raises(UnknownName, match="cy in pool rapid"):
        club.predict("rapid", "elo", [("ann", "cy")])
    with pytest.raises(UnknownName, match="by then"):
        club.predict("rapid", "elo", [("ann", "bo")], at="2024-01-01")
    (one,) = club.predict("rapid", "elo:k=24", [("ann", "zoe")], newcomers=True)
    assert one.before["zoe"]["rating"] == 1500.0
    (unrated,) = club.predict("rapid", "berkin", [("ann", "zoe")], newcomers=True, after=False)
    assert unrated.expected == (None, None)
    assert "zoe" in " ".join(unrated.notes)


def test_points_that_nobody_knows_yet_are_said_to_be_missing(club: Engine) -> None:
    points = {"points_a": 3, "points_b": 1}
    club.record(GamePlayed(pool="nba", played="2024-03-02", a="ann", b="bo", score=1.0, data=points))
    (one,) = club.predict("nba", "elo-margin", [("ann", "bo")])
    assert one.expected[0] == pytest.approx(0.5, abs=0.2)
    assert one.after == ()
    assert any("points_a" in note for note in one.notes)
    (told,) = club.predict("nba", "elo-margin", [("ann", "bo")], facts=points)
    assert [end.result for end in told.after] == ["win"]
    (scored,) = club.predict("rapid", "elo", [("ann", "bo")], results=[(0.75, 0.25)])
    assert [end.result for end in scored.after] == ["0.75-0.25"]


def test_what_is_no_meeting_is_refused(club: Engine) -> None:
    with pytest.raises(CannotSay, match=r"ann \+ cy"):
        club.predict("rapid", "elo", [(("ann", "cy"), "bo")], newcomers=True)
    with pytest.raises(PlayedThemselves):
        club.predict("rapid", "elo", [("ann", "ann")])
    for wrong in ("ann", [("ann",)], [3], [("ann", ())]):
        with pytest.raises(BadValue):
            club.predict("rapid", "elo", wrong)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(BadValue, match="one for each of the 1 meetings"):
        club.predict("rapid", "elo", [("ann", "bo")], facts=[{}, {}])
    for score in (float("nan"), float("inf"), 10**400):
        with pytest.raises(BadValue, match="result must have 2 finite scores"):
            club.predict("rapid", "weng-lin", [("ann", "bo")], results=[(score, 1)])
    assert not len(club.predict("rapid", "elo", []))


def test_a_pair_of_one_person_is_named() -> None:
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
    eng.record(
        GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0),
        GamePlayed(pool="p", played="2024-03-02", a="an", b="bo", score=1.0),
    )
    eng.merge("ann", "an")
    with pytest.raises(BadValue, match="two merged names of one player"):
        eng.predict("p", "elo", [("ann", "bo"), ("ann", "an")])


def test_the_chances_of_a_thousand_pairs_are_those_of_each() -> None:
    eng, random = Engine(SqliteLog(":memory:"), REGISTRY), np.random.default_rng(3)
    games = random.integers(0, 30, (400, 2))
    eng.record(
        *(
            GamePlayed(pool="p", played=f"2024-01-{1 + n % 28:02}", a=f"p{a}", b=f"p{b}", score=float(n % 2))
            for n, (a, b) in enumerate(games.tolist())
            if a != b
        )
    )
    pairs = [(f"p{a}", f"p{b}") for a, b in random.integers(0, 30, (1000, 2)).tolist() if a != b]
    many = eng.predict("p", "glicko2:preset=lichess", pairs)
    rating = {player: cells["rating"] for one in many for player, cells in one.before.items()}
    assert len(many) == len(pairs)
    for one in many[::97]:
        (a,), (b,) = one.sides
        assert one.after[0].players[a]["rating"] > rating[a]  # type: ignore[operator]  # numbers
        assert (one.expected[0] > 0.5) == (rating[a] > rating[b])  # type: ignore[operator]  # numbers


@pytest.mark.parametrize("text", ["elo", "weng-lin", "trueskill"])
def test_a_game_to_come_is_played_after_the_rounds_of_the_last_day(text: str) -> None:
    eng = rc.open(":memory:")
    for turn, (a, b, score) in enumerate((("ann", "bo", 0.5), ("cy", "di", 0.0), ("eve", "fay", 1.0)), 1):
        eng.record(rc.GamePlayed(pool="cup", played="2024-03-02", order=1000 * turn, a=a, b=b, score=score))
    one, other = eng.predict("cup", text, [("eve", "fay"), ("di", "eve")])
    for made, (a, b) in ((one, ("eve", "fay")), (other, ("di", "eve"))):
        listed = eng.rating_list("cup", text)
        for player in (a, b):
            assert made.before[player]["rating"] == pytest.approx(listed.rating(player), abs=1e-4)
        next_day = eng.predict("cup", text, [(a, b)], "2024-03-03")[0]  # neither method reads how long it has been
        assert made.expected == pytest.approx(next_day.expected, abs=1e-12)
        win = rc.GamePlayed(pool="cup", played="2024-03-03", a=a, b=b, score=1.0)
        assert made.after[0].players[a]["rating"] == pytest.approx(
            eng.what_if([win]).rating_list("cup", text).rating(a), abs=1e-4
        )
    if text == "elo":  # eve has won against an equal: 1510 to 1490
        assert one.expected[0] == pytest.approx(1.0 / (1.0 + 10.0 ** (-20.0 / 400.0)), abs=1e-12)
