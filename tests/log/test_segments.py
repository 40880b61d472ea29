"""Segments: what is unpacked is what was packed, and nothing else is taken for a segment."""

import zlib
from itertools import product
from random import Random

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore.log.segments import (
    LEAST,
    MOST,
    BadSegment,
    Segment,
    _inflated,
    _planes,
    are_distinct,
    are_ids,
    hashes,
    sealable,
    texts,
    texts_of,
)


def segment(seed: int = 1, games: int = LEAST, width: int = 8) -> Segment:
    """Games whose cells are anything that the types hold."""
    random = np.random.default_rng(seed)
    ids = [f"{number:x}".rjust(1 + number % width, "z") for number in range(games)]
    return Segment(
        7, 3, random.integers(-(2**63), 2**63 - 1, games), random.integers(0, 2**31, games).astype(np.int32),
        random.integers(0, 2**31, games).astype(np.int32), random.random(games), texts_of(ids),
    )  # fmt: skip


@given(st.integers(0, 2**32), st.integers(LEAST, LEAST + 50), st.integers(1, 30))
@settings(max_examples=15)
def test_a_segment_comes_back_to_the_bit(seed: int, games: int, width: int) -> None:
    one = segment(seed, games, width)
    again = Segment.unpacked(one.first, one.last, one.pool, one.packed())
    assert again.digests() == one.digests()
    for name, column in one.columns().items():
        assert again.columns()[name].tobytes() == column.tobytes()
    assert Segment.of(list(one.rows())) is not None


def test_columns_that_were_packed_as_differences_open() -> None:
    """Packed so by the first writers of segments: players as differences, every byte with run lengths."""
    one = segment()
    bodies, older = one.packed(), {}
    for name in ("a", "b"):
        planes = np.ascontiguousarray(np.diff(getattr(one, name), prepend=np.int32(0)).view(np.uint8).reshape(-1, 4).T)
        packer = zlib.compressobj(1, zlib.DEFLATED, -15, 9, zlib.Z_RLE)
        older[name] = bodies[name][:4] + bytes([4]) + packer.compress(planes.tobytes()) + packer.flush()
    again = Segment.unpacked(one.first, one.last, one.pool, {**bodies, **older})
    assert again.digests() == one.digests()


def test_numbers_are_stored_where_run_lengths_gain_little() -> None:
    one = segment(games=2**12)
    sizes = {name: len(body) / len(one) for name, body in one.packed().items()}
    assert sizes["a"] < 4.02
    assert sizes["played"] < 8.03
    same = evolve(one, score=np.full(len(one), 0.5))
    assert len(same.packed()["score"]) < len(one) / 4


def test_rows_that_a_segment_cannot_hold_make_none() -> None:
    one = segment()
    rows = list(one.rows())
    again = Segment.of(rows)
    assert again is not None
    assert again.digests() == one.digests()
    for field, value in {
        "uid": "with blank ", "kind": "session", "pool": 4, "order": 1, "a": 2**31, "score": 1, "ref": 5, "data": "{}",
        "played": 2**63,
    }.items():  # fmt: skip
        assert Segment.of([*rows[:-1], rows[-1]._replace(**{field: value})]) is None, field
    assert Segment.of([*rows[:-1], rows[-1]._replace(uid=7)]) is None  # type: ignore[arg-type]  # as a file may hold
    assert Segment.of(rows[1:]) is None


def test_the_digests_of_the_first_games_are_those_of_a_segment_of_them() -> None:
    one = segment(games=LEAST + 9)
    assert one.part(0, 6 + LEAST).digests() == segment(games=LEAST + 9).part(6, 6 + LEAST).digests()
    assert one.part(0, 6 + LEAST).digests() != one.digests()
    shorter = Segment.of(list(one.rows())[:LEAST])
    assert shorter is not None
    assert shorter.digests() == one.part(0, 6 + LEAST).digests()


def test_a_changed_byte_is_refused_or_means_nothing() -> None:
    one, random = segment(), Random(1)
    bodies = one.packed()
    for name, body in bodies.items():
        places = [*range(6), *(random.randrange(len(body)) for _ in range(30))]
        for at, bit in product(places, (0, 7)):
            forged = bytearray(body)
            forged[at] ^= 1 << bit
            try:
                again = Segment.unpacked(7, one.last, 3, {**bodies, name: bytes(forged)})
            except BadSegment:
                continue
            assert again.digests() == one.digests(), "bits between the parts of a body are padding"


