"""The report is one file with the answer first, the numbers behind every picture, and nothing that breaks out of it."""

import json
import re
import shlex

import numpy as np
import pytest
from attrs import evolve
from ratingcore_pages.command_lines import compare
from ratingcore_pages.comparison import report_html

import ratingcore as rc
from ratingcore.compare.comparison import Comparison
from ratingcore.report.table import Table
from tests.compare.samples import METHODS, NAMES, made_up, table
from tests.report.reader import Page


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(report_html(made_up(3)))


def specs(page: Page) -> list[dict[str, object]]:
    return json.loads(page.scripts[0])["specs"]  # type: ignore[no-any-return]  # JSON is what it is


def test_it_opens_with_the_answer(page: Page) -> None:
    assert page.text.index("elo forecasts best") < page.text.index("Scores")
    assert page.of("html")[0]["lang"] == "en"
    assert "football <i>: which method forecasts best?" in page.text


def test_names_cannot_end_the_script_nor_become_tags(page: Page) -> None:
    assert len(page.of("script")) == 3
    assert not page.of("b")
    assert not page.of("i")
    for name in NAMES:
        assert name in page.text
        assert name in json.dumps(specs(page), ensure_ascii=False).replace('\\"', '"')


def test_every_picture_has_words_for_those_who_cannot_see_it_and_a_table_follows_it(page: Page) -> None:
    pictures = [attrs for attrs in page.of("div") if attrs.get("role") == "img"]
    assert len(pictures) == len(specs(page)) == len(page.of("figcaption"))
    assert all(attrs["aria-label"] for attrs in pictures)
    html = report_html(made_up(3))
    for section in re.findall(r"<section.*?</section>", html, re.DOTALL):
        assert "<figure" not in section or section.index("<figure") < section.index("<details")


def test_nothing_is_asked_of_anybody(page: Page) -> None:
    assert not [attrs for _, attrs in page.tags if "src" in attrs]
    assert all(str(attrs["href"]).startswith("#") for _, attrs in page.tags if "href" in attrs)
    policy = next(attrs["content"] for attrs in page.of("meta") if "http-equiv" in attrs)
    assert str(policy).startswith("default-src 'none'")


def test_twelve_methods_with_long_histories_stay_below_three_megabytes() -> None:
    assert len(report_html(made_up(12, periods=300, listed=3000)).encode()) < 3_000_000


def test_long_tables_are_cut_and_say_so() -> None:
    made = Page(report_html(made_up(2, listed=3000)))
    assert "the first 250 of 3,000 rows; its CSV has all" in made.text
    assert "The pictures show up to 400 of the 3,000 players" in made.text


def test_one_method_is_told_without_differences() -> None:
    made = Page(report_html(made_up(1)))
    assert "1 method on 41,300 games, 300 players, 1990-01-06 to 2024-06-30." in made.text
    assert "Against" not in made.text
    assert "Log loss a game, less is better." in made.text


def test_holes_are_empty_cells_and_no_points() -> None:
    made = made_up(2)
    holes = {**made.scores.columns, "log_loss_low": (float("nan"), None), "better_by": (None, float("nan"))}
    ratings = {**made.curves.columns, "rating": np.full(len(made.curves), np.nan)}
    html = report_html(
        evolve(made, scores=evolve(made.scores, columns=holes), curves=evolve(made.curves, columns=ratings))
    )
    assert "nan" not in Page(html).text.lower().split()
    assert "NaN" not in Page(html).scripts[0]


def test_empty_tables_leave_their_sections_out() -> None:
    made = made_up(1)
    bare = {
        name: Table(name, kept.title, {}) for name, kept in made.tables.items() if name not in ("scores", "provenance")
    }
    without = Page(report_html(evolve(made, **bare)))
    assert [attrs["id"] for attrs in without.of("section")] == ["scores", "provenance"]


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "\u202eabc", "a\u2028b", "'\"&amp;<!--<script>"])
def test_strange_letters_do_no_harm(text: str) -> None:
    made = made_up(2, players=(text, "bo"))
    html = report_html(evolve(made, answer=text, pool=text))
    assert html.encode()
    assert len(Page(html).of("script")) == 3


def test_sessions_are_spoken_of_where_there_are_some(page: Page) -> None:
    assert "session" not in page.text.lower()


def test_the_two_best_are_compared_and_the_score_table_is_open() -> None:
    with rc.open(":memory:") as engine:
        for day in range(1, 29):
            for n in range(4):
                engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a=f"p{n}", b="q", score=n / 3))
        made = engine.compare("p", ["elo:k=1", "elo:k=30", "elo:k=40"], reference="elo:k=1")
    best, second, _ = made.methods
    assert next((row["method"], row["against"]) for row in made.pairs if row["against"] != "elo:k=1") == (best, second)
    html = report_html(made)
    assert f"{best}, against {second}" in html
    assert "<details open data-short><summary>Table: Scores" in html


def test_the_first_twenty_are_those_of_the_lists() -> None:
    with rc.open(":memory:") as engine:
        for n in range(30):
            engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{n % 28 + 1:02d}", a=f"p{n:02d}", b="q", score=1.0))
        engine.record(rc.GamePlayed(pool="p", played="2024-02-28", a="p00", b="q", score=1.0))
        made = engine.compare("p", ["elo", "elo:k=40"], policy="min_games=2")
        assert made.first["elo"] == tuple(engine.rating_list("p", "elo", policy="min_games=2").player[:20])
        assert set(made.ranks["player"]) == {"p00", "q"}
        assert "--min-games 2" in compare(made)


def test_draws_have_their_table() -> None:
    assert "Table: Outcomes" in Page(report_html(made_up(2, draws=True))).text


def small() -> Comparison:
    with rc.open(":memory:") as engine:
        for day in range(1, 29):
            score = (0.0, 1.0, 0.5)[day % 3]
            engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a="ann", b="bo", score=score))
        return engine.compare("p", ["elo", "elo:k=40", "chess-bayes"])


def test_a_comparison_of_an_engine_is_reported_with_what_it_was_made_from() -> None:
    made = small()
    text = Page(report_html(made)).text
    assert made.answer in text
    for row in made.provenance:
        assert str(row["value"]) in text
    assert compare(made) in text
    words = shlex.split(compare(made))
    assert words[:5] == ["ratingcore", "compare", "LOG", "--pool", "p"]
    assert words.count("--method") == 3
    assert words[words.index("--player") + 1] in ("ann", "bo")


def test_numbers_of_a_column_have_the_same_decimals() -> None:
    rows = [{"method": METHODS[n], "log_loss": x, "games": 12345} for n, x in enumerate((0.5, 0.123456, -0.000001))]
    made = evolve(made_up(1), agreement=table("agreement", rows))
    text = Page(report_html(made)).text
    assert all(cell in text for cell in ("0.50000", "0.12346", "0.00000", "12,345"))
    assert "-0.00000" not in text
