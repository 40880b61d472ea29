"""Further fields as numbers: words, labels, defaults, what is missing or bad, and what corrections make of them."""

from collections.abc import Callable, Iterator
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest

from ratingcore.columns import Need
from ratingcore.engine import Engine
from ratingcore.errors import BadField, MissingField
from ratingcore.events import DAY, PlayerDescribed, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, game, seed, session

HOME = Need("home", words={"a": 1.0, "b": -1.0}, default=0.0)
Make = Callable[..., Engine]


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Makes an engine on either store that holds some events."""
    log = SqliteLog(":memory:") if request.param == "memory" else SqliteLog(tmp_path / "log.db")
    engine = Engine(log, Registry())

    def make(*events: Any) -> Engine:
        engine.record(*events)
        return engine

    yield make
    engine.close()


def read(engine: Engine, need: Need, through: int | None = None) -> list[float]:
    """A needed field of the games of the pool, in order of play; or of its players, by row."""
    column: list[float] = engine.core.view(POOL, through).games((need,), "toy")[need.name].tolist()
    return column


def described(player: str, day: float = 0, **data: Any) -> PlayerDescribed:
    return PlayerDescribed(pool=POOL, player=player, played=int(day * DAY), data=data)


def test_a_number_is_read_as_it_is_whether_it_is_text_or_not(make: Make) -> None:
    engine = make(
        *(game(day, "ann", "bo", data={"points_a": points}) for day, points in enumerate([3, 2.5, "7", "-1e2"]))
    )
    assert read(engine, Need("points_a")) == [3.0, 2.5, 7.0, -100.0]


def test_fields_are_aligned_with_the_order_of_play_not_of_the_log(make: Make) -> None:
    engine = make(*(game(day, "ann", "bo", data={"points_a": day}) for day in (3, 1, 2)))
    assert read(engine, Need("points_a")) == [1.0, 2.0, 3.0]
    assert read(engine, Need("points_a"), through=2 * DAY) == [1.0, 2.0]


def test_words_become_their_numbers_and_absent_ones_the_default(make: Make) -> None:
    engine = make(*(game(day, "ann", "bo", data={"home": home}) for day, home in enumerate(["a", None, "b"])))
    assert read(engine, HOME) == [1.0, 0.0, -1.0]


def test_a_text_that_is_no_word_reads_as_the_other_number_if_there_is_one(make: Make) -> None:
    cups = Need("cup", words={"world": 60.0}, other=30.0, default=20.0)
    engine = make(*(game(day, "ann", "bo", data={"cup": cup}) for day, cup in enumerate(["world", None, "king's"])))
    assert read(engine, cups) == [60.0, 20.0, 30.0]


def test_labels_are_equal_where_the_values_are_and_nothing_else(make: Make) -> None:
    engine = make(*(game(day, "ann", "bo", data={"season": s}) for day, s in enumerate(["x", "y", "x", 2024, None])))
    one, two, again, year, absent = read(engine, Need("season", labels=True, default=nan))
    assert one == again
    assert len({one, two, year}) == 3
    assert isnan(absent)


def test_a_missing_field_names_the_first_position_in_order_of_play(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"points_a": 1}), game(3, "ann", "bo"), game(2, "ann", "bo"))
    with pytest.raises(MissingField, match="toy needs the result field points_a: missing at position 3") as caught:
        read(engine, Need("points_a"))
    assert caught.value.hint


def test_a_field_that_is_missing_after_the_cut_is_not_missed(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"points_a": 1}), game(3, "ann", "bo"))
    assert read(engine, Need("points_a"), through=2 * DAY) == [1.0]


@pytest.mark.parametrize(
    ("need", "value", "why"),
    [
        (Need("f"), "many", "must be a number"),
        (Need("f"), "nan", "must be a finite number"),
        (Need("f"), "inf", "must be a finite number"),
        (Need("f"), "", "must be a number"),
        (Need("f", words={"a": 1.0}), "c", "must be one of a"),
        (Need("f", words={"a": 1.0}, default=0.0), "A", "must be one of a"),
    ],
)
def test_a_bad_field_names_its_value_and_position(need: Need, value: Any, why: str, make: Make) -> None:
    engine = make(
        game(1, "ann", "bo", data={"f": "1" if not need.words else "a"}), game(2, "ann", "bo", data={"f": value})
    )
    with pytest.raises(BadField, match=f"toy: field f {why} at position 2: {value!r}"):
        read(engine, need)


def test_a_bad_field_of_a_voided_game_harms_nobody(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"f": 1}), game(2, "ann", "bo", data={"f": "many"}, uid="bad"))
    engine.void("bad")
    assert read(engine, Need("f")) == [1.0]


def test_amended_values_win_and_the_last_one_stands(make: Make) -> None:
    engine = make(*(game(day, "ann", "bo", data={"f": 1}, uid=f"g{day}") for day in range(3)))
    engine.amend("g1", {"f": "many"})
    engine.amend("g1", {"f": 5})
    assert read(engine, Need("f")) == [1.0, 5.0, 1.0]


def test_a_field_that_an_amendment_takes_away_is_missing(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"home": "a"}, uid="g"))
    engine.amend("g", {"home": None})
    assert read(engine, HOME) == [0.0]
    with pytest.raises(MissingField, match="position 1"):
        read(engine, Need("home", words={"a": 1.0}))


def test_a_field_that_an_amendment_adds_is_there(make: Make) -> None:
    engine = make(game(1, "ann", "bo"), game(2, "ann", "bo", uid="g"))
    engine.amend("g", {"home": "b"})
    assert read(engine, HOME) == [0.0, -1.0]


def test_an_amendment_that_is_voided_says_nothing_of_fields(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"f": 1}, uid="g"), ResultAmended(uid="x", of="g", changes={"f": 2}))
    assert read(engine, Need("f")) == [2.0]
    engine.record(ResultVoided(of="x"))
    assert read(engine, Need("f")) == [1.0]


def test_a_game_amended_into_the_pool_brings_its_fields(make: Make) -> None:
    engine = make(
        game(1, "ann", "bo", data={"f": 1}),
        game(2, "ann", "bo", data={"f": 7}, pool="other", uid="g"),
        ResultAmended(of="g", changes={"pool": POOL}),
    )
    assert read(engine, Need("f")) == [1.0, 7.0]


def test_fields_are_those_that_were_known_then(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"f": 1}, uid="g"), ResultAmended(of="g", changes={"f": 2}))
    assert engine.core.view(POOL, known_at=1).games((Need("f"),), "toy")["f"].tolist() == [1.0]


@pytest.mark.parametrize("name", ['quo"ted', "dot.ted", "päivä", "$[0]", "sp ace", "'"])
def test_fields_of_any_name_are_found(name: str, make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={name: 7}), game(2, "ann", "bo"))
    assert read(engine, Need(name, default=0.0)) == [7.0, 0.0]


def test_truth_values_read_as_one_and_zero(make: Make) -> None:
    engine = make(game(1, "ann", "bo", data={"f": True}), game(2, "ann", "bo", data={"f": False}))
    assert read(engine, Need("f")) == [1.0, 0.0]


def test_numbers_come_out_of_the_log_to_the_last_bit(make: Make) -> None:
    numbers = [0.1, 1 / 3, 2**53 - 1, 1e-300, 123456789.123456789, 5e-324, 1.7976931348623157e308]
    engine = make(*(game(day, "ann", "bo", data={"f": number}) for day, number in enumerate(numbers)))
    assert read(engine, Need("f")) == numbers


def test_fields_of_sessions_and_games_come_in_one_order(make: Make) -> None:
    engine = make(
        session(2, ("ab", 50.0), ("cd", 40.0), data={"boards": 24}),
        game(1, "a", "b", data={"boards": 1}),
        game(3, "a", "b"),
    )
    sides = engine.core.view(POOL).sides((Need("boards", default=-1.0),), "toy")
    assert sides["boards"].tolist() == [1.0, 24.0, -1.0]


BORN = Need("born", of="player", default=nan)


def test_a_players_field_is_aligned_with_the_rows_of_the_state(make: Make) -> None:
    engine = make(described("cy", born=1990), game(1, "ann", "bo"), game(2, "cy", "ann"), described("bo", born=2001))
    ann, bo, cy = read(engine, BORN)
    assert (bo, cy) == (2001.0, 1990.0)
    assert isnan(ann)


def test_the_last_description_stands_by_the_time_it_speaks_of(make: Make) -> None:
    engine = make(
        game(0, "ann", "bo"), described("ann", 5, fed=2), described("ann", 1, fed=1), described("bo", 2, fed=3)
    )
    need = Need("fed", of="player")
    assert read(engine, need) == [2.0, 3.0]
    assert read(engine, need, through=4 * DAY) == [1.0, 3.0]


def test_descriptions_of_one_day_stand_in_the_order_of_the_log(make: Make) -> None:
    engine = make(game(0, "ann", "bo"), described("ann", born=1), described("ann", born=2), described("bo", born=3))
    assert read(engine, BORN) == [2.0, 3.0]


def test_a_later_description_leaves_the_fields_it_does_not_name(make: Make) -> None:
    engine = make(game(0, "ann", "bo"), described("ann", 1, born=1990), described("ann", 2, title="GM"))
    assert read(engine, BORN)[0] == 1990.0


def test_descriptions_of_merged_players_are_of_one(make: Make) -> None:
    engine = make(
        game(1, "ann", "bo"), game(2, "anna", "bo"), described("anna", 3, born=1990), described("ann", 2, born=1980),
        PlayersMerged(keep="ann", other="anna"),
    )  # fmt: skip
    assert read(engine, BORN)[0] == 1990.0


def test_an_amended_description_reads_as_amended_and_a_voided_one_is_gone(make: Make) -> None:
    born = described("ann", born=1990)
    engine = make(game(1, "ann", "bo"), born)
    engine.amend(born.uid, {"born": 1991})
    assert read(engine, BORN)[0] == 1991.0
    engine.amend(born.uid, {"player": "bo"})
    assert read(engine, BORN)[1] == 1991.0
    engine.void(born.uid)
    assert all(map(isnan, read(engine, BORN)))


def test_a_missing_field_of_a_player_names_the_player(make: Make) -> None:
    engine = make(game(1, "ann", "bo"), described("ann", born=1990))
    with pytest.raises(MissingField, match="toy needs the player field born: missing at player bo"):
        read(engine, Need("born", of="player"))


def test_a_bad_field_of_a_player_names_the_player(make: Make) -> None:
    engine = make(game(1, "ann", "bo"), described("bo", born="long ago"))
    with pytest.raises(BadField, match="field born must be a number at player bo: 'long ago'"):
        read(engine, BORN)


def test_a_bad_field_that_a_later_description_replaces_harms_nobody(make: Make) -> None:
    """Every description was read, also those of which nothing stands."""
    engine = make(game(1, "ann", "bo"), described("bo", 1, born="long ago"), described("bo", 2, born=1990))
    assert read(engine, BORN)[1] == 1990.0


def test_descriptions_of_strangers_and_of_other_pools_are_left_aside(make: Make) -> None:
    elsewhere = PlayerDescribed(pool="other", player="ann", played=0, data={"born": "long ago"})
    engine = make(
        game(1, "ann", "bo"), described("zoe", born="unknown"), elsewhere, seed(9, "yan"), described("yan", born="?")
    )
    assert all(map(isnan, read(engine, BORN, through=2 * DAY)))
