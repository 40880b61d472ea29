"""A list inside a period says what waits for its end, and counts as games what is rated."""

import json

import pytest

import ratingcore as rc
from ratingcore.lists.published import publication

DAYS = ("2024-01-05", "2024-01-20", "2024-02-03", "2024-02-10", "2024-03-10")


@pytest.fixture
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for number, day in enumerate(DAYS):
        data = {"event": "Open" if number in (0, 3) else "League"}
        engine.record(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=1.0, data=data))
    return engine


@pytest.mark.parametrize(
    ("method", "through", "games", "said"),
    [
        ("elo:period=month", "2024-02-10", 2, "2 results wait for the end of their period on 2024-02-29"),
        ("glicko2", "2024-01-10", 0, "1 result waits for the end of their period on 2024-01-31"),
        ("periodic:period=quarter", "2024-02-10", 0, "4 results wait for the end of their period on 2024-03-31"),
        ("elo:period=event", "2024-02-10", 2, "2 results wait for the end of their tournament"),
        ("elo:period=cuts(2024-02-01;2024-04-01)", "2024-02-10", 2, "2 results wait for the end of their period"),
        ("elo:period=month", "2024-01-31", 2, ""),
        ("elo:period=month", None, 5, ""),
        ("elo", "2024-02-10", 4, ""),
        ("whr", "2024-02-10", 4, ""),
    ],
)
def test_what_waits_is_said_and_is_not_among_the_games(
    engine: rc.Engine, method: str, through: str | None, games: int, said: str
) -> None:
    listed = engine.rating_list("p", method, through=through)
    assert listed.games.tolist() == ([games, games] if games else [])
    assert [line for line in str(listed).splitlines() if "wait for" in line or "waits for" in line] == (
        [said] if said else []
    )
    assert not len(engine.rating_list("p", method, through=through, policy=f"min_games={games + 1}"))
    published = engine.publish(listed, "list")
    assert engine.published_list(published) == listed
    assert engine.prove(listed.document("json", "list"))
    assert (f"# not yet rated: {said}\n" in listed.document("csv")) == bool(said)


def test_nobody_is_listed_before_their_first_result_counts(engine: rc.Engine) -> None:
    """Cy, who had only played games that wait, was listed at 1500 with no games, above somebody who had lost."""
    engine.record(
        rc.GamePlayed(pool="p", played="2024-02-09", a="cy", b="bo", score=1.0),
        rc.RatingSeeded(pool="p", played="2024-02-09", player="dee", values={"rating": 1600.0}),
        rc.RatingSeeded(pool="p", played="2024-02-11", player="eli", values={"rating": 1700.0}),
    )
    method = "elo:period=month"
    inside = engine.rating_list("p", method, through="2024-02-10")
    assert set(inside.player) == {"ann", "bo", "dee"}
    assert inside.rating("dee") == 1600.0
    assert inside.provenance.left_off == (("their first result waits", 1),)
    assert "left off 1 (their first result waits)" in str(inside)
    assert engine.published_list(engine.publish(inside, "inside")) == inside
    assert engine.prove(inside.document("json", "inside"))
    assert set(engine.rating_list("p", method, through="2024-02-29").player) == {"ann", "bo", "cy", "dee", "eli"}


def test_a_list_that_has_newcomers_whose_first_result_waits_is_made_again_as_it_was(engine: rc.Engine) -> None:
    through, head = "2024-01-10", engine.log.head
    new = engine.rating_list("p", "elo:period=month", through, head)
    method = engine.registry.method("elo:period=month")
    old = engine.core.proven_list("p", method, through, head, new.provenance.policy, form="newcomers")
    assert (len(new), len(old), old.provenance.left_off) == (0, 2, ())
    engine.record(publication(old, "old", engine.log))
    assert engine.published_list("old") == old
    assert engine.prove(old.document("json", "old"))


def test_a_list_of_an_older_version_counts_what_waits_and_is_made_again_as_it_was(engine: rc.Engine) -> None:
    through, head = "2024-02-10", engine.log.head
    new = engine.rating_list("p", "elo:period=month", through, head)
    method = engine.registry.method("elo:period=month")
    old = engine.core.proven_list("p", method, through, head, new.provenance.policy, form="all played")
    assert (old.games.tolist(), old.provenance.waiting) == ([4, 4], ())
    engine.record(publication(old, "old", engine.log))
    assert engine.published_list("old") == old
    assert engine.prove(old.document("json", "old"))


def test_a_document_that_hides_what_waits_does_not_hold(engine: rc.Engine) -> None:
    document = json.loads(engine.rating_list("p", "elo:period=month", through="2024-02-10").document("json"))
    assert document["provenance"].pop("waiting") == {"the end of their period on 2024-02-29": 2}
    proof = engine.prove(document)
    assert not proof
    assert "bo: in the document games 2; from the log games 4" in str(proof)


@pytest.mark.parametrize("waiting", [{"the end of their period on 2024-02-29": 3}, {"the end of the year": 2}])
def test_a_document_that_says_otherwise_what_waits_does_not_hold(engine: rc.Engine, waiting: dict[str, int]) -> None:
    document = json.loads(engine.rating_list("p", "elo:period=month", through="2024-02-10").document("json"))
    proof = engine.prove(document | {"provenance": document["provenance"] | {"waiting": waiting}})
    assert [check.what for check in proof.checks if not check.holds] == ["facts"]
