"""Covariates of Bradley and Terry's model: what else about two answers decided a vote, and by how much."""

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
import ratingcore_bradley_terry.bradley_terry as module
import ratingcore_bradley_terry.curvature as curvature
from ratingcore_bradley_terry import BradleyTerry, Covariates

import ratingcore as rc
from ratingcore.errors import BadField, BadParameter
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.plugin import Floats, Games, Solved
from tests.golden.playing import games
from tests.plugins.test_bradley_terry import solve

POINTS = 400.0 / log(10.0)
STYLE = BradleyTerry(with_=Covariates.parse("length+lists+first"))


def votes() -> Games:
    """6,000 votes for 12 models, of which the longer answer, the one with more lists and the first do better."""
    random, n, models = np.random.default_rng(36), 6000, 12
    strength = random.normal(0.0, 0.5, models)
    a = random.integers(0, models, n)
    b = (a + random.integers(1, models, n)) % models
    length, lists = random.lognormal(5.5, 0.8, (n, 2)).round(), random.integers(0, 12, (n, 2)) * 1.0
    long, listed = length[:, 0] - length[:, 1], lists[:, 0] - lists[:, 1]
    logit = strength[a] - strength[b] + 0.3 * long / 300 + 0.1 * listed / 5 + 0.1
    score = np.where(random.random(n) < 0.25, 0.5, (random.random(n) < 1.0 / (1.0 + np.exp(-logit))) * 1.0)
    return with_fields(games(a, b, score), length=(length[:, 0], length[:, 1]), lists=listed, first=np.ones(n))


def with_fields(played: Games, **given: Floats | tuple[Floats, Floats]) -> Games:
    """The games with fields as a timeline has them: a difference, or one column for each side."""
    none, facts = np.full(len(played), np.nan), {}
    for name, one in given.items():
        own, a, b = (none, *one) if isinstance(one, tuple) else (one, none, none)
        facts |= {name: own, f"{name}_a": a, f"{name}_b": b}
    return played.replaced(facts=facts)


def worth(solved: Solved) -> list[float]:
    return [one.value for one in solved.coefficients]


def test_ratings_and_coefficients_are_those_of_arena_rank() -> None:
    """arena-rank 0.1.1, ContextualBradleyTerry(reg=0, hessian_reg=1e-9), reweighted=False, normalize_features=False.

    Its features were divided by their root mean squares, its ratings put about a mean of 0.
    """
    solved = solve(STYLE, votes())
    rating = [
        -64.74349, -7.45304, -15.45006, -24.51998, 62.2908, 17.66528, 31.55108, 6.48639, -64.42121, 9.63848, 35.67915,
        13.2766,
    ]  # fmt: skip
    half = [16.869, 17.5177, 17.2882, 17.5317, 17.2762, 17.2713, 17.0903, 17.7041, 17.373, 17.368, 16.6419, 17.5078]
    assert solved.state["rating"] == pytest.approx(rating, abs=1e-3)
    assert 1.959964 * solved.state["deviation"] == pytest.approx(half, rel=0.01)
    assert worth(solved) == pytest.approx([POINTS * one for one in (0.2792841, 0.0298004, 0.1059132)], abs=1e-3)
    assert [one.per for one in solved.coefficients] == pytest.approx([444.12994701, 4.8980098, 1.0])
    assert all(one.low < one.value < one.high for one in solved.coefficients)


def test_ratings_without_covariates_are_those_of_evalica() -> None:
    """evalica 0.4.2, `bradley_terry(tie_weight=0.5)` of the same votes: logarithms of its scores about a mean of 0."""
    rating = [
        -62.526, -4.7047, -15.1018, -21.5581, 57.041, 14.8849, 28.9238, 5.2243, -60.9361, 10.2011, 35.0056, 13.5459,
    ]  # fmt: skip
    assert solve(BradleyTerry(), votes()).state["rating"] == pytest.approx(rating, abs=1e-3)


def test_naming_the_sides_the_other_way_round_moves_nothing() -> None:
    played = votes()
    turned = played.replaced(a=played.b, b=played.a, score=1.0 - played.score)
    facts = {"length_a": "length_b", "length_b": "length_a"}
    other = {name: played[facts[name]] if name in facts else -played[name] for name in played.facts}
    one, same = solve(STYLE, played), solve(STYLE, turned.replaced(facts=other))
    assert same.state["rating"] == pytest.approx(one.state["rating"], abs=1e-9)
    assert worth(same) == pytest.approx(worth(one), abs=1e-9)


def test_a_fact_of_players_alone_is_refused() -> None:
    played = votes()
    size = np.arange(12.0)
    for method, fields in (
        (BradleyTerry(with_=Covariates(("size",))), {"size": (size[played.a], size[played.b])}),
        (BradleyTerry(with_=Covariates(("x", "y"))), {"x": played["lists"], "y": -3.0 * played["lists"]}),
        (BradleyTerry(with_=Covariates(("first",)), home=None), {"first": np.ones(len(played)), "home": np.ones(6000)}),
    ):
        with pytest.raises(BadParameter, match="the players and the other fields determine"):
            solve(method, with_fields(played, **fields))


