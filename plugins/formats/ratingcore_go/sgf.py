"""Reads SGF: parses the properties of a game's first node, its result and its dates."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import isfinite

from attrs import field, frozen

from ratingcore.plugin import BadParameter
from ratingcore.plugin.readers import (
    BadValue,
    Filled,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Source,
    TimedOptions,
    Unrated,
    Warning,
    Who,
    at,
    natural,
    one_line,
    one_of,
    partial_day,
    round_order,
)
from ratingcore_go.graded_players import rating_of
from ratingcore_go.sgf_trees import Tree, decoded, trees

_PROPERTY = re.compile(r"([A-Za-z]+)\s*((?:\[(?:[^\]\\]++|\\[\s\S])*+\]\s*+)++)")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\[\s\S])*+)\]")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|[\s\S])")
_WON = re.compile(r"([BW])\s*\+\s*(.*)", re.IGNORECASE | re.DOTALL)
_EVEN = frozenset({"0", "draw", "jigo"})
_DAY = re.compile(r"\s*([0-9]{4}(?:[-/.][0-9]{1,2}){0,2})(?:\s*,.*)?", re.DOTALL)


def properties(node: str) -> dict[str, str]:
    """Returns the first value of each property of a node; for repeated properties, that of the first.

    Lower-case letters of a name are ignored, as in older files: `GaMe` is GM.

    Examples
    --------
    >>> properties(r"GM[1]PB[Ann \\] Bo]C[a][b]")
    {'GM': '1', 'PB': 'Ann ] Bo', 'C': 'a'}
    """
    found: dict[str, str] = {}
    for name, values in _PROPERTY.findall(node):
        short = "".join(letter for letter in name if letter.isupper()) or name.upper()
        match = _VALUE.match(values)
        if match is not None:
            found.setdefault(short, " ".join(_ESCAPED.sub(_unescaped, match[1]).split()))
    return found


def _unescaped(match: re.Match[str]) -> str:
    return "" if match[1].isspace() and match[1] not in " \t" else match[1]


def result_of(text: str, words: Mapping[str, str]) -> float | str | None:
    """Returns Black's score, or why the game is unrated; None for a result in unknown words.

    Parameters
    ----------
    words : mapping
        Results in other words, and their meanings.

    Examples
    --------
    >>> result_of("B+R", {}), result_of("W+F", {}), result_of("?", {}), result_of("Black won", {"Black won": "B+"})
    (1.0, 'forfeit', 'no result yet', 1.0)
    """
    plain = words.get(text.strip(), text).strip()
    if plain in ("", "?"):
        return "no result yet"
    if plain.lower() == "void":
        return "annulled"
    if plain.lower() in _EVEN:
        return 0.5
    match = _WON.fullmatch(plain)
    if match is None:
        return None
    if match[2].strip().lower() in ("f", "forfeit"):
        return "forfeit"
    return 1.0 if match[1] in "Bb" else 0.0


def first_day(text: str) -> str:
    """Returns the first day of a list of days, of which later ones may omit unchanged parts.

    Examples
    --------
    >>> first_day("1996-12-27,28"), first_day("1996-12,1997-01"), first_day("last spring")
    ('1996-12-27', '1996-12', 'last spring')
    """
    match = _DAY.fullmatch(text)
    return match[1] if match else text


def last_day(text: str) -> str:
    """Returns the last day of a list of days.

    Examples
    --------
    >>> last_day("1996-12-27,28"), last_day("1996-12-27, 1997-1-3, 04"), last_day("1996-12-27"), last_day("last spring")
    ('1996-12-28', '1997-1-04', '1996-12-27', 'last spring')
    """
    pieces: list[str] = []
    for part in text.split(","):
        new = re.split("[-/.]", part.strip())
        if not all(map(str.isdecimal, new)):
            break
        pieces[len(pieces) - len(new) if len(new[0]) < 4 else 0 :] = new
    return "-".join(pieces) or text


_HEAD = re.compile(r"[^(]{0,100}\(\s*;\s*[A-Za-z]{1,20}\s*\[")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_GO = "1"
_LONGEST_WORDS = 2**20


@frozen
class SgfOptions(TimedOptions):
    """Options of SGF files.

    Parameters
    ----------
    partial : {"refuse", "first", "last"}
        Day used for one known only in part, such as `1996-12`: the first or last possible day.
    words : str
        A file with the meanings of results in words, one per line: `black wins = B+`.
    """

    partial: str = one_of("refuse", "first", "last")
    words: str = field(default="")


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is SGF: by the beginning of its first game."""
    wide = sample.head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = sample.head[:1000].removeprefix(b"\xef\xbb\xbf").decode("utf-16" if wide else "latin-1", "replace")
    return 90 if _HEAD.match(text.removeprefix("\ufeff")) else 0


