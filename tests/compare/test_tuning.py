"""What tuning concludes: the best setting, the warnings, the spans."""

from collections.abc import Callable, Sequence
from math import nan
from typing import Any

import pytest

from ratingcore.columns import Span
from ratingcore.compare.ranges import axes
from ratingcore.compare.search import Setting, Trial
from ratingcore.compare.tuning import Tuned, split
from ratingcore.errors import BadSpans
from ratingcore.events import instant, iso
from tests.columns.making import POOL, engine, game
from tests.compare.making import league

SPANS = (Span(instant("2020-01-01"), instant("2021-01-01")), Span(instant("2021-01-01"), instant("2022-01-01")))


def trial(setting: Setting, train: float, test: float = 0.5, games: int = 100) -> Trial:
    return Trial(setting, f"elo:k={setting[0] if setting else 20}", train, test, games, games)


def tuned(trials: Sequence[Trial], grid: Any, how: Any = "grid", objective: str = "log_loss", **facts: Any) -> Tuned:
    default = facts.pop("default", trial((), 0.6, 0.6))
    return Tuned("p", "elo", "9:ab", how, objective, axes(grid), SPANS, default, tuple(trials), **facts)


# what is concluded


def test_the_best_is_chosen_by_training_alone_and_the_first_of_equals() -> None:
    found = tuned([trial(("10",), 0.5, 0.9), trial(("20",), 0.5, 0.1), trial(("30",), 0.6, 0.0)], {"k": "10:30:10"})
    assert found.best.setting == ("10",)
    assert found.gain == pytest.approx(-0.3)


def test_a_score_that_is_missing_is_never_best() -> None:
    assert tuned([trial(("10",), nan), trial(("20",), 0.7)], {"k": (10, 20)}).best.setting == ("20",)


@pytest.mark.parametrize(
    ("best", "told"),
    [
        ("10", "the best k is at the lower edge of what was tried: 10 of 10:30:10; try lower ones"),
        ("30", "the best k is at the upper edge of what was tried: 30 of 10:30:10; try higher ones"),
        ("20", None),
    ],
)
def test_an_optimum_at_an_edge_is_warned_of(best: str, told: str | None) -> None:
    found = tuned([trial((k,), 0.5 + (k != best) / 10) for k in ("10", "20", "30")], {"k": "10:30:10"})
    assert found.warnings == (() if told is None else (told,))


def test_no_warning_where_the_method_allows_nothing_beyond() -> None:
    found = tuned([trial((k,), 0.5 + float(k)) for k in ("0", "10")], {"k": "0:10:10"}, limits=("k",))
    assert found.warnings == ()


def test_a_parameter_that_makes_no_difference_is_told() -> None:
    trials = [trial((k, home), 0.5 + float(home) / 100) for k in ("10", "20") for home in ("0", "5", "10")]
    (told, *edges) = tuned(trials, {"k": "10:20:10", "home": "0:10:5"}).warnings
    assert told == "k makes no difference here: every value scores the same"
    assert all("home" in edge for edge in edges)


def test_settings_scored_on_different_games_are_told() -> None:
    found = tuned([trial(("10",), 0.6), trial(("20",), 0.5, games=99), trial(("30",), 0.6)], {"k": "10:30:10"})
    assert found.warnings[0].startswith("settings were scored on different games")


def test_it_is_told_in_sentences_and_as_a_table() -> None:
    found = tuned([trial(("10",), 0.6), trial(("20",), 0.5, 0.4), trial(("30",), 0.6)], {"k": "10:30:10"})
    assert str(found).splitlines() == [
        "best of 3 settings of elo in pool p: k=20",
        "train 2020-01-01 to 2020-12-31, 100 games: log_loss 0.500000, as it was 0.600000",
        "test  2021-01-01 to 2021-12-31, 100 games: log_loss 0.400000, as it was 0.600000",
    ]
    assert list(found.table.columns) == [
        "k", "train_log_loss", "test_log_loss", "train_games", "test_games", "method",
    ]  # fmt: skip
    assert [row["k"] for row in found] == [10.0, 20.0, 30.0]
    assert "<table>" in found._repr_html_()


# which time


def days(*spans: Span) -> list[tuple[str, str]]:
    return [(iso(span.start), iso(span.end)) for span in spans]


@pytest.fixture(scope="module")
def view() -> Any:
    return league(200, days=1.0).view(POOL)


def test_without_spans_three_quarters_of_the_games_are_trained_on(view: Any) -> None:
    train, test = split(view, None, None)
    played = view.known()[0]
    assert (played < train.end).sum() == 150
    assert (train.start, train.end, test.end) == (played[0], test.start, played[-1] + 1)


def test_what_is_not_said_of_one_span_follows_from_the_other(view: Any) -> None:
    first, last = view.first_played, view.last_played
    day = iso(int(view.known()[0][100]))[:10]
    assert split(view, (None, day), None) == (
        Span(first, instant(day) + 86_400_000_000), Span(instant(day) + 86_400_000_000, last + 1),
    )  # fmt: skip
    assert split(view, None, (day, None)) == (Span(first, instant(day)), Span(instant(day), last + 1))


@pytest.mark.parametrize(
    ("spans", "told"),
    [
        (lambda a, m, z: ((None, m), (m, None)), "in common"),
        (lambda a, m, z: ((None, None), (m, None)), "in common"),
        (lambda a, m, z: ((None, z), None), "no time is left for test"),
        (lambda a, m, z: (None, (a, None)), "no time is left for train"),
        (lambda a, m, z: ((z, a), (m, None)), "no time is left for train"),
    ],
)
def test_spans_that_are_none_or_overlap_are_refused(view: Any, spans: Callable[..., Any], told: str) -> None:
    played = view.known()[0]
    with pytest.raises(BadSpans, match=told):
        split(view, *spans(*(iso(int(played[n]))[:10] for n in (0, 100, -1))))


def test_games_of_one_day_cannot_be_split_unless_said() -> None:
    alone = engine(game(1, "a", "b"), game(1, "b", "a")).view(POOL)
    with pytest.raises(BadSpans, match="the games are too few, or of one day"):
        split(alone, None, None)
