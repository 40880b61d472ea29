"""`ratingcore site`: pages of everything in a log, as a folder for any web space."""

from pathlib import Path

import click

from ratingcore.plugin.commands import Mistake, command, counting, options, reading, say
from ratingcore_pages.words import LANGUAGES


@command(
    "site",
    "ratingcore site club.db public",
    "ratingcore site club.db public --base-url https://club.example/ratings/ --title 'Club ratings'",
)
@options.log
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--title", help="Name of the site; the name of the log file if left out.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option(
    "--base-url", default="", metavar="URL", help="Address of the site, for its site map and its feed of lists."
)
@click.option(
    "--css",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A style sheet to apply after the bundled one.",
)
@click.option(
    "--templates", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of templates that replace bundled ones of the same name.",
)  # fmt: skip
def site(
    log: str, folder: Path, title: str | None, language: str, base_url: str, css: Path | None, templates: Path | None
) -> None:
    """Write a site: a page for every pool, player, published list and tournament.

    The pages link to each other and need nothing else: copy FOLDER to any web space. When the site is written again,
    only files whose content changed are rewritten. The lists of each pool are those of its own rule; see `ratingcore
    declare`.
    """
    if base_url and not base_url.startswith(("http://", "https://")):
        raise Mistake(f"--base-url is not a web address: {base_url}", "write it like https://club.example/ratings/")
    from ratingcore_pages import Look, write_site  # not imported for the help

    name = "Ratings" if "://" in log else Path(log).stem
    look = Look(title or name, language, "" if css is None else css.read_text("utf-8"), templates)
    with reading(log) as engine, counting("looked at", "pages") as done:
        written = write_site(engine, folder, look, base_url=base_url, progress=lambda n, _: done(n))
    say(f"{folder}: {written.written} files written, {written.kept} unchanged, {written.removed} removed")
