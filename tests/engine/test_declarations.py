"""Declarations of pools: made once, asked at any cut; the days of a pool are those of its zone."""

from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import frozen
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.errors import BadDocument, MethodNotFound, UnknownName, UnknownZone
from ratingcore.plugin import hookimpl
from ratingcore.registry import Registry


def test_the_same_declaration_again_is_no_event() -> None:
    with rc.open(":memory:") as engine:
        assert engine.declare("cup", fits="elo-margin").accepted == 1
        assert engine.declare("cup", fits="elo-margin").accepted == 0
        assert engine.declare("cup", fits="elo-margin", own_uid="mine").accepted == 1
        assert engine.declare("cup", fits="elo-margin", own_uid="mine").duplicates == 1


def test_a_declared_pool_without_results_has_an_empty_list() -> None:
    with rc.open(":memory:") as engine:
        engine.declare("cup", fits="elo-margin")
        assert engine.pools() == ["cup"]
        assert len(engine.rating_list("cup", "elo-margin", through="2024-03-31", strict=True)) == 0


def test_a_method_that_is_not_there_and_a_pool_that_is_not_known_are_errors() -> None:
    with rc.open(":memory:") as engine:
        with pytest.raises(MethodNotFound):
            engine.declare("cup", fits="eloo")
        with pytest.raises(UnknownName):
            engine.core.declared("cup")
        assert engine.log.head.position == 0


PRAGUE = "Europe/Prague"


def game(uid: str, played: object, a: str = "ann", b: str = "bo", score: float = 1.0) -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool="club", played=played, a=a, b=b, score=score)  # type: ignore[arg-type]  # a time


@pytest.fixture
def engine() -> rc.Engine:
    """A club in Prague with a game in the first hour of 2024, and one of New Year's Eve that has no time."""
    made = rc.open(":memory:")
    made.declare("club", zone=PRAGUE)
    made.record(game("midnight", "2024-01-01T00:30+01:00"), game("eve", "2023-12-31", "cy", "di"))
    return made


def counted(engine: rc.Engine, method: str = "elo", **cuts: object) -> dict[str, int]:
    """Games of each player on a list."""
    return {row["player"]: row["games"] for row in engine.rating_list("club", method, **cuts)}  # type: ignore[arg-type]  # cuts


def test_a_new_years_game_in_prague_counts_for_the_new_year(engine: rc.Engine) -> None:
    assert counted(engine, through="2023-12-31") == {"cy": 1, "di": 1}
    assert len(counted(engine, through="2024-01-01")) == 4
    years = engine.rating_list("club", "periodic:period=year", through="2023-12-31")
    assert set(years.player) == {"cy", "di"}
    assert (
        engine.rating_list("club", "periodic:period=year").provenance.clock.day(
            engine.rating_list("club", "periodic:period=year").provenance.at
        )
        == "2024-12-31"
    )
    line = engine.explain("club", "ann", "elo").lines[0]
    assert (line.uid, line.row(engine.core.view("club").clock)["played"]) == ("midnight", "2024-01-01T00:30:00+01:00")
    assert not engine.explain("club", "ann", "elo", through="2023-12-31").lines


def test_activity_is_counted_in_days_of_the_zone(engine: rc.Engine) -> None:
    policy = "active=months(12)"
    assert set(counted(engine, policy=policy, through="2024-12-30")) == {"ann", "bo", "cy", "di"}
    assert set(counted(engine, policy=policy, through="2024-12-31")) == {"ann", "bo"}
    assert set(counted(engine, policy=policy, through="2025-01-01")) == set()


def test_an_explanation_names_the_zone_of_its_days(engine: rc.Engine) -> None:
    assert f"days of {PRAGUE}" in engine.explain("club", "ann", "elo").facts()
    engine.declare("club", zone="")
    assert not any(fact.startswith("days of") for fact in engine.explain("club", "ann", "elo").facts())


def test_the_zone_that_stood_then_is_known_then(engine: rc.Engine) -> None:
    head = engine.log.head.position
    assert engine.declare("club", zone=PRAGUE).accepted == 0
    engine.declare("club", zone="America/New_York")
    assert len(counted(engine, through="2023-12-31")) == 4
    assert len(counted(engine, through="2023-12-31", known_at=head)) == 2
    assert engine.core.view("club", known_at=head).zone == PRAGUE
    engine.declare("club", fits="elo")
    assert (engine.core.declared("club").fits, engine.core.declared("club").zone) == ("elo", "America/New_York")  # type: ignore[union-attr]  # declared
    engine.declare("club", zone="")
    now = engine.core.declared("club")
    assert now is not None
    assert now == rc.PoolDeclared(uid=now.uid, pool="club", fits="elo")
    with pytest.raises(UnknownZone, match="no time zone is named: 'Prague'"):
        engine.declare("club", zone="Prague")


