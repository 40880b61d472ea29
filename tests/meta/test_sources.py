"""Sources can be opened: what is cited by its place in the repository is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"`((?:bench|fixtures|plugins|ratingcore|tests)/[\w/.-]+)`")


def test_what_is_cited_is_in_the_repository() -> None:
    cited = [
        (path.relative_to(ROOT).as_posix(), place)
        for top in ("bench", "fixtures", "plugins", "ratingcore")
        for kind in ("*.md", "*.py")
        for path in (ROOT / top).rglob(kind)
        for place in CITED.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(cited) > 20
    assert [(path, place) for path, place in cited if not (ROOT / place).exists()] == []
