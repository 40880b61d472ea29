"""Rating lists: ranks, ties, the unrated, rounding, digests and provenance."""

import hashlib
import json
from math import inf, isnan, nan
from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore import __version__
from ratingcore.events import DAY, PlayersMerged, RatingSeeded
from ratingcore.lists.ranking import rounded
from tests.columns.making import POOL, engine, game, seed
from tests.lists.listing import listed, seeded
from tests.replay.toys import Monthly, Unrated, Walk, Whole


def test_players_stand_by_rating_and_equal_ones_by_name_with_one_rank() -> None:
    found = listed(seeded(zoe=1500, ann=1500, bo=1600, cy=1400, dee=1500))
    assert found.player == ("bo", "ann", "dee", "zoe", "cy")
    assert found.rank.tolist() == [1, 2, 2, 2, 5]


def test_an_empty_list_is_of_the_day_that_was_asked_for_or_of_none() -> None:
    """It was said to be as of 1970-01-01, whoever had asked for what."""
    eng = engine(game(5, "ann", "bo", uid="g-1"))
    eng.void("g-1")
    empty, then = listed(eng), listed(eng, through="2024-03-31")
    assert empty.provenance.lines()[0] == f"pool {POOL}, everything played: the list is empty"
    assert then.provenance.lines()[0] == f"pool {POOL}, played through 2024-03-31, as of 2024-03-31: the list is empty"
    assert "# as of: no day: the list is empty" in empty.document("csv").splitlines()
    assert "# as of: 2024-03-31" in then.document("csv").splitlines()
    assert "empty" not in listed(eng, known_at=1).provenance.lines()[0]
    assert empty.digest == then.digest


def test_equal_means_equal_as_listed() -> None:
    found = listed(seeded(bo=1500.00001, ann=1500.00004, cy=1500.00006))
    assert list(zip(found.player, found.rank.tolist(), strict=True)) == [("cy", 1), ("ann", 2), ("bo", 2)]


def test_the_unrated_come_last_without_a_rank_in_order_of_names() -> None:
    eng = engine(game(1, "zoe", "ann"), game(2, "bo", "cy"), seed(3, "cy", 900.0), seed(3, "bo", -50.0))
    found = listed(eng, Unrated())
    assert found.player == ("cy", "bo", "ann", "zoe")
    assert found.rank.tolist() == [1, 2, 0, 0]
    rows = list(found)
    assert rows[1] == {"rank": 2, "player": "bo", "rating": -50.0, "games": 1, "deviation": 350.0, "status": "new"}
    assert (rows[3]["rank"], rows[3]["rating"]) == (None, None)
    assert isnan(found.rating("zoe"))


def test_a_list_where_nobody_is_rated_is_a_list() -> None:
    found = listed(engine(game(1, "b", "a")), Unrated())
    assert (found.player, found.rank.tolist()) == (("a", "b"), [0, 0])
    assert len(found.digest) == 64
    assert str(found)


def test_columns_are_rating_games_and_what_the_method_shows_in_its_order() -> None:
    assert listed(seeded(ann=1.0)).columns == ("rank", "player", "rating", "games")
    assert listed(seeded(ann=1.0), Unrated()).columns == ("rank", "player", "rating", "games", "deviation", "status")


def test_every_number_has_the_digits_of_its_column() -> None:
    planted = RatingSeeded(
        pool=POOL, played=0, player="ann", values={"rating": 1500.5, "deviation": 99.96, "status": 1.0, "hidden": 1 / 3}
    )
    (row,) = listed(engine(planted), Unrated())
    assert (row["rating"], row["deviation"], row["status"]) == (1501.0, 100.0, "known")


@pytest.mark.parametrize(
    ("number", "digits", "shown"),
    [
        (0.5, 0, 1.0), (1.5, 0, 2.0), (2.5, 0, 3.0), (-0.5, 0, -1.0), (-2.5, 0, -3.0), (0.25, 1, 0.3), (-0.25, 1, -0.3),
        (12.45, 1, 12.5), (1.005, 2, 1.01), (2.675, 2, 2.68), (-12.45, 1, -12.5), (12.4499, 1, 12.4),
        (1499.99995, 4, 1500.0),
        (0.0, 2, 0.0), (-0.0, 2, 0.0), (-0.004, 2, 0.0), (nan, 2, nan), (1234.5, 0, 1235.0), (1e15 + 0.5, 0, 1e15 + 1),
        (15.0, -1, 20.0), (-15.0, -1, -20.0),
    ],
)  # fmt: skip
def test_a_half_is_rounded_away_from_zero(number: float, digits: int, shown: float) -> None:
    (found,) = rounded(np.array([number]), digits).tolist()
    assert found == shown or (isnan(found) and isnan(shown))
    assert str(found) == str(shown), "zero has no sign"


@pytest.mark.parametrize("number", [1e300, -1e300, 1.7e308, inf, -inf])
def test_rounding_leaves_what_is_beyond_all_digits(number: float) -> None:
    """Scaling overflowed, and a rating was listed as infinite or not at all."""
    assert rounded(np.array([number]), 4).tolist() == [number]


