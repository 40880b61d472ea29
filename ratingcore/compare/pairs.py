"""Compares methods on the same games: which forecasts better, by how much, and whether that exceeds chance."""

from collections.abc import Callable, Sequence
from math import floor, log10

import numpy as np
from attrs import frozen

from ratingcore.compare.clusters import Clusters, ClusterSums
from ratingcore.compare.common_games import common
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.losses import Pairings, losses, pair_losses
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.compare.uncertainty import FEWEST, NO_GAMES, ROUNDS, Interval, MeanEstimate, bootstrap, estimate_of
from ratingcore.methods.contract import Bools

NATS = "nats a game"
"""Unit of a difference of log losses."""
NATS_A_SESSION = "nats a session"
"""Unit of a difference for sessions; all pairs of sides in a session have the same weight."""


@frozen
class Paired:
    """The comparison of two methods on the same games: how much better one is, and whether that exceeds chance.

    Attributes
    ----------
    one, other : str
        The methods.
    estimate : MeanEstimate
        Mean loss of `other` minus mean loss of `one`: positive if `one` is better.
    bootstrap : Interval or None
        Interval of the difference, by drawing with replacement: months, or, if a field was named, the groups of games
        with the same value of it.
    unit : str
    """

    one: str
    other: str
    estimate: MeanEstimate
    bootstrap: Interval | None
    unit: str = NATS

    @property
    def better(self) -> str | None:
        """The better method; None unless the interval, and the bootstrap interval if there is one, exclude zero."""
        mean, margin, drawn = self.estimate.mean, self.estimate.margin, self.bootstrap
        if mean is None or margin is None or not abs(mean) > margin:
            return None
        if drawn is not None and drawn.low <= 0.0 <= drawn.high:
            return None
        return self.one if mean > 0 else self.other

    @property
    def verdict(self) -> str:
        """A sentence for a report; the number after ± is half the width of the 95 % interval."""
        mean, margin = self.estimate.mean, self.estimate.margin
        if mean is None:
            return f"{self.one} and {self.other} have no {self.unit.rpartition(' ')[2]} in common"
        if margin is None:
            of = self.estimate
            few = "an interval needs ten players and ten months"
            few = f"an interval needs ten clusters, and there are {of.clusters}" if of.named else few
            return f"{self.one} and {self.other} are not distinguishable: {few}"
        digits = max(4, -floor(log10(margin))) if margin > 0 else 4
        by = f", by {self.estimate.clusters}" if self.estimate.named else ""
        if self.better is None:
            gap = f"{mean:+.{digits}f} ± {margin:.{digits}f} {self.unit}{by}"
            return f"{self.one} and {self.other} are not distinguishable: {gap}"
        worse = self.other if self.better == self.one else self.one
        return f"{self.better} is better than {worse} by {abs(mean):.{digits}f} ± {margin:.{digits}f} {self.unit}{by}"

    def __str__(self) -> str:
        return self.verdict


def paired(
    one: Forecasts,
    other: Forecasts,
    played: Played,
    which: Bools | None = None,
    *,
    seed: int = 0,
    rounds: int = ROUNDS,
) -> Paired:
    """Compares the log losses of two methods on the games that both forecast.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; None for all.
    seed, rounds : int
        Seed and number of rounds of the bootstrap; 0 rounds for no bootstrap.
    """
    which = common((one, other), which)
    some = slice(None) if which is None else which
    if not (one.rated[some].all() and other.rated[some].all()):
        return Paired(one.text, other.text, NO_GAMES, None)
    clusters = Clusters.of(played, which)
    mine, theirs = (clusters.sums(losses(each.expected[some], played.score[some])) for each in (one, other))
    return Paired(
        one.text, other.text, estimate_of(theirs, clusters, mine), _drawn(mine, theirs, clusters, seed, rounds)
    )


def paired_sessions(
    one: Forecasts, other: Forecasts, played: PlayedSessions, which: Bools, *, seed: int = 0, rounds: int = ROUNDS
) -> Paired:
    """Compares the log losses of two methods on the sessions in `which` that both forecast."""
    for each in (one, other):
        which = which & each.rates(played)
    some = played.some(which)
    if not len(some):
        return Paired(one.text, other.text, NO_GAMES, None, NATS_A_SESSION)
    pairings = Pairings.of(some.result)
    clusters = Clusters.of_sessions(some, pairings)
    sides, sums = np.flatnonzero(np.repeat(which, np.diff(played.result))), []
    for each in (one, other):
        assert each.strengths is not None, "it forecasts sessions"
        strengths = each.strengths.take(sides)
        mean, _ = pair_losses(strengths, some.result, some.score)
        sums.append(clusters.sums(pairings.losses(strengths, some.score, mean)))
    mine, theirs = sums
    drawn = _drawn(mine, theirs, clusters, seed, rounds)
    return Paired(one.text, other.text, estimate_of(theirs, clusters, mine), drawn, NATS_A_SESSION)


