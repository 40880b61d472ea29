"""Routes of the API that read."""

from ratingcore_service.answers import events, installed, lists, players, pools, published
from ratingcore_service.routing import COSTLY, JSON, Route
from ratingcore_service.wire import answers as wire
from ratingcore_service.wire import queries
from ratingcore_service.wire.fixtures import Fixtures
from ratingcore_service.wire.supposed import Supposed

V1, POOL = "/api/v1", "/api/v1/pools/{pool}"
PLAYER, LIST, EVENT = f"{POOL}/players/{{number:int}}", f"{POOL}/published/{{name}}", f"{V1}/events/{{position:int}}"
ASKED = (404, 422)

ROUTES = (
    Route("GET", f"{V1}/", pools.start, wire.Start),
    Route("GET", f"{V1}/pools", pools.pools, wire.Pools),
    Route("GET", POOL, pools.pool, wire.Pool, queries.Cut, errors=ASKED),
    Route(
        "GET", f"{POOL}/list", lists.rating_list, wire.Listed, queries.ListQuery, errors=ASKED,
        media=("text/csv", lists.ARROW),
    ),
    Route("GET", f"{POOL}/list/diff", lists.diff, wire.Diff, queries.DiffQuery, units=COSTLY, errors=ASKED),
    Route("GET", f"{POOL}/players", players.players, wire.Players, queries.PlayersQuery, errors=ASKED),
    Route("GET", PLAYER, players.card, wire.Card, queries.Cut, errors=ASKED),
    Route("GET", f"{PLAYER}/history", players.history, wire.History, queries.Part, errors=ASKED),
    Route(
        "GET", f"{PLAYER}/explanation", players.explanation, wire.Explained, queries.ExplainQuery, units=COSTLY,
        errors=ASKED,
    ),
    Route("GET", f"{POOL}/versus", players.versus, wire.Versus, queries.VersusQuery, units=COSTLY, errors=ASKED),
    Route(
        "POST", f"{POOL}/forecasts", players.forecasts, wire.Forecast, queries.Cut, Fixtures, units=COSTLY,
        errors=(*ASKED, 400, 413),
    ),
    Route("GET", f"{POOL}/tournaments/{{event:path}}", lists.tournament, wire.Tournament, queries.Cut, errors=ASKED),
    Route("GET", f"{POOL}/published", published.lists, wire.PublishedRows, errors=ASKED),
    Route("GET", LIST, published.published, wire.PublishedList, queries.RowsQuery, errors=ASKED, cut=True),
    Route("GET", f"{LIST}/document", published.document, JSON, errors=ASKED, cut=True),
    Route("GET", f"{LIST}/proof", published.proof, wire.Proved, units=COSTLY, errors=ASKED),
    Route(
        "GET", f"{LIST}/restated", published.restated, wire.Restated, queries.RestatedQuery, units=COSTLY,
        errors=ASKED,
    ),
    Route("GET", f"{V1}/events", events.events, wire.Events, queries.EventsQuery, errors=ASKED),
    Route("GET", EVENT, events.one_event, wire.OneEvent, errors=ASKED),
    Route("GET", f"{EVENT}/impact", events.impact, wire.Moved, queries.ImpactQuery, units=COSTLY, errors=ASKED),
    Route(
        "POST", f"{V1}/what-if", lists.what_if, wire.Listed, queries.NoQuery, Supposed, units=COSTLY,
        errors=(*ASKED, 400, 409, 413),
    ),
    Route("GET", f"{V1}/methods", installed.methods, wire.Methods, own_pools=True),
    Route("GET", f"{V1}/methods/{{name}}", installed.method, wire.OneMethod, errors=(404,), own_pools=True),
    Route("GET", f"{V1}/readers", installed.readers, wire.Readers, own_pools=True),
    Route("GET", f"{V1}/policies", installed.policies, wire.Policies, own_pools=True),
)  # fmt: skip
