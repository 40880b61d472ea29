"""The explanation of a rating, from the opening rating to the closing rating, and the comparison of two of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from math import fsum

import attrs
from attrs import evolve, field, frozen

from ratingcore.columns.view import FOREVER
from ratingcore.events import Clock, Instant, clock, exact
from ratingcore.explain.contributions import FOUND, LOST, OTHERS, SHOWN
from ratingcore.explain.correction_history import Causes, Correction
from ratingcore.explain.history import heading
from ratingcore.explain.lines import COLUMNS, FOLLOWS, OTHER_QUESTION, ChangedLine, ExplainedLine, Row, changed_lines
from ratingcore.lists.policy import Cell
from ratingcore.lists.provenance import DAYS, EVERYTHING, HEAD, METHOD, THROUGH, UNREADABLE
from ratingcore.report.aligned_text import aligned
from ratingcore.report.table import AsTable, Table, columns_of, person
from ratingcore.safe_text import counted, visible

_FIXED = (
    "line", "played", "uid", "opponent", "called", "partners", "opposition", "score", "expected", "contribution",
    "rating", "corrected", "corrections", "by", "why",
)  # fmt: skip
OF_PLAYER, SINCE, NOT_THERE = (
    "%(who)s in pool %(pool)s, %(what)s", "since %(day)s, %(what)s", "%(who)s is not in pool %(pool)s at this cut",
)  # fmt: skip
REFITTED = (
    "attribution by refitting: the contribution of each result is the change when it was added to all earlier ones; "
    "changes in between are shown as results of others"
)
FACTS = (OF_PLAYER, SINCE, NOT_THERE, REFITTED, SHOWN, OTHERS, FOUND, LOST, "seed")
"""Phrases and line labels of explanations that are translated, besides those of lists."""


@frozen(repr=False)
class Explanation(AsTable):
    """The explanation of a rating: opening, lines, closing; a missing rating counts as 0 in sums.

    `str` gives a table, `len` counts lines, and iterating gives rows as dictionaries, the opening first and the
    closing last.

    Parameters
    ----------
    player, pool : str
    method : str
        Identity of the method.
    known_at : int
        Number of events of the log that were known.
    digest : str
        Digest of those events.
    since : int or None
        Results from this instant on have lines; None for all results.
    through : int
        Last instant that counts, or `FOREVER`.
    opening, closing : float or None, rating points
        Listed ratings, unrounded: just before `since`, and at `through`.
    lines : tuple of ExplainedLine
    opening_columns, closing_columns : mapping of name to cell
        Further columns of those lists, such as a deviation; unrounded.
    attributed : bool
        Whether contributions were found by refitting a whole pool, in order of play.
    together : str
        Span by which results were grouped to limit the work: day, month, year, all; empty if they were not.
    refits : int
        Number of refits of the pool.
    called : mapping of str to str
        Displayed names by key, of the players who have one.
    left_out : tuple of str
        Sentences about the results of the pool that the method cannot read: `left out: 1 result (no points)`.
    zone : str
        Time zone of all times; empty for UTC.
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
    called: Mapping[str, str] = field(factory=dict, eq=False)
    opening_columns: Mapping[str, Cell] = field(factory=dict, eq=False)
    closing_columns: Mapping[str, Cell] = field(factory=dict, eq=False)
    causes: Causes | None = field(default=None, eq=False)
    subject: int | None = field(default=None, eq=False)
    left_out: tuple[str, ...] = ()
    zone: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """A pickled explanation has no log, so `diff` cannot read corrections."""
        fields = {one.name: getattr(self, one.name) for one in attrs.fields(Explanation)}
        return partial(Explanation, **(fields | {"causes": None})), ()

    @property
    def clock(self) -> Clock:
        """The clock in which its times are given."""
        return clock(self.zone)

    @property
    def total(self) -> float:
        """Sum of the contributions of all lines."""
        return fsum(line.amount for line in self.lines)

    @property
    def residual(self) -> float:
        """Closing rating minus opening rating and total: 0 except for rounding errors."""
        return fsum([self.closing or 0.0, -(self.opening or 0.0), *(-line.amount for line in self.lines)])

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Names of all notes on the lines."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line.notes))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        called = ["called"] if self.called else []
        facts = ("line", "played", "uid", "opponent", *called, "partners", "opposition", "score", "expected")
        listed = [heading(name, (*_FIXED, *self.notes), "after") for name in self.extra_names]
        return (*facts, *self.notes, "contribution", "rating", *listed, "corrected", "corrections", "by", "why")

    @cached_property
    def extra_names(self) -> tuple[str, ...]:
        """Names of further listed columns."""
        each = [self.opening_columns, *(line.columns for line in self.lines), self.closing_columns]
        return tuple(dict.fromkeys(name for columns in each for name in columns))

    def _listed(self, columns: Mapping[str, Cell]) -> Row:
        """Returns further listed columns as cells, under their names in rows."""
        return {heading(name, (*_FIXED, *self.notes), "after"): cell for name, cell in columns.items()}

    def __iter__(self) -> Iterator[Row]:
        blank = dict.fromkeys(self.columns)
        opened = None if self.since is None else self.clock.iso(self.since)
        yield blank | {"line": "opening", "played": opened, "rating": self.opening} | self._listed(self.opening_columns)
        for line in self.lines:
            called = {"called": self.called.get(line.opponent)} if self.called and line.kind == "result" else {}
            yield blank | line.row(self.clock) | called | self._listed(line.columns)
        closed = None if self.through == FOREVER else self.clock.day(self.through)
        yield blank | {"line": "closing", "played": closed, "rating": self.closing} | self._listed(self.closing_columns)

    def as_table(self) -> Table:
        """Returns a table with the opening, one row per line, and the closing."""
        return Table("explanation", f"Why {person(self.player, self.called)} is rated so", columns_of(list(self)))

    def diff(self, other: "Explanation") -> "ExplanationDiff":
        """Returns how another explanation of the same player differs, with the corrections behind each difference.

        The corrections are read from the log, which must still be open.
        """
        return ExplanationDiff.between(self, other)

    def __str__(self) -> str:
        return "\n".join([*aligned(*self.brief()), *self.facts()])

    __repr__ = __str__

    def brief(self, digits: int = 4) -> tuple[tuple[str, ...], list[Row]]:
        """Returns the columns and rows to show to people: without uids and empty columns, numbers rounded."""
        rows = [_shown(row, digits) for row in self]
        rows[-1]["contribution"] = round(self.total, digits) + 0.0
        always = ("played", "opponent", "score", "expected", "contribution", "rating")
        names = [name for name in self.columns if name not in ("line", "uid", "corrections", "by", "why")]
        return tuple(name for name in names if name in always or any(row[name] is not None for row in rows)), rows

    def facts(self, word: Callable[[str], str] = str, brief: Callable[[str], str] = str) -> list[str]:
        """Returns the question and the circumstances of the answer, one fact per line.

        Parameters
        ----------
        word : callable
            Translates a phrase.
        brief : callable
            Shortens the identity of the method.
        """

        def put(form: str, **facts: object) -> str:
            return word(form) % facts

        who = person(self.player, self.called)
        lines = [
            put(OF_PLAYER, who=who, pool=self.pool, what=_span(self, word)),
            put(METHOD, method=brief(self.method)),
            *([put(DAYS, zone=self.zone)] if self.zone else []),
            *(put(UNREADABLE, what=one) for one in self.left_out),
            put(HEAD, head=f"{self.known_at}:{self.digest}"),
        ]
        if self.opening is None and self.closing is None and not self.lines:
            lines.append(put(NOT_THERE, who=self.player, pool=self.pool))
        if self.attributed:
            lines.append(put(REFITTED))
        if self.together:
            by = "all at once" if self.together == "all" else f"by {self.together}"
            lines.append(f"own results are grouped {by}, so that the pool is refitted only {self.refits} times")
        return lines

    def named(self, uids: Mapping[int, str], corrections: Mapping[int, tuple[Correction, ...]]) -> "Explanation":
        """Returns the explanation with the uids and corrections of its events, by position."""
        return evolve(self, lines=tuple(line.named(uids, corrections) for line in self.lines))


