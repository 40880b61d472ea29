"""Scores as words and signs in many languages: 1-0, ½, win, remis; and the words for games that were not played."""

import re
from collections.abc import Callable

from ratingcore.errors import BadValue
from ratingcore.readers.sheets import Moment
from ratingcore.readers.spellings import bare_words

FORFEIT, BYE, NO_RESULT, RETIRED = "forfeit", "bye", "no result yet", "retired"
NO_GAME = "not a game"

_WON = (
    "1-0 1:0 w win wins won victory sieg gewonnen victoire gagné gagnée vittoria vinta winst výhra victoria ganó "
    "ganado ganada vitória ganhou zwycięstwo wygrana выигрыш победа"
)
_DRAWN = (
    "1/2-1/2 1/2:1/2 ½-½ ½:½ 0.5-0.5 0.5:0.5 0,5-0,5 0,5:0,5 1/2 ½ 0,5 = d draw drawn tie tied "
    "remis remise remíza jigo unentschieden nul nulle empate tablas empatado "
    "empatada empató empatou pareggio patta gelijk gelijkspel ничья"
)
_LOST = (
    "0-1 0:1 l loss lose loses lost defeat niederlage verloren défaite perdu perdue derrota perdió perdido perdida "
    "perdeu sconfitta persa verlies porażka przegrana prohra поражение проигрыш"
)
_FORFEITED = "+ - +/- -/+ -/- +-- --+ --- +:- -:+ -:- +- -+ -- 1f 0f ½f 1/2f 1-0f 0-1f 0-0f"
_PENDING = ("", "*", "?")

_DASHES = str.maketrans(
    dict.fromkeys("\u2013\u2014\u2212\uff0d", "-")
    | {"\uff1a": ":"}
    | {chr(0xFF10 + digit): str(digit) for digit in range(10)}
)
"""Hyphens for all dashes, and usual digits for the wide ones of East Asian texts."""
_DRESS = re.compile(r"^(?:'|=\")|\"$|(?<=.)\[[^\[\]]*\]$|(?<=[0-9])[.,]0(?![0-9])")
"""What spreadsheets and web pages add to a score: the apostrophe of a text, a footnote, the end of 1.0."""

WORDS: dict[str, float | str] = (
    dict.fromkeys(_WON.split(), 1.0)
    | dict.fromkeys(_DRAWN.split(), 0.5)
    | dict.fromkeys(_LOST.split(), 0.0)
    | dict.fromkeys(_FORFEITED.split(), FORFEIT)
    | dict.fromkeys(_PENDING, NO_RESULT)
)
"""Outcome of every score word, case-folded; rating reports write a single plus or minus for a forfeit."""

_UNPLAYED_WORDS = {
    BYE: "bye",
    FORFEIT: "wo walkover walkower ff forfeit forfeited forfait default defaulted def dq dsq disq disqualified scr "
    "scratched awd aaw awarded noshow dns dnp kl kampflos kontumaz kontumace nichtangetreten nichterschienen "
    "incomparecencia nopresentado tavolino atavolino nietopgekomen skreč неявка luovutus luovutusvoitto uteblev "
    "udeblevet",
    NO_RESULT: "abandoned abd aband abn cancelled canceled canc cancld postponed postp pp ppd pst susp suspended "
    "interrupted notplayed unplayed noresult np nr na ns pending scheduled timed notstarted tbd tba abgesagt verlegt "
    "verschoben ausgefallen abgebrochen spielabbruch abbruch nichtgespielt inprogress inplay live ht halftime ongoing "
    "underway paused halbzeit laufend encours encurso enjuego incorso emandamento "
    "reporté reportée interrompu aplazado aplazada suspendido suspendida "
    "cancelado cancelada adiado adiada rinviata rinviato sospesa sospeso uitgesteld afgelast gestaakt przełożony "
    "przełożone odwołany odwołane odloženo zrušeno přerušeno odložené zrušené elhalasztva elmaradt перенесён "
    "отменён отложен uppskjuten inställd udsat aflyst utsatt avlyst siirretty peruttu",
    "annulled": "void voided annulled annulé annulée annulliert anulado anulada annullata annullato nocontest nc",
    RETIRED: "ret retd rtd retired retirement dnf krecz ritirato ritirata ritiro retirado retirada",
}


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, bare_words(text)))


_UNPLAYED = {_letters(word): reason for reason, words in _UNPLAYED_WORDS.items() for word in words.split()}
"""Reasons why there is no result, by the letters that a score holds: `W/O`, `0:1 kl.`, `6-4 2-1 ret.`"""


def unplayed(text: str) -> str:
    """Returns why there is no result, from a word such as `walkover` or `postponed`; empty for other words."""
    return _UNPLAYED.get(_letters(text), "")


_WHO_WON = re.compile(r"^(?:won|win|lost|loss)(?:by)?|(?:win|won|loss|lost)$")


def plain_score(text: str) -> str:
    """Returns a score case-folded, without blanks and footnotes, and with hyphens for all dashes.

    Examples
    --------
    >>> plain_score("1.0 \u2013 0.0"), plain_score("'1-0"), plain_score("2:1[a]"), plain_score("[1-0]")
    ('1-0', '1-0', '2:1', '[1-0]')
    """
    return "".join(spaced_score(text).split())


def spaced_score(text: str) -> str:
    """Returns a score as `plain_score` does, with its blanks."""
    return _DRESS.sub("", text.strip().translate(_DASHES).casefold())


DATED = re.compile(
    r"[0-9]{1,2}[-. ]+[^\W\d_]{3,4}\.?|[^\W\d_]{3,4}\.?[- ][0-9]{1,2}|4[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2}.*"
)
"""Texts of days into which spreadsheets turn scores: `2-Jan`, `Jan-02`, and the number or the ISO text of a day."""
_PADDED = re.compile(r"0[0-9]+")
_SHARE = re.compile(r"(?=[01][.,]|.*%)([0-9]{1,3}(?:[.,][0-9]+)?)\s*(%?)")
"""A share of the point in percent, or with either decimal sign: `55 %`, `0,75`."""


def score(text: str, number: Callable[[str], float | None]) -> float | str:
    """Returns the share of the point that `a` took, or the reason why there is no result.

    Raises
    ------
    BadValue
        If the text is neither a word for a score nor a number from 0 to 1.
    """
    letters = _letters(text)
    outcome = WORDS.get(plain_score(text), _UNPLAYED.get(letters) or _UNPLAYED.get(_WHO_WON.sub("", letters)))
    if outcome is not None:
        return outcome
    if type(text) is Moment or DATED.fullmatch(text):
        raise BadValue("score", text, "the cell is a date: the spreadsheet turned 1/2 or 2-1 into it")
    value = None if _PADDED.fullmatch(text) else number(text)  # 01 may be 0-1
    if value is None and (share := _SHARE.fullmatch(text)):
        value = float(share[1].replace(",", ".")) / (100 if share[2] else 1)
    if value is None or not 0.0 <= value <= 1.0:
        raise BadValue("score", text, "must be a score word or a number from 0 to 1")
    return float(value)


def score_of_points(a: float, b: float) -> float:
    """Returns the score of `a`: 1 for more points than `b`, 0.5 for equal points, 0 for fewer."""
    return 1.0 if a > b else 0.0 if a < b else 0.5
