"""Reads rating lists of FIDE: the text files, by the columns of their header, and the XML files."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from attrs import frozen

from ratingcore.plugin import (
    BadValue,
    Facts,
    Item,
    Options,
    Reader,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Warning,
    Who,
    at,
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
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FIRST = re.compile(r"\s*ID ?[Nn](?=.*Name)(?=.*Fed)")
_ROOT = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<playerslist[\s>]", re.DOTALL)


@frozen
class ListOptions(Options):
    """Options of rating lists of FIDE.

    Parameters
    ----------
    list : {"standard", "rapid", "blitz"}
        Which list it is; of a file that holds all three, which column.
    """

    list: str = one_of("standard", "rapid", "blitz")


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is a rating list: its header or its root."""
    text = sample.text[:4096]
    return 95 if _FIRST.match(text) or _ROOT.match(text) else 0


def read_list(source: Source, options: ListOptions) -> Iterator[Item]:
    """Facts and ratings of the players of a list."""
    with source.open() as file:
        head = file.read(4096)
    players = _Players(options.list)
    if _ROOT.match(Sample(source.name, head).text):
        for line, row in source.rows_of_xml("player"):
            yield from players.items(line, row, f"{row.get('fideid', '')} {row.get('name', '')}")
        return
    lines = source.lines("cp1252")
    header = next((text for _, text in lines), "")
    columns = _columns(header)
    if "fideid" not in columns or "name" not in columns or "country" not in columns:
        source.refuse("its first line is no header of a rating list")
    players.day, flaw = _day(header)
    if flaw:
        yield Warning(1, flaw)
    width, end = _overflowing(columns)
    for number, text in lines:
        if not text.strip():
            continue
        shift = 0
        if width and text[end - 1 : end].strip() and text[end : end + 1].strip():
            long = text[end - width :].split(" ", 1)[0]
            shift = max(len(long) - width, 0)
        row = {
            name: text[start + shift * (start >= end) : stop and stop + shift * (start >= end)].strip()
            for name, (start, stop) in columns.items()
        }
        yield from players.items(number, row, text)


def _columns(header: str) -> dict[str, tuple[int, int | None]]:
    """Where each field of a row stands: from the beginning of its word to that of the next."""
    words = [(str(match.lastgroup), match.start()) for match in _HEADER.finditer(header)]
    found: dict[str, tuple[int, int | None]] = {}
    for (name, start), (_, end) in zip(words, [*words[1:], ("", None)], strict=False):
        found.setdefault(name, (start, end))
    return found


def _overflowing(columns: Mapping[str, tuple[int, int | None]]) -> tuple[int, int]:
    """Width and end of the column whose values may be longer than it, so that what follows stands further right."""
    start, end = columns.get("o_title", (0, None))
    return (end - start, end) if end else (0, 0)


def _day(header: str) -> tuple[int | None, str]:
    """The instant of the month that a header names, if it names one."""
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
    """Makes items of rows."""

    def __init__(self, speed: str) -> None:
        self._speed = speed
        self._tables = {"speed": speed}
        self._rating = f"{speed}_rating"
        self.day: int | None = None

    def items(self, line: int, row: Mapping[str, str], text: str) -> Iterator[Item]:
        """What a row says: facts, and a seed or that there is no rating."""
        number = registered("fide", row.get("fideid", ""))
        if number is None:
            yield Refused(line, f"has no FIDE id: {row.get('fideid', '')[:40]!r}", text[:200].rstrip())
            return
        rating = row[self._rating] if self._rating in row else row.get("rating", "")
        if rating and not (rating.isascii() and rating.isdecimal() and len(rating) <= 4):
            yield Refused(line, f"its rating is no number: {rating[:40]!r}", text[:200].rstrip())
            return
        who = Who(number, row.get("name", ""))
        yield Facts(line, who, _facts(row), self.day)
        if rating and int(rating):
            yield Seed(line, who, {"rating": float(rating)}, self.day, self._tables)
        else:
            yield Unrated(line, "not a game")


def _facts(row: Mapping[str, str]) -> dict[str, str | int | bool]:
    facts: dict[str, str | int | bool] = {"called": row["name"]} if row.get("name") else {}
    born = row.get("birthday", "")[:4]
    if born.isascii() and born.isdecimal() and len(born) == 4 and int(born):
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
