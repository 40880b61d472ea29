"""A foreign plugin of a league: a study of its own, which the service runs as a job, and a page of its own."""

from collections.abc import Sequence

import click
from msgspec import Struct
from ratingcore_service.hooks import LOG, Job, Query, ServedPage

from ratingcore import Engine, Head
from ratingcore.plugin import hookimpl
from ratingcore.plugin.commands import options, reading


class Best(Struct):
    """How many players are asked for."""

    top: int = 3
    pool: str = "rapid"


class Bottom(Query, kw_only=True):
    """The pool whose last player is asked for."""

    pool: str = "rapid"


class Last(Struct):
    """The last player of a pool, and their rating."""

    player: str
    rating: float


def best(asked: Best, head: Head) -> Sequence[str]:
    """The command that lists the best players."""
    return ["list", LOG, f"--pool={asked.pool}", f"--known-at={head}", f"--top={asked.top}", "--format=json"]


def last(engine: Engine, asked: Bottom) -> Last:
    """Who is last."""
    row = list(engine.rating_list(asked.pool))[-1]
    return Last(row["player"], row["rating"])


@click.command("last")
@options.log
def last_command(log: str) -> None:
    """Print who is last."""
    with reading(log) as engine:
        click.echo(last(engine, Bottom()).player)


@hookimpl(optionalhook=True)
def ratingcore_jobs() -> list[Job[Best]]:
    """The studies of the league."""
    return [Job("best", Best, best, about="The best players of the league.")]


@hookimpl(optionalhook=True)
def ratingcore_service_pages() -> list[ServedPage]:
    """The pages of the league."""
    return [
        ServedPage(
            path="last", title="The last of the league", answer=last, kind=Last, query=Bottom,
            template='{% extends "base.html" %}{% block main %}<h1>{{ answer.player }}</h1>{% endblock %}',
        )
    ]  # fmt: skip
