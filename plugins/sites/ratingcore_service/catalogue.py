"""API routes that describe the log and its pools, the installed methods and readers, and the fields of policies."""

import attrs
from msgspec import Struct

from ratingcore import Engine, ListPolicy, __version__
from ratingcore.errors import RatingCoreError
from ratingcore.plugin import Method
from ratingcore.plugin.analysis import default_method, default_parameters, prose_of, summary_of
from ratingcore_service.problems import NotFound
from ratingcore_service.question import head_of, pool_of, pool_part
from ratingcore_service.routing import POOL, Asked, Route
from ratingcore_service.wire import Cut, Headed


class Start(Headed, kw_only=True):
    """The pools of a service, and the address of its contract."""

    name: str
    version: str
    key: str
    pools: list[str]
    links: dict[str, str]


class Pool(Headed, kw_only=True):
    """A pool: its size, its days, and the method and policy that it declares."""

    pool: str
    id: int
    players: int
    results: int
    first: str | None
    last: str | None
    published: int
    fits: str
    zone: str
    method: str
    policy: str
    links: dict[str, str]


class Pools(Headed, kw_only=True):
    """All pools of the log."""

    pools: list[Pool]


class MethodAnswer(Struct, kw_only=True):
    """An installed method: its formula number, parameters with defaults, and the source of its formula."""

    name: str
    formula: int
    cadence: str | None
    reads: str
    summary: str
    parameters: dict[str, str]
    presets: list[str]
    plugin: str


class Methods(Headed, kw_only=True):
    """The installed methods."""

    methods: list[MethodAnswer]


class OneMethod(Headed, kw_only=True):
    """A method with its full description."""

    method: MethodAnswer
    about: str


class ReaderAnswer(Struct, kw_only=True):
    """A format of files that can be uploaded."""

    reader: str
    unit: str
    summary: str


class Readers(Headed, kw_only=True):
    """The formats of files that can be uploaded."""

    readers: list[ReaderAnswer]


class PolicyField(Struct, kw_only=True):
    """A field of a policy, which sets who is listed and how."""

    name: str
    default: str


class Policies(Headed, kw_only=True):
    """The fields of a policy, and the policy that each pool declares."""

    fields: list[PolicyField]
    pools: dict[str, str]


def start(engine: Engine, asked: Asked) -> Start:
    """Lists the pools of the service, and gives the address of its contract."""
    links = {name: asked.link(f"/api/v1/{name}") for name in ("pools", "events", "methods", "readers", "policies")}
    links |= {"contract": asked.link("/api/v1/openapi.json"), "pages": asked.link("/")}
    return Start(
        head=str(engine.log.head), name=asked.service.settings.title, version=__version__, key=engine.log.key,
        pools=engine.pools(), links=links,
    )  # fmt: skip


def pools(engine: Engine, asked: Asked) -> Pools:
    """Lists all pools of the log."""
    head = str(engine.log.head)
    return Pools(head=head, pools=[_pool(engine, asked, pool) for pool in engine.pools()])


def pool(engine: Engine, asked: Asked) -> Pool:
    """Describes a pool: players, results, days, and the method and policy that it declares."""
    return _pool(engine, asked, pool_of(engine, asked))


def _pool(engine: Engine, asked: Asked, pool: str) -> Pool:
    known_at = engine.log.head.position if asked.cut is None else asked.cut
    view = engine.core.view(pool, getattr(asked.query, "through", None), known_at)
    declared = engine.core.declared(pool, known_at)
    try:
        official = engine.core.official(view, known_at)
        method, policy = official.text, str(official.policy)
    except RatingCoreError:  # such as a method that is no longer installed: the other pools are listed all the same
        method, policy = ("", "") if declared is None else (declared.method or "", declared.policy)
    last, first = view.last_played, view.first_played
    path = asked.link(f"/api/v1/pools/{pool_part(engine, pool)}")
    parts = ("list", "players", "published")
    return Pool(
        head=head_of(view), pool=pool, id=engine.core.pool_id(pool), players=view.n_players,
        results=view.n_games + view.n_sessions, first=None if first is None else view.clock.day(first),
        last=None if last is None else view.clock.day(last),
        published=sum(one.position <= view.known_at for one in engine.published(pool)),
        fits="" if declared is None else declared.fits, zone=view.zone, method=method,
        policy=policy, links={part: f"{path}/{part}" for part in parts},
    )  # fmt: skip


def methods(engine: Engine, asked: Asked) -> Methods:
    """Lists the installed methods."""
    kinds = engine.registry.methods.items()
    return Methods(head=str(engine.log.head), methods=[_method(engine, name, kind) for name, kind in kinds])


def method(engine: Engine, asked: Asked) -> OneMethod:
    """Describes a method in full."""
    name = str(asked.path["name"])
    kind = engine.registry.methods.get(name)
    if kind is None:
        raise NotFound(f"method named {name}")
    return OneMethod(head=str(engine.log.head), method=_method(engine, name, kind), about=prose_of(kind))


def _method(engine: Engine, name: str, kind: type[Method]) -> MethodAnswer:
    made = default_method(kind)
    of = next((plugin.name for plugin in engine.registry.plugins if name in map(str, plugin.methods)), "")
    return MethodAnswer(
        name=name, formula=kind.formula, cadence=None if made is None else made.cadence.value,
        reads=kind.reads.__name__.lower(), summary=summary_of(kind), parameters=default_parameters(kind),
        presets=list(kind.presets), plugin=of,
    )  # fmt: skip


def readers(engine: Engine, asked: Asked) -> Readers:
    """Lists the formats of files that can be uploaded."""
    found = engine.registry.readers.items()
    rows = [ReaderAnswer(reader=name, unit=str(one.unit), summary=str(one.summary)) for name, one in found]
    return Readers(head=str(engine.log.head), readers=rows)


def policies(engine: Engine, asked: Asked) -> Policies:
    """Lists the fields of a policy, and the policy of each pool that the caller may see."""
    usual, own = ListPolicy(), asked.caller.pools
    rows = [PolicyField(name=one.name, default=str(getattr(usual, one.name))) for one in attrs.fields(ListPolicy)]
    of = {one.pool: one.policy for one in pools(engine, asked).pools if not own or one.pool in own}
    return Policies(head=str(engine.log.head), fields=rows, pools=of)


V1 = "/api/v1"
ROUTES = (
    Route("GET", f"{V1}/", start, Start),
    Route("GET", f"{V1}/pools", pools, Pools),
    Route("GET", POOL, pool, Pool, Cut),
    Route("GET", f"{V1}/methods", methods, Methods, own_pools=True),
    Route("GET", f"{V1}/methods/{{name}}", method, OneMethod, own_pools=True),
    Route("GET", f"{V1}/readers", readers, Readers, own_pools=True),
    Route("GET", f"{V1}/policies", policies, Policies, own_pools=True),
)
