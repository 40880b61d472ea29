"""Rating lists: ranks, ties, the unrated, rounding, digests and provenance."""

import hashlib
import json
from decimal import Decimal
from math import inf, isnan, nan
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from ratingcore_elo import Elo

from ratingcore import __version__
from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from ratingcore.events import DAY, PlayersMerged, RatingSeeded
from ratingcore.lists import RatingList
from ratingcore.lists.policy import rounded
from ratingcore.log.lookup import uid_at
from tests.columns.making import POOL, engine, game, seed
from tests.lists.listing import REGISTRY, listed, seeded
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
    eng.void(uid_at(eng.log, 3))
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


FIELD = [("ann", "bo", 1.0), ("bo", "ann", 0.5), ("bo", "cy", 1.0), ("cy", "dee", 1.0), ("dee", "ann", 0.5)]


def berkin(text: str, repeated: int = 9) -> RatingList:
    """A list of a field in which ann won most of her games against bo."""
    games = [*FIELD, *[("ann", "bo", 1.0)] * repeated]
    return listed(engine(*(game(day, a, b, score) for day, (a, b, score) in enumerate(games, 1))), text)


def test_ratings_on_a_ratio_scale_have_six_significant_digits_in_every_format() -> None:
    """With `gauge=mean,anchor=1` a rating was listed as 0.0191 everywhere."""
    found = berkin("berkin:gauge=mean,anchor=1", repeated=300)
    exact = dict(zip(found.player, found.exact["rating"].tolist(), strict=True))
    assert min(exact.values()) < 0.02
    for player, full in exact.items():
        shown = float(f"{full:.5e}")  # six digits by the printf of C
        assert found.rating(player) == pytest.approx(shown, rel=1e-12)
        text = f"{shown:.12f}".rstrip("0").rstrip(".")
        for form in ("csv", "markdown"):
            (line,) = (line for line in found.document(form).splitlines() if f"{player}," in line.replace(" | ", ","))
            assert text in line.replace("|", ",").replace(" ", "").split(",")
        (line,) = (line for line in found.table() if player in line)
        assert text in line.split()
        (row,) = (row for row in json.loads(found.document("json"))["rows"] if row[1] == player)
        assert row[2] == shown


def test_points_below_each_other_and_no_digit_that_is_not_there() -> None:
    found = berkin("berkin:gauge=mean,anchor=1", repeated=300).table()
    at = {line.index(".", 10) for line in found[1:]}
    assert len(at) == 1
    assert not any(line.split()[2].endswith("0") for line in found[1:])


def test_lists_on_the_usual_scale_have_four_decimals_as_ever() -> None:
    usual = berkin("berkin", repeated=300)
    assert str(usual.provenance.policy) == ""
    by_hand = rounded(usual.exact["rating"], 4)
    assert np.asarray(usual.values["rating"]).tolist() == by_hand.tolist()
    for text in (
        "berkin:anchor=1",
        "berkin:gauge=mean,anchor=1",
        "berkin-change:anchor=1",
        "elo:scale=1",
        "chess-bayes:scale=1,deviation=1",
    ):
        assert str(berkin(text).provenance.policy) == "significant=6", text
    for text in ("elo", "elo:scale=200", "chess-bayes", "berkin-change", "periodic", "dwz", "egf", "adaptive-k"):
        assert str(berkin(text).provenance.policy) == "", text


def test_columns_of_exact_numbers_are_no_part_of_digest_and_seal() -> None:
    eng = engine(game(1, "ann", "bo", 0.3), game(2, "bo", "cy", 0.6))
    found = listed(eng)
    full = found.with_exact()
    assert full.columns == (*found.columns, "rating_exact")
    assert full.proper.digest == found.digest
    assert (full.seal, full.proper.document("json")) == (found.seal, found.document("json"))
    replayed = dict(zip(["ann", "bo", "cy"], eng.core.replay(POOL, Elo()).state["rating"].tolist(), strict=True))
    assert {row["player"]: row["rating_exact"] for row in full} == replayed


def test_words_and_counts_have_no_exact_column() -> None:
    found = listed(engine(game(1, "ann", "bo")), "berkin:prior_draws=1,components=yes,points=1500")
    assert found.with_exact().columns[-4:] == ("component", "points", "rating_exact", "points_exact")
    assert tuple(listed(engine(game(1, "ann", "bo")), "adaptive-k").exact) == ("rating",)
    assert tuple(listed(engine(game(1, "ann", "bo")), "chess-bayes").exact) == ("rating", "deviation")


