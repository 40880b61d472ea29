"""A league's site in FastAPI: one engine, opened when the module is imported and used by all threads of requests.

Run as `python -m tests.hosts.fastapi_league.site`: serves on a free port, which it prints.
"""

import os
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

import ratingcore as rc

engine = rc.open(os.environ["LEAGUE"], columns=os.environ["LEAGUE_COLUMNS"])
app = FastAPI()


class Match(BaseModel):
    """A result as it is sent."""

    uid: str
    white: str
    black: str
    score: float


@app.post("/matches", status_code=201)
def record(match: Match) -> dict[str, str]:
    """Take a result; sent twice, it is there once."""
    game = rc.GamePlayed(
        pool="rapid", played="2024-03-02", a=match.white, b=match.black, score=match.score, uid=match.uid
    )
    return {"head": str(engine.record(game).head)}


@app.get("/ratings")
def ratings() -> dict[str, Any]:
    """The rating list as it is now."""
    listed = engine.rating_list("rapid", "elo:k=24")
    return {"known_at": listed.known_at, "digest": listed.digest, "players": len(listed)}


def main() -> None:
    """Serve until killed."""
    door = socket.create_server(("127.0.0.1", 0))
    print(door.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[door])


if __name__ == "__main__":
    main()
