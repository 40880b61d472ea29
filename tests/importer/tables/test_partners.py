"""Columns of partners in tables of games."""

import pytest

from ratingcore.importer.tables.partners import is_of_partners
from ratingcore.readers import Made, Refused

from .conftest import Read


@pytest.mark.parametrize(
    ("header", "mapped"),
    [
        ("player 1,partner,player 2,opp. partner", "a=player 1,b=player 2,partner="),
        ("player 1,player 1b,player 2,player 2b", "a=player 1,b=player 2,player 1b=,player 2b="),
        ("winner,winner 2,loser,loser 2", "a=winner,b=loser,winner 2=,loser 2="),
        ("Spieler 1,Partner 1,Spieler 2,Partner 2", "a=Spieler 1,b=Spieler 2,Partner 1=,Partner 2="),
    ],
)
def test_a_game_of_pairs_is_not_read_as_one_of_two_players(read: Read, header: str, mapped: str) -> None:
    """Partners were not read, and a doubles match counted as the singles of the first players."""
    text = f"played,{header},score\n2024-03-02,ann,x1,bo,x2,1\n2024-03-02,ann,,cy,,0\n2024-03-02,ann,-,di,BYE,0\n"
    only = mapped.split(",")[:2]
    pair, *singles = read(text, ",".join([*only, "score=score"]))
    assert isinstance(pair, Refused)
    column = header.split(",")[1]
    assert f"map {column} to none ({column}=)" in pair.reason
    assert all(isinstance(line, Made) for line in singles)
    if len(mapped.split(",")) == 4:
        assert all(isinstance(line, Made) for line in read(text, mapped + ",score=score"))


def test_headings_about_the_first_player_name_no_partner() -> None:
    others = ("Player 1 club", "Winner rank", "Player 10", "Player 2", "Partnership")
    assert not [one for one in others if is_of_partners(one, ("Player 1", "Winner"))]
