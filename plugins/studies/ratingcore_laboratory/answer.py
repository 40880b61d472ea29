"""The answer of a study in a few sentences: which contender is nearest to the truth, and which orders players best."""

from collections.abc import Sequence

import numpy as np

from ratingcore.plugin import Floats
from ratingcore_laboratory.trial import Trial


def answer(trials: Sequence[Trial]) -> str:
    """The result of some runs of one world, in sentences."""
    first, n = trials[0], len(trials)
    off = last(trials, "mean")
    if not np.isfinite(off).any():
        return f"There is no result for {first.world}: nobody with a rating is left after {_rounds(first)}."
    center = _means(off)
    order = [number for number in np.argsort(center).tolist() if np.isfinite(center[number])]
    best = order[0]
    name = first.contenders
    over = (
        f"; lowest and highest over {n} seeds: {off[:, best].min():.1f} and {off[:, best].max():.1f}" if n > 1 else ""
    )
    sentences = [
        f"After {_rounds(first)} of {first.world}, the ratings of {name[best]} are {center[best]:.1f} points off the "
        f"truth on average{over}."
    ]
    if others := order[1:]:
        behind = ", ".join(f"{name[number]} {center[number]:.1f}" for number in others)
        sentences[0] = f"{name[best]} comes nearest to the truth. {sentences[0]} The others: {behind}."
        nearer = int((off[:, best] < off[:, others[0]]).sum())
        sentences.append(
            f"It is ahead of {name[others[0]]} with {nearer} of {n} seeds."
            if n > 1
            else "This is one seed: with another one a small lead may be gone."
        )
        sentences += _ordering(trials, name, best)
    if missing := [name[number] for number in range(len(name)) if number not in order]:
        sentences.append(f"No result for {', '.join(missing)}: nobody is rated after the last round of some seed.")
    return " ".join(sentences)


def last(trials: Sequence[Trial], measure: str) -> Floats:
    """A measure after the last round: a row a seed, a column a contender."""
    return np.array([[trial.series(name, measure)[-1] for name in trial.contenders] for trial in trials])


def _means(table: Floats) -> Floats:
    return np.asarray(table.sum(axis=0) / len(table))


def _ordering(trials: Sequence[Trial], name: Sequence[str], nearest: int) -> list[str]:
    kendall = _means(last(trials, "kendall"))
    if not np.isfinite(kendall).any():
        return []
    best = int(np.nanargmax(kendall))
    who = (
        f"{name[best]} puts them in the best order, too"
        if best == nearest
        else f"The best order is that of {name[best]}"
    )
    others = [
        f"{name[n]} {kendall[n]:.3f}" for n in np.argsort(-kendall).tolist() if n != best and kendall[n] == kendall[n]
    ]
    sentence = f"{who}: Kendall's correlation with the truth is {kendall[best]:.3f}"
    return [f"{sentence}; {', '.join(others)}." if others else f"{sentence}."]


def _rounds(trial: Trial) -> str:
    return "1 round" if trial.rounds == 1 else f"{trial.rounds} rounds"
