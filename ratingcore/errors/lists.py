"""Errors: a list cannot be published, found, rebuilt or proved."""

from ratingcore.errors.root import RatingCoreError


class ListError(RatingCoreError):
    """Branch: publishing, finding, rebuilding and proving lists."""


class UnknownList(ListError, LookupError):
    """No list was published under this name."""

    name: str
    pool: str = ""
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f" of pool {self.pool}" if self.pool else ""
        return f"no list{where} was published as: {self.name}"

    @property
    def hint(self) -> str:
        return f"did you mean {' or '.join(self.near)}?" if self.near else "show the published lists to see their names"


class SeveralLists(ListError, LookupError):
    """Several pools have a list of this name, and no pool was given."""

    name: str
    pools: tuple[str, ...]

    advice = "give the pool"

    def __str__(self) -> str:
        return f"lists of several pools were published as {self.name}: {', '.join(self.pools)}"


class AlreadyPublished(ListError):
    """Another list already has this name; names are never used twice."""

    name: str
    pool: str
    position: int

    def __str__(self) -> str:
        return f"another list of pool {self.pool} was published as {self.name}, at position {self.position}"

    @property
    def hint(self) -> str:
        return f"a published list cannot change: choose another name, and diff {self.name} to see what is known now"


class UnclearName(ListError, ValueError):
    """The name for a list could be read as a cut: a position, a day or a head."""

    name: str
    reads_as: str

    def __str__(self) -> str:
        return f"no list can be published as {self.name}, which is read as {self.reads_as}"

    @property
    def hint(self) -> str:
        return f"add a word to it, such as list-{self.name}"


class OtherQuestion(ListError, ValueError):
    """Two lists cannot be compared row by row, because they differ in pool, method or rounding."""

    one: str
    other: str

    advice = "make both lists of one pool, by one method and with the same digits"

    def __str__(self) -> str:
        return f"lists of different pools, methods or digits cannot be compared: {self.one}; {self.other}"


class ForeignList(ListError):
    """A list was made from a history that is not part of this log."""

    position: int
    digest: str
    head: int

    def __str__(self) -> str:
        made_from = f"the list was made from head {self.position}:{self.digest[:16]}"
        if self.position > self.head:
            return f"{made_from}, the log ends at position {self.head}"
        return f"{made_from}, which is not part of this log"


class ListDiffers(ListError):
    """A list to be published differs from the list that the log gives."""

    pool: str
    seal: str
    true: str

    advice = "the cache of the pool was dropped, in case it was damaged: make the list again and publish that"

    def __str__(self) -> str:
        seals = f"seal {self.seal[:16]}, not {self.true[:16]}"
        return f"the list of pool {self.pool} differs from the one that the log gives: {seals}"


class CannotRebuild(ListError):
    """A published list cannot be rebuilt with this log or this installation."""

    name: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"the list {self.name} cannot be rebuilt: {self.why}"


class FormulaChanged(ListError):
    """A list was published with a formula number other than that of the installed method."""

    name: str
    published: str
    installed: str

    def __str__(self) -> str:
        return f"the list {self.name} cannot be rebuilt: published with {self.published}, installed is {self.installed}"

    @property
    def hint(self) -> str:
        method = self.published.partition("@")[0]
        return f"{method} computes other ratings now: install the version that offers {self.published}"


class SealBroken(ListError):
    """A rebuilt list has rows that differ from the published ones."""

    name: str
    published: str
    found: str
    version: str

    def __str__(self) -> str:
        return f"the list {self.name} has another seal: published {self.published[:16]}, rebuilt {self.found[:16]}"

    @property
    def hint(self) -> str:
        return f"it was published with ratingcore {self.version}: check whether that version rebuilds it unchanged"


class BadKey(ListError, ValueError):
    """A file is not a usable key for signing or checking documents."""

    path: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot use the key {self.path}: {self.why}"


class BadDocument(ListError, ValueError):
    """A text is not the document of a rating list."""

    why: str

    advice = "write a published list as JSON to get one"

    def __str__(self) -> str:
        return f"this is not the document of a rating list: {self.why}"
