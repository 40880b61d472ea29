"""Seals of rating lists: of rows with commitments for names."""

import hashlib
import json

from ratingcore_elo import Elo

from tests.columns.making import engine, game
from tests.lists.listing import listed, seeded


def test_the_seal_is_of_the_rows_with_commitments_for_names_by_rank_and_commitment() -> None:
    eng = seeded(ann=1600, cy=1500, bo=1500, dee=1400)
    found = listed(eng)
    assert found.rank.tolist() == [1, 2, 2, 4]
    commitment = {name.key: name.digest for name in eng.log.book.names() if name.kind == "player"}
    rows = [[row["rank"], commitment[str(row["player"])], row["rating"], row["games"]] for row in found]
    rows.sort(key=lambda row: (row[0], row[1]))
    text = json.dumps([["rank", "player", "rating", "games"], rows], separators=(",", ":"))
    assert found.seal == hashlib.sha256(text.encode()).hexdigest()


def test_the_seal_outlives_the_erasure_of_a_name_though_ties_are_in_order_of_names() -> None:
    eng = engine(game(1, "zoe", "bo", 0.5), game(1, "ann", "cy", 0.5))
    found = listed(eng)
    digest = found.digest
    with eng.log.writing():
        eng.log.erase([eng.core.player_id("zoe")])
    erased = listed(eng)
    assert (found.player, found.rank.tolist()) == (("ann", "bo", "cy", "zoe"), [1, 1, 1, 1])
    assert sorted(erased.player) == ["(erased 2)", "ann", "bo", "cy"]
    assert erased.seal == found.seal
    assert erased.digest != digest


def test_the_seal_of_the_same_ratings_of_other_people_is_another() -> None:
    assert listed(engine(game(1, "ann", "bo"))).seal != listed(engine(game(1, "ann", "bo"))).seal, "salts differ"


def test_another_row_is_another_seal() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "bo", 0.5))
    assert listed(eng).seal != listed(eng, known_at=1).seal
    assert listed(eng, Elo(k=1e-9), known_at=1).seal != listed(eng, Elo(k=1e-9)).seal, "games differ"
