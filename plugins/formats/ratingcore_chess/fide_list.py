"""Reads rating lists of FIDE: the text files, by the columns of their header, and the XML files."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from attrs import frozen

from ratingcore.plugin.readers import (
    BadValue,
    Facts,
    Item,
    Options,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Warning,
    Who,
    at,
    natural,
    one_of,
    registered,
    seen,
)
from ratingcore_chess.titles import SEXES, title_of

_HEADER = re.compile(
    r"(?P<fideid>ID ?[Nn]umber)|(?P<name>Name)|(?P<title>Titl|Tit)|(?P<w_title>WTit)|(?P<o_title>OTit)|(?P<country>Fed)"
    r"|(?P<sex>Sex)|(?P<foa>FOA)|(?P<standard_rating>SRtng)|(?P<rapid_rating>RRtng)|(?P<blitz_rating>BRtng)"
    r"|(?P<rating>[A-Za-z]{3}[0-9]{2})|(?P<games>Games|Gms|[SRB]Gm)|(?P<k>[SRB]?[Kk](?=\s|$))|(?P<birthday>B-day|Born)"
    r"|(?P<flag>Flag)"
)
_ABOUT = ("title", "w_title", "country", "sex", "birthday", "flag")
_MOST = 2**16
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FIRST = re.compile(r"\s*ID ?[Nn](?=.*Name)(?=.*Fed)")
_ROOT = "playerslist"


@frozen
class ListOptions(Options):
    """Options of rating lists of FIDE.

    Parameters
    ----------
    list : {"standard", "rapid", "blitz"}
        Kind of the list; in a file with all three kinds, the column to read.
    """

    list: str = one_of("standard", "rapid", "blitz")


def sniff(sample: Sample) -> int:
    """Confidence that a sample is a rating list: by its header or its root."""
    return 95 if _FIRST.match(sample.text[:4096]) or sample.root == _ROOT else 0


def read_list(source: Source, options: ListOptions) -> Iterator[Item]:
    """Facts and ratings of the players of a list."""
    players = _Players(options.list)
    if Sample(source.name, source.start()).root == _ROOT:
        for line, row in source.rows_of_xml("player"):
            number, name = row.get("fideid", ""), row.get("name", "")
            rating = row[players.column] if players.column in row else row.get("rating", "")
            yield from players.items(line, number, name, rating, _facts(row), f"{number} {name}")
        return
    lines = source.byte_lines()
    header = source.decoded(next((line for _, line in lines if line.strip()), b""))
    columns = _columns(header)
    if not {"fideid", "name", "country"} <= columns.keys():
        source.refuse("its first line is not the header of a rating list")
    players.day, flaw = _day(header)
    if flaw:
        yield Warning(1, flaw)
    rows = _Rows(columns, columns.get(players.column) or columns.get("rating") or (0, 0))
    for line, content in lines:
        text = source.decoded(content)
        if text and not text.isspace():
            text = rows.fitted(text)
            number, name, rating = text[rows.number].strip(), text[rows.name].strip(), text[rows.rating].strip()
            yield from players.items(line, number, name, rating, rows.facts(text), text)


def _columns(header: str) -> dict[str, tuple[int, int | None]]:
    """Returns the slice of each field in a row: from the start of its heading to the start of the next."""
    words = [(str(match.lastgroup), match.start()) for match in _HEADER.finditer(header)]
    found: dict[str, tuple[int, int | None]] = {}
    for (name, start), (_, end) in zip(words, [*words[1:], ("", None)], strict=False):
        found.setdefault(name, (start, end))
    return found


class _Rows:
    """Reads the fields of rows of text; facts are cached, since a million rows share a few thousand of them."""

    def __init__(self, columns: dict[str, tuple[int, int | None]], rating: tuple[int, int | None]) -> None:
        self.number, self.name, self.rating = slice(*columns["fideid"]), slice(*columns["name"]), slice(*rating)
        self._about = {name: slice(*columns[name]) for name in _ABOUT if name in columns}
        start, self._end = columns.get("o_title", (0, 0))
        self._width = self._end - start if self._end else 0
        numbers = [start for name, (start, _) in columns.items() if name.endswith(("rating", "games", "k"))]
        self._first = min(numbers, default=None)
        self._last = min(
            (field.start for field in self._about.values() if field.start > max(numbers, default=0)), default=None
        )
        self._remembered: dict[str, dict[str, str | int | bool]] = {}

    def fitted(self, text: str) -> str:
        """Returns the row with long titles cut, so that the columns after them are aligned."""
        end = self._end
        if not end or text[end : end + 1] in " " or text[end - 1] == " ":
            return text
        long = len(text[end - self._width :].split(" ", 1)[0]) - self._width
        return text[:end] + text[end + long :]

    def facts(self, text: str) -> dict[str, str | int | bool]:
        """Returns the facts of a row except the name."""
        marks = text[self.name.stop : self._first] + (text[self._last :] if self._last else "")
        facts = self._remembered.get(marks)
        if facts is None:
            if len(self._remembered) >= _MOST:
                self._remembered.clear()
            facts = _facts({name: text[field].strip() for name, field in self._about.items()})
            self._remembered[marks] = facts
        return facts


def _day(header: str) -> tuple[int | None, str]:
    """Returns the instant of the month in a header, if there is one."""
    match = next((match for match in _HEADER.finditer(header) if match["rating"]), None)
    if match is None:
        return None, ""
    word = match["rating"].lower()
    try:
        year = int(word[3:])
        return at(seen(date(1900 + year + 100 * (year < 70), _MONTHS.index(word[:3]) + 1, 1))), ""
    except (ValueError, BadValue):
        return None, f"its header names no month: {match['rating']!r}"


class _Players:
    """Makes items of rows.

    Attributes
    ----------
    column : str
        The rating to read, in a file with all three kinds.
    """

    def __init__(self, speed: str) -> None:
        self._tables = {"speed": speed}
        self.column = f"{speed}_rating"
        self.day: int | None = None

    def items(
        self, line: int, number: str, name: str, rating: str, facts: Mapping[str, str | int | bool], text: str
    ) -> tuple[Item, ...]:
        """Yields the items of a row: facts, and a seed or the note that there is no rating."""
        known = registered("fide", number)
        if known is None:
            return (Refused(line, Reason("has no FIDE id", number[:40]), text[:200].rstrip()),)
        value = natural(rating, 4)
        if rating and value is None:
            return (Refused(line, Reason("its rating is not a number", rating[:40]), text[:200].rstrip()),)
        who = Who(known, name)
        about = Facts(line, who, {"called": name, **facts} if name else facts, self.day)
        if value:
            return about, Seed(line, who, {"rating": float(rating)}, self.day, self._tables)
        return about, Unrated(line, "not a game")


def _facts(row: Mapping[str, str]) -> dict[str, str | int | bool]:
    facts: dict[str, str | int | bool] = {}
    born = row.get("birthday", "")[:4]
    if len(born) == 4 and natural(born):
        facts["born"] = int(born)
    flag = row.get("flag", "").lower()
    if sex := SEXES.get(row.get("sex", "").lower(), "f" if "w" in flag else ""):
        facts["sex"] = sex
    if title := title_of(row.get("title", "")) or title_of(row.get("w_title", "")):
        facts["title"] = title
    if federation := row.get("country", ""):
        facts["federation"] = federation
    if "i" in flag:
        facts["inactive"] = True
    return facts


FIDE_LIST = Reader(
    "fide-list", "rating lists of FIDE, text and XML: ratings and facts of players", "stream", sniff, read=read_list,
    options=ListOptions, tables=("speed",),
)  # fmt: skip
