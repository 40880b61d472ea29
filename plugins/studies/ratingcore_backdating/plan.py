"""A plan for a change of rule: the rules, and the start dates; read from TOML with strict keys."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from math import isfinite
from typing import Any

from attrs import Attribute, field, fields, frozen

from ratingcore.plugin import BadValue, Method
from ratingcore.plugin.analysis import (
    BadFile,
    KnownAt,
    ListPolicy,
    When,
    content,
    exact,
    instant,
    iso,
    played_through,
    policy_of,
    text_of,
    toml,
)

BEGINNING, TODAY = "beginning", "today"
WORDS: Mapping[str, str] = {"beginning": BEGINNING, "today": TODAY, "now": TODAY}
"""Words for a start that is not a day."""


def _rule(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, Method) and not (isinstance(value, str) and value.strip()):
        raise BadValue(attribute.name, value, "must be a method, such as elo:k=24")


def _name(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise BadValue(attribute.name, value, "must be a name")


def _several(value: object) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _starts(value: object) -> tuple[object, ...]:
    return tuple(_start(one) for one in _several(value))


def _when(value: Any) -> Any:
    return _start(value)


def _start(value: object) -> object:
    """A word, or a time as written."""
    if isinstance(value, str) and value.strip().lower() in WORDS:
        return WORDS[value.strip().lower()]
    return str(value) if isinstance(value, date) and not isinstance(value, datetime) else value


def _possible(instance: object, attribute: "Attribute[Any]", values: tuple[When, ...]) -> None:
    if not values:
        raise BadValue(attribute.name, values, "must hold 'today', 'beginning' or a day")
    seen: dict[object, object] = {}
    for value in values:
        try:
            at = value if value in (TODAY, BEGINNING) else instant(value)
        except BadValue:
            raise BadValue(attribute.name, value, "must be 'today', 'beginning' or a day") from None
        if at in seen:
            raise BadValue(attribute.name, value, "must hold different times; given twice is")
        seen[at] = value


def _levels(instance: object, attribute: "Attribute[Any]", values: tuple[object, ...]) -> None:
    for number, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise BadValue(attribute.name, value, "must be a finite number")
        if value in values[:number]:
            raise BadValue(attribute.name, value, "must hold different ratings; given twice is")


def _time(instance: object, attribute: "Attribute[Any]", value: Any) -> None:
    if value is not None:
        try:
            played_through(value)
        except BadValue as problem:
            raise BadValue(attribute.name, value, problem.why) from None


def _names(instance: object, attribute: "Attribute[Any]", values: tuple[object, ...]) -> None:
    for value in values:
        _name(instance, attribute, "" if value is None else value)


def _cut(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    if isinstance(value, bool | float):
        raise BadValue(attribute.name, value, "must be a position, a time or the name of a published list")


def _policy(value: Any) -> ListPolicy:
    if value is not None and not isinstance(value, str | ListPolicy):
        raise BadValue("policy", value, "must be a text, such as 'min_games=5,active=12 months'")
    return policy_of(value)


@frozen
class BackdatingPlan:
    """A plan by which one rule follows another, with one or more start dates.

    Parameters
    ----------
    old, new : str or Method
        The rule that has held so far, and the one that is to follow.
    start : str, date, datetime, or a sequence of them
        Start of the new rule: a past day; `today`, which changes no list yet; `beginning`, as if it had always
        held. Each is a choice.
    pool : str or None
        The only one of the log if None.
    through : str, date, datetime or None
        Last day of played time that counts; None for all.
    known_at : int, str, date, datetime, Head, Published, RatingList or None
        Only events recorded by then count: a position, a time or a published list; None for all.
    policy : ListPolicy, str or None
        Who is listed: `min_games=5,active=12 months`; None for everybody.
    thresholds : sequence of float, rating points
        Ratings at or above which something is granted, such as a title.
    grades : str or None
        A table of grades that a plugin offers, to count changes of grade.
    players : sequence of str
        Players whose ratings are drawn; the five with most games if empty.
    source : str
        Name of the file it was read from.
    lines : mapping of str to int
        Line of each key in that file.

    Examples
    --------
    >>> plan = BackdatingPlan.parse('old = "elo"\\nnew = "elo:k=40"\\nstart = ["today", 2024-03-05, "beginning"]')
    >>> plan.new, plan.start
    ('elo:k=40', ('today', '2024-03-05', 'beginning'))
    """

    old: str | Method = field(validator=_rule)
    new: str | Method = field(validator=_rule)
    start: tuple[When, ...] = field(converter=_starts, validator=_possible)
    pool: str | None = field(default=None, validator=_name)
    through: Any = field(default=None, validator=_time, converter=_when)
    known_at: KnownAt = field(default=None, validator=_cut)
    policy: ListPolicy = field(default=None, converter=_policy)
    thresholds: tuple[float, ...] = field(default=(), converter=_several, validator=_levels)
    grades: str | None = field(default=None, validator=_name)
    players: tuple[str, ...] = field(default=(), converter=_several, validator=_names)
    source: str = ""
    lines: Mapping[str, int] = field(factory=dict, eq=False, repr=False)

    @classmethod
    def read(cls, path: str) -> "BackdatingPlan":
        """The plan in a file.

        Raises
        ------
        BadValue
            If it is not a plan; the message names the line.
        """
        try:
            return cls.parse(content(path).decode(), path)
        except BadFile as problem:
            raise BadValue("plan", path, f"cannot be read ({problem.why})") from None
        except UnicodeDecodeError:
            raise BadValue("plan", path, "must be text in UTF-8") from None

    @classmethod
    def parse(cls, text: str, source: str = "plan") -> "BackdatingPlan":
        """Reads a plan from TOML text; error messages call the text `source`."""
        try:
            given = toml(text)
        except ValueError as problem:
            raise BadValue(source, _line_of(str(problem), text), f"must be TOML: {problem}") from None
        return cls.of(given, source, dict(_lines(text, given)))

    @classmethod
    def of(
        cls, given: Mapping[str, Any], source: str = "plan", lines: Mapping[str, int] | None = None
    ) -> "BackdatingPlan":
        """Makes a plan of keys with TOML values; error messages call it `source`."""
        lines = lines or {}
        for key in given:
            if key not in KEYS:
                raise BadValue(f"{_where(source, lines, key)}: key", key, f"must be one of {', '.join(KEYS)}")
        for key in ("old", "new", "start"):
            if key not in given:
                raise BadValue(source, key, "must have the key")
        try:
            return cls(**given, source=source, lines=lines)
        except BadValue as problem:
            key = problem.what if problem.what in KEYS else "policy"
            raise BadValue(f"{_where(source, lines, key)}: {problem.what}", problem.value, problem.why) from None

    def toml(self, pool: str, head: str) -> str:
        """The plan as TOML, with the pool and the head of the log on which it was carried out.

        Examples
        --------
        >>> print(BackdatingPlan("elo", "elo:k=40", "today", players=["Zoë"]).toml("rapid", "60:f3a9"))
        pool = "rapid"
        old = "elo"
        new = "elo:k=40"
        start = ["today"]
        known_at = "60:f3a9"
        players = ["Zoë"]
        """
        keys = {
            "pool": pool, "old": _text(self.old), "new": _text(self.new), "start": list(map(_day, self.start)),
            "through": None if self.through is None else _through(self.through), "known_at": head,
            "policy": str(self.policy), "thresholds": list(self.thresholds), "grades": self.grades,
            "players": list(self.players),
        }  # fmt: skip
        given = {key: value for key, value in keys.items() if value not in (None, "", [])}
        return "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items())

    def where(self, key: str) -> str:
        """File, line and key, as an error message names it."""
        return f"{_where(self.source, self.lines, key)}: {key}" if self.source else key


KEYS = tuple(one.name for one in fields(BackdatingPlan) if one.name not in ("source", "lines"))


def _text(rule: str | Method) -> str:
    return rule if isinstance(rule, str) else text_of(rule)


def _day(when: When) -> str:
    """A start or a time as a TOML value; one without an offset is in the pool's zone, wherever it is read."""
    if isinstance(when, str):
        return when
    return when.isoformat() if isinstance(when, datetime) else iso(instant(when))


def _through(when: When) -> str:
    """The last instant that counts, written as a TOML value."""
    return _day(when) if isinstance(when, str | date) else exact(played_through(when))


def _where(source: str, lines: Mapping[str, int], key: str) -> str:
    return f"{source}, line {lines[key]}" if key in lines else source


def _lines(text: str, given: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The line of each key."""
    lines = text.splitlines()
    for key in given:
        spelt = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
        for number, line in enumerate(lines, 1):
            if spelt.match(line):
                yield key, number
                break


def _line_of(problem: str, text: str) -> str:
    """The text of the line that a TOML error names."""
    found = re.search(r"line (\d+)", problem)
    lines = text.splitlines()
    at = int(found[1]) - 1 if found else len(lines) - 1
    return lines[at].strip() if 0 <= at < len(lines) else ""
