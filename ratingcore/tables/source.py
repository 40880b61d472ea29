"""Protocols of what tables read of a log."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import Row
from ratingcore.events.corrections import Corrections


class Point(Protocol):
    """A position of a log and the digest of all that came before it."""

    @property
    def position(self) -> int: ...
    @property
    def digest(self) -> str: ...


class Played(Protocol):
    """Games of a pool in order of position, without corrections; players are ids."""

    @property
    def position(self) -> NDArray[np.int64]: ...
    @property
    def played(self) -> NDArray[np.int64]: ...
    @property
    def order(self) -> NDArray[np.int32]: ...
    @property
    def a(self) -> NDArray[np.int32]: ...
    @property
    def b(self) -> NDArray[np.int32]: ...
    @property
    def score(self) -> NDArray[np.float64]: ...


class Source(Protocol):
    """A log, as far as columns are made from it."""

    @property
    def head(self) -> Point: ...
    def digest_at(self, position: int) -> str: ...
    def corrections(self, to: int | None = None) -> Corrections: ...
    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]: ...
    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]: ...
    def games(self, pool: int, after: int, to: int) -> Played: ...
    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]: ...
