"""Pages show what players are called beside their keys."""

import ratingcore as rc
from ratingcore.backdating.page import backdating_html
from ratingcore.compare.report import report_html
from ratingcore.report.people import person, with_called


def club() -> rc.Engine:
    engine = rc.open(":memory:")
    players = ("fide:15", "bo", "cy", "di")
    for day in range(1, 25):
        for a, b in ((0, 1), (2, 3), (0, 3), (1, 2)):
            score = (day * 7 + a * 3 + b) % 3 / 2
            game = rc.GamePlayed(pool="p", played=f"2024-03-{day:02}", a=players[a], b=players[b], score=score)
            engine.record(game)
    engine.rename("fide:15", "Ann <Lee>")
    return engine


def test_a_player_is_their_key_and_what_they_are_called() -> None:
    assert person("fide:15", {"fide:15": "Ann Lee"}) == "fide:15 (Ann Lee)"
    assert person("bo", {"fide:15": "Ann Lee"}) == "bo"


def test_tables_for_people_name_players_and_others_stay() -> None:
    made = club().compare("p", ["elo", "elo:k=40"])
    named = with_called(made, made.called)
    assert set(named.curves["player"]) == {"fide:15 (Ann <Lee>)", "bo", "cy", "di"}
    assert set(made.curves["player"]) == {"fide:15", "bo", "cy", "di"}
    assert named.scores is made.scores
    assert with_called(made, {}) is made


def test_the_page_of_a_comparison_shows_them_and_its_command_names_keys() -> None:
    page = report_html(club().compare("p", ["elo", "elo:k=40"]))
    assert "fide:15 (Ann &lt;Lee&gt;)" in page
    assert "--player fide:15 " in page
    assert "(Ann <Lee>)</td>" not in page


def test_the_page_of_a_plan_shows_them() -> None:
    plan = rc.Plan.parse('old = "elo"\nnew = "elo:k=40"\nstart = [2024-03-10]')
    assert "fide:15 (Ann &lt;Lee&gt;)" in backdating_html(club().backdate(plan))


def test_whose_name_was_erased_is_not_shown() -> None:
    engine = club()
    engine.erase("fide:15")
    assert "Ann" not in report_html(engine.compare("p", ["elo", "elo:k=40"]))
