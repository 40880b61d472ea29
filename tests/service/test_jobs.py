"""Long questions: command lines in processes of their own, found again by what they ask, shown round by round."""

import asyncio
import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from ratingcore_service import bounded_process
from ratingcore_service.bounded_process import Bounds
from ratingcore_service.front import Front
from ratingcore_service.jobs import GOING, Jobs
from ratingcore_service.officer.studies import fields_of
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings
from ratingcore_service.studies import JOBS as JOBS_OF_THE_SERVICE
from ratingcore_service.studies import Simulate

import ratingcore as rc
from tests.hosts import league_studies
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.desk import Desk
from tests.service.serving import PATIENCE

JOBS = "/api/v1/jobs"
WORLD = {"scenario": "thesis-1:players=40,rounds=3,joining_mean=5,leaving_mean=5"}
COMPARE = {"methods": ["elo", "elo:k=40"], "pool": "rapid"}


@pytest.fixture
def app(applied: Applied) -> Front:
    """The application of the small league, which waits for jobs however busy the machine is."""
    return applied(seconds=PATIENCE, rate=1000.0, burst=10_000.0, job_wait=PATIENCE)


def begin(app: Front, headers: dict[str, str], job: str, asked: dict[str, Any]) -> dict[str, Any]:
    answer = ask(app, "POST", JOBS, headers, json={"job": job, "ask": asked})
    assert answer.status_code == 202, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_job_is_the_command_and_its_rows_are_those_of_the_command(app: Front, bearer: Bearer, club: str) -> None:
    officer = bearer(Scope.RECORD)
    made = begin(app, officer, "compare", COMPARE)
    assert made["state"] == "done", made
    assert made["command"].startswith("ratingcore compare club.db --known-at=")
    assert "/" not in made["command"]
    rows = get(app, made["results"][0], officer).json()
    scores = app.service.desk.engine.compare("rapid", ["elo", "elo:k=40"]).scores
    assert [row["log_loss"] for row in rows] == [row["log_loss"] for row in scores]
    report = get(app, made["results"][1], officer)
    assert report.headers["content-security-policy"] == "sandbox"
    assert report.headers["content-disposition"].startswith("attachment")
    assert begin(app, officer, "compare", COMPARE)["id"] == made["id"]
    assert ask(app, "DELETE", made["address"], officer).status_code == 204
    assert get(app, made["address"], officer).status_code == 404


def test_a_job_that_fails_says_why_and_not_where(app: Front, bearer: Bearer, club: str) -> None:
    made = begin(app, bearer(), "compare", {"methods": ["eloo"]})
    assert made["state"] == "failed"
    assert "eloo" in made["error"]
    assert club not in str(made)


def test_who_may_not_record_begins_no_job_and_words_are_no_options(app: Front, bearer: Bearer) -> None:
    assert ask(app, "POST", JOBS, bearer(Scope.READ), json={"job": "compare", "ask": COMPARE}).status_code == 403
    assert ask(app, "POST", JOBS, bearer(), json={"job": "rm", "ask": {}}).status_code == 422
    assert ask(app, "POST", JOBS, bearer(), json={"job": "compare", "ask": {"what": 1}}).status_code == 422
    made = begin(app, bearer(), "simulate", {"scenario": "--log=/tmp/stolen.db"})
    assert made["state"] == "failed"


def test_a_word_that_no_command_line_holds_is_refused(app: Front, bearer: Bearer) -> None:
    """Fixed: the job failed in its thread, and was said to have ended with the server."""
    refused = ask(app, "POST", JOBS, bearer(Scope.RECORD), json={"job": "compare", "ask": {"methods": ["elo\0"]}})
    assert (refused.status_code, refused.json()["detail"]) == (422, "no value of a job can contain the character NUL")


def test_a_job_is_ended(app: Front, bearer: Bearer) -> None:
    jobs = app.service.jobs

    async def ended() -> list[Any]:
        number = jobs.begin(JOBS_OF_THE_SERVICE["simulate"], Simulate(), app.service.desk.engine.log.head)
        while jobs.state(number).state == "waiting":
            await asyncio.sleep(0.05)
        await jobs.drop(number)
        return jobs.all()

    app.service.desk.engine.log.head  # noqa: B018  # opens the log
    assert asyncio.run(ended()) == []


def test_a_job_that_another_process_works_on_goes_on_and_one_whose_process_was_killed_has_ended(app: Front) -> None:
    """Every worker but its own told of a job, and of a file that was being read, that the server had ended."""
    jobs = app.service.jobs
    head = app.service.desk.engine.log.head

    async def told() -> list[str]:
        other = Jobs(app.service.desk.log_address, "club.db", jobs._folder, app.service.settings)
        number = jobs.begin(JOBS_OF_THE_SERVICE["simulate"], Simulate(), head)
        states = [
            str(other.state(number).state in GOING),
            str(other.begin(JOBS_OF_THE_SERVICE["simulate"], Simulate(), head) == number),
        ]
        await jobs.drop(number)
        number = jobs.begin(JOBS_OF_THE_SERVICE["simulate"], Simulate(), head)
        fcntl.flock(jobs._going[number]._lock, fcntl.LOCK_UN)  # as when a process ends
        states.append(other.state(number).state)
        await jobs.drop(number)
        return states

    assert asyncio.run(told()) == ["True", "True", "ended"]


