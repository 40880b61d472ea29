"""Explanations since a day under a rule with a history are the lines of the whole one from that day on."""

from itertools import pairwise

import numpy as np
import pytest

import ratingcore as rc

RULES = (
    "elo then elo:k=30 from 2002-01-01 then elo:k=40 from 2003-01-01",
    "elo:k=10 then glicko from 2001-07-01 then elo:k=40 from 2002-07-01 then elo from 2003-07-01",
    "elo:period=month then elo:period=month,k=30 from 2001-05-10 then elo:k=12 from 2003-02-03",
    "elo:entry=trial(3) then elo:k=30 from 2002-01-01 then elo:k=40,floor=1450 from 2003-01-01",
)


def played() -> list[rc.GamePlayed]:
    rng = np.random.default_rng(7)
    days = sorted(rng.integers(0, 1_400, 90).tolist())
    names = np.array(["ann", "bo", "cy", "dee", "eve"])
    return [
        rc.GamePlayed(
            pool="p", played=str(np.datetime64("2000-06-01") + day), a=str(a), b=str(b),
            score=float(rng.choice([0.0, 0.5, 1.0])), uid=f"g-{turn}",
        )
        for turn, day in enumerate(days) for a, b in [rng.choice(names, 2, replace=False)]
    ]  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_lines_since_a_day_are_those_of_the_whole_explanation(rule: str) -> None:
    """A day inside a middle step brought games of before that day, and a line for the sum that did not add up."""
    with rc.open(":memory:") as engine:
        engine.record(*played())
        for since in ("2001-03-01", "2001-11-15", "2002-02-01", "2002-09-15", "2003-04-01", "2004-02-01"):
            for through in ("2002-10-10", "2003-09-01", "2004-04-01"):
                if since > through:
                    continue
                whole = engine.explain("p", "ann", rule, through=through)
                part = engine.explain("p", "ann", rule, since=since, through=through)
                ours = [(line.uid, line.rating) for line in part.lines if line.uid]
                all_of_them = [(line.uid, line.rating, line.played) for line in whole.lines if line.uid]
                begun = rc.GamePlayed(pool="p", played=since, a="ann", b="bo", score=1.0).played
                # games of a period that is open then are rated at its end
                assert len(ours) - sum(at >= begun for *_, at in all_of_them) in (
                    (0, 1, 2) if "month" in rule or "glicko" in rule else (0,)
                )
                later = all_of_them[len(all_of_them) - len(ours) :]
                assert [uid for uid, _ in ours] == [uid for uid, *_ in later]
                assert [rating for _, rating in ours] == pytest.approx([rating for _, rating, _ in later], nan_ok=True)
                assert part.closing == whole.closing
                for line, after in pairwise(part.lines):
                    assert line.played <= after.played
                assert not [line for line in part.lines if line.kind == "list"]
