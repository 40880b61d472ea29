"""Lists of the engine that were published: made again byte for byte, and named as cuts."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine, publications
from ratingcore.errors import (
    BadCut,
    ListDiffers,
    SeveralLists,
    UnknownList,
)
from ratingcore.lists import Published, RatingList
from ratingcore.log import load_lines
from tests.columns.making import POOL, game, seed, session
from tests.engine import publishing
from tests.engine.publishing import engine, told
from tests.laws.histories import League

eng = publishing.eng

METHODS = ["elo:k=24", "elo:period=month", "berkin", "elo-margin:preset=nba538,margin=none", "elo:entry=trial(1)"]


def asked(eng: Engine, method: str) -> RatingList:
    return eng.rating_list(POOL, method, through="1970-02-25", policy="provisional=2,digits=2")


@pytest.mark.parametrize("method", METHODS)
def test_a_published_list_is_made_again_byte_for_byte_whatever_happens_later(eng: Engine, method: str) -> None:
    found = asked(eng, method)
    before = told(found)
    eng.publish(found, "february")
    later: list[Any] = [
        lambda: eng.record(game(2, "ann", "eve"), game(60, "eve", "bo"), seed(3, "cy", 1700.0)),
        lambda: eng.void("g-1"),
        lambda: eng.amend("g-2", {"score": 1.0, "played": "1970-01-04"}),
        lambda: eng.merge("bo", "bobby"),
        lambda: eng.publish(eng.rating_list(POOL, method), "march"),
    ]
    for step in later:
        step()
        assert told(eng.published_list("february")) == before
        assert told(eng.rating_list(POOL, method, "1970-02-25", "february", policy="provisional=2,digits=2")) == before
    assert eng.restated("february").digest != found.digest
    assert told(eng.restated("february", known_at="february")) == before


@pytest.mark.parametrize("method", METHODS[:3])
def test_it_is_the_same_after_a_restart_and_from_an_export_loaded_elsewhere(tmp_path: Path, method: str) -> None:
    with rc.open(tmp_path / "club.db") as first:
        first.record(game(1, "Zoë", "李", uid="g"), game(9, "bo", "Zoë"), game(40, "cy", "bo"))
        found = asked(first, method)
        first.publish(found, "list")
        before = told(found)
        lines = list(first.export())
    with rc.open(tmp_path / "club.db") as again:
        again.void("g")
        assert told(again.published_list("list")) == before
    with rc.open(tmp_path / "copy.db") as copy:
        load_lines(copy.log, lines)
        assert told(copy.published_list("list")) == before
        assert copy.prove(before[-1][1])
    with rc.open(":memory:") as memory:
        load_lines(memory.log, lines)
        assert told(memory.published_list("list")) == before


def test_of_an_erased_player_only_the_name_is_gone(eng: Engine) -> None:
    eng.record(game(1, "zoe", "yan", 0.5), game(2, "yan", "zoe", 0.5))
    found = eng.rating_list(POOL, "elo")
    eng.publish(found, "list")
    number = eng.core.player_id("yan")
    before = [dict(row) for row in found]
    with eng.log.writing():
        eng.log.erase([number])
    after = eng.published_list("list")
    assert after.seal == found.seal
    label = f"(erased {number})"
    renamed = [row | {"player": label} if row["player"] == "yan" else row for row in before]
    key = lambda row: (row["rank"], str(row["player"]))  # noqa: E731  # said once
    assert sorted(after, key=key) == sorted(renamed, key=key)
    assert [row["player"] for row in after if row["player"] != label] == [
        row["player"] for row in before if row["player"] != "yan"
    ]


def test_sessions_are_published_like_games() -> None:
    eng = engine(session(1, ("ab", 60.0), ("cd", 40.0), data={"unit": "percent"}))
    found = eng.rating_list(POOL, "bridge-bayes")
    eng.publish(found, "evening")
    eng.record(session(2, ("ac", 60.0), ("bd", 40.0), data={"unit": "percent"}))
    assert told(eng.published_list("evening")) == told(found)


@pytest.mark.parametrize("cuts", [{"known_at": 0}, {"through": "1960-01-01"}])
def test_a_list_of_nobody_can_be_published(eng: Engine, cuts: dict[str, Any]) -> None:
    found = eng.rating_list(POOL, "elo", **cuts)
    assert eng.publish(found, "nobody").players == 0
    assert told(eng.published_list("nobody")) == told(found)


def test_added_columns_are_not_published(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo")
    eng.publish(found.since(found).with_grades(str), "list")
    assert told(eng.published_list("list")) == told(found)


QUESTIONS = ("elo", "elo:k=24,period=days(2)", "elo-margin:preset=nba538,margin=none")

POLICIES = ("", "min_games=2", "active=3 days,digits=0,ties=dense", "provisional=3,digits=-1,ties=games")


@pytest.mark.parametrize("number", range(4))
def test_whatever_a_league_records_every_published_list_is_made_again_and_proves(number: int) -> None:
    random = Random(number)
    league, eng = League(random), engine()
    published: dict[str, tuple[RatingList, str]] = {}
    for step in range(25):
        eng.record(*league.batch())
        pool = random.choice(eng.pools())
        through = random.choice([None, random.randint(0, 9) * 86_400_000_000])
        known_at = random.choice([None, random.randint(0, eng.log.head.position)])
        found = eng.rating_list(pool, random.choice(QUESTIONS), through, known_at, policy=random.choice(POLICIES))
        eng.publish(found, f"list {step}")
        published[f"list {step}"] = found, found.document("json", f"list {step}")
        assert found.player is not None
    for name, (found, text) in published.items():
        assert told(eng.published_list(name, found.pool)) == told(found)
        assert eng.prove(text)
    gone = random.sample(sorted(name.id for name in eng.log.book.names() if name.kind == "player"), 2)
    with eng.log.writing():
        eng.log.erase(gone)
    elsewhere = engine()
    elsewhere.load(eng.export())
    for found, text in published.values():
        proof = elsewhere.prove(text)
        assert proof, proof
        assert proof.erased == len(set(found.id.tolist()) & set(gone))


def test_a_list_made_by_hand_is_not_published(eng: Engine) -> None:
    made = eng.rating_list(POOL, "elo")
    with pytest.raises(ListDiffers):
        eng.publish(evolve(made, games=made.games + 1), "spring")


def test_a_published_list_is_a_cut_in_the_log(eng: Engine) -> None:
    published = eng.publish(eng.rating_list(POOL, "elo", known_at=2), "2024-03")
    found = eng.published_list("2024-03")
    for cut in (published, found, "2024-03", " 2024-03 ", "list:2024-03"):
        assert eng.core.position(cut) == 2
        assert eng.rating_list(POOL, "elo", known_at=cut).digest == found.digest
        assert eng.history(POOL, "bo", "elo", known_at=cut)[-1].played == 19 * 86_400_000_000 + 86_400_000_000


def test_a_position_or_a_time_is_meant_before_a_name(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo", known_at=1)
    for name in ("3", "2999-01-01"):
        eng.log.append([publications.publication(found, name, eng.log)])  # as older versions did; publish refuses it
        assert eng.core.position(f"list:{name}") == 1
    assert eng.core.position("3") == 3
    assert eng.core.position("2999-01-01") == eng.log.head.position


def test_of_several_pools_the_list_of_the_pool_is_meant(eng: Engine) -> None:
    eng.record(game(1, "x", "y", pool="other"), game(2, "x", "y", pool="other"))
    eng.publish(eng.rating_list(POOL, "elo", known_at=2), "list")
    eng.publish(eng.rating_list("other", "elo", known_at=6), "list")
    assert eng.rating_list(POOL, "elo", known_at="list").known_at == 2
    assert eng.rating_list("other", "elo", known_at="list").known_at == 6
    with pytest.raises(SeveralLists, match="lists of several pools were published as list: club, other"):
        eng.core.position("list")
    with pytest.raises(SeveralLists):
        eng.published_list("list")


@pytest.mark.parametrize(("cut", "error"), [("april", BadCut), ("list:april", UnknownList)])
def test_a_cut_that_names_nothing_is_refused(eng: Engine, cut: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="april"):
        eng.rating_list(POOL, "elo", known_at=cut)


def test_a_list_of_another_log_is_no_cut(eng: Engine) -> None:
    other = engine(game(1, "ann", "bo"))
    with pytest.raises(BadCut, match="is not a head of this log"):
        eng.core.position(other.rating_list(POOL, "elo"))
    published: Published = other.publish(other.rating_list(POOL, "elo"), "list")
    with pytest.raises(BadCut, match="is not a head of this log"):
        eng.core.position(published)
