"""Parses the values of PGN tags, and identifies games by their server's id or their tags."""

import re
from datetime import datetime, timedelta, tzinfo

from ratingcore.plugin.readers import DAY, at, at_moment, natural, partial_day

_LICHESS = re.compile(
    r"(?:https?://)?lichess\.org/(?:(?:broadcast/[^/]+/[^/]+|study)/[A-Za-z0-9]{8}/)?"
    r"(?!analysis|training|practice)([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:/(?:white|black))?/?(?:#\d*)?"
)
_LICHESS_ID = re.compile("[A-Za-z0-9]{8}")
_CHESS_COM = re.compile(
    r"(?:https?://)?(?:www\.)?chess\.com/(?:[a-z-]+/)*?(live|daily|computer)?/?(?:game/)?"
    r"(?:(live|daily|computer)/)?(\d{1,20})(?:[/?#].*)?"
)
_NUMBER = re.compile("[0-9]{1,20}")


def id_of(site: str, game_id: str = "", link: str = "", url: str = "", fics: str = "") -> tuple[str, ...]:
    """Returns a tuple of texts that identify a game at its server: one id or several texts; empty if there are none.

    Parameters
    ----------
    site, game_id, link, url, fics : str
        Values of Site, GameId, Link, GameURL and FICSGamesDBGameNo, empty where the game has none.

    Examples
    --------
    >>> id_of("https://lichess.org/nfjOkkBQ"), id_of("Chess.com", link="https://www.chess.com/game/live/123")
    (('lichess:nfjOkkBQ',), ('chess.com:live:123',))
    """
    given = game_id.strip()
    lichess = _LICHESS.fullmatch(site.strip())
    if given and (lichess or "lichess.org" in site or not site.strip("? ")) and _LICHESS_ID.fullmatch(given):
        return (f"lichess:{given}",)
    if given.strip("?-"):
        return ("game", given, site)
    if lichess:
        return (f"lichess:{lichess[1]}",)
    for address in (link, site):
        if match := _CHESS_COM.fullmatch(address.strip()):
            return (f"chess.com:{match[1] or match[2] or 'game'}:{match[3]}",)
    if url.strip():
        match = _LICHESS.fullmatch(url.strip())
        return (f"lichess:{match[1]}",) if match else ("game", url.strip())
    return (f"fics:{fics.strip()}",) if _NUMBER.fullmatch(fics.strip()) else ()


class Ordinals:
    """Numbers games that only their order distinguishes, in bounded memory.

    Keys not among the last few hundred thousand are dropped, since such games are close together in a file.
    """

    def __init__(self, most: int = 2**18) -> None:
        self._most = most
        self._recent: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def of(self, key: tuple[object, ...]) -> int:
        """Returns the number of games with this key so far, including this one."""
        mark = hash(key)
        count = self._recent.get(mark) or self._older.get(mark, 0)
        if len(self._recent) >= self._most:
            self._older, self._recent = self._recent, {}
        self._recent[mark] = count + 1
        return count + 1


SCORES = {
    "1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "1/2": 0.5, "½-½": 0.5, "0.5-0.5": 0.5,
}  # fmt: skip
"""Results of games that were played, with White's share of the point."""
UNRATED = {
    "*": "no result yet", "0-0": "both lost", "1-1": "both won", "+/-": "forfeit", "-/+": "forfeit", "-/-": "forfeit",
    "+--": "forfeit", "--+": "forfeit", "---": "forfeit", "+:-": "forfeit", "-:+": "forfeit", "-:-": "forfeit",
    "+-": "forfeit", "-+": "forfeit", "--": "forfeit",
    "1-0f": "forfeit", "0-1f": "forfeit", "0-0f": "forfeit", "1/2-1/2f": "forfeit",
}  # fmt: skip
"""Results that are not rated, with the reasons."""
FORFEITS = frozenset(("rules infraction", "abandoned", "forfeit", "unplayed", "walkover", "default", "no show"))
"""Terminations of games that one side did not play to the end at the board."""
STANDARD = frozenset(("", "?", "-", "standard", "normal", "chess", "regular"))
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:\.[0-9]*)?(?: *(?:UTC|Z|GMT(?:\+0000)?))?")
_PERIOD = re.compile(r"(?:([0-9]{1,4})/)?([0-9]{1,8})(?:\.[0-9]*)?(?:\+([0-9]{1,6}(?:\.[0-9]{1,6})?))?")
_SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
_WORD = re.compile("[A-Za-z0-9]+")
_WHOLE_DAY = 86_400
_YEAR = re.compile(r"(?<![0-9])(?:1[4-9]|20)[0-9]{2}(?![0-9])")
_ARENA = re.compile(r"lichess\.org/(?:tournament|swiss)/([A-Za-z0-9]{8})/?$")
_SERVER_GAME = re.compile(r"(?:rated|casual)\b", re.IGNORECASE)


