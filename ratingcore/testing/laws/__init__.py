"""The laws of methods, in the order of a report."""

from ratingcore.testing.law import Law
from ratingcore.testing.laws import bookkeeping, declared, extremes, forecasts, repeatable

LAWS: tuple[Law, ...] = (
    declared.value,
    declared.text,
    declared.parameters,
    declared.columns,
    declared.shown,
    bookkeeping.shapes,
    bookkeeping.no_games,
    repeatable.replay,
    repeatable.history,
    repeatable.slicing,
    repeatable.seeds,
    repeatable.length,
    bookkeeping.bystanders,
    bookkeeping.sums,
    repeatable.permutation,
    repeatable.relabelling,
    repeatable.rows,
    repeatable.symmetry,
    forecasts.expected,
    forecasts.forecast,
    forecasts.foresight,
    forecasts.ahead,
    forecasts.sweeping,
    forecasts.covariance,
    extremes.finite,
    extremes.inputs,
    extremes.compiled,
)
"""Every law of the kit."""

__all__ = ["LAWS"]
