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

from ratingcore.cli.main import cli
from ratingcore.importer.tables import FieldMap
from tests.log import conftest
from tests.plugins import usebio

places = conftest.places

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "plugins").glob("*/*/README.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
IN_DATABASE = "postgresql://localhost/league?log=club"
ALIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language: str, *pages: Path) -> list[str]:
    texts = (page.read_text(encoding="utf-8") for page in pages or PAGES)
    return [block for text in texts for kind, block in BLOCK.findall(text) if kind == language]


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a block and what it prints."""
    return [tuple(part.split("\n", 1)) for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]  # type: ignore[misc]  # a block ends with a line end


def test_the_first_screen_shows_the_two_commands() -> None:
    assert "pip install . && ratingcore demo" in blocks("console", README)[0]
    assert 'pip install -e ".[dev]" && pytest' in blocks("console", README)[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_command_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    if page.parent.name == "ratingcore_bridge":  # its files are those of the fixtures
        own = {path.stem: path for path in (ROOT / "fixtures" / "usebio").glob("*.xml")}
        named = set(re.findall(r"\b([\w-]+)\.xml", "".join(blocks("console", page))))
        usebio.write(tmp_path, *(named - own.keys()))
        for issue in named & own.keys():
            shutil.copy(own[issue], tmp_path)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    for command, printed in (pair for block in blocks("console", page) for pair in commands(block)):
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
        if any(IN_DATABASE in word for word in words):  # the store of the tests stands in for the reader's
            there = request.getfixturevalue("places")(page.parent.name).address("club_of_the_page")
            words = [word.replace(IN_DATABASE, there) for word in words]
        done = CliRunner().invoke(cli, words)
        assert doctest.OutputChecker().check_output(printed, done.stdout, ALIKE), f"$ {command}\n{done.output}"


def test_the_mapping_file_of_the_readme_is_understood(tmp_path: Path) -> None:
    block = next(block for block in blocks("toml") if "[fields]" in block)
    (tmp_path / "mapping.toml").write_text(block, encoding="utf-8")
    assert "importance" in FieldMap.load(tmp_path / "mapping.toml").fields


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("http")]
    for file, _, anchor in (target.partition("#") for target in targets):
        target = page.parent / file if file else page
        assert target.exists(), file
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert not anchor or anchor in {heading.lower().replace(" ", "-") for heading in headings}, anchor
