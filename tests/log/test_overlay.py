"""An overlay reads like a log that learnt the same events, and leaves the log below as it was."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ratingcore.errors import BadCorrection, BadCut, Conflict, OnlySupposed, PlayedThemselves, UnknownUid
from ratingcore.events import KINDS, Event, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.log import EMPTY, Head, Log, SqliteLog
from ratingcore.log.lookup import corrections_of, position_at, row_of, uid_at, uids_at
from ratingcore.log.overlay import Moment, TrialLog, supposed_in
from tests.laws.histories import League
from tests.log.conftest import Make, Store
from tests.log.making import EVERY_KIND, SESSION, game, games, state, told


def read(log: Any, end: int) -> dict[str, Any]:
    """Everything a log tells but digests, salts, times and its key."""
    positions = list(range(1, end + 1))
    names = [(name.id, name.kind, name.key, name.batch) for name in log.book.names() if name.kind != "key"]
    pools = [number for number, kind, _, _ in names if kind == "pool"]
    cuts = [(after, to) for after in range(0, end + 2, 3) for to in (after + 4, end, None)]
    return {
        "head": log.head.position,
        "rows": list(log.rows()),
        "names": names,
        "cut": [list(log.rows(after, to)) for after, to in cuts],
        "kinds": [list(log.rows(1, end - 1, (kind,))) for kind in KINDS],
        "pools": [list(log.rows(pool=pool)) for pool in pools],
        "at": list(log.rows_at([0, end + 1, *reversed(positions)])),
        "uids": uids_at(log, positions[::-1]) if positions else [],
        "uid": [uid_at(log, position) for position in positions],
        "by uid": [row_of(log, uid_at(log, position)) for position in positions],
        "between": list(log.rows_between("g", "x")),
        "find": log.find(["nobody", *(uid_at(log, position) for position in positions)]),
        "games": [
            [(column.dtype, column.tolist()) for column in log.games(pool, after, to or end)]
            for pool in pools
            for after, to in cuts
        ],
        "fields": [
            list(log.fields(pool, field, after, to or end))
            for pool in pools
            for field in ("home", "points_b", "final", "boards", "unit", "event", "born")
            for after, to in cuts
        ],
        "ids": [log.book.find(kind, key) for _, kind, key, _ in names],
        "keys": [log.book.key(number) for number, _, _, _ in names],
        "batches": [(batch.first, batch.last, batch.source) for batch in log.batches()],
    }  # fmt: skip


@pytest.mark.parametrize("at", range(len(EVERY_KIND) + 1))
def test_an_overlay_reads_like_a_log_that_learnt_the_same(make: Make, at: int) -> None:
    base, real = make(), make()
    for log in (base, real):
        log.append(EVERY_KIND[:at], source="a.csv")
    real.append(EVERY_KIND[at:])
    overlay = TrialLog.supposing(base, EVERY_KIND[at:])
    assert supposed_in(overlay) == len(EVERY_KIND) - at
    assert told(overlay) == list(EVERY_KIND)  # type: ignore[arg-type]  # reads as a log does
    assert read(overlay, len(EVERY_KIND)) == read(real, len(EVERY_KIND))


@pytest.mark.parametrize("seed", range(10))
def test_any_history_reads_the_same(seed: int, memory_log: Make) -> None:
    league = League(Random(seed), sessions=True)
    batches = [league.batch() for _ in range(8)]
    base, real = memory_log(), memory_log()
    for batch in batches[:5]:
        for log in (base, real):
            log.append(batch)
    real.append([event for batch in batches[5:] for event in batch])
    overlay = TrialLog.supposing(base, [event for batch in batches[5:] for event in batch])
    assert read(overlay, real.head.position) == read(real, real.head.position)
    stacked: Any = base
    for batch in batches[5:]:
        stacked = TrialLog.supposing(stacked, batch)
    assert list(stacked.rows()) == list(real.rows())
    assert supposed_in(stacked) == supposed_in(overlay)
    assert [name[:3] for name in stacked.book.names()] == [name[:3] for name in overlay.book.names()]


def test_nothing_of_the_log_below_changes(log: Store) -> None:
    log.append(EVERY_KIND[:5], source="a.csv")
    before, names = state(log), list(log.book.names())
    overlay = TrialLog.supposing(log, [game("new", "someone", "else", pool="another"), *EVERY_KIND])
    read(overlay, overlay.head.position)
    with pytest.raises(UnknownUid):
        TrialLog.supposing(log, [game("newer", "one", "more"), ResultVoided(of="nobody")])
    assert state(log) == before
    assert log.book.names() == names
    assert [log.book.find("player", key) for key in ("someone", "else", "one", "more")] == [None] * 4
    log.append([game("real", "else", "ann")])
    assert [name.key for name in log.book.names()][len(names) :] == ["else"]


def test_what_the_log_below_learns_later_does_not_show(log: Store) -> None:
    log.append(EVERY_KIND[:3])
    overlay = TrialLog.supposing(log, [game("x", "nina", "ann", pool="blitz")])
    seen, head = read(overlay, 4), overlay.head
    log.append([game("y", "otto", "nina", pool="blitz"), ResultVoided(uid="z", of="g-1")], source="b.csv")
    log.append(games(1, 5))
    assert read(overlay, 4) == seen
    assert overlay.head == head
    assert overlay.book.find("player", "otto") is None
    assert overlay.book.find("player", "nina") != log.book.find("player", "nina")
    assert position_at(overlay, 2**61) == 4
    with pytest.raises(UnknownUid):
        row_of(overlay, "y")


REFUSED: list[tuple[list[Event], type[Exception]]] = [
    ([ResultVoided(of="nobody")], UnknownUid),
    ([ResultVoided(of="m-1")], BadCorrection),
    ([game("g-1", score=0.25)], Conflict),
    ([game("x"), game("x", score=0.0)], Conflict),
    ([ResultAmended(of="g-1", changes={"b": "ann"})], PlayedThemselves),
    ([PlayersMerged(uid="g-1", keep="ann", other="bo")], Conflict),
]


@pytest.mark.parametrize(("events", "error"), REFUSED)
def test_what_an_append_refuses_cannot_be_supposed(log: Store, events: list[Event], error: type[Exception]) -> None:
    log.append(EVERY_KIND)
    with pytest.raises(error) as real:
        log.append(events)
    with pytest.raises(error) as supposed:
        TrialLog.supposing(log, events)
    assert str(real.value) == str(supposed.value)


def test_what_is_there_already_is_not_supposed(log: Store) -> None:
    log.append(EVERY_KIND)
    for again in ([], EVERY_KIND, [EVERY_KIND[0]] * 3):
        overlay = TrialLog.supposing(log, again)
        assert supposed_in(overlay) == 0
        assert overlay.head == log.head
        assert overlay.last_batch() == log.last_batch()
        assert list(overlay.batches()) == list(log.batches())
    overlay = TrialLog.supposing(log, [EVERY_KIND[0], game("x"), game("x")])
    assert supposed_in(overlay) == 1


def test_an_empty_log_can_be_supposed_upon(log: Store) -> None:
    assert TrialLog.supposing(log, []).head == EMPTY
    overlay = TrialLog.supposing(log, [SESSION])
    assert [row.position for row in overlay.rows()] == [1]
    assert overlay.digest_at(0) == EMPTY.digest
    assert log.head == EMPTY


def test_a_supposed_digest_can_be_the_head_of_no_log(log: Store) -> None:
    log.append(EVERY_KIND[:4])
    events = [game(1, "new", "names"), ResultVoided(uid="v", of="1")]
    overlay = TrialLog.supposing(log, events)
    assert overlay.digest_at(4) == log.head.digest
    assert overlay.digest_at(2) == log.digest_at(2)
    assert overlay.digest_at(5).startswith("what-if:1 event supposed, not recorded:")
    assert overlay.head == Head(6, overlay.digest_at(6)) == Head(6, overlay.digest_at(99))
    assert overlay.head.digest.startswith("what-if:2 events supposed, not recorded:")
    for text in (str(overlay.head), overlay.head.digest):
        with pytest.raises(BadCut):
            Head.parse(text)
    assert TrialLog.supposing(log, events).head == overlay.head
    others = [
        TrialLog.supposing(log, [game(1, "new", "names"), ResultVoided(uid="w", of="1")]).head,
        TrialLog.supposing(log, [game(1, "other", "names"), ResultVoided(uid="v", of="1")]).head,
        TrialLog.supposing(SqliteLog(":memory:"), [game(1, "new", "names"), ResultVoided(uid="v", of="1")]).head,
    ]
    assert len({overlay.head, *others}) == 4
    above = TrialLog.supposing(overlay, [game(9)])
    assert above.supposed == 3
    assert above.digest_at(6) == overlay.head.digest
    assert above.head.digest.startswith("what-if:3 events supposed")


def test_supposed_events_are_recorded_now(make: Make) -> None:
    log = make()
    log.append(games(1, 3))
    recorded = list(log.batches())[-1].recorded
    overlay = TrialLog.supposing(log, games(4, 5))
    *_, batch = overlay.batches()
    assert (batch.first, batch.last, batch.source) == (4, 5, None)
    assert batch.recorded > recorded
    assert [position_at(overlay, at) for at in (recorded - 1, recorded, batch.recorded - 1, batch.recorded)] == [
        0,
        3,
        3,
        5,
    ]
    assert [batch.last for batch in overlay.batches(3)] == [5]
    assert list(overlay.batches(5)) == []


def test_nothing_can_be_written(log: Store) -> None:
    log.append(EVERY_KIND)
    with TrialLog.supposing(log, [game("x")]) as overlay:
        with pytest.raises(OnlySupposed, match="nothing can be written to a what-if: 1 event is supposed"):
            overlay.append([game("y")])
        for refused in (overlay.writing, overlay.cursor, overlay.move_cursor, overlay.erase, overlay.likely):
            with pytest.raises(OnlySupposed):
                refused()
        with pytest.raises(OnlySupposed):
            _ = overlay.key
        with overlay.reading():
            assert overlay.head.position == len(EVERY_KIND) + 1
    assert log.append([game("y")]).accepted == 1  # closing the overlay left the log open


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "club.db"
    with SqliteLog(path) as log:
        log.append(EVERY_KIND, source="a.csv")
    yield path
    path.chmod(0o644)


def test_a_log_that_may_only_be_read_is_enough(file: Path) -> None:
    file.chmod(0o444)
    bytes_before = file.read_bytes()
    with SqliteLog(file, read_only=True) as log:
        overlay = TrialLog.supposing(log, [game("x", "nina", "Zoë"), ResultVoided(of="s-1", why="a reason")])
        assert overlay.head.position == len(EVERY_KIND) + 2
        assert overlay.games(1, 0, overlay.head.position).a.dtype == np.int32
        assert uids_at(overlay, [overlay.head.position - 1, 1]) == ["x", "g-1"]
    assert file.read_bytes() == bytes_before


def test_batches_of_games_and_others_read_alike_in_a_trial_and_in_a_log(tmp_path: Path) -> None:
    batches: list[list[Event]] = [
        [game(f"g-{n}", f"p{n}", "bo", data={"round": n} if n % 2 else {}) for n in range(5)],
        [game("g-5", "cy", "dee"), ResultVoided(uid="v-1", of="g-2")],
        [game(f"h-{n}", f"p{n}", "cy", pool="other") for n in range(4)],
    ]
    with SqliteLog(tmp_path / "club.db") as log, SqliteLog(tmp_path / "same.db") as same:
        for one in (log, same):
            one.append([game("first", "ann", "bo")])
        trial = TrialLog(log)
        for batch in batches:
            same.append(batch)
            with suppress(ZeroDivisionError), trial.writing():
                trial.append([game(f"{batch[0].uid}-gone", "x", "y"), *batch])
                trial.append([game(f"{batch[0].uid}-gone too", "x", "z")])
                raise ZeroDivisionError
            trial.append(batch)
        end = same.head.position
        for after in range(end + 1):
            assert list(trial.rows(after)) == list(same.rows(after))
            for to in range(after, end + 2):
                assert list(trial.rows(after, to)) == list(same.rows(after, to))
                for pool in map(same.book.number, repeat("pool"), same.book.keys_of("pool")):
                    mine, theirs = trial.games(pool, after, to), same.games(pool, after, to)
                    assert [one.tolist() for one in mine] == [one.tolist() for one in theirs]
        uids = [event.uid for batch in batches for event in batch]
        assert trial.find(uids) == same.find(uids)
        assert not trial.find(["g-0-gone"])
        assert list(trial.rows_between("g", "h")) == list(same.rows_between("g", "h"))
        assert list(trial.rows_at([2, 7, 9, end])) == list(same.rows_at([2, 7, 9, end]))


def test_a_moment_is_the_log_as_it_was_and_looks_up_an_event_once(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.append([game(uid=f"g-{n}") for n in (1, 2, 3)])
    first, second = "g-1", "g-2"
    before = corrections_of(log)
    moment, asked = Moment(log), list[list[str]]()
    below = type(log).find
    monkeypatch.setattr(type(log), "find", lambda log, uids: asked.append(list(uids)) or below(log, uids))
    trial = TrialLog.supposing(moment, [ResultVoided(uid="v", of=first)])
    log.append([ResultVoided(uid="w", of=second), game(uid="later")])
    asked.clear()
    assert moment.find([first, "v", "w", "later"]).keys() == {first}
    assert (moment.head.position, moment.last_batch().last, trial.head.position) == (3, 3, 4)  # type: ignore[union-attr]  # there is one
    assert (corrections_of(moment).void, corrections_of(trial).void) == (before.void, {1})
    assert corrections_of(log).void == {2}
    assert moment.find([first, "w"]).keys() == {first}
    assert asked == [["w", "later"]], "the rest was looked up before"
    with pytest.raises(OnlySupposed):
        moment.append([game(uid="g-4")])
