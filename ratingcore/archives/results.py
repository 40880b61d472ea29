"""Results out of files: every row a game, refused, or not to be rated."""

from collections.abc import Callable, Iterator

from ratingcore.archives.binding import Binding, Reader
from ratingcore.archives.dates import played
from ratingcore.archives.fieldmap import FieldMap
from ratingcore.archives.files import Path
from ratingcore.archives.lines import Line, Outcome, Unrated
from ratingcore.archives.numbers import fact, number, required, whole
from ratingcore.archives.rows import lines
from ratingcore.archives.scores import NO_RESULT, home, score, score_of_points
from ratingcore.archives.sheets import Sheet, open_sheet
from ratingcore.archives.uids import uids
from ratingcore.errors import BadMapping, BadValue
from ratingcore.events import Fact, GamePlayed, canonical
from ratingcore.events.kinds import RESULT_FIELDS

POINTS = ("points_a", "points_b")
KNOWN = ("boards", "event", "handicap", "home", "importance", *POINTS, "round", "season", "unit")
"""Fields of a result's data that are taken from columns of these names without being mapped."""

_TYPED = frozenset({"a", "b", "score", "played", "order", "uid", "pool"})


def read_results(path: Path, *, pool: str | None = None, fields: FieldMap | None = None, key: str) -> Iterator[Line]:
    """The games in a file, lazily and in its order; every data row yields exactly one line.

    Parameters
    ----------
    path : str or path
        CSV or another delimited text, or one JSON object a line (named ``.jsonl`` or ``.ndjson``, or beginning
        with a brace); plain or gzip.
    pool : str or None
        The pool of rows that do not say theirs; None leaves it to the mapping.
    fields : FieldMap or None
        Which columns hold what. Fields that are not mapped are read from columns of their own names: `a`, `b`,
        `score`, `played`, `order`, `uid` or `id`, and the known fields of data (`points_a`, `home`, `event`, ...).
        Without a score it follows from `points_a` and `points_b`.
    key : str, up to 128 hexadecimal digits
        The key of the log, for the uids of rows that have none.

    Returns
    -------
    iterator of Line
        A line's outcome is a `GamePlayed`, or `Refused` with its reason, or `Unrated` (forfeit, bye, no result yet).

    Raises
    ------
    BadFile
        At once if the file cannot be read or is empty; while iterating if its text is damaged further on.
    ColumnNotFound, BadMapping
        If the mapping does not fit the file, or gives no pool.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "games.csv")
    ...     _ = file.write_text("white,black,score,played\\nann,bo,1-0,2024-03-02\\ncy,di,+/-,2024-03-02\\n")
    ...     mapping = FieldMap.parse("a=white,b=black")
    ...     win, forfeit = read_results(file, pool="rapid", fields=mapping, key="00ff")
    >>> win.number, win.outcome.a, win.outcome.score
    (2, 'ann', 1.0)
    >>> forfeit
    Line(number=3, outcome=Unrated(reason='forfeit'))
    """
    fields = fields or FieldMap()
    foreign = sorted((RESULT_FIELDS - _TYPED) & fields.fields.keys())
    if foreign:
        raise BadMapping(fields.where, f"a game has no field {foreign[0]}")
    sheet = open_sheet(path, fields.encoding, fields.delimiter, ("order", *KNOWN))
    return lines(sheet, *_compiled(sheet, fields, pool or fields.pool, uids(key)))


def _compiled(
    sheet: Sheet, fields: FieldMap, pool: str | None, uid_of: Callable[[str], str]
) -> tuple[Binding, Callable[[list[str]], Outcome]]:
    """The binding of a file, and what makes a game of a row of it.

    This is the hot path of every import, so it is flat: look-ups by index, no call that is not needed.
    """
    bound = Binding(sheet, fields)
    a, b = bound.required("a", str), bound.required("b", str)
    day = bound.required("played", played(fields.date))
    share = None if _points_decide(fields, sheet) else bound.required("score", _score_of(fields.decimal or "."))
    order = bound.optional("order", lambda text: whole("order", text), "order")
    where = pool_reader(bound, fields, pool)
    uid = bound.optional("uid", str, "uid", "id")
    read_data = [(name, reader.index, reader) for name, reader in _data(bound, fields)]
    at_a, at_b, at_day = a.index, b.index, day.index

    def game(cells: list[str]) -> Outcome:
        if share is not None:
            point, point_text = share[cells[share.index]]
            if point.__class__ is Unrated:
                return point  # type: ignore[return-value]  # its class was asked for
        facts: dict[str, Fact] = {}
        written = ""
        for name, index, reader in read_data:
            fact, text = reader[cells[index]]
            if fact is not None:
                facts[name] = fact
                written += text
        if share is None:
            if "points_a" not in facts or "points_b" not in facts:
                return NO_RESULT
            point, point_text = score_of_points(facts["points_a"], facts["points_b"])
        one, other, when = a[cells[at_a]], b[cells[at_b]], day[cells[at_day]]
        turn = order[cells[order.index]] if order is not None else 0
        scope = where[cells[where.index]] if where is not None else pool
        if uid is None:
            name = uid_of(f"{scope}\n{when}\n{turn}\n{one}\n{other}\n{point_text}\n{written}")
        else:
            name = cells[uid.index].strip()
        return GamePlayed(uid=name, pool=scope, played=when, a=one, b=other, score=point, order=turn, data=facts)

    return bound, game


def _score_of(decimal: str) -> Callable[[str], tuple[float | Unrated, str]]:
    read = number(decimal)

    def share(text: str) -> tuple[float | Unrated, str]:
        point = score(text, read)
        return point, str(point)

    return share


def _points_decide(fields: FieldMap, sheet: Sheet) -> bool:
    """Whether the score follows from the points: a mapped score comes first, then mapped points, then columns."""
    if "score" in fields.fields:
        return False
    if fields.fields.keys() >= set(POINTS):
        return True
    return "score" not in sheet.columns and all(name in fields.fields or name in sheet.columns for name in POINTS)


def pool_reader(bound: Binding, fields: FieldMap, pool: str | None) -> Reader[str] | None:
    """The reader of the pool, or None when it is the same in every row."""
    if "pool" not in fields.fields and pool is None:
        raise BadMapping(fields.where, "no pool is named")
    return bound.optional("pool", lambda text: text or pool or "")


def _data(bound: Binding, fields: FieldMap) -> list[tuple[str, Reader[tuple[Fact | None, str]]]]:
    """The readers of data, sorted by name as canonical JSON is."""
    found = []
    for name in sorted({*KNOWN, *fields.fields} - _TYPED):
        reader = bound.optional(name, _written(name, _fact_of(name, fields.decimal or ".")), *own_column(name, KNOWN))
        if reader is not None:
            found.append((name, reader))
    return found


def own_column(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The column a field is looked for when it is not mapped: its own name, if it is a known one."""
    return (name,) if name in known else ()


def _written(name: str, read: Callable[[str], Fact | None]) -> Callable[[str], tuple[Fact | None, str]]:
    """The fact in a text together with its canonical JSON, which the uid is made from."""

    def fact_and_text(text: str) -> tuple[Fact | None, str]:
        value = read(text)
        written = canonical({name: value})
        try:
            written.encode()
        except UnicodeEncodeError:
            raise BadValue(name, text, "holds half a character") from None
        return value, written

    return fact_and_text


def _fact_of(name: str, decimal: str) -> Callable[[str], Fact | None]:
    if name in POINTS:
        points = number(decimal)
        return lambda text: required(name, text, points)
    if name == "home":
        return home
    read = fact(decimal)
    return lambda text: read(name, text)