def test_a_job_that_another_worker_drops_ends_with_its_process(tmp_path: Path) -> None:
    """It went on in the worker that had begun it, for up to an hour of CPU."""
    folder, number = tmp_path / "jobs", "0" * 32
    jobs, other = (Jobs("club.db", "club.db", folder, Settings()) for _ in range(2))
    lasting = ["-c", "import os, time; print(os.getpid(), flush=True); time.sleep(600)"]

    async def played() -> int:
        place = jobs._new(number, 9)
        jobs._start(number, lambda work: work.run(lasting, Bounds(2**40, 60.0, 2**20)))
        while not (place / "out").exists() or not (said := (place / "out").read_text()).endswith("\n"):
            await asyncio.sleep(0.01)
        await other.drop(number)
        await jobs.settled(number, PATIENCE)
        return int(said)

    process = asyncio.run(played())
    assert not jobs.goes(number)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_process_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_process, "PATIENCE", 0.1)
    stubborn = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print(os.getpid(), flush=True); time.sleep(600)"
    )

    process = bounded_process.start(["-c", stubborn], Bounds(2**40, 60.0, 2**20), stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert int(process.stdout.readline()) == process.pid
    bounded_process.end(process)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_process_whose_parent_was_killed_before_it_began_does_not_run(tmp_path: Path) -> None:
    """It took the process that inherited it for its parent, and worked on for nobody."""
    words = bounded_process.command(["-c", "open('ran', 'w')"], Bounds(2**40, 60.0, 2**20))
    parent = str(os.getpid())
    assert subprocess.run(words, cwd=tmp_path, check=True).returncode == 0
    (tmp_path / "ran").unlink()
    words[words.index(parent)] = "1"
    assert subprocess.run(words, cwd=tmp_path, check=False).returncode == 1
    assert not (tmp_path / "ran").exists()


def test_a_job_is_asked_anew_once_the_log_has_grown(applied: Applied, bearer: Bearer) -> None:
    app, officer = applied(seconds=PATIENCE, rate=1000.0, burst=10_000.0, job_wait=0.01), bearer(Scope.RECORD)
    plan = {"job": "simulate", "ask": WORLD | {"seed": 4}}  # a command that takes no cut of the log

    async def play() -> list[str]:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example", headers=officer) as client:
            begun = [(await client.post(JOBS, json=plan)).json() for _ in range(2)]
            app.service.desk.engine.record(rc.GamePlayed(pool="rapid", played="2024-09-01", a="ann", b="bo", score=1.0))
            begun.append((await client.post(JOBS, json=plan)).json())
            for address in {one["address"] for one in begun}:
                assert (await client.delete(address)).status_code == 204
        return [one["id"] for one in begun]

    first, again, anew = asyncio.run(play())
    assert first == again != anew


def test_a_world_is_watched_round_by_round(app: Front) -> None:
    desk = Desk(app)
    page = desk.get("/desk/studies/simulate")
    answer = desk.send("/desk/studies/simulate", page, scenario=WORLD["scenario"], methods="", seed="3")
    address = answer.headers["location"]
    pages = [desk.get(f"{address}?round={n}") for n in (1, 2, 3)]
    assert [re.search(r"Round (\d) of 3", page)[1] for page in pages] == ["1", "2", "3"]  # type: ignore[index]
    drawn = [sum(map(len, re.findall(r' d="([^"]*)"', page))) for page in pages]
    assert drawn[0] < drawn[1] < drawn[2] or drawn[1] < drawn[2]
    assert "Next round" in pages[0]
    assert "Next round" not in pages[2]
    assert "ratingcore simulate" in pages[0]
    assert "simulate" in desk.get("/desk/jobs")


@pytest.mark.parametrize("job", sorted(JOBS_OF_THE_SERVICE))
def test_a_form_asks_in_words(app: Front, job: str) -> None:
    page = Desk(app).get(f"/desk/studies/{job}")
    fields = fields_of(JOBS_OF_THE_SERVICE[job].body)
    assert all(f'name="{name}"' in page and field["title"] in page for name, field in fields.items())
    assert not any(
        field["title"].casefold() == name for name, field in fields.items() if name not in ("method", "pool")
    )
    assert ("<option>rapid" in page) == ("pool" in fields)


def test_a_form_that_is_not_filled_in_right_is_shown_again(app: Front) -> None:
    desk = Desk(app)
    assert desk.send("/desk/studies/compare", desk.get("/desk/studies/compare"), methods="").status_code == 422


def test_a_foreign_plugin_offers_a_study_of_its_own(app: Front, bearer: Bearer) -> None:
    app.service.desk.engine.registry.register(league_studies, "league-studies")
    made = begin(app, bearer(), "league-studies.best", {"top": 2})
    assert made["state"] == "done", made
    assert [row["rank"] for row in get(app, made["results"][0], bearer()).json()] == [1, 2]
    assert "The best players of the league." in Desk(app).get("/desk/jobs")
