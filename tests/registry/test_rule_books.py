"""Rule books: histories of a federation's rule in files, each step with its day and its source."""

from pathlib import Path

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadValue
from ratingcore.events import GamePlayed, RatingSeeded, iso
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.text import text_of
from ratingcore.registry import Registry
from ratingcore.registry.rule_books import RuleBook, bundled_books

CLUB = """
label = "Our club"

[[step]]
method = "elo"
published = 2020-01-01
source = "minutes of 2020"

[[step]]
from = 2024-03-01
once = "raised(2000,0.4)"
method = "elo:k=40"
published = "2024"
source = "minutes of 2024"
"""


@pytest.mark.parametrize("name", bundled_books())
def test_every_bundled_step_has_a_source_and_builds(name: str) -> None:
    book = RuleBook.bundled(name)
    made = Registry.installed().method(f"book:{name}")
    assert isinstance(made, Book)
    assert made.label == book.label
    assert made == Registry.installed().method(book.text)
    assert len(made.steps) == len(book.steps)
    assert all("https://" in step.source or "http://" in step.source for step in book.steps)
    assert Registry.installed().method(text_of(made)) == made


def test_thresholds_of_us_chess_are_those_of_its_announcements() -> None:
    made = Registry.installed().method("book:uschess")
    told = [("" if day is None else iso(day), step.bonus) for step, day in made.steps]
    assert told == [("", 12.0), ("2017-05-01", 14.0), ("2023-02-01", 12.0), ("2025-01-01", 10.0)]


def test_a_bundled_book_goes_on_with_a_further_step() -> None:
    made = Registry.installed().method("book:uschess then uschess:form=full,bonus=11 from 2026-01-01 by event end")
    assert [step.bonus for step, _ in made.steps][-2:] == [10.0, 11.0]


