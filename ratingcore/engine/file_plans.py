"""Plan of importing a file: the outcome of its rows, the log with them, and the request to import it later."""

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, tzinfo
from functools import cache, cached_property
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self

from attrs import evolve, frozen

from ratingcore.engine.core import Core
from ratingcore.engine.imports import Imports
from ratingcore.errors import BadValue, PlanOutdated
from ratingcore.events import CORRECTIONS, Event
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_outcomes import RowOutcomes
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import mapping_of
from ratingcore.log import Log
from ratingcore.log.contract import Seen
from ratingcore.log.lookup import bases_of, decoder_of
from ratingcore.log.overlay import TrialLog
from ratingcore.plans import Concerns, Plan
from ratingcore.plans.plan import outdated

Way = Literal["import_file", "import_seeds", "import_players"]
"""Name of the engine's method that imports the file."""


@frozen(eq=False, slots=False)  # the digest is kept beside its fields
class Tried:
    """Result of a trial of an import: the report, and the log with its events."""

    report: ImportReport
    core: Core

    @property
    def log(self) -> TrialLog:
        """The log with the events of the import."""
        assert isinstance(self.core.log, TrialLog)
        return self.core.log

    @cached_property
    def digest(self) -> str:
        """Digest of the report and the events, needed only for a plan that is stored or applied."""
        return digest_of(self.report, self.log, self.log.upon.position)


@frozen
class ImportRequest:
    """Arguments of an import, so that it can be repeated.

    Parameters
    ----------
    way : {"import_file", "import_seeds", "import_players"}
    what : path, open file, list of these, or table
    pool : str or None
    fields : FieldMap
    options : mapping of str to object
        Further arguments by name.
    starts : tuple of int
        Offset from which each open file is read.
    """

    way: Way
    what: Any
    pool: str | None
    fields: FieldMap
    options: Mapping[str, Any]
    starts: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, way: Way, what: object, pool: str | None, fields: Mapping[str, str] | FieldMap | None, options: Any
    ) -> Self:
        """Returns the request with these arguments; raises `BadValue` if something can be read only once."""
        once = next(filter(_is_read_once, _each(what)), None)
        if once is not None:
            why = "is a source that can be read only once, and applying a plan reads it again: give a file or a list"
            raise BadValue("what", once, why)
        starts = tuple(one.tell() for one in _each(what) if isinstance(one, io.IOBase))
        return cls(way, what, pool, mapping_of(fields), options, starts)

    def run(self, core: Core, **further: Any) -> ImportReport:
        """Imports into the log of a core, and returns the report."""
        for file, start in zip(
            (one for one in _each(self.what) if isinstance(one, io.IOBase)), self.starts, strict=True
        ):
            file.seek(start)
        report: ImportReport = getattr(Imports(core), self.way)(
            self.what, self.pool, self.fields, **{**self.options, **further}
        )
        return report

    def tried(self, core: Core) -> Tried:
        """Imports into a trial of the log of a core, and returns the report and the trial."""
        trial = core.over(TrialLog(core.log))
        report = self.run(trial, dry_run=True)
        assert isinstance(trial.log, TrialLog)
        trial.log.sealed, report.head = True, trial.log.upon
        return Tried(report, trial)

    def content(self) -> str:
        """Returns a digest of the files at the paths."""
        digest = hashlib.sha256()
        for one in _each(self.what):
            if isinstance(one, str | PathLike) and os.path.exists(one):
                for path in sorted(Path(one).rglob("*")) if os.path.isdir(one) else [Path(one)]:
                    if path.is_file():
                        with path.open("rb") as file:
                            digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Returns the request as JSON; raises `BadValue` if something to import has no path.

        Paths are written as given. The progress callback is left out.
        """
        for one in _each(self.what):
            if not isinstance(one, str | PathLike):
                raise BadValue("what", one, "must be a file with a path, from which it can be read again")
        several = isinstance(self.what, list | tuple)
        paths = list(map(os.fspath, _each(self.what)))
        options = {name: _plain(name, value) for name, value in self.options.items() if name != "progress"}
        what = paths if several else paths[0]
        return {"way": self.way, "what": what, "pool": self.pool, "fields": self.fields.as_json(), "options": options}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Returns the request that `as_json` wrote."""
        if given["way"] not in ("import_file", "import_seeds", "import_players"):
            raise BadValue("way", given["way"], "must be import_file, import_seeds or import_players")
        fields = FieldMap.from_json(given["fields"])
        return cls.of(given["way"], given["what"], given["pool"], fields, dict(given["options"]))


