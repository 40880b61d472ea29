"""Two explanations of one player side by side: which lines differ, and which corrections made them differ."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any, Literal

from attrs import evolve, frozen

from ratingcore.events import day, iso
from ratingcore.explain.causes import Correction
from ratingcore.explain.explanation import ExplainedLine, Explanation
from ratingcore.report.text import aligned, one_line

COLUMNS = (
    "change", "played", "uid", "opponent", "score", "new_score", "contribution", "new_contribution", "difference",
    "because", "corrections", "by", "why",
)  # fmt: skip

FOLLOWS = "follows"
"""Why a line differs, besides what corrections say of it: ratings, or facts about a player, moved before it."""

ASKED = "asked otherwise"
"""The same where another method, or other days, were asked for."""

_TINY = 1e-9


@frozen
class ChangedLine:
    """A line that two explanations have otherwise, or that only one of them has.

    Parameters
    ----------
    old, new : ExplainedLine or None
    causes : tuple of Correction
        What the log learnt about its event between the two; none where it differs because ratings before it do.
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
        """Whether no correction speaks about its event: it differs because something before it does."""
        return not self.causes

    @property
    def moved_before(self) -> bool:
        """Whether ratings before it differ, the player's own or his opponent's, whatever was said of its event."""
        if self.old is None or self.new is None:
            return False
        pairs = [(_before(self.old), _before(self.new))]
        if self.old.opponent == self.new.opponent:
            pairs.append((self.old.opposition, self.new.opposition))
        return any(was is not None and now is not None and abs(was - now) > _TINY for was, now in pairs)

    @property
    def difference(self) -> float:
        """What it contributes now less what it did."""
        return (self.new.amount if self.new else 0.0) - (self.old.amount if self.old else 0.0)


@frozen(repr=False)
class ExplanationDiff:
    """What one explanation says otherwise than another.

    `str` gives a table, `len` counts lines that differ, and iterating gives rows as dictionaries, with the opening
    and the closing rating. The differences of the opening and of the lines add up to that of the closing.
    """

    old: Explanation
    new: Explanation
    lines: tuple[ChangedLine, ...]
    same: int

    @classmethod
    def between(cls, old: Explanation, new: Explanation) -> "ExplanationDiff":
        """The differences from one explanation to another."""
        before, after = _keyed(old), _keyed(new)
        tiny = _TINY / (1 + len(before) + len(after))  # all that is taken for the same adds up to less than _TINY
        changed = [
            ChangedLine(before.get(key), after.get(key))
            for key in {**before, **after}
            if _differ(before.get(key), after.get(key), tiny)
        ]
        ordered = sorted(_caused(old, new, changed), key=lambda c: (c.line.played, c.line.position or 0))
        return cls(old, new, tuple(ordered), len({**before, **after}) - len(changed))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        return COLUMNS

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def opening(self) -> float:
        """New opening less old; no rating counts as 0."""
        return (self.new.opening or 0.0) - (self.old.opening or 0.0)

    @property
    def closing(self) -> float:
        """New closing less old; no rating counts as 0."""
        return (self.new.closing or 0.0) - (self.old.closing or 0.0)

    @property
    def residual(self) -> float:
        """What neither the opening nor a line tells of the difference of the closings: rounding of the last bits."""
        return fsum([self.closing, -self.opening, *(-line.difference for line in self.lines)])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        old, new, blank = self.old, self.new, dict.fromkeys(COLUMNS)
        yield blank | {
            "change": "opening", "contribution": old.opening, "new_contribution": new.opening,
            "difference": self.opening,
        }  # fmt: skip
        asked = [(told.method, told.since, told.through) for told in (old, new)]
        for line in self.lines:
            yield blank | _row(line, FOLLOWS if asked[0] == asked[1] else ASKED)
        yield blank | {
            "change": "closing", "contribution": old.closing, "new_contribution": new.closing,
            "difference": self.closing,
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join([*self.table(), *self.facts()])

    __repr__ = __str__

    def table(self, digits: int = 4) -> list[str]:
        """Lines that differ as aligned text, between the openings and the closings."""
        rows = [
            {name: round(cell, digits) + 0.0 if isinstance(cell, float) else cell for name, cell in row.items()}
            for row in self
        ]
        return aligned(COLUMNS[:-3], rows)

    def facts(self) -> list[str]:
        """What was compared, and every correction that made a line differ, a line a fact."""
        each = {cause.position: cause for line in self.lines for cause in line.causes}
        old, new = self.old, self.new
        same = f"{self.same} {'line is' if self.same == 1 else 'lines are'} the same"
        return [
            f"{new.player} in pool {new.pool}, as known at {old.known_at} and at {new.known_at}; {same}",
            *([f"method {new.method}"] if old.method == new.method else [f"methods {old.method} and {new.method}"]),
            *(_sentence(each[at]) for at in sorted(each)),
        ]


def _keyed(explanation: Explanation) -> dict[Any, ExplainedLine]:
    """Lines by what they are about: the event, or else label, time and number."""
    seen: Counter[Any] = Counter()
    lines: dict[Any, ExplainedLine] = {}
    for line in explanation.lines:
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


def _caused(old: Explanation, new: Explanation, changed: list[ChangedLine]) -> list[ChangedLine]:
    """The lines with what the log learnt about their events between the two."""
    low, high = sorted((old.known_at, new.known_at))
    positions = [c.line.position for c in changed if c.line.position is not None]
    causes = max((old, new), key=lambda explanation: explanation.known_at).causes  # whose log holds all of it
    if causes is None or low == high or not positions:
        return changed
    found = causes.between(low, high, positions, new.subject)
    told = []
    for line in changed:
        at, uid = line.line.position, line.line.uid
        because = found.get(at, ()) if at is not None else ()
        if at is not None and uid is not None and at > low:
            because = (causes.late(at, uid), *because)
        told.append(evolve(line, causes=because))
    return told


def _row(changed: ChangedLine, otherwise: str) -> dict[str, Any]:
    line, old, new, causes = changed.line, changed.old, changed.new, changed.causes
    because = [*map(str, causes), *([otherwise] if not causes or changed.moved_before else [])]
    return {
        "change": changed.change, "played": day(line.played), "uid": line.uid, "opponent": line.opponent,
        "score": old and old.score, "new_score": new and new.score,
        "contribution": old and old.contribution, "new_contribution": new and new.contribution,
        "difference": changed.difference, "because": "; ".join(because),
        "corrections": " ".join(c.uid for c in causes) or None,
        "by": "; ".join(dict.fromkeys(c.by for c in causes if c.by)) or None,
        "why": "; ".join(dict.fromkeys(c.why for c in causes if c.why)) or None,
    }  # fmt: skip


def _sentence(cause: Correction) -> str:
    """A correction with all that is known of it."""
    notes = [f"{name}: {text}" for name, text in (("why", cause.why), ("by", cause.by)) if text]
    where = f"{cause.says}: {cause.uid}, at position {cause.position}, recorded {iso(cause.recorded)}"
    return one_line("; ".join([where, *notes]))
