"""Newcomers who begin each tournament with the rating of another pool, against plain loops."""

import sys
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadParameter, BadValue, UnknownOtherPool
from ratingcore.explain.explanation import ExplanationDiff
from ratingcore.methods.first_ratings import RULES
from ratingcore.methods.text import identity, text_of
from ratingcore.replay import checkpoint_store

FIRST = date(2024, 1, 1)
FORMS = (
    "elo:entry=from(standard)",
    "elo:entry=from(standard,trial(2))",
    "elo:period=month,entry=from(standard)",
)
SUITE = 8
"""Random pairs of pools for each form; `python -m tests.replay.test_other_pools 100` takes as many as are asked for."""

Result = tuple[int, str, str, float, str]


def day(number: int) -> str:
    return (FIRST + timedelta(days=number)).isoformat()


def season(rng: np.random.Generator, events: int) -> list[Result]:
    """Games of tournaments of up to a week, some without a name: day, players, score, tournament."""
    made = []
    for number in range(events):
        start, length = int(rng.integers(0, 110)), int(rng.integers(1, 8))
        name = "" if rng.random() < 0.2 else f"t{number}"
        for _ in range(int(rng.integers(1, 5))):
            a, b = rng.choice(10, 2, replace=False)
            made.append((start + int(rng.integers(length)), f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1])), name))
    return sorted(made, key=lambda one: one[0])


def game(pool: str, result: Result, uid: str, order: int) -> rc.GamePlayed:
    played, a, b, score, event = result
    data = {"event": event} if event else {}
    return rc.GamePlayed(pool=pool, played=day(played), a=a, b=b, score=score, data=data, uid=uid, order=order)


def share(one: float, other: float) -> float:
    return float(1.0 / (1.0 + 10.0 ** ((other - one) / 400.0)))


def standard_through(results: list[Result], last: int) -> dict[str, float]:
    """Elo in a loop, through a day."""
    rating: dict[str, float] = {}
    for played, a, b, score, _ in results:
        if played <= last:
            one, other = rating.get(a, 1500.0), rating.get(b, 1500.0)
            moved = 20.0 * (score - share(one, other))
            rating[a], rating[b] = one + moved, other - moved
    return rating


def begun(results: list[Result]) -> list[int]:
    """The first day of the tournament of each result; a day is the tournament of those without a name."""
    first: dict[object, int] = {}
    for played, *_, event in results:
        first[event or played] = min(first.get(event or played, played), played)
    return [first[event or played] for played, *_, event in results]


def by_game(standard: list[Result], rapid: list[Result]) -> dict[str, float]:
    rating: dict[str, float] = {}
    for (_, a, b, score, _), start in zip(rapid, begun(rapid), strict=True):
        given = standard_through(standard, start - 1)
        for player in (a, b):
            rating.setdefault(player, given.get(player, 1500.0))
        moved = 20.0 * (score - share(rating[a], rating[b]))
        rating[a] += moved
        rating[b] -= moved
    return rating


def by_trial(standard: list[Result], rapid: list[Result]) -> dict[str, float]:
    """Two games against rated players make a rating, for those whom the other pool does not rate."""
    rating: dict[str, float] = {}
    waits: dict[str, list[tuple[float, float]]] = {}
    for (_, a, b, score, _), start in zip(rapid, begun(rapid), strict=True):
        given = standard_through(standard, start - 1)
        for player in (a, b):
            if player not in rating and player in given:
                rating[player] = given[player]
        if a in rating and b in rating:
            moved = 20.0 * (score - share(rating[a], rating[b]))
            rating[a] += moved
            rating[b] -= moved
            continue
        for player, other, mine in ((a, b, score), (b, a, 1.0 - score)):
            if player not in rating and other in rating:
                waits.setdefault(player, []).append((rating[other], mine))
        for player in (a, b):
            if player not in rating and len(waits.get(player, ())) == 2:
                opponents, scores = np.array(waits[player]).T
                rating[player] = RULES["periodic"](opponents, scores)
    return rating


