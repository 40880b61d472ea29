"""A study: runs of one world with several seeds, every number in a table, the answer in a few sentences."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Floats
from ratingcore.plugin.reports import AsTables, Table
from ratingcore_laboratory.contender import Contender
from ratingcore_laboratory.run import trials
from ratingcore_laboratory.tabulated import (
    curves,
    distributions,
    extremes,
    followed,
    made_from,
    outcomes,
    players,
    rounds,
    runs,
)
from ratingcore_laboratory.thesis.claims import claims, errata, figures
from ratingcore_laboratory.thresholds import COLUMNS as THRESHOLD_COLUMNS
from ratingcore_laboratory.thresholds import Thresholds
from ratingcore_laboratory.trial import Trial
from ratingcore_laboratory.world import World


@frozen(eq=False, repr=False)
class Study(AsTables):
    """Contenders in one world, over several seeds.

    Tables of single players are of the first seed.

    Parameters
    ----------
    answer : str
        Which contender comes nearest to the truth, and by how much.
    world : World
    seeds : tuple of int
    contenders, identities : tuple of str
        Names, and methods with all their parameters.
    trials : tuple of Trial
        One for each seed.
    rounds : Table
        A row per round and contender: mean over the seeds, with the lowest and the highest, of every measure.
    runs : Table
        A row per seed, round and contender: every measure, and the players with the largest and the smallest deviation.
    outcomes : Table
        A row per contender, expected and actual outcome: number of results, and their share of the expected outcome.
    players : Table
        A row per contender and player: strength, ratings, games, results by expected and actual outcome, boosts.
    curves : Table
        A row per contender, followed player and round: true and estimated rating.
    extremes : Table
        A row per round and contender: the best and the worst estimated player, with true and estimated ratings.
    distributions : Table
        A row per contender and bin: number of players with a true, and with an estimated, rating in it.
    claims : Table
        Claims of the source study about this world, next to the results here.
    figures : Table
        The numbers of an independent program, next to these.
    thresholds : Table
        A row per round and threshold of C: mean deviation, lowest, highest, and the published number; empty unless
        played.
    errata : Table
        Errors of the source study that concern the simulation: what it prints, and what is right.
    provenance : Table
        A row per fact; all facts that are needed to repeat the study.
    command : str
        The command line that repeats it, if there is one.
    """

    answer: str
    world: World
    seeds: tuple[int, ...]
    contenders: tuple[str, ...]
    identities: tuple[str, ...]
    trials: tuple[Trial, ...]
    rounds: Table
    runs: Table
    outcomes: Table
    players: Table
    curves: Table
    extremes: Table
    distributions: Table
    claims: Table
    figures: Table
    thresholds: Table
    errata: Table
    provenance: Table
    command: str = ""

    @classmethod
    def of(
        cls, trials: Iterable[Trial], *, follow: Sequence[int] = (), command: str = "",
        thresholds: Thresholds | None = None,
    ) -> Self:  # fmt: skip
        """Makes a study of runs of one world.

        Parameters
        ----------
        trials : iterable of Trial
            The same world and contenders with different seeds; at least one.
        follow : sequence of int
            Ids of the players whose curves are tabulated; a few different ones if empty.
        command : str
            The command line that repeats the study.
        thresholds : Thresholds or None
            Runs of the same world with other thresholds of C.

        Raises
        ------
        BadValue
            If there is no run, if they are not of one world, or if a player is not in it.
        """
        every = tuple(trials)
        if not every:
            raise BadValue("trials", [], "must be one or more")
        first = every[0]
        for trial in every[1:]:
            if (trial.worlds, trial.contenders, trial.identities) != (first.worlds, first.contenders, first.identities):
                raise BadValue(
                    "trials", f"seed {trial.seed}", f"has another world or other contenders than seed {first.seed}"
                )
        chosen = followed(first, follow)
        held = claims(every, thresholds)
        tried = thresholds.columns() if thresholds else dict.fromkeys(THRESHOLD_COLUMNS, ())
        return cls(
            answer(every), first.world, tuple(trial.seed for trial in every), first.contenders, first.identities, every,
            Table("rounds", "Measures by round, over the seeds", lambda: rounds(every)),
            Table("runs", "Measures by seed and round", lambda: runs(every)),
            Table("outcomes", "What players should have done and what they did", lambda: outcomes(every)),
            Table("players", f"Every player, seed {first.seed}", lambda: players(first)),
            Table("curves", f"True and estimated ratings by round, seed {first.seed}", lambda: curves(first, chosen)),
            Table("extremes", f"The best and the worst estimated player, seed {first.seed}", lambda: extremes(first)),
            Table("distributions", f"True and estimated ratings, seed {first.seed}", lambda: distributions(first)),
            Table("claims", "What was claimed, and what came out", held),
            Table("figures", "Numbers of an independent program, and these", lambda: figures(every)),
            Table("thresholds", "Mean deviation of C by its threshold for a boost, over the seeds", tried),
            Table("errata", "What the source study prints, and what is right", errata(every)),
            Table("provenance", "What the study was made from", made_from(every)),
            command,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Study of {self.world}, seeds {', '.join(map(str, self.seeds))}: {', '.join(self.contenders)}>"

    def facts(self) -> dict[str, Any]:
        """Answer, world, seeds and contenders, by name."""
        return {
            "answer": self.answer, "world": str(self.world), "seeds": list(self.seeds),
            "contenders": dict(zip(self.contenders, self.identities, strict=True)),
        }  # fmt: skip

    def shown(self) -> tuple[Table, ...]:
        """Every measure round by round, claims, figures, provenance."""
        return self.rounds, self.claims, self.figures, self.provenance


def simulate(
    world: World,
    contenders: Sequence[Contender],
    seeds: Sequence[int] = (1,),
    jobs: int | None = 1,
    *,
    follow: Sequence[int] = (),
    thresholds: Thresholds | None = None,
) -> Study:
    """Plays a world with several seeds and measures how near each contender comes to the truth.

    Parameters
    ----------
    world : World
    contenders : sequence of Contender
    seeds : sequence of int
        Different ones; tables have a band over them.
    jobs : int or None
        Number of processes; -1 for the number of cores; None for the workers of `joblib.parallel_config`. Results do
        not depend on it.
    follow : sequence of int
        Ids of players whose curves are tabulated.
    thresholds : Thresholds or None
        Runs of the same world with other thresholds of C, as by `Thresholds.play`.

    Examples
    --------
    >>> from ratingcore.plugin.analysis import Registry
    >>> elo = Contender("elo", Registry.installed().method("elo:k=15,initial=1100"))
    >>> made = simulate(World(players=30, rounds=2, joining_mean=0, leaving_mean=0), [elo], seeds=[1, 2])
    >>> len(made.rounds), len(made.runs), made.seeds
    (2, 4, (1, 2))
    """
    return Study.of(trials(world, contenders, seeds, jobs, follow=follow), follow=follow, thresholds=thresholds)


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
    """A measure after the last round: a row per seed, a column per contender."""
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
