"""A foreign plugin adds a page, its answer for programs, a job and a command to what the service offers."""

import json

import pytest
from click.testing import CliRunner
from ratingcore_service.front import Front

from ratingcore.plugin import hookimpl
from tests.hosts import league_studies
from tests.service import conftest
from tests.service.asking import Applied, get

club, applied = conftest.club, conftest.applied
PAGE, ANSWER = "/x/league-studies/last", "/api/v1/x/league-studies/last"


@pytest.fixture
def app(applied: Applied) -> Front:
    """The application of the small league, where the plugin is installed."""
    made = applied()
    made.service.desk.engine.registry.register(league_studies, "league-studies")
    return made


def test_its_page_and_its_answer_say_the_same(app: Front) -> None:
    row = list(app.service.desk.engine.rating_list("rapid"))[-1]
    assert get(app, ANSWER).json() == {"player": row["player"], "rating": row["rating"]}
    page = get(app, PAGE).text
    assert f"<h1>{row['player']}</h1>" in page
    assert f'href="{PAGE}"' in get(app, "/rapid/").text


def test_it_is_remembered_checked_and_described_as_the_pages_of_the_service_are(app: Front) -> None:
    tag = get(app, PAGE).headers["etag"]
    assert get(app, PAGE, {"if-none-match": tag}).status_code == 304
    assert get(app, f"{ANSWER}?what=1").json()["status"] == 422
    assert get(app, f"{ANSWER}?pool=nowhere").json()["type"] == "urn:ratingcore:UnknownName"
    assert get(app, "/api/v1/x/league-studies/first").status_code == 404
    assert get(app, "/x/nobody/last").status_code == 404
    described = get(app, "/api/v1/openapi.json").json()["paths"][ANSWER]["get"]
    assert described["summary"] == "The last of the league"
    assert [one["name"] for one in described["parameters"]] == ["at_least", "pool"]


def test_a_plugin_that_returns_something_else_is_listed_as_broken(app: Front) -> None:
    class Wrong:
        @staticmethod
        @hookimpl(optionalhook=True)
        def ratingcore_service_pages() -> str:
            return "a page"

    registry = app.service.desk.engine.registry
    registry.register(Wrong(), "wrong")
    assert get(app, PAGE).status_code == 200
    assert "list of ServedPage" in str(next(one.broken for one in registry.plugins if one.name == "wrong"))


def test_its_command_prints_what_its_page_says(app: Front, club: str) -> None:
    printed = CliRunner().invoke(league_studies.last_command, [club])
    assert printed.output.strip() == json.loads(get(app, ANSWER).text)["player"]
