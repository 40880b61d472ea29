"""What an attacker can confirm after an erasure who has every file and 501 names to guess from: nothing."""

import hashlib
import hmac
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, product
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.events import canonical, instant
from ratingcore.log.lookup import uid_at
from ratingcore.log.sqlite.connection import sqlite3

SECRET = "Zofia Quist"
FIRST = ["Abe", "Bea", "Cid", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon"]
LAST = [f"{start}{end}son" for start in ("Al", "Be", "Cor", "Dim", "Es") for end in "abcdefghij"]
GUESSES = [SECRET, *(f"{first} {last}" for first in FIRST for last in LAST)]
FACTS = (("2024-03-02", "bo", 1.0), ("2024-03-09", "cy", 0.5), ("2024-03-16", "bo", 0.0))
"""What the attacker knows of the games of the one who was erased: day, opponent, score."""


def rows(name: str = SECRET) -> str:
    games = "".join(f"{day},{name},{other},{score}\n" for day, other, score in FACTS)
    return f"played,a,b,score\n{games}2024-03-23,bo,cy,1\n"


def seeds(name: str = SECRET) -> str:
    return f"player,rating,at\n{name},1650,2024-01-01\nbo,1500,2024-01-01\n"


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A folder with a log, its caches, tables and write-ahead log, in which the name was erased."""
    folder = tmp_path / "league"
    folder.mkdir()
    games, ratings = tmp_path / f"{SECRET}.csv", tmp_path / "seeds.csv"
    games.write_text(rows())
    ratings.write_text(seeds())
    with rc.open(folder / "club.db") as engine:
        engine.import_seeds(ratings, "rapid")
        engine.import_file(games, "rapid")
        engine.void(uid_at(engine.log, engine.log.head.position), why=f"{SECRET} said so", by=SECRET)
        engine.publish(engine.rating_list("rapid", "elo"), name="spring")
        engine.rating_list("rapid", "elo:period=month", through="2024-03-10", known_at=4)
        if find_spec("ratingcore_sql_tables"):
            import_module("ratingcore_sql_tables.catch_up").catch_up(engine, "rapid", "elo")
        engine.follow("mailer").commit()
        engine.erase(SECRET, by="secretary")
        engine.import_seeds(ratings, "rapid")
        engine.import_file(games, "rapid")  # the file of the erased player, once more
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-01", a="bo", b="cy", score=1.0))
        engine.log.backup(folder / "copy.db")
        (folder / "copy.jsonl").write_text("\n".join(engine.export()))
        for file in folder.glob("club.db-*"):  # while the log is open, its write-ahead log is there
            if file.is_file():
                shutil.copy(file, folder / f"{file.name}.copy")
    return folder


def confirmed(folder: Path) -> set[str]:
    """The guesses for which any construction from the known facts is found in any byte of any file."""
    haystack = b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
    db = sqlite3.connect(folder / "club.db")
    (key,) = db.execute("SELECT key FROM log").fetchone()
    salts = [salt for (salt,) in db.execute("SELECT salt FROM name WHERE salt IS NOT NULL")]
    numbers = range(1, db.execute("SELECT max(id) FROM name").fetchone()[0] + 1)
    digests = {digest for (digest,) in db.execute("SELECT digest FROM name WHERE key IS NULL")}
    db.close()
    runs = [run.decode() for run in set(re.findall(rb"[0-9a-f]{16,}", haystack))]
    hexadecimal = {run[at : at + size] for run in runs for size in (16, 32) for at in range(len(run) - size + 1)}
    found = set()
    for guess in GUESSES:
        if any(form in haystack for form in spelt(guess)):
            found.add(guess)
        tried = chain(new_uids(key, guess, numbers), marks([key, *salts], guess))
        if not hexadecimal.isdisjoint(tried):
            found.add(guess)
        if not digests.isdisjoint(commitments([key, "", *salts], guess)):
            found.add(guess)
    return found


def spelt(guess: str) -> Iterable[bytes]:
    """The name itself, in the encodings and escapes that a file may hold."""
    for name in (guess, guess.lower(), guess.upper()):
        yield from (name.encode(), name.encode("utf-16-le"), name.encode("utf-16-be"), json.dumps(name).encode())


def new_uids(key: str, guess: str, numbers: Iterable[int]) -> Iterator[str]:
    """Halves of uids as they are made now, with the name wherever a number could stand, hashed in several ways."""
    for day, other, _ in FACTS:
        played = instant(day)
        parts = [f"{a} {b} 0" for one in (guess, guess.casefold()) for a, b in ((one, other), (other, one))]
        parts += [f"{pair[0]} {pair[1]} 0" for number in numbers for pair in ((guess, number), (number, guess))]
        parts += [f"{pool} {played} {guess}" for pool in (*numbers, "rapid")]
        for part in parts:
            raw = part.encode()
            yield hashlib.blake2b(raw, key=bytes.fromhex(key), digest_size=8).hexdigest()
            yield hmac.new(bytes.fromhex(key), raw, "sha256").hexdigest()[:16]


def marks(keys: Iterable[str], guess: str) -> Iterator[str]:
    """Digests of the files as they would be if the guess is right, plain and keyed."""
    for file in (rows(guess).encode(), seeds(guess).encode()):
        for digest in ("sha256", "blake2b", "md5"):
            yield hashlib.new(digest, file).hexdigest()[:16]
        for key in map(bytes.fromhex, keys):
            yield hashlib.blake2b(file, key=key, digest_size=16).hexdigest()[:16]
            yield hmac.new(key, file, "sha256").hexdigest()[:16]


def commitments(salts: Iterable[str], guess: str) -> Iterator[str]:
    """Commitments to the name, its notes and its sources, with every salt and with none."""
    notes = (guess, f"{guess} said so", f"{guess}.csv", f"{guess}.csv #0", "bo", "cy")
    for salt, kind, name in product(salts, ("player", "note", "source"), notes):
        if guess in name:
            yield hashlib.sha256(canonical([salt, kind, name]).encode()).hexdigest()


def test_there_are_501_names_and_one_is_right() -> None:
    assert len(set(GUESSES)) == 501
    assert GUESSES[0] == SECRET


def test_nothing_confirms_an_erased_name(league: Path) -> None:
    assert confirmed(league) == set()


def test_the_attack_finds_a_name_that_was_not_erased(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=SECRET, b="bo", score=1.0))
        assert confirmed(tmp_path) == {SECRET}
