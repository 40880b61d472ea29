"""Specifies the hooks that plugins implement; hooks only register, and do not compute.

Names consist of at most 40 plain characters that can be typed. A plugin is listed as broken, and not used at all, if a
hook raises, returns a wrong value or calls `sys.exit`, if it registers nothing, or if a function `ratingcore_...` of it
is not a hook. A function that implements the hook of another plugin is marked with `@hookimpl(optionalhook=True)`.
Commands have no hook: entry points of the group `ratingcore.commands` announce them.
"""

from typing import Any

from pluggy import HookspecMarker

hookspec = HookspecMarker("ratingcore")


@hookspec
def ratingcore_methods() -> list[type[Any]]:  # type: ignore[empty-body]  # a specification
    """Rating methods: subclasses of `ratingcore.plugin.Method`.

    Called once by a registry, when something other than a bundled method is first requested.
    A plugin that uses a name already taken is listed as broken.
    """


@hookspec
def ratingcore_readers() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Readers of files by name: each a `ratingcore.plugin.Reader`, or a function that takes a path and yields events.

    Called once by a registry, when something other than a bundled method is first requested.
    """


@hookspec
def ratingcore_writers() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Writers of files: each a `ratingcore.plugin.Writer`.

    Called once by a registry, when something other than a bundled method is first requested.
    """


@hookspec
def ratingcore_stores() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Stores of logs: each a `ratingcore.plugin.stores.Store`, with the schemes of its addresses.

    Called once by a registry, when an address that is not a path is opened, or something other than a bundled method is
    first requested. A plugin with a scheme that is already taken is listed as broken.
    """


@hookspec
def ratingcore_sheets() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Kinds of tables: each a `ratingcore.plugin.readers.SheetKind`.

    A kind recognises its files by content, and opens a file as a `Sheet`: named columns, and rows of cells that hold
    texts or values. The core assigns columns to fields and interprets the rows, so that every kind can be used for
    tables of results, ratings, players and corrections. A kind may also open objects in memory, and may have a form for
    writing results and rating lists.

    Called once by a registry, when something other than a bundled method is first requested. The name of a
    kind is also the name of its reader, and must not be taken by another reader.
    """


@hookspec
def ratingcore_erasers() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Functions that remove erased players from the tables that a plugin keeps in the database of a log.

    Each is called as `eraser(log, numbers)` inside the transaction of an erasure, with the ids of the players, and
    returns the number of rows it changed. It can use `plugin_tables(log)`. If it raises, the erasure is undone.

    Called once by a registry, when something other than a bundled method is first requested.
    """


@hookspec
def ratingcore_grades() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Tables of grades by name: functions from a rating to a federation's grade, which is a text, a number or None.

    Called when a grade is requested. If two plugins have a table of the same name, the first plugin's is used; bundled
    plugins come first.
    """


@hookspec
def ratingcore_pages() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Functions that make pages, by kind of page; commands write them with `--to FILE.html`.

    `comparison` takes a `Comparison`; `list` the engine, a rating list, and a number of rows (None for all);
    `published` the engine, a pool and the name of a list; `player` the engine, a player and the question (pool, method,
    through, known_at); `meeting` the engine, two players and the question; `explanation` the engine, an `Explanation`
    and its method; `season` and `season_picture` the engine and a `Season` of `ratingcore_season`. All except
    `comparison` also take a `language`. Each returns an HTML page that needs no other file; the picture is SVG.
    `backdating` takes the engine and the keys of a plan, and returns the verdict and the page. `pdf` takes a page and
    returns the bytes of a PDF file. If several plugins offer a kind of page, the first one makes it.

    Called once by a command that writes a page.
    """
