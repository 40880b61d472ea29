"""What moved ratings, on the command line: player, explain, forecasts and impact."""

import csv
import io
import json
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from ratingcore import open as open_log

from .conftest import Run


def test_a_history_has_the_promised_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("player", "club.db", "ann").out)))
    assert list(rows[0]) == ["played", "uid", "opponent", "score", "expected", "change", "rating"]
    assert [row["uid"] for row in rows] == ["s-1", "g-1", "g-3", "g-4"]
    assert rows[0] == {
        "played": "2024-01-01", "uid": "s-1", "opponent": "seed", "score": "", "expected": "",
        "change": "100.0", "rating": "1600.0",
    }  # fmt: skip
    ratings = [float(row["rating"]) for row in rows]
    changes = [float(row["change"]) for row in rows]
    assert [after - before for before, after in pairwise(ratings)] == pytest.approx(changes[1:])


def test_lines_without_an_event_have_their_label_and_no_uid(run: Run) -> None:
    Path("games.csv").write_text(
        "a,b,points_a,points_b,season,played\nann,bo,3,1,1,2023-05-01\nann,bo,0,2,2,2023-10-01\n"
    )
    run("import", "club.db", "games.csv", "--pool", "league")
    method = "elo-margin:carry=0.75,margin=log"
    rows = json.loads(run("player", "club.db", "ann", "--method", method, "-f", "json").out)
    assert [row["opponent"] for row in rows] == ["bo", "season carry-over", "bo"]
    assert rows[1]["uid"] is None
    assert rows[1]["score"] is None


def test_since_and_last_show_less_but_count_all(run: Run, club: Path) -> None:
    whole = run("player", "club.db", "ann").out.splitlines()
    assert run("player", "club.db", "ann", "--since", "2024-03-09").out.splitlines() == [whole[0], *whole[3:]]
    assert run("player", "club.db", "ann", "--last", 1).out.splitlines() == [whole[0], whole[-1]]


def test_a_table_of_a_player_leaves_the_uids_to_other_formats(run: Run, club: Path) -> None:
    table = run("player", "club.db", "ann", "-f", "table").out.splitlines()
    assert table[0].split() == ["played", "opponent", "score", "expected", "change", "rating"]
    assert run("player", "club.db", "ann", "-f", "csv").out.startswith("played,uid,opponent,")


def test_the_peak_of_all_days_is_told_beside_the_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("player", "club.db", "bo").out)))
    top = max(rows, key=lambda row: float(row["rating"]))
    told = f"peak {float(top['rating']):.4f} on {top['played']}\n"
    assert run("player", "club.db", "bo", "-m", "elo").err == told
    assert run("player", "club.db", "bo", "-m", "elo", "--last", 1, "--since", "2024-03-06").err == told
    whole = "berkin has no history of ratings; ratingcore explain shows how this rating came about\n"
    assert run("player", "club.db", "bo", "--method", "berkin:prior_draws=1").err == whole


def test_an_unknown_player_gets_a_hint(run: Run, club: Path) -> None:
    assert run("player", "club.db", "anne") == (
        2, "", "error: the log has no player named: anne\n\nhint: did you mean ann?\n",
    )  # fmt: skip
    code, _, err = run("player", "club.db", "bo (guest)", "--through", "2024-03-31")
    assert code == 2
    assert err.startswith("error: the log has no player named: bo (guest) in pool rapid")


def test_forecasts_have_the_promised_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("forecasts", "club.db").out)))
    assert list(rows[0]) == [
        "uid", "played", "a", "b", "score", "rating_a", "rating_b", "expected", "change_a", "change_b",
    ]  # fmt: skip
    assert [row["uid"] for row in rows] == ["g-1", "g-2", "g-3", "g-4"]
    assert float(rows[0]["expected"]) == pytest.approx(1 / (1 + 10 ** (-100 / 400)))
    drawn = run("forecasts", "club.db", "--method", "elo:curve=normal,draw_band=50").out.splitlines()
    assert drawn[0].endswith(",change_b,draw")


def rows(run: Run, *words: object) -> list[dict[str, Any]]:
    code, out, _ = run("explain", "club.db", *words, "-f", "json")
    assert code == 0
    return json.loads(out)  # type: ignore[no-any-return]  # rows


def test_the_rows_have_the_promised_names_and_add_up(run: Run, club: Path) -> None:
    code, out, err = run("explain", "club.db", "ann")
    assert code == 0
    found = list(csv.DictReader(io.StringIO(out)))
    assert list(found[0]) == [
        "line", "played", "uid", "opponent", "partners", "opposition", "score", "expected", "contribution", "rating",
        "corrected", "corrections", "by", "why",
    ]  # fmt: skip
    assert [row["line"] for row in found] == ["opening", "seed", "result", "result", "result", "closing"]
    assert [row["uid"] for row in found] == ["", "s-1", "g-1", "g-3", "g-4", ""]
    moved = fsum(float(row["contribution"]) for row in found[1:-1])
    assert float(found[0]["rating"]) + moved == pytest.approx(float(found[-1]["rating"]), abs=1e-9)
    assert err.startswith("ann in pool rapid, everything played\nmethod elo, formula 1\n")
    assert "\nhead 5:" in err
    listed = {row["player"]: row["rating"] for row in json.loads(run("list", "club.db", "-f", "json").out)}
    assert float(found[-1]["rating"]) == pytest.approx(listed["ann"], abs=0.00005)


