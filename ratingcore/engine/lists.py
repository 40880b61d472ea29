"""Publishing lists, making them again as they were, and proving documents of them."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve

from ratingcore._version import __version__
from ratingcore.engine.ratings import Rating
from ratingcore.errors import (
    AlreadyPublished,
    BadParameter,
    BadValue,
    CannotRebuild,
    Conflict,
    ForeignList,
    FormulaChanged,
    MethodNotFound,
    SealBroken,
    UnknownList,
    UnknownName,
)
from ratingcore.events import Instant
from ratingcore.lists import ListPolicy, RatingList
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.proof import Check, Proof, compared
from ratingcore.lists.published import Published, event_of, find_published, published_lists
from ratingcore.lists.reading import Document
from ratingcore.log import Head
from ratingcore.methods import Method
from ratingcore.methods.text import build, identity, of_identity
from ratingcore.tables import FOREVER


class Publishing(Rating):
    """Lists that stay what they were, whatever the log learns later."""

    def publish(self, rating_list: RatingList, name: str) -> Published:
        """Publish a list under a name: an event with the question it answers and the seal on its rows.

        Columns that were added to the list (grades, changes since another list) are not published. Where
        the same list of the same question is published under the name already, it stays, and nothing
        is written: who was interrupted simply tries again.

        Parameters
        ----------
        rating_list : RatingList
            A list of this log.
        name : str
            Given once in a pool, for ever: `2024-03`. It stands in the log as it is, so it must name nobody.

        Raises
        ------
        ForeignList
            If the list was made from another history.
        AlreadyPublished
            If another list has the name.
        FormulaChanged, CannotRebuild
            If the method is not as it is installed, so that nobody could make the list again.
        """
        made = rating_list.provenance
        self._head(made.known_at, made.digest)
        if identity(self._method_of(name, made.method)) != made.method:
            raise CannotRebuild(name, f"its method text builds another method: {made.method}")
        event = event_of(rating_list, name, self.log)
        with suppress(Conflict):  # under this name there is a list: the same, or another
            self.log.append([event])
        found = self.find_list(event.name, made.pool)
        if not _same(found, rating_list):
            raise AlreadyPublished(found.name, found.pool, found.position)
        view = self.view(found.pool, _cut(found.through), made.known_at)
        self.standing(self._method_of(name, made.method), view, pinned=True)
        return found

    def published(self, pool: str | None = None) -> list[Published]:
        """What was published, in the order of publication; of one pool, if it is named."""
        return published_lists(self.log, None if pool is None else self.pool_id(pool))

    def find_list(self, name: str | Published, pool: str | None = None) -> Published:
        """What was published under a name.

        Raises
        ------
        UnknownList
            If nothing was.
        SeveralLists
            If several pools have a list of this name and none is named.
        """
        if isinstance(name, Published):
            return self.find_list(name.name, name.pool)
        return find_published(self.log, name, None if pool is None else self.pool_id(pool))

    def published_list(self, name: str | Published, pool: str | None = None) -> RatingList:
        """A published list, made again from the log: byte for byte what it was.

        The name of a player that was erased since reads `(erased N)`.

        Raises
        ------
        UnknownList, SeveralLists
        FormulaChanged
            If the installed method has another formula number.
        CannotRebuild
            If the method is not installed, or does not know a parameter any more.
        SealBroken
            If the rows are not those that were published.
        """
        published = self.find_list(name, pool)
        known_at = self._head(published.known_at, published.digest)
        listed = self._again(published, known_at, published.version)
        if listed.seal != published.seal:
            raise SealBroken(published.name, published.seal, listed.seal, published.version)
        return _spelt(listed, published.method)

    def restated(self, name: str | Published, pool: str | None = None, known_at: KnownAt = None) -> RatingList:
        """The question of a published list, answered with what is known now, or at another cut in the log."""
        return self._again(self.find_list(name, pool), known_at)

    def prove(self, document: str | bytes | Mapping[str, Any]) -> Proof:
        """Recompute a list from its JSON document, and say what holds.

        Parameters
        ----------
        document : str, bytes or mapping
            What `RatingList.document("json")` gave, as text or read.

        Returns
        -------
        Proof
            True where everything holds.

        Raises
        ------
        BadDocument
            If it is no document of a list.
        """
        read = Document.parse(document)
        checks: list[Check] = []
        try:
            head = self._head(read.head.position, read.head.digest)
            checks.append(Check("head", True, f"{read.head} is a part of this log"))
            method = self._method_of(read.name or "of the document", read.method)
            checks.append(Check("method", True, f"{method.name}@{method.formula} is installed"))
            policy = ListPolicy.parse(read.policy)
            plain = self.replay(read.pool, method, _cut(read.through), head)  # from the beginning: no cache is a proof
            listed = _spelt(self._listed(plain, policy), read.method)
        except ForeignList as error:
            return Proof((*checks, Check("head", False, str(error))))
        except (FormulaChanged, CannotRebuild) as error:
            return Proof((*checks, Check("method", False, str(error))))
        except UnknownName as error:
            return Proof((*checks, Check("pool", False, str(error))))
        except BadValue as error:
            return Proof((*checks, Check("policy", False, str(error))))
        proof = compared(read, listed)
        if read.name:
            checks.append(self._named(read, listed))
        return evolve(proof, checks=(*checks, *proof.checks))

    def _named(self, read: Document, listed: RatingList) -> Check:
        """Whether the list was published under the name that a document gives it."""
        try:
            published = self.find_list(read.name, read.pool)
        except UnknownList as error:
            return Check("name", False, str(error))
        if not _same(published, listed):
            return Check("name", False, f"another list was published as {published.name}")
        if published.version != read.version:
            return Check("name", False, f"it was published with ratingcore {published.version}, not {read.version}")
        return Check("name", True, f"published as {published.name} at position {published.position}")

    def _head(self, position: int, digest: str) -> Head:
        """A head of this log; `ForeignList` if it is none."""
        known = self.log.head.position
        if not 0 <= position <= known or self.log.digest_at(position) != digest:
            raise ForeignList(position, digest, known)
        return Head(position, digest)

    def _again(self, published: Published, known_at: KnownAt, version: str = __version__) -> RatingList:
        """The question of a published list at a cut in the log."""
        try:
            policy = ListPolicy.parse(published.policy)
        except BadValue as error:
            raise CannotRebuild(published.name, str(error), "a later ratingcore may know this policy") from None
        method = self._method_of(published.name, published.method)
        view = self.view(published.pool, _cut(published.through), known_at)
        return self._listed(self.standing(method, view), policy, version)

    def _method_of(self, name: str, text: str) -> Method:
        """The installed method of an identity, if its formula is the one of the list of this name.

        A parameter that the method has had only since is at its default: as the formula number is the
        same, so are the numbers.
        """
        try:
            kind, formula, texts = of_identity(text)
            known = self.registry.methods.get(kind)
            found = formula if known is None else known.formula
            if isinstance(found, int) and found != formula:
                raise FormulaChanged(name, f"{kind}@{formula}", f"{kind}@{found}")
            return self.registry.method(kind) if known is None else build(known, texts)
        except (BadParameter, BadValue, MethodNotFound) as error:
            advice = "install the plugin, in the version with which the list was made"
            raise CannotRebuild(name, str(error), advice) from None


def _spelt(listed: RatingList, method: str) -> RatingList:
    """The list with the identity of its method as it was then: without the parameters that came since."""
    return evolve(listed, provenance=evolve(listed.provenance, method=method))


def _cut(through: Instant) -> Instant | None:
    return None if through == FOREVER else through


def _same(published: Published, listed: RatingList) -> bool:
    """Whether a list answers the question of a published one, row by row as it was published."""
    made = listed.provenance
    asked = made.pool, made.method, made.through, made.at, str(made.policy)
    was = published.pool, published.method, published.through, published.at, published.policy
    return asked == was and published.seal == listed.seal
