"""Facts of players: they are what they were, belong to one player, and go with that player."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.errors import BadValue, Conflict, UnknownName
from ratingcore.events.canonical_json import canonical
from ratingcore.explain.correction_history import Causes, Correction
from ratingcore.log.lookup import row_of
from tests.engine.described_people import KEY, MERGED, OWN, SHARED, check_going, check_gone, league, texts
from tests.log.making import game
from tests.log.test_erasure import found

OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "club.db"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[rc.Engine]:
    with rc.open(tmp_path / "club.db") as made:
        yield made


def described(uid: str, player: str = "ann", **data: object) -> rc.PlayerDescribed:
    return rc.PlayerDescribed(uid=uid, pool="rapid", player=player, played="2024-01-01", data=data)  # type: ignore[arg-type]  # facts


def test_no_byte_of_an_erased_player_is_left_in_any_file(file: rc.Engine, tmp_path: Path) -> None:
    league(file, tmp_path)
    if find_spec("ratingcore_sql_tables"):
        import_module("ratingcore_sql_tables.catch_up").catch_up(file, "rapid", "elo")
    published = file.publish(file.rating_list("rapid", "elo", through="2024-01-31"), name="2024-01")
    supposed = file.what_if([game("x", KEY, "di", played="2024-02-02")])
    assert supposed.player("rapid", KEY, "elo").facts["club"] == OWN[2]
    with rc.open(tmp_path / "club.db", read_only=True) as reader:
        assert reader.player("rapid", KEY, "elo").facts["club"] == OWN[2]
        assert reader.player("rapid", KEY, "elo", known_at=14).facts["club"] == OWN[0]
        head, ratings = file.log.head, file.rating_list("rapid", "elo").values["rating"].tolist()  # type: ignore[union-attr]  # floats
        assert all(found(tmp_path, text) for text in texts())
        check_going(file)
        done = file.erase(KEY)
        assert (done.described, done.called, done.players, done.rated) == (
            12,
            1,
            (2, 6),
            {14: ("born",), 16: ("sigma",)},
        )
        assert "with 1 shown name, with 12 facts" in str(done)
        assert [text for text in texts() if found(tmp_path, text)] == []
        check_gone(reader)
        check_gone(file)
        assert supposed.player("rapid", "(erased 2)", "elo").facts.keys() == {"born", "sigma"}
    assert file.verify([head]).head.position == file.log.head.position
    assert file.rating_list("rapid", "elo").values["rating"].tolist() == ratings  # type: ignore[union-attr]  # floats
    assert file.published_list("2024-01").seal == published.seal
    with rc.open(":memory:") as loaded:
        loaded.load(file.export())
        assert loaded.verify().head == file.log.head
        assert len(loaded.log.book.nameless("fact")) == 12
        check_gone(loaded)
    file.log.backup(tmp_path / "copy.db")
    file.close()
    assert [text for text in texts() if found(tmp_path, text)] == []


def test_facts_that_ratings_are_computed_from_go_when_that_is_asked_for(file: rc.Engine, tmp_path: Path) -> None:
    """Also of a player who is erased already, who is named by the label."""
    league(file, tmp_path)
    method, day = "elo:k=fide2014", "2024-01-31"
    before = file.rating_list("rapid", method, through=day).values["rating"].tolist()  # type: ignore[union-attr]  # floats
    if find_spec("ratingcore_sql_tables"):
        import_module("ratingcore_sql_tables.catch_up").catch_up(file, "rapid", method)
    file.erase(KEY)
    assert file.rating_list("rapid", method, through=day).values["rating"].tolist() == before  # type: ignore[union-attr]  # floats
    with pytest.raises(UnknownName):
        file.erase("(erased 2)")
    going = (("fact", "born: 1988"), ("fact", "sigma: 61.25"))
    plan = file.plan.erase("(erased 2)", rated_facts=True)
    assert tuple((drop.what, drop.text) for drop in plan.drops) == going
    done = file.erase("(erased 2)", rated_facts=True)
    assert (done.described, done.rated, done.players) == (2, {}, (2, 6))
    assert file.player("rapid", "(erased 2)", "elo").facts == {}
    anew = rc.open(":memory:")
    anew.load(file.export())
    now = file.rating_list("rapid", method, through=day)
    assert now.seal == anew.rating_list("rapid", method, through=day).seal
    if find_spec("ratingcore_sql_tables"):
        assert done.emptied == ("ratings_current", "rating_history")
        (made,) = import_module("ratingcore_sql_tables.catch_up").catch_up(file)
        assert made.done != "nothing new"
    with pytest.raises(UnknownName):
        file.erase("(erased 2)", rated_facts=True)


def test_what_was_said_of_an_erased_player_since_goes_with_the_label(file: rc.Engine, tmp_path: Path) -> None:
    """By an amendment of what was known of them, or back by the void of one that moved it."""
    file.record(game("g", "ann", "bo"), described("d", club=OWN[0]), described("e", coach=OWN[1]))
    file.amend("e", {"player": "bo"}, own_uid="moved")
    file.erase("ann")
    with pytest.raises(UnknownName):
        file.erase("(erased 2)")
    file.amend("d", {"club": OWN[2], "called": OWN[3]}, why="told by Ann Lee")
    file.void("moved")
    assert file.player("rapid", "(erased 2)", "elo").facts == {"club": OWN[2], "coach": OWN[1]}
    done = file.erase("(erased 2)", also=["Lee"])
    assert (done.players, done.described, done.called, done.notes) == ((2,), 2, 1, 1)
    assert not any(found(tmp_path, text) for text in OWN[:4])
    with pytest.raises(UnknownName):
        file.erase("(erased 2)", also=["Lee"])
    assert file.verify().head == file.log.head


@pytest.mark.parametrize(
    "value",
    [1, 1.0, True, 0, -0.0, 1e300, 5e-324, 2**63 - 1, "", "1", "[7]", "é", "e\u0301", "a\nb", '"\\', "(erased 3)"],
)
def test_a_fact_comes_back_as_exactly_what_it_was(file: rc.Engine, value: object) -> None:
    file.record(game("g", "ann", "bo"), described("d", other="x", it=value))
    file.amend("d", {"other": value})
    (_, (_, event), (_, amended)) = file.events()
    assert canonical([event.data["it"], amended.changes["other"]]) == canonical([value, value])
    assert repr(event.data["it"]) == repr(value)
    facts = {name: fact for name, fact in file.player("rapid", "ann", "elo").facts.items() if fact != ""}
    assert list(map(repr, facts.values())) == ([repr(value)] * 2 if value != "" else [])
    with rc.open(":memory:") as loaded:
        loaded.load(file.export())
        assert [pair[1] for pair in loaded.events()] == [pair[1] for pair in file.events()]


def test_a_fact_that_is_recorded_again_is_a_duplicate_and_another_value_a_conflict(file: rc.Engine) -> None:
    file.record(described("d", club="A", born=1980))
    assert file.record(described("d", club="A", born=1980)).duplicates == 1
    for other in ({"club": "B", "born": 1980}, {"club": "A", "born": 1980.0}, {"club": "A"}):
        with pytest.raises(Conflict):
            file.record(described("d", **other))
    file.amend("d", {"club": "C"}, own_uid="a")
    assert file.amend("d", {"club": "C"}, own_uid="a").duplicates == 1
    names = [name.key for name in file.log.book.names() if name.kind == "fact"]
    assert names == ['[1,"club","A"]', '[1,"born",1980]', '[2,"club","C"]']
    file.erase("ann", rated_facts=True)
    assert file.record(described("d", club="A", born=1980)).duplicates == 1
    assert len([name for name in file.log.book.names() if name.kind == "fact"]) == 3


def test_the_same_fact_of_another_player_stays(file: rc.Engine) -> None:
    file.record(*[game(player, player, "zoe") for player in ("ann", "bo")])
    file.record(described("d", club=SHARED), described("e", "bo", club=SHARED))
    file.erase("ann")
    assert file.player("rapid", "bo", "elo").facts == {"club": SHARED}
    assert found(Path(str(file.log.path)).parent, SHARED)
    file.erase("bo")
    assert not found(Path(str(file.log.path)).parent, SHARED)


def test_a_fact_of_another_player_that_speaks_of_the_erased_one_is_named_and_stays(file: rc.Engine) -> None:
    file.record(
        game("g", "ann lee", "bo"), described("d", "bo", club="Ann Lee Memorial"), described("e", "bo", club="A")
    )
    done = file.erase("ann lee")
    assert (done.mentions, done.positions, done.described) == (1, (2,), 0)


def test_a_fact_has_so_many_characters_at_most(file: rc.Engine) -> None:
    file.record(described("d", note="x" * 10_000))
    for event in (described("e", note="x" * 10_001), rc.ResultAmended(of="d", changes={"note": "x" * 10_001})):
        with pytest.raises(BadValue):
            file.record(event)
    file.record(game("g", "ann", "bo"))
    assert file.player("rapid", "ann", "elo").facts["note"] == "x" * 10_000


def test_an_amendment_that_says_a_fact_again_changes_nothing(file: rc.Engine) -> None:
    file.record(game("g", "ann", "bo"), described("d", club="A"))
    file.amend("d", {"club": "A"})
    file.amend("d", {"club": "B"})
    fields = [dict(correction.fields) for correction in corrections_of(file, "d")]
    assert fields == [{}, {"club": ("A", "B")}]
    file.erase("ann")
    assert [dict(one.fields) for one in corrections_of(file, "d")][1] == {"club": ("(erased 6)", "(erased 7)")}


def corrections_of(engine: rc.Engine, uid: str) -> list[Correction]:
    position = row_of(engine.log, uid).position
    return list(Causes(engine.log, engine.log.book.key).between(0, engine.log.head.position, [position])[position])


def test_an_undone_erasure_leaves_every_fact(file: rc.Engine, tmp_path: Path) -> None:
    league(file, tmp_path)
    (going,) = {name.id for name in file.log.book.names() if name.key is not None and OWN[2] in name.key}
    with pytest.raises(ZeroDivisionError), file.log.writing():  # noqa: PT012  # what fails is behind the erasure
        file.log.erase([going])
        assert OWN[2] not in file.player("rapid", KEY, "elo").facts.values()
        1 / 0  # noqa: B018  # whatever fails
    assert file.player("rapid", KEY, "elo").facts["club"] == OWN[2]
    assert file.player("rapid", MERGED, "elo").facts["town"] == OWN[3]


def test_an_old_log_keeps_the_facts_that_are_in_its_events_and_says_so(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "old.db")
    with rc.open(tmp_path / "old.db") as old:
        before, (row, event) = old.log.head, old.events(0, ("player",))[0]
        assert (row.data, event.data) == ('{"born":1960}', {"born": 1960})
        assert old.record(event).duplicates == 1
        pool = event.pool
        assert old.player(pool, "ann", "elo").facts == {"born": 1960}
        old.record(evolve(event, uid="new", data={"born": 1961, "club": OWN[0]}))
        old.amend(event.uid, {"club": OWN[1]})
        assert old.player(pool, "ann", "elo").facts == {"born": 1961, "club": OWN[0]}
        done = old.erase("ann")
        assert (done.facts, done.rated, done.described) == ({row.position: ("born",)}, {131: ("born",)}, 2)
        assert "which an older version recorded, are part of the digests" in str(done)
        assert old.player(pool, done.labels[0], "elo").facts == {"born": 1961}
        assert old.verify([before]).head == old.log.head
        assert not found(tmp_path, OWN[0]) + found(tmp_path, OWN[1])
        with rc.open(":memory:") as loaded:
            loaded.load(old.export())
            assert loaded.verify([before]).head == old.log.head
            assert [pair[1] for pair in loaded.events()] == [pair[1] for pair in old.events()]
