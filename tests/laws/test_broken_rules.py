"""The oracle test fails when a rule is broken on purpose: it notices each way."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from ratingcore.columns import View, time_travel
from ratingcore.columns.games_in_order import GameTable
from ratingcore.columns.time_travel import SAME, Latest
from ratingcore.errors import PluginFails
from ratingcore.events import Row, corrections
from ratingcore.events.corrections import Corrections, Groups
from ratingcore.plugin import Method
from ratingcore.replay import period_calls, run, seeds
from ratingcore.replay.checkpoint import Checkpoint
from tests.laws import logs
from tests.laws.logs import live_long

eager = logs.eager


def _every_void_counts(rows: Any) -> Corrections:
    """A void takes back what it speaks about, though it was taken back itself."""
    said = list(rows)
    right, void = _OF(said), frozenset(row.ref for row in said if row.kind in {"void", "unmerge"})
    kept = [row for row in said if row.position not in void or row.kind in {"void", "unmerge"}]
    return evolve(_OF(kept), void=void | right.void)


def _first_amendment_stands(rows: Any) -> Corrections:
    said = list(rows)
    right, changes = _OF(said), {}
    for row in reversed(said):
        if row.kind == "amend" and not {row.position, row.ref} & right.void:
            changes.setdefault(row.ref, {}).update(row.facts["set"])
    return evolve(right, changes=changes)


def _amendments_of_other_fields_are_lost(rows: Any) -> Corrections:
    said = list(rows)
    right = _OF(said)
    last = {row.ref: row.facts["set"] for row in said if row.kind == "amend" and row.position not in right.void}
    return evolve(right, changes={at: last[at] for at in right.changes})


def _merges_lead_one_step(groups: Groups, keep: int, other: int) -> None:
    groups._group[other] = corrections._Group(keep, [other])


def _undone_merges_stand(rows: Any) -> Corrections:
    said = list(rows)
    return evolve(_OF(said), roots=_OF([row for row in said if row.kind == "merge"]).roots)


def _amended_pools_are_ignored(row: Row, changed: Any) -> Row:
    return _AMENDED(row, {name: value for name, value in changed.items() if name != "pool"})


def _order_is_ignored(games: GameTable) -> GameTable:
    return games.take(np.lexsort((games.position, games.played)))


def _seeds_come_after_games(*args: Any) -> Any:
    first, later, cut = _PLANTINGS(*args)
    return first, later, np.minimum(cut + 1, len(args[2]))


def _whatever_players_are(self: Checkpoint, view: View, method: Method) -> bool:
    return self.date is None and self.through <= view.through and view.same_before(self.known_at) > self.through


def _original_times_only(self: Latest, position: int) -> int:
    """The rule of checkpoints without the times that earlier corrections had given to events."""
    low, high = sorted((position, self.timeline.known_at))
    times = [SAME]
    for row in self._log.rows(low, high):
        said = [row]
        while row.ref is not None:
            row = next(iter(self._log.rows_at([row.ref])))
            said.append(row)
        if row.kind == "merge":
            return -SAME
        if row.pool == self.timeline.pool or any("pool" in one.facts.get("set", {}) for one in said):
            times.append(row.played)
            times += [one.facts["set"]["played"] for one in said if "played" in one.facts.get("set", {})]
    return min(times)


_OF, _AMENDED, _PLANTINGS = Corrections.of, corrections.amended, seeds.continuous_plantings

RULES: dict[str, tuple[Any, str, Any]] = {
    "a void that was voided counts all the same": (Corrections, "of", _every_void_counts),
    "the first amendment of a field stands": (Corrections, "of", _first_amendment_stands),
    "an amendment forgets what earlier ones said of other fields": (
        Corrections, "of", _amendments_of_other_fields_are_lost,
    ),
    "a merge that was undone stands": (Corrections, "of", _undone_merges_stand),
    "merges are not transitive": (Groups, "merge", _merges_lead_one_step),
    "an amended pool is ignored": (corrections, "amended", _amended_pools_are_ignored),
    "late games are appended, not inserted": (time_travel, "merged", lambda known, late: known.then(late)),
    "games of one time keep the order of the log": (time_travel, "in_play_order", _order_is_ignored),
    "games whose players became one still count": (time_travel, "_rooted", lambda games, corrections: games),
    "what was learnt later is known earlier": (
        Latest, "at", lambda self, position: self.timeline,
    ),
    "a correction does not reach games that are known": (Corrections, "touched", lambda self, other: set()),
    "a merge does not reach games that are known": (Corrections, "moved", lambda self, other: set()),
    "a checkpoint serves whatever was recorded since": (Latest, "same_before", lambda self, position: SAME),
    "a checkpoint ignores the times that earlier corrections had given an event": (
        Latest, "same_before", _original_times_only,
    ),
    "a checkpoint ignores what is said of players": (Checkpoint, "serves", _whatever_players_are),
    "tournaments of one span are rated as the log learnt their labels": (
        period_calls, "in_order_of_end", lambda end, start, first: np.lexsort((start, end)),
    ),
    "seeds are planted after the games of their time": (run, "continuous_plantings", _seeds_come_after_games),
}  # fmt: skip


@pytest.mark.parametrize(("where", "name", "wrong"), RULES.values(), ids=RULES.keys())
def test_the_oracle_notices_when_a_rule_is_broken(
    where: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises((AssertionError, ValueError, ArithmeticError, PluginFails)):  # columns may not even fit
        live_long()
