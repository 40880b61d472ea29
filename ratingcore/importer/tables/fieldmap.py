"""The mapping of a table: which column holds which field, as given on the command line or in a TOML file."""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cached_property
from os import PathLike, fspath
from typing import Any

from attrs import asdict, evolve, field, frozen

from ratingcore.errors import Absent, BadFile, BadMapping, BadValue
from ratingcore.events import When, instant, iso
from ratingcore.events.bounds import check_player
from ratingcore.events.values import name as normal
from ratingcore.readers.date_forms import check_form
from ratingcore.readers.files import content
from ratingcore.readers.sheets import Moment, parts_of
from ratingcore.readers.source import check_encoding
from ratingcore.readers.spellings import nobody

SETTINGS = (
    "delimiter", "decimal", "date", "encoding", "known", "pool", "skip", "sheet", "query", "somebody", "nobody",
    "meant", "retired", "mirrored", "keep",
)  # fmt: skip
"""Keys of a mapping that are about the whole file rather than one field."""


@frozen
class FromColumn:
    """A column as the source of a field; its texts are translated first.

    A text that `words` lists becomes the word given there. Any other text becomes `otherwise` if that is given, and an
    empty cell becomes `default`. If the result is empty, the field is absent.
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
    """A text that is the value of a field in every row."""

    value: str


@frozen
class DayOfAll(Constant):
    """The day of all results of a table, or of those that have no day in the column of days; empty if not mapped."""

    column: str = ""


Source = FromColumn | Constant

NO_COLUMN = Constant("")
"""Source of a field that is read from no column, not even from one with its name, as in `boards=`."""


_OF_A_COLUMN = frozenset({"column", "words", "otherwise", "default"})


def _load(path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, Source]]:
    """Reads a mapping file: returns its settings, and the source of each field."""
    where = fspath(path)
    try:
        given = toml(content(path).decode())
    except BadFile as problem:
        raise BadMapping(where, problem.why) from None
    except ValueError as problem:
        raise BadMapping(where, f"must be TOML: {problem}") from None
    fields = given.pop("fields", {})
    if not isinstance(fields, dict):
        raise BadMapping(where, f"fields is not a table: {fields!r}")
    settings = {key: _setting(where, key, value) for key, value in given.items()}
    decimal = str(settings.get("decimal", "."))
    return settings, {name: _source(where, name, source, decimal) for name, source in fields.items()}


def toml(text: str) -> dict[str, Any]:
    """Parses a TOML text; raises `ValueError` if it is not TOML, or is nested too deep to read."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _setting(where: str, key: str, value: object) -> str | int | bool:
    if key not in SETTINGS:
        raise BadMapping(where, f"unknown key {key}: keys are {', '.join(SETTINGS)} and the table [fields]")
    if key == "mirrored":
        if not isinstance(value, bool):
            raise BadMapping(where, f"mirrored is neither true nor false: {value!r}")
        return value
    if key == "skip":
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadMapping(where, f"skip is not a number of lines: {value!r}")
        return value
    if not isinstance(value, str) or not value:
        raise BadMapping(where, f"{key} is not a text: {value!r}")
    if key == "decimal" and value not in {".", ","}:
        raise BadMapping(where, f"decimal is neither a point nor a comma: {value!r}")
    if key == "delimiter" and (len(value) != 1 or value in '"\r\n'):
        raise BadMapping(where, f"delimiter is not one character between cells: {value!r}")
    if key == "retired" and value not in {"unrated", "counts"}:
        raise BadMapping(where, f"retired is neither unrated nor counts: {value!r}")
    try:
        if key == "encoding":
            check_encoding(value)
        return check_form(value) if key == "date" else value
    except BadValue as problem:
        raise BadMapping(where, str(problem)) from None


def settings_of(where: str, given: Mapping[str, object]) -> dict[str, Any]:
    """Returns the given settings, checked, without those that are None.

    Raises
    ------
    BadMapping
    """
    return {key: _setting(where, key, value) for key, value in given.items() if value is not None}


