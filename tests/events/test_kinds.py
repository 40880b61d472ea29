"""Kinds: what each event holds, and what none of them can hold."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from ratingcore.errors import BadValue, EventError, PlayedThemselves, RatingCoreError
from ratingcore.events import (
    CORRECTIONS,
    KINDS,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
    instant,
)

NFC, NFD = "Zo\u00eb", "Zoe\u0308"


def game(**other: Any) -> GamePlayed:
    return GamePlayed(**{"pool": "rapid", "played": "2024-03-02", "a": "ann", "b": "bo", "score": 1.0, **other})


def session(*sides: Side, **other: Any) -> SessionPlayed:
    return SessionPlayed(pool="club", played="2024-03-02", sides=sides, **other)


def test_every_kind_is_listed_under_its_name() -> None:
    kinds = ["game", "session", "seed", "player", "void", "amend", "merge", "unmerge", "period", "list", "pool"]
    assert list(KINDS) == kinds
    assert all(event.kind == kind for kind, event in KINDS.items())
    assert set(CORRECTIONS) < set(KINDS)


def test_a_game_keeps_plain_values() -> None:
    kept = game(score=1, played="2024-03-02T10:00+01:00", order=-3, data={"home": "a", "round": None})
    assert (kept.score, kept.played, kept.order) == (1.0, instant("2024-03-02T09:00"), -3)
    assert isinstance(kept.score, float)
    assert dict(kept.data) == {"home": "a"}
    assert kept == game(uid=kept.uid, score=1.0, played="2024-03-02T09:00", order=-3, data={"home": "a"})


def test_events_without_a_uid_get_one_each() -> None:
    assert game().uid != game().uid


def test_events_cannot_be_changed() -> None:
    changed = ResultAmended(of="g", changes={"score": 0})
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        game().score = 0.5  # type: ignore[misc]  # frozen on purpose
    with pytest.raises(TypeError):
        changed.changes["score"] = 1.0  # type: ignore[index]  # read-only on purpose


@pytest.mark.parametrize(
    "spelt",
    [
        lambda name: game(a=name).a,
        lambda name: game(b=name).b,
        lambda name: game(pool=name).pool,
        lambda name: Side(name, 1).players[0],
        lambda name: Side([name, "bo"], 1).players[0],
        lambda name: RatingSeeded(pool="p", played=0, player=name, values={"rating": 1}).player,
        lambda name: PlayerDescribed(pool="p", played=0, player=name, data={}).player,
        lambda name: PlayersMerged(keep=name, other="bo").keep,
        lambda name: PlayersMerged(keep="bo", other=name).other,
        lambda name: ListPublished(pool="p", played=0, name=name).name,
        lambda name: ResultAmended(of="g", changes={"a": name}).changes["a"],
    ],
)
def test_two_unicode_spellings_are_one_name(spelt: Callable[[str], object]) -> None:
    assert spelt(NFD) == spelt(NFC) == NFC


def test_a_player_cannot_meet_themselves() -> None:
    with pytest.raises(PlayedThemselves, match="a player cannot meet themselves: ann"):
        game(b="ann")
    with pytest.raises(PlayedThemselves):
        game(a=NFC, b=NFD)
    with pytest.raises(PlayedThemselves):
        session(Side(["ann", "bo"], 1), Side(["cy", "bo"], 0))
    with pytest.raises(PlayedThemselves):
        session(Side(["ann", "ann"], 1), Side("bo", 0))
    with pytest.raises(PlayedThemselves):
        session(Side(NFC, 1), Side(NFD, 0))


@pytest.mark.parametrize("name", ["", "  ", "\n", "a\nb", "a\x00b", "a\x7f", "a\x9fb", "a\ud800", 5.0, None, b"ann"])
@pytest.mark.parametrize("place", ["a", "pool", "uid"])
def test_what_names_nothing_is_refused(place: str, name: object) -> None:
    with pytest.raises(BadValue) as caught:
        game(**{place: name})
    assert caught.value.what == place


@pytest.mark.parametrize(
    "name", ["o'neil", '"', "a,b;c", "名前", "🏓", "\u200bghost", "a\u00a0b", " padded ", "0", "--"]
)
def test_names_may_be_nearly_anything(name: str) -> None:
    assert game(a=name).a == name


@pytest.mark.parametrize(
    "score", [1.0000001, -0.0001, -1, 2, float("nan"), float("inf"), 10**400, "1", None, True, False, 1j]
)
def test_a_score_outside_zero_to_one_is_refused(score: object) -> None:
    with pytest.raises(BadValue, match="score must be a number from 0 to 1"):
        game(score=score)


@pytest.mark.parametrize("order", [2**31, -(2**31) - 1, 10**400, 1.0, "1", None, True])
def test_an_order_that_is_no_32_bit_number_is_refused(order: object) -> None:
    with pytest.raises(BadValue, match="order must be a whole number of 32 bits"):
        game(order=order)


@pytest.mark.parametrize("field", ["pool", "played", "order", "a", "b", "score", "sides", "player", "values"])
def test_data_cannot_hold_what_has_a_field_of_its_own(field: str) -> None:
    for make in (
        lambda data: game(data=data),
        lambda data: session(Side("ann", 1), Side("bo", 0), data=data),
        lambda data: PlayerDescribed(pool="p", played=0, player="ann", data=data),
        lambda data: PeriodClosed(pool="p", played=0, data=data),
        lambda data: ListPublished(pool="p", played=0, name="march", data=data),
    ):
        with pytest.raises(BadValue, match="repeats a field of the event"):
            make({field: "x"})


def test_the_data_of_a_list_cannot_rename_it() -> None:
    with pytest.raises(BadValue, match="repeats a field of the event"):
        ListPublished(pool="p", played=0, name="march", data={"name": "april"})


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        ([], "of a session must be two or more: 0"),
        ([Side("ann", 1)], "of a session must be two or more: 1"),
        (None, "must be a list of sides"),
        (5, "must be a list of sides"),
        ([("ann", 1), ("bo", 2)], "must hold only values of type Side"),
        ("ab", "must hold only values of type Side"),
    ],
)
def test_what_are_no_sides_is_refused(sides: Any, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        SessionPlayed(pool="p", played=0, sides=sides)
    with pytest.raises(BadValue, match=why):
        SessionPlayed(**attrs.asdict(session(Side("ann", 1), Side("bo", 0)), recurse=False) | {"sides": sides})


@pytest.mark.parametrize("players", [[], (), None, 5.0, [""], ["ann", None], ["a\nb"]])
def test_a_side_without_names_is_refused(players: Any) -> None:
    with pytest.raises(BadValue, match="players"):
        Side(players, 1)


@pytest.mark.parametrize("score", [None, "54", True, float("nan"), float("inf"), 10**400])
def test_a_side_without_a_finite_score_is_refused(score: Any) -> None:
    with pytest.raises(BadValue, match="score must be a finite number"):
        Side("ann", score)


@pytest.mark.parametrize("values", [{}, None, [], "rating", {"rating": None}, {"rating": "1500"}, {"": 1}, {5: 1.0}])
def test_a_seed_without_numbers_by_column_is_refused(values: Any) -> None:
    with pytest.raises(BadValue):
        RatingSeeded(pool="p", played=0, player="ann", values=values)


@pytest.mark.parametrize("rating", [float("nan"), float("inf"), True, 10**400])
def test_a_seed_that_is_not_finite_is_refused(rating: float) -> None:
    with pytest.raises(BadValue, match="rating must be a finite number"):
        RatingSeeded(pool="p", played=0, player="ann", values={"rating": rating})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        None,
        "score",
        ["score"],
        {"sides": None},
        {"sides": [1]},
        {"values": None},
        {"values": {}},
        {"values": {"rating": "x"}},
        {"played": None},
        {"played": "soon"},
        {"x": [1]},
        {"x": float("nan")},
        {"x": "\ud800"},
        {5: None},
        {"": 1},
    ],
)
def test_an_amendment_that_changes_nothing_it_could_is_refused(changes: Any) -> None:
    with pytest.raises(BadValue):
        ResultAmended(of="g", changes=changes)


def test_an_amendment_keeps_none_which_takes_a_field_away() -> None:
    assert dict(ResultAmended(of="g", changes={"home": None, "score": 1}).changes) == {"home": None, "score": 1.0}


def test_a_record_cannot_be_merged_with_itself() -> None:
    with pytest.raises(BadValue, match="must be another name than keep"):
        PlayersMerged(keep=NFC, other=NFD)


@pytest.mark.parametrize("correction", [ResultVoided, MergeUndone])
@pytest.mark.parametrize("note", [{"why": 5}, {"why": None}, {"by": b"x"}, {"by": "\ud800"}, {"by": "a\0"}])
def test_reasons_are_text(correction: Callable[..., object], note: Mapping[str, object]) -> None:
    with pytest.raises(BadValue):
        correction(of="g", **note)


@pytest.mark.parametrize("of", ["", None, 5, "a\nb"])
def test_a_correction_speaks_about_some_uid(of: Any) -> None:
    for make in (ResultVoided, MergeUndone, lambda of: ResultAmended(of=of, changes={"score": 0})):
        with pytest.raises(BadValue, match="of"):
            make(of=of)


def test_every_refusal_is_one_of_ours_and_a_value_error() -> None:
    assert issubclass(BadValue, EventError)
    assert issubclass(EventError, RatingCoreError)
    assert issubclass(EventError, ValueError)
