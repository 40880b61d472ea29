"""Totals of a bridge session as PBN tabulates them: names and scores of its pairs."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ratingcore.plugin.readers import Who

_TOKEN = re.compile(r'"([^"]*)"|(\S+)')
_COLUMN = re.compile(r"[-+]?([A-Za-z_]+)(?:\\.*)?")
_BETWEEN = re.compile(r"\s*;\s*|\s+[-&+]\s+|\s*/\s*")
_NUMBER = re.compile(r"\^?(-?[0-9]{1,6}(?:\.[0-9]{1,6})?)%?")
_ID = re.compile(r"(.*?)#\s*([0-9A-Za-z]{1,20})\s*", re.DOTALL)
_SCORES = (
    ("TotalPercentage", "percent"), ("MeanPercentage", "percent"), ("TotalIMP", "imp"), ("TotalScoreIMP", "imp"),
    ("MeanIMP", "imp"), ("TotalVP", "vp"), ("TotalScoreVP", "vp"), ("TotalMP", "mp"), ("TotalScoreMP", "mp"),
    ("MeanMP", "mp"), ("TotalScore", "points"),
)  # fmt: skip
"""Columns that hold the score of a pair, the first that a table has, and their unit."""


class Total(NamedTuple):
    """A row: two players and their score; no players or no score where it tells none."""

    players: tuple[Who, Who] | None
    score: float | None
    boards: int
    text: str


def who(name: str) -> Who:
    """Returns a player, whose number may follow their name: `Ann Bo#23324`.

    Examples
    --------
    >>> who("Ann Bo#23324")
    Who(id='23324', name='Ann Bo', number='')
    """
    match = _ID.fullmatch(name)
    if match is None:
        return Who(None, name.strip())
    return Who(match[2] if match[2].strip("0") else None, match[1].strip())


def totals(columns: str, lines: list[str]) -> tuple[str, Iterator[Total]] | None:
    """Returns the unit and the rows of a table, or None for one without names or scores.

    Parameters
    ----------
    columns : str
        Value of its tag.
    lines : list of str
        What follows the tag.
    """
    names = [match[1] if (match := _COLUMN.fullmatch(part.strip())) else "" for part in columns.split(";")]
    scored = next(((column, unit) for column, unit in _SCORES if column in names), None)
    if scored is None or "Names" not in names:
        return None
    tokens = [quoted or word for line in lines for quoted, word in _TOKEN.findall(line)]
    wide = len(names)
    rows = (tokens[at : at + wide] for at in range(0, len(tokens), wide))
    return scored[1], (_total(dict(zip(names, row, strict=False)), scored[0]) for row in rows)


def _total(row: dict[str, str], scored: str) -> Total:
    parts = [part for part in _BETWEEN.split(row.get("Names", "").strip()) if part]
    players = (who(parts[0]), who(parts[1])) if len(parts) == 2 else None
    score = _NUMBER.fullmatch(row.get(scored, ""))
    boards = row.get("NrBoards", "")
    return Total(
        players, float(score[1]) if score else None, int(boards) if re.fullmatch("[0-9]{1,4}", boards) else 0,
        " ".join(row.values())[:200],
    )  # fmt: skip