def _source(where: str, name: str, given: object, decimal: str) -> Source:
    field = f"fields.{name}"
    if isinstance(given, str):
        return FromColumn(given) if given else NO_COLUMN
    if not isinstance(given, dict):
        raise BadMapping(where, f"{field} is neither a column name nor a table: {given!r}")
    if "value" in given:
        _check_keys(where, field, given, frozenset({"value"}))
        return Constant(_text(where, f"{field}.value", given["value"], decimal))
    _check_keys(where, field, given, _OF_A_COLUMN)
    column = given.get("column")
    if not isinstance(column, str) or not column:
        raise BadMapping(where, f"{field} has neither a column nor a value")
    words = given.get("words", {})
    if not isinstance(words, dict):
        raise BadMapping(where, f"{field}.words is not a table: {words!r}")
    if "otherwise" in words:
        raise BadMapping(where, f"{field}.words.otherwise belongs next to words, not inside it")
    rest = ("otherwise", "default")
    texts = {key: _text(where, f"{field}.{key}", given[key], decimal) for key in rest if key in given}
    translated = {
        normal(key.strip()): _text(where, f"{field}.words.{key}", word, decimal) for key, word in words.items()
    }
    return FromColumn(column, translated, **texts)


def _check_keys(where: str, field: str, given: Mapping[str, object], allowed: frozenset[str]) -> None:
    for key in given:
        if key not in allowed:
            raise BadMapping(where, f"unknown key {field}.{key}: keys are {', '.join(sorted(allowed))}")


def _text(where: str, key: str, value: object, decimal: str) -> str:
    if isinstance(value, str):
        return normal(value.strip())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value).replace(".", decimal)
    raise BadMapping(where, f"{key} is neither text nor number: {value!r}")


_ALIASES = {"id": "uid"}
_NAMING = frozenset({"a", "b", "player", "called", "session", "side", "pool", "uid", "score"})
"""Fields whose column is never read for another field as well, even if its words are translated."""


