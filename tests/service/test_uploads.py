"""Files that are uploaded: tried on a copy of the log, shown line by line, and recorded once they are accepted."""

import gc
import io
import json
from pathlib import Path

import httpx
import msgspec
import pytest
from ratingcore_service import upload_process
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope

import ratingcore as rc
from ratingcore.log.lookup import uid_at
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.serving import PATIENCE

UPLOADS = "/api/v1/uploads"
GAMES = "played,a,b,score\n2024-04-01,ann,bo,1-0\n2024-04-02,bo,cy,1/2\n2024-04-03,ann,nobody,9-9\n"
GERMAN = "Datum;Weiß;Schwarz;Ergebnis\n2024-04-01;ann;bo;1-0\n"


@pytest.fixture
def app(applied: Applied) -> Front:
    """The application of the small league, which waits for files to be read however busy the machine is."""
    return applied(seconds=PATIENCE)


def upload(
    app: Front, headers: dict[str, str], text: str, question: str = "name=april.csv&pool=rapid"
) -> httpx.Response:
    return ask(app, "POST", f"{UPLOADS}?{question}", headers, content=text.encode())


@pytest.mark.usefixtures("real_uploads")
def test_a_file_is_tried_and_then_recorded_once(app: Front, bearer: Bearer, club: str) -> None:
    officer = bearer()
    before = app.service.desk.engine.log.head
    answer = upload(app, officer, GAMES)
    made = answer.json()
    assert (answer.status_code, made["state"], made["head"]) == (201, "read", str(before))
    report = made["report"]
    assert (report["read"], report["accepted"], report["pools"]) == (3, 2, ["rapid"])
    assert [row["line"] for row in report["refused"]] == [4]
    assert {row["player"] for row in report["moves"][0]["rows"]} == {"ann", "bo", "cy"}
    assert app.service.desk.engine.log.head == before

    accepted = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    assert accepted.json()["state"] == "accepted"
    again = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    assert again.json() == accepted.json()
    with rc.open(club) as engine:
        assert engine.log.head.position == before.position + 2
        after = {row["player"]: row["rating_exact"] for row in engine.rating_list("rapid").with_exact()}
    assert {row["player"]: row["rating_with"] for row in report["moves"][0]["rows"]} == {
        name: pytest.approx(after[name]) for name in ("ann", "bo", "cy")
    }


