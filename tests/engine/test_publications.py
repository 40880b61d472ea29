"""Publications: names, documents, two at once, caches that are wrong, and methods that have changed since."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve, frozen
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.columns.sealed_file import CacheKey, read_sealed, write_sealed
from ratingcore.engine import Engine, publications
from ratingcore.errors import (
    AlreadyPublished,
    BadValue,
    CannotRebuild,
    ForeignList,
    FormulaChanged,
    ListDiffers,
    SealBroken,
    UnknownList,
    UnknownName,
)
from ratingcore.events import ListPublished
from ratingcore.lists import ListPolicy
from ratingcore.lists.published import uid_of
from ratingcore.log import SqliteLog
from ratingcore.methods import Column, Method
from ratingcore.plugin import hookimpl
from ratingcore.registry import Registry
from tests.columns.making import POOL, game
from tests.engine import publishing
from tests.engine.publishing import engine, told
from tests.replay.toys import Walk

eng = publishing.eng


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
    assert not eng.published()


def test_a_list_of_another_log_is_refused(eng: Engine) -> None:
    other = engine(game(1, "ann", "bo"))
    with pytest.raises(ForeignList, match="which is not part of this log"):
        eng.publish(other.rating_list(POOL, "elo"), "list")
    with pytest.raises(ForeignList, match="the log ends at position 1"):
        other.publish(eng.rating_list(POOL, "elo"), "list")
    assert not eng.published()
    assert not other.published()


def test_a_list_that_nobody_could_make_again_is_refused(eng: Engine) -> None:
    with pytest.raises(CannotRebuild, match="the list mine cannot be rebuilt: no method named walk: installed are"):
        eng.publish(eng.rating_list(POOL, Walk()), "mine")
    bare = engine(game(1, "ann", "bo"), registry=Registry())
    with pytest.raises(CannotRebuild, match="no method named elo: installed are none"):
        bare.publish(bare.rating_list(POOL, Elo()), "mine")


def test_in_an_empty_log_nothing_was_published() -> None:
    eng = engine()
    assert not eng.published()
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


@pytest.fixture
def cached(tmp_path: Path) -> Path:
    """A log with columns and checkpoints in files."""
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(*(game(day, f"p{day % 7}", f"q{day % 5}", day % 3 / 2) for day in range(1200)))
        engine.rating_list(POOL, "elo")
    return tmp_path / "club.db"


def _forge(path: Path) -> None:
    """Turn every game round in the columns, under digests that are right."""
    with rc.open(path) as engine:
        key = CacheKey(engine.log.key)
    rest = path.with_name("club.db.columns") / "1" / "rest"
    sealed = read_sealed(rest, key)
    turned = {"tail.a": sealed.columns["tail.b"], "tail.b": sealed.columns["tail.a"]}
    write_sealed(rest, key, sealed.facts, {**sealed.columns, **turned})


def test_nothing_is_published_from_a_cache_that_is_wrong(cached: Path) -> None:
    with rc.open(cached) as engine:
        true = engine.rating_list(POOL, "elo")
    _forge(cached)
    with rc.open(cached) as engine:
        wrong = engine.rating_list(POOL, "elo")
        assert wrong.seal != true.seal
        head = engine.log.head
        with pytest.raises(ListDiffers, match="differs from the one that the log gives") as caught:
            engine.publish(wrong, "spring")
        assert "make the list again" in caught.value.hint
        assert engine.log.head == head, "nothing was written"
        made = engine.rating_list(POOL, "elo")
        assert made.seal == true.seal, "the cache was dropped"
        assert engine.publish(made, "spring").seal == true.seal


def test_a_published_list_and_a_proof_read_no_cache(cached: Path) -> None:
    with rc.open(cached) as engine:
        true = engine.rating_list(POOL, "elo")
        engine.publish(true, "spring")
    _forge(cached)
    with rc.open(cached) as engine:
        wrong = engine.rating_list(POOL, "elo")
        assert wrong.seal != true.seal
        assert engine.published_list("spring").seal == true.seal
        assert engine.prove(true.document("json"))
        assert not engine.prove(wrong.document("json"))


def test_rows_are_read_once_however_many_lists_are_published(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    games = SqliteLog.games
    monkeypatch.setattr(
        SqliteLog, "games", lambda log, pool, after, to: read.append(to - after) or games(log, pool, after, to)
    )
    with rc.open(cached) as engine:
        for number in range(5):
            engine.publish(engine.rating_list(POOL, "elo"), f"list {number}")
    assert sum(read) < 1200 + 100


def offering(*kinds: type[Method]) -> Registry:
    """A registry of these methods alone."""

    @hookimpl
    def ratingcore_methods() -> list[type[Method]]:
        return list(kinds)

    registry = Registry()
    registry.register(SimpleNamespace(ratingcore_methods=ratingcore_methods), "toys")
    return registry


def reopened(eng: Engine, *kinds: type[Method]) -> Engine:
    return Engine(eng.log, offering(*kinds))


@frozen
class Risen(Elo):
    formula = 2


@frozen
class Superseded(Elo):
    superseded = True


@frozen
class Wider(Elo):
    hue: float = 0.0


@frozen
class Louder(Elo):
    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1501.0),)


@frozen
class Renamed(Elo):
    name = "elo-next"


def test_a_formula_that_has_changed_since_is_named(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "list")
    with pytest.raises(FormulaChanged) as caught:
        reopened(eng, Risen).published_list("list")
    assert str(caught.value) == "the list list cannot be rebuilt: published with elo@1, installed is elo@2"
    assert caught.value.hint == "elo computes other ratings now: install the version that offers elo@1"
    with pytest.raises(FormulaChanged, match="published with elo@1, installed is elo@2"):
        reopened(eng, Risen).restated("list")
    later = reopened(eng, Risen)
    later.publish(later.rating_list(POOL, "elo"), "later")
    with pytest.raises(FormulaChanged, match="published with elo@2, installed is elo@1"):
        eng.published_list("later")
    assert eng.published_list("list")


def test_lists_of_two_formula_numbers_are_made_again_each_by_its_own(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "first")
    later = reopened(eng, Risen, Superseded)
    later.publish(later.rating_list(POOL, "elo"), "second")
    assert [later.published_list(name).provenance.method[:5] for name in ("first", "second")] == ["elo@1", "elo@2"]
    assert later.published_list("first").digest == eng.published_list("first").digest
    assert later.restated("first").provenance.method.startswith("elo@1(")
    assert later.rating_list(POOL, "elo@1:k=20").provenance.method.startswith("elo@1(k=20.0")


def test_a_plugin_that_is_gone_is_named(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "list")
    with pytest.raises(CannotRebuild, match="the list list cannot be rebuilt: no method named elo: installed are") as c:
        reopened(eng, Renamed, Berkin).published_list("list")
    assert c.value.hint == "install the plugin, in the version with which the list was made"
    assert [found.name for found in reopened(eng).published()] == ["list"], "that it was published is still known"


def test_a_parameter_that_is_gone_is_named(eng: Engine) -> None:
    wide = reopened(eng, Wider)
    wide.publish(wide.rating_list(POOL, "elo:hue=2"), "list")
    with pytest.raises(CannotRebuild, match="the list list cannot be rebuilt: elo: parameter hue is unknown"):
        eng.published_list("list")


def test_a_parameter_that_came_since_is_at_its_default_and_the_list_is_as_it_was(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo:k=24")
    eng.publish(found, "list")
    wide = reopened(eng, Wider)
    assert told(wide.published_list("list")) == told(found)
    assert wide.prove(found.document("json", "list"))


RATIO = "berkin:gauge=mean,anchor=1,prior_draws=1"


def test_a_list_with_significant_digits_is_made_again_with_them(eng: Engine) -> None:
    eng.record(game(60, "bo", "ann"), *(game(61 + day, "ann", "bo") for day in range(50)))
    found = eng.rating_list(POOL, RATIO)
    eng.publish(found, "list")
    assert told(eng.published_list("list")) == told(found)
    assert eng.published_list("list").provenance.policy.significant == 6
    eng.record(game(200, "bo", "cy"))
    assert eng.restated("list").provenance.policy == found.provenance.policy
    assert eng.prove(found.document("json", "list"))
    assert eng.prove(found.with_exact().document("json", "list"))


def test_a_list_of_four_decimals_published_before_there_were_more_stays_as_it_was(eng: Engine) -> None:
    eng.record(game(60, "bo", "ann"), *(game(61 + day, "ann", "bo") for day in range(50)))
    fine = eng.rating_list(POOL, RATIO)
    four = eng.rating_list(POOL, RATIO, policy="digits=4")
    plain = evolve(four, provenance=evolve(four.provenance, policy=ListPolicy()))  # as lists were then
    assert plain.digest != fine.digest
    eng.publish(plain, "then")
    assert told(eng.published_list("then")) == told(plain)
    assert eng.prove(plain.document("json", "then"))
    assert list(eng.restated("then")) == list(plain), "with the digits it had, so that a difference is one of ratings"
    assert not eng.published_list("then").diff(eng.restated("then")).moved


def test_a_method_that_gives_other_numbers_under_the_same_formula_breaks_the_seal(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo")
    eng.publish(found, "list")
    with pytest.raises(SealBroken, match=f"the list list has another seal: published {found.seal[:16]}") as caught:
        reopened(eng, Louder).published_list("list")
    assert caught.value.version in caught.value.hint
    assert not reopened(eng, Louder).prove(found.document("json"))


def test_an_event_that_says_what_is_not_so_is_found_out(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo")
    good = dict(publications.publication(found, "x", eng.log).data)
    for name, wrong in {
        "head": {"digest": "0" * 64}, "far": {"known_at": 99}, "seal": {"seal": "0" * 64},
        "method": {"method": "elo"}, "policy": {"policy": "by=night"},
    }.items():  # fmt: skip
        uid = uid_of(eng.log.key, eng.core.pool_id(POOL), name)
        eng.record(ListPublished(pool=POOL, played=found.provenance.at, name=name, uid=uid, data=good | wrong))
    assert len(eng.published()) == 5
    for name, error in (
        ("head", ForeignList), ("far", ForeignList), ("seal", SealBroken), ("method", CannotRebuild),
        ("policy", CannotRebuild),
    ):  # fmt: skip
        with pytest.raises(error):
            eng.published_list(name)


def test_the_version_that_published_stays_in_the_provenance(eng: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    found = eng.rating_list(POOL, "elo")
    eng.publish(evolve(found, provenance=evolve(found.provenance, version="0.0.9")), "list")
    assert eng.published_list("list").provenance.version == "0.0.9"
    assert eng.restated("list").provenance.version == rc.__version__
