"""What a log knows of one player, over every store: the same as what it knows of all, without reading the others."""

import ratingcore as rc
from ratingcore.corrections.players import known
from ratingcore.log.overlay import OverlayLog
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
    for now in (log, OverlayLog(log, [described("ann", 9, "d-9", "Ann Li")])):
        everybody = known(now)
        for who in people:
            number = now.number_of("player", who)
            root = now.corrections().root(number)
            assert known(now, player=number)[root] == everybody[root]
            assert {row.a for row in now.descriptions([number])} == {number}
    assert engine.rename("bo", "Cyd").accepted == 0
    assert engine.rename("anna", "Ann Li").accepted == 1
