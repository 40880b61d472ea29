"""The contract of readers and writers: recognition of a format, its options, and the function that reads or writes."""

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
        Size of the file in bytes, packed if it is; None for standard input.
    """

    name: str
    head: bytes
    size: int | None = None

    @property
    def text(self) -> str:
        """The beginning as text: without a byte order mark, undecodable bytes as Latin-1."""
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
    """A field for an option with a few possible words, the first of which is the default."""
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
        Whether players with an id are identified by it, or everybody by name.
    somebody : str
        Names, separated by commas, that are players although they usually mean nobody: `Bye,None`.
    date_format : str
        Format of days in the file, such as `%d/%m/%Y`; empty for that of the file format, or for unambiguous days.
    """

    players: str = one_of("id", "name")
    date_format: str = field(default="", validator=_of_days)
    somebody: str = field(default="")


@frozen
class TimedOptions(Options):
    """Options of readers whose files may give the begin and the end of a game.

    Parameters
    ----------
    time : {"end", "start"}
        Whether a game counts from its end or from its start, if the file gives both.
    """

    time: str = one_of("end", "start")


@frozen
class DatedOptions(TimedOptions):
    """Options of readers whose files date a tournament rather than its games, or give days in part.

    Parameters
    ----------
    dates : {"start", "end", "spread"}
        Day of a game without one of its own: the first or last of the tournament, or spread over its rounds.
    partial : {"refuse", "first", "last"}
        Day taken for a day known in part, such as `1997.??.??`: the first or last possible one.
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
        A document is the whole truth about one tournament or session: what is missing when it is issued again
        is taken back. Rows of a stream stand alone, and what a later file lacks stays.
    sniff : callable
        Confidence that a sample is of its format, 0 to 100; judges by content and never raises.
    read : callable
        Yields the items of a source in the order of the file, given an instance of `options`.
    options : type
        A frozen attrs class, `Options` or one that extends it.
    suffixes : tuple of str
        Endings of file names, `.pgn`; they decide only between readers that are equally sure.
    tables : tuple of str
        Names available in a template of pools: `speed`.

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
    """The options of a reader or writer given as texts; `BadParameter` if one is unknown, or its text invalid."""
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
"""Columns of results; those of the free fields follow, and `sides` if there are sessions."""

OF_ALL = frozenset(COLUMNS[:5])
"""Columns that identify a table of results as written from a log, so that all its columns count."""


@frozen
class Outgoing:
    """The content for a writer.

    Parameters
    ----------
    name : str
        Name of the file, whose ending may choose the form; empty for standard output.
    results : callable
        The results with their positions, in the order of the log, corrections applied; from the beginning each time.
    items : callable
        Items that a reader yields for a file, or would yield for the tournament in the log; likewise.
    head : str
        Head of the log that they were read from.
    listed : Listed or None
        The requested rating list.
    listed_name : str
        The name under which it is published.
    source : Source or None
        The file that the items were read from.
    remark : callable
        Called with a sentence about what the format has no place for.
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
        """The results, each as a row by the names of columns; sessions have `sides` in place of players.

        Parameters
        ----------
        words : bool
            Whether true and false are written as words, for forms that have no such values.
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
        """The free fields of the results, with the types of their values; `sides` where one is a session."""
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
            If one of the results is a session, for whose sides cells have no place.
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
