"""The page of up to eight players side by side: their curves, and the forecasts of games between them."""

from itertools import combinations
from typing import Any

from ratingcore.errors import UnknownName
from ratingcore_pages.career import by_day
from ratingcore_pages.curves import CURVES, curves
from ratingcore_pages.look import pair
from ratingcore_pages.meetings import foreseen
from ratingcore_pages.pages import Page, Pages


def side_by_side(pages: Pages, pool: str, names: str = "") -> Page:
    """Returns the page that compares some players of a pool; by default the leaders of its list.

    Parameters
    ----------
    pages : Pages
    pool : str
    names : str
        Names of players, one a line; those after the eighth are left out.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> page = side_by_side(Pages(engine), "rapid", "bo\\nann")
    >>> page.path, [one["name"] for one in page.values["players"]], round(page.values["players"][0]["chances"][1], 3)
    ('rapid/compare', ['bo', 'ann'], 0.471)
    """
    answers, unknown = pages.answers(pool), list[tuple[str, tuple[str, ...]]]()
    named = list(dict.fromkeys(filter(None, map(str.strip, names.splitlines()))))
    found = [] if named else answers.listed.id.tolist()[:CURVES]
    for name in named:
        try:
            found.append(pages.id_of(answers, name))
        except UnknownName as error:
            unknown.append((name, error.near))
    ids = list(dict.fromkeys(found))[:CURVES]
    chances: dict[tuple[int, int], float] = {}
    ahead = foreseen(answers, [*combinations(ids, 2)]) if len(ids) > 1 else []
    for (one, other), expected in zip(combinations(ids, 2), ahead, strict=True):
        if expected is not None:
            chances[one, other], chances[other, one] = expected.expected
    rows = [answers.row_of[number] for number in ids]
    players: list[dict[str, Any]] = [
        {
            "id": number, "name": answers.names[row], "now": answers.row_now(number),
            "chances": [chances.get((number, other)) for other in ids],
            "pairs": ["" if other == number else pair(number, other) for other in ids],
        }
        for number, row in zip(ids, rows, strict=True)
    ]  # fmt: skip
    return pages.page(
        f"{pages.parts[pool]}/compare", "lineup", pool, players=players, unknown=unknown,
        typed="\n".join(answers.keys[row] for row in rows) if not unknown else names,
        curve=curves([by_day(answers.lines_of(row)) for row in rows], numbered=len(rows) > 2),
    )  # fmt: skip
