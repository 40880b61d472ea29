"""The pictures of the pages, as SVG: the rooms of the house, the way of one event, ratings of the real archive."""

import datetime as dt
import tomllib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

INK, PAPER, LINE = "#1f2933", "#ffffff", "#9aa5b1"
COLOURS = ("#0b6e99", "#b4451f", "#4f772d", "#7a3e9d", "#8a6d00")
TEAMS = {"BOS": "Celtics", "LAL": "Lakers", "CHI": "Bulls", "SAS": "Spurs", "DET": "Pistons"}
"""Teams of the picture by their key in the archive."""
ABREAST = 4
"""How many rooms a row has at most, so that their names can be read on a telephone."""


def write(root: Path, folder: Path) -> None:
    """Draw every picture of the site."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rooms.svg").write_text(rooms(root), encoding="utf-8")
    (folder / "event.svg").write_text(event_way(), encoding="utf-8")


def write_readme(root: Path) -> None:
    """Draw the picture of the README, which is part of the repository since package indexes show it."""
    (root / "docs" / "pictures").mkdir(exist_ok=True)
    (root / "docs" / "pictures" / "nba.svg").write_text(nba(root), encoding="utf-8")


def rooms(root: Path) -> str:
    """The floors of the import contract, top to bottom, one box a room."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    kernel = {
        module.split(".")[1]
        for contract in contracts
        if contract["name"] == "the kernel imports no wing"
        for module in contract["source_modules"]
    } - {"plugin"}
    parts = [_text(10, 26, "Imports go down, never up", 15)]
    top = 46
    for layer in layers:
        names = [name.strip() for name in layer.split("|") if name.strip() != "__main__"]
        rows = [names[first : first + ABREAST] for first in range(0, len(names), ABREAST)]
        for row in rows:
            width = (440 - 8 * (len(row) - 1)) / len(row)
            for place, name in enumerate(row):
                fill = "#d9ecf2" if name in kernel else "#f4ead5"
                parts.append(_box(10 + place * (width + 8), top, width, 30, name.replace("_", " "), fill, 14))
            top += 34
        top += 6
    parts.append(_text(10, top + 18, "blue: the kernel, without which there is no list", 14))
    parts.append(_text(10, top + 38, "sand: what is built around it", 14))
    return _svg(460, top + 54, "The rooms of ratingcore, floor by floor", parts)


def event_way() -> str:
    """The way of one result from a file to a rating list."""
    steps = (
        ("a row of a file", "importer and readers: checked, counted, never dropped"),
        ("an event: game, played 2024-03-02", "events: a frozen value with a uid"),
        ("position 41,302 of the log", "log: one durable transaction, a digest of all before it"),
        ("columns, in order of play", "columns: corrections applied, cut in time"),
        ("state and changes", "replay and a method: rate(state, games)"),
        ("a rating list with its provenance", "lists: rounded, ranked, published, proved"),
        ("a line of an explanation", "explain: what this one game moved"),
    )
    parts = []
    for number, (what, where) in enumerate(steps):
        y = 14 + number * 80
        parts.append(_box(10, y, 400, 34, what, "#d9ecf2", 15))
        parts.append(_text(210, y + 51, where, 14, anchor="middle"))
        if number < len(steps) - 1:
            parts.append(f'<path d="M210 {y + 58}v14m-5 -5l5 7l5 -7" fill="none" stroke="{INK}" stroke-width="1.5"/>')
    return _svg(420, len(steps) * 80, "The way of one event", parts)


def nba(root: Path) -> str:
    """Ratings of five teams over all seasons of the archive, as `elo-margin:preset=nba538` rates them."""
    import ratingcore as rc  # the other pictures need no engine
    from ratingcore.importer.tables import FieldMap

    data = root / "fixtures" / "archives" / "nba"
    with rc.open(":memory:") as engine:
        engine.import_file(data / "games.csv.gz", "nba", FieldMap.load(data / "mapping.toml"))
        engine.import_seeds(data / "seeds.csv", "nba")
        curves = {
            team: [(dt.date.fromisoformat(line.time[:10]), line.rating) for line in engine.history("nba", key, METHOD)]
            for key, team in TEAMS.items()
        }
    return _curves(curves, "Ratings of five NBA teams at the end of each season, from fifty thousand games")


METHOD = "elo-margin:preset=nba538"


def _curves(curves: dict[str, list[tuple[dt.date, float]]], title: str) -> str:
    first, last = dt.date(1946, 7, 1), dt.date(2005, 12, 31)
    low, high = 1150.0, 1850.0

    def x(day: dt.date) -> float:
        return 56 + 600 * (day - first) / (last - first)

    def y(rating: float) -> float:
        return 290 - 240 * (rating - low) / (high - low)

    parts = [_text(20, 26, title, 15)]
    for rating in range(1200, 1900, 100):
        parts.append(f'<path d="M56 {y(rating):.1f}H656" stroke="{LINE}" stroke-width="0.5"/>')
        parts.append(_text(48, y(rating) + 4, str(rating), 11, anchor="end"))
    for year in range(1950, 2010, 10):
        parts.append(_text(x(dt.date(year, 1, 1)), 310, str(year), 11, anchor="middle"))
    ends = _apart([(y(points[-1][1]), team) for team, points in curves.items()])
    for colour, (team, points) in zip(COLOURS, curves.items(), strict=True):
        line = " ".join(f"{x(day):.1f},{y(rating):.1f}" for day, rating in _thinned(points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts.append(_text(662, ends[team] + 4, team, 12, colour))
    return _svg(740, 326, title, parts)


def _thinned(points: Sequence[tuple[dt.date, float]]) -> Iterable[tuple[dt.date, float]]:
    """The last rating of each season, which begins in autumn."""
    return {day.year + (day.month > 7): (day, rating) for day, rating in points}.values()


def _apart(ends: list[tuple[float, str]]) -> dict[str, float]:
    """Heights of labels, at least a line of text apart."""
    placed: dict[str, float] = {}
    floor = 0.0
    for height, name in sorted(ends):
        floor = placed[name] = max(height, floor + 14)
    return placed


def _svg(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'font-family="system-ui, sans-serif"><title>{escape(title)}</title>'
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>'
    )
    return "\n".join((head, *parts, "</svg>", ""))


def _text(x: float, y: float, text: str, size: int, fill: str = INK, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>'


def _box(x: float, y: float, width: float, height: float, text: str, fill: str, size: int) -> str:
    box = f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{height:g}" rx="5" fill="{fill}" stroke="{LINE}"/>'
    return box + "\n" + _text(round(x + width / 2, 1), y + height / 2 + size / 3, text, size, anchor="middle")
