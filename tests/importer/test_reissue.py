"""Tables that come again with --reissue stand for all that came from their source, and correct that."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile, BadValue, RowsRefused
from ratingcore.importer.recorded_notes import SourceUnknown, Voided
from ratingcore.importer.report import ImportReport
from ratingcore.log.lookup import corrections_of, decoder_of

FIRST = ("02,ann,bo,1", "02,cy,di,0.5", "09,ann,cy,0", "09,bo,di,1", "09,bo,di,1")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine(":memory:") as engine:
        yield engine


def table(*lines: str, header: str = "played,a,b,score", name: str = "games.csv") -> io.BytesIO:
    file = io.BytesIO("\n".join([header, *(f"2024-03-{line}" for line in lines), ""]).encode())
    file.name = name
    return file


def take(engine: Engine, *lines: str, reissue: bool | str = True, **said: Any) -> ImportReport:
    given = {key: said.pop(key) for key in ("header", "name") if key in said}
    report = engine.import_file(table(*lines, **given), pool="club", reissue=reissue, **said)
    assert report.adds_up, report
    assert engine.verify().batches >= 0
    return report


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.accepted, report.amended, report.voided, report.duplicates


def results(engine: Engine) -> list[tuple[Any, ...]]:
    """The results as they read now, in no order."""
    now, event = corrections_of(engine.log), decoder_of(engine.log)
    read = (now.read(row) for row in engine.log.rows(0, None, ("game",)))
    games: list[Any] = [event(row) for row in read if row is not None]
    return sorted((game.played, game.a, game.b, game.score, sorted(game.data.items())) for game in games)


def test_what_differs_is_amended_what_is_missing_voided_what_is_new_added(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    report = take(engine, "16,ann,bo,1", "09,di,bo,0", "02,ann,bo,0", "09,bo,di,1", "09,ann,cy,0")
    assert counts(report) == (1, 2, 1, 2)
    with open_engine(":memory:") as fresh:
        take(fresh, "16,ann,bo,1", "09,di,bo,0", "02,ann,bo,0", "09,bo,di,1", "09,ann,cy,0", reissue=False)
        assert results(engine) == results(fresh)


def test_the_same_table_again_in_another_order_changes_nothing(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    head = engine.log.head
    assert counts(take(engine, *reversed(FIRST))) == (0, 0, 0, 5)
    assert engine.log.head == head


@pytest.mark.parametrize("seed", range(15))
def test_pairs_that_meet_several_times_a_day_keep_the_order_of_the_file(seed: int) -> None:
    random, header = Random(seed), "played,a,b,score,round,event"

    def row() -> list[str]:
        a, b = random.choice((("ann", "bo"), ("bo", "ann"), ("bo", "cy")))
        return ["02", a, b, random.choice("01"), random.choice(("", "tb", "2")), random.choice("EF")]

    def played(engine: Engine) -> list[tuple[Any, ...]]:
        now, event = corrections_of(engine.log), decoder_of(engine.log)
        read = (now.read(one) for one in engine.log.rows(0, None, ("game",)))
        games: list[Any] = [event(one) for one in read if one is not None]
        return [(game.a, game.b, game.score, sorted(game.data.items())) for game in games]

    rows = [row() for _ in range(5)]
    with open_engine(":memory:") as engine:
        take(engine, *map(",".join, rows), header=header, reissue=False)
        again = take(engine, *map(",".join, random.sample(rows, 5)), header=header)
        assert counts(again) == (0, 0, 0, 5)
        place = random.randrange(5)
        rows[place][3] = "1" if rows[place][3] == "0" else "0"
        assert counts(take(engine, *map(",".join, rows), header=header, voids=1.0)) == (0, 1, 0, 4)
        with open_engine(":memory:") as fresh:
            take(fresh, *map(",".join, rows), header=header, reissue=False)
            assert played(engine) == played(fresh)
            assert list(engine.rating_list("club", "elo")) == list(fresh.rating_list("club", "elo"))


def test_ids_that_come_later_belong_to_the_rows_that_are_there(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    named = [f"{line},g{number}" for number, line in enumerate(FIRST)]
    assert counts(take(engine, *named, header="played,a,b,score,uid")) == (0, 0, 0, 5)
    named[0] = "02,ann,bo,0.5,g0"
    assert counts(take(engine, *named, header="played,a,b,score,uid")) == (0, 1, 0, 4)


def test_rows_with_different_ids_are_different_results(engine: Engine) -> None:
    header = "played,a,b,score,uid"
    take(engine, "02,ann,bo,1,g1", reissue=False, header=header)
    assert counts(take(engine, "02,ann,bo,1,g2", header=header)) == (1, 0, 1, 0)
    assert counts(take(engine, "03,bo,ann,1,g2", header=header)) == (0, 1, 0, 0)


def test_a_result_that_comes_back_is_revived(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    take(engine, *FIRST[1:])
    report = take(engine, *FIRST)
    assert (counts(report), report.revived) == ((1, 0, 0, 4), 1)
    assert len(list(engine.log.rows(0, None, ("game",)))) == 5


def test_corrections_by_hand_stay_where_the_file_says_as_before_and_yield_where_it_does_not(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    first, second = [row.uid for row in engine.log.rows(0, None, ("game",))][:2]
    engine.amend(first, {"score": 0.5})
    engine.void(second)
    report = take(engine, *FIRST)
    assert (counts(report), report.unrated) == ((0, 0, 0, 4), {"voided in the log": [3]})
    report = take(engine, "02,ann,bo,0", *FIRST[1:])
    assert report.amended == 1
    assert any("was corrected in the log" in warning for warning in report.warnings)


def test_what_other_sources_brought_is_left_alone_and_not_doubled(engine: Engine) -> None:
    take(engine, "02,ann,bo,1", "16,di,ed,0", reissue=False, name="other.csv")
    take(engine, *FIRST, reissue=False)
    report = take(engine, *FIRST, "16,di,ed,0")
    assert counts(report) == (0, 0, 0, 6)
    report = take(engine, "02,ann,bo,1", "02,ann,bo,1", *FIRST[1:], name="other.csv", reissue="games.csv")
    assert counts(report) == (1, 0, 0, 5)
    report = take(engine, *FIRST, "16,di,ed,1")
    assert (counts(report)[:3], report.changed) == ((0, 0, 0), 1)


def test_another_pool_of_the_same_source_is_left_alone(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    engine.import_file(table("02,ann,bo,1"), pool="blitz")
    assert engine.import_file(table("02,ann,bo,0"), pool="blitz", reissue=True).amended == 1
    assert len(results(engine)) == 6


def test_a_truncated_table_takes_nothing_back_unasked(engine: Engine) -> None:
    lines = [f"{day:02},p{a},p{a + 1},1" for day in range(1, 10) for a in range(5)]
    take(engine, *lines, reissue=False)
    report = take(engine, *lines[:20])
    assert (counts(report), len(report.refused)) == ((0, 0, 0, 0), 20)
    assert "is the file complete?" in report.refused[0][1]
    assert take(engine, *lines[:20], voids=1.0).voided == 25


def test_a_file_without_rows_voids_nothing_however_few_the_results(engine: Engine) -> None:
    """Three of three results were voided by a header alone."""
    take(engine, *FIRST[:2], reissue=False)
    report = take(engine)
    assert (report.voided, len(report.refused)) == (0, 1)
    assert "is the file complete?" in report.refused[0][1]
    assert take(engine, "21,ed,fay,1").voided == 2, "a file with other rows may take away a few"


def test_two_tables_of_one_name_are_no_issues_of_each_other(engine: Engine, tmp_path: Path) -> None:
    """The second file of a folder of seasons voided all of the first."""
    paths = [tmp_path / season / "games.csv" for season in ("2023", "2024")]
    for path, row in zip(paths, FIRST, strict=False):
        path.parent.mkdir()
        path.write_bytes(table(row).getvalue())
    with pytest.raises(BadValue, match=r"two files of one name, .*2023.games\.csv and .*2024.games\.csv"):
        engine.import_file(tmp_path, pool="club", reissue=True)
    assert engine.log.head.position == 0
    assert engine.import_file(tmp_path, pool="club").accepted == 2


def test_nothing_is_voided_while_rows_of_the_file_are_refused(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    report = take(engine, "02,ann,bo,won?", *FIRST[1:4])
    assert (counts(report), len(report.refused)) == ((0, 0, 0, 3), 1)
    assert any("2 results that are missing from the file stay" in warning for warning in report.warnings)
    with pytest.raises(RowsRefused):
        take(engine, "02,ann,bo,won?", *FIRST[1:4], strict=True)


def test_a_result_that_became_a_forfeit_is_voided(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    report = take(engine, "02,ann,bo,+/-", *FIRST[1:])
    assert (counts(report), list(report.unrated)) == ((0, 0, 1, 4), ["forfeit"])


def test_a_dry_run_lists_what_would_change_and_writes_nothing(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    head = engine.log.head
    new = [f"{day},ann,ed,1" for day in range(10, 31)]
    report = take(engine, "02,bo,ann,1", *FIRST[2:], *new, dry_run=True)
    assert counts(report) == (21, 1, 1, 3)
    assert report.listed["changed"] == ["line 2: club, 2024-03-02, bo - ann 1: a was 'ann', b was 'bo'"]
    assert report.listed["missing"][0].endswith(": club, 2024-03-02, cy - di 0.5")
    assert (len(report.listed["new"]), report.listed["new"][-1]) == (21, "... and 1 more")
    assert "  changed, line 2: club, 2024-03-02, bo - ann 1: a was 'ann', b was 'bo'" in report.lines()
    assert engine.log.head == head


def test_an_erased_name_does_not_come_back(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    engine.erase("ann")
    assert counts(take(engine, *FIRST)) == (0, 0, 0, 5)
    assert counts(take(engine, "02,ann,bo,0", *FIRST[1:])) == (0, 1, 0, 4)
    assert "ann" not in engine.log.book.keys_of("player")


def test_a_source_that_was_never_imported_is_an_error_or_a_warning(engine: Engine) -> None:
    with pytest.raises(BadFile, match=r"nothing was imported from gmaes.csv"):
        take(engine, *FIRST, reissue="gmaes.csv")
    report = take(engine, *FIRST)
    assert report.accepted == 5
    assert "nothing was imported from games.csv before" in report.warnings[-1]
    assert report.notes[-1] == SourceUnknown("games.csv", known=0, new=5, sources=())
    nameless = engine.import_file(io.BytesIO(table(*FIRST).getvalue()), pool="club", reissue=True)
    assert "nothing was imported from a stream without a name before" in nameless.warnings[-1]  # named nothing
    assert nameless.notes[-1] == SourceUnknown("", known=5, new=0, sources=("games.csv",))


def test_after_a_reissue_of_another_source_nothing_is_called_new_that_is_there(engine: Engine) -> None:
    """`--reissue` after `--reissue OTHER` said that all was new, though no row of it was."""
    take(engine, *FIRST, reissue=False, name="first.csv")
    take(engine, "02,ann,bo,0", *FIRST[1:], reissue="first.csv", name="second.csv")
    for said in ({"dry_run": True}, {}):
        report = take(engine, "02,ann,bo,0", *FIRST[1:], name="second.csv", **said)
        assert counts(report) == (0, 0, 0, 5)
        assert not any("is new" in warning for warning in report.warnings)
        assert "its rows that are in the log came from elsewhere" in report.warnings[-1]
        assert report.listed.get("new", []) == []
    report = take(engine, "02,ann,bo,0", *FIRST[1:], "23,ann,ed,1", name="second.csv", dry_run=True)
    assert report.listed["new"] == ["line 7: club, 2024-03-23, ann - ed 1"]


WITH_EVENT = "played,a,b,score,event,round,order"
CUP = ("02,ann,bo,1,Open,1,7", "02,cy,di,0.5,Open,1,8", "09,ann,cy,0,,2,")


@pytest.mark.parametrize("said", [{"reissue": True}, {"reissue": False, "amend": True}], ids=["reissue", "amend"])
def test_a_table_without_a_column_leaves_what_is_recorded_of_it(engine: Engine, said: dict[str, Any]) -> None:
    """A file without the column took the field of every result away."""
    take(engine, *CUP, header=WITH_EVENT, reissue=False)
    before = results(engine)
    bare = [",".join(line.split(",")[:4]) for line in CUP]
    report = take(engine, *bare, **said)
    assert counts(report) == (0, 0, 0, 3)
    assert results(engine) == before
    assert report.warnings[-1] == (
        "the file has no column for event (2 results), order (2 results), round (3 results): what is recorded stays; "
        "an empty column removes it"
    )
    report = take(engine, bare[0].replace(",1", ",0"), *bare[1:], **said)
    assert counts(report) == (0, 1, 0, 2)
    assert {game[3]: dict(game[4]) for game in results(engine)}[0.0]["round"] in (1, 2)
    assert sorted(dict(game[4]).get("event", "") for game in results(engine)) == ["", "Open", "Open"]


def test_an_empty_column_takes_the_field_away(engine: Engine) -> None:
    take(engine, *CUP, header=WITH_EVENT, reissue=False)
    report = take(engine, *(f"{','.join(line.split(',')[:4])},,{line.split(',')[5]}" for line in CUP),
                  header="played,a,b,score,event,round")  # fmt: skip
    assert counts(report) == (0, 2, 0, 1)
    assert [dict(game[4]) for game in results(engine)] == [{"round": 1}, {"round": 1}, {"round": 2}]
    assert "order (2 results)" in report.warnings[-1]
    assert "event" not in report.warnings[-1]


def test_what_was_corrected_by_hand_stays_where_the_table_has_no_column(engine: Engine) -> None:
    take(engine, *CUP, header=WITH_EVENT, reissue=False)
    uid = next(row.uid for row in engine.log.rows(0, None, ("game",)))
    engine.amend(uid, {"event": "Cup", "season": "2024"})
    take(engine, *(",".join(line.split(",")[:4]) for line in CUP))
    assert dict(results(engine)[0][4]) == {"event": "Cup", "round": 1, "season": "2024"}


def test_rows_that_were_voided_in_the_log_say_how_they_count_again(engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    uid = next(row.uid for row in engine.log.rows(0, None, ("game",)))
    engine.void(uid)
    report = take(engine, *FIRST)
    assert report.unrated == {"voided in the log": [2]}
    assert report.notes[-1] == Voided(1, uid, ((6, 6),))


def test_a_named_source_is_that_of_one_file(engine: Engine) -> None:
    with pytest.raises(BadValue, match=r"one file"):
        engine.import_file([table(*FIRST), table(*FIRST)], pool="club", reissue="games.csv")


def test_seeds_and_equal_ids_in_one_file_are_settled(engine: Engine) -> None:
    header = "played,a,b,score,uid"
    take(engine, "02,ann,bo,1,g1", reissue=False, header=header)
    report = take(engine, "02,ann,bo,1,g1", "02,ann,bo,0,g1", header=header)
    assert len(report.refused) == 1


@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_the_view_is_that_of_a_fresh_log(seed: int) -> None:
    random = Random(seed)
    people = "abcdefg"

    def row() -> str:
        a, b = random.sample(people, 2)
        return f"{random.randint(1, 6):02},{a},{b},{random.choice(('0', '0.5', '1'))}"

    lines = [row() for _ in range(40)]
    with open_engine(":memory:") as engine:
        take(engine, *lines, reissue=False)
        for _ in range(6):
            for _ in range(random.randint(1, 6)):
                place = random.randrange(len(lines))
                edit = random.choice("dra")
                if edit == "d":
                    del lines[place]
                elif edit == "a":
                    lines.insert(place, row())
                else:
                    day, a, b, score = lines[place].split(",")
                    lines[place] = f"{day},{b},{a},{1 - float(score):g}"
            random.shuffle(lines)
            assert not take(engine, *lines, voids=1.0).refused
            with open_engine(":memory:") as fresh:
                take(fresh, *lines, reissue=False)
                assert results(engine) == results(fresh)


def test_just_the_share_that_is_allowed_is_voided(engine: Engine) -> None:
    rows = [f"{day:02},ann,bo,1" for day in range(1, 9)]
    take(engine, *rows, reissue=False)
    refused = take(engine, *rows[:3], voids=0.5)
    assert "it would void 5 of 8 results" in refused.refused[0][1]
    assert take(engine, *rows[:4], voids=0.5).voided == 4


def test_a_table_without_rows_takes_back_what_the_pool_has_of_it(engine: Engine) -> None:
    take(engine, *FIRST[:2], reissue=False)
    engine.import_file(table(*FIRST[:2]), pool="other")
    assert take(engine, voids=1.0).voided == 2
    assert [game[1:3] for game in results(engine)] == [("ann", "bo"), ("cy", "di")]  # of the other pool


@pytest.mark.parametrize(("count", "last"), [(20, "line 21: "), (21, "... and 1 more"), (22, "... and 2 more")])
def test_a_dry_run_lists_twenty_of_each(count: int, last: str, engine: Engine) -> None:
    take(engine, *FIRST, reissue=False)
    listed = take(engine, *(f"{n % 28 + 1:02},x{n},y{n},1" for n in range(count)), voids=1.0, dry_run=True).listed
    assert len(listed["new"]) == min(count, 21)
    assert listed["new"][-1].startswith(last)
    assert len(listed["missing"]) == 5


def test_a_line_of_totals_keeps_nothing(engine: Engine) -> None:
    """It was refused, and what was missing from the file stayed."""
    header = "round,played,a,b,score"
    games = [f"{number},2024-03-{line}" for number, line in enumerate(FIRST[:4])]
    for some, voided in ((games, 0), (games[:3], 1)):
        file = io.BytesIO("\n".join([header, *some, f"Total,,,,{len(some)}", ""]).encode())
        file.name = "games.csv"
        report = engine.import_file(file, pool="club", reissue=bool(voided))
        assert (report.unrated, report.refused, report.voided) == ({"not a game": [len(some) + 2]}, [], voided)
    assert len(results(engine)) == 3


@pytest.mark.parametrize("reissue", [False, True])
def test_equal_rows_that_come_again_cost_the_same_each(reissue: bool) -> None:
    def calls(rows: int) -> int:
        with open_engine(":memory:") as engine:
            take(engine, *["02,ann,bo,1"] * rows, reissue=False)
            return called(lambda: take(engine, *["02,ann,bo,1"] * rows, reissue=reissue))

    calls(300)  # fills the caches
    assert calls(1200) < 4.2 * calls(300)


def called(run: Callable[[], object]) -> int:
    """The number of calls that a run makes, those of generators for each value included."""
    count = [0]

    def note(frame: object, event: str, arg: object) -> None:
        count[0] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count[0]