@frozen
class FieldMap:
    """The column of each field of an event, and the format of the file.

    Parameters
    ----------
    fields : mapping of str to FromColumn or Constant
        Target fields by name: `a`, `b`, `score`, `played`, `order`, `uid` (also spelt `id`), `pool`; for
        sessions of many sides `session`, `side`, `player`, `place`, or `sides` of JSON objects; and any
        other name for a field of `data` (in seeds: a column of the state). Unmapped fields are read
        from columns of their own names.
    delimiter, decimal : str or None
        The character between cells, by default guessed from the header; the decimal sign, by default a point.
    date : str or None
        A `strptime` form such as ``%d.%m.%Y``; by default ISO texts and close variants are read.
    encoding : str or None
        By default UTF-8.
    known : str or None
        The column with the day on which each result became known; the result is filed under that day.
    pool : str or None
        Pool of rows without one.
    skip : int or None
        Lines before the header; those that begin with `#` are skipped anyway.
    sheet : str or None
        Sheet of a spreadsheet, by default the only one that has the columns.
    query : str or None
        Query for a database.
    somebody : str or None
        Names, separated by commas, that are players although they usually mean nobody: `Bye,None`.
    nobody : str or None
        Names, separated by semicolons, that mean nobody, such as a club's own word for a bye: `Zuschauer;Platz 8`.
    meant : str or None
        Names to be replaced, such as misspelt ones, separated by semicolons: `Katarina=Katharina`.
    retired : {"unrated", "counts"} or None
        Whether a result such as `1-0 ret.` counts, in which a side retired and the winner is named; by default not.
    one_pool : bool
        Whether the pool is given, so that an unmapped column `pool` is not read.
    mirrored : bool or None
        Whether each side of a game has its own row, so that two rows that mirror each other are one game.
    keep : str or None
        Columns, separated by commas, that become fields of the same name, even if another field is read from them.
    where : str
        Name of the mapping in errors: the path of its file, or the argument or option that gave it.

    Examples
    --------
    >>> FieldMap.parse("a=white,b=black").fields["a"].column
    'white'
    """

    fields: Mapping[str, Source] = field(factory=dict)
    delimiter: str | None = None
    decimal: str | None = None
    date: str | None = None
    encoding: str | None = None
    known: str | None = None
    pool: str | None = None
    skip: int | None = None
    sheet: str | None = None
    query: str | None = None
    somebody: str | None = None
    nobody: str | None = None
    meant: str | None = None
    retired: str | None = None
    one_pool: bool = False
    mirrored: bool | None = None
    keep: str | None = None
    where: str = field(default="fields", eq=False)

    def player(self, field: str, text: str) -> str:
        """Returns the name of the player that a text means.

        Raises
        ------
        BadValue
            If the name is not allowed.
        Absent
            If it means nobody, such as `BYE`.
        """
        name = self.named(field, text)
        if (reason := nobody(name)) and name not in (self.somebody or "").split(","):
            raise Absent(field, text, "is a word for a missing opponent", reason)
        return name

    def named(self, field: str, text: str) -> str:
        """Returns the name of the player that a text means by `meant`.

        Raises
        ------
        BadValue
            If the name is not allowed; as `Absent` if it means nobody by `nobody`.
        """
        name = check_player(field, self.meanings.get(text, text))
        if self.nobody and name in map(str.strip, self.nobody.split(";")):
            raise Absent(field, text, "is a word for a missing opponent", "bye")
        return name

    def with_blanks_of(self, spaced: Mapping[str, str]) -> "FieldMap":
        """Returns this mapping for a log that has some names with several blanks, by which it knows their players.

        Examples
        --------
        >>> FieldMap().with_blanks_of({"Lee, Ann": "Lee,  Ann"}).player("a", "Lee, Ann")
        'Lee,  Ann'
        """
        meant = [f"{one}={name}" for one, name in spaced.items() if not {*"=;"} & {*name}]
        return evolve(self, meant=";".join([*meant, self.meant or ""])) if meant else self

    @cached_property
    def meanings(self) -> dict[str, str]:
        """The names to be replaced, and the names that replace them."""
        pairs = (one.partition("=") for one in (self.meant or "").split(";"))
        return {normal(wrong.strip()): right.strip() for wrong, _, right in pairs if right.strip()}

    @property
    def spent(self) -> frozenset[str]:
        """The mapped columns that are not read again for a field with the column's name.

        A column mapped to `order`, or translated by `words` to a further fact, may still be read under its own name.

        Examples
        --------
        >>> sorted(FieldMap.parse("a=home,b=away,order=round").spent)
        ['away', 'home']
        """
        plain = {name: one for name, one in self.fields.items() if isinstance(one, FromColumn) and name != "order"}
        return frozenset(one.column for name, one in plain.items() if name in _NAMING or not one.words)

    @property
    def kept(self) -> frozenset[str]:
        """The columns of `keep`, which become fields of the same name."""
        return frozenset(filter(None, map(str.strip, (self.keep or "").split(","))))

    @property
    def columns(self) -> frozenset[str]:
        """The columns that the mapping names."""
        return self.kept | {one.column for one in self.fields.values() if isinstance(one, FromColumn)}

    def in_pool(self, pool: str | None) -> "FieldMap":
        """Returns this mapping for a file whose pool is given, so that an unmapped column `pool` is not read."""
        return evolve(self, one_pool=pool is not None and "{" not in pool and "pool" not in self.fields)

    def on_day(self, day: When | None) -> "FieldMap":
        """Returns this mapping for a file without days, whose results all have the given one, or those without a day.

        If `played` is mapped to no column, the days of a table are ignored.

        Raises
        ------
        BadMapping
            If `played` is mapped to a value.
        """
        if day is None:
            return self
        text, mapped = Moment(day if isinstance(day, str) else iso(instant(day))), self.fields.get("played")
        if mapped is not None and not isinstance(mapped, FromColumn) and mapped != NO_COLUMN:
            raise BadMapping(self.where, "played is mapped, and a day of all results is given as well")
        column = mapped.column if isinstance(mapped, FromColumn) else ""
        given = Constant(text) if mapped == NO_COLUMN else DayOfAll(text, column)
        return evolve(self, fields={**self.fields, "played": given})

    def with_ground(self) -> "FieldMap":
        """Returns this mapping with a constant for `home`, if `home` is mapped to the column of a side.

        Examples
        --------
        >>> FieldMap.parse("a=HomeTeam,b=AwayTeam,home=HomeTeam").with_ground().fields["home"]
        Constant(value='a')
        """
        home, sides = self.fields.get("home"), [side for side in "ab" if side in self.fields]
        side = next((side for side in sides if home not in (None, NO_COLUMN) and self.fields[side] == home), None)
        return self if side is None else evolve(self, fields={**self.fields, "home": Constant(side)})

    def on(self, columns: Collection[str]) -> "FieldMap":
        """Returns this mapping with the full headings of a table where it gives parts: `White` of `White/Blancs`."""
        full, known = dict[str, str](), {*columns}
        for source in self.fields.values():
            if isinstance(source, FromColumn) and source.column not in known:
                there = [column for column in columns if source.column in parts_of(column)]
                full |= {source.column: there[0]} if len(there) == 1 else {}
        if not full:
            return self
        fields = {
            name: evolve(one, column=full.get(one.column, one.column)) if isinstance(one, FromColumn) else one
            for name, one in self.fields.items()
        }
        return evolve(self, fields=fields)

    @classmethod
    def parse(cls, text: str, where: str = "fields") -> "FieldMap":
        """Parses a mapping in one line: field=column, separated by commas.

        Parameters
        ----------
        text : str
            Column names may hold spaces; a name that holds a comma is put in quotes. A field without a column, such as
            `boards=`, is not read, even if a column has its name.
        where : str
            Name of the mapping in errors.

        Returns
        -------
        FieldMap

        Raises
        ------
        BadMapping
            If the text has another form, or maps a field twice.

        Examples
        --------
        >>> sorted(FieldMap.parse('a=white player,b="black, player",played=date').fields)
        ['a', 'b', 'played']
        """
        fields: dict[str, Source] = {}
        at = 0
        while at < len(text) or not fields:
            pair = _PAIR.match(text, at)
            if pair is None:
                raise BadMapping(where, f"expected field=column, found: {text[at:]!r}")
            name = _ALIASES.get(pair[1], pair[1])
            if name in fields:
                raise BadMapping(where, f"the field {name} is mapped twice")
            column = (pair[2] or pair[3] or pair[4] or "").strip()
            fields[name] = FromColumn(column) if column else NO_COLUMN
            at = pair.end()
        return cls(fields, where=where)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "FieldMap":
        """Reads a mapping from a TOML file.

        Parameters
        ----------
        path : str or path
            Top-level keys `delimiter`, `decimal`, `date`, `encoding`, `known`, `pool`, `skip`, `sheet`, `query`,
            `somebody`, `nobody`, `meant`, `retired`, `mirrored` and `keep`; in the table `[fields]` a field is a
            column name, or a table: `{column = "neutral", words = {TRUE = "", FALSE = "a"}, otherwise = ...,
            default = ...}`, or `{value = "the same in every row"}`.

        Returns
        -------
        FieldMap

        Raises
        ------
        BadMapping
            If the file cannot be read, is not TOML, or holds an unknown key or an impossible value.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "mapping.toml")
        ...     _ = file.write_text('decimal = ","\\n[fields]\\nhome = {column = "ground", words = {own = "a"}}')
        ...     mapping = FieldMap.load(file)
        >>> mapping.decimal, mapping.fields["home"].words
        (',', {'own': 'a'})
        """
        settings, sources = _load(path)
        fields: dict[str, Source] = {}
        for given, source in sources.items():
            name = _ALIASES.get(given, given)
            if name in fields:
                raise BadMapping(fspath(path), f"the field {name} is mapped twice")
            fields[name] = source
        return cls(fields, **settings, where=fspath(path))

    def as_json(self) -> dict[str, Any]:
        """Returns the mapping as JSON values, for `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "FieldMap":
        """Returns the mapping that `as_json` wrote.

        Examples
        --------
        >>> mapping = FieldMap.parse("a=white,boards=")
        >>> FieldMap.from_json(mapping.as_json()) == mapping
        True
        """
        kinds = {name: Constant if "value" in one else FromColumn for name, one in given["fields"].items()}
        return cls(**{**given, "fields": {name: kind(**given["fields"][name]) for name, kind in kinds.items()}})

    def merged(self, other: "FieldMap") -> "FieldMap":
        """Returns this mapping with the entries of another added; on a clash the other wins.

        Parameters
        ----------
        other : FieldMap
            Usually the mapping of the command line, which overrides that of a file.

        Returns
        -------
        FieldMap

        Examples
        --------
        >>> file = FieldMap.parse("a=home_team,b=away_team")
        >>> file.merged(FieldMap.parse("b=guest")).fields["b"].column
        'guest'
        """
        settings = {name: getattr(other, name) for name in SETTINGS if getattr(other, name) is not None}
        where = other.where if not self.fields else self.where if not other.fields else f"{self.where}, {other.where}"
        return evolve(self, fields={**self.fields, **other.fields}, where=where, **settings)


_PAIR = re.compile(
    r"""\s*([^\s=,"']+|[^=,"']*[^\s=,"'](?=\s*=\s*(?:,|$)))\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,"'][^,]*|))\s*(?:,(?!\s*$)|$)"""
)


def mapping_of(given: Mapping[str, str] | FieldMap | None) -> FieldMap:
    """Makes a `FieldMap` of columns by field, as given in Python; raises `BadMapping` if they are invalid."""
    if given is None or isinstance(given, FieldMap):
        return given or FieldMap()
    fields: dict[str, Source] = {}
    for name, column in given.items():
        if not isinstance(name, str) or not isinstance(column, str) or not name:
            raise BadMapping("fields", f"must have names of fields and columns: {name!r}: {column!r}")
        fields["uid" if name == "id" else name] = FromColumn(column) if column else NO_COLUMN
    return FieldMap(fields)
