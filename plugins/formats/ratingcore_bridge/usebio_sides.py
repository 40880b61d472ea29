"""Sides of a USEBIO session: pairs, single players and teams, and how many boards they played."""

import re
from collections import Counter
from typing import NamedTuple

from ratingcore.plugin.readers import BadValue, Refused, Who, clean_name, tells_who
from ratingcore_bridge.usebio_elements import Element, excerpt, line_of, text_of

LINES = ("NS", "EW")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})")


class Score(NamedTuple):
    """The unit of the scores of a session, and the element in which a side's score stands."""

    unit: str
    element: str


class Side(NamedTuple):
    """A side of a session: its players, the line they sat in (or nothing), and their score."""

    players: tuple[Who, ...]
    line: str
    score: float


def number(text: str) -> float | None:
    """Returns a number, also with a decimal comma or a percent sign; None for anything else.

    Examples
    --------
    >>> number("56.25"), number("56,25"), number("-3"), number("nan"), number("")
    (56.25, 56.25, -3.0, None, None)
    """
    plain = text.strip().removesuffix("%").strip().replace(",", ".")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def who(player: Element) -> Who | str:
    """Returns a player, by their national number where they have one; or what is wrong with them."""
    given, name = text_of(player, "NATIONAL_ID_NUMBER"), text_of(player, "PLAYER_NAME")
    found = Who(given if given.strip("0") else None, name)
    try:
        known = clean_name(found.id or name)
    except BadValue as problem:
        return str(problem)
    if found.id is None and not known:
        return "has neither a number nor a name"
    return found if found.id is not None or tells_who(known) else f"has no name that tells who it is: {name!r}"


def sides(part: Element, path: str, score: Score, where: str) -> tuple[list[Side], list[Refused]]:
    """Returns the sides of a session in the order of the file, and refusals of those that cannot be read.

    A pair without players and without points sat out, and is no side.
    """
    found: list[Side] = []
    bad: list[Refused] = []
    for element in part.iterfind(path):
        players = [element] if element.tag == "PLAYER" else element.findall("PLAYER")
        points = number(text_of(element, score.element))
        if not players and not points:
            continue
        side = _side(element, players, points, score)
        if isinstance(side, Side):
            found.append(side)
        else:
            bad.append(Refused(line_of(element), f"{where}: {side}", excerpt(element)))
    return found, bad


def _side(element: Element, players: list[Element], points: float | None, score: Score) -> Side | str:
    """A side, or what is wrong with it."""
    single = element.tag == "PLAYER"
    named = text_of(element, "PLAYER_NUMBER" if single else "PAIR_NUMBER")
    who_is_it = f"{'player' if single else 'pair'} {named}".strip()
    if not single and len(players) != 2:
        return f"{who_is_it} has {len(players)} players, not 2"
    known = [who(player) for player in players]
    for one in known:
        if isinstance(one, str):
            return f"{who_is_it} {one}" if single else f"a player of {who_is_it} {one}"
    if points is None:
        return f"{who_is_it} has no number in {score.element}: {text_of(element, score.element)!r}"
    seated = tuple(one for one in known if isinstance(one, Who))
    return Side(seated, text_of(element, "DIRECTION").upper(), points)


def teams(part: Element) -> dict[str, tuple[Who, ...] | str]:
    """Returns the players of each team by its number, or what is wrong with one of them."""
    found: dict[str, tuple[Who, ...] | str] = {}
    for team in part.iterfind("PARTICIPANTS/TEAM"):
        own = team.get("TEAM_ID") or text_of(team, "TEAM_ID") or text_of(team, "TEAM_NUMBER")
        players = [who(player) for player in team.iter("PLAYER")]
        problem = next((one for one in players if isinstance(one, str)), "")
        seated = tuple(dict.fromkeys(one for one in players if isinstance(one, Who)))
        own = " ".join(own.split())
        if own in found:
            found[own] = "is there twice"
        elif problem:
            found[own] = f"has a player who {problem}"
        else:
            found[own] = seated or "has no players"
    return found


def boards(part: Element, lined: bool) -> int:
    """Returns the number of boards that most pairs played; 0 if the file has no boards.

    Where pairs keep to a line, one number stands for a pair in each line.
    """
    played: Counter[tuple[str, str]] = Counter()
    for match in (part, *part.iter("MATCH")):
        for line in match.iterfind("BOARD/TRAVELLER_LINE") if match is not part else _tables(part):
            for direction in LINES:
                name = f"{direction}_PAIR_NUMBER"
                pair = text_of(line, name) or (text_of(match, name) if match is not part else "")
                if pair:
                    played[direction if lined else "", pair] += 1
    often = Counter(played.values()).most_common()
    return max((count for count, pairs in often if pairs == often[0][1]), default=0)


def _tables(part: Element) -> list[Element]:
    """The lines of boards of a part that stand outside its matches."""
    inside = [*part.iterfind("BOARD/TRAVELLER_LINE")]
    for below in (*part.iterfind("SESSION"), *part.iterfind("SECTION")):
        inside += _tables(below)
    return inside
