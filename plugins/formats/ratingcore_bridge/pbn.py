"""Reads PBN: deals of bridge sessions; the scores of a session's deals form its result."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from attrs import define, field

from ratingcore.plugin.readers import (
    DatedOptions,
    Document,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Source,
    Unrated,
    Who,
    at,
    day_or_why,
    day_unread,
    event_of,
    identifies_somebody,
    one_line,
    round_order,
)
from ratingcore.plugin.readers import Session as Played

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]{1,40})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*(.*)')
_ESCAPED = re.compile(r'\\(["\\])')
_TAKEN_OVER = frozenset({"Event", "Site", "Date", "Board"})
"""Tags that a further table of a deal may leave out."""
TABLE = "TotalScoreTable"
"""The only section read of those that may follow a tag."""


class Deal(NamedTuple):
    """A deal as played at one table.

    Attributes
    ----------
    line : int
        Line of its first tag.
    tags : dict of str to str
        Empty values are left out.
    table : list of str
        Lines of the totals of the session, if they follow here.
    """

    line: int
    tags: dict[str, str]
    table: list[str]


class _Inherited:
    """Values that later deals inherit."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._lasting: dict[str, str] = {}

    def completed(self, deal: Deal) -> Deal:
        """Returns a deal whose `#`, `##` and missing tags are filled in from earlier deals."""
        tags: dict[str, str] = {}
        for name, value in deal.tags.items():
            if value.startswith("##"):
                self._lasting[name] = tags[name] = value[2:] or self._last.get(name, "")
            else:
                tags[name] = self._last.get(name, "") if value == "#" else value
                if value != "#":
                    self._lasting.pop(name, None)
        for name, value in self._lasting.items():
            tags.setdefault(name, value)
        for name in _TAKEN_OVER:
            if name not in tags and name in self._last:
                tags[name] = self._last[name]
        self._last.update(tags)
        return deal._replace(tags={name: value for name, value in tags.items() if value not in ("", "?")})


def _opens_comment(text: str) -> bool:
    """True if a comment begins in a text and does not end there."""
    while True:
        before, opened, rest = text.partition("{")
        if not opened or ";" in before:
            return False
        _, closed, text = rest.partition("}")
        if not closed:
            return True


def deals(source: Source) -> Iterator[Deal]:
    """Yields the deals of a file, separated by blank lines or by a second tag `Board` or `Event`."""
    inherited = _Inherited()
    deal: Deal | None = None
    section, comment, parted = "", False, True
    for number, line in source.lines("cp1252"):
        match = _TAG.match(line)
        if comment and not (parted and match):  # an unclosed comment ends with its deal
            parted = not line.strip()
            _, closed, line = line.partition("}")
            comment = not closed
            if not line.strip():  # the end of a comment is not a blank line
                continue
            parted, match = False, _TAG.match(line)
        if line.startswith("%"):
            continue
        if not line.strip():
            parted = True
            continue
        if match is not None or section != TABLE:
            comment = _opens_comment(line if match is None else match[3])
        if match is None:
            if deal is not None and section == TABLE:
                deal.table.append(line)
            continue
        name, value = match[1], _ESCAPED.sub(r"\1", match[2]).strip()
        if deal is None or parted or (name in ("Board", "Event") and name in deal.tags):
            if deal is not None:
                yield inherited.completed(deal)
            deal = Deal(number, {}, [])
        parted = False
        section = name
        deal.tags.setdefault(name, value)
    if deal is not None:
        yield inherited.completed(deal)


_TOKEN = re.compile(r'"([^"]*)"|(\S+)')
_COLUMN = re.compile(r"[-+]?([A-Za-z_]+)(?:\\.*)?")
_BETWEEN = re.compile(r"\s*;\s*|\s+[-&+]\s+|\s*/\s*")
_TOTAL = re.compile(r"\^?(-?[0-9]{1,6}(?:\.[0-9]{1,6})?)%?")
_ID = re.compile(r"(.*?)#\s*([0-9A-Za-z]{1,20})\s*", re.DOTALL)
_SCORES = (
    ("TotalPercentage", "percent"), ("MeanPercentage", "percent"), ("TotalIMP", "imp"), ("TotalScoreIMP", "imp"),
    ("MeanIMP", "imp"), ("TotalVP", "vp"), ("TotalScoreVP", "vp"), ("TotalMP", "mp"), ("TotalScoreMP", "mp"),
    ("MeanMP", "mp"), ("TotalScore", "points"),
)  # fmt: skip
"""Columns with the score of a pair, in order of preference, and their unit."""


