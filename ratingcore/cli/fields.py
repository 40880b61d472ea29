"""Reads fields that are typed on the command line, by the same rules as the cells of an import."""

from collections.abc import Iterable, Mapping

from ratingcore.cli.console import Mistake
from ratingcore.errors import BadValue
from ratingcore.events import Fact
from ratingcore.events.rows import AMENDABLE
from ratingcore.importer.tables.cells import fact_reader, number_parser, numeric_parser, time_parser, whole_number
from ratingcore.importer.tables.score_words import score as word

Typed = Mapping[str, str]
"""The typed text of each field."""


def pairs(texts: Iterable[str]) -> Typed:
    """Returns the text of each field from words such as `home=a`."""
    typed: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not name or not equals:
            raise Mistake(f"expected FIELD=VALUE, found: {text}", "such as score=1/2 or home=a")
        if name in typed:
            raise Mistake(f"the field {name} is given twice")
        typed[name] = value.strip()
    return typed


def score(text: str) -> float:
    """Returns the share of the point that a score word gives the first player."""
    try:
        share = word(text, number_parser("."))
    except BadValue as problem:
        hint = "write 1-0, 1/2, 0-1, or a share such as 0.75; points go into the fields points_a and points_b"
        raise Mistake(str(problem), hint) from None
    if isinstance(share, str):
        raise Mistake(f"nothing to rate, {share}: {text}", "only what was played goes into the log")
    return share


def fact(name: str, text: str) -> Fact | None:
    """Returns the value of a free field; None if the text is empty."""
    return fact_reader(name, ".")(text)


def typed_facts(typed: Typed) -> dict[str, Fact]:
    """Returns the values of free fields; fields with an empty text are left out."""
    values = {name: fact(name, text) for name, text in typed.items()}
    return {name: value for name, value in values.items() if value is not None}


def changes(kind: str, typed: Typed, values: Mapping[str, float]) -> dict[str, object]:
    """Returns the changes of an amendment by field.

    Parameters
    ----------
    kind : str
        The kind of event that is amended.
    typed : mapping of str to str
    values : mapping of str to float
        The current values of a seed; values that are not typed stay as they are.
    """
    changed: dict[str, object] = {}
    seeded = dict(values)
    for name, text in typed.items():
        if name in ("sides", "values"):
            raise Mistake(
                f"{name} cannot be amended on the command line", "amend it in Python: engine.amend(uid, {...})"
            )
        if name in AMENDABLE.get(kind, ()):
            changed[name] = _typed(name, text)
        elif kind == "seed":
            value = numeric_parser(name, ".")(text)
            seeded.pop(name, None) if value is None else seeded.update({name: value})
        else:
            changed[name] = fact(name, text)
    return changed | {"values": seeded} if seeded != dict(values) else changed


def _typed(name: str, text: str) -> object:
    if not text:
        raise Mistake(f"{name} cannot be empty", "FIELD= removes only further fields, such as home, event or points_a")
    if name == "score":
        return score(text)
    if name == "order":
        return whole_number(name, text)
    if name != "played":
        return text
    try:
        return time_parser(None)(text)
    except BadValue as problem:
        raise Mistake(f"played {problem.why}: {text!r}", "write days like 2024-03-31") from None
