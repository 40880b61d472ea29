"""The language of pages: gettext catalogues, and numbers, days and results as pages show them."""

import json
import re
from functools import cache
from gettext import NullTranslations, c2py
from importlib.resources import files
from unicodedata import bidirectional

from ratingcore.errors import RatingCoreError

LANGUAGES = ("en", "cs", "de", "es", "fr", "it", "pl", "pt", "ru")
"""Languages of pages; English is the language of the templates, and each of the others has a complete catalogue."""

RESULTS = {1: "won", 0: "drew", -1: "lost", None: "%(place)s of %(sides)s"}
"""Words for finishing ahead of the only other side, level with it, and behind; or at a place among more."""

HEADINGS = {
    "born": "Born", "change": "Change", "club": "Club", "deviation": "Deviation", "drawn": "Drawn",
    "expected": "Expected", "federation": "Federation", "grade": "Grade", "last": "Last result", "lost": "Lost",
    "opposition": "Opposition", "peak": "Highest", "peak_at": "Day of the highest", "performance": "Performance",
    "points": "Points", "provisional": "Provisional", "sex": "Sex", "share": "Share of the points", "title": "Title",
    "volatility": "Volatility", "won": "Won",
}  # fmt: skip
"""Headings of columns of lists, and names of facts; any other column is headed by its name."""

FIELDS = {
    "a": "First player", "b": "Second player", "called": "Name", "event": "Tournament", "played": "Day",
    "player": "Player", "players": "Players", "points_a": "Points of the first player",
    "points_b": "Points of the second player", "pool": "Pool", "rating": "Rating", "round": "Round",
    "score": "Result of the first player", "sides": "Sides", "zone": "Time zone",
}  # fmt: skip
"""Names of fields and facts; one that is neither here nor a heading is shown unchanged."""

DIGEST, SEAL = "digest %(digest)s", "seal %(seal)s"
"""Phrases for the digest of a list and the seal of a published list."""

MINUS = "\N{MINUS SIGN}"


class UnknownLanguage(RatingCoreError):
    """The pages have no translation catalogue for a language."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.language = language

    def __str__(self) -> str:
        return f"no pages in the language {self.language}"

    @property
    def hint(self) -> str:
        return f"languages of pages are {', '.join(LANGUAGES)}"


class _Catalogue(NullTranslations):
    """Texts of a `.po` file, read as they are: compiling them beforehand would save a language 4 ms, once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._forms: dict[str, list[str]] = {}
        fields: dict[str, str] = {}
        name = ""
        for line in [*text.splitlines(), ""]:
            if line.startswith("msg"):
                name, _, quoted = line.partition(" ")
                fields[name] = json.loads(quoted)
            elif line.startswith('"'):
                fields[name] += json.loads(line)
            elif not line and fields:
                self._forms[fields["msgid"]] = [text for field, text in fields.items() if field.startswith("msgstr")]
                fields = {}
        self._form = c2py(re.findall(r"plural=(.*);", self._forms.pop("")[0])[0])

    def gettext(self, message: str) -> str:
        return self._forms.get(message, [""])[0] or super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        forms = self._forms.get(msgid1)
        return forms[self._form(n)] if forms else super().ngettext(msgid1, msgid2, n)


