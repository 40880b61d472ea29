"""The field map: which column holds which field, from the command line or a TOML file."""

import re
from collections.abc import Mapping
from os import PathLike, fspath

from attrs import evolve, field, frozen

from ratingcore.errors import BadMapping
from ratingcore.importer.tables.mappingfile import load
from ratingcore.importer.tables.sources import SETTINGS, FromColumn, Source

_ALIASES = {"id": "uid"}
ARGUMENTS = "fields", "map"
"""What methods of the engine call a mapping that they are given."""


@frozen
class FieldMap:
    """Says which column each field of an event comes from, and how the file is written.

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
        The column that says when results became known; they are filed under these days.
    pool : str or None
        Pool of rows that name none.
    skip : int or None
        Lines before the header; those that begin with `#` are skipped anyway.
    sheet : str or None
        Which sheet of a spreadsheet is meant, by default the only one that has the columns.
    query : str or None
        What a database is asked.

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
    where: str = field(default="--map", eq=False)

    @property
    def argument(self) -> str:
        """The argument of Python that gives it; empty on the command line, and of a mapping file."""
        return self.where if self.where in ARGUMENTS else ""

    @classmethod
    def parse(cls, text: str) -> "FieldMap":
        """Parses the `--map` option: field=column, separated by commas.

        Parameters
        ----------
        text : str
            Column names may hold spaces; one that holds a comma is put in quotes.

        Returns
        -------
        FieldMap

        Raises
        ------
        BadMapping
            If the text has another form, or a field comes twice.

        Examples
        --------
        >>> sorted(FieldMap.parse('a=white player,b="black, player",played=date').fields)
        ['a', 'b', 'played']
        """
        fields: dict[str, Source] = {}
        at = 0
        while at < len(text) or not fields:
            pair = _PAIR.match(text, at)
            column = pair and (pair[2] or pair[3] or pair[4]).strip()
            if pair is None or not column:
                raise BadMapping("--map", f"expected field=column, found: {text[at:]!r}")
            name = _ALIASES.get(pair[1], pair[1])
            if name in fields:
                raise BadMapping("--map", f"the field {name} is mapped twice")
            fields[name] = FromColumn(column)
            at = pair.end()
        return cls(fields)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "FieldMap":
        """Reads a mapping from a TOML file.

        Parameters
        ----------
        path : str or path
            Top-level keys `delimiter`, `decimal`, `date`, `encoding`, `known`, `pool`, `skip`, `sheet` and `query`; in
            the table `[fields]` a field is a column name, or a table: `{column = "neutral", words = {TRUE = "",
            FALSE = "a"}, otherwise = ..., default = ...}`, or `{value = "the same in every row"}`.

        Returns
        -------
        FieldMap

        Raises
        ------
        BadMapping
            If the file cannot be read, is no TOML, or holds an unknown key or an impossible value.

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
        settings, sources = load(path)
        fields: dict[str, Source] = {}
        for given, source in sources.items():
            name = _ALIASES.get(given, given)
            if name in fields:
                raise BadMapping(fspath(path), f"the field {name} is mapped twice")
            fields[name] = source
        return cls(fields, **settings, where=fspath(path))

    def merged(self, other: "FieldMap") -> "FieldMap":
        """Returns this mapping with the entries of another added; on a clash the other wins.

        Parameters
        ----------
        other : FieldMap
            Usually from the command line, over that of a file.

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


_PAIR = re.compile(r"""\s*([^\s=,"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,"'][^,]*|))\s*(?:,(?!\s*$)|$)""")
