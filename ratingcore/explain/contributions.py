"""Makes the lines of an explanation from a replay: what each result, seed and adjustment adds to one rating."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.scores import GameShare
from ratingcore.columns.sides import Sides
from ratingcore.events import Instant
from ratingcore.explain.attribution import Attribution, Share
from ratingcore.explain.history import Lines, Words, described_lines, extra_cells, met
from ratingcore.explain.lines import ExplainedLine, Kind
from ratingcore.lists.policy import cell
from ratingcore.replay.ledger import BEFORE, RESULT, SEED, Ledger
from ratingcore.replay.replay import Replay


class _Seats(NamedTuple):
    """Partners and opponents of one member of a result, as indices into the members of all results."""

    partners: Sequence[int]
    opponents: Sequence[int]


def seats(replay: Replay, member: int) -> _Seats:
    """Returns the partners and opponents of a member."""
    results = replay.results
    if not isinstance(results, Sides):
        return _Seats((), (member ^ 1,))
    side = int(np.searchsorted(results.side, member, "right")) - 1
    result = int(np.searchsorted(results.result, side, "right")) - 1
    mine = range(int(results.side[side]), int(results.side[side + 1]))
    first, last = (int(results.side[results.result[r]]) for r in (result, result + 1))
    return _Seats([m for m in mine if m != member], [*range(first, mine.start), *range(mine.stop, last)])


def opposition(replay: Replay, ledger: Ledger, members: Sequence[int]) -> list[float]:
    """Returns the mean rating of each member's opponents just before the result; NaN if one of them is unrated.

    Parameters
    ----------
    ledger : Ledger
        Must contain every line of the opponents, unless the replay noted the ratings before each result.
    members : sequence of int
        Indices into the members of all results.
    """
    assert replay.moves is not None, "the replay was not asked to keep moves"
    against = [seats(replay, member).opponents for member in members]
    flat = np.array([m for opponents in against for m in opponents], dtype=np.int64)
    if replay.moves.held is not None:
        rating = replay.moves.held[flat]
    else:
        own = ledger.source[ledger.kind == RESULT]
        rating = ledger.before_results[np.searchsorted(own, flat)]
    ends = np.cumsum([len(opponents) for opponents in against])
    return [float(part.mean()) if len(part) else nan for part in np.split(rating, ends)[:-1]]


SHOWN = "shown by the list alone"
"""Label of the difference between the rating that the results led to and the rating that a list shows."""

OTHERS = "results of others"
"""Label of the change of a whole-pool rating between the player's own results."""

FOUND, LOST = "rated from here", "unrated from here"
"""Labels of the lines at which a refit first rates the player, or no longer does."""

TINY = 1e-9
"""Largest difference that is taken for a floating-point error."""


def contributions(replay: Replay, row: int) -> list[ExplainedLine]:
    """Returns the lines of the player in a row of the state; the replay must have kept its moves."""
    assert replay.moves is not None, "the replay was not asked to keep moves"
    members = np.flatnonzero(replay.member == row).tolist()
    # the ratings of opponents appear only in their own lines, unless the replay noted them
    met = [] if replay.moves.held is not None else [m for own in members for m in seats(replay, own).opponents]
    ledger = replay.ledger(np.unique([row, *replay.member[met].tolist()]))
    faced = dict(zip(members, opposition(replay, ledger, members), strict=True))
    lines = described_lines(replay, ledger.take(ledger.player == row))
    return list(_explained(replay, lines, faced))


def _explained(replay: Replay, lines: Lines, faced: Mapping[int, float]) -> Iterator[ExplainedLine]:
    own = lines.ledger
    contribution = np.where(own.counted(), _contribution(own), nan)
    facts = (own.kind, own.source, lines.played, lines.position, lines.score, lines.expected)
    columns = (column.tolist() for column in (*facts, contribution, own.rating))
    extra = extra_cells(replay.method, lines.extra, len(own))
    cells = zip(lines.opponents(replay), *columns, extra, strict=True)
    for label, kind, member, played, position, score, expected, moved, rating, further in cells:
        if kind != RESULT:
            yield ExplainedLine(
                "seed" if position else "line", played, None, position or None, label,
                contribution=cell(moved), rating=cell(rating), columns=further,
            )  # fmt: skip
            continue
        notes = _notes(replay, member)
        expected = notes.pop("expected", cell(expected))
        yield ExplainedLine(
            "result", played, None, position, label, _partners(replay, member), cell(faced[member]), score,
            expected, notes, cell(moved), cell(rating), columns=further,
        )  # fmt: skip


