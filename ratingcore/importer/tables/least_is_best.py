"""Columns in which less is better, such as times, places and strokes: they must not be read as scores."""

import re

from ratingcore.errors import BadMapping, BadValue
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.headings import is_of_places, plain, word_list
from ratingcore.safe_text import Filled

_TIMES = word_list(
    "time, times, second, seconds, sec, secs, minutes, milliseconds, ms, duration, lap time, race time, finish time, "
    "finishing time, total time, net time, gun time, chip time, time s, time sec, zeit, sekunden, minuten, laufzeit, "
    "endzeit, gesamtzeit, rennzeit, temps, secondes, duree, chrono, tiempo, segundos, duracion, tempo, secondi, "
    "durata, tijd, seconden, cas, sekundy, vteriny, czas, время, секунды, tid, sekunder, aika, ido, タイム"
)
_STROKES = word_list("stroke, strokes, schlage, coups, golpes, colpi, slagen, slag, penalties, strafpunkte, faults")
_OF_SIDES = word_list("1, 2, a, b, home, away, white, black, winner, loser, player, heim, gast, weiss, schwarz")
_CLOCK = re.compile(r"(?:(?:([0-9]{1,3}):)?([0-9]{1,3}):)?([0-9]{1,7}(?:[.,][0-9]{1,9})?) ?s?")


def is_of_times(heading: str) -> bool:
    """True if a heading means the time of a racer, or of one side of a game.

    Examples
    --------
    >>> is_of_times("seconds"), is_of_times("Time (s)"), is_of_times("Home time"), is_of_times("Times played")
    (True, True, True, False)
    """
    return not _TIMES.isdisjoint(_forms(heading))


def _forms(heading: str) -> set[str]:
    """Returns the words of a heading, and those without the name of a side."""
    words = plain(re.sub(r"[\[\]()]", " ", heading)).split()
    return {" ".join(words), " ".join(word for word in words if word not in _OF_SIDES)}


def check_most_is_best(fields: FieldMap, *names: str) -> None:
    """Refuses times and places that are mapped as scores or points.

    Raises
    ------
    BadMapping
    """
    for name in names:
        source = fields.fields.get(name)
        if not isinstance(source, FromColumn) or source.words:
            continue
        column = source.column
        what = "time" if is_of_times(column) else "place" if any(map(is_of_places, _forms(column))) else ""
        what = what or ("strokes" if not _STROKES.isdisjoint(_forms(column)) else "")
        if what and name == "score":
            raise BadMapping(fields.where, Filled(_NO_SCORE[what], column=column))
        if what:
            raise BadMapping(fields.where, Filled(_NO_POINTS[what], column=column))


_TO_PLACE = "map it to place (place={column}); if more is better, give the column another name"
_NO_SCORE = {
    "time": f"{{column}} is a time, where less is better, and not a score: {_TO_PLACE}",
    "place": f"{{column}} is a place, where less is better, and not a score: {_TO_PLACE}",
    "strokes": f"{{column}} is a number of strokes, where less is better, and not a score: {_TO_PLACE}",
}
_TO_WINNER = "map the score to a column with the winner's name; if more is better, give the columns other names"
_NO_POINTS = {
    "time": f"{{column}} is a time, where less is better, and not points: {_TO_WINNER}",
    "place": f"{{column}} is a place, where less is better, and not points: {_TO_WINNER}",
    "strokes": f"{{column}} is a number of strokes, where less is better, and not points: {_TO_WINNER}",
}


def seconds_of(text: str) -> float | None:
    """Parses a time such as `83.4`, `1:23.4` or `1:02:03`, and returns seconds; None for an empty cell.

    Examples
    --------
    >>> seconds_of("83.4"), seconds_of("1:23,5"), seconds_of("1:02:03"), seconds_of("")
    (83.4, 83.5, 3723.0, None)
    """
    match = _CLOCK.fullmatch(text)
    if match is None:
        if text:
            raise BadValue("place", text, "must be a time such as 83.4, 1:23.4 or 1:02:03")
        return None
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + float(match[3].replace(",", "."))