def test_arrow_carries_listed_and_exact_numbers() -> None:
    eng = engine(game(1, "zoe", "ann"), game(2, "bo", "cy"), seed(3, "cy", 900.0), seed(3, "bo", -50.0))
    ratios = berkin("berkin:anchor=1,prior_draws=1")
    for found in (listed(eng, Unrated()), listed(eng), ratios):
        table = pa.table(found)
        assert tuple(table.column_names) == found.with_exact().columns
        assert table.to_pylist() == list(found.with_exact())
        assert (table.schema.field("rating").type, table.schema.field("rating_exact").type) == (
            pa.float64(),
            pa.float64(),
        )


def test_a_change_between_fine_lists_is_as_fine() -> None:
    before, after = berkin("berkin:gauge=mean,anchor=1e-6", 40), berkin("berkin:gauge=mean,anchor=1e-6", 41)
    rows = {row["player"]: row for row in after.since(before)}
    for line in before.diff(after):
        full = Decimal(str(line["new_rating"])) - Decimal(str(line["rating"]))
        assert rows[str(line["player"])]["rating_change"] == line["change"] == pytest.approx(float(full), rel=1e-9)
    assert "0.0000" in str(before.diff(after))


@pytest.mark.parametrize("policy", [None, "digits=-1,ties=games", "min_games=1,provisional=3,ties=dense"])
@pytest.mark.parametrize("top", [1, 3, 5, 12, 40])
def test_the_top_of_a_list_is_its_first_rows(top: int, policy: str | None) -> None:
    eng = engine(
        *(seed(0, f"p{n}", 1500.0 + n % 4 * 3.2) for n in range(12)),
        *(game(n, f"p{n * n % 12}", f"p{(n + 1) % 12}") for n in range(1, 9) if n * n % 12 != (n + 1) % 12),
    )
    whole, part = listed(eng, policy=policy), listed(eng, policy=policy, top=top)
    assert list(part) == list(whole)[:top]
    assert list(part.with_exact()) == list(whole.with_exact())[:top]
    assert (len(part) + part.more, part.provenance) == (len(whole), whole.provenance)
    assert part.table(top) == whole.table(top)
    if not part.more:
        assert part.digest == whole.digest


def test_the_unrated_follow_in_the_top_of_a_list() -> None:
    eng = engine(game(1, "zoe", "ann"), game(2, "bo", "cy"), seed(3, "cy", 900.0), seed(3, "bo", -50.0))
    assert listed(eng, Unrated(), top=3).player == ("cy", "bo", "ann")


def test_what_is_said_of_all_players_is_refused_of_the_top() -> None:
    eng = seeded(zoe=1500, ann=1500, bo=1600)
    whole, part = listed(eng), listed(eng, top=2)
    for question in (
        lambda: part.digest,
        lambda: part.seal,
        lambda: part.document("json"),
        lambda: part.diff(whole),
        lambda: whole.diff(part),
        lambda: whole.since(part),
        lambda: Engine(eng.log, REGISTRY).publish(part, "march"),
    ):
        with pytest.raises(BadValue, match="leaves out 1 players; make the list without it"):
            question()
    assert eng.log.head.position == 3
    assert [row["rank_change"] for row in part.since(whole)] == [0, 0]


@pytest.mark.parametrize("top", [0, -1, True, 1.0, "10"])
def test_a_top_is_a_number_of_players(top: Any) -> None:
    with pytest.raises(BadValue, match="top must be a whole number from 1"):
        listed(seeded(ann=1500), top=top)


def test_the_top_of_a_list_names_only_its_players() -> None:
    eng = seeded(**{f"p{n}": 1500 + n for n in range(50)})
    asked: list[int] = []
    book: Any = eng.log.book
    keys = book.keys
    book.keys = lambda numbers: asked.extend(numbers) or keys(numbers)
    assert listed(eng, top=3).player == ("p49", "p48", "p47")
    assert len(set(asked) - {1}) == 3  # the pool has a name too


def test_a_fact_of_any_size_is_a_column() -> None:
    """1e308 overflowed where the decimals of a column are counted."""
    found = listed(seeded(ann=1500, bo=1400, cy=1300))
    wide = found.with_cells(size=(1e308, -1e308, 0.25), far=(2.0**53, 1e20, None))
    assert (wide.digits["size"], wide.digits["far"]) == (2, 0)


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ((1860, "SK Praha", None), ["1860", "SK Praha", None]),
        (("SK Praha", 1860.5, nan), ["SK Praha", "1860.5", None]),
        ((True, 1990, "x"), ["True", "1990", "x"]),
        ((1990, False, None), ["1990", "False", None]),
    ],
)
def test_facts_that_are_numbers_and_texts_leave_for_arrow_as_texts(cells: tuple[Any, ...], texts: list[object]) -> None:
    """A club called 1860 among others made an error of Arrow's of the whole list."""
    found = listed(seeded(ann=1500, bo=1400, cy=1300)).with_cells(club=cells)
    assert pa.table(found)["club"].to_pylist() == texts
