"""The service's own jobs: compare, tune and fit methods, backdate a rule, forecast a season, simulate a world."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ratingcore import Head
from ratingcore_service.hooks import LOG, Job
from ratingcore_service.wire import Name, Through

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
REPORT, CHOICES = "@report.html", "@choices.json"


def _asked(label: str, example: str = "", control: str = "text") -> Meta:
    """Returns the schema extras for a field's form: its title, an example, and its control."""
    return Meta(title=label, examples=[example] if example else None, extra_json_schema={"format": control})


Methods = Annotated[list[Text], _asked("Methods, one a line", "elo:k=24\nglicko2", "lines")]
OneMethod = Annotated[Text, _asked("Method", "elo:k=24", "method")]
Pool = Annotated[Name, _asked("Pool: the players who are rated together", control="pool")]
Since = Annotated[Through, _asked("Results from this day on; all if left out", control="day")]
Until = Annotated[Through, _asked("Results up to this day; all if left out", control="day")]


class Compare(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to compare methods on the results of a pool."""

    methods: Annotated[Methods, Meta(min_length=1, max_length=12)]
    pool: Pool | None = None
    since: Since | None = None
    through: Until | None = None


class Tune(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to try values of the parameters of a method."""

    method: OneMethod
    grid: Annotated[
        list[Text], _asked("Values to try, one parameter a line", "k=16,24,32", "lines"),
        Meta(min_length=1, max_length=6),
    ]  # fmt: skip
    pool: Pool | None = None
    through: Until | None = None


class Fit(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to estimate parameters of a method."""

    method: OneMethod | None = None
    what: (
        Annotated[Text, _asked("Parameters to estimate; the usual ones of the method if left out", "sigma1,k")] | None
    ) = None
    pool: Pool | None = None
    through: Until | None = None


class Backdate(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to compare an old rule with a new one, from several first days of the new one."""

    old: Annotated[Text, _asked("The rule that applies today", "elo:k=24", "method")]
    new: Annotated[Text, _asked("The new rule", "elo:k=32", "method")]
    start: Annotated[Text, _asked("When the new rule begins: today, beginning, or a day", "2024-01-01")] = "today"
    pool: Pool | None = None


class Season(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to forecast a season by its future games, a CSV table with columns a and b."""

    fixtures: Annotated[
        str, _asked("Games to come, as a table with the headings a and b", "a,b\nann,bo\nbo,cy", "lines"),
        Meta(min_length=1, max_length=500_000),
    ]  # fmt: skip
    points: Annotated[
        str, _asked("Points of a win, a draw, a loss"), Meta(pattern=r"^[0-9.]+,[0-9.]+,[0-9.]+\Z")
    ] = "3,1,0"  # fmt: skip
    since: Since | None = None
    pool: Pool | None = None
    method: OneMethod | None = None


class Simulate(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request to simulate a world of known strengths, which several methods estimate."""

    scenario: Annotated[
        Text,
        _asked(
            "World: thesis-1, thesis-2, thesis-3, or one of these with changed settings",
            "thesis-1:players=200,rounds=30",
        ),
    ] = "thesis-1"
    methods: Annotated[Methods, Meta(max_length=6)] = []
    seed: Annotated[
        int, _asked("Seed: another number gives another simulation", control="number"), Meta(ge=0, le=2**31)
    ] = 1  # fmt: skip


def _given(**options: str | Sequence[str] | None) -> Iterator[str]:
    """Returns the command-line options that have a value."""
    for name, values in options.items():
        for value in [values] if isinstance(values, str) else values or ():
            yield f"--{name.replace('_', '-')}={value}"


def _study(command: str, *more: str, **options: str) -> Callable[[Any, Head], Sequence[str]]:
    """Returns the `command` of a job on the log at a head; `options` maps fields to options of another name."""

    def words(asked: Any, head: Head) -> Sequence[str]:
        named = {options.get(name, name): values for name, values in asdict(asked).items() if name != "fixtures"}
        return [command, LOG, *_given(known_at=str(head), **named), "--format=json", *more]

    return words


def _backdate(asked: Backdate, head: Head) -> Sequence[str]:
    return ["backdate", LOG, "plan.toml", "--format=json", "--html", REPORT, "--json", CHOICES]


def _plan(asked: Backdate) -> Mapping[str, str]:
    """Returns the plan as a file; it does not name the head of the log."""
    values = {name: value for name, value in asdict(asked).items() if value}
    return {"plan.toml": "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())}


def _simulate(asked: Simulate, head: Head) -> Sequence[str]:
    options = _given(method=asked.methods, seed=str(asked.seed))
    return ["simulate", *options, "--rounds", "--format=json", "--html", REPORT, "--", asked.scenario]


JOBS: dict[str, Job[Any]] = {
    job.name: job
    for job in (
        Job("compare", Compare, _study("compare", "--html", REPORT, methods="method"),
            about="Which method forecasts the results best."),
        Job("tune", Tune, _study("tune"), about="The parameters with which a method forecasts best."),
        Job("fit", Fit, _study("fit"), about="Parameters of a method, estimated from the results."),
        Job("backdate", Backdate, _backdate, files=_plan, about="The effect of a new rule on ratings."),
        Job("season", Season, _study("season", "fixtures.csv", points="worth", since="from"),
            files=lambda asked: {"fixtures.csv": asked.fixtures},
            about="The chance of each place at the end of a season."),
        Job("simulate", Simulate, _simulate, about="A simulated world of known strengths, round by round."),
    )
}  # fmt: skip
"""By name."""