def test_an_upload_is_accepted_once_the_log_can_be_used_again(
    app: Front, bearer: Bearer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fixed: while a database restarted, the answer was 409, and the file had to be uploaded again."""
    officer = bearer()
    made = upload(app, officer, GAMES).json()
    matching = {**officer, "if-match": f'"{made["head"]}"'}
    with monkeypatch.context() as away:
        away.setattr(app.service.uploads, "_address", str(tmp_path / "missing" / "club.db"))
        late = ask(app, "POST", f"{made['address']}/accept", matching)
    assert (late.status_code, late.json()["type"]) == (503, "urn:ratingcore:LogUnavailable")
    assert ask(app, "POST", f"{made['address']}/accept", matching).json()["state"] == "accepted"


def test_headings_that_are_not_known_come_back_with_a_guess(app: Front, bearer: Bearer) -> None:
    officer = bearer()
    report = upload(app, officer, GERMAN).json()["report"]
    assert report["state"] == "unmapped"
    assert report["columns"] == ["Datum", "Weiß", "Schwarz", "Ergebnis"]
    assert report["guess"] == {"a": "Weiß", "b": "Schwarz", "score": "Ergebnis", "played": "Datum"}
    chosen = "&".join(f"map.{field}={column}" for field, column in report["guess"].items())
    assert upload(app, officer, GERMAN, f"pool=rapid&{chosen}").json()["report"]["accepted"] == 1


@pytest.mark.parametrize(("text", "state", "advice"), [(GERMAN, "unmapped", "map.a="), ("\0", "failed", "problem")])
def test_an_upload_with_nothing_to_record_is_not_accepted(
    app: Front, bearer: Bearer, text: str, state: str, advice: str
) -> None:
    """Fixed: the answer was 200, so a program took its results to be in the log."""
    officer = bearer()
    made = upload(app, officer, text).json()
    head = str(app.service.desk.engine.log.head)
    refused = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": head})
    assert (refused.status_code, refused.json()["state"]) == (409, state)
    assert advice in refused.json()["hint"]


def test_an_upload_is_recorded_as_it_was_shown_or_shown_again(app: Front, bearer: Bearer, club: str) -> None:
    """What others record meanwhile does not matter, unless rows of the file become something else by it."""
    officer = bearer()
    made = upload(app, officer, GAMES).json()
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-05-09", a="ann", b="bo", score=0.0))
    accepted = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    assert (accepted.status_code, accepted.json()["state"]) == (200, "accepted")
    made = upload(app, officer, GAMES.replace("2024-04", "2024-06")).json()
    with rc.open(club) as engine:  # one of its games comes from elsewhere
        engine.import_file([{"played": "2024-06-01", "a": "ann", "b": "bo", "score": "1-0"}], "rapid")
        head = engine.log.head
    refused = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    assert refused.status_code == 412
    assert app.service.desk.engine.log.head == head
    assert ask(app, "POST", f"{made['address']}/accept", officer).status_code == 428


def test_an_upload_of_a_file_taken_back_repeats_what_was_corrected_by_hand(
    app: Front, bearer: Bearer, club: str
) -> None:
    """The correction of a game that the upload would record was sought in the log, which does not have it yet."""
    officer = bearer()
    made = upload(app, officer, GAMES).json()
    ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    with rc.open(club) as engine:
        uid = uid_at(engine.log, engine.log.head.position)
        engine.amend(uid, {"score": 0.25}, by="arbiter")
        engine.apply(engine.plan.void_all(engine.plan.chosen(source=engine.log.book.keys_of("source")[-1])))
    report = upload(app, officer, GAMES).json()["report"]
    assert report["state"] == "read", report
    assert [one["kind"] for one in report["holds"]][-1] == "amend"
    assert report["holds"][-1]["of"]["uid"] != uid


def test_an_upload_is_refused_by_name_for_what_was_decided_about_a_row_that_is_known(
    app: Front, bearer: Bearer, club: str
) -> None:
    officer = bearer()
    with rc.open(club) as engine:
        engine.import_file([{"played": "2024-04-01", "a": "ann", "b": "bo", "score": "1-0"}], "rapid")
        uid = uid_at(engine.log, engine.log.head.position)
    text = "played,a,b,score\n2024-04-01,ann,bo,1\n2024-04-02,ann,bo,1\n"
    made = upload(app, officer, text).json()
    with rc.open(club) as engine:
        engine.amend(uid, {"score": 0.5}, by="arbiter", why="misread")
        head = engine.log.head
    refused = ask(app, "POST", f"{made['address']}/accept", {**officer, "if-match": f'"{made["head"]}"'})
    assert (refused.status_code, refused.json()["position"], refused.json()["by"]) == (412, head.position, "arbiter")
    assert app.service.desk.engine.log.head == head
    again = upload(app, officer, text).json()
    accepted = ask(app, "POST", f"{again['address']}/accept", {**officer, "if-match": f'"{again["head"]}"'})
    assert (accepted.status_code, accepted.json()["state"]) == (200, "accepted"), "whoever knows of it may"


def test_a_file_that_is_too_large_or_no_file_of_results_is_refused(
    club: str, bearer: Bearer, app: Front, applied: Applied
) -> None:
    report = upload(app, bearer(), "\x00\x01 nothing", "name=x.bin&pool=rapid").json()["report"]
    assert report["state"] == "failed"
    assert str(Path(club).parent) not in str(report)
    small = applied(upload_bytes=10)
    answer = upload(small, bearer(), GAMES)
    assert answer.status_code == 413
    assert len(list(small.service.folder.glob("uploads/*"))) == 1  # the one before
    small.service.close()


@pytest.mark.usefixtures("real_uploads")
def test_a_file_that_takes_too_much_ends_its_own_process_only(bearer: Bearer, applied: Applied) -> None:
    app = applied(upload_memory=50_000_000, seconds=PATIENCE)
    report = upload(app, bearer(), GAMES).json()["report"]
    assert report["state"] == "failed"
    assert "memory or time" in report["problem"]["detail"]
    rows = applied(upload_rows=2, seconds=PATIENCE)
    fault = upload(rows, bearer(), GAMES).json()["report"]["problem"]
    assert (fault["type"], fault["status"]) == ("urn:ratingcore:TooManyRows", 413)
    assert (fault["detail"], fault["hint"]) == ("april.csv has more than 2 rows", "divide it")
    assert fault["facts"] == {"file": "april.csv", "limit": 2}
    rows.service.close()


def test_an_upload_is_for_officers_of_its_pool_and_goes_when_it_is_removed(app: Front, bearer: Bearer) -> None:
    assert upload(app, bearer(Scope.RECORD), GAMES).status_code == 403
    assert upload(app, bearer(pools=("blitz",)), GAMES).status_code == 403
    assert upload(app, bearer(pools=("blitz",)), GAMES, "pool=blitz").json()["state"] == "read"
    officer = bearer()
    made = upload(app, officer, GAMES).json()
    assert ask(app, "DELETE", made["address"], officer).status_code == 204
    assert get(app, made["address"], officer).status_code == 404
    assert get(app, f"{UPLOADS}/..%2f..%2fclub.db", officer).status_code == 404


def test_an_erasure_empties_what_was_uploaded(app: Front, bearer: Bearer) -> None:
    officer = bearer()
    made = upload(app, officer, GAMES).json()
    ask(app, "POST", "/api/v1/erasures", officer, json={"player": "di", "again": "di"})
    assert get(app, made["address"], officer).status_code == 404


def test_what_nobody_said_of_a_file_is_found_out(app: Front, bearer: Bearer) -> None:
    rows = "Datum;Weiß;Schwarz;Ergebnis;Turnier\n05.07.2026;Müller;bo;1-0;Sommer\n12.07.2026;ann;Müller;0-1;Sommer\n"
    question = "name=s.csv&pool=rapid&map.a=Weiß&map.b=Schwarz&map.score=Ergebnis&map.played=Datum&map.event=Turnier"
    made = ask(
        app, "POST", f"{UPLOADS}?{question.replace('ß', '%C3%9F')}", bearer(), content=rows.encode("cp1252")
    ).json()
    assert (made["report"]["encoding"], made["report"]["date"]) == ("cp1252", "%d.%m.%Y")
    ask(app, "POST", f"{made['address']}/accept", {**bearer(), "if-match": f'"{made["head"]}"'})
    last = get(app, "/api/v1/events?before=1000000&top=1").json()["events"][0]
    assert (last["what"], last["played"]) == ("Müller beat ann (event Sommer)", "2026-07-12")


def test_one_day_that_there_is_not_is_named_by_its_line(app: Front, bearer: Bearer) -> None:
    text = "played,a,b,score\n05.07.2026,ann,bo,1\n31.02.2026,ann,bo,1\n12.07.2026,ann,bo,1\n13.07.2026,ann,bo,1\n"
    report = upload(app, bearer(), text).json()["report"]
    assert (report["state"], report["accepted"], report["date"]) == ("read", 3, "%d.%m.%Y")
    (refused,) = report["refused"]
    facts = {"what": "played", "value": "31.02.2026", "form": "%d.%m.%Y", "why": "is not a time of the form %d.%m.%Y"}
    assert (refused["line"], refused["why"]["kind"], refused["why"]["facts"]) == (3, "NotOfForm", facts)


def test_a_day_that_may_mean_two_is_not_guessed(app: Front, bearer: Bearer) -> None:
    text = "played,a,b,score\n05/07/2026,ann,bo,1\n"
    assert upload(app, bearer(), text).json()["report"]["date"] == ""
    said = "name=april.csv&pool=rapid&date=%25d/%25m/%25Y"
    report = upload(app, bearer(), text, said).json()["report"]
    assert [row["played"] for row in report["holds"]] == ["2026-07-05"]


def test_days_with_times_are_found_out_as_the_command_finds_them(app: Front, bearer: Bearer) -> None:
    text = "played,a,b,score\n25/07/2026 18:30,ann,bo,1\n26/07/2026 19:00,bo,cy,0\n"
    report = upload(app, bearer(), text, "name=april.csv&pool=rapid&zone=UTC").json()["report"]
    assert (report["accepted"], report["date"]) == (2, "%d/%m/%Y %H:%M")


def test_newcomers_whose_names_are_nearly_those_of_others_are_pointed_out(app: Front, bearer: Bearer) -> None:
    """A name spelt wrong became a second player, with nothing but the word "new" to see it by."""
    officer = bearer()
    rows = 'played,a,b,score\n2024-04-01,"Weber, Anna",bo,1\n2024-04-02,Groß,P0001,1\n2024-04-02,Groß,P0002,1\n'
    first = upload(app, officer, rows).json()
    assert "NearNames" not in {note["kind"] for note in first["report"]["notes"]}
    ask(app, "POST", f"{first['address']}/accept", {**officer, "if-match": f'"{first["head"]}"'})
    notes = upload(app, officer, "played,a,b,score\n2024-04-03,Ana Weber,bo,1\n").json()["report"]["notes"]
    (near,) = [note["facts"] for note in notes if note["kind"] == "NearNames"]
    assert near == {"pairs": [["Ana Weber", "Weber, Anna"]]}


def test_newcomers_whom_the_pool_does_not_list_yet_are_pointed_out_too(app: Front, bearer: Bearer, club: str) -> None:
    """A fixed bug: only names on the list of the pool were compared."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=24", min_games=50)
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-01", a="Weber, Anna", b="bo", score=1.0))
    (note,) = upload(app, bearer(), "played,a,b,score\n2024-04-03,Ana Weber,bo,1\n").json()["report"]["notes"]
    assert note["facts"] == {"pairs": [["Ana Weber", "Weber, Anna"]]}


def test_a_warning_of_a_newcomer_names_nobody_of_another_pool(app: Front, bearer: Bearer, club: str) -> None:
    """Who may write to one pool may not know the players of others."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="blitz", played="2024-04-01", a="Weber, Anna", b="Groß", score=1.0))
    rows = "played,a,b,score\n2024-04-03,Ana Weber,bo,1\n"
    report = upload(app, bearer(pools=("rapid",)), rows).json()["report"]
    assert report["accepted"] == 1
    assert report["notes"] == []
    assert "Anna" not in str(report | {"moves": []})


def test_a_fault_of_the_program_is_not_said_to_be_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a file was to be divided, which mended nothing."""

    def raises(order: object) -> None:
        raise TypeError("a fault")

    order = upload_process.Order(address="", query=upload_process.UploadQuery(name="a.csv"), rows=10)
    given, content = io.TextIOWrapper(io.BytesIO(msgspec.json.encode(order))), io.BytesIO()
    monkeypatch.setattr(upload_process, "tried", raises)
    monkeypatch.setattr("sys.stdin", given)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(content))
    upload_process.main()
    gc.enable()
    report = json.loads(content.getvalue())
    assert (report["state"], report["problem"]["status"]) == ("failed", 500)
