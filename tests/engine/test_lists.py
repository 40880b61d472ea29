"""Published lists: made again byte for byte whatever is recorded later, in random leagues too."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import ListDiffers
from ratingcore.lists import RatingList
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
        copy.load(lines)
        assert told(copy.published_list("list")) == before
        assert copy.prove(before[-1][1])
    with rc.open(":memory:") as memory:
        memory.load(lines)
        assert told(memory.published_list("list")) == before


def test_of_an_erased_player_only_the_name_is_gone(eng: Engine) -> None:
    eng.record(game(1, "zoe", "yan", 0.5), game(2, "yan", "zoe", 0.5))
    found = eng.rating_list(POOL, "elo")
    eng.publish(found, "list")
    number = eng.player_id("yan")
    before = [dict(row) for row in found]
    eng.log.names_book.erase([number])
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
    eng.publish(found.since(found).with_grades("elo_class"), "list")
    assert told(eng.published_list("list")) == told(found)


QUESTIONS = ("elo", "elo:k=24,period=days(2)", "elo-margin:preset=nba538,margin=none")

POLICIES = ("", "min_games=2", "active=3 days,digits=0,ties=dense", "provisional=3,digits=-1,ties=games")


@pytest.mark.parametrize("number", range(25))
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
    gone = random.sample(sorted(name.id for name in eng.log.names() if name.kind == "player"), 2)
    eng.log.names_book.erase(gone)
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
