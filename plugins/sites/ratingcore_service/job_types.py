"""Jobs as types: what is asked, how far it is, and where its result is."""

from typing import Literal

from msgspec import Raw, Struct

from ratingcore_service.wire import Headed, Name

State = Literal["waiting", "running", "done", "failed", "ended"]


class JobState(Struct, kw_only=True):
    """How far a job is."""

    state: State
    job: str
    command: str
    head: str
    made: float
    progress: str = ""
    error: str = ""
    reports: list[str] = []


class Told(Struct, kw_only=True):
    """A job that is kept."""

    id: str
    state: JobState


class Order(Struct, forbid_unknown_fields=True, kw_only=True):
    """A job that is asked for: its name, and what it is to find out."""

    job: Name
    ask: Raw


class JobAnswer(Headed, kw_only=True):
    """A job: the command that it runs, how far it is, and the addresses of its results once it is done."""

    id: str
    job: str
    state: State
    command: str
    progress: str
    error: str
    address: str
    results: list[str]
