"""A file of golden cases, read and checked before anything runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

KEYS = {"id": str, "method": str, "input": dict, "expected": dict, "tol": int | float}


class MalformedError(Exception):
    """A file, or a case in it, does not have the form that fixtures/golden/README.md describes."""


@frozen
class Case:
    """One input of one method, and the numbers a source gives for it."""

    id: str
    method: str
    input: Mapping[str, Any]
    expected: Mapping[str, Any]
    tol: float


def read_cases(path: Path) -> list[Case]:
    """The cases of a file; `MalformedError` says what is wrong with it, and where."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise MalformedError(f"{path} is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("schema") != 1 or not isinstance(content.get("cases"), list):
        raise MalformedError(f"{path} is not a file of golden cases: it must hold schema 1 and a list of cases")
    return [_case(found, f"{path}, case {n}") for n, found in enumerate(content["cases"], start=1)]


def _case(found: Any, where: str) -> Case:
    if not isinstance(found, dict):
        raise MalformedError(f"{where} is not an object: {found!r}")
    where = f"{where} ({found['id']})" if isinstance(found.get("id"), str) else where
    for key, kind in KEYS.items():
        if key not in found:
            raise MalformedError(f"{where} has no {key}")
        if not isinstance(found[key], kind) or isinstance(found[key], bool):
            raise MalformedError(f"{where} has a bad {key}: {found[key]!r}")
    return Case(**{key: found[key] for key in KEYS})
