"""The lines of an explanation, and the differences between the lines of two explanations of one player."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Literal

from attrs import evolve, field, frozen

from ratingcore.columns.scores import Score
from ratingcore.events import Clock, Instant
from ratingcore.events.zones import UTC
from ratingcore.explain.correction_history import Causes, Correction
from ratingcore.lists.policy import Cell
from ratingcore.read_only import read_only
from ratingcore.replay.ledger import OTHER_POOL

Row = dict[str, object]
"""Cells by name; each note of a method is a cell of its own."""

Kind = Literal["result", "results", "seed", "line", "others"]
"""One result; several results; a rating from outside; a line with a label; a change by results of others."""

Notes = Mapping[str, float | None]
"""A method's notes on a result, by name; None where a note is missing."""


Columns = Mapping[str, Cell]
"""A method's further listed columns, by name."""


@frozen
class ExplainedLine:
    """One cause of a rating: a result, a seed, or a line with a label.

    Parameters
    ----------
    kind : {"result", "results", "seed", "line", "others"}
    played : int
    uid, position : str and int, or None
        The event, if the line is about a single one.
    opponent : str
        The other side, or the number of other sides; the label of a line that is not about results.
    partners : tuple of str
        The others on the player's own side.
    opposition : float or None, rating points
        Mean rating of the opponents before the result; None if one of them was unrated.
    score : GameShare, SessionPoints or None
        Score of the player's side; both types are numbers.
    expected : float or None
        Expected score of the player's side.
    notes : mapping of name to float or None
        The method's notes on the result, such as the k used; where both sides have a note, the player's own.
    contribution : float or None, rating points
        Points that the line added to the rating; None for a result that left the player unrated.
    rating : float or None, rating points
        Rating after the line; None while unrated.
    columns : mapping of name to cell
        Further listed columns after the line, such as a deviation.
    corrections : tuple of Correction
        Later corrections of the event.
    """

    kind: Kind
    played: Instant
    uid: str | None
    position: int | None
    opponent: str
    partners: tuple[str, ...] = ()
    opposition: float | None = None
    score: Score | None = None
    expected: float | None = None
    notes: Notes = field(factory=dict, converter=read_only, hash=False)
    contribution: float | None = None
    rating: float | None = None
    corrections: tuple[Correction, ...] = ()
    columns: Columns = field(factory=dict, converter=read_only, hash=False)

    @property
    def amount(self) -> float:
        """The contribution; 0 if missing."""
        return self.contribution or 0.0

    def corrected(self) -> str:
        """Describes the corrections briefly."""
        return "; ".join(map(str, self.corrections))

    def named(self, uids: Mapping[int, str], corrections: Mapping[int, tuple[Correction, ...]]) -> "ExplainedLine":
        """Returns the line with the uid and the corrections of its event, both looked up by position."""
        if self.position is None:
            return self
        return evolve(self, uid=uids[self.position], corrections=corrections.get(self.position, ()))

    def row(self, clock: Clock = UTC) -> Row:
        """Returns the cells of the line, with its time on the given clock."""
        by, why = notes_of(self.corrections)
        return {
            "line": self.kind, "played": clock.day(self.played), "uid": self.uid, "opponent": self.opponent,
            "partners": " + ".join(self.partners) or None, "opposition": self.opposition, "score": self.score,
            "expected": self.expected, **self.notes, "contribution": self.contribution, "rating": self.rating,
            "corrected": self.corrected() or None, "corrections": " ".join(c.uid for c in self.corrections) or None,
            "by": by, "why": why,
        }  # fmt: skip


def notes_of(corrections: Sequence[Correction]) -> tuple[str | None, str | None]:
    """Returns the actors and the reasons of corrections, each once; None if there are none."""
    by = "; ".join(dict.fromkeys(c.by for c in corrections if c.by)) or None
    why = "; ".join(dict.fromkeys(c.why for c in corrections if c.why)) or None
    return by, why


COLUMNS = (
    "change", "played", "uid", "opponent", "score", "new_score", "contribution", "new_contribution", "difference",
    "because", "corrections", "by", "why",
)  # fmt: skip

FOLLOWS = "follows"
"""Reason why a line differs, besides its corrections: ratings or facts about a player changed before it."""

ELSEWHERE = "another pool"
"""The same reason for a first rating from another pool: something was corrected there."""

OTHER_QUESTION = "another method or day"
"""The same reason where the two explanations are of different methods or days."""

_TINY = 1e-9


