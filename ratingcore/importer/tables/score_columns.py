"""Learns from a whole column of scores what its words mean, and whether they are scores at all."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from itertools import islice, product

from ratingcore.errors import BadValue
from ratingcore.importer.tables.cells import Number, Thousands
from ratingcore.importer.tables.headings import WON, meanings
from ratingcore.importer.tables.result_letters import HOME_DRAW_AWAY, YES, LetterSet, letter_sets
from ratingcore.importer.tables.score_words import FORFEIT, RETIRED, WORDS, plain_score, score, spaced_score
from ratingcore.readers.sheets import Moment, Sheet
from ratingcore.safe_text import Filled

Points = tuple[int | float, int | float]
Scored = float | str | Points
"""Share of the point that `a` took, the reason why there is no result, or the points of both sides."""


_NUMBERED = frozenset({*"0123", "-1"})
"""Numbers that may be shares of a point or may say who won, so that an unknown one puts all others in doubt."""

_SIGNS = frozenset("+-")
"""Signs of forfeits, which mean won and lost beside a column's only other score, `=`."""

_FEW, _MOST = 0.05, 0.5
"""Largest shares of a column that may be slips: words of another kind than the rest, and unknown words."""
_WORD = 3
"""Least length of a word; shorter texts are codes."""
_WON = dict.fromkeys(YES, 1.0)
"""Marks in a column of wins."""
_MOST_WORDS = 10_000
"""Largest number of different texts by which a column is recognised; further ones are not examined."""
_GOALS = 0.25
"""A column is read as points of both sides if at least this share of it looks like 2-1."""
_SIDE = r"(-?[0-9]{1,9}(?:[.,][0-9]{1,6}|½)?|½)"
_LATER = r"a\.?e\.?t\.?|n\.?[vp]\.?|a\.?p\.?|d\.?t\.?s\.?|ot|pp|so|sn"
_SHOTS = r"(?:p|pens?|penalties|pso|so|t\.?a\.?b|[in]\.?e|d\.?c\.?r|rig|k)\.?"
_FROM = "[0-9]+[-:][0-9]+"
_OF_SHOTS = rf"{_SHOTS}{_FROM}|\({_SHOTS}{_FROM}\)|\({_FROM}{_SHOTS}\)|(?<![0-9]){_FROM}{_SHOTS}"
_SHOOT_OUT = re.compile(rf"(?:{_OF_SHOTS}|\(?s[on]\)?)$")
_PAIR = re.compile(rf"{_SIDE}[-:]{_SIDE}(?:\([0-9]+[-:][0-9:,;/-]+\))?(?:\((?:{_LATER})\)|{_LATER})?(?:{_OF_SHOTS})?")
"""Points of both sides in one cell. The points of half-time or of sets, a word for extra time, and shots of a shoot-out
may follow, as in 2-1(1-0) and 1-1(4-3p); they do not change the points."""
_SET = r"\[?[0-9]{1,2}[-:][0-9]{1,2}(?:\([0-9]{1,2}(?:[-:][0-9]{1,2})?\))?\]?"
_SETS = re.compile(rf"{_SET}(?:[ ,;|]+{_SET})+")
"""Points of several sets, as in `6-4 3-6 7-6(5)`, or of halves, periods or legs, which only their sum decides."""
_WINS_SET = frozenset({4, 6, 9, 10, 11, 15, 21, 25})
"""Points that win a set by two or more; beyond six, a set also ends once a side leads by two."""
_BY_ONE = frozenset({(4, 3), (7, 6), (9, 8), (10, 9), (30, 29)})
"""Sets won by one point, in a tie-break or at the last point."""
_LONGEST_SET = 4
"""Largest number of sets that a side wins; one score with more points among several is a single set."""
_WORD_AND_POINTS = re.compile(r"([^\W\d_½]+),?(\d.*)")
"""A word with the points of both sides behind it, as in `W 2-1`; behind the points, a W may mean an awarded game."""
_OF_COLOUR = re.compile(r"([bw])\+(?:[0-9]+(?:[.,][0-9]+)?|r|res|resign|t|time)?")
_BY_FORFEIT = re.compile(r"[bw]\+(?:f|forfeit)")
"""Results of go, which give the colour of the winner: `W+R`, `B+3.5`, `W+F`."""
_SEEN = 1_000
"""Number of rows that are examined for points of both sides."""
_FIGURES = re.compile(r"[^\W\d_]+\.?")


