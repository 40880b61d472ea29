"""A published list made again: the head, method and policy it names, looked up in this log and this installation."""

from collections.abc import Callable

from attrs import evolve

from ratingcore.errors import (
    BadParameter,
    BadValue,
    CannotRebuild,
    ForeignList,
    FormulaChanged,
    MethodNotFound,
    SealBroken,
)
from ratingcore.lists.policy import ListPolicy
from ratingcore.lists.published import Published
from ratingcore.lists.rating_list import RatingList
from ratingcore.log import Head, Log
from ratingcore.methods import Method
from ratingcore.methods.text import build, identity, of_identity
from ratingcore.registry import Registry


def head_of(log: Log, position: int, digest: str) -> Head:
    """The head at a position; `ForeignList` if the log has another digest there."""
    end = log.head.position
    if not 0 <= position <= end or log.digest_at(position) != digest:
        raise ForeignList(position, digest, end)
    return Head(position, digest)


def method_of(registry: Registry, name: str, text: str) -> Method:
    """The installed method of an identity, if its formula is the one of the list of this name.

    A parameter that the method has had only since is at its default: as the formula number is the
    same, so are the numbers.

    Raises
    ------
    FormulaChanged, CannotRebuild
    """
    try:
        kind, formula, texts = of_identity(text)
        installed = registry.methods.get(kind)
        now = formula if installed is None else installed.formula
        if isinstance(now, int) and now != formula:
            raise FormulaChanged(name, f"{kind}@{formula}", f"{kind}@{now}")
        return registry.method(kind) if installed is None else build(installed, texts)
    except (BadParameter, BadValue, MethodNotFound) as error:
        advice = "install the plugin, in the version with which the list was made"
        raise CannotRebuild(name, str(error), advice) from None


def see_repeatable(registry: Registry, name: str, text: str) -> Method:
    """The method of a list that is to be published; refused if its identity builds another one."""
    method = method_of(registry, name, text)
    if identity(method) != text:
        raise CannotRebuild(name, f"its method text builds another method: {text}")
    return method


def policy_of_list(published: Published) -> ListPolicy:
    """The policy of a published list; `CannotRebuild` if this version cannot read it."""
    try:
        return ListPolicy.parse(published.policy)
    except BadValue as error:
        raise CannotRebuild(published.name, str(error), "a later ratingcore may know this policy") from None


def as_published(published: Published, log: Log, again: Callable[[Head], RatingList]) -> RatingList:
    """A published list made again at its own head, and held against its seal.

    Parameters
    ----------
    again : callable
        Answers the question of the list at a head.

    Raises
    ------
    ForeignList, SealBroken
    """
    listed = again(head_of(log, published.known_at, published.digest))
    if listed.seal != published.seal:
        raise SealBroken(published.name, published.seal, listed.seal, published.version)
    return with_method(listed, published.method)


def with_method(listed: RatingList, method: str) -> RatingList:
    """The list with the identity of its method as it was then: without the parameters that came since."""
    return evolve(listed, provenance=evolve(listed.provenance, method=method))


def is_published_as(published: Published, listed: RatingList) -> bool:
    """Whether a list answers the question of a published one, row by row as it was published."""
    made = listed.provenance
    asked = made.pool, made.method, made.through, made.at, str(made.policy)
    was = published.pool, published.method, published.through, published.at, published.policy
    return asked == was and published.seal == listed.seal
