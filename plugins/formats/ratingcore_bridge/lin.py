"""Reads LIN: deals and matches in the format of Bridge Base."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from attrs import define, field

from ratingcore.plugin.readers import (
    Document,
    Item,
    Options,
    Reader,
    Reason,
    Refused,
    Sample,
    Session,
    Source,
    Unrated,
    Who,
    one_line,
    round_order,
)

_HEAD = re.compile(r"^\s*(?:pn|vg)\|", re.MULTILINE)
_DEAL = re.compile(r"\|md\|[1-4o]?,?S[2-9TJQKA]*H", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]{1,4}(?:\.[0-9]{1,3})?")
_ROBOT = "~~"
_UNITS = {"I": "imp", "P": "percent", "B": "boards"}
_FIRST, _SECOND = (2, 0, 7, 5), (6, 4, 3, 1)
"""Seats of the two teams among the eight names, open room first and each South, West, North, East: the first team sits
North-South in the open room, and East-West in the closed one."""


class _Header(NamedTuple):
    """The header of a match: its event and segment, its teams and their totals."""

    line: int
    text: str
    event: str = ""
    segment: str = ""
    unit: str = ""
    boards: int = 0
    teams: tuple[str, str] = ("", "")
    totals: tuple[float, float] | None = None


@define
class _Part:
    """A match, or deals outside any match."""

    header: _Header | None = None
    names: list[str] = field(factory=list)
    deals: list[int] = field(factory=list)


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is LIN: by a line that begins with players or a match, or by a deal."""
    text = sample.head[:8192].decode("latin-1").replace("\r", "\n")
    return 95 if _HEAD.search(text) else 70 if _DEAL.search(text) else 0


def read_lin(source: Source, options: Options) -> Iterator[Item]:
    """Reads the matches of a file that have both totals; other deals have no comparison."""
    part, empty = _Part(), True
    for line, code, value in _codes(source):
        empty = False
        if code == "vg":
            yield from _items(part, source.name)
            part = _Part(_header(line, value))
        elif code == "pn":
            names = [name.strip() for name in value.split(",")]
            part.names = names if len(names) > len(part.names) else part.names
        elif code == "md":
            part.deals.append(line)
    if empty:
        source.refuse("it is not LIN: it has no code followed by a bar")
    yield from _items(part, source.name)


def _codes(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yields codes and values, which are separated by bars; a value may span lines, a code may not."""
    code, begun, held = "", 0, ""
    for number, line in source.lines("cp1252"):
        pieces = line.split("|")
        for at, piece in enumerate(pieces):
            last = at == len(pieces) - 1
            if not code:
                if not last:
                    code, begun, held = piece.strip().lower(), number, ""
            elif last:
                held += piece
            else:
                yield begun, code, held + piece
                code = ""
        if len(held) > 2**20:
            code = ""


def _header(line: int, value: str) -> _Header:
    fields = [part.strip() for part in value.split(",")]
    if len(fields) < 9:
        return _Header(line, value[:200])
    event, segment = ", ".join(fields[: len(fields) - 8]), fields[-8]
    scoring, first, last, home, own, visitors, other = fields[-7:]
    totals = (float(own), float(other)) if _NUMBER.fullmatch(own) and _NUMBER.fullmatch(other) else None
    span = int(last) - int(first) + 1 if all(re.fullmatch("[0-9]{1,4}", one) for one in (first, last)) else 0
    return _Header(
        line, value[:200], event, segment, _UNITS.get(scoring[:1].upper(), "points"), max(span, 0), (home, visitors),
        totals,
    )  # fmt: skip


def _items(part: _Part, name: str) -> Iterator[Item]:
    match = part.header
    if match is None or match.totals is None or match.totals == (0.0, 0.0):  # no scores: the match is not over
        yield from (Unrated(line, "no comparison") for line in part.deals)
        if match is not None and not part.deals:
            yield Unrated(match.line, "no comparison")
        return
    event = one_line(match.event)
    key = tuple(filter(None, (match.event, match.segment, *match.teams)))
    yield Document(key or (name,), event or name)
    if len(part.names) < 8:
        yield Refused(match.line, Reason("it does not name two teams of four", f"{len(part.names)} names"), match.text)
        return
    robots = [name for name in part.names[:8] if name.startswith(_ROBOT)]
    if robots:
        yield Refused(match.line, Reason("a robot is not a player", robots[0][:40]), match.text)
        return
    sides = tuple(
        (tuple(Who(None, part.names[seat]) for seat in seats), total)
        for seats, total in zip((_FIRST, _SECOND), match.totals, strict=True)
    )
    data: dict[str, str | int] = {"unit": match.unit, "event": event} | (
        {"boards": match.boards} if match.boards else {}
    )
    data |= {f"team_{side}": team for side, team in zip("ab", match.teams, strict=True) if team}
    order = round_order(match.segment) if match.segment else 0
    yield Session(match.line, (match.segment,) if match.segment else (), sides, None, order, data)


LIN = Reader(
    "lin", "LIN: deals and matches of Bridge Base", "document", sniff, read=read_lin, options=Options,
    suffixes=(".lin",),
)  # fmt: skip
