"""Damages of the files beside a log, chosen at random: run as a process, it holds every list against one without files.

`python -m tests.laws.damages FOLDER SEED COUNT` prints a line of JSON: how many damages were tried, how many were
told, and those after which a list was wrong or an error was raised. Kernels are compiled, so that an index that leads
outside a column would end the process.
"""

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import ratingcore as rc
from ratingcore.columns import cache, sealed_file
from ratingcore.engine import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.events import canonical
from ratingcore.methods import kernels
from ratingcore.registry import Registry
from ratingcore.replay import checkpoint_store
from tests.laws.histories import POOLS, League

REGISTRY = Registry.installed()
METHODS = ("elo", "elo:k=40,period=month")
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = tuple(
    (method, cut) for method in METHODS for cut in ({}, {"through": "1970-01-20"}, {"known_at": 130})
)
COLUMNS = "club.db.columns"


def opened(path: Path) -> Engine:
    return rc.open(path, registry=REGISTRY)


def eager(short: int) -> None:
    """Keep files of everything, compile every loop, and do not wait for the disk.

    Parameters
    ----------
    short : int
        Bytes of games up to which all columns are in one file.
    """
    os.fsync = lambda file: None
    cache.NEWS = 1
    cache.SMALL = short
    checkpoint_store.WORTH = checkpoint_store.FILE_SECONDS = checkpoint_store.CLOSEST = 0  # type: ignore[assignment]  # int
    kernels.REPAYS_IMPORT = kernels.REPAYS_COMPILING = 0


def lists(engine: Engine) -> list[Any]:
    """Every list that is asked for, to the last digit."""
    made = (engine.rating_list(pool, method, **cut) for pool in engine.pools() for method, cut in QUESTIONS)  # type: ignore[arg-type]  # cuts
    return [(listed.provenance, list(listed.with_exact())) for listed in made]


def make(folder: Path, seed: int) -> Path:
    """A log with its columns and checkpoints."""
    folder.mkdir(parents=True)
    random = Random(seed)
    with opened(folder / "club.db") as engine:
        for pool in POOLS:
            engine.record(*(
                rc.GamePlayed(pool=pool, played=f"1970-01-{day % 28 + 1:02d}", a=f"p{day % 5}", b=f"q{day % 7}",
                              score=day % 3 / 2, uid=f"{pool}-{day}")
                for day in range(60)
            ))  # fmt: skip
        league = League(random)
        for _ in range(4):
            for _ in range(10):
                with suppress(RatingCoreError):
                    engine.record(*league.batch())
            lists(engine)
    return folder


