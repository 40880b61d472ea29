"""A small league behind an application."""

from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing import get_all_start_methods
from pathlib import Path
from typing import Any

import pytest
from ratingcore_service import application
from ratingcore_service.access import open_tokens
from ratingcore_service.background_work import Work
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

from tests.plugins.ratingcore_pages.leagues import file_of_league
from tests.service.asking import Applied, Bearer
from tests.service.desk import Desk
from tests.service.forked import forking
from tests.service.serving import PATIENCE


@pytest.fixture(autouse=True)
def quick_uploads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads uploads in forks, unless the test asks for the real process."""
    if "forkserver" in get_all_start_methods() and "real_uploads" not in request.fixturenames:
        monkeypatch.setattr(Work, "run", forking(Work.run))


@pytest.fixture
def real_uploads() -> None:
    """Has a test read uploads in new processes with bounds, as the service does."""


@pytest.fixture
def club(tmp_path: Path) -> str:
    """The address of the log of a small league."""
    path = tmp_path / "club.db"
    path.write_bytes(file_of_league())
    return str(path)


@pytest.fixture
def applied(club: str) -> Iterator[Applied]:
    """Makes applications, which are closed after the test, wait on a busy machine, and answer by any method."""
    with ExitStack() as opened:

        def made(address: str = club, **settings: Any) -> Front:
            app = application(address, **{"offered": "any", "seconds": PATIENCE, **settings})
            opened.callback(app.service.close)
            return app

        yield made


@pytest.fixture
def app(applied: Applied) -> Front:
    """The application of the small league, which waits however busy the machine is."""
    return applied(seconds=PATIENCE, rate=1000.0, burst=10_000.0, cpu_rate=1000.0)


@pytest.fixture
def desk(app: Front) -> Desk:
    """A signed-in browser."""
    return Desk(app)


@pytest.fixture
def bearer(app: Front) -> Bearer:
    """Makes the headers of somebody with a new token."""
    tokens = open_tokens(app.service.desk.engine, Settings())

    def made(
        scope: Scope = Scope.ERASE, name: str = "hall", pools: tuple[str, ...] = (), **more: str
    ) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in more.items()}
        others = sum(one.name.partition(" ")[0] == name for one in tokens.all())
        name = f"{name} {others + 1}" if others else name  # each token has one of its own
        return {"authorization": f"Bearer {tokens.add(name, scope, pools)}", **given}

    return made
