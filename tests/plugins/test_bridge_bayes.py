"""Bridge: the worked numbers of the README, drift, all covariances, refusals, and the laws of a continuous rating."""

from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes, condition, deviation_of
from ratingcore_bridge_bayes.sample_sessions import sessions

import ratingcore as rc
from ratingcore.errors import BadField, BadResult, OddResults
from ratingcore.methods.text import build
from ratingcore.plugin import DAY, Floats, Sides, State
from ratingcore.testing import method_checks
from tests.plugins.bridge_tables import DIAG, FIELD, FIXED, FULL, RATINGS, TABLE, known, played


@method_checks(
    BridgeBayes(),
    BridgeBayes(drift_var=25.0, per="board", tau=1.5),
    BridgeBayes(unit="imp", k=0.004, per="board", drift_var=4.0),
    BridgeBayes(tracking="fixed"),
    BridgeBayes(tracking="full", drift_var=9.0, players=120),
)
def test_the_laws_are_kept(law: Any, method: BridgeBayes) -> None:
    law(method)


# the closed form


@pytest.mark.parametrize(
    ("tracking", "rating", "variance"),
    [("full", 1511.577424, 39768.451520), ("diag", 1511.605805, 39765.736700), ("fixed", None, 40000.0)],
)
def test_three_results_of_one_table(tracking: Any, rating: float | None, variance: float) -> None:
    """`fixed` is Elo with K = k sigma2^2 / V."""
    state = played(BridgeBayes(sigma1=12.0, tracking=tracking), [56.0, 61.0, 47.0]).state
    if rating is None:
        rating, other = 1500.0, 1500.0 + 1400.0 - 1600.0 - 1550.0
        k = 4.0 / 1500.0
        step = k * 200.0**2 / (12.0**2 + 4.0 * k**2 * 200.0**2)
        for score in (56.0, 61.0, 47.0):
            move = step * (score - 50.0 - k * other)
            rating, other = rating + move, other - 1500.0 + 1500.0 + 4.0 * move
    assert state["rating"][0] == pytest.approx(rating, abs=5e-7)
    assert state["deviation"][0] ** 2 == pytest.approx(variance, abs=5e-7)


def test_a_session_of_boards_is_its_boards_one_by_one() -> None:
    """The mean with sigma1 / sqrt(m), the same as `full` board by board."""
    whole = played(BridgeBayes(sigma1=12.0, per="board"), [164.0 / 3.0], boards=[3.0]).state
    boards = played(BridgeBayes(sigma1=12.0, per="board", tracking="full"), [56.0, 61.0, 47.0]).state
    assert whole["rating"] == pytest.approx(boards["rating"])
    assert whole["deviation"] ** 2 == pytest.approx([39768.451520] * 4, abs=5e-7)


def test_imps_are_totals_over_the_boards() -> None:
    method = BridgeBayes(unit="imp", k=0.004, per="board", tau=0.5)
    rated = played(method, [24.0], boards=[12.0])
    assert rated.expected == pytest.approx([-12.0, 12.0])
    assert rated.notes["variance"] == pytest.approx([36.0 / 12.0 + 0.25 + 4.0 * 0.004**2 * 200.0**2])
    assert rated.state["rating"][0] - 1500.0 == pytest.approx(0.004 * 200.0**2 / rated.notes["variance"][0] * 3.0)


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
def test_only_the_difference_of_two_scores_is_read(tracking: Any) -> None:
    """An award of 60 % to both sides says that they were equal."""
    method = BridgeBayes(tracking=tracking)
    start = known(method, [1500.0] * 4)
    assert method.rate(start, sessions([(TABLE, [60.0, 60.0])])).change.tolist() == [0.0] * 4
    one, other = (method.rate(start, sessions([(TABLE, scores)])).change for scores in ([58.0, 48.0], [55.0, 45.0]))
    assert one.tolist() == other.tolist()


# drift


def test_an_idle_player_grows_less_certain_on_the_list_and_in_the_next_result() -> None:
    for tracking in ("diag", "full"):
        method = BridgeBayes(drift_var=16.0, tracking=tracking)  # type: ignore[arg-type]  # a word
        once = played(method, [55.0], days=[100.0]).state
        shown = method.show(once, (100 + 50) * DAY)["deviation"]
        assert shown == pytest.approx(np.sqrt(once["deviation"] ** 2 + 16.0 * 50.0))
        assert method.show(once, 90 * DAY)["deviation"] == pytest.approx(once["deviation"])
        again = method.rate(once, sessions([(TABLE, [50.0, 50.0])], days=[150.0]))
        assert again.notes["variance"] == pytest.approx(36.0 + method.k**2 * float((shown**2).sum()), rel=1e-3)


def test_variances_settle_where_drift_and_results_balance() -> None:
    """q dt = k^2 s^4 / (sigma1^2 + 4 k^2 s^2)."""
    method = BridgeBayes(drift_var=20.0)
    state = played(method, [50.0] * 20_000, days=np.arange(20_000.0).tolist()).state
    before = method.variances(state, 20_000 * DAY)[0]
    assert method.k**2 * before**2 / (36.0 + 4.0 * method.k**2 * before) == pytest.approx(20.0, rel=1e-6)


