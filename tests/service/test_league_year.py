"""A league's year three ways: by commands, by the API and at the desk the same lists come out, to the last digit."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from ratingcore_service.access import open_tokens
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from ratingcore.cli.main import cli
from tests.service.asking import Applied, ask, get
from tests.service.desk import Desk
from tests.service.serving import PATIENCE
from tests.stories.test_league_year import METHOD, MONTHS, SCORE

THROUGH = {"January": "2024-01-31", "March": "2024-03-31"}
"""Last days of the lists."""
Games = list[tuple[str, str, str, str, str]]


class ByCommands:
    """A secretary at a terminal."""

    def __init__(self, log: str) -> None:
        self.log = log

    def run(self, name: str, *words: str) -> str:
        done = CliRunner().invoke(cli, [name, self.log, *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    def bring(self, games: Games) -> None:
        for uid, played, a, b, score in games:
            self.run("record", "--pool", "rapid", "--played", played, "--uid", uid, a, b, score)

    def publish(self, name: str, through: str) -> None:
        self.run("publish", name, "--pool", "rapid", "--through", through)

    def void(self, uid: str, why: str) -> None:
        self.run("void", uid, "--why", why)

    def merge(self, keep: str, other: str, why: str) -> None:
        self.run("merge", keep, other, "--why", why)


class ByApi:
    """A program of the league."""

    def __init__(self, app: Front, headers: dict[str, str]) -> None:
        self.app, self.headers = app, headers

    def send(self, path: str, body: object) -> None:
        head = get(self.app, "/api/v1/").json()["head"]
        answer = ask(self.app, "POST", f"/api/v1/{path}", {**self.headers, "if-match": f'"{head}"'}, json=body)
        assert answer.status_code == 201, answer.text

    def bring(self, games: Games) -> None:
        events = [
            {"kind": "game", "uid": uid, "pool": "rapid", "played": played, "a": a, "b": b, "score": SCORE[score]}
            for uid, played, a, b, score in games
        ]
        self.send("events", {"events": events})

    def publish(self, name: str, through: str) -> None:
        self.send("pools/rapid/published", {"name": name, "through": through})

    def void(self, uid: str, why: str) -> None:
        self.send("corrections", {"what": "void", "uid": uid, "why": why})

    def merge(self, keep: str, other: str, why: str) -> None:
        self.send("corrections", {"what": "merge", "keep": keep, "other": other, "why": why})


class AtTheDesk:
    """An officer with a browser."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def send(self, url: str, **fields: str) -> None:
        """Sends a form, then accepts what its page shows."""
        seen = self.desk.send(url, self.desk.get(url), **fields)
        assert seen.status_code == 200, seen.text
        assert self.desk.send(url, seen.text).status_code == 303

    def bring(self, games: Games) -> None:
        rows = "".join(",".join(game) + "\n" for game in games)
        address = self.desk.bring("month.csv", f"uid,played,a,b,score\n{rows}", pool="rapid").headers["location"]
        self.desk.send(f"{address}/accept", self.desk.get(address))
        assert f"{len(games)} results are in the log" in self.desk.get(address)

    def publish(self, name: str, through: str) -> None:
        self.send("/desk/publish", pool="rapid", name=name, through=through)

    def void(self, uid: str, why: str) -> None:
        self.send("/desk/correct/void", uid=uid, why=why)

    def merge(self, keep: str, other: str, why: str) -> None:
        self.send("/desk/correct/merge", keep=keep, other=other, why=why)


Way = ByCommands | ByApi | AtTheDesk


def year(way: Way) -> None:
    """January; March, in which bo was entered as bob; and a draw of January that was not played."""
    way.bring(MONTHS["2024-01"])
    way.publish("January", THROUGH["January"])
    way.bring(MONTHS["2024-03"])
    way.merge("bo", "bob", "the same person")
    way.void("a-2", "not played")
    way.publish("March", THROUGH["March"])


@pytest.fixture
def league(tmp_path: Path, applied: Applied) -> Callable[[str], Front]:
    """Makes the application of a league that begins."""

    def made(name: str) -> Front:
        path = tmp_path / f"{name}.db"
        with rc.open(path) as engine:
            engine.declare("rapid", method=METHOD)
        return applied(str(path), seconds=PATIENCE)

    return made


def outcome(app: Front) -> list[str]:
    """The digests of each published list, and of the list that it would be now."""
    engine = app.service.desk.engine
    cuts = [(THROUGH[one.name], known_at) for one in engine.published("rapid") for known_at in (one.known_at, None)]
    return [engine.rating_list("rapid", through=through, known_at=known_at).digest for through, known_at in cuts]


def test_the_same_year_by_commands_by_the_api_and_at_the_desk(league: Callable[[str], Front], tmp_path: Path) -> None:
    commands, api, desk = league("commands"), league("api"), league("desk")
    year(ByCommands(str(tmp_path / "commands.db")))
    year(ByApi(api, {"authorization": f"Bearer {_token(api)}"}))
    year(AtTheDesk(Desk(desk)))
    assert len(set(outcome(commands))) == 3  # a draw of January was taken back
    assert outcome(commands) == outcome(api) == outcome(desk)
    printed = json.loads(ByCommands(str(tmp_path / "desk.db")).run("list", "--format", "json"))
    answered = get(desk, "/api/v1/pools/rapid/list").json()["rows"]
    page = get(desk, "/rapid/").text
    assert [(row["player"], row["rating"]) for row in printed] == [(row["player"], row["rating"]) for row in answered]
    assert all(f"{row['rating']:.0f}" in page for row in printed)  # no digits are declared


def _token(app: Front) -> str:
    return open_tokens(app.service.desk.engine, Settings()).add("program", Scope.ERASE)
