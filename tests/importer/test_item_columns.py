"""Games of a stream written by columns are those of the ordinary way: events, uids, names, report."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.events import Event, GamePlayed
from ratingcore.importer import item_columns, row_import
from ratingcore.importer.report import ImportReport
from ratingcore.log.derived_uids import is_given
from tests.importer.test_columnar import opened

COLUMNS = "ratingcore.importer.item_columns._Writing.write"


def pgn(count: int) -> str:
    """Games of few players: some with ids or rounds, days in part, no result, or one player on both sides."""
    games = []
    for n in range(count):
        tags = {
            "Event": f"Cup {n // 40}", "Site": "?", "Date": f"2024.0{1 + n // 60}.{1 + n % 28:02}",
            "Round": f"{n % 9}.{n % 4}",
            "White": f"Zoë {n % 7}", "Black": f"Bo{n % 5}", "Result": ("1-0", "0-1", "1/2-1/2", "*")[n % 19 % 4],
            "WhiteElo": f"{1500 + n % 7}", "TimeControl": ("60+0", "180+2", "900+10")[n % 3],
        }  # fmt: skip
        if n % 5 == 0:
            tags |= {"Site": f"https://lichess.org/abcd{n:04}", "UTCDate": tags["Date"], "UTCTime": "10:00:00"}
        if n % 7 == 0:
            tags |= {"WhiteFideId": f"{100 + n % 3}", "Board": f"{n % 2}"}
        if n % 31 == 0:
            tags |= {"Black": tags["White"], "BlackFideId": tags.get("WhiteFideId", "")}
        if n % 37 == 0:
            tags |= {"Date": "2024.03.??"}
        games.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{tags['Result']}\n\n")
    return "".join(games)


def imported(
    path: Path, text: str, monkeypatch: pytest.MonkeyPatch, *, by_columns: bool, again: bool = False, **said: Any
) -> tuple[list[Event], list[tuple[str, str | None]], ImportReport, int]:
    """The events and names of a log after an import, the report, and how many parts were written by columns."""
    written = 0
    write = item_columns._Writing.write

    def counted(self: Any, parts: Any) -> Any:
        nonlocal written
        if not by_columns:
            raise item_columns.NotPlain
        receipts = write(self, parts)
        written += len(parts)
        return receipts

    with monkeypatch.context() as patch:
        patch.setattr(COLUMNS, counted)
        for module in (item_columns, row_import):
            patch.setattr(module, "BATCH", 50)
        patch.setattr(item_columns, "ROWS", 90)
        (path.parent / "games.pgn").write_text(text)
        with opened(path, *said.get("before", ())) as engine:
            for _ in range(1 + again):
                report = engine.import_file(
                    path.parent / "games.pgn", said.get("pool", "rapid"), **said.get("more", {})
                )
            assert engine.verify().head == engine.log.head
            assert report.adds_up
            names = sorted((name.kind, str(name.key)) for name in engine.log.book.names() if name.kind != "key")
            events = sorted((_numberless(event) for _, event in engine.events()), key=repr)
            return events, names, evolve(report, head=None), written


def _numberless(event: Event) -> Event:
    """An event without a uid that is random, or derived from the numbers of names."""
    return event if isinstance(event, GamePlayed) and is_given(event.uid) else evolve(event, uid="-")


GIVEN = rc.GamePlayed(pool="rapid", played="2024-01-01", a="Zoë 1", b="Bo1", score=1.0, uid="lichess:abcd0150")


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ({}, 4),
        ({"pool": "{speed}"}, 12),
        ({"more": {"partial": "first"}}, 4),
        ({"before": (rc.GamePlayed(pool="rapid", played="2020-01-01", a="x", b="y", score=1.0, uid="g-1"),)}, 4),
        ({"before": (GIVEN,)}, 3),
        ({"again": True}, 4),
    ],
    ids=["plain", "pools", "days in part", "after other games", "an id that the log has", "the file again"],
)
def test_events_names_and_reports_are_those_of_the_ordinary_way(
    said: dict[str, Any], parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = []
    for by_columns in (False, True):
        folder = tmp_path / str(by_columns)
        folder.mkdir()
        ways.append(imported(folder / "club.db", pgn(300), monkeypatch, by_columns=by_columns, **said))
    (ordinary, columns) = ways
    assert columns[0] == ordinary[0]
    assert columns[1] == ordinary[1]
    assert columns[2].settled == ordinary[2].settled
    assert [columns[2].read, columns[2].refused, columns[2].notes, columns[2].facts] == [
        ordinary[2].read, ordinary[2].refused, ordinary[2].notes, ordinary[2].facts
    ]  # fmt: skip
    assert (ordinary[3], columns[3]) == (0, parts)


def test_an_import_that_is_cut_short_goes_on_behind_its_last_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.pgn").write_text(pgn(300))
    monkeypatch.setattr(item_columns, "BATCH", 50)
    monkeypatch.setattr(item_columns, "ROWS", 60)

    def stopped(read: int) -> None:
        if read >= 150:
            raise KeyboardInterrupt

    def events(path: Path, *, cut: bool) -> list[Event]:
        with opened(path) as engine:
            if cut:
                with pytest.raises(KeyboardInterrupt):
                    engine.import_file(tmp_path / "games.pgn", "rapid", progress=stopped)
                there = engine.log.head.position
                report = engine.import_file(tmp_path / "games.pgn", "rapid")
                assert 50 < there < report.duplicates + report.accepted
                assert 0 < report.accepted < report.duplicates
            else:
                engine.import_file(tmp_path / "games.pgn", "rapid")
            return sorted((_numberless(event) for _, event in engine.events()), key=repr)

    assert events(tmp_path / "cut.db", cut=True) == events(tmp_path / "whole.db", cut=False)
