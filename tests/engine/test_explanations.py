"""Explanations add up: the opening rating, a line for everything that moved it, and the rating of the list."""

import csv
import gzip
from itertools import pairwise
from math import isnan
from pathlib import Path
from random import Random

import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BadCut, BadValue, UnknownName, WrongForm
from ratingcore.events import DAY, Event, PlayersMerged, instant
from ratingcore.explain import explain
from ratingcore.explain.explanation import Explanation
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import uids_at
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.testing.random_seasons import seasons
from ratingcore.testing.season import POOL as KIT
from ratingcore.testing.season import Season
from tests.columns.making import POOL, game, seed, session
from tests.laws.histories import POOLS, League
from tests.laws.methods import TALLY
from tests.replay.toys import Monthly, Pairs, Tables, Walk, Whole

REGISTRY = Registry.installed()
NBA = Path(__file__).parents[2] / "fixtures" / "archives" / "nba"

TEXTS = (
    "elo", "elo:k=fide2014", "elo:preset=fide", "elo:period=month", "elo:unrated=two_pass,period=month,rounding=true",
    "elo:preset=fide,list_floor=1500", "elo:k=15,entry=trial(3)", "elo:period=month,entry=pooled(2,3)",
    "elo-margin:preset=nba538", "adaptive-k", "periodic", "periodic:initial=none", "periodic:preset=thesis", "dwz",
    "egf", "fesa", "berkin", "berkin:prior_draws=1", "berkin:gauge=player,prior_draws=1", "berkin-change",
    "berkin-change:variant=13.10", "berkin-change:variant=13.10,period=month", "bridge-bayes",
    "glicko", "glicko2", "weng-lin", "trueskill", "trueskill-through-time", "bradley-terry", "whr", "codeforces",
    "elo-mmr", "fifa", "world-football-elo", "uschess",
    "colley", "ecf-grade", "elo-points", "ingo", "keener", "massey", "pi-ratings", "usatt",
    "bridge-bayes:tracking=full,drift_var=1", "chess-bayes:drift_var=4",
)  # fmt: skip
"""Every installed method, and what its parameters make of book-keeping."""


def engine(*events: Event) -> Engine:
    """An engine with every installed method on a log in memory that holds these events."""
    made = Engine(SqliteLog(":memory:"), REGISTRY)
    if events:
        made.record(*events)
    return made


def unrounded(eng: Engine, pool: str, method: Method, player: str, **cuts: object) -> float | None:
    """Rating of a player as a list shows it, before it is rounded; None if there is none."""
    replay = eng.core.replay(pool, method, **cuts)  # type: ignore[arg-type]  # cuts
    names = replay.view.names()
    if player not in names:
        return None
    rating = float(replay.method.show(replay.state, replay.at)["rating"][names.index(player)])
    return None if isnan(rating) else rating


def sound(told: Explanation) -> None:
    """What must hold of every explanation."""
    ours = (told.opening or 0.0) + sum(line.contribution or 0.0 for line in told.lines)
    assert ours == pytest.approx(told.closing or 0.0, abs=1e-9)
    assert abs(told.residual) < 1e-9
    ratings = [told.opening, *(line.rating for line in told.lines)]
    for (before, after), line in zip(pairwise(ratings), told.lines, strict=True):
        if before is not None and after is not None:
            assert after - before == pytest.approx(line.amount, abs=1e-9), line
    last = ratings[-1]
    assert (last is None) == (told.closing is None)
    assert last is None or last == pytest.approx(told.closing, abs=1e-9)


def test_every_installed_method_is_looked_at() -> None:
    assert {text.partition(":")[0] for text in TEXTS} == {
        name for name, kind in REGISTRY.methods.items() if not kind.superseded
    }


def thinned(season: Season, share: int) -> Engine:
    """The season with only some of its seeds, so that there are newcomers."""
    log = SqliteLog(":memory:")
    log.append(e for e in season.events if not (e.kind == "seed" and int(e.uid[1:]) % share))
    return Engine(log, REGISTRY)


