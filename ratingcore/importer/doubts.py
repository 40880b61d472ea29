"""Doubts about rows that are imported all the same: counted, with the first ones, and told in a sentence each."""

from attrs import define, field

from ratingcore.events import Event, GamePlayed
from ratingcore.events.contrary_points import contrary_points
from ratingcore.events.kinds import players_of
from ratingcore.events.stand_ins import is_nameless
from ratingcore.log.mentions import Mentions

SHOWN = 3
"""Rows that are named at most."""


@define
class Doubts:
    """Rows whose id holds the name of a player, and games whose points name another winner than their score."""

    _speaking: int = field(default=0, init=False)
    _id: str = field(default="", init=False)
    _contrary: int = field(default=0, init=False)
    _first: list[str] = field(factory=list, init=False)

    def see(self, line: int, event: Event) -> None:
        """Takes note of a row."""
        if not is_nameless(event.uid) and _speaks(event):
            self._speaking += 1
            self._id = self._id or event.uid
        if isinstance(event, GamePlayed) and event.data and (how := contrary_points(event.score, event.data)):
            self._contrary += 1
            if self._contrary <= SHOWN:
                self._first.append(f"line {line}: {how}")

    def warnings(self) -> list[str]:
        """The doubts, each in one line."""
        told = []
        if self._speaking:
            ids = (
                f"the id {self._id} holds" if self._speaking == 1 else f"{self._speaking} ids, such as {self._id}, hold"
            )
            told.append(f"{ids} the name of a player of the row, and an id can never be erased")
        if self._contrary:
            games = "1 game has" if self._contrary == 1 else f"{self._contrary} games have"
            first = "; ".join(self._first) + ("; ..." if self._contrary > SHOWN else "")
            told.append(f"{games} points that name another winner than the score, which counts: {first}")
        return told


def _speaks(event: Event) -> bool:
    """Whether the id of an event mentions one of its players."""
    uid = event.uid.casefold()
    return any(name.casefold() in uid and Mentions([name]).within(event.uid) for name in players_of(event))
