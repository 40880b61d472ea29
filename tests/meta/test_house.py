"""`docs/house.md` is true: its floors are those of the import contract, and every place that it names is there."""

import ast
import io
import re
import tokenize
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in HOUSE.splitlines() if line.startswith("|")]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
HOLDERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


def test_floors_and_rooms_are_those_of_the_contract() -> None:
    layers = next(contract["layers"] for contract in CONTRACTS if contract["type"] == "layers")
    rooms = {
        room.strip(): floor for floor, layer in enumerate(reversed(layers)) for room in layer.split("|")
    }  # fmt: skip
    del rooms["__main__"]  # calls the command line, and is no room
    written = {row[1].strip("`"): int(row[0]) for row in ROWS if row[0].isdigit()}
    assert written == rooms


def test_every_place_to_open_is_there() -> None:
    places = [place for row in ROWS if len(row) == 2 for place in re.findall(r"`([\w/]+\.py)`", row[1])]
    assert len(places) > 15
    assert [place for place in places if not (ROOT / "ratingcore" / place).is_file()] == []


def test_every_folder_and_link_is_there() -> None:
    linked = re.findall(r"\]\(([^)#]+)\)", HOUSE)
    folders = re.findall(r"`((?:bench|plugins|ratingcore|tests)/[\w/]*)`", HOUSE)
    assert [link for link in linked if not (ROOT / "docs" / link).exists()] == []
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def code_lines(path: Path) -> int:
    """Lines of a module without those that are empty, comments or docstrings."""
    text = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        first = next(iter(getattr(node, "body", None) or []), None) if isinstance(node, HOLDERS) else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            lines -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def test_the_page_tells_how_large_the_kernel_is() -> None:
    (kernel,) = [contract for contract in CONTRACTS if contract["name"] == "the kernel imports no wing"]
    paths = [ROOT / module.replace(".", "/") for module in kernel["source_modules"]]
    count = sum(
        code_lines(file)
        for path in paths
        for file in (path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")])
    )
    written = re.search(r"\*\*kernel\*\*, ([\d,]+) lines of code", HOUSE)
    assert written is not None
    assert abs(int(written[1].replace(",", "")) - count) <= 0.05 * count, (
        f"docs/house.md: the kernel has {count:,} lines"
    )
