"""Rating lists on scales of their own: significant digits, and numbers in full beside them."""

import json
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from ratingcore_elo import Elo

from ratingcore.lists import RatingList
from ratingcore.lists.ranking import rounded
from tests.columns.making import POOL, engine, game, seed
from tests.lists.listing import listed
from tests.replay.toys import Unrated

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
    replayed = dict(zip(["ann", "bo", "cy"], eng.replay(POOL, Elo()).state["rating"].tolist(), strict=True))
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
