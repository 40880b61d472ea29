"""A reader of tournaments for tests, and tournaments for it to read."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any

from ratingcore.events import instant
from ratingcore.readers import Document, Facts, Game, Item, Reader, Refused, Seed, Source, Unrated, Who, at

DAY = date(2024, 3, 2)


def read(source: Source, options: Any) -> Iterator[Item]:
    """Lines: `open NAME [ISSUED]`, `ROUND WHITE BLACK SCORE [BOARD]`, `rating NAME VALUE`, `born NAME YEAR`."""
    for number, line in source.lines():
        words = line.split()
        if words[0] == "open":
            issued = instant(words[2]) if len(words) > 2 else None
            yield Document((words[1],), f"{words[1]} (2024-03-02)", DAY, issued=issued)
        elif words[0] == "rating":
            yield Seed(number, Who(None, words[1]), {"rating": float(words[2])}, at(DAY))
        elif words[0] == "born":
            yield Facts(number, Who(None, words[1]), {"born": int(words[2])}, at(DAY))
        elif words[3] == "bye":
            yield Unrated(number, "bye")
        elif words[3] == "bad":
            yield Refused(number, "unknown result code", line)
        else:
            data = {"board": int(words[4])} if len(words) > 4 else {}
            a, b = Who(None, words[1]), Who(None, words[2])
            yield Game(number, (words[0],), a, b, float(words[3]), at(DAY), 1000 * int(words[0]), data)


READER = Reader(
    "cross", "tournaments of tests", "document", lambda sample: 90 if sample.head.startswith(b"open") else 0, read=read
)


def bytes_of(*lines: str, name: str = "spring", issued: str = "") -> bytes:
    """A tournament as its file."""
    return "\n".join([f"open {name} {issued}".strip(), *lines]).encode()


def random_tournament(random: Random, players: int = 8, rounds: int = 4) -> list[str]:
    """The lines of a tournament in which nobody meets anybody twice."""
    lines = []
    names = [f"p{number}" for number in range(players)]
    met: set[frozenset[str]] = set()
    for turn in range(1, rounds + 1):
        random.shuffle(names)
        for board, (a, b) in enumerate(zip(names[::2], names[1::2], strict=True), 1):
            if frozenset((a, b)) not in met:
                met.add(frozenset((a, b)))
                lines.append(f"{turn} {a} {b} {random.choice(('1', '0', '0.5'))} {board}")
    return lines


def edited(random: Random, lines: list[str]) -> list[str]:
    """The lines of a later issue: some results otherwise, some missing, some colours swapped, some new."""
    again = []
    for line in lines:
        turn, a, b, score, board = line.split()
        kind = random.random()
        if kind < 0.1:
            continue
        if kind < 0.25:
            score = random.choice(("1", "0", "0.5"))
        elif kind < 0.3:
            a, b = b, a
        again.append(f"{turn} {a} {b} {score} {board}")
    return [*again, f"9 {random.choice('xyz')} {random.choice('uvw')} 1 1"] if random.random() < 0.5 else again