class Damage:
    """One thing done to the files beside a log."""

    def __init__(self, folder: Path, other: Path, random: Random) -> None:
        self._folder = folder / COLUMNS
        self._other = other / COLUMNS
        self._random = random

    def _files(self, pattern: str, of: Path | None = None) -> list[Path]:
        found = (of or self._folder).glob(pattern)
        return sorted(path for path in found if path.is_file() and not path.is_symlink() and path.name != "lock")

    def _all(self, of: Path | None = None) -> list[Path]:
        return self._files("*/*", of) + self._files("*/*/*", of)

    def _any(self, pattern: str) -> Path:
        files = [path for path in self._files(pattern) if path.stat().st_size]
        return self._random.choice(files or self._files("*/rest"))

    def _octets(self, file: Path, change: Callable[[bytearray], object]) -> None:
        octets = bytearray(file.read_bytes())
        change(octets)
        if self._random.random() < 0.5:
            file.write_bytes(octets)
        else:
            fresh = file.with_name("fresh")
            fresh.write_bytes(octets)
            os.replace(fresh, file)

    def _at_random(self, file: Path) -> None:
        """Bits turned, bytes set, cut off, added or doubled."""
        random = self._random

        def change(octets: bytearray) -> None:
            size = len(octets) or 1
            kind = random.randrange(6)
            if kind <= 1 and octets:
                octets[random.randrange(size)] ^= 1 << random.randrange(8)
            elif kind == 2:
                del octets[random.randrange(size) :]
            elif kind == 3:
                octets.extend(random.randbytes(random.randint(1, 40)))
            elif kind == 4 and octets:
                start = random.randrange(size)
                octets[start : start + 8] = random.choice([b"\xff" * 8, b"\0" * 8, b"\x7f" * 8, random.randbytes(8)])
            else:
                octets[:] = octets[size // 2 :] + octets[: size // 2]

        self._octets(file, change)

    def column(self) -> None:
        self._at_random(self._any("?/games-*"))

    def swapped(self) -> None:
        files = self._all()
        one, two = self._random.choice(files), self._random.choice(files)
        content = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(content)

    def exchanged(self) -> None:
        """Two files change their names: a checkpoint that says it is from elsewhere, a column for another."""
        files = self._files(self._random.choice(["?/*", "*.checkpoints/*/*"]))
        one, two = self._random.choice(files), self._random.choice(files)
        aside = one.with_name("aside")
        one.rename(aside)
        with suppress(OSError):
            two.rename(one)
        aside.rename(two)

    def foreign(self) -> None:
        """A file, a pool or everything from another log."""
        kind = self._random.randrange(4)
        if kind == 0:
            shutil.rmtree(self._folder)
            shutil.copytree(self._other, self._folder)
        elif kind == 1:
            pool = self._random.choice(sorted(self._folder.iterdir()))
            shutil.rmtree(pool)
            shutil.copytree(self._other / pool.name, pool)
        else:
            mine, others = self._random.choice(self._all()), self._all(self._other)
            kind_of = mine.name.partition("-")[0]
            alike = [path for path in others if path.name.startswith(kind_of) or path.suffix == mine.suffix != ""]
            mine.write_bytes(self._random.choice(alike or others).read_bytes())

    def pools(self) -> None:
        """The columns of two pools change places."""
        one, two, aside = self._folder / "1", self._folder / "2", self._folder / "9"
        one.rename(aside)
        if two.exists():
            two.rename(one)
        aside.rename(two)

    def gone(self) -> None:
        path = self._random.choice(sorted(self._folder.rglob("*")))
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def linked(self) -> None:
        path = self._random.choice(sorted([self._folder, *self._folder.rglob("*")]))
        same = self._other / path.relative_to(self._folder)
        end = same if same.exists() else self._other
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        path.symlink_to(end)

    def folder_instead(self) -> None:
        file = self._any("*/*")
        file.unlink()
        file.mkdir()

    def rest(self) -> None:
        self._at_random(self._any("*/rest"))

    def stamp(self) -> None:
        files = self._files("*/stamp") or self._files("*/rest")
        self._at_random(self._random.choice(files))

    def checkpoint(self) -> None:
        self._at_random(self._any("*.checkpoints/*/*"))

    def edited(self) -> None:
        """A value in the head of a file, with a digest made without the key."""
        file = self._any(self._random.choice(["*/rest", "*/stamp", "*.checkpoints/*/*"]))
        head, newline, body = file.read_bytes().partition(b"\n")
        facts = json.loads(head)
        self._edit(facts)
        if self._random.random() < 0.7 and isinstance(facts, dict):
            check = facts.pop("check", "")
            with suppress(ValueError, TypeError):
                check = hashlib.sha256(canonical(facts).encode()).hexdigest()
            facts["check"] = check
        file.write_bytes(json.dumps(facts).encode() + newline + body)

    def _edit(self, facts: Any) -> None:
        keys = list(facts) if isinstance(facts, dict) else list(range(len(facts)))
        key = self._random.choice(keys)
        if isinstance(facts[key], dict | list) and facts[key] and self._random.random() < 0.7:
            self._edit(facts[key])
        else:
            facts[key] = self._value(0)

    def _value(self, depth: int) -> Any:
        random = self._random
        plain = [
            None, True, -1, 0, 1, 2**31, 2**63, 10**30, 1.5, float("nan"), float("inf"), "", "..", "../../other",
            "<i4", "<O8", "\ud800", "0" * 12, "0" * 64, "x" * 300, "game.a", [], {},
        ]  # fmt: skip
        if depth < 3 and random.random() < 0.3:
            some = [self._value(depth + 1) for _ in range(random.randint(0, 3))]
            return some if random.random() < 0.5 else {str(n): value for n, value in enumerate(some)}
        return random.choice(plain)

    def random_json(self) -> None:
        file = self._any(self._random.choice(["*/rest", "*/stamp"]))
        text = self._random.choice([json.dumps(self._value(0)), "[" * 50_000, "9" * 10_000, '{"format": 3}', "{", "\0"])
        file.write_text(text, errors="surrogatepass")


KINDS = ("column", "column", "column", "swapped", "exchanged", "foreign", "pools", "gone", "linked", "folder_instead",
         "rest", "rest", "stamp", "checkpoint", "checkpoint", "edited", "edited", "random_json")  # fmt: skip


def tried(folder: Path, seed: int, count: int, short: int) -> dict[str, Any]:
    """Try so many damages on copies of one log, and say what came of them."""
    eager(short)
    log, other, work = make(folder / "log", 1), make(folder / "other", 2), folder / "work"
    bare = folder / "bare"
    bare.mkdir()
    shutil.copy(log / "club.db", bare)
    with opened(bare / "club.db") as engine:
        true = lists(engine)
    theirs = contents(other)
    wrong, errors, told = [], [], 0
    for number in range(count):
        random = Random(f"{seed} {number}")
        kind = random.choice(KINDS)
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(log, work)
        if random.random() < 0.1:  # old enough to be stamped
            time.sleep(2 * sealed_file.YOUNG / 1e9)
            with opened(work / "club.db") as engine:
                lists(engine)
        talk = StringIO()
        try:
            with redirect_stderr(talk):
                if random.random() < 0.2:  # under an engine that has the files open
                    with opened(work / "club.db") as engine:
                        lists(engine)
                        getattr(Damage(work, other, random), kind)()
                        if lists(engine) != true:
                            wrong.append(f"{number} {kind} under an open engine")
                else:
                    getattr(Damage(work, other, random), kind)()
                for _ in range(2):
                    with opened(work / "club.db") as engine:
                        if lists(engine) != true:
                            wrong.append(f"{number} {kind}")
        except Exception as error:  # whatever it is, it counts
            errors.append(f"{number} {kind}: {type(error).__name__}: {error}")
        told += bool(talk.getvalue())
        if contents(other) != theirs:
            errors.append(f"{number} {kind}: files outside were changed")
            return {"tried": number + 1, "wrong": wrong, "errors": errors, "told": told}
    return {"tried": count, "wrong": wrong, "errors": errors, "told": told}


def contents(folder: Path) -> dict[str, bytes]:
    """What lies in the folder of another log."""
    files = (path for path in (folder / COLUMNS).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


if __name__ == "__main__":
    print(json.dumps(tried(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
