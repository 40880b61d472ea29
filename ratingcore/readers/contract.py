"""The contract of readers and writers: how they recognise a format, take options, and read or write a file."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, Protocol

import attrs
from attrs import field, frozen
from attrs.validators import in_, instance_of

from ratingcore.errors import BadParameter, BadValue
from ratingcore.events import GamePlayed, SessionPlayed
from ratingcore.readers.date_forms import check_form
from ratingcore.readers.items import Item
from ratingcore.readers.source import Source
from ratingcore.readers.xml import root_of


class Sample(NamedTuple):
    """The beginning of a file, by which readers recognise their format.

    Attributes
    ----------
    name : str
        Name of the file or of the member of an archive.
    head : bytes
        The first 64 KB, unpacked.
    size : int or None
        Size of the file in bytes, as packed if it is; None for standard input.
    """

    name: str
    head: bytes
    size: int | None = None

    @property
    def text(self) -> str:
        """The beginning as text without a byte order mark: as UTF-8, or as Latin-1 if it is not UTF-8."""
        head = self.head.removeprefix(b"\xef\xbb\xbf")
        for cut in range(4):  # the last character may be cut
            try:
                return head[: len(head) - cut].decode()
            except UnicodeDecodeError:
                continue
        return head.decode("latin-1")

    @property
    def root(self) -> str:
        """The name of the root element of XML; empty for any other file."""
        return root_of(self.text)


def one_of(*words: str) -> Any:
    """Returns a field for an option that takes one of some words; the first word is the default."""
    return field(default=words[0], validator=in_(words))


def _of_days(instance: object, attribute: object, form: str) -> None:
    if form:
        check_form(form)


@frozen
class Options:
    """Options of every file; readers extend them with fields of their own.

    Parameters
    ----------
    players : {"id", "name"}
        `id` to identify players by their id if they have one, `name` to identify all players by name.
    somebody : str
        Names of players, separated by commas, that would otherwise mean a missing player: `Bye,None`.
    date_format : str
        Format of days in the file, such as `%d/%m/%Y`; empty for the format's own, or for unambiguous days.
    """

    players: str = one_of("id", "name")
    date_format: str = field(default="", validator=_of_days)
    somebody: str = field(default="")


@frozen
class TimedOptions(Options):
    """Options of readers whose files may give both the start and the end of a game.

    Parameters
    ----------
    time : {"end", "start"}
        The time of a game if the file gives both.
    """

    time: str = one_of("end", "start")


@frozen
class DatedOptions(TimedOptions):
    """Options of readers whose files date a tournament rather than its games, or give only part of a day.

    Parameters
    ----------
    dates : {"start", "end", "spread"}
        Day of a game without its own: the first or the last day of the tournament, or days spread over the rounds.
    partial : {"refuse", "first", "last"}
        Day taken for a partly known day, such as `1997.??.??`: none, or the first or last possible one.
    """

    dates: str = one_of("start", "end", "spread")
    partial: str = one_of("refuse", "first", "last")


def _never(sample: Sample) -> int:
    return 0


@frozen
class Reader:
    """Reads one format.

    Parameters
    ----------
    name : str
        Name on the command line; options follow as for methods, `trf:dates=end,players=name`.
    summary : str
        A line that describes what it reads.
    unit : {"document", "stream"}
        A document is complete for one tournament or session: results missing from a new issue are taken back. Rows
        of a stream are independent: results missing from a later file stay.
    sniff : callable
        Returns the confidence that a sample has its format, 0 to 100; judges by content and never raises.
    read : callable
        Yields the items of a source in the order of the file, given an instance of `options`.
    options : type
        A frozen attrs class, `Options` or one that extends it.
    suffixes : tuple of str
        Endings of file names, such as `.pgn`; they decide only between readers that are equally sure.
    tables : tuple of str
        Names that a template of pools may use, such as `speed`.

    Examples
    --------
    >>> from ratingcore.readers import Game, Who
    >>> def read(source, options):
    ...     for number, line in source.lines():
    ...         winner, loser, day = line.split()
    ...         yield Game(number, (), Who(None, winner), Who(None, loser), 1.0, at(day_of(day)))
    >>> reader = Reader("winners", "winner, loser and day, parted by blanks", read=read)
    """

    name: str = field(validator=instance_of(str))
    summary: str = ""
    unit: Literal["document", "stream"] = field(default="stream", validator=in_(("document", "stream")))
    sniff: Callable[[Sample], int] = _never
    read: Callable[[Source, Any], Iterator[Item]] = field(kw_only=True)
    options: type[Options] = Options
    suffixes: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()

    def configured(self, texts: Mapping[str, str]) -> Options:
        """Returns the options given as texts.

        Raises
        ------
        BadParameter
            If an option is unknown, or its text is not one of its values.
        """
        options: Options = configured(self.name, self.options, texts)
        return options


def configured(name: str, options: type[Any], texts: Mapping[str, str]) -> Any:
    """Returns the options of a reader or writer from texts; `BadParameter` for unknown options and invalid texts."""
    fields = {one.name: one for one in attrs.fields(options)}
    values = {}
    for option, text in texts.items():
        if option not in fields:
            raise BadParameter(name, option, "is unknown", tuple(fields))
        values[option] = _value(name, option, fields[option], text)
    try:
        return options(**values)
    except BadValue as error:
        raise BadParameter(
            name, error.what, error.why, value=repr(error.value), words=getattr(error, "words", ())
        ) from None
    except (ValueError, TypeError) as error:
        raise BadParameter(name, ", ".join(values), str(error.args[0] if error.args else error)) from None


_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _value(reader: str, name: str, option: "attrs.Attribute[Any]", text: str) -> Any:
    """Reads the value of an option from text, by the type of its default."""
    kind: type = type(option.default)
    words = getattr(option.validator, "options", None)
    if words is not None and text not in words:
        words = tuple(map(str, words))
        raise BadParameter(reader, name, f"must be one of {', '.join(words)}", value=repr(text), words=words)
    if kind is bool and text.lower() not in _TRUTH:
        raise BadParameter(reader, name, "must be true or false", value=repr(text))
    try:
        return _TRUTH[text.lower()] if kind is bool else int(text) if kind is int else text
    except ValueError:
        raise BadParameter(reader, name, "must be a whole number", value=repr(text)) from None


class Listed(Protocol):
    """A rating list, as far as a writer needs it."""

    def document(self, form: str, name: str = "") -> str:
        """The list as a text in a format of documents, with its provenance."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


