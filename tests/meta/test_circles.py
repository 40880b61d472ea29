"""No two modules import each other, not even by an import inside a function."""

from pathlib import Path

import numpy as np
from grimp import build_graph
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

PLUGINS = Path(__file__).parents[2] / "plugins"


def test_no_module_imports_itself_by_way_of_another() -> None:
    """Imports for types alone do not count."""
    guests = sorted(path.name for path in PLUGINS.glob("*/ratingcore_*"))
    graph = build_graph("ratingcore", *guests, exclude_type_checking_imports=True, cache_dir=None)
    number = {name: n for n, name in enumerate(sorted(graph.modules))}
    arrows = [(number[a], number[b]) for a in number for b in graph.find_modules_directly_imported_by(a)]
    assert len(arrows) > 500
    start, end = np.array(arrows).T
    matrix = coo_array((np.ones(len(start)), (start, end)), shape=(len(number), len(number)))
    circle = connected_components(matrix, connection="strong")[1]
    together = [[name for name, n in number.items() if circle[n] == c] for c in np.flatnonzero(np.bincount(circle) > 1)]
    assert together == []
