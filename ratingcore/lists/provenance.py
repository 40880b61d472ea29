"""Provenance of a rating list: everything that is needed to rebuild the list and compare digests."""

from collections.abc import Callable
from hashlib import sha256

from attrs import field, frozen

from ratingcore.columns.method_input import unreadable_in_words
from ratingcore.columns.view import FOREVER
from ratingcore.errors import OtherQuestion
from ratingcore.events import Clock, Instant, clock
from ratingcore.lists.policy import REASONS, ListPolicy
from ratingcore.methods.contract import Coefficient
from ratingcore.methods.rule_histories import Since, steps_of
from ratingcore.methods.text import of_identity

OF_POOL, EVERYTHING, THROUGH = "pool %(pool)s, %(what)s", "everything played", "played through %(day)s"
AS_OF, EMPTY, METHOD = "%(what)s, as of %(day)s", "%(what)s: the list is empty", "method %(method)s"
UNDECLARED, DAYS, POLICY = "no method is declared for this pool", "days of %(zone)s", "policy %(policy)s"
BEGINS = "begins from pool %(pool)s, digest %(digest)s, by %(rules)s"
LEFT_OFF, LEFT_OUT, UNREADABLE = "left off %(who)s", "left out %(what)s", "left out: %(what)s"
NOBODY, HEAD, STOPPED = "nobody is rated: %(why)s", "head %(head)s", "the fit stopped before it converged: %(where)s"
MADE_FROM = (
    OF_POOL, EVERYTHING, THROUGH, AS_OF, EMPTY, METHOD, UNDECLARED, DAYS, POLICY, BEGINS, LEFT_OFF, LEFT_OUT,
    UNREADABLE, NOBODY, HEAD, STOPPED, "nobody", "their first result waits",
    *(text for both in REASONS.values() for text in both),
)  # fmt: skip
"""Every phrase about what a list is made from, for translators."""


