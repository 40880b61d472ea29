"""Rows without an id: the same file again, in any order, with other columns, after an erasure, adds nothing."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadValue, Conflict, LogUnavailable
from ratingcore.events import NO_ID, Event, GamePlayed, ResultVoided, SessionPlayed, Side
from ratingcore.events.missing_uids import within
from ratingcore.importer import row_import as importing
from ratingcore.importer.known_rows import Matching, SortedEvents
from ratingcore.importer.recorded_notes import ColumnsKept, Differing
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.log.derived_uids import Identity, Uids
from ratingcore.log.lookup import row_of, uid_at
from ratingcore.registry import Registry

HEADER = "played,a,b,score,order,round,note\n"
ROWS = (
    "2024-03-02,ann,bo,1,0,1,x\n"
    "2024-03-02,ann,bo,0,0,2,y\n"
    "2024-03-02,bo,ann,1,0,3,y\n"
    "2024-03-02,cy,di,1,0,1,z\n"
    "2024-03-02,cy,di,1,0,1,z\n"
    "2024-03-02,cy,ann,1/2,0,2,z\n"
    "2024-03-02T19:30Z,di,ann,1,0,1,z\n"
    "2024-03-09,ann,bo,1,0,1,x\n"
)  # fmt: skip
SEEDS = "player,rating,at\nann,1600,2024-01-01\nbo,1500,2024-01-01\nann,1650,2024-02-01\n"


@pytest.fixture(params=["memory", "file"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A log that knows the rows."""
    with open_engine(":memory:" if request.param == "memory" else tmp_path / "club.db", registry=Registry()) as made:
        path, seeds = write(tmp_path, ROWS), seeds_file(tmp_path)
        made.import_seeds(seeds, "rapid")
        made.import_file(path, "rapid")
        assert made.log.head.position == 11
        yield made


