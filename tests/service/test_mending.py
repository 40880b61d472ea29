"""What an officer meets at the desk has the button that mends it: a refusal, a doubt, and what was recorded itself."""

import re
from html import unescape

import pytest
from ratingcore_service.front import Front

import ratingcore as rc
from tests.service.asking import Applied, ask
from tests.service.desk import Desk, head

CORRECT = "/desk/correct/"


def corrected(desk: Desk, what: str, link: str = "", **fields: str) -> str:
    """Records a correction; the page that follows."""
    seen = desk.send(CORRECT + what, desk.get(CORRECT + what + link), **fields)
    assert seen.status_code == 200, seen.text
    done = desk.send(CORRECT + what, seen.text)
    assert done.status_code == 303, done.text
    return desk.get(done.headers["location"])


def refused(desk: Desk, what: str, **fields: str) -> str:
    answer = desk.send(CORRECT + what, desk.get(CORRECT + what), why="x", **fields)
    assert answer.status_code == 422, answer.text
    return unescape(answer.text)


@pytest.mark.parametrize(
    ("what", "link", "fields"),
    [
        ("void", "", {"uid": "3", "why": "x"}),
        ("amend", "?uid=3", {"set.score": "0.5", "why": "x"}),
        ("merge", "", {"keep": "ann", "other": "zoe", "why": "x"}),
        ("split", "?player=ann", {"player": "ann", "into": "Anna", "since": "2024-03-02", "why": "x"}),
        ("rename", "", {"player": "ann", "called": "Ann of Cork"}),
        ("void_all", "", {"positions": "3-5", "why": "x"}),
    ],
)
def test_a_correction_is_followed_by_its_undo(
    desk: Desk, club: str, what: str, link: str, fields: dict[str, str]
) -> None:
    """A fixed dead end: after a correction the log was shown, where each event had to be found and taken back."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-02-01", a="zoe", b="yan", score=1.0))
        before = engine.rating_list("rapid")
    seen = desk.send(CORRECT + "void_all", corrected(desk, what, link, **fields))
    assert seen.status_code == 200, seen.text
    assert "Recorded." in desk.get(desk.send(CORRECT + "void_all", seen.text).headers["location"])
    with rc.open(club) as engine:
        assert not before.diff(engine.rating_list("rapid"))
        assert engine.core.view("rapid").name(engine.core.view("rapid").row(engine.core.player_id("ann"))) == "ann"


def test_what_was_recorded_last_is_undone_from_the_start_page_and_from_an_event(desk: Desk, club: str) -> None:
    """A fixed fault: the Undo was gone once another page was opened."""
    assert "Recorded last: the list March is published</span></div>" in desk.get("/desk/")
    rows = [{"played": f"2024-06-0{day}", "a": "ann", "b": "bo", "score": "1"} for day in (1, 2)]
    with rc.open(club) as engine:
        engine.import_file(rows, "rapid", name="june.csv")
        last = engine.log.head.position
    assert f'positions={last - 1}-{last}">Take this back: ' in desk.get(f"/log/{last - 1}")
    page = desk.get("/desk/")
    assert f"Recorded last: ann beat bo ({last - 1}-{last})" in page
    assert desk.send("/desk/correct/void_all", desk.send("/desk/correct/void_all", page).text).status_code == 303
    assert "uploaded by mistake" in desk.get(f"/log/{last}")
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=30")
    assert f'/desk/correct/undeclare?uid={last + 3}">Undo</a>' in desk.get("/desk/")


def test_what_is_taken_back_elsewhere_leads_there(app: Front, desk: Desk, club: str) -> None:
    """`cannot unmerge table-002b7d532fdea792-28d6780d3acf8700: it is a game`, in English on a page of any language."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-02-01", a="zoe", b="yan", score=1.0))
        engine.merge("ann", "zoe")
    merge, game = head(app), 3
    for what, uid, words, way in (
        ("unmerge", game, "it is a result", f"void?uid={game}"),
        ("undeclare", game, "it is a result", f"void?uid={game}"),
        ("void", merge, "it is a join", f"unmerge?uid={merge}"),
        ("void", 1, "it is the rule of a pool", "undeclare?uid=1"),
    ):
        page = refused(desk, what, uid=str(uid))
        assert f"This cannot be taken back here: {words}" in page
        assert f'href="/desk/correct/{way}"' in page
    corrected(desk, "void", uid=str(game), why="x")
    assert f'href="/desk/correct/revive?uid={game}">Count this again' in refused(desk, "void", uid=str(game))
    split, given = CORRECT + "split", {"player": "ann", "into": "ann", "since": "2024-03-02", "why": "x"}
    assert 'href="/log?kinds=merge">Joined records' in desk.send(split, desk.get(f"{split}?player=ann"), **given).text
    met = refused(desk, "merge", keep="ann", other="bo")
    assert 'href="/log?player=ann">Their results' in met


