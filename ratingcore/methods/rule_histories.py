"""Rules with a history: methods that follow one another, each from a day on, with the ratings carried over."""

import re
from math import nan
from typing import Literal, NamedTuple, Self

from attrs import evolve, field, frozen

from ratingcore.columns.games import Games, Need
from ratingcore.errors import BadValue
from ratingcore.events import DAY, Instant, instant, iso
from ratingcore.methods.contract import Cadence, Forecast, Method, Rated, Solved
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.single_acts import SingleAct, act_of
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import Wrapped
from ratingcore.validators import one_of

THEN = " then "
"""Separator of the steps of a rule with a history in a text."""

PREFIX = "book:"
"""Prefix of the name of a bundled book in a text."""

By = Literal["day", "event end", "event start"]
"""Day that decides which step rates a result: that of the result, or the last or first day of its tournament."""

BY: tuple[By, ...] = ("day", "event end", "event start")

_STEP = re.compile(r"(?s)(.+) from +([^ ]+)(?: +by +event +(end|start))?(?: +once=(.+))?")


_BY: dict[str | None, By] = {None: "day", "end": "event end", "start": "event start"}


class Since(NamedTuple):
    """Beginning of a step.

    Attributes
    ----------
    day : int
        First instant of the first day of the step.
    by : {"day", "event end", "event start"}
    once : SingleAct or None
        Single change of the ratings on that day.
    """

    day: Instant
    by: By = "day"
    once: SingleAct | None = None

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by != "day" else ""
        return f"from {iso(self.day)}{by}" + (f" once={self.once}" if self.once is not None else "")


@frozen
class Book(Wrapped):
    """A rule with a history: one rule until a day and another from that day on, with the ratings carried over.

    Text: `elo then elo:k=40 from 2024-03-05`. It behaves like its last step. A replay runs the steps one after the
    other; a list of an earlier day is made by the steps that had begun by then.

    Parameters
    ----------
    before : Method
        The rule until the day; it may be a book itself.
    method : Method
        The rule from the day on.
    day : int
        First instant of the first day of `method`, on the clock of the pool.
    by : {"day", "event end", "event start"}
        Results that `method` rates: those played from the day on, those of tournaments that ended on the day or later,
        or those of tournaments that began on the day or later. The last two are for rules that rate by tournament. With
        the last, `before` still rates earlier tournaments when they end.
    once : SingleAct or None
        Single change of the ratings on the day, before `method` rates anything.
    label : str
        Name that lists show to people; not part of the identity.

    Raises
    ------
    BadValue
        If the days do not ascend, `method` cannot begin with ratings of `before`, or `by` needs rules that rate by
        tournament and one of them does not.

    Examples
    --------
    >>> import ratingcore as rc
    >>> method = rc.open(":memory:").core.method
    >>> str(Book(method("elo"), method("elo:k=40"), instant("2024-03-05")).step_at(instant("2024-03-04")).k)
    '20.0'
    """

    before: Method
    method: Method
    day: Instant = field()
    by: By = field(default="day", validator=one_of(*BY))
    once: SingleAct | None = None
    label: str = field(default="", eq=False, kw_only=True)

    @day.validator
    def _is_later_day(self, attribute: object, day: Instant) -> None:
        if day % DAY:
            raise BadValue("first day of a step", iso(day), "must begin at midnight UTC")
        if isinstance(self.before, Book) and self.before.day >= day:
            raise BadValue(
                "day of a step", iso(day), f"must be later than {iso(self.before.day)}, the day of the step before"
            )

    def __attrs_post_init__(self) -> None:
        old = last_step(self.before)
        if isinstance(self.method, Book):
            raise BadValue("method", self.method.name, "is a rule with a history: its steps go into one text, in order")
        if self.method.cadence is Cadence.RETROSPECTIVE:
            raise BadValue(
                "method",
                self.method.name,
                "computes all ratings from all results, so it cannot continue another rule: make it the first step",
            )
        self.method.taking_over(old, State.start(old.columns(), players=0))
        if self.by != "day":
            self._check_tournaments(old)

    def _check_tournaments(self, old: Method) -> None:
        """Refuses rules that do not rate by tournament, and by event start a rule that lacks columns of the old one."""
        for one in (old, self.method):
            if not by_tournament(one):
                why = f"does not rate by tournament (period=event), which a step by {self.by} is for"
                raise BadValue("method", one.name, why)
        there = {column.meaning for column in self.columns()}
        lacking = ", ".join(column.name for column in old.columns() if column.meaning not in there)
        if self.by == "event start" and lacking:
            why = f"has no {lacking}, which the rule before needs for tournaments that go on"
            raise BadValue("method", self.method.name, why)

    @property
    def since(self) -> Since:
        """The beginning of the last step."""
        return Since(self.day, self.by, self.once)

    def called(self, label: str) -> Self:
        """Returns the same rule with a label, also for the days on which it had fewer steps."""
        before = self.before.called(label) if isinstance(self.before, Book) else self.before
        return evolve(self, before=before, label=label)

    @property
    def needs(self) -> tuple[Need, ...]:
        own = self.method.needs
        if self.by != "event start":
            return own
        names = {need.name for need in own}
        return (*own, *(evolve(need, default=nan) for need in self.before.needs if need.name not in names))

    def rate(self, state: State, games: Games) -> Rated | Solved:
        if not self._is_earlier(games):
            return self.method.rate(state, games)
        columns = [column.name for column in self.before.columns()]
        rated = self.before.rate(State({name: state[name] for name in columns}), games)
        assert isinstance(rated, Rated), "a rule by tournament is periodic"
        return evolve(rated, state=state.replace(**{name: rated.state[name] for name in columns}))

    def expected(self, state: State, games: Games) -> Forecast:
        return (self.before if self._is_earlier(games) else self.method).expected(state, games)

    def _is_earlier(self, games: Games) -> bool:
        """True if the rule before rates these games: those of a tournament that began before the day."""
        return self.by == "event start" and games.span.start < self.day

    @property
    def steps(self) -> tuple[tuple[Method, Instant | None], ...]:
        """The rules in order, each with its first day; None for the first rule."""
        earlier = self.before.steps if isinstance(self.before, Book) else ((self.before, None),)
        return (*earlier, (self.method, self.day))

    @property
    def before_steps(self) -> tuple[tuple[Method, Instant | None], ...]:
        """The rules before the last one, in the form of `steps`."""
        return self.steps[:-1]

    def step_at(self, at: Instant | None) -> Method:
        """Returns the rule with the steps that had begun at an instant; only the first rule for None."""
        rule: Method = self
        while isinstance(rule, Book) and (at is None or at < rule.day):
            rule = rule.before
        return rule


