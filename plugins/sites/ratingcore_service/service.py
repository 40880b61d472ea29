"""The service of one log: the state that its routes share, such as settings, caches and threads."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from secrets import token_hex
from shlex import quote
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock

from ratingcore_pages import Look, Pages, closed_up

from ratingcore import Engine, __version__
from ratingcore.errors import RatingCoreError
from ratingcore.plugin.analysis import file_of
from ratingcore.plugin.stores import Stamp
from ratingcore_service.access import Tokens, open_tokens
from ratingcore_service.bounded_process import give_back, resident
from ratingcore_service.desk import Desk
from ratingcore_service.head_watch import HeadWatch
from ratingcore_service.jobs import Jobs
from ratingcore_service.measures import Measures
from ratingcore_service.openid import Client
from ratingcore_service.question_queue import Queue
from ratingcore_service.rates import Rates
from ratingcore_service.remembered import Remembered
from ratingcore_service.service_store import ServiceStore
from ratingcore_service.settings import Settings
from ratingcore_service.uploads import Uploads
from ratingcore_service.webhooks import Hooks, Webhooks
from ratingcore_service.writing import Writer

KEPT, HELD = 4, 2**26
"""Largest number of questions whose pages are cached, and of bytes that they hold when another one is added."""
LOOK, RELIEF = 1.0, 60.0
"""Seconds between two checks of the memory of the process, and between two releases of it."""
ERASURES = "erasures"
"""Name of the file with the number of erased names when uploads and jobs began to be kept."""


class Service:
    """The state shared by the routes of one application.

    Parameters
    ----------
    address : str
        The log.
    settings : Settings
    beside : Service or None
        Another one in this process: both share the accounts of callers and the queue of questions, so that a caller
        gets no more from several logs than from one.
    """

    def __init__(self, address: str, settings: Settings, beside: "Service | None" = None) -> None:
        self.settings = settings
        self.desk = Desk(address, settings)
        self.head_watch = HeadWatch(self.desk, settings, self._forget_soon)
        self.queue: Queue = Queue(settings) if beside is None else beside.queue
        self.measures = Measures()
        self.writer = Writer(self.desk, settings, self.head_watch.wrote, self.measures.append_seconds.observe)
        self.webhooks = Webhooks(self.desk)
        limits = [Rates(settings.rate, settings.burst) for _ in range(3)] if beside is None else beside.limits
        self.limits: list[Rates] = limits
        self.rates, self.again, self.entries = limits
        """Rate limits of requests, of remembered answers and of sign-ins, for each caller."""
        self._tokens: Tokens | None = None
        self._warming: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.remembered = Remembered(settings.remembered_bytes)
        self.measures.watch("waiting", "Questions that wait for an answer or for a thread", lambda: self.queue.waiting)
        self.measures.watch("appends", "Requests that wait to be recorded", lambda: self.writer.waiting)
        self.measures.watch("streams", "Streams of news", lambda: len(self.head_watch.streams))
        self.measures.watch("remembered_bytes", "Bytes of remembered answers", lambda: self.remembered.size)
        self.version = sha256(repr((__version__, settings)).encode()).hexdigest()[:16]
        """Digest of the program's version and settings, on which ETags depend."""
        self.offered: tuple[Stamp, list[str]] | None = None
        """The methods that anybody may ask for, and the stamp of the log that they are of."""
        self._pages: OrderedDict[object, Pages] = OrderedDict()
        self._paging = Lock()
        self._relieved = 0.0
        """Time of the next check of memory."""

    @cached_property
    def openid(self) -> Client | None:
        """The provider by which people sign in; None without one."""
        provider = self.settings.openid
        return None if provider is None else Client(provider)

    @cached_property
    def look(self) -> Look:
        """The look of pages."""
        chosen = self.settings
        own = closed_up(files("ratingcore_service").joinpath("static", "service.css").read_text("utf-8"))
        css = f"{own}\n{chosen.css}"
        look = Look(chosen.title, chosen.language, css, chosen.templates, ("ratingcore_service",))
        address = self.desk.address
        look.environment.globals["log_file"] = "LOG" if "://" in address else quote(Path(address).name)
        look.environment.globals["provider"] = chosen.openid.host if chosen.openid is not None else ""
        return look

    @cached_property
    def uploads(self) -> Uploads:
        """Uploaded files; available once the log is open."""
        return Uploads(self.desk.log_address, self.folder / "uploads", self.settings)

    @cached_property
    def jobs(self) -> Jobs:
        """Jobs; available once the log is open."""
        path = file_of(self.desk.engine.log)
        return Jobs(self.desk.log_address, "LOG" if path is None else path.name, self.folder / "jobs", self.settings)

    @cached_property
    def folder(self) -> Path:
        """The folder of uploads and jobs: next to the file of tokens."""
        folder = self._place_of_files(self.desk.engine) or Path(mkdtemp(prefix="ratingcore-"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / ERASURES).exists():
            self._note(folder)
        return folder

    def _place_of_files(self, engine: Engine) -> Path | None:
        path = ServiceStore.of(engine, self.settings.tokens).path
        return None if path is None else path.resolve().with_name(f"{path.name}.files")

    def _note(self, folder: Path) -> None:
        """Stores the number of erasures so far in the folder of uploads and jobs."""
        new = folder / f"{ERASURES}.{token_hex(4)}"
        new.write_text(str(self.head_watch.erasures), "ascii")
        new.replace(folder / ERASURES)

    def pages(
        self, engine: Engine, method: str | Mapping[str, str] | None, through: str | None, cut: str | int
    ) -> Pages:
        """Returns the pages of a question at a cut; those of the last few questions are cached."""
        shown = method if isinstance(method, str | None) else tuple(method.items())
        key = shown, through, cut, engine.log.look().erasures
        with self._paging:
            made = self._pages.pop(key, None) or Pages(engine, self.look, method, through, cut)
            self._pages[key] = made
            while len(self._pages) > KEPT or (
                len(self._pages) > 1 and sum(pages.held for pages in self._pages.values()) > HELD
            ):
                self._pages.popitem(last=False)
        return made

    async def tokens(self) -> Tokens:
        """Returns the tokens, whose file is known once the log is open."""
        self._loop = asyncio.get_running_loop()
        if self._tokens is None:
            self._tokens = await self.desk.ask(self._opened, "tokens")
        return self._tokens

    def _opened(self, engine: Engine) -> Tokens:
        if self.head_watch.erasures is None:
            erasures, folder = engine.log.look().stamp.erasures, self._place_of_files(engine)
            noted = folder / ERASURES if folder is not None else None
            if noted is not None and noted.exists() and noted.read_text("ascii") != str(erasures):
                rmtree(noted.parent, ignore_errors=True)  # names were erased while the service was down
            self.head_watch.erasures = erasures
        if engine.log.address is not None:
            self.head_watch.start()
        self.start()
        return open_tokens(engine, self.settings, lambda number: self.measures.note("revoked", number))

    def start(self) -> None:
        """Starts the delivery of webhooks, including messages left from before a restart."""
        engine = self.desk.engine
        if not self.settings.read_only and engine.log.address is not None:
            self.webhooks.start(self.hooks(engine))

    def hooks(self, engine: Engine) -> Hooks:
        """Returns the webhooks of the log."""
        return Hooks(ServiceStore.of(engine, self.settings.tokens))

    def warm(self) -> bool:
        """True once the lists of all pools have been made; the first call starts making them."""
        if self._warming is None:
            self._warming = asyncio.get_running_loop().run_in_executor(None, self._warm_up)
        return self._warming.done()

    def _warm_up(self) -> None:
        """Makes the list of each pool, so that methods are compiled and columns loaded before the first request."""
        for pool in self.desk.engine.pools():
            with suppress(RatingCoreError):  # the request for the list will report the error
                self.desk.engine.rating_list(pool, self.settings.method(pool, None), top=100)

    async def forget(self) -> None:
        """Drops everything that may hold an erased name."""
        self.head_watch.erasures = (await self.desk.stamp()).erasures
        self.remembered.clear()
        self.queue.forget()
        with self._paging:
            self._pages.clear()
        place = self._place_of_files(self.desk.engine)
        kept = "folder" in vars(self) or (place is not None and place.is_dir())
        if kept:
            await asyncio.to_thread(self.uploads.empty)
            await asyncio.to_thread(self.jobs.empty)
        self.head_watch.wake()
        if kept:
            self._note(self.folder)

    def relieve(self) -> None:
        """Releases cached data of the log if the process has grown too large; checks at most once a second."""
        now = time.monotonic()
        if now < self._relieved:
            return
        self._relieved = now + LOOK
        engine = self.desk.opened
        if engine is not None and resident() > self.settings.memory_bytes:
            self._relieved = now + RELIEF  # the log may need more, and would be read for each question
            with self._paging:
                self._pages.clear()
            engine.core.forget()
            give_back()

    def _forget_soon(self) -> None:
        """Calls `forget` from the thread of the head watch, in the service's event loop."""
        if self._loop is None or self._loop.is_closed():
            asyncio.run(self.forget())
        else:
            asyncio.run_coroutine_threadsafe(self.forget(), self._loop)

    @property
    def places(self) -> tuple[str, ...]:
        """Paths and addresses of the server, which are not shown to outsiders."""
        opened = [str(self.folder), self.desk.log_address] if "folder" in vars(self) else []
        return (self.desk.address, *opened)

    def close(self) -> None:
        """Ends the threads once their work is done, and closes the log."""
        self.webhooks.close()
        self.head_watch.close()
        if "folder" in vars(self):
            self.uploads.end()
            self.jobs.end()
        self.writer.close()
        self.queue.close()
        self.desk.close()
