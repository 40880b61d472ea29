"""`ratingcore declare`: what a pool takes."""

from pathlib import Path

import pytest

from .conftest import Run, last_text

COLUMNS = "pool,players,results,method,digits,min_games,active,from,zone,fits"


def test_a_pool_is_declared_listed_and_opened_again(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "goals.db")
    code, out, err = run("declare", log, "--pool", "cup", "--fits", "elo-margin", "--uid", "first")
    assert (code, out) == (0, "first\n")
    assert err == "recorded at position 1: pool cup takes what elo-margin can read\n"
    code, out, err = run("pools", log, "--format", "csv")
    assert (code, out) == (0, f"{COLUMNS}\ncup,0,0,,,,,,,elo-margin\n")
    assert err == "no method is declared for cup: their lists use elo unless a command names a method\n"
    assert run("list", log, "--method", "elo-margin").out == "rank,player,rating,games\n"
    code, out, err = run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g")
    assert (code, out) == (1, "")
    assert "g is not one: no points" in err
    assert run("declare", log, "--fits", "elo-margin").err == "nothing was recorded: pool cup is declared so already\n"
    assert run("declare", log, "--any").err.endswith("pool cup takes every result\n")
    assert run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g").code == 0


QUESTIONS = (
    ("player", "ann"), ("explain", "ann"), ("forecasts",), ("impact", "g-1"),
    ("predict", "ann", "bo"), ("void", "g-1", "--dry-run"), ("plot", "distribution"),
    ("tune", "--grid", "k=10,20"),
)  # fmt: skip
"""Commands that may be given a method, each with what it needs."""


@pytest.mark.parametrize("words", QUESTIONS)
def test_where_no_method_is_declared_elo_answers_and_that_is_said(run: Run, club: Path, words: tuple[str, ...]) -> None:
    command, *rest = words
    line = "note: no method is declared for this pool: elo is used\n"
    unnamed, named = run(command, club, *rest), run(command, club, *rest, "--method", "elo")
    assert (unnamed.code, unnamed.out, unnamed.err.replace(line, "")) == (0, named.out, named.err)
    assert unnamed.err.count(line) == 1
    run("declare", club, "--method", "elo:k=24")
    assert line not in run(command, club, *rest).err


def test_a_method_that_changed_has_a_row_for_each_day_from_which_it_counts(run: Run, club: Path) -> None:
    for method, *day in (("elo:k=40", "--from", "2024-06-01"), ("elo:k=24",), ("elo:k=32", "--from", "2024-04-01")):
        run("declare", club, "--method", method, *day)
    rows = [row.split(",") for row in run("pools", club, "-f", "csv").out.splitlines()[1:]]
    later = "elo:k=24 then elo:k=32 from 2024-04-01"
    assert [(row[3], row[7]) for row in rows] == [("elo:k=24", ""), (later, "2024-04-01")]


def test_a_rule_from_a_day_begins_with_the_ratings_of_the_rule_before(run: Run, tmp_path: Path) -> None:
    """The list is the one that the choice of this day shows when rules are backdated: 1529.39, not 1538.78."""
    log = str(tmp_path / "new.db")
    for day, a, b, score in (("02", "ann", "bo", "1-0"), ("09", "bo", "cy", "1/2"), ("16", "cy", "ann", "0-1")):
        run("record", log, "--pool", "rapid", "--played", f"2024-03-{day}", a, b, score)
    said = run("declare", log, "--method", "elo:k=40", "--from", "2024-03-05").err
    assert "the lists of rapid are by a rule with a history\nbefore 2024-03-05: elo\n" in said
    assert "\nfrom 2024-03-05 on: elo:k=40, beginning with the ratings of that day\n" in said
    assert run("list", log, "-f", "csv").out.splitlines()[1] == "1,ann,1529.3914,2"
    before = run("list", log, "--through", "2024-03-04")
    assert before.out == run("list", log, "--through", "2024-03-04", "--method", "elo").out
    run("declare", log, "--method", "elo:k=40", "--from", "2024-03-05", "--restated")
    assert run("list", log, "-f", "csv").out.splitlines()[1] == "1,ann,1538.784,2"
    assert run("declare", log, "--digits", "0", "--restated").code == 2


