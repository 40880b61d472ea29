"""Reads days, rounds and names of players as files spell them."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo

from attrs import frozen

from ratingcore.errors import BadValue, SeveralDays
from ratingcore.events import Instant, instant
from ratingcore.events.bounds import check_played
from ratingcore.readers.date_forms import moment_by
from ratingcore.readers.items import Reason
from ratingcore.safe_text import LONGEST, Filled, flaw

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.]?)([0-9]{1,2})\2([0-9]{1,2})")
_DAY_FIRST = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4})")
_WRITTEN = re.compile(r"([A-Za-z]{3,9})\.? ([0-9]{1,2}),? ([0-9]{4})")
_ANY_FIRST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})")
_ORDERS = {"day": "%d/%m/%y", "month": "%m/%d/%y", "year": "%y/%m/%d"}
"""Formats by the part of the day that comes first."""
_PARTIAL = re.compile(r"([0-9]{4})(?:[-/.](\?\?|00|[0-9]{1,2})(?:[-/.](\?\?|00|[0-9]{1,2}))?)?")


def day_of(text: str, slashes: str = "") -> date:
    """Returns the day of a text.

    It reads `2024-03-02`, `2024/03/02`, `2024.03.02`, `20240302`, `02.03.2024`, `2. 3. 2024` and `Mar 2, 2024`.
    Other days, such as `21/02/2024`, must be unambiguous, or in the given format.

    Parameters
    ----------
    slashes : {"", "day", "month", "year"} or str
        The part that comes first in days such as `02/03/2024`, or `24/03/02` with a two-digit year (00 to 68 are 20YY).
        Or the format of all days, such as `%d.%m.%Y`; see `moment_by`.

    Raises
    ------
    BadValue
        If the text is not a day, is ambiguous, or is a day before 1400 or more than a year ahead.

    Examples
    --------
    >>> day_of("May 29, 2020"), day_of("20200529"), day_of("29/05/2020")
    (datetime.date(2020, 5, 29), datetime.date(2020, 5, 29), datetime.date(2020, 5, 29))
    """
    plain = text.strip()
    if slashes not in ("", *_ORDERS):
        return seen(moment_by(slashes, plain).date(), text)
    year = month = day = ""
    if match := _YEAR_FIRST.fullmatch(plain):
        year, month, day = match[1], match[3], match[4]
        if not match[2] and len(plain) != 8:
            year = ""
    elif match := _DAY_FIRST.fullmatch(plain):
        day, month, year = match.groups()
    elif (match := _WRITTEN.fullmatch(plain)) and match[1][:3].lower() in _MONTHS:
        month, day, year = str(_MONTHS.index(match[1][:3].lower()) + 1), match[2], match[3]
    elif match := _ANY_FIRST.fullmatch(plain):
        return _only_day(text, match, (slashes,) if slashes else _ORDERS)
    if not year:
        raise BadValue("played", text, "must be a day in the format of the file")
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        raise BadValue("played", text, "must be a day of the calendar") from None
    return seen(found, text)


def _only_day(text: str, match: re.Match[str], orders: Iterable[str]) -> date:
    """Returns the only day that some orders of day, month and year give; `BadValue` if they give none, or several."""
    found: dict[date, str] = {}
    why = BadValue("played", text, "must be a day of the calendar")
    for first in orders:
        form = _ORDERS[first].replace("/", match[2]).replace("%y", "%Y" if len(match[4]) == 4 else "%y")
        try:
            found.setdefault(seen(moment_by(form, match[0]).date(), text), form)
        except BadValue as problem:
            why = why if form in problem.why else problem
    if len(found) == 1:
        return next(iter(found))
    if found:
        raise SeveralDays.of(text, tuple(found.values()))
    raise why


def seen(day: date, text: str = "") -> date:
    """Returns a plausible day of play; `BadValue` before 1400 and more than a year ahead."""
    check_played(at(day))
    if day > datetime.now(UTC).date() + timedelta(days=366):
        raise BadValue("played", text or day.isoformat(), "lies more than a year ahead")
    return day


def partial_day(text: str, partial: str = "refuse", slashes: str = "") -> tuple[date, str]:
    """Returns the day of a text, and its smallest known part: `"month"`, `"year"`, or `""` for the whole day.

    Parameters
    ----------
    partial : {"refuse", "first", "last"}
        The day taken for a partly known day.

    Raises
    ------
    BadValue
        If the text is not a day, or is part of one while `partial` is `refuse`.

    Examples
    --------
    >>> partial_day("1997.??.??", "first"), partial_day("2012-02", "last")
    ((datetime.date(1997, 1, 1), 'year'), (datetime.date(2012, 2, 29), 'month'))
    """
    match = _PARTIAL.fullmatch(text.strip())
    known = "" if match is None else _known(match[2], match[3])
    if match is None or not known:
        return day_of(text, slashes), ""
    if partial == "refuse":
        raise BadValue("played", text, "is known in part only: use partial=first or partial=last")
    year, month = int(match[1]), int(match[2]) if known == "month" else 0
    try:
        first = date(year, month or 1, 1)
        after = date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1)
    except ValueError:
        raise BadValue("played", text, "must be a day of the calendar") from None
    return seen(first if partial == "first" else after - timedelta(days=1), text), known


def day_or_why(text: str, partial: str = "refuse", slashes: str = "") -> tuple[date | None, str, Reason]:
    """Returns the day of a text and its known part, or None and the reason why there is none; see `partial_day`.

    A text of only zeros, question marks and separators means an unknown day, which is not an error.

    Examples
    --------
    >>> day_or_why("2024-03-02"), day_or_why("0000-00-00"), day_or_why("soon")[2]
    ((datetime.date(2024, 3, 2), '', ''), (None, '', ''), "played must be a day in the format of the file: 'soon'")
    """
    if not text.strip("0?-/. "):
        return None, "", Reason("")
    try:
        return *partial_day(text, partial, slashes), Reason("")
    except BadValue as problem:
        return None, "", Reason.of(problem)


def _known(month: str | None, day: str | None) -> str:
    """Returns the smallest known part of a day, by the texts of its month and day."""
    if month in (None, "??", "00"):
        return "year"
    return "month" if day in (None, "??", "00") else ""


def at(day: date) -> Instant:
    """Returns the instant that represents a whole day: midnight UTC at its start."""
    return instant(day)


def at_moment(moment: datetime, zone: tzinfo | None = None) -> Instant:
    """Returns the instant of a moment; local time without a zone gives only the day."""
    if moment.tzinfo is None and zone is None:
        return at(seen(moment.date()))
    return check_played(instant(moment if moment.tzinfo else moment.replace(tzinfo=zone)))


def day_of_round(dates: str, start: date, end: date | None, turn: int, rounds: int) -> date:
    """Returns the day of a round if a document gives only its first and last day.

    Parameters
    ----------
    dates : {"start", "end", "spread"}
    turn, rounds : int
        The round, from 1, and the number of rounds.

    Examples
    --------
    >>> day_of_round("spread", date(2024, 3, 1), date(2024, 3, 3), 2, 5)
    datetime.date(2024, 3, 1)
    """
    last = end if end is not None and end >= start else start
    if dates == "spread" and rounds > 1:
        return start + timedelta(days=(last - start).days * (min(max(turn, 1), rounds) - 1) // (rounds - 1))
    return last if dates == "end" else start


@frozen
class Days:
    """The days of a tournament, as far as given in its file.

    Parameters
    ----------
    start, end : date or None
        First and last day.
    known : {"", "month", "year"}
        Smallest known part of the first day, if not the whole day.

    Examples
    --------
    >>> days = Days(date(2024, 3, 1), date(2024, 3, 3))
    >>> days.of_round("start", 2, 5) == days.at, days.dated, Days().dated
    (True, {'dated': 'event'}, {})
    """

    start: date | None = None
    end: date | None = None
    known: str = ""

    @property
    def at(self) -> Instant | None:
        """The instant of the first day; None if it is unknown."""
        return None if self.start is None else at(self.start)

    @property
    def dated(self) -> Mapping[str, str]:
        """The fact that marks the day of a game as one of its tournament; empty without a day."""
        return {} if self.start is None else {"dated": self.known or "event"}

    def of_round(self, dates: str, turn: int, rounds: int) -> Instant | None:
        """Returns the instant of the day of a round without one of its own; parameters as for `day_of_round`."""
        return None if self.start is None else at(day_of_round(dates, self.start, self.end, turn, rounds))


def event_of(name: str, start: date | None) -> str:
    """Returns the name of an event with its first day, so that championships of two years are two events."""
    return f"{name} ({start.isoformat()})" if start is not None else name


def one_line(text: str) -> str:
    """Returns the first 200 characters of a text, with single blanks between words."""
    return " ".join(text.split())[:200].rstrip()


_BLANKS = re.compile(r"[\s\u00a0]+")
_COMMA = re.compile(r"\s*,\s*")
_SIGNS = " ?-._*/()[]<>\u2013\u2014\u2026\ufffd"
"""A name of only these characters means nobody."""


def bare_words(text: str) -> str:
    """Returns the words of a text in one spelling: without case, accents, numbers and separators.

    Examples
    --------
    >>> bare_words("1 (Exempté)"), bare_words("0:1 kl.")
    ('exempte', 'kl')
    """
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(one for one in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(one))
    return " ".join(word for word in _WORD.findall(plain.replace("ł", "l")) if not word.isdecimal())


_WORD = re.compile(r"(?!_)\w+(?<!_)")
_CALLED = {
    "bye": "bye, half bye, requested bye, bye requested, pairing allocated bye, pab, hpb, zpb, fpb, full bye, "
    "zero bye, pause, hráč volno, half point bye, full point bye, zero point bye, no opponent, freilos, spielfrei, "
    "kein gegner, exempt, exempté, exempte, repos, sans adversaire, descansa, descanso, libre, exento, exenta, "
    "riposo, riposa, turno di riposo, vrij, vrije ronde, wolny los, pauza, pauzuje, volno, volný los, voľno, "
    "voľný los, pihenő, pihen, szabad, szabadnapos, erőnyerő, folga, isento, отдыхает, отдых, свободен, свободна, "
    "выходной, frilodd, frirond, fri rond, står över, friplads, oversidder, frirunde, står over, vapaa, vapaavuoro, "
    "vapaakierros, huilaa",
    "forfeit": "walkover, walk over, w o, forfeit, forfait, no show, kampflos",
    "no result yet": "tbd, tba, to be determined, to be announced, to be decided, winner of match, loser of match, "
    "winner match, loser match, winner of game, loser of game, winner of group, sieger spiel, verlierer spiel",
    "unnamed player": "nn, n n, nomen nescio, nomen nominandum, no name, noname, unnamed, unknown, unknown player, "
    "none, null, absent, inconnu, unbekannt, abwesend, desconocido, desconocida, desconhecido, sconosciuto, onbekend, "
    "nieznany, neznámý, ismeretlen, okänd, ukendt, ukjent, tuntematon, неизвестный, неизвестен, vacant, vacante, "
    "unpaired, not paired, unassigned, no player, withdrawn, late entry, house player",
    "deleted account": "deleted, deleted user, deleted account, deleted player, removed, removed user, former user, "
    "closed account, account closed, anonymous, anonymous user, anonymous player, anonym, anonyme, anonimo, anónimo, "
    "anoniem, аноним, guest, guest user, guest player, gelöscht, gelöschter benutzer, utilisateur supprimé",
}
_NOBODY = {bare_words(name): reason for reason, names in _CALLED.items() for name in names.split(", ")}
"""Reasons why results of a side with such a name are not rated; names that a person might have are left out."""

_NO_VALUES = {
    "nan", "NaN", "<NA>", "#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!", r"\N", "N/A", "n/a", "-1"
}  # fmt: skip
"""Texts of programs and spreadsheets for a missing value; `Nan` is not among them, since it may be a person."""

_STARTS = {name[:3] for name in _NOBODY} | {"nan"}
_BEFORE = _SIGNS + "0123456789"


def nobody(name: str) -> str:
    """Returns the reason why a result of a side with this name is not rated; empty for a person's name.

    Numbers beside words are ignored; a number alone may be the key of a player. A word for nobody may stand twice, as
    first name and surname.

    Examples
    --------
    >>> nobody("1 (BYE)"), nobody("N.N. N.N."), nobody("[deleted]"), nobody("? ??")
    ('bye', 'unnamed player', 'deleted account', 'unnamed player')
    >>> nobody("Bye, Ola"), nobody("1234")
    ('', '')
    """
    start = name.lstrip(_BEFORE)[:3].casefold()
    if (start.isascii() and start.isalnum() and start not in _STARTS) or name.isdecimal():
        return ""  # the usual cases; tables have many players
    if name in _NO_VALUES:
        return "unnamed player"
    words = bare_words(name)
    reason = _NOBODY.get(words, "") or ("bye" if words.rstrip("0123456789") == "bye" else "")
    if not reason and name.strip(_SIGNS):
        parts = name.replace(",", " ").split()
        half = len(parts) // 2
        return nobody(" ".join(parts[:half])) if half and parts[:half] == parts[half:] else ""
    return reason or "unnamed player"


def any_nobody(names: Collection[str]) -> bool:
    """True if `nobody` returns a reason for any of some names; names that begin like none of its words are skipped.

    Examples
    --------
    >>> any_nobody(["ann", "byron", "1 (BYE)"]), any_nobody(["ann", "byron", "1234"])
    (True, False)
    """
    starts = {name[:3] for name in names}
    odd = {one for one in starts if not (one.isascii() and one.isalpha()) or one.casefold() in _STARTS}
    return bool(odd) and any(nobody(name) for name in names if name[:3] in odd and not name.isdecimal())


def clean_name(text: str) -> str:
    """Returns a name in one spelling: in NFC, with one blank between words and after a comma, and none before a comma.

    Case stays, words are not swapped, and titles are not dropped.

    Raises
    ------
    BadValue
        If the name is too long, or has invisible characters.

    Examples
    --------
    >>> clean_name(" Carlsen ,Magnus ")
    'Carlsen, Magnus'
    """
    if len(text) > 4_000:
        raise BadValue(
            "player", text[:40], Filled("has {count} characters, more than {most}", count=len(text), most=LONGEST)
        )
    spaced = _COMMA.sub(", ", _BLANKS.sub(" ", unicodedata.normalize("NFC", text))).strip()
    why = flaw(spaced)
    if why:
        raise BadValue("player", spaced[:80], why)
    return spaced


def identifies_somebody(name: str) -> bool:
    """True if a name is somebody's, unlike `? ??`, `NN` and `BYE`.

    Examples
    --------
    >>> identifies_somebody("Ann"), identifies_somebody("? ??"), identifies_somebody("N.N.")
    (True, False, False)
    """
    return not nobody(name) and any(unicodedata.category(letter)[0] == "L" for letter in name)


def registered(register: str, number: str, digits: int = 12) -> str | None:
    """Returns a player's id, which begins with the name of its register; None if the text is not a number.

    A number has at most `digits` digits, and not all of them are 0.

    Examples
    --------
    >>> registered("fide", " 3400042 "), registered("fide", "0"), registered("fide", "-")
    ('fide:3400042', None, None)
    """
    plain = number.strip()
    if not (plain.isascii() and plain.isdecimal()) or len(plain) > digits or not plain.strip("0"):
        return None
    return f"{register}:{plain}"


def natural(text: str, digits: int = 6) -> int | None:
    """Returns the number in a text of decimal digits; None for any other text, or for more than `digits` digits.

    Examples
    --------
    >>> natural("07"), natural("7.5"), natural(""), natural("12345", digits=4)
    (7, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def number_or_text(text: str) -> str | int:
    """Returns a round, board or table as a number if the text is one, else as text.

    Examples
    --------
    >>> number_or_text("5"), number_or_text("5.3")
    (5, '5.3')
    """
    number = natural(text)
    return text if number is None else number
