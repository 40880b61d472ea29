"""Only edges speak of a command line: below `ratingcore/cli`, no text names an option or a command of it.

Edges are `ratingcore/cli` and the modules of plugins that announce commands or end one with a `Mistake`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ratingcore.cli.main import SUMMARIES

ROOT = Path(__file__).parents[2]
COMMANDS = "|".join(map(re.escape, SUMMARIES))
OPTION = r"(^|[\s(`:'\"])--[a-z]"
NAMED = re.compile(rf"{OPTION}|(?<!a )\bratingcore ({COMMANDS})\b|\b({COMMANDS}) LOG\b|\bthe ({COMMANDS}) command\b")
LIKELY = re.compile(r"--[a-z]|\bratingcore [a-z\"']|\bLOG\b|\bcommand\b")
"""Without one of these a file names nothing; few have one."""
OF_COMMANDS = "ratingcore.plugin.commands"
OTHERS = {
    "ratingcore/lists/signatures.py": "a signature covers the words `ratingcore list`",
    "plugins/sites/ratingcore_pages/single_pages.py": "options of a browser",
    "plugins/sites/ratingcore_pages/command_lines.py": "reports print the command that makes them again",
    "plugins/sites/ratingcore_service/studies.py": "arguments of the commands that jobs run",
}
"""Modules whose texts are not advice."""


def is_edge(path: Path, tree: ast.Module) -> bool:
    """Whether a module speaks to a command line."""
    if path.is_relative_to(ROOT / "ratingcore" / "cli"):
        return True
    for node in ast.walk(tree):
        names = {name.name for name in node.names} if isinstance(node, ast.Import | ast.ImportFrom) else set()
        if isinstance(node, ast.ImportFrom) and node.module == OF_COMMANDS and names & {"Mistake", "command"}:
            return True
        if isinstance(node, ast.Import) and "click" in names:
            return True
    return False


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts of a module that are not docstrings, with their lines."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def named(path: Path) -> list[str]:
    """Where a module below the edges names an option or a command."""
    text = path.read_text(encoding="utf-8")
    if not LIKELY.search(text):
        return []
    tree = ast.parse(text)
    place = path.relative_to(ROOT).as_posix()
    return [] if is_edge(path, tree) else [f"{place}:{line}" for line, text in texts(tree) if NAMED.search(text)]


@pytest.mark.parametrize("folder", ["ratingcore", "plugins"])
def test_no_text_below_the_edges_names_an_option_or_a_command(folder: str) -> None:
    found = [place for path in sorted((ROOT / folder).rglob("*.py")) for place in named(path)]
    assert [place for place in found if place.partition(":")[0] not in OTHERS] == []


def test_the_modules_that_are_left_out_name_some() -> None:
    assert [place for place in OTHERS if not named(ROOT / place)] == []


@pytest.mark.parametrize(
    "text", ["say --zone", "ratingcore void LOG g-1", "void LOG --source FILE", "the log command lists"]
)
def test_what_names_an_option_or_a_command_is_seen(text: str) -> None:
    assert NAMED.search(text)
