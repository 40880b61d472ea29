"""Opens the log of a command, and resolves the pool, the method and the cuts given on the command line."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import Any, NamedTuple

from attrs import frozen

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.sentences import method_in_brief
from ratingcore.columns import View
from ratingcore.corrections.similar_names import near_newcomers
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import NoSuchLog, PoolNotNamed
from ratingcore.events import day
from ratingcore.events.bounds import EARLIEST, LATEST
from ratingcore.lists import ListPolicy, Published
from ratingcore.lists.cuts import read
from ratingcore.lists.published import LIST, method_of, policy_of_list
from ratingcore.log.lookup import uid_at
from ratingcore.methods import Method
from ratingcore.methods.text import identity
from ratingcore.registry import stores
from ratingcore.replay.contract_check import lacks_home
from ratingcore.replay.declared import UNDECLARED, questions

NO_RESULTS = "add some with ratingcore import or ratingcore record"


def shown(log: str) -> str:
    """Returns the address of a log without a password, for messages."""
    return str(stores.address_of(log))


def is_there(log: str) -> bool:
    """True if there is a log at a path or address, or something else in its place."""
    return stores.is_there(stores.address_of(log))


def reading(log: str) -> Engine:
    """Opens a log for reading; nothing is created or changed."""
    return open_engine(log, read_only=True)


def correcting(log: str) -> Engine:
    """Opens an existing log to append to it."""
    if not is_there(log):
        raise NoSuchLog(shown(log))
    return open_engine(log)


@contextmanager
def recording(log: str) -> Iterator[Engine]:
    """Opens a log to append to it; a missing log is created, and removed again if nothing was recorded."""
    address = stores.address_of(log)
    new = address.is_file and not stores.is_there(address)
    try:
        with open_engine(log) as engine:
            yield engine
    finally:
        if new:
            stores.remove_unused(address)


class ResolvedQuestion(NamedTuple):
    """A question that a log can answer; its fields are ordered as the arguments of `Engine.rating_list`.

    If the method is None, the engine uses the method that is declared for the pool.
    """

    pool: str
    method: str | Method | None
    through: str | None
    known_at: str | None

    def view(self, engine: Engine) -> View:
        """Returns the results that the question is about."""
        return engine.core.view(self.pool, self.through, self.known_at)


@frozen
class Question:
    """A question about a log as the user typed it.

    Parameters
    ----------
    pool : str or None
        None for the only pool of the log.
    method : str or None
        None for the method that is declared for the pool.
    through, known_at : str or None
        Cuts; None means everything played, and the head of the log.
    """

    pool: str | None = None
    method: str | None = None
    through: str | None = None
    known_at: str | None = None

    def of(self, engine: Engine) -> ResolvedQuestion:
        """Resolves the question for a log.

        Raises
        ------
        Mistake
            If no pool is named and the log does not have exactly one, or if a cut does not exist in the log.
        """
        resolved = ResolvedQuestion(
            one_pool(engine, self.pool), self.method, self.through, cut_of(engine, self.known_at)
        )
        note_other_method(engine, resolved)
        return resolved


def chosen_policy(engine: Engine, question: ResolvedQuestion, given: Mapping[str, object]) -> ListPolicy | None:
    """Returns the list policy that options ask for; it changes the declared policy if no method is named.

    The result is None if no option was given, and then the engine uses the declared policy.
    """
    if all(value is None for value in given.values()):
        return None
    base = (
        ListPolicy()
        if question.method is not None
        else engine.core.official(question.view(engine), question.known_at).policy
    )
    return options.list_policy(base, **given)


def as_published(
    engine: Engine,
    question: ResolvedQuestion,
    published: Published,
    option: str,
    given: Mapping[str, object] | None = None,
) -> tuple[ResolvedQuestion, ListPolicy]:
    """Returns the question with the method and the policy of a published list, for comparison with that list.

    Raises
    ------
    Mistake
        If the command line names another method or policy.
    """
    method, policy = method_of(engine.registry, published.name, published.method), policy_of_list(published)
    hint = f"leave the option out to use that of {published.name}, or compare with another list"
    if question.method is not None and engine.registry.method(question.method) != method:
        theirs = method_in_brief(published.method, engine.registry)
        raise Mistake(f"{option} {published.name} is a list by {theirs}; --method names another", hint)
    if options.list_policy(policy, **(given or {})) != policy:
        was = f"the policy {policy}" if str(policy) else "no policy"
        raise Mistake(f"{option} {published.name} is a list with {was}, and the options name another", hint)
    by_theirs = question._replace(method=method)
    if question.method is None:
        note_other_method(engine, by_theirs)
    return by_theirs, policy


def note_undeclared(engine: Engine, question: ResolvedQuestion) -> None:
    """Prints a note if no method is named and none is declared for the pool."""
    if question.method is None and engine.core.official(question.view(engine), question.known_at).undeclared:
        note(f"note: no method is declared for this pool: {UNDECLARED} is used")


def note_no_home(engine: Engine, question: ResolvedQuestion) -> None:
    """Prints a note if the method gives the home side an advantage, and no game says which side was at home."""
    method, view = engine.core.question(*question)
    if lacks_home(method, view):
        how = "map the field home, as in --map home=HomeTeam"
        note(f"note: {method.name} uses the home side, but no game of {view.pool} has one: {how}")


def note_no_home_declared(engine: Engine, pool: str | None) -> None:
    """Prints the note of `note_no_home` about the method that is declared for a pool, if there is one."""
    if pool is not None and questions(engine.log, pool):
        note_no_home(engine, ResolvedQuestion(pool, None, None, None))


def note_other_method(engine: Engine, question: ResolvedQuestion) -> None:
    """Prints a note if the cut is a published list that was made by another method than the question's."""
    cut = None if question.method is None or question.known_at is None else read(question.known_at)
    if isinstance(cut, str) and question.method is not None:
        published = engine.core.published(cut, question.pool)
        if identity(engine.registry.method(question.method)) != published.method:
            theirs = method_in_brief(published.method, engine.registry)
            note(f"note: {published.name} was published by {theirs}; this command uses another method")


