"""Erasure: the person is gone from the file, and nobody else's list has changed by a bit."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.erasure import Erasure, known_as
from ratingcore.errors import BadValue, ErasureUnfinished, UnknownName
from ratingcore.log.lookup import as_read, row_of, uid_at
from tests.log import conftest
from tests.log.making import EVERY_KIND, game, told
from tests.log.test_erasure import found
from tests.log.workers import Workers

forking, workers = conftest.forking, conftest.workers

METHODS = ("elo:k=24", "elo:period=month", "berkin", "adaptive-k")


@pytest.fixture(params=["memory", "file"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[rc.Engine]:
    with rc.open(":memory:" if request.param == "memory" else tmp_path / "club.db") as made:
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Iterator[rc.Engine]:
    with rc.open(tmp_path / "club.db") as made:
        yield made


def league(engine: rc.Engine, ann: str = "ann") -> None:
    """Sixteen games of four players, in as many batches."""
    players = [ann, "bo", "cy", "di"]
    for n in range(16):
        a, b = players[n % 4], players[(n + 1 + n // 4 % 3) % 4]
        engine.record(game(f"g-{n}", a, b, (1.0, 0.5, 0.0)[n % 3], played=f"2024-0{1 + n // 4}-1{n % 4}"))


def going(plan: Erasure) -> list[tuple[str, str]]:
    """What would go, each with what it is."""
    return [(drop.what, drop.text) for drop in plan.drops]


def ratings(engine: rc.Engine, method: str, **cut: object) -> dict[str, tuple[object, ...]]:
    listed = engine.rating_list("rapid", method, **cut)  # type: ignore[arg-type]  # cuts by name
    return {str(row["player"]): tuple(row.values())[2:] for row in listed}


@pytest.mark.parametrize("method", METHODS)
def test_every_rating_and_every_head_is_what_it_was(engine: rc.Engine, method: str) -> None:
    league(engine)
    heads = [rc.Head(n, engine.log.digest_at(n)) for n in (1, 7, 16)]
    before = [ratings(engine, method, known_at=n) for n in (4, 16)]
    lines = {player: engine.history("rapid", player, method) for player in ("bo", "cy", "di")}
    done = engine.erase("ann")
    (label,) = done.labels
    assert label == "(erased 2)"
    after = [ratings(engine, method, known_at=n) for n in (4, 16)]
    assert after == [{label if name == "ann" else name: row for name, row in was.items()} for was in before]
    assert engine.verify(heads).anchors == 3
    for player, was in lines.items():
        named = [line._replace(opponent=label if line.opponent == "ann" else line.opponent) for line in was]
        assert list(engine.history("rapid", player, method)) == named


def test_nobody_finds_an_erased_name_and_it_comes_again_as_somebody_new(engine: rc.Engine) -> None:
    league(engine)
    engine.erase("ann")
    for asked in (
        lambda: engine.core.player_id("ann"), lambda: engine.history("rapid", "ann", "elo"),
        lambda: engine.erase("ann"), lambda: known_as(engine.log, "ann"), lambda: engine.erase("(erased 2)"),
    ):  # fmt: skip
        with pytest.raises(UnknownName):
            asked()
    engine.record(game("new", "ann", "bo"))
    games = {row["player"]: row["games"] for row in engine.rating_list("rapid", "elo")}
    assert (games["ann"], games["(erased 2)"]) == (1, 8)


def test_an_erased_player_is_looked_up_by_the_label(engine: rc.Engine) -> None:
    league(engine)
    was = engine.history("rapid", "ann", "elo")
    explained = engine.explain("rapid", "ann", "elo").closing
    engine.erase("ann")
    assert engine.core.player_id("(erased 2)") == 2
    assert engine.history("rapid", "(erased 2)", "elo") == was
    assert engine.explain("rapid", "(erased 2)", "elo").closing == explained
    for label in ("(erased 1)", "(erased 3)", "(erased 99)", "(erased x)", "erased 2"):
        with pytest.raises(UnknownName):
            engine.core.player_id(label)


def test_nobody_is_recorded_under_a_label(engine: rc.Engine, tmp_path: Path) -> None:
    league(engine)
    engine.erase("ann")
    head, names = engine.log.head, list(engine.log.book.names())
    for label in ("(erased 2)", "(erased 99)"):
        with pytest.raises(BadValue, match="is the label of an erased name, which no player can have"):
            engine.record(game("x", label, "bo"))
        file = tmp_path / "games.csv"
        file.write_text(f"a,b,score,played\n{label},bo,1,2024-03-02\n")
        report = engine.import_file(file, "rapid")
        assert [line for line, reason, _ in report.refused if "is the label of an erased name" in reason] == [2]
    assert (engine.log.head, list(engine.log.book.names())) == (head, names)


def test_corrections_speak_of_an_erased_player_by_the_label(engine: rc.Engine) -> None:
    league(engine)
    engine.erase("ann")
    engine.record(game("z", "zed", "eve"))
    engine.amend("z", {"a": "(erased 2)"})
    assert as_read(engine.log, "z").a == 2  # type: ignore[union-attr]  # it is there
    engine.record(game("y", "annie", "fay"))
    engine.merge("(erased 2)", "annie")
    assert engine.erase("annie").players == (row_of(engine.log, "y").a, 2)
    with pytest.raises(BadValue):
        engine.amend("z", {"a": "(erased 99)"})


def test_lists_that_were_made_before_forget_the_name_with_the_log(engine: rc.Engine) -> None:
    league(engine)
    view = engine.core.view("rapid")
    assert "ann" in view.names()
    engine.erase("ann")
    assert "ann" not in view.names()


def test_names_that_are_merged_go_together(engine: rc.Engine) -> None:
    league(engine)
    engine.record(game("x", "annie", "bo"), game("y", "a. lee", "cy"), game("z", "anne", "cy"))
    engine.merge("ann", "annie")
    engine.merge("annie", "a. lee")
    undone = engine.merge("ann", "anne")
    engine.void(uid_at(engine.log, undone.head.position))
    assert known_as(engine.log, "annie") == ("annie", "ann", "a. lee")
    before = ratings(engine, "elo")
    done = engine.erase("annie")
    ids = {name.digest: name.id for name in engine.log.book.names()}
    assert len(done.players) == 3
    assert set(done.players) <= set(ids.values())
    after = ratings(engine, "elo")
    assert after["(erased 2)"] == before["ann"]
    assert "anne" in after  # that merge was taken back: another person
    assert engine.verify().head == engine.log.head


def test_reasons_actors_and_sources_that_speak_of_the_player_go_as_a_whole(engine: rc.Engine) -> None:
    league(engine)
    engine.record(game("f", "bo", "cy"), source="results of ANN.csv")
    engine.record(game("h", "bo", "cy"), source="annual.csv")
    engine.void("g-1", why="Ann did not come", by="ann")
    engine.void("g-2", why="the annual rule", by="bo")
    engine.void("g-3", why="Lee was ill", by="bo")
    done = engine.erase("ann", also=["Lee"])
    assert (done.notes, done.sources) == (3, 1)
    kept = {name.key for name in engine.log.book.names() if name.kind in ("note", "source")}
    assert kept == {None, "annual.csv", "the annual rule", "bo"}
    assert [(event.why, event.by) for event in told(engine.log) if isinstance(event, rc.ResultVoided)] == [
        ("(erased 9)", "(erased 10)"), ("the annual rule", "bo"), ("(erased 13)", "bo"),
    ]  # fmt: skip
    engine.verify()


@pytest.mark.parametrize("key", ["12", "1503014", "bo"])
def test_a_key_in_too_many_texts_is_looked_for_in_none(engine: rc.Engine, key: str) -> None:
    """A fixed bug: erasing the player 12 wiped every reason, actor and source with a 12 in it."""
    engine.record(game("g", key, "cy"), source=f"round {key}.csv")
    engine.void("g", why=f"board {key}", by=key)
    before = [name.key for name in engine.log.book.names() if name.kind in ("note", "source")]
    dry = engine.plan.erase(key)
    assert (going(dry), dry.report.unsought, dry.report.mentions) == ([("player", key)], (key,), 0)
    done = engine.erase(key)
    assert (done.notes, done.sources, done.unsought) == (0, 0, (key,))
    assert [name.key for name in engine.log.book.names() if name.kind in ("note", "source")] == before


def test_texts_that_are_named_are_looked_for_whatever_they_are(engine: rc.Engine) -> None:
    engine.record(game("g", "12", "cy"), source="round 12.csv")
    engine.void("g", why="board 12", by="13")
    dry = engine.plan.erase("12", also=["12"])
    assert going(dry) == [("player", "12"), ("source", "round 12.csv"), ("reason or actor", "board 12")]
    assert dry.report.unsought == ()
    assert [name.key for name in engine.log.book.names()].count("12") == 1
    done = engine.erase("12", also=["12"])
    assert (done.notes, done.sources) == (1, 1)
    assert "13" in [name.key for name in engine.log.book.names()]


def test_facts_go_and_those_that_stay_are_listed_by_position_before_and_after(engine: rc.Engine) -> None:
    facts = {"born": 1988, "club": "Ockham"}
    engine.record(
        rc.PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", called="Ann Lee", data=facts, uid="p"),
        rc.PlayerDescribed(pool="rapid", player="bo", played="2024-01-01", data={"title": "FM"}),
        game("g", "ann", "bo"),
        rc.RatingSeeded(pool="rapid", player="ann", played="2024-01-01", values={"rating": 1600.0}, uid="s"),
    )  # fmt: skip
    engine.amend("p", {"title": "WFM", "called": "A. Lee"})
    engine.amend("g", {"event": "Open"})
    engine.record(game("h", "annie", "bo"))
    engine.record(rc.PlayerDescribed(pool="rapid", player="annie", played="2024-02-01", data={"federation": "POL"}))
    engine.merge("ann", "annie")
    dry = engine.plan.erase("ann")
    facts = [text for what, text in going(dry) if what == "fact"]
    assert (dry.report.rated, dry.report.facts, facts) == (
        {1: ("born",)},
        {},
        ["club: Ockham", "title: WFM", "federation: POL"],
    )
    done = engine.erase("ann")
    assert (done.rated, done.described, done.called) == (dry.report.rated, 3, 2)
    assert "and then ratings may move:\n  born at position 1" in str(done)
    assert not any(text in line for line in engine.export() for text in ("Ann", "Lee", "Ockham", "WFM", "POL"))


def test_what_cannot_be_erased_is_counted(engine: rc.Engine) -> None:
    engine.record(
        game("1", "ann", "bo"), game("ann-bo-2", "ann", "bo"), game("3", "bo", "cy", data={"event": "ANN Memorial"}),
        game("4", "ann (guest)", "bo"), game("5", "bo", "cy", pool="Ann's pool", data={"event": "annual"}),
    )  # fmt: skip
    engine.amend("1", {"event": "for Ann"})
    done = engine.erase("ann")
    assert (done.mentions, done.positions) == (3, (2, 3, 6))
    assert done.alike == ("ann (guest)",)
    assert done.pools == ("Ann's pool",)


def test_what_is_recorded_between_the_look_and_the_erasure_is_counted_too(
    engine: rc.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events are looked through before others have to wait; those of the meantime are looked through after that."""
    league(engine)
    writing = engine.log.writing

    def after_another() -> AbstractContextManager[None]:
        monkeypatch.setattr(engine.log, "writing", writing)
        engine.record(game("of ann", "bo", "cy"))
        return writing()

    monkeypatch.setattr(engine.log, "writing", after_another)
    assert engine.erase("ann").positions == (17,)


