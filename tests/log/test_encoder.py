"""The encoder: descriptions in a batch of their own become the same rows as among other events."""

import json

from ratingcore import PlayerDescribed
from ratingcore.events import canonical
from ratingcore.log import verify
from tests.log.conftest import Make
from tests.log.making import game, told

ODD = {'a{0}"b': 1, "[1]": "x,y", "born": 1990.0, "\u00e9": "é{}", "zz": True, "club": "", "back\\slash": '","'}


def described(uid: str, player: str, called: str = "", **data: object) -> PlayerDescribed:
    return PlayerDescribed(uid=uid, pool="rapid", player=player, played=uid[1:], called=called, data=data)  # type: ignore[arg-type]  # facts


EVENTS = [
    described("d2024-01-01", "ann", "Ann Lee", **ODD),
    described("d2024-01-02", "bo", club="North", born=1980),
    described("d2024-01-03", "ann", "Ann Lee"),
    described("d2024-01-04", "cy"),
    described("d2024-01-05", "cy", "Cy", club="North"),
]


def test_descriptions_alone_are_encoded_as_among_other_events(memory_log: Make) -> None:
    alone, among, one_by_one = memory_log(), memory_log(), memory_log()
    alone.append(EVENTS)
    among.append([*EVENTS, game("g", "ann", "bo")])
    for event in EVENTS:
        one_by_one.append([event])
    assert told(alone) == told(among)[:-1] == told(one_by_one) == EVENTS
    for log in (alone, among, one_by_one):
        assert verify(log).head == log.head
        assert all(row.data == canonical(row.facts) for row in log.rows() if row.data)
        facts = sorted(str(name.key) for name in log.book.names() if name.kind == "fact")
        assert facts == sorted(canonical([n, *item]) for n, one in enumerate(EVENTS, 1) for item in one.data.items())


def test_an_event_says_its_facts_in_names_of_its_own(memory_log: Make) -> None:
    log = memory_log()
    log.append(EVENTS[1:2])
    (row,) = log.rows()
    by_id = {name.id: json.loads(str(name.key)) for name in log.book.names() if name.kind == "fact"}
    assert {field: by_id[number] for field, (number,) in row.facts.items()} == {
        "club": [1, "club", "North"],
        "born": [1, "born", 1980],
    }
