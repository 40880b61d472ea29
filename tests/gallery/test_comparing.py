"""One archive compared: tuned on the training part alone, scored on the test part, with intervals even if short."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from gallery.archives import Archive, Candidate
from gallery.comparing import Result, compared
from gallery.intervals import Drawn
from gallery.reading import POOL
from ratingcore import Engine
from ratingcore.compare.clusters import Clusters

SPLIT = date(2024, 3, 1)


def archive(*candidates: Candidate, turned: bool = False) -> Archive:
    """Two months of games between twelve players, those before the split as they were, later ones turned if asked."""

    def read(engine: Engine, paths: Mapping[str, Path]) -> None:
        draw, games = np.random.default_rng(5), []
        for n in range(600):
            day = date(2024, 1, 31) + timedelta(days=n // 10)
            a, b = draw.choice(12, 2, replace=False).tolist()
            won = float(draw.random() < 1.0 / (1.0 + 10.0 ** ((b - a) / 5.0)))
            score = 1.0 - won if turned and day >= SPLIT else won
            games.append({"a": f"p{a}", "b": f"p{b}", "played": day.isoformat(), "score": score})
        engine.import_file(games, pool=POOL, name="games")

    return Archive("made-up", "Made up", "", (), "", "", read, SPLIT.isoformat(), candidates)


ELO = Candidate("elo", {"k": "8:72:16"})
GLICKO = Candidate("glicko:period=days(1)", {"deviation": ("50", "350")})


@pytest.fixture(scope="module")
def made() -> Result:
    return compared(archive(ELO, GLICKO, Candidate("elo-margin")), Path())


def test_what_is_played_in_the_test_does_not_choose_parameters(made: Result) -> None:
    turned = compared(archive(ELO, GLICKO, turned=True), Path())
    assert {row.text for row in turned.rows} == {row.text for row in made.rows}
    assert {row.log_loss for row in turned.rows}.isdisjoint(row.log_loss for row in made.rows)


def test_only_the_test_is_scored(made: Result) -> None:
    assert (made.results, made.tested, made.scored) == (600, 300, 300)
    assert made.players == 12
    assert (made.first, made.last) == ("2024-01-31", "2024-03-30")


def test_a_method_that_cannot_read_the_results_is_named_with_the_reason(made: Result) -> None:
    assert [row.label for row in made.rows if row.label == "elo-margin"] == []
    assert made.left_out["elo-margin"]


def test_a_test_of_a_month_has_intervals_by_players(made: Result) -> None:
    best, other = made.rows
    assert made.by == "12 players"
    assert best.low < best.log_loss < best.high
    assert other.behind == pytest.approx(other.log_loss - best.log_loss, abs=2e-6)
    assert other.behind_margin > 0.0
    gain = made.gain("glicko", "elo")
    assert gain is not None
    assert abs(gain.gain) == pytest.approx(other.behind, abs=2e-6)


def test_a_method_before_tuning_is_scored_on_the_same_games(made: Result) -> None:
    again = compared(archive(Candidate("elo:k=20"), GLICKO), Path()).row("elo")
    row = made.row("elo")
    assert row is not None
    assert again is not None
    assert row.as_it_comes == again.log_loss


def test_the_bootstrap_draws_players() -> None:
    a, b = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3])
    clusters = Clusters(a, b, np.arange(4), np.zeros(4, dtype=np.int64))
    loss = {"one": np.array([1.0, 2.0, 3.0, 6.0]), "even": np.full(4, 0.5)}
    drawn, again = (Drawn.of(clusters, loss, rounds=200, seed=seed) for seed in (1, 1))
    assert drawn.mean == {"one": 3.0, "even": 0.5}
    assert np.array_equal(drawn.rounds["one"], again.rounds["one"])
    assert drawn.players == 4
    assert drawn.loss("even").margin == pytest.approx(0.0, abs=1e-12)
    random = np.random.default_rng(1)
    for mean in drawn.rounds["one"][:20]:  # the same draws, player by player
        while True:
            times = np.bincount(random.integers(4, size=4), minlength=4)
            weight = [float(times[i] * times[j]) for i, j in zip(a, b, strict=True)]
            if sum(weight):
                break
        assert mean == pytest.approx(np.average(loss["one"], weights=weight))
