"""The tables shown by `ratingcore simulate`, with the answer above them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ratingcore.plugin.commands import note, say, write
from ratingcore.plugin.reports import Table
from ratingcore_laboratory.study import Study

ROUNDS = (1, 5, 10, 20, 30, 50)
"""Rounds shown by the table, with the last one, unless all are requested."""

SHORT = ("round", "contender", "deviation", "over seeds", "largest", "shift", "kendall", "pearson", "players")
TRIED = ("round", "threshold", "deviation", "over seeds", "published")
EXTREMES = (
    "round", "contender", "best", "best_true", "best_estimated", "worst", "worst_true", "worst_estimated", "off",
)  # fmt: skip
PLAYERS = (
    "contender", "player", "true", "estimated", "off", "games", "appetite", "wins", "draws", "losses", "win %",
    "draw %", "loss %", "boosts_won", "boosts_lost", "joined", "left",
)  # fmt: skip


Shorten = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Rounds the cells of a row for people."""


def show(made: Study, all_rounds: bool, players: bool, form: str) -> None:
    """Writes the answer above the table of rounds, or of players."""
    if players:
        _shown(made, made.players, made.answer, _player, PLAYERS, True, form)
    else:
        _shown(made, made.rounds, made.answer, _round, SHORT, all_rounds, form)
    if form == "table":
        facts = [f"{row['fact']}: {row['value']}" for row in made.provenance if row["fact"] != "parameters"]
        say("\n".join(["", *facts]))
    else:
        note(made.answer)


def show_thresholds(made: Study, answer: str, all_rounds: bool, form: str) -> None:
    """Writes the nearest threshold above the table of thresholds."""
    _shown(made, made.thresholds, answer, _threshold, TRIED, all_rounds, form)
    if form != "table":
        note(answer)


def show_extremes(made: Study, all_rounds: bool, form: str) -> None:
    """Writes the best and the worst estimated player of each round."""
    _shown(made, made.extremes, made.extremes.title, _extreme, EXTREMES, all_rounds, form)


def _shown(
    made: Study, table: Table, title: str, shorten: Shorten, short: tuple[str, ...], every: bool, form: str
) -> None:
    """Writes a table of every round, or of some: a few rounded columns under a title for people, all for programs."""
    wanted = {*ROUNDS, len(made.trials[0].worlds)}
    rows: Iterator[Mapping[str, Any]] = (row for row in table if every or row["round"] in wanted)
    if form == "table":
        say(f"{title}\n")
        write(map(shorten, rows), short, form)
    else:
        write(rows, tuple(table.columns), form)


def _extreme(row: Mapping[str, Any]) -> Mapping[str, Any]:
    true, estimated = row["worst_true"], row["worst_estimated"]
    ratings = {name: _to(cell, 1) for name, cell in row.items() if name.endswith(("_true", "_estimated"))}
    return {**row, **ratings, "off": None if true is None else _to(estimated - true, 1)}


def _threshold(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "round": row["round"], "threshold": row["threshold"], "deviation": _to(row["deviation"], 1),
        "over seeds": _over(row), "published": _to(row["said"], 0),
    }  # fmt: skip


def _over(row: Mapping[str, Any]) -> str | None:
    """The range of the deviation over the seeds."""
    low, high = row["deviation_low"], row["deviation_high"]
    return None if low is None or low == high else f"{low:.1f} to {high:.1f}"


def _round(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "round": row["round"], "contender": row["contender"], "deviation": _to(row["deviation"], 1),
        "over seeds": _over(row),
        "largest": _to(row["largest"], 0), "shift": _to(row["shift"], 1), "kendall": _to(row["kendall"], 3),
        "pearson": _to(row["pearson"], 3), "players": _to(row["active"], 0),
    }  # fmt: skip


def _player(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        **row,
        **{name: _to(row[name], 1) for name in ("true", "estimated", "off")},
        **{f"{name} %": _to(row[f"{name}_percent"], 0) for name in ("win", "draw", "loss")},
        "appetite": _to(row["appetite"], 2),
    }


def _to(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:z.{digits}f}"
