"""Writes a whole site as a folder of files; later runs rewrite only the pages whose answers changed."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from itertools import combinations
from os.path import isfile
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from markupsafe import escape

from ratingcore import Engine
from ratingcore.errors import BadFile
from ratingcore.plugin.analysis import uncollected
from ratingcore_pages.answers import LAST, PoolAnswers, first_year, places_of, spans
from ratingcore_pages.curves import CURVES
from ratingcore_pages.feed import atom, calendar
from ratingcore_pages.lineup import side_by_side
from ratingcore_pages.list_table import choices, player_cells
from ratingcore_pages.look import Look, file_of, pair, within
from ratingcore_pages.meetings import foreseen, pairs
from ratingcore_pages.pages import ENTRANTS, ROWS, Page, Pages, beside, event_part, sheets
from ratingcore_pages.rules import rules_of
from ratingcore_pages.words import number as decimal

LEDGER = ".ratingcore-site.json"
"""File of a folder that lists the site's own files, and the origin of each."""

BEGINNING, NEVER = -(2**62), 2**62


@frozen
class Written:
    """Numbers of files written, kept and removed."""

    written: int
    kept: int
    removed: int


def write_site(
    engine: Engine,
    folder: str | Path,
    look: Look | None = None,
    *,
    base_url: str = "",
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Written:
    """Writes linked pages for every pool, player, published list and tournament of a log.

    A file is written again only if its answer, the look or the version of ratingcore changed. Files of the site that
    are no longer part of it are removed; other files in the folder stay. The same log and look give the same pages.

    Parameters
    ----------
    engine : Engine
    folder : path
        Made if missing. A folder with other files is refused, unless a site was written there before.
    look : Look or None
    base_url : str
        Address of the site, such as `https://club.example/ratings/`. Without it, `sitemap.xml` and the feed of
        published lists are left out.
    progress : callable
        Called with the number of files done, and of all files.

    Returns
    -------
    Written

    Raises
    ------
    BadFile
        If the folder holds other files.

    Examples
    --------
    >>> import tempfile, ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, second = write_site(engine, folder), write_site(engine, folder)
    >>> first, second
    (Written(written=12, kept=0, removed=0), Written(written=0, kept=12, removed=0))
    """
    root = Path(folder)
    head, keys = _ledger(root)
    site = _Site(engine, look or Look(), base_url, head, keys)
    with uncollected():
        wanted = dict(site.files())
    root.mkdir(parents=True, exist_ok=True)
    written = 0
    for number, (name, file) in enumerate(wanted.items()):
        if keys.get(name) != file.key or not isfile(f"{root}/{name}"):
            _write(root / name, file.make())
            written += 1
        progress(number + 1, len(wanted))
    removed = [name for name in keys.keys() - wanted.keys() if _is_inside(name)]
    for name in removed:
        (root / name).unlink(missing_ok=True)
    ledger = {"head": site.head, "keys": {name: file.key for name, file in wanted.items()}}
    _write(root / LEDGER, json.dumps(ledger, indent=0, sort_keys=True) + "\n")
    return Written(written, len(wanted) - written, len(removed))


def _write(path: Path, text: str) -> None:
    """Writes a file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    os.replace(part, path)


class _Made(NamedTuple):
    """A page or a file of a site: a key that changes with its content, and the function that makes it."""

    key: str
    make: Callable[[], Any]


def _ledger(root: Path) -> tuple[str, dict[str, str]]:
    """Returns the head of the log and the key of each file at the last run; empty if the ledger is damaged."""
    if not root.is_dir() or not any(root.iterdir()):
        return "", {}
    try:
        found = json.loads((root / LEDGER).read_text("utf-8"))
        return str(found["head"]), {name: str(key) for name, key in found["keys"].items()}
    except FileNotFoundError:
        why = "the folder is not empty, and its files are not those of a site: name a new folder"
        raise BadFile(str(root), why) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", {}


def _is_inside(name: str) -> bool:
    """True if a name in a ledger stays inside its folder; a ledger may have been edited by hand."""
    return not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts


class _Site:
    """The files of a site, and the key of each."""

    def __init__(self, engine: Engine, look: Look, base_url: str, head: str, keys: Mapping[str, str]) -> None:
        self.engine, self.look, self.keys = engine, look, keys
        self.base = base_url.rstrip("/") + "/" if base_url else ""
        self.head = str(engine.log.head)
        self.pages = Pages(engine, look, provenance=False)
        self.touched = _earliest(engine, head)
        self.erased = sum(len(engine.log.book.nameless(kind)) for kind in ("player", "called", "fact"))

    def files(self) -> Iterator[tuple[str, _Made]]:
        """Yields every file with its name."""
        pages = dict(self._pages())
        further = dict(self._further(pages))
        names, look = {path: file_of(path) for path in (*pages, *further)}, _digest(self.look.digest, bool(self.base))
        for path, answer in pages.items():
            yield names[path], _Made(f"{answer.key} {look}", partial(_html, answer, names, path))
        yield from further.items()

    def _pages(self) -> Iterator[tuple[str, _Made]]:
        for pool in self.engine.pools():  # lines of everybody, before a page asks for those of some players
            self.pages.answers(pool).lines  # noqa: B018  # it is kept
        index = self.pages.index()
        yield "", _Made(_digest(index.values), lambda: index)
        for pool in self.engine.pools():
            answers, part = self.pages.answers(pool), self.pages.parts[pool]
            yield from self._lists(answers, part)
            together = pairs(answers)
            foreseen(answers, [*together, *combinations(answers.listed.id.tolist()[:CURVES], 2)])
            met: dict[int, list[int]] = {number: [] for number in answers.ids.tolist()}
            for one, other in together:
                met[one].append(other)
                met[other].append(one)
            own = self._own(answers)
            yield from self._players(answers, part, met, own)
            yield from self._pairs(answers, part, together, own)
            yield from self._tournaments(answers, part, met)
            rules = rules_of(self.engine, pool, answers.listed.known_at, self.look)
            shown = answers.activity, answers.names, rules, together, answers.listed.digest, answers.places
            yield f"{part}/health", _lazy(shown, self.pages.health, pool)
            first = side_by_side(self.pages, pool)
            players, curve = first.values["players"], first.values["curve"]
            ids = {one["id"] for one in players}
            linked = [both for both in together if ids.issuperset(both)]
            yield first.path, _lazy((players, curve, answers.places, linked), lambda made: made, first)

    def _lists(self, answers: PoolAnswers, part: str) -> Iterator[tuple[str, _Made]]:
        pages, pool, listed = self.pages, answers.pool, answers.listed
        since = None if answers.since is None else answers.since[0].seal
        rows, made = list(zip(listed.id.tolist(), listed, strict=True)), [listed.digest, *listed.provenance.lines()]
        facts, tabs = choices(answers), pages.tabs(listed)
        for sheet in range(1, sheets(len(rows), ROWS) + 1):
            path, on = f"{part}/" if sheet == 1 else f"{part}/places-{sheet}", rows[(sheet - 1) * ROWS : sheet * ROWS]
            more = player_cells(answers, [number for number, _ in on])
            shown = on, more, len(rows), facts, places_of(listed), since, tabs, made if sheet == 1 else []
            yield path, _lazy(shown, pages.ratings, pool, sheet)
        yield f"{part}/published/", _lazy([(one.name, one.seal) for one in answers.published], pages.published, pool)
        for one in answers.published:
            path = f"{part}/published/{pages.list_part(one)}"
            yield path, self._past(path, one.through, (one.name, one.seal), pages.published_list, pool, one.name)

    def _own(self, answers: PoolAnswers) -> dict[int, str]:
        """Returns by id a digest of what every page of a player shows: name, lines, and cells of the list."""
        left_off = self.pages.left_off(answers)
        return {
            number: _digest(
                answers.names[row], answers.trace(answers.own(row)), self._cells(answers, number) or left_off
            )
            for row, number in enumerate(answers.ids.tolist())
        }

    def _players(
        self, answers: PoolAnswers, part: str, met: Mapping[int, Sequence[int]], own: Mapping[int, str]
    ) -> Iterator[tuple[str, _Made]]:
        common = _digest([(one.name, one.at, one.seal) for one in answers.published], answers.places)
        for row, number in enumerate(answers.ids.tolist()):
            key = answers.keys[row]
            shown = (
                common, own[number], key,
                answers.peaks.get(row), answers.facts.get(key), answers.rivals_of_all[row],
                None if answers.over_time is None else answers.over_time.places(row).tolist(), met[number],
            )  # fmt: skip
            yield f"{part}/players/{number}", _lazy(shown, self.pages.player, answers.pool, number)
            if answers.starts[row + 1] - answers.starts[row] > LAST:
                start, every = int(answers.starts[row]), spans(answers.lines_of(row))
                for span, of in every.items():
                    trace, year = answers.trace(slice(start + of.start, start + of.stop)), first_year(span)
                    of_span = trace, beside([*every], span), answers.names[row], answers.places, met[number]
                    path = f"{part}/players/{number}-{year}"
                    yield path, _lazy(of_span, self.pages.results, answers.pool, number, year)

    def _pairs(
        self, answers: PoolAnswers, part: str, players: Sequence[tuple[int, int]], own: Mapping[int, str]
    ) -> Iterator[tuple[str, _Made]]:
        for (one, other), ahead in zip(players, foreseen(answers, players), strict=True):
            chances = None if ahead is None else [decimal(share, 2) for share in (*ahead.expected, *ahead.chances(0))]
            elsewhere = self.pages.elsewhere(answers.pool, one, other)
            shown = own[one], own[other], chances, answers.places, elsewhere
            yield (
                f"{part}/versus/{pair(one, other)}",
                _lazy(shown, self.pages.meeting, answers.pool, one, other),
            )

    def _cells(self, answers: PoolAnswers, player: int) -> Any:
        """Returns a player's cells of the list as their page shows them; for custom templates all cells, unrounded.

        Rounding keeps pages unchanged while deviations grow by less than is shown.
        """
        row, places = answers.row_now(player), answers.places
        if row is None or self.look.templates is not None:
            return row
        return row["rank"], decimal(row["rating"], places), decimal(row.get("deviation"), places)

    def _tournaments(
        self, answers: PoolAnswers, part: str, met: Mapping[int, Sequence[int]]
    ) -> Iterator[tuple[str, _Made]]:
        yield f"{part}/tournaments/", _lazy(list(answers.tournaments.items()), self.pages.tournaments, answers.pool)
        for event, every in answers.tournaments.items():
            days = [answers.day(one.first)[:10] for one in every]
            for edition, day in [(every[0], ""), *(zip(every, days, strict=True) if len(every) > 1 else ())]:
                path = f"{part}/tournaments/{event_part(event)}{'~' if day else ''}{day}"
                lines = answers.lines_of_event(event, edition)
                rows = np.unique(answers.lines.ledger.player[lines])
                entrants = {*answers.ids[rows].tolist()}
                linked = [(one, entrants.intersection(met[one])) for one in sorted(entrants)]
                shown = (
                    event, edition, days, answers.listed.provenance.method, answers.places,
                    answers.trace(lines), [(one, sorted(others)) for one, others in linked if others],
                )  # fmt: skip
                until = NEVER if answers.solved else edition.last
                for sheet in range(1, sheets(len(entrants), ENTRANTS) + 1):
                    at = path if sheet == 1 else f"{path}/places-{sheet}"
                    yield at, self._past(at, until, shown, self.pages.tournament, answers.pool, event, day, sheet)

    def _past(self, path: str, at: int, shown: Any, make: Callable[..., Page], *of: Any) -> _Made:
        """Returns a page about results up to an instant; its key stays the same if nothing up to then has changed."""
        own = _digest(shown, self.erased)
        was = self.keys.get(file_of(path), "").split(" ")[0]
        same = was.startswith(own) and self.touched > at
        return _Made(was if same else f"{own}@{self.head}", partial(make, *of))

    def _further(self, pages: Mapping[str, _Made]) -> Iterator[tuple[str, _Made]]:
        """Yields the other files: style, search, calendars, and with an address of the site its map and feed."""
        yield "style.css", _text(self.look.style)
        yield "search.js", _text(files("ratingcore_pages").joinpath("static", "search.js").read_text("utf-8"))
        for pool in self.engine.pools():
            yield f"{self.pages.parts[pool]}/calendar.ics", _text(calendar(self.pages, pool))
            yield f"{self.pages.parts[pool]}/search.json", _text(_index(self.pages.answers(pool)))
        if self.base:
            yield "sitemap.xml", _text(self._sitemap(pages))
            yield "feed.xml", _text(atom(self.pages, lambda path: self.base + file_of(path)))

    def _sitemap(self, pages: Mapping[str, _Made]) -> str:
        urls = "".join(f"<url><loc>{escape(self.base + file_of(path))}</loc></url>\n" for path in sorted(pages))
        head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        return f"{head}{urls}</urlset>\n"


def _lazy(shown: Any, make: Callable[..., Page], *of: Any) -> _Made:
    return _Made(_digest(shown), partial(make, *of))


def _html(answer: _Made, names: Mapping[str, str], path: str) -> str:
    page: Page = answer.make()
    return page.html(within(names, path))


def _text(text: str) -> _Made:
    return _Made(_digest(text), lambda: text)


def _digest(*shown: Any) -> str:
    return sha256(repr(shown).encode()).hexdigest()


def _index(answers: PoolAnswers) -> str:
    """Returns names, ids and ratings of all players of a pool as JSON, for the search on its page."""
    rows = []
    for number, key, name in zip(answers.ids.tolist(), answers.keys, answers.names, strict=True):
        row = answers.row_now(number)
        rows.append([name if name == key else f"{name} ({key})", number, None if row is None else row["rating"]])
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _earliest(engine: Engine, head: str) -> int:
    """Returns the first instant of play from which a log differs from an earlier head; `NEVER` if it does not.

    A new result or first rating counts from its own day; anything else, such as a correction or a merge, from the
    beginning.
    """
    position, _, digest = head.partition(":")
    end = engine.log.head.position
    if not position.isdigit() or int(position) > end or engine.log.digest_at(int(position)) != digest:
        return BEGINNING
    earliest = NEVER
    for row, _ in engine.events(int(position)):
        if row.kind not in ("game", "session", "seed", "list"):
            return BEGINNING
        if row.kind != "list" and row.played is not None:
            earliest = min(earliest, row.played)
    return earliest
