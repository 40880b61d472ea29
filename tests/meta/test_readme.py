"""The README, the pages of `docs` and those of plugins are true: console blocks are typed, their output compared."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.assembly.console import blocks, commands
from docs.assembly.pages import BRANCH, RAW
from ratingcore.cli.main import cli
from ratingcore.importer.tables import FieldMap
from tests.log import conftest
from tests.plugins import usebio

places = conftest.places

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GUIDES = {ROOT / "docs" / "writing" / name for name in ("method.md", "reader.md")}
"""Pages that `tests/plugins/test_ten_minutes.py` types, in an environment of its own."""
PLUGINS = ROOT / "plugins" / "README.md"
PAGES = [README, PLUGINS, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "plugins").glob("*/*/*.md"))]
IN_DATABASE = "postgresql://localhost/league?log=club"
OF_SITE = "postgresql+psycopg://localhost/league"
"""The database of that log, as SQLAlchemy spells it."""
OPTIONAL = {"workers.md": ("distributed", "dask"), "tasks.md": ("celery", "recipes")}
"""By page, the library it is about, and the extra that brings it."""
ALIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_first_screen_shows_the_two_commands() -> None:
    assert "pip install . && ratingcore demo" in blocks("console", README.read_text(encoding="utf-8"))[0]
    assert 'pip install -e ".[dev]" && pytest' in blocks("console", README.read_text(encoding="utf-8"))[0]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in GUIDES], ids=lambda page: f"{page.parent.name}/{page.name}"
)
def test_every_command_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if page.name in OPTIONAL:
        library, extra = OPTIONAL[page.name]
        pytest.importorskip(library, reason=f"{library} is not installed: pip install '.[{extra}]'")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    if IN_DATABASE in "".join(blocks("console", text)):  # the store of the tests stands in for the reader's
        there = request.getfixturevalue("places")("ratingcore_postgres").address("club_of_the_page")
        site, _, options = there.replace("postgresql:", "postgresql+psycopg:").partition("?")
        others = "&".join(part for part in options.split("&") if not part.startswith("log="))
        text = text.replace(IN_DATABASE, there).replace(OF_SITE, f"{site}?{others}")
    if page.parent.name == "ratingcore_bridge":  # its files are those of the fixtures
        own = {path.stem: path for path in (ROOT / "fixtures" / "usebio").glob("*.xml")}
        named = set(re.findall(r"\b([\w-]+)\.xml", text))
        usebio.write(tmp_path, *(named - own.keys()))
        for issue in named & own.keys():
            shutil.copy(own[issue], tmp_path)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    monkeypatch.setenv("COLUMNS", "400")  # a terminal that is wide enough for every table
    for command, printed in commands(text):
        if command.startswith("pip install"):  # the two commands, which CI runs in an environment of its own
            continue
        name, *words = shlex.split(command)
        if name == "cat":
            Path(words[0]).write_text(printed, encoding="utf-8")
            continue
        if name == "openssl":
            subprocess.run([name, *words], check=True, capture_output=True)
            continue
        if name == "python":  # a script that the page has written above
            ran = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
            assert doctest.OutputChecker().check_output(printed, ran.stdout, ALIKE), f"$ {command}\n{ran.stderr}"
            continue
        assert name == "ratingcore", command
        done = CliRunner().invoke(cli, words)
        assert doctest.OutputChecker().check_output(printed, done.stdout, ALIKE), f"$ {command}\n{done.output}"


def test_the_mapping_file_of_the_page_on_tables_is_understood(tmp_path: Path) -> None:
    page = ROOT / "docs" / "importing" / "tables.md"
    block = next(block for block in blocks("toml", page.read_text(encoding="utf-8")) if "[fields]" in block)
    (tmp_path / "mapping.toml").write_text(block, encoding="utf-8")
    assert "importance" in FieldMap.load(tmp_path / "mapping.toml").fields


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        absolute = next((start for start in (BRANCH, RAW) if target.startswith(start)), None)
        if target.startswith(("http", "mailto:")) and absolute is None:
            continue
        file, _, anchor = target.removeprefix(f"{absolute}/").partition("#")
        place = (ROOT if absolute else page.parent) / file if file else page
        assert place.exists(), target
        assert not anchor or anchor in anchors(place), target


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_of_the_readme_work_on_a_package_index() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", README.read_text(encoding="utf-8"))
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith("https://")] == []
