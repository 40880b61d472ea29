"""Two processes that import overlapping files at once: every result is in the log once, and the reports add up."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed, iso
from ratingcore.log import verify
from ratingcore.registry.stores import address_of, open_log
from tests.log.making import game
from tests.log.workers import Workers

HEADER = "played,a,b,score\n"
DAYS, GAMES, PLAYERS, BATCH = 24, 50, 12, 40
"""Of each file; with so few players, many a pair meets several times a day, with the same score or another one."""


def days(first: int, order: Random) -> list[str]:
    """The lines of some days, which are the same in both files except for their order within the day."""
    lines = list[str]()
    for day in range(first, first + DAYS):
        chance = Random(day)
        of_day = list[str]()
        for _ in range(GAMES):
            a, b = chance.sample(range(PLAYERS), 2)
            of_day.append(f"2024-{day // 28 + 1:02d}-{day % 28 + 1:02d},p{a},p{b},{chance.choice(['1', '0', '0.5'])}\n")
        order.shuffle(of_day)
        lines += of_day
    return lines


def contents(lines: list[str]) -> "Counter[tuple[str, frozenset[tuple[str, float]]]]":
    cells = (line.strip().split(",") for line in lines)
    return Counter((day, frozenset({(a, float(s)), (b, 1 - float(s))})) for day, a, b, s in cells)


@pytest.mark.parametrize("begun", [True, False])
def test_two_overlapping_files_imported_at_once_double_nothing(
    address: Callable[[str], str], workers: Workers, tmp_path: Path, begun: bool
) -> None:
    """The names are new to both. If the pool is new too, one file is read by columns, in one transaction.

    Rows that the other process had recorded meanwhile were said to repeat ids of their own file.
    """
    at = address("club")
    with open_log(address_of(at)) as log:
        if begun:
            log.append([game("g-1", "ann", "bo", pool="club")])
    files, texts = [tmp_path / "one.csv", tmp_path / "two.csv"], [days(0, Random(1)), days(DAYS // 2, Random(2))]
    for file, lines in zip(files, texts, strict=True):
        file.write_text(HEADER + "".join(lines))
    job = ("import_in_step", at)
    importers = [workers.start(*job, *map(str, pair), BATCH if begun else 0) for pair in (files, files[::-1])]
    reports = [said for importer in importers for said in importer]
    with Engine(open_log(address_of(at))) as engine:
        recorded = [event for _, event in engine.events() if isinstance(event, GamePlayed)][begun:]
        there = contents([f"{iso(event.played)},{event.a},{event.b},{event.score}" for event in recorded])
        assert there == contents(texts[0]) | contents(texts[1])
        assert verify(engine.log).head.position == len(recorded) + begun
    assert sum(taken for _, taken, *_ in reports) == len(recorded)
    for read, taken, counts, spans, warnings in reports:
        assert read == DAYS * GAMES
        assert counts == {"taken": taken, **({"known": read - taken} if taken < read else {})}
        assert spans > 1 or not begun, "it did not append beside the other"
        assert not any("with their ids" in warning for warning in warnings)
