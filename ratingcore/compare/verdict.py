"""The answer of a comparison in a sentence: which method forecasts best, if the games can tell."""

from collections.abc import Sequence

from ratingcore.compare.pairs import Paired

ERROR = 0.05
"""Chance of calling a method best that is not."""


def answer(best: str, loss: float, against: Sequence[Paired], reference: str, games: str) -> str:
    """The sentence that a comparison begins with.

    A method is called best only if it is better than every other one. It was chosen by looking at all of them, so the
    chances of an error are adjusted for as many comparisons, by Holm [1]_.

    Parameters
    ----------
    best : str
        The method with the least log loss.
    loss : float, nats a game
        Its log loss.
    against : sequence of Paired
        It against every other method, in order of their log losses.
    reference : str
        The method that is named where the best one is better than all.
    games : str
        How many games there were, in words.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6
       (1979), p. 65-70.
    """
    if not against:
        return f"{best}: log loss {loss:.4f} over {games}"
    rivals = not_told_apart(best, against)
    if not rivals:
        named = next((pair for pair in against if reference in (pair.one, pair.other)), against[0])
        return f"{best} forecasts best: log loss {loss:.4f} over {games}; {_margin(named, best)}{_chosen(len(against))}"
    nearest = rivals[0]
    others = f"; nor can it be told from {len(rivals) - 1} more" if len(rivals) > 1 else ""
    plain = nearest.verdict if nearest.better is None else f"{nearest.verdict}, too little for the best of several"
    return f"no difference can be told from {games}: {best} has the least log loss, {loss:.4f}, but {plain}{others}"


def not_told_apart(best: str, against: Sequence[Paired]) -> list[Paired]:
    """The comparisons that do not show, with all of them taken together, that the best method is better."""
    doubts = {pair: 1.0 if pair.estimate.p_value is None else pair.estimate.p_value for pair in against}
    shown = set()
    for left, pair in zip(range(len(against), 0, -1), sorted(doubts, key=doubts.__getitem__), strict=True):
        if doubts[pair] > ERROR / left:
            break
        shown.add(pair)
    return [pair for pair in against if pair not in shown or pair.better != best]


def _margin(pair: Paired, best: str) -> str:
    return pair.verdict.removeprefix(f"{best} is ")


def _chosen(others: int) -> str:
    if others == 1:
        return ""
    return f", and better than each of the {others} others, all taken together (Holm)"
