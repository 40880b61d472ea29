"""The pages of a log: `Pages` has a method for each kind of page, which computes the values for its template."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import quote

import numpy as np
from attrs import frozen
from markupsafe import Markup

from ratingcore import Engine, MergeUndone, RatingList, ResultAmended, ResultVoided
from ratingcore.errors import OtherQuestion, RatingCoreError, UnknownList, UnknownName
from ratingcore.plugin.analysis import (
    Filled,
    KnownAt,
    Lines,
    SupportedOrder,
    as_read,
    boards,
    decoder_of,
    iso,
)
from ratingcore_pages.activity import activity
from ratingcore_pages.answers import LAST, Line, PoolAnswers, first_year, scored, spans, years_of
from ratingcore_pages.career import NEWEST, Career, ResultChoice, band, by_day, by_game
from ratingcore_pages.curves import Dot, Mark, curves, thinned
from ratingcore_pages.list_table import EVERYBODY, Choice, Table, choices, letters, movers, names_of, player_cells
from ratingcore_pages.look import RESERVED, Links, Look, digest_part, nowhere, pair, part_of
from ratingcore_pages.meetings import meeting, record
from ratingcore_pages.rules import listed_in_words, made_by, rules_of
from ratingcore_pages.tournaments import cross_table
from ratingcore_pages.words import DIGEST, SEAL, catalogue

ROWS = 200
"""Number of players on one page of a list."""
ENTRANTS = 100
"""Number of players on one page of a tournament, whose rows have a link in every cell."""
LETTERS = 20
"""Number of players from which a list has links by first letter."""
TOP = 3
"""Number of players on the card of a pool."""
DOTS = 40
"""Largest number of results on a curve that are links."""
SIDES = "%(num)d side", "%(num)d sides"
"""Phrases for several opponents, by their number."""
_SIDES = re.compile("([0-9]+) sides")
"""What lines have as the opponent if there are several."""


@frozen(eq=False)
class Page:
    """A page: its path in a site, its template, and the values it shows."""

    path: str
    template: str
    values: Mapping[str, Any]
    look: Look

    def html(self, links: Links = nowhere) -> str:
        """The page as HTML; without links it is a single page with its style inside."""
        return self.look.page(self.template, self.values, links, alone=links is nowhere)


class _Parts(dict[str, str]):
    """Parts of addresses by pool; the part for a slice of a pool is its quoted text."""

    def __missing__(self, pool: str) -> str:
        return quote(pool, safe="")


class Pages:
    """The pages of a log.

    Parameters
    ----------
    engine : Engine
    look : Look
    method, through, known_at
        The question for every pool, as for `Engine.rating_list`; None for each pool's own. Methods may be by pool.
    provenance : bool
        Whether every page shows what it was made from. A site shows it only on the first page of a list, since
        otherwise each result would change all pages.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> page = Pages(engine).ratings("rapid")
    >>> page.path, "<h1>rapid</h1>" in page.html()
    ('rapid/', True)
    """

    def __init__(
        self,
        engine: Engine,
        look: Look | None = None,
        method: str | Mapping[str, str] | None = None,
        through: str | None = None,
        known_at: KnownAt = None,
        *,
        provenance: bool = True,
    ) -> None:
        self.engine, self.look = engine, look or Look()
        self._method, self._cuts = method, (through, known_at)
        self._provenance = provenance
        self._answers: dict[str, PoolAnswers] = {}
        self._lists: dict[str, tuple[RatingList, str]] = {}

    def answers(self, pool: str) -> PoolAnswers:
        """Returns the answers about a pool, computed once."""
        if pool not in self._answers:
            method = self._method if isinstance(self._method, str | None) else self._method.get(pool)
            self._answers[pool] = PoolAnswers(self.engine, pool, method, *self._cuts)
        return self._answers[pool]

    @property
    def held(self) -> int:
        """Approximate number of bytes of the answers computed so far."""
        return sum(answers.held for answers in list(self._answers.values()))

    @cached_property
    def parts(self) -> dict[str, str]:
        """Parts of addresses by pool."""
        parts, taken = _Parts(), {*RESERVED}
        for pool in self.engine.pools():
            parts[pool] = part_of(pool, self.engine.log.book.number("pool", pool), taken)
            taken.add(parts[pool].lower())
        return parts

    @cached_property
    def _apart(self) -> list[str]:
        """Pools with results of their own: all except boards."""
        declared = boards(self.engine.log)
        return [pool for pool in self.parts if pool not in declared]

    def tabs(self, listed: RatingList) -> list[tuple[str, str]]:
        """Returns the pool of a list (for a board, its pool) and the pool's boards, with their parts of addresses.

        Empty if there is no board.
        """
        declared = boards(self.engine.log, listed.known_at)
        first = declared.get(listed.pool, listed.pool)
        named = [board for board, of in declared.items() if of == first]
        return [(name, self.parts[name]) for name in (first, *named)] if named else []

    def page(self, path: str, template: str, pool: str | None = None, **values: Any) -> Page:
        """Returns a page of a template, with the values that all pages have."""
        of_pool = {} if pool is None else {"part": self.parts[pool], "answers": self.answers(pool), "pages": self}
        return Page(path, template, {"pool": pool, "part": "", "made_from": [], **of_pool, **values}, self.look)

    def _made_from(self, answers: PoolAnswers) -> list[str]:
        return answers.listed.provenance.lines(self.look.word) if self._provenance else []

    def left_off(self, answers: PoolAnswers) -> str:
        """Returns why players are left off a list, without their numbers, which change with others' results."""
        return ", ".join(why for why, _ in answers.listed.provenance.left_off_in(self.look.word))

    def index(self) -> Page:
        """Returns the page of all pools, each with its first three players and its boards."""
        rows, declared = list[dict[str, Any]](), boards(self.engine.log)
        for pool in self._apart:
            answers = self.answers(pool)
            try:
                listed = answers.listed
            except RatingCoreError as error:  # one pool must not hide the others
                rows.append({"pool": pool, "part": self.parts[pool], "why": str(error)})
                continue
            rows.append(
                {
                    "pool": pool, "part": self.parts[pool], "players": len(listed),
                    "results": len(answers.replay.results), "day": _day_of(answers), "lists": len(answers.published),
                    "boards": [(board, self.parts[board]) for board, of in declared.items() if of == pool],
                    "top": Table.of(listed, 0, TOP, player_cells(answers, listed.id.tolist()[:TOP])).rows,
                }
            )  # fmt: skip
        return self.page("", "index", rows=rows)

    def ratings(self, pool: str, sheet: int = 1, choice: Choice = EVERYBODY) -> Page:
        """Returns the page of a pool's rating list or of chosen players; long lists have sheets, counted from 1."""
        answers = self.answers(pool)
        if pool not in self._lists:
            since = answers.since
            listed = answers.listed if since is None else answers.listed.since(since[1])
            self._lists[pool] = listed, "" if since is None else since[0].name
        path = f"{self.parts[pool]}/" if sheet == 1 else f"{self.parts[pool]}/places-{sheet}"
        listed, name = self._lists[pool]
        rows = choice.of(self.engine, listed)
        numbers = rows.id.tolist()[(sheet - 1) * ROWS : sheet * ROWS]
        return self._sheet(
            path, rows, name, sheet, ROWS, answers.order, player_cells(answers, numbers), choice=choice, chosen="",
            players=len(listed), moved=() if choice.fields or sheet > 1 else movers(listed),
            letters=letters(listed) if len(listed) >= LETTERS else [], facts=choices(answers),
        )  # fmt: skip

    def listing(self, listed: RatingList, top: int | None = None) -> Page:
        """Returns the page of a given rating list or its first rows, with its added columns."""
        return self._sheet(f"{self.parts[listed.pool]}/", listed, "", 1, top or max(len(listed), 1))

    def _sheet(
        self, path: str, listed: RatingList, since: str, sheet: int, most: int, order: SupportedOrder | None = None,
        more: Mapping[int, Mapping[str, Any]] | None = None, **values: Any,
    ) -> Page:  # fmt: skip
        """Returns the page of some rows of a list, with the earlier list for changes, and the supported order."""
        made, first = listed.provenance, max(0, min((sheet - 1) * most, len(listed)))
        table, whole = Table.of(listed, first, first + most, more), sheet == 1 or self._provenance
        declared, found = self.engine.core.declared(listed.pool, listed.known_at), len(listed) + listed.more
        lines = made.lines(self.look.word)
        lines += [self.look.word(DIGEST) % {"digest": listed.proper.digest}] if listed.whole else []
        usual = {"players": found, "chosen": listed.part, "choice": None, "moved": (), "letters": [], "facts": {}}
        return self.page(
            path, "ratings", listed.pool, day=made.day_text() if whole and not made.empty else "", since=since,
            changes="rating_change" in listed.columns, table=table, found=found, **{**usual, **values}, sheet=sheet,
            tabs=self.tabs(listed), results="" if declared is None else declared.results,
            sheets=sheets(len(listed), most), first=first + 1, last=first + len(table.rows), order=order,
            called=dict(zip(listed.player, names_of(listed), strict=True)) if order else {},
            made_from=lines if whole else [],
        )  # fmt: skip

    def player(self, pool: str, player: int | str, choice: ResultChoice = NEWEST) -> Page:
        """Returns the page of a player, by key or id, with a sheet of their results or of the chosen ones."""
        answers = self.answers(pool)
        number = self.id_of(answers, player)
        state = answers.row_of[number]
        lines, row = answers.lines_of(state), answers.row_now(number)
        described, years = self._described(answers, lines), [*map(str, years_of(lines).tolist())]
        wanted, end = choice.of(described, years), choice.sheet * LAST
        shown = wanted[end - LAST : end]
        key, name, peak = answers.keys[state], answers.names[state], answers.peak(state)
        facts = answers.facts.get(key, {})
        return self.page(
            f"{self.parts[pool]}/players/{number}", "player", pool, name=name, key=key, row=row,
            facts={fact: facts[fact] for fact in ("title", "federation", "club", "born") if fact in facts},
            of=len(answers.listed) if self._provenance else None,
            left_off="" if row is not None else self.left_off(answers),
            year=answers.year_change(lines), record=answers.record(state),
            results=int(np.count_nonzero(scored(lines))), peak=peak,
            curve=self._curve(answers, number, lines, described, shown, bool(choice.fields)),
            by_game=curves([by_game(lines)], by_game=True), last=answers.day(described[-1].played) if described else "",
            lines=shown, career=Career.of(described),
            count=len(wanted), choice=choice, sheets=sheets(len(wanted), LAST),
            banded="deviation" in lines.extra, marked=bool(answers.published), ranks=_ranks(answers, state),
            years=sorted(set(years), reverse=True), events=sorted({line.event for line in described} - {""}),
            spans=[*spans(lines)], others=sorted({(line.opponent, line.other) for line in described if line.other}),
            on_lists=answers.on_lists(number), rivals=answers.rivals(lines), id=number,
            made_from=self._made_from(answers),
        )  # fmt: skip

    def results(self, pool: str, player: int, year: str) -> Page:
        """Returns the page of a player's results from a year on; in a folder it replaces the filters of a service.

        It links to the pages next to it alone, so a new year does not change all others.
        """
        answers = self.answers(pool)
        state = answers.row_of[player]
        lines = answers.lines_of(state)
        every = spans(lines)
        span = next(one for one in every if first_year(one) == year)
        described = self._described(answers, lines.take(every[span]))
        return self.page(
            f"{self.parts[pool]}/players/{player}-{year}", "results", pool, name=answers.names[state], id=player,
            span=span, spans=beside([*every], span), lines=described[::-1],
        )  # fmt: skip

    def _described(self, answers: PoolAnswers, lines: Lines) -> list[Line]:
        """Returns lines as tuples, with the number of opposing sides in the language of the page."""
        counted = catalogue(self.look.language).ngettext
        described = answers.described(lines)
        for at, line in enumerate(described):
            if not line.other and (found := _SIDES.fullmatch(line.opponent)):
                n = int(found[1])
                described[at] = line._replace(opponent=counted(*SIDES, n) % {"num": n})
        return described

    def _curve(
        self, answers: PoolAnswers, player: int, lines: Lines, described: list[Line], shown: list[Line], chosen: bool
    ) -> Callable[[Links], Markup] | None:
        """Returns a function that draws a player's curve with the links of its page; None if all are of one instant.

        Its dots are the extremes of each stretch of results: of the shown ones if they were chosen, else of all.
        """
        points, rows, pages = by_day(lines), {line.position for line in shown}, [*spans(lines).items()][::-1]
        begins = [int(lines.played[of.start]) for _, of in pages]
        if len(points) < 2 or points[0, 0] == points[-1, 0]:
            return None
        dotted = shown[::-1] if chosen else described
        rating = np.array([None if line.score is None else line.rating for line in dotted], dtype=np.float64)
        rated = np.flatnonzero(~np.isnan(rating))
        some = thinned(np.column_stack([rated, rating[rated]]), DOTS)
        dotted = [dotted[int(n)] for n in some[:, 0].tolist()]
        path, filters = f"{self.parts[answers.pool]}/players/{player}", self.look.environment.filters
        peak = answers.peak(answers.row_of[player])

        def dot(line: Line, to: Links) -> Dot:
            assert line.rating is not None, "a dot is a rated line"
            day, row = answers.day(line.played), f"#r{line.position}"
            there = to(f"{path}-{first_year(pages[bisect_right(begins, line.played) - 1][0])}")
            address = row if line.position in rows else there + row if there else to(f"events/{line.position}")
            rating = self.look.number(line.rating, answers.places)
            caption = " · ".join((filters["day"](day), filters["result"](line.score), _cut(line.opponent), rating))
            return Dot(line.played, line.rating, address, caption)

        def drawn(to: Links) -> Markup:
            marks = [Mark(one.at, one.name) for one in answers.published]
            dots = [dot(line, to) for line in dotted]
            return curves([points], marks, band=band(lines), peak=peak and (peak.at, peak.rating), dots=dots)

        return drawn

    def meeting(self, pool: str, a: int | str, b: int | str) -> Page:
        """Returns the page of two players side by side."""
        answers = self.answers(pool)
        one, other = self.id_of(answers, a), self.id_of(answers, b)
        met = meeting(answers, one, other)
        return self.page(
            f"{self.parts[pool]}/versus/{pair(one, other)}", "meeting", pool, ids=(one, other), met=met,
            names=[answers.names[answers.row_of[player]] for player in (one, other)],
            rows=[answers.row_now(player) for player in (one, other)],
            curve=curves([by_day(met.lines_a), by_day(met.lines_b)]), elsewhere=self.elsewhere(pool, one, other),
            made_from=self._made_from(answers),
        )  # fmt: skip

    def elsewhere(self, pool: str, a: int, b: int) -> list[dict[str, Any]]:
        """Returns one player's records against another in the other pools where they met."""
        found, (through, known_at) = [], self._cuts
        for other in self._apart if pool in self._apart else ():
            if other == pool:
                continue
            with suppress(RatingCoreError):
                view = self.engine.core.question(other, None, through, known_at)[1]
                rows = [view.row_of(player) for player in (a, b)]
                if min(rows) >= 0 and max(rows) < view.n_players and len(view.played_by(*rows)):
                    against = record(self.answers(other), a, b)
                    path = f"{self.parts[other]}/versus/{pair(a, b)}"
                    found += [{"pool": other, "path": path, "record": against}] if against.games else []
        return found

    def rule_of(self, published: Any) -> str:
        """Returns the rule of a published list in words."""
        listed = listed_in_words(published.policy, self.look.word, digits=False)
        return "; ".join(filter(None, [made_by(self.engine, published.method, self.look), listed]))

    def published(self, pool: str) -> Page:
        """Returns the page of all published lists of a pool."""
        return self.page(f"{self.parts[pool]}/published/", "published", pool, rows=self.answers(pool).published)

    def edition_part(self, pool: str, event: str, played: int) -> str:
        """Returns the part of an address for an edition of a tournament; empty without a tournament.

        If there are several, it has the first day of the edition.
        """
        answers = self.answers(pool)
        edition = answers.edition_of(event, played) if event else None
        day = "" if edition is None else f"~{answers.day(edition.first)[:10]}"
        return event_part(event) + day if event else ""

    def list_part(self, published: Any) -> str:
        """Returns the part of an address for a published list."""
        return part_of(published.name, published.position, ("index",))

    def published_list(self, pool: str, name: str) -> Page:
        """Returns the page of a list, see `list_named`, as it was published, its seal, and what differs today."""
        answers = self.answers(pool)
        one = list_named(answers.published, name, pool)
        listed, since = self.engine.published_list(one), ""
        moved, now = _restated(self.engine, one, listed)
        earlier = next((other for other in answers.published if other.at < one.at), None)
        if earlier is not None:
            with suppress(OtherQuestion):
                listed, since = listed.since(answers.as_published(earlier)), earlier.name
        return self.page(
            f"{self.parts[pool]}/published/{self.list_part(one)}", "published_list", pool, one=one,
            players=len(listed), table=Table.of(listed, 0, ROWS), moved=moved, now=now, since=since,
            movers=movers(listed), called=dict(zip(listed.player, names_of(listed), strict=True)),
            rule=self.rule_of(one),
            made_from=[*listed.provenance.lines(self.look.word), self.look.word(SEAL) % {"seal": one.seal}],
        )  # fmt: skip

    def tournaments(self, pool: str) -> Page:
        """Returns the page of all tournaments of a pool, with a row for each, which leads to its newest edition."""
        answers = self.answers(pool)
        rows = [
            {
                "event": event, "part": event_part(event), "first": answers.day(every[-1].first),
                "last": answers.day(every[0].last), "editions": len(every), "n": sum(one.results for one in every),
            }
            for event, every in answers.tournaments.items()
        ]  # fmt: skip
        return self.page(f"{self.parts[pool]}/tournaments/", "tournaments", pool, rows=rows)

    def tournament(self, pool: str, event: str, day: str = "", sheet: int = 1) -> Page:
        """Returns a sheet of the page of an edition of a tournament, by its first day, or of the newest one.

        Its players are in order of points; their results form a table of all against all, or of rounds.
        """
        answers = self.answers(pool)
        every = answers.editions(event)
        edition = next((one for one in every if answers.day(one.first)[:10] == day), None) if day else every[0]
        if edition is None:
            raise UnknownName("event", f"{event} from {day} on")
        others = [(answers.day(one.first), self.edition_part(pool, event, one.first)) for one in every]
        table, path = cross_table(answers, event, edition), f"{event_part(event)}{'~' if day else ''}{day}"
        whole = f"{self.parts[pool]}/tournaments/{path}"
        return self.page(
            whole if sheet == 1 else f"{whole}/places-{sheet}", "tournament", pool,
            table=table, whole=whole, sheet=sheet,
            further=[name for name in ("expected", "performance") if any(getattr(one, name) for one in table.entrants)],
            sheets=sheets(len(table.entrants), ENTRANTS), before=(sheet - 1) * ENTRANTS,
            shown=table.entrants[(sheet - 1) * ENTRANTS : sheet * ENTRANTS],
            editions=others if len(others) > 1 else [], made_from=self._made_from(answers),
        )  # fmt: skip

    def health(self, pool: str) -> Page:
        """Returns the page of a pool's activity, its leaders, and the level and fit of its ratings."""
        answers = self.answers(pool)
        return self.page(
            f"{self.parts[pool]}/health", "health", pool, **activity(answers), day=_day_of(answers),
            rules=rules_of(self.engine, pool, answers.listed.known_at, self.look),
            made_from=self._made_from(answers),
        )  # fmt: skip

    def event(self, position: int) -> Page:
        """Returns the page of an event as it was recorded, its corrections, and how it reads with them."""
        log = self.engine.log
        row, event = next(iter(self.engine.events(position - 1)))
        follow = [
            {"position": found.position, "sentence": self.look.sentence(event, log)}
            for found, event in self.engine.events(position, ("void", "amend", "unmerge"))
            if isinstance(event, ResultVoided | ResultAmended | MergeUndone) and event.of == row.uid
        ]
        later = row.kind == "pool" and any(True for _ in log.rows(position, None, ("pool",), row.pool))
        played = "" if row.played is None else iso(row.played)[:10]
        where = " · ".join(filter(None, (getattr(event, "pool", ""), played)))
        now = as_read(log, row.uid)
        return self.page(
            f"events/{position}", "event", position=position, kind=row.kind, where=where,
            sentence=self.look.sentence(event, log),
            void=now is None, reads="" if now is None else self.look.sentence(decoder_of(log)(now), log),
            corrections=follow, newest=not later,
        )  # fmt: skip

    def id_of(self, answers: PoolAnswers, player: int | str) -> int:
        """Returns the id under which a player counts in the pool, after merges."""
        number = player if isinstance(player, int) else self.engine.log.book.number("player", player)
        row = answers.replay.view.row_of(number)
        if not 0 <= row < len(answers.ids):
            raise UnknownName("player", Filled("{key} in pool {pool}", key=player, pool=answers.pool))
        return int(answers.ids[row])


