"""Keys that may be one person: which pairs are found, which name is kept, and what is not compared."""

import ratingcore as rc
from ratingcore.corrections.similar_names import Similar, newcomers, similar_names


def club(**results: int) -> rc.Engine:
    """A log in which each of these players has so many results; blanks of a name are written as `_`."""
    engine = rc.open(":memory:")
    for name, count in results.items():
        for _ in range(count):
            game = rc.GamePlayed(pool="p", played="2024-03-02", a=name.replace("_", " "), b="12", score=1.0)
            engine.record(game)
    return engine


def found(engine: rc.Engine) -> list[Similar]:
    return similar_names(engine.log, engine.core.view)


def test_the_name_with_more_results_is_kept_whichever_came_first() -> None:
    assert found(club(Lund_Zoe=1, Zoe_Lund=3, zoe_lund=2)) == [
        Similar("Zoe Lund", "zoe lund", 3, 2, "spelling"), Similar("Zoe Lund", "Lund Zoe", 3, 1, "spelling"),
    ]  # fmt: skip


def test_a_record_that_is_merged_is_not_named_again() -> None:
    engine = club(Zoe_Lund=2, Lund_Zoe=1)
    assert len(found(engine)) == 1
    engine.merge("Zoe Lund", "Lund Zoe")
    assert found(engine) == []


def test_an_initial_stands_for_a_word_but_not_for_a_whole_name() -> None:
    assert found(club(Zoe_Lund=2, Z_Lund=1)) == [Similar("Zoe Lund", "Z Lund", 2, 1, "initials")]
    assert found(club(Zoe_Lund=2, Z_L=1)) == []  # no word is left by which to tell who it is


def test_names_of_five_words_are_shortened_and_of_six_are_not() -> None:
    five, six = "Anna_Berta_Carla_Dora_Eder", "Anna_Berta_Carla_Dora_Emma_Eder"
    assert [one.how for one in found(club(**{five: 2, five.replace("Anna", "A"): 1}))] == ["initials"]
    assert found(club(**{six: 2, six.replace("Anna", "A"): 1})) == []


def test_newcomers_are_new_players_and_those_whose_results_were_all_taken_back() -> None:
    engine = club(Zoe_Lund=1, Bo=1, Cy=1)
    engine.void(next(row.uid for row in engine.log.rows(1, 2)), why="x")
    before = engine.log.head.position
    game = rc.GamePlayed(pool="p", played="2024-03-09", a="Zoe Lund", b="Cy", score=1.0)
    engine.record(game, source="of known players.csv")
    assert newcomers(engine.log, before) == ([], [])
    engine.record(*(rc.GamePlayed(pool="p", played="2024-03-09", a=name, b="12", score=1.0) for name in ("Bo", "Di")))
    assert newcomers(engine.log, before) == (["Bo", "Di"], ["Zoe Lund", "12", "Cy"])
