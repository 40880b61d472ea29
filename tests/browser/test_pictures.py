"""The pictures of the README and the documents are made by their script, are small, and are all shown somewhere."""

from pathlib import Path
from typing import Any

from tests.browser.pictures import FOLDER, LARGEST, pages, photograph

SHOWN = {"list": "README.md", "player": "README.md", "desk": "docs/service/running.md",
         "compare": "docs/analysis/compare.md", "backdate": "docs/officer/backdating.md"}  # fmt: skip
"""The document that shows a picture."""


def test_pages_are_photographed_in_both_colours(browser: Any, tmp_path: Path) -> None:
    made = photograph(browser, tmp_path, pages())
    names = [f"{name}{end}.png" for name in ("list", "player", "desk") for end in ("", "-dark")]
    assert [one.name for one in made] == names
    for light, dark in zip(made[::2], made[1::2], strict=True):
        assert light.read_bytes() != dark.read_bytes()


def test_the_pictures_of_the_documents_are_small_and_shown() -> None:
    assert {one.stem.removesuffix("-dark") for one in FOLDER.glob("*.png")} == SHOWN.keys()
    for name, document in SHOWN.items():
        assert f"pictures/{name}.png" in Path(document).read_text("utf-8")
    for one in FOLDER.glob("*.png"):
        assert one.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        assert one.stat().st_size < LARGEST
