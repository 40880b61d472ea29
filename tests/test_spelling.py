"""Which texts may be names, and how characters that nobody sees are shown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore import spelling
from ratingcore.safe_text import LONGEST, flaw, visible
from ratingcore.spelling import alike, near_names

FINE = (
    "ann", "o'neil", "Zo\u00eb", "\u540d\u524d", "\U0001f3d3", "a\u00a0b", "x" * LONGEST,
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian: the non-joiner between two letters
    "\u0b95\u0bcd\u200c\u0bb7", "\u0d28\u0d4d\u200d",  # Tamil and Malayalam: beside a virama
    "\u09b0\u200d\u09cd\u09af",  # Bengali: the joiner before a virama
    "\U0001f469\U0001f3fd\u200d\U0001f680", "\U0001f3f3\ufe0f\u200d\U0001f308",  # emoji of several signs
    "\u845b\U000e0100\u57ce",  # Japanese: which form of a character
)  # fmt: skip
CONTROL, DIRECTION = "a control character", "a mark that turns the direction of writing"
INVISIBLE = "an invisible character"


@pytest.mark.parametrize("text", FINE)
def test_names_of_every_script_are_fine_and_shown_as_they_are(text: str) -> None:
    assert flaw(text) == ""
    assert visible(text).replace("\u00a0", " ") == text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("chars", "why"),
    [
        ("\x00\x1b\n\t\x7f\x85\u2028\u2029\ud800\udcff", CONTROL),
        ("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c", DIRECTION),
        ("\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164\U000e0041", INVISIBLE),
    ],
)
def test_what_nobody_sees_is_no_part_of_a_name_and_is_shown_by_its_code(chars: str, why: str) -> None:
    for char in chars:
        for text in (f"ann{char}bo", f"{char}ann", f"ann{char}"):
            assert flaw(text) == f"holds {why}"
            assert char not in visible(text)
            assert visible(text).replace("ann", "").replace("bo", "").startswith("\\")


@pytest.mark.parametrize("char", ["\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff"])
def test_code_points_that_are_no_characters_are_no_part_of_a_name(char: str) -> None:
    """A player named with U+FFFE ended the process that drew a picture of them: no XML may hold it."""
    assert flaw(f"ann{char}") == f"holds {INVISIBLE}"
    assert char not in visible(f"ann{char}")


def test_a_long_name_is_refused_with_its_length() -> None:
    assert flaw("x" * 201) == "has 201 characters, more than 200"


def test_line_ends_stay_where_lines_are_shown() -> None:
    assert visible("a\nb\u202e", lines=True) == "a\nb\\u202e"
    assert visible("a\nb") == "a\\nb"


def test_a_long_text_of_joiners_is_shown_at_once() -> None:
    assert visible("\u200d" * 100_000).count("\\u200d") == 100_000


def test_of_very_many_names_only_those_that_begin_alike_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped name in a log of a million players was compared with each of them, for a minute and more."""
    compared: list[list[str]] = []
    close = spelling.spelt_like
    monkeypatch.setattr(spelling, "spelt_like", lambda key, names: compared.append(names) or close(key, names))
    names = [f"{first}{second}na {n}" for first in "abcd" for second in "nopq" for n in range(1000)]
    assert near_names("Anna 7", names)[0] == "anna 7"
    assert len(compared[0]) <= 1000
    assert near_names("zzz", ["zz", *names]) == ("zz",)
    assert near_names("nna 7", names[:1000])[0] == "anna 7"


