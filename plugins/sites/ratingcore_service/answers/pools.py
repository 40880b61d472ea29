"""The log as a whole: what there is, its pools, and what each is declared to take."""

from ratingcore import Engine, __version__
from ratingcore_service.answers.addresses import pool_of, pool_part
from ratingcore_service.answers.question import Question, head_of
from ratingcore_service.routing import Asked
from ratingcore_service.wire.answers import Pool, Pools, Start


def start(engine: Engine, asked: Asked) -> Start:
    """What a service has: its pools, and where its contract is."""
    links = {name: asked.link(f"/api/v1/{name}") for name in ("pools", "events", "methods", "readers", "policies")}
    links |= {"contract": asked.link("/api/v1/openapi.json"), "pages": asked.link("/")}
    return Start(
        head=str(engine.log.head), name=asked.service.settings.title, version=__version__, key=engine.log.key,
        pools=engine.pools(), links=links,
    )  # fmt: skip


def pools(engine: Engine, asked: Asked) -> Pools:
    """All pools of the log."""
    head = str(engine.log.head)
    return Pools(head=head, pools=[_pool(engine, asked, pool) for pool in engine.pools()])


def pool(engine: Engine, asked: Asked) -> Pool:
    """A pool: players, results, days, and the question that is its own."""
    return _pool(engine, asked, pool_of(engine, asked))


def _pool(engine: Engine, asked: Asked, pool: str) -> Pool:
    known_at = engine.log.head.position if asked.cut is None else asked.cut
    view = Question(engine, asked, pool, None, getattr(asked.query, "through", None), known_at).view
    declared, official = engine.core.declared(pool, known_at), engine.core.official(view, known_at)
    last, first = view.last_played, view.first_played
    path = asked.link(f"/api/v1/pools/{pool_part(engine, pool)}")
    parts = ("list", "players", "published")
    return Pool(
        head=head_of(view), pool=pool, id=engine.log.number_of("pool", pool), players=view.n_players,
        results=view.n_games + view.n_sessions, first=None if first is None else view.clock.day(first),
        last=None if last is None else view.clock.day(last),
        published=sum(one.position <= view.known_at for one in engine.published(pool)),
        fits="" if declared is None else declared.fits, zone=view.zone, method=official.text,
        policy=str(official.policy), links={part: f"{path}/{part}" for part in parts},
    )  # fmt: skip