def _contribution(own: Ledger) -> Floats:
    """Returns what each line adds: a first rating adds its value, a lost one adds minus its value; NaN if unrated."""
    unrated, result = np.isnan(own.before), own.kind == RESULT
    added = np.where((own.kind == SEED) & unrated, own.rating, own.change)
    lost = np.isnan(own.rating) & ~result & (own.kind != BEFORE)
    nothing = result & unrated & (own.change == 0.0)  # was not rated; a rated result that moved nothing stays 0
    return np.where(lost, -own.before, np.where(nothing, nan, added))


def _partners(replay: Replay, member: int) -> tuple[str, ...]:
    return tuple(replay.view.name(int(replay.member[m])) for m in seats(replay, member).partners)


def _notes(replay: Replay, member: int) -> dict[str, float | None]:
    """Returns the notes on a member's result; where both sides of a game have a note, the member's own."""
    assert replay.moves is not None
    games, result = isinstance(replay.results, Games), int(replay.result_of(np.array(member)))
    mine, theirs = ("_a", "_b") if member % 2 == 0 else ("_b", "_a")
    notes: dict[str, float | None] = {}
    for name, column in replay.moves.notes.items():
        if games and name.endswith(theirs):
            continue
        notes[name.removesuffix(mine) if games else name] = cell(float(column[result]))
    return notes


# whole pools


def shares(replay: Replay, row: int, attribution: Attribution, opening: float, closing: float) -> list[ExplainedLine]:
    """Returns the lines of an attribution, with lines between them for the changes by results of others."""
    lines: list[ExplainedLine] = []
    rating = opening
    for share in attribution.shares:
        lines += _moved(_labelled("others", share.played, OTHERS), rating, share.before)
        line = _shared(replay, row, share)
        lines += _moved(line, share.before, share.after) or [evolve(line, rating=cell(share.after))]
        rating = share.after
    return lines + list(_moved(_labelled("others", replay.at, OTHERS), rating, closing))


def _labelled(kind: Kind, played: Instant, label: str) -> ExplainedLine:
    return ExplainedLine(kind, played, None, None, label)


def _moved(line: ExplainedLine, before: float, after: float) -> list[ExplainedLine]:
    """Returns the line from one rating to another; a rating that begins or ends gets a line of its own."""
    if isnan(before) and isnan(after):
        return []
    if not isnan(before) and not isnan(after):
        still = line.kind == "others" and before == after
        return [] if still else [evolve(line, contribution=after - before, rating=after)]
    whole = line if line.kind == "seed" else _labelled("line", line.played, LOST if isnan(after) else FOUND)
    given = evolve(whole, contribution=-before if isnan(after) else after, rating=cell(after))
    return [given] if whole is line else [evolve(line, rating=cell(before)), given]


def _shared(replay: Replay, row: int, share: Share) -> ExplainedLine:
    """Returns the line of a group of the player's results, or of a seed, without its contribution."""
    if share.seed is not None:
        position = int(replay.sown.seeds.position[share.seed])
        return ExplainedLine("seed", share.played, None, position, "seed", columns=share.columns)
    members = np.concatenate([_members(replay, result) for result in share.results])
    own = members[replay.member[members] == row]
    words = Words()
    opponent, score, _ = met(replay, own, words)
    if len(own) == 1:
        position = int(replay.results.position[share.results[0]])
        (label,) = words.read(replay, opponent)
        return ExplainedLine(
            "result", share.played, None, position, label, _partners(replay, int(own[0])), cell(share.opposition),
            score.tolist()[0], cell(float(share.expected[0])), columns=share.columns,
        )  # fmt: skip
    games = isinstance(replay.results, Games)
    points = GameShare(score.number.sum()) if games else None
    expected = cell(float(share.expected.sum())) if games else None
    label = f"{len(own)} results"
    return ExplainedLine(
        "results", share.played, None, None, label, (), cell(share.opposition), points, expected,
        columns=share.columns,
    )  # fmt: skip


def _members(replay: Replay, result: int) -> Ints:
    return np.arange(*replay.member_start[result : result + 2].tolist())


# the list's ratings


def listed(
    lines: list[ExplainedLine], opening: float, closing: float, start: float, at: tuple[Instant, Instant]
) -> None:
    """Adds a line at either end where the list shows a rating other than the results led to.

    Parameters
    ----------
    opening, closing : float
        Listed ratings.
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
    yield evolve(_labelled("line", at, SHOWN), contribution=change, rating=cell(after))