def test_a_file_is_a_book() -> None:
    book = RuleBook.of(CLUB, "club.toml")
    assert book.text == "Our club=elo then elo:k=40 from 2024-03-01 once=raised(2000.0,0.4)"
    assert [(step.published, step.source) for step in book.steps][1] == ("2024", "minutes of 2024")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('label = "Our club"', "", "label must be one or a few words"),
        ('label = "Our club"', 'label = "a=b"', "label must be one or a few words"),
        ('source = "minutes of 2024"', "", "source must be given in step 2 of club.toml"),
        ("from = 2024-03-01", "", "from must be given in step 2"),
        ('method = "elo"', 'method = "elo"\nfrom = 2020-01-01', "which applies from the beginning"),
        ('method = "elo"', 'method = "elo"\nsince = 2020-01-01', "not a field of a step"),
        ('method = "elo"', 'method = "elo then elo from 2020-01-01"', "has several steps in step 1"),
        ('once = "raised(2000,0.4)"', 'once = "halved"', "once must be one of"),
        ('once = "raised(2000,0.4)"', 'by = "round"', "by must be one of day, event end, event start"),
        ("[[step]]", "[step", "must be TOML"),
    ],
)
def test_a_file_that_is_no_book_is_refused_with_its_place(old: str, new: str, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        RuleBook.of(CLUB.replace(old, new), "club.toml")


def test_a_name_of_no_bundled_book_is_refused() -> None:
    with pytest.raises(BadValue, match="must be one of fide-rapid, fide-standard, uschess"):
        Registry.installed().method("book:fide")


def pool(engine: Engine) -> None:
    """Two months of games around 1 March 2024."""
    days = ("2024-02-01", "2024-03-10")
    engine.record(*(GamePlayed(pool="p", played=day, a="ann", b="bo", score=1.0) for day in days))


def test_a_declared_book_is_whole_in_the_log_and_short_on_lists(tmp_path: Path) -> None:
    with open_engine(tmp_path / "club.db") as engine:
        pool(engine)
        engine.declare("p", method=RuleBook.of(CLUB, "club.toml").text)
        listed = engine.rating_list("p")
        lines = listed.provenance.lines()
        assert lines[1].startswith("method Our club, digest ")
        assert lines[1].endswith(", with the step from 2024-03-01 once=raised(2000.0,0.4)")
        assert engine.core.declared("p").method == RuleBook.of(CLUB, "club.toml").text
        assert engine.core.method(listed.provenance.method) == engine.core.method(RuleBook.of(CLUB, "c").text)
        engine.publish(listed, name="march")
        assert engine.restated("march").digest == listed.digest
        earlier = engine.rating_list("p", through="2024-02-28")
        assert earlier.provenance.lines()[1].startswith("method elo@")
        engine.declare("p", method="elo:k=10", starting="2024-04-01")
        assert engine.core.declared("p").method.endswith("then elo:k=10 from 2024-04-01")


def test_a_declared_bundled_book_is_written_out() -> None:
    """A later release may have a longer book: what was declared keeps what it meant."""
    with open_engine(":memory:") as engine:
        pool(engine)
        engine.declare("p", method="book:uschess")
        assert engine.core.declared("p").method == RuleBook.bundled("uschess").text


def test_us_chess_is_rated_by_three_thresholds_in_one_list() -> None:
    """A gain beyond B times the root of the number of games is doubled (the algorithm, 4.1), each year by its own B."""
    events = []
    for year, day in (("2022", "2022-06-01"), ("2024", "2024-06-01"), ("2025", "2025-06-01")):
        ann = f"ann{year}"
        events += [
            RatingSeeded(pool="p", played=f"{year}-01-01", player=ann, values={"rating": 1500.0, "played": 50.0})
        ]
        for number in range(4):
            bo = f"bo{year}-{number}"
            seeded = {"rating": 1500.0, "played": 50.0}
            events += [
                RatingSeeded(pool="p", played=f"{year}-01-01", player=bo, values=seeded),
                GamePlayed(pool="p", played=day, a=ann, b=bo, score=1.0, data={"event": year}),
            ]
    with open_engine(":memory:") as engine:
        engine.record(*events)
        rating = {row["player"]: row["rating"] for row in engine.rating_list("p", "book:uschess")}
        gained = {year: rating[f"ann{year}"] - 1500.0 for year in ("2022", "2024", "2025")}
        plain = {row["player"]: row["rating"] for row in engine.rating_list("p", "uschess:form=full,bonus=1000")}
        gain = plain["ann2022"] - 1500.0
        for year, bonus in (("2022", 14.0), ("2024", 12.0), ("2025", 10.0)):
            assert gained[year] == pytest.approx(gain + max(0.0, gain - bonus * 4**0.5), abs=1e-3)
        assert gained["2022"] < gained["2024"] < gained["2025"]


def test_fide_rates_a_tournament_by_the_rule_of_its_first_day() -> None:
    """From 2022 on one game of a tournament is capped at 400 points, before that each is.

    By table 8.1.2 differences of 937 and 587 points are worth .99 and .98, capped ones .92.
    """
    with open_engine(":memory:") as engine:
        for name, rating in (("ann", 2000.0), ("bo", 1063.0), ("cy", 1413.0), ("di", 1063.0)):
            values = {"rating": rating, "counted": 500.0}
            engine.record(RatingSeeded(pool="p", played="2021-12-01", player=name, values=values))
        for day, loser in (("2021-12-27", "bo"), ("2022-01-02", "cy"), ("2022-01-02", "di")):
            open_ = {"event": "open"}
            engine.record(GamePlayed(pool="p", played=day, a="ann", b=loser, score=1.0, data=open_))

        def rating(method: str) -> float:
            listed = engine.rating_list("p", method, through="2022-01-31")
            return next(row["rating"] for row in listed if row["player"] == "ann")

        assert rating("book:fide-standard") == 2000.0 + round(20 * 3 * (1 - 0.92))
        assert rating("elo:preset=fide") == 2000.0 + round(20 * (1 - 0.92)) + round(20 * (1 - 0.92 + 1 - 0.98))


@pytest.mark.parametrize(
    ("year", "k"), [("2009-06", 25), ("2009-07", 30), ("2014-06", 30), ("2014-07", 40), ("2023-06", 40)]
)
def test_a_newcomer_has_the_k_of_their_year_by_the_book_as_by_date(year: str, k: int) -> None:
    """FIDE Handbook B.02 of each edition; in 2009 the book kept 25 where `by-date` had 30."""
    with open_engine(":memory:") as engine:
        for name in ("ann", "bo"):
            values = {"rating": 1500.0, "counted": 0.0}
            engine.record(RatingSeeded(pool="p", played=f"{year}-01", player=name, values=values))
        engine.record(GamePlayed(pool="p", played=f"{year}-02", a="ann", b="bo", score=1.0))
        for method in ("book:fide-standard", "elo:preset=fide"):
            listed = {row["player"]: row["rating"] for row in engine.rating_list("p", method)}
            assert listed == {"ann": 1500.0 + k // 2 + k % 2, "bo": 1500.0 - k // 2 - k % 2}