def by_month(standard: list[Result], rapid: list[Result]) -> dict[str, float]:
    rating: dict[str, float] = {}
    months = [day(result[0])[:7] for result in rapid]
    for month in sorted(set(months)):
        mine = [at for at, one in enumerate(months) if one == month]
        starts = begun(rapid)
        for at in mine:
            given = standard_through(standard, starts[at] - 1)
            for player in rapid[at][1:3]:
                rating.setdefault(player, given.get(player, 1500.0))
        moved = dict.fromkeys(rating, 0.0)
        for at in mine:
            _, a, b, score, _ = rapid[at]
            change = 20.0 * (score - share(rating[a], rating[b]))
            moved[a] += change
            moved[b] -= change
        rating = {player: before + moved[player] for player, before in rating.items()}
    return rating


LOOPS = dict(zip(FORMS, (by_game, by_trial, by_month), strict=True))


def without(results: list[Result], which: set[int]) -> list[Result]:
    return [one for number, one in enumerate(results) if number not in which]


def merged(results: list[Result]) -> list[Result]:
    """The results with p9 as p8; nobody plays against themselves."""
    return [(at, *("p8" if who == "p9" else who for who in (a, b)), score, event) for at, a, b, score, event in results]


def listed(engine: Engine, method: str, **cuts: Any) -> dict[str, float]:
    rows = engine.rating_list("rapid", method, **cuts)
    return {str(row["player"]): float(row["rating"]) for row in rows if row["rating"] is not None}


