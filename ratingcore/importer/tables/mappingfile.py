"""Reads mappings in TOML, checking every key so that a typo is an error."""

import codecs
import tomllib
from os import PathLike, fspath
from typing import Any

from ratingcore.errors import BadFile, BadMapping
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.files import content
from ratingcore.importer.tables.sources import SETTINGS, Constant, FromColumn, Source

_OF_A_COLUMN = frozenset({"column", "words", "otherwise", "default"})


def load(path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, Source]]:
    """Returns the settings of a mapping file, and the source of each field."""
    where = fspath(path)
    try:
        given = toml(content(path).decode())
    except BadFile as problem:
        raise BadMapping(where, problem.why) from None
    except ValueError as problem:
        raise BadMapping(where, f"is no TOML: {problem}") from None
    fields = given.pop("fields", {})
    if not isinstance(fields, dict):
        raise BadMapping(where, f"fields is not a table: {fields!r}")
    settings = {key: _setting(where, key, value) for key, value in given.items()}
    decimal = str(settings.get("decimal", "."))
    return settings, {name: _source(where, name, source, decimal) for name, source in fields.items()}


def toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; raises `ValueError` for any other one, and for one nested too deep to read."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _setting(where: str, key: str, value: object) -> str | int:
    if key not in SETTINGS:
        raise BadMapping(where, f"unknown key {key}: known are {', '.join(SETTINGS)} and the table [fields]")
    if key == "skip":
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadMapping(where, f"skip is no number of lines: {value!r}")
        return value
    if not isinstance(value, str) or not value:
        raise BadMapping(where, f"{key} is not a text: {value!r}")
    if key == "decimal" and value not in {".", ","}:
        raise BadMapping(where, f"decimal is neither a point nor a comma: {value!r}")
    if key == "delimiter" and (len(value) != 1 or value in '"\r\n'):
        raise BadMapping(where, f"delimiter is not one character between cells: {value!r}")
    if key == "encoding" and not _is_encoding(value):
        raise BadMapping(where, f"unknown encoding: {value!r}")
    return value


def settings_of(where: str, given: dict[str, Any]) -> dict[str, Any]:
    """The settings that are given, each checked.

    Raises
    ------
    BadMapping
    """
    return {key: _setting(where, key, value) for key, value in given.items() if value is not None}


def _is_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
        "".encode(name)
    except (LookupError, UnicodeError):
        return False
    return True


def _source(where: str, name: str, given: object, decimal: str) -> Source:
    field = f"fields.{name}"
    if isinstance(given, str) and given:
        return FromColumn(given)
    if not isinstance(given, dict):
        raise BadMapping(where, f"{field} is neither a column name nor a table: {given!r}")
    if "value" in given:
        _check_keys(where, field, given, frozenset({"value"}))
        return Constant(_text(where, f"{field}.value", given["value"], decimal))
    _check_keys(where, field, given, _OF_A_COLUMN)
    column = given.get("column")
    if not isinstance(column, str) or not column:
        raise BadMapping(where, f"{field} names no column and no value")
    words = given.get("words", {})
    if not isinstance(words, dict):
        raise BadMapping(where, f"{field}.words is not a table: {words!r}")
    if "otherwise" in words:
        raise BadMapping(where, f"{field}.words.otherwise belongs beside words, not into it")
    rest = ("otherwise", "default")
    texts = {key: _text(where, f"{field}.{key}", given[key], decimal) for key in rest if key in given}
    translated = {
        normal(key.strip()): _text(where, f"{field}.words.{key}", word, decimal) for key, word in words.items()
    }
    return FromColumn(column, translated, **texts)


def _check_keys(where: str, field: str, given: dict[str, Any], allowed: frozenset[str]) -> None:
    for key in given:
        if key not in allowed:
            raise BadMapping(where, f"unknown key {field}.{key}: known there are {', '.join(sorted(allowed))}")


def _text(where: str, key: str, value: object, decimal: str) -> str:
    if isinstance(value, str):
        return normal(value.strip())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value).replace(".", decimal)
    raise BadMapping(where, f"{key} is neither text nor number: {value!r}")
