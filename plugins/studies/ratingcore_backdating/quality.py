"""Tables of forecasts: whether the new rule forecasts better from each start on, and what starting earlier adds."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from ratingcore.plugin import Bools
from ratingcore.plugin.analysis import Agreement, Forecasts, Paired, Played, common, iso, paired, scores
from ratingcore.plugin.reports import Table, columns_of
from ratingcore_backdating.alternatives import OLD, Alternative


@frozen(eq=False)
class Quality:
    """Forecasts of every choice compared with the old rule's; each was made strictly before its game.

    Parameters
    ----------
    old : Alternative
        The old rule throughout.
    choices : tuple of Alternative
    """

    old: Alternative
    choices: tuple[Alternative, ...]

    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        further = "Earlier starts against later ones, on the same games"
        made = (
            Table("forecasts", "Forecasts from each start date on", self._forecasts(), "nats a game"),
            Table("backdating", further, self._backdating(), "nats a game"),
            Table("left_out", "Choices not scored", self._left_out()),
        )
        return {table.name: table for table in made}

    @cached_property
    def _stretches(self) -> list[tuple[str, dict[str, Forecasts], Bools]]:
        """For each start: its time, the forecasts of the choices that hold by then, and the games all forecast."""
        if not self.old.view.n_games or isinstance(self.old.forecasts, Exception):
            return []
        stretches = []
        starts = {one.name: one.since for one in self.choices if one.since is not None}
        asked = {one.name: one.forecasts for one in self.choices if one.name in starts}
        answers = {name: answer for name, answer in asked.items() if isinstance(answer, Forecasts)}
        for since in sorted(starts[name] for name in answers):
            late = self._played.played >= since
            made = {OLD: self.old.forecasts} | {name: one for name, one in answers.items() if starts[name] <= since}
            which = common(made.values(), late)
            if which is not None and which.any() and all(one.rated[which].all() for one in made.values()):
                stretches.append((iso(since), made, which))
        return stretches

    @cached_property
    def _played(self) -> Played:
        return Played.of(self.old.view)

    def _forecasts(self) -> dict[str, Any]:
        rows = []
        for since, made, which in self._stretches:
            for name, one in made.items():
                of = scores(one, self._played, which)
                pair = None if name == OLD else self._pairs[name, since]
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
        return columns_of(rows, names)

    @cached_property
    def _backdated(self) -> list[tuple[str, Paired]]:
        """Every earlier start against each start, on the games from the later one on."""
        starts = {iso(one.since): one.name for one in self.choices if one.since is not None}
        return [
            (since, paired(one, made[starts[since]], self._played, which))
            for since, made, which in self._stretches
            for name, one in made.items()
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
        return columns_of(rows, names)

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], Paired]:
        return {
            (name, since): paired(one, made[OLD], self._played, which)
            for since, made, which in self._stretches
            for name, one in made.items()
            if name != OLD
        }

    def _left_out(self) -> dict[str, Any]:
        rows = []
        scored = {name for _, made, _ in self._stretches for name in made}
        for way in self.choices:
            if way.since is None:
                rows.append((way.name, "nothing has been played since: its forecasts cannot be scored yet"))
            elif not self.old.view.n_games:
                rows.append((way.name, "the pool has no games of two players: sessions are not scored"))
            elif isinstance(way.forecasts, Exception):
                rows.append((way.name, str(way.forecasts)))
            elif isinstance(self.old.forecasts, Exception):
                rows.append((way.name, str(self.old.forecasts)))
            elif way.name not in scored:
                rows.append((way.name, "no game since its start has a forecast of both rules"))
        return {"choice": tuple(name for name, _ in rows), "why": tuple(why for _, why in rows)}

    # in a sentence

    def answer(self, old: str, new: str, agreements: Mapping[str, Agreement]) -> str:
        """What each choice does to ratings and forecasts, in a sentence."""
        clauses = [self._clause(choice, agreements) for choice in self.choices]
        if self._backdated:  # the earliest start against the latest one
            latest = self._backdated[-1][0]
            first = min((one.since, one.name) for one in self.choices if one.since is not None)[1]
            clauses += [
                f"of the games since {latest}, {_apart(pair)}"
                for since, pair in self._backdated
                if since == latest and pair.one == first
            ]
        return f"{new} instead of {old} in {self.old.view.pool}: {'; '.join(clauses)}"

    def _clause(self, choice: Alternative, agreements: Mapping[str, Agreement]) -> str:
        if choice.since is None:
            return f"{choice.name}, no rating moves yet, and there are no forecasts to score"
        found, mine = agreements[choice.name], iso(choice.since)
        moved = f"ratings move by {found.points.mean:.4g} points on average" if found.points else "nobody is rated"
        pair = self._pairs.get((choice.name, mine))
        if pair is None:
            return f"{choice.name}, {moved}, and its forecasts cannot be scored"
        games = "1 game" if pair.estimate.n == 1 else f"{pair.estimate.n:,} games"
        since = f"of the {games} since then" if choice.change else f"of {games} in all"
        return f"{choice.name}, {moved}, and its forecasts {since} are {_verdict(pair)}"


def _apart(pair: Paired) -> str:
    """How the forecasts of an earlier start compare, in words."""
    mean, margin = pair.estimate.mean, pair.estimate.margin
    gap = "" if mean is None or margin is None else f" ({mean:+.4f} ± {margin:.4f} nats a game)"
    if pair.better is None:
        return f"the forecasts of a start {pair.one} are not distinguishable from those of one {pair.other}{gap}"
    worth = "better" if pair.better == pair.one else "worse"
    return f"a start {pair.one} forecasts {worth} than one {pair.other}{gap}"


def _verdict(pair: Paired | None) -> str:
    if pair is None:
        return "the old rule"
    mean, margin = pair.estimate.mean, pair.estimate.margin
    if mean is None or margin is None:
        return "too few to compare with the old rule's"
    if pair.better is None:
        return f"not distinguishable from the old rule's ({mean:+.4f} ± {margin:.4f} nats a game)"
    return f"{'better' if mean > 0 else 'worse'} than the old rule's by {abs(mean):.4f} ± {margin:.4f} nats a game"
