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


def test_votes_are_the_same_as_lines_and_as_parquet_with_values_in_structs(tmp_path: Path) -> None:
    """Parquet has structs where lines have objects; votes with ids of their own are no suspects of doubling."""
    import pyarrow as pa
    from pyarrow import parquet

    votes = [
        {
            "question_id": f"q{n}", "model_a": "gpt", "model_b": "llama", "winner": WINNERS[n % 4],
            "tstamp": 1682351700, "language": ["English", "German", None][n % 3],
            "style": {"a": {"words": n % 9}, "b": {"words": n % 5}}, "more": {"turns": None if n % 2 else {"n": 1}},
        }
        for n in range(40)
    ]  # fmt: skip
    lines, table = tmp_path / "votes.jsonl", tmp_path / "votes.parquet"
    lines.write_text("".join(json.dumps(vote) + "\n" for vote in votes), encoding="utf-8")
    parquet.write_table(pa.Table.from_pylist(votes), table)
    mapped = "uid=question_id,words_a=style.a.words,words_b=style.b.words"
    digests = set()
    for file in (lines, table):
        log = str(tmp_path / f"{file.suffix[1:]}.db")
        made = CliRunner().invoke(cli, ["import", log, str(file), "--pool", "p", "--map", mapped, "--keep", "language"])
        assert made.exit_code == 0, made.output
        assert "40 rows read, 40 accepted" in made.output
        assert "equals an earlier row" not in made.output
        with rc.open(log) as engine:
            digests.add(engine.rating_list("p[language!=English]", "bradley-terry:with=words").digest)
    assert len(digests) == 1


def test_a_row_without_a_player_keeps_no_column_from_being_a_field(tmp_path: Path) -> None:
    """The empty cell counted as a name of a player, so that a column with empty cells was left out."""
    log, file = str(tmp_path / "arena.db"), tmp_path / "votes.csv"
    rows = [f"2024-03-0{1 + n % 9},gpt,llama,model_a,{['English', 'German', ''][n % 3]}" for n in range(30)]
    header = "tstamp,model_a,model_b,winner,language"
    file.write_text("\n".join([header, *rows, "2024-03-02,,llama,model_a,English", ""]), encoding="utf-8")
    made = CliRunner().invoke(cli, ["import", log, str(file), "--pool", "p"])
    assert "columns kept as fields: language" in made.output
    assert "refused, line 32" in made.output
