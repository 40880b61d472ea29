"""Routes of the pages of `ratingcore_pages`, with the additions of a server.

The additions are the question of the address, a permalink, and news of a newer head.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from attrs import evolve, field, frozen
from msgspec import Meta, Struct
from ratingcore_pages import (
    CHOSEN,
    Choice,
    Look,
    Page,
    Pages,
    ResultChoice,
    atom,
    calendar,
    event_part,
    rules_of,
    side_by_side,
)
from starlette.responses import Response

from ratingcore import Engine, __version__
from ratingcore.errors import UnknownName
from ratingcore.plugin import Cadence
from ratingcore.plugin.analysis import boards, summary_of
from ratingcore_service.cards import image
from ratingcore_service.hooks import ServedPage, offered_pages
from ratingcore_service.log_events import EventsQuery, chosen_events, event_answers, event_at, taken_back
from ratingcore_service.officer.refusals import worded
from ratingcore_service.problems import NotFound, TooCostly, problem, retry
from ratingcore_service.question import Question, named, offered
from ratingcore_service.remembered import policy
from ratingcore_service.routing import COSTLY, HTML, Asked, Reply, Route, Scope
from ratingcore_service.service import Service
from ratingcore_service.wire import POSITION, Cut, Query

CSS, SCRIPT, ICON = "text/css; charset=utf-8", "text/javascript; charset=utf-8", "image/svg+xml"
FOUND = 50
"""Number of players that a search shows."""
EVENTS = 100
"""Number of events on a page of the log."""
WATCHED, SOLVED = 1_000_000, 50
"""Number of results up to which a page shows a pool period by period, and their weight for a whole-pool method."""
KINDS = {
    "game,session": "Results", "amend": "Corrections", "void,unmerge": "Taken back", "merge": "Joined records",
    "seed": "First ratings", "player": "Descriptions of players", "list": "Published lists", "pool": "Rules of pools",
}  # fmt: skip
"""Headings of the kinds of events by which the log can be searched; kinds joined by commas are searched together."""
SOUGHT = ("player", "day", "source", "kinds")
FIXED = ("about", "desk", "favicon.ico", "feed.xml", "jobs", "live.js", "log", "style.css", "x")
"""Paths at the top that are the same for every question."""
ABSENT = ("search.js",)
"""Files that only a site in a folder has."""
ATOM, ICS = "application/atom+xml; charset=utf-8", "text/calendar; charset=utf-8"
CHOICE, RESULTS = ("q", "choice"), ("number", "choice")
QUESTION = ("method", "through", "known_at")


class SearchQuery(Cut, kw_only=True):
    """A question for a rating list, or for the players whose names contain a text."""

    q: Annotated[str, Meta(max_length=200, description="A part of a name.")] = ""
    letter: Annotated[str, Meta(max_length=2, description="The first letter of names.")] = ""
    federation: Annotated[str, Meta(max_length=200)] = ""
    sex: Annotated[str, Meta(max_length=200)] = ""
    club: Annotated[str, Meta(max_length=200)] = ""
    born: Annotated[str, Meta(pattern=r"^([0-9]{4})?\Z", description="The year of birth, or a later one.")] = ""
    sort: Annotated[str, Meta(max_length=60, description="A column; -column backwards.")] = ""

    @property
    def choice(self) -> Choice:
        """The players of the list to show, and their order."""
        return Choice(self.letter, {fact: getattr(self, fact) for fact in CHOSEN}, self.sort)


class PlayerQuery(Cut, kw_only=True):
    """A question for a player and some of their results."""

    year: Annotated[str, Meta(pattern=r"^([0-9]{4})?\Z", description="Only results of this year.")] = ""
    opponent: Annotated[str, Meta(pattern=r"^[0-9]{0,15}\Z", description="Only results against this id.")] = ""
    event: Annotated[str, Meta(max_length=200, description="Only results of this tournament.")] = ""
    sheet: Annotated[int, Meta(ge=1, le=100_000, description="A sheet of results, from 1.")] = 1

    @property
    def choice(self) -> ResultChoice:
        """The results to show."""
        return ResultChoice(self.year, int(self.opponent or 0), self.event, self.sheet)


class LineupQuery(Cut, kw_only=True):
    """A question about two players, or about several, one per line."""

    a: Annotated[str, Meta(max_length=200)] = ""
    b: Annotated[str, Meta(max_length=200)] = ""
    players: Annotated[str, Meta(max_length=2000)] = ""


class CalendarQuery(Cut, kw_only=True):
    """A question for the days of past and future lists."""

    every: Literal["", "monthly", "quarterly", "half-yearly", "yearly"] = ""


class LogQuery(Query, kw_only=True):
    """A question for events, newest first."""

    before: Annotated[int, Meta(ge=0, le=POSITION, description="Only events before this position.")] = 0
    player: Annotated[str, Meta(max_length=200)] = ""
    day: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z")] = ""
    source: Annotated[str, Meta(max_length=200, description="A part of the name of a file or a sender.")] = ""
    kinds: Annotated[str, Meta(pattern=r"^([a-z]+(,[a-z]+)*)?\Z", max_length=100)] = ""


@frozen
class Served:
    """What a served page shows in addition to a page in a folder.

    Parameters
    ----------
    action : str
        Address of the page without its question.
    question : mapping of str to str
        The fields of the question in the address.
    permalink : str
        Address that always shows this same page; empty for pages of the current state.
    head : int
        Position up to which the page knows the log.
    news : str
        Address of the stream of heads; empty if the page cannot become outdated.
    history : tuple of (str, str)
        The rules of the pool, in words, each with the first day of its lists.
    methods : tuple of str
        Methods that everybody may use.
    others : tuple of (str, str)
        Paths and titles of the pages that plugins add.
    image : str
        Address of a picture of the page; empty for none.
    """

    action: str = ""
    question: Mapping[str, str] = field(factory=dict)
    permalink: str = ""
    head: int = 0
    news: str = ""
    history: tuple[tuple[str, str], ...] = ()
    methods: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    image: str = ""


def shown(engine: Engine, asked: Asked, page: Page, known: int = 0) -> Reply:
    """Renders a page with links to others, its question, and its permalink.

    Parameters
    ----------
    known : int
        Position up to which the page knows the log if it answers a question to a pool; 0 on other pages.
    """
    served = served_with(engine, asked, page.values["pool"], known)
    tabs, own = page.values.get("tabs", []), asked.caller.pools
    tabs = [(pool, part) for pool, part in tabs if not own or pool in own]
    elsewhere = [one for one in page.values.get("elsewhere", []) if not own or one["pool"] in own]
    page = evolve(page, values={**page.values, "tabs": tabs, "elsewhere": elsewhere, "served": served})
    return Reply(page.html(lambda path: link(asked, path)), media=HTML, permalink=served.permalink)


def served_with(engine: Engine, asked: Asked, pool: str | None, known: int = 0) -> Served:
    """Returns the additions of the page at an address."""
    action = asked.link(asked.address.partition("?")[0])
    news = "" if asked.cut else asked.link("/api/v1/changes")
    head = engine.log.head
    others = tuple((f"x/{by}/{one.path}", one.title) for by, some in offered_pages(engine).items() for one in some)
    if not known or pool is None:
        return Served(action, {}, "", head.position, news, others=others)
    given = {name: str(value) for name, value in msgspec.structs.asdict(asked.query).items() if value}
    given.pop("at_least", None)
    method = asked.method(pool)
    cut = {**given, **({"method": method} if method else {}), "known_at": asked.cut or str(head)}
    return Served(
        action, {name: given[name] for name in QUESTION if name in given}, f"{action}?{urlencode(cut)}",
        0 if asked.cut else head.position, news, tuple(rules_of(engine, pool, known, asked.service.look)),
        tuple(offered(engine, asked.service)), others,
        image("".join(asked.service.settings.allowed_host[:1]), action),
    )  # fmt: skip


def link(asked: Asked, path: str) -> str:
    """Returns the address of a page by its path; it keeps the day and the method of the question."""
    if path in ABSENT:
        return ""
    path = f"log/{path.removeprefix('events/')}" if path.startswith("events/") else path
    given = msgspec.structs.asdict(asked.query)
    kept = {name: given[name] for name in QUESTION if given.get(name)}
    fixed = path.partition("/")[0] in FIXED or not kept
    return asked.link(f"/{path}") + ("" if fixed else f"?{urlencode(kept)}")


def pages_of(engine: Engine, asked: Asked) -> Pages:
    """Returns the pages for an address without a pool."""
    return asked.service.pages(engine, dict(asked.service.settings.methods), None, asked.cut or str(engine.log.head))


def of_pool(make: Callable[..., Page], *fields: str) -> Callable[[Engine, Asked], Reply]:
    """Returns the handler of a page, made from a question's pages, its pool, and the named parts of the address."""

    def page(engine: Engine, asked: Asked) -> Reply:
        question = Question.of(engine, asked)
        return shown(engine, asked, question.page(make, *fields), question.answers.listed.known_at)

    return page