def known(text: str) -> str:
    """Returns a value stripped of blanks; empty if it is marked as unknown."""
    plain = text.strip()
    return "" if plain in ("?", "-") else plain


def score_in(text: str) -> float | str:
    """Returns White's score of a result, or why it is not rated; empty for other texts."""
    plain = "".join(text.split()).lower()
    found = SCORES.get(plain)
    return UNRATED.get(plain, "") if found is None else found


def forfeits_by(termination: str, moves: bool) -> bool:
    """True if a Termination means that a game was not played out at the board."""
    plain = termination.strip().lower()
    return plain in FORFEITS and not (plain == "abandoned" and moves)


def day_in(text: str, partial: str, date_format: str = "") -> tuple[int, str, int] | None:
    """Returns the instant of a day, its known part (`""` all, `month`, `year`) and its year.

    None for an unknown day, `????.??.??`.

    Raises
    ------
    BadValue
        If the text is not a day, or is part of one while parts are refused.
    """
    if not any(letter.isalnum() for letter in text):
        return None
    found, part = partial_day(text, partial, date_format)
    return at(found), part, found.year


def is_casual(event: bytes) -> bool:
    """True if the Event of a game of Lichess marks it as casual."""
    return event[:6].lower() == b"casual"


def event_in(text: str, year: int, lichess: bool) -> str:
    """Returns the tournament of an Event, with the year if it has none; empty if it is not a tournament.

    An Event of Lichess is a tournament only if it ends in the address of an arena or swiss, whose id is then the name.

    Examples
    --------
    >>> event_in("Linares", 1993, False), event_in("Linares 10th 1992", 1992, False), event_in("?", 1992, False)
    ('Linares (1993)', 'Linares 10th 1992', '')
    >>> event_in("Rated Bullet tournament https://lichess.org/tournament/yc1WW2Ox", 2017, True)
    'yc1WW2Ox'
    """
    plain = known(text)
    arena = _ARENA.search(plain) if lichess else None
    if arena is not None:
        return str(arena.group(1))
    if not plain or (lichess and _SERVER_GAME.match(plain)):
        return ""
    return plain if not year or _YEAR.search(plain) else f"{plain} ({year})"


def seconds_in(text: str) -> int | None:
    """Returns the seconds since midnight of a time of day, or None.

    Examples
    --------
    >>> seconds_in("22:34:04"), seconds_in("soon")
    (81244, None)
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = int(match[1]), int(match[2]), int(match[3] or 0)
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    return min(hours * 3600 + minutes * 60 + seconds, _WHOLE_DAY - 1)


def local_moment(day: int, clock: int, zone: tzinfo) -> int:
    """Returns the instant of a local time, given the day's midnight as if in UTC, and the microseconds since then."""
    return at_moment(datetime.fromordinal(day // DAY + 719_163) + timedelta(microseconds=clock), zone)


def speed_of(time_control: str) -> str:
    """Returns the class of a time control by base + 40 increments, with the bounds of servers; empty if unknown.

    Examples
    --------
    >>> speed_of("60+0"), speed_of("180+2"), speed_of("40/5400+30:1800+30"), speed_of("1/259200"), speed_of("?")
    ('bullet', 'blitz', 'classical', 'correspondence', '')
    """
    plain = time_control.strip()
    if plain == "-":
        return "correspondence"
    base, increment = 0, 0.0
    for period in plain.split(":"):
        match = _PERIOD.fullmatch(period.strip().lstrip("*"))
        if match is None:
            return ""
        if match[1] == "1" and int(match[2]) >= _WHOLE_DAY:
            return "correspondence"
        base, increment = base + int(match[2]), max(increment, float(match[3] or 0))
    seconds = base + 40 * increment
    return next((name for most, name in _SPEEDS if seconds < most), "classical")


def variant_of(text: str, lichess: bool) -> str:
    """Returns the name of a variant; empty for the standard game.

    Games of Lichess get the same key as in its other exports.

    Examples
    --------
    >>> variant_of("Standard", True), variant_of("fischerandom", False), variant_of("King of the Hill", True)
    ('', 'fischerandom', 'kingOfTheHill')
    """
    plain = text.strip()
    if plain.lower() in STANDARD:
        return ""
    words: list[str] = _WORD.findall(plain)
    if lichess and words:
        return words[0][:1].lower() + words[0][1:] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    return plain[:80]


def rating_in(text: str) -> float | None:
    """Returns the rating of a tag, or None for `?`, `-` and 0."""
    rating = natural(text.strip().rstrip("?"), 4)
    return float(rating) if rating else None
