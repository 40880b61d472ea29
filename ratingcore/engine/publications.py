"""Published lists: records them under a name, rebuilds, restates and proves them."""

from collections.abc import Mapping
from pathlib import Path

from ratingcore.engine.core import Core, Part, planned
from ratingcore.errors import AlreadyPublished, BadValue, ListDiffers, UnclearName
from ratingcore.events.bounds import check_name
from ratingcore.events.values import text
from ratingcore.lists import ListPolicy, RatingList
from ratingcore.lists.compilation import form_of
from ratingcore.lists.cuts import KnownAt, read
from ratingcore.lists.published import (
    Published,
    PublishedLists,
    as_published,
    check_repeatable,
    head_of,
    is_published_as,
    method_of,
    policy_of_list,
    publication,
    published_lists,
)
from ratingcore.lists.signatures import PublicKey
from ratingcore.log import Head
from ratingcore.log.overlay import Moment
from ratingcore.methods import Method
from ratingcore.plans import Plan
from ratingcore.proof import ListDocument, Proof, prove


class Publications(Part):
    """Lists that stay unchanged once they are published."""

    def publish(self, rating_list: RatingList, name: str, *, expect: Head | int | None = None) -> Published:
        """Publishes a list under a name: records an event with the method, policy and cuts of the list, and its seal.

        Columns that were added to the list (grades, changes since another list) are not published. If the same list is
        published under the name already, nothing is written; so after an interruption, simply try again.

        Parameters
        ----------
        rating_list : RatingList
            A list of this log.
        name : str
            Name, unique in its pool for ever: `2024-03`. It is plain text in the log, so it must not name a person.
        expect : Head, int or None
            Head that the log must still have, so that nothing was appended since it was read; None for any.

        Returns
        -------
        Published

        Raises
        ------
        ForeignList
            If the list was made from another history.
        AlreadyPublished
            If another list has the name.
        HeadMoved
            If the head of the log is not `expect`, and the list is not published under the name already.
        UnclearName
            If the name is also a position, a day or a head.
        FormulaChanged, CannotRebuild
            If the method of the list is not the installed one, so that the list could not be rebuilt.
        ListDiffers
            If the rows of the log, read without caches, give another list.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> published = engine.publish(engine.rating_list("rapid", "elo", through="2024-03-31"), name="2024-03")
        >>> published.name, published.players, published.position
        ('2024-03', 2, 2)
        """
        if not isinstance(rating_list, RatingList):
            raise BadValue("rating_list", rating_list, "must be a rating list")
        core = self.core

        def publish() -> None:
            plan = publication_of(core, rating_list, name)
            core.apply(plan, expect=expect if plan.events else None)

        planned(publish)
        published = core.published(name, rating_list.provenance.pool)
        pin(core, published)
        return published

    def published(self, pool: str | None = None) -> PublishedLists:
        """Returns the published lists, in the order of publication.

        Parameters
        ----------
        pool : str or None
            Pool whose lists to return; None for all pools.

        Returns
        -------
        PublishedLists
            A sequence of `Published`; pandas, polars and notebooks accept it directly.

        Raises
        ------
        UnknownName

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> published = engine.publish(engine.rating_list("rapid", "elo"), name="2024-03")
        >>> [published.name for published in engine.published()]
        ['2024-03']
        """
        return published_lists(self.core.log, None if pool is None else self.core.pool_id(pool))

    def published_list(self, name: str | Published, pool: str | None = None) -> RatingList:
        """Returns a published list, rebuilt from the log byte for byte.

        The name of a player who was erased since is shown as `(erased N)`.

        Parameters
        ----------
        name : str or Published
        pool : str or None
            Needed if lists of several pools have this name.

        Returns
        -------
        RatingList

        Raises
        ------
        UnknownList, SeveralLists
        FormulaChanged
            If the installed method has another formula number.
        CannotRebuild
            If the method is not installed, or lacks a parameter that it had.
        SealBroken
            If the rows differ from the published ones.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> published = engine.publish(engine.rating_list("rapid", "elo"), name="2024-03")
        >>> receipt = engine.void("g-1")
        >>> engine.published_list("2024-03").player
        ('ann', 'bo')
        """
        published = self.core.published(name, pool)
        policy, method = self._question(published)
        question, wait = (published.pool, method, published.through), published.waiting

        def again(head: Head) -> RatingList:
            of_head = *question, head, policy, published.version
            listed = self.core.proven_list(*of_head, form="present" if wait else "all played")
            older = wait and listed.seal != published.seal
            return self.core.proven_list(*of_head, form="newcomers") if older else listed

        return as_published(published, self.core.log, again)

    def restated(self, name: str | Published, pool: str | None = None, known_at: KnownAt = None) -> RatingList:
        """Returns a list with the pool, day, method and policy of a published list, as known now or at another cut.

        Parameters
        ----------
        name : str or Published
        pool : str or None
            Needed if lists of several pools have this name.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `ratingcore.lists.cuts.position`.

        Returns
        -------
        RatingList

        Raises
        ------
        UnknownList, SeveralLists, FormulaChanged, CannotRebuild, BadCut

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> published = engine.publish(engine.rating_list("rapid", "elo"), name="2024-03")
        >>> receipt = engine.amend("g-1", {"score": 0.0})
        >>> engine.restated("2024-03").player
        ('bo', 'ann')
        """
        published = self.core.published(name, pool)
        policy, method = self._question(published)
        view = self.core.view(published.pool, published.through, known_at)
        return self.core.listed(self.core.standing(method, view), policy)

    def prove(self, document: str | bytes | Mapping[str, object], key: str | Path | None = None) -> Proof:
        """Recomputes a list from the log, and compares it with the JSON document of the list.

        Parameters
        ----------
        document : str, bytes or mapping
            A document from `RatingList.document("json")`, as text or parsed.
        key : path or None
            PEM file of a public Ed25519 key with which the document must be signed. None does not check a signature;
            `Proof.unchecked` then names it.

        Returns
        -------
        Proof
            True if everything in the document is right.

        Raises
        ------
        BadDocument
            If it is not the document of a list.
        BadKey, NotInstalled
            If the file has no such key, or the extra `sign` is not installed.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> document = engine.rating_list("rapid", "elo").document("json")
        >>> bool(engine.prove(document)), bool(engine.prove(document.replace("ann", "zoe")))
        (True, False)
        """
        read, public = ListDocument.parse(document), None if key is None else PublicKey.read(key)

        def again(method: Method, head: Head, policy: ListPolicy) -> RatingList:
            question = read.pool, method, read.through, head, policy
            return self.core.proven_list(*question, form=form_of(read.waiting, read.left_off))

        return prove(read, self.core.log, self.core.registry, again, public)

    def _question(self, published: Published) -> tuple[ListPolicy, Method]:
        policy = policy_of_list(published)
        return policy, method_of(self.core.registry, published.name, published.method)