def books_of(method: Method) -> "list[Book]":
    """Returns a rule with all its steps, with all but the last step, and so on; empty for a rule without a history."""
    books: list[Book] = []
    while isinstance(method, Book):
        books.append(method)
        method = method.before
    return books


def pools_of(method: Method) -> list[str]:
    """Returns the other pools whose ratings the entries of newcomers or the single acts of a rule read."""
    steps = [one for one, _ in method.steps] if isinstance(method, Book) else [method]
    entries = [step.entry.pool for step in steps if isinstance(step, Entering)]
    return [*filter(None, [*entries, *(book.once.pool for book in books_of(method) if book.once is not None)])]


def last_step(method: Method) -> Method:
    """Returns the last rule of a history; the method itself if it has no history."""
    return method.method if isinstance(method, Book) else method


def by_tournament(method: Method) -> bool:
    """True if a method rates one tournament at a time."""
    return method.period is not None and method.period.unit == "event"


def labelled(text: str) -> tuple[str, str]:
    """Splits a text into a label for people and a method text: at the first `=` if neither `:` nor `(` precedes it.

    Without a label, both parts are the whole text.

    Examples
    --------
    >>> labelled("Old rule=elo:k=40"), labelled("elo:k=40"), labelled("elo@1(k=40.0)")
    (('Old rule', 'elo:k=40'), ('elo:k=40', 'elo:k=40'), ('elo@1(k=40.0)', 'elo@1(k=40.0)'))
    """
    text = text.strip()
    label, equals, method = (part.strip() for part in text.partition("="))
    return (label, method) if equals and label and not {*":("} & {*label} and THEN not in label else (text, text)


def steps_of(text: str) -> tuple[str, list[tuple[str, Since]]]:
    """Splits a text into the text of the first rule and those of the later steps with their beginnings, without label.

    Raises
    ------
    BadValue
        If a step has no method or no day, is a book, or has an unknown single act.

    Examples
    --------
    >>> [(step, str(since)) for step, since in steps_of("dwz then dwz:initial=1200 from 2024-03-05 by event end")[1]]
    [('dwz:initial=1200', 'from 2024-03-05 by event end')]
    """
    first, *later = _parted(labelled(text)[1])
    steps = []
    for step in later:
        match = _STEP.fullmatch(step.strip())
        if match is None:
            form = "then METHOD from YYYY-MM-DD [by event end, or by event start] [once=ACT]"
            raise BadValue("method", f"then {step.strip()}", f"must have its steps in the form {form}")
        if match[1].strip().startswith(PREFIX):
            raise BadValue(
                "method", match[1].strip(), "is a rule with a history: it can only be the beginning of another"
            )
        steps.append((match[1].strip(), Since(instant(match[2]), _BY[match[3]], act_of(match[4]))))
    return first.strip(), steps


def _parted(text: str) -> list[str]:
    """Splits a text into its steps, but never inside parentheses."""
    parts, depth, begin = list[str](), 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and text.startswith(THEN, place):
            parts.append(text[begin:place])
            begin = place + len(THEN)
    return [*parts, text[begin:]]


def spelt(before: str, step: str, since: Since) -> str:
    """Returns the text of a rule with one more step."""
    return f"{before}{THEN}{step} {since}"
