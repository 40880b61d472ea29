"""Columns that are added to lists, held against plain loops over the forecasts of every result."""

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from math import isfinite
from random import Random
from statistics import mean
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.calculator import GameFacts, prospect
from ratingcore.errors import BadValue, CannotSay, ForeignList
from ratingcore.explain.list_columns import FULL, performances
from ratingcore.registry import Registry

INSTALLED = Registry.installed()
PLAYERS = [f"p{number}" for number in range(9)]


def season() -> rc.Engine:
    """Two years of games of nine players, some of whom are described."""
    dice, engine = Random(3), rc.open(":memory:")
    for day in range(200):
        a, b = dice.sample(PLAYERS, 2)
        played = str(np.datetime64("2023-01-05") + 3 * day)
        engine.record(rc.GamePlayed(pool="p", played=played, a=a, b=b, score=dice.choice((0.0, 0.5, 0.7, 1.0))))
    for number, player in enumerate(PLAYERS[:6]):
        facts: dict[str, Any] = {"sex": "mw"[number % 2], "born": 2000 + number}
        engine.record(rc.PlayerDescribed(pool="p", player=player, played="2023-01-01", data=facts))
    return engine


def races() -> rc.Engine:
    """Sessions of three sides, some of two players, and a few games."""
    dice, engine = Random(5), rc.open(":memory:")
    for day in range(60):
        seated = dice.sample(PLAYERS, 5)
        played = str(np.datetime64("2023-01-05") + 3 * day)
        if day % 4:
            sides = [rc.Side(seated[:2], 3.0), rc.Side(seated[2:4], float(dice.randrange(5))), rc.Side(seated[4:], 1.0)]
            engine.record(rc.SessionPlayed(pool="p", played=played, sides=sides))
        else:
            engine.record(
                rc.GamePlayed(pool="p", played=played, a=seated[0], b=seated[1], score=dice.choice((0.5, 1.0)))
            )
    return engine


SEASON, RACES = season(), races()


def sides_of(rows: Iterable[Any]) -> Iterable[tuple[str, bool, list[tuple[float, dict[str, float | None]]]]]:
    """The day of each result, whether it is a game, and score and rated members of each of its sides."""
    for _, some in groupby(rows, key=lambda row: row["uid"]):
        first, *rest = some
        if "a" in first:
            yield (
                first["played"],
                True,
                [
                    (first["score"], {first["a"]: first["rating_a"]}),
                    (1.0 - first["score"], {first["b"]: first["rating_b"]}),
                ],
            )
        else:
            by_side = groupby([first, *rest], key=lambda row: row["side"])
            sides = [
                (each[0]["score"], {m["player"]: m["rating"] for m in each}) for each in (list(s) for _, s in by_side)
            ]
            yield first["played"], len(sides) == 2 and all(len(seated) == 1 for _, seated in sides), sides


