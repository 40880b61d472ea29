"""Reads SGF: records of go games, of which only the first node is looked at."""

import re
from collections.abc import Iterator, Mapping
from math import isfinite

from attrs import field, frozen

from ratingcore.plugin import BadParameter
from ratingcore.plugin.readers import (
    BadValue,
    Game,
    Item,
    Options,
    Reader,
    Refused,
    Sample,
    Source,
    Unrated,
    Warning,
    Who,
    at,
    one_of,
    partial_day,
    round_order,
)
from ratingcore_go.people import one_line, rating_of
from ratingcore_go.sgf_charsets import decoded
from ratingcore_go.sgf_trees import Tree, trees
from ratingcore_go.sgf_values import first_day, properties, result_of

_HEAD = re.compile(r"[^(]{0,100}\(\s*;\s*[A-Za-z]{1,20}\s*\[")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_GO = "1"
_LONGEST_WORDS = 2**20


@frozen
class SgfOptions(Options):
    """Options of SGF files.

    Parameters
    ----------
    partial : {"refuse", "first", "last"}
        What becomes of a day that is known in part, such as `1996-12`: its first or last possible day.
    words : str
        A file that says what results in words mean, a line each: `black wins = B+`.
    """

    partial: str = one_of("refuse", "first", "last")
    words: str = field(default="")


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is SGF: by how its first game begins."""
    wide = sample.head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = sample.head[:1000].removeprefix(b"\xef\xbb\xbf").decode("utf-16" if wide else "latin-1", "replace")
    return 90 if _HEAD.match(text.removeprefix("\ufeff")) else 0


def read_sgf(source: Source, options: SgfOptions) -> Iterator[Item]:
    """The games of a file, each by its first node."""
    words = _words(options.words) if options.words else {}
    tree = None
    for tree in trees(source):
        yield from _items(source, tree, options, words)
    if tree is None:
        source.refuse("it is no SGF: no game begins with (;")


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
        yield Refused(tree.line, f"its GM is another game than go, which is {_GO}: {values['GM'][:40]}", text)
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
        day, known = partial_day(first_day(values["DT"]), options.partial) if values.get("DT") else (None, "")
    except BadValue as problem:
        yield Refused(tree.line, str(problem), text)
        return
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
        None if day is None else at(day), round_order(turn) if turn else 0, data,
    )  # fmt: skip


def _flaw(tree: Tree, values: Mapping[str, str], result: float | None) -> str:
    """Why a game with a result is refused, if it is."""
    if not tree.whole:
        return "the game does not end"
    if result is None:
        return f"its result is in words: {values['RE'][:80]!r}; say words=FILE"
    for of in ("PB", "PW"):
        if "\ufffd" in values.get(of, ""):
            return f"its {of} has characters that cannot be read: {values[of][:80]!r}"
    return ""


def _numbers(values: Mapping[str, str]) -> dict[str, int | float]:
    """Stones, komi and size of the board, as far as they are numbers and not the usual ones."""
    found: dict[str, int | float] = {}
    stones, size = values.get("HA", ""), values.get("SZ", "").partition(":")[0]
    if stones.isascii() and stones.isdecimal() and 0 < int(stones[:4]) <= 999:
        found["handicap"] = int(stones[:4])
    try:
        komi = float(values.get("KM", "").replace(",", ".") or "nan")
        if isfinite(komi) and abs(komi) < 1_000:
            found["komi"] = komi
    except ValueError:
        pass
    if size.isascii() and size.isdecimal() and len(size) < 4 and int(size) not in (0, 19):
        found["board_size"] = int(size)
    return found


SGF = Reader(
    "sgf", "SGF: records of go games, by their first node", "stream", sniff, read=read_sgf, options=SgfOptions,
    suffixes=(".sgf",),
)  # fmt: skip
