"""Codeforces: contests as one session of all who took part, from standings, from changes of ratings, or both."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ratingcore_servers import CODEFORCES

from ratingcore.errors import BadFile
from ratingcore.plugin.readers import Document, Refused, Seed, Session, Unrated, Who
from tests.plugins.reader_laws import items, kinds, offered, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "codeforces"
START = 1589286900
Row = tuple[str, float, int, int, int]


def rows(number: str) -> list[Row]:
    """The published rows of a contest: handle, points, penalty, rating before, change."""
    (path,) = FOLDER.glob(f"round-{number}-*")
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [(handle, *numbers) for handle, *numbers in json.loads(content)]


def ranked(given: list[Row]) -> list[tuple[int, Row]]:
    """Competition ranks by points, then penalty."""
    ordered = sorted(given, key=lambda row: (-row[1], row[2]))
    ranks: list[int] = []
    for place, row in enumerate(ordered):
        tied = place and ordered[place - 1][1:3] == row[1:3]
        ranks.append(ranks[-1] if tied else place + 1)
    return list(zip(ranks, ordered, strict=True))


def standings(number: int, given: list[Row], **contest: Any) -> dict[str, Any]:
    """The rows as `contest.standings` answers them."""
    header = {
        "id": number, "name": f"Round {number}", "type": "CF", "phase": "FINISHED", "durationSeconds": 7200,
        "startTimeSeconds": START, **contest,
    }  # fmt: skip
    places = [
        {
            "party": {"members": [{"handle": row[0]}], "participantType": "CONTESTANT", "ghost": False},
            "rank": rank, "points": row[1], "penalty": row[2], "problemResults": [],
        }
        for rank, row in ranked(given)
    ]  # fmt: skip
    return {"status": "OK", "result": {"contest": header, "problems": [], "rows": places}}


def changes(number: int, given: list[Row]) -> dict[str, Any]:
    """The rows as `contest.ratingChanges` answers them."""
    return {
        "status": "OK",
        "result": [
            {
                "contestId": number, "contestName": f"Round {number}", "handle": row[0], "rank": rank,
                "ratingUpdateTimeSeconds": START + 9000, "oldRating": row[3], "newRating": row[3] + row[4],
            }
            for rank, row in ranked(given)
        ],
    }  # fmt: skip


SMALL: list[Row] = [
    ("ann", 300, 0, 1500, 20), ("bo", 200, 5, 1400, 0), ("cy", 200, 5, 0, -7), ("NaNaNaNaN", 100, 0, 1300, -9),
]  # fmt: skip


@pytest.mark.parametrize(("number", "sides"), [("1349", 1248), ("1305", 7420)])
def test_a_contest_is_one_session_of_all_who_took_part(number: str, sides: int) -> None:
    given = rows(number)
    content = json.dumps(standings(int(number), given))
    assert sniffed(CODEFORCES, content) == 95
    found = items(CODEFORCES, content)
    assert kinds(found) == {"Document": 1, "Session": 1}
    session = found[-1]
    assert isinstance(session, Session)
    assert session.key == (f"codeforces:{number}",)
    assert len(session.sides) == sides
    assert session.data["unit"] == "place"
    assert "NaNaNaNaN" in {side[0][0].id for side in session.sides} or number == "1349"


def test_the_published_changes_follow_from_the_places_and_seeds_that_are_read() -> None:
    """The formula is the site's, as the origin of the rows documents it; every change is met exactly."""
    for number in ("1349", "1305"):
        given = rows(number)
        found = items(CODEFORCES, json.dumps(changes(int(number), given)))
        session = found[-1]
        assert isinstance(session, Session)
        before = {seed.who.id: seed.values["rating"] for seed in found if isinstance(seed, Seed)}
        places = {players[0].id: score for players, score in session.sides}
        old = np.array([before.get(row[0], 0.0) for row in given])
        score = np.array([places[row[0]] for row in given])
        change = expected_changes(old, score)
        assert [row[4] for row in given] == change.tolist()


