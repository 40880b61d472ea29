"""Errors: a method cannot rate results, or cannot answer a question."""

import json

from ratingcore.errors.root import RatingCoreError, quoted
from ratingcore.safe_text import counted


class MethodError(RatingCoreError):
    """Branch: results, fields and seeds that a method cannot rate, and questions that it cannot answer."""


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
        return f"import it from a column that has it, or amend the result: {self.name}"


class BadField(MethodError, ValueError):
    """A field has a value the method cannot read."""

    method: str
    name: str
    value: object
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.method}: field {self.name} {self.why} at {self.where}: {quoted(self.value)}"

    @property
    def hint(self) -> str:
        if self.why != "must be a number" or not isinstance(self.value, str):
            return ""
        word = json.dumps(self.value, ensure_ascii=False)
        words = f'{self.name} = {{ column = "{self.name}", words = {{ {word} = "1" }} }}'
        return f"give the numbers for its words in a mapping file: {words}"


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

    advice = "choose a method that reads sides, or keep sessions in a pool of their own"

    def __str__(self) -> str:
        return f"{self.method} reads games of two players, pool {self.pool} holds {self.sessions} sessions"


class OddResults(MethodError):
    """A strict list was requested, and the method cannot read some results of the pool."""

    method: str
    pool: str
    count: int
    first: tuple[tuple[str, str], ...]
    """Uids and reasons of the first such results."""
    lacks: str = ""
    """Field of the first such result that is missing, or whose value cannot be read."""

    def __str__(self) -> str:
        first = ", ".join(f"{uid} ({why})" for uid, why in self.first)
        more = f", and {self.count - len(self.first)} more" if self.count > len(self.first) else ""
        results = counted(self.count, "result")
        return f"{self.method} cannot read {results} of pool {self.pool}: {first}{more}"

    @property
    def hint(self) -> str:
        uid, _ = self.first[0]
        if self.lacks:
            return f"amend {uid}, which needs {self.lacks}, or void it"
        return f"void {uid}, or amend it so that it has a pool of its own"


class DoesNotFit(MethodError, ValueError):
    """A pool does not accept a result."""

    uid: str
    pool: str
    fits: str
    why: str

    def __str__(self) -> str:
        if not self.fits:
            return f"{self.uid} cannot be recorded in {self.pool}: {self.why}"
        return f"pool {self.pool} takes results that {self.fits} can read, and {self.uid} is not one: {self.why}"

    @property
    def hint(self) -> str:
        return f"add what is missing, or use another pool; pool {self.pool} was declared to take only these results"


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
        return f"its authors can check {self.method} against the laws of the contract to learn more"


class CannotSay(MethodError, ValueError):
    """A method cannot answer a question that others answer."""

    method: str
    what: str
    why: str
    advice: str = ""
    field: str = ""
    """The missing field of the game, if that is the reason."""
    others: tuple[str, ...] = ()
    """Some of the methods that can answer, if known."""

    def __str__(self) -> str:
        return f"{self.method} cannot say {self.what}: {self.why}"

    @property
    def hint(self) -> str:
        if self.field:
            return f"give a value of {self.field}"
        return f"{', '.join(self.others)} and others can" if self.others else self.advice


class NoShares(CannotSay):
    """The scores of a game are not shares of one point, which the method requires."""

    advice: str = "write 1-0, 0.5-0.5 or 0-1; points and goals are facts of the game: points_a and points_b"


class NoPast(CannotSay):
    """A method rates the whole pool anew each time, and therefore has no past ratings."""

    advice: str = "make a separate list for each day"
