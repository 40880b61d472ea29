"""Hooks with which other plugins add pages (with their API answers) and jobs to a service."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from attrs import field, frozen, validators
from msgspec import Struct

from ratingcore import Engine, Head
from ratingcore_service.routing import PAGE, Scope
from ratingcore_service.wire import Query

__all__ = ["LOG", "Job", "Query", "ServedPage", "offered_jobs", "offered_pages"]

PAGES, JOBS = "ratingcore_service_pages", "ratingcore_jobs"
"""The names of the hooks."""
LOG = "LOG"
"""Placeholder for the log in the words of a command."""


@frozen(kw_only=True)
class ServedPage:
    """A page of a plugin, which is checked, limited, remembered and described like the service's own.

    Parameters
    ----------
    path : str
        Small letters, digits and `-`. The page is at `/x/PLUGIN/PATH`, its answer as JSON at `/api/v1/x/PLUGIN/PATH`.
    title : str
        A few words: the text of its link at the foot of every page, and its summary in the contract.
    answer : callable
        `(engine, query) -> value`. It runs in a reading thread; the value is remembered until the log changes.
    kind : type of Struct
        The type of the value.
    template : str
        Text of a Jinja template, which is given the value as `answer`; it may extend `base.html`.
    query : type of Query
        The fields that the address takes. A field `known_at` must be a cut of the log, at which the answer never
        changes.
    units : float
        Units of the caller's rate limit that a request uses.
    """

    path: str = field(validator=validators.matches_re(r"[a-z0-9-]{1,60}"))
    title: str
    answer: Callable[[Engine, Any], Struct]
    kind: type[Struct]
    template: str
    query: type[Query] = Query
    units: float = PAGE


def offered_pages(engine: Engine) -> dict[str, list[ServedPage]]:
    """The pages of plugins, by the name of the plugin: the hook returns a list of them."""
    return _offered(engine, PAGES, ServedPage)


Body = TypeVar("Body", bound=Struct)
T = TypeVar("T")


@frozen
class Job(Generic[Body]):
    """A command line that can be run as a job.

    Parameters
    ----------
    name : str
    body : type of Struct
        The type of a request for the job.
    command : callable
        `(body, head) -> words`: the command line without `ratingcore`, with `LOG` in place of the log. A word such as
        `@report.html` names a file that the job writes, which is shown as its report.
    scope : Scope
    about : str
        A sentence that describes its result.
    files : callable
        `body -> {name: text}`: files to write for the command, by the names that its words use.
    """

    name: str
    body: type[Body]
    command: Callable[[Body, Head], Sequence[str]]
    scope: Scope = Scope.RECORD
    about: str = ""
    files: Callable[[Body], Mapping[str, str]] = lambda body: {}


def offered_jobs(engine: Engine) -> dict[str, Job[Any]]:
    """The jobs of plugins, by name: the hook `ratingcore_jobs` returns a list of them."""
    return {f"{plugin}.{job.name}": job for plugin, jobs in _offered(engine, JOBS, Job).items() for job in jobs}


def _offered(engine: Engine, hook: str, kind: type[T]) -> dict[str, list[T]]:
    """Returns what plugins offer by a hook, by the name of the plugin."""

    def read(offered: object) -> list[T]:
        if not isinstance(offered, list) or not all(isinstance(one, kind) for one in offered):
            raise TypeError(f"{hook} returns a list of {kind.__name__}")
        return offered

    return engine.registry.offered(hook, read)
