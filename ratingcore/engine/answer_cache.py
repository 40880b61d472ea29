"""Cache of recent answers, valid while the log is unchanged."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sized
from typing import Any, TypeVar

from ratingcore.log import Log
from ratingcore.log.contract import Look

Answer = TypeVar("Answer", bound=Sized)


class Recent:
    """Recent answers to questions about one log; the newest is always kept, older ones up to `ROWS` rows in all.

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
        """Returns the answer to a question; makes it anew if the log has changed since.

        Answers are kept only if the question consists of texts and numbers: a method passed as an object may have state
        that changes its answers.

        Parameters
        ----------
        question : tuple
        make : callable
            Makes the answer from a snapshot of the log; returns it with the number of events that it knows.
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
            if self._same(look) and known_at <= look.head.position:  # else the log has changed meanwhile
                self._rows += _weight(made) - _weight(self._answers.get(words))
                self._answers[words] = made
                while len(self._answers) > 1 and self._rows > ROWS:
                    self._rows -= _weight(self._answers.popitem(last=False)[1])
        return made

    def forget(self) -> None:
        """Drops every answer."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        self._answers.clear()
        self._rows = 0

    def _same(self, look: Look) -> bool:
        """True if the answers belong to this snapshot of the log, and its book of names is still the same object."""
        return look == self._look and look.book is self._look.book


def _weight(answer: Sized | None) -> int:
    return 0 if answer is None else ROWS_OF_NONE + len(answer)


_PLAIN = frozenset({str, int, bool})

ROWS = 1_000_000
"""Largest number of rows in all answers, at about 40 bytes each; the newest answer is kept whatever its size."""
ROWS_OF_NONE = 500
"""Number of rows to which the overhead of an answer is equivalent."""
