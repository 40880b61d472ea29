"""Sources can be opened: what is cited by its place in the repository is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"`((?:bench|fixtures|plugins|ratingcore|tests)/[\w/.-]+)`")
PLACES = sorted(
    path.relative_to(ROOT).as_posix()
    for top in ("bench", "fixtures", "plugins", "ratingcore")
    for kind in ("*.md", "*.py")
    for path in (ROOT / top).rglob(kind)
    if CITED.search(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_cited_is_in_the_repository(place: str) -> None:
    for cited in CITED.findall((ROOT / place).read_text(encoding="utf-8")):
        assert (ROOT / cited).exists(), cited