def read_sgf(source: Source, options: SgfOptions) -> Iterator[Item]:
    """Reads the games of a file from their first nodes."""
    words = _words(options.words) if options.words else {}
    tree = None
    for tree in trees(source):
        yield from _items(source, tree, options, words)
    if tree is None:
        source.refuse("it is not SGF: no game begins with (;")


def _words(path: str) -> Mapping[str, str]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read(_LONGEST_WORDS).splitlines()
    except (OSError, ValueError) as problem:
        raise BadParameter("sgf", "words", f"cannot be read: {problem}") from None
    parts = [line.rpartition("=") for line in lines if line.strip() and not line.lstrip().startswith("#")]
    for text, _, meaning in parts:
        if not text.strip() or result_of(meaning, {}) is None:
            raise BadParameter("sgf", "words", f"has a line unlike `black wins = B+`: {meaning.strip()[:80]}")
    return {" ".join(text.split()): meaning.strip() for text, _, meaning in parts}


def _items(source: Source, tree: Tree, options: SgfOptions, words: Mapping[str, str]) -> Iterator[Item]:
    node, odd = decoded(tree.root, source, tree.wide)
    values = properties(node)
    text = one_line(node)
    if odd:
        yield Warning(tree.line, odd)
    if values.get("GM", _GO) != _GO:
        yield Refused(
            tree.line, Reason(Filled("its GM is another game than go, which is {go}", go=_GO), values["GM"][:40]), text
        )
        return
    result = result_of(values.get("RE", ""), words)
    if isinstance(result, str):
        yield Unrated(tree.line, result)
        return
    why = _flaw(tree, values, result)
    if why or result is None:
        yield Refused(tree.line, why, text)
        return
    try:
        days = values.get("DT", "")
        day, known = partial_day(first_day(days), options.partial, options.date_format) if days else (None, "")
    except BadValue as problem:
        yield Refused(tree.line, Reason.of(problem), text)
        return
    end = day
    if day is not None and options.time == "end":
        with suppress(BadValue):  # any text may follow the first day
            end = max(day, partial_day(last_day(days), options.partial, options.date_format)[0])
    turn = values.get("RO", "")
    data: dict[str, str | int | float] = {}
    if name := one_line(values.get("EV", "")):
        data["event"] = name if day is None or _YEAR.search(name) else f"{name} ({day.year})"
    for fact, of in (("round", "RO"), ("rules", "RU")):
        if value := one_line(values.get(of, "")):
            data[fact] = value
    for fact, of in (("grade_a", "BR"), ("grade_b", "WR")):
        if rating_of(grade := values.get(of, "")) is not None:
            data[fact] = grade
    data |= _numbers(values) | ({"dated": known} if known else {})
    key = (*(f"{of}[{values[of]}]" for of in ("EV", "RO", "DT", "PB", "PW") if values.get(of)), tree.moves)
    yield Game(
        tree.line, key, Who(None, values.get("PB", "")), Who(None, values.get("PW", "")), result,
        None if end is None else at(end), round_order(turn) if turn else 0, data,
    )  # fmt: skip


def _flaw(tree: Tree, values: Mapping[str, str], result: float | None) -> str:
    """Returns the reason why a game with a result is refused; empty if it is not."""
    if not tree.whole:
        return "the game does not end"
    if result is None:
        return Reason("its result is in words, and words=FILE would give their meaning", values["RE"][:80])
    for of in ("PB", "PW"):
        if "\ufffd" in values.get(of, ""):
            return Reason(Filled("its {property} has characters that cannot be read", property=of), values[of][:80])
    return ""


def _numbers(values: Mapping[str, str]) -> dict[str, int | float]:
    """Returns stones, komi and size of the board, if they are numbers and not the usual ones."""
    found: dict[str, int | float] = {}
    stones, size = values.get("HA", ""), values.get("SZ", "").partition(":")[0]
    if 0 < (handicap := natural(stones, 4) or 0) <= 999:
        found["handicap"] = handicap
    try:
        komi = float(values.get("KM", "").replace(",", ".") or "nan")
        if isfinite(komi) and abs(komi) < 1_000:
            found["komi"] = komi
    except ValueError:
        pass
    if (board := natural(size, 3)) and board != 19:
        found["board_size"] = board
    return found


SGF = Reader(
    "sgf", "SGF: records of go games, by their first node", "stream", sniff, read=read_sgf, options=SgfOptions,
    suffixes=(".sgf",),
)  # fmt: skip
