"""Every error of ratingcore: one root, one branch a concern, facts as fields.

RatingCoreError
├── EventError        what happened cannot be said so
├── LogError          the log refuses, or is not what it should be
├── ArchiveError      a foreign file cannot be read
├── PluginError       something is not installed, or is installed and broken
├── MethodError       a method cannot rate this
└── ViewError         nobody can look at the log that way
"""

from attrs import define, field


class RatingCoreError(Exception):
    """Root of all errors of ratingcore; `hint` says what to do next, or is empty."""

    @property
    def hint(self) -> str:
        return ""


# What happened cannot be said so


class EventError(RatingCoreError, ValueError):
    """Branch: an event, or a value in one, is not possible."""


@define(slots=False)
class BadValue(EventError):
    """A value is not one the field can hold."""

    what: str
    value: object
    why: str

    def __str__(self) -> str:
        return f"{self.what} {self.why}: {self.value!r}"


@define(slots=False)
class PlayedThemselves(EventError):
    """A player sits on two sides of one result."""

    player: str

    def __str__(self) -> str:
        return f"a player cannot meet himself: {self.player}"


@define(slots=False)
class BadCorrection(EventError):
    """A correction speaks about an event in a way that event does not allow."""

    uid: str
    kind: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot {self.kind} {self.uid}: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice


# The log refuses, or is not what it should be


class LogError(RatingCoreError):
    """Branch: appending to, reading or checking a log."""


@define(slots=False)
class Conflict(LogError):
    """An event with this uid is in the log already, with other content."""

    uid: str
    position: int
    differs: str

    def __str__(self) -> str:
        return f"uid {self.uid} is already at position {self.position} with another {self.differs}"

    @property
    def hint(self) -> str:
        return "a correction is a new event: amend it, or give the new event a uid of its own"


@define(slots=False)
class HeadMoved(LogError):
    """The log has grown since the caller looked."""

    expected: int
    found: int

    def __str__(self) -> str:
        if self.expected == self.found:
            return f"the log has another history up to position {self.found} than was expected"
        return f"the log is at position {self.found}, expected {self.expected}"

    @property
    def hint(self) -> str:
        return "read the new events, then try again"


@define(slots=False)
class UnknownUid(LogError, LookupError):
    """No event of the log has this uid."""

    uid: str

    def __str__(self) -> str:
        return f"no event has the uid: {self.uid}"

    @property
    def hint(self) -> str:
        return "the log command lists uids"


@define(slots=False)
class UnknownName(LogError, LookupError):
    """The log knows no player or pool of this name."""

    kind: str
    key: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"the log knows no {self.kind} named: {self.key}"

    @property
    def hint(self) -> str:
        return f"did you mean {' or '.join(self.near)}?" if self.near else ""


@define(slots=False)
class NotALog(LogError):
    """A file is there, but it is no log of ratingcore."""

    path: str
    found: str

    def __str__(self) -> str:
        return f"not a ratingcore log: {self.path} is {self.found}"


@define(slots=False)
class NewerLog(LogError):
    """The log was written by a later version of ratingcore."""

    path: str
    schema: int
    known: int

    def __str__(self) -> str:
        return f"{self.path} has log schema {self.schema}, this ratingcore knows up to {self.known}"

    @property
    def hint(self) -> str:
        return "install a newer ratingcore: pip install --upgrade ratingcore"


@define(slots=False)
class NoSuchLog(LogError, LookupError):
    """There is no file to read."""

    path: str

    def __str__(self) -> str:
        return f"no such log: {self.path}"

    @property
    def hint(self) -> str:
        return "import, seed and record make a log; the other commands read one"


@define(slots=False)
class LogUnavailable(LogError):
    """The file system or another process stands in the way: locked, read-only, full."""

    path: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot use {self.path}: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice


@define(slots=False)
class BrokenChain(LogError):
    """The digests do not follow from the rows, or an anchor is not in this history."""

    position: int
    why: str

    def __str__(self) -> str:
        return f"the chain breaks at position {self.position}: {self.why}"


@define(slots=False)
class BadTransfer(LogError):
    """An exported log cannot be loaded."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line} of the export: {self.why}" if self.line else f"the export: {self.why}"


# A foreign file cannot be read


class ArchiveError(RatingCoreError):
    """Branch: reading results and ratings out of files."""


@define(slots=False)
class ColumnNotFound(ArchiveError, LookupError):
    """A mapping names a column that the file does not have."""

    path: str
    column: str
    wanted_for: str
    found: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path} has no column {self.column!r} for {self.wanted_for}: it has {', '.join(self.found)}"

    @property
    def hint(self) -> str:
        return "map fields to columns: --map a=white,b=black,score=result,played=date"


@define(slots=False)
class BadMapping(ArchiveError, ValueError):
    """A mapping cannot be understood."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@define(slots=False)