def test_a_published_list_is_made_again_on_the_clock_it_was_made_on(engine: rc.Engine) -> None:
    listed = engine.rating_list("club", "elo", through="2023-12-31")
    assert f"days of {PRAGUE}" in listed.provenance.lines()
    published = engine.publish(listed, name="2023-12")
    document = listed.document("json")
    engine.declare("club", zone="America/New_York")
    assert published.zone == PRAGUE
    assert engine.published_list("2023-12").player == ("cy", "di")
    assert bool(engine.prove(document))
    proof = engine.prove(document.replace(PRAGUE, "Europe/Rome"))
    assert "its days are those of Europe/Prague, not of Europe/Rome" in str(proof)
    with pytest.raises(BadDocument, match="its zone: no time zone is named: 'Europe/Prag'"):
        engine.prove(document.replace(PRAGUE, "Europe/Prag"))
    assert set(engine.restated("2023-12").player) == {"ann", "bo", "cy", "di"}


@pytest.mark.parametrize("method", ["elo", "periodic", "glicko2:period=month", "bradley-terry", "berkin"])
def test_cuts_that_are_printed_can_be_given_back(engine: rc.Engine, method: str) -> None:
    engine.record(game("late", "2024-10-27T02:30+01:00", "ann", "cy"))
    for through in ("2024-10-27T02:30+01:00", "2024-10-27", "2024-10-27T02:30+02:00"):
        listed = engine.rating_list("club", method, through=through)
        made = listed.provenance
        assert engine.rating_list("club", method, through=made.cut).digest == listed.digest
        assert engine.rating_list("club", method, through=made.through).digest == listed.digest
    assert counted(engine, through="2024-10-27T02:30+01:00")["ann"] == 2
    assert counted(engine, through="2024-10-27T02:30")["ann"] == 1  # the first of two half past two
    assert counted(engine, through=datetime(2024, 10, 27, 1, 30, tzinfo=UTC))["ann"] == 2


@pytest.mark.parametrize(("day", "hours"), [("2024-03-31", 23), ("2024-10-27", 25)])
def test_days_of_23_and_25_hours_end_at_local_midnight(engine: rc.Engine, day: str, hours: int) -> None:
    start = datetime.fromisoformat(f"{day}T00:00{'+01:00' if hours == 23 else '+02:00'}").timestamp()
    last, after = (int((start + hours * 3600) * 1_000_000) + step for step in (-1, 1))
    engine.record(game("last", last, "eva", "fay"), game("after", after, "gus", "hal"))
    assert set(counted(engine, through=day)) == {"ann", "bo", "cy", "di", "eva", "fay"}
    days = engine.rating_list("club", "periodic:period=days(1)", through=day)
    assert "eva" in days.player
    assert "gus" not in days.player


def test_months_begin_at_local_midnight_on_both_sides_of_a_change_of_clocks(engine: rc.Engine) -> None:
    engine.record(
        game("march", "2024-03-31T23:59+02:00", "eva", "fay"), game("april", "2024-04-01T00:00:01+02:00", "gus", "hal"),
        game("october", "2024-10-31T23:59+01:00", "ida", "jan"),
        game("november", "2024-11-01T00:01+01:00", "kay", "lea"),
    )  # fmt: skip
    for end, come in (("2024-03-31", "eva"), ("2024-04-30", "gus"), ("2024-10-31", "ida"), ("2024-11-30", "kay")):
        there = counted(engine, "periodic:period=month", through=end)
        assert come in there
        assert there.keys().isdisjoint(
            {"eva", "gus", "ida", "kay"} - {c for c in ["eva", "gus", "ida", "kay"] if c <= come}
        )


def test_corrections_and_seeds_are_on_the_clock_too(engine: rc.Engine) -> None:
    engine.amend("midnight", {"played": "2023-12-31T23:59+01:00"})
    assert len(counted(engine, through="2023-12-31")) == 4
    engine.amend("midnight", {"played": "2024-01-01T00:01+01:00"})
    engine.record(rc.RatingSeeded(pool="club", played="2023-12-31T23:30Z", player="zoe", values={"rating": 1800.0}))
    assert set(counted(engine, through="2023-12-31")) == {"cy", "di"}
    engine.split("ann", into="anna", since="2024-01-01")
    assert "anna" in counted(engine)
    assert set(counted(engine, through="2024-01-01")) == {"anna", "bo", "cy", "di", "zoe"}


