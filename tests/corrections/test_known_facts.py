"""What a log knows of one player, over every store: the same as what it knows of all, without reading the others."""

import ratingcore as rc
from ratingcore.corrections.known_facts import Descriptions, known
from ratingcore.events import iso
from ratingcore.events.bounds import EARLIEST
from ratingcore.log.lookup import corrections_of
from ratingcore.log.overlay import TrialLog
from tests.log import conftest
from tests.log.conftest import Store

memory_log, sqlite_log, in_store, places = (
    conftest.memory_log, conftest.sqlite_log, conftest.in_store, conftest.places,
)  # fmt: skip
make, log = conftest.make, conftest.log


def described(player: str, day: int, uid: str, called: str = "", **facts: int) -> rc.PlayerDescribed:
    return rc.PlayerDescribed(
        uid=uid, pool="p", player=player, played=f"2024-01-{day:02}", called=called, data=facts
    )  # fmt: skip


def test_facts_of_one_player_are_those_that_all_have_of_them(log: Store) -> None:
    """A fixed bug: a name was changed by reading what is known of everybody."""
    engine = rc.Engine(log)
    people = ("ann", "anna", "bo", "cy")
    engine.record(*(described(who, 1, f"d-{who}", who.upper(), born=1990) for who in people))
    engine.record(described("anna", 3, "d-2", "Anna Lee", born=1991), described("cy", 4, "d-3", "Cyd"))
    engine.merge("ann", "anna")
    engine.amend("d-3", {"player": "bo"})
    engine.amend("d-cy", {"born": 1980})
    engine.void("d-bo")
    for now in (log, TrialLog.supposing(log, [described("ann", 9, "d-9", "Ann Li")])):
        everybody = known(now)
        for who in people:
            number = now.book.number("player", who)
            root = corrections_of(now).root(number)
            assert known(now, player=number)[root] == everybody[root]
            assert {row.a for row in now.rows(kinds=["player"], players=[number])} == {number}
    assert engine.rename("bo", "Cyd").accepted == 0
    assert engine.rename("anna", "Ann Li").accepted == 1


def test_the_latest_description_stands_whenever_it_was_recorded() -> None:
    engine = rc.open(":memory:")
    engine.record(described("ann", 5, "d-1", born=1990), described("ann", 3, "d-2", born=1991))
    (facts,) = known(engine.log).values()
    assert facts["born"].value == 1990
    engine.record(described("ann", 5, "d-3", born=1992))  # of the same day the one that was recorded last
    (facts,) = known(engine.log).values()
    assert facts["born"].value == 1992


def test_what_a_player_is_called_holds_in_every_pool_and_facts_in_their_own() -> None:
    engine = rc.open(":memory:")
    engine.record(described("ann", 1, "d-1", "Ann Lee", born=1990))
    engine.record(rc.GamePlayed(pool="q", played="2024-03-02", a="ann", b="bo", score=1.0))
    log = engine.log
    (here,), (there,) = (known(log, log.book.number("pool", pool)).values() for pool in ("p", "q"))
    assert {name: fact.value for name, fact in here.items()} == {"called": "Ann Lee", "born": 1990}
    assert {name: fact.value for name, fact in there.items()} == {"called": "Ann Lee"}


def test_a_description_of_the_same_instant_adds_nothing() -> None:
    engine = rc.open(":memory:")
    engine.record(described("ann", 5, "d-1", born=1990))
    number = engine.log.book.number("player", "ann")

    def new(day: int, born: int) -> rc.PlayerDescribed | None:
        return Descriptions.of(engine.log, "p").new(described("ann", day, "d-2", born=born), number)

    assert new(5, 1990) is None
    assert new(6, 1990) is None
    assert new(4, 1990) is not None  # nothing was known of that day
    assert new(5, 1991) is not None


def test_a_description_from_the_first_day_on_replaces_what_is_known_from_a_later_one() -> None:
    engine = rc.open(":memory:")
    engine.record(described("ann", 5, "d-1", born=1990))
    first = rc.PlayerDescribed(uid="d-2", pool="p", player="ann", played=EARLIEST, data={"born": 1991})
    new = Descriptions.of(engine.log, "p").new(first, engine.log.book.number("player", "ann"))
    assert new is not None
    assert iso(new.played) == "2024-01-05"
    engine.record(new)
    (facts,) = known(engine.log).values()
    assert facts["born"].value == 1991
