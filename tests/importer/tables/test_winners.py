"""Scores from a column that says who won."""

from ratingcore.readers import Unrated

from .conftest import Read


def test_a_column_of_winners_names_the_side_its_heading_or_a_score_word(read: Read) -> None:
    rows = ["gpt", "llama", "model_a", "model_b", "A", "tie", "tie (bothbad)", "draw", "", "other", "1"]
    found = read(
        "played,model_a,model_b,winner\n" + "".join(f"2024-03-02,gpt,llama,{winner}\n" for winner in rows),
        "a=model_a,b=model_b,score=winner",
    )
    assert [line.event.score for line in found[:8]] == [1.0, 0.0, 1.0, 0.0, 1.0, 0.5, 0.5, 0.5]
    assert found[8] == Unrated(10, "no result yet")
    assert [line.reason for line in found[9:]] == [
        f"score names neither side, and is no score word: '{winner}'" for winner in ("other", "1")
    ]
    swapped = read("played,black_id,white_id,winner\n2024-03-02,ann,bo,white\n", "a=black_id,b=white_id,score=winner")
    assert swapped[0].event.score == 0.0


def test_a_score_beside_the_winner_says_draws_forfeits_and_contradictions(read: Read) -> None:
    scores = ["6-4 6-3", "1-0", "1/2", "forfeit", "0-1", ""]
    found = read(
        "played,winner,loser,score\n" + "".join(f"2024-03-02,ann,bo,{score}\n" for score in scores),
        "a=winner,b=loser,score=winner",
    )
    assert [line.event.score for line in (*found[:3], found[5])] == [1.0, 1.0, 0.5, 1.0]
    assert found[3] == Unrated(5, "forfeit")
    assert found[4].reason == "score is no win of ann: '0-1'"