def test_a_table_stands_between_opening_and_closing_and_says_what_was_asked(run: Run, club: Path) -> None:
    code, out, err = run(
        "explain", "club.db", "ann", "--since", "2024-03-01", "--through", "2024-03-31", "-f", "table", "-m", "elo:k=24"
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["played", "opponent", "opposition", "score", "expected", "contribution", "rating"]
    assert lines[1].split() == ["2024-03-01", "opening", "1600.0000"]
    assert lines[2].split()[:3] == ["2024-03-02", "bo", "1500.0000"]
    assert lines[4].split()[:2] == ["2024-03-31", "closing"]
    assert lines[6] == "ann in pool rapid, since 2024-03-01, played through 2024-03-31"
    assert lines[7] == "method elo:k=24, formula 1"


def test_against_a_cut_names_the_correction_and_what_follows(run: Run, club: Path) -> None:
    uid = run("void", "club.db", "g-1", "--why", "default, not played", "--by", "cy").out.strip()
    code, out, err = run("explain", "club.db", "ann", "-m", "elo", "--against", 5, "-f", "table")
    assert (code, err) == (0, "")
    assert [line.split()[:3] for line in out.splitlines()[2:5]] == [
        ["gone", "2024-03-02", "g-1"], ["changed", "2024-03-09", "g-3"], ["changed", "2024-04-01", "g-4"],
    ]  # fmt: skip
    assert f"voided: {uid}, at position 6, recorded " in out
    assert "; why: default, not played; by: cy" in out
    gone, follows, *_ = found = rows(run, "ann", "--against", 5)[1:]
    assert (gone["because"], gone["corrections"], gone["by"], gone["why"]) == (
        f"voided {uid[:8]}", uid, "cy", "default, not played",
    )  # fmt: skip
    assert (follows["because"], follows["corrections"]) == ("follows", None)
    assert fsum(row["difference"] for row in found[:-1]) == pytest.approx(found[-1]["difference"])
    assert [row["change"] for row in rows(run, "ann", "--known-at", 4, "--against", 5)] == [
        "opening",
        "gone",
        "closing",
    ]


def test_against_a_published_list_both_sides_are_of_its_day(run: Run, club: Path) -> None:
    """They were of everything played, so that neither side was the rating on the list."""
    run("publish", "club.db", "March", "-m", "elo:k=24", "--through", "2024-03-31")
    with open_log(club) as engine:
        listed = {row["player"]: row["rating"] for row in engine.published_list("March")}
    run("void", "club.db", "g-1", "--why", "default")
    code, out, err = run("explain", "club.db", "ann", "--against", "March", "-f", "json")
    assert code == 0
    assert json.loads(out)[-1]["contribution"] == pytest.approx(listed["ann"], abs=0.00005)
    assert "note: both sides count results through 2024-03-31, as March does; --through sets another day" in err
    assert "played through 2024-03-31, as known at 5 and at 7" in err
    _, out, err = run("explain", "club.db", "ann", "--against", "March", "--through", "2024-04-30")
    assert "g-4" in out
    assert "note: March counts results through 2024-03-31; both sides here count results through 2024-04-30" in err


def test_a_page_compares_with_the_list_that_is_named(run: Run, club: Path) -> None:
    """It compared with the newest one, whatever --against said."""
    for name, day in (("March", "2024-03-31"), ("April", "2024-04-30")):
        run("publish", "club.db", name, "-m", "elo:k=24", "--through", day)
    assert run("explain", "club.db", "ann", "--against", "March", "--to", "ann.html").code == 0
    assert "Since the list <bdi>March</bdi> was published" in Path("ann.html").read_text(encoding="utf-8")
    refused = run("explain", "club.db", "ann", "--against", "3", "--to", "other.html")
    assert (refused.code, Path("other.html").exists()) == (2, False)


def test_a_whole_pool_method_says_that_it_is_attributed(run: Run, club: Path) -> None:
    words = "explain", "club.db", "bo", "-m", "berkin:prior_draws=1"
    code, out, _ = run(*words, "-f", "table")
    assert code == 0
    assert "attribution by refitting" in out
    assert "results of others" in out
    assert "taken together" not in out
    together = run(*words, "-f", "table", "--refits", 2).out
    assert "own results are grouped by month, so that the pool is refitted only 2 times" in together
    assert run(*words, "--refits", 1).code == 2


def test_a_cut_that_is_none_is_told_under_the_name_of_its_option(run: Run, club: Path) -> None:
    for option in ("--known-at", "--against"):
        code, out, err = run("explain", "club.db", "ann", option, "soon")
        assert (code, out, err.splitlines()[0]) == (
            2, "", f"error: {option} must be a position, a time or the name of a published list: 'soon'",
        )  # fmt: skip


def test_the_impact_of_a_game(run: Run, club: Path) -> None:
    code, out, err = run("impact", "club.db", "g-4", "--format", "json")
    assert code == 0
    rows = {row["player"]: row for row in json.loads(out)}
    assert set(rows) == {"ann", "bo (guest)"}
    assert rows["bo (guest)"]["rating_without"] is rows["bo (guest)"]["change"] is None
    assert rows["ann"]["change"] > 0
    assert err.startswith("g-4 moves 2 of 4 players in pool rapid, as of 2024-04-01, 2 of them as listed\nsum ")


def test_the_first_rows_only(run: Run, club: Path) -> None:
    _, out, err = run("impact", "club.db", "s-1", "--top", 1, "--format", "table")
    assert len(out.splitlines()) == 2
    assert out.splitlines()[1].startswith("ann")
    assert err.startswith("... and ")


def test_events_that_are_not_there_are_refused(run: Run, club: Path) -> None:
    assert run("impact", "club.db", "nobody").code == 2
    assert run("impact", "none.db", "g-1").code == 2
    assert run("impact", "club.db", "g-1", "--pool", "blitz").code == 2