def test_an_unknown_name_erases_nothing(engine: rc.Engine) -> None:
    league(engine)
    before = list(engine.log.book.names())
    for name in ("nobody", "", "an", "rapid"):
        with pytest.raises(UnknownName):
            engine.erase(name)
    assert list(engine.log.book.names()) == before


@pytest.mark.parametrize("name", ["Żółć-Ångström", "名前", "o'Neil; DROP TABLE name", "100% _sure_", 'Ann "A" \\ Lee'])
def test_a_name_of_any_letters_is_gone_from_every_file(file: rc.Engine, tmp_path: Path, name: str) -> None:
    league(file, name)
    file.void("g-3", why=f"{name} said so", by=name)
    file.rating_list("rapid", "elo")
    file.rating_list("rapid", "elo", through="2024-02-28", known_at=9)
    if find_spec("ratingcore_sql_tables"):
        import_module("ratingcore_sql_tables.catch_up").catch_up(file, "rapid", "elo")
    file.follow("mailer").commit()
    assert found(tmp_path, name)
    done = file.erase(name)
    assert (done.notes, done.players, done.mentions) == (2, (2,), 0)
    assert found(tmp_path, name) == []
    file.export()
    assert not any(name in line for line in file.export())
    with rc.open(":memory:") as loaded:
        loaded.load(file.export())
        assert loaded.verify().head == file.log.head
        assert ratings(loaded, "elo") == ratings(file, "elo")
    file.log.backup(tmp_path / "copy.db")
    file.close()
    assert found(tmp_path, name) == []


def test_an_erasure_that_others_held_up_is_finished_by_asking_again(
    workers: Workers, file: rc.Engine, tmp_path: Path
) -> None:
    league(file, "Przemek")
    file.close()
    file = rc.open(tmp_path / "club.db", timeout=0.05)
    worker = workers.start("hold", str(tmp_path / "club.db"))
    next(iter(worker))
    with pytest.raises(ErasureUnfinished):
        file.erase("Przemek")
    assert "Przemek" not in ratings(file, "elo")
    worker.stop()
    done = file.erase("Przemek")
    assert (done.players, done.notes) == ((2,), 0)
    assert found(tmp_path, "Przemek") == []
    with pytest.raises(UnknownName):
        file.erase("Przemek")


def test_every_kind_of_event_can_be_read_after_everybody_is_gone(engine: rc.Engine) -> None:
    engine.record(*EVERY_KIND, source="march.csv")
    head, count = engine.log.head, 0
    for name in list(engine.log.book.names()):
        if name.kind == "player" and name.key is not None and engine.log.book.find("player", name.key):
            count += len(engine.erase(name.key).players)
    assert count == sum(name.kind == "player" for name in engine.log.book.names())
    assert len(list(engine.events())) == head.position
    assert engine.verify([head]).head == head
