"""The question of a pool: the method and policy that it declares, and who asks by them."""

from collections.abc import Callable

import pytest

import ratingcore as rc
from ratingcore.errors import BadCorrection, BadValue, MethodNotFound, OtherQuestion, UnclearName
from ratingcore.lists.published import publication
from ratingcore.log import load_lines
from tests.log.conftest import INSTALLED, Make


def game(uid: str, played: str, a: str = "ann", b: str = "bo", pool: str = "club") -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool=pool, played=played, a=a, b=b, score=1.0)


@pytest.fixture(params=["memory", *INSTALLED])
def engine(request: pytest.FixtureRequest, in_store: Callable[[str], Make]) -> rc.Engine:
    """A club that changed its rule in July: positions 1 and 2 are games, 3 and 4 declarations."""
    made = rc.Engine(in_store(request.param)())
    made.record(game("g-1", "2025-06-01"), game("g-2", "2025-08-01", "cy"))
    made.declare("club", method="elo:k=24", digits=0)
    made.declare("club", method="elo:k=40", min_games=1, active="12 months", starting="2025-07-01")
    return made


def asked(listed: rc.RatingList) -> tuple[str, str]:
    """The K of the last step, and the policy, of a list."""
    return listed.provenance.method.rpartition("(k=")[2].partition(",")[0], str(listed.provenance.policy)


NEW, OLD = ("40.0", "min_games=1,active=months(12),digits=0"), ("24.0", "digits=0")


def test_a_list_is_of_the_method_that_was_official_on_its_day(engine: rc.Engine) -> None:
    assert asked(engine.rating_list("club")) == NEW
    assert asked(engine.rating_list("club", through="2025-07-01")) == NEW
    assert asked(engine.rating_list("club", through="2025-06-30")) == OLD
    changed = "elo:k=24 then elo:k=40 from 2025-07-01"
    assert engine.rating_list("club").digest == engine.rating_list("club", changed, policy=NEW[1]).digest
    engine.void("g-2")  # the day of the list is that of the last result
    assert asked(engine.rating_list("club")) == OLD


def test_a_reader_of_an_earlier_log_sees_only_what_was_declared_by_then(engine: rc.Engine) -> None:
    lists = [engine.rating_list("club", known_at=position) for position in (2, 3, 4)]
    assert [asked(listed) for listed in lists] == [("20.0", ""), OLD, NEW]
    assert [listed.provenance.undeclared for listed in lists] == [True, False, False]


def test_declarations_are_taken_back_one_after_the_other() -> None:
    """Taking back the last one declared the one before anew, and so stood in the way of taking that one back."""
    with rc.open(":memory:") as engine:
        for k in (1, 2, 3):
            engine.declare("r", method=f"elo:k={k}", own_uid=f"rule-{k}")
        for k in (3, 2, 1):
            assert engine.rating_list("r").provenance.method.startswith(f"elo@1(k={k}.0")
            engine.apply(engine.plan.undeclare(f"rule-{k}"))
        assert engine.rating_list("r").provenance.undeclared
        engine.declare("r", method="elo:k=4")
        with pytest.raises(BadCorrection, match="its pool was declared again by"):
            engine.plan.undeclare("rule-3")


def test_a_named_method_comes_without_the_declared_policy_and_a_named_policy_replaces_it(engine: rc.Engine) -> None:
    assert asked(engine.rating_list("club", "elo")) == ("20.0", "")
    assert asked(engine.rating_list("club", policy="digits=2")) == ("40.0", "digits=2")


def test_what_is_declared_last_for_a_day_counts_and_what_is_not_named_stays(engine: rc.Engine) -> None:
    assert engine.declare("club", digits=1).accepted == 1
    assert engine.declare("club", digits=1).accepted == 0
    assert asked(engine.rating_list("club"))[1] == "min_games=1,active=months(12),digits=1"
    assert asked(engine.rating_list("club", through="2025-06-30")) == OLD
    engine.declare("club", zone="Europe/Prague", fits="elo")
    assert engine.core.declared("club") == engine.core.declared("club").__class__(  # type: ignore[union-attr]  # it is declared
        uid=engine.core.declared("club").uid, pool="club", fits="elo", zone="Europe/Prague",  # type: ignore[union-attr]  # as above
        method="elo:k=24 then elo:k=40 from 2025-07-01", policy="min_games=1,active=months(12),digits=1",
        starting="2025-07-01",
    )  # fmt: skip
    engine.declare("club", active="", min_games=0, method="elo:k=10")
    assert [asked(engine.rating_list("club", through=day)) for day in (None, "2025-06-30")] == [
        ("10.0", "digits=1")
    ] * 2
    engine.declare("club", method="")
    assert engine.rating_list("club").provenance.undeclared


