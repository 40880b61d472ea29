"""Lines that differ between two explanations of one player, and the corrections that made them differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, frozen

from ratingcore.events import Clock
from ratingcore.events.zones import UTC
from ratingcore.explain.causes import Causes, Correction
from ratingcore.explain.lines import ExplainedLine, Row, notes_of

COLUMNS = (
    "change", "played", "uid", "opponent", "score", "new_score", "contribution", "new_contribution", "difference",
    "because", "corrections", "by", "why",
)  # fmt: skip

FOLLOWS = "follows"
"""Why a line differs, besides its corrections: ratings, or facts about a player, changed before it."""

ASKED = "asked otherwise"
"""The same where the two explanations are of different methods or days."""

_TINY = 1e-9


@frozen
class ChangedLine:
    """A line that differs between two explanations, or that only one of them has.

    Parameters
    ----------
    old, new : ExplainedLine or None
    causes : tuple of Correction
        What the log learnt about its event between the two; none if it differs because earlier ratings do.
    """

    old: ExplainedLine | None
    new: ExplainedLine | None
    causes: tuple[Correction, ...] = ()

    @property
    def line(self) -> ExplainedLine:
        """The line as it is now, or as it was if it is gone."""
        line = self.new or self.old
        assert line is not None
        return line

    @property
    def change(self) -> Literal["gone", "new", "changed"]:
        """What became of the line."""
        return "gone" if self.new is None else "new" if self.old is None else "changed"

    @property
    def follows(self) -> bool:
        """Whether it differs only because something before it does: no correction is about its event."""
        return not self.causes

    @property
    def moved_before(self) -> bool:
        """Whether ratings before it differ, the player's own or the opponent's, with or without a correction."""
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
        """The cells of the line.

        Parameters
        ----------
        otherwise : str
            Why it differs, besides its causes.
        clock : Clock
            On which its time is.
        """
        line, old, new = self.line, self.old, self.new
        by, why = notes_of(self.causes)
        because = [*map(str, self.causes), *([otherwise] if not self.causes or self.moved_before else [])]
        return {
            "change": self.change, "played": clock.day(line.played), "uid": line.uid, "opponent": line.opponent,
            "score": old and old.score, "new_score": new and new.score,
            "contribution": old and old.contribution, "new_contribution": new and new.contribution,
            "difference": self.difference, "because": "; ".join(because),
            "corrections": " ".join(c.uid for c in self.causes) or None, "by": by, "why": why,
        }  # fmt: skip

    def caused(self, corrections: Mapping[int, tuple[Correction, ...]], causes: Causes, low: int) -> "ChangedLine":
        """The line with the corrections of its event, and the event itself if it was recorded after `low`."""
        at, uid = self.line.position, self.line.uid
        if at is None:
            return self
        late = (causes.late(at, uid),) if uid is not None and at > low else ()
        return evolve(self, causes=(*late, *corrections.get(at, ())))


def changed_lines(old: Sequence[ExplainedLine], new: Sequence[ExplainedLine]) -> tuple[list[ChangedLine], int]:
    """Lines that differ, and how many do not."""
    before, after = _keyed(old), _keyed(new)
    keys = {**before, **after}
    tiny = _TINY / (1 + len(before) + len(after))  # all that is taken for the same adds up to less than _TINY
    changed = [
        ChangedLine(before.get(key), after.get(key)) for key in keys if _differ(before.get(key), after.get(key), tiny)
    ]
    return changed, len(keys) - len(changed)


def _keyed(explained: Sequence[ExplainedLine]) -> dict[Any, ExplainedLine]:
    """Lines by what they are about: the event, or else label, time and number."""
    seen: Counter[Any] = Counter()
    lines: dict[Any, ExplainedLine] = {}
    for line in explained:
        key: Any = line.position if line.position is not None else (line.opponent, line.played)
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