@cache
def catalogue(language: str, *packages: str) -> NullTranslations:
    """Returns the catalogue of a language, joined with those of packages that have their own texts.

    Raises
    ------
    UnknownLanguage

    Examples
    --------
    >>> catalogue("de").gettext("Place"), catalogue("en").gettext("Place")
    ('Platz', 'Place')
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    if language == "en":
        return NullTranslations()
    words = NullTranslations()
    for package in (*reversed(packages), "ratingcore_pages"):
        more = _Catalogue(files(package).joinpath("locale", f"{language}.po").read_text("utf-8"))
        more.add_fallback(words)
        words = more
    return words


def isolated(name: str) -> str:
    """Returns a name for the middle of a sentence: one with letters from right to left is isolated from what follows.

    Examples
    --------
    >>> isolated("ann"), ascii(isolated("\N{HEBREW LETTER ALEF} 2"))
    ('ann', "'\\\\u2068\\\\u05d0 2\\\\u2069'")
    """
    turned = any(bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turned else name


def signed(number: float | int | None, places: int = 1) -> str:
    """Formats a change with its sign, a real minus sign if negative; empty for None.

    Examples
    --------
    >>> signed(12.345), signed(-3.0, 0) == MINUS + "3", signed(0.0), signed(None)
    ('+12.3', True, '0.0', '')
    """
    if number is None or number != number:
        return ""
    text = f"{abs(number):.{places}f}"
    if not text.strip("0."):
        return text
    return f"{'+' if number > 0 else MINUS}{text}"


_ORDINALS = {"cs": ".", "de": ".", "es": ".º", "fr": "e", "it": "º", "pl": ".", "pt": ".º", "ru": "-е"}  # noqa: RUF001  # Cyrillic, as it is written


def ordinal(n: int, language: str = "en") -> str:
    """Formats a place as an ordinal number of a language.

    Examples
    --------
    >>> ordinal(1, "fr"), ordinal(2, "fr"), ordinal(2, "it")
    ('1er', '2e', '2º')
    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)], ordinal(3, "de")
    (['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '111th'], '3.')
    """
    english = "th" if n // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return "1er" if (n, language) == (1, "fr") else f"{n}{_ORDINALS.get(language, english)}"


_DAY = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T(?=[0-9])|(?![0-9]))")
_POINTS, _SLASHES = "{2}.{1}.{0}", "{2}/{1}/{0}"
_DAYS = {
    "cs": "{2}. {1}. {0}", "de": _POINTS, "es": _SLASHES, "fr": _SLASHES, "it": _SLASHES, "pl": _POINTS,
    "pt": _SLASHES, "ru": _POINTS,
}  # fmt: skip


def day(text: str | None, language: str = "en") -> str:
    """Rewrites the days in a text as a language writes them; English pages use ISO 8601.

    Examples
    --------
    >>> day("2026-12-31"), day("2026-12-31 18:30", "de"), day("2026-12-31T18:30Z", "es"), day(None)
    ('2026-12-31', '31.12.2026 18:30', '31/12/2026 18:30Z', '')
    """
    form = _DAYS.get(language)
    if form is None or not text:
        return text or ""
    return _DAY.sub(lambda found: form.format(*found.groups()) + " " * found[0].endswith("T"), text)


_LABEL, _MONTH = re.compile("(?<=>)[^<]+(?=</text>)"), re.compile("[0-9]{4}-[0-9]{2}")


def labels(picture: str, language: str = "en") -> str:
    """Rewrites the months and numbers in the texts of an SVG as a language writes them.

    Examples
    --------
    >>> labels("<text>2026-07</text><text>0.5</text><text>9.5 at 2026-07</text>", "de")
    '<text>07.2026</text><text>0,5</text><text>9.5 at 2026-07</text>'
    """
    form = _DAYS.get(language)
    if form is None:
        return picture

    def shown(found: re.Match[str]) -> str:
        if _MONTH.fullmatch(found[0]):
            return form.removeprefix("{2}").lstrip("./ ").format(*found[0].split("-"))
        return written(found[0], language)

    return _LABEL.sub(shown, picture)


_NUMBER = re.compile(r"([+\N{MINUS SIGN}-]?[0-9]+)\.([0-9]+)")
_POINT = ("en",)
"""Languages that write decimals after a point; the others have a comma."""


def written(text: str | None, language: str = "en") -> str:
    """Formats a text that is a day or a number as a language writes it; other texts stay unchanged.

    Examples
    --------
    >>> written("1512.5", "de"), written("2026-12-31", "de"), written("St. 1.5", "de"), written("0.5")
    ('1512,5', '31.12.2026', 'St. 1.5', '0.5')
    """
    found = None if language in _POINT else _NUMBER.fullmatch(text or "")
    return f"{found[1]},{found[2]}" if found else day(text, language)


def halves(points: float) -> str:
    """Formats points of a result, half ones with the sign that all languages use for them.

    Examples
    --------
    >>> halves(0.5), halves(2.5), halves(3.0), halves(1.25)
    ('½', '2½', '3', '1.25')
    """
    half = points % 1 == 0.5
    return (number(points // 1) if points >= 1 or not half else "") + "½" if half else number(points)


def number(value: float | int | None, places: int | None = None) -> str:
    """Formats a number with some decimals, by default up to six; empty for None.

    Examples
    --------
    >>> number(1512.0), number(1512.5, 2), number(None), number(1 / 3)
    ('1512', '1512.50', '', '0.333333')
    """
    if value is None or value != value:
        return ""
    if places is not None:
        return f"{value:z.{places}f}"
    text = f"{value:z.6f}"
    return text.rstrip("0").rstrip(".")