@pytest.mark.parametrize("text", TEXTS)
def test_opening_and_lines_add_up_to_the_list_with_every_method(text: str) -> None:
    """A small season with all seeds, and one in which players come later: a small one where all results count anew."""
    method = REGISTRY.method(text)
    small, large = seasons(method)
    for season, share in ((small, 1), (small if method.cadence.value == "retrospective" else large, 3)):
        eng = thinned(season, share)
        view = eng.core.view(KIT)
        first, last = view.first_played, view.last_played
        assert first is not None
        assert last is not None
        middle, late = (first + last) // 2, first + 3 * (last - first) // 4
        for player in view.names()[:4]:
            for since, through in ((None, None), (middle, None), (first + 40 * DAY, late)):
                told = eng.explain(KIT, player, method, since, through)
                sound(told)
                assert told.closing == unrounded(eng, KIT, method, player, through=through)
                if since is not None and player in eng.core.view(KIT, since - 1).names():
                    assert told.opening == unrounded(eng, KIT, method, player, through=since - 1)
                assert told.attributed == (method.cadence.value == "retrospective")


@pytest.mark.parametrize("number", range(6))
def test_explanations_of_random_leagues_and_their_differences_add_up(number: int) -> None:
    random = Random(number)
    sessions = number % 3 == 0
    league, eng = League(random, sessions=sessions), engine()
    for _ in range(12):
        eng.record(*league.batch())
    head = eng.log.head.position
    methods: list[Method] = [TALLY, Tables(), Tables(cut="days(3)")]
    if not sessions:
        methods += [Walk(), Pairs(), Monthly(cut="days(2)"), Monthly(cut="event"), Monthly(cut="cuts(1970-01-04)")]
        methods += [REGISTRY.method("elo:k=fide2014"), REGISTRY.method("elo:entry=trial(2)")]
        methods += [REGISTRY.method("berkin"), REGISTRY.method("berkin:prior_draws=1"), Whole()]
    for method in methods:
        player = random.choice("abc")
        since = random.choice([None, random.randrange(10) * DAY])
        through = random.choice([None, 10 * DAY])
        told = []
        for known_at in (random.randint(head // 2, head), head):
            try:
                told.append(eng.explain(POOLS[0], player, method, since, through, known_at))
            except (UnknownName, WrongForm):
                break
            sound(told[-1])
        if len(told) == 2:
            then, now = told
            for old, new in ((then, now), (now, then)):
                diff = old.diff(new)
                added = diff.opening + sum(line.difference for line in diff.lines)
                assert added == pytest.approx((new.closing or 0.0) - (old.closing or 0.0), abs=1e-9)
                assert abs(diff.residual) < 1e-9
                for line in diff.lines:
                    if line.change != "changed" and line.line.uid is not None and since is None and through is None:
                        assert line.causes, "a result comes and goes by what the log has learnt only"


def test_the_lines_are_the_published_ones() -> None:
    """FiveThirtyEight's ratings before and after each game of a team, and its chances, are those of the lines."""
    log = SqliteLog(":memory:")
    eng = Engine(log, REGISTRY)
    eng.import_file(NBA / "games.csv.gz", "nba", FieldMap.load(NBA / "mapping.toml"))
    eng.import_seeds(NBA / "seeds.csv", "nba")
    told = eng.explain("nba", "BOS", "elo-margin:preset=nba538", since="1985-10-01", through="1987-06-30")
    sound(told)
    published = []
    with gzip.open(NBA / "games.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "BOS" in (row["team1"], row["team2"]) and "1985-10-01" <= row["date"] <= "1987-06-30":
                me, other = ("1", "2") if row["team1"] == "BOS" else ("2", "1")
                chance = float(row["elo_prob1"])
                published.append(
                    (row[f"team{other}"], float(row[f"elo{other}_pre"]), float(row[f"elo{me}_post"]),
                     chance if me == "1" else 1 - chance)
                )  # fmt: skip
    lines = [line for line in told.lines if line.kind == "result"]
    assert len(lines) == len(published) > 200
    for line, (opponent, before, after, chance) in zip(lines, published, strict=True):
        assert line.opponent == opponent
        assert line.opposition == pytest.approx(before, abs=0.001)
        assert line.rating == pytest.approx(after, abs=0.001)
        assert line.expected == pytest.approx(chance, abs=5e-6)
    carried = [line for line in told.lines if line.kind == "line"]
    assert [line.opponent for line in carried] == ["season carry-over"] * 2
    before = told.lines[told.lines.index(carried[1]) - 1].rating
    assert before is not None
    assert carried[1].contribution == pytest.approx(0.25 * (1505 - before))


def test_k_and_boosts_are_told_from_the_own_side() -> None:
    """Each contribution is K times the surprise, with the K and the expectation of the player's own line."""
    for text in ("elo:k=fide2014", "elo:k=fide2014,period=month", "adaptive-k"):
        method = REGISTRY.method(text)
        season = seasons(method)[1]
        eng = Engine(season.log, REGISTRY)
        for player in ("p1", "p2", "p5"):
            lines = [line for line in eng.explain(KIT, player, method).lines if line.kind == "result"]
            assert lines
            for line in lines:
                assert line.score is not None
                assert line.expected is not None
                boost = line.notes.get("boost", 0.0)
                k = line.notes["k"]
                assert k is not None
                assert boost is not None
                if text != "adaptive-k":
                    assert line.contribution == pytest.approx(k * (line.score - line.expected), abs=1e-9)
                assert not any(name.endswith(("_a", "_b")) for name in line.notes)


def test_sessions_tell_partners_opponents_and_how_strong_they_were() -> None:
    eng = engine(
        session(1, ("ab", 60.0), ("cd", 40.0)),
        session(2, ("ac", 70.0), ("b", 50.0), ("d", 30.0)),
    )
    first, second = eng.explain(POOL, "a", TALLY).lines
    assert (first.opponent, first.partners, first.opposition, first.score, first.expected) == (
        "c + d", ("b",), 0.0, 60.0, 50.0,
    )  # fmt: skip
    assert (second.opponent, second.partners, second.opposition) == ("2 sides", ("c",), (10.0 - 10.0) / 2)
    assert (first.rating, second.contribution) == (10.0, 70.0 - 50.0 - 1.0)


def test_opponents_are_told_as_strong_as_they_were_just_before_seeds_and_carry_over_included() -> None:
    eng = engine(game(1, "a", "b"), seed(2, "b", 500.0), game(3, "a", "b"), game(4, "c", "b"), game(5, "a", "b"))
    lines = eng.explain(POOL, "a", Walk()).lines
    # b: 100 - 5 = 95; seed 500, a tenth of the way back 460, 455; against c 419.5, 414.5; 383.05
    faced = [line.opposition for line in lines if line.kind == "result"]
    assert faced == [100, 460, pytest.approx(414.5 - 31.45)]


def test_a_player_without_a_start_rating_gets_the_whole_rating_from_the_first_line() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), seed(3, "a", 1600.0), seed(3, "b", 1500.0), game(4, "a", "b"))
    told = eng.explain(POOL, "a", "elo:entry=trial(9)")
    sound(told)
    assert told.opening is None
    assert [(line.kind, line.contribution) for line in told.lines[:3]] == [
        ("result", None), ("result", None), ("seed", 1600.0),
    ]  # fmt: skip
    late = eng.explain(POOL, "a", "elo:entry=trial(9)", since=2 * DAY)
    assert late.opening is None
    assert [line.kind for line in late.lines] == ["result", "seed", "result"]


def test_a_player_not_yet_seen_opens_with_the_start_rating() -> None:
    eng = engine(game(1, "a", "b"), game(5, "c", "a"))
    told = eng.explain(POOL, "c", "elo", since=3 * DAY)
    assert (told.opening, len(told.lines)) == (1500.0, 1)


def test_a_period_that_was_open_then_is_told_whole() -> None:
    """The list of mid-February knows January only, so the lines after it hold all of February's games."""
    eng = engine(game(10, "a", "b"), game(35, "a", "b"), game(50, "b", "a"))
    told = eng.explain(POOL, "a", "elo:period=month", since=45 * DAY)
    sound(told)
    assert told.opening == 1510.0
    assert [line.played // DAY for line in told.lines] == [35, 50]


def test_whatever_name_a_merged_player_is_asked_by_the_account_is_one() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "anna", "cy"), PlayersMerged(uid="m", keep="ann", other="anna"))
    ann, anna = eng.explain(POOL, "ann", "elo"), eng.explain(POOL, "anna", "elo")
    assert ann.lines == anna.lines
    assert [line.corrected() for line in ann.lines] == ["", "merged m (player anna -> ann)"]
    before = eng.explain(POOL, "anna", "elo", known_at=2)
    assert [line.opponent for line in before.lines] == ["cy"]


