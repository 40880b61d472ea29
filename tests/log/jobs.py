"""What the other processes do to a log."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from ratingcore.errors import RatingCoreError
from ratingcore.events import Event, ResultVoided
from ratingcore.log import SqliteLog, verify
from tests.log.making import game

Say = Callable[..., None]


def as_nobody(say: Say, path: str) -> None:
    """Use a log without the right to write; say how each use ended."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    club = Path(path)

    def read() -> str:
        with SqliteLog(club, read_only=True) as log:
            return str(verify(log).head)

    def append() -> str:
        with SqliteLog(club, read_only=True) as log:
            return str(log.append([game("nobody's")]))

    def write() -> str:
        with SqliteLog(club) as log:
            return str(log.append([game("nobody's")]))

    def new() -> str:
        with SqliteLog(club.with_name("new.db")) as log:
            return str(log.head)

    def backup() -> str:
        with SqliteLog(club, read_only=True) as log:
            log.backup(club.with_name("copy.db"))
        return "copied"

    for use in (read, append, write, new, backup):
        try:
            say(use.__name__, ["verified", use()])
        except RatingCoreError as error:
            say(use.__name__, [type(error).__name__, str(error)])


def batch_of(number: int, label: str = "", most: int = 120) -> list[Event]:
    """The events of a batch, the same every time: games of new players, and a void now and then."""
    size = 1 + number * 37 % most
    events: list[Event] = [
        game(f"{label}{number}-{n}", f"{label}p{number}-{n}", f"q{n % 17}", data={"round": n}) for n in range(size)
    ]
    if number % 3 == 0:
        events.append(ResultVoided(uid=f"{label}{number}-v", of=events[0].uid, why=f"{label}why {number}"))
    return events


def append_for_ever(say: Say, path: str, checkpoint: int) -> None:
    """Append batches from the first one on; say which is begun, and what was acknowledged."""
    with SqliteLog(path) as log:
        log._db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
        number = 0
        while True:
            say("begun", number)
            receipt = log.append(batch_of(number), source=f"batch {number}")
            say("done", number, receipt.accepted, receipt.head.position, receipt.head.digest)
            number += 1


def append_batches(say: Say, path: str, label: str, count: int, at: float) -> None:
    """Append batches to a file that others write to as well, from a moment on."""
    time.sleep(max(0.0, at - time.time()))
    with SqliteLog(path) as log:
        for number in range(count):
            receipt = log.append(batch_of(number, f"{label}-", most=25), source=label)
            say(receipt.accepted, receipt.duplicates, receipt.head.position, receipt.head.digest)
            time.sleep(0.002)  # a file lock is not a queue: let the other one have it


def append_the_same(say: Say, path: str, count: int, at: float) -> None:
    """Append the batches that another process appends, too."""
    time.sleep(max(0.0, at - time.time()))
    with SqliteLog(path) as log:
        for number in range(count):
            receipt = log.append(batch_of(number), source="both")
            say(receipt.accepted, receipt.duplicates)


def make(say: Say, path: str, at: float) -> None:
    """Make a log at the same moment as others, and append to it."""
    time.sleep(max(0.0, at - time.time()))
    try:
        with SqliteLog(path) as log:
            log.append([game(f"{os.getpid()}-1", f"player {os.getpid()}")])
            say("made", log.key)
    except Exception as error:
        say("failed", repr(error))