@pytest.fixture(params=[1, 3, 5000])
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of some rows: their size changes no outcome."""
    monkeypatch.setattr(importing, "BATCH", request.param)


def write(tmp_path: Path, rows: str, name: str = "games.csv") -> Path:
    path = tmp_path / name
    path.write_text(HEADER + rows)
    return path


def seeds_file(tmp_path: Path) -> Path:
    path = tmp_path / "seeds.csv"
    path.write_text(SEEDS)
    return path


def outcome(report: ImportReport) -> tuple[int, int, int, int]:
    """Accepted, duplicates, refused, refused as changed."""
    return report.accepted, report.duplicates, len(report.refused), report.changed


def both(engine: Engine, path: Path, fields: FieldMap | None = None) -> ImportReport:
    """An import, foretold by a dry run."""
    foretold = engine.import_file(path, "rapid", fields, dry_run=True)
    done = engine.import_file(path, "rapid", fields)
    assert outcome(done) == outcome(foretold)
    assert (done.refused, done.warnings) == (foretold.refused, foretold.warnings)
    return done


def names(engine: Engine) -> list[str | None]:
    return [name.key for name in engine.log.book.names() if name.kind == "player"]


def test_no_name_and_no_digest_of_one_is_in_a_uid(tmp_path: Path) -> None:
    uids = []
    for a, b in (("ann", "bo"), ("xi", "yu")):
        with Engine(SqliteLog(":memory:", salt=lambda: "ab" * 16), Registry()) as made:  # the key of both logs
            made.import_file(write(tmp_path, ROWS.replace("ann", a).replace("bo", b)), "rapid")
            made.import_seeds(seeds_file(tmp_path), "rapid")
            uids.append([row.uid for row in made.log.rows()])
    assert uids[0][:8] == uids[1][:8]
    assert len(set(uids[0])) == 11
    assert len({uid[:23] for uid in uids[0][:8]}) == 3, "the first half tells pool and time"
    assert all(uid.startswith("table-") for uid in uids[0][:8])
    assert all(uid.startswith("seed-") for uid in uids[0][8:])


@pytest.mark.usefixtures("batch")
def test_the_same_file_again_adds_nothing(engine: Engine, tmp_path: Path) -> None:
    assert outcome(both(engine, write(tmp_path, ROWS))) == (0, 8, 0, 0)
    assert outcome(engine.import_seeds(seeds_file(tmp_path), "rapid")) == (0, 3, 0, 0)


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize("seed", range(5))
def test_rows_in_another_order_add_nothing(engine: Engine, tmp_path: Path, seed: int) -> None:
    rows = ROWS.splitlines(keepends=True)
    Random(seed).shuffle(rows)
    assert outcome(both(engine, write(tmp_path, "".join(rows)))) == (0, 8, 0, 0)


@pytest.mark.usefixtures("batch")
def test_one_more_mapped_column_adds_nothing_and_is_refused_as_changed(engine: Engine, tmp_path: Path) -> None:
    report = both(engine, write(tmp_path, ROWS), FieldMap.parse("place=note"))
    assert outcome(report) == (0, 0, 8, 8)
    assert re.fullmatch(r"changed: position \d+, place: nothing recorded, \w+ in the file", report.refused[0][1])
    assert "one column is new: 8 rows have place, which the log lacks, and all else is the same" in str(report)


def test_a_file_without_a_column_says_nothing_against_the_log(tmp_path: Path) -> None:
    """Its rows were refused, as if it said that the games have no round; an empty cell says so."""
    rounds, plain = tmp_path / "rounds.csv", tmp_path / "plain.csv"
    rounds.write_text("played,a,b,score,round\n2024-03-02,ann,bo,1,1\n2024-03-09,ann,cy,0,2\n2024-03-16,bo,cy,1,3\n")
    plain.write_text("played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-09,cy,ann,1\n2024-03-16,bo,cy,0\n")
    with open_engine(":memory:") as log:
        log.import_file(rounds, "p")
        report = log.import_file(plain, "p")
        assert [(row.what, row.position) for row in report.rows] == [("known", 1), ("known", 2), ("refused", 3)]
        assert [str(note) for note in report.notes if isinstance(note, ColumnsKept)] == [
            "the file has no column for round (2 results): what is recorded stays; an empty column removes it"
        ]
        log.amend(uid_at(log.log, 3), {"score": 0.0})
        assert log.import_file(plain, "p").rows.counts() == {"known": 3}, "it reads so now"
        plain.write_text("played,a,b,score,round\n2024-03-02,ann,bo,1,\n")
        assert log.import_file(plain, "p").rows.counts() == {"refused": 1}


@pytest.mark.usefixtures("batch")
def test_one_mapped_column_fewer_adds_nothing(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text((HEADER + ROWS).replace("round", "turn"))
    assert outcome(both(engine, path)) == (0, 8, 0, 0)


@pytest.mark.usefixtures("batch")
def test_a_row_beyond_those_that_are_recorded_is_new_wherever_it_stands(engine: Engine, tmp_path: Path) -> None:
    for place, extra in enumerate(("2024-03-02,ann,bo,1/2,0,4,x\n", "2024-03-02,cy,di,1,0,1,z\n")):
        rows = ROWS.splitlines(keepends=True)
        report = both(engine, write(tmp_path, "".join([extra, *rows]) if place == 0 else ROWS + extra))
        assert outcome(report) == (1, 8, 0, 0)
    both_extra = "2024-03-02,ann,bo,1/2,0,4,x\n2024-03-02,cy,di,1,0,1,z\n"
    assert outcome(both(engine, write(tmp_path, both_extra + ROWS))) == (0, 10, 0, 0)
    assert engine.verify().head == engine.log.head


@pytest.mark.usefixtures("batch")
def test_a_changed_row_is_refused_whatever_stands_before_it(engine: Engine, tmp_path: Path) -> None:
    changed = ROWS.replace("2024-03-02,ann,bo,0,0,2,y", "2024-03-02,ann,bo,1/2,0,2,y")
    report = both(engine, write(tmp_path, changed))
    assert outcome(report) == (0, 7, 1, 1)
    ((line, _, uid),) = report.refused
    assert (line, row_of(engine.log, uid).position) == (3, 5)
    engine.amend(uid, {"score": 0.5})
    assert outcome(both(engine, write(tmp_path, changed))) == (0, 8, 0, 0)
    assert outcome(both(engine, write(tmp_path, ROWS))) == (0, 8, 0, 0), "what was recorded first is recorded still"


def test_many_games_of_one_pair_on_one_day_are_as_many_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH", 50)
    rows = [f"2024-03-02,ann,bo,{n % 3 / 2},{n},1,x\n" for n in range(400)]
    with open_engine(tmp_path / "match.db", registry=Registry()) as engine:
        asked = []
        find = engine.log.find
        monkeypatch.setattr(engine.log, "find", lambda uids: asked.append(len(uids)) or find(uids))
        assert outcome(engine.import_file(write(tmp_path, "".join(rows)), "rapid")) == (400, 0, 0, 0)
        Random(1).shuffle(rows)
        assert outcome(engine.import_file(write(tmp_path, "".join(rows)), "rapid")) == (0, 400, 0, 0)
        assert sum(asked) < 20 * 400, "each ordinal is looked up once, not once a batch"


def test_events_without_an_id_are_for_files(tmp_path: Path) -> None:
    game = GamePlayed(uid=NO_ID, pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    session = SessionPlayed(uid=NO_ID, pool="rapid", played="2024-03-02", sides=[Side(["a"], 1), Side(["b"], 0)])
    with open_engine(":memory:", registry=Registry()) as engine:
        with pytest.raises(BadValue, match="is a placeholder for imported files"):
            engine.record(game)
        with pytest.raises(BadValue, match="not for a void"):
            engine.log.append([ResultVoided(uid=NO_ID, of="g-1")])
        assert engine.log.append([game, game]).accepted == 2
        assert not Matching(engine.log).append([game])[0].new
        assert engine.log.append([session]).accepted == 1
        assert not Matching(engine.log).append([session])[0].new


def test_nobody_records_between_the_question_and_the_append(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GamePlayed(uid=NO_ID, pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    with SqliteLog(tmp_path / "club.db") as log, SqliteLog(tmp_path / "club.db", timeout=0) as other:
        log.append([game])
        matching = Matching(log, imported_before=True)
        sort = matching.sort

        def asked(events: Sequence[Event], **how: bool) -> SortedEvents:
            found = sort(events, **how)
            with pytest.raises(LogUnavailable):
                other.append([evolve(game, played="2024-03-09")])
            return found

        monkeypatch.setattr(matching, "sort", asked)
        _, receipt = matching.append([game, evolve(game, played="2024-03-09")])
        assert (receipt.accepted, log.head.position) == (1, 2)


def test_further_games_of_a_recorded_identity_are_counted_on(tmp_path: Path) -> None:
    """Those of a document too, of which the importer knows already that they are new."""
    for stand_in in (NO_ID, within("trf-00ff", 7)):
        game = GamePlayed(uid=stand_in, pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        with SqliteLog(":memory:") as log:
            (first,) = log.append([game]).uids
            matching = Matching(log, sure=True)
            matching.reserve([1])
            found, receipt = matching.append([game, evolve(game, a="cy"), game])
            assert (receipt.accepted, len({first, *receipt.uids}), len(found.new)) == (3, 4, 3)
            low, high = sorted(log.book.known("player", ["ann", "bo"]).values())
            identity = Identity.of(row_of(log, first)._replace(uid=stand_in, a=low, b=high))
            derived = Uids(log.key)
            assert receipt.uids[::2] == (derived.uid(identity, 1), derived.uid(identity, 2))


def test_an_event_that_is_known_to_be_new_and_conflicts_is_refused(tmp_path: Path) -> None:
    nameless = GamePlayed(uid=NO_ID, pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    with SqliteLog(":memory:") as log:
        log.append([nameless, evolve(nameless, uid="g-1")])
        with pytest.raises(Conflict, match="uid g-1 is already at position 2 with another score"):
            Matching(log, sure=True).append([evolve(nameless, uid="g-1", score=0.0), nameless])
        assert log.head.position == 2


# erased names


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize("gone", [("ann",), ("ann", "bo"), ("ann", "bo", "cy", "di")])
def test_after_an_erasure_the_same_file_brings_nothing_back(
    engine: Engine, tmp_path: Path, gone: tuple[str, ...]
) -> None:
    for name in gone:
        engine.erase(name)
    head = engine.log.head
    rows = ROWS.splitlines(keepends=True)
    for seed in range(4):
        if seed:
            Random(seed).shuffle(rows)
        report = both(engine, write(tmp_path, "".join(rows)))
        assert outcome(report) == (0, 8, 0, 0)
        assert "erased" not in str(report)
    assert outcome(both(engine, write(tmp_path, ROWS), FieldMap.parse("place=note"))) == (0, 0, 8, 8)
    assert outcome(engine.import_seeds(seeds_file(tmp_path), "rapid", dry_run=True)) == (0, 3, 0, 0)
    assert outcome(engine.import_seeds(seeds_file(tmp_path), "rapid")) == (0, 3, 0, 0)
    assert outcome(engine.import_file(write(tmp_path, ROWS), "rapid", strict=True)) == (0, 8, 0, 0)
    assert engine.log.head == head
    assert not set(gone) & set(names(engine))


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize("first", [True, False])
def test_a_new_row_of_an_erased_player_is_of_a_new_name_and_warned_of(
    engine: Engine, tmp_path: Path, first: bool
) -> None:
    engine.erase("ann")
    extra = "2024-03-30,ann,bo,1,0,9,x\n"
    path = write(tmp_path, extra + ROWS if first else ROWS + extra)
    for accepted in (1, 0, 0):
        report = both(engine, path)
        assert outcome(report) == (accepted, 9 - accepted, 0, 0)
        warned = "names of erased players may have come back with rows that are new: ann; erase them again" in str(
            report
        )
        assert warned == bool(accepted), "an import that records nothing brings nobody back"
    assert names(engine).count("ann") == 1
    engine.erase("ann")
    assert outcome(both(engine, path)) == (0, 9, 0, 0)
    assert "ann" not in names(engine)


def test_a_row_of_somebody_known_then_is_not_the_row_of_who_was_erased(engine: Engine, tmp_path: Path) -> None:
    engine.erase("ann")
    rows = "2024-03-09,cy,bo,1,0,1,x\n"
    assert outcome(both(engine, write(tmp_path, rows))) == (1, 0, 0, 0)


def test_ids_of_a_file_stand_for_erased_names_as_well(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("uid,played,a,b,score\ng-1,2024-03-02,ann,bo,1\n")
    with open_engine(":memory:", registry=Registry()) as engine:
        engine.import_file(path, "rapid")
        engine.erase("ann")
        path.write_text("uid,played,a,b,score\ng-1,2024-03-02,ann,bo,1\ng-2,2024-03-09,ann,bo,1\n")
        report = both(engine, path)
        assert outcome(report) == (1, 1, 0, 0)
        assert "may have come back with rows that are new: ann" in str(report)


def test_a_row_that_contradicts_where_a_name_was_erased_says_why(engine: Engine, tmp_path: Path) -> None:
    """It was refused as changed, though its player was never seen there."""
    engine.erase("ann")
    label = next(key for key in map(engine.log.book.key, engine.log.book.erased))
    report = both(engine, write(tmp_path, ROWS.replace("ann", "zoe").replace(",1,0,", ",0,1,")))
    said = [reason for _, reason, _ in report.refused if "may be zoe" in reason]
    assert said
    assert all(f"{label} in the log may be zoe in the file" in reason for reason in said)


@pytest.mark.usefixtures("batch")
def test_amending_brings_no_erased_name_back(engine: Engine, tmp_path: Path) -> None:
    """A row without a column of the log gave its game the erased name again, and so did one of several a day."""
    engine.erase("ann")
    rows = "played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-02,ann,bo,1\n2024-03-02,bo,ann,1\n2024-03-02,cy,ann,1\n"
    path = tmp_path / "games.csv"
    path.write_text(rows)
    report = engine.import_file(path, "rapid", amend=True)
    assert report.rows.counts() == {"known": 2, "corrects": 2}
    assert "ann" not in names(engine)
    before = [event for _, event in engine.events()]
    assert {change for event in before if event.kind == "amend" for change in event.changes} == {"score"}
    assert outcome(engine.import_file(path, "rapid", amend=True)) == (0, 4, 0, 0)


@pytest.mark.parametrize("size", [3, 5000])
@pytest.mark.parametrize("amend", [False, True])
def test_a_repeated_id_of_a_waiting_row_is_of_one_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, amend: bool
) -> None:
    """The second row with the id was compared with the first one, which was not recorded yet: a KeyError."""
    path, header = tmp_path / "games.csv", "uid,played,a,b,score\n"
    monkeypatch.setattr(importing, "BATCH", size)
    with open_engine(":memory:", registry=Registry()) as engine:
        path.write_text(header + ",2024-03-02,ann,bo,1\n")
        engine.import_file(path, "rapid")
        repeated = "g-1,2024-03-02,cy,di,1\ng-1,2024-03-02,cy,di,0\n,2024-03-09,cy,di,1\ng-1,2024-03-16,cy,di,0\n"
        path.write_text(header + ",2024-03-02,ann,bo,0\n" + repeated)
        report = engine.import_file(path, "rapid", amend=amend)
        counts = {"taken": 2, "corrects": 2, "refused": 1} if amend else {"taken": 2, "refused": 3}
        assert report.rows.counts() == counts


def test_a_repeated_id_is_known_at_the_position_of_its_result(tmp_path: Path) -> None:
    """It was counted as if the log did not have the rows without an id before it."""
    path = tmp_path / "games.csv"
    with open_engine(":memory:", registry=Registry()) as engine:
        path.write_text("uid,played,a,b,score\n,2024-03-02,ann,bo,1\n")
        engine.import_file(path, "rapid")
        path.write_text(path.read_text() + "".join(f"g-1,2024-03-02,cy,bo,{score}\n" for score in (1, 1, 0)))
        report = engine.import_file(path, "rapid")
        assert [(one.what, one.position) for one in report.rows][1:] == [("taken", 0), ("known", 2), ("refused", 2)]
        assert "already at position 2" in report.refused[0][1]


def test_a_changed_seed_is_told_with_both_ratings(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "seeds.csv"
    path.write_text("player,rating,at\nann,2222,2024-02-01\n")
    report = engine.import_seeds(path, "rapid")
    assert report.changed == 1
    assert "rating: 1650 recorded, 2222 in the file" in report.refused[0][1]
    assert report.notes == [Differing(1, "rating")]


IDS = "uid,played,a,b,score\ng-1,2024-03-02,ann,bo,1\ng-2,2024-03-02,ann,bo,1\ng-3,2024-03-09,bo,cy,0.5\n"
NO_IDS = "".join(line.partition(",")[2] for line in IDS.splitlines(keepends=True))


@pytest.mark.parametrize(("first", "second"), [(NO_IDS, IDS), (IDS, NO_IDS)])
@pytest.mark.parametrize("dry", [False, True])
def test_a_column_of_ids_that_comes_or_goes_doubles_nothing(tmp_path: Path, first: str, second: str, dry: bool) -> None:
    path = tmp_path / "games.csv"
    with open_engine(":memory:", registry=Registry()) as engine:
        path.write_text(first)
        assert engine.import_file(path, "rapid").accepted == 3
        path.write_text(second + ("g-4," if second is IDS else "") + "2024-03-16,cy,ann,1\n")
        report = engine.import_file(path, "rapid", dry_run=dry)
        assert (report.accepted, report.duplicates, len(report.refused)) == (1, 3, 0)


def test_a_further_game_with_an_id_is_a_further_game(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    with open_engine(":memory:", registry=Registry()) as engine:
        path.write_text(NO_IDS)
        engine.import_file(path, "rapid")
        path.write_text(IDS.splitlines(keepends=True)[0] + "g-6,2024-03-09,bo,cy,0\n")
        assert outcome(engine.import_file(path, "rapid"))[:2] == (1, 0)
        path.write_text(IDS + "g-4,2024-03-02,ann,bo,1\ng-5,2024-03-09,bo,cy,1\n")
        assert outcome(engine.import_file(path, "rapid"))[:2] == (2, 3)


def test_two_results_with_ids_of_their_own_are_two_though_they_say_the_same(tmp_path: Path) -> None:
    """The second game of a day was taken for the first one if a file of that name had rows without ids before."""
    path = tmp_path / "games.csv"
    game = "2024-03-02,ann,bo,1-0"
    files = ["played,a,b,score\n2024-01-02,ann,bo,1-0\n"]
    files += [f"played,a,b,score,id\n{rows}" for rows in (f"{game},g-1\n", f"{game},g-1\n{game},g-2\n")]
    with open_engine(":memory:", registry=Registry()) as engine:
        for text in files:
            path.write_text(text)
            report = engine.import_file(path, "rapid")
            assert report.accepted == 1
        path.write_text(f"played,a,b,score\n{game}\n{game}\n")
        assert engine.import_file(path, "rapid").duplicates == 2, "without ids they are known by what they say"
