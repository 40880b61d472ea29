"""`ratingcore list`: rows with fixed names, and what they were made from."""

import json
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.events import bounds
from ratingcore.events.times import FIRST, LAST

from .conftest import Run, publish_as_older_versions


def test_the_rows_have_the_promised_names(run: Run, club: Path) -> None:
    code, out, err = run("list", "club.db", "--format", "csv")
    assert code == 0
    assert out.splitlines()[0] == "rank,player,rating,games"
    assert out.splitlines()[1].startswith("1,ann,")
    assert "head 5:" in err


def test_a_table_names_what_it_was_made_from(run: Run, club: Path) -> None:
    code, out, err = run("list", "club.db", "--top", 1, "--format", "table", "--method", "elo:k=24")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].split() == ["rank", "player", "rating", "games"]
    assert lines[2] == "... and 3 more"
    assert lines[4] == "pool rapid, everything played, as of 2024-04-01"
    assert lines[5] == "method elo:k=24, formula 1"
    with open_log(club) as engine:
        made = engine.rating_list("rapid", "elo:k=24")
        first = engine.rating_list("rapid", "elo:k=24", top=2).with_exact()
        assert json.loads(run("list", club, "--top", 2, "-f", "json", "-m", "elo:k=24").out) == list(first)
        assert lines[6:] == [f"head {engine.log.head}", lines[7], f"digest of the list {made.digest}"]


def test_both_cuts_are_taken(run: Run, club: Path) -> None:
    def players(*words: object) -> list[str]:
        return [row["player"] for row in json.loads(run("list", "club.db", "-f", "json", *words).out)]

    assert players("--through", "2024-03-04") == ["ann", "bo"]
    assert players("--known-at", 3) == ["ann", "cy", "bo"]
    assert players("--known-at", 3, "--through", "2024-01-31") == ["ann"]
    assert run("list", "club.db", "--known-at", "2000-01-01").code == 2
    assert len(players("--known-at", "2999-01-01T00:00:00Z")) == 4


def test_the_only_pool_need_not_be_named(run: Run, club: Path) -> None:
    assert run("list", "club.db").out == run("list", "club.db", "--pool", "rapid").out
    run("record", "club.db", "--pool", "blitz", "--played", "2024-01-01", "ann", "bo", "1-0")
    code, out, err = run("list", "club.db")
    assert (code, out) == (2, "")
    assert err == "error: the log has several pools: rapid, blitz\n\nhint: choose one: --pool rapid\n"


def test_an_empty_log_says_what_to_do(run: Run) -> None:
    with open_log("empty.db"):
        pass
    code, out, err = run("list", "empty.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: the log has no results yet\n\nhint: ")
    assert run("list", "empty.db", "--pool", "p").code == 2
    assert run("verify", "empty.db").out == f"0:{'0' * 64}\n"
    assert run("log", "empty.db", "-f", "json").out == "[]\n"


@pytest.mark.parametrize("name", ["list", "player", "forecasts", "log", "verify", "backup", "export", "void", "amend"])
def test_commands_that_read_make_nothing(run: Run, tmp_path: Path, name: str) -> None:
    further = {"player": ["ann"], "backup": ["copy.db"], "void": ["g-1"], "amend": ["g-1", "score=1"]}
    code, out, err = run(name, "none.db", *further.get(name, []))
    assert (code, out) == (2, "")
    assert err.startswith("error: no such log: none.db\n\nhint: import, seed, record and serve make a log")
    assert list(tmp_path.iterdir()) == []


def test_a_policy_decides_who_is_listed_and_how(run: Run, club: Path) -> None:
    rows = json.loads(run("list", "club.db", "-f", "json", "--min-games", 2, "--digits", 0, "--provisional", 3).out)
    assert [(row["player"], row["provisional"]) for row in rows] == [
        ("ann", None), ("bo", "2 of 3 games"), ("cy", "2 of 3 games"),
    ]  # fmt: skip
    assert all(row["rating"] == round(row["rating"]) for row in rows)
    rows = json.loads(run("list", "club.db", "-f", "json", "--active", "24 days").out)
    assert {row["player"] for row in rows} == {"ann", "cy", "bo (guest)"}
    table = run("list", "club.db", "--min-games", 2, "--ties", "dense", "-f", "table").out
    assert "\npolicy min_games=2,ties=dense\nleft off 1 (fewer than 2 games)\n" in table


def test_changes_are_since_a_day_or_a_published_list(run: Run, club: Path) -> None:
    run("publish", "club.db", "march", "--through", "2024-03-31")
    by_day = run("list", "club.db", "-f", "json", "--since", "2024-03-31")
    assert run("list", "club.db", "-f", "json", "--since", "march").out == by_day.out
    rows = {row["player"]: row for row in json.loads(by_day.out)}
    assert (rows["bo (guest)"]["rank_before"], rows["bo (guest)"]["rating_change"]) == (None, None)
    assert (rows["ann"]["rank_before"], rows["ann"]["rank_change"]) == (1, 0)
    assert rows["ann"]["rating_change"] > 0 == rows["bo"]["rating_change"]
    assert "digest of the list " in by_day.err
    for text in ("april", "20240331", "5"):
        code, _, err = run("list", "club.db", "--since", text)
        assert (code, err.splitlines()[0]) == (2, f"error: --since names neither a day nor a published list: {text}")


def test_digits_alone_are_the_name_of_a_list_and_no_day(run: Run, club: Path) -> None:
    """`--since 20240331` read a day, while digits alone are a position or a name everywhere else."""
    publish_as_older_versions(club, "20240401", through="2024-03-05")
    by_name = run("list", "club.db", "-f", "json", "--since", "20240401")
    assert by_name.out == run("list", "club.db", "-f", "json", "--since", "2024-03-05").out
    assert "note: " not in by_name.err


