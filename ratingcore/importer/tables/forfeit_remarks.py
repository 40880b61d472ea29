"""Recognises forfeits in remarks on a game: `kampflos (Gegner krank)`, `opponent did not appear`."""

import re

from ratingcore.importer.tables.score_words import FORFEIT, unplayed
from ratingcore.readers.spellings import bare_words


def _words(text: str) -> frozenset[str]:
    return frozenset(bare_words(text).split())


_SIDES = _words(
    "heim heimmannschaft heimteam gast gaste gastmannschaft weiss schwarz home away visitors white black domicile "
    "recevant visiteur visiteurs exterieur blanc blancs noir noirs casa ospite ospiti trasferta bianco nero local "
    "visitante visitantes blancas negras fora mandante brancas pretas gospodarz gospodarze gosc goscie biale czarne "
    "domaci hoste bily cerny spieler mannschaft team player joueur equipe giocatore squadra jugador equipo jogador "
    "zawodnik druzyna hrac druzstvo gegner gegnerin opponent adversaire avversario avversaria adversario adversaria "
    "rival contrincante oponente przeciwnik przeciwniczka souper souperka соперник соперница противник белые чёрные "
    "хозяева гости команда"
)
"""Words for a side, which a remark may put before or after its reason: `Heim nicht angetreten`."""
_NOT_THERE = "na"
"""Letters of `n. a.`, nicht angetreten, which beside a word for a side does not mean that there is no result."""
_SHORT = _words("wo ff kl dq dsq")
"""Short words that mean a forfeit if they are all of a remark but for its brackets."""
_ALONE = (
    "wertung, gewertet, awarded, en los despachos, por forfait, na secretaria, por w o, reglementair, reglementaire "
    "winst"
)
_CLEAR = (
    "kampflos, kampfl, kampflose, kampfloser, kampflosen, kontumaz, nicht angetreten, nichtangetreten, nicht "
    "erschienen, nicht gekommen, nichtantritt, nichtantreten, trat nicht an, strafwertung, sportgerichtswertung, "
    "grüner tisch, am grünen tisch, forfeit, forfeited, walkover, walk over, no show, noshow, awarded win, win "
    "awarded, by default, default win, did not show, did not appear, did not come, failed to appear, technical win, "
    "technical loss, forfait, tapis vert, pas présenté, pas présentée, pas venu, pas venue, a tavolino, non "
    "presentato, non presentata, non si è presentato, non si è presentata, mancata presentazione, incomparecencia, no "
    "se presentó, no presentado, no presentada, no compareció, no apareció, falta de comparência, não compareceu, não "
    "apareceu, vitória na secretaria, derrota na secretaria, vitória administrativa, walkower, walkowerem, nie stawił "
    "się, nie stawiła się, nie przyszedł, nie przyszła, kontumace, kontumačně, kontumační, kontumačne, kontumácia, "
    "nedostavil, nedostavila, nedostavil se, nedostavila se, nenastoupil, nenastoupila, nepřišel, nepřišla, bez boje, "
    "niet opgekomen, неявка, не явился, не явилась, не явились, не пришёл, не пришла, без игры, техническое "
    "поражение, техническая победа"
)
_ABSENT = _words(
    "absent absente absents abwesend assente ausente nieobecny nieobecna nepřítomen nepřítomna afwezig отсутствовал "
    "отсутствовала"
)
_MISSING = _ABSENT | _words("fehlt fehlte missing manque mancava falta faltó faltou brak chybí отсутствует")
"""Words for an absent player; without a word for a side some of them may be about a score sheet."""
_PHRASES = [" ".join(bare_words(phrase).split()) for phrase in _CLEAR.split(", ")]
_WHOLE = {phrase.replace(" ", "") for phrase in (*_PHRASES, *map(bare_words, _ALONE.split(", ")))}
_NEGATIONS = _words(
    "nicht kein keine keinen keiner ohne not no never without pas sans non senza sin não sem nie bez ne není не без"
)
_BESIDE = _words(
    "sieg siegt gewonnen gewinnt gewann gewinn verloren durch wegen da wurde war ist als ging partie spiel punkt "
    "punkte won win wins lost loss victory by on due to because of was is as the game match result victoire défaite "
    "gagné gagnée sur perdu perdue par pour n ne s est le la l vittoria sconfitta vinta vinto persa perso per partita "
    "victoria derrota ganó ganado perdió perdido por partida vitória ganhou perdeu jogo zwycięstwo porażka wygrana "
    "przegrana obustronny przez z partia mecz výhra prohra zápas se победа поражение выигрыш проигрыш за по партия"
)
"""Words before a reason, after which it is still that of the result: `Sieg durch Forfait`."""
_CLAUSES = re.compile(r"[,;:()\[\]|!?\u2013\u2014]|\s-\s")


def first_clause(text: str) -> str:
    """Returns a text up to its first comma or bracket.

    Examples
    --------
    >>> first_clause("walkover (injury)")
    'walkover'
    """
    return _CLAUSES.split(text.strip(), maxsplit=1)[0].strip()


def says_forfeit(remark: str) -> bool:
    """True if a remark says that a result was awarded without play.

    Examples
    --------
    >>> [says_forfeit(text) for text in ("am grünen Tisch", "Gast n. a.", "kampflos (Gegner krank)", "Schwarz fehlt")]
    [True, True, True, True]
    >>> [says_forfeit(text) for text in ("n. a.", "Heimsieg", "Weiß in Zeitnot", "nicht kampflos", "Formular fehlt")]
    [False, False, False, False, False]
    """
    return True in _readings(remark) and "?" not in remark


def may_say_forfeit(remark: str) -> bool:
    """True if a remark has a word for a forfeit among others, so that it may also say that there was none.

    Examples
    --------
    >>> [may_say_forfeit(text) for text in ("kampflos?", "Protest gegen kampflos", "nicht kampflos", "kampflos")]
    [True, True, False, False]
    """
    readings = _readings(remark)
    return None in readings or (True in readings and "?" in remark)


def _readings(remark: str) -> list[bool | None]:
    """Returns, for each clause, whether it says that there was a forfeit; None if it may say so."""
    return [_reading(bare_words(clause).split()) for clause in (remark, *_CLAUSES.split(remark))]


def _reading(words: list[str]) -> bool | None:
    rest = [word for word in words if word not in _SIDES]
    letters, aside = "".join(rest), len(rest) < len(words)
    if letters in _WHOLE or letters in _SHORT or letters in (_MISSING if aside else _ABSENT):
        return True
    if aside and (letters == _NOT_THERE or unplayed(letters) == FORFEIT):
        return True
    text, found = f" {' '.join(rest)} ", False
    for phrase in _PHRASES:
        before, there, _ = text.partition(f" {phrase} ")
        if not there or not _NEGATIONS.isdisjoint(before.split()[-2:]):
            continue
        if _BESIDE.issuperset(before.split()):
            return True
        found = True
    return None if found else False
