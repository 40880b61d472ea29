"""Tournaments that come again become corrections, and nothing is doubled, lost or stuck."""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.events import Event
from ratingcore.importer.last_issues import LastIssues
from ratingcore.importer.recorded_notes import Renamed
from ratingcore.importer.report import ImportReport
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.registry import Registry
from tests.importer.tournaments import READER, bytes_of, edited, random_tournament

FIRST = ("1 ann bo 1", "1 cy di 0.5", "2 ann cy 0", "2 bo di 1")


def opened(path: Any = ":memory:") -> Engine:
    registry = Registry.installed()
    registry.readers["cross"] = READER
    return open_engine(path, registry=registry)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with opened() as engine:
        yield engine


def take(engine: Engine, *lines: str, **said: Any) -> ImportReport:
    name, issued = said.pop("name", "spring"), said.pop("issued", "")
    report = engine.import_file(io.BytesIO(bytes_of(*lines, name=name, issued=issued)), "club", reader="cross", **said)
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
    return sorted((game.order, game.a, game.b, game.score, sorted(game.data.items())) for game in games)


def test_the_same_tournament_again_changes_nothing(engine: Engine) -> None:
    assert counts(take(engine, *FIRST)) == (4, 0, 0, 0)
    head = engine.log.head
    assert counts(take(engine, *FIRST)) == (0, 0, 0, 4)
    assert counts(take(engine, *reversed(FIRST))) == (0, 0, 0, 4)
    assert engine.log.head == head


def test_what_is_said_otherwise_is_amended_what_is_missing_voided_what_is_new_added(engine: Engine) -> None:
    take(engine, *FIRST)
    report = take(engine, "1 ann bo 0", "1 di cy 0.5", "2 bo di 1", "3 ann di 1")
    assert counts(report) == (1, 2, 1, 1)
    assert [(a, b, score) for _, a, b, score, _ in results(engine)] == [
        ("ann", "bo", 0.0), ("di", "cy", 0.5), ("bo", "di", 1.0), ("ann", "di", 1.0),
    ]  # fmt: skip


def test_a_player_with_another_name_is_renamed_and_named_in_a_warning(engine: Engine) -> None:
    take(engine, *FIRST)
    report = take(engine, "1 anna bo 1", "1 cy di 0.5", "2 anna cy 0", "2 bo di 1")
    assert (counts(report), report.renamed) == ((0, 2, 0, 2), 2)
    assert any(isinstance(note, Renamed) and (note.old, note.new) == ("ann", "anna") for note in report.notes)


def test_a_name_that_stands_elsewhere_is_no_renaming(engine: Engine) -> None:
    take(engine, *FIRST)
    report = take(engine, "1 ann bo 1", "1 cy ann 0.5", "2 ann cy 0", "2 bo di 1")
    assert (report.renamed, report.accepted, report.voided) == (0, 1, 1)


