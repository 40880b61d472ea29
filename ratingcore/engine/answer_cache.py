"""Answers given of late, for as long as the log stays as it was: the same question asked again is a look-up."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sized
from typing import Any, TypeVar

from ratingcore.log import Log
from ratingcore.log.contract import Look

Answer = TypeVar("Answer", bound=Sized)


class Recent:
    """Answers to questions about one log by their words; what was said last stays, up to some rows in all.

    Parameters
    ----------
    log : Log
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._look: Look | None = None
        self._answers: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._rows = 0
        self._lock = threading.Lock()

    def answer(self, question: tuple[object, ...], make: Callable[[Look], tuple[Answer, int]]) -> Answer:
        """The answer to a question, made if it was not given since the log has changed.

        Only a question in plain words is remembered: a method that is a value may be of a class that keeps books.

        Parameters
        ----------
        question : tuple
        make : callable
            Takes a look at the log, by which the answer is to go; returns the answer, and how many events it knows.
        """
        words, look = (*question, *map(type, question)), self._log.look()
        if not all(word is None or type(word) in _PLAIN for word in question):
            return make(look)[0]
        with self._lock:
            if not self._same(look):
                self._look = look
                self._clear()
            if words in self._answers:
                self._answers.move_to_end(words)
                return self._answers[words]  # type: ignore[no-any-return]  # what was made for this question
        made, known_at = make(look)
        with self._lock:
            if self._same(look) and known_at <= look.head.position:  # else others have recorded meanwhile
                self._rows += _weight(made) - _weight(self._answers.get(words))
                self._answers[words] = made
                while len(self._answers) > 1 and self._rows > ROWS:
                    self._rows -= _weight(self._answers.popitem(last=False)[1])
        return made

    def forget(self) -> None:
        """Drops every answer: a cache that it was made from was wrong."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        self._answers.clear()
        self._rows = 0

    def _same(self, look: Look) -> bool:
        """Whether the answers are of this look: events, erasures, and inside a transaction its names."""
        return look == self._look and look.book is self._look.book


def _weight(answer: Sized | None) -> int:
    return 0 if answer is None else ROWS_OF_NONE + len(answer)


_PLAIN = frozenset({str, int, bool})

ROWS = 1_000_000
"""Rows of the answers that are held, of which each takes some 40 bytes; the last one is held whatever its size."""
ROWS_OF_NONE = 500
"""Rows as which an answer counts that has none: so much is around the rows of every answer."""
