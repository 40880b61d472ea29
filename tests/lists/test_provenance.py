"""What makes two lists one question: pool, method, formula, digits; and what a list says of who was left off."""

import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.errors import CannotRebuild, OtherQuestion
from ratingcore.lists.policy import ListPolicy, change_of
from ratingcore.lists.published import check_repeatable, is_published_as


@pytest.fixture
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for day, a, b in ((2, "ann", "bo"), (9, "cy", "di"), (16, "eve", "fay")):
        engine.record(rc.GamePlayed(pool="club", played=f"2024-03-{day:02}", a=a, b=b, score=1.0))
    return engine


def test_lists_of_other_significant_digits_are_not_subtracted(engine: rc.Engine) -> None:
    six, four = (engine.rating_list("club", "elo", policy=f"significant={digits}") for digits in (6, 4))
    with pytest.raises(OtherQuestion):
        six.since(four)
    assert six.since(engine.rating_list("club", "elo", policy="significant=6"))


def test_another_formula_is_another_method_and_a_parameter_that_came_since_is_not(engine: rc.Engine) -> None:
    made = engine.rating_list("club", "elo").provenance
    assert not made.same_method(evolve(made, method=made.method.replace("elo@1(", "elo@2(")))
    assert not made.same_method(evolve(made, method=made.method.replace("elo@1(", "old@1(")))
    assert not made.same_method(evolve(made, method=made.method.replace("k=20.0", "k=24.0")))
    assert made.same_method(evolve(made, method="elo@1(k=20.0)"))


def test_a_reason_that_left_nobody_off_is_not_told(engine: rc.Engine) -> None:
    made = engine.rating_list("club", "elo", policy="min_games=1,active=months(1)", through="2024-04-09").provenance
    assert made.left_off == (("fewer than 1 game", 0), ("no game in 1 month", 4))
    assert made.left_off_text() == "4 (no game in 1 month)"
    assert engine.rating_list("club", "elo", policy="min_games=1").provenance.left_off_text() == "nobody"


def test_an_empty_list_has_nobody_who_could_be_rated(engine: rc.Engine) -> None:
    listed = engine.rating_list("club", "elo", policy="min_games=9")
    assert (len(listed), listed.provenance.unrated, listed.provenance.empty) == (0, "", False)


def test_a_list_of_another_day_or_policy_is_not_the_published_one(engine: rc.Engine) -> None:
    listed = engine.rating_list("club", "elo")
    published, made = engine.publish(listed, name="March"), listed.provenance
    assert is_published_as(published, listed)
    for other in (
        evolve(made, at=made.at + 1), evolve(made, policy=ListPolicy(min_games=1)), evolve(made, through=made.at),
        evolve(made, pool="other"), evolve(made, method=made.method.replace("k=20.0", "k=24.0")),
    ):  # fmt: skip
        assert not is_published_as(published, evolve(listed, provenance=other))


def test_an_event_like_that_of_a_list_with_another_uid_publishes_nothing(engine: rc.Engine) -> None:
    published = engine.publish(engine.rating_list("club", "elo"), name="March")
    (event,) = (event for _, event in engine.events() if event.kind == "list")
    assert event.uid.startswith("l-")
    engine.record(evolve(event, uid="l-" + "0" * 32, name="April"))  # type: ignore[arg-type]  # a published list
    assert [one.name for one in engine.published("club")] == [published.name]


def test_a_method_text_that_builds_another_identity_is_not_published(engine: rc.Engine) -> None:
    made = engine.rating_list("club", "elo").provenance
    assert check_repeatable(engine.registry, "March", made.method) == engine.registry.method("elo")
    with pytest.raises(CannotRebuild, match="its method text builds another method"):
        check_repeatable(engine.registry, "March", "elo@1(k=20.0)")


def test_the_day_of_an_empty_published_list_means_something_if_one_was_asked_for(engine: rc.Engine) -> None:
    published = engine.publish(engine.rating_list("club", "elo"), name="March")
    assert not evolve(published, players=0).of_no_day
    assert evolve(published, players=0, at=0).of_no_day
    assert not evolve(published, players=0, at=0, through=5).of_no_day
    assert not evolve(published, at=0).of_no_day


def test_players_who_are_level_share_dense_ranks_among_those_listed_too(engine: rc.Engine) -> None:
    engine.record(
        *(
            rc.PlayerDescribed(pool="club", player=player, played="2024-01-01", data={"sex": "w"})
            for player in ("ann", "cy", "bo", "di")
        )
    )
    for ties, ranks in (("dense", [1, 1, 2, 2]), ("shared", [1, 1, 3, 3])):
        listed = engine.rating_list("club", "elo", policy=f"ties={ties}")
        some = engine.with_columns(listed, where="sex=w", ranks="listed")
        assert dict(zip(some.player, some.rank.tolist(), strict=True)) == dict(
            zip(("ann", "cy", "bo", "di"), ranks, strict=True)
        )


def test_an_erased_name_changes_the_tag_of_a_list_and_is_called_nothing(engine: rc.Engine) -> None:
    for player, called in (("ann", "Ann Lee"), ("bo", "Bo Lund")):
        described = rc.PlayerDescribed(pool="club", player=player, played="2024-01-01", called=called)
        engine.record(described)
    listed, head = engine.rating_list("club", "elo"), engine.log.head
    assert dict(zip(listed.player, listed.called, strict=True))["ann"] == "Ann Lee"
    engine.erase("ann")
    again = engine.rating_list("club", "elo", known_at=head)
    called = dict(zip(again.player, again.called, strict=True))
    assert {name for name in called.values() if name} == {"Bo Lund"}
    assert again.etag != listed.etag
    assert again.seal == listed.seal


def test_a_change_has_the_decimals_of_the_larger_number_whichever_is_new() -> None:
    # 0.9 has its first digit at the first decimal: nine decimals and one more
    assert change_of(0.00012345678901, 0.9) == -0.8998765432
    assert change_of(0.9, 0.00012345678901) == 0.8998765432