def _nothing() -> Iterator[Any]:
    return iter(())


def _unheard(text: str) -> None:
    """Ignores notes on what was left out."""


COLUMNS = ("position", "uid", "pool", "played", "order", "a", "b", "score")
"""Columns of results; columns of the free fields follow, and `sides` if there are sessions."""

OF_ALL = frozenset(COLUMNS[:5])
"""Columns that show that a table was written from a log, so that all its columns are read."""


@frozen
class Outgoing:
    """The content for a writer.

    Parameters
    ----------
    name : str
        Name of the file, whose ending may choose the form; empty for standard output.
    results : callable
        Returns the corrected results with their positions, in the order of the log, from the beginning each time.
    items : callable
        Returns the items that a reader yields for a file, or would yield for the tournament in the log.
    head : str
        Head of the log from which they are read.
    listed : Listed or None
        The requested rating list.
    listed_name : str
        The name under which the list is published.
    source : Source or None
        The file that the items were read from.
    remark : callable
        Called with a sentence about content for which the format has no place.
    """

    name: str
    results: Callable[[], Iterator[tuple[int, GamePlayed | SessionPlayed]]] = _nothing
    items: Callable[[], Iterator[Item]] = _nothing
    head: str = ""
    listed: Listed | None = None
    listed_name: str = ""
    source: Source | None = None
    remark: Callable[[str], None] = _unheard

    def rows(self, *, words: bool = True) -> Iterator[dict[str, Any]]:
        """Yields each result as a row of values by column; sessions have `sides` in place of players.

        Parameters
        ----------
        words : bool
            Whether true and false become words, for forms without such values.
        """
        for position, result in self.results():
            row: dict[str, Any] = {
                "position": position, "uid": result.uid, "pool": result.pool, "played": result.played,
                "order": result.order,
            }  # fmt: skip
            if isinstance(result, GamePlayed):
                row |= {"a": result.a, "b": result.b, "score": result.score}
            else:
                row["sides"] = [{"players": list(side.players), "score": side.score} for side in result.sides]
            data = result.data.items()
            yield {
                name: str(value).lower() if words and isinstance(value, bool) else value for name, value in data
            } | row

    def fields(self) -> dict[str, set[type]]:
        """Returns the free fields of the results, with the types of their values; `sides` if there is a session."""
        found: dict[str, set[type]] = {}
        for _, result in self.results():
            if isinstance(result, SessionPlayed):
                found.setdefault("sides", set())
            for name, value in result.data.items():
                found.setdefault(name, set()).add(type(value))
        return dict(sorted(found.items()))

    def columns(self, form: str) -> tuple[str, ...]:
        """The columns of a table of results.

        Raises
        ------
        BadParameter
            If one of the results is a session, because a cell cannot hold sides.
        """
        fields = self.fields()
        if "sides" in fields:
            raise BadParameter(
                "results", "form", f"{form} has no place for the sides of sessions: write .jsonl or .parquet"
            )
        return (*COLUMNS, *fields)

    def ends(self, *suffixes: str) -> bool:
        """True if the name of the file has one of these endings."""
        return self.name.lower().endswith(suffixes)


@frozen
class NoOptions:
    """No options."""


@frozen
class Writer:
    """Writes one format.

    Parameters
    ----------
    name : str
        Name on the command line; options follow as for readers, `trf:eol=lf`.
    summary : str
        A line that describes what it writes.
    options : type
        A frozen attrs class.
    write : callable
        Yields the bytes of a file, given an `Outgoing` and an instance of `options`.
    """

    name: str = field(validator=instance_of(str))
    summary: str
    options: type[Any] = NoOptions
    write: Callable[[Outgoing, Any], Iterator[bytes]] = field(kw_only=True)