def test_what_is_foreseen_and_supposed_is_on_the_clock(engine: rc.Engine) -> None:
    (one,) = engine.predict("club", "glicko2", [("ann", "cy")], at="2024-02-01T19:00")
    assert one.time == "2024-02-01T19:00:00+01:00"
    assert engine.predict("club", "elo", [("ann", "cy")], at="2024-02-01")[0].time == "2024-02-01"
    assert engine.predict("club", "elo", [("ann", "cy")])[0].time == "2024-01-01T00:30:00+01:00"
    later = game("later", "2024-01-02T00:10+01:00", "ann", "cy")
    assert len(engine.impact([later], method="elo", through="2024-01-01")) == 0
    assert len(engine.impact([later], method="elo", through="2024-01-02")) == 2
    assert ", as of 2024-01-02" in str(engine.impact([later], method="elo", through="2024-01-02"))
    assert len(engine.impact("midnight", method="elo", through="2023-12-31")) == 0
    west = rc.open(":memory:")
    west.declare("club", zone="America/New_York")
    west.record(game("g", "2024-01-01"))
    (one,) = west.predict(
        "club", "elo", [("ann", "bo")], at="2024-01-02T19:00"
    )  # midnight UTC, which is not a day here
    assert one.time[:19] == "2024-01-02T19:00:00"
    assert [after.players["ann"]["rating"] for after in one.after] == sorted(
        (after.players["ann"]["rating"] for after in one.after), reverse=True
    )


def test_checked_caches_know_the_clock(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.declare("club", zone=PRAGUE)
        engine.record(*(game(f"g{n}", n * 3_600_000_000, f"p{n % 7}", f"q{n % 5}") for n in range(2_000)))
        first = engine.rating_list("club", "elo", through="1970-02-01")
        assert {path.name.partition("-")[0] for path in (tmp_path / "club.db.columns").iterdir()} == {"1"}
    with rc.open(tmp_path / "club.db") as engine:
        assert engine.rating_list("club", "elo", through="1970-02-01").digest == first.digest
        assert not engine.verify(caches=True).damaged
        engine.declare("club", zone="America/New_York")
        assert engine.rating_list("club", "elo", through="1970-02-01").digest != first.digest


@frozen
class OwnElo(Elo):
    """Elo by another name, which nothing installed has."""

    name = "own-elo"


ROWS = b"uid,played,a,b,score\ng1,2024-03-02,ann,bo,1\ng2,2024-03-03,bo,ann,1\n"
PGN = b'[Event "Cup"]\n[Date "2024.03.02"]\n[White "Ann"]\n[Black "Bo"]\n[Result "1-0"]\n\n1-0\n'


@pytest.mark.parametrize("reader", ["csv", "csv reissued", "pgn", "columns"])
def test_a_pool_that_takes_what_a_method_of_the_engine_s_own_registry_reads_can_be_imported_into(
    tmp_path: Path, reader: str
) -> None:
    """Imports once looked such a method up among the installed ones, where it was not found."""
    registry = Registry.installed()
    registry.register(SimpleNamespace(ratingcore_methods=hookimpl(lambda: [OwnElo])), "own")
    file = tmp_path / ("games.pgn" if reader == "pgn" else "games.csv")
    file.write_bytes(PGN if reader == "pgn" else ROWS)
    with rc.open(tmp_path / "cup.db", registry=registry) as engine:
        engine.declare("cup", fits="own-elo")
        if reader == "columns":
            pyarrow = pytest.importorskip("pyarrow")
            table = pyarrow.table({"played": [date(2024, 3, 2)], "a": ["ann"], "b": ["bo"], "score": [1.0]})
            report = engine.import_file(table, "cup")
        else:
            report = engine.import_file(file, pool="cup", reissue=reader == "csv reissued")
        assert report.accepted > 0
        assert engine.rating_list("cup", "own-elo").player[0] in ("ann", "Ann", "bo")
        if reader == "csv":
            file.write_bytes(ROWS.replace(b"g1,2024-03-02", b"g1,2024-03-04"))
            assert engine.import_file(file, pool="cup", amend=True).amended == 1