def test_a_pool_without_a_declaration_says_so(engine: rc.Engine) -> None:
    engine.record(game("h", "2025-06-01", pool="rapid"))
    line = "no method is declared for this pool"
    assert line in engine.rating_list("rapid").provenance.lines()
    assert line not in engine.rating_list("rapid", "elo").provenance.lines()
    assert engine.rating_list("rapid") == engine.rating_list("rapid", "elo")
    assert line not in engine.rating_list("club").provenance.lines()
    assert {pool: asked(listed) for pool, listed in engine.replay_pools().items()} == {
        "club": NEW, "rapid": ("20.0", ""),
    }  # fmt: skip


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine, method: engine.history("club", "ann", method),
        lambda engine, method: engine.peaks("club", method),
        lambda engine, method: engine.explain("club", "ann", method).closing,
        lambda engine, method: engine.impact("g-1", method=method).total,
        lambda engine, method: list(engine.forecasts("club", method)),
        lambda engine, method: engine.predict("club", method, [("ann", "bo")])[0].expected,
        lambda engine, method: engine.core.replay("club", method).identity,
    ],
)
def test_everything_that_asks_without_a_method_asks_the_pool_s_question(
    engine: rc.Engine, ask: Callable[[rc.Engine, str | None], object]
) -> None:
    assert ask(engine, None) == ask(engine, "elo:k=24 then elo:k=40 from 2025-07-01") != ask(engine, "elo")


def test_a_log_cut_at_a_published_list_is_asked_as_the_list_was(engine: rc.Engine) -> None:
    listed = engine.rating_list("club", "elo:k=32", through="2025-06-30", policy="digits=2")
    published = engine.publish(listed, "June")
    engine.void("g-1")
    for cut in ("June", "list:June", published, listed):
        assert engine.rating_list("club", through="2025-06-30", known_at=cut).digest == listed.digest


def test_lists_of_two_methods_or_roundings_are_not_subtracted_silently(engine: rc.Engine) -> None:
    june, now = engine.rating_list("club", through="2025-06-30"), engine.rating_list("club")
    assert "the two lists answer different questions: elo@1(k=24.0" in str(june.diff(now))
    for method, day in (("elo:k=40", None), ("elo:k=24", None), ("elo:k=40", "2025-06-30")):
        with pytest.raises(OtherQuestion, match="lists of different pools, methods or digits cannot be compared"):
            now.since(engine.rating_list("club", method, day, policy="digits=0"))
    now.since(june)  # the rule had this step on that day


def test_lists_of_two_pools_are_not_subtracted_silently(engine: rc.Engine) -> None:
    engine.record(rc.GamePlayed(pool="women", played="2025-06-01", a="ann", b="cy", score=1.0))
    men, women = engine.rating_list("club", "elo"), engine.rating_list("women", "elo")
    assert "in pool club; elo@1" in men.diff(women).questions
    with pytest.raises(OtherQuestion, match=r"in pool women; elo@1.* in pool club$"):
        women.since(men)


@pytest.mark.parametrize("name", ["2017", "2024-03-31", "20240331", "12:abcdef123456", "7"])
def test_a_list_cannot_be_published_under_a_name_that_is_a_cut(engine: rc.Engine, name: str) -> None:
    listed = engine.rating_list("club")
    with pytest.raises(UnclearName, match="which is read as a") as refused:
        engine.publish(listed, name)
    assert refused.value.hint.startswith("add a word to it")
    engine.log.append([publication(listed, name, engine.log)])  # as older versions did
    assert engine.published_list(f"list:{name}").digest == listed.digest
    assert engine.publish(listed, name).name == name  # publishing it again changes nothing


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"method": "eloo"}, MethodNotFound),
        ({"method": "elo", "starting": "2025-07-01T10:00Z"}, BadValue),
        ({"method": "elo", "digits": 20}, BadValue),
        ({"digits": 0, "pool": "rapid"}, BadValue),
    ],
)
def test_a_question_that_nobody_could_answer_is_refused(
    engine: rc.Engine, wrong: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        engine.declare(**({"pool": "club"} | wrong))  # type: ignore[arg-type]  # wrong on purpose
    assert engine.log.head.position == 4


def test_a_question_goes_with_the_log(engine: rc.Engine) -> None:
    with rc.open(":memory:") as other:
        load_lines(other.log, engine.export())
        other.verify()
        assert other.log.head == engine.log.head
        assert asked(other.rating_list("club")) == NEW
        assert asked(other.what_if([rc.PoolDeclared(pool="club", method="elo")]).rating_list("club")) == ("20.0", "")