def test_a_truncated_tournament_takes_nothing_back_unasked(engine: Engine) -> None:
    lines = random_tournament(Random(1), 12, 6)
    take(engine, *lines)
    before = results(engine)
    report = take(engine, *lines[: len(lines) // 2])
    assert (counts(report)[:3], len(report.refused)) == ((0, 0, 0), len(lines) // 2)
    assert "is the file complete?" in report.refused[0][1]
    assert results(engine) == before
    assert take(engine, *lines[: len(lines) // 2], voids=1.0).voided == len(lines) - len(lines) // 2


def test_an_erased_name_does_not_come_back(engine: Engine) -> None:
    take(engine, *FIRST, "born ann 1990")
    engine.erase("ann")
    report = take(engine, *FIRST, "born ann 1990")
    assert counts(report) == (0, 0, 0, 4)
    assert "ann" not in engine.log.book.keys_of("player")
    report = take(engine, "1 ann bo 0", *FIRST[1:])
    assert counts(report) == (0, 1, 0, 3)
    assert "ann" not in engine.log.book.keys_of("player")


def test_an_earlier_issue_changes_nothing(engine: Engine) -> None:
    take(engine, *FIRST, issued="2024-03-01")
    take(engine, "1 ann bo 0", *FIRST[1:], issued="2024-03-05")
    head = engine.log.head
    known = take(engine, *FIRST, issued="2024-03-01")
    assert (counts(known), engine.log.head) == ((0, 0, 0, 4), head)
    assert any("later issue" in warning for warning in known.warnings)
    unknown = take(engine, "1 ann bo 0.5", *FIRST[1:], issued="2024-03-03")
    assert (len(unknown.refused), engine.log.head) == (4, head)
    assert take(engine, *FIRST, issued="2024-03-01", amend=True).amended == 1


def test_several_issues_in_one_call_are_taken_oldest_first(engine: Engine) -> None:
    issues = ("2024-03-05", "1 ann bo 0.5"), ("2024-03-03", "1 ann bo 1")
    files = [io.BytesIO(bytes_of(line, issued=issued)) for issued, line in issues]
    first, second = engine.import_file(files, "club", reader="cross").reports
    assert (counts(first), counts(second)) == ((1, 0, 0, 0), (0, 1, 0, 0))
    assert results(engine)[0][3] == 0.5


def test_two_tournaments_of_one_pair_and_round_are_two(engine: Engine) -> None:
    take(engine, "1 ann bo 1")
    assert counts(take(engine, "1 ann bo 1", name="autumn")) == (1, 0, 0, 0)


def test_rows_that_cannot_be_are_counted_and_the_others_taken(engine: Engine) -> None:
    report = take(engine, "1 ann bo 1", "1 ann ann 1", "1 ? cy 1", "2 ann - bye", "2 ann cy bad")
    assert (report.read, report.accepted, len(report.refused)) == (5, 1, 2)
    assert report.unrated == {"bye": [5], "unnamed player": [4]}


def test_somebody_who_is_called_as_nobody_is_named_by_an_option(engine: Engine) -> None:
    lines = "1 ann Bye 1", "1 bo BYE 1"
    assert take(engine, *lines).unrated == {"bye": [2, 3]}
    report = take(engine, *lines, somebody="Bye")
    assert (report.accepted, report.unrated) == (1, {"bye": [3]})


def test_ratings_become_seeds_when_asked_for(engine: Engine) -> None:
    assert take(engine, "1 ann bo 1", "rating ann 1800").unused_ratings == 1
    assert take(engine, "1 ann bo 1", "rating ann 1800", seeds="first").unused_ratings == 1, "ann has played"
    assert take(engine, "1 ann bo 1", "rating ann 1800", seeds="all").seeds == 1
    assert take(engine, "1 ann bo 1", "rating ann 1800", seeds="all").seeds == 0


def test_the_seed_of_a_player_who_left_a_tournament_is_taken_back(engine: Engine) -> None:
    """Ratings of a list that came with the wrong player must not count for ever."""
    ratings = ("rating ann 1800", "rating bo 1700", "rating cy 1600")
    assert take(engine, "1 ann bo 1", "1 cy di 1", *ratings, seeds="all").seeds == 3
    assert take(engine, "1 ann bo 1", "1 eve di 1", *ratings[:2], seeds="all", voids=1.0).voided == 1
    assert "cy" not in engine.rating_list("club", "elo").player
    again = take(engine, "1 ann bo 1", "1 cy di 1", *ratings, seeds="all", amend=True)
    assert (again.seeds, "cy" in engine.rating_list("club", "elo").player) == (1, True)
    assert take(engine, "1 ann bo 1", "1 cy di 1", *ratings, seeds="all").seeds == 0


def test_facts_are_recorded_once(engine: Engine) -> None:
    assert take(engine, "1 ann bo 1", "born ann 1990").facts == 1
    assert take(engine, "1 ann bo 1", "born ann 1990").facts == 0
    assert take(engine, "1 ann bo 1", "born ann 1991").facts == 1
    assert take(engine, "1 cy bo 1", "born cy 1980", name="autumn", facts=False).facts == 0


def test_of_two_facts_that_differ_the_first_stands_so_that_the_same_file_changes_nothing(engine: Engine) -> None:
    lines = ("1 ann bo 1", "born ann 1990", "born ann 1991")
    assert take(engine, *lines).facts == 1
    head = engine.log.head
    assert take(engine, *lines).facts == 0
    assert engine.log.head == head


def test_facts_are_not_lost_when_somebody_else_appends_meanwhile(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, others = engine.log.append, ["autumn"]

    def interrupted(events: Iterable[Event], **said: Any) -> Any:
        waiting = list(events)
        if others:
            take(engine, "1 cy di 1", name=others.pop())
        return append(waiting, **said)

    monkeypatch.setattr(engine.log, "append", interrupted)
    assert take(engine, "1 ann bo 1", "born ann 1990").facts == 1
    assert [event.data for _, event in engine.events(kinds=["player"])] == [{"born": 1990}]  # type: ignore[attr-defined]  # a description


def test_every_row_of_the_log_is_read_once_for_many_tournaments(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        take(engine, "1 ann bo 1", f"born ann {1900 + number}", name=f"open{number}")
        take(engine, "1 ann bo 0", name=f"open{number}")
    read, rows = [], engine.log.rows

    def counted(*what: Any, **said: Any) -> Iterator[Any]:
        for row in rows(*what, **said):
            read.append(row.position)
            yield row

    monkeypatch.setattr(engine.log, "rows", counted)
    files = [
        io.BytesIO(bytes_of("1 ann bo 0.5", f"born ann {1900 + number}", "rating ann 1800", name=f"open{number}"))
        for number in range(10)
    ]
    assert engine.import_file(files, "club", reader="cross", seeds="first").amended == 10
    assert max(Counter(read).values()) <= 3  # as a description, as a correction of these, and as one of the results


def test_a_dry_run_says_the_same_and_writes_nothing(engine: Engine) -> None:
    take(engine, *FIRST)
    head = engine.log.head
    again = ("1 ann bo 0", *FIRST[2:], "3 ann di 1")
    dry = take(engine, *again, dry_run=True)
    assert engine.log.head == head
    assert counts(dry) == counts(take(engine, *again)) == (1, 1, 1, 2)


def test_a_tournament_that_came_from_elsewhere_is_warned_of_or_left_out(engine: Engine) -> None:
    lines = random_tournament(Random(3))
    assert take(engine, *lines).accepted == len(lines)
    again = take(engine, *lines, name="open", dry_run=True)
    assert f"{len(lines)} of {len(lines)} new games of club may be in the log a second time" in str(again)
    assert again.accepted == len(lines)
    assert take(engine, *lines, "9 x y 1", name="open", skip_known=True).duplicates == len(lines)
    assert len(results(engine)) == len(lines) + 1


@pytest.mark.parametrize("seed", range(12))
def test_after_each_issue_the_view_is_that_of_a_fresh_log(seed: int) -> None:
    random = Random(seed)
    lines = random_tournament(random)
    with opened() as engine:
        for turn in range(6):
            report = take(engine, *lines, voids=1.0, issued=f"2024-03-{turn + 3:02}")
            assert report.read == len(lines)
            with opened() as fresh:
                take(fresh, *lines)
                assert results(engine) == results(fresh), turn
            lines = edited(random, lines)


def test_each_version_is_read_as_one_who_reads_the_log_from_its_beginning_reads_it(engine: Engine) -> None:
    random = Random(11)
    lines, told = random_tournament(random), list[list[Any]]()
    for number in range(12):
        take(engine, *lines, issued=f"2024-03-{number + 1:02}", voids=1.0)
        head = engine.log.head.position
        now, event = corrections_of(engine.log, head), decoder_of(engine.log)
        read: list[Any] = [event(row) for row in map(now.read, engine.log.rows(0, head, ("game",))) if row is not None]
        if not told or told[-1] != read:
            told.append(read)
        lines = edited(random, lines)
    last = LastIssues(engine.log, "reader cross")
    versions = list(last.versions(list(last.of(list(engine.log.rows(0, None, ("game",)))))))
    assert versions == told[::-1]
    assert len(versions) > 8


@pytest.mark.parametrize("issues", [1, 2])
@pytest.mark.parametrize("back", ["all", "last"])
def test_a_tournament_that_was_taken_back_comes_again(engine: Engine, issues: int, back: str) -> None:
    """The log had `a later issue` of the very file that was taken back."""
    second = ("1 ann bo 0", *FIRST[1:], "3 ann di 1")
    reports = [take(engine, *lines) for lines in (FIRST, second)[:issues]]
    before = results(engine)
    positions = [one for report in reports[0 if back == "all" else -1 :] for one in report.positions]
    engine.apply(engine.plan.void_all(engine.plan.chosen(positions=positions)))
    assert results(engine) == ([] if back == "all" or issues == 1 else sorted_of(FIRST))
    again = take(engine, *(FIRST, second)[issues - 1])
    assert (results(engine), again.refused) == (before, [])
    assert not any("later issue" in warning for warning in again.warnings)


def sorted_of(lines: Iterable[str]) -> list[tuple[Any, ...]]:
    """The results of a fresh log."""
    with opened() as fresh:
        take(fresh, *lines)
        return results(fresh)


def test_an_issue_of_the_same_time_is_no_earlier_one(engine: Engine) -> None:
    take(engine, *FIRST, issued="2024-03-05")
    assert counts(take(engine, "1 ann bo 0", *FIRST[1:], issued="2024-03-05")) == (0, 1, 0, 3)


def test_the_seed_of_an_erased_player_stays(engine: Engine) -> None:
    lines = (*FIRST, "rating ann 1800", "rating bo 1700")
    assert take(engine, *lines, seeds="all").seeds == 2
    engine.erase("ann")
    head = engine.log.head
    assert counts(take(engine, *lines, seeds="all")) == (0, 0, 0, 4)
    assert engine.log.head == head
    left = take(engine, "1 cy di 0.5", "2 bo di 1", "rating bo 1700", seeds="all")
    assert counts(left) == (0, 0, 2, 2)  # her two games: who has gone from the file cannot be told from an erased name


def test_whoever_sat_second_has_a_result_and_needs_no_first_rating(engine: Engine) -> None:
    take(engine, "1 ann bo 1")
    report = take(engine, "1 bo cy 1", "rating bo 1700", "rating cy 1600", name="summer", seeds="first")
    assert (report.seeds, report.unused_ratings) == (1, 1)
