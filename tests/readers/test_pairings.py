"""Cross tables: every game told twice, joined, and refused where the two tellings disagree."""

import pytest

from ratingcore.readers import Cell, Pairing, Reason, Refused, Unrated, pairings


def joined(*cells: Cell) -> list[Pairing | Unrated | Refused]:
    return list(pairings(cells, ["1", "2", "3"]))


def test_a_game_comes_once_with_white_first() -> None:
    (pairing,) = joined(Cell(1, "1", "2", 1, 0.0, "b"), Cell(2, "2", "1", 1, 1.0, "w"))
    assert isinstance(pairing, Pairing)
    white, black = pairing.with_colour("w")
    assert (white.player, black.player, white.outcome) == ("2", "1", 1.0)


@pytest.mark.parametrize(("scores", "reason"), [((0.0, 0.0), "both lost"), ((1.0, 1.0), "both won")])
def test_two_losers_or_two_winners_are_unrated(scores: tuple[float, float], reason: str) -> None:
    assert joined(Cell(1, "1", "2", 1, scores[0]), Cell(2, "2", "1", 1, scores[1])) == [Unrated(1, reason)]


@pytest.mark.parametrize(
    "other",
    [
        Cell(2, "2", "1", 1, 0.5),
        Cell(2, "2", "3", 1, 0.0),
        Cell(2, "2", "1", 2, 0.0),
        Cell(2, "2", "1", 1, "forfeit"),
        Cell(2, "2", "1", 1, 0.0, "w"),
        Cell(2, "2", "1", 1, 0.0, handicap=3),
    ],
)
def test_cells_that_disagree_are_one_refusal_at_the_earlier_line(other: Cell) -> None:
    assert isinstance(joined(Cell(1, "1", "2", 1, 1.0), other)[0], Refused)


def test_all_games_with_one_flaw_have_one_cause() -> None:
    scores = ((1.0, 0.5), (0.0, 0.5), (0.5, 1.0))
    cells = [
        cell
        for turn, (one, other) in enumerate(scores, 1)
        for cell in (Cell(1, "1", "2", turn, one), Cell(2, "2", "1", turn, other))
    ]
    reasons = [one.reason for one in joined(*cells) if isinstance(one, Refused)]
    assert [(reason.cause, reason.facts["value"]) for reason in reasons if isinstance(reason, Reason)] == [
        ("the two rows have results that do not match", given) for given in ("1 and 0.5", "0 and 0.5", "0.5 and 1")
    ]


def test_an_opponent_who_is_not_in_the_file_or_is_oneself_is_refused() -> None:
    assert [type(one) for one in joined(Cell(1, "1", "9", 1, 1.0), Cell(1, "1", "1", 2, 1.0))] == [Refused, Refused]
