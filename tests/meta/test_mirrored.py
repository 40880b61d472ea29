"""The tests of a room are in the folder of its name: a stranger who opens `ratingcore/lists` looks in `tests/lists`."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = sorted(
    path.name for path in (ROOT / "ratingcore").iterdir() if (path / "__init__.py").is_file() and path.name != "errors"
)
NO_ROOM = {
    "browser",
    "gallery",
    "golden",
    "hosts",
    "laws",
    "meta",
    "pins",
    "plugins",
    "service",
    "stories",
}  # each says what it is at its top


def test_every_room_has_tests_at_its_mirrored_path() -> None:
    assert [room for room in ROOMS if room != "errors" and not list((ROOT / "tests" / room).rglob("test_*.py"))] == []


def test_a_folder_of_tests_is_that_of_a_room_or_of_a_kind_of_test() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if list(path.rglob("test_*.py")) and path.is_dir()}
    assert folders - NO_ROOM - set(ROOMS) == set()
