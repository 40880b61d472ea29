"""`ratingcore connect`: lists the groups of comparable players, and the results on which that depends."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from ratingcore.plugin.analysis import uid_at
from ratingcore.plugin.commands import Engine, ResolvedQuestion, asking, command, note, options, write
from ratingcore_connect.connectedness import Connectedness, connectedness

COLUMNS = ("part", "component", "players", "results", "uid", "who", "remark")
MEMBER_COLUMNS = ("player", "component", "strong")
FEW = 5
"""Number of players of a part that are named."""


@command(
    "connect",
    "ratingcore connect club.db",
    "ratingcore connect club.db --pool rapid --through 2024-03-31 --least 2",
    "ratingcore connect club.db --players --format csv > parts.csv",
)
@asking("pool", "through", "known_at")
@click.option(
    "--least", type=options.Count(1), default=1, show_default=True, metavar="N",
    help="Show only bridges that separate at least N players from the others.",
)  # fmt: skip
@click.option("--players", "members", is_flag=True, help="Show one row per player instead, with the parts of each.")
@options.form
def connect(engine: Engine, question: ResolvedQuestion, least: int, members: bool, form: str) -> None:
    """Show how results connect the players of a pool.

    Columns: part, component, players, results, uid, who, remark. Players of different components cannot be compared by
    any method. A bridge is a game, a pair who met more often, or a session: without it, that many players would be
    separated from their component. In a strong part every player scored against every other one, directly or through
    others; ratio methods such as berkin can rate it as a whole.
    """
    network = connectedness(question.view(engine))
    if members:
        write(_members(network), MEMBER_COLUMNS, form)
    else:
        write(_parts(engine, network, least), COLUMNS, form)
    note(_summary(network))


def _parts(engine: Engine, network: Connectedness, least: int) -> Iterator[dict[str, Any]]:
    number = {component.players[0]: n for n, component in enumerate(network.components, start=1)}
    of = {player: number[component.players[0]] for component in network.components for player in component.players}
    for n, component in enumerate(network.components, start=1):
        yield _row("component", n, len(component.players), component.results, _few(component.players))
    for bridge in network.bridges:
        if bridge.parted >= least:
            uid = None if bridge.position is None else uid_at(engine.log, bridge.position)
            side = f"parts {_few(bridge.side, bridge.parted)}"
            between = " - ".join(bridge.between)
            yield _row("bridge", of[bridge.between[0]], bridge.parted, bridge.results, between, side, uid)
    for strong in network.strong:
        remark = "lost nothing to the others" if strong.above else "won nothing from the others" if strong.below else ""
        yield _row("strong", strong.component, len(strong.players), strong.results, _few(strong.players), remark)


def _row(
    part: str, component: int, players: int, results: int, who: str, remark: str = "", uid: str | None = None
) -> dict[str, Any]:
    return dict(zip(COLUMNS, (part, component, players, results, uid, who, remark), strict=True))


def _few(names: Sequence[str], count: int | None = None) -> str:
    """The first names, and the number of the others."""
    more = (len(names) if count is None else count) - len(names[:FEW])
    return ", ".join(names[:FEW]) + (f" and {more} more" if more else "")


def _members(network: Connectedness) -> Iterator[dict[str, Any]]:
    strong = {player: n for n, part in enumerate(network.strong, start=1) for player in part.players}
    for n, component in enumerate(network.components, start=1):
        for player in component.players:
            yield {"player": player, "component": n, "strong": strong.get(player)}
    for player in network.unplayed:
        yield {"player": player, "component": None, "strong": None}


def _summary(network: Connectedness) -> str:
    parts = len(network.components)
    if parts > 1:
        return f"{parts} components: no method can compare players of two of them"
    if len(network.strong) > 1:
        return f"connected, in {len(network.strong)} strong parts: ratio methods rate each by itself"
    return "connected" if parts else "no results"
