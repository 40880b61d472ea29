"""A year in which everything happens that happens to results, told by league software that embeds the engine.

After each step every list that was published is made again byte for byte and proves, every explanation adds up,
the tables for SQL say what the lists say, and a follower has read everything once; in the process that took the step,
in a new one, and in a new one without any cache.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ratingcore.events import ResultAmended, ResultVoided, instant
from ratingcore.log import load_lines
from tests.plugins.usebio import write
from tests.stories.league import League, rows
from tests.stories.season import METHODS, MONTHS, PLAYERS, games, late_tournament, seeds, under_another_name

catch_up = pytest.importorskip("ratingcore_sql_tables.catch_up").catch_up

pytestmark = pytest.mark.usefixtures("eager")

BRIDGE = "bridge-bayes"
WHOLE_POOL = "berkin:prior_draws=1"


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    made = League(tmp_path)
    made.engine.record(*seeds())
    yield made
    made.engine.close()


def test_a_year_of_corrections(league: League, tmp_path: Path) -> None:
    league.month(1)
    assert any(league.caches.rglob("*.sealed")), "there are checkpoints to be wrong"
    for month in MONTHS[1:4]:
        league.month(month)

    # May: a result of March is disputed, and what that would do is looked at before it is done
    disputed = games("rapid", 3)[4]
    others = {player for player in PLAYERS if player not in (disputed.a, disputed.b)}
    foreseen = league.engine.impact([ResultVoided(of=disputed.uid)], method=METHODS["rapid"])
    head = league.engine.log.head
    league.engine.void(disputed.uid, why="Evangelina says it was not played", by="the committee", own_uid="void-1")
    assert league.engine.log.head.position == head.position + 1
    impact = league.engine.impact("void-1", method=METHODS["rapid"])
    assert [row["change"] for row in impact] == [row["change"] for row in foreseen]
    assert {disputed.a, disputed.b} <= league.moved("rapid", "2024-03")
    assert not league.moved("rapid", "2024-02"), "it was played in March"
    assert not league.moved("club", "2024-03"), "it was played in the other pool"
    assert league.because("rapid", disputed.a, "2024-03")[disputed.uid] == ["void-1"]
    (correction,) = league.against("rapid", disputed.a, "2024-03").lines[0].causes
    assert (correction.by, correction.why) == ("the committee", "Evangelina says it was not played")
    assert all("void-1" not in told for p in others for told in league.because("rapid", p, "2024-03").values())
    league.month(5)

    # June: it was played after all; March is what it was
    league.engine.revive(disputed.uid, why="the arbiter's notebook", by="the committee", own_uid="revival-1")
    assert not league.moved("rapid", "2024-03")
    assert league.engine.restated("2024-03", "rapid").digest == league.engine.published_list("2024-03", "rapid").digest
    corrected = league.explain("rapid", disputed.a).lines
    (line,) = [line for line in corrected if line.uid == disputed.uid]
    assert [one.uid for one in line.corrections] == ["void-1", "revival-1"]
    league.publish("rapid", "by ratios", WHOLE_POOL, "2024-06-30")
    told = league.engine.explain("rapid", "cy", WHOLE_POOL, known_at="by ratios")
    assert told.attributed
    assert abs(told.residual) < 1e-9
    league.month(6)

    # July: the tournament of Easter arrives, and a game moves from June to May
    league.calendar.turn_to(7, 3)
    league.engine.record(*late_tournament(), source="Easter Open")
    assert league.moved("rapid", "2024-03") >= {"ann", "bo", "cy", "gus"}
    told = league.because("rapid", "ann", "2024-03")
    assert [told[f"easter-{n}"] for n in (0, 2, 4)] == [["easter-0"], ["easter-2"], ["easter-4"]]
    assert not league.moved("rapid", "2024-02")
    wandering = games("club", 6)[2]
    league.engine.amend(wandering.uid, {"played": "2024-05-30", "score": 0.5}, why="a slip", by="bo", own_uid="amend-1")
    assert league.because("club", wandering.a, "2024-05")[wandering.uid] == [wandering.uid, "amend-1"], (
        "it was not known"
    )
    assert league.because("club", wandering.b, "2024-06")[wandering.uid] == ["amend-1"]
    league.engine.record(*under_another_name())
    league.month(7)

    # August: a bridge session is issued, issued again, and adjusted
    files = {path.stem: path for path in write(tmp_path, "3228", "3228-adjusted")}
    assert league.engine.import_file(files["3228"], "bridge", reader="usebio").accepted == 1
    issued = league.engine.log.head
    again = league.engine.import_file(files["3228"], "bridge", reader="usebio")
    assert (again.duplicates, league.engine.log.head) == (1, issued), "nothing happens"
    league.publish("bridge", "session", BRIDGE, "2022-07-28")
    published = league.engine.log.head.position
    adjusted = league.engine.import_file(files["3228-adjusted"], "bridge", reader="usebio")
    assert (adjusted.accepted, adjusted.amended) == (0, 1)
    (event,) = [event for _, event in league.engine.events(published)]
    assert isinstance(event, ResultAmended)
    assert event.by == "reader usebio"
    before = league.engine.rating_list("bridge", BRIDGE, known_at=issued)
    after = league.engine.rating_list("bridge", BRIDGE)
    assert before.digest == league.engine.published_list("session").digest
    assert league.moved("bridge", "session") == {row["player"] for row in before.diff(after)} != set()
    moved = before.diff(after)
    player = next(iter(moved))["player"]
    told = league.engine.explain("bridge", player, BRIDGE, known_at=issued).diff(
        league.engine.explain("bridge", player, BRIDGE)
    )
    assert ([[one.uid for one in line.causes] for line in told.lines], abs(told.residual) < 1e-9) == (
        [[event.uid]], True,
    )  # fmt: skip
    league.month(8)

    # September: August was gus, was not, and was after all; what bo has won since July was his son's
    apart = {pool: league.engine.rating_list(pool, method).digest for pool, method in METHODS.items()}
    league.engine.merge("gus", "August", why="the same person", by="ann", own_uid="merge-1")
    assert "August" not in league.engine.rating_list("rapid", METHODS["rapid"]).player
    assert league.because("rapid", "gus", "2024-07")["august-0"] == ["merge-1"]
    assert league.because("club", "bo", "2024-07")["august-1"] == ["merge-1"], "his opponent has another name"
    league.stands()
    league.engine.void("merge-1", why="his cousin", by="ann", own_uid="unmerge-1")
    assert {pool: league.engine.rating_list(pool, method).digest for pool, method in METHODS.items()} == apart
    league.stands()
    league.engine.merge("gus", "August", why="he has no cousin", by="ann", own_uid="merge-2")
    assert league.because("rapid", "gus", "2024-07")["august-0"] == ["merge-1", "unmerge-1", "merge-2"]
    league.month(9)
    league.engine.split("bo", "bo junior", "2024-07-01", why="father and son", by="ann", own_uid="split-1")
    assert {line.played >= instant("2024-07-01") for line in league.explain("club", "bo junior").lines} == {True}
    assert all(uids[0].startswith("split-1") for uids in league.because("rapid", "bo junior", "2024-09").values())
    league.month(10)

    # November: Evangelina leaves, and wants no trace of herself
    with_her = dict(league.printed)
    erased = league.engine.erase("Evangelina", by="the board")
    assert (len(erased.players), erased.notes, erased.left()) == (1, 1, [])
    (label,) = erased.labels
    for (pool, name, form), text in with_her.items():
        made = league.engine.published_list(name, pool)
        league.printed[pool, name, form] = made.document(form, name)
        assert (form == "json" and league.engine.prove(text)) or form != "json", "what she has at home still proves"
        if "Evangelina" in text:
            assert made.seal in text
            assert label in made.player
    league.month(11)
    league.engine.close()
    for path in (path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".xml"):
        assert b"Evangelina" not in path.read_bytes(), path
    league.engine = league._open()

    # December: everything is as it was, wherever it is
    league.engine.record(*games("rapid", 12)[:3])
    league.month(12)
    assert league.read == list(range(1, league.engine.log.head.position + 1)), "each event once"
    assert league.engine.verify(league.heads).head == league.engine.log.head
    fresh = tmp_path / "fresh.db"
    for pool, method in METHODS.items():
        catch_up(league.engine, pool, method, fresh)
    for table in ("ratings_current", "rating_history"):
        assert (
            len({str(rows(path, f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4")) for path in (fresh, league.beside)}) == 1
        )
    (tmp_path / "elsewhere").mkdir()
    lines = list(league.engine.export())
    assert "Evangelina" not in "".join(lines)
    elsewhere = League(tmp_path / "elsewhere")
    assert load_lines(elsewhere.engine.log, lines).head == league.engine.log.head
    elsewhere.printed, elsewhere.steps = league.printed, 1
    elsewhere.stands()
    elsewhere.engine.close()