def counted(rows: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """What every player's results add up to, result by result."""
    found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for played, is_game, sides in sides_of(rows):
        best = max(score for score, _ in sides)
        at_top = sum(score == best for score, _ in sides)
        for number, (score, seated) in enumerate(sides):
            others = [side for n, side in enumerate(sides) if n != number]
            word = "lost" if score < best else "won" if at_top == 1 else "drawn"
            ahead = mean(1.0 if score > other else 0.5 if score == other else 0.0 for other, _ in others)
            rated = [
                rating for _, side in others for rating in side.values() if rating is not None and isfinite(rating)
            ]
            for player in seated:
                found[player][word].append(1)
                found[player]["share"].append(score if is_game else ahead)
                found[player]["opposition"] += [mean(rated)] if rated else []
                found[player]["last"].append(played)
    return {
        player: {
            "won": len(of["won"]), "drawn": len(of["drawn"]), "lost": len(of["lost"]),
            "share": mean(of["share"]), "opposition": mean(of["opposition"]), "last": max(of["last"]),
        }
        for player, of in found.items()
    }  # fmt: skip


@pytest.mark.parametrize(
    ("engine", "method"),
    [(SEASON, "elo"), (SEASON, "glicko"), (SEASON, "elo:period=month"), (SEASON, "weng-lin"), (RACES, "weng-lin")],
)
def test_columns_are_what_a_loop_over_all_results_counts(engine: rc.Engine, method: str) -> None:
    listed = engine.with_columns(engine.rating_list("p", method), "won,drawn,lost,share,opposition,last")
    wanted = counted(engine.forecasts("p", method))
    assert len(listed) == len(wanted)
    for row in listed:
        cells: dict[str, Any] = dict(row)
        of = wanted[row["player"]]
        assert {name: cells[name] for name in ("won", "drawn", "lost", "last")} == {
            name: of[name] for name in ("won", "drawn", "lost", "last")
        }
        assert cells["share"] == pytest.approx(of["share"], abs=6e-5)
        assert cells["opposition"] == pytest.approx(of["opposition"], abs=6e-5)


@pytest.mark.parametrize("method", ["elo", "elo:period=quarter", "bradley-terry", "whr", "trueskill"])
@pytest.mark.parametrize("through", [None, "2023-11-10"])
def test_results_are_those_that_the_list_counts(method: str, through: str | None) -> None:
    listed = SEASON.with_columns(SEASON.rating_list("p", method, through), "won,drawn,lost")
    assert [row["won"] + row["drawn"] + row["lost"] for row in map(dict, listed)] == listed.games.tolist()  # type: ignore[operator]  # counts


def test_opponents_of_a_whole_pool_method_have_the_rating_of_its_list() -> None:
    listed = SEASON.with_columns(SEASON.rating_list("p", "bradley-terry"), "opposition")
    met = [
        listed.rating(row["b"] if row["a"] == "p0" else row["a"])
        for row in SEASON.forecasts("p", "elo") if "p0" in (row["a"], row["b"])
    ]  # fmt: skip
    assert {row["player"]: row for row in map(dict, listed)}["p0"]["opposition"] == pytest.approx(mean(met), abs=1e-3)


@pytest.mark.parametrize("method", ["elo", "glicko2", "elo:curve=normal", "berkin-change", "dwz"])
def test_at_the_performance_the_share_was_expected(method: str) -> None:
    rated = INSTALLED.method(method)
    share = np.array([0.05, 0.3, 0.5, 0.77, 0.95])
    opposition = np.array([1500.0, 1200.0, 1333.0, 1700.0, 1400.0])
    given = {"deviation": 0.0} if method.startswith("glicko") else {}
    for rating, faced, wanted in zip(performances(rated, opposition, share), opposition, share, strict=True):
        expected = prospect(rated, rating, faced, GameFacts(a=given, b=given)).expected
        assert expected == pytest.approx(wanted, abs=1e-9)


def test_nobody_performs_without_a_number() -> None:
    shares = np.array([0.0, 1.0, np.nan, 0.5])
    found = performances(INSTALLED.method("elo"), np.array([1500.0, 1500.0, 1500.0, np.nan]), shares)
    assert np.isnan(found).all()
    with pytest.raises(CannotSay):
        SEASON.with_columns(SEASON.rating_list("p", "whr"), "performance")


def test_full_is_all_that_there_is() -> None:
    listed = SEASON.with_columns(SEASON.rating_list("p", "whr"), "full")
    assert listed.added == ("won", "drawn", "lost", "share", "opposition", "last", "peak", "peak_at", "born")
    more = SEASON.with_columns(SEASON.rating_list("p", "elo"), ("full", "sex"))
    assert set(FULL) - set(more.columns) == {"change", "deviation", "federation", "title", "club"}
    assert more.columns[-1] == "sex"


def test_a_change_is_the_one_since_the_newest_list_of_an_earlier_day_by_the_same_question() -> None:
    engine = season()
    for name, method, through in (
        ("y", "elo", "2023-06-30"),
        ("z", "elo", "2023-12-31"),
        ("k", "elo:k=9", "2024-05-31"),
    ):
        engine.publish(engine.rating_list("p", method, through), name)
    listed = engine.rating_list("p", "elo")
    assert list(engine.with_columns(listed, "change")) == list(listed.since(engine.published_list("z")))
    half = engine.rating_list("p", "elo", "2023-12-31")
    assert list(engine.with_columns(half, "change")) == list(half.since(engine.published_list("y")))
    with pytest.raises(BadValue, match="needs an earlier list, and there is none: publish one by this method"):
        engine.with_columns(engine.rating_list("p", "elo:k=10"), "change")


def test_who_fits_is_listed_with_the_rank_among_all_or_an_own_one() -> None:
    every = SEASON.rating_list("p", "elo")
    women = [row["player"] for row in every if row["player"] in ("p1", "p3", "p5")]
    among_all = SEASON.with_columns(every, where="sex=w")
    assert list(among_all.player) == women
    assert [row["rank"] for row in among_all] == [row["rank"] for row in every if row["player"] in women]
    assert among_all.part == "3 of 9 players: sex=w, ranks among all"
    own = SEASON.with_columns(every, "born", where=("sex=w", "born>=2002"), ranks="listed")
    assert [row["rank"] for row in own] == [1, 2]
    assert own.part == "2 of 9 players: sex=w and born>=2002, ranks among those listed"
    assert not own.whole
    with pytest.raises(BadValue, match="is only a part of another list"):
        SEASON.publish(own, "women")


@pytest.mark.parametrize(("ties", "ranks"), [("shared", [1, 1, 3, 4]), ("dense", [1, 1, 2, 3])])
def test_equal_ratings_share_a_rank_among_those_listed_too(ties: str, ranks: list[int]) -> None:
    engine = rc.open(":memory:")
    for player, rating in zip("abcdef", (1900, 1800, 1800, 1700, 1700, 1600), strict=True):
        engine.record(rc.RatingSeeded(pool="p", played="2023-01-01", player=player, values={"rating": rating}))
    listed = engine.rating_list("p", "elo", policy=f"ties={ties}")
    some = engine.with_columns(listed, where=("rating<1900", "player!=e"), ranks="listed")
    assert list(some.player) == ["b", "c", "d", "f"]
    assert [row["rank"] for row in some] == ranks


def test_rows_are_sorted_by_columns_and_by_facts() -> None:
    listed = SEASON.rating_list("p", "elo")
    by_won = [row["won"] for row in map(dict, SEASON.with_columns(listed, "won", sort="won"))]
    assert by_won == sorted(by_won, reverse=True)  # type: ignore[type-var]  # counts
    youngest_last = SEASON.with_columns(listed, sort="-born")
    assert list(youngest_last.player)[:6] == PLAYERS[:6]
    assert youngest_last.part == "sorted by born, backwards"
    assert "born" not in youngest_last.columns


@pytest.mark.parametrize(("name", "near"), [("wonn", "did you mean won[?] there"), ("colour", "there")])
def test_what_is_no_column_is_named_with_those_there_are(name: str, near: str) -> None:
    listed = SEASON.rating_list("p", "elo")
    for asked in ({"show": name}, {"where": f"{name}=1"}, {"sort": name}):
        with pytest.raises(BadValue, match=rf"column is neither in the list nor a fact .*\({near} are .*club, sex\)"):
            SEASON.with_columns(listed, **asked)  # type: ignore[arg-type]  # one of three texts


def test_the_list_proper_knows_nothing_of_further_columns() -> None:
    listed = SEASON.rating_list("p", "elo")
    more = SEASON.with_columns(listed, "full")
    assert more.proper.digest == listed.digest
    assert more.seal == listed.seal
    with pytest.raises(ForeignList):
        RACES.with_columns(listed, "won")


def test_documents_and_tables_have_the_columns() -> None:
    listed = SEASON.with_columns(SEASON.rating_list("p", "elo"), "won,last,born")
    first = dict(next(iter(listed)))
    document = json.loads(listed.document("json"))
    assert dict(zip(document["columns"], document["rows"][0], strict=True))["won"] == first["won"]
    assert "won,last,born" in listed.document("csv")
    assert listed.as_table()["last"][0] == first["last"]
    assert {"won", "last", "born"} <= set(listed.as_table().columns)
