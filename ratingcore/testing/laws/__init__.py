"""The laws of methods, in the order of a report."""

from ratingcore.testing.law import Law
from ratingcore.testing.laws import (
    bookkeeping,
    declared,
    extremes,
    forecasts,
    joint,
    machine,
    order,
    repeatable,
    sides,
    sweep,
)

LAWS: tuple[Law, ...] = (
    declared.value,
    declared.text,
    declared.parameters,
    declared.columns,
    declared.shown,
    bookkeeping.shapes,
    bookkeeping.no_games,
    repeatable.replay,
    repeatable.slicing,
    repeatable.seeds,
    repeatable.length,
    bookkeeping.bystanders,
    bookkeeping.sums,
    order.permutation,
    order.relabelling,
    order.rows,
    order.symmetry,
    forecasts.expected,
    forecasts.forecast,
    forecasts.foresight,
    sides.ahead,
    sweep.sweeping,
    joint.covariance,
    extremes.finite,
    machine.inputs,
    machine.compiled,
)
"""Every law of the kit."""

__all__ = ["LAWS"]