def _drawn(mine: ClusterSums, theirs: ClusterSums, clusters: Clusters, seed: int, rounds: int) -> Interval | None:
    """Returns the bootstrap interval of `theirs` minus `mine`, by drawing months or groups of one value of a field."""
    size = clusters.sizes.period
    few = clusters.named and np.count_nonzero(size) < FEWEST
    return bootstrap(theirs.period - mine.period, size, seed, rounds) if rounds and not few else None


def first_sentence(
    texts: Sequence[str],
    rivals: Sequence[str],
    reference: str,
    more_often: Callable[[str, str], MeanEstimate] | None = None,
) -> str:
    """Returns the first sentence of a comparison, in everyday words.

    One method is said to name the winner more often than another only if the interval of that difference excludes 0.

    Parameters
    ----------
    texts : sequence of str
        Two methods or more, best log loss first.
    rivals : sequence of str
        Methods whose log loss does not differ significantly from that of the best method.
    reference : str
    more_often : callable or None
        Estimates by what share of the games one method names the winner more often than another; a draw counts half.
        None for sessions, in which this is not defined.

    Examples
    --------
    >>> texts = ("football", "elo", "today")
    >>> three = MeanEstimate(900, 0.03, 0.005, 0.005, 0.005, 60, 60, 60.0, 60.0)
    >>> first_sentence(texts, ["elo"], "today", lambda one, other: three)
    'Of 100 games football names the winner in 3 more than today; football and elo: nothing to choose between them'
    >>> first_sentence(texts, [], "today")
    'The chances of football are closer to what happened than those of today'
    >>> first_sentence(texts, ["elo", "today"], "elo")
    'football, elo and today: nothing to choose between them'
    """
    best, *others = texts
    against = others[0] if reference == best else reference
    if against in rivals:
        return _undecided_text(best, [against, *(text for text in rivals if text != against)])
    gap = None if more_often is None else more_often(best, against)
    lead = f"The chances of {best} are closer to what happened than those of {against}"
    if gap is not None and gap.mean is not None and gap.margin is not None and abs(gap.mean) > gap.margin:
        games = 100 if abs(gap.mean) >= 0.005 else 1000
        n = max(1, round(abs(gap.mean) * games))
        if gap.mean > 0:
            lead = f"Of {games:,} games {best} names the winner in {n} more than {against}"
        else:
            lead += f", though of {games:,} games it names the winner in {n} fewer"
    return f"{lead}; {_undecided_text(best, rivals)}" if rivals else lead


def _undecided_text(best: str, rivals: Sequence[str]) -> str:
    if len(rivals) < 3:
        *first, last = (best, *rivals)
        return f"{', '.join(first)} and {last}: nothing to choose between them"
    return f"{best}, {rivals[0]} and {len(rivals) - 1} others: nothing to choose between them"


ERROR = 0.05
"""Accepted chance of wrongly calling a method best."""


def answer(best: str, loss: float, against: Sequence[Paired], reference: str, games: str) -> str:
    """Returns the sentence with the measures behind the first sentence of a comparison.

    A method is called best only if it is better than every other one. Because it is selected from all of them, the
    p-values are adjusted for the number of comparisons, by Holm [1]_.

    Parameters
    ----------
    best : str
        The method with the least log loss.
    loss : float, nats a game
        Its log loss.
    against : sequence of Paired
        The comparisons of `best` with every other method, in order of the others' log losses.
    reference : str
        The method over which the lead is stated, if the best method is better than all others.
    games : str
        Number of games, in words.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6
       (1979), p. 65-70.
    """
    if not against:
        return f"{best}: log loss {loss:.4f} over {games}"
    rivals = indistinct(best, against)
    if not rivals:
        named = next((pair for pair in against if reference in (pair.one, pair.other)), against[0])
        lead = f"{_lead_text(named, best)}{_multiple_text(len(against))}"
        return f"{best} forecasts best: log loss {loss:.4f} over {games}; {lead}"
    nearest = rivals[0]
    further = [pair.other if pair.one == best else pair.one for pair in rivals[1:]]
    others = f"; nor can it be distinguished from {_others(further)}" if further else ""
    plain = (
        nearest.verdict
        if nearest.better is None
        else f"{nearest.verdict}, which is too little for the best of several methods"
    )
    return f"no difference can be seen in {games}: {best} has the least log loss, {loss:.4f}, but {plain}{others}"


def _others(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{len(texts)} others"


def indistinct(best: str, against: Sequence[Paired]) -> list[Paired]:
    """Returns the comparisons in which, with Holm's correction, the best method is not shown to be better."""
    doubts = {pair: 1.0 if pair.estimate.p_value is None else pair.estimate.p_value for pair in against}
    shown = set()
    for left, pair in zip(range(len(against), 0, -1), sorted(doubts, key=doubts.__getitem__), strict=True):
        if doubts[pair] > ERROR / left:
            break
        shown.add(pair)
    return [pair for pair in against if pair not in shown or pair.better != best]


def _lead_text(pair: Paired, best: str) -> str:
    return pair.verdict.removeprefix(f"{best} is ")


def _multiple_text(others: int) -> str:
    if others == 1:
        return ""
    return f", and better than each of the {others} others (with Holm's correction)"