def embedded(make: Callable[..., Page], *fields: str) -> Callable[[Engine, Asked], Reply]:
    """Returns the handler of a page that other sites show in a frame; it has no links."""

    def page(engine: Engine, asked: Asked) -> Reply:
        made = Question.of(engine, asked).page(make, *fields)
        text = made.html(lambda path: asked.link("/style.css") if path == "style.css" else "")
        return Reply(text, media=HTML, headers={"Content-Security-Policy": policy(asked.service.settings.embed_in)})

    return page


def index(engine: Engine, asked: Asked) -> Reply:
    """Shows the pools of the log; if there is one pool with its boards, its rating list."""
    declared = boards(engine.log)
    pools = [pool for pool in engine.pools() if pool not in declared]
    if len(pools) == 1:
        part = Pages(engine, asked.service.look).parts[pools[0]]
        return Reply(b"", 302, headers={"Location": asked.link(f"/{part}/")})
    return shown(engine, asked, pages_of(engine, asked).index())


def ratings(pages: Pages, pool: str, q: str, choice: Choice, sheet: int = 1) -> Page:
    """Shows the rating list of a pool, or the players whose names contain a text."""
    if not q:
        return _there(pages.ratings(pool, sheet, choice))
    answers, fits = pages.answers(pool), named(q)
    found = [
        (number, name, answers.row_now(number))
        for number, name, key in zip(answers.ids.tolist(), answers.names, answers.keys, strict=True)
        if fits(key, name)
    ]
    values = {"q": q, "found": found[:FOUND], "n": len(found)}
    return pages.page(f"{pages.parts[pool]}/", "found", pool, **values)


