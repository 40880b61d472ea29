"""Reads h9: tournament tables as the European Go Database takes them."""

import re
from collections.abc import Iterator

from ratingcore.plugin.readers import Item, Reader, Sample, Source, Warning, Who, registered
from ratingcore_go.days import days
from ratingcore_go.people import GradedOptions, facts_of, one_line, seed_of_grade
from ratingcore_go.wall_games import WallList, wall_items
from ratingcore_go.wall_rows import Row, is_row, near, table_of

LEAST_MINUTES = 30
"""Adjusted minutes at least: the European Go Federation rates no faster games."""
_HEADER = re.compile(r"(?:\s*;+|(?<=\]))\s*([A-Za-z]{2})\s*\[((?:(?!\]\s*[A-Za-z]{2}\s*\[).)*)\]")
_HEADED = re.compile(r"^\s*;\s*(?:EV|CL|TC)\s*\[", re.IGNORECASE | re.MULTILINE)


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is such a table: by its header, less by rows that end in results."""
    text = near(sample)
    if _HEADED.search(text):
        return 95
    if re.search(r"^\s*;\s*name=", text, re.IGNORECASE | re.MULTILINE):
        return 0
    return 60 if any(map(is_row, text.splitlines()[:60])) else 0


def read_h9(source: Source, options: GradedOptions) -> Iterator[Item]:
    """The games of a table: numbers in its cells count rows, both cells of a game must agree."""
    header, table = table_of(source, _HEADER)
    wall = _wall(source, header, options)

    def who(row: Row) -> Who:
        return Who(registered("egf", row.pin), row.name, str(row.number))

    def told(row: Row, player: Who) -> Iterator[Item]:
        country, club = (word if re.search("[^\\W\\d_]", word) else "" for word in (*row.words, "", "")[:2])
        yield from facts_of(row.line, player, wall.day, row.grade, country, club)
        if options.grade == "seed":
            yield from seed_of_grade(row.line, player, wall.day, row.grade)

    yield from wall_items(wall, table, who, told, options)


def _wall(source: Source, header: dict[str, tuple[int, str]], options: GradedOptions) -> WallList:
    line, span = header.get("dt", (1, ""))
    first, _, last = span.partition(",")
    day, warnings = days(first, last, options, line)
    line, category = header.get("cl", (1, ""))
    category = category.upper()
    if category and category not in ("A", "B", "C", "D"):
        warnings.append(Warning(line, f"a class of tournament is A, B, C or D: {category[:40]}"))
        category = ""
    line, minutes = header.get("tm", (1, ""))
    if category and _minutes(minutes) < LEAST_MINUTES:
        warnings.append(
            Warning(line, f"the EGF rates no games of under {LEAST_MINUTES} minutes, so they have no class: {minutes}")
        )
        category = ""
    name = one_line(header.get("ev", (1, ""))[1]) or source.name
    code = one_line(header.get("tc", (1, ""))[1])
    key = (code,) if code else tuple(filter(None, (name, one_line(first))))
    return WallList(key, name, day, {"event_class": category} if category else {}, warnings)


def _minutes(text: str) -> float:
    """Adjusted minutes; what is no number counts as enough."""
    match = re.fullmatch(r"([0-9]{1,6}(?:[.,][0-9]{1,6})?).*", text.strip())
    return float(match[1].replace(",", ".")) if match else LEAST_MINUTES


H9 = Reader(
    "egf-h9", "tables of go tournaments for the European Go Database", "document", sniff, read=read_h9,
    options=GradedOptions, suffixes=(".h9",),
)  # fmt: skip
