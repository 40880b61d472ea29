"""The doors through which plugins import what ratingcore offers them."""

import ratingcore.plugin as door


def test_every_name_of_the_door_is_there() -> None:
    assert [name for name in door.__all__ if not hasattr(door, name)] == []