@frozen(repr=False)
class ExplanationDiff(AsTable):
    """The differences between two explanations of a player.

    `str` gives a table, `len` counts lines that differ, and iterating gives rows as dictionaries, with the opening
    and the closing rating. The changes of the opening and of the lines add up to the change of the closing.
    """

    old: Explanation
    new: Explanation
    lines: tuple[ChangedLine, ...]
    same: int

    @classmethod
    def between(cls, old: Explanation, new: Explanation) -> "ExplanationDiff":
        """Compares one explanation with another."""
        changed, same = changed_lines(old.lines, new.lines)
        low, high = sorted((old.known_at, new.known_at))
        positions = [line.line.position for line in changed if line.line.position is not None]
        causes = max((old, new), key=lambda explanation: explanation.known_at).causes  # its log contains both
        if causes is not None and low != high and positions:
            corrections = causes.between(low, high, positions, new.subject)
            changed = [line.caused(corrections, causes, low) for line in changed]
        ordered = sorted(changed, key=lambda line: line.line.played)
        return cls(old, new, tuple(ordered), same)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        return COLUMNS

    @property
    def opening(self) -> float:
        """New opening rating minus the old one; a missing rating counts as 0."""
        return (self.new.opening or 0.0) - (self.old.opening or 0.0)

    @property
    def closing(self) -> float:
        """New closing rating minus the old one; a missing rating counts as 0."""
        return (self.new.closing or 0.0) - (self.old.closing or 0.0)

    @property
    def residual(self) -> float:
        """Change of the closing minus the changes of the opening and the lines: 0 except for rounding errors."""
        return fsum([self.closing, -self.opening, *(-line.difference for line in self.lines)])

    def __iter__(self) -> Iterator[Row]:
        old, new, blank = self.old, self.new, dict.fromkeys(COLUMNS)
        yield blank | {
            "change": "opening", "contribution": old.opening, "new_contribution": new.opening,
            "difference": self.opening,
        }  # fmt: skip
        questions = [(one.method, one.since, one.through) for one in (old, new)]
        otherwise = FOLLOWS if questions[0] == questions[1] else OTHER_QUESTION
        for line in self.lines:
            yield blank | line.row(otherwise, new.clock)
        yield blank | {
            "change": "closing", "contribution": old.closing, "new_contribution": new.closing,
            "difference": self.closing,
        }  # fmt: skip

    def as_table(self) -> Table:
        """Returns a table with the opening, one row per line that differs, and the closing."""
        return Table("explanations", f"How two explanations of {self.new.player} differ", columns_of(list(self)))

    def __str__(self) -> str:
        return "\n".join([*aligned(*self.brief()), *self.facts()])

    __repr__ = __str__

    def brief(self, digits: int = 4) -> tuple[tuple[str, ...], list[Row]]:
        """Returns the columns and rows to show to people, numbers rounded."""
        return COLUMNS[:-3], [_rounded(row, digits) for row in self]

    def facts(self, brief: Callable[[str], str] = str) -> list[str]:
        """Describes the two explanations and every correction that made a line differ, one fact per line.

        `brief` shortens the identities of methods.
        """
        each = {cause.position: cause for line in self.lines for cause in line.causes}
        old, new = self.old, self.new
        same = counted(self.same, "line is the same", "lines are the same")
        span = " and ".join(dict.fromkeys((_span(old), _span(new))))
        who, before, now = person(new.player, new.called), brief(old.method), brief(new.method)
        return [
            f"{who} in pool {new.pool}, {span}, as known at {old.known_at} and at {new.known_at}; {same}",
            f"method {now}" if old.method == new.method else f"methods {before} and {now}",
            *(_sentence(each[at]) for at in sorted(each)),
        ]


def _span(explanation: Explanation, word: Callable[[str], str] = str) -> str:
    """Describes in words the days that an explanation covers."""
    clock, since, through = explanation.clock, explanation.since, explanation.through
    what = word(EVERYTHING) if through == FOREVER else word(THROUGH) % {"day": clock.exact(through)}
    return what if since is None else word(SINCE) % {"day": clock.day(since), "what": what}


def _shown(row: Row, digits: int) -> Row:
    """Rounds a row for people, and names the opening and the closing in the column of the opponent."""
    rounded = _rounded(row, digits)
    return rounded | {"opponent": row["line"]} if row["line"] in ("opening", "closing") else rounded


def _rounded(row: Row, digits: int) -> Row:
    return {name: round(cell, digits) + 0.0 if isinstance(cell, float) else cell for name, cell in row.items()}


def _sentence(cause: Correction) -> str:
    """Describes a correction with its position, reason and actor."""
    notes = [f"{name}: {text}" for name, text in (("why", cause.why), ("by", cause.by)) if text]
    where = f"{cause.outcome}: {cause.uid}, at position {cause.position}, recorded {exact(cause.recorded)}"
    return visible("; ".join([where, *notes]))
