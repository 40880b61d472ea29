"""Fields of players as columns: as a reading of every description one by one gives them, and read from the log once."""

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.columns import Need, View
from ratingcore.engine import Engine
from ratingcore.events import DAY, Event, Row
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import corrections_of, row_of

BORN = Need("born", of="player", default=-1.0)
FED = Need("fed", of="player", default=-1.0, labels=True)


def described(uid: str, pool: str, player: str, day: int, **data: Any) -> rc.PlayerDescribed:
    return rc.PlayerDescribed(uid=uid, pool=pool, player=player, played=day * DAY, data=data)


def one_by_one(engine: Engine, view: View) -> tuple[list[float], list[float], dict[int, int]]:
    """What the descriptions of a view say, each row read by itself: years of birth, labels and names."""
    corrections = corrections_of(engine.log, view.known_at)
    read = [corrections.read(row) for row in engine.log.rows(0, view.known_at, ("player",))]
    rows = sorted((row for row in read if row is not None), key=lambda row: (row.played, row.position))
    known = [row._replace(a=corrections.root(row.a or 0)) for row in rows]
    fact = {name.id: json.loads(str(name.key))[2] for name in engine.log.book.names() if name.kind == "fact"}
    called = {row.a: row.facts["called"][0] for row in known if row.a is not None and "called" in row.facts}
    here = [row for row in known if row.pool == view.timeline.pool and (row.played or 0) <= view.through]
    born, fed = (
        {player: fact[number] for player, number in _by_player(view, here, name).items()} for name in ("born", "fed")
    )
    labels: dict[Any, int] = {}
    for value in fed.values():
        labels.setdefault(value, len(labels) + 1)
    players = view.timeline.players.id[: view.n_players].tolist()
    return (
        [float(born.get(player, -1)) for player in players],
        [float(labels[fed[player]]) if player in fed else -1.0 for player in players],
        called,
    )


def _by_player(view: View, rows: list[Row], name: str) -> dict[int, Any]:
    there = set(view.timeline.players.id[: view.n_players].tolist())
    return {row.a: row.facts[name][0] for row in rows if row.a in there and name in row.facts}  # type: ignore[misc]  # ids


def history(seed: int) -> Iterator[Event]:
    """Games, descriptions in two pools, and corrections of descriptions."""
    draw = random.Random(seed)
    said = ["d"]
    yield described("d", "p", "player 0", 1, born=1999, fed="x")
    for number in range(120):
        pool, player, day = draw.choice("pq"), f"player {draw.randrange(12)}", draw.randrange(40)
        what = draw.random()
        if what < 0.4:
            yield rc.GamePlayed(pool=pool, played=day * DAY, a=player, b=f"other {draw.randrange(5)}", score=1.0)
        elif what < 0.8:
            data = {"born": draw.randrange(1950, 2010)} if draw.random() < 0.6 else {}
            data |= {"fed": draw.choice(["x", "y", "z", 1, 1.0])} if draw.random() < 0.6 else {}
            name = draw.choice(["", f"Name {number}"])
            yield rc.PlayerDescribed(
                uid=f"d{number}", pool=pool, player=player, played=day * DAY, data=data, called=name
            )
            said.append(f"d{number}")
        elif what < 0.87 and len(said) > 1:
            yield rc.ResultVoided(of=said.pop(draw.randrange(len(said))))
        elif what < 0.95:
            changes = draw.choice(
                [{"born": 1900}, {"player": "player 3"}, {"played": DAY}, {"pool": "p"}, {"fed": None}]
            )
            yield rc.ResultAmended(of=draw.choice(said), changes=changes)
        elif number in (60, 61, 90):
            yield rc.PlayersMerged(keep="player 1", other="player 2")


@pytest.mark.parametrize("seed", range(10))
def test_columns_say_what_every_description_read_by_itself_says(seed: int) -> None:
    engine = Engine(SqliteLog(":memory:"))
    draw = random.Random(-seed)
    for event in history(seed):
        try:
            engine.record(event)
        except rc.errors.LogError:  # a correction of what was corrected away
            continue
        if draw.random() < 0.3:
            _check_alike(engine, engine.log.head.position, draw)
    for position in range(1, engine.log.head.position, 7):
        _check_alike(engine, position, draw)


def _check_alike(engine: Engine, position: int, draw: random.Random) -> None:
    for pool in "pq":
        if engine.log.book.find("pool", pool) is None:
            continue
        through = draw.choice([None, draw.randrange(40) * DAY])
        view = engine.core.view(pool, through, position)
        born, fed, called = one_by_one(engine, view)
        facts = view.player_facts((BORN, FED), "toy")
        np.testing.assert_array_equal(facts["born"], born)
        np.testing.assert_array_equal(facts["fed"], fed)
        assert view.called == called
        codes, values = view.player_labels("born")
        assert [-1.0 if code < 0 else values[code] for code in codes.tolist()] == born


def test_a_new_game_reads_no_description_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every list read all of them, and every checkpoint of a method that needs a field of players did as well."""
    engine = Engine(SqliteLog(":memory:"))
    people = [f"player {n}" for n in range(50)]
    engine.record(*(described(f"d{n}", "p", player, 1, born=1980 + n) for n, player in enumerate(people)))
    engine.record(*(rc.GamePlayed(pool="p", played=2 * DAY, a=player, b="bo", score=1.0) for player in people))
    engine.rating_list("p", "elo:k=fide2014")
    read: list[int] = []
    rows = type(engine.log).rows

    def counted(log: SqliteLog, *cut: Any) -> Iterator[Row]:
        for row in rows(log, *cut):
            read.extend([row.position] if row.kind == "player" else [])
            yield row

    monkeypatch.setattr(type(engine.log), "rows", counted)
    engine.record(rc.GamePlayed(pool="p", played=3 * DAY, a="player 1", b="player 2", score=1.0))
    engine.rating_list("p", "elo:k=fide2014")
    assert read == []
    engine.record(described("new", "p", "player 7", 3, born=1950))
    engine.rating_list("p", "elo:k=fide2014")
    assert read == [row_of(engine.log, "new").position]
