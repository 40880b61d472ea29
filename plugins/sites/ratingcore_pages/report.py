"""The report for a meeting: lists, a comparison, the health of a pool and a backdating, as pages in a folder."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ratingcore import Engine
from ratingcore.errors import NotInstalled, RatingCoreError
from ratingcore.plugin.analysis import policy_of
from ratingcore.plugin.reports import check_installed
from ratingcore_pages.command_lines import REPORT
from ratingcore_pages.comparison import report_html
from ratingcore_pages.look import Look
from ratingcore_pages.pages import Pages
from ratingcore_pages.report_plan import BadPlan, ReportPlan


class ReportPage(NamedTuple):
    """A page of a report: its file, heading, summary in one sentence, and HTML."""

    file: str
    heading: str
    summary: str
    html: str


def report(engine: Engine, plan: ReportPlan, progress: Callable[[int], None] = lambda done: None) -> dict[str, str]:
    """Makes the pages of a report, `index.html` first; the same log and plan give the same bytes.

    Parameters
    ----------
    engine : Engine
    plan : ReportPlan
    progress : callable
        Called with the number of pages made so far.

    Returns
    -------
    dict of str to str
        HTML by name of file.

    Raises
    ------
    BadPlan
        If a part cannot be made; names the table and its error.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> list(report(engine, ReportPlan.parse('title = "Spring"\\n[list]\\ntop = 10')))
    ['index.html', 'list.html']
    """
    made = _Report(engine, plan)
    parts = []
    for part in made.parts():
        parts.append(part)
        progress(len(parts))
    return {"index.html": made.index(parts), **{part.file: part.html for part in parts}}


class _Report:
    def __init__(self, engine: Engine, plan: ReportPlan) -> None:
        self.engine, self.plan = engine, plan
        self.look = Look(plan.about.get("title", "Report"), plan.about.get("language", "en"))
        pool, self.cut = plan.about.get("pool"), (plan.about.get("through"), plan.about.get("known_at"))
        with self._of("", "pool", pool):
            self.pool = engine.core.one_pool(pool)
            engine.core.view(self.pool)
        for key, cut in (("through", (self.cut[0], None)), ("known_at", (None, self.cut[1]))):
            with self._of("", key, plan.about.get(key)):
                engine.core.view(self.pool, *cut)
        self.view = engine.core.view(self.pool, *self.cut)
        for given in plan.lists:
            self._check("list", given)
        for table, drawn in (("comparison", plan.comparison), ("backdating", plan.backdating)):
            if drawn is not None:
                with self._of(table):
                    check_installed()
        self._check("comparison", plan.comparison or {})
        self._check("health", plan.health or {})

    def _check(self, table: str, given: Mapping[str, Any]) -> None:
        """Checks methods, policies and players before any work, so that errors name their key."""
        labels = set()
        for key in ("method", "methods", "against"):
            texts = given.get(key, ())
            for text in (texts,) if isinstance(texts, str) else texts:
                if text in labels:
                    continue
                with self._of(table, key, text):
                    labels.add(self.engine.registry.named(text)[0])
        with self._of(table, "policy", given.get("policy")):
            policy_of(given.get("policy"))
        for player in given.get("players", ()):
            with self._of(table, "players", player):
                self.engine.core.player_id(player)

    @contextmanager
    def _of(self, table: str, key: str = "", value: object = None) -> Iterator[None]:
        """Adds the table, key and value to errors in the block."""
        try:
            yield
        except BadPlan:
            raise
        except RatingCoreError as error:
            hint = str(getattr(error, "hint", "") or "")
            raise BadPlan(self.plan.source, table, key, value, str(error), hint) from error

    def parts(self) -> Iterator[ReportPage]:
        """Yields the pages except the index, in order."""
        for number, given in enumerate(self.plan.lists, 1):
            with self._of("list"):
                yield self._list("list.html" if len(self.plan.lists) == 1 else f"list-{number}.html", given)
        if self.plan.comparison is not None:
            with self._of("comparison"):
                yield self._comparison(self.plan.comparison)
        if self.plan.health is not None:
            with self._of("health"):
                pages = Pages(self.engine, self.look, self.plan.health.get("method"), *self.cut)
                page = pages.health(self.pool)
                yield ReportPage("health.html", "Health of the pool", _of_health(page.values["rows"]), page.html())
        if self.plan.backdating is not None:
            with self._of("backdating"):
                yield self._backdating(self.plan.backdating)

    def _list(self, file: str, given: Mapping[str, Any]) -> ReportPage:
        made = self.engine.rating_list(self.pool, given.get("method"), *self.cut, policy=given.get("policy"))
        if "since" in given:
            with self._of("list", "since", given["since"]):
                made = made.since(self.engine.published_list(given["since"], self.pool))
        arguments = {name: given[name] for name in ("show", "where", "sort", "ranks") if name in given}
        listed = self.engine.with_columns(made, **arguments)
        page = Pages(self.engine, self.look).listing(listed, given.get("top"))
        first = next(iter(listed), None)
        summary = "" if first is None else f"{len(listed)} players; first is {first.get('called') or first['player']}"
        return ReportPage(file, given.get("title", "Rating list"), summary, page.html())

    def _comparison(self, given: Mapping[str, Any]) -> ReportPage:
        arguments = {**given, "reference": given.get("against")}
        methods = arguments.pop("methods")
        arguments.pop("against", None)
        made = self.engine.compare(self.pool, methods, *self.cut, **arguments)
        return ReportPage("comparison.html", "Comparison of methods", made.answer, report_html(made))

    def _backdating(self, given: Mapping[str, Any]) -> ReportPage:
        offered = self.engine.registry.offered("ratingcore_pages", dict).values()
        maker = next((makers["backdating"] for makers in offered if "backdating" in makers), None)
        if maker is None:
            raise NotInstalled("ratingcore_backdating", "a backdating", "report")
        through, known_at = self.cut
        shared = {"pool": self.pool, "through": through, "known_at": known_at}
        summary, html = maker(self.engine, {**{key: one for key, one in shared.items() if one is not None}, **given})
        return ReportPage("backdating.html", "Backdating", summary, html)

    def index(self, parts: list[ReportPage]) -> str:
        files = {part.file for part in parts}
        made_from = [f"head {self.view.known_at}:{self.view.digest}", REPORT]
        values = {"parts": parts, "plan": self.plan.text, "named": self.pool, "made_from": made_from}
        return self.look.page("report", values, lambda path: path if path in files else "", alone=True)


def _of_health(rows: list[Mapping[str, Any]]) -> str:
    """Describes the newest period in a sentence."""
    if not rows:
        return ""
    return f"{rows[0]['active']} active players to {rows[0]['day']}, {rows[0]['newcomers']} new"
