"""A league's software that checks itself: what has to hold of a log after every step of a year."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.explain.explanation import Explanation
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.making import writer
from tests.stories.season import METHODS, POLICY, Calendar, games, last_day, name_of

catch_up = pytest.importorskip("ratingcore_sql_tables.catch_up").catch_up

FORMS = ("json", "csv", "markdown")


class League:
    """A league's software: its log, what it has published, and what its follower has read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calendar = Calendar()
        self.printed: dict[tuple[str, str, str], str] = {}
        self.heads: list[rc.Head] = []
        self.read: list[int] = []
        self.steps = 0
        self.engine = self._open()

    def _open(self) -> rc.Engine:
        log = rc.SqliteLog(self.folder / "league.db", clock=self.calendar)
        writer(log).execute("PRAGMA synchronous = OFF")  # no story of a power cut
        return rc.Engine(log, columns=self.caches)

    @property
    def caches(self) -> Path:
        return self.folder / "league.db.columns"

    def publish(self, pool: str, name: str, method: str, through: str, policy: str | None = None) -> None:
        listed = self.engine.rating_list(pool, method, through, policy=policy)
        self.engine.publish(listed, name)
        for form in FORMS:
            self.printed[pool, name, form] = listed.document(form, name)

    def month(self, month: int) -> None:
        """Play a month, and publish its lists on the first day of the next one."""
        self.calendar.turn_to(month, 28)
        for pool in METHODS:
            self.engine.record(*games(pool, month), source=f"{pool} in {name_of(month)}")
        self.calendar.turn_to(month + 1)
        self.publish("rapid", name_of(month), METHODS["rapid"], last_day(month))
        self.publish("club", name_of(month), METHODS["club"], last_day(month), POLICY)
        self.stands()

    # what has to hold after every step

    def stands(self) -> None:
        self.follow()
        self.holds()
        self.engine.close()
        if self.steps % 2:
            assert any(self.caches.rglob("rest"))
            shutil.rmtree(self.caches)
        self.engine = self._open()
        self.holds()
        self.steps += 1

    def holds(self) -> None:
        self.heads.append(self.engine.log.head)
        self.lists_prove()
        self.explanations_add_up()
        self.tables_agree()

    def lists_prove(self) -> None:
        made = {(one.pool, one.name): self.engine.published_list(one) for one in self.engine.published()}
        assert {(pool, name) for pool, name, _ in self.printed} == made.keys()
        for (pool, name, form), text in self.printed.items():
            assert made[pool, name].document(form, name) == text, (pool, name, form)
            if form == "json":
                proof = self.engine.prove(text)
                assert proof, proof

    def explanations_add_up(self) -> None:
        for pool, method in METHODS.items():
            rated = self.engine.core.replay(pool, method)
            exact = {rated.view.name(row): float(rating) for row, rating in enumerate(rated.state["rating"])}
            for player, rating in exact.items():
                if player.startswith("(erased"):
                    continue  # nobody can ask for her
                told = self.explain(pool, player)
                assert (told.closing, abs(told.residual) < 1e-9) == (rating, True)
                for name in (name_of(1), name_of(3)):
                    if (pool, name, "json") in self.printed:
                        assert abs(self.against(pool, player, name).residual) < 1e-9

    def tables_agree(self) -> None:
        for pool, method in METHODS.items():
            for to, path in ((None, self.folder / "league.db"), (self.beside, self.beside)):
                catch_up(self.engine, pool, method, to)
                listed = self.engine.rating_list(pool, method)
                read = rows(path, "SELECT rank, player, rating, games FROM ratings_current WHERE pool = ?", pool)
                assert sorted(read) == sorted(tuple(row.values()) for row in listed)

    @property
    def beside(self) -> Path:
        return self.folder / "tables.db"

    def follow(self) -> None:
        """A follower whose machine stops now and then."""
        if self.steps % 3 == 0:
            with pytest.raises(InterruptedError), self.engine.follow("mirror") as feed:
                interrupted(feed)
        with self.engine.follow("mirror") as feed:
            self.read += [row.position for row, _ in feed]

    # what is asked

    def explain(self, pool: str, player: str, **cuts: Any) -> Explanation:
        return self.engine.explain(pool, player, METHODS[pool], **cuts)

    def against(self, pool: str, player: str, name: str) -> Any:
        """What the list said of a player against what is known now."""
        then, through = f"list:{name}", last_day(int(name[-2:]))
        old = self.explain(pool, player, through=through, known_at=then)
        return old.diff(self.explain(pool, player, through=through))

    def because(self, pool: str, player: str, name: str) -> dict[str, list[str]]:
        """Which corrections made which results of a list differ; none where only ratings before it moved."""
        return {
            line.line.uid: [cause.uid for cause in line.causes]
            for line in self.against(pool, player, name).lines
            if line.line.uid is not None
        }

    def moved(self, pool: str, name: str) -> set[str]:
        """Whose rating of a list is another by what is known now."""
        return {row["player"] for row in self.engine.published_list(name, pool).diff(self.engine.restated(name, pool))}


def interrupted(feed: Iterable[object]) -> None:
    """Stop after the first event."""
    next(iter(feed))
    raise InterruptedError


def rows(path: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """What a stranger reads in a file."""
    db = sqlite3.connect(path)
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()