def test_who_is_not_in_the_pool_at_a_cut_has_no_lines_and_says_so() -> None:
    eng = engine(game(1, "a", "b"), game(5, "c", "a"), game(6, "d", "e", pool="other"))
    for told in (eng.explain(POOL, "c", "elo", known_at=1), eng.explain(POOL, "d", "elo")):
        assert (told.opening, told.closing, len(told.lines), told.residual) == (None, None, 0, 0.0)
        assert "is not in pool club at this cut" in str(told)
    unknown, known = eng.explain(POOL, "c", "elo", known_at=1), eng.explain(POOL, "c", "elo")
    assert unknown.diff(known).closing == known.closing


def test_unknown_names_and_cuts_the_wrong_way_round_are_refused() -> None:
    eng = engine(game(1, "a", "b"))
    with pytest.raises(UnknownName):
        eng.explain(POOL, "z", "elo")
    with pytest.raises(UnknownName):
        eng.explain("nowhere", "a", "elo")
    with pytest.raises(BadCut, match="since lies after the last day that counts"):
        eng.explain(POOL, "a", "elo", since="1970-01-05", through="1970-01-04")
    assert len(eng.explain(POOL, "a", "elo", since="0001-01-01").lines) == 1
    assert len(eng.explain(POOL, "a", "elo", since="1970-01-02", through="1970-01-02").lines) == 1