def test_a_field_that_no_result_has_is_refused() -> None:
    played = votes()
    with pytest.raises(BadParameter, match="in which the sides never differ: 'width'"):
        solve(BradleyTerry(with_=Covariates(("width",))), with_fields(played, width=np.full(len(played), np.nan)))


def test_a_field_that_alone_decides_results_is_refused() -> None:
    """Its worth has no bound: a list of it had ratings of 0, deviations of 500,000 and the status ok."""
    played = votes()
    won = int(np.flatnonzero(played.score == 1.0)[3])
    for decisive in (np.sign(played.score - 0.5), np.where(np.arange(len(played)) == won, 1.0, 0.0)):
        with pytest.raises(BadParameter, match="decides every result in which the sides differ in it: 'longer'"):
            solve(BradleyTerry(with_=Covariates(("longer",))), with_fields(played, longer=decisive))


@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_the_unit_of_a_field_moves_nothing(unit: float) -> None:
    played, method = votes(), BradleyTerry(with_=Covariates(("lists",)))
    one, same = solve(method, played), solve(method, with_fields(played, lists=played["lists"] * unit))
    assert same.state["rating"] == pytest.approx(one.state["rating"], abs=1e-9)
    assert worth(same) == pytest.approx(worth(one), abs=1e-9)


@pytest.mark.parametrize("text", ["", "a+", "a+a"])
def test_names_have_one_plus_between_them(text: str) -> None:
    with rc.open(":memory:") as engine, pytest.raises(BadParameter, match="with"):
        engine.registry.method(f"bradley-terry:with={text}")


def test_forecasts_know_the_covariates_of_the_result() -> None:
    played = votes()
    solved = solve(STYLE, played)
    same = with_fields(played, length=np.zeros(6000), lists=np.zeros(6000), first=np.zeros(6000))
    alone = STYLE.expected(solved.state, same).expected
    ahead = STYLE.expected(solved.state, same.replaced(facts={**same.facts, "first": np.ones(6000)})).expected
    gap = np.log(ahead / (1.0 - ahead)) - np.log(alone / (1.0 - alone))
    assert POINTS * gap == pytest.approx(worth(solved)[2])


@pytest.mark.parametrize("clusters", [None, "voter"])
def test_large_pools_have_the_same_coefficients(clusters: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    played = votes()
    played = played.replaced(facts={**played.facts, "voter": np.random.default_rng(4).integers(1, 40, 6000) * 1.0})
    method = BradleyTerry(with_=STYLE.with_, clusters=clusters)
    small = solve(method, played).coefficients
    monkeypatch.setattr(module, "DENSE", 4)
    monkeypatch.setattr(curvature, "DENSE", 4)
    monkeypatch.setattr(curvature, "SMALL", 4)
    large = solve(method, played).coefficients
    for one, other in zip(small, large, strict=True):
        assert (other.value, other.low) == pytest.approx((one.value, one.low), rel=1e-6)


def test_lists_name_the_coefficients_also_in_the_next_process(tmp_path: Path) -> None:
    played = votes()
    with rc.open(tmp_path / "arena.db") as engine:
        cells = zip(played.a.tolist(), played.b.tolist(), played.score.tolist(), played["lists"].tolist(), strict=True)
        engine.record(
            *(
                rc.GamePlayed(
                    pool="p", played="2024-03-02", uid=f"v{n}", a=f"m{a}", b=f"m{b}", score=s, data={"lists": x}
                )
                for n, (a, b, s, x) in enumerate([*cells][:500])
            )
        )
        listed = engine.rating_list("p", "bradley-terry:with=lists")
    (said,) = listed.provenance.coefficients
    assert str(said) in listed.provenance.lines()
    assert json.loads(listed.document("json"))["provenance"]["coefficients"] == [said.as_row]
    assert f"# beside ratings: {said}" in listed.document("csv")
    with rc.open(tmp_path / "arena.db") as engine:
        again = engine.rating_list("p", "bradley-terry:with=lists")
    assert (again.provenance, again.digest) == (listed.provenance, listed.digest)


def test_words_of_a_field_become_numbers_by_a_mapping_and_an_import_that_amends() -> None:
    """The page named `first`, and neither its numbers nor their signs, and 4,000 votes were in the log by then."""
    given = [
        {"uid": f"v-{n}", "played": "2024-03-02", "a": a, "b": b, "score": score, "first": first}
        for n, (a, b, score, first) in enumerate(
            [("ann", "bo", 1.0, "a"), ("bo", "ann", 1.0, "a"), ("ann", "bo", 1.0, "b"), ("ann", "bo", 0.0, "b")] * 9
        )
    ]
    with rc.open(":memory:") as engine:
        engine.import_file(given, "p", {"first": "first"})
        with pytest.raises(BadField) as caught:
            engine.rating_list("p", "bradley-terry:with=first")
        assert 'first = { column = "first", words = { "a" = "1" } }' in caught.value.hint
        mapping = FieldMap({"first": FromColumn("first", {"a": "1", "b": "-1"})})
        assert engine.import_file(given, "p", mapping, amend=True).amended == len(given)
        listed = engine.rating_list("p", "bradley-terry:with=first")
        assert sorted(listed.player) == ["ann", "bo"]
