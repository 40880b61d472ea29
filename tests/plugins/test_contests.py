"""Codeforces and Elo-MMR: published numbers, what a long history is worth, what is refused."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from ratingcore_contests import Codeforces, EloMmr
from ratingcore_contests.chances import leads
from ratingcore_contests.contest_seeds import beaten
from ratingcore_contests.field import expected_leads, performed
from ratingcore_contests.performances import Q, performances

from ratingcore.errors import BadResult
from ratingcore.plugin import Sides, Span, State
from ratingcore.testing import Law, method_checks
from tests.golden.fields import contest
from tests.plugins.test_codeforces import expected_changes

ROUND = Path(__file__).parents[2] / "fixtures" / "archives" / "codeforces" / "round-1349.csv.gz"


def test_a_contest_as_the_site_rated_it() -> None:
    """fixtures/archives/codeforces: every change of 1,248 participants."""
    with gzip.open(ROUND, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    order = sorted({(-float(row["points"]), float(row["penalty"])) for row in rows})
    place = {key: n for n, key in enumerate(order)}
    ranks = [place[-float(row["points"]), float(row["penalty"])] for row in rows]
    method = Codeforces()
    start = State.start(method.columns(), len(rows))
    start = start.replace(rating=np.array([float(row["old_rating"]) for row in rows]))
    change = method.rate(start, contest(range(len(rows)), ranks)).change
    assert len(rows) == 1248
    assert change.tolist() == [float(row["published_delta"]) for row in rows]


def test_a_short_history_is_nearly_the_whole_one() -> None:
    rng = np.random.default_rng(2)
    ends = []
    for history in (200, 40, 12):
        method = EloMmr(history=history)
        state = State.start(method.columns(), 6)
        rng = np.random.default_rng(2)
        for _ in range(80):
            state = method.rate(state, contest(range(6), rng.permutation(6).tolist())).state
        ends.append(state["rating"])
    assert ends[1] == pytest.approx(ends[0], abs=1e-3)
    assert ends[2] == pytest.approx(ends[0], abs=5.0)
    assert (state["deviation"] > 80.0).all()
    assert (state["deviation"] < 81.0).all()


def test_contests_in_which_everybody_ties_may_be_ignored() -> None:
    method = EloMmr(skip_ties=True)
    start = State.start(method.columns(), 3)
    after = method.rate(start, contest(range(3), [1, 1, 1])).state
    assert after["deviation"].tolist() == [350.0] * 3
    assert EloMmr().rate(start, contest(range(3), [1, 1, 1])).state["deviation"][0] < 350.0


@pytest.mark.parametrize("method", [Codeforces(), EloMmr()])
def test_teams_are_refused(method: Codeforces | EloMmr) -> None:
    at = np.ones(1, dtype=np.int64)
    pairs = Sides(
        np.array([0, 2]), np.array([0, 2, 4]), np.arange(4, dtype=np.int32), np.array([1.0, 0.0]), at, at, Span(0, 2)
    )
    with pytest.raises(BadResult, match="each side must be a single player, and one has 2"):
        method.rate(State.start(method.columns(), 4), pairs)


def test_lists_show_what_the_authors_show() -> None:
    method = EloMmr()
    assert method.show(State.start(method.columns(), 1), 0)["shown"].tolist() == [1500.0 - 3.0 * 270.0]


@method_checks(Codeforces(), Codeforces(initial=0.0))
def test_codeforces_keeps_the_laws(law: Law, method: Codeforces) -> None:
    law(method)


@method_checks(EloMmr(), EloMmr(history=2, skip_ties=True))
def test_elo_mmr_keeps_the_laws(law: Law, method: EloMmr) -> None:
    law(method)


@pytest.mark.parametrize("scores", [200, 3])
def test_large_fields_perform_as_small_ones_do(scores: int) -> None:
    """By series and by sums over everybody, ties and all."""
    rng = np.random.default_rng(4)
    mean, width = rng.normal(1500.0, 400.0, 300), Q / rng.uniform(200.0, 400.0, 300)
    score = rng.integers(0, scores, 300).astype(np.float64)
    found, direct = np.empty(300), np.empty(300)
    performed(mean, width, score, found)
    performances(mean, width, score, direct)
    assert (found != direct).any()
    assert found == pytest.approx(direct, abs=1e-8)


@pytest.mark.parametrize(("far", "deviations"), [(100.0, (80.0, 90.0)), (400.0, (80.0, 350.0)), (0.0, (350.0, 350.0))])
def test_chances_in_large_fields_are_those_of_all_pairs(far: float, deviations: tuple[float, float]) -> None:
    rng = np.random.default_rng(5)
    mean, variance = rng.normal(1500.0, far, 1500), rng.uniform(*deviations, 1500) ** 2
    found, gap = np.empty(1500), mean[:, None] - mean
    expected_leads(mean, variance, 38_400.0, found)
    width = np.sqrt(variance[:, None] + variance + 2.0 * 38_400.0)
    assert found == pytest.approx((1.0 / (1.0 + np.exp(-Q * gap / width))).sum(axis=1) - 0.5, rel=1e-11)
    leads(mean[:40], variance[:40], 38_400.0, np.empty(40), found[:40])
    assert found[:40].sum() == pytest.approx(40 * 39 / 2)


def test_a_field_is_expected_to_beat_what_all_its_pairs_say() -> None:
    rating = np.random.default_rng(6).integers(-500, 3500, 301).astype(np.float64)
    chances = 1.0 / (1.0 + 10.0 ** ((rating[:, None] - rating) / 400.0))
    assert beaten(rating) == pytest.approx(chances.sum(axis=1) - 0.5, rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 25, 60, 400, 2000])
def test_of_equal_ratings_at_the_cut_those_who_fared_best_are_among_the_highest_rated(n: int) -> None:
    """Taking those who fared worst moved all 13,965 of a published round by 10 points."""
    rng, method = np.random.default_rng(n), Codeforces()
    old, places = rng.choice([1400.0, 1400.0, 1400.0, 1500.0, 1700.0], n), np.arange(n)  # rows sorted by points
    start = State.start(method.columns(), n).replace(rating=old)
    assert (
        np.asarray(method.rate(start, contest(range(n), places.tolist())).change).tolist()
        == expected_changes(old, -places).tolist()
    )
