"""Settings of a service: its content, its users and its limits."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from attrs import Attribute, field, fields, frozen
from ratingcore_pages import Look

from ratingcore.errors import BadValue, NotOneOf
from ratingcore_service.openid import Provider
from ratingcore_service.routing import Scope

KIB, MIB = 1 << 10, 1 << 20


def _scopes(settings: "Settings", name: "Attribute[Any]", users: Mapping[str, str]) -> None:
    for user, scope in users.items():
        if scope.upper() not in Scope.__members__:
            raise NotOneOf.of(f"scope of user {user}", scope, map(str.lower, Scope.__members__))


def _offer(settings: "Settings", name: "Attribute[Any]", value: object) -> None:
    if value not in ("declared", "any"):
        raise BadValue("setting offered", value, "is neither declared nor any")


def _of_pages(settings: "Settings", name: "Attribute[Any]", language: str) -> None:
    Look(language=language)  # refuses a language without pages


def _provider(given: Provider | Path | str | None) -> Provider | None:
    return Provider.read(Path(given)) if isinstance(given, str | Path) else given


@frozen(kw_only=True)
class Settings:
    """The content of a service, its users, and its limits.

    Parameters
    ----------
    title : str
        Name of the site, at the top of each page.
    language : str
        Language of the pages.
    css : str
        Rules after those of the bundled style sheet.
    templates : path or None
        A folder of templates that replace bundled ones.
    methods : mapping of str to str
        Default methods by pool; the empty name stands for all other pools. Without either, a pool has its declared
        method.
    read_only : bool
        Whether to accept no changes.
    private : bool
        Whether reading needs a token, too.
    tokens : path or None
        File of tokens, jobs and uploads; None puts it beside the file of the log.
    allow_origin : tuple of str
        Sites whose scripts may read the API.
    allowed_host : tuple of str
        Host names of the service; any if empty.
    embed_in : tuple of str
        Sites that may show the pages below `/embed/` in a frame.
    trusted_proxy : str
        Address of the proxy whose `X-Forwarded-For` is trusted; empty for none.
    user_header : str
        Header in which the proxy names the signed-in user; empty for none.
    users : mapping of str to str
        By name of such a user, their scope; all others may read.
    openid : Provider, path or None
        The provider of OpenID Connect by which people sign in, or the file that describes it.
    warm : bool
        Whether `/ready` answers 200 only after the list of every pool has been computed.
    offered : {"declared", "any"}
        Methods that are offered without a token: those that are declared, published or set; or any.
    body_bytes, upload_bytes, unpacked_bytes : int, bytes
        Largest body of a request, file that is uploaded, and file once it is unpacked.
    upload_rows : int
    upload_seconds : float, seconds of CPU
    upload_memory : int, bytes
    job_wait : float
        Seconds that an answer waits for a job that was begun.
    job_seconds : float, seconds of CPU
    job_memory : int, bytes
    events, lines : int
        Largest number of events of a request, and of a request of JSON lines.
    query_bytes, query_fields : int
        Longest query string, and its largest number of fields.
    seconds : float
        Time after which a client is asked to try again.
    header_seconds, body_seconds : float
        Time for the headers of a request to arrive, and for its body, which has a second more for every 32 KiB; an
        client that reads nothing of its answer for as long as `body_seconds` is disconnected.
    readers : int
        Threads that answer short questions, and processes that answer long ones.
    waiting : int
        Largest number of waiting questions; one caller has at most a quarter of them.
    connections, streams, streams_each, jobs : int
        Largest numbers of open connections and streams, of one caller's streams, and of kept jobs.
    remembered_bytes : int, bytes
        Size of the cache of answers.
    memory_bytes : int, bytes
        Memory above which a process drops what it holds of the log: answers, columns and checkpoints. A process of
        long questions ends instead, and another starts when it is needed.
    at_least_seconds : float
        How long `at_least` waits for the log to reach a position.
    rate, burst : float
        Units that each caller gets per second, and can accumulate.
    cpu_rate, cpu_burst : float, seconds of CPU
        CPU that the questions of each caller may take per second, and in one burst; charged after the answer.
    short_events : int
        Largest log whose questions count as short, unless a recent one of the same kind took too long.
    short_seconds : float, seconds of CPU
        Time above which the next question of the same kind goes to a process.
    """

    title: str = "Ratings"
    language: str = field(default="en", validator=_of_pages)
    css: str = ""
    templates: Path | None = None
    methods: Mapping[str, str] = field(factory=dict)
    read_only: bool = False
    private: bool = False
    tokens: Path | None = None
    allow_origin: tuple[str, ...] = ()
    allowed_host: tuple[str, ...] = ()
    embed_in: tuple[str, ...] = ()
    trusted_proxy: str = ""
    user_header: str = ""
    users: Mapping[str, str] = field(factory=dict, validator=_scopes)
    openid: Provider | None = field(default=None, converter=_provider)
    warm: bool = False
    offered: str = field(default="declared", validator=_offer)
    body_bytes: int = MIB
    upload_bytes: int = 64 * MIB
    unpacked_bytes: int = 512 * MIB
    upload_rows: int = 2_000_000
    upload_seconds: float = 300.0
    upload_memory: int = 2048 * MIB
    job_wait: float = 1.0
    job_seconds: float = 3600.0
    job_memory: int = 4096 * MIB
    events: int = 1000
    lines: int = 10_000
    query_bytes: int = 16 * KIB
    query_fields: int = 40
    seconds: float = 10.0
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    readers: int = 2
    waiting: int = 64
    connections: int = 10_000
    streams_each: int = 8
    streams: int = 1000
    jobs: int = 20
    remembered_bytes: int = 64 * MIB
    memory_bytes: int = 512 * MIB
    at_least_seconds: float = 2.0
    rate: float = 20.0
    burst: float = 100.0
    cpu_rate: float = 0.2
    cpu_burst: float = 5.0
    short_events: int = 5000
    short_seconds: float = 0.1

    def __attrs_post_init__(self) -> None:
        for one in fields(type(self)):
            value = getattr(self, one.name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if type(one.default) in (int, float) and not (number and value > 0):
                raise BadValue(f"setting {one.name}", value, "is not a number above 0")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Makes settings by name.

        Raises
        ------
        BadValue
            If there is no setting of a name, or its value is not allowed.
        """
        names = [one.name for one in fields(cls)]
        for name in given:
            if name not in names:
                raise NotOneOf.of("setting", name, names)
        return cls(**given)

    def method(self, pool: str, asked: str | None) -> str | None:
        """Returns the method of a question: its own, else the one set for the pool, if any."""
        return asked or self.methods.get(pool) or self.methods.get("")