def test_the_text_is_a_table_between_opening_and_closing() -> None:
    eng = engine(game(1, "Ångström", "北京", uid="g-1"))
    told = eng.explain(POOL, "Ångström", "elo", since="1970-01-01", through="1970-01-31")
    assert [line.rstrip() for line in str(told).splitlines()[:4]] == [
        "played      opponent  opposition  score  expected  contribution  rating",
        "1970-01-01  opening                                                1500",
        "1970-01-02  北京            1500      1       0.5            10    1510",
        "1970-01-31  closing                                          10    1510",
    ]
    assert str(told).splitlines()[4:] == [
        "Ångström in pool club, since 1970-01-01, played through 1970-01-31",
        f"method {told.method}",
        f"head {eng.log.head}",
    ]
    rows = list(told)
    assert [row["line"] for row in rows] == ["opening", "result", "closing"]
    assert all(tuple(row) == told.columns for row in rows)
    assert rows[1]["uid"] == "g-1"


def test_what_a_list_shows_beyond_the_results_is_a_line() -> None:
    """With all covariances, the list shows what others' results say of a player since the last own one."""
    method = REGISTRY.method("bridge-bayes:tracking=full")
    sides = [("ab", 60.0), ("cd", 40.0)], [("bc", 70.0), ("de", 30.0)]
    eng = engine(*(session(day + 1, *seated, data={"unit": "percent"}) for day, seated in enumerate(sides)))
    told = eng.explain(POOL, "a", method)
    assert [line.opponent for line in told.lines] == ["c + d", "shown by the list alone"]
    sound(told)