@frozen
class ChangedLine:
    """A line that differs between two explanations, or that only one of them has.

    Parameters
    ----------
    old, new : ExplainedLine or None
    causes : tuple of Correction
        Corrections of its event recorded between the two; empty if it differs only because earlier ratings do.
    """

    old: ExplainedLine | None
    new: ExplainedLine | None
    causes: tuple[Correction, ...] = ()

    @property
    def line(self) -> ExplainedLine:
        """The new line, or the old one if it is gone."""
        line = self.new or self.old
        assert line is not None
        return line

    @property
    def change(self) -> Literal["gone", "new", "changed"]:
        """The kind of change."""
        return "gone" if self.new is None else "new" if self.old is None else "changed"

    @property
    def follows(self) -> bool:
        """True if it differs only because an earlier line does: its event has no correction."""
        return not self.causes

    @property
    def moved_before(self) -> bool:
        """True if ratings before it differ, the player's own or the opponent's, with or without a correction."""
        if self.old is None or self.new is None:
            return False
        pairs = [(_before(self.old), _before(self.new))]
        if self.old.opponent == self.new.opponent:
            pairs.append((self.old.opposition, self.new.opposition))
        return any(was is not None and now is not None and abs(was - now) > _TINY for was, now in pairs)

    @property
    def difference(self) -> float:
        """New contribution less the old one."""
        return (self.new.amount if self.new else 0.0) - (self.old.amount if self.old else 0.0)

    def row(self, otherwise: str, clock: Clock = UTC) -> Row:
        """Returns the cells of the line.

        Parameters
        ----------
        otherwise : str
            Reason why it differs, besides its causes.
        clock : Clock
            Clock in which its time is given.
        """
        line, old, new = self.line, self.old, self.new
        by, why = notes_of(self.causes)
        if otherwise == FOLLOWS and line.kind == "line" and line.opponent == OTHER_POOL:
            otherwise = ELSEWHERE
        because = [*map(str, self.causes), *([otherwise] if not self.causes or self.moved_before else [])]
        return {
            "change": self.change, "played": clock.day(line.played), "uid": line.uid, "opponent": line.opponent,
            "score": old and old.score, "new_score": new and new.score,
            "contribution": old and old.contribution, "new_contribution": new and new.contribution,
            "difference": self.difference, "because": "; ".join(because),
            "corrections": " ".join(c.uid for c in self.causes) or None, "by": by, "why": why,
        }  # fmt: skip

    def caused(self, corrections: Mapping[int, tuple[Correction, ...]], causes: Causes, low: int) -> "ChangedLine":
        """Returns the line with the corrections of its event, and with the event itself if recorded after `low`."""
        at, uid = self.line.position, self.line.uid
        if at is None:
            return self
        late = (causes.late(at, uid),) if uid is not None and at > low else ()
        return evolve(self, causes=(*late, *corrections.get(at, ())))


def changed_lines(old: Sequence[ExplainedLine], new: Sequence[ExplainedLine]) -> tuple[list[ChangedLine], int]:
    """Returns the lines that differ, in the order of rating, and the number of lines that do not."""
    before, after = _keyed(old), _keyed(new)
    keys = _in_order(before, after)
    tiny = _TINY / (1 + len(before) + len(after))  # ignored differences add up to less than _TINY
    changed = [
        ChangedLine(before.get(key), after.get(key)) for key in keys if _differ(before.get(key), after.get(key), tiny)
    ]
    return changed, len(keys) - len(changed)


def _in_order(before: Iterable[Hashable], after: Collection[Hashable]) -> list[Hashable]:
    """Returns the keys of both: the new ones in their order, and each that is gone after the one it followed."""
    gone: dict[Hashable, list[Hashable]] = {}
    last: Hashable = None
    for key in before:
        if key in after:
            last = key
        else:
            gone.setdefault(last, []).append(key)
    return [*gone.get(None, ()), *(one for key in after for one in (key, *gone.get(key, ())))]


def _keyed(explained: Sequence[ExplainedLine]) -> dict[Hashable, ExplainedLine]:
    """Returns lines by the position of their event, or else by label and time, with a running number."""
    seen: Counter[Hashable] = Counter()
    lines: dict[Hashable, ExplainedLine] = {}
    for line in explained:
        key: Hashable = line.position if line.position is not None else (line.opponent, line.played)
        seen[key] += 1
        lines[key, seen[key]] = line
    return lines


def _differ(old: ExplainedLine | None, new: ExplainedLine | None, tiny: float) -> bool:
    if old is None or new is None:
        return True
    if (old.played, old.opponent, old.partners) != (new.played, new.opponent, new.partners):
        return True
    return any(
        (one is None) != (other is None) or (one is not None and other is not None and abs(one - other) > tiny)
        for one, other in zip(_numbers(old), _numbers(new), strict=True)
    )


def _before(line: ExplainedLine) -> float | None:
    return None if line.rating is None else line.rating - line.amount


def _numbers(line: ExplainedLine) -> Sequence[float | None]:
    return line.opposition, line.score, line.expected, line.contribution