def points_in(word: str) -> Points | None:
    """Returns the points of both sides in a plain score such as 2-1; None for any other word.

    Examples
    --------
    >>> points_in("2-1"), points_in("2½:1,5"), points_in("3:1(1:0)"), points_in("2-1(aet)"), points_in("1/2-1/2")
    ((2, 1), (2.5, 1.5), (3, 1), (2, 1), None)
    >>> points_in("1-1(4-3pens)"), points_in("1-1p.4-3")
    ((1, 1), (1, 1))
    >>> points_in("3:1(25:20,22:25,25:17,25:21)"), points_in("6-4 3-6 7-6(5)"), points_in("2-2 1-0")
    ((3, 1), (2, 1), None)
    """
    if _SETS.fullmatch(word):
        found = re.findall("([0-9]+)[-:]([0-9]+)", re.sub(r"\(.*?\)", "", word))
        sets = [(int(a), int(b)) for a, b in found]
        first = sum(a > b for a, b in sets)
        return (first, len(sets) - first) if all(_is_set(max(one), min(one)) for one in sets) else None
    match = _PAIR.fullmatch(word)
    if match is None:
        return None
    a, b = (float(side.replace("½", ".5").replace(",", ".")) for side in match.groups())
    return int(a) if a.is_integer() else a, int(b) if b.is_integer() else b


def _is_set(most: int, least: int) -> bool:
    """True if a set of tennis, table tennis, badminton, squash or volleyball can end like this."""
    ahead = most - least
    return (ahead >= 2 and most in _WINS_SET) or (ahead == 2 and most > 6) or (most, least) in _BY_ONE


def _letter(word: str) -> str:
    """Returns the word before the points of both sides, such as the W of `W 2-1`; any other word as it is."""
    match = _WORD_AND_POINTS.fullmatch(word)
    return word if match is None else match[1]


def _points_after_word(word: str, codes: Mapping[str, float]) -> Points | float | None:
    """Returns the points after a word such as W, which decides whose the larger number is.

    A word that names the winner of a shoot-out is the score itself.

    Examples
    --------
    >>> [_points_after_word(word, {}) for word in ("w2-1", "l2-1", "d2-2", "2-1", "w1-1")]
    [(2, 1), (1, 2), (2, 2), None, None]
    >>> _points_after_word("w1-1(4-3p)", {}), _points_after_word("d1-1(4-3p)", {})
    (1.0, (1, 1))
    >>> _points_after_word("d2-1", {"v": 1.0, "n": 0.5, "d": 0.0})
    (1, 2)
    """
    match = _WORD_AND_POINTS.fullmatch(word)
    outcome = codes.get(match[1], WORDS.get(match[1])) if match else None
    points = points_in(match[2]) if match else None
    if points is None or not isinstance(outcome, float):
        return None
    if (points[0] == points[1]) != (outcome == 0.5):
        return outcome if outcome != 0.5 and _SHOOT_OUT.search(word) else None
    return (max(points), min(points)) if outcome == 1.0 else (min(points), max(points))


def both_ways(sheet: Sheet, mappings: list[dict[str, str]]) -> list[dict[str, str]]:
    """Adds the mapping with the sides exchanged to the only mapping of a table whose scores may be meant either way.

    If the column of `b` comes first, a score such as 5-3 may have the points of `a` first, or those of `b`.
    """
    columns = sheet.columns
    for one in mappings if len(mappings) == 1 and not sheet.once else ():
        a, b, score = one.get("a", "a"), one.get("b", "b"), one.get("score", "score")
        turned = {*(a, b, score)} <= {*columns} and columns.index(b) < columns.index(a) and score not in (a, b)
        texts = {*map(plain_score, islice(sheet.cells(score), _SEEN))} if turned else set[str]()
        by_name = "b" in texts or meanings(score, WON) == {"winner"}
        if any(_is_decisive(text, alone=not by_name) for text in texts):
            return [one, {**one, "a": b, "b": a}]
    return mappings


def _is_decisive(word: str, *, alone: bool) -> bool:
    """True if a score has a winner: points of both sides, or a result of one side `alone`."""
    points = points_in(word)
    decisive = WORDS.get(word) in (0.0, 1.0) or word in ("0", "1")
    return points[0] != points[1] if points else decisive and (alone or len(word) > 1)