def test_a_name_that_nobody_has_is_mended_by_a_button(desk: Desk) -> None:
    page = refused(desk, "merge", keep="anne", other="di")
    (form,) = re.findall(r'<form method="post">(.*?)</form>', page)
    fields = dict(re.findall(r'name="(keep|other|why)" value="([^"]*)"', form))
    assert fields == {"keep": "ann", "other": "di", "why": "x"}
    assert ">ann is meant<" in form


def test_a_typed_name_that_is_nearly_another_is_put_right_by_a_button(desk: Desk, club: str) -> None:
    """It was told to write both names alike, and the typed fields had to be found."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="Katharina Muster", b="bo", score=1.0))
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "Katarina Muster", "pool": "rapid", "played": "2024-05-02"}
    seen = desk.send("/desk/result", desk.get("/desk/result"), **given)
    (form,) = re.findall(r'<form method="post">(.*?)</form>', seen.text)
    fields = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    assert fields.pop("form")
    assert fields == {**given, "b.0": "Katharina Muster"}
    again = ask(
        desk.app, "POST", "/desk/result", desk.headers, data=dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    )
    assert "spelt much like" not in again.text
    assert "Record it" in again.text


def test_misspelt_names_of_a_cross_table_are_put_right_by_one_button(desk: Desk, club: str) -> None:
    """A fixed dead end: only names of tables had a button, and each needed its own click."""
    with rc.open(club) as engine:
        for name in ("Katharina Muster", "Johannes Probe"):
            engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a=name, b="bo", score=1.0))
    cross = "Vereinsturnier\n18.10.2025\n\nNr.;Name;1;2;3\n1;Katarina Muster;*;1;1\n2;Johanes Probe;0;*;1\n3;bo;0;0;*\n"
    address = desk.bring("kreuz.csv", cross, pool="rapid").headers["location"]
    page = desk.get(address)
    for new, other in (("Katarina Muster", "Katharina Muster"), ("Johanes Probe", "Johannes Probe")):
        assert f">{new} is {other}</button>" in page
    (meant,) = re.findall(r'name="meant" value="([^"]*)"><button class="plain">All so<', page)
    put_right = desk.get(desk.send(f"{address}/mend", page, meant=unescape(meant)).headers["location"])
    assert "spelt much like" not in put_right
    assert desk.send(f"{address}/accept", put_right).status_code == 303
    with rc.open(club) as engine:
        last = [event for _, event in engine.events(engine.log.head.position - 3)]
    names = {name for one in last if isinstance(one, rc.GamePlayed) for name in (one.a, one.b)}
    assert names == {"Katharina Muster", "Johannes Probe", "bo"}


def test_two_spellings_of_one_name_are_both_asked_about_at_once(desk: Desk, club: str) -> None:
    """Fixed faults: the second one was said to be like the first alone, and its question went with the first answer."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="Katharina Muster", b="bo", score=1.0))
    rows = "2024-05-02,Katarina Muster,bo,1\n2024-05-03,Katerina Muster,ann,1\n"
    address = desk.bring("mai.csv", f"played,a,b,score\n{rows}", pool="rapid").headers["location"]
    page = desk.get(address)
    spellings = ("Katarina Muster", "Katerina Muster")
    assert [f">{one} is Katharina Muster</button>" in page for one in spellings] == [True, True]
    (every,) = re.findall(r'name="meant" value="([^"]*)"><button class="plain">All so<', page)
    desk.send(f"{address}/mend", page, meant=f"{spellings[0]}=Katharina Muster")
    answered = desk.get(address)
    assert f">{spellings[1]} is Katharina Muster</button>" in answered
    assert "spelt much like" not in desk.get(desk.send(f"{address}/mend", page, meant=every).headers["location"])


def test_a_second_typed_result_is_no_file_that_came_before(desk: Desk) -> None:
    """A fixed fault: from the second one on, an officer read that a file of this name was imported before."""
    for day in ("2024-05-01", "2024-05-02"):
        given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": day}
        seen = desk.send("/desk/result", desk.get("/desk/result"), **given)
        assert "imported before" not in seen.text
        assert desk.send("/desk/result", seen.text).status_code == 303


def test_a_score_sheet_stays_one(desk: Desk) -> None:
    """A fixed fault: with its first row alone it became the form of one result, without buttons of forfeits."""
    common = {"pool": "rapid", "played": "2024-05-01", "round": "1"}
    sheet = desk.get("/desk/result?sheet=true")
    none = desk.send("/desk/result", sheet, **common, **{"a.0": "ann", "score.0": "+/-", "b.0": "bo"})
    assert none.text.count("<fieldset") == 10
    one = desk.send("/desk/result", sheet, **common, **{"a.0": "ann", "score.0": "1-0", "b.0": "bo"})
    assert desk.get(desk.send("/desk/result", one.text).headers["location"]).count("<fieldset") == 10


