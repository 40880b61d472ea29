"""Pages: those of the guest `ratingcore_pages`, at the addresses that their links name."""

from collections.abc import Callable, Iterator
from importlib.resources import files

from msgspec import Struct
from ratingcore_pages import Page, Pages, event_part
from starlette.responses import Response

from ratingcore import Engine, __version__
from ratingcore.errors import UnknownName
from ratingcore_service.answers.addresses import pool_of
from ratingcore_service.hooks import ServedPage, offered_pages
from ratingcore_service.problems import NotFound, problem, retry
from ratingcore_service.remembered import policy
from ratingcore_service.routing import HTML, Asked, Reply, Route
from ratingcore_service.service import Service
from ratingcore_service.showing import ABSENT, Served, link, pages_of, served_with, shown, summaries
from ratingcore_service.wire.queries import Cut, LogQuery, PairQuery, SearchQuery

CSS, SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
FOUND = 50
"""Players that a search shows."""
EVENTS = 100
"""Events on a page of the log."""


def of_pool(make: Callable[[Pages, Asked, str], Page]) -> Callable[[Engine, Asked], Reply]:
    """The handler of a page of a pool."""

    def page(engine: Engine, asked: Asked) -> Reply:
        pool = pool_of(engine, asked)
        pages = pages_of(engine, asked, pool)
        return shown(engine, asked, make(pages, asked, pool), pages.answers(pool).listed.known_at)

    page.__doc__ = make.__doc__
    return page


def index(engine: Engine, asked: Asked) -> Reply:
    """The pools of the log; of a log with one pool, its rating list."""
    pools = engine.pools()
    if len(pools) == 1:
        part = Pages(engine, asked.service.look).parts[pools[0]]
        return Reply(b"", 302, headers={"Location": asked.link(f"/{part}/")})
    return shown(engine, asked, pages_of(engine, asked).index())


def ratings(pages: Pages, asked: Asked, pool: str) -> Page:
    """The rating list of a pool, or the players whose names have a text in them."""
    if not asked.query.q:
        sheet = int(asked.path.get("sheet", 1))
        page = pages.ratings(pool, sheet)
        if not 1 <= sheet <= page.values["sheets"]:
            raise NotFound(f"sheet {sheet} of the list")
        return page
    answers, text = pages.answers(pool), asked.query.q.casefold()
    found = [
        (number, name, answers.row_now(number))
        for number, name, key in zip(answers.ids.tolist(), answers.names, answers.keys, strict=True)
        if text in name.casefold() or text in key.casefold()
    ]
    values = {"q": asked.query.q, "found": found[:FOUND], "n": len(found), "places": answers.places}
    return pages.page(f"{pages.parts[pool]}/", "found", pool, **values)


def player(pages: Pages, asked: Asked, pool: str) -> Page:
    """The card of a player."""
    return pages.player(pool, int(asked.path["number"]))


def meeting(pages: Pages, asked: Asked, pool: str) -> Page:
    """Two players side by side, by their ids."""
    return pages.meeting(pool, int(asked.path["a"]), int(asked.path["b"]))


def compare(pages: Pages, asked: Asked, pool: str) -> Page:
    """Two players side by side, by their names."""
    return pages.meeting(pool, asked.query.a, asked.query.b)


def published(pages: Pages, asked: Asked, pool: str) -> Page:
    """The published lists of a pool."""
    return pages.published(pool)


def published_list(pages: Pages, asked: Asked, pool: str) -> Page:
    """A published list, proved just now, and what would be different today."""
    part = asked.path["name"]
    names = [one.name for one in pages.answers(pool).published if part in (one.name, pages.list_part(one))]
    return pages.published_list(pool, names[0] if names else part)


def tournaments(pages: Pages, asked: Asked, pool: str) -> Page:
    """The tournaments of a pool."""
    return pages.tournaments(pool)


def tournament(pages: Pages, asked: Asked, pool: str) -> Page:
    """A tournament: its players in order of points, and who scored what against whom."""
    part = asked.path["event"]
    for event in pages.answers(pool).tournaments:
        if part in (event, event_part(event)):
            return pages.tournament(pool, event)
    raise UnknownName("event", part)


def methods(pages: Pages, asked: Asked, pool: str) -> Page:
    """The method of a pool, its history, and the other methods by which it can be rated."""
    made = pages.answers(pool).listed.provenance
    return pages.page(
        f"{pages.parts[pool]}/methods", "methods", pool, by=made.method, every=summaries(pages.engine),
        made_from=made.lines(),
    )  # fmt: skip


def health(pages: Pages, asked: Asked, pool: str) -> Page:
    """How active a pool is, and what its ratings add up to."""
    return pages.health(pool)


def log(engine: Engine, asked: Asked) -> Reply:
    """The events of the log, the newest first."""
    head = engine.log.head.position
    last = min(asked.query.before - 1, head) if asked.query.before else head
    first = max(last - EVENTS, 0)
    pages = pages_of(engine, asked)
    rows = pages.events(first, last)[::-1]
    before = first + 1 if first else 0
    page = pages.page("log", "log", rows=rows, before=before, after=0 if last == head else min(last + EVENTS, head) + 1)
    return shown(engine, asked, page)


