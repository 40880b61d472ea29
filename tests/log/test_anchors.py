"""Anchors: what is printed is read again, and a name of a file never begins a second line."""

from pathlib import Path

import pytest

from ratingcore.errors import AnchorFails, BadCut, BadFile, OnlySupposed
from ratingcore.events import instant
from ratingcore.log import EMPTY, Anchor, Head, SqliteLog, verify
from ratingcore.log.verify import anchors_of, read_anchors, text_of
from tests.columns.making import engine
from tests.columns.making import game as played
from tests.log.making import game

HEAD = Head(3, "0123456789abcdef" * 4)


def test_an_anchor_is_a_line_that_is_read_again() -> None:
    made = Anchor(HEAD, instant("2024-03-02T10:00"), "club.db")
    assert str(made) == f"{HEAD}  # club.db, recorded 2024-03-02T10:00:00Z"
    assert str(Anchor(EMPTY)) == f"{EMPTY}  # nothing recorded yet"
    assert Anchor.parse(str(made)).head == Anchor.parse(f" {HEAD} ").head == HEAD


def test_a_name_with_line_ends_and_escape_codes_stays_in_the_remark() -> None:
    line = str(Anchor(HEAD, 0, "club\n9:ffffffffffffffff\x1b[2J\u202e.db"))
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert [anchor.head for anchor in read_anchors(line, "kept")] == [HEAD]


@pytest.mark.parametrize(
    "text",
    [f"head {HEAD}", f"# head: {HEAD}", f"- head: {HEAD}", f'  "head": "{HEAD}",', f'{{"head": "{HEAD}", "log": ""}}'],
)
def test_a_head_is_read_as_lists_and_documents_print_it(text: str) -> None:
    assert Anchor.parse(text).head == HEAD


@pytest.mark.parametrize("text", ["", "#", f"ahead {HEAD}", f"head{HEAD}", f"1,head {HEAD}", "head 3:abc", f"x {HEAD}"])
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(BadCut, match="anchor is not POSITION:DIGEST"):
        Anchor.parse(text)


def test_anchors_are_given_as_heads_texts_and_files(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text(f"\ufeff{HEAD} # March\n", encoding="utf-8")
    given = [HEAD, str(HEAD), Anchor(HEAD), tmp_path / "kept"]
    assert [anchor.head for anchor in anchors_of(given)] == [HEAD] * 4
    with pytest.raises(BadFile, match="no such file or directory"):
        list(anchors_of([tmp_path / "none"]))
    with pytest.raises(BadFile, match="it has more than 67,108,864 bytes"):
        text_of(b"#" * (64 * 2**20 + 1), "kept")


def test_every_anchor_that_fails_is_named() -> None:
    log = SqliteLog(":memory:")
    head = log.append([game(1)]).head
    with pytest.raises(AnchorFails, match="the chain breaks at position 1: the anchor says 0123456789abcdef"):
        verify(log, [head, Head(1, HEAD.digest)])
    with pytest.raises(AnchorFails) as caught:
        verify(log, [HEAD, head, Head(1, HEAD.digest)])
    assert (caught.value.checked, caught.value.position, len(caught.value.further)) == (3, 3, 1)
    assert str(caught.value).splitlines()[0] == "2 of 3 anchors are no part of this log:"


def test_a_what_if_has_no_anchor() -> None:
    trial = engine(played(1, "ann", "bo")).what_if([played(2, "ann", "bo")])
    with pytest.raises(OnlySupposed):
        trial.anchor()
