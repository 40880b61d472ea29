"""`ratingcore amend`: fields of an event that read differently."""

from pathlib import Path

from ratingcore import open as open_log

from .conftest import Run, last_text


def test_amending_reads_every_field_by_its_kind(run: Run, club: Path) -> None:
    code, _, err = run("amend", "club.db", "g-1", "score=1/2", "played=2024-03-03", "home=", "points_b=3", "a=di")
    assert (code, "warning" in err) == (0, False)
    with open_log(club) as engine:
        changes = dict(next(engine.events(5))[1].changes)  # type: ignore[attr-defined]  # an amendment
    played = changes.pop("played")
    assert changes == {"score": 0.5, "home": None, "points_b": 3, "a": "di"}
    assert last_text(run).endswith('now reads a di, home (none), played 2024-03-03, points_b 3, score 0.5"')
    assert isinstance(played, int)


def test_amending_points_alone_warns_that_the_score_stays(run: Run, club: Path) -> None:
    _, _, err = run("amend", "club.db", "g-1", "points_a=1", "points_b=3")
    assert "warning: the points are 1-3 but the score is 1" in err


def test_amending_a_field_that_was_not_there_is_told(run: Run, club: Path) -> None:
    assert "note: g-1 had no field socre: it is a new one" in run("amend", "club.db", "g-1", "socre=1/2").err
    assert "note" not in run("amend", "club.db", "g-1", "season=2024", "points_a=4").err


def test_amending_a_seed_changes_its_values(run: Run, club: Path) -> None:
    run("amend", "club.db", "s-1", "deviation=50")
    run("amend", "club.db", "s-1", "rating=1700")
    with open_log(club) as engine:
        changes = [dict(event.changes["values"]) for _, event in engine.events(5)]  # type: ignore[attr-defined]  # amendments
    assert changes == [{"rating": 1600.0, "deviation": 50.0}, {"rating": 1700.0, "deviation": 50.0}]
    assert run("amend", "club.db", "s-1", "rating=1700").code == 2
