"""The chain: what exactly is hashed, so that others can check a log without this program."""

import hashlib
import json
from itertools import product
from typing import Any

import pytest

from ratingcore.log import SqliteLog
from ratingcore.log.chain import Name, batch_digest, bound, commitment, commitments, digest_of, games_digest, unbound
from tests.log.making import EVERY_KIND, Clock, Salts, game


def sha(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_name_is_committed_to_with_its_salt_and_kind() -> None:
    assert commitment("player", "Zo\u00eb", "5a17") == sha(["5a17", "player", "Zo\u00eb"])


def test_many_names_are_committed_to_as_each_by_itself() -> None:
    keys, salts = ["Zo\u00eb", '[7,"club","a\\"b"]', ""], ["5a17", '"', "\u00e9"]
    assert commitments("fact", keys, salts) == [commitment("fact", *pair) for pair in zip(keys, salts, strict=True)]


def test_names_that_do_not_match_are_found_among_many() -> None:
    digests = [commitment("player", "ann", "5a17"), commitment("player", "", "5a17"), commitment("player", "", "")]
    odd: Any = [None, "", "ann", "bo", 7, "\ud800"]
    names = [Name(1, "player", key, salt, digest, 1) for key, salt, digest in product(odd, [*odd, "5a17"], digests)]
    good = Name(0, "player", "ann", "5a17", digests[0], 1)
    for name in names:
        assert list(unbound([good, name, good])) == ([] if bound(name) else [name])
    assert list(unbound(names)) == [name for name in names if not bound(name)]


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("odd", [0.5, 1e-7])
def test_games_by_columns_are_hashed_as_rows(quick: bool, odd: float, monkeypatch: pytest.MonkeyPatch) -> None:
    if not quick:
        monkeypatch.setattr("ratingcore.events.canonical_json._quick", lambda: None)
    columns: list[list[Any]] = [
        ["g-1", 'a"\\b', "Zo\u00eb"], [0, -5, 10**15], [0, 3, 0], [2, 3, 4], [3, 4, 2], [1.0, odd, 0.0],
        [None, '{"home":"a"}', None],
    ]  # fmt: skip
    uids, played, order, a, b, score, data = columns
    rows = [(7 + n, uids[n], "game", 1, played[n], order[n], a[n], b[n], score[n], None, data[n]) for n in range(3)]
    facts = ("f" * 64, 7, 9, 10**15, 5, [Name(2, "player", "ann", "00", "1" * 64, 7)])
    assert games_digest(*facts, 1, columns) == batch_digest(*facts, rows)


def test_a_batch_is_hashed_with_all_that_came_before() -> None:
    log = SqliteLog(":memory:", clock=Clock(), salt=Salts())
    before = log.head.digest
    for events, source in ((EVERY_KIND[:6], "a.csv"), (EVERY_KIND[6:], "")):
        log.append(events, source=source)
        batch = list(log.batches())[-1]
        names = [[name.id, name.kind, name.digest] for name in log.book.names() if name.batch == batch.first]
        facts = {key: getattr(batch, key) for key in ("first", "last", "recorded", "source")} | {"names": names}
        rows = [list(row) for row in log.rows(batch.first - 1, batch.last)]
        assert log.head.digest == sha([before, facts, rows])
        before = log.head.digest


def test_the_digest_in_mid_batch_is_that_of_the_rows_so_far() -> None:
    log = SqliteLog(":memory:", clock=Clock(), salt=Salts())
    log.append([game(1), game(2)])
    (batch,), names, (first, _) = log.batches(), log.book.names(), log.rows()
    part = batch_digest("0" * 64, 1, 1, batch.recorded, None, names, [first])
    assert log.digest_at(1) == part == digest_of("0" * 64, batch, names, [first])


def test_pin_the_digest_of_an_event_of_every_kind() -> None:
    """Pins of our own output: published heads must stay what they are, those of logs whose key is not bound too."""
    log = SqliteLog(":memory:", clock=Clock(), salt=Salts())
    log.append(EVERY_KIND[:14], source="a.csv")
    assert str(log.head) == "14:31e3c95191e813a526367378fbcd2f1e4987e7f8de935446694f0682da990f63"
    (batch,), rows, (*names, key) = log.batches(), list(log.rows()), log.book.names()
    assert (key.kind, key.key) == ("key", log.key)
    unbound = digest_of("0" * 64, batch, names, rows)
    assert unbound == "2c1764d968769f06e5342f9eca781a365a25238cd4b8e7fda495f24b14c26d31"
