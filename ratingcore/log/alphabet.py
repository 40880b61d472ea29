"""The keys of players in alphabetical order, as the index of names in a file has them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

STEP = 100_000
"""Keys that one statement gives, as one text: a row a key takes longer to fetch than to read.

SQLite adds rows to the text in the order in which the inner statement gives them.
"""

_STEP = """SELECT count(*), group_concat(key, char(31)), group_concat(id) FROM (
    SELECT id, key FROM name WHERE kind = 'player' AND key IS NOT NULL AND key > ? AND id <= ? ORDER BY key LIMIT ?)"""


class Alphabet(NamedTuple):
    """Ids of players in alphabetical order, and their keys in one text: nobody may ask for them one by one."""

    ids: NDArray[np.int32]
    text: str

    def keys(self) -> dict[int, str]:
        """Keys by id."""
        return dict(zip(self.ids.tolist(), self.text.split(_BETWEEN), strict=True)) if len(self.ids) else {}


def alphabet(query: Callable[..., list[Any]], count: int) -> Alphabet | None:
    """Returns the players of a log in a file in alphabetical order of their keys, erased ones left out.

    Parameters
    ----------
    query : callable
        Runs a statement of SQLite and returns its rows.
    count : int
        Names of larger ids are left out.

    Returns
    -------
    Alphabet or None
        None if a key holds the separator, which no key that is recorded today does.
    """
    texts: list[str] = []
    ids = [np.empty(0, dtype=np.int32)]
    last = ""
    while True:
        ((found, text, numbers),) = query(_STEP, (last, count, STEP))
        if not found:
            return Alphabet(np.concatenate(ids), _BETWEEN.join(texts))
        if text.count(_BETWEEN) != found - 1:
            return None
        last = text.rpartition(_BETWEEN)[2]
        texts.append(text)
        ids.append(np.fromstring(numbers, dtype=np.int32, sep=","))


_BETWEEN = "\x1f"
