"""The report of a plan: one self-contained HTML file with pictures and the tables behind them."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.plugin.reports import (
    BREAK,
    DOTS,
    FEW,
    ROWS,
    Picture,
    Section,
    Table,
    curves,
    distributions,
    first_few,
    forest,
    framed,
    made_from,
    numbers,
    over_time,
    ranks,
    with_visible_names,
)
from ratingcore_backdating.alternatives import OLD
from ratingcore_backdating.backdating import Backdating

FROM_TODAY = "from today"
ACTIVITY = {"active": "active players", "newcomers": "newcomers"}
SHOWN = 6
"""Movers up, and down, in a picture; the table has more."""


def backdating_html(made: Backdating) -> str:
    """The result of a plan as a report for a committee: one HTML file without outside requests.

    Parameters
    ----------
    made : Backdating

    Returns
    -------
    str
        A page of about a megabyte, most of it the script that draws.

    Raises
    ------
    NotInstalled
        Without altair and vl-convert.
    """
    head = next(str(row["value"]) for row in made.provenance if row["fact"] == "head")
    plan = BREAK.join(islice(made.plan.toml(made.pool, head).splitlines(), ROWS))
    lead = "With the same log and this plan, everyone can make this report again and compare every number:"
    return framed(
        f"{made.pool}: from when should the new rule hold?",
        f"Old rule: {made.old}. New rule: {made.new}. Choices: {', '.join(made.choices)}.",
        made.answer,
        _sections(with_visible_names(made, made.called)),
        made_from(lead, [plan], made.provenance),
        measured=made.measured,
        opened=OPEN,
    )


OPEN = ("summary", "lists", "crossings", "starts")
"""Tables that are open when the page is."""


def _sections(made: Backdating) -> Iterator[Section]:
    yield Section(
        "choices", "The choices",
        "One line per choice. Moved by: points by which a rating differs from the old rule's on average; newcomers, "
        "who have fewer than ten results, are separate. Better by: nats per game by which forecasts since the start "
        "are better than the old rule's, with the ends of the 95 % interval.",
        (), (made.summary.rounded(1, FINE), made.left_out),
    )  # fmt: skip
    yield Section(
        "forecasts", "Forecasts from each start on",
        "Every forecast was made strictly before its game, and within one picture all are for the same games. "
        "Nats per game by which a choice forecasts better than the old rule; the dashed line is no difference, and "
        "bars are 95 % intervals. Where a choice forecasts games that others do not, it has "
        "a picture of its own. The past flatters a rule whose parameters were chosen by looking at it.",
        (*_better(made.forecasts), *_backdated(made.backdating)), (made.forecasts, made.backdating),
    )  # fmt: skip
    yield Section(
        "lists", "Lists before and after",
        "A dot is a player: its rank under the old rule, and under the choice. On the dashed diagonal nothing changes.",
        tuple(_ranks(made)), (_first(_side_by_side(made)), made.agreement),
        " ".join(filter(None, (
            f"The pictures show at most {DOTS} players." if len(made.lists) > DOTS else "", _cut(made.lists),
            "The choice from today is left out, since it changes no list yet." if FROM_TODAY in made.choices else "",
        ))),
    )  # fmt: skip
    yield Section(
        "movers", "Who moves most",
        "Rating under a choice less rating under the old rule, on the same day: bars right of the dashed line go up. "
        "Newcomers, who have fewer than ten results, are in the table only: what moves them is mostly the rating with "
        "which they enter.",
        tuple(_movers(made.movers)), (_of_kind(made.movers, False), _of_kind(made.movers, True)),
    )  # fmt: skip
    yield Section(
        "crossings", "Thresholds and grades",
        "How many are at a threshold or have a grade under the old rule and under a choice. Risen: came to it from "
        "below. Fallen: now below a threshold, or in a grade below the former one. Grades describe a level; titles "
        "take more than a rating.",
        (), (made.crossings, _first(made.crossed)), _cut(made.crossed),
    )  # fmt: skip
    yield Section(
        "levels", "What each choice makes of the pool",
        "How many players are at which rating in the end, in the same bins under every rule; the table has sum, "
        "mean and spread (standard deviation), and the differences from the old rule.",
        tuple(distributions(_without_today(made.distributions))), (made.levels.rounded(1), made.distributions),
    )  # fmt: skip
    yield Section(
        "inflation", "Inflation",
        "Mean rating of the active (a result in the last twelve months), of the ten best of them, and of the same "
        "players, active in the first period and in the last. Where the lines of a rule rise while players stay as "
        "strong as they were, ratings inflate.",
        (*_levels(made.health), *_played(made.health)), (_first(made.health),), _cut(made.health),
    )  # fmt: skip
    players = dict.fromkeys(made.curves["player"]) if len(made.curves) else {}
    since, more = _from(made), len(players) - FEW
    yield Section(
        "curves", "Ratings of chosen players",
        "The same player under the old rule and under every choice"
        + (f", from {since} on: {YEARS} years before the first change." if since else "."),
        tuple(curves(_by_player(made.curves, since))), (_first(made.curves),),
        _cut(made.curves) + (f" The pictures show {FEW} of {len(players)} players." if more > 0 else ""),
    )  # fmt: skip
    yield Section(
        "starts", "What is carried over on the day",
        "On a start date every rated player keeps the rating of the old rule; the new rule goes on from there. "
        "Waiting: results before that day that the old rule had not rated, in a period still open; the new rule rates "
        "them. "
        "Unrated: players who had played and had no rating yet; they begin as newcomers of the new rule.",
        (), (made.starts, made.carried),
    )  # fmt: skip


YEARS = 2
"""Years before the first change from which curves are drawn: earlier they are the same under every choice."""


def _from(made: Backdating) -> np.datetime64 | None:
    """The day from which curves are drawn; None if no choice changes the rule on a day."""
    days = [np.datetime64(name.removeprefix("from ")[:10]) for name in made.choices if name[5:9].isdecimal()]
    return min(days) - np.timedelta64(365 * YEARS, "D") if days else None


def _better(table: Table) -> Iterator[Picture]:
    """A panel per start date: how much better each choice forecasts from then on."""
    rows = [row for row in table if row["better_by"] is not None]
    for since, on in dict.fromkeys((str(row["since"]), row["on"]) for row in rows):
        mine = [row for row in rows if (row["since"], row["on"]) == (since, on)]
        names = [str(row["choice"]) for row in mine]
        point, low, high = (numbers(mine, column) for column in ("better_by", "low", "high"))
        chart = forest(names, point, low, high, "better by, nats a game (right of 0 is better)", zero=True)
        text = f"Nats a game by which each choice is better than the old rule since {since}: {first_few(names, point)}."
        yield Picture(f"{int(str(mine[0]['games'])):,} games since {since}", text, chart)


def _backdated(table: Table) -> Iterator[Picture]:
    """A panel per start date: how much better the choices that begin earlier forecast."""
    for since in dict.fromkeys(str(row["since"]) for row in table):
        mine = [row for row in table if row["since"] == since and row["better_by"] is not None]
        names, against = [str(row["choice"]) for row in mine], str(mine[0]["against"]) if mine else ""
        if mine:
            point, low, high = (numbers(mine, column) for column in ("better_by", "low", "high"))
            chart = forest(names, point, low, high, f"better than {against}, nats a game", zero=True)
            text = f"Nats a game by which earlier starts are better than {against}: {first_few(names, point)}."
            yield Picture(f"Earlier starts, {int(str(mine[0]['games'])):,} games since {since}", text, chart)


def _ranks(made: Backdating) -> list[Picture]:
    columns = {name: made.lists[f"rank {name}"] for name in made.choices if name != FROM_TODAY}
    table = Table("ranks", "Ranks", {"player": made.lists["player"], OLD: made.lists["old rank"], **columns})
    return ranks(table, OLD)


def _movers(table: Table) -> Iterator[Picture]:
    """A panel per choice: the players who move most, up and down."""
    for choice in dict.fromkeys(str(row["choice"]) for row in table):
        rows = [row for row in table if row["choice"] == choice and not row["newcomer"]]
        if not rows:
            continue
        up = [row for row in rows if float(str(row["change"])) > 0][:SHOWN]
        down = [row for row in rows if float(str(row["change"])) < 0][:SHOWN]
        some = [*up, *reversed(down)]
        names, change = [str(row["player"]) for row in some], numbers(some, "change")
        low, high = [min(0.0, one) for one in change], [max(0.0, one) for one in change]
        chart = forest(names, change, low, high, "change of rating, points", zero=True)
        yield Picture(choice, f"Ratings that move most {choice}: {first_few(names, change, len(names))}.", chart)


def _levels(table: Table) -> list[Picture]:
    """A panel per measure with a line per choice."""
    pictures = []
    for column, title in (("mean", "All active"), ("top_mean", "The ten best"), ("panel_mean", "The same players")):
        rows = [row for row in table if row["method"] != FROM_TODAY and row[column] is not None]
        if rows:
            cells = {
                "method": tuple(title for _ in rows), "player": tuple(row["method"] for row in rows),
                "at": _column(table, column), "rating": tuple(row[column] for row in rows),
            }  # fmt: skip
            pictures += curves(Table("levels", title, cells))
    return pictures


def _column(table: Table, column: str) -> Any:
    """Times of the rows that have a number in a column."""
    there = [row["method"] != FROM_TODAY and row[column] is not None for row in table]
    return table.columns["at"][there]  # type: ignore[call-overload]  # times are an array


def _played(table: Table) -> list[Picture]:
    rows = [row for row in table if row["method"] == OLD]
    return over_time("Activity", rows, ACTIVITY, "players", True) if rows else []


def _by_player(table: Table, since: np.datetime64 | None) -> Table:
    """The table of curves from a day on, player and method swapped: a panel is a player, and a curve is a choice."""
    keep = [row["method"] != FROM_TODAY for row in table]
    if since is not None and len(table):
        late = np.asarray(table.columns["at"], dtype="M8[D]") >= since
        keep = [there and bool(is_late) for there, is_late in zip(keep, late, strict=True)]
    players = [str(name) for name in dict.fromkeys(table["player"])][:FEW] if len(table) else []
    keep = [there and row["player"] in players for there, row in zip(keep, table, strict=True)]
    kept = table.some(keep)
    cells = kept.columns
    return evolve(kept, columns={**cells, "method": cells["player"], "player": cells["method"]})


def _without_today(table: Table) -> Table:
    """A table without the choice that changes nothing yet."""
    return table.some([row["method"] != FROM_TODAY for row in table])


def _of_kind(table: Table, newcomers: bool) -> Table:
    """The movers who are newcomers, or all others."""
    some = [bool(row["newcomer"]) == newcomers for row in table]
    kept = table.some(some, "Newcomers whose ratings move most" if newcomers else "")
    return evolve(kept, columns={name: cells for name, cells in kept.columns.items() if name != "newcomer"})


def _side_by_side(made: Backdating) -> Table:
    """Puts ratings first, then their changes and ranks, so that a telephone shows the most important columns."""
    names = [name for name in made.choices if name != FROM_TODAY]
    columns = made.lists.columns
    order = ["player", "old rating", *(f"{what} {name}" for what in ("rating", "change", "rank") for name in names)]
    return evolve(made.lists, columns={name: columns[name] for name in (*order, "old rank", "games")}).rounded(1)


FINE = ("better_by", "low", "high")
"""Columns of differences of log loss."""


def _first(table: Table) -> Table:
    """The rows for which a page has room."""
    return table.some(range(min(len(table), ROWS)))


def _cut(table: Table) -> str:
    if len(table) <= ROWS:
        return ""
    return f"Of {len(table):,} rows the page has the first {ROWS}; its CSV has all."
