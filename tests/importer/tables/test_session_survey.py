"""Sessions whose columns, days or names contradict each other."""

import tracemalloc
from random import Random

import pytest

from ratingcore.errors import ScoresInDoubt
from ratingcore.importer.notes import FirstPlaceMissing, PlacesAgainstScores, SessionsSpeltAlike, SidesLeftOut
from ratingcore.importer.tables import FieldMap, session_survey
from ratingcore.importer.tables.session_survey import Hashes
from ratingcore.readers import Unrated

from .conftest import Read

SCORED = "session,played,player,score,{}\n"
PLACED = "session,played,player,place\n"


@pytest.mark.parametrize("heading", ["place", "rank", "Platz", "position", "Pos."])
def test_scores_of_which_less_is_better_are_not_read_as_more(read: Read, heading: str) -> None:
    """Strokes of golf came out upside down: the column of places was not read."""
    rows = "A,2024-03-02,ann,68,1\nA,2024-03-02,bo,72,2\nA,2024-03-02,cy,75,3\n"
    (refused,) = read(SCORED.format(heading) + rows)
    assert "score and place contradict each other: ann 68 in place 1, bo 72 in place 2" in refused.reason
    (line,) = read(SCORED.format(heading) + rows, "score=" if heading == "place" else f"score=,place={heading}")
    assert [side.players[0] for side in line.event.sides] == ["ann", "bo", "cy"]


@pytest.mark.parametrize(
    ("rows", "noted"),
    [
        (("40,1", "40,2", "30,3", "0,4", "0,4"), False),
        (("40,1", "30,3", "35,2"), False),
        (("40,1", "30,2", "35,3"), True),
    ],
)
def test_places_that_mostly_fit_the_scores_are_no_reason_to_refuse(
    read: Read, rows: tuple[str, ...], noted: bool
) -> None:
    table = SCORED.format("place") + "".join(f"A,2024-03-02,p{n},{row}\n" for n, row in enumerate(rows))
    line, *notes = read(table)
    assert line.event.sides[0].score == 40.0
    assert notes == ([PlacesAgainstScores(1, 2)] if noted else [])


def test_a_session_that_goes_on_past_midnight_is_not_taken_as_a_smaller_one(read: Read) -> None:
    """Of three places the last two were a session of their own."""
    for days in ((2, 3, 3), (2, 2, 3), (2, 2, 3, 3)):
        table = PLACED + "".join(f"A,2024-03-0{day},p{n},{n}\n" for n, day in enumerate(days, 1))
        found = read(table)
        assert len(found) == 2
        assert all("give all of its rows the same day" in line.reason for line in found)


def test_sessions_of_one_name_on_two_days_are_two(read: Read) -> None:
    rows = [f"A,2024-03-0{day},p{n},{n}\n" for day in (2, 3) for n in (1, 2)]
    assert [len(line.event.sides) for line in read(PLACED + "".join(rows))] == [2, 2]


def test_places_without_the_first_are_pointed_out(read: Read) -> None:
    line, note = read(PLACED + "A,2024-03-02,ann,4\nA,2024-03-02,bo,9\n")
    assert (len(line.event.sides), note) == (2, FirstPlaceMissing(1, 2))


@pytest.mark.parametrize(("one", "other"), [("3", "3.0"), ("R3", "r3"), ("03", "3"), ("Final A", "FinalA")])
def test_two_spellings_of_a_session_are_pointed_out(read: Read, one: str, other: str) -> None:
    rows = "".join(f"{name},2024-03-02,{player},1\n" for name, player in zip((one, other) * 2, "abcd", strict=True))
    *_, note = read(PLACED + rows)
    assert note == SessionsSpeltAlike(1, ((one, 2, other, 3),))
    rows = rows.replace(f"\n{other},2024-03-02", f"\n{other},2024-04-02")
    assert SessionsSpeltAlike not in map(type, read(PLACED + rows))


@pytest.mark.parametrize(("scores", "taken"), [("1.250 980", False), ("1.250 980.5", True), ("0.875 1.250", True)])
def test_thousands_among_scores_are_asked_about(read: Read, scores: str, taken: bool) -> None:
    """1.250 came last, behind 980."""
    table = "session;played;player;score\n" + "".join(
        f"A;2024-03-02;p{n};{text}\n" for n, text in enumerate(scores.split())
    )
    if taken:
        assert len(read(table)[0].event.sides) == 2
    else:
        with pytest.raises(ScoresInDoubt, match=r"1\.250 beside 980 may be 1250"):
            read(table)
        assert read(table, FieldMap(decimal="."))[0].event.sides[1].score == 1.25


def test_who_did_not_finish_is_left_out_and_named(read: Read) -> None:
    """The whole session was refused, and no form had a place for them."""
    rows = "A,2024-03-02,ann,T1\nA,2024-03-02,bo,1=\nA,2024-03-02,cy,3rd\nA,2024-03-02,di,DNF\nA,2024-03-02,ed,CUT\n"
    line, note = read(PLACED + rows)
    assert [side.score for side in line.event.sides] == [-1.0, -1.0, -3.0]
    assert note == SidesLeftOut(2, (5, 6))
    assert read(PLACED + "A,2024-03-02,ann,1\nA,2024-03-02,bo,DNS\n") == [Unrated(2, "forfeit")]


@pytest.fixture
def sorted_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand hashes are sorted in, not 65,536, so that few are enough for many arrays."""
    monkeypatch.setattr(session_survey, "_NEW", 1_000)


@pytest.mark.usefixtures("sorted_soon")
def test_what_was_met_before_is_told_as_a_set_tells_it() -> None:
    random, hashes, plain = Random(5), Hashes(), set[int]()
    for _ in range(20_000):
        value = random.choice((random.getrandbits(64) - 2**63, random.randrange(-2000, 2000)))
        assert hashes.meet(value) == (value in plain)
        plain.add(value)
    assert len(hashes) == len(plain)


@pytest.mark.usefixtures("sorted_soon")
def test_many_hashes_take_a_few_bytes_each() -> None:
    hashes, random = Hashes(), Random(5)
    tracemalloc.start()
    for _ in range(30_000):
        hashes.meet(random.getrandbits(63))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 16 * 30_000
