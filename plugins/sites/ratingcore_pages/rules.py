"""The rule of a pool in words: *Elo with K = 24, from 5 March 2024*."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ratingcore import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.plugin.analysis import iso, labelled, parameters, policy_of, questions, split, steps_of
from ratingcore_pages.words import number

if TYPE_CHECKING:
    from ratingcore_pages.look import Look

NAMES = {
    "bradley-terry": "Bradley\N{EN DASH}Terry", "codeforces": "Codeforces", "colley": "Colley", "dwz": "DWZ",
    "ecf-grade": "ECF", "egf": "EGF", "elo": "Elo", "elo-margin": "Elo (margin)", "elo-mmr": "Elo-MMR",
    "elo-points": "Elo (points)", "fesa": "FESA", "fifa": "FIFA", "glicko": "Glicko", "glicko2": "Glicko-2",
    "ingo": "Ingo", "keener": "Keener", "massey": "Massey", "trueskill": "TrueSkill",
    "trueskill-through-time": "TrueSkill Through Time", "usatt": "USATT", "uschess": "US Chess",
    "weng-lin": "Weng\N{EN DASH}Lin", "whr": "Whole-History Rating", "world-football-elo": "World Football Elo",
}  # fmt: skip
"""Proper names of methods; others are called as in their texts."""

PERIODS = {
    "month": "month by month", "quarter": "quarter by quarter", "year": "year by year",
    "event": "tournament by tournament",
}  # fmt: skip
"""Words for periods that are rated together."""

WITH_K = "%(method)s with K = %(n)s"
"""Phrase for the first parameter of Elo's formula."""

RESTATED, SINCE = "%(rule)s, also for earlier results", "%(rule)s, from %(day)s"
"""Phrases for a rule of lists from a day on that rates all results, and for one that rates those from a day on."""

DIGITS, SIGNIFICANT, PROVISIONAL, LEFT, TIES = (
    "decimals: %(n)s", "significant digits: %(n)s", "provisional below %(n)s games", "left off: %(why)s",
    "ranks of equal ratings: %(n)s",
)  # fmt: skip
"""Phrases for a policy of lists."""

Word = Callable[[str], str]


def in_words(method: str, word: Word, written: Word = str) -> str:
    """Returns the text of a method in words; a text that is not a method stays unchanged.

    Parameters
    ----------
    word, written : callable
        Translates a phrase, and formats a number or a day as the language writes it.

    Examples
    --------
    >>> in_words("elo:k=24", str), in_words("glicko2:period=month,tau=0.5", str), in_words("of our own", str)
    ('Elo with K = 24', 'Glicko-2, month by month, tau 0.5', 'of our own')
    >>> in_words("elo then elo:k=40 from 2024-03-05", str)
    'Elo; Elo with K = 40, from 2024-03-05'
    """
    try:
        first, later = steps_of(method)
        if later:
            steps = [
                word(SINCE) % {"rule": in_words(step, word, written), "day": written(iso(since.day))}
                for step, since in later
            ]
            return "; ".join([in_words(first, word, written), *steps])
        name, given = split(first)
    except RatingCoreError:
        return method
    called, k = NAMES.get(name.partition("@")[0], name), given.get("k", "")
    if k.replace(".", "", 1).isdigit():
        called = word(WITH_K) % {"method": called, "n": written(number(float(k)))}
        given = {key: text for key, text in given.items() if key != "k"}
    return ", ".join([called, *(_part(key, text, word) for key, text in given.items())])


def _part(parameter: str, text: str, word: Word) -> str:
    if parameter == "period" and text in PERIODS:
        return word(PERIODS[text])
    return f"{parameter.replace('_', ' ')} {text}"


def rules_of(engine: Engine, pool: str, known_at: int, look: "Look") -> list[tuple[str, str]]:
    """Returns the rules of a pool declared up to a position, in words, newest first, each with its first day.

    The day is empty for a rule that applies to all days. Of a rule with a history, the step that begins on the day is
    described.
    """
    return [
        (one.starting, ", ".join(filter(None, [
            _begun(one.method or "", one.starting, look), listed_in_words(one.policy, look.word, digits=False),
        ])))
        for one in reversed(questions(engine.log, pool, known_at))
    ]  # fmt: skip


def _begun(method: str, day: str, look: "Look") -> str:
    """Returns the last step of a rule in words, and whether lists of its day rate earlier results by it, too."""
    (label, whole), (first, later) = labelled(method), steps_of(method)
    text = label if later and label != whole else in_words(later[-1][0] if later else first, look.word, look.written)
    return look.word(RESTATED) % {"rule": text} if day and method and not later else text


def made_by(engine: Engine, identity: str, look: "Look") -> str:
    """Returns the identity of a method in words: the K of Elo's formula, and what differs from the default."""
    first, later = steps_of(identity)

    def brief(step: str) -> str:
        name = step.partition("(")[0].partition("@")[0]
        try:
            usual, given = (parameters(engine.registry.method(text)) for text in (name, step))
        except RatingCoreError:  # not installed, or with a parameter that must be given
            return name
        more = ",".join(f"{key}={text}" for key, text in given.items() if key == "k" or text != usual.get(key))
        return f"{name}:{more}" if more else name

    steps = (f" then {brief(step)} from {iso(since.day)}" for step, since in later)
    return in_words("".join([brief(first), *steps]), look.word, look.written)


def listed_in_words(policy: str, word: Word, *, digits: bool = True) -> str:
    """Returns the text of a policy in words; `digits` includes decimals, which every list shows anyway.

    Examples
    --------
    >>> listed_in_words("min_games=5,active=months(12),digits=0", str)
    'left off: fewer than 5 games, no game in 12 months; decimals: 0'
    """
    made = policy_of(policy)
    terms = {
        LEFT: ", ".join(made.reasons_in(word).values()) or None, PROVISIONAL: made.provisional or None,
        DIGITS: made.digits if digits else None, SIGNIFICANT: made.significant if digits else None,
        TIES: made.ties if "ties=" in policy else None,
    }  # fmt: skip
    return "; ".join(word(term) % {"n": value, "why": value} for term, value in terms.items() if value is not None)
