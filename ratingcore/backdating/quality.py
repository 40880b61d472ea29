"""Whether a new rule forecasts better, from each start on, and what starting earlier is worth."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from ratingcore.backdating.alternatives import OLD, Alternative
from ratingcore.compare.agreement import Agreement
from ratingcore.compare.forecasts import Bools, Forecasts, Played
from ratingcore.compare.score_tables import columns
from ratingcore.compare.scores import common, scores
from ratingcore.compare.uncertainty import Paired, paired
from ratingcore.events import iso
from ratingcore.report.table import Table


@frozen(eq=False)
class Quality:
    """Forecasts of choices beside those of the old rule; each was made strictly before its game.

    Parameters
    ----------
    kept : Alternative
        The old rule for ever.
    choices : tuple of Alternative
    """

    kept: Alternative
    choices: tuple[Alternative, ...]

    def tables(self) -> dict[str, Table]:
        """All of it, as tables by name."""
        further = "Earlier starts against later ones, on the same games"
        made = (
            Table("forecasts", "Forecasts from each start date on", self._forecasts(), "nats a game"),
            Table("backdating", further, self._backdating(), "nats a game"),
            Table("left_out", "Choices not scored", self._left_out()),
        )
        return {table.name: table for table in made}

    @cached_property
    def _stretches(self) -> list[tuple[str, dict[str, Forecasts], Bools]]:
        """From each start on: the ways that forecast from then on, and the games that all of them forecast."""
        if not self.kept.view.n_games or isinstance(self.kept.told, Exception):
            return []
        found = []
        starts = {one.name: one.since for one in self.choices if one.since is not None}
        spoken = {one.name: one.told for one in self.choices if one.name in starts and isinstance(one.told, Forecasts)}
        for since in sorted(starts[name] for name in spoken):
            late = self._played.played >= since
            told = {OLD: self.kept.told} | {name: one for name, one in spoken.items() if starts[name] <= since}
            which = common(told.values(), late)
            if which is not None and which.any() and all(one.rated[which].all() for one in told.values()):
                found.append((iso(since), told, which))
        return found

    @cached_property
    def _played(self) -> Played:
        return Played.of(self.kept.view)

    def _forecasts(self) -> dict[str, Any]:
        rows = []
        for since, told, which in self._stretches:
            for name, one in told.items():
                of = scores(one, self._played, which)
                pair = None if name == OLD else self._pair(name, since)
                low, high = (None, None) if pair is None or pair.estimate.interval is None else pair.estimate.interval
                rows.append({
                    "since": since, "choice": name, "games": of.n, "log_loss": of.log_loss, "brier": of.brier,
                    "accuracy": of.accuracy, "ece": of.ece, "better_by": pair and pair.estimate.mean,
                    "error": pair and pair.estimate.standard_error, "low": low, "high": high,
                    "verdict": _verdict(pair),
                })  # fmt: skip
        names = (
            "since", "choice", "games", "log_loss", "brier", "accuracy", "ece", "better_by", "error", "low", "high",
            "verdict",
        )  # fmt: skip
        return columns(rows, names)

    @cached_property
    def _backdated(self) -> list[tuple[str, Paired]]:
        """Earlier starts against each start, on the games from the later one on."""
        starts = {iso(one.since): one.name for one in self.choices if one.since is not None}
        return [
            (since, paired(one, told[starts[since]], self._played, which))
            for since, told, which in self._stretches
            for name, one in told.items()
            if name not in (OLD, starts[since])
        ]

    def _backdating(self) -> dict[str, Any]:
        rows = []
        for since, pair in self._backdated:
            of = pair.estimate
            low, high = of.interval or (None, None)
            rows.append({
                "since": since, "choice": pair.one, "against": pair.other, "games": of.n, "better_by": of.mean,
                "error": of.standard_error, "low": low, "high": high, "verdict": pair.verdict,
            })  # fmt: skip
        names = ("since", "choice", "against", "games", "better_by", "error", "low", "high", "verdict")
        return columns(rows, names)

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], Paired]:
        return {
            (name, since): paired(one, told[OLD], self._played, which)
            for since, told, which in self._stretches
            for name, one in told.items()
            if name != OLD
        }

    def _pair(self, name: str, since: str) -> Paired:
        return self._pairs[name, since]

    def _left_out(self) -> dict[str, Any]:
        rows = []
        scored = {name for _, told, _ in self._stretches for name in told}
        for way in self.choices:
            if way.since is None:
                rows.append((way.name, "nothing has been played since: its forecasts cannot be told yet"))
            elif not self.kept.view.n_games:
                rows.append((way.name, "the pool has no games of two players: sessions are not scored"))
            elif isinstance(way.told, Exception) or isinstance(self.kept.told, Exception):
                rows.append((way.name, str(way.told if isinstance(way.told, Exception) else self.kept.told)))
            elif way.name not in scored:
                rows.append((way.name, "no game since its start has a forecast of both rules"))
        return {"choice": tuple(name for name, _ in rows), "why": tuple(why for _, why in rows)}

    # in a sentence

    def answer(self, old: str, new: str, agreements: Mapping[str, Agreement]) -> str:
        """What each choice comes to, in a sentence."""
        told = [self._told(choice, agreements) for choice in self.choices]
        if self._backdated:  # the earliest start against the latest one
            latest = self._backdated[-1][0]
            first = min((one.since, one.name) for one in self.choices if one.since is not None)[1]
            told += [
                f"of the games since {latest}, {_apart(pair)}"
                for since, pair in self._backdated
                if since == latest and pair.one == first
            ]
        return f"{new} instead of {old} in {self.kept.view.pool}: {'; '.join(told)}"

    def _told(self, choice: Alternative, agreements: Mapping[str, Agreement]) -> str:
        if choice.since is None:
            return f"{choice.name}, no rating moves yet and nothing can be said of its forecasts"
        found, mine = agreements[choice.name], iso(choice.since)
        moved = f"ratings move by {found.points.mean:.4g} points on average" if found.points else "nobody is rated"
        pair = self._pairs.get((choice.name, mine))
        if pair is None:
            return f"{choice.name}, {moved}, and its forecasts cannot be scored"
        games = "1 game" if pair.estimate.n == 1 else f"{pair.estimate.n:,} games"
        since = f"of the {games} since then" if choice.change else f"of {games} in all"
        return f"{choice.name}, {moved}, and its forecasts {since} are {_verdict(pair)}"


def _apart(pair: Paired) -> str:
    """What backdating further is worth, in words."""
    mean, margin = pair.estimate.mean, pair.estimate.margin
    told = "" if mean is None or margin is None else f" ({mean:+.4f} ± {margin:.4f} nats a game)"
    if pair.better is None:
        return f"the forecasts of a start {pair.one} cannot be told from those of one {pair.other}{told}"
    worth = "better" if pair.better == pair.one else "worse"
    return f"a start {pair.one} forecasts {worth} than one {pair.other}{told}"


def _verdict(pair: Paired | None) -> str:
    if pair is None:
        return "the old rule"
    mean, margin = pair.estimate.mean, pair.estimate.margin
    if mean is None or margin is None:
        return "too few to tell from the old rule's"
    if pair.better is None:
        return f"not distinguishable from the old rule's ({mean:+.4f} ± {margin:.4f} nats a game)"
    return f"{'better' if mean > 0 else 'worse'} than the old rule's by {abs(mean):.4f} ± {margin:.4f} nats a game"
