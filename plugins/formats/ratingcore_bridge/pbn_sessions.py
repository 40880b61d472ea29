"""Sessions of a PBN file: the scores of its deals summed by pairs, or its table of totals."""

import re
from collections import Counter
from typing import NamedTuple

from attrs import define, field

from ratingcore.plugin.readers import Refused, Unrated, Who
from ratingcore_bridge.pbn_deals import TABLE, Deal
from ratingcore_bridge.pbn_totals import Total, totals, who

_NUMBER = r"([-+]?[0-9]{1,6}(?:\.[0-9]{1,6})?)%?"
_SIDES = re.compile(rf"\s*(NS|EW)\s+{_NUMBER}(?:\s+(NS|EW)\s+{_NUMBER})?\s*", re.IGNORECASE)
_TAGS = (("ScoreIMP", "imp"), ("ScorePercentage", "percent"), ("ScoreMP", "percent"))
"""Tags that compare tables, the first that a session has, and their unit."""
Pair = tuple[Who, Who]


class _Table(NamedTuple):
    """A deal at one table: its pairs, and what each tag of `_TAGS` gives them."""

    line: int
    pairs: tuple[Pair, Pair]
    scores: tuple[tuple[float, float] | None, ...]
    text: str


@define
class Session:
    """The deals of a session, in the order of the file.

    Parameters
    ----------
    line : int
        Where it begins.
    tags : dict of str to str
        Of its first deal.
    """

    line: int
    tags: dict[str, str]
    _tables: list[_Table] = field(factory=list)
    _dealt: list[int] = field(factory=list)
    _totals: tuple[int, str, list[Total]] | None = None
    unrated: list[Unrated] = field(factory=list)
    refused: list[Refused] = field(factory=list)

    def add(self, deal: Deal) -> None:
        """Takes a deal in."""
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
            self.refused.append(Refused(deal.line, "its score is none like NS 4 EW -4", text))
            return
        north, south, east, west = (who(tags.get(seat, "")) for seat in _SEATS)
        self._tables.append(_Table(deal.line, ((north, south), (east, west)), scores, text))

    def result(self) -> tuple[str, int, list[tuple[Pair, float]]] | None:
        """Returns unit, boards, and each pair with its score, or None for a session that compares nothing."""
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
                why = "names no two players" if row.players is None else "has no score"
                self.refused.append(Refused(line, f"a row of the totals {why}", row.text))
            else:
                sides.append((row.players, row.score))
        return unit, max((row.boards for row in rows), default=0), sides


_SEATS = ("North", "South", "East", "West")


def _scores(tag: str, text: str) -> tuple[float, float] | None:
    """The scores of North-South and East-West that a tag gives; None where it gives none."""
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
