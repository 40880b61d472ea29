"""`ratingcore verify`: the head, anchors, and what is found in a broken chain."""

import sqlite3
from pathlib import Path

from ratingcore import open as open_log

from .conftest import Run


def test_verify_prints_the_head_and_checks_anchors(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        head, old = engine.log.head, engine.log.digest_at(2)
    assert run("verify", "club.db") == (0, f"{head}\n", "5 events in 5 batches, the chain is whole\n")
    good = run("verify", "club.db", "--anchor", f"2:{old}", "--anchor", f"2:{old[:12]}")
    assert good.err == "5 events in 5 batches, the chain is whole, 2 anchors hold\n"
    code, out, err = run("verify", "club.db", "--anchor", f"3:{old}")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 3: the anchor says ")
    assert run("verify", "club.db", "--anchor", "3").code == 2


def test_a_broken_chain_is_found(run: Run, club: Path) -> None:
    with sqlite3.connect(club) as db:
        db.execute("DROP TRIGGER event_update")
        db.execute("UPDATE event SET score = 0.5 WHERE position = 4")
    db.close()
    code, out, err = run("verify", "club.db")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 4: ")
