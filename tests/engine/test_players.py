"""What people see players called, and their facts: told, shown, replaced, erased."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import pytest

import ratingcore as rc
from ratingcore.erasure import known_as
from ratingcore.errors import BadValue, Conflict, PoolNotNamed, UnknownName
from ratingcore.log import SqliteLog, load_lines
from ratingcore.log.lookup import decoder_of, uid_at
from tests.log.making import game


@pytest.fixture(params=["memory", "file"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[rc.Engine]:
    with rc.open(":memory:" if request.param == "memory" else tmp_path / "club.db") as made:
        made.record(game("g-1", "fide:15", "fide:16"), game("g-2", "fide:16", "fide:17"))
        yield made


def called(engine: rc.Engine, **cut: object) -> dict[object, object]:
    listed = engine.rating_list("rapid", "elo", **cut)  # type: ignore[arg-type]  # cuts by name
    return {row["player"]: row.get("called") for row in listed}


def test_a_list_shows_names_beside_keys_and_its_digest_and_seal_stay(engine: rc.Engine) -> None:
    before = engine.rating_list("rapid", "elo")
    engine.rename("fide:15", "Ann Lee")
    after = engine.rating_list("rapid", "elo")
    assert after.columns == ("rank", "player", "called", "rating", "games")
    assert {row["player"]: row["called"] for row in after} == {"fide:15": "Ann Lee", "fide:16": None, "fide:17": None}
    assert (after.digest, after.seal, after.proper.columns) == (before.digest, before.seal, before.columns)
    assert "Ann Lee" in after.document("csv")
    assert "Ann Lee" in str(after)


def test_documents_with_names_prove_and_say_that_names_are_unchecked(engine: rc.Engine) -> None:
    old = engine.rating_list("rapid", "elo").document("json")
    engine.rename("fide:15", "Ann Lee")
    assert engine.prove(old).holds
    proof = engine.prove(engine.rating_list("rapid", "elo").document("json"))
    assert proof.holds
    assert proof.unchecked == ("called",)
    engine.erase("fide:15")
    assert engine.prove(old).holds


def test_a_published_list_is_what_it_was_published_as(engine: rc.Engine) -> None:
    engine.rename("fide:15", "Ann Lee")
    listed = engine.rating_list("rapid", "elo")
    engine.publish(listed, name="March")
    engine.rename("fide:15", "Ann Lee-Lund")
    assert engine.published_list("March", "rapid").digest == listed.digest
    assert called(engine, known_at="March")["fide:15"] == "Ann Lee"
    assert called(engine)["fide:15"] == "Ann Lee-Lund"


def test_no_hashed_row_holds_the_name(engine: rc.Engine) -> None:
    engine.rename("fide:15", "Ann Lee")
    (row,) = engine.log.rows(0, None, ("player",))
    assert "Ann" not in repr(row)
    assert decoder_of(engine.log)(row).called == "Ann Lee"  # type: ignore[attr-defined]  # a description
    assert engine.verify().remarks == ()


def test_the_latest_name_by_day_then_by_position_stands(engine: rc.Engine) -> None:
    for day, name in ((2, "B"), (5, "C"), (1, "A"), (5, "D")):
        engine.record(rc.PlayerDescribed(pool="other", player="fide:15", played=f"2024-01-0{day}", called=name))
    assert called(engine)["fide:15"] == "D"
    engine.rename("fide:15", "E")
    assert called(engine)["fide:15"] == "E"
    assert engine.rename("fide:15", "E").accepted == 0
    engine.void(uid_at(engine.log, engine.log.head.position))
    assert called(engine)["fide:15"] == "D"


def test_a_name_is_amended_and_the_amendment_holds_no_text(engine: rc.Engine) -> None:
    engine.record(rc.PlayerDescribed(uid="d", pool="rapid", player="fide:15", played="2024-01-01", called="An Lee"))
    engine.amend("d", {"called": "Ann Lee"})
    assert called(engine)["fide:15"] == "Ann Lee"
    assert "Ann" not in repr(list(engine.log.rows()))
    assert engine.verify().remarks == ()
    engine.amend("d", {"called": None})
    assert called(engine)["fide:15"] is None
    with pytest.raises(BadValue):
        engine.amend("d", {"called": 5})


def test_merged_records_have_the_latest_name_of_either(engine: rc.Engine) -> None:
    engine.rename("fide:17", "Cy Holm")
    engine.merge("fide:15", "fide:17")
    assert called(engine) == {"fide:15": "Cy Holm", "fide:16": None}


def test_erasing_a_player_erases_every_name_they_were_called(engine: rc.Engine) -> None:
    engine.rename("fide:15", "Ann Lee")
    engine.record(rc.PlayerDescribed(uid="d", pool="rapid", player="fide:15", played="2024-01-01", called="Annie"))
    engine.amend("d", {"called": "Anny"})
    engine.void("g-2", why="told by Ann Lee")
    head = engine.log.head
    done = engine.erase("fide:15")
    assert (done.called, done.notes, done.namesakes) == (3, 1, ())
    assert {name.key for name in engine.log.book.names() if name.kind == "called"} == {None}
    assert called(engine)[done.labels[0]] is None
    assert engine.log.head == head
    assert engine.verify().head == head
    assert "3 shown names" in str(done)
    if isinstance(engine.log, SqliteLog):
        return
    assert b"Ann" not in engine.log.path.read_bytes()  # type: ignore[attr-defined]  # a log in a file


def test_namesakes_of_an_erased_player_are_told(engine: rc.Engine) -> None:
    for player in ("fide:15", "fide:16"):
        engine.rename(player, "Hans Maier")
    done = engine.erase("fide:15")
    assert done.namesakes == ("fide:16",)
    assert "need a new one: fide:16" in str(done)
    engine.rename("fide:16", "Hans Maier")
    assert called(engine)["fide:16"] == "Hans Maier"


def test_a_retry_after_an_erasure_is_a_retry(engine: rc.Engine) -> None:
    told = rc.PlayerDescribed(uid="d", pool="rapid", player="fide:15", played="2024-01-01", called="Ann Lee")
    engine.record(told)
    assert engine.record(told).duplicates == 1
    with pytest.raises(Conflict):
        engine.record(rc.PlayerDescribed(uid="d", pool="rapid", player="fide:15", played="2024-01-01", called="Al"))
    engine.erase("fide:15")
    assert engine.record(told).duplicates == 1


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "Ann\u202e", "x" * 201, "(erased 3)"])
def test_what_is_no_name_is_refused(engine: rc.Engine, name: str) -> None:
    with pytest.raises(BadValue):
        engine.rename("fide:15", name)
    assert engine.log.head.position == 2


def test_names_are_in_form_nfc(engine: rc.Engine) -> None:
    engine.rename("fide:15", "Zoe\u0308")
    assert called(engine)["fide:15"] == "Zo\u00eb"


def test_only_a_player_of_the_log_is_renamed(engine: rc.Engine) -> None:
    with pytest.raises(UnknownName):
        engine.rename("fide:99", "Nobody")
    with pytest.raises(UnknownName), rc.open(":memory:") as empty:
        empty.rename("fide:15", "Ann")


def test_a_free_field_called_of_an_older_log_stays_readable_and_no_new_one_is_recorded(engine: rc.Engine) -> None:
    old = rc.PlayerDescribed(uid="d", pool="rapid", player="fide:15", played="2024-01-01", data={"called": "Ann"})
    with pytest.raises(BadValue, match="called"):
        engine.record(old)
    with pytest.raises(BadValue):
        rc.PlayerDescribed(pool="p", player="a", played="2024-01-01", called="Ann", data={"called": "Ann"})


def test_names_go_with_exports(engine: rc.Engine) -> None:
    engine.rename("fide:15", "Ann Lee")
    with rc.Engine(SqliteLog(":memory:")) as copy:
        load_lines(copy.log, engine.export())
        assert called(copy)["fide:15"] == "Ann Lee"
        assert copy.verify().remarks == ()


def test_explanations_show_names_of_the_player_and_of_opponents(engine: rc.Engine) -> None:
    assert "called" not in engine.explain("rapid", "fide:15", "elo").columns
    engine.rename("fide:15", "Ann Lee")
    engine.rename("fide:16", "Bo Lund")
    explained = engine.explain("rapid", "fide:15", "elo")
    assert explained.facts()[0].startswith("fide:15 (Ann Lee) in pool rapid")
    assert [row.get("called") for row in explained] == [None, "Bo Lund", None]


def test_a_what_if_shows_supposed_names(engine: rc.Engine) -> None:
    told = rc.PlayerDescribed(pool="rapid", player="fide:15", played="2024-01-01", called="Ann Lee")
    assert called(engine.what_if([told]))["fide:15"] == "Ann Lee"
    assert called(engine)["fide:15"] is None


# facts


def players_file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "players.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_of_players_is_one_batch_and_the_same_again_is_nothing(engine: rc.Engine, tmp_path: Path) -> None:
    file = players_file(tmp_path, "player,called,born,title,rating\nfide:15,Ann Lee,1990,GM,2600\nnew,,1999,,\nx,,,,\n")
    report = engine.import_players(file)
    assert (report.read, report.accepted, report.duplicates, len(report.refused)) == (3, 2, 0, 1)
    assert report.warnings[0].startswith("not used: rating")
    assert engine.import_players(file).duplicates == 2
    assert engine.players()[0] == {"player": "fide:15", "called": "Ann Lee", "born": 1990, "title": "GM"}
    assert {"player": "new", "born": 1999} in engine.players()


def test_a_file_that_several_import_at_once_is_recorded_once(tmp_path: Path) -> None:
    """Each compared it with a log that did not have it yet, and recorded all of it after the others."""
    path, file = (
        tmp_path / "club.db",
        players_file(tmp_path, "player,born\n" + "".join(f"p-{n},1990\n" for n in range(2000))),
    )
    with rc.open(path) as made:
        made.record(game("g-1", "ann", "bo"))

    def one(_: int) -> int:
        with rc.open(path) as engine:
            return engine.import_players(file).accepted

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(one, range(3))) == [0, 0, 2000]


def test_a_file_of_players_warns_of_names_that_an_erasure_took_away(engine: rc.Engine, tmp_path: Path) -> None:
    file = players_file(tmp_path, "player,club\nfide:15,North\nfide:16,North\n")
    assert engine.import_players(file).warnings == []
    engine.erase("fide:15")
    for dry_run in (True, False):
        (warning,) = engine.import_players(file, dry_run=dry_run).warnings
        assert (
            warning
            == "names of erased players may have come back with rows that are new: fide:15; erase them again if so"
        )
    assert engine.import_players(file).warnings == []


def test_an_old_file_again_adds_nothing_though_facts_have_changed_since(engine: rc.Engine, tmp_path: Path) -> None:
    """It was compared with what holds now, and was recorded once more each time it was imported."""
    for club, year, accepted in (("North", 2019, 1), ("South", 2022, 1), ("North", 2019, 0), ("North", 2020, 0)):
        file = players_file(tmp_path, f"player,club\nfide:15,{club}\n")
        assert engine.import_players(file, at=f"{year}-01-01").accepted == accepted
    earlier = players_file(tmp_path, "player,club\nfide:15,South\n")
    assert [engine.import_players(earlier, at="2018-01-01").accepted for _ in range(2)] == [1, 0]
    assert engine.players("rapid")[0]["club"] == "South"


def test_a_changed_fact_replaces_the_one_that_stands_from_whatever_day(engine: rc.Engine, tmp_path: Path) -> None:
    engine.import_players(players_file(tmp_path, "player,title,born\nfide:15,FM,1990\n"), at="2024-02-01")
    file = players_file(tmp_path, "player,title,born\nfide:15,IM,1990\nfide:15,IM,1990\n")
    report = engine.import_players(file, dry_run=True)
    assert (report.accepted, report.duplicates) == (1, 1)
    assert engine.players("rapid")[0]["title"] == "FM"
    engine.import_players(file)
    assert engine.players("rapid")[0]["title"] == "IM"
    (_, (_, event)) = engine.events(0, ("player",))
    assert event.data == {"title": "IM"}


def test_facts_of_another_pool_are_told_for_this_one_too(engine: rc.Engine, tmp_path: Path) -> None:
    file = players_file(tmp_path, "player,called,born\nfide:15,Ann Lee,1990\n")
    assert engine.import_players(file, "blitz").accepted == 1
    assert engine.import_players(file, "rapid").accepted == 1
    assert [row.facts.get("called") is None for row in engine.log.rows(0, None, ("player",))] == [False, True]


def test_an_empty_log_needs_a_pool(tmp_path: Path) -> None:
    file = players_file(tmp_path, "player,born\nann,1990\n")
    with rc.open(":memory:") as engine:
        with pytest.raises(PoolNotNamed):
            engine.import_players(file)
        assert engine.import_players(file, "rapid").accepted == 1


# keys


def test_numbers_and_uuids_are_keys_as_their_text() -> None:
    member = UUID(int=5)
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(uid="g", pool="p", played="2024-03-02", a=7, b=member, score=1.0))
        sides = [rc.Side([7], 60.0), rc.Side(member, 40.0)]
        engine.record(rc.SessionPlayed(pool="bridge", played="2024-03-02", sides=sides))
        engine.record(rc.RatingSeeded(pool="p", played="2024-01-01", player=7, values={"rating": 1600.0}))
        engine.rename(7, "Sven")
        listed = engine.rating_list("p", "elo")
        assert listed.player == ("7", str(member))
        assert 7 in listed
        assert member in listed
        assert 8 not in listed
        assert listed.rating(7) == listed.rating("7")
        assert engine.core.player_id(member) == engine.core.player_id(str(member))
        assert engine.explain("p", 7, "elo").facts()[0].startswith("7 (Sven) in pool p")
        assert len(engine.history("p", member, "elo")) == 1
        engine.amend("g", {"b": 9})
        engine.merge(9, member)
        assert known_as(engine.log, 9) == ("9", str(member))
        assert engine.erase(member).players


@pytest.mark.parametrize("key", [True, 1.5, None, b"7", ("7",)])
def test_nothing_else_is_a_key(key: object) -> None:
    with pytest.raises(BadValue):
        rc.GamePlayed(pool="p", played="2024-03-02", a=key, b="bo", score=1.0)  # type: ignore[arg-type]  # on purpose
    with rc.open(":memory:") as engine, pytest.raises(BadValue):
        engine.core.player_id(key)  # type: ignore[arg-type]  # on purpose
