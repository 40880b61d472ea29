"""The jobs that the service itself offers: methods compared, tuned and fitted, rules backdated, worlds simulated."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ratingcore import Head
from ratingcore_service.jobs import LOG, Job
from ratingcore_service.wire.queries import Name, Through

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
REPORT = "@report.html"


class Compare(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which methods are compared on which results."""

    methods: Annotated[list[Text], Meta(min_length=1, max_length=12)]
    pool: Name | None = None
    since: Through | None = None
    through: Through | None = None


class Tune(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which parameters of a method are tried."""

    method: Text
    grid: Annotated[list[Text], Meta(min_length=1, max_length=6)]
    pool: Name | None = None
    through: Through | None = None


class Fit(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which parameters of a method are estimated."""

    method: Text | None = None
    what: Text | None = None
    pool: Name | None = None
    through: Through | None = None


class Backdate(Struct, forbid_unknown_fields=True, kw_only=True):
    """An old rule, a new one, and the days from which the new one might count."""

    old: Text
    new: Text
    start: Text = "today"
    pool: Name | None = None


class Season(Struct, forbid_unknown_fields=True, kw_only=True):
    """The games of a season that are to come, as a CSV table with columns a and b."""

    fixtures: Annotated[str, Meta(min_length=1, max_length=500_000)]
    points: Annotated[str, Meta(pattern=r"^[0-9.]+,[0-9.]+,[0-9.]+$")] = "3,1,0"
    since: Through | None = None
    pool: Name | None = None
    method: Text | None = None


class Simulate(Struct, forbid_unknown_fields=True, kw_only=True):
    """A world whose true strengths are known, and further methods that are to find them."""

    scenario: Text = "thesis-1"
    methods: Annotated[list[Text], Meta(max_length=6)] = []
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 1


def _given(**options: str | Sequence[str] | None) -> Iterator[str]:
    """Options of a command line that have a value."""
    for name, values in options.items():
        for value in [values] if isinstance(values, str) else values or ():
            yield f"--{name.strip('_').replace('_', '-')}={value}"


def _compare(asked: Compare, head: Head) -> Sequence[str]:
    options = _given(
        known_at=str(head), method=asked.methods, pool=asked.pool, since=asked.since, through=asked.through
    )
    return ["compare", LOG, *options, "--format=json", "--html", REPORT]


def _tune(asked: Tune, head: Head) -> Sequence[str]:
    options = _given(
        known_at=str(head), method=asked.method, grid=asked.grid, pool=asked.pool, through=asked.through
    )  # fmt: skip
    return ["tune", LOG, *options, "--format=json"]


def _fit(asked: Fit, head: Head) -> Sequence[str]:
    options = _given(
        known_at=str(head), method=asked.method, what=asked.what, pool=asked.pool, through=asked.through
    )  # fmt: skip
    return ["fit", LOG, *options, "--format=json"]


def _backdate(asked: Backdate, head: Head) -> Sequence[str]:
    return ["backdate", LOG, "plan.toml", "--format=json", "--html", REPORT]


def _plan(asked: Backdate) -> Mapping[str, str]:
    """The plan as a file, at any head: the command has no other cut."""
    values = {name: value for name, value in asdict(asked).items() if value}
    return {"plan.toml": "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())}


def _season(asked: Season, head: Head) -> Sequence[str]:
    options = _given(
        known_at=str(head), file="fixtures.csv", table=asked.points, from_=asked.since, pool=asked.pool,
        method=asked.method,
    )  # fmt: skip
    return ["predict", LOG, *options, "--format=json"]


def _simulate(asked: Simulate, head: Head) -> Sequence[str]:
    options = _given(method=asked.methods, seed=str(asked.seed))
    return ["simulate", *options, "--rounds", "--format=json", "--html", REPORT, "--", asked.scenario]


JOBS: dict[str, Job[Any]] = {
    job.name: job
    for job in (
        Job("compare", Compare, _compare, about="Which method forecasts the results best."),
        Job("tune", Tune, _tune, about="With which parameters a method forecasts best."),
        Job("fit", Fit, _fit, about="Parameters of a method, estimated from the results."),
        Job("backdate", Backdate, _backdate, files=_plan, about="What a new rule would make of ratings."),
        Job("season", Season, _season, files=lambda asked: {"fixtures.csv": asked.fixtures},
            about="The chance of each place at the end of a season."),
        Job("simulate", Simulate, _simulate, about="A world of known strengths, round by round."),
    )
}  # fmt: skip
"""By name."""
