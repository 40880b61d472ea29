"""Rules with a history: a method that holds from a day on, begun with the ratings of the rule before it."""

import re

from attrs import field, frozen

from ratingcore.errors import BadValue
from ratingcore.events import DAY, Instant, instant, iso
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import Wrapped

THEN = " then "
"""Between the steps of a rule with a history in a text."""

_STEP = re.compile(r"(?s)(.+) from +([^ ]+)")


@frozen
class Book(Wrapped):
    """A rule with a history: until a day the rule before, from then on another one, with the ratings carried over.

    Text: `elo then elo:k=40 from 2024-03-05`. It answers as its last step does; a replay runs the steps one after the
    other, and whatever is asked of an earlier day is asked of the step that held then.

    Parameters
    ----------
    before : Method
        The rule until the day; it may be a book itself.
    method : Method
        The rule from the day on.
    day : int
        First instant of the first day of the rule, on the clock of the pool.

    Raises
    ------
    BadValue
        If the days do not ascend, or the rule cannot begin with ratings of the one before.

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

    @day.validator
    def _is_later_day(self, attribute: object, day: Instant) -> None:
        if day % DAY:
            raise BadValue("method", iso(day), "is no day from which a rule can hold")
        if isinstance(self.before, Book) and self.before.day >= day:
            raise BadValue("method", iso(day), f"must be later than {iso(self.before.day)}, the day of the step before")

    def __attrs_post_init__(self) -> None:
        old = last_step(self.before)
        if isinstance(self.method, Book):
            raise BadValue("method", self.method.name, "is a rule with a history: its steps go into one text, in order")
        if self.method.cadence is Cadence.RETROSPECTIVE:
            raise BadValue(
                "method",
                self.method.name,
                "makes all ratings from all results and can begin with none: it can be the first rule, or the only one",
            )
        self.method.taking_over(old, State.start(old.columns(), players=0))

    @property
    def steps(self) -> tuple[tuple[Method, Instant | None], ...]:
        """The rules in order, each with its first day; None for the first rule."""
        earlier = self.before.steps if isinstance(self.before, Book) else ((self.before, None),)
        return (*earlier, (self.method, self.day))

    @property
    def before_steps(self) -> tuple[tuple[Method, Instant | None], ...]:
        """The rules before the last one, as `steps` has them."""
        return self.steps[:-1]

    def step_at(self, at: Instant | None) -> Method:
        """The rule with the history that it had at an instant; None for before everything."""
        held: Method = self
        while isinstance(held, Book) and (at is None or at < held.day):
            held = held.before
        return held


def last_step(method: Method) -> Method:
    """The last rule of a history; the method itself where it has none."""
    return method.method if isinstance(method, Book) else method


def steps_of(text: str) -> tuple[str, list[tuple[str, Instant]]]:
    """The text of the first rule, and the texts of those after it with their days.

    Raises
    ------
    BadValue
        If a step has no day.

    Examples
    --------
    >>> steps_of("elo then elo:k=40 from 2024-03-05")[1] == [("elo:k=40", instant("2024-03-05"))]
    True
    """
    first, *later = _parted(text)
    steps = []
    for step in later:
        match = _STEP.fullmatch(step.strip())
        if match is None:
            named = step.strip().removesuffix("from").strip()
            raise BadValue("method", text, f"has a step without a day: then {named or 'METHOD'} from YYYY-MM-DD")
        steps.append((match[1].strip(), instant(match[2])))
    return first.strip(), steps


def _parted(text: str) -> list[str]:
    """The steps of a text; what is in parentheses is part of one."""
    parts, depth, begin = list[str](), 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and text.startswith(THEN, place):
            parts.append(text[begin:place])
            begin = place + len(THEN)
    return [*parts, text[begin:]]


def spelt(before: str, step: str, day: Instant) -> str:
    """The text of a rule with one more step."""
    return f"{before}{THEN}{step} from {iso(day)}"
