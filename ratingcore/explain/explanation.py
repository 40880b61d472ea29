"""Why a rating is what it is: the opening rating, a line for everything that moved it, the closing rating."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import fsum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, frozen

from ratingcore.events import Instant, day, exact, iso
from ratingcore.explain.causes import Causes, Correction
from ratingcore.report.text import aligned
from ratingcore.tables.view import FOREVER

if TYPE_CHECKING:
    from ratingcore.explain.diff import ExplanationDiff

Row = dict[str, Any]

Kind = Literal["result", "results", "seed", "line", "others"]
"""One result; several taken together; a rating from outside; what no result moved; what results of others moved."""


Notes = Mapping[str, float | None]
"""What a method says of a result, by name; None where it says nothing of this one."""


def _read_only(notes: Notes) -> Notes:
    return MappingProxyType(dict(notes))


@frozen
class ExplainedLine:
    """What moved a rating: a result, a seed, or a line with a label.

    Parameters
    ----------
    kind : {"result", "results", "seed", "line", "others"}
    played : int
    uid, position : str and int, or None
        The event, if one event it was.
    opponent : str
        Who sat on the other side, or how many sides there were; of anything but a result its label.
    partners : tuple of str
        Who sat on the player's own side.
    opposition : float or None, rating points
        Rating of the opponent before the result, the mean of several; None if one had none.
    score, expected : float or None
        Of the player's side.
    notes : mapping of name to float or None
        What the method says of the result: the k used, a boost. Of notes on both sides the player's own.
    contribution : float or None, rating points
        What it added to the rating; None where there is no number: an unrated player played.
    rating : float or None, rating points
        After the line; None for the unrated.
    corrections : tuple of Correction
        What was said of the event later.
    """

    kind: Kind
    played: Instant
    uid: str | None
    position: int | None
    opponent: str
    partners: tuple[str, ...] = ()
    opposition: float | None = None
    score: float | None = None
    expected: float | None = None
    notes: Notes = field(factory=dict, converter=_read_only, hash=False)
    contribution: float | None = None
    rating: float | None = None
    corrections: tuple[Correction, ...] = ()

    @property
    def amount(self) -> float:
        """The contribution, 0 where there is no number."""
        return self.contribution or 0.0

    def corrected(self) -> str:
        """What became of the event, in short."""
        return "; ".join(map(str, self.corrections))


@frozen(repr=False)
class Explanation:
    """How a player's rating came about: opening, lines, closing; no rating counts as 0 in the sum.

    `str` gives a table, `len` counts lines, and iterating gives rows as dictionaries, the opening first and the
    closing last.

    Parameters
    ----------
    player, pool : str
    method : str
        Identity of the method.
    known_at : int
        How many events of the log the reader knew.
    digest : str
        Digest of those events.
    since : int or None
        First instant whose results are lines; None for all.
    through : int
        Last instant that counts, or `FOREVER`.
    opening, closing : float or None, rating points
        As lists have them, unrounded: through the instant before `since`, and through `through`.
    lines : tuple of ExplainedLine
    attributed : bool
        Whether contributions were found by refitting a whole pool, in order of play.
    together : str
        By what results were taken together to bound the work: day, month, year, all; else empty.
    refits : int
        How often the pool was refitted.
    """

    player: str
    pool: str
    method: str
    known_at: int
    digest: str
    since: Instant | None
    through: Instant
    opening: float | None
    closing: float | None
    lines: tuple[ExplainedLine, ...]
    attributed: bool = False
    together: str = ""
    refits: int = 0
    causes: Causes | None = field(default=None, eq=False)
    subject: int | None = field(default=None, eq=False)

    @property
    def total(self) -> float:
        """What all lines add up to."""
        return fsum(line.amount for line in self.lines)

    @property
    def residual(self) -> float:
        """Closing less opening and total: what no line tells; 0 but for rounding of the last bits."""
        return fsum([self.closing or 0.0, -(self.opening or 0.0), *(-line.amount for line in self.lines)])

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Names of the notes of any line."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line.notes))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        facts = ("line", "played", "uid", "opponent", "partners", "opposition", "score", "expected")
        return (*facts, *self.notes, "contribution", "rating", "corrected", "corrections", "by", "why")

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Row]:
        blank = dict.fromkeys(self.columns)
        opened = None if self.since is None else iso(self.since)
        yield blank | {"line": "opening", "played": opened, "rating": self.opening}
        for line in self.lines:
            yield blank | _row(line)
        closed = None if self.through == FOREVER else day(self.through)
        yield blank | {"line": "closing", "played": closed, "rating": self.closing}

    def diff(self, other: "Explanation") -> "ExplanationDiff":
        """What another explanation of the same player says otherwise, and which corrections made it so.

        The corrections are read from the log, which must still be open.
        """
        from ratingcore.explain.diff import ExplanationDiff  # the two know each other

        return ExplanationDiff.between(self, other)

    def __str__(self) -> str:
        return "\n".join([*self.table(), *self.facts()])

    __repr__ = __str__

    def table(self, digits: int = 4) -> list[str]:
        """Opening, lines and closing as aligned text, under headings; columns that hold nothing are left out."""
        rows = [_told(row, digits) for row in self]
        rows[-1]["contribution"] = round(self.total, digits) + 0.0
        always = ("played", "uid", "opponent", "score", "expected", "contribution", "rating")
        names = [name for name in self.columns if name not in ("line", "corrections", "by", "why")]
        shown = [name for name in names if name in always or any(row[name] is not None for row in rows)]
        return aligned(shown, rows)

    def facts(self) -> list[str]:
        """What was asked and how it was answered, a line a fact."""
        since = [] if self.since is None else [f"since {day(self.since)}"]
        through = "everything played" if self.through == FOREVER else f"played through {exact(self.through)}"
        told = [
            f"{self.player} in pool {self.pool}, {', '.join([*since, through])}",
            f"method {self.method}",
            f"head {self.known_at}:{self.digest}",
        ]
        if self.opening is None and self.closing is None and not self.lines:
            told.append(f"{self.player} is not in pool {self.pool} at this cut")
        if self.attributed:
            told.append(
                "attribution by refitting: each result is what it moved when it came, in a fit of all before it; "
                "what the pool moved in between stands as results of others"
            )
        if self.together:
            by = "all at once" if self.together == "all" else f"by {self.together}"
            told.append(f"own results are taken together {by}, to refit the pool {self.refits} times only")
        return told

    def named(self, uids: Mapping[int, str], corrections: Mapping[int, tuple[Correction, ...]]) -> "Explanation":
        """The explanation with uids and corrections of its events."""
        return evolve(self, lines=tuple(_named(line, uids, corrections) for line in self.lines))


def _named(
    line: ExplainedLine, uids: Mapping[int, str], corrections: Mapping[int, tuple[Correction, ...]]
) -> ExplainedLine:
    if line.position is None:
        return line
    return evolve(line, uid=uids[line.position], corrections=corrections.get(line.position, ()))


def _row(line: ExplainedLine) -> Row:
    said = line.corrections
    return {
        "line": line.kind, "played": day(line.played), "uid": line.uid, "opponent": line.opponent,
        "partners": " + ".join(line.partners) or None, "opposition": line.opposition, "score": line.score,
        "expected": line.expected, **line.notes, "contribution": line.contribution, "rating": line.rating,
        "corrected": line.corrected() or None, "corrections": " ".join(c.uid for c in said) or None,
        "by": "; ".join(dict.fromkeys(c.by for c in said if c.by)) or None,
        "why": "; ".join(dict.fromkeys(c.why for c in said if c.why)) or None,
    }  # fmt: skip


def _told(row: Row, digits: int) -> Row:
    """A row for people: rounded, what opens and closes under its own name."""
    told = {name: round(cell, digits) + 0.0 if isinstance(cell, float) else cell for name, cell in row.items()}
    return told | {"opponent": row["line"]} if row["line"] in ("opening", "closing") else told