class BadFile(ArchiveError):
    """A file is not of the form it should be."""

    path: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot read {self.path}: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice


@define(slots=False)
class RowsRefused(ArchiveError):
    """Rows were refused and the caller asked for all or nothing."""

    path: str
    refused: int
    first: str

    def __str__(self) -> str:
        rows = "1 row" if self.refused == 1 else f"{self.refused} rows"
        return f"{self.path}: {rows} refused, nothing imported; the first: {self.first}"

    @property
    def hint(self) -> str:
        return "see every reason with --dry-run, or import without --strict"


# Something is not installed, or is installed and broken


class PluginError(RatingCoreError):
    """Branch: plugins, and methods by name."""


@define(slots=False)
class MethodNotFound(PluginError, LookupError):
    """No installed plugin offers a method of this name."""

    name: str
    known: tuple[str, ...]
    near: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"no method named {self.name}: installed are {', '.join(self.known) or 'none'}"

    @property
    def hint(self) -> str:
        if self.near:
            return f"did you mean {' or '.join(self.near)}?"
        if self.broken:
            return f"plugins that did not load: {', '.join(self.broken)} (see: ratingcore plugins)"
        return ""


@define(slots=False)
class BadParameter(PluginError, ValueError):
    """A parameter of a method is unknown, or has a value it cannot have."""

    method: str
    parameter: str
    why: str
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.method}: parameter {self.parameter} {self.why}"

    @property
    def hint(self) -> str:
        return f"{self.method} takes {', '.join(self.known)}" if self.known else ""


# A method cannot rate this


class MethodError(RatingCoreError):
    """Branch: what a method meets while it rates."""


@define(slots=False)
class MissingField(MethodError):
    """A method needs a field that a result or a player does not have."""

    method: str
    name: str
    of: str
    where: str

    def __str__(self) -> str:
        return f"{self.method} needs the {self.of} field {self.name}: missing at {self.where}"

    @property
    def hint(self) -> str:
        if self.of == "player":
            return f"describe the player: record a PlayerDescribed event with {self.name}"
        return f"import with --map {self.name}=COLUMN, or amend the result"


@define(slots=False)
class BadField(MethodError, ValueError):
    """A field has a value the method cannot read."""

    method: str
    name: str
    value: object
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.method}: field {self.name} {self.why} at {self.where}: {self.value!r}"


@define(slots=False)
class BadResult(MethodError, ValueError):
    """A result is one the formula has no number for."""

    method: str
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.method} cannot rate the result at {self.where}: {self.why}"


@define(slots=False)
class WrongForm(MethodError):
    """The pool holds sessions and the method reads games only."""

    method: str
    pool: str
    sessions: int

    def __str__(self) -> str:
        return f"{self.method} reads games of two players, pool {self.pool} holds {self.sessions} sessions"

    @property
    def hint(self) -> str:
        return "choose a method that reads sides (ratingcore methods), or keep sessions in a pool of their own"


@define(slots=False)
class BadSeed(MethodError, ValueError):
    """A seed cannot be planted."""

    method: str
    uid: str
    why: str
    columns: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.method} cannot plant the seed {self.uid}: {self.why}"

    @property
    def hint(self) -> str:
        return f"columns of {self.method}: {', '.join(self.columns)}" if self.columns else ""


@define(slots=False)
class Unrated(MethodError):
    """A player without a rating plays, and the entry of newcomers is `refuse`."""

    method: str
    player: str
    where: str

    def __str__(self) -> str:
        return f"{self.method} has no rating for {self.player} at {self.where}, and entry=refuse"

    @property
    def hint(self) -> str:
        return "seed the player, or let newcomers enter: entry=at_start, trial(n), pooled(n,months)"


@define(slots=False)
class BrokenContract(MethodError, TypeError):
    """A method returned something the contract does not allow."""

    method: str
    why: str

    def __str__(self) -> str:
        return f"{self.method} breaks the method contract: {self.why}"

    @property
    def hint(self) -> str:
        return f"ratingcore check {self.method}"


# Nobody can look at the log that way


class ViewError(RatingCoreError):
    """Branch: cuts that cannot be made."""


@define(slots=False)
class BadCut(ViewError, ValueError):
    """A cut names no point of the log."""

    cut: str
    value: object
    why: str

    def __str__(self) -> str:
        return f"{self.cut} {self.why}: {self.value}"
