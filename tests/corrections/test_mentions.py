"""Where texts speak of a person: as words of their own, in any case and Unicode form, in any script."""

import unicodedata

import pytest

from ratingcore.corrections.mentions import Mentions, distinctive


@pytest.mark.parametrize(
    ("name", "text", "speaks"),
    [
        ("ann", "ann", True),
        ("ann", "ANN was ill", True),
        ("Ann", "told by ann.", True),
        ("ann", "Ann's brother", True),
        ("ann", "annual", False),
        ("ann", "Joann", False),
        ("ann", "2024_ann_bo", True),
        ("ann", "i-ann-7", True),
        ("ann", "ann2", False),
        ("ann", "annual annexe, ann", True),
        ("ann", "annannann", False),
        ("anan", "an-ananan, ananan", False),
        ("12", "a12, 121, 1²12, 12", True),
        ("12", "0x12 4f12", False),
        ("ann", "", False),
        ("Ann Lee", "Ann  Lee", False),
        ("Ann Lee", "ann lee, bo", True),
        ("Ann Lee", "Ann Leeson", False),
        ("Zoë", "ZOË", True),
        ("Zoë", unicodedata.normalize("NFD", "told by zoë"), True),
        ("Zoë", "Zoe", False),
        ("Weiß", "WEISS", True),
        ("Иванов", "против иванова", False),
        ("Иванов", "ИВАНОВ!", True),
        ("王", "王さんの話", True),
        ("김철수", "김철수는 안 왔다", True),
        ("สมชาย", "คุณสมชายมา", True),
        ("王", "玉", False),
        ("(x) [y].*", "by (X) [Y].* himself", True),
        ("a.c", "abc", False),
        ("-", "a-b", True),
        ("C.", "b c. d", True),
        ("100%", "only 100% sure", True),
    ],
)
def test_a_name_is_found_where_it_is_a_word(name: str, text: str, speaks: bool) -> None:
    assert Mentions([name]).within(text) is speaks


def test_any_of_several_spellings_will_do_and_none_finds_nothing() -> None:
    both = Mentions(["ann", "Annie"])
    assert [both.within(text) for text in ("Annie won", "ann lost", "Anni drew")] == [True, True, False]
    assert not Mentions([]).within("")
    assert not Mentions(["", " "]).within("anything at all")


def test_every_text_in_a_value_of_json_is_looked_at() -> None:
    of_ann = Mentions(["ann"])
    for value in ({"event": "Ann Memorial"}, {"ann": 1}, [1, ["x", {"y": "ann"}]], "ann"):
        assert of_ann.in_json(value), value
    for value in ({"event": "Open", "annual": True}, [1, None, 2.5], {}, None, 7):
        assert not of_ann.in_json(value), value


@pytest.mark.parametrize("name", ['Ann "A" Lee', "Zoë", "王", "a_b%c", "back\\slash", "sky", "Weiß"])
def test_what_sql_is_asked_for_leaves_nothing_out(name: str) -> None:
    import json

    from ratingcore.log.sqlite.connection import sqlite3

    (pattern,) = Mentions([name]).like_patterns()
    db = sqlite3.connect(":memory:")
    for text in (name, name.upper(), name.lower(), unicodedata.normalize("NFD", name), name.replace("s", "\u017f")):
        data = json.dumps({"event": f"in memory of {text}"}, ensure_ascii=False)
        assert db.execute("SELECT ? LIKE ?", (data, pattern)).fetchone() == (1,), text
    db.close()


def test_two_signs_are_a_name_where_words_are_written_with_few() -> None:
    assert [distinctive(name) for name in ("名前", "王", "김철", "an", "ann", "1a", "b12")] == [
        True, False, True, False, True, False, True,
    ]  # fmt: skip
