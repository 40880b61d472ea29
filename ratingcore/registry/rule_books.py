"""Rule books: files with the history of a federation's rule, with the day and the source of every step."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from attrs import frozen

from ratingcore.errors import BadValue, NotOneOf
from ratingcore.events import instant, iso
from ratingcore.methods.rule_histories import BY, PREFIX, THEN, Since, labelled, spelt
from ratingcore.methods.single_acts import act_of

_FIELDS = {"from", "by", "once", "method", "published", "source"}


@frozen
class BookStep:
    """A step of a rule book.

    Parameters
    ----------
    method : str
        Text of the rule.
    since : Since or None
        First day on which the step applies; None for the first step.
    published : str
        Date of the federation's announcement, which may be only a month or a year.
    source : str
        Place where the announcement can be read.
    """

    method: str
    since: Since | None
    published: str
    source: str


@frozen
class RuleBook:
    """A rule with its history and its sources.

    Parameters
    ----------
    label : str
        Name that lists show.
    steps : tuple of BookStep
    """

    label: str
    steps: tuple[BookStep, ...]

    @property
    def text(self) -> str:
        """The rule as a method text, preceded by the label of the book.

        Examples
        --------
        >>> RuleBook.bundled("uschess").text[:44]
        'US Chess=uschess:form=full,bonus=12 then usc'
        """
        whole = ""
        for step in self.steps:
            whole = step.method if step.since is None else spelt(whole, step.method, step.since)
        return f"{self.label}={whole}"

    @classmethod
    def of(cls, toml: str, name: str) -> Self:
        """Reads a book from TOML; `name` is the name of the file in errors.

        Raises
        ------
        BadValue
            If it is not TOML, or has invalid, missing or unordered steps.
        """
        try:
            made = tomllib.loads(toml)
        except tomllib.TOMLDecodeError as error:
            raise BadValue("book", name, f"must be TOML: {error}") from None
        label, steps = made.get("label"), made.get("step")
        if not isinstance(label, str) or labelled(f"{label}=elo") != (label, "elo"):
            raise BadValue("label", label, f"must be one or a few words, without the characters :(=, in {name}")
        if not isinstance(steps, list) or not steps:
            raise BadValue("step", steps, f"must be one table [[step]] or more, in {name}")
        made_of = [_step(step, number, name) for number, step in enumerate(steps)]
        days = [step.since.day for step in made_of if step.since is not None]
        for number, (before, day) in enumerate(pairwise(days), 3):
            if day <= before:
                why = f"must be later than {iso(before)}, the day of the step before, in step {number} of {name}"
                raise BadValue("from", iso(day), why)
        return cls(label, tuple(made_of))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Reads the book in a TOML file.

        Raises
        ------
        BadValue, OSError
        """
        try:
            return cls.of(Path(path).read_text(encoding="utf-8"), Path(path).name)
        except UnicodeDecodeError:
            raise BadValue("book", Path(path).name, "must be text in UTF-8") from None

    @classmethod
    def bundled(cls, name: str) -> Self:
        """Reads a book that comes with ratingcore.

        Raises
        ------
        BadValue
            If there is no book of this name.
        """
        if name not in bundled_books():
            raise NotOneOf.of("book", name, bundled_books())
        return cls.of((files("ratingcore.registry") / "books" / f"{name}.toml").read_text(encoding="utf-8"), name)


def _step(given: Any, number: int, name: str) -> BookStep:
    """Reads a step of a book; every step but the first has a day."""
    where = f"in step {number + 1} of {name}"
    if not isinstance(given, Mapping) or (unknown := sorted(given.keys() - _FIELDS)):
        raise BadValue(
            "step", given if not isinstance(given, Mapping) else unknown[0], f"is not a field of a step, {where}"
        )
    for field in ("method", "source", "published", *(["from"] if number else [])):
        if not given.get(field):
            raise BadValue(field, given.get(field), f"must be given {where}")
    if not number and given.keys() & {"from", "by", "once"}:
        raise BadValue("from", given.get("from"), f"must not be given {where}, which applies from the beginning")
    since = None
    if number:
        by = given.get("by", "day")
        if by not in BY:
            raise BadValue("by", by, f"must be one of {', '.join(BY)}, {where}")
        since = Since(instant(str(given["from"])), by, act_of(given.get("once")))
    if THEN in given["method"]:
        raise BadValue("method", given["method"], f"has several steps {where}: write each as a table of its own")
    return BookStep(given["method"], since, str(given["published"]), given["source"])


def bundled_books() -> list[str]:
    """Returns the names of the books that come with ratingcore.

    Examples
    --------
    >>> bundled_books()
    ['fide-rapid', 'fide-standard', 'uschess']
    """
    folder = files("ratingcore.registry") / "books"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def written_out(text: str) -> str:
    """Replaces the name of a bundled book in a method text by the book's own text, with the label in front.

    Examples
    --------
    >>> written_out("elo:k=24"), written_out("book:uschess") == RuleBook.bundled("uschess").text
    ('elo:k=24', True)
    """
    label, method = labelled(text)
    if not method.startswith(PREFIX):
        return text
    name, then, rest = method.removeprefix(PREFIX).partition(THEN)
    whole = RuleBook.bundled(name.strip()).text + then + rest
    return whole if label == method else f"{label}={labelled(whole)[1]}"
