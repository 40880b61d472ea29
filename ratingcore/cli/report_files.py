"""Files that a command writes beside its answer: a report, every number, a table each; nothing is ever overwritten."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ratingcore.cli.console import Mistake, note

if TYPE_CHECKING:
    from ratingcore.report.table import Table

_ELSEWHERE = "name another, or move that one away first"


class Told(Protocol):
    """An answer made of tables."""

    @property
    def tables(self) -> "dict[str, Table]": ...
    def json(self) -> str: ...


def see_free(*files: str | None, folder: str | None = None, html: str | None = None) -> None:
    """See before any work that what is to be written is not there yet, and that a report can be drawn."""
    taken = [file for file in (*files, html) if file is not None and Path(file).exists()]
    if folder is not None and Path(folder).exists() and (not Path(folder).is_dir() or any(Path(folder).iterdir())):
        taken.append(folder)
    if taken:
        raise Mistake(f"there is something already: {taken[0]}", _ELSEWHERE)
    if html is not None:
        from ratingcore.report.style import see_installed

        see_installed()


def keep(
    told: Told, page: Callable[[], str], html: str | None = None, as_json: str | None = None, folder: str | None = None
) -> None:
    """Write what is asked for, and say so.

    Parameters
    ----------
    page : callable
        Makes the report.
    html, as_json : str or None
        Files of the report and of every number.
    folder : str or None
        Where a CSV file a table goes.
    """
    if html is not None:
        _write(html, page(), "the report")
    if as_json is not None:
        _write(as_json, told.json() + "\n", "every number")
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, table in told.tables.items():
            (Path(folder) / f"{name}.csv").write_text(table.csv(), encoding="utf-8", newline="")
        note(f"{folder}: {len(told.tables)} tables")


def _write(file: str, text: str, what: str) -> None:
    try:
        with Path(file).open("x", encoding="utf-8", newline="") as out:
            out.write(text)
    except FileExistsError:
        raise Mistake(f"there is something already: {file}", _ELSEWHERE) from None
    note(f"{file}: {what}")
