"""The page of an explanation: opening, games, other lines and closing, with corrections and later changes."""

from collections.abc import Mapping
from math import fsum
from typing import Any

from ratingcore import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.plugin import Method
from ratingcore.plugin.analysis import Explanation
from ratingcore_pages.look import Look, nowhere
from ratingcore_pages.words import FIELDS

PLACES = 2
"""Decimals of all ratings and changes; more than on a list, since the page adds them up."""

CORRECTED = (
    "voided", "revived", "amended", "amendment taken back", "amended again", "merged", "merge taken back",
    "merged again", "recorded late",
)  # fmt: skip
"""What corrections do, for translators."""

BEFORE = "ratings before it changed"
"""Why a line differs that has no correction of its own."""


def explanation_page(
    engine: Engine, made: Explanation, method: Method | str, against: str = "", *, language: str = "en"
) -> str:
    """Renders the explanation of a rating, for the player or for a committee that hears their appeal.

    Parameters
    ----------
    engine : Engine
    made : Explanation
        The explanation, made with this engine.
    method : Method or str
        Method of the explanation.
    against : str
        Name of a published list by this method, whose lines are compared with today's; the newest one if empty.
    language : str

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> html = explanation_page(engine, engine.explain("rapid", "ann", "elo:k=24"), "elo:k=24")
    >>> "Opening" in html, "+12.0" in html
    (True, True)
    """
    look = Look(language=language)
    values = explanation_values(engine, made, method, against, look)
    return look.page("explanation", values, nowhere, alone=True)


def explanation_values(
    engine: Engine,
    made: Explanation,
    method: Method | str | None,
    against: str,
    look: Look,
) -> dict[str, Any]:
    """Returns the values of the template `explanation` for an explanation by this method or the pool's own."""
    opening, *lines, closing = ({**row} for row in made)
    games = [row for row in lines if row["line"] == "result"]
    others = [row for row in lines if row["line"] != "result"]
    for row, line in zip(lines, made.lines, strict=True):
        row["noted"] = "; ".join(_noted(one, look) for one in line.corrections)
        label = row.get("called") or row["opponent"] or row["line"]
        row["name"] = label if row["line"] == "result" else look.word(str(label))
    name = made.called.get(made.player, made.player)
    since, changed = _changed(engine, made, method, against, look)
    return {
        "pool": made.pool, "name": name, "key": made.player, "opening": opening, "closing": closing,
        "games": games, "others": others, "of_games": _sum(games), "of_others": _sum(others),
        "places": PLACES, "since": since,
        "changed": changed, "made_from": made.facts(look.word),
    }  # fmt: skip


def _noted(one: Any, look: Look) -> str:
    """Returns a correction in words: what it did, its position in the log, the changed fields, reason and author."""
    names = {**FIELDS, "score": "Result"}  # of the player whose rating is explained

    def written(value: object) -> str:
        if value is None:
            return "-"
        return look.number(value) if isinstance(value, float) else look.written(str(value))

    changes = [
        f"{look.word(names.get(name, name))} {written(was)} → {written(now)}" for name, (was, now) in one.fields.items()
    ]
    return " · ".join(filter(None, (f"{look.word(one.outcome)} (#{one.position})", *changes, one.why, one.by)))


def _sum(rows: list[dict[str, Any]]) -> float:
    return fsum(row["contribution"] or 0.0 for row in rows)


def _changed(
    engine: Engine, made: Explanation, method: Method | str | None, against: str, look: Look
) -> tuple[str, list[Mapping[str, Any]]]:
    """Returns the name of a published list, by default the newest of this method, and its lines that differ now."""
    for one in (engine.core.published(against, made.pool),) if against else reversed(engine.published(made.pool)):
        if one.position > made.known_at or one.method != made.method:
            continue
        try:
            then, now = (
                engine.explain(made.pool, made.player, method, None, one.through, known_at)
                for known_at in (one.known_at, made.known_at)
            )
        except RatingCoreError:  # such as a player who was unknown then
            return "", []
        diff = then.diff(now)
        rows = [row for row in diff if row["change"] not in ("opening", "closing")]
        return one.name, [{**row, "because": _because(line, look)} for row, line in zip(rows, diff.lines, strict=True)]
    return "", []


def _because(line: Any, look: Look) -> str:
    """Returns in words why a line differs: its corrections, and what changed before it or in another pool."""
    causes = [_noted(one, look) for one in line.causes]
    return "; ".join([*causes, *([look.word(BEFORE)] if not causes or line.moved_before else [])])
