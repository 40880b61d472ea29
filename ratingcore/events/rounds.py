"""Order of the rounds of a day by their names in files: numbers, or the stages of a cup in several languages."""

import re
import unicodedata
from functools import lru_cache

from ratingcore.events.times import DAY, Instant
from ratingcore.events.values import Fact, Facts

_PLAIN = re.compile(r"([0-9]{1,6})(?:\.([0-9]{1,3}))?(?:\s*\(.*)?")
_NUMBERED = re.compile(r"(?:[a-z]+[. ]*){0,3}([0-9]{1,6})(?:\.([0-9]{1,3}))?")
_LEADING = re.compile(r"\s*[A-Za-z]{0,8}\.?\s*([0-9]{1,6})(?:\.([0-9]{1,3}))?")
_NUMBER = re.compile(r"(?<!of )\b[0-9]{1,3}(?=[a-z]{0,2}\b)")
_ORDINALS = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "eighth": "8", "sixteenth": "16",
}  # fmt: skip

_CYRILLIC = {
    "полуф": "semi f", "четвертьф": "quarter f", "четвъртф": "quarter f", "квалиф": "qual ", "отбор": "qual ",
    "групп": "group ", "плеи-офф": "playoff ", "третье место": "3 place", "место": "place", "супер": "super",
    "финал": "final",
}  # fmt: skip
"""Stems of Russian and Bulgarian names of stages, without accents, with English words for them."""
_STEM = re.compile("|".join(_CYRILLIC))

_CUP = 1_000_000_000
"""An order higher than that of any numbered round; stages before the first round have negative orders."""
_STEP = 10_000_000
_STAGES = tuple(
    (re.compile(rf"\b(?:{pattern})"), base)
    for pattern, base in (
        (r"^q(?= ?[0-9]*$)|qual(?!\w* final)", -_CUP),
        (r"^er$|prelim(?!\w* final)|play ?in\b", -_CUP // 2),
        (r"^br\b|^3p$|bronze|[0-9]+[a-z]* place|platz|petite|kleines|prelim", _CUP + 185 * _STEP // 10),
        (r"grand final|superfinal", _CUP + 20 * _STEP),
        (r"sf|semi|halb|halve|demi|1/2\b", _CUP + 18 * _STEP),
        (r"qf|quart|cuart|viertel|kwart|kvart|1/4\b|(?:qual\w*|elimination) final", _CUP + 17 * _STEP),
        (r"achtel|octav|oitav|ottav|huitiem", _CUP + 16 * _STEP),
        (r"sechzehntel|seiziem|sedicesim|dieciseis", _CUP + 15 * _STEP),
        (r"r ?(?P<players>16|32|64|128|256)\b", _CUP),
        (r"(?:ro ?|round of |last |top |letzten? )(?P<players>2|4|8|16|32|64|128|256)\b", _CUP),
        (r"(?:1/(?P<half>8|16|32|64|128)\b|(?P<halves>4|8|16|32|64|128)[a-z]* (?:de |di )?final)", _CUP),
        (r"^rr\b|group|grupp|girone|poule|pool [a-z]\b|vorrunde|round robin|league (?:phase|stage)", _CUP + 10 * _STEP),
        (r"final|^f(?= ?[0-9]*$)|endspiel", _CUP + 19 * _STEP),
        (r"play ?off|knock ?out|barrage", _CUP + 11 * _STEP),
    )
)
"""Patterns of stage names with their orders. The first match counts; fewer players in a name make its order higher."""
_OF_ROUNDS = frozenset((-_CUP, -_CUP // 2, _CUP + 10 * _STEP, _CUP + 11 * _STEP))
"""Orders of stages with several rounds, when their names have no number of a round."""
_BRACKETS = re.compile(r"\b(?:lower|loser|upper|winner|consolation|[lw]b\b)")
"""Words for the brackets of a double elimination, whose rounds alternate in ways that their names do not show."""


@lru_cache(maxsize=4096)
def round_order(text: str | float) -> int:
    """Returns the order of a round's games among the games of the day; 0 if its name gives no order.

    The order of a numbered round is 1000 times its number, plus the number of its part. Qualifying and preliminary
    rounds come before numbered ones; after these come the group stage, the rounds of a cup by the number of players
    left, the game for third place, and the final. `R16`, `R32`, `R64`, `R128` and `R256` are named by their players.

    Examples
    --------
    >>> round_order("5"), round_order("5.3"), round_order("R5"), round_order("Losers' round 2")
    (5000, 5003, 5000, 0)
    >>> cup = ["Q2", "1st round", "group stage", "R32", "1/8", "QF", "Halbfinale", "3rd place", "final"]
    >>> sorted(cup, key=round_order) == cup
    True
    """
    given = str(text)
    if plain := _PLAIN.fullmatch(given):
        return 1000 * int(plain[1]) + int(plain[2] or 0)
    composed = unicodedata.normalize("NFKD", given[:200].casefold()).replace("\u2044", "/")
    bare = "".join(sign for sign in composed if not unicodedata.combining(sign))
    bare = _STEM.sub(lambda stem: _CYRILLIC[stem[0]], bare)
    words = " ".join(_ORDINALS.get(word, word) for word in re.sub(r"[^a-z0-9/.]+", " ", bare).split())
    if given.startswith("-") or _BRACKETS.search(words):
        return 0
    for pattern, base in _STAGES:
        if stage := pattern.search(words):
            groups = stage.groupdict()
            players = int(groups.get("players") or 0) or 2 * int(groups.get("half") or groups.get("halves") or 0)
            numbers = _NUMBER.findall(f"{words[: stage.start()]} {words[stage.end() :]}")
            left = (21 - players.bit_length()) * _STEP if players else 0
            return base + left + (1000 * int(numbers[-1]) if numbers else 0)
    return _numbered(_NUMBERED.match(words))


def is_one_round(turn: Fact) -> bool:
    """True for a single round, in which nobody plays two opponents; False for a stage of several rounds.

    Examples
    --------
    >>> is_one_round("R16"), is_one_round("RR"), is_one_round("Group A, round 2")
    (True, False, True)
    """
    return round_order(turn) not in _OF_ROUNDS


def order_on_day(played: Instant, facts: Facts) -> int:
    """Returns the order of a result by its round; 0 without a round, or if the result has a time of day."""
    return round_order(facts["round"]) if "round" in facts and type(played) is int and played % DAY == 0 else 0


def is_of_round(order: int, played: Instant, facts: Facts) -> bool:
    """True if an order is the one that `order_on_day` returns for a result."""
    return order == order_on_day(played, facts)


def _numbered(match: "re.Match[str] | None") -> int:
    return 0 if match is None else 1000 * int(match[1]) + int(match[2] or 0)


@lru_cache(maxsize=4096)
def _orders(turn: Fact) -> frozenset[int]:
    return frozenset((0, _numbered(_LEADING.match(str(turn))), round_order(turn)))


def follows_round(order: int, turn: Fact | None) -> bool:
    """True if an order is 0, or is derived from the round, as this version or an older one does.

    Examples
    --------
    >>> follows_round(5000, 5), follows_round(0, "final"), follows_round(0, None), follows_round(7, 5)
    (True, True, True, False)
    """
    return order == 0 if turn is None else order in _orders(turn)
