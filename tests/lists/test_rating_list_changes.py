"""Rating lists with changes since an older list, which are not part of the list proper."""

from tests.columns.making import engine, game, seed
from tests.lists.listing import listed, seeded
from tests.replay.toys import Unrated


def test_added_columns_are_no_part_of_the_list_proper() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "bo", "cy"))
    found = listed(eng)
    more = found.since(listed(eng, known_at=1)).with_grades(str)
    assert more.columns == (*found.columns, "rank_before", "rank_change", "rating_change", "grade")
    assert more.proper.columns == found.columns
    assert (more.proper.digest, more.seal) == (found.digest, found.seal)
    assert more.digest != found.digest
    assert found.proper is found


def test_changes_since_an_older_list_are_up_when_positive() -> None:
    eng = seeded(ann=1600, bo=1500, cy=1400)
    old = listed(eng)
    eng.record(seed(10, "cy", 1700.0), seed(10, "dee", 1550.0), seed(10, "bo", 1500.5))
    rows = {row["player"]: row for row in listed(eng).since(old)}
    told = {
        player: [row[name] for name in ("rank", "rank_before", "rank_change", "rating_change")]
        for player, row in rows.items()
    }
    assert told == {
        "cy": [1, 3, 2, 300.0], "ann": [2, 1, -1, 0.0], "dee": [3, None, None, None], "bo": [4, 2, -2, 0.5],
    }  # fmt: skip


def test_the_unrated_have_no_change_but_are_known() -> None:
    eng = engine(game(1, "ann", "bo"), seed(2, "bo", 900.0))
    old = listed(eng, Unrated())
    eng.record(seed(3, "ann", 950.0))
    rows = {row["player"]: row for row in listed(eng, Unrated()).since(old)}
    assert (rows["ann"]["rank_before"], rows["ann"]["rank_change"], rows["ann"]["rating_change"]) == (None, None, None)
    assert (rows["bo"]["rank_before"], rows["bo"]["rank_change"], rows["bo"]["rating_change"]) == (1, -1, 0.0)
    empty = listed(eng, known_at=0)
    assert [row["rank_before"] for row in listed(eng).since(empty)] == [None, None]
    assert len(empty.since(listed(eng))) == 0


def test_a_player_with_a_new_name_by_a_merge_is_no_newcomer() -> None:
    """A fixed fault: who was merged into a name that no earlier list had was shown as new."""
    eng = engine(game(1, "ann", "bob"), game(2, "bobby", "cy"), seed(1, "dee", 1600.0))
    old = listed(eng)
    eng.record(game(3, "Robert", "dee"))
    eng.merge("Robert", "bobby")
    eng.merge("Robert", "bob")
    rows = {row["player"]: row for row in listed(eng).since(old)}
    before = {row["player"]: row for row in old}
    assert rows["Robert"]["rank_before"] == min(before[one]["rank"] or 9 for one in ("bob", "bobby"))
    assert rows["ann"]["rank_before"] == before["ann"]["rank"]


def test_changes_can_be_asked_for_again() -> None:
    eng = seeded(ann=1600, bo=1500)
    found = listed(eng).since(listed(eng, known_at=1)).since(listed(eng))
    assert found.columns[-3:] == ("rank_before", "rank_change", "rating_change")
    assert [row["rank_change"] for row in found] == [0, 0]


def test_names_are_looked_up_when_they_are_first_asked_for_and_stay() -> None:
    eng = engine(game(1, "ann", "bo"))
    seen, unseen = listed(eng), listed(eng)
    assert seen.player == ("ann", "bo")
    with eng.log.writing():
        eng.log.erase([eng.core.player_id("bo")])
    assert seen.player == ("ann", "bo")
    assert unseen.player == ("ann", "(erased 3)")
