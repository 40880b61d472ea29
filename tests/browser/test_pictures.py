"""The pictures of the README are made by their script, and are small."""

from pathlib import Path
from typing import Any

from tests.browser.pictures import FOLDER, LARGEST, photograph


def test_the_pictures_of_the_readme_are_made_and_are_small(browser: Any, tmp_path: Path) -> None:
    readme = Path("README.md").read_text("utf-8")
    made = photograph(browser, tmp_path)
    assert [one.name for one in made] == ["list.png", "player.png"]
    for one in made:
        assert f"docs/pictures/{one.name}" in readme
        for picture in (one, FOLDER / one.name):
            assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
            assert picture.stat().st_size < LARGEST