def event(engine: Engine, asked: Asked) -> Reply:
    """An event of the log as it was recorded, as it reads now, and the corrections in between."""
    position = int(asked.path["position"])
    if not 1 <= position <= engine.log.head.position:
        raise NotFound(f"event {position}")
    return shown(engine, asked, pages_of(engine, asked).event(position))


def about(engine: Engine, asked: Asked) -> Reply:
    """What this site is made from, and how its numbers can be checked."""
    page = pages_of(engine, asked).page(
        "about", "about", head=str(engine.log.head), version=__version__, pools=len(engine.pools()),
    )  # fmt: skip
    return shown(engine, asked, page)


def embedded(make: Callable[[Pages, Asked, str], Page]) -> Callable[[Engine, Asked], Reply]:
    """The handler of a page that other sites show in a frame: it leads nowhere."""

    def page(engine: Engine, asked: Asked) -> Reply:
        pool = pool_of(engine, asked)
        made = make(pages_of(engine, asked, pool), asked, pool)
        text = made.html(lambda path: asked.link("/style.css") if path == "style.css" else "")
        framed = {"Content-Security-Policy": policy(asked.service.settings.embed_in)}
        return Reply(text, media=HTML, headers=framed, head="" if asked.cut else str(engine.log.head))

    page.__doc__ = make.__doc__
    return page


def of_plugins(engine: Engine) -> list[Route]:
    """The routes of the pages that plugins add, and of their answers."""
    return [route for by, some in offered_pages(engine).items() for one in some for route in _of_plugin(by, one)]


def _of_plugin(plugin: str, page: ServedPage) -> Iterator[Route]:
    def answered(engine: Engine, asked: Asked) -> Struct:
        return page.answer(engine, asked.query)

    def rendered(engine: Engine, asked: Asked) -> Reply:
        values = {
            "answer": page.answer(engine, asked.query), "served": served_with(engine, asked, None), "pool": None,
            "part": "", "made_from": [], "style": None, "to": lambda path: link(asked, path),
        }  # fmt: skip
        text = asked.service.look.environment.from_string(page.template).render(values)
        return Reply(text, media=HTML, head="" if asked.cut else str(engine.log.head))

    answered.__doc__ = rendered.__doc__ = page.title
    path = f"x/{plugin}/{page.path}"
    yield Route("GET", f"/api/v1/{path}", answered, page.kind, page.query, units=page.units, errors=WRONG)
    yield Route("GET", f"/{path}", rendered, HTML, page.query, units=page.units, errors=WRONG)


def style(engine: Engine, asked: Asked) -> Reply:
    """The style sheet."""
    return Reply(asked.service.look.style, media=CSS)


def script(engine: Engine, asked: Asked) -> Reply:
    """The script that says when new results came in."""
    return Reply(files("ratingcore_service").joinpath("static", "live.js").read_text("utf-8"), media=SCRIPT)


def problem_page(service: Service, root: str, error: BaseException) -> Response:
    """The page of a request that failed."""
    made, _ = problem(error, service.places)
    given = {name: getattr(made, name) for name in ("title", "detail", "hint")}
    values = {**given, "pool": None, "part": "", "made_from": [], "served": Served("", {}, "", 0, "")}
    text = service.look.page("problem", values, lambda path: "" if path in ABSENT else f"{root}/{path}")
    return Response(text, made.status, retry(error, made.status), HTML)


WRONG = (404, 422)
ROUTES = (
    Route("GET", "/style.css", style, CSS, units=0.01),
    Route("GET", "/live.js", script, SCRIPT, units=0.01),
    Route("GET", "/", index, HTML, Cut, errors=WRONG),
    Route("GET", "/about", about, HTML),
    Route("GET", "/log", log, HTML, LogQuery),
    Route("GET", "/log/{position:int}", event, HTML, errors=(404,)),
    Route("GET", "/embed/{pool}/list", embedded(ratings), HTML, SearchQuery, errors=WRONG),
    Route("GET", "/embed/{pool}/players/{number:int}", embedded(player), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/", of_pool(ratings), HTML, SearchQuery, errors=WRONG),
    Route("GET", "/{pool}/places-{sheet:int}", of_pool(ratings), HTML, SearchQuery, errors=WRONG),
    Route("GET", "/{pool}/players/{number:int}", of_pool(player), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/versus/{a:int}-{b:int}", of_pool(meeting), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/compare", of_pool(compare), HTML, PairQuery, errors=WRONG),
    Route("GET", "/{pool}/published/", of_pool(published), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/published/{name}", of_pool(published_list), HTML, Cut, errors=WRONG, now=True),
    Route("GET", "/{pool}/tournaments/", of_pool(tournaments), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/tournaments/{event}", of_pool(tournament), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/methods", of_pool(methods), HTML, Cut, errors=WRONG),
    Route("GET", "/{pool}/health", of_pool(health), HTML, Cut, errors=WRONG),
)
