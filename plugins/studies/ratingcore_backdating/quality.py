"""Tables of forecasts: whether the new rule forecasts better from each start on, and the gain of starting earlier."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.plugin import Bools
from ratingcore.plugin.analysis import Agreement, Entering, Forecasts, MeanEstimate, Paired, Played, iso, paired, scores
from ratingcore.plugin.reports import Table, columns_of
from ratingcore_backdating.alternatives import OLD, Alternative

COMMON, OWN = "common games", "its own games"


class ScoredGames(NamedTuple):
    """Games since a start date, and their scored forecasts: the old rule's first."""

    since: str
    on: str
    """`COMMON` for games that all these choices forecast, `OWN` for all games that a single choice forecasts."""
    forecasts: Mapping[str, Forecasts]
    which: Bools


@frozen(eq=False)
class Quality:
    """Tables and sentences that compare the forecasts of every choice with those of the old rule.

    Parameters
    ----------
    old : Alternative
        The old rule throughout.
    choices : tuple of Alternative
        The new rule from each start date.
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
    def _stretches(self) -> list[ScoredGames]:
        """For each start date, the games that all choices in force forecast, and those that each new choice forecasts.

        The second are left out where they are the same games.
        """
        old = self.old.forecasts
        if not self.old.view.n_games or isinstance(old, Exception):
            return []
        dated = [(one.name, one.since, one.forecasts) for one in self.choices if one.since is not None]
        made = [(name, since, answer) for name, since, answer in dated if isinstance(answer, Forecasts)]
        found = []
        for start in sorted({since for _, since, _ in made}):
            late = old.rated & (self._played.played >= start)
            held = {name: answer for name, since, answer in made if since <= start and (late & answer.rated).any()}
            shared = np.logical_and.reduce([late, *(answer.rated for answer in held.values())])
            if held and shared.any():
                found.append(ScoredGames(iso(start), COMMON, {OLD: old} | held, shared))
            for name, since, answer in made:
                mine = late & answer.rated
                if since == start and mine.any() and (mine != shared).any():
                    found.append(ScoredGames(iso(start), OWN, {OLD: old, name: answer}, mine))
        return found

    @cached_property
    def _played(self) -> Played:
        return Played.of(self.old.view)

    def _forecasts(self) -> dict[str, Any]:
        rows = []
        for since, on, made, which in self._stretches:
            for name, one in made.items():
                of = scores(one, self._played, which)
                pair = None if name == OLD else self._pairs[name, since, on]
                low, high = (None, None) if pair is None or pair.estimate.interval is None else pair.estimate.interval
                rows.append({
                    "since": since, "choice": name, "on": on, "games": of.n, "log_loss": of.log_loss, "brier": of.brier,
                    "accuracy": of.accuracy, "ece": of.ece, "better_by": pair and pair.estimate.mean,
                    "error": pair and pair.estimate.standard_error, "low": low, "high": high,
                    "verdict": _verdict(pair),
                })  # fmt: skip
        names = (
            "since", "choice", "on", "games", "log_loss", "brier", "accuracy", "ece", "better_by", "error", "low",
            "high", "verdict",
        )  # fmt: skip
        return columns_of(rows, names)

    @cached_property
    def _backdated(self) -> list[tuple[str, Paired]]:
        """Compares every earlier start with each start, on the games from the later one on."""
        starts = {iso(one.since): one.name for one in self.choices if one.since is not None}
        return [
            (since, paired(one, made[starts[since]], self._played, which))
            for since, on, made, which in self._stretches
            for name, one in made.items()
            if on == COMMON and starts[since] in made and name not in (OLD, starts[since])
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
    def _pairs(self) -> dict[tuple[str, str, str], Paired]:
        return {
            (name, since, on): paired(one, made[OLD], self._played, which)
            for since, on, made, which in self._stretches
            for name, one in made.items()
            if name != OLD
        }

    def _left_out(self) -> dict[str, Any]:
        rows = []
        scored = {name for stretch in self._stretches for name in stretch.forecasts}
        for way in self.choices:
            if way.since is None:
                rows.append((way.name, "nothing has been played since: its forecasts cannot be scored yet"))
            elif not self.old.view.n_games:
                rows.append((way.name, "the pool has no games of two players: sessions are not scored"))
            elif isinstance(way.forecasts, Exception):
                rows.append((way.name, str(way.forecasts)))
            elif isinstance(self.old.forecasts, Exception):
                rows.append((way.name, str(self.old.forecasts)))
            elif not np.isfinite(way.rating).any():
                rows.append((way.name, f"it rates nobody{_why_nobody(way)}"))
            elif way.name not in scored:
                rows.append((way.name, "no game since its start has a forecast of both rules"))
        return {"choice": tuple(name for name, _ in rows), "why": tuple(why for _, why in rows)}

    # sentences

    @property
    def since_own_start(self) -> dict[str, MeanEstimate]:
        """The gain of each choice over the old rule from its own start on, where it can be scored."""
        found = {}
        for choice in self.choices:
            pair = self._pair(choice)
            if pair is not None:
                found[choice.name] = pair.estimate
        return found

    def verdict(self, old: str, new: str, moved: Mapping[str, float | None]) -> str:
        """Two sentences for a committee: whether the new rule forecasts better, and how far ratings move.

        Parameters
        ----------
        moved : mapping of str to float or None
            Points by which a rating moves on average under each choice.
        """
        kinds: dict[str, list[str]] = {}
        for choice in self.choices:
            if choice.since is not None:
                kinds.setdefault(_kind(self._pair(choice)), []).append(choice.name)
        clauses = [f"{kind.format(new=new, old=old)} {_listed(names)}" for kind, names in kinds.items()]
        points = [f"by {by:.0f} points {name}" for name, by in moved.items() if by]
        still = [name for name, by in moved.items() if by == 0]
        second = f"On average a rating moves {_listed(points)}" if points else "No established rating moves"
        first = f"{'; '.join(clauses)}. " if clauses else ""
        return f"{first}{second}{f'; {_listed(still)} none moves yet' if points and still else ''}."

    def answer(self, old: str, new: str, agreements: Mapping[str, Agreement]) -> str:
        """The effect of each choice on ratings and forecasts, in a sentence."""
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

    def _pair(self, choice: Alternative) -> Paired | None:
        """Compares a choice with the old rule, from its own start on; None if it cannot be scored."""
        since = "" if choice.since is None else iso(choice.since)
        return self._pairs.get((choice.name, since, OWN)) or self._pairs.get((choice.name, since, COMMON))

    def _clause(self, choice: Alternative, agreements: Mapping[str, Agreement]) -> str:
        if choice.since is None:
            return f"{choice.name}, no rating moves yet, and there are no forecasts to score"
        found = agreements[choice.name]
        moved = f"ratings move by {found.points.mean:.4g} points on average" if found.points else "nobody is rated"
        if not np.isfinite(choice.rating).any():
            return f"{choice.name}, nobody is rated{_why_nobody(choice)}"
        pair = self._pair(choice)
        if pair is None:
            return f"{choice.name}, {moved}, and its forecasts cannot be scored"
        games = "1 game" if pair.estimate.n == 1 else f"{pair.estimate.n:,} games"
        since = f"of the {games} since then" if choice.change else f"of {games} in all"
        return f"{choice.name}, {moved}, and its forecasts {since} are {_verdict(pair)}"


def _kind(pair: Paired | None) -> str:
    """The quality of a choice's forecasts, in everyday words."""
    if pair is None:
        return "the forecasts of {new} cannot be scored"
    if pair.better is None:
        return "there is no clear difference between {new} and {old}"
    return "{new} forecasts better than {old}" if pair.better != OLD else "{new} forecasts worse than {old}"


def _listed(names: Sequence[str]) -> str:
    """Names with commas between them, and an "and" before the last."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _why_nobody(choice: Alternative) -> str:
    """The reason why a choice rates nobody, if known."""
    if not isinstance(choice.method, Entering):
        return ""
    return ": newcomers enter by games against rated players, and there are none; seed some ratings, or start later"


def _apart(pair: Paired) -> str:
    """The forecasts of an earlier start compared with a later one, in words."""
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