def test_a_question_of_later_days_that_is_replaced_is_named(run: Run, club: Path) -> None:
    run("declare", "club.db", "--pool", "rapid", "--method", "elo:k=40", "--from", "2025-06-01")
    _, _, said = run("declare", "club.db", "--pool", "rapid", "--method", "elo:k=32", "--from", "2025-01-01")
    assert "elo:k=40 from 2025-06-01 is replaced too: declare it again" in said
    _, _, said = run("declare", "club.db", "--pool", "rapid", "--method", "elo:k=24", "--from", "2025-07-01")
    assert "replaced" not in said


def test_what_is_missing_is_said(run: Run, club: Path) -> None:
    assert run("declare", "club.db").code == 2
    assert run("declare", "club.db", "--fits", "elo", "--any").code == 2
    assert run("declare", "none.db", "--fits", "elo").code == 2
    assert run("declare", "club.db", "--fits", "eloo").code == 2
    run("declare", "club.db", "--fits", "elo")
    assert last_text(run) == "the pool takes what elo can read"


def test_an_empty_zone_is_a_mistake(run: Run, club: Path) -> None:
    code, _, err = run("declare", club, "--zone", "")
    assert (code, "--zone UTC takes the zone of a pool back" in err) == (2, True)


def test_a_zone_is_declared_beside_what_the_pool_takes_and_its_days_are_those_of_the_zone(
    run: Run, tmp_path: Path
) -> None:
    log = str(tmp_path / "club.db")
    run("record", log, "--pool", "club", "--played", "2023-12-31T23:30Z", "ann", "bo", "1-0", "--uid", "g")
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 3
    code, out, err = run("declare", log, "--zone", "Europe/Prague", "--uid", "z")
    assert (code, out) == (0, "z\n")
    assert err.endswith("pool club takes every result, and its days are those of Europe/Prague\n")
    assert run("declare", log, "--fits", "elo").err.endswith(
        "what elo can read, and its days are those of Europe/Prague\n"
    )
    assert run("pools", log, "--format", "csv").out == f"{COLUMNS}\nclub,2,1,,,,,,Europe/Prague,elo\n"
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 1
    assert run("player", log, "ann", "--format", "csv").out.splitlines()[1].startswith("2024-01-01T00:30:00+01:00,g,")
    shown = run("list", log, "--through", "2024-01-01T00:30", "--format", "csv").out
    assert shown.count("\n") == 3
    code, out, err = run("declare", log, "--zone", "Europe/Prag")
    assert (code, out) == (2, "")
    assert "no time zone is named: 'Europe/Prag'" in err
    assert "did you mean Europe/Prague" in err
    run("declare", log, "--zone", "UTC", "--any")
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 3


METHOD = "elo:k=24"


@pytest.fixture
def asking(run: Run, club: Path) -> Run:
    """The club, whose pool declares a method from April on; the list of March is by another K."""
    run(
        "declare",
        club,
        "--method",
        METHOD,
        "--digits",
        0,
        "--min-games",
        2,
        "--active",
        "12 months",
        "--from",
        "2024-04-01",
        "--restated",
    )
    run("publish", club, "March", "--through", "2024-03-31", "--method", "elo:k=32", "--digits", 1)
    return run


def method_line(said: str) -> str:
    """The K of a list, and its policy."""
    k = said.partition("method elo")[2].partition(", ")[0].removeprefix(":k=") or "20"
    return f"{k} {said.partition('policy ')[2].splitlines()[0] if 'policy ' in said else ''}".strip()


DECLARED = "24 min_games=2,active=months(12),digits=0"


