"""Many names by columns: they are found as in a dict, whatever their lengths, letters and hashes."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ratingcore.importer import columnar
from ratingcore.importer.columnar import ManyNames

TEXTS = some.lists(some.text("ab\x00ö😀", max_size=20) | some.text(max_size=200), max_size=60)


@settings(deadline=None)  # Arrow is imported at first
@given(some.lists(TEXTS, max_size=6), TEXTS)
def test_names_are_found_as_in_a_dict(parts: list[list[str]], asked: list[str]) -> None:
    names, known = ManyNames(), dict[str, int]()
    for part in parts:
        new = [text for text in dict.fromkeys(part) if text not in known]
        numbers = np.arange(len(known) + 1, len(known) + len(new) + 1)
        names.add(pa.array(["before", *new], pa.string()).slice(1), numbers)
        known.update(zip(new, numbers.tolist(), strict=True))
    texts = [*asked, *known]
    assert names.find(pa.array(texts, pa.string())).tolist() == [known.get(text, 0) for text in texts]


def test_names_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar._Texts, "hashes", lambda texts: np.full(len(texts.size()), 2**64 - 1, np.uint64))
    names, texts = ManyNames(), [f"player {n}" for n in range(300)]
    names.add(pa.array(texts[:200]), np.arange(1, 201))
    assert names.find(pa.array(texts)).tolist() == [*range(1, 201), *[0] * 100]


def test_a_hundred_thousand_names_are_found_and_no_others() -> None:
    names, numbers = ManyNames(), np.random.default_rng(1).permutation(100_000) + 1
    texts = pa.array([f"player {n}" for n in range(200_000)])
    for start in range(0, 100_000, 7_000):
        end = min(start + 7_000, 100_000)
        names.add(texts[start:end], numbers[start:end])
    assert (names.find(texts) == np.concatenate([numbers, np.zeros(100_000, np.int64)])).all()
