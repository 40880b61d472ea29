"""One grammar of cuts: every text that the product prints as a cut is read by every door, with one meaning."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.cli.question import cut_of as typed
from ratingcore.engine import Engine
from ratingcore.errors import BadCut, BadValue, SeveralLists, UnknownList
from ratingcore.events import DAY, GamePlayed, instant, last_instant
from ratingcore.lists.cuts import played_through, position, read
from ratingcore.log import Head, SqliteLog
from ratingcore.registry import Registry

NOON = instant("2024-03-01T12:00")


def club(log: SqliteLog, games: int = 5) -> Engine:
    engine = Engine(log, Registry.installed())
    for _ in range(games):
        engine.record(GamePlayed(pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    return engine


def printed(*words: object) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


def cuts_printed(path: Path, engine: Engine) -> Iterator[tuple[str, int]]:
    """Every text that a command prints as a cut in the log, and the position it stands for."""
    recorded = {batch.last: batch.recorded for batch in engine.log.batches()}
    head = printed("verify", path).strip()
    yield head, engine.log.head.position
    yield head[: head.index(":") + 13], engine.log.head.position
    for row in json.loads(printed("log", path, "--format", "json")):
        yield str(row["position"]), row["position"]
        shown = last_instant(row["recorded"])
        yield row["recorded"], max(at for at, when in recorded.items() if when <= shown)
    for row in json.loads(printed("lists", path, "--format", "json")):
        for text in (row["known_at"], f"{row['known_at']}:{row['digest']}", f"list:{row['name']}", row["name"]):
            yield str(text), row["known_at"]
        yield str(row["position"]), row["position"]
        for form in ("json", "csv", "markdown", "table"):
            (text,) = re.findall(r"head\W+(\d+:[0-9a-f]+)", printed("show", path, row["name"], "--format", form))
            yield text, row["known_at"]


@settings(max_examples=12, deadline=None)
@given(
    steps=st.lists(st.sampled_from([1, 3_600_000_000, DAY // 2, DAY, 40 * DAY]), min_size=1, max_size=5),
    data=st.data(),
)
def test_every_cut_that_the_product_prints_is_read_by_every_door_with_one_meaning(
    steps: list[int], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, now = Path(folder) / "club.db", NOON

        def clock() -> int:
            nonlocal now
            now += steps[now % len(steps)]
            return now

        with club(SqliteLog(path, clock=clock)) as engine:
            for number in range(2):
                cut = data.draw(st.integers(1, engine.log.head.position))
                through = data.draw(st.sampled_from([None, "2024-03-31", "2024-03-31T00:00", "2024-03-02T18:30:00.5Z"]))
                engine.publish(engine.rating_list("rapid", "elo", through, cut), f"list {number}")
            for text, meant in cuts_printed(path, engine):
                assert engine.core.position(text) == meant, text
                assert engine.core.position(typed(engine, text)) == meant, text
            for row in json.loads(printed("lists", path, "--format", "json")):
                published = engine.published_list(row["name"])
                again = engine.rating_list("rapid", "elo", row["through"], row["name"])
                assert (again.seal, again.provenance.through) == (published.seal, published.provenance.through)
                words = ["--known-at", row["name"]] + ([] if row["through"] is None else ["--through", row["through"]])
                listed = json.loads(printed("list", path, *words, "--format", "json"))
                assert [line["player"] for line in listed] == list(published.player)


def test_every_cut_in_what_the_old_log_printed_is_read(tmp_path: Path) -> None:
    old = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11"
    path = tmp_path / "club.db"
    path.write_bytes((old / "club.db").read_bytes())
    heads = set(re.findall(r"\b(\d+):([0-9a-f]{12,64})\b", (old / "session.txt").read_text("utf-8")))
    assert len(heads) > 5
    with Engine(SqliteLog(path, read_only=True)) as engine:
        for number, digest in heads:
            assert position(engine.log, f"{number}:{digest}") == int(number)


@pytest.mark.parametrize(("text", "meant"), [("5", 5), ("00000001", 1), (" 4 ", 4), ("00000000", 0)])
def test_digits_alone_are_a_position(text: str, meant: int) -> None:
    """`"00000001"` was no cut in Python and a position on the command line."""
    assert position(club(SqliteLog(":memory:")).log, text) == meant


def test_digits_beyond_the_head_are_refused_and_both_readings_named() -> None:
    """`"20240331"` was a day in Python and a position on the command line."""
    log = club(SqliteLog(":memory:")).log
    with pytest.raises(BadCut, match="known_at is not a position from 0 to 5: 20240331") as caught:
        position(log, "20240331")
    assert "2024-03-31" in caught.value.hint
    assert "list:20240331" in caught.value.hint
    with pytest.raises(BadCut) as caught:
        position(log, "99")
    assert caught.value.hint == "digits alone are a position; the published list is list:99"


def test_a_day_to_play_through_is_written_with_dashes() -> None:
    with pytest.raises(BadValue, match="through must be a day such as 2024-03-31, not digits alone: '20240331'"):
        played_through("20240331")


def test_the_head_that_a_log_prints_is_a_cut_if_its_digest_holds() -> None:
    """A head could be given on the command line only; Python took it for the name of a list."""
    engine = club(SqliteLog(":memory:"))
    head = engine.log.head
    other = Head(head.position, "0" * 64)
    assert position(engine.log, str(head)) == position(engine.log, f" {str(head)[:20].upper()} ") == 5
    for wrong in (str(other), f"6:{head.digest}"):
        with pytest.raises(BadCut, match="known_at is not a head of this log"):
            position(engine.log, wrong)
    with pytest.raises(BadCut, match="must be a position, a time or the name of a published list") as caught:
        position(engine.log, str(head)[:8])
    assert "12 or more digits" in caught.value.hint


def test_the_head_of_a_what_if_is_a_cut_of_that_what_if_only() -> None:
    engine = club(SqliteLog(":memory:"))
    trial = engine.what_if([GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="cy", score=1.0)])
    head = str(trial.log.head)
    assert trial.core.position(head) == 6
    engine.record(GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="cy", score=1.0))
    with pytest.raises(BadCut, match="known_at is not a head of this log"):
        engine.core.position(head)


def test_names_of_lists_are_cuts_of_their_pool() -> None:
    engine = club(SqliteLog(":memory:"))
    engine.record(GamePlayed(pool="blitz", played="2024-03-01", a="ann", b="bo", score=1.0))
    for pool, cut in (("rapid", 2), ("blitz", 6)):
        engine.publish(engine.rating_list(pool, "elo", known_at=cut), "2024-03")
    assert [position(engine.log, "2024-03", engine.core.pool_id(pool)) for pool in ("rapid", "blitz")] == [2, 6]
    with pytest.raises(SeveralLists):
        position(engine.log, "2024-03")
    with pytest.raises(UnknownList):
        position(engine.log, "list:2024-04")
    with pytest.raises(BadCut):
        position(engine.log, "2024-04")
    with pytest.raises(BadCut):
        position(engine.log, True)


@pytest.mark.parametrize("year", [1990, 19901231])
def test_an_int_that_looks_like_a_year_or_a_day_is_no_instant(year: int) -> None:
    with pytest.raises(BadValue, match="write a day as"):
        played_through(year)


def test_a_time_before_the_log_began_is_refused_by_name() -> None:
    with rc.open(":memory:") as engine:
        assert engine.core.position("2020-01-01") == 0  # nothing is known yet, at any time
        engine.record(rc.GamePlayed(pool="rapid", played="2020-01-01", a="ann", b="bo", score=1.0))
        with pytest.raises(BadCut, match="before the log began") as caught:
            engine.rating_list("rapid", "elo", known_at="2020-01-01")
        assert "through" in caught.value.hint
        assert engine.core.position(0) == 0


def test_a_number_of_eighteen_digits_is_a_position_and_of_nineteen_a_name() -> None:
    assert (read("9" * 18), read("9" * 19)) == (10**18 - 1, "9" * 19)


def test_ints_from_1000_on_look_like_years() -> None:
    assert played_through(999) == 999
    assert played_through(100_000_000) == 100_000_000
    for number in (1000, 2024, 99_999_999):
        with pytest.raises(BadValue, match="is microseconds since 1970 as an int"):
            played_through(number)