def test_commands_without_a_method_ask_the_declared_question_of_the_day(asking: Run, club: Path) -> None:
    assert method_line(asking("list", club).err) == DECLARED
    early = asking("list", club, "--through", "2024-03-31").err
    assert (method_line(early), "no method is declared for this pool" in early) == ("20", True)
    assert method_line(asking("list", club, "-m", "elo").err) == "20"
    assert method_line(asking("list", club, "--digits", 2).err) == DECLARED[:-1] + "2"
    for command in (("player", "ann"), ("explain", "ann"), ("forecasts",), ("impact", "g-1")):
        own, named, elo = (asking(command[0], club, *command[1:], *m) for m in ((), ("-m", METHOD), ("-m", "elo")))
        assert own == named != elo
    assert asking("predict", club, "ann", "bo").out == asking("predict", club, "ann", "bo", "-m", METHOD).out
    tried = ("void", club, "g-1", "--dry-run")
    assert asking(*tried).out == asking(*tried, "-m", METHOD).out
    assert asking("pools", club, "-f", "csv").out.splitlines()[1] == "rapid,4,4,elo:k=24,0,2,months(12),2024-04-01,,"
    asked = "lists of rapid are by elo:k=24 with min_games=2,active=months(12),digits=0 from 2024-04-01\n"
    assert asking("lists", club).err == asked
    assert method_line(asking("list", club, "--known-at", 5).err) == "20"  # before it was declared


def test_what_is_compared_with_a_published_list_asks_as_that_list_did(asking: Run, club: Path) -> None:
    """`list --since LIST` and `explain --against LIST` subtracted ratings of two methods, or of two roundings."""
    since = asking("list", club, "--since", "March")
    assert (since.code, method_line(since.err)) == (0, "32 digits=1")
    assert asking("list", club, "--since", "March", "-m", "elo:k=32", "--digits", 1).out == since.out
    for words in (("-m", METHOD), ("--digits", 0), ("--min-games", 2)):
        code, out, err = asking("list", club, "--since", "March", *words)
        assert (code, out) == (2, "")
        told = "by elo:k=32, formula 1; --method names another" if words[0] == "-m" else "with "
        assert err.startswith(f"error: --since March is a list {told}")
        assert "hint: leave the option out to use that of March" in err
    asking("amend", club, "g-1", "score=0")
    against = asking("explain", club, "ann", "--against", "March")
    assert against.out == asking("explain", club, "ann", "--against", "March", "-m", "elo:k=32").out != ""
    assert asking("explain", club, "ann", "--against", "March", "-m", METHOD).code == 2
    then = asking("list", club, "--known-at", "March")
    assert method_line(then.err) == "32 digits=1"
    other = asking("list", club, "--known-at", "March", "-m", METHOD)
    assert other.err.startswith("note: March was published by elo:k=32, formula 1; this command uses another method")
    asking("publish", club, "April", "-m", METHOD)
    assert "note: the two lists answer different questions: elo@1(k=32.0" in asking("diff", club, "March", "April").err
    assert "note: " not in asking("diff", club, "March").err
    two = asking("list", club, "--known-at", "April", "--since", "March")
    assert two.err.startswith("note: April was published by elo:k=24, formula 1; this command uses another method")


def test_a_book_is_named_and_its_steps_follow_with_their_single_acts(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "new.db")
    code, _, said = run("declare", log, "--pool", "rapid", "--book", "fide-rapid")
    assert code == 2
    assert "error: the rule takes ratings from pool standard, which the log does not have" in said
    assert "hint: import or seed pool standard first, or declare it without results yet" in said
    run("declare", log, "--pool", "standard", "--method", "elo")
    said = run("declare", log, "--pool", "rapid", "--book", "fide-rapid").err
    assert "the lists of rapid are by FIDE rapid\nbefore 2022-10-01: elo:k=rapid-by-date" in said
    assert "beginning with the ratings of that day, after once=lifted(from(standard),100.0)\n" in said


def test_a_book_that_is_not_bundled_is_a_file(run: Run, tmp_path: Path) -> None:
    code, _, said = run("declare", str(tmp_path / "new.db"), "--pool", "rapid", "--book", "fide")
    assert code == 2
    assert "there is no bundled book fide" in said
    assert (
        "hint: bundled are fide-rapid, fide-standard, uschess; a book of your own is a file: --book FILE.toml" in said
    )


@pytest.fixture
def ruled(run: Run, club: Path) -> str:
    """The club with a rule, and another one from a day on."""
    assert run("declare", str(club), "--pool", "club", "--method", "elo:k=20", "--uid", "rule-1").code == 0
    told = run(
        "declare", str(club), "--pool", "club", "--method", "elo:k=40", "--from", "2024-03-08", "--uid", "rule-2"
    )
    assert "the lists of club are by a rule with a history\nbefore 2024-03-08: elo:k=20\n" in told.err
    return str(club)


