"""The pages of the documentation are short, in a table of contents, and their pictures are what the build draws."""

import re
from pathlib import Path

import pytest

from docs.assembly import pages, pictures, versions
from docs.assembly.parameters import described, of_package

ROOT = Path(__file__).parents[2]
MOST = 900
"""Words of a page, without code and tables, that is not a reference."""
REFERENCE = {"CHANGELOG.md", "docs/house.md"}
PAGES = pages.sources(ROOT)
LISTS = {path: (ROOT / path).read_text(encoding="utf-8") for path in PAGES}


def words(text: str) -> int:
    """Words of prose: without code, tables, formulas and addresses of links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:\|| {4}).*$", "", text, flags=re.MULTILINE)
    return len(re.sub(r"\]\([^)]*\)", "]", text).split())


@pytest.mark.parametrize("path", sorted(PAGES.keys() - REFERENCE))
def test_a_page_is_read_at_one_sitting(path: str) -> None:
    assert words(LISTS[path]) <= MOST


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = set(re.findall(r"^([a-z_]+(?:/[a-z_]+)?)$", LISTS["docs/index.md"], re.MULTILINE))
    folders = {
        each for text in LISTS.values() for each in re.findall(r"^<!-- pages: ([\w/]+)/\* -->$", text, re.MULTILINE)
    }
    single = {
        each for text in LISTS.values() for each in re.findall(r"^<!-- pages: ([\w/ ]+) -->$", text, re.MULTILINE)
    }
    listed |= {page for each in single for page in each.split()}
    missing = [page for page in PAGES.values() if page not in listed and page.partition("/")[0] not in folders]
    assert missing == ["index"]


def test_every_parameter_of_a_table_is_described() -> None:
    for folder in (ROOT / "plugins" / "methods").iterdir():
        for name, kind in of_package(folder.name).items():
            assert all(meaning for unit, meaning in described(kind).values()), name


def test_the_picture_of_the_readme_is_what_is_drawn() -> None:
    drawn = pictures.nba(ROOT)
    assert drawn == (ROOT / "docs" / "pictures" / "nba.svg").read_text(encoding="utf-8"), "python -m docs --picture"


def test_the_site_lists_its_versions_and_leads_to_the_newest(tmp_path: Path) -> None:
    for name in ("0.9.0", "0.10.0", "0.2.1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").touch()
    assert versions.write(tmp_path) == versions.write(tmp_path) == ["0.10.0", "0.9.0", "0.2.1"]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text("utf-8")
    listed = re.findall('href="(.*?)/index.html"', (tmp_path / "versions.html").read_text("utf-8"))
    assert listed == ["0.10.0", "0.9.0", "0.2.1"]
