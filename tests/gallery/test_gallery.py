"""The gallery from files to pages: the same again, sound when something is odd, sentences that follow from numbers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from attrs import evolve

from gallery import __main__ as command
from gallery.__main__ import HERE, main, shown
from gallery.archives import ARCHIVES, BRIDGE
from gallery.comparing import Result
from gallery.lessons import HALF, LESSONS, lessons
from gallery.pages import Shown, kept, pages
from ratingcore import Engine
from tests.report.reader import Page

KEPT = HERE / "results"


def results() -> dict[str, Result]:
    return {each.key: each.result for each in kept(KEPT) if each.result is not None}


def test_a_small_archive_gives_the_numbers_that_are_kept_and_the_same_pages_again(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        words = [
            "--only",
            "bridge-club",
            "--results",
            str(tmp_path / folder / "results"),
            "--to",
            str(tmp_path / folder),
        ]
        assert main(words) == 0
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).glob("*.*")} for name in ("one", "two"))
    assert one == two
    assert len(one) == len(ARCHIVES) + 2
    made, was = (Result.read(folder / "bridge-club.json") for folder in (tmp_path / "one" / "results", KEPT))
    assert evolve(made, made_with={}, rows=()) == evolve(was, made_with={}, rows=())
    for mine, theirs in zip(made.rows, was.rows, strict=True):
        assert (mine.label, mine.text, mine.apart) == (theirs.label, theirs.text, theirs.apart)
        assert mine.log_loss == pytest.approx(theirs.log_loss, abs=2e-6)


def test_an_odd_archive_is_shown_with_the_reason_and_takes_nobody_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(engine: Engine, paths: object) -> None:
        raise ZeroDivisionError("a row is odd")

    odd = evolve(BRIDGE, key="odd", read=broken)
    monkeypatch.setattr(command, "ARCHIVES", (odd, BRIDGE))
    assert main(["--results", str(tmp_path / "results"), "--to", str(tmp_path)]) == 1
    assert "There are no numbers here: a row is odd" in (tmp_path / "odd.html").read_text("utf-8")
    assert "log loss" in (tmp_path / "bridge-club.html").read_text("utf-8")


def test_a_missing_file_is_on_the_page_with_its_address(tmp_path: Path) -> None:
    (chess,) = (archive for archive in ARCHIVES if archive.key == "chess")
    made = shown(chess, tmp_path, tmp_path / "results", fetch=False)
    assert made.result is None
    text = pages([made])["chess.html"]
    assert "lichess_db_standard_rated_2013-01.pgn.zst is not in" in text
    assert "python -m gallery --fetch" in text


def test_pages_are_plain_and_lead_nowhere_that_is_not_there() -> None:
    made = pages(kept(KEPT))
    assert len(made) == len(ARCHIVES) + 2
    for name, text in made.items():
        if name.endswith(".html"):
            page = Page(text)
            assert not page.of("script")
            assert not page.of("img")
            assert [attrs["href"] for attrs in page.of("link")] == ["style.css"]
            links = {attrs["href"] or "" for attrs in page.of("a")}
            assert all(link in made or link.startswith(("#", "https://")) for link in links), name
            assert "nan" not in page.text.lower().split()
            assert "None" not in page.text.split()


def test_the_way_of_comparing_is_on_the_first_page() -> None:
    text = Page(pages(kept(KEPT))["index.html"]).text
    for word in ("Training and test", "Out of sample", "Log loss", "Intervals", "bootstrap", "Pairs", "Holm"):
        assert word in text


# sentences


def test_there_are_ten_sentences() -> None:
    made = lessons(results())
    assert len(made) == len(LESSONS) == 10
    assert all(sentence.endswith(".") and sentence.count(". ") == 0 for sentence in made)


def _figures(every: dict[str, Result]) -> Iterator[float]:
    """All that a figure of a sentence may be: a number of the tables, or what one method or tuning gained."""
    yield HALF
    for result in every.values():
        for row in result.rows:
            yield from (row.log_loss, row.low, row.high)
        yield from (figure for gain in result.gains for figure in (gain.gain, gain.margin))
        gains = [row.as_it_comes - row.log_loss for row in result.rows if row.as_it_comes is not None]
        yield from (*gains, median(gains) if gains else HALF)


def test_every_figure_of_the_sentences_is_one_of_the_tables() -> None:
    every = results()
    known = {f"{abs(figure):.4f}" for figure in _figures(every)}
    found = [figure for sentence in lessons(every) for figure in re.findall(r"\d\.\d{4}", sentence)]
    assert len(found) > 10
    assert not set(found) - known


@pytest.mark.parametrize("key", ["basketball", "international-football"])
def test_gains_are_the_differences_of_the_tables(key: str) -> None:
    result = results()[key]
    assert len(result.gains) >= 4
    for gain in result.gains:
        one, other = result.row(gain.one), result.row(gain.other)
        assert one is not None
        assert other is not None
        assert gain.gain == pytest.approx(other.log_loss - one.log_loss, abs=2e-6)
        assert gain.margin > 0.0


@pytest.mark.parametrize("key", ["basketball", "go-congress", "riichi", "bridge-club"])
def test_sentences_change_with_the_numbers(key: str) -> None:
    every = results()
    result = every[key]
    first, *rest = result.rows
    rows = (evolve(first, log_loss=0.5, low=0.45, high=0.55), *(evolve(row, apart=True) for row in rest))
    turned = evolve(result, rows=rows, gains=tuple(evolve(gain, gain=-gain.gain) for gain in result.gains))
    assert lessons(every) != lessons({**every, key: turned})


def test_a_sentence_without_its_archive_is_left_out() -> None:
    every = results()
    del every["riichi"]
    assert len(lessons(every)) == 9
    assert lessons({}) == []


def test_kept_numbers_are_of_the_archives_that_are_declared() -> None:
    for path in KEPT.glob("*.json"):
        (archive,) = (archive for archive in ARCHIVES if archive.key == path.stem)
        result = Result.read(path)
        assert json.loads(path.read_text("utf-8"))["key"] == archive.key
        labels = {candidate.label for candidate in archive.candidates}
        assert {row.label for row in result.rows} <= labels
        assert labels <= {row.label for row in result.rows} | set(result.left_out)


def test_an_archive_that_was_never_compared_is_among_those_not_shown(tmp_path: Path) -> None:
    made = kept(tmp_path)
    assert all(isinstance(each, Shown) and each.result is None for each in made)
    assert "Archives that are not shown" in pages(made)["index.html"]
