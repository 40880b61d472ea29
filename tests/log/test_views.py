"""The views of a log, in every store on disk: events, games, corrections and batches in words, for any program."""

import pytest

from ratingcore.events import bounds
from ratingcore.events.times import FIRST, LAST
from tests.log.conftest import Hand, Store
from tests.log.making import EVERY_KIND, game


@pytest.fixture
def filled(stored: Store) -> Store:
    stored.append(EVERY_KIND, source="march.csv")
    stored.append([game("late", played="1969-12-31T23:59:59.250000Z")])
    return stored


def test_the_views_tell_events_in_words(filled: Store, hand: Hand) -> None:
    rows = hand("SELECT position, kind, recorded, pool, played, uid, a, b, score, of_uid FROM events ORDER BY position")
    assert [row[:2] for row in rows[:-1]] == [(at, event.kind) for at, event in enumerate(EVERY_KIND, 1)]
    then, late = "2023-11-14T22:13:20Z", "1969-12-31T23:59:59Z"
    assert rows[0][2:] == (then, "rapid", "2024-03-02T00:00:00Z", "g-1", "ann", "bo", 1.0, None)
    assert rows[1][2:] == (then, "rapid", late, "g-2", "Zo\u00eb", "名前", 0.5, None)
    assert (rows[-1][2], rows[-1][4]) == ("2023-11-14T22:13:21Z", late)
    assert {row[5]: row[-1] for row in rows if row[-1]} == {
        "v-1": "g-1", "v-2": "v-1", "a-1": "g-1", "a-2": "s-1", "a-3": "r-1", "u-1": "m-1",
    }  # fmt: skip


def test_the_views_tell_games_corrections_and_batches(filled: Store, hand: Hand) -> None:
    games = hand("SELECT uid, a, b, score FROM games ORDER BY position")
    assert games == [("g-1", "ann", "bo", 1.0), ("g-2", "Zo\u00eb", "名前", 0.5), ("late", "ann", "bo", 1.0)]
    corrections = hand("SELECT kind, of_uid, keep, other FROM corrections WHERE kind LIKE '%merge' ORDER BY position")
    assert corrections == [("merge", None, "bo", "bob"), ("unmerge", "m-1", None, None)]
    last = len(EVERY_KIND) + 1
    assert hand("SELECT first, last, source FROM batches ORDER BY last") == [
        (1, last - 1, "march.csv"), (last, last, None)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("when", "shown"),
    [
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.000001Z", "1969-12-31T23:59:59Z"),
        ("1970-01-01T00:00:00.999999Z", "1970-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z"),
    ],
)
def test_the_views_show_times_of_every_age(
    filled: Store, hand: Hand, when: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "EARLIEST", FIRST)  # as older versions, which took any year
    monkeypatch.setattr(bounds, "LATEST", LAST)
    filled.append([game("old", played=when)])
    assert hand("SELECT played FROM events WHERE uid = 'old'") == [(shown,)]
