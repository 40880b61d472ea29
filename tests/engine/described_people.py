"""A log that says much of its players, in every way in which that can be said, and what is left after an erasure."""

from pathlib import Path

import ratingcore as rc
from tests.log.making import game

KEY, NAME = "Kateřina Šimůnková", "Káťa Š."
MERGED = "Katerina Simunkova"
OWN = ("SK Žižkov 1903", "TJ Sokol Ústí", "Klub Důl Ležáky", "Příbram", "trenér Dědeček", "na vozíku", "WÜRM", "kat@ř")
"""Facts of the player and of the record that is merged with her."""
SHARED = "Spartak Vlašim"
"""A club of hers and of others."""
THEIRS = "Dukla Praha 6"
"""A fact that was first said of her, and moved to another player."""


def league(engine: rc.Engine, folder: Path) -> None:
    """Three players in some games, described by a table, by events, and by corrections of these."""
    for n in range(12):
        a, b = ((KEY, "bo"), ("bo", "cy"), ("cy", KEY))[n % 3]
        engine.record(game(f"g-{n}", a, b, (1.0, 0.5, 0.0)[n % 3], played=f"2024-01-{1 + n:02}"))
    engine.record(game("h", MERGED, "di", played="2024-02-01"))
    file = folder / "members.csv"
    file.write_text(
        f"player,called,born,title,federation,club\n{KEY},{NAME},1988,WÜRM,CZE,{OWN[0]}\nbo,,1990,FM,CZE,{SHARED}\n",
        encoding="utf-8",
    )
    engine.import_players(file, "rapid")
    engine.import_players(file, "rapid")  # the same again is one fact
    described = {"pool": "rapid", "player": KEY, "played": "2024-01-05"}
    engine.record(
        rc.PlayerDescribed(uid="d-1", **described, data={"club": OWN[1], "sigma": 61.25, "junior": True, "boards": 7}),
        rc.PlayerDescribed(uid="d-2", **described, data={"club": SHARED, "health": OWN[5], "mail": OWN[7]}),
        rc.PlayerDescribed(uid="d-3", **described, data={"club": THEIRS, "coach": OWN[4]}),
        rc.PlayerDescribed(uid="d-4", pool="rapid", player=MERGED, played="2024-01-02", data={"town": OWN[3]}),
        rc.PlayerDescribed(uid="d-5", pool="rapid", player="cy", played="2024-01-02", data={"club": SHARED}),
    )
    engine.amend("d-1", {"club": OWN[2]}, own_uid="a-1")
    engine.amend("d-3", {"player": "di", "coach": None}, own_uid="a-2")
    engine.void("d-2", own_uid="v-1")
    engine.merge(KEY, MERGED)
    (folder / "members.csv").unlink()


def texts() -> tuple[str, ...]:
    """All that must be gone."""
    return KEY, NAME, MERGED, *OWN


def check_going(engine: rc.Engine) -> None:
    """The plan names every fact that goes, and where those are that stay."""
    plan = engine.plan.erase(KEY)
    facts = {drop.text for drop in plan.drops if drop.what == "fact"}
    assert facts == {
        "title: WÜRM", "federation: CZE", f"club: {OWN[0]}", f"club: {OWN[1]}", f"club: {OWN[2]}", f"club: {SHARED}",
        "junior: True", "boards: 7", f"health: {OWN[5]}", f"mail: {OWN[7]}", f"coach: {OWN[4]}", f"town: {OWN[3]}",
    }  # fmt: skip
    assert (plan.report.described, plan.report.facts, plan.report.rated) == (12, {}, {14: ("born",), 16: ("sigma",)})
    assert "  born at position 14\n  sigma at position 16" in str(plan)


def check_gone(engine: rc.Engine) -> None:
    """Nothing is known of the player at any cut, and everything of the others."""
    label = "(erased 2)"
    for cut in (None, 13, 18, 20, engine.log.head.position):
        listed = engine.player("rapid", label, "elo", known_at=cut)
        assert not {"title", "federation", "junior", "boards", "health", "mail", "coach"} & listed.facts.keys()
        assert listed.facts.get("club") in (None, THEIRS)  # which counted as hers for a while
        assert listed.called is None
    assert engine.player("rapid", label, "elo").facts == {"born": 1988, "sigma": 61.25}
    assert engine.player("rapid", "bo", "elo").facts == {
        "born": 1990,
        "title": "FM",
        "federation": "CZE",
        "club": SHARED,
    }
    assert engine.player("rapid", "cy", "elo").facts == {"club": SHARED}
    assert engine.player("rapid", "di", "elo").facts == {"club": THEIRS}
    assert [row["player"] for row in engine.players()] == ["bo", "cy", "di"]
    said = {row.uid: event for row, event in engine.events(0, ("player", "amend"))}
    assert said["d-1"].data == {"sigma": 61.25}
    assert said["d-2"].data == {}
    assert said["a-1"].changes == {"club": None}
    assert said["d-5"].data == {"club": SHARED}
    assert not any(text in line for line in engine.export() for text in texts())