@pytest.mark.parametrize(
    ("name", "other", "how"),
    [
        ("Magnus Carlsen", "Carlsen, Magnus", "spelling"),
        ("Magnus Carlsen", "CARLSEN Magnus", "spelling"),
        ("Zo\u00eb Lund", "zoe  lund", "spelling"),
        ("Van Dyke", "VanDyke", "spelling"),
        ("Magnus Carlsen", "M. Carlsen", "initials"),
        ("Magnus Carlsen", "Magnus Carlson", "typo"),  # a letter changed
        ("Magnus Carlsen", "Magnus Carlse", "typo"),  # missing at the end
        ("Magnus Carlsen", "Mangus Carlsen", "typo"),  # two swapped
        ("Magnus Carlsen", "Carlssen, Magnus", "typo"),  # doubled, and in another order
        ("Magnus Carlsen", "agnus Carlsen", "typo"),  # missing at the begin
        ("Anna Weber", "Ana Weber", "typo"),  # short, but doubled
        ("John Weber", "Jonh Weber", "typo"),  # short, but swapped
        ("Anna Weber [1]", "Anna Weber [2]", "spelling"),  # seeds of two cups
        ("M&uuml;ller Jan", "M\u00fcller Jan", "spelling"),
        ("O&#39;Brien", "O'Brien", "spelling"),
        ("O\u2019Brien", "O'Brien", "spelling"),
        ("Ann O`Brien", "Ann OBrien", "spelling"),
        ("Smith-Jones, Al", "Al Smith Jones", "spelling"),
        ("ann-bo", "annbo", ""),
        ('Robert "Bob" Smith', "Smith, Robert", "spelling"),
        ("Robert (Bob) Smith", "Robert Smith", "spelling"),
        ("Robert (Bob) Smith", "Bob Smith", ""),
        ("M\u00c3\u00bcller Jan", "M\u00fcller Jan", "spelling"),  # read in the wrong encoding
        ("Weber (1)", "Weber (2)", ""),
        ("Ann Weber", "Anna Weber", ""),
        ("Tim Weber", "Tom Weber", ""),
        ("Magnus Carlsen", "Magnus Larsson", ""),
        ("Magnus Carlsen", "Magnum Carlson", ""),  # two slips
        ("Ann", "Anna", ""),
        ("Iran", "Iraq", ""),
        ("Austria", "Australia", ""),
        ("Niger", "Nigeria", ""),
        ("Dominica", "Dominican Republic", ""),
        ("North Korea", "South Korea", ""),
        ("Player 1042", "Player 1043", ""),
        ("Player 1", "Player 10", ""),
    ],
)
def test_names_of_one_person_are_told_from_those_of_two(name: str, other: str, how: str) -> None:
    wanted = [how] if how else []
    for one, two in ((name, other), (other, name)):
        assert [found for *_, found in alike([one, two])] == wanted
        assert [found for *_, found in alike([one], [two])] == wanted


def test_names_that_are_known_are_not_compared_with_each_other() -> None:
    assert list(alike(["Bo Lund"], ["Magnus Carlsen", "Magnus Carlson"])) == []
    assert list(alike(["Magnus Carlsen", "Magnus Carlson"], ["Bo Lund"], slips=False)) == []


@given(
    st.lists(
        st.sampled_from(["ann", "Ann", "bo_li", "an n", "a.nn", "ann.", "Zo\u00eb", "zoe", "x\tann", ""]), max_size=5
    )
)
@settings(max_examples=100)
def test_names_of_one_word_are_compared_by_spelling_as_others_are(names: list[str]) -> None:
    """Names that are single words and no two alike are told at once; beside others, each is looked at."""
    others = ["some thing", "some, thing"]
    expected = [found for found in alike([*others, *names], slips=False) if found[0] not in others]
    assert list(alike(names, slips=False)) == expected


@pytest.mark.parametrize(
    "other", ["GM Anna Karpova", "Karpova, Anna, GM", "Dr. Anna Karpova", "\u0410nna Karpova", "Anna K\u0430rpova"]
)
def test_a_title_and_letters_of_another_alphabet_make_no_other_person(other: str) -> None:
    """`Dr. Anna Karpova`, and a name with a Cyrillic letter in it, became second people without a word."""
    assert list(alike([other], ["Anna Karpova"])) == [(other, "Anna Karpova", "spelling")]


def test_a_title_is_part_of_a_name_of_two_words() -> None:
    assert list(alike(["Dr. Karpova"], ["Karpova", "GM Karpova", "\u0421\u0430\u0440\u0430", "Capa"])) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Иванов Пётр", "Ivanov, Petr"),
        ("Юрий Щукин", "Yury Shchukin"),
        ("Дмитрий Цой", "Dmitry Tsoy"),
        ("Спартак", "Spartak"),
    ],
)
def test_a_name_in_cyrillic_and_in_latin_letters_may_be_of_one_person(name: str, other: str) -> None:
    """A club whose second file was written in another alphabet had everybody twice, without a note."""
    assert list(alike([name], [other])) == [(name, other, "spelling")]
    assert list(alike([other], [name], slips=False)) == [(other, name, "spelling")]
    assert list(alike([name, "Анна"])) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\U0001f1e9\U0001f1ea Ann Lee", "Ann Lee"), ("Ann Lee*", "Ann Lee"), ("**Ann Lee**", "Ann Lee"),
        ("Ann Lee \u2020", "Ann Lee"), ("#3 Duke", "Duke"), ("(12) Yale", "Yale"), ("1. Ann", "Ann"),
        ("Ann Lee [Ulm]", "Ann Lee"), ("Bo[a]", "Bo"), ("Ann (W)", "Ann (B)"),
    ],
)  # fmt: skip
def test_a_name_with_marks_is_like_the_name_alone(name: str, other: str) -> None:
    """A flag, a star, a seed or a club beside some of a player's names made two players of one, without a note."""
    assert {*next(alike([name, other]))[:2]} == {name, other}


def test_a_remark_that_tells_two_players_apart_is_no_mark() -> None:
    assert not [*alike(["Cy [Ulm]", "Cy [Bonn]", "1. Verein", "2. Verein", "\U0001f3d3"])]
