"""Reads games from the typed columns of a table: instants, names of players, and ids."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.errors import BadValue
from ratingcore.events import DAY, instant, moment
from ratingcore.events.bounds import EARLIEST, LATEST, check_uid
from ratingcore.events.values import erased_number, nameable
from ratingcore.importer.game_columns import Names, NotPlain, SomeRows
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.tables.parsers import name_in, whole
from ratingcore.log.segments import are_distinct, are_ids
from ratingcore.readers.sheets import TypedRows
from ratingcore.readers.spellings import any_nobody
from ratingcore.safe_text import LONGEST, are_plain, flaw


def parts_of_types(
    rows: Iterable[TypedRows | None], times: LocalTimes, zone: tzinfo | None, zoned: bool = False
) -> Iterator[SomeRows]:
    """Rows of a table with typed columns.

    Parameters
    ----------
    rows : iterable of TypedRows
    times : LocalTimes
        Notes the times of the file.
    zone : tzinfo or None
        Zone of times without one.
    zoned : bool
        Whether the pool has a zone before its first result. A time at midnight UTC is then moved by a microsecond,
        because midnight itself means a whole day.

    Raises
    ------
    NotPlain
    """
    read, names = 0, Names()
    for some in rows:
        if some is None:
            raise NotPlain
        played, score = _times(some, zone, zoned), some.score + 0.0
        times.meet_all(range(read + 1, read + 1 + len(played)), played, _timed(some))
        _check((played < EARLIEST) | (played > LATEST))
        _check(~((score >= 0.0) & (score <= 1.0)))
        places = _places(some.names, names)
        a, b = places[some.a], places[some.b]
        _check(a == b)
        uids = None if some.uids is None else _uids(some.uids)
        yield SomeRows(range(read + 1, read + 1 + len(played)), played, names.all, a, b, score, uids)
        read += len(played)


def _times(rows: TypedRows, zone: tzinfo | None, zoned: bool) -> Ints:
    played = _instants(rows.played, zone) if rows.local else rows.played
    if not (rows.timed and zoned):
        return played
    later: Ints = played + ((played % DAY == 0) & _timed(rows))
    return later


def _timed(rows: TypedRows) -> NDArray[np.bool_]:
    """Mask of the rows with a time of day rather than a day."""
    if not rows.timed:
        return np.zeros(len(rows.played), bool)
    return rows.played % DAY != 0 if rows.local else np.ones(len(rows.played), bool)


def _check(wrong: NDArray[np.bool_]) -> None:
    """Raises `NotPlain` if any row is not a game, or needs a closer look."""
    if wrong.any():
        raise NotPlain


def _uids(given: NDArray[np.bytes_] | list[str]) -> NDArray[np.bytes_] | list[str]:
    if isinstance(given, np.ndarray):
        bracket = given.view(np.uint8)[:: given.itemsize] == ord("(")
        if given.itemsize <= LONGEST and are_ids(given).all() and not bracket.any():
            if not are_distinct(given):
                raise NotPlain
            return given
        given = [uid.decode("ascii") for uid in given.tolist()]
    uids = given.copy()
    for at in _to_check(uids):
        uids[at] = uids[at].strip()
        try:
            check_uid(nameable(uids[at], "uid"))
        except BadValue as error:
            raise NotPlain from error
    if len(set(uids)) < len(uids):
        raise NotPlain
    return uids


def _to_check(texts: Sequence[str]) -> list[int]:
    """Returns the places of texts that must be checked; all others are ASCII without blanks at their ends."""
    if are_plain(texts):
        return []
    return [
        at
        for at, text in enumerate(texts)
        if not 0 < len(text) <= LONGEST
        or text[0] in " ("  # an erased name is shown in brackets
        or text[-1] == " "
        or not (text.isascii() and text.isprintable())
    ]


def _instants(face: Ints, zone: tzinfo | None) -> Ints:
    """Instants of local times, given as microseconds since 1970 on the clock of a zone; midnights stay whole days."""
    timed = face % DAY != 0
    if not timed.any():
        return face
    if zone is None:
        raise NotPlain
    different, which = np.unique(face[timed], return_inverse=True)
    read = [instant(moment(one).replace(tzinfo=zone)) for one in different.tolist()]
    made = face.copy()
    made[timed] = np.array(read, dtype=np.int64)[which]
    return made


def _places(texts: Sequence[str], names: Names) -> Ints:
    """Returns the places of texts among the names, to which new ones are added; `NotPlain` if one of those is odd."""
    places = np.fromiter(map(names.places.get, texts, repeat(-1)), np.int64, len(texts))
    unmet = np.flatnonzero(places < 0)
    fresh = [texts[at] for at in unmet.tolist()]
    spelt = _spelt(fresh)
    names.meet(map(spelt.get, fresh, fresh))
    names.places |= {text: names.places[name] for text, name in spelt.items()}
    places[unmet] = list(map(names.places.__getitem__, fresh))
    return places


def _spelt(texts: Sequence[str]) -> dict[str, str]:
    """Returns how the log spells names that the table spells otherwise; `NotPlain` if one needs a closer look."""
    if any_nobody(texts) or (".0\n" in "\n".join([*texts, ""]) and any(whole(text) != text for text in texts)):
        raise NotPlain
    spaced = [at for at, text in enumerate(texts) if "  " in text]
    spelt = dict[str, str]()
    for text in map(texts.__getitem__, {*_to_check(texts), *spaced}):
        name = name_in(text)
        if not name or flaw(name, LONGEST) or erased_number(name):
            raise NotPlain
        if name != text:
            spelt[text] = name
    return spelt
