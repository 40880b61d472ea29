"""Django with PostgreSQL, two processes of four threads: no errors, and no result is lost or given to the wrong two."""

from functools import partial
from pathlib import Path
from random import Random

import psycopg
from ratingcore_postgres.log import PostgresLog

import ratingcore as rc
from ratingcore.log import Head
from ratingcore.log.lookup import row_of
from tests.hosts.visitors import asked, serving, together
from tests.log.making import told
from tests.plugins.ratingcore_postgres.server import Server

VISITORS, RESULTS = 8, 25
LOG = "django_league"
SITE = "tests.plugins.ratingcore_postgres.django_league.site"


def test_matches_and_events_are_committed_together_by_two_processes_of_four_threads(
    server: Server, tmp_path: Path
) -> None:
    with psycopg.connect(f"postgresql://tester@/postgres?host={server.folder}", autocommit=True) as db:
        db.execute("""CREATE TABLE league_match (id bigserial PRIMARY KEY, uid text UNIQUE NOT NULL,
            white text NOT NULL, black text NOT NULL, position bigint NOT NULL)""")
    with rc.open(server.address(LOG), columns=tmp_path / "columns") as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-01-01", a="first", b="second", score=1.0, uid="first"))
    settings = {
        "LEAGUE_HOST": str(server.folder), "LEAGUE": server.address(LOG),
        "LEAGUE_COLUMNS": str(tmp_path / "columns"),
    }  # fmt: skip
    heads: list[Head] = []
    called_off: list[str] = []
    lists: dict[int, str] = {}

    def visit(port: int, visitor: int) -> None:
        chance = Random(visitor)
        for n in range(RESULTS):
            match = {
                "uid": f"{visitor}-{n}", "white": f"{visitor}-{n} white", "black": f"player {chance.randrange(9)}",
                "score": chance.choice([0.0, 0.5, 1.0]), "called_off": chance.random() < 0.2,
            }  # fmt: skip
            status, answer = asked(port, "POST", "/matches", match)
            assert status == (409 if match["called_off"] else 201), (status, answer)
            if status == 201:
                heads.append(Head.parse(answer["head"]))
            else:
                called_off.append(str(match["uid"]))
            if n % 5 == 0:
                status, answer = asked(port, "GET", "/ratings")
                assert status == 200, answer
                assert lists.setdefault(answer["known_at"], answer["digest"]) == answer["digest"]

    with (
        serving(SITE, **settings) as one,
        serving(SITE, **settings) as two,
    ):
        together([partial(visit, (one, two)[visitor % 2], visitor) for visitor in range(VISITORS)])

    assert called_off
    assert len(heads) + len(called_off) == VISITORS * RESULTS
    assert len({head.position for head in heads}) == len(heads)
    with psycopg.connect(f"postgresql://tester@/postgres?host={server.folder}", autocommit=True) as db:
        rows = db.execute("SELECT uid, white, black, position FROM league_match").fetchall()
    with PostgresLog(server.address(LOG), read_only=True) as log, rc.Engine(log) as engine:
        assert engine.verify(heads).head.position == len(heads) + 1
        games = {event.uid: (event.a, event.b, row_of(log, event.uid).position) for event in told(log)}  # type: ignore[attr-defined]  # games
        assert games.pop("first") == ("first", "second", 1)
        assert games == {uid: (white, black, position) for uid, white, black, position in rows}
        assert set(games).isdisjoint(called_off)
        for known_at, digest in lists.items():
            assert engine.rating_list("rapid", "elo:k=24", known_at=known_at).digest == digest