_PARTS = {
    "pool": options.pool, "method": options.method, "through": options.through, "known_at": options.known_at
}  # fmt: skip


def question(*parts: str) -> Callable[[options.Function], options.Function]:
    """Returns a decorator that adds the options of a question; the command gets them as one `Question`."""
    names = parts or tuple(_PARTS)

    def added(command: options.Function) -> options.Function:
        @wraps(command)
        def packed(**given: Any) -> Any:
            return command(question=Question(**{name: given.pop(name) for name in names}), **given)

        asking: options.Function = packed
        for name in reversed(names):
            asking = _PARTS[name](asking)
        return asking

    return added


def asking(*parts: str) -> Callable[[options.Function], options.Function]:
    """Returns a decorator that adds LOG and the options of a question; the command gets an engine and the question."""

    def added(command: options.Function) -> options.Function:
        @wraps(command)
        def opened(log: str, question: Question, **given: Any) -> Any:
            with reading(log) as engine:
                return command(engine=engine, question=question.of(engine), **given)

        wrapped: options.Function = options.log(question(*parts)(opened))
        return wrapped

    return added


def one_pool(engine: Engine, pool: str | None) -> str:
    """Returns the given pool, or the only pool of the log."""
    try:
        return engine.core.one_pool(pool)
    except PoolNotNamed as error:
        hint = f"choose one: --pool {error.pools[0]}" if error.pools else NO_RESULTS
        raise Mistake(str(error), hint) from None


def new_pool(log: str, pool: str | None) -> str:
    """Returns the pool for new results: the given one, which need not exist yet, or the only pool of the log."""
    if pool is not None:
        return pool
    if is_there(log):
        with reading(log) as engine:
            if engine.pools():
                return one_pool(engine, None)
    raise Mistake("no pool is named, and the log has none yet", "name the pool: --pool NAME")


def is_published(engine: Engine, name: str) -> bool:
    """True if a list of any pool was published under this name."""
    return any(published.name == name for published in engine.published())


def tell_apart(engine: Engine, text: str, what: str) -> None:
    """Prints a note if a text that is read as `what`, such as a day, is also the name of a published list."""
    if is_published(engine, text):
        note(f"note: {text} is read as {what}; write list:{text} for the list that was published as {text}")


def note_far_days(engine: Engine, question: ResolvedQuestion) -> None:
    """Prints a note if the log holds a result or a seed on a day outside the years 1400 to 2199.

    Only older versions recorded such days. A method that rates by period rates all the empty periods between that day
    and the other days too, which takes long.
    """
    view = question.view(engine)
    first_and_last = {
        (int(played[end]), int(position[end]))
        for played, position in (view.known(), (view.seeds.played, view.seeds.position))
        for end in (0, -1)
        if len(played)
    }
    for at, number in sorted(first_and_last):
        if at <= view.through and not EARLIEST <= at <= LATEST:
            note(
                f"note: {uid_at(engine.log, number)} at position {number} is dated {day(at)}, outside the years 1400 "
                f"to 2199: lists by period take long, since every period between is rated; amend its day if it "
                f"is wrong"
            )


def cut_of(engine: Engine, known_at: str | None, option: str = "--known-at") -> str | None:
    """Returns the cut of an option as typed; prints a note if the text is also the name of a published list.

    Raises
    ------
    Mistake
        If the text is not a position, a head, a time or the name of a published list.
    """
    if known_at is None:
        return None

    plain, cut = known_at.strip(), read(known_at)
    if isinstance(cut, int | datetime):
        tell_apart(engine, plain, "a position" if isinstance(cut, int) else "a time")
    elif isinstance(cut, str) and not plain.startswith(LIST) and not is_published(engine, cut):
        raise Mistake(
            f"{option} must be a position, a time or the name of a published list: {plain!r}",
            "write days like 2024-03-31; ratingcore lists shows the names of lists",
        )
    return plain


def note_left_out(view: View) -> None:
    """Prints notes on the results that the method could not rate, with the reasons."""
    for sentence in view.unreadable.sentences(view.through):
        note(f"left out: {sentence}")


def warn_of_newcomers(engine: Engine, before: int) -> None:
    """Warns of players who first appear after a position and whose names are nearly those of other players."""
    if near := near_newcomers(engine.log, before):
        from ratingcore.importer.name_notes import NearNames  # most commands record nothing

        note(f"warning: {NearNames(tuple(near))}")
