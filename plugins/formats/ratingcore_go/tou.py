"""Reads tou: tournament tables as the French Go Federation takes them."""

import re
from collections.abc import Iterator

from ratingcore.plugin.readers import Item, Reader, Sample, Source, Warning, Who, registered
from ratingcore_go.days import days
from ratingcore_go.people import GradedOptions, facts_of, one_line, seed_of_grade
from ratingcore_go.wall_games import WallList, wall_items
from ratingcore_go.wall_rows import Row, near, table_of

_HEADER = re.compile(r"\s*;+\s*([A-Za-z]{2,12})\s*=(.*)")
_NAMED = re.compile(r"^\s*;\s*name\s*=", re.IGNORECASE | re.MULTILINE)
_ANOTHER = re.compile(r"^\s*;\s*(?:date|vill|comm|prog|komi|ta|time|size)\s*=", re.IGNORECASE | re.MULTILINE)
_LICENCE = re.compile(r"[0-9]{7}")


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is such a table: by its header."""
    text = near(sample)
    return 95 if _NAMED.search(text) and _ANOTHER.search(text) else 0


def read_tou(source: Source, options: GradedOptions) -> Iterator[Item]:
    """The games of a table: numbers in its cells count rows, both cells of a game must agree."""
    header, table = table_of(source, _HEADER)
    line, first = header.get("date", (1, ""))
    day, warnings = days(first, "", options, line, "day")
    warnings.append(Warning(1, "the format drops the mark of forfeits: they count as games"))
    name = one_line(header.get("name", (1, ""))[1]) or source.name
    wall = WallList(tuple(filter(None, (name, one_line(first)))), name, day, {}, warnings)

    def who(row: Row) -> Who:
        licence = row.words[0] if row.words and _LICENCE.fullmatch(row.words[0]) else ""
        return Who(registered("ffg", licence), row.name, str(row.number))

    def told(row: Row, player: Who) -> Iterator[Item]:
        others = row.words[1:] if player.id else row.words
        yield from facts_of(row.line, player, day, row.grade, club=" ".join(others))
        if options.grade == "seed":
            yield from seed_of_grade(row.line, player, day, row.grade)

    yield from wall_items(wall, table, who, told, options)


TOU = Reader(
    "ffg-tou", "tables of go tournaments for the French Go Federation", "document", sniff, read=read_tou,
    options=GradedOptions, suffixes=(".tou",),
)  # fmt: skip
