"""Letters for won, drawn and lost in several languages, such as `V N D`, the sets that a column may use, and marks."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.readers.sheets import parts_of

YES = frozenset(["yes", "y", "true", "1", "x", "ja", "j", "oui", "si", "sí", "ano", "tak", "да"])
"""Case-folded texts that mean yes."""
NO = frozenset(["no", "n", "false", "0", "nein", "non", "ne", "nie", "nee", "nej", "nei", "não", "нет"])
"""Case-folded texts that mean no."""
NOTHING = frozenset({"", "-", "--", "\u2013", "\u2014", "/", "n/a", "na", "none", "null"})
"""Case-folded texts by which tables mark an empty cell."""

_LETTERS = {
    "": "h d a, 1 x 2, w t l, w p l, home draw away, homewin draw awaywin",
    "de": "s u n, s r n, g u v, g r v",
    "fr": "v n d, g n p",
    "it": "v n p, v p s",
    "es": "g e p, v e d",
    "pt": "v e d",
    "nl": "w g v",
    "pl": "w r p, z r p",
    "cs": "v r p",
    "ru": "в н п",
    "sv": "v o f",
    "da": "v u t",
    "no": "v u t, s u t",
    "fi": "v t h",
    "tr": "g b m",
    "hu": "gy d v",
}
# Win, push, loss; Sieg, Unentschieden, Niederlage; gewonnen, remis, verloren; victoire, nul, défaite; gagné, nul,
# perdu; vinte, nulle, perse; vittoria, pareggio, sconfitta; ganado, empatado, perdido; vitória, empate, derrota; winst,
# gelijk, verlies; wygrana, remis, porażka; výhra, remíza, prohra; выигрыш, ничья, поражение; vinst, oavgjord, förlust;
# vundet, uafgjort, tabt; seier, uavgjort, tap; voitto, tasapeli, häviö; galibiyet, beraberlik, mağlubiyet; győzelem,
# döntetlen, vereség
_HEADINGS = {
    "de": "ergebnis, resultat, erg, endergebnis, spielergebnis, ausgang, spieler, gegner, heim, gast, weiss, schwarz",
    "fr": "resultat, joueur, adversaire, domicile, exterieur, visiteur, equipe, blancs, noirs",
    "it": "risultato, esito, giocatore, avversario, casa, ospite, squadra, bianco, nero",
    "es": "resultado, jugador, oponente, rival, local, visitante, equipo, blancas, negras",
    "pt": "resultado, jogador, adversario, casa, fora, visitante, equipa, brancas, pretas",
    "nl": "uitslag, resultaat, speler, tegenstander, thuis, uit, thuisploeg, uitploeg, wit, zwart",
    "pl": "wynik, zawodnik, przeciwnik, gospodarze, goscie, biale, czarne",
    "cs": "vysledek, vysledok, vysl, hrac, souper, domaci, hoste, bily, cerny",
    "ru": "результат, игрок, соперник, противник, хозяева, гости, белые, черные",
    "sv": "resultat, spelare, motstandare, hemma, borta, vit, svart",
    "da": "resultat, spiller, modstander, hjemme, hvid, sort",
    "no": "resultat, spiller, motstander, hjemme, borte, hvit, svart",
    "fi": "tulos, pelaaja, vastustaja, valkoinen, musta",
    "tr": "sonuc, oyuncu, rakip",
    "hu": "eredmeny, jatekos, ellenfel, vilagos, sotet",
}
_ACCENTED = {"résultat": "fr"}
"""Headings whose accents decide between languages."""
_LANGUAGES_OF = {language: word_list(words) for language, words in _HEADINGS.items()}


def languages_of(headings: Sequence[str]) -> frozenset[str]:
    """Returns the languages that all headings with a language can be of; first of them the heading of the score.

    Examples
    --------
    >>> sorted(languages_of(["Resultado"])), sorted(languages_of(["Resultado", "Jugador"])), languages_of(["Result"])
    (['es', 'pt'], ['es'], frozenset())
    """
    found: frozenset[str] = frozenset()
    for heading in headings:
        parts = parts_of(heading)
        of = {language for language, words in _LANGUAGES_OF.items() if not words.isdisjoint(map(plain, parts))}
        of = {_ACCENTED[part.casefold()] for part in parts if part.casefold() in _ACCENTED} or of
        found = (found & of or found) if found else frozenset(of)
    return found


@frozen
class LetterSet:
    """The words of one language for won, drawn and lost, by which others may be known."""

    language: str
    scores: Mapping[str, float]

    def fits(self, met: Counter[str], odd: Collection[str], few: float) -> bool:
        """True if a column uses these words: it has hardly any other word, and no other score."""
        others = met.keys() - self.scores.keys()
        rare = sum(met[word] for word in others) <= few * met.total()
        return len(met) > 1 and rare and others <= {*odd} and not self.scores.keys().isdisjoint(odd)

    def __str__(self) -> str:
        return ", ".join(f"{word} = {score:g}" for word, score in self.scores.items())


SETS = [
    LetterSet(language, dict(zip(words.split(), (1.0, 0.5, 0.0), strict=True)))
    for language, sets in _LETTERS.items()
    for words in sets.split(", ")
]
HOME_DRAW_AWAY = SETS[0].scores
"""The letters of a column such as FTR."""
_ENGLISH = LetterSet("", {"w": 1.0, "d": 0.5, "l": 0.0})
_BY_HEADING = "hu"
"""Language whose letters mean the opposite of common ones, and that only headings, or a word of its own, suggest."""


def letter_sets(
    met: Counter[str], odd: Collection[str], few: float, languages: Collection[str], *, numbers: bool = True
) -> list[LetterSet]:
    """Lists the sets whose words a column may use: those of the language of its headings, or else of any.

    Parameters
    ----------
    met : Counter of str
        Words of the column.
    odd : collection of str
        Those without a meaning of their own.
    few : float
        Largest share of other words.
    numbers : bool
        Whether `1`, `X` and `2` may be such words.

    Examples
    --------
    >>> [str(one) for one in letter_sets(Counter("vt"), "vt", 0.05, ())]
    ['v = 1, u = 0.5, t = 0', 'v = 1, u = 0.5, t = 0', 'v = 1, t = 0.5, h = 0']
    >>> [str(one) for one in letter_sets(Counter("vt"), "vt", 0.05, ["fi"])]
    ['v = 1, t = 0.5, h = 0']
    """
    fitting = [one for one in SETS if one.fits(met, odd, few) and (numbers or "2" not in one.scores)]
    own = [one for one in SETS if one.language in languages and (one in fitting or met.keys() <= one.scores.keys())]
    if own and odd:
        return own
    if own and any(one.scores[word] != _ENGLISH.scores.get(word) for one in own for word in met):
        return own if {*languages} == {one.language for one in own} else [*own, _ENGLISH]
    return [one for one in fitting if one.language != _BY_HEADING or next(iter(one.scores)) in met]