class Total(NamedTuple):
    """A row of a table of totals: two players and their score, as far as given."""

    players: tuple[Who, Who] | None
    score: float | None
    boards: int
    text: str


def who(name: str) -> Who:
    """Returns a player, whose number may follow the name: `Ann Bo#23324`.

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
        The lines after the tag.
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
    score = _TOTAL.fullmatch(row.get(scored, ""))
    boards = row.get("NrBoards", "")
    return Total(
        players, float(score[1]) if score else None, int(boards) if re.fullmatch("[0-9]{1,4}", boards) else 0,
        " ".join(row.values())[:200],
    )  # fmt: skip


_NUMBER = r"([-+]?[0-9]{1,6}(?:\.[0-9]{1,6})?)%?"
_SIDES = re.compile(rf"\s*(NS|EW)\s+{_NUMBER}(?:\s+(NS|EW)\s+{_NUMBER})?\s*", re.IGNORECASE)
_TAGS = (("ScoreIMP", "imp"), ("ScorePercentage", "percent"), ("ScoreMP", "percent"))
"""Tags that compare tables, in order of preference, and their unit."""
Pair = tuple[Who, Who]


class _Table(NamedTuple):
    """A deal at one table: its pairs, and each pair's values of the tags in `_TAGS`."""

    line: int
    pairs: tuple[Pair, Pair]
    scores: tuple[tuple[float, float] | None, ...]
    text: str


@define
class SessionDeals:
    """The deals of a session, in the order of the file.

    Parameters
    ----------
    line : int
        Line on which it begins.
    tags : dict of str to str
        The tags of its first deal.
    """

    line: int
    tags: dict[str, str]
    _tables: list[_Table] = field(factory=list)
    _dealt: list[int] = field(factory=list)
    _totals: tuple[int, str, list[Total]] | None = None
    unrated: list[Unrated] = field(factory=list)
    refused: list[Refused] = field(factory=list)

    def add(self, deal: Deal) -> None:
        """Adds a deal."""
        tags = deal.tags
        if TABLE in tags and self._totals is None and (table := totals(tags[TABLE], deal.table)):
            self._totals = deal.line, table[0], list(table[1])
        self._dealt.append(deal.line)
        given = {name: tags[name] for name, _ in _TAGS if name in tags}
        if not given:
            return
        text = " ".join(f'[{name} "{tags[name]}"]' for name in (*_SEATS, *given) if name in tags)[:200]
        scores = tuple(_scores(name, given.get(name, "")) for name, _ in _TAGS)
        if not any(scores):
            self.refused.append(Refused(deal.line, "its score is not written like NS 4 EW -4", text))
            return
        north, south, east, west = (who(tags.get(seat, "")) for seat in _SEATS)
        self._tables.append(_Table(deal.line, ((north, south), (east, west)), scores, text))

    def result(self) -> tuple[str, int, list[tuple[Pair, float]]] | None:
        """Returns unit, number of boards, and each pair with its score; None for a session without comparisons."""
        if self._totals is not None:
            return self._tabulated(*self._totals)
        chosen = next((at for at in range(len(_TAGS)) if any(table.scores[at] for table in self._tables)), None)
        sums: dict[tuple[str, ...], tuple[Pair, list[float]]] = {}
        compared = set()
        for table in self._tables if chosen is not None else ():
            scores = table.scores[chosen or 0]
            if scores is None:
                continue
            compared.add(table.line)
            for pair, score in zip(table.pairs, scores, strict=True):
                key = tuple(sorted(player.id or player.name for player in pair))
                sums.setdefault(key, (pair, []))[1].append(score)
        refused = {one.line for one in self.refused}
        self.unrated = [
            Unrated(line, "no comparison") for line in self._dealt if line not in compared and line not in refused
        ]
        if chosen is None:
            return None
        often = Counter(len(scores) for _, scores in sums.values()).most_common()
        boards = max((count for count, pairs in often if pairs == often[0][1]), default=0)
        unit = _TAGS[chosen][1]
        return unit, boards, [
            (pair, round(sum(scores) / (1 if unit == "imp" else len(scores)), 6)) for pair, scores in sums.values()
        ]  # fmt: skip

    def _tabulated(self, line: int, unit: str, rows: list[Total]) -> tuple[str, int, list[tuple[Pair, float]]]:
        sides = []
        for row in rows:
            if row.players is None or row.score is None:
                why = (
                    "a row of the totals does not name two players"
                    if row.players is None
                    else "a row of the totals has no score"
                )
                self.refused.append(Refused(line, why, row.text))
            else:
                sides.append((row.players, row.score))
        return unit, max((row.boards for row in rows), default=0), sides


