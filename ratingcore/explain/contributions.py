"""From a replay to the lines of an explanation: what each result, seed and label contributed to one rating."""

from collections.abc import Iterator, Sequence
from math import isnan, nan

from attrs import evolve

from ratingcore.events import Instant
from ratingcore.explain.attribution import Attribution, Share
from ratingcore.explain.explanation import ExplainedLine, Kind
from ratingcore.explain.history import AFTER, BEFORE, Walked, beheld, walked
from ratingcore.explain.opposition import opposition, seats
from ratingcore.replay.record import Replay
from ratingcore.tables.games import Games

SHOWN = "shown by the list alone"
"""Label of what a method's list says beyond the rating as its results left it."""

OTHERS = "results of others"
"""Label of what moved a whole-pool rating between own results."""

FOUND, LOST = "rated from here", "unrated from here"
"""Labels of a rating that a refit gives or takes away: no difference of two numbers, and told apart."""

TINY = 1e-9
"""What sums of floats may be off by."""


def contributions(replay: Replay, row: int) -> list[ExplainedLine]:
    """Lines of a replay that kept its moves, those of the player in a row of the state."""
    steps = list(walked(replay, row))
    members = [step.member for step, _, _ in steps if step.member is not None]
    faced = dict(zip(members, opposition(replay, members), strict=True))
    lines: list[ExplainedLine] = []
    waiting: list[int] = []
    rating = float(replay.start[row])
    for walk in steps:
        if walk.step.planted is not None or (isnan(walk.rating) and walk.step.phase == AFTER):
            _forget(lines, waiting)  # what was told of an unrated player came to nothing
            waiting = []
        lines.append(_line(replay, walk, rating, faced))
        rating = walk.rating
        waiting = [*waiting, len(lines) - 1] if isnan(rating) and walk.step.phase != AFTER else []
    _forget(lines, waiting)
    return lines


def _forget(lines: list[ExplainedLine], which: Sequence[int]) -> None:
    for n in which:
        lines[n] = evolve(lines[n], contribution=None)


def _line(replay: Replay, walk: Walked, before: float, faced: dict[int, float]) -> ExplainedLine:
    step, change, rating = walk
    if step.member is None:
        kind: Kind = "line" if step.position is None else "seed"
        contribution = _known(_apart_from_results(walk, before))
        return ExplainedLine(
            kind, step.played, None, step.position, step.label, contribution=contribution, rating=_known(rating)
        )
    partners = tuple(replay.view.name(int(replay.member[m])) for m in seats(replay, step.member).partners)
    notes = _notes(replay, step.at, step.member)
    expected = notes.pop("expected", _known(step.expected))
    contribution = None if isnan(before) and change == 0.0 else _known(change)
    return ExplainedLine(
        "result", step.played, None, step.position, step.label, partners, _known(faced[step.member]),
        _known(step.score), expected, notes, contribution, _known(rating),
    )  # fmt: skip


def _apart_from_results(walk: Walked, before: float) -> float:
    """What a seed or a label contributed: of the unrated the whole rating, of who is so from here all of it less."""
    step, change, rating = walk
    if isnan(rating) and step.phase != BEFORE:
        return -before
    return rating if step.planted is not None and isnan(before) else change


def _notes(replay: Replay, result: int, member: int) -> dict[str, float | None]:
    """Notes of a result; of those told for both sides, the own one."""
    assert replay.moves is not None
    games = isinstance(replay.results, Games)
    mine, theirs = ("_a", "_b") if member % 2 == 0 else ("_b", "_a")
    notes: dict[str, float | None] = {}
    for name, column in replay.moves.notes.items():
        if games and name.endswith(theirs):
            continue
        notes[name.removesuffix(mine) if games else name] = _known(float(column[result]))
    return notes


# whole pools


def shares(replay: Replay, row: int, attribution: Attribution, opening: float, closing: float) -> list[ExplainedLine]:
    """Lines of an attribution, and between them what the pool moved otherwise."""
    lines: list[ExplainedLine] = []
    rating = opening
    for share in attribution.shares:
        lines += _moved(_labelled("others", share.played, OTHERS), rating, share.before)
        line = _shared(replay, row, share)
        lines += _moved(line, share.before, share.after) or [evolve(line, rating=_known(share.after))]
        rating = share.after
    return lines + list(_moved(_labelled("others", replay.at, OTHERS), rating, closing))


def _labelled(kind: Kind, played: Instant, label: str) -> ExplainedLine:
    return ExplainedLine(kind, played, None, None, label)


def _moved(line: ExplainedLine, before: float, after: float) -> list[ExplainedLine]:
    """A line from one rating to another; where one of them is none, a line of its own takes the whole rating."""
    if isnan(before) and isnan(after):
        return []
    if not isnan(before) and not isnan(after):
        still = line.kind == "others" and before == after
        return [] if still else [evolve(line, contribution=after - before, rating=after)]
    whole = line if line.kind == "seed" else _labelled("line", line.played, LOST if isnan(after) else FOUND)
    given = evolve(whole, contribution=-before if isnan(after) else after, rating=_known(after))
    return [given] if whole is line else [evolve(line, rating=_known(before)), given]


def _shared(replay: Replay, row: int, share: Share) -> ExplainedLine:
    """The facts of own results taken together, or of a seed."""
    if share.seed is not None:
        position = int(replay.sown.seeds.position[share.seed])
        return ExplainedLine("seed", share.played, None, position, "seed")
    seen = [beheld(replay, result, row) for result in share.results]
    if len(seen) == 1:
        ((member, label, score),) = seen
        partners = tuple(replay.view.name(int(replay.member[m])) for m in seats(replay, member).partners)
        position = int(replay.results.position[share.results[0]])
        return ExplainedLine(
            "result", share.played, None, position, label, partners, _known(share.opposition), score,
            _known(float(share.expected[0])),
        )  # fmt: skip
    games = isinstance(replay.results, Games)
    points = sum(score for _, _, score in seen) if games else None
    expected = _known(float(share.expected.sum())) if games else None
    label = f"{len(seen)} results"
    return ExplainedLine(
        "results", share.played, None, None, label, (), _known(share.opposition), points, expected
    )  # fmt: skip


# what the list shows


def listed(
    lines: list[ExplainedLine], opening: float, closing: float, start: float, at: tuple[Instant, Instant]
) -> None:
    """Put a line before and behind the others where a list shows another rating than the results left.

    Parameters
    ----------
    opening, closing : float
        As the lists show them.
    start : float
        The rating the first line starts from.
    at : (instant, instant)
        When the lists were made.
    """
    end = next((nan if line.rating is None else line.rating for line in reversed(lines)), start)
    lines[:0] = _apart(opening, start, at[0])
    lines += _apart(end, closing, at[1])


def _apart(before: float, after: float, at: Instant) -> Iterator[ExplainedLine]:
    if abs(after - before) <= TINY or (isnan(before) and isnan(after)):
        return
    change = (0.0 if isnan(after) else after) - (0.0 if isnan(before) else before)
    yield evolve(_labelled("line", at, SHOWN), contribution=change, rating=_known(after))


def _known(number: float | None) -> float | None:
    return None if number is None or number != number else number
