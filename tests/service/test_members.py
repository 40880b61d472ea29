"""Members and first ratings are pasted at the desk; names alike, games of another and old events are found."""

import re
from html import unescape

import pytest

import ratingcore as rc
from ratingcore.log.lookup import uid_at
from tests.service.asking import Applied, ask, get
from tests.service.desk import Desk

FORM = "/desk/members"


def test_members_are_pasted_from_a_spreadsheet_seen_and_taken_back(desk: Desk, club: str) -> None:
    table = "Name\tVerein\tJahrgang\nann\tSC Nord\t1980\nZoë Lund\tSC Süd\t2010\n"
    seen = desk.send(FORM, desk.get(FORM), table=table, pool="rapid")
    assert "Record it" in seen.text, seen.text
    assert "SC Nord" in seen.text
    done = desk.send(FORM, seen.text)
    assert done.status_code == 303, done.text
    with rc.open(club) as engine:
        facts = {one["player"]: one for one in engine.players("rapid")}
        assert (facts["ann"]["club"], facts["Zoë Lund"]["born"]) == ("SC Nord", 1980 + 30)
    assert re.search('name="positions" value="[0-9]+-[0-9]+"', desk.get(done.headers["location"]))
    again = desk.send(FORM, desk.get(FORM), table=table, pool="rapid")
    assert (again.status_code, "The log already has this" in again.text) == (422, True)


def test_columns_of_members_that_are_not_read_are_named(desk: Desk) -> None:
    """A fixed bug: they were left out without a word."""
    seen = desk.send(FORM, desk.get(FORM), table="Name\tVerein\tFarbe\nann\tSC Nord\trot\n", pool="rapid")
    assert "Columns that are not read: Farbe" in seen.text


def test_first_ratings_are_pasted_and_a_row_without_a_number_is_named(desk: Desk, club: str) -> None:
    page = desk.get(f"{FORM}?ratings=true")
    table = "player,rating\nZoë,1650\nYve,x\n"
    seen = desk.send(FORM, page, table=table, pool="rapid", at="2024-01-01")
    assert "Line 3" in seen.text
    assert desk.send(FORM, seen.text).status_code == 303
    with rc.open(club) as engine:
        last = [event for _, event in engine.events(engine.log.head.position - 1)]
        assert [(one.player, one.values["rating"]) for one in last if isinstance(one, rc.RatingSeeded)] == [
            ("Zoë", 1650)
        ]


def test_pasted_names_that_are_nearly_known_ones_are_put_right_by_one_button(desk: Desk, club: str) -> None:
    """A fixed dead end: they had to be corrected in the pasted table."""
    with rc.open(club) as engine:
        for name in ("Katharina Muster", "Johannes Probe"):
            engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a=name, b="bo", score=1.0))
    table = "player,rating\nKatarina Muster,1650\nJohanes Probe,1700\n"
    seen = desk.send(FORM, desk.get(f"{FORM}?ratings=true"), table=table, pool="rapid", at="2024-01-01").text
    assert ">Katarina Muster is Katharina Muster</button>" in seen
    (form,) = re.findall(r'<form method="post">((?:(?!</form>).)*>All so</button>)', seen, re.DOTALL)
    given = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    put_right = ask(desk.app, "POST", FORM, desk.headers, data={name: unescape(text) for name, text in given.items()})
    assert "spelt much like" not in put_right.text
    assert desk.send(FORM, put_right.text).status_code == 303
    with rc.open(club) as engine:
        seeds = [event for _, event in engine.events(engine.log.head.position - 2)]
    assert [one.player for one in seeds if isinstance(one, rc.RatingSeeded)] == ["Katharina Muster", "Johannes Probe"]


def test_names_that_are_alike_lead_to_the_join_of_the_two(desk: Desk, club: str) -> None:
    with rc.open(club) as engine:
        for name in ("Katharina Muster", "Katarina Muster"):
            engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a=name, b="bo", score=1.0))
    page = desk.get("/desk/similar")
    (join,) = re.findall(r'href="(/desk/correct/merge[^"]*)"', page)
    assert 'value="Katarina Muster"' in desk.get(unescape(join))


def test_a_record_is_divided_by_ticking_the_games_of_the_other(desk: Desk, club: str) -> None:
    """Only a day could divide it, though a father and his son play in the same month."""
    page = desk.get("/desk/correct/split?player=ann")
    ticks = re.findall(r'name="(game\.[0-9]+)"', page)
    assert len(ticks) > 1
    given = {"player": "ann", "into": "ann II", "why": "her mother", ticks[0]: "yes"}
    seen = desk.send("/desk/correct/split", page, **given)
    assert "ann II" in seen.text, seen.text
    assert f'name="{ticks[0]}" value="yes"' in seen.text
    assert desk.send("/desk/correct/split", seen.text).status_code == 303
    with rc.open(club) as engine:
        rows = {row["player"]: row["games"] for row in engine.rating_list("rapid", "elo")}
    assert (rows["ann"], rows["ann II"]) == (len(ticks) - 1, 1)


