"""Cards: a player or the first ten of a list as a picture, which messengers show beside a link."""

from collections.abc import Callable
from importlib.util import find_spec

from attrs import evolve
from ratingcore_pages import Page, Pages

from ratingcore import Engine
from ratingcore_service.problems import NotFound
from ratingcore_service.question import Question
from ratingcore_service.routing import COSTLY, Asked, Reply, Route
from ratingcore_service.wire import Cut

SVG, PNG = "image/svg+xml", "image/png"
STYLED = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
"""Headers of an SVG, whose style is within it; it may do nothing else."""
DRAWS = find_spec("vl_convert") is not None
"""Whether the extra `report` is installed, which turns an SVG into a PNG."""


def card(make: Callable[..., Page], template: str, media: str, *fields: str) -> Callable[[Engine, Asked], Reply]:
    """Returns the handler of a card: it renders the values of a page by a template that draws."""

    def drawn(engine: Engine, asked: Asked) -> Reply:
        page = evolve(Question.of(engine, asked).page(make, *fields), template=template)
        text = page.html(lambda path: "")
        if media == SVG:
            return Reply(text, media=SVG, headers=STYLED)
        if not DRAWS:
            raise NotFound("card as PNG, which the extra report draws")
        from vl_convert import svg_to_png

        return Reply(svg_to_png(text), media=PNG)

    return drawn


def image(host: str, path: str) -> str:
    """Returns the address of the card of a list or a player; empty for other pages, or without a host for others.

    Examples
    --------
    >>> image("club.example", "/rapid/players/3") if DRAWS else "https://club.example/rapid/players/3/card.png"
    'https://club.example/rapid/players/3/card.png'
    >>> image("", "/rapid/"), image("localhost", "/rapid/"), image("club.example", "/log")
    ('', '', '')
    """
    parts = path.strip("/").split("/")
    of_list, of_player = path.endswith("/") and len(parts) == 1 and parts != [""], parts[1:2] == ["players"]
    drawn = DRAWS and host not in ("", "localhost") and (of_list or of_player)
    return f"https://{host}{path.rstrip('/')}/card.png" if drawn else ""


ROUTES = tuple(
    Route("GET", f"{path}/card.{form}", card(make, template, media, *fields), media, Cut, units=COSTLY)
    for path, make, template, *fields in (
        ("/{pool}", Pages.ratings, "card_list"),
        ("/{pool}/players/{number:int}", Pages.player, "card_player", "number"),
    )
    for form, media in (("svg", SVG), ("png", PNG))
)
