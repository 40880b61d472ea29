"""`ratingcore demo`: the main job on a real archive, from files to lists that agree with published ones."""

import csv
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Any

import click

import ratingcore as rc
from ratingcore.errors import NotInstalled, UnknownUid
from ratingcore.plugin.analysis import FieldMap, corrections_of, instant, row_of
from ratingcore.plugin.commands import command, page_of, progress, progress_done, say

METHOD = "elo-margin:preset=nba538"
FINAL = "1996-06-16"
"""Day of the sixth game of the 1996 final: Chicago 87, Seattle 75."""
CORRECTION = "demo-correction"
LOG, PAGE = "nba.db", "1996.html"
FILES = ("games.csv.xz", "seeds.csv", "mapping.toml")
"""Files of the archive that the commands name."""
DIGITS = 12
"""Digits of a digest that are shown."""


@command("demo", "ratingcore demo", "ratingcore demo --dir nba")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the log; a new folder if left out.",
)
@click.option("--serve", is_flag=True, help="Serve the log at the end, as ratingcore serve does.")
@click.pass_context
def demo(context: click.Context, folder: Path | None, serve: bool) -> None:
    """Show the main job on 50,257 real games, end to end.

    Makes a log of NBA and ABA games from 1946 to 2005 from files that come with ratingcore; shows a past list, a late
    correction, the agreement with published ratings, and a page; and leaves all of it there to explore. Running it
    again in the same folder uses the same log.
    """
    began = perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-")) if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if not (folder / name).exists():
            shutil.copy(archive() / name, folder)
    _command("cd", folder.absolute(), program="")
    with rc.open(folder / LOG) as engine:
        _import(engine, folder)
        late = _corrected(engine)
        known_at = row_of(engine.log, CORRECTION).position - 1
        then = engine.rating_list("nba", None, FINAL, known_at)
        _past_list(then)
        _correction(engine, then, known_at, late)
        _agreement(engine, known_at)
        page = _page(engine, then, folder)
    _next(perf_counter() - began)
    if serve:
        _serve(context, folder / LOG)
    else:
        _open(page, folder.absolute())


def _serve(context: click.Context, path: Path) -> None:
    """Serves the log by the commands of the service plugin, with a token for its desk."""
    group = context.find_root().command

    def run(name: str, *words: str) -> None:
        command = group.get_command(context, name) if isinstance(group, click.Group) else None
        if command is None:
            raise NotInstalled("ratingcore_service", f"the command {name}", "service")
        command.main([*words], standalone_mode=False)

    _say(["", "A token for the desk of this log:"])
    run("token", "add", str(path), f"demo {datetime.now(UTC):%Y-%m-%d %H.%M.%S}", "--scope", "officer")
    run("serve", str(path), "--title", "NBA and ABA")


def _import(engine: rc.Engine, data: Path) -> None:
    _heading("1. Results, first ratings and the rule become events of a log")
    _command("import", LOG, "games.csv.xz", "--pool", "nba", "--mapping", "mapping.toml")
    fields = FieldMap.load(data / "mapping.toml")
    _say(engine.import_file(data / "games.csv.xz", "nba", fields, progress=progress("games.csv.xz")).lines())
    progress_done()
    _command("seed", LOG, "seeds.csv", "--pool", "nba")
    engine.import_seeds(data / "seeds.csv", "nba")
    _command("declare", LOG, "nba", "--method", METHOD)
    engine.declare("nba", method=METHOD)


def _corrected(engine: rc.Engine) -> bool:
    """Records the late correction; True if an earlier demo in this folder has recorded it."""
    try:
        row_of(engine.log, CORRECTION)
    except UnknownUid:
        changes = {"score": 0.0, "points_a": 75, "points_b": 87}
        why = "demo: suppose the points had been entered the wrong way round"
        engine.record(rc.ResultAmended(uid=CORRECTION, of=_final(engine), changes=changes, why=why, by="demo"))
        return False
    return True


def _final(engine: rc.Engine) -> str:
    """Uid of the game between Chicago and Seattle on the day of the final."""
    played = instant(FINAL)
    games = (event for row, event in engine.events(kinds=("game",)) if row.played == played)
    return next(game.uid for game in games if isinstance(game, rc.GamePlayed) and (game.a, game.b) == ("CHI", "SEA"))


