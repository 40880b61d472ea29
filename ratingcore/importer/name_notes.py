"""Notes of an import about names and ids that may mean other people than they seem to."""

from attrs import frozen

from ratingcore.importer.notes import NAMES, cases
from ratingcore.readers import Note
from ratingcore.safe_text import counted


@frozen
class Namesakes(Note):
    """Names with two opponents at one time or in one round, which may belong to two people."""

    count: int
    cases: tuple[tuple[str, int, int], ...]
    """Name and two lines of each of the first cases."""

    what = "two opponents at one time or in one round"

    def __str__(self) -> str:
        times = "1 name plays" if self.count == 1 else f"{self.count} times a name plays"
        words = [f"{name}, lines {one} and {other}" for name, one, other in self.cases]
        return f"{times} {self.what}: {cases(self.count, words)}"


@frozen
class NamesakesInEvents(Namesakes):
    """Names that play in two events on a day while nobody else plays in both, and so may belong to two people."""

    what = "in two events on one day, and nobody else in both"


@frozen
class NearNames(Note):
    """New names of players, each with another name that may belong to the same person."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        first = dict(reversed(self.pairs))
        if len(first) < 2:
            return "".join(f"new name {new} is spelt nearly like {other}" for new, other in first.items())
        some = ", ".join(f"{new} like {first[new]}" for new in sorted(first)[:NAMES])
        more = f" and {len(first) - NAMES} more" if len(first) > NAMES else ""
        return f"new names are spelt nearly like others: {some}{more}"


@frozen
class NamesOfOneId(Note):
    """Ids that a file gives to names of different people; each id counts as one player."""

    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]
    """Id and two names with their lines, for each of the first ids."""

    def __str__(self) -> str:
        which = "1 id has names" if self.count == 1 else f"{self.count} ids have names"
        words = [f"{key} is {one} on line {at}, {other} on line {line}" for key, one, at, other, line in self.cases]
        return f"{which} of several people, and counts as one player: {cases(self.count, words)}"


@frozen
class IdsOfOneName(Note):
    """Names that a file gives with several ids, or with and without an id; each name counts as several players."""

    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]
    """Name and two ids with their lines, for each of the first names; the second id is empty if there is none."""

    def __str__(self) -> str:
        which = "1 name counts" if self.count == 1 else f"{self.count} names count"
        words = [
            f"{name} is {one} on line {at}, {f'{other} on line {line}' if other else 'and has no id elsewhere'}"
            for name, one, at, other, line in self.cases
        ]
        return f"{which} as several players: {cases(self.count, words)}"


@frozen
class KnownByName(Note):
    """Players of the file without an id: their number."""

    players: int

    def __str__(self) -> str:
        return f"{counted(self.players, 'player is', 'players are')} known by name only"


@frozen
class NamesInIds(Note):
    """Ids of rows that contain a player's name, although ids can never be erased: their number, and the first."""

    count: int
    first: str

    def __str__(self) -> str:
        ids = f"the id {self.first} holds" if self.count == 1 else f"{self.count} ids, such as {self.first}, hold"
        return f"{ids} the name of a player of the row, and an id can never be erased"


@frozen
class ToldApart(Note):
    """Names to which columns about the two sides, such as their clubs, give several values.

    Attributes
    ----------
    columns : tuple of str
    count : int
        Number of names.
    cases : tuple of (str, str, int, str, int)
        A name and two values with their lines, for each of the first names.
    """

    columns: tuple[str, str]
    count: int
    cases: tuple[tuple[str, str, int, str, int], ...]

    def __str__(self) -> str:
        which = counted(self.count, "name has", "names have")
        one_each = "counts as one player" if self.count == 1 else "count as one player each"
        words = [f"{name}, {one} on line {at} and {other} on line {line}" for name, one, at, other, line in self.cases]
        return f"{which} several values in {' or '.join(self.columns)}, and {one_each}: {cases(self.count, words)}"