def publication_of(core: Core, rating_list: RatingList, name: str) -> Plan:
    """Plans to publish a list under a name; the plan is empty if the same list is published under the name already.

    It depends only on the name, since a list belongs to a position of the log. Errors are those of `publish`.
    """
    if not isinstance(rating_list, RatingList):
        raise BadValue("rating_list", rating_list, "must be a rating list")
    log, made = Moment(core.log), rating_list.provenance
    check_list_name(core, name, made.pool)
    head_of(core.log, made.known_at, made.digest)
    _check_true(core, rating_list, check_repeatable(core.registry, name, made.method))
    event = publication(rating_list, name, core.log)
    if not core.log.find([event.uid]):
        return Plan.of(log, "publish", [event])
    there = core.published(event.name, made.pool)
    if not is_published_as(there, rating_list):
        raise AlreadyPublished(there.name, there.pool, there.position)
    return Plan.of(log, "publish", [])


def _check_true(core: Core, rating_list: RatingList, method: Method) -> None:
    """Raises `ListDiffers` if the rows of the log give another list, and drops the caches, which may be the cause."""
    made, proper = rating_list.provenance, rating_list.proper
    question = made.pool, method, made.through, made.known_at, made.policy, made.version
    true = core.proven_list(*question, form=form_of(made.waiting, dict(made.left_off)))
    if (true.provenance, true.seal) != (proper.provenance, proper.seal):
        core.columns.drop(core.pool_id(made.pool))
        core.recent.forget()
        raise ListDiffers(made.pool, proper.seal, true.seal)


def pin(core: Core, published: Published) -> None:
    """Keeps the state of a published list in a file while there is room, since the list will be rebuilt."""
    method = method_of(core.registry, published.name, published.method)
    view = core.view(published.pool, published.through, published.head)
    core.standing(method, view, pinned=True)


def check_list_name(core: Core, name: str, pool: str) -> None:
    """Refuses a name that is not allowed for lists, or is also a position, a day or a head; refuses lists of slices.

    A name that an older log already has for a list of the pool is allowed.

    Raises
    ------
    BadValue, UnclearName
    """
    if not core.pool_id(pool):
        raise BadValue("pool", pool, "must be a whole pool or a declared board: declare the slice as a board first")
    check_name("name", text(name, "name"))
    cut = read(name)
    if isinstance(cut, str) or any(one.name == name.strip() for one in published_lists(core.log, core.pool_id(pool))):
        return
    what = "a position" if isinstance(cut, int) else "a head" if isinstance(cut, Head) else "a day or a time"
    raise UnclearName(name, what)
