"""The law of sweeps: settings in one pass forecast what each forecasts alone."""

from collections.abc import Iterator

import attrs
import numpy as np

from ratingcore.columns import Span
from ratingcore.compare.sweep import pass_of, sweep
from ratingcore.errors import BadParameter
from ratingcore.events import DAY, RatingSeeded
from ratingcore.methods.contract import Method
from ratingcore.testing.law import CONTINUOUS, DoesNotApply, Violation, law_of_seasons
from ratingcore.testing.season import Season

TOLERANCE = 1e-9


@law_of_seasons(CONTINUOUS)
def sweeping(method: Method, season: Season) -> None:
    """Settings swept in one pass have the log losses that they have one by one."""
    if getattr(type(method).sweep, "__func__", None) is Method.sweep.__func__:  # type: ignore[attr-defined]  # of a class method
        raise DoesNotApply("the method has no pass of many settings")
    view = _begun(season).view
    first, last = view.first_played or 0, view.last_played or 0
    middle = first + (last + 1 - first) // 2
    spans = (Span(first, middle), Span(middle, last + 1))
    settings = [method, *_others(method)]
    swept = pass_of(settings, view, spans)
    if swept is None:
        return
    for number, setting in enumerate(settings):
        alone = sweep([setting], view, spans)
        for span, (loss, wanted) in enumerate(zip(swept.score[number], alone.score[0], strict=True)):
            left_alone = np.isnan(swept.score[number]).all()
            if not left_alone and not np.isclose(loss, wanted, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
                half = ("first", "second")[span]
                raise Violation(f"log loss of {setting} in the {half} half is {loss!r} swept and {wanted!r} alone")


def _begun(season: Season) -> Season:
    """The season with all its seeds before the first game, because a pass takes none later."""
    seeds = [event for event in season.events if isinstance(event, RatingSeeded) and event.values.keys() == {"rating"}]
    others = [event for event in season.events if not isinstance(event, RatingSeeded)]
    start = (season.view.first_played or 0) - DAY
    made = Season.of([*(attrs.evolve(seed, played=start) for seed in seeds), *others])
    return season if made is None else made


def _others(method: Method) -> Iterator[Method]:
    """The method with one number changed, and once more as it is."""
    for field in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        given = getattr(method, field.name)
        if isinstance(given, float):
            for other in (1.5 * given, given + 35.0):
                try:
                    yield attrs.evolve(method, **{field.name: other})  # type: ignore[misc]  # methods are attrs classes
                except BadParameter:  # it does not go with the other parameters
                    continue
    yield method