def test_results_of_a_record_to_be_divided_are_shown_as_corrected(desk: Desk, club: str) -> None:
    """A fixed fault: an amended result was shown as it had been recorded first."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="ann", b="Zoë", score=0.5, uid="x-1"))
        engine.amend("x-1", {"score": 1.0}, why="misread")
        engine.record(rc.GamePlayed(pool="rapid", played="2024-01-01", a="ann", b="late", score=0.5))
    rows = re.findall('name="game[^>]*aria-label="([^"]*)"', desk.get("/desk/correct/split?player=ann"))
    assert rows[0].startswith("ann beat Zoë")
    assert "late" in rows[-1]  # in order of their days, not as they were recorded


def test_a_result_is_corrected_by_its_buttons_and_a_new_name_is_checked(desk: Desk, club: str) -> None:
    """It was a number in a text field, and a slip in a name made somebody new without a word."""
    with rc.open(club) as engine:
        engine.record(
            rc.GamePlayed(pool="rapid", played="2024-04-02", a="Katharina Muster", b="bo", score=1.0, uid="x-1"),
            rc.GamePlayed(pool="rapid", played="2024-04-03", a="cy", b="bo", score=1.0, uid="x-2"),
        )
    page = desk.get("/desk/correct/amend?uid=x-2")
    assert re.findall(r'type="radio" name="set.score" value="([^"]*)"', page) == ["1", "0.5", "0", "+/-", "-/+"]
    assert '<input name="set.played" type="date"' in page
    sent = {"set.a": "Katarina Muster", "set.score": "0.5", "set.played": "2024-04-03", "why": "the sheet"}
    seen = desk.send("/desk/correct/amend", page, **sent)
    assert "Katarina Muster is new, and spelt much like Katharina Muster" in unescape(seen.text)
    assert "Record it" in seen.text


@pytest.mark.parametrize(
    ("query", "there", "absent"),
    [
        ("player=bo&day=2024-03-02", "</tr>", "2024-03-01"),
        ("day=2024-03-01", "", "2024-03-02"),
        ("kinds=void,unmerge", "counts as never recorded", "drew"),
        ("source=SHEET", "cy beat ann", "di"),
        ("player=nobody", "Nothing of this is in the log", "beat"),
    ],
)
def test_the_log_is_searched(applied: Applied, club: str, query: str, there: str, absent: str) -> None:
    with rc.open(club) as engine:
        game = rc.GamePlayed(pool="rapid", played="2024-04-02", a="cy", b="ann", score=1.0, uid="x-1")
        engine.record(game, source="sheet 7.csv")
        engine.void("x-1", why="not played")
    page = get(applied(), f"/log?{query}").text
    table = page[page.index("</form>") :]
    assert there in table
    assert absent not in table


def test_days_are_written_as_in_the_language(applied: Applied) -> None:
    assert '<td class="day">01.03.2024</td>' in get(applied(language="de"), "/log").text


def test_names_that_an_officer_called_two_people_are_no_longer_similar(desk: Desk, club: str) -> None:
    """A pair whose join was undone, or whose record was divided, was offered again; who met cannot be joined."""
    with rc.open(club) as engine:
        for a, b in (
            ("Eva Alt", "Ewa Alt"), ("Zoe Lund", "ann"), ("Zoë Lund", "bo"), ("Thomas Berg", "ann"),
            ("Thomas Berg", "bo"),
        ):  # fmt: skip
            engine.record(rc.GamePlayed(pool="rapid", played="2024-06-01", a=a, b=b, score=1.0))
    assert "Zoë Lund" in desk.get("/desk/similar")
    assert "Eva Alt" not in desk.get("/desk/similar")
    with rc.open(club) as engine:
        last = engine.log.head.position
        engine.merge("Zoe Lund", "Zoë Lund")
        engine.apply(engine.plan.unmerge(uid_at(engine.log, last + 1), why="two people"))
        engine.split("Thomas Berg", "Tomas Berg", games=[uid_at(engine.log, last)], why="two people")
    page = desk.get("/desk/similar")
    assert "Zoë Lund" not in page
    assert "Tomas" not in page


def test_a_pair_is_called_two_people_with_a_reason_and_not_asked_again(desk: Desk, club: str) -> None:
    """A fixed gap: only a join that was undone said so."""
    with rc.open(club) as engine:
        for a, b in (("Zoe Lund", "ann"), ("Zoë Lund", "bo")):
            engine.record(rc.GamePlayed(pool="rapid", played="2024-06-01", a=a, b=b, score=1.0))
        before = list(engine.rating_list("rapid", "elo"))
    page = desk.get("/desk/similar")
    refused = desk.send("/desk/similar", page)
    assert (refused.status_code, "Zoë Lund" in refused.text) == (422, True)
    assert desk.send("/desk/similar", page, why="mother and daughter").status_code == 303
    assert "Zoë Lund" not in desk.get("/desk/similar")
    with rc.open(club) as engine:
        assert list(engine.rating_list("rapid", "elo")) == before
        (_, undone) = list(engine.events(engine.log.head.position - 1))[-1]
        assert isinstance(undone, rc.MergeUndone)
        assert undone.why == "mother and daughter"
