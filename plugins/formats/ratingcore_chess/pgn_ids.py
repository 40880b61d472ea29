"""What tells one game of a PGN file from every other: the id its server gave it, or what its tags say."""

import re

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
    """Returns the id of a game as one text, or what identifies it at its server, or nothing.

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
    """Counts games that nothing but their order tells apart, in bounded memory.

    Keys that were not seen among the last few hundred thousand are forgotten: such games lie together in a file.
    """

    def __init__(self, most: int = 2**18) -> None:
        self._most = most
        self._recent: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def of(self, key: tuple[object, ...]) -> int:
        """Returns how many games had this key up to now, with this one."""
        mark = hash(key)
        count = self._recent.get(mark) or self._older.get(mark, 0)
        if len(self._recent) >= self._most:
            self._older, self._recent = self._recent, {}
        self._recent[mark] = count + 1
        return count + 1