def _past_list(then: rc.RatingList) -> None:
    _heading("2. The list of a past day: 16 June 1996, when Chicago had won the final")
    _command("list", LOG, "--through", FINAL, "--top", 3)
    _say([*then.table(3), f"digest {then.digest[:DIGITS]}"])


def _correction(engine: rc.Engine, then: rc.RatingList, known_at: int, late: bool) -> None:
    _heading("3. A late correction of that final: an event like any other, nothing is overwritten")
    _command("amend", LOG, _final(engine), "score=0-1", "points_a=75", "points_b=87", "--why", "a slip")
    if row_of(engine.log, CORRECTION).position in corrections_of(engine.log).void:
        _say([f"(recorded by the demo that ran here before, and voided since: ratingcore revive {LOG} {CORRECTION})"])
    elif late:
        _say(["(recorded by the demo that ran here before)"])
    now = engine.rating_list("nba", None, FINAL)
    _say(str(then.diff(now)).splitlines())
    again = engine.rating_list("nba", None, FINAL, known_at)
    same = "the same" if again.digest == then.digest else "ANOTHER"
    _say([f"The list as it was known at position {known_at}, made again, has {same} digest: {again.digest[:DIGITS]}"])


def _agreement(engine: rc.Engine, known_at: int) -> None:
    _heading("4. Agreement with the ratings that FiveThirtyEight published")
    after = _ratings_after(engine.forecasts("nba", known_at=known_at))
    theirs = published()
    largest = max(abs(after[key] - rating) for key, rating in theirs.items())
    _say([f"{len(theirs):,} ratings, each team's after every season: the largest difference is {largest:.6f} points"])


def _ratings_after(games: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Rating of each team after its last game of a day, by day and team."""
    return {
        (game["played"], game[side]): game[f"rating_{side}"] + game[f"change_{side}"] for game in games for side in "ab"
    }


def published() -> dict[tuple[str, str], float]:
    """Published rating of each team after its last game of each season, by day and team."""
    with (archive() / "season_ends.csv").open(encoding="utf-8", newline="") as file:
        return {(row["date"], row["team"]): float(row["rating"]) for row in csv.DictReader(file)}


def archive() -> Path:
    """Folder of the NBA archive: inside the installed package, or in the repository it is developed in."""
    shipped = Path(__file__).with_name("nba")
    return shipped if shipped.is_dir() else Path(__file__).parents[3] / "fixtures" / "archives" / "nba" / "demo"


def _page(engine: rc.Engine, then: rc.RatingList, folder: Path) -> Path | None:
    """Writes the past list as a page; None if no plugin makes pages."""
    try:
        html = page_of(engine, "list", engine, then, None, language="en")
    except NotInstalled as error:
        _say([str(error), error.suggestion])
        return None
    (folder / PAGE).write_text(html, encoding="utf-8")
    return (folder / PAGE).absolute()


def _next(seconds: float) -> None:
    _heading(f"5. Your turn: all of that took {seconds:.1f} seconds; commands to try")
    _command("player", LOG, "CHI", "--since", "1996-06-05", "--through", "1996-11-06")
    _command("list", LOG, "--method", "elo:k=24,period=month", "--top", 10)
    _command("void", LOG, CORRECTION, "--why", "the points were right after all")
    _command("verify", LOG)


def _open(page: Path | None, folder: Path) -> None:
    """Names the page of the list, or opens it in a browser at a terminal, and shows how to serve it."""
    _say(["", f"To serve it, with a desk: ratingcore demo --dir {quote(str(folder))} --serve"])
    if not all(map(find_spec, ("msgspec", "starlette", "uvicorn"))):
        _say(['first install the extra "service" as you installed ratingcore: pip install "ratingcore[service]", or'])
        _say(['pip install ".[service]" in the folder of its source'])
    if page is not None:
        opened = sys.stdout.isatty() and webbrowser.open(page.as_uri())
        _say(["", f"THE LIST {'IS OPEN IN YOUR BROWSER' if opened else 'AS A PAGE'}: {page}"])


def _heading(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


def _command(*words: object, program: str = "ratingcore") -> None:
    """Prints the command line that does the same."""
    sys.stdout.write(f"$ {' '.join(quote(str(word)) for word in (program, *words) if word != '')}\n")


def _say(lines: Iterable[str]) -> None:
    say("\n".join(lines))
    sys.stdout.flush()