@pytest.mark.parametrize(
    ("first", "last", "pool"),
    [
        (8, LEAST + 7, 3), (7, LEAST + 5, 3), (7, LEAST + 7, 3), (7, LEAST + 6, 4), (7, 9, 3), (7, 7 + MOST, 3),
        (-9, LEAST - 10, 3), ("7", LEAST + 6, 3), (7, LEAST + 6, None),
    ],
)  # fmt: skip
def test_a_lying_header_is_refused(first: int, last: int, pool: int) -> None:
    bodies = segment().packed()
    assert Segment.unpacked(7, LEAST + 6, 3, bodies)
    with pytest.raises(BadSegment):
        Segment.unpacked(first, last, pool, bodies)


def test_bodies_of_another_column_or_segment_are_refused() -> None:
    bodies, others = segment().packed(), evolve(segment(), first=8).packed()
    for name in bodies:
        with pytest.raises(BadSegment):
            Segment.unpacked(7, LEAST + 6, 3, {**bodies, name: others[name]})
    with pytest.raises(BadSegment):
        Segment.unpacked(7, LEAST + 6, 3, {**bodies, "a": bodies["b"], "b": bodies["a"]})


@pytest.mark.parametrize("count", [LEAST, 2**16 - 1, 2**16 + 9])
@pytest.mark.parametrize("spread", [1, 300, 2**31])
def test_stored_bytes_and_short_runs_are_read_as_inflating_reads_them(spread: int, count: int) -> None:
    random = np.random.default_rng(count)
    a, b = random.integers(0, spread, (2, count)).astype(np.int32)
    one = evolve(segment(games=count), a=a, b=b, played=random.integers(0, spread, count).cumsum(), score=a / spread)
    for name, body in one.packed().items():
        if name != "uid":
            planes, whole = (read(name, body[5:], count, body[4] & 15) for read in (_planes, _inflated))
            assert planes is not None, name
            assert [plane.tobytes() for plane in planes] == [plane.tobytes() for plane in whole]


def test_a_body_that_would_unpack_without_end_is_refused() -> None:
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b"\0\0\0\0\x08" + bomb.compress(b"\0" * 50_000_000) + bomb.flush()
    with pytest.raises(BadSegment, match="does not hold"):
        Segment.unpacked(7, LEAST + 6, 3, {"score": body})


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=5))
def test_ids_are_sealed_if_they_are_of_ascii_without_blanks(uids: list[str]) -> None:
    plain = all(33 <= ord(letter) < 127 for uid in uids for letter in uid)
    assert (sealable(uids) is not None) == plain
    if plain:
        assert are_ids(texts_of(uids)).all()
        assert texts_of(uids).tolist() == [uid.encode() for uid in uids]


@given(st.lists(st.text("ab1", min_size=1, max_size=3), min_size=1, max_size=9))
def test_texts_and_letters_of_a_column_are_those_of_its_ids(uids: list[str]) -> None:
    column = texts_of(uids)
    assert texts(column) == uids
    assert are_distinct(column) == (len(set(uids)) == len(uids))
    assert evolve(segment(), uid=np.resize(column, LEAST)).letters == "".join(sorted(set("".join(uids))))


def test_cells_that_are_no_ids_are_seen() -> None:
    assert are_ids(np.array([b"a", b"ab", b"", b"a b", b"\xff", b"\0b"])).tolist() == [True, True, *[False] * 4]


def test_a_hash_depends_on_the_id_and_the_key_and_not_on_the_width_of_the_column() -> None:
    uids = [f"{'x' * (number % 20)}{number}" for number in range(500)]
    made = hashes(texts_of(uids), "key")
    assert len(set(made.tolist())) == 500
    assert 0 <= made.min() <= made.max() < 2**43
    assert [int(hashes(texts_of([uid]), "key")[0]) for uid in uids] == made.tolist()
    assert (hashes(texts_of(uids), "another") != made).all()