def expected_changes(old: np.ndarray[Any, Any], score: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Changes by the site's formula: old ratings of all sides, and scores of which higher is better."""
    worst = np.array([(score >= one).sum() for one in score])
    levels, counts = np.unique(old, return_counts=True)
    trial = np.arange(-1000, 6001)
    seed = 1 + ((1 / (1 + 10 ** ((trial[:, None] - levels) / 400))) * counts).sum(axis=1)
    change = np.empty(len(old), dtype=int)
    for i, rating in enumerate(old):
        alone = 1 / (1 + 10 ** ((trial - rating) / 400))
        own = seed - alone
        middle = np.sqrt(worst[i] * own[int(rating) + 1000])
        need = trial[1002:][own[1002:] >= middle].max(initial=2)
        change[i] = int((need - rating) / 2)
    change += int(-change.sum() / len(old)) - 1
    strongest = np.argsort(-old, kind="stable")[: int(min(4 * np.floor(np.sqrt(len(old)) + 0.5), len(old)))]
    return change + min(max(int(-change[strongest].sum() / len(strongest)), -10), 0)


def test_the_readers_of_sites_are_found_by_their_entry_point() -> None:
    assert list(offered("servers")) == ["codeforces", "lichess", "startgg", "challonge", "chesscom"]
    assert offered("servers")["codeforces"] is CODEFORCES


def test_standings_give_places_and_the_end_of_the_contest() -> None:
    document, session = items(CODEFORCES, json.dumps(standings(7, SMALL)))
    assert isinstance(document, Document)
    assert document.key == ("codeforces:7",)
    assert document.event == "Round 7 (2020-05-12)"
    assert isinstance(session, Session)
    assert session.played == (START + 7200) * 1_000_000
    assert [(players[0].id, score) for players, score in session.sides] == [
        ("ann", -1.0), ("bo", -2.0), ("cy", -2.0), ("NaNaNaNaN", -4.0),
    ]  # fmt: skip


def test_changes_give_places_and_ratings_before() -> None:
    found = items(CODEFORCES, json.dumps(changes(7, SMALL)))
    assert kinds(found) == {"Document": 1, "Seed": 3, "Session": 1}
    assert next((s.who, s.values) for s in found if isinstance(s, Seed)) == (Who("ann", "ann"), {"rating": 1500.0})
    session = found[-1]
    assert isinstance(session, Session)
    assert session.played == (START + 9000) * 1_000_000


@pytest.mark.parametrize("layout", ["lines", "array", "one after the other"])
def test_both_together_are_one_contest_with_the_sides_of_the_changes(layout: str) -> None:
    answers = [standings(7, [*SMALL, ("unrated", 50, 0, 0, 0)]), changes(7, SMALL)]
    if layout == "array":
        content = json.dumps(answers)
    else:
        content = "\n".join(json.dumps(one, indent=None if layout == "lines" else 1) for one in answers)
    found = items(CODEFORCES, content)
    assert kinds(found) == {"Document": 1, "Seed": 3, "Session": 1, "casual": 1}
    (session,) = (item for item in found if isinstance(item, Session))
    assert (session.played, len(session.sides)) == ((START + 7200) * 1_000_000, 4)


def test_a_large_answer_in_one_line_is_read() -> None:
    given = [(f"player{i}", 5000.0 - i, 0, 1500, 0) for i in range(12_000)]
    content = json.dumps(standings(8, given))
    assert len(content) > 2**20
    assert kinds(items(CODEFORCES, content)) == {"Document": 1, "Session": 1}


def test_who_was_no_contestant_is_casual_and_teams_are_one_side() -> None:
    answer = standings(7, SMALL)
    board = answer["result"]["rows"]
    board[3]["party"]["participantType"] = "VIRTUAL"
    board[1]["party"]["members"].append({"handle": "dee"})
    found = items(CODEFORCES, json.dumps(answer))
    assert kinds(found) == {"Document": 1, "Session": 1, "casual": 1}
    session = found[1]
    assert isinstance(session, Session)
    assert session.sides[1][0] == (Who("bo", "bo"), Who("dee", "dee"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"rank": 0}, "a side has no rank: 'ann'"),
        ({"rank": None}, "a side has no rank: 'ann'"),
        ({"party": {"participantType": "CONTESTANT", "members": []}}, "a row has no handle"),
        ({"party": {"participantType": "CONTESTANT", "members": [{"handle": "bo"}]}}, "a player is listed twice: 'bo'"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_alone(change: dict[str, Any], why: str) -> None:
    answer = standings(7, SMALL)
    answer["result"]["rows"][0].update(change)
    found = items(CODEFORCES, json.dumps(answer))
    (bad,) = (item for item in found if isinstance(item, Refused))
    assert bad.reason == f"contest 7: {why}"
    (session,) = (item for item in found if isinstance(item, Session))
    assert len(session.sides) == 3


def test_a_contest_that_runs_has_no_result_yet_and_one_of_one_side_is_refused() -> None:
    assert items(CODEFORCES, json.dumps(standings(7, SMALL, phase="CODING"))) == [Unrated(1, "no result yet")]
    (only,) = items(CODEFORCES, json.dumps(standings(7, SMALL[:1])))
    assert isinstance(only, Refused)
    assert "fewer than two sides" in only.reason
    (late,) = items(CODEFORCES, json.dumps(standings(7, SMALL, startTimeSeconds=10**15)))
    assert isinstance(late, Refused)
    (undated,) = (
        item
        for item in items(CODEFORCES, json.dumps(standings(7, SMALL, startTimeSeconds=None)))
        if isinstance(item, Session)
    )
    assert undated.played is None


def test_a_contest_that_has_not_said_when_it_ends_is_dated_by_its_start() -> None:
    session = items(CODEFORCES, json.dumps(standings(7, SMALL, durationSeconds=None)))[-1]
    assert isinstance(session, Session)
    assert session.played == START * 1_000_000


def test_an_answer_without_a_contest_is_refused_as_a_whole() -> None:
    with pytest.raises(BadFile, match="contestId: Contest with id 0 not found"):
        items(CODEFORCES, '{"status":"FAILED","comment":"contestId: Contest with id 0 not found"}')
    with pytest.raises(BadFile, match="neither standings nor changes"):
        items(CODEFORCES, '{"status":"OK","result":[{"id":1}]}')
    assert sniffed(CODEFORCES, '{"status":"OK","result":[{"id":1}]}') == 0