def test_columns_conditions_and_orders_are_options(run: Run, club: Path) -> None:
    Path("facts.csv").write_text("player,sex,born\nann,w,2007\ncy,w,1990\nbo,m,2006\n", encoding="utf-8")
    assert run("players", "club.db", "facts.csv").code == 0
    some = "--show", "won,born", "--where", "sex=w", "--sort", "-won", "-f", "csv"
    code, out, err = run("list", "club.db", *some)
    assert (code, out.splitlines()[0]) == (0, "rank,player,rating,games,won,born")
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [["4", "cy"], ["1", "ann"]]
    heading = "2 of 4 players: sex=w, ranks among all; sorted by won, backwards"
    assert err.splitlines()[0] == heading
    assert run("list", "club.db", *some, "-f", "table").out.splitlines()[0] == heading
    own = run("list", "club.db", "--where", "born<2007", "--ranks", "listed", "-f", "csv").out.splitlines()[1:]
    assert [line.split(",")[:2] for line in own] == [["1", "bo"], ["2", "cy"]]
    whole = run("list", "club.db", "-f", "table").out.splitlines()[-1]
    assert run("list", "club.db", "--where", "sex=w", "-f", "table").out.splitlines()[-1] == whole
    wrong = run("list", "club.db", "--where", "sex")
    assert (wrong.code, wrong.err) == (2, "error: where must be a condition such as sex=w or born>=2005: 'sex'\n")


def test_json_carries_every_number_in_full_beside_the_listed_one(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        replay = engine.core.replay("rapid", "elo:k=24")
        full = sorted(replay.state["rating"].tolist(), reverse=True)
    for form in ("json", "jsonl"):
        out = run("list", "club.db", "--method", "elo:k=24", "-f", form).out
        rows = json.loads(out) if form == "json" else [json.loads(line) for line in out.splitlines()]
        assert [row["rating_exact"] for row in rows] == full
        assert [row["rating"] for row in rows] == [round(rating, 4) for rating in full]
    plain = run("list", "club.db", "--method", "elo:k=24", "-f", "csv").out
    assert plain.splitlines()[0] == "rank,player,rating,games"
    exact = run("list", "club.db", "--method", "elo:k=24", "-f", "csv", "--exact").out.splitlines()
    assert exact[0] == "rank,player,rating,games,rating_exact"
    assert [float(line.split(",")[4]) for line in exact[1:]] == full
    assert run("list", "club.db", "-f", "table", "--exact").out.splitlines()[0].endswith("rating_exact")


def test_a_result_or_seed_of_a_year_that_is_none_is_named_before_the_list_is_made(
    run: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older versions took any year; a method of periods then rates all the empty ones."""
    from ratingcore import GamePlayed, RatingSeeded

    def record(event: GamePlayed | RatingSeeded) -> None:
        with monkeypatch.context() as before, open_log(club) as engine:
            before.setattr(bounds, "EARLIEST", FIRST)
            before.setattr(bounds, "LATEST", LAST)
            engine.record(event)

    assert "outside the years" not in run("list", "club.db", "-f", "csv").err
    record(GamePlayed(uid="slip", pool="rapid", played="1024-03-02", a="ann", b="bo", score=1.0))
    told = "note: slip at position 6 is dated 1024-03-02, outside the years 1400 to 2199: lists by period take long"
    for words in (("list",), ("list", "--method", "elo:period=year"), ("publish", "a")):
        lines = run(words[0], "club.db", *words[1:]).err.splitlines()
        assert lines[0].startswith(told)
        assert sum("outside the years" in line for line in lines) == 1
    assert "outside the years" not in run("list", "club.db", "--known-at", 5).err
    run("amend", "club.db", "slip", "played=2024-03-02")
    assert "outside the years" not in run("list", "club.db").err
    record(RatingSeeded(uid="late", pool="rapid", played="2924-01-01", player="bo", values={"rating": 1500.0}))
    assert "note: late at position 9 is dated 2924-01-01" in run("list", "club.db").err
    assert "outside the years" not in run("list", "club.db", "--through", "2024-12-31").err


def test_one_odd_result_is_left_out_and_refused_strictly(run: Run, tmp_path: Path) -> None:
    goals = str(tmp_path / "goals.db")
    facts = ("--set", "points_a=3", "--set", "points_b=1")
    run("record", goals, "--pool", "cup", "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g-1", *facts)
    run("record", goals, "--pool", "cup", "--played", "2024-03-09", "bo", "cy", "1-0", "--uid", "g-2")
    code, out, err = run("list", goals, "--method", "elo-margin")
    assert code == 0
    assert "left out: 1 result (no points)" in err
    assert "cy" not in out
    code, _, err = run("list", goals, "--method", "elo-margin", "--strict")
    assert code == 1
    assert "g-2 (no points)" in err
    assert "ratingcore amend LOG g-2 points_a=N points_b=N" in err
    run("amend", goals, "g-2", "points_a=2", "points_b=0")
    assert run("list", goals, "--method", "elo-margin", "--strict").code == 0


def test_a_method_that_reads_the_home_side_is_noted_where_no_game_says_it(run: Run) -> None:
    noted = "note: elo uses the home side, but no game of rapid has one: map the field home, as in --map home=HomeTeam"
    asked = ("list", "new.db", "--method", "elo:first_move=50", "--format", "csv")
    run("record", "new.db", "--pool", "rapid", "--played", "2024-05-01", "ann", "bo", "1-0")
    assert noted in run(*asked).err
    assert noted not in run("list", "new.db", "--method", "elo:k=24", "--format", "csv").err
    run("record", "new.db", "--pool", "rapid", "--home", "a", "--played", "2024-05-02", "ann", "bo", "1-0")
    assert noted not in run(*asked).err