_SEATS = ("North", "South", "East", "West")


def _scores(tag: str, text: str) -> tuple[float, float] | None:
    """Returns the scores of North-South and East-West in a tag; None without any."""
    match = _SIDES.fullmatch(text)
    if match is None or (match[3] is not None and match[1].upper() == match[3].upper()):
        return None
    first = float(match[2])
    if tag == "ScoreMP":
        if match[4] is None or (both := first + float(match[4])) <= 0 or min(first, float(match[4])) < 0:
            return None
        first, second = 100 * first / both, 100 * float(match[4]) / both
    elif match[4] is not None:
        second = float(match[4])
    else:
        second = -first if tag == "ScoreIMP" else 100 - first
    return (first, second) if match[1].upper() == "NS" else (second, first)


_HEAD = re.compile(r'^% ?PBN|^\s*\[\s*(?:Board|Deal|Dealer|Declarer|Vulnerable)\s*"', re.MULTILINE)
_PARTS = ("Round", "Session", "Section", "Stage")


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is PBN: by its first line or the tags of a deal."""
    return (
        95
        if _HEAD.search(sample.head[:4096].removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r", "\n"))
        else 0
    )


def read_pbn(source: Source, options: DatedOptions) -> Iterator[Item]:
    """Reads the sessions of a file; sides are pairs, identified by the numbers after their names if there are any."""
    documents: dict[tuple[str, str], dict[tuple[str, ...], SessionDeals]] = {}
    for deal in deals(source):
        tags = deal.tags
        sessions = documents.setdefault((tags.get("Event", ""), tags.get("Date") or tags.get("EventDate", "")), {})
        parts = tuple(tags.get(part, "") for part in _PARTS)
        if parts not in sessions:
            sessions[parts] = SessionDeals(deal.line, tags)
        sessions[parts].add(deal)
    if not documents:
        source.refuse("it is not PBN: it has no tag")
    for (name, text), sessions in documents.items():
        yield from _items(source, name, text, sessions, options)


def _items(
    source: Source, name: str, text: str, sessions: dict[tuple[str, ...], SessionDeals], options: DatedOptions
) -> Iterator[Item]:
    day, known, why = day_or_why(text, options.partial, options.date_format)
    event = event_of(one_line(name) or source.name, day)
    yield Document(tuple(filter(None, (name, text))) or (source.name,), event, day)
    if why:
        yield day_unread(next(iter(sessions.values())).line, "", why)
    for parts, session in sessions.items():
        result = session.result()
        yield from session.unrated
        yield from session.refused
        if result is None:
            continue
        unit, boards, pairs = result
        sides = []
        for pair, score in pairs:
            if all(player.id or identifies_somebody(player.name) for player in pair) and pair[0] != pair[1]:
                sides.append((pair, score))
            else:
                names = " and ".join(player.name for player in pair)
                why_not = Reason("a pair whose names do not identify the players", names[:80])
                yield Refused(session.line, why_not, names[:200])
        text_of = " ".join(filter(None, (name, *parts)))[:200]
        if len(sides) < 2:
            yield Refused(session.line, Reason("a session needs at least two pairs", len(sides)), text_of)
        elif why:
            yield Refused(session.line, why, text_of)
        else:
            data: dict[str, str | int] = {"unit": unit, "event": event} | ({"boards": boards} if boards else {})
            data |= {part.lower(): value for part, value in zip(_PARTS, parts, strict=True) if value}
            data |= {"dated": known} if known else {}
            order = round_order(parts[0] or parts[1]) if parts[0] or parts[1] else 0
            key = tuple(f"{part} {value}" for part, value in zip(_PARTS, parts, strict=True) if value)
            yield Played(session.line, key, tuple(sides), None if day is None else at(day), order, data)


PBN = Reader(
    "pbn", "PBN: deals of bridge sessions with their scores", "document", sniff, read=read_pbn, options=DatedOptions,
    suffixes=(".pbn",),
)  # fmt: skip
