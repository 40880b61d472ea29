"""FastAPI with one engine for all threads of requests, in a file and in PostgreSQL: no errors, no result lost."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import ratingcore as rc
from ratingcore.log import Head
from tests.hosts.visitors import asked, serving, together

VISITORS, RESULTS = 8, 25


def test_one_engine_of_a_module_serves_all_threads(address: Callable[[str], str], tmp_path: Path) -> None:
    league = address("fastapi_league")
    heads: list[Head] = []
    lists: dict[int, str] = {}

    def visit(port: int, visitor: int) -> None:
        chance = Random(visitor)
        seen = 0
        for n in range(RESULTS):
            match = {
                "uid": f"{visitor}-{n}", "white": f"player {chance.randrange(20)}", "black": f"guest {visitor}-{n}",
                "score": chance.choice([0.0, 0.5, 1.0]),
            }  # fmt: skip
            for _ in range(1 + (n % 7 == 0)):  # a retry now and then
                status, answer = asked(port, "POST", "/matches", match)
                assert status == 201, answer
            heads.append(head := Head.parse(answer["head"]))
            seen = max(seen, head.position)
            status, answer = asked(port, "GET", "/ratings")
            assert status == 200, answer
            assert answer["known_at"] >= seen, "a visitor reads what they wrote"
            assert lists.setdefault(answer["known_at"], answer["digest"]) == answer["digest"]
            seen = answer["known_at"]

    with serving("tests.hosts.fastapi_league.site", LEAGUE=league, LEAGUE_COLUMNS=str(tmp_path / "columns")) as port:
        together([partial(visit, port, visitor) for visitor in range(VISITORS)])

    with rc.open(league, read_only=True, columns=tmp_path / "columns") as engine:
        assert engine.verify(heads).head.position == VISITORS * RESULTS
        uids = {row.uid for row in engine.log.rows()}
        assert uids == {f"{visitor}-{n}" for visitor in range(VISITORS) for n in range(RESULTS)}
        for known_at, digest in lists.items():
            assert engine.rating_list("rapid", "elo:k=24", known_at=known_at).digest == digest
