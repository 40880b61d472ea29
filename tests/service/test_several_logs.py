"""Several logs in one process: each at its own path, with its own tokens, and as it is alone."""

from pathlib import Path

import pytest
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings
from ratingcore_service.several_logs import SeveralLogs, named

import ratingcore as rc
from ratingcore.errors import BadValue
from tests.service.asking import ask, get
from tests.service.serving import PATIENCE

GAME = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1.0}


@pytest.fixture
def leagues(tmp_path: Path) -> Path:
    for name, player in (("north", "nora"), ("south", "sven")):
        with rc.open(tmp_path / f"{name}.db") as engine:
            engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=player, b="bo", score=1.0))
    return tmp_path


@pytest.fixture
def app(leagues: Path) -> SeveralLogs:
    made = SeveralLogs(named((str(leagues),)), {"title": "Leagues", "allowed_host": ("club.example",)})
    yield made  # type: ignore[misc]  # a fixture
    for service in made.services:
        service.close()


def test_each_log_of_a_folder_is_at_its_own_path(app: SeveralLogs) -> None:
    for name, player in (("north", "nora"), ("south", "sven")):
        listed = get(app, f"/{name}/api/v1/pools/rapid/list")
        assert listed.json()["rows"][0]["player"] == player
        assert listed.headers["content-location"].startswith(f"/{name}/api/v1/")
        assert f'href="/{name}/' in get(app, f"/{name}/rapid/").text
        assert get(app, f"/{name}").headers["location"] == f"/{name}/"
    index = get(app, "/")
    assert '<li><a href="/north/">north</a></li><li><a href="/south/">south</a></li>' in index.text
    assert "default-src 'none'" in index.headers["content-security-policy"]
    assert (get(app, "/east/").status_code, get(app, "/live").status_code) == (404, 200)
    assert get(app, "/", {"host": "evil.example"}).status_code == 400


def test_a_token_is_of_one_log(app: SeveralLogs, leagues: Path) -> None:
    with rc.open(leagues / "north.db") as engine:
        token = open_tokens(engine, Settings()).add("hall", Scope.RECORD)
    headers = {"authorization": f"Bearer {token}"}
    statuses = [
        ask(app, "POST", f"/{name}/api/v1/events", headers, json={"events": [GAME]}).status_code
        for name in ("north", "south")
    ]
    assert statuses == [201, 401]


def test_logs_have_names_of_their_own(leagues: Path, tmp_path: Path) -> None:
    assert named(("club.db",)) == {"": "club.db"}
    assert sorted(named((str(leagues), "west.db"))) == ["north", "south", "west"]
    with pytest.raises(BadValue, match="has the same name as another log"):
        named((str(leagues), "elsewhere/north.db"))
    with pytest.raises(BadValue, match="has the name of an address of the service"):
        named(("west.db", "ready.db"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadValue, match=r"holds no logs, which are files named \*\.db"):
        named((str(tmp_path / "empty"),))


def test_a_caller_gets_no_more_of_several_logs_than_of_one(leagues: Path) -> None:
    """Fixed bugs: each log had accounts of its own, and processes of its own for long questions."""
    app = SeveralLogs(named((str(leagues),)), {"cpu_rate": 1e-6, "cpu_burst": 1e-6, "offered": "any"})
    questions = [f"/{name}/api/v1/pools/rapid/list" for name in ("north", "south")]
    assert [get(app, url).status_code for url in questions] == [200, 429]
    for service in app.services:
        service.close()
    app = SeveralLogs(named((str(leagues),)), {"short_events": 0.5, "offered": "any", "seconds": PATIENCE})
    answers = [get(app, f"{url}?method=elo:k=40").json()["rows"][0]["player"] for url in questions]
    assert answers == ["nora", "sven"]
    assert len(app.services[0].queue.processes._idle) == 1
    for service in app.services:
        service.close()


def test_a_log_that_cannot_be_opened_keeps_no_other_from_being_served(
    app: SeveralLogs, leagues: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A fixed bug: the service of a whole folder ended with the error of one log."""
    with rc.open(leagues / "south.db") as engine:
        open_tokens(engine, Settings()).add("hall", Scope.READ)
    (leagues / "north.db.service").touch()
    (leagues / "north.db").write_text("not a log")
    app.start()
    assert "/north cannot be served: not a ratingcore log" in caplog.text
    assert [get(app, f"/{name}/ready").status_code for name in ("north", "south")] == [500, 200]


def test_only_logs_with_a_file_of_tokens_are_opened_at_the_start(app: SeveralLogs, leagues: Path) -> None:
    """Two hundred logs are opened as they are asked for; those with webhooks at once."""
    with rc.open(leagues / "south.db") as engine:
        open_tokens(engine, Settings()).add("hall", Scope.READ)
    app.start()
    assert [service.desk.address for service in app.services] == [str(leagues / "south.db")]