def test_a_declaration_is_taken_back_by_its_uid(run: Run, ruled: str) -> None:
    """The rule had to be typed again, and its uid was said to be no closed period."""
    before = run("pools", ruled, "--format", "csv").out
    head = run("log", ruled, "--format", "csv").out.count("\n")
    chosen = run("void", ruled, "--positions", str(head - 1))
    assert chosen.err == f"chosen: nothing; rule-2 is a declaration, taken back by ratingcore void {ruled} rule-2\n"
    first = run("void", ruled, "rule-1")
    assert first.err.startswith(
        "error: cannot undeclare rule-1: its pool was declared again by rule-2\n\nhint: void rule-2"
    )
    assert run("void", ruled, "rule-2", "--dry-run").err.endswith("nothing was recorded\n")
    assert run("pools", ruled, "--format", "csv").out == before
    code, out, err = run("void", ruled, "rule-2", "--uid", "back")
    assert (code, out) == (0, "back\n")
    assert err.endswith("the lists of club are by elo:k=20 again\n")
    assert ",elo:k=20," in run("pools", ruled, "--format", "csv").out
    refused = run("revive", ruled, "rule-2").err
    assert "a declaration is never void: declare it again, or void the declaration that took it back" in refused
    assert run("void", ruled, "back").code == 0
    assert run("pools", ruled, "--format", "csv").out == before


def test_the_first_declaration_is_taken_back_to_none(run: Run, club: Path) -> None:
    assert run("declare", str(club), "--pool", "club", "--method", "elo:k=20", "--uid", "rule-1").code == 0
    assert run("void", str(club), "rule-1").err.endswith(
        "no method is declared for club any more: name one with --method\n"
    )
    assert run("pools", str(club)).err.startswith("no method is declared for rapid, club:")
    assert run("void", str(club), "rule-1", "g-1").err.startswith("error: cannot void rule-1: it is a declaration\n")


def test_a_declaration_is_tried(run: Run, ruled: str) -> None:
    before = run("log", ruled).out
    code, out, err = run("declare", ruled, "--pool", "club", "--method", "elo:k=10", "--dry-run")
    assert code == 0
    assert out.splitlines()[0].split()[-1] == "change"
    assert err.endswith("nothing was recorded\n")
    assert run("log", ruled).out == before
    assert run("declare", f"{ruled}.none", "--pool", "club", "--method", "elo", "--dry-run").code == 2


def test_steps_of_a_book_out_of_order_are_named(run: Run, club: Path, tmp_path: Path) -> None:
    book = tmp_path / "rule.toml"
    step = '[[step]]\nmethod = "elo:k=%d"\npublished = "2009"\nsource = "minutes"\n'
    days = 'from = "2010-01-01"\n', 'from = "2009-01-01"\n'
    book.write_text('label = "Rule"\n' + "".join(step % k + day for k, day in ((10, ""), (20, days[0]), (30, days[1]))))
    error = run("declare", str(club), "--pool", "club", "--book", str(book)).err
    assert (
        "from must be later than 2010-01-01, the day of the step before, in step 3 of rule.toml: '2009-01-01'" in error
    )


def test_a_board_without_results_or_without_its_pool_is_told_what_to_give(run: Run, club: Path) -> None:
    """It was told that results go with the pool from which a board takes them: ''."""
    board = run("declare", str(club), "--pool", "coding", "--of", "club", "--method", "elo")
    assert board.err.startswith("error: results are missing: give the condition, such as category=coding")
    alone = run("declare", str(club), "--pool", "coding", "--results", "category=coding")
    assert alone.err.startswith("error: results need of, the pool from which the board takes them: 'category=")


def test_a_method_that_needs_first_ratings_says_so_where_nobody_has_one(run: Run) -> None:
    Path("games.csv").write_text("a,b,score,played\nann,bo,1-0,2024-05-02\nbo,cy,1-0,2024-05-03\n")
    assert run("import", "new.db", "games.csv", "--pool", "club").code == 0
    told = "nobody in pool club is rated by it yet: elo (unrated=skip) gives a first rating from games against rated"
    assert told in run("declare", "new.db", "--pool", "club", "--method", "elo:preset=fide").err
    assert "is rated by it yet" not in run("declare", "new.db", "--pool", "club", "--method", "elo").err
