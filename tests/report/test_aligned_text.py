"""Rows as aligned text: numbers to the right, wide characters as wide as they are."""

import pytest

from ratingcore.report.aligned_text import aligned, aligned_within, exactly, shown, width

COLUMNS = ("player", "rating", "games")


def rows(*cells: tuple[object, ...]) -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, row, strict=False)) for row in cells]


def test_numbers_stand_to_the_right_with_one_count_of_decimals_a_column() -> None:
    assert aligned(COLUMNS, rows(("ann", 1512.5, 3), ("bo", 99.0, 12), ("cy", None, 0))) == [
        "player  rating  games",
        "ann     1512.5      3",
        "bo        99.0     12",
        "cy                  0",
    ]


def test_numbers_that_are_rounded_already_stand_as_they_are_with_points_below_each_other() -> None:
    assert aligned(
        COLUMNS, rows(("ann", 26.0573, 3), ("bo", 0.0191432, 12), ("cy", 1.0, 1), ("di", None, 0)), ["rating"]
    ) == [
        "player      rating  games",
        "ann     26.0573         3",
        "bo       0.0191432     12",
        "cy       1              1",
        "di                      0",
    ]
    assert aligned(COLUMNS, rows(("ann", 3.0, 1)), ["rating"])[1] == "ann          3      1"
    assert exactly(1e-7) == "0.0000001"
    assert [exactly(number) for number in (float("inf"), -0.0, 1e22)] == ["inf", "0", "10000000000000000000000"]


def test_without_rows_there_are_headings() -> None:
    assert aligned(COLUMNS, []) == ["player  rating  games"]


def test_a_cell_that_is_missing_is_empty() -> None:
    assert aligned(COLUMNS, [{"player": "ann"}]) == ["player  rating  games", "ann"]


@pytest.mark.parametrize(
    ("name", "wide"),
    [
        ("ann", 3),
        ("井山裕太", 8),
        ("ｱﾝ", 2),
        ("\uff21\uff4e\uff4e", 6),
        ("박정환", 6),
        ("Zoë", 3),
        ("Zoe\u0308", 3),
        ("ก็", 1),
    ],
)
def test_a_name_is_as_wide_as_it_is_drawn(name: str, wide: int) -> None:
    """Marks that are drawn over a letter were counted as letters."""
    assert width(name) == wide


def test_wide_names_keep_the_columns_straight() -> None:
    lines = aligned(COLUMNS, rows(("井山裕太", 3800.0, 7), ("ann", 1500.0, 12)))
    assert lines == ["player    rating  games", "井山裕太    3800      7", "ann         1500     12"]
    assert len({width(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""), (0.0, "0"), (-0.0, "0"), (-0.0000001, "0"), (1e-7, "0"), (1e20, "100000000000000000000"), ("", ""),
        (3, "3"), (1.5, "1.5"), (-2.25, "-2.25"), (True, "True"),
    ],
)  # fmt: skip
def test_cells_are_written_plainly(cell: object, text: str) -> None:
    assert shown(cell) == text


def test_a_text_of_several_lines_stays_in_its_row() -> None:
    """A reason of two lines broke the table of `log`, and one with an escape character could steer the terminal."""
    rows = [{"uid": "v", "text": "default,\nnot\tplayed \x1b[31m"}, {"uid": "w", "text": "Zoë\u00a0李"}]
    assert aligned(("uid", "text"), rows) == [
        "uid  text", "v    default,\\nnot\\tplayed \\x1b[31m", "w    Zoë\u00a0李",
    ]  # fmt: skip


def test_what_fits_a_terminal_stays_and_what_does_not_is_cut_or_left_out() -> None:
    row = {
        "rank": 1,
        "player": "Wolfgang Amadeus Mozart the younger",
        "rating": 1512.25,
        "games": 12,
        "club": "Reykjavik",
    }
    names = tuple(row)
    for room in range(30, 80):
        lines, left = aligned_within(names, [row], (), room)
        assert max(map(width, lines)) <= room
        assert [*lines[0].split(), *left] == list(names)
    assert aligned_within(names, [row], (), 200) == (aligned(names, [row]), [])
    lines, _ = aligned_within(names, [row], (), 45)
    assert "Wolfgang Amadeus Mozar…" in lines[1]


def test_spare_columns_go_first_and_texts_have_the_room_that_is_left() -> None:
    row = {"position": 7, "uid": "table-516d6468eb52fffc-0befe165289ec4b6", "text": "Jon beat Ann on board 4 (round 1)"}
    lines, left = aligned_within(tuple(row), [row], (), 44, spare=("uid",))
    assert (lines[1], left) == ("       7  Jon beat Ann on board 4 (round 1)", ["uid"])


def test_wide_letters_are_cut_by_their_width() -> None:
    lines, left = aligned_within(("player", "rating"), [{"player": "王" * 30, "rating": 1500.0}], (), 40)
    assert (max(map(width, lines)) <= 40, left) == (True, [])


def test_needed_columns_stay_whole() -> None:
    """At 80 columns explain had no room for the rating, pools none for the first day of a rule."""
    row = {"played": "2024-03-02", "opponent": "the younger", "score": 1.0, "rating": 1512.25, "why": "by the minutes"}
    for room in (30, 20):
        lines, left = aligned_within(tuple(row), [row], (), room, needed={"rating"})
        assert (lines[1].split()[-1], left) == ("1512.25", ["score", "why"])
