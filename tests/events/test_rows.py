"""Rows: every event comes back from its row as it went in."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given

from ratingcore.errors import BadCorrection, BadValue, PlayedThemselves, UnknownUid
from ratingcore.events import (
    KINDS,
    Event,
    Fact,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    Row,
    SessionPlayed,
    Side,
    canonical,
    decode,
    encode,
)
from ratingcore.events.player_facts import fact_key, values_of
from tests.events.strategies import histories, pinned


class Book:
    """The smallest log: rows, ids for names and names for ids."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.names: list[tuple[str, str]] = []
        self.rows: list[Row] = []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> Row:
        row = Row(len(self.rows) + 1, event.uid, event.kind, *encode(event, self))
        self.rows.append(row)
        return row

    def _id(self, name: tuple[str, str]) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name) + 1

    def pool(self, key: str) -> int:
        return self._id(("pool", key))

    def player(self, key: str) -> int:
        return self._id(("player", key))

    def labelled(self, label: str) -> None:
        """Nobody is erased here."""

    def note(self, text: str) -> int:
        return self._id(("note", text))

    def called(self, text: str) -> list[int]:
        return [self._id(("called", text))]

    def stated(self, field: str, value: Fact) -> list[int]:
        return [self._id(("fact", fact_key(0, field, value)))]

    def key(self, number: int) -> str:
        return self.names[number - 1][1]

    def fact(self, number: int) -> Fact | None:
        return values_of([self.key(number)])[0]

    def uid(self, position: int) -> str:
        return self.rows[position - 1].uid

    def target(self, uid: str) -> Row:
        for row in self.rows:
            if row.uid == uid:
                return row
        raise UnknownUid(uid)


@pinned
@given(histories())
def test_every_event_comes_back_from_its_row(events: list[Event]) -> None:
    book = Book(events)
    assert {event.kind for event in events} == set(KINDS)
    for event, row in zip(events, book.rows, strict=True):
        stored = Row._make(json.loads(canonical(row)))  # as a file gives it back
        assert stored == row
        assert decode(stored, book) == event


@pinned
@given(histories())
def test_the_row_of_what_came_back_is_the_same_row(events: list[Event]) -> None:
    book = Book(events)
    for row in list(book.rows):
        assert Row(row.position, row.uid, row.kind, *encode(decode(row, book), book)) == row


GAME = GamePlayed(uid="g", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0, data={"home": "a"})
SESSION = SessionPlayed(uid="s", pool="rapid", played="2024-03-02", sides=[Side("ann", 1), Side("bo", 0)])
SEED = RatingSeeded(uid="r", pool="rapid", played="2024-03-02", player="ann", values={"rating": 1500})
FACTS = PlayerDescribed(uid="p", pool="rapid", played="2024-03-02", player="ann", data={"born": 1980})
MERGE = PlayersMerged(uid="m", keep="ann", other="anne")
PERIOD = PeriodClosed(uid="c", pool="rapid", played="2024-03-31")
LIST = ListPublished(uid="l", pool="rapid", played="2024-03-31", name="march")
VOID = ResultVoided(uid="v", of="g")
AMEND = ResultAmended(uid="a", of="g", changes={"score": 0})
UNMERGE = MergeUndone(uid="u", of="m")
ALL = (GAME, SESSION, SEED, FACTS, MERGE, PERIOD, LIST, VOID, AMEND, UNMERGE)


def test_names_and_reasons_are_ids_in_the_row() -> None:
    book = Book([GAME, SESSION, ResultVoided(of="g", why="default", by="ann"), MERGE])
    written = canonical(book.rows)
    for name in ("ann", "anne", "bo", "rapid", "default"):
        assert name not in written


@pytest.mark.parametrize("of", ["r", "p", "g", "s", "v", "a", "u"])
def test_results_seeds_facts_and_corrections_can_be_voided(of: str) -> None:
    book = Book(ALL)
    assert book.add(ResultVoided(of=of)).ref == book.target(of).position


@pytest.mark.parametrize(("of", "advice"), [("m", "use unmerge m"), ("c", ""), ("l", "")])
def test_merges_periods_and_lists_cannot_be_voided(of: str, advice: str) -> None:
    book = Book(ALL)
    with pytest.raises(BadCorrection, match=f"cannot void {of}: it is a {book.target(of).kind}") as caught:
        book.add(ResultVoided(of=of))
    assert caught.value.hint == advice


@pytest.mark.parametrize("of", ["m", "c", "l", "v", "a", "u"])
def test_only_results_seeds_and_facts_can_be_amended(of: str) -> None:
    with pytest.raises(BadCorrection, match=f"cannot amend {of}: it is an? "):
        Book(ALL).add(ResultAmended(of=of, changes={"score": 0}))


@pytest.mark.parametrize("of", ["g", "s", "r", "p", "c", "l", "v", "a", "u"])
def test_only_merges_can_be_unmerged(of: str) -> None:
    with pytest.raises(BadCorrection, match=f"cannot unmerge {of}: it is an? "):
        Book(ALL).add(MergeUndone(of=of))


@pytest.mark.parametrize(
    "correction",
    [ResultVoided(of="x"), ResultAmended(of="x", changes={"score": 0}), MergeUndone(of="x")],
    ids=lambda correction: str(correction.kind),
)
def test_an_unknown_uid_is_told(correction: Event) -> None:
    with pytest.raises(UnknownUid, match="no event has the uid: x"):
        Book(ALL).add(correction)


@pytest.mark.parametrize(
    ("of", "changes"),
    [
        ("g", {"sides": [Side("ann", 1), Side("bo", 0)]}),
        ("g", {"player": "ann"}),
        ("g", {"values": {"rating": 1}}),
        ("s", {"a": "ann"}),
        ("s", {"score": 1}),
        ("r", {"score": 1}),
        ("r", {"note": "x"}),
        ("p", {"order": 1}),
        ("p", {"b": "bo"}),
    ],
)
def test_an_amendment_of_a_field_the_event_does_not_have_is_refused(of: str, changes: dict[str, object]) -> None:
    with pytest.raises(BadCorrection, match=f"cannot amend {of}: a {Book(ALL).target(of).kind} has no "):
        Book(ALL).add(ResultAmended(of=of, changes=changes))


@pytest.mark.parametrize(
    ("of", "changes", "error"),
    [
        ("g", {"score": 1.5}, BadValue),
        ("g", {"score": None}, BadValue),
        ("g", {"score": True}, BadValue),
        ("g", {"score": "1-0"}, BadValue),
        ("g", {"a": "bo"}, PlayedThemselves),
        ("g", {"a": ""}, BadValue),
        ("g", {"a": None}, BadValue),
        ("g", {"pool": "\n"}, BadValue),
        ("g", {"pool": 5}, BadValue),
        ("g", {"order": 2**31}, BadValue),
        ("g", {"order": None}, BadValue),
        ("s", {"sides": [Side("ann", 1)]}, BadValue),
        ("s", {"sides": [Side("ann", 1), Side("ann", 0)]}, PlayedThemselves),
        ("r", {"player": " "}, BadValue),
    ],
)
def test_an_amendment_to_what_no_event_could_hold_is_refused(
    of: str, changes: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        Book(ALL).add(ResultAmended(of=of, changes=changes))


def test_a_correction_that_is_refused_adds_no_row() -> None:
    book = Book(ALL)
    with pytest.raises(PlayedThemselves):
        book.add(ResultAmended(of="g", changes={"a": "bo"}))
    assert len(book.rows) == len(ALL)
