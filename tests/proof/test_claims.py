"""What a document of a list claims beside its rows: version, zone, head, what was left out; each claim is checked."""

import json
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.errors import BadDocument
from ratingcore.proof import Proof

ANEW = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "made_anew.jsonl"
"""A log that an earlier version made anew twice: its lists name heads of the logs before it."""


def failed(proof: Proof) -> list[str]:
    return [check.what for check in proof.checks if not check.holds]


def told(proof: Proof) -> str:
    return next(check.detail for check in proof.checks if not check.holds)


@pytest.fixture
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for day, a, b in (("02", "ann", "bo"), ("09", "bo", "cy"), ("16", "cy", "ann"), ("17", "ann", "bo")):
        engine.record(rc.GamePlayed(pool="club", played=f"2024-03-{day}", a=a, b=b, score=1.0))
    sides = [rc.Side(["ann", "bo"], 1.0), rc.Side(["cy", "di"], 0.0)]
    engine.record(rc.SessionPlayed(pool="club", played="2024-03-18", sides=sides))
    return engine


def document(engine: rc.Engine, name: str = "", method: str = "elo", **asked: Any) -> dict[str, Any]:
    listed = engine.rating_list("club", method, **asked)
    if name:
        engine.publish(listed, name=name)
    read: dict[str, Any] = json.loads(listed.document("json", name))
    return read


def test_a_published_document_that_claims_another_version_does_not_hold(engine: rc.Engine) -> None:
    written = document(engine, "March")
    assert engine.prove(written)
    true = written["provenance"]["ratingcore"]
    written["provenance"]["ratingcore"] = "0.0.1"
    proof = engine.prove(written)
    assert failed(proof) == ["name"]
    assert told(proof) == f"it was published with ratingcore {true}, not 0.0.1"


def test_a_published_document_that_claims_another_formula_does_not_hold(engine: rc.Engine) -> None:
    written = document(engine, "March")
    method = written["provenance"]["method"]
    assert method.startswith("elo@1(")
    written["provenance"]["method"] = method.replace("elo@1(", "elo@99(")
    assert failed(engine.prove(written)) == ["method"]
    written["provenance"]["method"] = method.replace("k=20.0", "k=20.5")
    assert "name" in failed(engine.prove(written))


def test_a_document_published_under_one_name_does_not_hold_under_another(engine: rc.Engine) -> None:
    document(engine, "March", through="2024-03-09")
    written = document(engine, "April")
    written["list"] = "March"
    proof = engine.prove(written)
    assert (failed(proof), told(proof)) == (["name"], "another list was published as March")


def test_a_document_that_claims_the_days_of_another_zone_does_not_hold(engine: rc.Engine) -> None:
    written = document(engine, through="2024-03-17")
    written["provenance"]["zone"] = "Europe/Prague"
    proof = engine.prove(written)
    assert failed(proof) == ["facts"]
    assert told(proof) == "its days are those of UTC, not of Europe/Prague"


def test_a_list_of_a_zone_is_cut_at_a_time_on_its_clock() -> None:
    engine = rc.open(":memory:")
    engine.declare("club", zone="Europe/Prague")
    # in March Prague is an hour ahead: 16:30 UTC is 17:30 there, before the cut, and 17:30 UTC is behind it
    for hour, winner in (("16:30", "ann"), ("17:30", "bo")):
        played = f"2024-03-02T{hour}:00Z"
        engine.record(rc.GamePlayed(pool="club", played=played, a=winner, b="cy", score=1.0))
    listed = engine.rating_list("club", "elo", through="2024-03-02T18:00")
    assert set(listed.player) == {"ann", "cy"}
    written = json.loads(listed.document("json"))
    assert engine.prove(written), engine.prove(written)
    written["provenance"]["through"] = "2024-03-02T18:45:00+01:00"
    assert not engine.prove(written)


@pytest.mark.parametrize("claimed", [{}, {"session": 2}, {"session": 1, "no points": 1}, {"no points": 1}])
def test_a_document_that_hides_what_was_left_out_does_not_hold(engine: rc.Engine, claimed: dict[str, int]) -> None:
    written = document(engine)
    assert written["provenance"]["left_out"] == {"session": 1}
    written["provenance"]["left_out"] = claimed
    proof = engine.prove(written)
    assert (failed(proof), told(proof)) == (["facts"], "left out was 1 result (session)")


@pytest.mark.parametrize(("until", "count"), [("2024-03-31", 4), ("2024-04-30", 3)])
def test_a_document_that_miscounts_what_waits_does_not_hold(engine: rc.Engine, until: str, count: int) -> None:
    written = document(engine, method="elo:period=month", through="2024-03-16")
    assert written["provenance"]["waiting"] == {"the end of their period on 2024-03-31": 3}
    assert engine.prove(written)
    written["provenance"]["waiting"] = {f"the end of their period on {until}": count}
    assert failed(engine.prove(written)) == ["facts"]


def test_the_last_row_cannot_be_given_to_the_first_player_once_its_name_is_erased(engine: rc.Engine) -> None:
    engine.record(rc.RatingSeeded(pool="club", played="2024-03-01", player="eve", values={"rating": 1000.0}))
    listed = engine.rating_list("club", "elo")
    written = json.loads(listed.document("json"))
    assert listed.player[-1] == "eve"
    with engine.log.writing():
        engine.log.erase([engine.core.player_id("eve")])
    assert (engine.prove(written).holds, engine.prove(written).erased) == (True, 1)
    written["rows"][-1][1] = listed.player[0]
    proof = engine.prove(written)
    assert "rows" in failed(proof)
    assert proof.erased == 0


def test_facts_that_no_document_has_are_said_to_be_unchecked(engine: rc.Engine) -> None:
    written = document(engine) | {"approved by": "the board"}
    proof = engine.prove(written)
    assert (proof.holds, proof.unchecked) == (True, ("approved by",))


def test_an_earlier_head_is_believed_at_its_own_position_only() -> None:
    written = json.loads(ANEW.with_suffix(".json").read_text())
    with rc.open(":memory:") as anew:
        anew.load(ANEW.read_text().splitlines())
        assert anew.prove(written).unproved == ("head",)
        position, _, digest = written["provenance"]["head"].partition(":")
        for other in (int(position) - 1, int(position) + 1):
            written["provenance"]["head"] = f"{other}:{digest}"
            assert failed(anew.prove(written)) == ["head"]


def test_a_head_beyond_every_log_is_none(engine: rc.Engine) -> None:
    written = document(engine)
    digest = written["provenance"]["head"].partition(":")[2]
    written["provenance"]["head"] = f"{10**17}:{digest}"  # eighteen digits: a position of a log that does not exist
    assert failed(engine.prove(written)) == ["head"]
    written["provenance"]["head"] = f"{10**18}:{digest}"
    with pytest.raises(BadDocument, match="its head is not POSITION:DIGEST"):
        engine.prove(written)
