"""What is said of a row that contradicts the recorded event it stands for."""

from attrs import evolve

from ratingcore.events import GamePlayed, RatingSeeded, ResultVoided
from ratingcore.importer.differences import contradiction

GAME = GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0, uid="g", data={"points_a": 2})


def test_every_field_that_differs_is_named_with_both_values() -> None:
    other = evolve(GAME, played="2024-03-03", score=0.5, data={"points_a": 9, "event": "cup"})
    assert contradiction(GAME, other) == (
        "played: 2024-03-02 recorded, 2024-03-03 in the file; score: 1 recorded, 0.5 in the file; "
        "points_a: 2 recorded, 9 in the file; event: nothing recorded, cup in the file"
    )
    assert contradiction(other, GAME).endswith("event: cup recorded, nothing in the file")
    assert contradiction(GAME, evolve(GAME, uid="another")) == ""


def test_players_on_each_others_side_are_named() -> None:
    assert contradiction(GAME, evolve(GAME, a="bo", b="ann")) == (
        "a: ann recorded, bo in the file; b: bo recorded, ann in the file"
    )


def test_an_erased_name_contradicts_nobody_and_who_it_may_be_is_said() -> None:
    recorded = evolve(GAME, b="cy")
    object.__setattr__(recorded, "a", "(erased 2)")  # a label, as a log shows it: no new event can have it
    assert contradiction(recorded, evolve(GAME, a="zoe", b="cy", score=0.0)) == (
        "score: 1 recorded, 0 in the file; (erased 2) in the log may be zoe in the file"
    )
    assert contradiction(recorded, evolve(GAME, a="cy", b="zoe")) == (
        "a: (erased 2) recorded, cy in the file; b: cy recorded, zoe in the file; "
        "(erased 2) in the log may be zoe in the file"
    )


def test_fields_of_a_seed_are_its_columns() -> None:
    seed = RatingSeeded(pool="rapid", played="2024-01-01", player="ann", values={"rating": 1500.0})
    other = evolve(seed, values={"rating": 1612.5})
    assert contradiction(seed, other) == "rating: 1500 recorded, 1612.5 in the file"


def test_another_kind_of_event_and_many_or_long_values_are_shortened() -> None:
    said = contradiction(GAME, ResultVoided(uid="g", of="x", why="y" * 500))
    assert said.startswith("kind: game recorded, void in the file; ")
    assert said.endswith(" more fields")
    long = contradiction(GAME, evolve(GAME, data={"points_a": 2, "event": "y" * 500}))
    assert len(long) < 120
