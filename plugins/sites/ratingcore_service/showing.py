"""How a page of the guest `ratingcore_pages` is shown by a server: its links, its question, its permalink, its head."""

from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec
from attrs import evolve, frozen
from ratingcore_pages import Page, Pages

from ratingcore import Engine, PoolDeclared
from ratingcore.plugin.analysis import iso, summary_of
from ratingcore_service.hooks import offered_pages
from ratingcore_service.routing import HTML, Asked, Reply

FIXED = ("about", "desk", "jobs", "live.js", "log", "style.css", "x")
"""Paths at the top that are the same for every question."""
ABSENT = ("feed.xml", "search.js")
"""Files that only a folder of pages has."""
QUESTION = ("method", "through", "known_at")


@frozen
class Served:
    """What a page has that is served, beyond one in a folder.

    Parameters
    ----------
    action : str
        Address of the page without its question.
    question : mapping of str to str
        The fields of the question that the address has.
    permalink : str
        Address that gives this page for ever; empty where it shows what is there now.
    head : int
        Position that the page knows of.
    news : str
        Address of the stream of heads; empty where the page cannot become old.
    history : tuple of (str, str)
        By which method lists of the pool are made, from which day on.
    methods : tuple of str
        Names of methods.
    others : tuple of (str, str)
        Paths and titles of the pages that plugins add.
    """

    action: str
    question: Mapping[str, str]
    permalink: str
    head: int
    news: str
    history: tuple[tuple[str, str], ...] = ()
    methods: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()


def shown(engine: Engine, asked: Asked, page: Page, known: int = 0) -> Reply:
    """A page with links to others, its question, and its permalink.

    Parameters
    ----------
    known : int
        Position up to which the log is known on a page that answers a question to a pool; 0 on others.
    """
    served = served_with(engine, asked, page.values["pool"], known)
    page = evolve(page, values={**page.values, "served": served})
    head = "" if asked.cut else str(engine.log.head)
    return Reply(page.html(lambda path: link(asked, path)), media=HTML, head=head, permalink=served.permalink)


def served_with(engine: Engine, asked: Asked, pool: str | None, known: int = 0) -> Served:
    """What the page of an address shows around its values."""
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
        0 if asked.cut else head.position, news, questions_of(engine, pool, known),
        tuple(sorted(engine.registry.methods)), others,
    )  # fmt: skip


def link(asked: Asked, path: str) -> str:
    """The address of a page by its path; what is asked about other days and methods stays asked."""
    if path in ABSENT:
        return ""
    path = f"log/{path.removeprefix('events/')}" if path.startswith("events/") else path
    given = msgspec.structs.asdict(asked.query)
    kept = {name: given[name] for name in QUESTION if given.get(name)}
    fixed = path.partition("/")[0] in FIXED or not kept
    return asked.link(f"/{path}") + ("" if fixed else f"?{urlencode(kept)}")


def questions_of(engine: Engine, pool: str, known: int) -> tuple[tuple[str, str], ...]:
    """The questions that were declared for a pool up to a position, the newest first.

    Of each the first day, and its method and policy. The day is empty where a question is that of all days.
    """
    found: list[tuple[str, str]] = []
    for row, event in engine.events(kinds=("pool",)):
        if row.position > known:
            break
        if isinstance(event, PoolDeclared) and event.pool == pool and event.method is not None:
            day = event.starting or (iso(next(engine.log.batches(row.position - 1)).recorded)[:10] if found else "")
            policy = f", {event.policy}" if event.policy else ""
            found.append((day, f"{event.method or 'no method'}{policy}"))
    return tuple(found[::-1])


def summaries(engine: Engine) -> list[tuple[str, str]]:
    """The installed methods, and what each is in a sentence."""
    kinds = sorted(engine.registry.methods.items())
    return [(name, summary_of(kind)) for name, kind in kinds]


def pages_of(engine: Engine, asked: Asked, pool: str = "") -> Pages:
    """The pages of the question that an address asks; those of one head are made once."""
    method = asked.method(pool) if pool else dict(asked.service.settings.methods)
    known_at = asked.cut or str(engine.log.head)
    return asked.service.pages(engine, method, getattr(asked.query, "through", None), known_at)
