"""A site that is checked by a strict type checker needs no cast to read answers."""

from pathlib import Path

import pytest

SITE = """
import ratingcore as rc


def page(engine: rc.Engine) -> list[str]:
    lines: list[str] = []
    for row in engine.rating_list("club", "glicko2"):
        rating: float | None = row["rating"]
        player: str = row["player"]
        lines.append(f"{row['rank']} {player} {rating} {row['games']} {row.get('deviation')}")
    for forecast in engine.forecasts("club", "elo"):
        share: float = forecast["expected"]
        lines.append(f"{forecast['played']} {share:.2f}")
    for line in engine.history("club", "ann"):
        change: float = line.change
        lines.append(f"{line.time} {line.opponent} {change:+.1f}")
    for _, event in engine.events():
        if isinstance(event, rc.GamePlayed):
            lines.append(f"{event.a} {event.score} {event.b}")
        elif event.kind == "void" and isinstance(event, rc.ResultVoided):
            lines.append(event.why)
    return lines


def kind(event: rc.AnyEvent) -> str:
    match event:
        case rc.GamePlayed() | rc.SessionPlayed() | rc.RatingSeeded():
            return event.pool
        case rc.ResultVoided() | rc.ResultAmended():
            return event.of
    return event.kind
"""
ROOT = Path(__file__).parents[2]


def test_a_site_needs_no_cast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)  # its cache serves
    site = tmp_path / "site.py"
    site.write_text(SITE)
    said, complaints, code = api.run([str(site)])
    assert (code, said, complaints) == (0, "Success: no issues found in 1 source file\n", "")
