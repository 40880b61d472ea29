"""A method cannot rate the results."""

from ratingcore.errors.root import RatingCoreError, quoted
from ratingcore.spelling import counted


class MethodError(RatingCoreError):
    """Branch: results, fields and seeds that a method cannot rate."""


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


class BadField(MethodError, ValueError):
    """A field has a value the method cannot read."""

    method: str
    name: str
    value: object
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.method}: field {self.name} {self.why} at {self.where}: {quoted(self.value)}"


class BadResult(MethodError, ValueError):
    """The formula is not defined for a result."""

    method: str
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.method} cannot rate the result at {self.where}: {self.why}"


class WrongForm(MethodError):
    """The pool holds sessions, and the method reads only games."""

    method: str
    pool: str
    sessions: int

    advice = "choose a method that reads sides (ratingcore methods), or keep sessions in a pool of their own"

    def __str__(self) -> str:
        return f"{self.method} reads games of two players, pool {self.pool} holds {self.sessions} sessions"


class OddResults(MethodError):
    """A list was asked for strictly, and the method cannot read some results of the pool."""

    method: str
    pool: str
    count: int
    first: tuple[tuple[str, str], ...]
    """Uid and reason of the first of them."""

    def __str__(self) -> str:
        told = ", ".join(f"{uid} ({why})" for uid, why in self.first)
        more = f", and {self.count - len(self.first)} more" if self.count > len(self.first) else ""
        results = counted(self.count, "result")
        return f"{self.method} cannot read {results} of pool {self.pool}: {told}{more}"

    @property
    def hint(self) -> str:
        uid, why = self.first[0]
        missing = why.partition(" ")[2] if why.startswith(("no ", "unreadable ")) else ""
        if missing == "points":
            return f"ratingcore amend LOG {uid} points_a=N points_b=N, or ratingcore void LOG {uid}"
        if missing:
            return f"ratingcore amend LOG {uid} {missing}=VALUE, or ratingcore void LOG {uid}"
        return f"ratingcore void LOG {uid}, or give it a pool of its own: ratingcore amend LOG {uid} pool=OTHER"


class DoesNotFit(MethodError, ValueError):
    """A result is recorded that its pool does not take."""

    uid: str
    pool: str
    fits: str
    why: str

    def __str__(self) -> str:
        return f"pool {self.pool} takes what {self.fits} can read, and {self.uid} is not that: {self.why}"

    @property
    def hint(self) -> str:
        return f"give what is missing, or another pool; ratingcore declare LOG --pool {self.pool} changes what it takes"


class Unrated(MethodError):
    """A player without a rating plays, and the entry of newcomers is `refuse`."""

    method: str
    player: str
    where: str

    advice = "seed the player, or let newcomers enter: entry=at_start, mean, trial(n), pooled(n,months)"

    def __str__(self) -> str:
        return f"{self.method} has no rating for {self.player} at {self.where}, and entry=refuse"


class BrokenContract(MethodError, TypeError):
    """A method returned a value that violates the method contract."""

    method: str
    why: str

    def __str__(self) -> str:
        return f"{self.method} breaks the method contract: {self.why}"

    @property
    def hint(self) -> str:
        return f"ratingcore check {self.method}"


class CannotSay(MethodError, ValueError):
    """A method has no answer to a question that others answer."""

    method: str
    what: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.method} cannot say {self.what}: {self.why}"