@frozen(eq=False, slots=False)  # the trial is kept beside its fields
class FilePlan:
    """Plan to import a file, with a report on its rows, and the log with them.

    Applying it imports the file again. This is refused if the file, the outcome of its rows, or anything on which the
    plan depends has changed.

    Parameters
    ----------
    request : ImportRequest
    core : Core
        Core of the log for which the plan was made.
    basis : Plan
        The part of the log on which the plan depends: the events it corrects, and the declarations of its pools.
    content : str
        Digest of the file.
    outcome : str
        Digest of the outcome of the rows, if the plan was made before; empty to take that of a trial.

    Attributes
    ----------
    report : ImportReport
        Report of a dry run.
    trial : Core
        Core of a private log with the events of the file.
    """

    request: ImportRequest
    core: Core
    basis: Plan
    content: str
    _outcome: str = ""

    @classmethod
    def of(cls, core: Core, request: ImportRequest) -> Self:
        """Makes the plan of a request for the log of a core."""
        look, content = core.log.look(), request.content()
        tried = request.tried(core)
        log = tried.log
        event = decoder_of(log)
        decided = [event(row) for row in log.rows(log.upon.position, None, (*CORRECTIONS, "player"))]
        concerns = Concerns.of(core.log, log, decided)
        pools = sorted(log.supposed_pools() - {0})
        concerns = evolve(concerns, declared=concerns.declared | set(log.book.keys(pools)))
        basis = Plan("import", Seen(log.upon, look.names, look.erasures), (), concerns)
        plan = cls(request, core, basis, content)
        plan.__dict__["_tried"] = tried
        return plan

    @classmethod
    def decided(cls, core: Core, request: ImportRequest, decision: Mapping[str, Any]) -> Self:
        """Returns an earlier plan of a request, from its `decision`.

        Raises
        ------
        BadValue
            If the value is not the decision of a plan.
        """
        try:
            basis = Plan.from_json(decision["rests"])
            return cls(request, core, basis, str(decision["content"]), str(decision["fates"]))
        except (LookupError, TypeError, AttributeError) as error:
            raise BadValue("plan", error, "must be what as_json of a plan returned; missing or invalid is") from None

    @cached_property
    def _tried(self) -> Tried:
        """The trial of the request, repeated and checked against the earlier plan."""
        self.basis.check(self.core.log)
        log, tried = self.core.log, self.request.tried(self.core)
        head = tried.log.upon.position
        changed = tried.digest != self._outcome
        self._check_rows(log, head, tried.report, changed)
        if changed or self.request.content() != self.content:
            raise self._outdated(log, head, tried.report)
        return tried

    @property
    def outcome(self) -> str:
        """Digest of the outcome of the rows."""
        return self._outcome or self._tried.digest

    @property
    def report(self) -> ImportReport:
        """The report on the rows, as of a dry run."""
        return self._tried.report

    @property
    def rows(self) -> RowOutcomes:
        """The outcome of each row, in the order of the lines.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> games = [{"played": "2024-03-02", "a": "ann", "b": "bo", "score": score} for score in ("1-0", "bye")]
        >>> plan = engine.plan.import_file(games, "rapid")
        >>> plan.rows.counts(), [(row.line, row.what) for row in plan.rows]
        ({'taken': 1, 'unrated': 1}, [(1, 'taken'), (2, 'unrated')])
        """
        return self.report.rows

    @property
    def pools(self) -> list[str]:
        """Pools that would get events; all pools if there is a correction that may concern any of them."""
        log = self._tried.log
        numbers, every = log.supposed_pools(), self.trial.pools()
        return every if 0 in numbers else [pool for pool in every if log.book.number("pool", pool) in numbers]

    @property
    def trial(self) -> Core:
        """Core of a private log with the events of the file."""
        return self._tried.core

    @property
    def events(self) -> Iterator[Event]:
        """Events that would be recorded, in order."""
        log = self._tried.log
        return events_behind(log, log.upon.position)

    def applied(self, core: Core) -> ImportReport:
        """Imports the file and returns the report; records nothing if the events would not be the planned ones."""
        log = core.log
        with log.writing():
            self.basis.check(log)
            head = log.head.position
            report = self.request.run(core)
            changed = digest_of(report, log, head) != self.outcome
            self._check_rows(log, head, report, changed)
            changed = changed or self.request.content() != self.content
            if changed and (log.head.position > head or self._is_contradicted(report)):
                raise self._outdated(log, head, report)
        return report

    def _is_contradicted(self, report: ImportReport) -> bool:
        """Returns True if a row contradicts an event recorded since the plan, not only another row of the file."""
        refused = {row.position for row in report.rows.only("refused")}
        known = {row.position for row in report.rows.only("known", "corrects", "voided")}
        return any(position > self.basis.head.position for position in refused - known)

    def _check_rows(self, log: Log, head: int, report: ImportReport, changed: bool) -> None:
        """Refuses the plan if, since it was made, an event of a row was corrected, or a pool of the file declared."""
        since = self.basis.head.position
        decided = list(log.rows(since, head, (*CORRECTIONS, "pool")))
        if not decided:
            return
        matched, declared = set(report.rows.positions), any(row.kind == "pool" for row in decided)
        pools = {row.pool for row in log.rows_at(matched)} if declared else set()
        bases = bases_of(log, decided)
        for row in decided:
            if changed or row.pool in pools if row.kind == "pool" else bases[row.position].position in matched:
                raise outdated("import", since, log, row)

    def _outdated(self, log: Log, head: int, report: ImportReport) -> PlanOutdated:
        """Returns the refusal of the plan, because somebody recorded an event of a row, or else the file changed."""
        since = self.basis.head.position
        came = log.rows_at(at for at in report.rows.positions if since < at <= head)
        row = min(came, key=lambda row: row.position, default=None)
        if row is None:
            return PlanOutdated("import", since, head, "file", report.source)
        return outdated("import", since, log, row)

    def as_json(self) -> dict[str, Any]:
        """Returns the plan as JSON: the request, and digests of the file and of the outcome of its rows.

        It has ids of players, so delete it when one of them is erased.

        Raises
        ------
        BadValue
            If the plan is of a table in memory or an open file, which another process could not read.
        """
        return {"verb": "import", "request": self.request.as_json(), **self.decision}

    @property
    def decision(self) -> dict[str, Any]:
        """The plan as JSON without the request, for a file that is not at a path."""
        return {"rests": self.basis.as_json(), "content": self.content, "fates": self.outcome}

    @classmethod
    def from_json(cls, given: Mapping[str, Any], core: Core) -> Self:
        """Returns the plan that `as_json` wrote, for a log; the file is read when the plan is inspected or applied.

        Raises
        ------
        BadValue
            If the value is not such a plan.
        """
        try:
            request = ImportRequest.from_json(given["request"])
        except (LookupError, TypeError, AttributeError) as error:
            raise BadValue("plan", error, "must be what as_json of a plan returned; missing or invalid is") from None
        return cls.decided(core, request, given)


