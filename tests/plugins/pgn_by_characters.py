"""Games of a PGN file taken apart character by character: slow, and independent of the reader it is compared with."""

import re
import string
from typing import NamedTuple

BLANKS = " \t\v\f"
NAME = string.ascii_letters + string.digits + "_"
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class PlainGame(NamedTuple):
    """What a reader needs to know of a game, and whether a flaw refuses it."""

    line: int
    tags: dict[str, str]
    result: str
    moves: bool
    flawed: bool


def plain_games(content: bytes) -> list[PlainGame]:
    """The games of a file, their tags by names in lower case; bytes are read as Latin-1."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    games, opened, swallowed = list[PlainGame](), 0, list[int]()
    first, tags, moves, flawed = 0, dict[str, str](), list[list[str]](), False

    def close() -> None:
        nonlocal first, tags, moves, flawed
        if first or moves:
            last = moves[-1] if moves else []
            result = last[-1] if last and last[-1] in RESULTS else ""
            games.append(PlainGame(first, tags, result, len(moves) > 1 or len(last) > bool(result), flawed))
        first, tags, moves, flawed = 0, {}, [], False

    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        rest = line
        if not opened:
            rest = line.lstrip(" \t")
            if rest[:1] in ("", "%", ";"):
                continue
            if rest[0] == "[" and (found := tags_of_line(rest)) is not None:
                pairs, rest, broken = found
                if broken:
                    pairs = [("event", "")] if rest.startswith('[Event "') else []
                event = any(name == "event" for name, _ in pairs)
                if moves or (event and "event" in tags):
                    close()
                first, flawed = first or number, flawed or broken
                for name, value in pairs:
                    tags.setdefault(name, value)
                rest = "" if broken else rest
        outside, inside = "", bool(opened)
        for sign in rest:
            if inside or sign in "{;":
                if not inside and sign == ";":
                    break
                inside = sign != "}"
            else:
                outside += sign
        if inside and opened and line.startswith('[Event "'):
            swallowed.append(number)
        if inside != bool(opened):
            opened, swallowed = number if inside else 0, []
        if words := outside.encode("latin-1").split():
            moves.append([word.decode("latin-1") for word in words])
    close()
    return games + [PlainGame(number, {}, "", False, True) for number in (swallowed if opened else ())]


def tags_of_line(line: str) -> tuple[list[tuple[str, str]], str, bool] | None:
    """The tags of a line that begins with a bracket, its rest, and whether a value does not end; None for moves."""
    pairs, at = list[tuple[str, str]](), 0
    while (tag := tag_at(line, at)) is not None:
        name, value, at = tag
        pairs.append((name.lower(), value))
    if not pairs and name_at(line, 0)[1] == 0:
        return None
    rest = line[at:].strip(BLANKS)
    if pairs and rest[:1] != "[":
        return pairs, rest, False
    name, at = name_at(line, 0)
    end = line.rstrip(BLANKS)
    value = end[:-1].rstrip(BLANKS) if end.endswith("]") else ""
    begin = at + len(line[at:]) - len(line[at:].lstrip(BLANKS))
    whole = at < begin < len(value) - 1 and line[begin] == '"' and value.endswith('"') and not value.endswith('\\"')
    return ([(name.lower(), value[begin + 1 : -1])], "", False) if whole else (pairs, line, True)


def name_at(line: str, at: int) -> tuple[str, int]:
    """The name after a bracket, and its end; 0 for no name, or one that nothing, blanks or a value follow."""
    begin = skipped(line, skipped(line, at) + 1)
    end = begin
    while end < len(line) and line[end] in NAME:
        end += 1
    return (line[begin:end], end) if end > begin and line[end : end + 1] in ("", *BLANKS) else ("", 0)


def tag_at(line: str, at: int) -> tuple[str, str, int] | None:
    """A tag pair: name, value with its escapes, and end."""
    at = skipped(line, at)
    if line[at : at + 1] != "[":
        return None
    begin = at = skipped(line, at + 1)
    while line[at : at + 1] and line[at] in NAME:
        at += 1
    name, at = line[begin:at], skipped(line, at)
    if not name or line[at : at + 1] != '"':
        return None
    begin = at = at + 1
    while line[at : at + 1] not in ("", '"'):
        at += 2 if line[at] == "\\" else 1
    end = skipped(line, at + 1)
    return (name, line[begin:at], end + 1) if at < len(line) and line[end : end + 1] == "]" else None


def skipped(line: str, at: int) -> int:
    """The first place from one on that is not a blank."""
    while line[at : at + 1] and line[at] in BLANKS:
        at += 1
    return at
