"""Readers of archives: those in the repository whole, those that are downloaded on small files of the same shape."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ratingcore as rc
from gallery import reading
from gallery.archives import AMERICAN_FOOTBALL, BRIDGE, CONTESTS, GO, RIICHI
from gallery.files import located
from gallery.reading import POOL
from ratingcore import Engine
from ratingcore.compare.played import Played

NFL = """date,season,neutral,playoff,team1,team2,elo1,elo2,elo_prob1,score1,score2,result1
2018-01-21,2017,0,1,PHI,MIN,1661.87806059244,1680.2385772669,0.5667193280111943,38,7,1
2018-02-04,2017,1,1,NE,PHI,1750.51017126293,1691.28731884238,0.5844125620638966,33,41,0
"""
RIICHI_ROWS = """day_of_2019,play1,play2,play3,play4,score1,score2,score3,score4
38,10,13,56,64,17900,30500,23600,28000
45,10,15,17,64,-200,34800,42600,22800
"""
PGN = """[Event "Rated Classical game"]
[Site "https://lichess.org/j1dkb5dw"]
[White "BFG9k"]
[Black "mamalak"]
[Result "1-0"]
[UTCDate "2012.12.31"]
[UTCTime "23:01:03"]
[WhiteElo "1639"]
[BlackElo "1403"]

1. e4 e6 2. d4 b6 1-0

[Event "Rated Blitz game"]
[Site "https://lichess.org/szom2tog"]
[White "mamalak"]
[Black "BFG9k"]
[Result "1/2-1/2"]
[UTCDate "2013.01.01"]
[UTCTime "10:00:00"]
[WhiteElo "1385"]
[BlackElo "1658"]

1. d4 d5 1/2-1/2
"""


@pytest.fixture
def engine() -> Iterator[Engine]:
    with rc.open(":memory:") as opened:
        yield opened


def counts(engine: Engine) -> tuple[int, int, int]:
    """Games, sessions and players of the pool."""
    view = engine.core.view(POOL, None, None)
    return view.n_games, view.n_sessions, view.n_players


def first(engine: Engine, method: str) -> str:
    """Who leads a list."""
    return str(next(iter(engine.rating_list(POOL, method)))["player"])


def test_the_congress_has_a_day_a_round_and_the_ratings_players_came_with(engine: Engine) -> None:
    GO.read(engine, located(GO.files, Path()))
    assert counts(engine) == (2226, 0, 594)  # 2,259 pairings less 33 forfeits
    view = engine.core.view(POOL, None, None)
    assert len(set(Played.of(view).played.tolist())) == 10


def test_a_bridge_session_that_was_issued_again_counts_once(engine: Engine) -> None:
    BRIDGE.read(engine, located(BRIDGE.files, Path()))
    assert counts(engine)[:2] == (0, 4)


def test_contests_are_sessions_of_individuals(engine: Engine) -> None:
    CONTESTS.read(engine, located(CONTESTS.files, Path()))
    games, sessions, players = counts(engine)
    assert (games, sessions) == (0, 2)
    assert players > 2000


def test_riichi_is_read_from_a_table(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "riichi.csv").write_text(RIICHI_ROWS)
    RIICHI.read(engine, {"riichi.rda": tmp_path / "riichi.csv"})
    assert counts(engine) == (0, 2, 6)


def test_riichi_is_read_from_a_file_of_r(engine: Engine, tmp_path: Path) -> None:
    pytest.importorskip("rdata")
    _write_r(tmp_path / "riichi.rda", "riichi", {
        "Time": [38], "Play1": [10], "Play2": [13], "Play3": [56], "Play4": [64],
        "Score1": [17900], "Score2": [30500], "Score3": [23600], "Score4": [28000],
    })  # fmt: skip
    reading.riichi_tables(engine, {"riichi.rda": tmp_path / "riichi.rda"})
    assert counts(engine) == (0, 1, 4)
    assert first(engine, "weng-lin") == "p13"


def test_australian_football_is_read_from_a_file_of_r(engine: Engine, tmp_path: Path) -> None:
    pytest.importorskip("rdata")
    _write_r(tmp_path / "aflodds.rda", "aflodds", {
        "Date": [14329.0, 14330.0], "Week": [1, 1], "HomeTeam": ["Richmond", "Geelong"],
        "AwayTeam": ["Carlton", "Hawthorn"], "HomeScore": [103, 105], "AwayScore": [186, 97], "Score": [0.0, 1.0],
        "HomeOdds": [2.1, 1.5], "AwayOdds": [1.7, 2.5],
    })  # fmt: skip
    reading.australian_football(engine, {"aflodds.rda": tmp_path / "aflodds.rda"})
    assert counts(engine) == (2, 0, 4)
    assert first(engine, "elo-margin:margin=log,home=50") == "Carlton"


def _write_r(path: Path, name: str, columns: dict[str, list[object]]) -> None:
    import pandas
    import rdata

    frame = pandas.DataFrame(columns)
    words = [column for column in frame if isinstance(columns[str(column)][0], str)]
    rdata.write_rda(str(path), {name: frame.astype(dict.fromkeys(words, object))})


def test_american_football_says_who_is_at_home(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "nfl_games.csv").write_text(NFL)
    AMERICAN_FOOTBALL.read(engine, {"nfl_games.csv": tmp_path / "nfl_games.csv"})
    assert counts(engine) == (2, 0, 3)
    assert first(engine, "elo-margin:preset=nfl538") == "PHI"


def test_games_of_a_server_are_read_from_packed_pgn(engine: Engine, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "month.pgn.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(PGN.encode()))
    reading.chess_server(engine, {path.name: path})
    assert counts(engine) == (2, 0, 2)
