"""All facts and visible names ever recorded of players, and those of them that an erasure removes."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from attrs import frozen

from ratingcore.events import Fact
from ratingcore.events.player_facts import fact_numbers
from ratingcore.log import Log, Name
from ratingcore.log.lookup import corrections_of

_NO_FACTS = frozenset({"pool", "player", "played", "order"})
"""Fields of descriptions and their amendments that do not describe the player."""


def stated_fact(name: Name) -> tuple[int, str, Fact]:
    """Returns the position, field and value of a fact from its name in the log."""
    position, field, value = json.loads(str(name.key))
    return position, field, value


class Stated(NamedTuple):
    """Facts in an event: a description of a player, or an amendment of a description."""

    position: int
    of: int
    """Position of the description."""
    players: set[int]
    """Players whom the description has ever described."""
    facts: Mapping[str, Any]


@frozen
class AllDescribed:
    """All facts ever recorded of players, including those taken back since.

    Parameters
    ----------
    called : mapping of int to set of int
        Ids of the visible names that each player has had, by id of the player.
    stated : tuple of Stated
    """

    called: Mapping[int, set[int]]
    stated: tuple[Stated, ...]

    @classmethod
    def of(cls, log: Log) -> Self:
        """Reads the descriptions of players and their amendments."""
        who: dict[int, set[int]] = {}
        names: dict[int, set[int]] = {}
        stated: list[Stated] = []
        for row in log.rows(0, None, ("player", "amend")):
            at = row.position if row.kind == "player" else row.ref or 0
            if row.kind == "amend" and at not in who:
                continue  # it amends a result
            fields = row.facts if row.kind == "player" else row.facts["set"]
            player, called = row.a if row.kind == "player" else fields.get("player"), fields.get("called")
            players = who.setdefault(at, set())
            if player is not None:
                players.add(player)
            if isinstance(called, list):
                names.setdefault(at, set()).update(called)
            # a plain text in this field was written by an older version, and is part of the digests
            own = _NO_FACTS | {"called"} if isinstance(called, list) else _NO_FACTS
            facts = {name: value for name, value in fields.items() if name not in own and value is not None}
            stated.append(Stated(row.position, at, players, facts))
        by_player: dict[int, set[int]] = {}
        for at, numbers in names.items():
            for player in who[at]:
                by_player.setdefault(player, set()).update(numbers)
        return cls(by_player, tuple(stated))

    def sharing(self, shown: set[int]) -> list[int]:
        """Returns the ids of the players who have ever had one of these visible names."""
        return [player for player, called in self.called.items() if called & shown]


@frozen
class FactsOf:
    """Facts ever recorded of a player, sorted by what an erasure does with them."""

    erased: list[Name]
    """Facts to erase."""
    inline: Mapping[int, tuple[str, ...]]
    """By position, fields whose facts stay because they are part of the digests, in rows of older versions."""
    rated: Mapping[int, tuple[str, ...]]
    """By position, fields whose facts stay because ratings are computed from them."""

    @classmethod
    def of(
        cls, log: Log, described: AllDescribed, names: Sequence[Name], same: set[int], rated: frozenset[str]
    ) -> Self:
        """Sorts the facts of a player; leaves out facts that now describe somebody else."""
        mine = [one for one in described.stated if one.players & same]
        others, now = set[int](), corrections_of(log)
        for row in filter(None, map(now.read, log.rows_at({one.of for one in mine}))):
            if now.root(row.a or 0) not in map(now.root, same):
                others.update(fact_numbers(row.facts))
        erased, inline, read = list[Name](), defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        for one in mine:
            for name, value in one.facts.items():
                if not isinstance(value, list):
                    inline[one.position].append(name)
                elif value[0] in others or names[value[0] - 1].key is None:
                    continue
                elif name in rated:
                    read[one.position].append(name)
                else:
                    erased.append(names[value[0] - 1])
        return cls(erased, *({at: tuple(fields) for at, fields in of.items()} for of in (inline, read)))
