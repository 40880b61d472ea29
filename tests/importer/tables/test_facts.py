"""The score and the free facts of a row."""

import pytest

from ratingcore.errors import BadValue, ColumnNotFound
from ratingcore.importer.tables import FieldMap, Unrated
from ratingcore.importer.tables.rows import Binding, free_facts, score_from_points, score_from_words
from ratingcore.importer.tables.sheets import open_table

from .conftest import Write


def bound(write: Write, header: str, fields: FieldMap | None = None) -> Binding:
    return Binding(open_table(write(header + "\n"), FieldMap(), (), ()), fields or FieldMap())


@pytest.mark.parametrize(
    ("word", "decided"),
    [
        ("1-0", (1.0, {})),
        ("0.50", (0.5, {})),
        ("½", (0.5, {})),
        ("+/-", Unrated("forfeit")),
        ("*", Unrated("no result yet")),
    ],
)
def test_a_score_is_read_however_it_is_written(write: Write, word: str, decided: object) -> None:
    group = score_from_words(bound(write, "score"))
    assert group[group.pick([word])] == decided


def test_points_decide_the_score_and_are_facts(write: Write) -> None:
    group = score_from_points(bound(write, "points_b,points_a"))
    assert group[group.pick(["1", "3"])] == (1.0, {"points_a": 3, "points_b": 1})
    assert group[group.pick(["", "3"])] == Unrated("no result yet")
    with pytest.raises(ColumnNotFound, match="no column 'points_b'"):
        score_from_points(bound(write, "points_a"))


def test_free_facts_are_the_known_columns_and_the_mapped_ones(write: Write) -> None:
    group = free_facts(bound(write, "round,note,city,event", FieldMap.parse("place=city")), False)
    assert group[group.pick(["3", "seen", "Leeds", ""])] == {"round": 3, "place": "Leeds"}


def test_points_are_free_facts_only_where_the_score_does_not_follow_from_them(write: Write) -> None:
    header = "points_a,points_b,home"
    free = free_facts(bound(write, header), False)
    assert free[free.pick(["3", "1", "b"])] == {"points_a": 3, "points_b": 1, "home": "b"}
    rest = free_facts(bound(write, header), True)
    assert rest[rest.pick(["3", "1", "b"])] == {"home": "b"}


def test_a_fact_that_its_field_cannot_hold_is_refused(write: Write) -> None:
    group = free_facts(bound(write, "home"), False)
    with pytest.raises(BadValue, match="home is neither a, b nor neutral"):
        group[group.pick(["c"])]
