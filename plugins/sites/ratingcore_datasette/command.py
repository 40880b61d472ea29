"""`ratingcore datasette`: a log in the browser, by Datasette."""

import webbrowser
from pathlib import Path
from threading import Timer

import click

from ratingcore.errors import NotInstalled
from ratingcore.plugin.commands import Mistake, command, options, reading, say
from ratingcore_datasette.metadata import SETTINGS, metadata

HOST = "127.0.0.1"


@command(
    "datasette", "ratingcore datasette club.db", "ratingcore datasette club.db --with tables.db --port 8123 --open"
)
@options.log
@click.option(
    "--with", "others", type=click.Path(exists=True, dir_okay=False, path_type=Path), multiple=True, metavar="FILE",
    help="Another file to show: tables that catch-up wrote with --to; repeatable.",
)  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65_535), default=8001, show_default=True)
@click.option("--open", "opened", is_flag=True, help="Open a browser.")
def datasette(log: str, others: tuple[Path, ...], port: int, opened: bool) -> None:
    """Show a log in Datasette: games, events and corrections as pages with facets and filters.

    Only this machine can reach the pages, nothing is written, and Ctrl-C stops it. If catch-up keeps tables of ratings,
    they are pages too.
    """
    with reading(log):
        pass  # raises an error if it is not a log
    if not Path(log).is_file():
        hint = "ratingcore export and ratingcore load make a file of it"
        raise Mistake(f"Datasette opens files of SQLite, not {log}", hint)
    files = [Path(log), *others]
    try:
        import uvicorn
        from datasette.app import Datasette  # type: ignore[import-untyped]  # they need the extra
    except ImportError:
        raise NotInstalled("datasette", "a log in Datasette", "datasette") from None
    app = Datasette([str(file) for file in files], metadata=metadata(files), settings=dict(SETTINGS)).app()
    say(f"http://{HOST}:{port}/{Path(log).stem}")
    if opened:
        Timer(1.0, webbrowser.open, [f"http://{HOST}:{port}/{Path(log).stem}"]).start()
    uvicorn.run(app, host=HOST, port=port, log_level="warning")
