"""A simulated league as a log: replayed, it gives the ratings that the laboratory has."""

import numpy as np
import pytest
from ratingcore_laboratory import Laboratory, Trial, write
from ratingcore_laboratory.as_log import player

from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.plugins.laboratory.making import SMALL, contender, method, run

EXACT = [
    "elo:initial=1100", "elo:k=fide2014", "adaptive-k", "chess-bayes", "elo:period=month", "dwz:period=month",
    "egf:period=month", "periodic", "berkin:prior_draws=2", "elo:k=czech,initial=1100,floor=0,entry=trial(15)",
    "adaptive-k:entry=trial(9)", "elo:entry=trial(5,fide2014)",
    "elo:initial=1100,entry=pooled(5,26)", "elo:k=fide2014,entry=pooled(9,2,fide2014)",
    "adaptive-k:entry=pooled(3,1)", "elo:period=month,entry=pooled(12,3)", "periodic:entry=pooled(4,2,fide2024)",
    "elo-margin:initial=1100", "elo-margin:entry=trial(15)", "elo-margin:entry=pooled(6,4)",
]  # fmt: skip


def archive(trial: Trial, **asked: str) -> Engine:
    log = SqliteLog(":memory:")
    write(trial, log, **asked)
    return Engine(log, Registry.installed())


def differing(engine: Engine, pool: str, text: str, trial: Trial) -> list[str]:
    """Players whose rating in a replay is not to the bit the one of the laboratory."""
    replay = engine.core.replay(pool, method(text))
    width, estimated = len(str(len(trial.people) - 1)), trial.standings[0].estimated
    known = {player(who, width): rating for who, rating in enumerate(estimated.tolist())}
    names = replay.view.names()
    assert set(names) == {player(who, width) for who in np.flatnonzero(_appeared(trial)).tolist()}
    made = replay.state["rating"]
    kept = np.array([known[name] for name in names])
    same = (made == kept) | (np.isnan(made) & np.isnan(kept))
    return [names[row] for row in np.flatnonzero(~same).tolist()]


def _appeared(trial: Trial) -> np.ndarray:
    standing = trial.standings[0]
    given = np.concatenate([part.begun for part in standing.round_results] or [np.empty(0, int)])
    entered = [part.entries.a[:, 0] for part in standing.round_results if part.entries is not None]
    appeared = standing.games > 0
    appeared[np.concatenate([given, *entered]).astype(int)] = True
    return appeared


@pytest.mark.parametrize("text", EXACT)
def test_a_replay_of_the_log_gives_the_ratings_of_the_laboratory_to_the_bit(text: str) -> None:
    trial = run(text, keep=True, games_mean=4.0)
    assert differing(archive(trial), "world", text, trial) == []


def test_a_start_is_a_seed() -> None:
    text = "elo:preset=fide"
    trial = Laboratory(SMALL, [contender(text, start=1500.0)], 2, keep=True).run()
    assert differing(archive(trial), "world", text, trial) == []


def test_sides_are_sessions() -> None:
    text = "bridge-bayes:initial=1100"
    trial = run(text, keep=True, seats=2)
    engine = archive(trial, pool="pairs")
    assert differing(engine, "pairs", text, trial) == []
    assert {event.kind for _, event in engine.events()} == {"session"}


def test_written_again_nothing_is_added_and_a_batch_is_a_round() -> None:
    trial, log = run("elo", keep=True), SqliteLog(":memory:")
    head = write(trial, log)
    assert write(trial, log) == head
    assert len(list(log.batches())) == SMALL.rounds
    assert head.position == sum(m.games for m in trial["elo"].measures)


def test_the_chosen_contender_is_written_into_the_chosen_pool() -> None:
    trial = run("elo", "adaptive-k", keep=True)
    engine = archive(trial, contender="adaptive-k", pool="rapid")
    assert engine.pools() == ["rapid"] or tuple(engine.pools()) == ("rapid",)
    assert engine.log.head.position == sum(m.games for m in trial["adaptive-k"].measures)


def test_without_kept_results_or_with_an_unknown_contender_nothing_is_written() -> None:
    log = SqliteLog(":memory:")
    with pytest.raises(BadValue, match="keep=True"):
        write(run("elo"), log)
    with pytest.raises(BadValue, match="contender"):
        write(run("elo", keep=True), log, contender="glicko")
    assert log.head.position == 0
