"""USEBIO events as sessions: every pair a side, its published percentage or IMPs the score."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from os import PathLike, fspath
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ratingcore.plugin import BadFile, RatingCoreError, SessionPlayed, Side
from ratingcore_usebio.documents import document

UNITS = {
    "MP_PAIRS": ("percent", "PERCENTAGE"),
    "BUTLER_PAIRS": ("imp", "TOTAL_SCORE"),
    "CROSS_IMPS": ("imp", "TOTAL_SCORE"),
    "CROSS_IMP": ("imp", "TOTAL_SCORE"),  # the same, as some programs spell it
}
"""Types of event that are read: the unit of their scores, and where a pair's score stands."""

LINES = ("NS", "EW")


class Pair(NamedTuple):
    """A pair of the session: its number, the line it sat in (or nothing), its score and its players."""

    number: str
    line: str
    score: float
    players: tuple[str, ...]


def read_usebio(path: str | PathLike[str]) -> Iterator[SessionPlayed]:
    """The sessions in a USEBIO file, one event each.

    A pair is a side of two players, known by their national numbers, or by name where there is none. Scores are those
    published: the percentage of a matchpoint session, the total of a Butler or cross-IMP one. In a session with two
    lines the sides of North-South come first, and `first_line` says how many they are. `boards` is how many boards
    most pairs played. The uid is made of the numbers of the club and the event, so that a session that is
    issued again is recognised. The pool is the club; an import puts the events into the pool that it is given.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    iterator of SessionPlayed

    Raises
    ------
    BadFile
        If the file is no such file, or a session in it is not whole: the pair and the value are named.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> pair = "<PAIR><PAIR_NUMBER>{}</PAIR_NUMBER><PERCENTAGE>{}</PERCENTAGE>{}</PAIR>"
    >>> player = "<PLAYER><PLAYER_NAME>{}</PLAYER_NAME></PLAYER>"
    >>> pairs = [(1, "56.25", "ann bo"), (2, "43.75", "cy di")]
    >>> participants = [pair.format(n, s, "".join(map(player.format, who.split()))) for n, s, who in pairs]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "session.xml")
    ...     _ = file.write_text(
    ...         "<USEBIO><CLUB><CLUB_ID_NUMBER>77</CLUB_ID_NUMBER></CLUB><EVENT EVENT_TYPE='MP_PAIRS'>"
    ...         "<EVENT_IDENTIFIER>12</EVENT_IDENTIFIER><DATE>28/07/2022</DATE>"
    ...         f"<PARTICIPANTS>{''.join(participants)}</PARTICIPANTS></EVENT></USEBIO>"
    ...     )
    ...     session, = read_usebio(file)
    >>> session.uid, session.sides[0]
    ('usebio:77:12', Side(players=('ann', 'bo'), score=56.25))
    """
    where = fspath(path)
    root = document(path)
    if root.tag != "USEBIO":
        raise BadFile(where, f"its root is {root.tag}, not USEBIO")
    club = _text(root, "CLUB/CLUB_ID_NUMBER") or _text(root, "CLUB/CLUB_NAME")
    events = root.findall("EVENT")
    if not events or not club:
        raise BadFile(where, "it has no event" if club else "it names no club")
    pool = _text(root, "CLUB/CLUB_NAME") or club
    return iter([_Session(where, event).read(club, pool) for event in events])


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


class _Session:
    """One EVENT of a file."""

    def __init__(self, path: str, event: Element) -> None:
        self._path = path
        self._event = event
        self._number = _text(event, "EVENT_IDENTIFIER")

    def read(self, club: str, pool: str) -> SessionPlayed:
        if not self._number:
            raise self._bad("an event has no EVENT_IDENTIFIER")
        kind = self._event.get("EVENT_TYPE", "")
        if kind not in UNITS:
            raise self._bad(f"its type is not one of {', '.join(UNITS)}: {kind or 'none'}")
        unit, scored = UNITS[kind]
        pairs = [
            self._pair(element, scored)
            for element in self._event.iterfind("PARTICIPANTS/PAIR")
            if element.find("PLAYER") is not None
        ]
        lined = {pair.line for pair in pairs} == set(LINES)
        if lined:
            pairs.sort(key=lambda pair: LINES.index(pair.line))
        data: dict[str, str | int] = {"unit": unit, "event": _text(self._event, "EVENT_DESCRIPTION") or self._number}
        boards = self._boards(lined)
        data |= ({"boards": boards} if boards else {}) | (
            {"first_line": sum(p.line == "NS" for p in pairs)} if lined else {}
        )
        try:
            return SessionPlayed(
                uid=f"usebio:{club}:{self._number}", pool=pool, played=self._day(),
                sides=[Side(pair.players, pair.score) for pair in pairs], data=data,
            )  # fmt: skip
        except RatingCoreError as error:
            raise self._bad(str(error)) from None

    def _day(self) -> date:
        text = _text(self._event, "DATE")
        for form in ("%d/%m/%Y", "%Y-%m-%d"):
            try:
                return datetime.strptime(text, form).date()
            except ValueError:
                continue
        raise self._bad(f"its DATE is none like 28/07/2022: {text!r}")

    def _pair(self, pair: Element, scored: str) -> Pair:
        number, score = _text(pair, "PAIR_NUMBER"), _text(pair, scored)
        players = tuple(self._player(player, number) for player in pair.iterfind("PLAYER"))
        if len(players) != 2:
            raise self._bad(f"pair {number} has {len(players)} players, not 2")
        try:
            return Pair(number, _text(pair, "DIRECTION"), float(score), players)
        except ValueError:
            raise self._bad(f"pair {number} has no number in {scored}: {score!r}") from None

    def _player(self, player: Element, pair: str) -> str:
        number = _text(player, "NATIONAL_ID_NUMBER")
        name = number if number.strip("0") else _text(player, "PLAYER_NAME")
        if not name:
            raise self._bad(f"a player of pair {pair} has neither a number nor a name")
        return name

    def _boards(self, lined: bool) -> int:
        """Number of boards that most pairs played; 0 if the file has no boards."""
        played: Counter[tuple[str, str]] = Counter()
        for line in self._event.iterfind("BOARD/TRAVELLER_LINE"):
            for direction in LINES:
                played[direction if lined else "", _text(line, f"{direction}_PAIR_NUMBER")] += 1
        often = Counter(played.values()).most_common()
        return max((boards for boards, pairs in often if pairs == often[0][1]), default=0)

    def _bad(self, why: str) -> BadFile:
        where = f"event {self._number}: " if self._number else ""
        return BadFile(self._path, f"{where}{why}")
