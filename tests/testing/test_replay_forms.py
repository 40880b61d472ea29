"""The replay of forms that no bundled method has yet: defects that the toys found, and what they now do."""

from typing import Any

import numpy as np
import pytest

from ratingcore.events import GamePlayed, RatingSeeded
from ratingcore.plugin import Games, Method, Period, Solved, State
from ratingcore.replay import fold, replay_with_forecasts
from ratingcore.testing.season import Season
from tests.testing.toys import BradleyTerry, PairFit, PairMonths, Sessions, TeamElo


def season(*games: tuple[str, str, str, str]) -> Season:
    return Season.of(
        GamePlayed(uid=f"g{n}", pool="kit", played=day, a=a, b=b, score=1.0, data={"event": event})
        for n, (day, a, b, event) in enumerate(games)
    )


def test_tournaments_that_overlap_have_rows_for_every_pair() -> None:
    """The pairs of a call were counted in order of play, the calls are in order of the tournaments' ends."""
    overlapping = season(
        ("2024-01-01", "ann", "bo", "long"), ("2024-01-02", "cy", "di", "short"), ("2024-01-09", "ann", "di", "long")
    )
    replay = fold(PairMonths(period=Period.parse("event")), overlapping.view)
    assert replay.state["met"].tolist() == [1.0, 1.0, 1.0]


def test_a_whole_pool_method_with_pairs_walks_forward() -> None:
    """The refits had no rows for pairs."""
    played = season(("2024-01-01", "ann", "bo", "x"), ("2024-02-02", "cy", "bo", "x"))
    moves = replay_with_forecasts(PairFit(), played.view).moves
    assert moves is not None
    assert moves.expected[0] == 0.5
    assert moves.expected[1] > 0.5 or moves.expected[1] < 0.5


def test_results_of_the_month_that_is_not_over_are_forecast() -> None:
    """They were left as memory had them: a list through the middle of a month has them too."""
    played = season(("2024-01-01", "ann", "bo", "x"), ("2024-02-02", "ann", "bo", "x"), ("2024-02-20", "bo", "cy", "x"))
    cut = played.through(int(played.view.timeline.games.played[1]))
    half, whole = (
        replay_with_forecasts(BradleyTerry(), cut).moves,
        replay_with_forecasts(BradleyTerry(), played.view).moves,
    )
    assert half is not None
    assert whole is not None
    assert half.expected.tolist() == pytest.approx(whole.expected[:2].tolist(), abs=1e-15)


def test_a_refit_does_not_know_when_the_last_result_was_played() -> None:
    """Its span reached to the end of the whole view."""
    ends: list[int] = []

    class Watching(BradleyTerry):
        def rate(self, state: State, games: Games) -> Solved:
            ends.append(games.span.end)
            return super().rate(state, games)

    played = season(("2024-01-10", "ann", "bo", "x"), ("2024-02-02", "ann", "bo", "x"), ("2024-05-20", "bo", "cy", "x"))
    replay_with_forecasts(Watching(), played.view)
    starts = np.array(ends[1:]).astype("M8[us]").astype("M8[D]").astype(str).tolist()
    assert starts == ["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01"]


@pytest.mark.parametrize(
    "method", [PairMonths(period=Period.parse("event")), PairMonths(), BradleyTerry(), TeamElo(), Sessions()], ids=str
)
def test_every_form_is_handed_out_read_only(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tournaments and sides were handed out writable."""
    given: list[np.ndarray] = []
    rate = type(method).rate

    def watched(self: Method, state: State, results: Any) -> Any:
        for form in (results, getattr(results, "duels", None)):
            columns = set(getattr(type(form), "__slots__", ())) - {"_blanks", "_facts", "_players", "span", "duels"}
            given.extend(
                column for column in (getattr(form, name) for name in columns) if isinstance(column, np.ndarray)
            )
        return rate(self, state, results)

    monkeypatch.setattr(type(method), "rate", watched)
    fold(method, season(("2024-01-01", "ann", "bo", "x"), ("2024-02-02", "cy", "bo", "y")).view)
    assert given
    assert not any(column.flags.writeable for column in given if len(column))


def test_a_seed_alone_is_a_season() -> None:
    alone = Season.of([RatingSeeded(pool="kit", played="2024-01-01", player="ann", values={"rating": 1600.0})])
    assert fold(BradleyTerry(), alone.view).state["rating"].tolist() == [1500.0]
