"""`ratingcore demo`: the main job on a real archive, from files to lists that agree with published ones."""

import csv
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Iterable, Mapping
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Any

import click

import ratingcore as rc
from ratingcore.errors import NotInstalled, UnknownUid
from ratingcore.plugin.analysis import FieldMap, instant, row_of
from ratingcore.plugin.commands import Mistake, command, page_of, progress, progress_done, say, write

METHOD = "elo-margin:preset=nba538"
FINAL = "1996-06-16"
"""Day of the sixth game of the 1996 final: Chicago 87, Seattle 75."""
CORRECTION = "demo-correction"
LOG, PAGE = "ratingcore-demo.db", "1996.html"
FILES = ("games.csv.xz", "seeds.csv", "mapping.toml")
"""Files of the archive that the commands name."""
COLUMNS = ("played", "opponent", "score", "expected", "change", "rating")


@command("demo", "ratingcore demo", "ratingcore demo --dir nba")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the log is made; a new folder if left out.",
)
@click.option("--serve", is_flag=True, help="Serve the log at the end, as ratingcore serve does.")
@click.pass_context
def demo(context: click.Context, folder: Path | None, serve: bool) -> None:
    """Show the main job on 50,257 real games, end to end.

    Makes a log of NBA and ABA games from 1946 to 2005 out of files that come with ratingcore; shows a past list, a late
    correction, a history, the agreement with published ratings and a page; and leaves all of it there to play with.
    Running it again in the same folder goes on with the same log.
    """
    began = perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-")) if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if not (folder / name).exists():
            shutil.copy(archive() / name, folder)
    _say([f"Everything here happens in {folder.absolute()}; the commands below are typed there:"])
    _command("cd", folder.absolute(), program="")
    path = Path(LOG)
    with rc.open(folder / LOG) as engine:
        _import(engine, folder)
        late = _corrected(engine)
        known_at = row_of(engine.log, CORRECTION).position - 1
        then = engine.rating_list("nba", METHOD, FINAL, known_at)
        _past_list(then, path)
        _correction(engine, then, known_at, late, path)
        _history(engine, known_at, path)
        _agreement(engine, known_at)
        page = _page(engine, then, folder)
    _next(path, known_at, perf_counter() - began)
    if serve:
        _serve(context, folder / LOG)
    else:
        _open(page)


def _serve(context: click.Context, path: Path) -> None:
    """Serves the log by the command of the plugin that does."""
    group = context.find_root().command
    command = group.get_command(context, "serve") if isinstance(group, click.Group) else None
    if command is None:
        raise Mistake("no command named serve is installed", 'pip install "ratingcore[service]"')
    command.main([str(path), "--method", METHOD, "--title", "NBA and ABA"], standalone_mode=False)


def _import(engine: rc.Engine, data: Path) -> None:
    _heading("1. Import: results and first ratings become events of a log")
    _command("import", LOG, "games.csv.xz", "--pool", "nba", "--mapping", "mapping.toml")
    fields = FieldMap.load(data / "mapping.toml")
    _say(engine.import_file(data / "games.csv.xz", "nba", fields, progress=progress("games.csv.xz")).lines())
    progress_done()
    _command("seed", LOG, "seeds.csv", "--pool", "nba")
    _say(engine.import_seeds(data / "seeds.csv", "nba").lines())


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


def _past_list(then: rc.RatingList, path: Path) -> None:
    _heading("2. The list of a past day: 16 June 1996, when Chicago had won the final")
    _command("list", path, "--method", METHOD, "--through", FINAL, "--known-at", then.known_at, "--top", 8)
    _say([*then.table(8), "(everyone who ever played is on it: SAA, DNA and NYA are ABA teams of the seventies)", ""])
    _say([*then.provenance.lines(), f"digest of the list {then.digest}"])


