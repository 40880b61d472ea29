"""The histories of all players at once, as columns: what tables of histories are filled from."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.methods.kernels import kernel
from ratingcore.replay.record import Replay
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.sides import Sides

_ADDED, _PLANTED, _SETTLED = range(3)
"""What a line does to a rating: adds to it; sets it; adds to it, or makes it of what has waited for one."""

_RESULT = 2**40
"""A result comes after all else that stands at its place."""


class _Lines(NamedTuple):
    """Lines of one kind: before which member of the results they stand, and in which order there."""

    member: Ints
    order: Ints
    player: Ints
    played: Ints
    position: Ints
    opponent: Ints
    score: Floats
    expected: Floats
    moved: Floats
    does: Ints


@frozen(eq=False)
class Lines:
    """Lines of all players, those of one player side by side and in order of play: `history`, as columns.

    Parameters
    ----------
    player : (n,) int
        Row of the state.
    played : (n,) int
    position : (n,) int
        0 for what no event moved.
    opponent : (n,) int
        Row of the opponent; below 0 the words `words[-1 - opponent]`.
    score, expected : (n,) float64
        NaN for what is no result.
    moved : (n,) float64
        What is added to the rating, or for a seed the rating.
    does : (n,) int
    words : list of str
        Labels, and sides of more than one player.
    """

    player: Ints
    played: Ints
    position: Ints
    opponent: Ints
    score: Floats
    expected: Floats
    moved: Floats
    does: Ints
    words: list[str]

    def __len__(self) -> int:
        return len(self.player)

    def running(self, start: Floats, waiting: Floats) -> tuple[Floats, Floats]:
        """Change and rating of every line.

        Parameters
        ----------
        start : (players,) float64
            Rating of each player before the first line, NaN for the unrated.
        waiting : (players,) float64
            What has moved each unrated player so far, and counts once there is a rating.
        """
        change, rating = np.empty(len(self)), np.empty(len(self))
        _run(self.player, self.moved, self.does, start, waiting, change, rating)
        return change, rating


@kernel
def _run(
    player: Ints, moved: Floats, does: Ints, start: Floats, waiting: Floats, change: Floats, rating: Floats
) -> None:  # fmt: skip
    now, later = 0.0, 0.0
    for n in range(len(player)):
        i = player[n]
        if n == 0 or i != player[n - 1]:
            now, later = start[i], waiting[i]
        change[n] = moved[n]
        if does[n] == 1:
            change[n] = moved[n] - now
            now = moved[n]
        elif now == now:
            now += moved[n]
        elif does[n] == 2:
            now = later + moved[n]
        else:
            later += moved[n]
        if now == now or does[n] == 2:
            later = 0.0
        rating[n] = now


class _Words(dict[str, int]):
    """Codes of words, below 0; a new word gets the next code."""

    def __missing__(self, word: str) -> int:
        self[word] = code = -1 - len(self)
        return code


def lines(replay: Replay) -> Lines:
    """Every line of every player of a replay that kept its moves; of a retrospective one, its track."""
    words = _Words()
    if replay.moves is None:
        return _in_order([_tracked(replay, words)], words)
    return _in_order([_results(replay, words), *_before(replay, words), *_between(replay, words)], words)


def _in_order(parts: list[_Lines], words: _Words) -> Lines:
    if len(parts) == 1:
        (table,) = parts
        order = np.argsort(table.player, kind="stable")
    else:
        table = _Lines(*map(np.concatenate, zip(*parts, strict=True)))
        order = np.lexsort((table.order, table.member, table.player))
    return Lines(
        table.player[order], table.played[order], table.position[order], table.opponent[order], table.score[order],
        table.expected[order], table.moved[order], table.does[order], list(words),
    )  # fmt: skip


def _results(replay: Replay, words: _Words) -> _Lines:
    results, moves = replay.results, replay.moves
    assert moves is not None
    start = replay.member_start
    result = np.repeat(np.arange(len(results)), np.diff(start))
    if isinstance(results, Sides):
        opponent, score, expected = _of_sides(results, moves.expected, replay.view.names(), words)
    else:
        opponent = np.column_stack([results.b, results.a]).reshape(-1)
        score = np.column_stack([results.score, 1.0 - results.score]).reshape(-1)
        expected = np.column_stack([moves.expected, 1.0 - moves.expected]).reshape(-1)
    n = len(result)
    return _Lines(
        np.arange(n), np.full(n, _RESULT), replay.member, results.played[result], results.position[result], opponent,
        score, expected, moves.change, np.full(n, _ADDED),
    )  # fmt: skip


def _of_sides(results: Sides, expected: Floats, names: list[str], words: _Words) -> tuple[Ints, Floats, Floats]:
    """Opponent, score and expected score of every member: the other side if there is one, else how many there are."""
    size, count = np.diff(results.side), np.diff(results.result)
    called = results.player[np.minimum(results.side[:-1], max(len(results.player) - 1, 0))].astype(np.int64)
    for side in np.flatnonzero(size != 1).tolist():
        seated = results.player[results.side[side] : results.side[side + 1]]
        called[side] = words[" + ".join(names[player] for player in seated.tolist())]
    first = np.repeat(results.result[:-1], count)
    others = np.repeat(count, count) - 1
    opponent = np.empty(len(size), dtype=np.int64)
    paired = others == 1
    mine = np.flatnonzero(paired)
    opponent[paired] = called[2 * first[mine] + 1 - mine]
    for many in np.unique(others[~paired]).tolist():
        opponent[others == many] = words[f"{many} sides"]
    side_of = np.repeat(np.arange(len(size)), size)
    return opponent[side_of], results.score[side_of], expected[side_of]


def _before(replay: Replay, words: _Words) -> Iterator[_Lines]:
    """What moved players just before a result and not by it."""
    assert replay.moves is not None
    for number, (label, moved) in enumerate(replay.moves.before.items()):
        at = np.flatnonzero(moved != 0.0)
        result = np.searchsorted(replay.member_start, at, "right") - 1
        played = replay.results.played[result]
        yield _labelled(words[label], at, np.full(len(at), number), replay.member[at], played, moved[at], _ADDED)


def _between(replay: Replay, words: _Words) -> Iterator[_Lines]:
    """Seeds, and what was settled at the end of calls: before the next result, in the order of calls."""
    assert replay.moves is not None
    sown, parts = replay.sown, []
    if len(sown.index):
        given = sown.seeds.position > 0  # a first rating that the replay made stands at no position
        label = np.where(given, words["seed"], words["first rating"])
        seeds = _labelled(label, sown.index, sown.call, sown.seeds.player, sown.seeds.played, sown.rating, _PLANTED)
        parts.append((np.arange(len(given)), seeds._replace(position=np.where(given, sown.seeds.position, 0))))
    for turn, line in enumerate(replay.moves.after):
        who = np.flatnonzero(line.amount != 0.0)
        at, call, played = (np.full(len(who), value) for value in (line.index, line.call, line.at))
        settled = _labelled(words[line.label], at, call, who, played, line.amount[who], _SETTLED)
        parts.append((np.full(len(who), turn), settled))
    if not parts:
        return
    number = np.concatenate([numbers for numbers, _ in parts])
    table = _Lines(*map(np.concatenate, zip(*(lines for _, lines in parts), strict=True)))
    order = np.lexsort((number, table.does, table.order, table.member))  # until here: the result and the call
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(-len(order), 0)
    at = np.minimum(table.member, len(replay.results))
    yield table._replace(member=replay.member_start[at], order=place)


def _labelled(
    label: Ints | int, member: Ints, order: Ints, player: Ints, played: Ints, moved: Floats, does: int
) -> _Lines:
    """Lines that are no results."""
    n = len(member)
    nothing, nowhere = np.full(n, np.nan), np.zeros(n, dtype=np.int64)
    opponent = np.full(n, label) if isinstance(label, int) else label
    return _Lines(member, order, player, played, nowhere, opponent, nothing, nothing, moved, np.full(n, does))


def _tracked(replay: Replay, words: _Words) -> _Lines:
    """What a retrospective method says of the past."""
    track, nobody = replay.track, np.empty(0, dtype=np.int64)
    if track is None:
        return _labelled(words["as seen from now"], nobody, nobody, nobody, nobody, np.empty(0), _PLANTED)
    place = np.arange(len(track.player))
    rating = track.columns["rating"]
    return _labelled(words["as seen from now"], place, place, track.player, track.day, rating, _PLANTED)
