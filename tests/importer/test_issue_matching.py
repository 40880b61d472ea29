"""Which result of a new issue is which of the last one, where names were erased."""

from typing import Any

from ratingcore.engine import open_engine
from ratingcore.events import GamePlayed, SessionPlayed, Side
from ratingcore.importer.issue_matching import DOCUMENT, NewResult, labelled, matched
from ratingcore.importer.last_issues import GivenResult

DAY = "2024-03-02"


def game(a: str, b: str, score: float, turn: int = 1) -> GamePlayed:
    return GamePlayed(pool="club", played=DAY, a=a, b=b, score=score, order=1000 * turn, uid=f"{a}-{b}-{turn}")


def given(*games: GamePlayed) -> list[GivenResult]:
    """Results of the last issue, as the log has them."""
    with open_engine(":memory:") as engine:
        engine.record(*(game(f"x{n}", "y", 0.5) for n in range(len(games))))
        return [GivenResult(row, one, one) for row, one in zip(engine.log.rows(), games, strict=True)]


def pairs(news: list[GamePlayed], last: list[GivenResult]) -> list[tuple[Any, ...]]:
    """Each new game with the uid of the one it is."""
    found = matched([NewResult(line, one) for line, one in enumerate(news, 1)], last, DOCUMENT)
    assert (found.fresh, found.missing) == ([], [])
    return [(one.new.event, one.last.event.uid) for one in found.both]


def test_of_two_erased_opponents_the_one_with_the_same_score_is_meant_whoever_sits_first() -> None:
    last = given(game("(erased 7)", "bo", 1.0), game("(erased 8)", "bo", 0.0))
    news = [game("bo", "dy", 1.0), game("bo", "cy", 0.0)]  # bo won against 8, and lost to 7
    assert [(one.a, one.b, one.score, uid) for one, uid in pairs(news, last)] == [
        ("bo", "(erased 8)", 1.0, "(erased 8)-bo-1"),
        ("bo", "(erased 7)", 0.0, "(erased 7)-bo-1"),
    ]


def test_a_player_who_was_there_is_no_erased_one() -> None:
    last = given(game("(erased 7)", "bo", 1.0), game("cy", "di", 1.0))
    found = matched([NewResult(1, game("cy", "bo", 1.0))], last, DOCUMENT)
    assert (found.both, len(found.fresh), len(found.missing)) == ([], 1, 2)


def test_a_side_that_has_grown_gets_no_label() -> None:
    def session(*sides: tuple[str, ...]) -> SessionPlayed:
        return SessionPlayed(pool="club", played=DAY, sides=[Side(names, 1.0 - n) for n, names in enumerate(sides)])

    last = session(("(erased 7)", "bo"), ("cy", "di"))
    for sides in [(("ed", "flo", "bo"), ("cy", "di")), (("bo",), ("cy", "di"))]:
        assert labelled(session(*sides), last).sides == session(*sides).sides
    assert labelled(session(("cy", "di"), ("bo", "ed")), last).sides[1].players == ("bo", "(erased 7)")