def test_full_does_not_depend_on_order_and_diag_does() -> None:
    rng = np.random.default_rng(5)
    tables = [([seats[:2], seats[2:4]], [s, 100.0 - s]) for seats, s in
              ((rng.permutation(6).tolist(), float(rng.normal(50.0, 6.0))) for _ in range(12))]  # fmt: skip
    ends = {}
    for method in (DIAG, FULL):
        one, other = (
            method.show(method.rate(known(method, [1500.0] * 6), sessions(order)).state, 0)["rating"]
            for order in (tables, tables[::-1])
        )
        ends[method.tracking] = float(np.abs(one - other).max())
    assert ends["full"] < 1e-9
    assert ends["diag"] > 1e-3


def test_what_others_do_moves_an_idle_player_on_the_list_and_is_told_at_his_next_result() -> None:
    """0 and 1 beat 2 and 3; then 1 loses to 4 and 5 with 6: so it was 0 who was strong."""
    first, second = (TABLE, [65.0, 35.0]), ([[1, 6], [4, 5]], [35.0, 65.0])
    third = ([[0, 6], [2, 5]], [50.0, 50.0])
    start = known(FULL, [1500.0] * 7)
    after_first = FULL.rate(start, sessions([first])).state
    after = FULL.rate(after_first, sessions([second])).state
    assert after["rating"][0] == after_first["rating"][0]
    shown = FULL.show(after, 0)
    assert shown["rating"][0] > after["rating"][0]
    assert shown["deviation"][0] < after["deviation"][0]
    rated = FULL.rate(after, sessions([third]))
    (told,) = rated.before.values()
    assert list(rated.before) == ["results of others"]
    assert told[0] == pytest.approx(shown["rating"][0] - after["rating"][0])
    assert rated.expected[0] == FULL.expected(after, sessions([third]).withheld()).expected[0]


def test_partners_who_never_part_are_known_together_only() -> None:
    """The sum is learnt, the difference keeps its prior variance."""
    state = played(FULL, [55.0, 52.0, 60.0, 58.0] * 50).state
    pair, apart = deviation_of(FULL, state, [0, 1], 0), deviation_of(FULL, state, [0], 0, [1])
    assert pair < 240.0 < 200.0 * 2**0.5
    assert apart == pytest.approx(200.0 * 2**0.5)
    diag = played(DIAG, [55.0]).state
    assert deviation_of(DIAG, diag, [0, 1], 0) == pytest.approx(float(np.hypot(*diag["deviation"][:2])))


def test_a_seed_cuts_what_was_known_through_others() -> None:
    """A player without a last day, as a seed leaves them, is described by their own columns alone."""
    state = played(FULL, [65.0]).state
    rating, deviation, last = (state.copy(name) for name in ("rating", "deviation", "last"))
    rating[0], deviation[0], last[0] = 1700.0, 50.0, np.nan
    seeded = state.replace(rating=rating, deviation=deviation, last=last)
    later = FULL.rate(seeded, sessions([([[1], [2]], [70.0, 30.0])])).state
    shown = FULL.show(later, 0)
    assert (shown["rating"][0], shown["deviation"][0]) == (1700.0, 50.0)
    again = FULL.rate(later, sessions([([[0], [3]], [50.0, 50.0])]))
    v = 36.0 + FULL.k**2 * (50.0**2 + FULL.covariances(later, 0)[3, 3])
    assert again.notes["variance"][0] == pytest.approx(v)


def test_rounding_leaves_the_covariance_symmetric_and_positive() -> None:
    method = BridgeBayes(tracking="full", sigma1=0.01, players=8)
    rng = np.random.default_rng(8)
    tables = [([s[:2], s[2:4]], [50.0 + 5.0 * x, 50.0 - 5.0 * x]) for s, x in
              ((rng.permutation(8).tolist(), float(rng.normal())) for _ in range(400))]  # fmt: skip
    covariance = method.rate(known(method, [1500.0] * 8), sessions(tables)).state["covariance"][0]
    assert np.array_equal(covariance, covariance.T)
    assert np.linalg.eigvalsh(covariance).min() > 0.0


def test_conditioning_agrees_with_quadrature() -> None:
    """A Gauss-Hermite product rule over four strengths."""
    x, w = np.polynomial.hermite_e.hermegauss(24)
    mean, deviation = np.array(RATINGS), np.array([100.0, 300.0, 200.0, 200.0])
    grid: list[Floats] = np.meshgrid(*(m + d * x for m, d in zip(mean, deviation, strict=True)), indexing="ij")
    weight = np.einsum("i,j,k,l->ijkl", w, w, w, w)
    k = 4.0 / 1500.0
    density = weight * np.exp(-((10.0 - k * (grid[0] + grid[1] - grid[2] - grid[3])) ** 2) / 200.0)
    numeric = [float((density * strength).sum() / density.sum()) for strength in grid]
    covariance = np.diag(deviation**2)
    condition(mean, covariance, np.arange(4), k * np.array([[1.0, 1.0, -1.0, -1.0]]), np.array([10.0]), 100.0)
    assert mean == pytest.approx(numeric, abs=1e-8)


