"""No two modules import each other, not even by an import inside a function."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).parents[2]


def modules() -> dict[str, Path]:
    """Every module of the core and of the bundled plugins, by its dotted name."""
    found = {}
    for top, folder in (
        (ROOT, "ratingcore"),
        *((group, "ratingcore_*") for group in sorted((ROOT / "plugins").iterdir()) if group.is_dir()),
    ):
        for path in (path for package in top.glob(folder) for path in package.rglob("*.py")):
            parts = path.relative_to(top).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path) -> Iterator[str]:
    """Names of what a module imports when it runs, early or late; imports for types alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = (n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    for_types = {inner for block in blocks for inner in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in for_types:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_imports_itself_by_way_of_another() -> None:
    known = modules()
    number = {name: n for n, name in enumerate(known)}
    arrows = set()
    for name, path in known.items():
        for target in imported(path):
            home = target if target in known else target.rpartition(".")[0]
            if home in known and home != name:
                arrows.add((number[name], number[home]))
    assert len(arrows) > 500
    start, end = np.array(sorted(arrows)).T
    graph = coo_array((np.ones(len(start)), (start, end)), shape=(len(known), len(known)))
    circle = connected_components(graph, connection="strong")[1]
    together = [[name for name, n in number.items() if circle[n] == c] for c in np.flatnonzero(np.bincount(circle) > 1)]
    assert together == []
