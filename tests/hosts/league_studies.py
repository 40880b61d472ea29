"""A foreign plugin of a league: a study of its own, which the service runs as a job."""

from collections.abc import Sequence

from msgspec import Struct
from ratingcore_service.jobs import LOG, Job

from ratingcore import Head
from ratingcore.plugin import hookimpl


class Best(Struct):
    """How many players are asked for."""

    top: int = 3
    pool: str = "rapid"


def best(asked: Best, head: Head) -> Sequence[str]:
    """The command that lists the best players."""
    return ["list", LOG, f"--pool={asked.pool}", f"--known-at={head}", f"--top={asked.top}", "--format=json"]


@hookimpl(optionalhook=True)
def ratingcore_jobs() -> list[Job[Best]]:
    """The studies of the league."""
    return [Job("best", Best, best, about="The best players of the league.")]
