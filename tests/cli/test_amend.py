"""`ratingcore amend`: fields of an event that read differently."""

from pathlib import Path

from ratingcore import open as open_log

from .conftest import Run, last_text, ratings


def test_amending_reads_every_field_by_its_kind(run: Run, club: Path) -> None:
    code, _, err = run("amend", "club.db", "g-1", "score=1/2", "played=2024-03-03", "home=", "points_b=3", "a=di")
    assert (code, "warning" in err) == (0, False)
    with open_log(club) as engine:
        changes = dict(engine.events(5)[0][1].changes)  # type: ignore[attr-defined]  # an amendment
    played = changes.pop("played")
    assert changes == {"score": 0.5, "home": None, "points_b": 3, "a": "di"}
    assert last_text(run).endswith('now reads a di, home (none), played 2024-03-03, points_b 3, score 0.5"')
    assert isinstance(played, int)


def test_a_day_that_is_typed_in_another_form_is_refused_with_a_hint(run: Run, club: Path) -> None:
    code, _, err = run("amend", "club.db", "g-1", "played=19.01.2024")
    assert (code, err.endswith("hint: write days like 2024-03-31\n")) == (2, True)


def test_an_amendment_to_what_is_recorded_already_records_nothing(run: Run, club: Path) -> None:
    """It added an event that changed nothing."""
    run("amend", "club.db", "g-1", "score=1/2", "event=Open", "--uid", "c-1")
    for same in (("score=1/2",), ("event=Open", "score=0.5"), ("home=a",), ("a=ann", "b=bo", "order=0"), ("nothing=",)):
        code, _, err = run("amend", "club.db", "g-1", *same)
        assert (code, err) == (2, "error: nothing to amend: g-1 has these values already\n"), same
    assert run("amend", "club.db", "g-1", "score=1/2", "event=Open", "--uid", "c-1").code == 0
    assert run("amend", "club.db", "g-1", "score=1/2", "event=Closed").code == 0


def test_amending_points_alone_warns_that_the_score_stays(run: Run, club: Path) -> None:
    _, _, err = run("amend", "club.db", "g-1", "points_a=1", "points_b=3")
    how = "warning: points and score disagree about the winner: g-1: points 1-3, score 1"
    assert how in err
    _, _, err = run("amend", "club.db", "g-1", "event=Open")
    assert "warning" not in err, "the points were noted when they were amended"
    run("amend", "club.db", "g-1", "points_a=3", "points_b=1")
    assert "g-1: points 3-1, score 0" in run("amend", "club.db", "g-1", "score=0-1", "--dry-run").err


def test_amendments_of_a_file_are_counted_where_points_contradict_scores(run: Run, club: Path) -> None:
    Path("amendments.csv").write_text("uid,points_a,points_b\ng-1,1,3\ng-2,5,0\ng-4,0,2\n")
    _, _, err = run("amend", "club.db", "--file", "amendments.csv")
    twice = "g-1: points 1-3, score 1; g-4: points 0-2, score 1"
    assert f"warning: points and score disagree about the winner: {twice}; the score counts" in err


def test_a_field_that_nobody_knows_is_refused(run: Run, club: Path) -> None:
    refused = run("amend", "club.db", "g-1", "socre=1/2")
    assert (refused.code, refused.out) == (2, "")
    assert "no result of its pool has a field 'socre'" in refused.err
    assert "did you mean score?" in refused.err
    assert "note" not in run("amend", "club.db", "g-1", "season=2024", "points_a=4").err


def test_amending_a_seed_changes_its_values(run: Run, club: Path) -> None:
    run("amend", "club.db", "s-1", "deviation=50")
    run("amend", "club.db", "s-1", "rating=1700")
    with open_log(club) as engine:
        changes = [dict(event.changes["values"]) for _, event in engine.events(5)]  # type: ignore[attr-defined]  # amendments
    assert changes == [{"rating": 1600.0, "deviation": 50.0}, {"rating": 1700.0, "deviation": 50.0}]
    assert run("amend", "club.db", "s-1", "rating=1700").code == 2


def test_a_file_of_amendments_is_one_batch(run: Run, club: Path) -> None:
    before = ratings(run)
    text = "uid,score,home,rating\ng-1,1/2,(none),\ng-2,0-1,,\ns-1,,,1700\n"
    Path("amendments.csv").write_text(text, encoding="utf-8")
    assert run("amend", "club.db", "--file", "amendments.csv", "--dry-run").err.endswith("nothing was recorded\n")
    code, out, err = run("amend", "club.db", "--file", "amendments.csv", "--why", "sheets misread")
    assert (code, out) == (0, "")
    assert err == "recorded at positions 6 to 8; to take it back: ratingcore void club.db --positions 6-8\n"
    assert "now reads home (none), score 0.5" in run("log", "club.db", "--after", 5).out
    assert ratings(run) != before
    run("void", "club.db", "--positions", "6-8")
    assert ratings(run) == before


def test_of_a_file_of_amendments_all_or_none_are_recorded(run: Run, club: Path) -> None:
    for text, why in (
        ("uid,score\ng-1,1/2\nnobody,1/2\n", "line 3"),
        ("uid,score\ng-1,1/2\ng-1,1-0\n", "line 3 amends g-1 a second time"),
        ("uid,score\ng-1,\n", "line 2 changes nothing"),
        ("uid,score\ng-1,maybe\n", "line 2"),
        ("uid,a\ng-1,bo\n", "a player cannot meet themselves: bo"),
        ("uid,b\ng-1,bo\ng-3,cy\n", "a player cannot meet themselves: cy"),
    ):
        Path("amendments.csv").write_text(text, encoding="utf-8")
        ran = run("amend", "club.db", "--file", "amendments.csv")
        assert (ran.code, why in ran.err) == (2, True), (text, ran)
    assert run("amend", "club.db", "g-1").code == 2
    assert run("verify", "club.db").err.startswith("5 events")


def test_a_new_name_that_is_nearly_another_is_pointed_out(run: Run, club: Path) -> None:
    """A name that is misspelt in a correction became a player like any other."""
    run("amend", "club.db", "g-1", "a=Magnus Carlsen")
    _, _, err = run("amend", "club.db", "g-2", "b=Magnus Carlson")
    assert err.splitlines()[-1] == "warning: new name Magnus Carlson is spelt nearly like Magnus Carlsen"
    Path("amendments.csv").write_text("uid,a\ng-3,Mangus Carlsen\n")
    _, _, err = run("amend", "club.db", "--file", "amendments.csv")
    assert "warning: new name Mangus Carlsen is spelt nearly like Magnus Carlsen" in err
    assert "nearly" not in run("void", "club.db", "g-3").err