def beside(every: Sequence[str], span: str) -> list[str]:
    """Returns a span of years and those before and after it."""
    at = every.index(span)
    return [*every[max(at - 1, 0) : at + 2]]


def sheets(n: int, most: int) -> int:
    """Returns the number of sheets for some rows, with at most so many rows on each; at least one."""
    return max(1, -(-n // most))


def _cut(name: str) -> str:
    """Returns a name with at most 24 letters."""
    return name if len(name) <= 24 else f"{name[:23].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _day_of(answers: PoolAnswers) -> str:
    made = answers.listed.provenance
    return "" if made.empty else made.day_text()


def _ranks(answers: PoolAnswers, row: int) -> dict[str, Any] | None:
    """Returns the places of a player over time, as a curve and by day, newest first; None if they never changed."""
    over = answers.over_time
    found = np.empty((0, 2)) if over is None else over.places(row)
    if len(set(found[:, 1].tolist())) < 2:
        return None
    days = [(answers.day(int(at)), int(place)) for at, place in found.tolist()]
    return {"curve": curves([found], places=True), "days": days[::-1]}


def list_named(published: Sequence[Any], part: str, pool: str) -> Any:
    """Returns the published list that an address names, as `~POSITION` or by name, the newest being the first.

    Raises
    ------
    UnknownList
    """
    by_name = {one.name: one for one in published}
    found = (by_name | {f"~{one.position}": one for one in published}).get(part)
    if found is None:
        raise UnknownList(part, pool, tuple(one.name for one in published[:3]))
    return found


def event_part(event: str) -> str:
    """Returns the part of an address for a tournament."""
    return part_of(event, digest_part(event), ("index",))


def _restated(engine: Engine, one: Any, listed: Any) -> tuple[list[dict[str, Any]], str]:
    """Returns the players of a published list with another rating today, and the reason if that is unknown."""
    try:
        found = listed.diff(engine.restated(one))
    except RatingCoreError as error:
        return [], str(error)
    return list(found), ""
