"""Checks that new events have readable names and plausible days of play; logs of older versions may lack both."""

from collections.abc import Iterable, Iterator, Mapping

from ratingcore.errors import BadValue
from ratingcore.events.kinds import Event, ListPublished, PlayerDescribed, PoolDeclared, ResultAmended
from ratingcore.events.times import Instant, instant, iso
from ratingcore.events.values import NO_ID, callable_player
from ratingcore.events.zones import zone_name
from ratingcore.safe_text import LONGEST, flaw

EARLIEST, LATEST = instant("1400-01-01"), instant("2200-01-01") - 1
"""First and last instant at which a new result may have been played: times further off are typing errors, and would
leave thousands of empty periods between them and other results."""

LONGEST_BY_KIND = {"player": LONGEST, "pool": LONGEST, "source": 300, "note": 10_000}
"""Largest number of characters of names, by kind: a source is a file name with a digest, a note is a sentence."""


def check_name(what: str, text: str) -> str:
    """Returns a text that may become a name.

    Parameters
    ----------
    what : str
        Kind of name: `player`, `pool`, `source`, `note`, `uid`, ...

    Raises
    ------
    BadValue
        If it is too long, has invisible characters, or has white space at its ends; a note may have both, and a source
        may have white space at its ends, like its file.

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
    """Returns why a text's white space makes it unfit as a name; `ann` and `ann ` would look the same."""
    if text == text.strip():
        return ""
    return "begins or ends with white space" if text.strip() else "must be a name"


def check_uid(text: str) -> str:
    """Returns a text that may be the id of an event; `BadValue` also for the placeholder of a missing id."""
    if text.startswith(NO_ID):
        raise BadValue("uid", text, "is the placeholder for a missing id")
    return check_name("uid", text)


def check_player(what: str, text: str) -> str:
    """Returns a text that may be a player's name; `BadValue` also for the label of an erased name."""
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
"""Largest absolute number of points of a side: larger numbers are errors in a file."""


def check_points(field: str, points: float, unit: object = None) -> float:
    """Returns points that a side may have, which are negative if sides can lose points, such as IMPs at bridge.

    Parameters
    ----------
    field : str
        Name of the points, such as `score` or `points_a`.
    unit : object
        The `unit` of the session; with `percent`, points must be from 0 to 100.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> check_points("score", -12.0, "imp")
    -12.0
    """
    if unit == "percent" and not 0 <= points <= 100:
        raise BadValue(field, points, "must be from 0 to 100 percent")
    if abs(points) > MOST_POINTS:
        raise BadValue(field, points, "is more than a billion points")
    return points


def check_counted(field: str, value: object) -> None:
    """Refuses a negative number in a field that counts or weighs, such as boards or importance."""
    if isinstance(value, int | float) and value < 0:
        raise BadValue(field, value, "must not be negative")


POINTS = ("points_a", "points_b")
COUNTED = frozenset({"boards", "importance"})
"""Fields that count or weigh, so they are never negative."""


def check_facts(facts: Mapping[str, object]) -> None:
    """Refuses points and counts of a result that a table could not have either.

    Raises
    ------
    BadValue

    Examples
    --------
    >>> check_facts({"points_a": 3, "boards": -1})
    Traceback (most recent call last):
        ...
    ratingcore.errors.event.BadValue: boards must not be negative: -1
    """
    for field in POINTS:
        if isinstance(points := facts.get(field), int | float):
            check_points(field, points)
    for field in COUNTED:
        check_counted(field, facts.get(field))


def are_spaced(events: Iterable[Event]) -> bool:
    """True if any of some events has a field name or a tournament that begins or ends with white space."""
    return any(named != named.strip() for named in {named for event in events for _, named in _named_by(event)})


def _named_by(event: Event) -> Iterator[tuple[str, str]]:
    """Yields the names of an event's facts and the name of its tournament, each with its kind."""
    facts = event.changes if isinstance(event, ResultAmended) else getattr(event, "data", None)
    if not facts:
        return
    for field in facts:
        yield "field", field
    if isinstance(tournament := facts.get("event"), str):
        yield "event", tournament


def are_near(events: Iterable[Event]) -> bool:
    """True if all times of some events are possible times of play."""
    return all(EARLIEST <= at <= LATEST for at in map(_day_of, events))


def _day_of(event: Event) -> Instant:
    """Returns the time of play of an event, or the one that an amendment sets; `EARLIEST` if there is none to check."""
    if isinstance(event, ResultAmended):
        return event.changes.get("played", EARLIEST)  # type: ignore[return-value]  # an instant, converted by the event
    return EARLIEST if isinstance(event, ListPublished) else getattr(event, "played", EARLIEST)


def check_new(event: Event) -> None:
    """Refuses an event with a name, a time or a zone that new events may not have, although older logs may have it.

    Names of players and pools are checked when they get their ids, so names that are already in a log can be used.

    Raises
    ------
    BadValue, UnknownZone
    """
    check_name("uid", event.uid)
    check_played(_day_of(event))
    for what, named in _named_by(event):
        if why := _spaced(named):
            raise BadValue(what, named, why)
    if isinstance(event, ListPublished):
        check_name("name", event.name)
    if isinstance(event, PlayerDescribed) and "called" in event.data:
        raise BadValue("data", "called", "repeats a field of the event")
    if isinstance(event, PoolDeclared):
        zone_name(event.zone)
