"""How methods take part."""

import pytest
from ratingcore_laboratory import Contender

from ratingcore.errors import BadParameter, BadValue
from tests.plugins.laboratory.making import THESIS, contender, method, run


def test_the_three_of_the_study() -> None:
    assert [(c.name, c.method.name, c.entry, c.begins) for c in THESIS] == [
        ("A", "elo", "initial", 1100.0),
        ("B", "elo", "trial", 1100.0),
        ("C", "adaptive-k", "trial", 1100.0),
    ]


def test_a_text_with_a_trial_makes_a_contender_with_a_trial() -> None:
    made = contender("elo:k=24,entry=trial(7,fide2014)")
    assert (made.method, made.entry, made.games, made.rule) == (method("elo:k=24"), "trial", 7, "fide2014")
    assert contender("elo:k=24,entry=at_start").entry == "initial"


def test_a_pooled_entry_has_games_and_months() -> None:
    made = contender("periodic:entry=pooled(5,26,fide2024)")
    assert (made.entry, made.games, made.months, made.rule) == ("pooled", 5, 26, "fide2024")
    assert made.method == method("periodic")
    assert "entry=pooled, 5 games, 26 months, fide2024" in made.identity


def test_identities_tell_contenders_apart() -> None:
    texts = ["elo:entry=pooled(5,26)", "elo:entry=pooled(5,12)", "elo:entry=pooled(6,26)"]
    texts += ["elo", "elo:entry=trial(15)", "elo:entry=trial(9)", "elo:entry=trial(9,fide2014)"]
    made = [*(contender(text) for text in texts), contender("elo", start=900.0)]
    assert len({each.identity for each in made}) == len(made)


@pytest.mark.parametrize(
    "text",
    ["elo:entry=refuse", "bridge-bayes:entry=trial(3)", "berkin:entry=trial(3)", "berkin:entry=pooled(3,5)"],
)
def test_an_entry_that_no_simulation_has_is_refused(text: str) -> None:
    with pytest.raises(BadParameter) as caught:
        contender(text)
    assert caught.value.parameter == "entry"


def test_a_method_that_would_rate_nobody_asks_for_a_start() -> None:
    with pytest.raises(BadParameter, match="begins unrated: give the contender a start"):
        contender("elo:preset=fide")
    assert contender("elo:preset=fide", start=1500.0).begins == 1500.0


@pytest.mark.parametrize(
    "values",
    [
        {"name": " "},
        {"entry": "later"},
        {"start": float("nan")},
        {"games": 0},
        {"rule": "fide2024"},
        {"entry": "pooled", "games": 5},
        {"entry": "pooled", "months": 5},
        {"entry": "pooled", "games": 5, "months": 26, "rule": "fide2024"},
    ],
)
def test_values_that_say_nothing_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadValue):
        Contender(**{"name": "x", "method": method("elo"), **values})  # type: ignore[arg-type]  # wrong on purpose


def test_a_trial_is_as_long_as_the_contender_says_or_the_world() -> None:
    trial = run("elo:entry=trial(3)", keep=True)
    newcomers = int((trial.people.joined > 0).sum())
    assert sum(len(part.entries) for part in trial.standings[0].round_results if part.entries) == 3 * newcomers > 0