def test_results_that_were_taken_back_are_not_divided(desk: Desk) -> None:
    """A fixed fault: they were offered beside those that count, and a file that came twice was there three times."""
    assert desk.get("/desk/correct/split?player=ann").count('type="checkbox"') == 16  # two on each of eight days
    corrected(desk, "void", uid="2", why="x")
    page = desk.get("/desk/correct/split?player=ann")
    assert page.count('type="checkbox"') == 15
    unsaid = desk.send(CORRECT + "split", page, into="Anna", why="x")
    assert (unsaid.status_code, "either a first day, or tick results" in unsaid.text) == (422, True)


def test_a_description_of_all_days_is_of_no_day(desk: Desk) -> None:
    """A fixed fault: a name that is shown was said to be of 1400-01-01, and its player was headed First player."""
    seen = desk.send(CORRECT + "rename", desk.get(CORRECT + "rename"), player="ann", called="Ann of Cork")
    assert "1400" not in seen.text
    assert "First player" not in seen.text


def test_a_row_that_the_log_has_otherwise_leads_to_what_it_has(desk: Desk) -> None:
    """A fixed fault: in place of the row there was a uid of 39 letters."""
    text = "played,a,b,score\n2024-05-01,ann,bo,1\n"
    address = desk.bring("mai.csv", text, pool="rapid").headers["location"]
    desk.send(f"{address}/accept", desk.get(address))
    last = re.findall(r'name="positions" value="([^"]*)"', desk.get(address))[0]
    page = desk.get(desk.bring("mai.csv", text.replace(",1\n", ",0\n"), pool="rapid").headers["location"])
    assert f'<a href="/log/{last}">Event {last}</a>' in page
    assert "table-" not in page


def test_a_table_of_members_without_names_is_refused_in_words(desk: Desk) -> None:
    """A fixed dead end: `map fields to columns: fields={'player': '...'}`."""
    page = desk.send("/desk/members", desk.get("/desk/members"), table="Nix;Nada\n1;2\n", pool="rapid")
    assert page.status_code == 422
    assert "The table has no column for Player; its columns are Nix, Nada" in unescape(page.text)
    assert "fields=" not in page.text


def test_a_complaint_is_answered_with_what_was_corrected_in_words(applied: Applied, club: str) -> None:
    """A fixed fault: `amended e2095bd1 (score 1 -> 0)`, in English, on a page to be mailed."""
    with rc.open(club) as engine:
        at = engine.log.head.position
        engine.amend("g-1-0", {"score": 1.0}, why="Zettel", by="Dee")
    page = Desk(applied(language="de")).get("/desk/complaint?pool=rapid&player=ann")
    assert f"berichtigt (#{at + 1}) · Ergebnis 0,5 → 1 · Zettel · Dee" in page


def test_the_rules_that_can_be_taken_back_are_listed(desk: Desk, club: str) -> None:
    """A fixed dead end: the number of the rule had to be known, or found in the log."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=40")
        position = engine.log.head.position
    page = desk.get("/desk/correct/undeclare")
    assert re.findall(r'href="/desk/correct/undeclare\?uid=(\d+)">rapid', page) == [str(position)]


def test_the_undo_of_one_correction_is_not_headed_as_that_of_a_file(desk: Desk) -> None:
    page = corrected(desk, "rename", player="ann", called="Ann of Cork")
    assert "<h1>Take this back</h1>" in desk.send(CORRECT + "void_all", page).text
    assert "<h1>Take a whole file back</h1>" in desk.get(CORRECT + "void_all")


def test_what_is_corrected_is_found_by_player_and_day_and_joins_are_listed(desk: Desk, club: str) -> None:
    """Their forms began with a number in the log, which nobody knows."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-05-31", a="zoe", b="bo", score=1.0))
        engine.record(rc.GamePlayed(pool="rapid", played="2024-06-01", a="Zoë", b="cy", score=1.0))
        at = engine.log.head.position
        engine.merge("Zoë", "zoe")
    for what in ("void", "amend"):
        form = desk.get(CORRECT + what)
        assert 'name="player"' in form
        assert 'name="played"' in form
        for sought in ("player=Zo%C3%AB", "played=2024-06-01", "player=cy&played=2024-06-01"):
            page = desk.get(f"{CORRECT}{what}?{sought}")
            assert re.findall(rf'href="{CORRECT}{what}\?uid=(\d+)"', page) == [str(at)], sought
        assert "Nothing was found." in desk.get(f"{CORRECT}{what}?player=nobody")
    assert re.findall(rf'href="{CORRECT}unmerge\?uid=(\d+)"', desk.get(f"{CORRECT}unmerge")) == [str(at + 1)]
    corrected(desk, "unmerge", uid=str(at + 1), why="x")
    assert "The latest joins" not in desk.get(f"{CORRECT}unmerge")
