"""Worlds as values and as texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratingcore_laboratory import PRESETS, World

from ratingcore.errors import BadParameter, BadValue


def test_the_presets_are_the_scenarios_of_the_study() -> None:
    numbers = [
        (w.players, w.rounds, w.joining_mean, w.joining_sd, w.leaving_mean, w.leaving_sd, w.evolution)
        for w in map(World.parse, PRESETS)
    ]
    assert numbers == [
        (1000, 50, 60, 15, 60, 15, "none"),
        (2000, 50, 100, 40, 80, 30, "sine"),
        (5000, 50, 100, 20, 100, 20, "sine"),
    ]


def test_a_text_changes_a_preset_and_the_world_says_the_shortest_text() -> None:
    world = World.parse(" thesis-2:rounds=7, noise=2.5 ")
    assert (world.players, world.rounds, world.noise) == (2000, 7, 2.5)
    assert str(world) == "thesis-2:rounds=7,noise=2.5"
    assert [str(World.parse(name)) for name in PRESETS] == list(PRESETS)


@given(
    st.builds(
        World,
        players=st.integers(1, 10**6),
        rounds=st.integers(1, 999),
        base_sd=st.floats(0, 1e9),
        evolution=st.sampled_from(["none", "initial"]),
        half_band=st.floats(0, 50),
    )
)
def test_every_world_is_read_back_from_its_text(world: World) -> None:
    assert World.parse(str(world)) == world


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("thesis-9", "world must be one of thesis-1, thesis-2, thesis-3: 'thesis-9'"),
        ("thesis-1:player=3", "world: parameter player is unknown"),
        ("thesis-1:players=many", "world: parameter players must be a whole number: 'many'"),
        ("thesis-1:noise=nan", "world: parameter noise must be a finite number: 'nan'"),
        ("thesis-1:players", "world: parameter players must be written name=value"),
    ],
)
def test_a_text_that_names_no_world_is_refused(text: str, said: str) -> None:
    with pytest.raises((BadValue, BadParameter)) as caught:
        World.parse(text)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "changed",
    [
        {"players": -1}, {"players": True}, {"rounds": 0}, {"groups": 0}, {"group_width": 0.0}, {"tries": 0},
        {"half_band": 51.0}, {"evolution": "upwards"}, {"period": 0.0}, {"base_sd": -1.0}, {"noise": 0.0},
        {"margin": -1.0},
        {"seats": 0}, {"entry_games": 0}, {"games_mean": -1.0}, {"players": 0, "joining_mean": 0.0, "joining_sd": 0.0},
    ],
)  # fmt: skip
def test_a_parameter_out_of_range_is_refused_by_name(changed: dict[str, object]) -> None:
    with pytest.raises(BadParameter) as caught:
        World(**changed)  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.parameter == next(iter(changed))
