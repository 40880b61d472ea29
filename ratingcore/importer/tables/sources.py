"""Sources of a field's text: a column whose words are translated, or a constant."""

from collections.abc import Mapping

from attrs import field, frozen

SETTINGS = ("delimiter", "decimal", "date", "encoding", "known", "pool", "skip", "sheet", "query")
"""Keys of a mapping that concern the file as a whole."""


@frozen
class FromColumn:
    """A column as the source of a field; its texts are translated first.

    A text in `words` becomes its word, any other one `otherwise` if that is given; an empty cell that `words`
    does not list becomes `default`. If the text is empty after that, the field is absent.
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
    """The same text in every row as the source of a field."""

    value: str


Source = FromColumn | Constant
