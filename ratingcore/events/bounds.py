"""Checks new events: readable names, and plausible days of play. Older logs may hold more."""

from collections.abc import Iterable, Iterator

from ratingcore.errors import BadValue
from ratingcore.events.kinds import Event, ListPublished, PlayerDescribed, ResultAmended
from ratingcore.events.times import Instant, instant, iso
from ratingcore.events.values import NO_ID, callable_player
from ratingcore.spelling import LONGEST, flaw

EARLIEST, LATEST = instant("1400-01-01"), instant("2200-01-01") - 1
"""First and last instant at which a result that is typed or imported was played: further off lie typing errors, and
thousands of empty periods between them and the other results."""

LONGEST_BY_KIND = {"player": LONGEST, "pool": LONGEST, "source": 300, "note": 10_000}
"""Characters of an entry in the book of names, at most: a source is a file name with a digest, a note a sentence."""


def check_name(what: str, text: str) -> str:
    """Returns a text that may become a name.

    Parameters
    ----------
    what : str
        What it names: `player`, `pool`, `source`, `note`, `uid`, ...

    Raises
    ------
    BadValue
        If it is too long, or holds invisible characters, or white space at its ends; a note may hold these, and
        the name of a source has the blanks of its file.

    Examples
    --------
    >>> check_name("player", "ann")
    'ann'
    """
    longest = LONGEST_BY_KIND.get(what, LONGEST)
    if what == "note":
        why = "" if len(text) <= longest else f"has {len(text)} characters, more than {longest}"
    else:
        why = flaw(text, longest) or ("" if what == "source" else _spaced(text))
    if why:
        raise BadValue(what, text, why)
    return text


def _spaced(text: str) -> str:
    """The reason why a text cannot be a name: nobody could tell the players `ann` and `ann ` apart."""
    if text == text.strip():
        return ""
    return "begins or ends with white space" if text.strip() else "is no name"


def check_uid(text: str) -> str:
    """Returns a text that may be the id of an event; `BadValue` also for the stand-in of a missing id."""
    if text.startswith(NO_ID):
        raise BadValue("uid", text, "stands in for a missing id")
    return check_name("uid", text)


def check_player(what: str, text: str) -> str:
    """Returns a text that a player may be called; `BadValue` also for the label of an erased name."""
    if text.isascii() and text.isprintable() and len(text) <= LONGEST and text[:1] not in "( " and text[-1] != " ":
        return text  # the usual case; tables have many players
    return callable_player(check_name(what, text))


def check_played(at: Instant) -> Instant:
    """Returns an instant at which something may have been played.

    Raises
    ------
    BadValue
        If it lies outside the years 1400 to 2199.
    """
    if not EARLIEST <= at <= LATEST:
        raise BadValue("played", iso(at), "lies outside the years 1400 to 2199")
    return at


MOST_POINTS = 1e9
"""Points of a side at most, of either sign: larger numbers are errors of a file."""


def check_points(field: str, points: float, unit: object = None) -> float:
    """Returns points that a side may have; they are negative where sides win and lose them, as IMPs at bridge.

    Parameters
    ----------
    field : str
        Their name: `score`, `points_a`.
    unit : object
        The `unit` of the session; `percent` goes from 0 to 100.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> check_points("score", -12.0, "imp")
    -12.0
    """
    if unit == "percent" and not 0 <= points <= 100:
        raise BadValue(field, points, "is not from 0 to 100 percent")
    if abs(points) > MOST_POINTS:
        raise BadValue(field, points, "is more than a billion points")
    return points


def check_counted(field: str, value: object) -> None:
    """Refuses a negative number for what is counted or weighed: boards, importance."""
    if isinstance(value, int | float) and value < 0:
        raise BadValue(field, value, "is negative")


def are_spaced(events: Iterable[Event]) -> bool:
    """True if a field or a tournament of one of some events begins or ends with white space."""
    return any(named != named.strip() for named in {named for event in events for _, named in _named_by(event)})


def _named_by(event: Event) -> Iterator[tuple[str, str]]:
    """The names in the facts of an event, each with its kind: fields, and the tournament."""
    facts = event.changes if isinstance(event, ResultAmended) else getattr(event, "data", None)
    if not facts:
        return
    for field in facts:
        yield "field", field
    if isinstance(tournament := facts.get("event"), str):
        yield "event", tournament


def are_near(events: Iterable[Event]) -> bool:
    """Whether all days of some events may be days of play."""
    return all(EARLIEST <= at <= LATEST for at in map(_day_of, events))


def _day_of(event: Event) -> Instant:
    """When an event was true, or is to read as true; any day of play if it does not say one."""
    if isinstance(event, ResultAmended):
        return event.changes.get("played", EARLIEST)  # type: ignore[return-value]  # the event has read it
    return EARLIEST if isinstance(event, ListPublished) else getattr(event, "played", EARLIEST)


def check_new(event: Event) -> None:
    """Refuses an event under a name, or of a day, that an older log may hold and no log takes any more.

    Names of players and pools are checked where they get their ids, so those that a log has already stay in use.

    Raises
    ------
    BadValue
    """
    check_name("uid", event.uid)
    check_played(_day_of(event))
    for what, named in _named_by(event):
        if why := _spaced(named):
            raise BadValue(what, named, why)
    if isinstance(event, ListPublished):
        check_name("name", event.name)
    if isinstance(event, PlayerDescribed) and "called" in event.data:
        raise BadValue("data", "called", "holds a name that the event has a field for")