@frozen
class Provenance:
    """Facts about how a list was made: head of the log, cuts, pool, method, policy, and what was left out.

    Parameters
    ----------
    pool : str
    method : str
        Identity of the method: name, formula number, every parameter.
    known_at : int
        Number of events of the log from which the list was made.
    digest : str
        Digest of those events.
    through : int
        Last instant of played time that counts, or `FOREVER`.
    at : int
        Instant of the list; 0 if it is empty and not cut in played time.
    version : str
        Version of ratingcore.
    policy : ListPolicy
        Rules for who is listed and how.
    left_off : tuple of (str, int)
        Reasons why players are left off, with the number of players for each; a player counts for one reason only.
    left_out : tuple of (str, int)
        Reasons why results and seeds are left out, with the number for each.
    unreadable : tuple of (str, int)
        Reasons why the method cannot read results, or has no forecast for them because of the players' ratings, with
        the number of results for each.
    unrated : str
        Reason why nobody on the list has a rating; empty if anybody has one.
    empty : bool
        True if there is nobody to list, since nothing was played or seeded.
    zone : str
        Time zone of the pool, in which `through` and `at` are; empty for UTC.
    stopped : str
        Where the fit of the method stopped if it did not converge; empty if it converged, or the method makes no fit.
    waiting : tuple of (str, int)
        Events for which results wait, such as the end of their period, with the number of waiting results, which are
        not among the games of players.
    undeclared : bool
        True if no method was named, and the pool declares none. It only describes the request: two lists that differ
        in nothing else are equal.
    book : str
        Label of a rule book, which lists show with a digest in place of its identity; empty for other methods.
    other_pools : tuple of (str, tuple of str, str)
        Other pools from which players get their first ratings, identities of their rules, and digests of the ratings.
    coefficients : tuple of Coefficient
        Fitted effects other than ratings, such as a home advantage.
    """

    pool: str
    method: str
    known_at: int
    digest: str
    through: Instant
    at: Instant
    version: str
    policy: ListPolicy = field(factory=ListPolicy)
    left_off: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    unrated: str = ""
    unreadable: tuple[tuple[str, int], ...] = ()
    empty: bool = False
    zone: str = ""
    stopped: str = ""
    waiting: tuple[tuple[str, int], ...] = ()
    undeclared: bool = field(default=False, eq=False)
    book: str = field(default="", eq=False)
    other_pools: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    coefficients: tuple[Coefficient, ...] = ()

    @property
    def clock(self) -> Clock:
        """The clock of the times of the list."""
        return clock(self.zone)

    @property
    def cut(self) -> str | None:
        """The cut in played time as a text that `through` accepts; None without a cut."""
        return None if self.through == FOREVER else self.clock.exact(self.through)

    def method_text(self, brief: Callable[[str], str] = str) -> str:
        """Returns the identity of the method; for a rule book, its label, its digest and its last step."""
        if not self.book:
            return brief(self.method)
        digest, step = sha256(self.method.encode()).hexdigest()[:12], steps_of(self.method)[1][-1][1]
        return f"{self.book}, digest {digest}, with the step {step}"

    @property
    def question(self) -> str:
        """Method and policy in words."""
        return f"{self.method} with {self.policy}" if str(self.policy) else self.method

    def same_method(self, other: "Provenance") -> bool:
        """True if two lists are by the same method; parameters that only one of them names do not count."""
        if self.method == other.method:
            return True
        mine, theirs = _steps(self.method), _steps(other.method)
        shorter, longer, made = (mine, theirs, self) if len(mine) <= len(theirs) else (theirs, mine, other)
        if len(shorter) < len(longer) and made.at >= longer[len(shorter)][1].day:
            return False  # a list of an earlier day has fewer steps of a rule book
        pairs = zip(shorter, longer, strict=False)
        return all(since == other_since and _same_step(one, another) for (one, since), (another, other_since) in pairs)

    def questions(self, other: "Provenance") -> tuple[str, ...]:
        """Returns method and policy of both lists in words, if pool, method or policy differ; else an empty tuple."""
        if (self.pool, self.policy) == (other.pool, other.policy) and self.same_method(other):
            return ()
        return tuple(
            f"{one.question} in pool {one.pool}" if self.pool != other.pool else one.question for one in (self, other)
        )

    def check_same_question(self, other: "Provenance") -> None:
        """Raises `OtherQuestion` if the lists differ in pool, method or digits."""
        mine, theirs = ((one.pool, one.policy.digits, one.policy.significant) for one in (self, other))
        if mine != theirs or not self.same_method(other):
            raise OtherQuestion(*self.questions(other))

    def lines(self, word: Callable[[str], str] = str, brief: Callable[[str], str] = str) -> list[str]:
        """Returns the provenance in words, with a line per fact.

        Parameters
        ----------
        word : callable
            Translates one of `MADE_FROM`.
        brief : callable
            Shortens the identity of a method.
        """

        def put(form: str, **facts: object) -> str:
            return word(form) % facts

        what = put(EVERYTHING) if self.cut is None else put(THROUGH, day=self.cut)
        what = put(OF_POOL, pool=self.pool, what=what)
        of_none = self.empty and self.through == FOREVER
        what = what if of_none else put(AS_OF, what=what, day=self.clock.day(self.at))
        lines = [put(EMPTY, what=what) if self.empty else what, put(METHOD, method=self.method_text(brief))]
        lines += [put(UNDECLARED)] if self.undeclared else []
        lines += [
            put(BEGINS, pool=pool, digest=given[:12], rules="; ".join(map(brief, rules)))
            for pool, rules, given in self.other_pools
        ]
        lines += [put(DAYS, zone=self.zone)] if self.zone else []
        if str(self.policy):
            lines.append(put(POLICY, policy=self.policy))
        if self.policy.reasons or self.left_off:
            lines.append(put(LEFT_OFF, who=self.left_off_text(word)))
        lines += [put(LEFT_OUT, what=f"{count} ({word(why)})") for why, count in self.left_out]
        lines += [put(UNREADABLE, what=unreadable_in_words(why, count)) for why, count in self.unreadable]
        lines += [self.waiting_text()] if self.waiting else []
        lines += [put(NOBODY, why=self.unrated)] if self.unrated else []
        lines += map(str, self.coefficients)
        lines += [put(STOPPED, where=self.stopped)] if self.stopped else []
        return [*lines, put(HEAD, head=f"{self.known_at}:{self.digest}"), f"ratingcore {self.version}"]

    def day_text(self) -> str:
        """Returns the day of the list in words; for an empty list the day of its cut, if it has one."""
        return "no day: the list is empty" if self.empty and self.through == FOREVER else self.clock.day(self.at)

    def unreadable_text(self) -> str:
        """Returns, in words, the results left out because the method cannot read them."""
        return ", ".join(unreadable_in_words(why, count) for why, count in self.unreadable) or "nothing"

    def waiting_text(self) -> str:
        """Returns, in words, the numbers of results that wait, and for which event."""
        wait = {1: "1 result waits"}
        return (
            ", ".join(f"{wait.get(n, f'{n} results wait')} for {what}" for what, n in self.waiting) or "nothing waits"
        )

    def left_off_text(self, word: Callable[[str], str] = str) -> str:
        """Returns, in words, the players left off."""
        return ", ".join(f"{count} ({why})" for why, count in self.left_off_in(word)) or word("nobody")

    def left_off_in(self, word: Callable[[str], str] = str) -> list[tuple[str, int]]:
        """Returns the reasons why players are left off, translated, each with the number of players if any."""
        names, reasons = {why: rule for rule, why in self.policy.reasons.items()}, self.policy.reasons_in(word)
        return [(reasons.get(names.get(why, ""), word(why)), count) for why, count in self.left_off if count]


def _steps(text: str) -> list[tuple[str, Since]]:
    """Returns the identities of the steps of a method, each with the instant from which it applies; 0 for the first."""
    first, later = steps_of(text)
    return [(first, Since(0)), *later]


def _same_step(one: str, other: str) -> bool:
    """True if two identities are of the same method, with equal values of the parameters that both name."""
    (name, formula, mine), (other_name, other_formula, theirs) = of_identity(one), of_identity(other)
    return (name, formula) == (other_name, other_formula) and all(
        mine[parameter] == theirs[parameter] for parameter in mine.keys() & theirs.keys()
    )