def test_the_digest_is_of_the_rows_alone_and_the_same_for_the_same_rows() -> None:
    eng = engine(game(1, "ann", "bo"), uid_of(game(2, "ann", "bo", 0.5)))
    found = listed(eng)
    eng.void("x")
    eng.void(eng.log.uid(3))
    again = listed(eng)
    assert again.digest == found.digest == listed(eng, known_at=2).digest
    assert again.provenance.digest != found.provenance.digest
    rows = [["rank", "player", "rating", "games"], [[row[name] for name in found.columns] for row in found]]
    text = json.dumps(rows, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == found.digest


def uid_of(event: Any) -> Any:
    return game(2, event.a, event.b, event.score, uid="x")


def test_another_row_is_another_digest() -> None:
    assert listed(engine(game(1, "ann", "bo"))).digest != listed(engine(game(1, "ann", "bo", 0.5))).digest
    assert listed(engine(game(1, "ann", "bo"))).digest != listed(engine(game(1, "ann", "ben"))).digest


def test_a_list_cannot_be_changed() -> None:
    found = listed(engine(game(1, "ann", "bo")))
    for column in (found.rank, found.games, found.values["rating"]):
        assert isinstance(column, np.ndarray)
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 7
    with pytest.raises(TypeError):
        found.values["rating"] = np.zeros(2)  # type: ignore[index]  # it has no such way


def test_provenance_says_what_makes_the_list_again() -> None:
    eng = engine(game(1, "ann", "bo"), game(40, "ann", "bo"))
    found = listed(eng, Elo(k=24.0), through="1970-02-03", known_at=1)
    provenance = found.provenance
    assert (provenance.pool, provenance.known_at, provenance.digest) == (POOL, 1, eng.log.digest_at(1))
    assert (provenance.through, provenance.at) == (34 * DAY - 1, 34 * DAY - 1)
    assert provenance.method.startswith("elo@1(k=24.0, ")
    assert provenance.version == __version__
    assert provenance.lines() == [
        "pool club, played through 1970-02-03, as of 1970-02-03",
        f"method {provenance.method}",
        f"head 1:{eng.log.digest_at(1)}",
        f"ratingcore {__version__}",
    ]
    assert (found.pool, found.known_at) == (POOL, 1)


def test_without_a_cut_a_list_is_of_the_day_of_the_last_result() -> None:
    found = listed(engine(game(40, "ann", "bo"), game(1, "ann", "bo")))
    assert found.provenance.at == 40 * DAY
    assert found.provenance.lines()[0] == "pool club, everything played, as of 1970-02-10"


def test_a_list_shows_its_first_rows_and_says_how_many_are_left() -> None:
    found = listed(seeded(**{f"p{n:02}": 1500.0 - n for n in range(15)}))
    lines = str(found).splitlines()
    assert lines[0].split() == ["rank", "player", "rating", "games"]
    assert lines[11] == "... and 5 more"
    assert len(found.table()) == 16
    assert len(found.table(3)) == 5
    assert len(found.table(0)) == 2
    assert repr(found) == str(found)


@pytest.mark.parametrize("method", [Elo(), Walk(), Monthly(), Whole(), Unrated()], ids=lambda m: m.name)
@pytest.mark.parametrize("cuts", [{"through": 0}, {"known_at": 0}, {"through": "0001-01-01"}])
def test_a_list_of_nobody_is_empty_and_has_a_digest(method: Any, cuts: dict[str, Any]) -> None:
    """Ranking nobody was an error."""
    found = listed(engine(game(1, "ann", "bo")), method, **cuts)
    assert (len(found), list(found), found.player) == (0, [], ())
    assert len(found.digest) == 64
    assert str(found)
    assert "ann" not in found


def test_a_list_of_one_player_is_one_row() -> None:
    assert [row["player"] for row in listed(seeded(ann=1500.0))] == ["ann"]


def test_a_player_in_two_pools_is_listed_in_each_by_its_results() -> None:
    eng = engine(game(1, "ann", "bo"), game(1, "cy", "ann", pool="other"), game(2, "ann", "dee", pool="other"))
    assert {row["player"]: row["games"] for row in listed(eng)} == {"ann": 1, "bo": 1}
    assert {row["player"]: row["games"] for row in eng.rating_list("other", Elo())} == {"ann": 2, "cy": 1, "dee": 1}


def test_a_merged_player_is_listed_once_under_the_name_that_was_kept() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "anna", "cy"), PlayersMerged(keep="ann", other="anna"))
    assert {row["player"]: row["games"] for row in listed(eng)} == {"ann": 2, "bo": 1, "cy": 1}
    assert "anna" not in listed(eng)
    with pytest.raises(KeyError):
        listed(eng).rating("anna")


def test_a_game_moved_to_another_pool_is_gone_from_the_one_and_in_the_other() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "cy", "dee", pool="other"))
    eng.amend("g", {"pool": "other"})
    assert len(listed(eng)) == 0
    assert sorted(eng.rating_list("other", Elo()).player) == ["ann", "bo", "cy", "dee"]
    eng.amend("g", {"pool": "third"})
    assert sorted(eng.rating_list("third", Elo()).player) == ["ann", "bo"]
