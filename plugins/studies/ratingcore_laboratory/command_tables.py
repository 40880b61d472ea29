"""The tables that `ratingcore simulate` shows, with the answer over them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ratingcore.plugin.commands import note, say, write
from ratingcore_laboratory.study import Study

ROUNDS = (1, 5, 10, 20, 30, 50)
"""Rounds that the table shows, with the last one, unless all are asked for."""

SHORT = ("round", "contender", "deviation", "over seeds", "largest", "shift", "kendall", "pearson", "players")
TRIED = ("round", "threshold", "deviation", "over seeds", "published")
EXTREMES = (
    "round", "contender", "best", "best_true", "best_estimated", "worst", "worst_true", "worst_estimated", "off",
)  # fmt: skip
PLAYERS = (
    "contender", "player", "true", "estimated", "off", "games", "appetite", "wins", "draws", "losses", "win %",
    "draw %", "loss %", "boosts_won", "boosts_lost", "joined", "left",
)  # fmt: skip


def show(made: Study, all_rounds: bool, players: bool, form: str) -> None:
    """Writes the answer over the table of rounds, or of players."""
    short = form == "table"
    table = made.players if players else made.rounds
    rows: Iterator[Mapping[str, Any]] = iter(table)
    if not players:
        shown = _shown(len(made.trials[0].worlds), all_rounds)
        rows = (row for row in rows if shown(row["round"]))
    if short:
        say(f"{made.answer}\n")
        write(map(_player if players else _round, rows), PLAYERS if players else SHORT, form)
        facts = [f"{row['fact']}: {row['value']}" for row in made.provenance if row["fact"] != "parameters"]
        say("\n".join(["", *facts]))
    else:
        write(rows, tuple(table.columns), form)
        note(made.answer)


def show_thresholds(made: Study, answer: str, all_rounds: bool, form: str) -> None:
    """Writes which threshold is nearest over the table of thresholds."""
    shown = _shown(len(made.trials[0].worlds), all_rounds)
    rows: Iterator[Mapping[str, Any]] = (row for row in made.thresholds if shown(row["round"]))
    if form == "table":
        say(f"{answer}\n")
        write(map(_threshold, rows), TRIED, form)
        return
    write(rows, tuple(made.thresholds.columns), form)
    note(answer)


def show_extremes(made: Study, all_rounds: bool, form: str) -> None:
    """Writes the best and the worst estimated player of each round."""
    shown = _shown(len(made.trials[0].worlds), all_rounds)
    rows: Iterator[Mapping[str, Any]] = (row for row in made.extremes if shown(row["round"]))
    if form == "table":
        say(f"{made.extremes.title}\n")
        write(map(_extreme, rows), EXTREMES, form)
        return
    write(rows, tuple(made.extremes.columns), form)


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


def _shown(last: int, every: bool) -> Callable[[Any], bool]:
    return lambda number: every or number in ROUNDS or number == last


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
