"""Parameters estimated on a log: by methods that can, with the seeds, the newcomers and the cut of a list."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve, frozen

import ratingcore as rc
from ratingcore.compare.fit import fittable
from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, CannotFit, NothingForecast
from ratingcore.log import SqliteLog
from ratingcore.plugin import Estimate, Fitted, Method, hookimpl
from ratingcore.registry import Registry
from tests.testing.liars import Honest

SCORES = (57.0, 44.5, 52.0, 48.0, 61.5, 39.0)


def club(registry: Registry | None = None) -> Engine:
    """A pool of six sessions of one table, a day each."""
    engine = Engine(SqliteLog(":memory:"), registry)
    for day, score in enumerate(SCORES, 1):
        pairs = [rc.Side(["ann", "bo"], score), rc.Side(["cy", "di"], 100.0 - score)]
        engine.record(rc.SessionPlayed(pool="club", played=f"2024-03-{day:02d}", sides=pairs))
    return engine


def sigma1(scores: Sequence[float]) -> float:
    """Of players who are known to be equal: the root of the mean square of what was not expected."""
    return float((sum((score - 50.0) ** 2 for score in scores) / len(scores)) ** 0.5)


def test_what_is_written_after_method_is_the_method_that_was_fitted() -> None:
    engine = club()
    fit = engine.fit("club", "bridge-bayes:deviation=0.01", ["sigma1"])
    (estimate,) = fit.fitted.estimates
    assert estimate.value == pytest.approx(sigma1(SCORES), rel=1e-4)
    assert fit.method == f"bridge-bayes:deviation=0.01,sigma1={estimate.value}"
    assert engine.registry.method(fit.method) == fit.fitted.method
    assert (fit.pool, fit.given, fit.fitted.results) == ("club", "bridge-bayes:deviation=0.01", 6)
    assert fit.head.startswith("6:")
    assert str(fit).startswith("6 results of pool club, log-likelihood -20.")


def test_of_a_rule_with_a_history_the_last_step_is_fitted() -> None:
    """It was refused as having no such method."""
    engine = club()
    steps = "bridge-bayes:deviation=0.01 then bridge-bayes:deviation=0.01{} from 2024-03-04"
    fit = engine.fit("club", steps.format(""), ["sigma1"])
    (estimate,) = fit.fitted.estimates
    assert estimate.value == pytest.approx(sigma1(SCORES[3:]), rel=1e-4)
    assert fit.method == steps.format(f",sigma1={estimate.value}")
    assert engine.registry.method(fit.method) == fit.fitted.method


def test_a_method_is_given_by_its_text_by_value_or_by_being_the_only_one() -> None:
    engine = club()
    texts = {engine.fit("club", given, ["sigma1"]).fitted.method for given in (
        None, "bridge-bayes", engine.registry.method("bridge-bayes"),
    )}  # fmt: skip
    assert len(texts) == 1


def test_only_what_was_played_and_known_by_a_cut_counts() -> None:
    engine = club()
    for cut in ({"through": "2024-03-04"}, {"known_at": 4}):
        (estimate,) = engine.fit("club", "bridge-bayes:deviation=0.01", ["sigma1"], **cut).fitted.estimates  # type: ignore[arg-type]  # one of two cuts
        assert estimate.value == pytest.approx(sigma1(SCORES[:4]), rel=1e-4)
    with pytest.raises(NothingForecast, match="no result was played by then"):
        engine.fit("club", "bridge-bayes", ["sigma1"], "2024-02-28")


def test_a_seed_between_two_results_is_planted_there() -> None:
    """From the fourth day on the first pair is 3750 points ahead, which is worth 10 %."""
    engine = club()
    for name in ("ann", "bo"):
        values = {"rating": 1500.0 + 1875.0}
        engine.record(rc.RatingSeeded(pool="club", played="2024-03-04", player=name, values=values))
    fitted = engine.fit("club", "bridge-bayes:deviation=0.01", ["sigma1"]).fitted
    expected = [score - 10.0 * (day >= 3) for day, score in enumerate(SCORES)]
    assert fitted.estimates[0].value == pytest.approx(sigma1(expected), rel=1e-4)


def test_newcomers_enter_as_on_a_list() -> None:
    fit = club().fit("club", "bridge-bayes:deviation=0.01,entry=at_start", ["sigma1"])
    assert fit.method.startswith("bridge-bayes:deviation=0.01,entry=at_start,sigma1=7.5")


def test_methods_that_cannot_be_fitted_are_refused() -> None:
    engine = club()
    assert fittable(engine.registry) == ("bridge-bayes", "elo")
    with pytest.raises(CannotFit, match="dwz cannot estimate its parameters from results") as caught:
        engine.fit("club", "dwz")
    assert caught.value.hint.startswith("these can: bridge-bayes, elo; tuning")
    with pytest.raises(BadParameter, match="parameter tau cannot be fitted"):
        engine.fit("club", "bridge-bayes", ["tau"])


@frozen
class Told(Honest):
    """A method of games that is told its K by how many results a replay gives it."""

    name = "told"

    def fit(self, replay: Callable[[Method], object], what: Sequence[str] = ()) -> Fitted | None:
        if "nothing" in what:
            return None
        seen: Any = replay(self)
        n = len(seen.results)
        return Fitted(evolve(self, k=float(n)), (Estimate("k", float(n), 1.0, 0.0, 9.0),), 0.0, -1.0, n)


def test_any_method_may_have_a_way_to_estimate_its_parameters() -> None:
    registry = Registry()
    registry.register(SimpleNamespace(ratingcore_methods=hookimpl(lambda: [Told])), "told")
    engine = Engine(SqliteLog(":memory:"), registry)
    for day in (1, 2, 3):
        engine.record(rc.GamePlayed(pool="rapid", played=f"2024-03-0{day}", a="ann", b="bo", score=1.0))
    assert engine.fit("rapid", "told").method == "told:k=3.0"
    with pytest.raises(CannotFit, match="name a method: none of the installed ones"):
        Engine(engine.log, Registry()).fit("rapid")
    with pytest.raises(CannotFit, match="told cannot estimate"):
        engine.fit("rapid", "told", ["nothing"])
