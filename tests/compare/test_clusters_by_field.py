"""Intervals of comparisons by clusters of a field of results: votes of one judge may be wrong together."""

import re
from math import sqrt

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.special import stdtrit

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.columns import Floats
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.losses import losses
from ratingcore.compare.played import Played
from ratingcore.errors import UnknownName


def votes(engine: rc.Engine, judges: int, n: int = 400) -> None:
    """Votes of some judges for four models, in one week; each third one has no judge."""
    random = np.random.default_rng(8)
    games = []
    for i in range(n):
        a, b = random.choice(4, 2, replace=False).tolist()
        data = {"judge": f"j{random.integers(judges)}"} if i % 3 or judges < 10 else {}
        won = float(random.random() < 1.0 / (1.0 + np.exp(0.5 * (a - b))))
        games.append(
            rc.GamePlayed(
                pool="p", uid=f"v{i}", played=f"2024-03-0{1 + i % 7}", a=f"m{a}", b=f"m{b}", score=won, data=data
            )
        )
    engine.record(*games)


def test_an_interval_is_that_of_the_sums_of_the_clusters() -> None:
    """The jackknife of Bell and McCaffrey with Student's t of as many clusters of equal size, written out."""
    with rc.open(":memory:") as engine:
        votes(engine, 20)
        compared = engine.compare("p", ["elo", "elo:k=60"], clusters="judge")
        view = engine.core.view("p")
        played = Played.of(view)
        code, _ = view.labels("judge", played.position)

        def loss(text: str) -> Floats:
            return losses(forecast(engine.registry.method(text), view, None, text).expected, played.score)

        gap = loss("elo") - loss("elo:k=60")
    group = np.where(code > 0, code, 100 + np.arange(len(code)))
    rest, size = [], []
    for one in np.unique(group):
        mine = group == one
        rest.append((gap[mine] - gap.mean()).sum() / (1.0 - mine.mean()))
        size.append(mine.sum())
    like = sum(size) ** 2 / np.square(size).sum()
    half = stdtrit(like - 1.0, 0.975) * sqrt(np.square(rest).sum()) / len(gap)
    (row,) = [row for row in compared.pairs if row["used"]]
    assert (row["by"], row["blocks"]) == ("judge", len(size))
    assert (row["low"], row["high"]) == pytest.approx((gap.mean() - half, gap.mean() + half), rel=1e-9)
    facts = {fact["fact"]: fact["value"] for fact in compared.provenance}
    assert facts["intervals by"] == f"{len(size)} clusters of judge"


def test_fewer_than_ten_clusters_make_words_and_no_interval() -> None:
    with rc.open(":memory:") as engine:
        votes(engine, 9)
        compared = engine.compare("p", ["elo", "elo:k=60"], clusters="judge")
        said = "an interval needs ten clusters, and there are 9 clusters of judge"
        assert said in compared.measured
        assert [(row["by"], row["low"], row["high"]) for row in compared.pairs] == [("judge", None, None)]
        tuned = engine.tune("p", "elo", {"k": "10,60"}, clusters="judge")
        assert tuned.tested is not None
        assert said.replace("9 clusters", f"{tuned.tested.estimate.periods} clusters") in tuned.tested.verdict


def test_a_field_that_no_result_has_is_refused() -> None:
    with rc.open(":memory:") as engine:
        votes(engine, 9)
        with pytest.raises(UnknownName, match="jugde"):
            engine.compare("p", ["elo", "elo:k=60"], clusters="jugde")


def test_the_commands_say_how_many_clusters_there_are(tmp_path: str) -> None:
    log = f"{tmp_path}/arena.db"
    with rc.open(log) as engine:
        votes(engine, 20)
    asked = ["compare", log, "-m", "elo", "-m", "elo:k=60", "--clusters", "judge"]
    made = CliRunner().invoke(cli, asked)
    assert re.search(r"nats a game, by \d+ clusters of judge", made.output), made.output
    by_day = CliRunner().invoke(cli, [*asked[:-1], "day"])
    assert "there are 7 clusters of day" in by_day.output
    tuned = CliRunner().invoke(cli, ["tune", log, "-m", "elo", "-g", "k=10,60", "--clusters", "judge"])
    assert tuned.exit_code == 0, tuned.output