def _there(page: Page) -> Page:
    """Returns a page; refuses a sheet beyond its last one."""
    sheet = page.values["sheet"]
    if not 1 <= sheet <= page.values["sheets"]:
        raise NotFound(f"sheet {sheet} of {page.path.rpartition('/')[0]}")
    return page


def compared(pages: Pages, pool: str, a: str, b: str, players: str) -> Page:
    """Compares two players and shows their results against each other, or compares several players."""
    return pages.meeting(pool, a, b) if a and b else side_by_side(pages, pool, players)


def tournament(pages: Pages, pool: str, part: str, sheet: int = 1) -> Page:
    """Shows a sheet of an edition of a tournament, by default the newest: its players in order of points."""
    named, _, day = part.rpartition("~")
    for event in pages.answers(pool).tournaments:
        if part in (event, event_part(event)):
            return _there(pages.tournament(pool, event, "", sheet))
        if named in (event, event_part(event)):
            return _there(pages.tournament(pool, event, day, sheet))
    raise UnknownName("event", part)


def health(pages: Pages, pool: str) -> Page:
    """Shows the activity of a pool and the health of its ratings; refuses a pool that is too large for a page."""
    replay = pages.answers(pool).replay
    solved = replay.method.cadence is Cadence.RETROSPECTIVE
    if len(replay.results) * (SOLVED if solved else 1) > WATCHED:
        raise TooCostly(f"the activity of {len(replay.results):,} results by {replay.method.name}")
    return pages.health(pool)