def events_behind(log: Log, position: int) -> Iterator[Event]:
    """Yields the events of a log after a position."""
    event = decoder_of(log)
    return (event(row) for row in log.rows(position))


def digest_of(report: ImportReport, log: Log, position: int) -> str:
    """Returns a digest of the outcome of a file's rows, and of the events of a log after a position.

    Uids are left out, since they depend on the names in the log.
    """
    digest = hashlib.sha256(repr(report.outcome).encode("utf-8", "surrogatepass"))
    event, key, rows = decoder_of(log), cache(log.book.key), log.rows(position)
    while some := list(islice(rows, _TOGETHER)):
        contents: list[object] = [
            (key(pool or 0), played, order, key(a or 0), key(b or 0), score, data)
            if kind == "game"  # a quick way for most rows
            else evolve(event(row), uid="_")
            for row in some
            for _, _, kind, pool, played, order, a, b, score, _, data in (row,)
        ]
        digest.update(repr(contents).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_TOGETHER = 1_000
"""Number of rows to digest at once."""


def _each(what: object) -> Iterable[Any]:
    return what if isinstance(what, list | tuple) else [what]


def _is_read_once(what: object) -> bool:
    """True if something can be iterated or read only once."""
    if isinstance(what, io.IOBase):
        return not what.seekable()
    return isinstance(what, Iterator) or (isinstance(what, str) and what == "-")


def _plain(name: str, value: object) -> object:
    """Returns an option as a JSON value."""
    if isinstance(value, tzinfo):
        key = getattr(value, "key", None)
        if key is None:
            raise BadValue(name, value, "must have a name, by which it can be stored with the plan")
        return key
    if isinstance(value, date):
        return value.isoformat()
    return os.fspath(value) if isinstance(value, PathLike) else value
