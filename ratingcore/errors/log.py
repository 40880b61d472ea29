"""Errors: the log cannot be opened, read or appended to, or is damaged."""

from ratingcore.errors.root import RatingCoreError
from ratingcore.safe_text import counted


class LogError(RatingCoreError):
    """Branch: opening, reading, appending to or checking a log."""


class Conflict(LogError):
    """The log has an event with this uid but other content; `given` is the index of the new event in its batch.

    `position` is 0 if the other event is in the same batch, of which nothing is recorded.
    """

    uid: str
    position: int
    differs: str
    given: int = 0

    advice = "to correct the recorded event, amend it; give a new event its own uid"

    @property
    def hint(self) -> str:
        return self.advice if self.position else "give each event its own uid"

    def __str__(self) -> str:
        if not self.position:
            return f"two events that were given together have the uid {self.uid}, with another {self.differs}"
        return f"uid {self.uid} is already at position {self.position} with another {self.differs}"


class ContentChanged(Conflict):
    """An event without an id would get the uid of a recorded one, because pool, time and players agree; it may differ.

    `all_given` has the indices of all such events in the batch, if an append refused it.
    """

    all_given: tuple[int, ...] = ()

    advice = "amend or void the recorded event; if the row is another event, give it an id in a column uid"

    def __str__(self) -> str:
        how = f" with another {self.differs}" if self.differs else ""
        return f"position {self.position} already has it{how}, uid {self.uid}"


class HeadMoved(LogError):
    """The head of the log is not the head that the caller expected."""

    expected: int
    found: int

    advice = "read the new events, then try again"

    def __str__(self) -> str:
        if self.expected == self.found:
            return f"the history of the log up to position {self.found} is not the one expected"
        return f"the log is at position {self.found}, expected {self.expected}"


class PlanOutdated(LogError):
    """A plan was refused, because a part of the log that it depends on has changed since; nothing was recorded.

    Parameters
    ----------
    verb : str
        Kind of the plan: `void`, `merge`, ...
    since, position : int
        Position of the log when the plan was made, and of the event that changed something; 0 for an erasure.
    kind : str
        Kind of that event: `amend`, `merge`, `game`, ...; or `erase`; or `file` if a file now has other content.
    about, by, why : str
        Uid of the event that it concerns, its actor, and the reason.
    """

    verb: str
    since: int
    position: int
    kind: str
    about: str
    by: str = ""
    why: str = ""

    advice = "see what was decided meanwhile, then decide again"

    def __str__(self) -> str:
        decided = f"this {_NOUNS.get(self.verb, self.verb)} was decided at position {self.since}"
        if self.kind == "erase":
            return f"{decided}; a name was erased since then"
        if self.kind == "file":
            return f"{decided}; {self.about} would record something else now"
        by, why = f" by {self.by}" if self.by else "", f": {self.why}" if self.why else ""
        return f"{decided}; position {self.position} is {_a(self.kind)} of {self.about}{by}{why}"


_NOUNS = {"amend": "amendment", "declare": "declaration", "erase": "erasure", "publish": "publication"}
"""Nouns for verbs and kinds of events that are not nouns themselves."""


def _a(kind: str) -> str:
    noun = _NOUNS.get(kind, kind)
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


class DeclaredMeanwhile(LogError):
    """A pool was declared anew while a file was imported, so its remaining rows may now be read differently."""

    pool: str
    position: int
    file: str
    advice: str = "import it again"
    zone: str = ""
    """Zone in which the times of the file were read, if the zone of the pool has changed."""

    @property
    def hint(self) -> str:
        if not self.zone:
            return self.advice
        return f"import it again and give its zone, which was {self.zone}; rows already recorded count as duplicates"

    def __str__(self) -> str:
        return f"pool {self.pool} was declared anew at position {self.position}, while {self.file} was imported"


class NotBackfilled(LogError, ValueError):
    """Results cannot be recorded as known since past days."""

    why: str

    advice = "import all pools together into a new log first; or import these results as known from now on"

    def __str__(self) -> str:
        return f"results cannot be recorded as known in the past: {self.why}"


class CursorMoved(LogError):
    """Another reader has moved the subscriber's cursor; this reader's work is not committed."""

    subscriber: str
    expected: int
    found: int

    advice = "two readers share a name: stop one of them, or give each its own name"

    def __str__(self) -> str:
        return f"subscriber {self.subscriber} has read to position {self.found}, this reader only to {self.expected}"


class NoCursor(LogError):
    """A feed without a name has no cursor to commit."""

    position: int

    advice = "store the position yourself, or follow the log under a name"

    def __str__(self) -> str:
        return f"this feed has no name, so the log stores no cursor for it: it has read to position {self.position}"


class UnknownUid(LogError, LookupError):
    """No event of the log has this uid."""

    uid: str

    advice = "list the events of the log to see their uids"

    def __str__(self) -> str:
        return f"no event has the uid: {self.uid}"


