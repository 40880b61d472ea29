"""A rule with a history: each step begins with the ratings of the one before, and earlier days are as they were."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from ratingcore.compare.forecasts import forecast
from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, BadValue
from ratingcore.events import DAY, instant, iso
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.text import text_of
from ratingcore.replay import checkpoint_store, fold, stand
from ratingcore.replay.checkpoint_store import Checkpoints
from tests.columns.making import POOL, engine, game, seed
from tests.replay.leagues import installed, league

CHANGES = (
    "elo then elo:k=40 from {}",
    "elo then glicko from {}",
    "glicko then elo:k=30 from {}",
    "glicko2 then glicko:period=days(7) from {}",
    "elo then dwz from {}",
    "dwz then elo from {}",
    "dwz then glicko from {}",
    "egf then dwz from {}",
    "elo then codeforces from {}",
    "elo:entry=trial(30) then elo:entry=trial(9) from {}",
    "elo:entry=trial(30) then elo from {}",
    "periodic:entry=pooled(9,3) then elo:entry=trial(5) from {}",
    "elo then elo:entry=mean from {}",
    "bradley-terry then elo from {}",
)
"""Changes between rules of every cadence; the day is filled in."""

EACH = list(product(CHANGES, ("1970-02-14", "1970-03-01", "1970-05-20")))


def book(eng: Engine, text: str, day: str) -> Book:
    made = eng.core.method(text.format(day))
    assert isinstance(made, Book)
    return made


def rating_of(eng: Engine, method: Any, **cuts: Any) -> dict[str, float | None]:
    return {row["player"]: row["rating"] for row in eng.rating_list(POOL, method, **cuts)}


def by_hand(events: list[Any], day: float, before: float, after: float) -> dict[str, float]:
    """Elo in a loop, with another K from a day on."""
    rating: dict[str, float] = {}
    for event in sorted(events, key=lambda one: one.played):
        k = before if event.played < day * DAY else after
        a, b = (rating.get(name, 1500.0) for name in (event.a, event.b))
        moved = k * (event.score - 1.0 / (1.0 + 10.0 ** ((b - a) / 400.0)))
        rating[event.a], rating[event.b] = a + moved, b - moved
    return rating


@pytest.mark.parametrize("day", [0, 40, 59, 179])
def test_ratings_are_those_of_a_loop_that_changes_k_on_the_day(day: int) -> None:
    rng = np.random.default_rng(day)
    events = [
        game(number * 0.9, *(f"p{i}" for i in rng.choice(9, 2, replace=False)), float(rng.choice([0, 0.5, 1])))
        for number in range(200)
    ]
    eng = installed(engine(*events))
    made = Book(eng.core.method("elo:k=20"), eng.core.method("elo:k=40"), day * DAY)
    expected = by_hand(events, day, 20.0, 40.0)
    listed = fold(made, eng.core.view(POOL))
    names = listed.view.names()
    assert listed.state["rating"].tolist() == pytest.approx([expected[name] for name in names], abs=1e-9)


@pytest.mark.parametrize(("text", "day"), EACH)
def test_a_list_of_an_earlier_day_is_that_of_the_rule_before_to_its_digest(text: str, day: str) -> None:
    eng = installed(league())
    earlier = text.split(" then ")[0]
    for through in ("1970-01-20", "1970-02-13"):
        one, other = (eng.rating_list(POOL, method, through=through) for method in (text.format(day), earlier))
        assert one.digest == other.digest
        assert one.provenance.method == other.provenance.method


@pytest.mark.parametrize(("text", "day"), EACH)
def test_what_moved_a_rating_adds_up_across_the_change(text: str, day: str) -> None:
    eng = installed(league())
    made = book(eng, text, day)
    replay = fold(made, eng.core.view(POOL), keep=True)
    ledger = replay.ledger()
    last = {int(player): float(rating) for player, rating in zip(ledger.player, ledger.rating, strict=True)}
    for player, rating in last.items():
        assert rating == pytest.approx(replay.state["rating"][player], abs=1e-9, nan_ok=True)
    assert replay.state["rating"].tolist() == pytest.approx(
        fold(made, eng.core.view(POOL)).state["rating"].tolist(), abs=0, nan_ok=True
    )
    for player, days in (("p0", (None, "1970-06-01")), ("p5", ("1970-02-01",))):
        for since in days:
            explained = eng.explain(POOL, player, text.format(day), since=since)
            row = replay.view.row_of(eng.log.book.number("player", player))
            assert explained.closing == pytest.approx(replay.state["rating"][row], abs=1e-9)
            start = explained.lines[0].rating if explained.opening is None else explained.opening
            moved = sum(line.contribution or 0.0 for line in explained.lines[explained.opening is None :])
            if start is not None and explained.closing is not None and explained.opening is not None:
                assert start + moved == pytest.approx(explained.closing, abs=1e-9)


@pytest.mark.parametrize(("text", "day"), EACH)
def test_an_explanation_since_a_day_has_the_results_that_the_list_before_it_has_not(text: str, day: str) -> None:
    """Of rules by tournament it began years too early: with as many results as the last step had rated by then."""
    eng = installed(league())
    for player in ("p0", "p5"):
        asked = (POOL, player, text.format(day))
        whole, before = (
            [line.uid for line in eng.explain(*asked, through=through).lines if line.kind == "result"]
            for through in (None, "1970-04-30")
        )
        lines = [line.uid for line in eng.explain(*asked, since="1970-05-01").lines if line.kind == "result"]
        assert sorted(lines) == sorted({*whole} - {*before})
        assert lines


@pytest.mark.parametrize(("text", "day"), EACH)
def test_checkpoints_give_the_same_bits(text: str, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    eng = installed(league())
    made, kept = book(eng, text, day), Checkpoints(None, eng.log.digest_at)
    for through in ("1970-06-10", "1970-03-20", None, "1970-05-25"):
        view = eng.core.view(POOL, through=through)
        for _ in range(2):
            stood, plain = stand(made, view, kept), stand(made, view)
            assert stood.identity == plain.identity
            for name in plain.state.names:
                np.testing.assert_array_equal(stood.state[name], plain.state[name])


def test_the_first_rule_may_rate_a_whole_pool_and_no_later_one() -> None:
    events = [game(number, a, b, 1.0) for number, (a, b) in enumerate([("ann", "bo"), ("bo", "cy"), ("cy", "ann")])]
    eng = installed(engine(*events, game(0.5, "ann", "cy", 1.0), game(70, "ann", "bo", 0.5)))
    with pytest.raises(BadValue, match="computes all ratings from all results"):
        eng.core.method("elo then bradley-terry from 1970-03-01")
    whole = rating_of(eng, "bradley-terry", through="1970-02-28")
    share = 1.0 / (1.0 + 10.0 ** ((whole["bo"] - whole["ann"]) / 400.0))
    moved = 20.0 * (0.5 - share)
    assert rating_of(eng, "bradley-terry then elo from 1970-03-01") == pytest.approx(
        whole | {"ann": whole["ann"] + moved, "bo": whole["bo"] - moved}, abs=2e-4
    )


def test_ratings_of_another_scale_are_refused_when_the_rule_is_named() -> None:
    eng = installed(league())
    with pytest.raises(BadValue, match="cannot begin with the ratings of elo: those are in points"):
        eng.core.method("elo then trueskill from 1970-03-01")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("elo then from 2024-03-05", "must have its steps in the form then METHOD from YYYY-MM-DD"),
        ("elo then book:uschess from 2024-03-05", "can only be the beginning of another: 'book:uschess'"),
        ("elo then elo:k=40", "must have its steps in the form then METHOD from YYYY-MM-DD"),
        ("elo then elo:k=40 from", "by event start. .once=ACT.: 'then elo:k=40 from'"),
        ("elo then elo from 1970-03-01 then elo from 1970-02-01", "must be later than 1970-03-01"),
        ("elo then elo from 1970-03-01T12:00:00Z", "must begin at midnight UTC"),
    ],
)
def test_texts_of_no_history_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        installed(league(games=4)).core.method(text)


def test_text_and_identity_build_the_same_rule_again() -> None:
    eng = installed(league(games=4))
    text = (
        "Ours=elo:k=24 then glicko:period=days(7) from 1970-02-01 once=raised(2000,0.4) "
        "then elo:k=40,entry=trial(5) from 1970-03-01"
    )
    called, made = eng.registry.named(text)
    assert called == "Ours"
    listed = eng.rating_list(POOL, made, through="1970-12-31")
    assert eng.core.method(listed.provenance.method) == made
    assert [day for _, day in made.steps] == [None, instant("1970-02-01"), instant("1970-03-01")]


def test_corrections_before_the_day_flow_through_it() -> None:
    eng = installed(league(games=60))
    text = "elo then elo:k=40 from 1970-03-01"
    early = next(event for _, event in eng.events() if event.kind == "game" and event.played < instant("1970-02-20"))
    before = rating_of(eng, text)
    eng.void(early.uid)
    assert rating_of(eng, text) != before
    assert rating_of(eng, text, known_at=eng.log.head.position - 1) == before


def test_seeds_on_both_sides_of_the_day_count_once() -> None:
    events = [seed(1, "ann", 1800.0), game(2, "ann", "bo", 1.0), seed(70, "bo", 1200.0), game(71, "bo", "ann", 0.0)]
    eng = installed(engine(*events))
    text = "elo then elo:k=40 from 1970-02-01"
    first = 20.0 / (1.0 + 10.0 ** (300.0 / 400.0))
    second = 40.0 / (1.0 + 10.0 ** ((1800.0 + first - 1200.0) / 400.0))
    assert rating_of(eng, text) == pytest.approx({"ann": 1800.0 + first + second, "bo": 1200.0 - second}, abs=1e-4)


def test_games_that_wait_for_a_first_rating_count_for_the_new_entry() -> None:
    """Three games under a rule that wants nine make a rating under one that wants three, at once."""
    events = [seed(0, name, 1600.0) for name in ("a", "b", "c", "d")]
    events += [game(number, "new", name, 1.0) for number, name in enumerate(("a", "b", "c"), 1)]
    events += [game(60, "new", "d", 0.0)]
    eng = installed(engine(*events))
    wanted = evolve(eng.core.method("elo:entry=trial(3)"))
    whole = rating_of(eng, wanted)["new"]
    assert rating_of(eng, "elo:entry=trial(9) then elo:entry=trial(3) from 1970-02-01")["new"] == whole
    assert rating_of(eng, "elo:entry=trial(9)")["new"] is None


def test_forecasts_of_a_rule_with_a_history_are_those_of_its_steps() -> None:
    eng = installed(league())
    text = "elo then glicko from 1970-03-01"
    compared = eng.compare(POOL, [text, "elo", "glicko"])
    assert {line["method"] for line in compared.scores} >= {text, "elo"}


def test_a_deviation_grows_from_the_last_period_of_the_old_rule_in_the_periods_of_the_new() -> None:
    """Month 649 read as a week gives a deviation of 290, where 222 is right."""
    events = [game(day, "ann", "bo", 0.5) for day in range(20)] + [game(400, "cy", "di", 1.0)]
    eng = installed(engine(*events))
    weeks = eng.core.method("glicko:period=days(7)")
    months = fold(eng.core.method("glicko"), eng.core.view(POOL, through="1970-02-28"))
    taken = weeks.taking_over(months.method, months.state)
    assert taken["last"].tolist() == [3.0, 3.0]  # the last day of January lies in the week from Monday the 26th
    assert taken["deviation"].tolist() == months.state["deviation"].tolist()
    grown = weeks.show(taken, instant("1971-02-05"))["deviation"]
    fresh = weeks.show(taken.replace(last=np.full(2, np.nan)), instant("1971-02-05"))["deviation"]
    assert (grown > months.state["deviation"]).all()
    assert not np.array_equal(grown, fresh)


def test_spaces_between_the_words_of_a_step_may_be_any_number() -> None:
    eng = installed(league())
    one, other = (eng.core.method(text) for text in (
        "elo  then  elo:k=40  from  1970-03-01 ", "elo then elo:k=40 from 1970-03-01",
    ))  # fmt: skip
    assert one == other


def test_where_every_result_waits_for_its_tournament_nothing_is_forecast() -> None:
    events = [game(day, "ann", "bo", 1.0, data={"event": "open"}) for day in (0, 45, 90)]
    eng = installed(engine(*events))
    made = book(eng, "dwz then dwz:initial=1200 from {}", "1970-02-01")
    assert np.isnan(forecast(made, eng.core.view(POOL, through="1970-02-20")).expected).all()


def tournaments(*results: tuple[float, str, str, float, str]) -> Engine:
    """An engine with games of tournaments: day, players, score and tournament."""
    return installed(engine(*(game(day, a, b, score, data={"event": event}) for day, a, b, score, event in results)))


STRADDLING = (
    (30, "ann", "bo", 1.0, "early"), (50, "ann", "bo", 1.0, "long"), (70, "bo", "ann", 1.0, "long"),
    (62, "bo", "cy", 1.0, "late"), (80, "cy", "ann", 1.0, "later"),
)  # fmt: skip
"""Day 59 is 1 March 1970: the long tournament began before it and ended after the late one."""


def by_tournament(order: str, k_of: dict[str, float]) -> dict[str, float]:
    """Elo in a loop, a tournament at a time in this order, each with its own K."""
    rating: dict[str, float] = dict.fromkeys(("ann", "bo", "cy"), 1500.0)
    for name in order.split():
        moved = dict.fromkeys(rating, 0.0)
        for _, a, b, score, event in STRADDLING:
            if event == name:
                change = k_of[name] * (score - 1.0 / (1.0 + 10.0 ** ((rating[b] - rating[a]) / 400.0)))
                moved[a] += change
                moved[b] -= change
        rating = {player: before + moved[player] for player, before in rating.items()}
    return rating


@pytest.mark.parametrize(
    ("by", "long"), [("", 40.0), (" by event end", 40.0), (" by event start", 20.0), ("  by  event  start", 20.0)]
)
def test_a_tournament_on_both_sides_of_the_day_is_rated_as_the_step_tells(by: str, long: float) -> None:
    text = f"elo:period=event then elo:k=40,period=event from 1970-03-01{by}"
    eng, k = tournaments(*STRADDLING), {"early": 20.0, "late": 40.0, "long": long, "later": 40.0}
    assert rating_of(eng, text) == pytest.approx(by_tournament("early late long later", k), abs=1e-4)
    before = {name: rating for name, rating in by_tournament("early", k).items() if name != "cy"}
    assert rating_of(eng, text, through="1970-02-28") == pytest.approx(before, abs=1e-4)


def test_a_list_before_a_step_by_start_is_that_of_the_rule_before_to_its_digest() -> None:
    eng = tournaments(*STRADDLING)
    text = "elo:period=event then elo:k=40,period=event from 1970-03-01 by event start"
    for through in ("1970-02-10", "1970-02-28"):
        one, other = (eng.rating_list(POOL, method, through=through) for method in (text, "elo:period=event"))
        assert (one.digest, one.provenance.method) == (other.digest, other.provenance.method)


def test_a_late_round_moves_a_tournament_to_the_rule_of_its_new_start() -> None:
    eng = tournaments(*STRADDLING)
    text = "elo:period=event then elo:k=40,period=event from 1970-03-01 by event start"
    before = rating_of(eng, text)
    eng.record(game(58, "bo", "cy", 0.5, data={"event": "late"}))
    moved = rating_of(eng, text)
    assert moved["cy"] != before["cy"]
    with_k20 = rating_of(eng, "elo:period=event then elo:k=40,period=event from 1970-03-15 by event start")
    assert moved == with_k20  # both tournaments began before either day
    eng.void(list(eng.events())[-1][1].uid)
    assert rating_of(eng, text) == before


@pytest.mark.parametrize("by", ["event end", "event start"])
def test_books_by_tournament_name_themselves_so_that_they_are_made_again(by: str) -> None:
    eng = tournaments(*STRADDLING)
    text = f"Ours=dwz then dwz:initial=1200 from 1970-03-01 by {by} then dwz from 1970-03-10 by {by}"
    listed = eng.rating_list(POOL, text)
    made = eng.core.method(text)
    assert eng.core.method(listed.provenance.method) == made
    assert made == eng.core.method(text_of(made))
    eng.publish(listed, name="list")
    assert eng.restated("list").digest == listed.digest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("elo then dwz from 1970-03-01 by event end", "does not rate by tournament"),
        ("dwz then elo:period=month from 1970-03-01 by event start", "does not rate by tournament"),
        ("elo:k=fide2014,period=event then elo:period=event from 1970-03-01 by event start", "has no counted, reached"),
        (
            "elo:period=event then elo:period=event from 1970-03-01 by event",
            "must have its steps in the form then METHOD from YYYY-MM-DD",
        ),
        (
            "elo:period=event then elo:period=event from 1970-03-01 by game",
            "must have its steps in the form then METHOD from YYYY-MM-DD",
        ),
    ],
)
def test_steps_by_tournament_are_refused_where_rules_cannot_follow_them(text: str, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        tournaments(*STRADDLING).core.method(text)


def explained(eng: Engine, player: str, text: str) -> list[tuple[str, float | None]]:
    """Label and contribution of the lines that no result made."""
    made = eng.explain(POOL, player, text)
    return [(line.opponent, line.contribution) for line in made.lines if line.kind == "line"]


def test_the_single_act_of_march_2024_has_a_line_and_adds_up() -> None:
    """A rating of 1000 gains 400 points, 1500 gains 200, 1950 gains 20 (gila.catur.org on FIDE's act)."""
    given = {"ann": 1000.0, "bo": 1500.0, "cy": 1950.0, "di": 2100.0}
    events = [seed(1, name, rating) for name, rating in given.items()]
    eng = installed(engine(*events, game(70, "ann", "di", 0.5)))
    text = "elo then elo:k=40 from 1970-03-01 once=raised(2000,0.4)"
    gained = {"ann": 400.0, "bo": 200.0, "cy": 20.0}
    moved = 40.0 * (0.5 - 1.0 / (1.0 + 10.0 ** ((2100.0 - 1400.0) / 400.0)))
    assert rating_of(eng, text) == pytest.approx(
        {name: rating + gained.get(name, 0.0) for name, rating in given.items()}
        | {"ann": 1400.0 + moved, "di": 2100.0 - moved},
        abs=1e-4,
    )
    assert rating_of(eng, text, through="1970-02-28") == given
    assert explained(eng, "ann", text) == [("once: raised(2000.0,0.4)", 400.0)]
    assert explained(eng, "di", text) == []


def test_a_single_act_rounds_where_the_rule_has_whole_points() -> None:
    eng = installed(engine(seed(1, "ann", 1999.0), seed(1, "bo", 1501.0), game(70, "cy", "di", 0.5)))
    text = "elo then elo from 1970-03-01 once=raised(2000,0.4,whole)"
    assert rating_of(eng, text) == {"ann": 1999.0, "bo": 1701.0, "cy": 1500.0, "di": 1500.0}


def test_the_day_lifts_to_the_floor_and_rounds_to_the_whole_points_of_elo_in_one_line() -> None:
    events = [seed(1, "ann", 1203.3), seed(1, "bo", 1700.5), game(70, "cy", "di", 0.5)]
    eng = installed(engine(*events))
    floor = "elo then elo:floor=1400 from 1970-03-01"
    assert rating_of(eng, floor)["ann"] == 1400.0
    assert explained(eng, "ann", floor) == [("change of rule", pytest.approx(196.7))]
    assert explained(eng, "bo", floor) == []
    whole = "elo then elo:rounding=true,period=month from 1970-03-01"
    assert rating_of(eng, whole)["bo"] == 1701.0
    assert rating_of(eng, f"{whole} then elo:rounding=true,period=month,k=40 from 1970-04-01")["bo"] == 1701.0


@pytest.mark.parametrize(
    "act", ["", "raised", "raised(2000)", "raised(2000,x)", "lowered(2000,0.4)", "raised(2000,0.4,up)"]
)
def test_acts_that_are_none_are_refused(act: str) -> None:
    with pytest.raises(BadValue):
        installed(league(games=4)).core.method(f"elo then elo from 1970-03-01 once={act}")


def test_a_share_beyond_the_whole_is_refused() -> None:
    with pytest.raises(BadParameter, match="share"):
        installed(league(games=4)).core.method("elo then elo from 1970-03-01 once=raised(2000,1.4)")


def loop_by_tournament(results: list[tuple[int, str, str, float, str]], day: int, by: str) -> dict[str, float]:
    """Elo in a loop, a tournament at a time in the order in which they ended, with K = 20 before the day, then 40."""
    held = dict.fromkeys(event for *_, event in results)
    spans = {name: [at for at, *_, event in results if event == name] for name in held}
    rating: dict[str, float] = {}
    for name in sorted(held, key=lambda event: (max(spans[event]), min(spans[event]))):
        k = 40.0 if (max if by == "end" else min)(spans[name]) >= day else 20.0
        moved: dict[str, float] = {}
        for _, a, b, score, event in results:
            if event == name:
                one, other = rating.setdefault(a, 1500.0), rating.setdefault(b, 1500.0)
                change = k * (score - 1.0 / (1.0 + 10.0 ** ((other - one) / 400.0)))
                moved[a], moved[b] = moved.get(a, 0.0) + change, moved.get(b, 0.0) - change
        for player, change in moved.items():
            rating[player] += change
    return rating


@pytest.mark.parametrize("by", ["end", "start"])
def test_tournaments_of_random_leagues_are_rated_as_in_a_loop(by: str) -> None:
    for number in range(30):
        rng = np.random.default_rng(number)
        starts = rng.choice(60, 8, replace=False)
        results = []
        for tournament, start in enumerate(starts.tolist()):
            for game_ in range(int(rng.integers(2, 6))):
                a, b = rng.choice(6, 2, replace=False)
                at = start + game_ * int(rng.integers(1, 6))
                results.append((at, f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1])), f"t{tournament}"))
        ends = [max(at for at, *_, event in results if event == f"t{n}") for n in range(8)]
        if len({*ends}) < 8:
            continue  # of those that end on one day the order of play decides
        day = int(rng.integers(5, 70))
        text = f"elo:period=event then elo:k=40,period=event from {iso(day * DAY)} by event {by}"
        expected = loop_by_tournament(sorted(results), day, by)
        assert rating_of(tournaments(*results), text) == pytest.approx(expected, abs=1e-4)
