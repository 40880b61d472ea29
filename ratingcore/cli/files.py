"""Makes the files that commands write: each is complete or absent, and never replaces an existing file."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from ratingcore.atomic_file import atomic_file
from ratingcore.cli.console import Mistake, note
from ratingcore.engine import Engine
from ratingcore.errors import NotInstalled
from ratingcore.log.address import file_path
from ratingcore.report.style import check_installed
from ratingcore.report.table import Table


def must_be_new(path: str) -> None:
    """Raises `Mistake` for a path that exists already, and an error for the address of a database."""
    if file_path(path).exists():
        raise Mistake(f"this path exists already: {path}", "name another file, or move that one away first")


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Opens a new file for writing; it gets its name once it is complete."""
    must_be_new(path)
    with atomic_file(Path(path)) as part:
        with part.open("wb") as file:
            yield file
        must_be_new(path)  # another program may have made one meanwhile


def write_new(path: str, text: str) -> None:
    """Writes a text to a new file."""
    with new_file(path) as raw, io.TextIOWrapper(raw, "utf-8", newline="") as file:
        file.write(text)


def page_of(engine: Engine, kind: str, *of: object, **look: str) -> str:
    """Returns a page that a plugin makes, as HTML.

    Parameters
    ----------
    kind : str
        Kind of page, from `ratingcore.hooks.ratingcore_pages`.
    *of : object
        Arguments of the maker of the page.
    look : str
        The language of the page, if its kind offers a choice.

    Raises
    ------
    NotInstalled
        If no plugin makes such pages.
    """
    made: str = _maker(engine, kind)(*of, **look)
    return made


def write_page(engine: Engine, file: str, kind: str, *of: object, language: str) -> None:
    """Writes a page that a plugin makes to a new file, `.html` or `.pdf`, and names the file on stderr."""
    must_be_new(file)
    html = page_of(engine, kind, engine, *of, language=language)
    content: bytes = _maker(engine, "pdf")(html) if Path(file).suffix.lower() == ".pdf" else html.encode()
    with new_file(file) as raw:
        raw.write(content)
    note(f"{file}: the page")


def _maker(engine: Engine, kind: str) -> Callable[..., Any]:
    """Returns the function that makes a kind of page, from the first plugin that has one."""
    offered = engine.registry.offered("ratingcore_pages", dict).values()
    maker: Callable[..., Any] | None = next((makers[kind] for makers in offered if kind in makers), None)
    if maker is None:
        raise NotInstalled("ratingcore_pages", "a page", "")
    return maker


class Answer(Protocol):
    """Result of a command that can be written as tables or as JSON."""

    @property
    def tables(self) -> dict[str, Table]: ...
    def json(self) -> str: ...


def check_free(*files: str | None, folder: str | None = None, html: str | None = None) -> None:
    """Checks before any work that the files are new, the folder is new or empty, and a report can be drawn."""
    for file in (*files, html):
        if file is not None:
            must_be_new(file)
            if not Path(file).absolute().parent.is_dir():
                raise Mistake(f"there is no folder to write it to: {file!r}", "make the folder first")
    if folder is not None and not (Path(folder).is_dir() and not any(Path(folder).iterdir())):
        must_be_new(folder)
    if html is not None:
        check_installed()


def keep(
    answer: Answer,
    page: Callable[[], str],
    html: str | None = None,
    as_json: str | None = None,
    folder: str | None = None,
) -> None:
    """Writes the requested files, and names them on stderr.

    Parameters
    ----------
    page : callable
        Makes the report.
    html, as_json : str or None
        Files for the report and for every number.
    folder : str or None
        Folder for a CSV file of each table.
    """
    if html is not None:
        write_new(html, page())
        note(f"{html}: the report")
    if as_json is not None:
        write_new(as_json, answer.json() + "\n")
        note(f"{as_json}: every number")
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, table in answer.tables.items():
            (Path(folder) / f"{name}.csv").write_text(table.csv(), encoding="utf-8", newline="")
        note(f"{folder}: {len(answer.tables)} tables")
