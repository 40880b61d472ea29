"""`docs/house.md` is true: its floors are those of the import contract, and every place that it names is there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in HOUSE.splitlines() if line.startswith("|")]


def test_floors_and_rooms_are_those_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
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
