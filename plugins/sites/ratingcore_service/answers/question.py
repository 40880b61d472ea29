"""The question that an address asks, with the state of the log of which all parts of its answer are."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from attrs import frozen

from ratingcore import Engine, RatingList
from ratingcore.plugin.analysis import View
from ratingcore_service.answers.addresses import permalink, pool_of, pool_part
from ratingcore_service.routing import Asked

LEFT = {"after": 0, "top": 100, "format": "json", "at_least": 0}
"""Fields that an address leaves out where they are as usual."""

_DAY = re.compile(r"\s*\d{4}-\d{2}(-\d{2}.*)?\s*")


@frozen
class Question:
    """A question to a pool.

    Parameters
    ----------
    engine : Engine
    asked : Asked
    pool : str
    method : str or None
        None for the pool's own.
    through : str or None
    known_at : str or int
        As it was asked; a position of the log where the question names none, so that all parts agree.
    """

    engine: Engine
    asked: Asked
    pool: str
    method: str | None
    through: str | None
    known_at: str | int

    @classmethod
    def of(cls, engine: Engine, asked: Asked) -> "Question":
        """What an address asks."""
        pool, query = pool_of(engine, asked), asked.query
        known_at = engine.log.stamp.position if query.known_at is None else query.known_at
        return cls(engine, asked, pool, asked.method(pool), getattr(query, "through", None), known_at)

    @property
    def cuts(self) -> tuple[str, str | None, str | None, str | int]:
        """Pool, method and cuts, as the engine takes them."""
        return self.pool, self.method, self.through, self.known_at

    @property
    def listed(self) -> RatingList:
        """The rating list."""
        return self.engine.rating_list(*self.cuts)

    @property
    def view(self) -> View:
        """The results."""
        return self.engine.core.view(self.pool, self.through, self.known_at)

    @property
    def identity(self) -> str:
        """The method with all its parameters."""
        return self.listed.provenance.method

    def link(self, head: str, **changed: Any) -> str:
        """The address of this question at a head of the log."""
        cut = self.asked.cut
        known_at = head if cut is None or _DAY.fullmatch(cut) else cut  # a list is asked for as it was made
        given = msgspec.structs.asdict(self.asked.query) | {"method": self.method, "known_at": known_at} | changed
        fields = {name: value for name, value in given.items() if value is not None and LEFT.get(name) != value}
        _, _, rest = self.asked.address.partition("?")[0].removeprefix("/api/v1/pools/").partition("/")
        return permalink(self.asked, f"/api/v1/pools/{pool_part(self.engine, self.pool)}/{quote(rest)}", _words(fields))

    def following(self, head: str, rows: int) -> str | None:
        """The address of the rows that come next, of so many; None if there are none."""
        end = self.asked.query.after + self.asked.query.top
        return self.link(head, after=end) if end < rows else None


def _words(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Values as addresses spell them."""
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in fields.items()}


def head_of(listed: RatingList | View) -> str:
    """The head of the log that an answer is of."""
    made = listed.provenance if isinstance(listed, RatingList) else listed
    return f"{made.known_at}:{made.digest}"
