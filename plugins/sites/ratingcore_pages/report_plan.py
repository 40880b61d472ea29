"""The plan of a report, read from TOML with strict keys: its lists, comparison and further parts."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from ratingcore.errors import ArchiveError, BadFile
from ratingcore.plugin.analysis import content, toml
from ratingcore_pages.words import LANGUAGES


@define(slots=False)
class BadPlan(ArchiveError):
    """A plan of a report is invalid; the error names the table, the key and the value."""

    source: str
    table: str
    key: str
    value: object
    why: str
    advice: str = ""

    def __str__(self) -> str:
        table = f"[{self.table}]" if self.table else ""
        where = ", ".join(filter(None, [self.source, " ".join(filter(None, [table, self.key]))]))
        return f"{where}: {self.why}" + (f": {self.value!r}" if self.value is not None else "")

    @property
    def hint(self) -> str:
        return self.advice


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError("is not a list of texts")
    return tuple(map(_text, value))


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("must be a whole number of 0 or more")
    return value


def _day(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return _text(value)


def _cut(value: object) -> int | str:
    return value if isinstance(value, int) and not isinstance(value, bool) else _day(value)


def _language(value: object) -> str:
    if value not in LANGUAGES:
        raise ValueError(f"must be one of {', '.join(LANGUAGES)}")
    return str(value)


KEYS: Mapping[str, Mapping[str, Callable[[object], Any]]] = {
    "": {"title": _text, "language": _language, "pool": _text, "through": _day, "known_at": _cut},
    "list": {
        "title": _text, "method": _text, "policy": _text, "top": _count, "show": _texts, "where": _texts,
        "sort": _text, "ranks": _text, "since": _text,
    },
    "comparison": {
        "methods": _texts, "against": _text, "since": _day, "burn_in": _text, "refit": _text, "cohorts": _texts,
        "players": _texts, "policy": _text, "seed": _count,
    },
    "health": {"method": _text},
}  # fmt: skip
"""Keys of each table, and the readers of their values; those of `backdating` are a plan of their own."""

TABLES = ("list", "comparison", "health", "backdating")


@frozen
class ReportPlan:
    """The content of a report.

    Parameters
    ----------
    source : str
        The file, for messages.
    text : str
    about : mapping
        Title, language, pool, through, known_at, if given.
    lists : tuple of mapping
        A mapping for each list.
    comparison, health, backdating : mapping or None
        None if the report has no such part.
    """

    source: str
    text: str
    about: Mapping[str, Any] = field(factory=dict)
    lists: tuple[Mapping[str, Any], ...] = ()
    comparison: Mapping[str, Any] | None = None
    health: Mapping[str, Any] | None = None
    backdating: Mapping[str, Any] | None = None

    @classmethod
    def read(cls, path: str) -> "ReportPlan":
        """Reads a plan from a file.

        Raises
        ------
        BadPlan
        """
        try:
            return cls.parse(content(path).decode(), Path(path).name)
        except BadFile as problem:
            advice = "a plan is a TOML file: lines of settings, and a table for each part"
            raise BadPlan(path, "", "", None, f"it cannot be read ({problem.why})", advice) from None
        except UnicodeDecodeError:
            raise BadPlan(path, "", "", None, "it is not text in UTF-8") from None

    @classmethod
    def parse(cls, text: str, source: str = "plan.toml") -> "ReportPlan":
        """Parses a plan from a TOML text.

        Examples
        --------
        >>> plan = ReportPlan.parse('[comparison]\\nmethods = ["elo", "elo:k=40"]')
        >>> plan.comparison["methods"], plan.lists
        (('elo', 'elo:k=40'), ())
        >>> ReportPlan.parse('[comparison]\\nseed = "seven"')
        Traceback (most recent call last):
        ratingcore_pages.report_plan.BadPlan: plan.toml, [comparison] seed: must be a whole number of 0 or more: 'seven'
        """
        try:
            given = toml(text)
        except ValueError as problem:
            raise BadPlan(source, "", "", None, f"it is not TOML: {problem}") from None
        parts = {name: given.pop(name) for name in TABLES if name in given}
        if not parts:
            raise BadPlan(source, "", "", None, f"it has none of the tables of a report: {', '.join(TABLES)}")
        about = _checked(source, "", given)
        lists = parts.pop("list", [])
        lists = lists if isinstance(lists, list) else [lists]
        for name, table in [*parts.items(), *(("list", table) for table in lists)]:
            if not isinstance(table, dict):
                raise BadPlan(source, "", name, table, "is not a table")
        made = {name: table if name == "backdating" else _checked(source, name, table) for name, table in parts.items()}
        if not made.get("comparison", {"methods": ()}).keys() & {"methods"}:
            raise BadPlan(source, "comparison", "methods", None, "is missing")
        return cls(source, text, about, tuple(_checked(source, "list", table) for table in lists), **made)


def _checked(source: str, table: str, given: Mapping[str, object]) -> dict[str, Any]:
    """Checks the values of a table, and converts them."""
    keys, made = KEYS[table], {}
    for key, value in given.items():
        if key not in keys:
            further = f", and the tables {', '.join(TABLES)}" if not table else ""
            raise BadPlan(source, table, key, value, f"is not a key of a plan; keys are {', '.join(keys)}{further}")
        try:
            made[key] = keys[key](value)
        except ValueError as problem:
            raise BadPlan(source, table, key, value, str(problem)) from None
    return made