def _correction(engine: rc.Engine, then: rc.RatingList, known_at: int, late: bool, path: Path) -> None:
    _heading("3. A late correction: an event like any other, nothing is overwritten")
    fields = ("score=0-1", "points_a=75", "points_b=87")
    _command("amend", path, _final(engine), *fields, "--why", "the points were entered the wrong way round")
    if late:
        _say(["(recorded by the demo that ran here before)"])
    now = engine.rating_list("nba", METHOD, FINAL)
    _say(["The list of that day with today's knowledge, next to how it was known before:", ""])
    _say([*str(then.diff(now)).splitlines(), ""])
    again = engine.rating_list("nba", METHOD, FINAL, known_at)
    same = "the same" if again.digest == then.digest else "ANOTHER"
    _say([f"The list as it was known at position {known_at}, made again, has {same} digest: {again.digest[:16]}..."])


def _history(engine: rc.Engine, known_at: int, path: Path) -> None:
    _heading("4. One player's history: Chicago, from the final into the next season")
    days = ("--since", "1996-06-05", "--through", "1996-11-06")
    _command("player", path, "CHI", "--method", METHOD, *days, "--known-at", known_at)
    lines = engine.history("nba", "CHI", METHOD, days[3], known_at)
    shown = (line._asdict() | {"played": line.time} for line in lines if line.played >= instant(days[1]))
    write(shown, COLUMNS, "table", digits=4)


def _agreement(engine: rc.Engine, known_at: int) -> None:
    _heading("5. Agreement with the ratings that FiveThirtyEight published")
    after = _ratings_after(engine.forecasts("nba", METHOD, known_at=known_at))
    theirs = published()
    largest = max(abs(after[key] - rating) for key, rating in theirs.items())
    _say(
        [
            f"{len(theirs):,} ratings, each team's after every season, from results and first ratings alone:",
            f"  largest difference  {largest:.6f} points",
        ]
    )


def _ratings_after(games: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Rating of a team after its last game of a day, by day and team."""
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
    """Writes the past list as a page; None where no plugin makes pages."""
    _heading("6. The same list as a page, to print or to mail")
    _command("list", LOG, "--method", METHOD, "--through", FINAL, "--known-at", then.known_at, "--to", PAGE)
    try:
        html = page_of(engine, "list", engine, then, None, language="en")
    except NotInstalled as error:
        _say([str(error), error.suggestion])
        return None
    (folder / PAGE).write_text(html, encoding="utf-8")
    return (folder / PAGE).absolute()


def _open(page: Path | None) -> None:
    """Opens the page in a browser where somebody sits at a terminal and there is one; names it in any case."""
    if page is None:
        return
    opened = sys.stdout.isatty() and webbrowser.open(page.as_uri())
    _say(["", f"The page {'is open in your browser' if opened else 'to open in a browser'}: {page}"])


def _next(path: Path, known_at: int, seconds: float) -> None:
    _heading("7. Your turn")
    _say([f"That took {seconds:.1f} seconds. Some things to try in the same folder:", ""])
    _command("list", path, "--method", METHOD, "--through", "1973-12-31", "--top", 10)
    _command("list", path, "--method", "elo:k=24,period=month", "--top", 10)
    _command("player", path, "SEA", "--method", METHOD, "--last", 5)
    _command("forecasts", path, "--method", METHOD, "--format", "csv", before_file="forecasts.csv")
    _command("log", path, "--kind", "amend")
    _command("void", path, CORRECTION, "--why", "the points were right after all")
    _command("list", path, "--method", METHOD, "--through", FINAL, "--known-at", known_at, "--top", 8)
    _command("verify", path)


def _heading(text: str) -> None:
    sys.stdout.write(f"\n{text}\n{'=' * len(text)}\n")
    sys.stdout.flush()


def _command(*words: object, program: str = "ratingcore", before_file: str = "") -> None:
    """Show the command line that does the same."""
    line = " ".join(quote(str(word)) for word in (program, *words) if word != "")
    sys.stdout.write(f"$ {line}{f' > {before_file}' if before_file else ''}\n")


def _say(lines: Iterable[str]) -> None:
    say("\n".join(lines))
    sys.stdout.flush()