def check(form: str, seed: int) -> None:
    """Lists of a random pair of pools, with late results, voids and a merge, are those of a loop."""
    rng = np.random.default_rng([seed, FORMS.index(form)])
    pools = {"standard": season(rng, 14), "rapid": season(rng, 14)}
    together = {frozenset(one[1:3]) for results in pools.values() for one in results}
    events = [
        game(pool, result, f"{pool}-{number}", number)
        for pool, results in pools.items() for number, result in enumerate(results)
    ]  # fmt: skip
    with open_engine(":memory:") as engine:
        engine.record(*(events[at] for at in rng.permutation(len(events))))
        loop = LOOPS[form]
        assert listed(engine, form) == pytest.approx(loop(pools["standard"], pools["rapid"]), abs=1e-4)
        last = int(rng.integers(20, 120))
        if "period" not in form:
            cut = [one for one in pools["rapid"] if one[0] <= last]
            # a tournament began when its first game was played, which the cut does not move
            assert listed(engine, form, through=day(last)) == pytest.approx(loop(pools["standard"], cut), abs=1e-4)
        gone = {pool: {*rng.choice(len(results), 3).tolist()} for pool, results in pools.items()}
        for pool, numbers in gone.items():
            for number in numbers:
                engine.void(f"{pool}-{number}")
        left = {pool: without(results, gone[pool]) for pool, results in pools.items()}
        assert listed(engine, form) == pytest.approx(loop(left["standard"], left["rapid"]), abs=1e-4)
        if frozenset(("p8", "p9")) not in together:
            engine.merge("p8", "p9")
            one = {pool: merged(results) for pool, results in left.items()}
            assert listed(engine, form) == pytest.approx(loop(one["standard"], one["rapid"]), abs=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_random_pools_are_those_of_a_loop(form: str) -> None:
    for seed in range(SUITE):
        check(form, seed)


def people(engine: Engine) -> None:
    """Ann is 2000 in standard chess from February on, and plays rapid in March; bo has no other rating."""
    engine.record(
        rc.RatingSeeded(pool="standard", played="2024-01-01", player="ann", values={"rating": 2000.0}),
        rc.GamePlayed(pool="standard", played="2024-02-01", a="ann", b="cy", score=0.5, uid="s-1"),
        rc.GamePlayed(pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0, data={"event": "Open"}, uid="r-1"),
    )


def ann_after(given: float) -> float:
    return given + 20.0 * (1.0 - share(given, 1500.0))


DRAWN = 2000.0 + 20.0 * (0.5 - share(2000.0, 1500.0))
FROM = "elo:entry=from(standard)"


def test_the_line_of_a_first_rating_names_the_other_pool_and_adds_up() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        explained = engine.explain("rapid", "ann", FROM)
        told = [(line.opponent, line.contribution) for line in explained.lines]
        assert told[0] == ("first rating by another pool", pytest.approx(DRAWN))
        assert explained.closing == pytest.approx(ann_after(DRAWN))
        assert sum(line.contribution for line in explained.lines) == pytest.approx(explained.closing)


def test_a_correction_in_the_other_pool_moves_its_newcomer_and_the_explanation_tells_so() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        engine.declare("rapid", method=FROM)
        engine.publish(engine.rating_list("rapid"), name="march")
        engine.void("s-1", why="not played")
        assert listed(engine, FROM)["ann"] == pytest.approx(ann_after(2000.0), abs=1e-4)
        again = {str(row["player"]): row["rating"] for row in engine.restated("march")}
        assert again["ann"] == pytest.approx(ann_after(2000.0), abs=1e-4)
        then, now = (engine.explain("rapid", "ann", FROM, known_at=known).lines[0] for known in ("march", None))
        assert then.opponent == now.opponent == "first rating by another pool"
        assert (then.contribution, now.contribution) == (pytest.approx(DRAWN), pytest.approx(2000.0))
        both = (engine.explain("rapid", "ann", FROM, known_at=known) for known in ("march", None))
        changed = [row["because"] for row in ExplanationDiff.between(*both) if row["change"] == "changed"]
        assert changed == ["another pool", "follows"]


def test_provenance_names_the_rule_of_the_other_pool_and_digests_what_it_gives() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        before = engine.rating_list("rapid", FROM).provenance
        (pool, (rule,), given) = before.other_pools[0]
        assert (pool, rule) == ("standard", engine.rating_list("standard").provenance.method)
        assert f"begins from pool standard, digest {given[:12]}, by {rule}" in before.lines()
        engine.void("s-1")
        assert engine.rating_list("rapid", FROM).provenance.other_pools[0][2] != given
        assert engine.rating_list("rapid", "elo").provenance.other_pools == ()


def test_lists_are_proven_supposed_and_cached(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    with open_engine(tmp_path / "club.db") as engine:
        people(engine)
        listed_before = engine.rating_list("rapid", FROM)
        document = listed_before.document("json")
        assert engine.prove(document).holds
        supposed = engine.what_if([rc.ResultVoided(of="s-1", why="what if")])
        assert listed(supposed, FROM)["ann"] == pytest.approx(ann_after(2000.0), abs=1e-4)
        assert engine.rating_list("rapid", FROM).digest == listed_before.digest
        engine.void("s-1")
        assert listed(engine, FROM)["ann"] == pytest.approx(ann_after(2000.0), abs=1e-4)
        assert engine.prove(document).holds
        assert not engine.core.check_caches().damaged
    with open_engine(tmp_path / "club.db") as engine:
        assert listed(engine, FROM)["ann"] == pytest.approx(ann_after(2000.0), abs=1e-4)
        assert listed(engine, FROM, known_at=3)["ann"] == pytest.approx(ann_after(DRAWN), abs=1e-4)


def test_the_rule_of_the_other_pool_is_the_one_of_its_list_of_the_day_before() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        engine.declare("standard", method="elo:k=10")
        engine.declare("standard", method="elo:k=40", starting="2024-03-01", restated=True)
        drawn = 2000.0 + 10.0 * (0.5 - share(2000.0, 1500.0))
        assert listed(engine, FROM)["ann"] == pytest.approx(ann_after(drawn), abs=1e-4)


def test_workers_begin_with_the_same_ratings(tmp_path: Any) -> None:
    with open_engine(tmp_path / "club.db") as engine:
        people(engine)
        texts = [FROM, "elo"]
        one, two = (engine.compare("rapid", texts, jobs=jobs) for jobs in (1, 2))
        assert [line["log_loss"] for line in one.scores] == [line["log_loss"] for line in two.scores]


@pytest.mark.parametrize(
    ("other", "text", "why"),
    [
        ("elo:entry=from(rapid)", FROM, "goes round in a circle: standard begins from rapid, then from standard"),
        ("elo", "elo:entry=from(rapid)", "goes round in a circle: rapid begins from rapid"),
        ("trueskill", FROM, "cannot begin with the ratings of trueskill"),
    ],
)
def test_pools_that_cannot_begin_from_each_other_are_refused(other: str, text: str, why: str) -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        if "rapid" in other:
            engine.declare("rapid", method=text)
            with pytest.raises(BadValue, match="circle"):
                engine.declare("standard", method=other)
            return
        engine.declare("standard", method=other)
        with pytest.raises(BadValue, match=why):
            engine.rating_list("rapid", text)


@pytest.mark.parametrize(
    ("text", "bo"),
    [
        (FROM, 1500.0), ("elo:entry=from(standard,mean)", 1500.0), ("elo:entry=from(standard,trial(2))", None),
        ("elo:period=month,entry=from(standard)", 1500.0), ("elo:period=event,entry=from(standard)", 1500.0),
        ("elo then elo:entry=from(standard) from 2024-02-20", 1500.0),
    ],
)  # fmt: skip
def test_a_newcomer_is_foretold_by_the_rating_of_the_other_pool(text: str, bo: float | None) -> None:
    """Nothing was expected of them, and their rating was missing: only what a result made of it was right."""
    with open_engine(":memory:") as engine:
        people(engine)
        first = engine.plan.void("r-1")
        engine.apply(first)
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-01", a="ann", b="eve", score=1.0, uid="r-2"))
        cy = 1500.0 - (DRAWN - 2000.0)
        one, other = engine.predict("rapid", text, [("cy", "ann"), ("bo", "cy")], "2024-04-01", newcomers=True)
        ann = DRAWN if bo is None else ann_after(DRAWN)  # by trial, eve is unrated and the game counts for nobody
        assert one.before == {"cy": {"rating": pytest.approx(cy)}, "ann": {"rating": pytest.approx(ann)}}
        assert one.expected == pytest.approx((share(cy, ann), share(ann, cy)))
        if bo is None:
            assert other.expected == (None, None)
            assert other.notes == ("no forecast for the unrated: bo",)
            return
        mean = (ann + 1500.0 - (ann - DRAWN)) / 2.0 if "mean" in text else bo
        assert other.expected[0] == pytest.approx(share(mean, cy))


def test_slices_begin_from_another_pool_as_a_log_with_these_results_would() -> None:
    with open_engine(":memory:") as engine, open_engine(":memory:") as alone:
        cup = rc.GamePlayed(pool="rapid", played="2024-03-05", a="ann", b="cy", score=0.5, data={"event": "Cup"})
        people(engine)
        engine.record(cup)
        people(alone)
        alone.void("r-1")
        alone.record(cup)
        for method in FORMS:
            whole = {row["player"]: row["rating"] for row in alone.rating_list("rapid", method)}
            part = {row["player"]: row["rating"] for row in engine.rating_list("rapid[event=Cup]", method)}
            assert part == whole
            asked: Any = ([("ann", "cy")], "2024-04-01")
            one = engine.predict("rapid[event=Cup]", method, *asked, facts={"event": "Cup"})
            assert one[0].expected == alone.predict("rapid", method, *asked, facts={"event": "Cup"})[0].expected


def test_pools_of_sessions_refuse_an_entry_from_another_pool_in_words() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        sides = [rc.Side([name], float(score)) for name, score in (("ann", 3), ("bo", 2), ("cy", 1))]
        engine.record(rc.SessionPlayed(pool="teams", played="2024-03-05", sides=sides))
        with pytest.raises(BadParameter, match="entry works with games, game by game or by period"):
            engine.rating_list("teams", "weng-lin:entry=from(standard)")


def test_a_pool_that_the_log_does_not_know_is_refused() -> None:
    with open_engine(":memory:") as engine:
        people(engine)
        for text in ("elo:entry=from(blitz)", "elo then elo from 2024-02-01 once=lifted(from(blitz),100)"):
            with pytest.raises(
                UnknownOtherPool, match="takes ratings from pool blitz, which the log does not have"
            ) as no:
                engine.rating_list("rapid", text)
            assert "import or seed pool blitz first, or declare it without results yet" in no.value.hint
            with pytest.raises(UnknownOtherPool):
                engine.declare("rapid", method=text)
        engine.declare("blitz", method="elo")
        assert engine.declare("rapid", method="elo:entry=from(blitz)").accepted


@pytest.mark.parametrize("text", ["from()", "from(standard", "from(standard,from(blitz))", "from(standard,first)"])
def test_texts_of_no_other_pool_are_refused(text: str) -> None:
    with pytest.raises((BadParameter, BadValue)):
        open_engine(":memory:").core.method(f"elo:entry={text}")


def test_the_text_of_an_entry_builds_it_again() -> None:
    engine = open_engine(":memory:")
    for text in ("from(standard)", "from(Standard chess,trial(15))", "from( standard , pooled(5,26,fide2024) )"):
        made = engine.core.method(f"elo:period=month,entry={text}")
        assert engine.core.method(identity(made)) == made
        assert engine.core.method(text_of(made)) == made


LIFTED = "elo then elo from 2022-10-01 once=lifted(from(standard),100)"


def lifts(engine: Engine) -> None:
    """Ratings of September 2022: Gukesh in both pools, cy little apart, di in rapid chess alone."""
    given = {
        "standard": {"gukesh": 2732.0, "cy": 2000.0},
        "rapid": {"gukesh": 2283.0, "cy": 1950.0, "di": 1500.0},
    }  # fmt: skip
    for pool, ratings in given.items():
        for who, rating in ratings.items():
            facts = {"player": who, "values": {"rating": rating}, "uid": f"{pool}-{who}"}
            engine.record(rc.RatingSeeded(pool=pool, played="2022-09-01", **facts))
    engine.record(rc.GamePlayed(pool="rapid", played="2022-11-01", a="ed", b="flo", score=0.5))


def test_the_single_act_of_october_2022_lifts_rapid_to_a_hundred_below_standard() -> None:
    """Gukesh had 2283 in rapid chess and 2732 in standard: 2632 (scacchierando.it)."""
    with open_engine(":memory:") as engine:
        lifts(engine)
        assert listed(engine, LIFTED) == {"gukesh": 2632.0, "cy": 1950.0, "di": 1500.0, "ed": 1500.0, "flo": 1500.0}
        lines = engine.explain("rapid", "gukesh", LIFTED).lines
        assert [(line.opponent, line.contribution) for line in lines] == [
            ("seed", 783.0), ("once: lifted(from(standard),100.0)", 349.0)
        ]  # fmt: skip
        assert listed(engine, LIFTED, through="2022-09-30")["gukesh"] == 2283.0
        assert listed(engine, "book:fide-rapid", through="2022-10-31")["gukesh"] == 2632.0


def test_a_correction_of_the_standard_rating_flows_through_the_single_act(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    with open_engine(":memory:") as engine:
        lifts(engine)
        for _ in range(2):
            assert listed(engine, LIFTED)["gukesh"] == 2632.0
        before = engine.rating_list("rapid", LIFTED).provenance
        engine.void("standard-gukesh")
        assert listed(engine, LIFTED)["gukesh"] == 2283.0
        assert engine.rating_list("rapid", LIFTED).provenance.other_pools != before.other_pools
        assert listed(engine, LIFTED, known_at=before.known_at)["gukesh"] == 2632.0


if __name__ == "__main__":
    for asked in FORMS:
        for example in range(int(sys.argv[1])):
            check(asked, example)
        print(f"{asked}: {sys.argv[1]} pairs of pools agree")
