"""Writes the contract of the API anew: `python -m tests.service.contract`; a change of it is a line of CHANGELOG.md."""

import json
from pathlib import Path
from typing import Any

from ratingcore_service.app import ROUTES
from ratingcore_service.contract import document

FILE = Path(__file__).with_name("openapi.json")
CONTRACT: dict[str, Any] = json.loads(FILE.read_bytes())

if __name__ == "__main__":
    FILE.write_bytes(document(ROUTES) + b"\n")