def feed(engine: Engine, asked: Asked) -> Reply:
    """The newest published lists as an Atom feed."""
    return Reply(atom(pages_of(engine, asked), lambda path: link(asked, path)), media=ATOM)


def days(engine: Engine, asked: Asked) -> Reply:
    """The days of lists of a pool, for a calendar."""
    question = Question.of(engine, asked)
    return Reply(calendar(question.pages, question.pool, asked.query.every), media=ICS)


def methods(engine: Engine, asked: Asked) -> Reply:
    """Shows the method of a pool, its history, and the other methods that everybody may use."""
    question = Question.of(engine, asked)
    pages, pool, made = question.pages, question.pool, question.answers.listed.provenance
    names = [name for name in offered(engine, asked.service) if "@" not in name]  # no earlier formulas
    every = [(name, summary_of(type(engine.registry.method(name)))) for name in names]
    page = pages.page(
        f"{pages.parts[pool]}/methods", "methods", pool, by=made.method, every=every,
        rules=rules_of(engine, pool, made.known_at, asked.service.look),
        made_from=made.lines(asked.service.look.word),
    )  # fmt: skip
    return shown(engine, asked, page, made.known_at)


def log(engine: Engine, asked: Asked) -> Reply:
    """The events of the log, the newest first."""
    head, query = engine.log.head.position, asked.query
    last = min(query.before - 1, head) if query.before else head
    sought = {name: text for name in SOUGHT if (text := getattr(query, name))}
    known = not query.player or engine.log.book.find("player", query.player) is not None
    wanted = EventsQuery(
        before=last + 1, player=f"~{query.player}" if query.player else None, kinds=query.kinds or None, top=EVENTS
    )  # fmt: skip
    found = chosen_events(engine, wanted, head, query.day, query.source) if known and last else []
    rows = event_answers(engine, found, asked.service.look.wording(engine.log))[::-1]
    before = rows[-1].position if len(rows) == EVENTS and rows[-1].position > 1 else 0
    after = 0 if last == head or sought else min(last + EVENTS, head) + 1
    taken = taken_back(engine, [row.position for row in rows])
    page = pages_of(engine, asked).page(
        "log", "log", rows=rows, taken=taken, before=before, after=after, sought=sought, kinds=KINDS
    )
    return shown(engine, asked, page)


def event(engine: Engine, asked: Asked) -> Reply:
    """An event of the log as it was recorded, as it reads now, and the corrections in between."""
    row, _ = event_at(engine, asked)
    page, batch = pages_of(engine, asked).event(row.position), next(iter(engine.log.batches(row.position - 1)))
    return shown(engine, asked, evolve(page, values={**page.values, "batch": (batch.first, batch.last)}))


def about(engine: Engine, asked: Asked) -> Reply:
    """Shows what this site is made from, and how its numbers can be checked."""
    head, own = engine.log.head, asked.caller.pools
    pools = [pool for pool in engine.pools() if not own or pool in own]
    rules = [(pool, rules_of(engine, pool, head.position, asked.service.look)) for pool in pools]
    page = pages_of(engine, asked).page("about", "about", head=str(head), version=__version__, rules=rules)
    return shown(engine, asked, page)


def of_plugins(engine: Engine) -> list[Route]:
    """Returns the routes of the pages that plugins add, and of their API answers."""
    return [route for by, some in offered_pages(engine).items() for one in some for route in _of_plugin(by, one)]


