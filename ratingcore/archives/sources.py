"""Where the text of a field comes from: a column and its words, or one text for every row."""

from collections.abc import Mapping

from attrs import field, frozen

SETTINGS = ("delimiter", "decimal", "date", "encoding", "pool")
"""What a mapping says about a file as a whole."""


@frozen
class FromColumn:
    """A field is read from a column, its texts translated first.

    A text in `words` becomes its word, any other one `otherwise` if that is given; an empty cell that `words`
    does not list becomes `default`. A field whose text is empty in the end is absent.
    """

    column: str
    words: Mapping[str, str] = field(factory=dict)
    otherwise: str | None = None
    default: str = ""

    def translated(self, text: str) -> str:
        word = self.words.get(text)
        if word is not None:
            return word
        if not text:
            return self.default
        return text if self.otherwise is None else self.otherwise


@frozen
class Constant:
    """A field has the same text in every row."""

    value: str


Source = FromColumn | Constant
