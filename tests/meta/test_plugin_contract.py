"""Walls between the core and its guests: the contract sees each kind of trespass, and knows every guest there is."""

import tomllib
from pathlib import Path

import pytest
from grimp import ImportGraph

from tests.meta.plugin_contract import PluginContract

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_beside_the_core_is_named_once() -> None:
    found = sorted(path.name for path in (ROOT / "plugins").glob("*/ratingcore_*"))
    assert PYPROJECT["tool"]["importlinter"]["root_packages"] == ["ratingcore", *found]
    groups = sorted(path.name for path in (ROOT / "plugins").iterdir() if path.is_dir())
    assert sorted(PYPROJECT["tool"]["mypy"]["mypy_path"].split(":")) == [f"plugins/{group}" for group in groups]


@pytest.mark.parametrize(
    ("importer", "imported", "kept"),
    [
        ("ratingcore_elo.rules", "ratingcore.plugin", True),
        ("ratingcore_elo.rules", "ratingcore_elo.presets", True),
        ("ratingcore_elo.rules", "ratingcore.log.chain", False),
        ("ratingcore_elo.rules", "ratingcore.log", False),
        ("ratingcore_elo.rules", "ratingcore_glicko", False),
        ("ratingcore.cli.main", "ratingcore_elo.rules", False),
        ("ratingcore.cli.main", "ratingcore.log", True),
    ],
)
def test_an_import_through_a_wall_breaks_the_contract(importer: str, imported: str, kept: bool) -> None:
    graph = ImportGraph()
    graph.add_import(importer=importer, imported=imported)
    contract = PluginContract(
        name="walls",
        session_options={"root_packages": ["ratingcore", "ratingcore_elo", "ratingcore_glicko"]},
        contract_options={"core": "ratingcore", "closed": ["log"], "ignore_imports": []},
    )
    assert contract.check(graph, verbose=False).kept is kept