class UnknownName(LogError, LookupError):
    """The log has no player or pool of this name; `near` has similar names, and names that contain it.

    `newcomer` is true if players who have not played yet can be allowed.
    """

    kind: str
    key: str
    near: tuple[str, ...] = ()
    newcomer: bool = False

    def __str__(self) -> str:
        return f"the log has no {self.kind} named: {self.key}"

    @property
    def hint(self) -> str:
        """Advice that names no players, because a site shows it to people who may not know the others."""
        return self._otherwise if self.kind == "player" else self.suggestion

    @property
    def suggestion(self) -> str:
        meant = f"did you mean {' or '.join(self.near)}?" if self.near else ""
        return " ".join(filter(None, (meant, self._otherwise)))

    @property
    def _otherwise(self) -> str:
        return "newcomers=True allows players who have not played yet" if self.newcomer else ""


class BoardNotDeclared(UnknownName):
    """A board was declared after the cut of the question, at the position `since`."""

    at: int = 0
    since: int = 0

    def __str__(self) -> str:
        return f"board {self.key} was not declared by position {self.at}: it was declared at {self.since}"


class NotALog(LogError):
    """The file exists but is not a log of ratingcore."""

    DAMAGED = "restore the last backup; without one, try .recover of the program sqlite3"
    """Advice about a damaged file: an export would stop at the damage."""
    FOREIGN = "restore the backup, or move that file away: SQLite would write it into the backup"
    """Advice about a write-ahead log that belongs to another file."""

    path: str
    found: str
    advice: str = ""

    def __str__(self) -> str:
        return f"not a ratingcore log: {self.path} is {self.found}"


class NewerLog(LogError):
    """The log was written by a later version of ratingcore."""

    path: str
    schema: int
    known: int

    advice = "install a newer ratingcore"

    def __str__(self) -> str:
        return f"{self.path} has log schema {self.schema}, this ratingcore reads up to {self.known}"


class NoSuchLog(LogError, LookupError):
    """The file of the log does not exist, or the database has no log of this name."""

    path: str

    def __str__(self) -> str:
        return f"no such log: {self.path}"

    @property
    def hint(self) -> str:
        if self.path.startswith(("postgresql:", "postgres:")):
            return "name the log in the address: ?log=NAME; without that, its name is ratingcore"
        return "open it for writing to create it"


class LogUnavailable(LogError):
    """The file system or another process prevents access: locked, read-only, full."""

    path: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot use {self.path}: {self.why}"


class OtherHistory(LogUnavailable):
    """The log was replaced by another history while it was open."""

    advice: str = "open it again to read the new history, and check anchors to see which part is unchanged"


class ErasureUnfinished(LogError):
    """Names are erased from the log, but their bytes could not yet be cleared from the file."""

    path: str
    names: tuple[int, ...]
    why: str

    advice = "erase again once that is solved: the erasure continues where it stopped"

    def __str__(self) -> str:
        which = ", ".join(map(str, self.names))
        return f"the names {which} are erased, but {self.path} still holds their bytes: {self.why}"


class BrokenChain(LogError):
    """A digest does not follow from the rows, or an anchor is not part of this history."""

    position: int
    why: str
    besides: tuple[str, ...] = ()

    advice = "restore a backup that verifies"

    def __str__(self) -> str:
        return "\n".join([f"the chain breaks at position {self.position}: {self.why}", *self.besides])


class UnsoundLog(LogError):
    """The chain of digests is intact, but something else in the log is not as ratingcore writes it."""

    faults: tuple[str, ...]

    advice = "restore a backup that verifies; without one, load an export into a new log, if the export does not fail"

    def __str__(self) -> str:
        return "\n".join(["the log is not as ratingcore wrote it:", *self.faults])


class AnchorFails(BrokenChain):
    """Heads that were stored elsewhere are not part of this history."""

    further: tuple[tuple[int, str], ...] = ()
    checked: int = 0

    advice = "this is another log, or an older copy, or its history was remade: compare it with a backup"

    def __str__(self) -> str:
        if not self.further:
            return super().__str__()
        failing = ((self.position, self.why), *self.further)
        lines = "".join(f"\n  position {position}: {why}" for position, why in failing)
        return f"{len(failing)} of {self.checked} anchors are not part of this log:{lines}"


class BadTransfer(LogError):
    """An exported log cannot be loaded."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line} of the export: {self.why}" if self.line else f"the export: {self.why}"


class OnlySupposed(LogError):
    """A what-if engine holds hypothetical events, so nothing can be recorded, exported or derived from it."""

    events: int

    advice = "record the events on the engine that the what-if was made from"

    def __str__(self) -> str:
        events = counted(self.events, "event is", "events are")
        return f"nothing can be written to a what-if: {events} supposed and not recorded"