def test_what_is_supposed_is_explained_and_is_no_head_of_a_log() -> None:
    eng = engine(game(1, "a", "b", uid="g-1"))
    known = eng.explain(POOL, "a", "elo")
    supposed = eng.what_if([game(2, "c", "a", uid="g-2")]).explain(POOL, "a", "elo")
    assert [line.uid for line in supposed.lines] == ["g-1", "g-2"]
    assert "head 2:what-if:" in str(supposed)
    for diff in (known.diff(supposed), supposed.diff(known)):
        assert [str(cause) for line in diff.lines for cause in line.causes] == ["recorded late g-2"]


def test_all_uids_come_from_the_log_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(*(game(day, "a", "b") for day in range(50)))
    asked = []
    monkeypatch.setattr(explain, "uids_at", lambda log, some: asked.append(len(some)) or uids_at(log, some))
    assert len(eng.explain(POOL, "a", "elo").lines) == 50
    assert asked == [50]


def test_an_explanation_is_of_one_head_whatever_is_appended_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    eng = engine(game(1, "a", "b"), game(3, "a", "b"))
    replayed, times = explain.replayed, []

    def slow(*args: object, **cuts: object) -> object:
        made = replayed(*args, **cuts)  # type: ignore[arg-type]  # as given
        if not times:
            times.append(eng.record(game(1.5, "a", "b")))
        return made

    monkeypatch.setattr(explain, "replayed", slow)
    told = eng.explain(POOL, "a", "elo", since=instant("1970-01-03"))
    sound(told)
    assert (told.known_at, len(told.lines)) == (2, 1)
    assert told.opening == 1510.0


def test_the_history_of_a_newcomer_whose_first_games_count_adds_up() -> None:
    """It forgot what a two-pass period told of the newcomer before the first rating."""
    method = REGISTRY.method("elo:unrated=two_pass,period=month,initial=1400")
    eng = engine(seed(0, "a", 1600.0), seed(0, "b", 1500.0), game(3, "a", "c"), game(4, "c", "b"), game(5, "a", "b"))
    lines = eng.history(POOL, "c", method)
    told = [line for line in lines if line.score is not None]
    assert any(line.change for line in told)
    assert lines[-1].rating == unrounded(eng, POOL, method, "c")
    assert lines[-1].rating == pytest.approx(sum(line.change for line in lines))


SAMPLED = (
    "elo", "elo:period=month", "elo:k=15,entry=trial(3)", "elo:period=month,entry=pooled(2,3)", "periodic", "dwz",
    "berkin", "glicko2", "glicko2:preset=lichess", "weng-lin", "whr", "elo then glicko2 from 2021-01-01",
)  # fmt: skip


def close(one: object, other: object) -> bool:
    """Whether cells are the same, and numbers but for the last bits of a sum."""
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, abs=1e-9)
    return one == other


@pytest.mark.parametrize("text", SAMPLED)
def test_the_last_lines_and_meetings_are_those_of_the_whole(text: str) -> None:
    """They are quick because they begin where the method stood just before them."""
    method = REGISTRY.method(text)
    eng = thinned(seasons(method)[0], 3)
    rows = [dict(row) for row in eng.forecasts(KIT, method)]
    players = eng.core.view(KIT).names()[:3]
    for player in players:
        whole = list(eng.history(KIT, player, method).as_table())
        for last in (1, 4, 99):
            few = list(eng.history(KIT, player, method, last=last).as_table())
            assert len(few) == min(last, len(whole))
            for line, same in zip(few, whole[-last:], strict=True):
                assert all(close(cell, same[name]) for name, cell in line.items()), (line, same)
    for a, b in pairwise(players):
        met = [dict(row) for row in eng.forecasts(KIT, method, between=(a, b))]
        same = [row for row in rows if {row.get("a"), row.get("b")} == {a, b}]
        if "a" in (rows[0] if rows else ()):
            assert len(met) == len(same)
            for row, other in zip(met, same, strict=True):
                assert all(close(cell, other[name]) for name, cell in row.items()), (row, other)
    with pytest.raises(BadValue, match="last must be a whole number from 1: 0"):
        eng.history(KIT, players[0], method, last=0)
