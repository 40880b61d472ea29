"""The page of an explanation: opening, games, other lines and closing, with corrections and later changes."""

from math import fsum
from typing import Any

from ratingcore import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.plugin import Method
from ratingcore.plugin.analysis import Explanation
from ratingcore.plugin.commands import Wording
from ratingcore_pages.look import Look, nowhere
from ratingcore_pages.rules import made_by
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
OTHERWISE = "rated by another rule"
"""Why a line differs from a list that was made by another rule."""


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
        Name of a published list whose lines are compared with today's; if empty, the last list by this method.
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
    since, changed, other = _changed(engine, made, method, against, look)
    return {
        "pool": made.pool, "name": name, "key": made.player, "opening": opening, "closing": closing,
        "games": games, "others": others, "of_games": _sum(games), "of_others": _sum(others),
        "places": PLACES, "since": since, "changed": changed, "other_rule": other,
        "rule": made_by(engine, made.method, look), "made_from": made.facts(look.word),
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
    notes = map(Wording(look.word).note, (one.why, one.by))
    return " · ".join(filter(None, (f"{look.word(one.outcome)} (#{one.position})", *changes, *notes)))


def _sum(rows: list[dict[str, Any]]) -> float:
    return fsum(row["contribution"] or 0.0 for row in rows)


def _changed(
    engine: Engine, made: Explanation, method: Method | str | None, against: str, look: Look
) -> tuple[str, list[dict[str, Any]], str]:
    """Returns the name of a published list, its lines that differ now, and its rule in words if it is another one.

    By default it is the last list of this method.
    """
    lists = sorted(engine.published(made.pool), key=lambda one: (one.at, one.position), reverse=True)
    for one in (engine.core.published(against, made.pool),) if against else lists:
        same = one.method == made.method
        if one.position > made.known_at or not (same or against):
            continue
        rule, why = ("", BEFORE) if same else (made_by(engine, one.method, look), OTHERWISE)
        try:
            then, now = (
                engine.explain(made.pool, made.player, by, None, one.through, known_at)
                for by, known_at in ((method if same else one.method, one.known_at), (method, made.known_at))
            )
        except RatingCoreError:  # such as a player who was unknown then
            return "", [], ""
        diff = then.diff(now)
        rows: list[dict[str, Any]] = [{**row} for row in diff if row["change"] not in ("opening", "closing")]
        for row, line in zip(rows, diff.lines, strict=True):
            row["because"] = _because(line, why, look)
            if line.line.kind != "result":
                row["opponent"] = look.word(row["opponent"] or "")
        return one.name, rows, rule
    return "", [], ""


def _because(line: Any, otherwise: str, look: Look) -> str:
    """Returns in words why a line differs: its corrections, and what changed besides."""
    causes = [_noted(one, look) for one in line.causes]
    return "; ".join([*causes, *([look.word(otherwise)] if not causes or line.moved_before else [])])