class ScoreColumn:
    """Reads the scores of one column, once it has learnt from all its texts what they mean.

    Parameters
    ----------
    number : callable
        Parser of numbers.
    by_points : bool
        Whether the column is known to hold points of both sides, such as 2-1.
    retired_counts : bool
        Whether a result in which a side retired counts, if it names the winner.
    full_time : bool
        Whether H, D and A are known to mean home, draw and away, as in a column FTR.
    colours : {"wb", "bw", ""}
        Colours of side `a` and of side `b`, if the table is known to have them.
    of_wins : bool
        Whether the heading means wins, so that a 2 is a number of games rather than the second side.

    languages : collection of str
        Languages of the headings.

    Attributes
    ----------
    remark : str
        How the words are read; empty if that is obvious.
    choice : list of str
        Ways to read the words, if there are several.
    """

    def __init__(
        self,
        number: Number,
        *,
        by_points: bool,
        retired_counts: bool,
        full_time: bool = False,
        colours: str = "",
        of_wins: bool = False,
        languages: Collection[str] = (),
    ) -> None:
        self._number, self._retired_counts = number, retired_counts
        self._colours, self._of_wins = colours, of_wins
        self._languages = languages
        self._given: tuple[Mapping[str, float], bool] = (
            HOME_DRAW_AWAY if full_time else _WON if of_wins else {}, by_points
        )  # fmt: skip
        self._codes: Mapping[str, float] = self._given[0]
        self._by_points = by_points
        self._sets = False
        """Whether the points are those of sets, as in `6-4 3-6 7-6`."""
        self.remark = ""
        self.choice: list[str] = []
        self._words: dict[str, str] = {}
        """The word of each text met so far, as `_word` gives it; empty for texts without a result."""
        self._met, self._signs = Counter[str](), Counter[str]()
        self._known: dict[str, Scored] = {}
        """Meanings that words have by themselves, whatever else the column holds."""
        self._meant: dict[str, Scored | None] = {}
        """Meanings of the words when `learn` was last called."""

    def read(self, text: str) -> Scored:
        """Returns the meaning of a text in this column.

        Raises
        ------
        BadValue
            If the text is not a score.
        """
        return self._read(text, self._codes, self._by_points)

    def read_alone(self, text: str) -> Scored:
        """Returns the meaning that a text has by itself, whatever else the column holds; raises what `read` raises."""
        return self._read(text, *self._given)

    def _read(self, text: str, codes: Mapping[str, float], by_points: bool) -> Scored:
        word = self._word(text)
        if word in codes:
            return codes[word]
        if by_points and (points := points_in(word)) is not None:
            return FORFEIT if -1 in points else self._of_sets(text, word, points) if self._sets else points
        if self._colours and (match := _OF_COLOUR.fullmatch(word)):
            return float(match[1] == self._colours[0])
        if (meaning := _points_after_word(word, codes)) is not None:
            return meaning
        outcome = FORFEIT if self._colours and _BY_FORFEIT.fullmatch(word) else score(text, self._number)
        if by_points and not isinstance(outcome, str):
            raise BadValue("points", text, "are not points of both sides such as 2-1")
        if outcome == RETIRED and self._retired_counts:
            meant = WORDS.get(plain_score(_FIGURES.sub("", text)))
            outcome = meant if isinstance(meant, float) else RETIRED
        return outcome

    def _of_sets(self, text: str, word: str, points: Points) -> Points:
        """Returns the sets that both sides won; a single set has no others beside it in the cell."""
        if " " not in word and max(points) <= _LONGEST_SET:
            raise BadValue("score", text, "may be a set or the number of sets that both sides won")
        if points[0] == points[1]:
            raise BadValue("score", text, "has equally many sets for both sides, so nobody won")
        return points if " " in word else (int(points[0] > points[1]), int(points[0] < points[1]))

    def is_of_both_sides(self) -> bool:
        """True if a result is written for both sides, as 1-0 or 2-1, rather than for one."""
        return self._by_points or not self._met.keys().isdisjoint(("1-0", "0-1"))

    def of_shoot_out(self, *, drawn: bool) -> str:
        """Returns a note on shoot-outs that leave a draw, or on those that somebody won; empty without any."""
        for text, word in self._words.items():
            score = self._meant.get(word) if _SHOOT_OUT.search(word) else None
            if score is not None and drawn == (score == 0.5 or (isinstance(score, tuple) and score[0] == score[1])):
                form = "draws after a shoot-out: {text}" if drawn else "won by the winner of a shoot-out: {text}"
                return Filled(form, text=text)
        return ""

    def thousands(self) -> Thousands:
        """Returns the numbers of a column of points that may be thousands, such as those of `1,234-999`."""
        words = [match for word in self._met if (match := _PAIR.fullmatch(word))] if self._by_points else []
        found = [Thousands(sign) for sign in ".,"]
        for one, side in product(found, (side for match in words for side in match.groups())):
            one.meet(side)
        return max(found, key=lambda one: len(one.hundreds))

    def _word(self, text: str) -> str:
        """Returns a score in the form in which it is compared with others: 1.0 and 1 are the same word."""
        word = plain_score(text)
        if _SETS.fullmatch(sets := " ".join(re.split("[ ,;|]+", spaced_score(text)))):
            return sets
        word = word[1:] if word[:1] == "+" and word[1:].isdigit() else word
        if word.removeprefix("-")[:1].isdigit() and not word.isdigit():
            value = self._number(word)
            word = word if value is None or value != int(value) else str(int(value))
        return word

    def meet(self, texts: Mapping[str, int], read: Callable[[str], Scored]) -> None:
        """Adds texts of the column, with their counts.

        Parameters
        ----------
        texts : mapping of str to int
        read : callable
            Translates a text by the mapping, and reads it by `read_alone`.
        """
        for text, count in texts.items():
            word = self._words.get(text)
            if word is None:
                if len(self._words) >= _MOST_WORDS:
                    continue
                outcome: Scored | None = None
                with suppress(BadValue):
                    outcome = read(text)
                word = "" if isinstance(outcome, str) or type(text) is Moment else self._word(text)
                self._words[text] = word
                if word and outcome is not None:
                    self._known[word] = outcome
            if word:
                self._met[word] += count
            elif text in _SIGNS:
                self._signs[text] += count

    def learn(self) -> tuple[Counter[str], bool, str]:
        """Learns what words mean from all texts met so far.

        Returns
        -------
        unknown : Counter of str
            Words that are not scores, with their counts.
        doubtful : bool
            Whether the other words are in doubt: most words are unknown, or too many look like scores of another kind.
        changed : str
            A word that meant something else at the last call; empty if there is none.
        """
        met, known = self._met, self._known
        if len(self._signs) == len(_SIGNS) and met.keys() == {"="}:
            return self._signs, True, ""
        self._codes, self._by_points = self._given
        self._sets, self.remark = False, ""
        unknown = met.keys() - known.keys()
        pairs = {word: points for word in met if (points := points_in(word)) is not None}
        letters = Counter[str]()
        for word, count in met.items():
            letters[_letter(word)] += count
        by_colour = {} if not self._colours else {self._colours[0]: 1.0, "d": 0.5, self._colours[1]: 0.0}
        sets = letter_sets(letters, {*map(_letter, unknown)}, _FEW, self._languages, numbers=not self._of_wins)
        self.choice = [*dict.fromkeys(map(str, sets))]
        if by_colour and "b" in unknown and letters.keys() <= {*by_colour, "=", "1/2", "½"}:
            sets = [LetterSet("", by_colour)]
        certain = sets and all(one.scores.get(word) == sets[0].scores.get(word) for one in sets for word in letters)
        goals = sum(met[word] for word in unknown & pairs.keys()) >= _GOALS * met.total()
        halves = sum(met[word] for word in unknown - pairs.keys() if _SETS.fullmatch(word))
        if certain:
            self._codes, self.remark, self.choice = sets[0].scores, str(sets[0]), []
        elif (
            goals and not halves > _FEW * met.total()
            and {word for word in known if word == _letter(word)} <= pairs.keys()
            and any(max(points) > 1 for points in pairs.values())
        ):  # fmt: skip
            self._by_points, self._sets = True, any(" " in word for word in pairs)
            self.remark = "sets of both sides" if self._sets else "points of both sides"
        meant_now = pairs if self._by_points else self._codes
        unread = {word for word in unknown - meant_now.keys() if _points_after_word(word, self._codes) is None}
        words = Counter({word: count for word, count in met.items() if word in unread})
        codes = sum(count for word, count in words.items() if len(word) < _WORD or word in pairs)
        sure = self._by_points or any(known[word] == 0.5 and not (len(word) == 1 and word.isalpha()) for word in known)
        slips = max(1, _FEW * met.total()) if met.keys() - _NUMBERED else 0
        meant = self._meant
        of_points: Mapping[str, Points] = pairs if self._by_points else {}
        self._meant = {word: self._codes.get(word, of_points.get(word, known.get(word))) for word in met}
        changed = next((word for word, before in meant.items() if self._meant[word] != before), "")
        doubtful = bool(self.choice) or (
            len(met) > 1 and (words.total() > _MOST * met.total() or (not sure and codes > slips))
        )
        return words, doubtful, changed
