"""Every answer about players of a pool with more than 2^16 players, results and tournaments equals plain Python loops.

Whatever small integer holds a row, a position, a label or a tournament wraps here: other laws run on small pools.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from ratingcore_pages import PoolAnswers, cross_table
from ratingcore_pages.meetings import meeting

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import DAY, iso
from ratingcore.explain.history import described_lines, history
from ratingcore.explain.list_columns import records
from ratingcore.plugin import Need
from tests.laws import oracle
from tests.laws.methods import BY_TOURNAMENT, TALLY

PLAYERS = RESULTS = 70_000
TEAMS = 17_400
"""Sessions of two sides of two, no player in two of them: 34,800 sides, more than 2^15, and 69,600 seats."""
REGULARS = 40
"""Players whom many of the others meet, so that some lines are long and some pairs meet again."""
BATCH = 250
POOL, SIDES = "singles", "doubles"
K, START = 20.0, 1500.0
BEGIN = 15_000
TINY = 1e-9


class Fact(NamedTuple):
    """A game or a seed as it was recorded, by plain numbers and names."""

    position: int
    uid: str
    played: int
    a: str
    b: str
    """Empty for a seed, whose rating the score is."""
    score: float
    event: str


class Told(NamedTuple):
    """A line of a player by the loop of this file."""

    played: int
    uid: str
    opponent: str
    opposition: float | None
    score: float | None
    expected: float | None
    change: float
    rating: float


class Truth(NamedTuple):
    """What the loop of this file makes of some facts."""

    rating: dict[str, float]
    lines: dict[str, list[Told]]
    seen: list[str]
    """Players in order of appearance."""

    def peak(self, player: str) -> tuple[float, int]:
        highest = max(line.rating for line in self.lines[player])
        return highest, next(line.played for line in self.lines[player] if line.rating == highest)

    def results(self, player: str) -> list[Told]:
        return [line for line in self.lines[player] if line.score is not None]


def elo(facts: list[Fact]) -> Truth:
    """Plain Elo in order of play: K times the surprise changes hands, and a seed sets a rating."""
    rating: dict[str, float] = {}
    lines: dict[str, list[Told]] = {}
    for fact in facts:
        if not fact.b:
            was = rating.get(fact.a, START)
            rating[fact.a] = fact.score
            line = Told(fact.played, fact.uid, "seed", None, None, None, fact.score - was, fact.score)
            lines.setdefault(fact.a, []).append(line)
            continue
        x, y = rating.get(fact.a, START), rating.get(fact.b, START)
        expected = 1.0 / (1.0 + 10.0 ** ((y - x) / 400.0))
        change = K * (fact.score - expected)
        rating[fact.a], rating[fact.b] = x + change, y - change
        for own, other, faced, score, share, moved in (
            (fact.a, fact.b, y, fact.score, expected, change),
            (fact.b, fact.a, x, 1.0 - fact.score, 1.0 - expected, -change),
        ):
            line = Told(fact.played, fact.uid, other, faced, score, share, moved, rating[own])
            lines.setdefault(own, []).append(line)
    return Truth(rating, lines, list(lines))


class World(NamedTuple):
    engine: Engine
    facts: list[Fact]
    """Games and seeds in order of play, corrections applied."""
    truth: Truth
    chosen: list[str]
    teams: list[list[tuple[str, str]]]
    """The sides of each session."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    random = Random(20260215)
    names = [f"p{number:05d}" for number in range(PLAYERS)]
    random.shuffle(names)
    events: list[Any] = []
    for number in range(RESULTS):
        other = random.randrange(PLAYERS)
        if random.random() < 0.2 or other == number:
            other = (number + 1 + random.randrange(REGULARS)) % REGULARS
        if other == number:
            other += 1
        day = BEGIN + number // 40
        event = "club" if number % 20 == 0 else f"cup {number}"
        pair = (names[number], names[other]) if random.random() < 0.5 else (names[other], names[number])
        events.append(
            rc.GamePlayed(
                uid=f"g{number}", pool=POOL, played=day * DAY, order=number % 40, a=pair[0], b=pair[1],
                score=random.choice((0.0, 0.5, 1.0)), data={"event": event},
            )
        )  # fmt: skip
        if number % 50 == 7:  # a seed of somebody who plays later or has played: of the same day, so before its games
            seeded = random.choice((names[number], names[random.randrange(PLAYERS)]))
            rating = float(random.randrange(1200, 2000))
            events.append(
                rc.RatingSeeded(
                    uid=f"s{number}", pool=POOL, played=day * DAY, player=seeded, values={"rating": rating},
                    order=len(events) % 1000,
                )
            )  # fmt: skip
    for number, player in enumerate(names[::9]):
        events.append(
            rc.PlayerDescribed(
                uid=f"d{number}", pool=POOL, player=player, played="2000-01-01", data={"born": 1950 + number % 60}
            )
        )
    teams = [
        [(names[4 * number], names[4 * number + 1]), (names[4 * number + 2], names[4 * number + 3])]
        for number in range(TEAMS)
    ]
    for number, sides in enumerate(teams):
        score = (1.0, 0.0) if number % 3 else (0.0, 1.0)
        events.append(
            rc.SessionPlayed(
                uid=f"t{number}", pool=SIDES, played=(BEGIN + number // 40) * DAY, order=number % 40,
                sides=tuple(rc.Side(side, points) for side, points in zip(sides, score, strict=True)),
            )
        )  # fmt: skip
    gone = {f"g{number}" for number in range(123, RESULTS, 997)}
    with rc.open(tmp_path_factory.mktemp("large") / "log.db") as engine:
        for start in range(0, len(events), BATCH):
            engine.record(*events[start : start + BATCH], source=f"file {start}")
        engine.record(*(rc.ResultVoided(uid=f"void {uid}", of=uid, why="not played") for uid in sorted(gone)))
        keep, other = names[-1], names[-2]
        engine.merge(keep, other)
        at = {row.uid: row.position for row, _ in engine.events()}
        facts: list[tuple[tuple[int, bool, int, int], Fact]] = []
        for event in events:
            if event.pool != POOL or event.uid in gone or event.kind == "player":
                continue
            a, b, score, cup = (
                (event.player, "", event.values["rating"], "")
                if event.kind == "seed"
                else (event.a, event.b, event.score, event.data["event"])
            )
            a, b = (keep if name == other else name for name in (a, b))
            if a != b:
                place = event.played, bool(b), event.order, at[event.uid]
                facts.append((place, Fact(at[event.uid], event.uid, event.played, a, b, score, cup)))
        in_order = [fact for _, fact in sorted(facts)]
        truth = elo(in_order)
        edges = [2**15 - 2, 2**15 - 1, 2**15, 2**15 + 1, 2**16 - 2, 2**16 - 1, 2**16, 2**16 + 1, len(truth.seen) - 1]
        met = [line.opponent for line in truth.lines[names[3]][-8:] if line.score is not None]
        chosen = [*(truth.seen[row] for row in edges), *names[:3], keep, *met, *random.sample(truth.seen, 20)]
        yield World(engine, in_order, truth, list(dict.fromkeys(chosen)), teams)


def close(number: float | None, true: float | None) -> bool:
    if number is None or true is None:
        return number is None and true is None
    return abs(number - true) < TINY * 1000


def test_the_log_is_as_large_as_the_law_wants_it(world: World) -> None:
    assert len(world.truth.seen) > 2**16
    assert len([fact for fact in world.facts if fact.b]) > 2**16
    assert len({fact.event for fact in world.facts}) > 2**16
    assert len({side for sides in world.teams for side in sides}) > 2**15
    assert len(world.chosen) >= 38
    assert any(len(world.truth.lines[player]) > 200 for player in world.chosen)


def test_histories_of_a_large_pool_name_every_opponent(world: World) -> None:
    for player in world.chosen:
        lines, true = world.engine.history(POOL, player, "elo"), world.truth.lines[player]
        assert [(line.played, line.uid, line.opponent, line.score) for line in lines] == [
            (line.played, line.uid, line.opponent, line.score) for line in true
        ]
        for line, told in zip(lines, true, strict=True):
            assert close(line.expected, told.expected)
            assert close(line.change, told.change)
            assert close(line.rating, told.rating)


def test_explanations_of_a_large_pool_name_every_opponent(world: World) -> None:
    for player in world.chosen:
        explained, true = world.engine.explain(POOL, player, "elo"), world.truth.lines[player]
        assert [(line.played, line.uid, line.opponent, line.score) for line in explained.lines] == [
            (line.played, line.uid, line.opponent, line.score) for line in true
        ]
        for line, told in zip(explained.lines, true, strict=True):
            assert close(line.opposition, told.opposition)
            assert close(line.expected, told.expected)
            assert close(line.rating, told.rating)
        assert close(explained.closing, world.truth.rating[player])
        assert close(explained.residual, 0.0)


def test_the_list_of_a_large_pool_and_the_line_of_each_player_on_it(world: World) -> None:
    listed = world.engine.rating_list(POOL, "elo")
    rounded = {player: round(rating, 4) for player, rating in world.truth.rating.items()}
    assert dict(zip(listed.player, listed.values["rating"].tolist(), strict=True)) == pytest.approx(rounded, abs=2e-4)
    mine = dict(zip(listed.player, zip(listed.rank.tolist(), listed.games.tolist(), strict=True), strict=True))
    shown = dict(zip(listed.player, listed.values["rating"].tolist(), strict=True))
    for player in world.chosen:
        ahead = sum(1 for rating in shown.values() if rating > shown[player])
        told = world.engine.player(POOL, player, "elo")
        assert (told.rank, told.games) == (ahead + 1, len(world.truth.results(player)))
        assert mine[player] == (told.rank, told.games)
        assert told.rating == shown[player]


def test_columns_of_a_large_list(world: World) -> None:
    listed = world.engine.rating_list(POOL, "elo")
    shown = world.engine.with_columns(listed, "won,drawn,lost,share,opposition,performance,last,peak,born")
    cells = {str(row["player"]): row for row in shown}
    described = {row["player"]: row.get("born") for row in world.engine.players(POOL)}
    for player in world.chosen:
        row, results = cells[player], world.truth.results(player)
        scores = [line.score for line in results if line.score is not None]
        assert row["won"] == sum(score > 0.5 for score in scores)
        assert row["drawn"] == sum(score == 0.5 for score in scores)
        assert row["lost"] == sum(score < 0.5 for score in scores)
        assert row["born"] == described.get(player)
        highest, at = world.truth.peak(player)
        assert row["peak"] == pytest.approx(highest, abs=1e-4)
        assert row["peak_at"] == iso(at)
        if not results:
            assert row["share"] is row["opposition"] is row["last"] is None
            continue
        share = sum(scores) / len(scores)
        faced = sum(line.opposition or 0.0 for line in results) / len(results)
        assert row["share"] == pytest.approx(share, abs=1e-4)
        assert row["opposition"] == pytest.approx(faced, abs=1e-4)
        assert row["last"] == iso(results[-1].played)
        if 0.0 < share < 1.0:
            assert row["performance"] == pytest.approx(faced - 400.0 * np.log10(1.0 / share - 1.0), abs=1e-3)


def test_peaks_and_records_of_a_large_pool(world: World) -> None:
    found = world.engine.peaks(POOL, "elo")
    some = world.engine.peaks(POOL, "elo", players=world.chosen)
    assert len(found) == len(world.truth.seen)
    assert set(some) == set(world.chosen)
    replay = world.engine.core.replay(POOL, "elo", keep=True)
    won, drawn, lost = (column.tolist() for column in records(replay))
    for player in world.chosen:
        highest, at = world.truth.peak(player)
        assert (found[player].at, some[player].at) == (at, at)
        assert close(found[player].rating, highest)
        assert close(some[player].rating, highest)
        scores = [line.score or 0.0 for line in world.truth.results(player)]
        row = replay.view.names().index(player)
        assert row == world.truth.seen.index(player)
        assert [won[row], drawn[row], lost[row]] == [
            sum(score > 0.5 for score in scores), sum(score == 0.5 for score in scores),
            sum(score < 0.5 for score in scores),
        ]  # fmt: skip


def test_meetings_and_predictions_of_two_players_of_a_large_pool(world: World) -> None:
    pairs = [(player, world.truth.results(player)[-1].opponent) for player in world.chosen]
    coming = world.engine.predict(POOL, "elo", pairs, after=False)
    for (player, other), ahead in zip(pairs, coming, strict=True):
        met = world.engine.forecasts(POOL, "elo", between=(player, other))
        true = [line for line in world.truth.results(player) if line.opponent == other]
        assert [row["uid"] for row in met] == [line.uid for line in true]
        for row, told in zip(met, true, strict=True):
            first = row["a"] == player
            assert {row["a"], row["b"]} == {player, other}
            assert close(row["expected"] if first else 1.0 - row["expected"], told.expected)
            assert close(row["rating_b"] if first else row["rating_a"], told.opposition)
            assert close(row["change_a"] if first else row["change_b"], told.change)
        gap = world.truth.rating[other] - world.truth.rating[player]
        assert close(ahead.expected[0], 1.0 / (1.0 + 10.0 ** (gap / 400.0)))


def test_the_impact_of_one_result_on_a_large_pool(world: World) -> None:
    for fact in (world.facts[-1], world.facts[len(world.facts) // 2]):
        without = elo([one for one in world.facts if one.uid != fact.uid]).rating
        impact = world.engine.impact(fact.uid, POOL, "elo")
        moved = {
            player: rating - without.get(player, float("nan"))
            for player, rating in world.truth.rating.items()
            if without.get(player) != rating
        }
        told = {str(row["player"]): row for row in impact}
        missing = {player for player in moved if player not in without}
        assert {player for player, row in told.items() if row["rating_without"] is None} == missing
        for player in (fact.a, fact.b, *list(moved)[:200]):
            if player not in missing and abs(moved[player]) > TINY:
                assert close(told[player]["change"], moved[player])
        assert all(player in moved or abs(row["change"]) < TINY for player, row in told.items())


def test_how_a_large_list_differs_from_one_of_an_earlier_day(world: World) -> None:
    day = BEGIN + RESULTS // 80
    before = elo([fact for fact in world.facts if fact.played <= day * DAY])
    old = world.engine.rating_list(POOL, "elo", through=iso(day * DAY))
    new = world.engine.rating_list(POOL, "elo")
    told = {row["player"]: row for row in old.diff(new)}
    since = {row["player"]: row for row in new.since(old)}
    for player in world.chosen:
        was, now = before.rating.get(player), world.truth.rating[player]
        if was is not None and abs(now - was) < TINY:
            assert player not in told
            assert since[player]["rating_change"] == 0.0
            continue
        assert told[player]["rating"] == (None if was is None else pytest.approx(was, abs=1e-4))
        assert told[player]["new_rating"] == pytest.approx(now, abs=1e-4)
        change = None if was is None else pytest.approx(now - was, abs=2e-4)
        assert since[player]["rating_change"] == change


def test_tournaments_of_a_pool_with_more_than_65536_of_them(world: World) -> None:
    games = [fact for fact in world.facts if fact.b]
    answers = PoolAnswers(world.engine, POOL, "elo")
    for fact in (games[0], games[2**15 + 5], games[2**16 + 5], games[-1]):
        if fact.event == "club":
            continue
        told = world.engine.tournament(POOL, fact.event, "elo")
        assert (set(told.player), told.results, told.first) == ({fact.a, fact.b}, 1, fact.played)
        before = {
            player: line.rating - line.change
            for player in (fact.a, fact.b)
            for line in world.truth.lines[player]
            if line.uid == fact.uid
        }
        assert dict(zip(told.player, told.rating.tolist(), strict=True)) == pytest.approx(before, abs=1e-6)
        table = cross_table(answers, fact.event)
        assert {one.name: one.points for one in table.entrants} == {fact.a: fact.score, fact.b: 1.0 - fact.score}
    club = [fact for fact in games if fact.event == "club"]
    assert world.engine.tournament(POOL, "club", "elo").results == len(club)
    assert sum(one.results for one in answers.tournaments["club"]) == len(club)
    assert len(answers.tournaments) == len({fact.event for fact in games})


def test_labels_of_results_beyond_the_65536th(world: World) -> None:
    view = world.engine.core.view(POOL)
    games = [fact for fact in world.facts if fact.b]
    codes, labels = view.labels("event", np.array([fact.position for fact in games]))
    assert [labels[code - 1] for code in codes.tolist()] == [fact.event for fact in games]
    numbers = view.games((Need("event", labels=True),), "law")["event"].tolist()
    by_number: dict[float, str] = {}
    assert [by_number.setdefault(number, fact.event) for number, fact in zip(numbers, games, strict=True)] == [
        fact.event for fact in games
    ]
    assert len(by_number) == len(set(by_number.values()))


def test_a_large_pool_rated_tournament_by_tournament(world: World) -> None:
    replay = world.engine.core.replay(POOL, BY_TOURNAMENT)
    rating = dict(zip(replay.view.names(), replay.state["rating"].tolist(), strict=True))
    true = oracle.elo_by_tournament(oracle.Believed([as_oracle(fact) for fact in world.facts], {}), None)
    assert rating == pytest.approx({name: true.get(name, START) for name in rating}, abs=1e-6)


def as_oracle(fact: Fact) -> dict[str, Any]:
    members = [[fact.a], [fact.b]] if fact.b else [[fact.a]]
    return {
        "kind": "game" if fact.b else "seed", "played": fact.played, "position": fact.position, "members": members,
        "score": fact.score, "values": {"rating": fact.score}, "event": fact.event,
    }  # fmt: skip


def test_pages_of_players_of_a_large_pool(world: World) -> None:
    answers = PoolAnswers(world.engine, POOL, "elo")
    alone = PoolAnswers(world.engine, POOL, "elo")
    row_of = {player: row for row, player in enumerate(answers.keys)}
    assert len(answers.lines) > 2**17  # the lines of everybody at once, and of one player at a time
    for player in world.chosen:
        row, true = row_of[player], world.truth.lines[player]
        for told in (answers.described(answers.lines_of(row)), alone.described(alone.lines_of(row))):
            assert [(line.played, line.opponent, line.score) for line in told] == [
                (line.played, line.opponent, line.score) for line in true
            ]
            assert all(close(line.rating, other.rating) for line, other in zip(told, true, strict=True))
        highest, at = world.truth.peak(player)
        assert (close(answers.peak(row).rating, highest), answers.peak(row).at) == (True, at)
        results = world.truth.results(player)
        often: dict[str, list[float]] = {}
        for line in results:
            often.setdefault(line.opponent, []).append(line.score or 0.0)
        for rival in answers.rivals(answers.lines_of(row)):
            assert rival.record.games == len(often[rival.name])
            assert rival.record.won == sum(score > 0.5 for score in often[rival.name])
        number = int(answers.ids[row])
        assert answers.record(row).games == len(results)
        other = results[-1].opponent
        met = meeting(answers, number, int(answers.ids[row_of[other]]))
        assert [(one.line.played, one.line.score) for one in met.met[::-1]] == [
            (line.played, line.score) for line in results if line.opponent == other
        ]


def test_sides_of_several_players_of_a_large_pool(world: World) -> None:
    replay = world.engine.core.replay(SIDES, TALLY, keep=True)
    lines = described_lines(replay, replay.ledger())
    assert len(lines.words.texts) > 2**15
    names, players = lines.opponents(replay), replay.view.names()
    faced: Mapping[str, str] = {
        player: " + ".join(theirs)
        for one, other in world.teams
        for mine, theirs in ((one, other), (other, one))
        for player in mine
    }
    for row, opponent in zip(lines.ledger.player.tolist(), names, strict=True):
        assert opponent == faced[players[row]]
    won = {
        player: (1.0 if side == (0 if number % 3 else 1) else 0.0)
        for number, sides in enumerate(world.teams)
        for side, seated in enumerate(sides)
        for player in seated
    }
    for player in (*players[:3], *players[2**15 - 1 : 2**15 + 2], *players[2**16 - 1 : 2**16 + 2], players[-1]):
        (line,) = history(replay, players.index(player))
        assert (line.opponent, line.score, line.rating) == (faced[player], won[player], won[player] - 0.5)


def test_published_lists_of_a_large_log(world: World) -> None:
    for number in range(3):
        through = iso((BEGIN + 600 * number) * DAY)
        world.engine.publish(world.engine.rating_list(POOL, "elo", through=through), name=f"list {number}")
    cuts = [fact for fact in world.facts if fact.played <= (BEGIN + 600 * 2) * DAY]
    kept = world.engine.published_list("list 2", pool=POOL)
    true = elo(cuts).rating
    assert dict(zip(kept.player, kept.values["rating"].tolist(), strict=True)) == pytest.approx(true, abs=2e-4)
    assert len(world.engine.published(POOL)) == 3
