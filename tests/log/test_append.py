"""Appending: all or nothing, once and only once, whatever the store."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore.errors import BadCorrection, BadValue, Conflict, ContentChanged, HeadMoved, PlayedThemselves, UnknownUid
from ratingcore.events import NO_ID, Event, GamePlayed, MergeUndone, PlayersMerged, ResultAmended, ResultVoided, Side
from ratingcore.log import EMPTY, Head, SqliteLog, verify
from ratingcore.log.append import backfill
from ratingcore.log.derived_uids import Identity, Uids
from tests.events.strategies import pinned
from tests.log.conftest import Store
from tests.log.making import EVERY_KIND, SESSION, Clock, Salts, fails, game, games, keys, state, told, uids, writer


def test_a_receipt_counts_what_is_new_and_what_was_there(log: Store) -> None:
    first = log.append([game(1), game(2)])
    assert (first.accepted, first.duplicates, first.head) == (2, 0, log.head)
    again = log.append([game(1), game(2)])
    assert (again.accepted, again.duplicates, again.head) == (0, 2, first.head)
    partly = log.append([game(2), game(3), game(1), game(4)])
    assert (partly.accepted, partly.duplicates, partly.head.position) == (2, 2, 4)
    assert uids(log) == ["1", "2", "3", "4"]


def test_nothing_to_append_changes_nothing(log: Store) -> None:
    for events in ([], iter([]), ()):
        receipt = log.append(events, source="empty.csv")
        assert (receipt.head, receipt.accepted, receipt.duplicates) == (EMPTY, 0, 0)
    log.append([game(1)])
    before = state(log)
    log.append([], source="empty.csv")
    log.append([game(1)], source="another.csv")
    assert state(log) == before


def test_a_retry_of_every_kind_of_event_changes_nothing(log: Store) -> None:
    log.append(EVERY_KIND, source="a.csv")
    before = state(log)
    assert log.append(EVERY_KIND, source="a.csv").duplicates == len(EVERY_KIND)
    assert log.append(reversed(EVERY_KIND)).duplicates == len(EVERY_KIND)
    for event in EVERY_KIND:
        assert log.append([event]).duplicates == 1
    assert state(log) == before


NAMELESS = evolve(game(1), uid=NO_ID)


def derived(log: Store, *turns: int) -> tuple[str, ...]:
    """The uids of the first games, by ordinal, of ann and bo on their day."""
    pool, ann, bo = (
        log.book.find(kind, key) or 0 for kind, key in (("pool", "rapid"), ("player", "ann"), ("player", "bo"))
    )
    identity = Identity("game", pool, NAMELESS.played, *sorted((ann, bo)))
    return tuple(Uids(log.key).uid(identity, turn) for turn in turns)


def test_events_without_an_id_get_uids_from_the_numbers_that_their_names_are_given(log: Store) -> None:
    log.append([game("x", "cy", "bo")])
    receipt = log.append([NAMELESS, evolve(game(2), uid=NO_ID, a="bo", b="ann"), NAMELESS])
    assert receipt.uids == derived(log, 0, 1, 2)
    assert uids(log) == ["x", *receipt.uids]


def test_an_event_without_an_id_is_refused_where_the_log_has_its_uid(log: Store) -> None:
    log.append([game(7), NAMELESS, NAMELESS])
    before = state(log)
    for other, differing in ((NAMELESS, ""), (evolve(NAMELESS, score=0.0), "score")):
        with pytest.raises(ContentChanged) as refused:
            log.append([game(7), game(8), game(9, "new", "newer"), other, other])
        fields = refused.value.uid, refused.value.position, refused.value.differs, refused.value.given
        assert fields == (*derived(log, 0), 2, differing, 3)
        assert refused.value.all_given == (3, 4)
        assert (
            str(refused.value)
            == f"position 2 already has it{' with another score' if differing else ''}, uid {fields[0]}"
        )
    assert state(log) == before


def test_a_batch_that_is_partly_there_counts_those_without_an_id_once(log: Store) -> None:
    log.append([game(7)])
    receipt = log.append([game(7), NAMELESS, NAMELESS])
    assert (receipt.duplicates, receipt.uids) == (1, derived(log, 0, 1))


def test_events_without_an_id_are_counted_on_from_batch_to_batch_of_the_past(log: Store) -> None:
    at = log.now()
    receipt = backfill(log, [(at - 2, [NAMELESS]), (at - 1, [game(7), NAMELESS]), (at, [game(7), NAMELESS])])
    assert (receipt.accepted, receipt.duplicates) == (4, 1)
    assert uids(log) == [*derived(log, 0), "7", *derived(log, 1, 2)]


def test_an_event_twice_in_one_batch_is_there_once(log: Store) -> None:
    receipt = log.append([game(1), game(1), game(2, "cy", "di"), game(1)])
    assert (receipt.accepted, receipt.duplicates) == (2, 2)
    assert uids(log) == ["1", "2"]
    assert keys(log) == ["rapid", "ann", "bo", "cy", "di"]
    assert verify(log).batches == 1


def test_a_batch_that_is_partly_there_keeps_the_names_of_what_is_new(log: Store) -> None:
    """A fixed bug: names of new events in a batch with duplicates were left out of the file and the digest."""
    log.append([game(1)])
    log.append([game(1), game(2, "cy", "di"), game(3, "ann", "ed", pool="blitz")], source="a.csv")
    assert keys(log) == ["rapid", "ann", "bo", "cy", "di", "blitz", "ed", "a.csv"]
    assert [name.batch for name in log.book.names() if name.kind != "key"] == [1, 1, 1, 2, 2, 2, 2, 2]
    assert told(log) == [game(1), game(2, "cy", "di"), game(3, "ann", "ed", pool="blitz")]
    assert verify(log).batches == 2


def test_a_uid_with_other_content_is_a_conflict(log: Store) -> None:
    log.append([game(1), SESSION])
    before = state(log)
    others = [
        (game(1, score=0.5), "score"),
        (game(1, played="2024-03-03"), "played"),
        (game(1, "bo", "ann"), "a"),
        (game(1, b="new"), "b"),
        (game(1, order=1), "order"),
        (game(1, pool="blitz"), "pool"),
        (game(1, data={"x": 1}), "data"),
        (PlayersMerged(uid="1", keep="ann", other="bo"), "kind"),
        (ResultVoided(uid="1", of="s-1"), "kind"),
    ]
    for event, differs in others:
        with pytest.raises(Conflict) as caught:
            log.append([event])
        assert (caught.value.uid, caught.value.position, caught.value.differs) == ("1", 1, differs)
    assert state(log) == before


def test_a_conflict_inside_a_batch_refuses_all_of_it(log: Store) -> None:
    with pytest.raises(Conflict) as caught:
        log.append([game(1), game(2), game(1, score=0.0)])
    assert caught.value.position == 0, "nothing was recorded: position 1 was named, where nothing is"
    assert str(caught.value) == "two events that were given together have the uid 1, with another score"
    assert log.head == EMPTY
    assert list(log.book.names()) == []
    log.append([game(1)])
    before = state(log)
    with pytest.raises(Conflict):
        log.append([game(5, "new", "names"), game(1, score=0.0)], source="new.csv")
    assert state(log) == before


REFUSED: list[tuple[Event, type[Exception]]] = [
    (ResultVoided(uid="x", of="nobody"), UnknownUid),
    (ResultAmended(uid="x", of="nobody", changes={"score": 0}), UnknownUid),
    (MergeUndone(uid="x", of="nobody"), UnknownUid),
    (ResultVoided(uid="x", of="x"), UnknownUid),
    (ResultVoided(uid="x", of="m-1"), BadCorrection),
    (ResultVoided(uid="x", of="l-1"), BadCorrection),
    (ResultVoided(uid="x", of="c-1"), BadCorrection),
    (ResultAmended(uid="x", of="v-1", changes={"score": 0}), BadCorrection),
    (ResultAmended(uid="x", of="g-1", changes={"player": "ann"}), BadCorrection),
    (ResultAmended(uid="x", of="s-1", changes={"score": 1.0}), BadCorrection),
    (ResultAmended(uid="x", of="g-1", changes={"score": 2.0}), BadValue),
    (ResultAmended(uid="x", of="g-1", changes={"score": float("nan")}), BadValue),
    (ResultAmended(uid="x", of="g-1", changes={"b": "ann"}), PlayedThemselves),
    (MergeUndone(uid="x", of="g-1"), BadCorrection),
]


@pytest.mark.parametrize(("correction", "error"), REFUSED)
def test_a_correction_that_is_refused_takes_its_whole_batch_with_it(
    log: Store, correction: Event, error: type[Exception]
) -> None:
    log.append(EVERY_KIND)
    before = state(log)
    with pytest.raises(error):
        log.append([game("new", "someone", "else"), correction, game("newer")], source="new.csv")
    assert state(log) == before
    log.append([game("new", "someone", "other")])
    assert keys(log)[-2:] == ["someone", "other"]
    assert verify(log).batches == 2


def test_a_correction_may_speak_about_its_own_batch_but_not_about_what_follows(log: Store) -> None:
    void = ResultVoided(uid="v", of="1")
    with pytest.raises(UnknownUid):
        log.append([void, game(1)])
    log.append([game(1), void, ResultVoided(uid="w", of="v")])
    assert [row.ref for row in log.rows()] == [None, 1, 2]


def test_corrections_point_at_the_right_event_when_part_of_their_batch_is_there_already(log: Store) -> None:
    log.append([game("other"), game(1)])
    said = [
        game(1),
        game(2, "cy", "di"),
        ResultVoided(uid="v1", of="1", why="late"),
        ResultVoided(uid="v2", of="2"),
        game(1),
        ResultAmended(uid="a2", of="2", changes={"score": 0.5, "b": "ed"}),
        ResultVoided(uid="w2", of="v2"),
    ]
    receipt = log.append(said)
    assert (receipt.accepted, receipt.duplicates) == (5, 2)
    assert [(row.uid, row.ref) for row in log.rows(2)] == [("2", None), ("v1", 2), ("v2", 3), ("a2", 3), ("w2", 5)]
    before = state(log)
    assert log.append(said).duplicates == 7
    assert log.append([*said, game(3)]).accepted == 1
    assert list(log.rows(to=7)) == before[3]  # type: ignore[index]  # the rows
    assert verify(log).batches == 3


def test_a_correction_of_another_event_under_the_same_uid_is_a_conflict(log: Store) -> None:
    log.append([game(1), game(2), ResultVoided(uid="v", of="1")])
    with pytest.raises(Conflict) as caught:
        log.append([game(1), ResultVoided(uid="v", of="2")])
    assert caught.value.differs == "ref"
    with pytest.raises(Conflict) as caught:
        log.append([ResultVoided(uid="v", of="1", why="another reason")])
    assert caught.value.differs == "data"
    assert keys(log, "note") == []


def test_the_expected_head_may_be_a_position_or_a_head(log: Store) -> None:
    log.append([game(1)], expect=0)
    log.append([game(2)], expect=log.head)
    log.append([game(3)], expect=Head(2, log.head.digest[:16]))
    before = state(log)
    for expect in (0, 2, 4, EMPTY, Head(3, "f" * 64), Head(2, log.digest_at(2)), Head(3, log.digest_at(2))):
        with pytest.raises(HeadMoved) as caught:
            log.append([game(4)], expect=expect)
        assert caught.value.found == 3
    assert state(log) == before
    assert log.append([], expect=3).head == log.head
    with pytest.raises(HeadMoved):
        log.append([], expect=4)


def test_an_empty_log_may_be_expected(log: Store) -> None:
    assert log.append([game(1)], expect=EMPTY).accepted == 1
    with pytest.raises(HeadMoved, match="the log is at position 1, expected 0"):
        log.append([game(2)], expect=EMPTY)


@pytest.mark.parametrize("source", [5, None, b"a.csv", "a\ud800", "a\0"])
def test_a_source_that_is_no_text_is_refused(log: Store, source: Any) -> None:
    with pytest.raises(BadValue, match="source"):
        log.append([game(1)], source=source)
    assert log.head == EMPTY


def test_an_error_while_events_are_made_leaves_the_log_as_it_was(log: Store) -> None:
    def broken() -> Iterator[GamePlayed]:
        yield game(1)
        raise RuntimeError("the file ended")

    with pytest.raises(RuntimeError):
        log.append(broken())
    with pytest.raises(BadValue, match="event must be an event that a log can hold: 'no event'"):
        log.append([game(1), "no event"])  # type: ignore[list-item]  # wrong on purpose
    assert log.head == EMPTY
    assert list(log.book.names()) == []


def test_an_interrupt_in_mid_append_leaves_the_log_as_it_was(log: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    log.append([game(1)])
    before = state(log)
    written = type(log).write

    def interrupted(self: Any, *args: Any) -> None:
        written(self, *args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(type(log), "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.append([game(2, "new", "names")])
    assert state(log) == before
    log.append([game(2, "newer", "names")])
    assert keys(log, "player") == ["ann", "bo", "newer", "names"]
    assert verify(log).batches == 2


def test_a_large_batch_is_one_batch(log: Store) -> None:
    many = [*games(1, 3000), *EVERY_KIND]
    assert log.append(many).accepted == len(many)
    assert log.append([*many, game("more")]).duplicates == len(many)
    assert verify(log).batches == 2


def test_texts_that_look_like_code_are_only_texts(log: Store) -> None:
    odd = ["'; DROP TABLE event; --", '"', "\\", "%s", "{}", "null", "", " ", "a\nb"]
    named = [text for text in odd if text.strip() and "\n" not in text]
    said = [game(text, text, f"{text}2", pool=text, data={text: text}) for text in named]
    notes = [ResultVoided(uid=f"v{n}", of=named[0], why=text, by=text) for n, text in enumerate(odd)]
    log.append([*said, *notes], source=odd[0])
    assert told(log) == [*said, *notes]
    assert verify(log).batches == 1


def erase(log: Store, *names: str) -> None:
    """Drop readable names, and leave everything else."""
    with log.writing():
        log.erase([name.id for name in log.book.names() if name.key in names])


ERASED_FROM: list[tuple[str, ...]] = [
    ("ann",), ("bo",), ("ann", "bo", "cy", "di", "bob"), ("typing error", "the secretary", "default, not played"),
]  # fmt: skip


@pytest.mark.parametrize("names", ERASED_FROM)
def test_a_retry_after_an_erasure_is_still_a_retry(log: Store, names: tuple[str, ...]) -> None:
    """A fixed bug: whoever tried again after a player was erased was told of a conflict."""
    log.append(EVERY_KIND, source="a.csv")
    erase(log, *names)
    before = state(log)
    assert log.append(EVERY_KIND, source="a.csv").duplicates == len(EVERY_KIND)
    for event in EVERY_KIND:
        assert log.append([event]).duplicates == 1
    assert state(log) == before
    assert verify(log).batches == 1


def test_only_an_erased_name_may_stand_for_another(log: Store) -> None:
    log.append(EVERY_KIND)
    erase(log, "ann", "typing error")
    before = state(log)
    others: list[tuple[Event, str]] = [
        (game("g-1", data={"home": "a", "points_a": 3, "points_b": 1.5, "final": True}, b="cy"), "b"),
        (game("g-1", data={"home": "a", "points_a": 4, "points_b": 1.5, "final": True}), "data"),
        (game("g-1", score=0.0, data={"home": "a", "points_a": 3, "points_b": 1.5, "final": True}), "score"),
        (evolve(SESSION, sides=[Side(["ann", "cy"], 54.2), Side(["bo", "di"], 45.8)]), "data"),
        (evolve(SESSION, sides=[Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.9)]), "data"),
        (evolve(SESSION, sides=[Side(["ann", "bo", "ed"], 54.2), Side(["cy", "di"], 45.8)]), "data"),
        (ResultAmended(uid="a-1", of="g-1", changes={"score": 0.0, "b": "di", "home": None}, why="x"), "data"),
        (ResultAmended(uid="a-1", of="g-1", changes={"score": 0.0, "b": "cy", "home": None}), "data"),
        (ResultAmended(uid="a-2", of="s-1", changes={"sides": [Side("ann", 1.5), Side("bo", -1.5)]}), "data"),
        (ResultVoided(uid="v-1", of="g-1", why="default, not played", by="another"), "data"),
    ]
    for event, differs in others:
        with pytest.raises(Conflict) as caught:
            log.append([event])
        assert caught.value.differs == differs, event
    assert state(log) == before
    assert log.append([evolve(EVERY_KIND[0], a="whoever")]).duplicates == 1  # it cannot be told


@st.composite
def batches(draw: st.DrawFn) -> list[list[Event]]:
    """Batches that repeat, contradict and correct one another."""
    number = st.integers(0, 8)

    @st.composite
    def event(draw: st.DrawFn) -> Event:
        n = draw(number)
        return draw(
            st.sampled_from(
                [
                    game(n, f"p{n}", f"q{n}"),
                    game(n, f"p{n}", f"q{n}"),
                    game(n, f"p{n}", f"q{n + 1}"),
                    ResultVoided(uid=f"v{n}", of=str(n), why=f"why {n}"),
                    ResultVoided(uid=f"w{n}", of=f"v{n}"),
                    ResultAmended(uid=f"a{n}", of=str(n), changes={"score": n / 10, "b": f"r{n}"}),
                    ResultAmended(uid=f"b{n}", of=str(n), changes={"b": f"p{n}"}),
                    PlayersMerged(uid=f"m{n}", keep=f"p{n}", other=f"q{n}"),
                    MergeUndone(uid=f"u{n}", of=f"m{n}"),
                ]
            )
        )

    return draw(st.lists(st.lists(event(), max_size=6), max_size=10))


REFUSALS = (Conflict, UnknownUid, PlayedThemselves)


def said_of(kept: list[Event], batch: Sequence[Event]) -> list[Event] | None:
    """The rule of appending in plain words: what is new, or None if the batch is refused."""
    there = {event.uid: event for event in kept}
    fresh: list[Event] = []
    for event in batch:
        if event.uid in there:
            if there[event.uid] != event:
                return None
            continue
        if isinstance(event, ResultVoided | ResultAmended | MergeUndone) and event.of not in there:
            return None
        if isinstance(event, ResultAmended) and event.uid.startswith("b"):
            return None  # a player against himself
        there[event.uid] = event
        fresh.append(event)
    return fresh


def check(logs: Sequence[Store], history: list[list[Event]]) -> None:
    """Append through the handles in turn and compare with the plain rule after every batch."""
    kept: list[Event] = []
    for log, batch in zip(itertools.cycle(logs), history, strict=False):
        fresh = said_of(kept, batch)
        if fresh is None:
            with pytest.raises(REFUSALS):
                log.append(batch)
        else:
            receipt = log.append(batch)
            assert (receipt.accepted, receipt.duplicates) == (len(fresh), len(batch) - len(fresh))
            kept += fresh
        for handle in logs:
            assert told(handle) == kept
            verify(handle)


@pinned
@given(batches())
def test_any_history_in_memory_follows_the_plain_rule(history: list[list[Event]]) -> None:
    check([SqliteLog(":memory:", clock=Clock(), salt=Salts())], history)


def test_any_history_through_two_handles_of_a_file_follows_the_plain_rule(tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("histories")
    number = itertools.count()

    @settings(pinned, max_examples=40)
    @given(batches())
    def holds(history: list[list[Event]]) -> None:
        path, clock, salt = folder / f"{next(number)}.db", Clock(), Salts()
        with SqliteLog(path, clock=clock, salt=salt) as one, SqliteLog(path, clock=clock, salt=salt) as two:
            writer(one).execute("PRAGMA synchronous = OFF")  # many small files; crashes are tested elsewhere
            writer(two).execute("PRAGMA synchronous = OFF")
            check([one, two], history)
            same = SqliteLog(":memory:", clock=Clock(), salt=Salts())
            for batch in history:
                try:
                    same.append(batch)
                except REFUSALS:
                    continue
            assert same.head == one.head
        path.unlink()

    holds()


def test_a_part_of_a_transaction_that_fails_is_undone_alone(log: Store) -> None:
    def a_part() -> None:
        with log.writing():
            log.append([game("undone", "zoe", "yan")])
            assert log.head.position == 2
            with log.writing():
                log.append([game("undone too", "zoe", "xi")])
            raise ZeroDivisionError

    with log.writing():
        log.append([game("one")])
        with pytest.raises(ZeroDivisionError):
            a_part()
        assert log.head.position == 1
        with log.writing():
            log.append([game("two", "cy", "bo")])
        log.append([game("three", "cy", "ann")])
    assert [row.uid for row in log.rows()] == ["one", "two", "three"]
    assert {"cy"} <= set(keys(log))
    assert not {"zoe", "yan", "xi"} & set(keys(log))
    verify(log)


def test_a_transaction_reads_what_it_wrote_and_what_others_wrote_but_nothing_that_was_undone(log: Store) -> None:
    every = ["one", "undone", "two", "void-1", "void-2"]

    def read() -> list[object]:
        end = log.head.position
        rows = [list(log.rows(at, end, kinds)) for at in range(3) for kinds in ((), ("void",), ("game",))]
        return [rows, sorted(log.find(every)), [log.digest_at(at) for at in range(end + 1)]]

    def a_part() -> None:
        with log.writing():
            log.append([game("undone")])
            assert "undone" in log.find(every)
            assert [row.uid for row in log.rows(log.head.position - 1)] == ["undone"]
            raise ZeroDivisionError

    with ExitStack() as opened:
        other = log
        if log.address is not None:
            other = opened.enter_context(type(log)(log.address.text))  # type: ignore[call-arg]  # as stores are opened
        for by, event in (
            (log, game("one")), (other, game("two")), (log, _void("void-1")), (other, _void("void-2")),
        ):  # fmt: skip
            with log.writing():
                before = read()
                fails(ZeroDivisionError, a_part)
                assert read() == before
                if by is log:
                    log.append([event])
                    before = read()
            if by is other and other is not log:
                other.append([event])
            else:
                assert read() == before
    verify(log)


def _void(uid: str) -> ResultVoided:
    return ResultVoided(uid=uid, of="one")
