"""Names of published lists: one list a name and pool, also of two processes at once; documents that name their list."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import AlreadyPublished, BadValue, CannotRebuild, ForeignList, UnknownList, UnknownName
from ratingcore.registry import Registry
from tests.columns.making import POOL, game
from tests.engine import publishing
from tests.engine.publishing import engine
from tests.replay.toys import Walk

eng = publishing.eng


# names


def test_publishing_the_same_list_again_changes_nothing(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo")
    published = eng.publish(found, "list")
    head = eng.log.head
    assert eng.publish(found, "list") == published
    again = eng.rating_list(POOL, "elo")
    assert again.known_at == found.known_at + 1
    assert eng.publish(again, "list") == published, "whoever was interrupted asks the same again"
    assert eng.publish(evolve(found, provenance=evolve(found.provenance, version="9.9")), "list") == published
    assert eng.log.head == head


@pytest.mark.parametrize(
    "other",
    [
        {"method": "elo:k=24"}, {"through": "1970-01-10"}, {"policy": "digits=0"}, {"policy": "min_games=1"},
        {"known_at": 2},
    ],
)  # fmt: skip
def test_another_list_under_the_same_name_is_refused(eng: Engine, other: dict[str, Any]) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "list")
    head = eng.log.head
    with pytest.raises(AlreadyPublished) as caught:
        eng.publish(eng.rating_list(POOL, **({"method": "elo"} | other)), "list")
    assert (caught.value.name, caught.value.pool, caught.value.position) == ("list", POOL, 6)
    assert str(caught.value) == "another list of pool club was published as list, at position 6"
    assert eng.log.head == head


def test_a_restated_list_under_the_same_name_is_refused(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "list")
    eng.void("g-1")
    with pytest.raises(AlreadyPublished):
        eng.publish(eng.rating_list(POOL, "elo"), "list")


def test_one_name_is_one_name_in_any_spelling_and_for_each_pool(eng: Engine) -> None:
    eng.record(game(1, "ann", "bo", pool="other"))
    eng.publish(eng.rating_list(POOL, "elo"), "caf\u00e9")
    with pytest.raises(AlreadyPublished):
        eng.publish(eng.rating_list(POOL, "elo:k=24"), "cafe\u0301")
    assert eng.publish(eng.rating_list("other", "elo"), "café").pool == "other"


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\0", None, 7])
def test_what_names_nothing_is_refused(eng: Engine, name: Any) -> None:
    with pytest.raises(BadValue):
        eng.publish(eng.rating_list(POOL, "elo"), name)
    assert eng.published() == []


def test_a_list_of_another_log_is_refused(eng: Engine) -> None:
    other = engine(game(1, "ann", "bo"))
    with pytest.raises(ForeignList, match="which is no part of this log"):
        eng.publish(other.rating_list(POOL, "elo"), "list")
    with pytest.raises(ForeignList, match="the log ends at position 1"):
        other.publish(eng.rating_list(POOL, "elo"), "list")
    assert (eng.published(), other.published()) == ([], [])


def test_a_list_that_nobody_could_make_again_is_refused(eng: Engine) -> None:
    with pytest.raises(CannotRebuild, match="the list mine cannot be made again: no method named walk: installed are"):
        eng.publish(eng.rating_list(POOL, Walk()), "mine")
    bare = engine(game(1, "ann", "bo"), registry=Registry())
    with pytest.raises(CannotRebuild, match="no method named elo: installed are none"):
        bare.publish(bare.rating_list(POOL, Elo()), "mine")


def test_in_an_empty_log_nothing_was_published() -> None:
    eng = engine()
    assert eng.published() == []
    with pytest.raises(UnknownList):
        eng.published_list("list")
    with pytest.raises(UnknownName):
        eng.published("rapid")


# documents with a name


def test_a_document_that_names_its_list_is_held_against_the_publication(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo")
    eng.publish(found, "list")
    proof = eng.prove(found.document("json", "list"))
    assert proof
    assert "published as list at position 6" in str(proof)
    eng.publish(eng.rating_list(POOL, "elo:k=24"), "other")
    for name in ("other", "nothing"):
        assert [c.what for c in eng.prove(found.document("json", name)).checks if not c.holds] == ["name"]
    older = evolve(found, provenance=evolve(found.provenance, version="0.0.1"))
    assert [c.what for c in eng.prove(older.document("json", "list")).checks if not c.holds] == ["name"]
    assert eng.prove(older.document("json")), "without a name nobody can tell"


# two at once


RACE = """
import sys, time
from pathlib import Path
from random import Random
import ratingcore as rc
from ratingcore.errors import AlreadyPublished
path, method, me = sys.argv[1:]
with rc.open(path) as engine:
    found = engine.rating_list("club", method)
    Path(f"{path}.{me}").touch()
    while not all(Path(f"{path}.{n}").exists() for n in "ab"):
        time.sleep(0.001)
    try:
        print("won", engine.publish(found, "list").position)
    except AlreadyPublished as error:
        print("lost", error.position)
"""


@pytest.mark.parametrize(("other", "outcome"), [("elo:k=24", ["lost 2", "won 2"]), ("elo", ["won 2", "won 2"])])
def test_of_two_processes_that_publish_at_once_one_wins(tmp_path: Path, other: str, outcome: list[str]) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as first:
        first.record(game(1, "ann", "bo"))
    running = [
        subprocess.Popen([sys.executable, "-c", RACE, str(path), method, me], stdout=subprocess.PIPE, text=True)
        for me, method in (("a", "elo"), ("b", other))
    ]
    assert sorted(process.communicate(timeout=60)[0].strip() for process in running) == outcome
    with rc.open(path) as after:
        assert len(after.published()) == 1
        assert after.published_list("list")
        assert after.verify().head.position == 2
