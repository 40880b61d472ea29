"""Where the text of a field comes from: how a column's texts are translated."""

import pytest

from ratingcore.importer.tables.fieldmap import FromColumn


@pytest.mark.parametrize(
    ("column", "text", "translated"),
    [
        (FromColumn("x"), "H", "H"),
        (FromColumn("x"), "", ""),
        (FromColumn("x", {"H": "1"}), "H", "1"),
        (FromColumn("x", {"H": "1"}), "A", "A"),
        (FromColumn("x", {"H": "1"}, otherwise="0"), "A", "0"),
        (FromColumn("x", {"H": ""}, otherwise="0"), "H", ""),
        (FromColumn("x", otherwise="0", default="9"), "", "9"),
        (FromColumn("x", {"": "empty"}, default="9"), "", "empty"),
        (FromColumn("x", otherwise="0"), "", ""),
    ],
)
def test_a_word_comes_before_the_default_and_the_default_before_otherwise(
    column: FromColumn, text: str, translated: str
) -> None:
    assert column.translated(text) == translated
