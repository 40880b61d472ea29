"""The keeper of a leaderboard of models types what `docs/analysis/leaderboard.md` says."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ratingcore as rc
from docs.assembly.console import blocks
from ratingcore.cli.main import cli

PAGE = Path(__file__).parents[2] / "docs" / "analysis" / "leaderboard.md"
MODELS = [f"model-{letter}" for letter in "abcdefgh"]


def votes(n: int = 1200, judges: int = 40) -> str:
    """Votes in lines, as arenas publish them."""
    random, lines = np.random.default_rng(3), []
    for i in range(n):
        a, b = random.choice(len(MODELS), 2, replace=False).tolist()
        ahead = random.random() < 1.0 / (1.0 + np.exp(0.3 * (a - b)))
        winner = str(random.choice(["tie", "tie (bothbad)"])) if random.random() < 0.3 else f"model_{'ba'[int(ahead)]}"
        vote = {"question_id": f"q{i}", "model_a": MODELS[a], "model_b": MODELS[b], "winner": winner}
        vote |= {"judge": f"j{i % judges}", "language": "English" if random.random() < 0.7 else "German"}
        vote |= {"category": str(random.choice(["coding", "chat"])), "tstamp": 1709280000.5 + 1200 * i}
        style = {"style_length_a": int(random.integers(50, 900)), "style_length_b": int(random.integers(50, 900))}
        lines.append(json.dumps(vote | style | {"first": 1}))
    return "\n".join(lines)


def test_the_page_holds_from_votes_to_a_judge_who_is_withdrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("votes.jsonl").write_text(votes(), encoding="utf-8")
    typed = [line for block in blocks("text", PAGE.read_text(encoding="utf-8")) for line in block.splitlines()]
    printed: dict[str, str] = {}
    for line in typed:
        made = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert made.exit_code == 0, (line, made.output)
        printed[line] = made.output
    (imported,) = (out for line, out in printed.items() if " import " in line)
    assert "1200 accepted, 0 unrated, 0 refused" in imported
    assert "columns kept as fields: judge, language, category" in imported
    (style,) = (out for line, out in printed.items() if "with=" in line)
    assert "style_length is worth" in style
    assert "first is worth" in style
    (compared,) = (out for line, out in printed.items() if " compare " in line)
    assert "40 clusters of judge" in compared
    (withdrawn,) = (out for line, out in printed.items() if " log " in line)
    assert withdrawn.count(",game,arena,") == withdrawn.count(",void,") == 30
    with rc.open("arena.db") as engine:
        assert engine.rating_list("coding", known_at="list:2024-03") != engine.rating_list("coding")
        document = engine.published_list("2024-03", "coding").document("json")
        board = engine.rating_list("coding")
        assert all(games >= 30 for games in board.games.tolist())
    Path("board.json").write_text(document, encoding="utf-8")
    assert "the document holds" in CliRunner().invoke(cli, ["prove", "board.json", "arena.db"]).output
    calendar = CliRunner().invoke(
        cli, ["calendar", "arena.db", "monthly", "--pool", "coding", "--from", "2024-03", "--name", "board %Y-%m"]
    )
    assert "board 2024-03,2024-03-31,published,8" in calendar.output, calendar.output
    assert CliRunner().invoke(cli, ["site", "arena.db", "site"]).exit_code == 0
    assert "coding" in Path("site/index.html").read_text(encoding="utf-8")
