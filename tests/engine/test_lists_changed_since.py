"""Published lists after methods or plugins have changed: what can be made again is, and what cannot is named."""

from types import SimpleNamespace

import pytest
from attrs import evolve, frozen
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine, publications
from ratingcore.errors import CannotRebuild, ForeignList, FormulaChanged, SealBroken
from ratingcore.events import ListPublished
from ratingcore.lists import ListPolicy
from ratingcore.lists.published import uid_of
from ratingcore.methods import Column, Method
from ratingcore.plugin import hookimpl
from ratingcore.registry import Registry
from tests.columns.making import POOL, game
from tests.engine import publishing
from tests.engine.publishing import told

eng = publishing.eng


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
    assert str(caught.value) == "the list list cannot be made again: published with elo@1, installed is elo@2"
    assert caught.value.hint == "the numbers of elo have changed: install the version that offers elo@1"
    with pytest.raises(FormulaChanged, match="published with elo@1, installed is elo@2"):
        reopened(eng, Risen).restated("list")
    later = reopened(eng, Risen)
    later.publish(later.rating_list(POOL, "elo"), "later")
    with pytest.raises(FormulaChanged, match="published with elo@2, installed is elo@1"):
        eng.published_list("later")
    assert eng.published_list("list")


def test_a_plugin_that_is_gone_is_named(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, "elo"), "list")
    with pytest.raises(
        CannotRebuild, match="the list list cannot be made again: no method named elo: installed are"
    ) as c:
        reopened(eng, Renamed, Berkin).published_list("list")
    assert c.value.hint == "install the plugin, in the version with which the list was made"
    assert [found.name for found in reopened(eng).published()] == ["list"], "that it was published is still known"


def test_a_parameter_that_is_gone_is_named(eng: Engine) -> None:
    wide = reopened(eng, Wider)
    wide.publish(wide.rating_list(POOL, "elo:hue=2"), "list")
    with pytest.raises(CannotRebuild, match="the list list cannot be made again: elo: parameter hue is unknown"):
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
    good = dict(publications.event_of(found, "x", eng.log).data)
    for name, wrong in {
        "head": {"digest": "0" * 64}, "far": {"known_at": 99}, "seal": {"seal": "0" * 64},
        "method": {"method": "elo"}, "policy": {"policy": "by=night"},
    }.items():  # fmt: skip
        uid = uid_of(eng.log.key, eng.pool_id(POOL), name)
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