def _of_plugin(plugin: str, page: ServedPage) -> Iterator[Route]:
    def answered(engine: Engine, asked: Asked) -> Struct:
        return page.answer(engine, asked.query)

    def rendered(engine: Engine, asked: Asked) -> Reply:
        values = {"answer": page.answer(engine, asked.query), "served": served_with(engine, asked, None)}
        values |= {"style": None, "to": lambda path: link(asked, path)}
        return Reply(asked.service.look.environment.from_string(page.template).render(values), media=HTML)

    answered.__doc__ = rendered.__doc__ = page.title
    path = f"x/{plugin}/{page.path}"
    yield Route("GET", f"/api/v1/{path}", answered, page.kind, page.query, units=page.units, errors=(404,))
    yield Route("GET", f"/{path}", rendered, HTML, page.query, units=page.units)


def style(engine: Engine, asked: Asked) -> Reply:
    """The style sheet."""
    return Reply(asked.service.look.style, media=CSS)


def static(name: str, media: str) -> Callable[[Engine, Asked], Reply]:
    """Returns the handler of a static file."""

    def file(engine: Engine, asked: Asked) -> Reply:
        """A file."""
        return Reply(files("ratingcore_service").joinpath("static", name).read_text("utf-8"), media=media)

    return file


def plain_page(look: Look, root: str, template: str, values: Mapping[str, Any]) -> str:
    """Renders a page that answers no question, such as an error or a page of the desk."""
    return look.page(template, {"served": Served(), **values}, lambda path: "" if path in ABSENT else f"{root}/{path}")


def problem_page(service: Service, root: str, error: BaseException) -> Response:
    """Renders the page of a failed request."""
    (made, facts), word = problem(error, service.places), service.look.environment.filters["word"]
    detail, hint = worded(type(error).__name__, facts, word, made.detail, made.hint)
    text = plain_page(service.look, root, "problem", {"detail": detail, "hint": hint})
    return Response(text, made.status, retry(error, made.status), HTML)


ROUTES = (
    Route("GET", "/style.css", style, CSS, scope=Scope.NONE, units=0.01),
    Route("GET", "/live.js", static("live.js", SCRIPT), SCRIPT, scope=Scope.NONE, units=0.01),
    # browsers request this name by default
    Route("GET", "/favicon.ico", static("icon.svg", ICON), ICON, scope=Scope.NONE, units=0.01),
    Route("GET", "/feed.xml", feed, ATOM),
    Route("GET", "/", index, HTML, Cut),
    Route("GET", "/about", about, HTML),
    Route("GET", "/log", log, HTML, LogQuery),
    Route("GET", "/log/{position:int}", event, HTML),
    Route("GET", "/embed/{pool}/list", embedded(ratings, *CHOICE), HTML, SearchQuery),
    Route("GET", "/embed/{pool}/players/{number:int}", embedded(Pages.player, "number"), HTML, Cut),
    Route("GET", "/{pool}/", of_pool(ratings, *CHOICE), HTML, SearchQuery),
    Route("GET", "/{pool}/places-{sheet:int}", of_pool(ratings, *CHOICE, "sheet"), HTML, SearchQuery),
    Route("GET", "/{pool}/players/{number:int}", of_pool(Pages.player, *RESULTS), HTML, PlayerQuery),
    Route("GET", "/{pool}/versus/{a:int}-{b:int}", of_pool(Pages.meeting, "a", "b"), HTML, Cut),
    Route("GET", "/{pool}/compare", of_pool(compared, "a", "b", "players"), HTML, LineupQuery),
    Route("GET", "/{pool}/calendar.ics", days, ICS, CalendarQuery),
    Route("GET", "/{pool}/published/", of_pool(Pages.published), HTML, Cut),
    Route("GET", "/{pool}/published/{name}", of_pool(Pages.published_list, "name"), HTML, Cut, now=True),
    Route("GET", "/{pool}/tournaments/", of_pool(Pages.tournaments), HTML, Cut),
    Route("GET", "/{pool}/tournaments/{event}", of_pool(tournament, "event"), HTML, Cut),
    Route("GET", "/{pool}/tournaments/{event}/places-{sheet:int}", of_pool(tournament, "event", "sheet"), HTML, Cut),
    Route("GET", "/{pool}/methods", methods, HTML, Cut),
    Route("GET", "/{pool}/health", of_pool(health), HTML, Cut, units=COSTLY),
)