def error(kind: type[Exception], method: BridgeBayes, results: Sides) -> str:
    with pytest.raises(kind) as caught:
        method.rate(known(method, [1500.0] * 8), results)
    return str(caught.value)


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
def test_what_does_not_fit_is_named_with_its_place(tracking: Any) -> None:
    method = BridgeBayes(tracking=tracking, per="board")
    good = (TABLE, [55.0, 45.0])
    told = error(BadResult, method, sessions([good, ([[0, 1], [2]], [55.0, 45.0])]))
    assert told.endswith("position 2: its sides must have equally many players, and have 2 and 1")
    told = error(BadField, method, sessions([good, good], boards=[3.0, 0.0]))
    assert told == "bridge-bayes: field boards must be above zero at position 2: 0.0"
    told = error(BadField, method, sessions([good, (FIELD[:3], [50.0] * 3)], first_line=[0, 3]))
    assert told.endswith("must be a whole number from 1 to 2, since both lines need a side at position 2: 3.0")
    assert "first_line" in error(BadField, method, sessions([(FIELD[:3], [50.0] * 3)], first_line=[1.5]))  # type: ignore[list-item]  # what is refused


@pytest.mark.parametrize("method", ["bridge-bayes", "bridge-bayes:tracking=full", "bridge-bayes:tracking=fixed"])
def test_a_game_is_left_out_of_a_list_and_its_forecast_is_refused(method: str) -> None:
    with rc.open(":memory:") as engine:
        pairs = [rc.Side(["ann", "bo"], 54.0), rc.Side(["cy", "di"], 46.0)]
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-01", sides=pairs))
        without = engine.rating_list("club", method)
        engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=0.7))
        kind, view = engine.registry.method(method), engine.core.view("club")
        told = "it is a game, and scores of games are shares of a point, not percents"
        assert [list(row.values()) for row in engine.rating_list("club", method)] == [
            list(row.values()) for row in without
        ]
        with pytest.raises(OddResults, match="1 result"):
            engine.rating_list("club", method, strict=True)
        with pytest.raises(BadResult, match=f"at position 2: {told}"):
            kind.expected(State.start(kind.columns(), 4), view.sides(kind.needs, kind.name).withheld())


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
@pytest.mark.parametrize("scores", [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)])
@pytest.mark.parametrize("seats", [([["ann", "bo"], ["cy", "di"]]), ([["ann"], ["bo"]])])
def test_a_session_of_few_imps_is_no_game(tracking: str, scores: tuple[float, float], seats: list[list[str]]) -> None:
    """A session of 1 : 0 or 0.5 : 0.5 IMPs was refused as a game, with the advice to record it as a session."""
    with rc.open(":memory:") as engine:
        sides = [rc.Side(names, score) for names, score in zip(seats, scores, strict=True)]
        data = {"unit": "imp", "boards": 16}
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-02", sides=sides, data=data))
        listed = engine.rating_list("club", f"bridge-bayes:preset=imp,k=0.004,tracking={tracking}")
    n, surprise = 2 * len(seats[0]), 0.5 * (scores[0] - scores[1]) / 16.0
    step = 0.004 * 200.0**2 / (36.0 / 16.0 + n * 0.004**2 * 200.0**2) * surprise
    assert {row["player"]: row["rating"] for row in listed} == pytest.approx(
        {name: 1500.0 + (step if side == 0 else -step) for side, names in enumerate(seats) for name in names},
        abs=1e-4,
    )


def test_presets_and_defaults_follow_the_unit() -> None:
    percent, imp = (build(BridgeBayes, {"preset": name, "k": "0.004"}) for name in ("percent", "imp"))
    assert (percent.s0, percent.per, percent.k) == (50.0, "session", 0.004)  # type: ignore[attr-defined]  # a BridgeBayes
    assert (imp.s0, imp.per, imp.sigma1) == (0.0, "board", 6.0)  # type: ignore[attr-defined]  # a BridgeBayes
    assert BridgeBayes() == BridgeBayes(**BridgeBayes.presets["percent"])
    assert BridgeBayes(unit="imp", k=1.0).s0 == 0.0


def test_a_pool_too_large_for_full_is_refused_and_told_how_to_go_on() -> None:
    with pytest.raises(BadResult, match="position 1: the pool has 4 players, and tracking=full room for 3: raise play"):
        played(BridgeBayes(tracking="full", players=3), [55.0])


def test_only_full_needs_an_excuse() -> None:
    assert [list(method.excuses) for method in (FIXED, DIAG, FULL)] == [[], [], ["relabelling", "rows"]]
