"""Specifies the hooks of a plugin; hooks register and never compute.

Names are plain letters that can be typed, 40 at most. A plugin whose hook raises, returns something else or calls
`sys.exit` is listed as broken, and nothing of it is used. So is one that registers nothing, or has a function
`ratingcore_...` that is no hook; one that implements the hook of another plugin marks it with
`@hookimpl(optionalhook=True)`.
Commands are not registered by a hook but announced by entry points of the group `ratingcore.commands`.
"""

from typing import Any

from pluggy import HookspecMarker

hookspec = HookspecMarker("ratingcore")


@hookspec
def ratingcore_methods() -> list[type[Any]]:  # type: ignore[empty-body]  # a specification
    """Rating methods: subclasses of `ratingcore.plugin.Method`.

    Called once by a registry, when it is first asked for more than a bundled method.
    A plugin that uses a name already taken is listed as broken.
    """


@hookspec
def ratingcore_readers() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Readers of files by name: each a `ratingcore.plugin.Reader`, or a function that takes a path and yields events.

    Called once by a registry, when it is first asked for more than a bundled method.
    """


@hookspec
def ratingcore_writers() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Writers of files: each a `ratingcore.plugin.Writer`.

    Called once by a registry, when it is first asked for more than a bundled method.
    """


@hookspec
def ratingcore_stores() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Stores of logs: each a `ratingcore.plugin.stores.Store`, with the schemes of its addresses.

    Called once by a registry, when an address that is no path is opened, or when it is asked for more than a bundled
    method. A plugin with a scheme that is already taken is listed as broken.
    """


@hookspec
def ratingcore_sheets() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Kinds of tables: each a `ratingcore.plugin.readers.SheetKind`.

    A kind recognises its files by content, and opens one as a `Sheet`: named columns, and rows of cells that hold texts
    or values. Which column is which field, and what becomes of a row, is the core's work; so tables of results, of
    ratings, of players and of corrections are all read by it. It may open objects in memory, and have a form in which
    results and rating lists are written.

    Called once by a registry, when it is first asked for more than a bundled method. The name of a kind is the name of
    its reader, and must not be that of another.
    """


@hookspec
def ratingcore_erasers() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Functions that take erased players out of the tables that a plugin keeps in the database of a log.

    Each is called as `eraser(log, numbers)` inside the transaction of an erasure, with the ids of the players, and
    returns how many rows it changed; `plugin_tables(log)` is there. What it raises undoes the erasure.

    Called once by a registry, when it is first asked for more than a bundled method.
    """


@hookspec
def ratingcore_grades() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Tables of grades by name: functions from a rating to what a federation calls it, a text, a number or None.

    Called when grades are asked for. Where two plugins have a table of one name, that of the first is taken, and
    bundled ones come first.
    """


@hookspec
def ratingcore_pages() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Pages for people, as HTML, which commands write with `--to FILE.html`, by what they show.

    `comparison` takes a `Comparison`; `list` the engine, a rating list, and how many rows of it, None for all;
    `published` the engine, a pool and the name of a list; `player` the engine, a player and the question: pool, method,
    through, known_at; `meeting` the engine, two players and the question;
    `explanation` the engine, an `Explanation` and its method; `season` and `season_picture` the engine and a `Season`
    of `ratingcore_season`. Each but the first takes a `language`, too. Each returns the page as a text that needs no
    other file, the picture as SVG. `backdating` takes the engine and the keys of a plan, and returns the verdict and
    the page. `pdf` takes a page and returns the bytes of a PDF file. The first plugin that has a kind of page makes it.

    Called once by a command that writes a page.
    """
