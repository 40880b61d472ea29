"""Votes of an arena of language models, as they are published: who was ahead by column, ties of two kinds, seconds."""

import json
from pathlib import Path

from click.testing import CliRunner

import ratingcore as rc
from ratingcore.cli.main import cli

WINNERS = ("model_a", "model_b", "tie", "tie (bothbad)")


def test_votes_are_taken_as_they_come_with_the_columns_that_are_kept(tmp_path: Path) -> None:
    log, file = tmp_path / "arena.db", tmp_path / "votes.jsonl"
    votes = [
        {
            "question_id": f"q{n}", "model_a": "gpt", "model_b": "llama", "winner": winner, "judge": f"j{n % 2}",
            "turn": 1, "anony": True, "language": "English", "tstamp": 1682351700.25 + n,
            "conv_metadata": {"tokens_a": 10 * n}, "weight": 0.5,
        }
        for n, winner in enumerate(WINNERS)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(vote) + "\n" for vote in votes), encoding="utf-8")
    keep = "judge,language,conv_metadata.tokens_a"
    made = CliRunner().invoke(cli, ["import", str(log), str(file), "--pool", "arena", "--keep", keep])
    assert made.exit_code == 0, made.output
    assert "4 rows read, 4 accepted" in made.output
    with rc.open(log) as engine:
        events = [event for _, event in engine.events() if isinstance(event, rc.GamePlayed)]
        assert [event.score for event in events] == [1.0, 0.0, 0.5, 0.5]
        assert events[3].data == {
            "judge": "j1", "language": "English", "conv_metadata.tokens_a": 30, "anony": "true", "weight": 0.5,
        }  # fmt: skip
        assert rc.events.iso(events[0].played) == "2023-04-24T15:55:00.250000Z"
        assert engine.core.view("arena[judge=j1]").n_games == 2
        assert engine.core.view("arena[conv_metadata.tokens_a>=20]").n_games == 2
