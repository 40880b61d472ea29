"""Finds the method and policy of a pool that apply if no method is named."""

from attrs import field, frozen

from ratingcore.columns import FOREVER, View
from ratingcore.lists import ListPolicy, RatingList
from ratingcore.lists.cuts import KnownAt, read
from ratingcore.lists.policy import policy_of
from ratingcore.lists.published import Published, find_published, method_of, policy_of_list
from ratingcore.log import Log
from ratingcore.methods import Method
from ratingcore.methods.text import text_of
from ratingcore.registry import Registry
from ratingcore.replay.declared import UNDECLARED, official


@frozen
class Official:
    """Method and policy of a list, and whether they are only the default.

    Parameters
    ----------
    method : Method
    policy : ListPolicy
    undeclared : bool
        True if no method was named, and the pool declares none.
    declared_text : str
        Text of the method as declared or as the default; empty if a method was named, or for a published list.
    """

    method: Method
    policy: ListPolicy = field(factory=ListPolicy)
    undeclared: bool = False
    declared_text: str = ""

    @property
    def text(self) -> str:
        """Text of the method: as declared, or else made from its parameters."""
        return self.declared_text or text_of(self.method)


def own_question(log: Log, registry: Registry, view: View, known_at: KnownAt = None) -> Official:
    """Returns the method and policy of the pool of a view.

    They are those of the published list at which the log is cut, or else those declared for the day of the view, as
    known at its cut in the log, or else `elo`. The day is the cut of the view in played time; without such a cut, the
    day of the last result or seed.
    """
    if isinstance(known_at, RatingList) and known_at.provenance.pool == view.pool:
        made = known_at.provenance
        return Official(method_of(registry, "named as the cut", made.method), made.policy)
    listed = list_of_cut(log, known_at, view.pool)
    if listed is not None:
        return Official(method_of(registry, listed.name, listed.method), policy_of_list(listed))
    at = view.last_happened if view.through == FOREVER else view.through
    day = FOREVER if at is None else at
    declared = official(log, view.base_pool, day, view.known_at) or official(log, view.recorded_in, day, view.known_at)
    if declared is None or not declared.method:
        return Official(registry.method(UNDECLARED), undeclared=True, declared_text=UNDECLARED)
    return Official(registry.method(declared.method), policy_of(declared.policy), declared_text=declared.method)


def list_of_cut(log: Log, known_at: KnownAt, pool: str) -> Published | None:
    """Returns the published list of a pool that a cut names; None if the cut names no list."""
    if isinstance(known_at, str) and isinstance(name := read(known_at), str):
        return find_published(log, name, log.book.find("pool", pool) or 0)
    return known_at if isinstance(known_at, Published) and known_at.pool == pool else None
