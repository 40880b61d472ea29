"""Proof of a list's document: its claims are compared with the list that the log gives now."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from attrs import evolve, frozen

from ratingcore.errors import BadValue, CannotRebuild, ForeignList, FormulaChanged, UnknownList, UnknownName
from ratingcore.events import clock
from ratingcore.lists.compilation import as_listed
from ratingcore.lists.policy import Cell, ListPolicy, ranked, rows_digest
from ratingcore.lists.published import find_published, head_of, is_published_as, method_of, published_lists, with_method
from ratingcore.lists.rating_list import RatingList
from ratingcore.lists.signatures import PublicKey, Signature
from ratingcore.log import Head, Log
from ratingcore.methods import Method
from ratingcore.proof.list_document import Cells, ListDocument
from ratingcore.registry import Registry

_FEW = 10
"""Largest number of differing rows that are shown; the others are only counted."""


@frozen
class Check:
    """One claim of a document, the outcome of its check, and an explanation.

    An `unproved` claim is not contradicted, but only an event of the log supports it.
    """

    what: str
    holds: bool
    detail: str
    unproved: bool = False

    def __str__(self) -> str:
        return "unproved" if self.unproved else "yes" if self.holds else "no"


@frozen
class Different:
    """A player whose row differs between the document and the log."""

    player: str
    document: str
    log: str

    def __str__(self) -> str:
        return f"{self.player}: in the document {self.document}; from the log {self.log}"


@frozen
class Proof:
    """The checks of a document; true if all of them hold.

    Its text has one line per check; iterating yields the checks as rows.

    Parameters
    ----------
    checks : tuple of Check
    different : tuple of Different
        The first rows that differ.
    erased : int
        Number of rows whose names have been erased since; everything but the name was checked.
    unchecked : tuple of str
        Parts that were not checked: added columns, facts that do not belong in a document, and a signature for which
        no key was given.
    more : int
        Number of rows that differ besides those in `different`.
    """

    checks: tuple[Check, ...]
    different: tuple[Different, ...] = ()
    erased: int = 0
    unchecked: tuple[str, ...] = ()
    more: int = 0

    @property
    def holds(self) -> bool:
        """True if everything that could be checked holds; `unproved` names claims that could not."""
        return all(check.holds for check in self.checks)

    @property
    def unproved(self) -> tuple[str, ...]:
        """Claims that only the log itself supports: the head of a list carried over from an earlier log."""
        return tuple(check.what for check in self.checks if check.unproved)

    def __bool__(self) -> bool:
        return self.holds

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        for check in self.checks:
            yield {"check": check.what, "holds": str(check), "detail": check.detail}

    def __str__(self) -> str:
        words = {"yes": "holds", "no": "FAILS"}
        lines = [f"{words.get(str(check), str(check))}  {check.what}: {check.detail}" for check in self.checks]
        more = [f"... and {self.more} more rows that differ"] if self.more else []
        return "\n".join([*lines, *map(str, self.different), *more])


def prove(
    read: ListDocument,
    log: Log,
    registry: Registry,
    again: Callable[[Method, Head, ListPolicy], RatingList],
    key: PublicKey | None = None,
) -> Proof:
    """Recomputes the list of a document, and checks every claim of the document.

    Parameters
    ----------
    again : callable
        Makes the list of the document's pool and day by a method, at a head, with a policy.
    key : PublicKey or None
        Key that must have signed the document; None leaves a signature unchecked.
    """
    proof = _recomputed(read, log, registry, again)
    proof = evolve(proof, unchecked=(*proof.unchecked, *read.further))
    signature = Signature.parse(read.signature)
    if key is not None or (read.signature and signature is None):
        return evolve(proof, checks=(*proof.checks, _signed(read, signature, key)))
    if signature is None:
        return proof
    return evolve(proof, unchecked=(*proof.unchecked, f"the signature by key {signature.fingerprint}"))


def _signed(read: ListDocument, signature: Signature | None, key: PublicKey | None) -> Check:
    """Checks that a document was signed with a key and not changed since."""
    if signature is None:
        why = f"it is not ed25519:KEY:SIGNATURE: {read.signature}" if read.signature else "the document has none"
        return Check("signature", False, why)
    assert key is not None, "without a key, only malformed signatures are checked"
    if signature.fingerprint != key.fingerprint:
        return Check("signature", False, f"it is by key {signature.fingerprint}, not by {key.fingerprint}")
    if read.further:
        return Check("signature", False, f"it does not cover what was added to the document: {', '.join(read.further)}")
    if not key.signed(read.message, signature):
        why = f"key {key.fingerprint} did not sign this: the document was changed, or has another one's signature"
        return Check("signature", False, why)
    return Check("signature", True, f"signed by key {key.fingerprint}")


def _recomputed(
    read: ListDocument, log: Log, registry: Registry, again: Callable[[Method, Head, ListPolicy], RatingList]
) -> Proof:
    """Recomputes the parts of a document that follow from the log, and compares them."""
    checks: list[Check] = []
    what = "head"  # the claim being checked, so that a failure is reported under its name
    try:
        head, check = _head(read, log)
        checks.append(check)
        what = "method"
        method = method_of(registry, read.name or "of the document", read.method)
        checks.append(Check("method", True, f"{method.name}@{method.formula} is installed"))
        what = "policy"
        policy = ListPolicy.parse(read.policy)
        what = "pool"
        listed = with_method(again(method, head, policy), read.method)
    except (ForeignList, FormulaChanged, CannotRebuild, UnknownName, BadValue) as error:
        return Proof((*checks, Check(what, False, str(error))))
    listed, edges = settled(read, listed, method)
    proof = compared(read, listed, edges)
    named = (_named(read, log, listed),) if read.name else ()
    return evolve(proof, checks=(*checks, *named, *proof.checks))


def _head(read: ListDocument, log: Log) -> tuple[Head, Check]:
    try:
        head = head_of(log, read.head.position, read.head.digest)
        return head, Check("head", True, f"{read.head} is a part of this log")
    except ForeignList:
        for published in published_lists(log):
            if published.known_at == read.head.position and read.head.digest in published.before:
                outcome = f"{read.head} is of an earlier log, as this log records, but that cannot be proved"
                return published.head, Check("head", True, outcome, unproved=True)
        raise


def _named(read: ListDocument, log: Log, listed: RatingList) -> Check:
    """Checks that the list was published under the name that a document gives it."""
    try:
        published = find_published(log, read.name, log.book.number("pool", read.pool))
    except UnknownList as error:
        return Check("name", False, str(error))
    if not is_published_as(published, listed):
        return Check("name", False, f"another list was published as {published.name}")
    if published.version != read.version:
        return Check("name", False, f"it was published with ratingcore {published.version}, not {read.version}")
    return Check("name", True, f"published as {published.name} at position {published.position}")


def settled(read: ListDocument, listed: RatingList, method: Method) -> tuple[RatingList, int]:
    """Replaces listed numbers that lie on the edge of a rounding by those of the document; also returns their count.

    The last bits of some methods depend on the processor. A number within 1e-9 (relative or absolute) of the edge may
    be rounded up on one machine and down on another; both are right.
    """
    policy, who = listed.provenance.policy, read.columns.index("player") if "player" in read.columns else -1
    rows = {str(row[who]): row for row in read.rows} if who >= 0 else {}
    values, edges = dict(listed.values), 0
    for name, exact in listed.exact.items():
        if name not in read.columns or name in listed.added:
            continue
        at = read.columns.index(name)
        cells = [rows[player][at] if player in rows else None for player in listed.player]
        claimed = np.array([_float(cell) for cell in cells])
        slack = 1e-9 * np.maximum(1.0, np.abs(exact))
        low, high = (as_listed(method, policy, name, exact + by) for by in (-slack, slack))
        mine = np.asarray(values[name], dtype=np.float64)
        edge = (claimed != mine) & ((claimed == low) | (claimed == high))
        values[name] = np.where(edge, claimed, mine)
        edges += int(np.count_nonzero(edge))
    if not edges:
        return listed, 0
    rating = np.asarray(values["rating"], dtype=np.float64)
    order, rank = ranked(rating, listed.games, lambda some: listed.people.keys(listed.id[some].tolist()), policy.ties)
    turned = {
        name: tuple(column[row] for row in order.tolist()) if isinstance(column, tuple) else column[order]
        for name, column in values.items()
    }
    called = tuple(listed.called[row] for row in order.tolist()) if listed.called else ()
    exact_too = {name: column[order] for name, column in listed.exact.items()}
    again = evolve(
        listed, id=listed.id[order], rank=rank, games=listed.games[order], values=turned, exact=exact_too, called=called
    )
    return again, edges


def _float(cell: object) -> float:
    """Returns the number in a cell; NaN for other values and for integers too large for a float."""
    try:
        return float(cell) if isinstance(cell, int | float) else float("nan")
    except OverflowError:
        return float("nan")


def compared(read: ListDocument, listed: RatingList, edges: int = 0) -> Proof:
    """Compares a document with the list that the log gives for the same pool, day, method and policy.

    Parameters
    ----------
    edges : int
        Number of cells that `settled` took from the document.
    """
    proper = listed.proper
    missing = [column for column in proper.columns if column not in read.columns]
    if missing:
        return Proof((Check("rows", False, f"the document has no column {', '.join(missing)}"),))
    rows = read.of(proper.columns)
    different, count, erased = _rows(rows, proper)
    outcome = f"{len(rows)} rows are equal" if not count else f"{count} row{'s differ' if count > 1 else ' differs'}"
    if erased:
        outcome += f", {erased} but for a name erased since, which cannot be checked"
    if edges:
        outcome += f", {edges} {'number lies' if edges == 1 else 'numbers lie'} on the edge of a rounding"
    digest = rows_digest(proper.columns, rows)
    checks = [
        _facts(read, listed),
        Check("rows", not count, outcome),
        _equal("seal", read.seal, listed.seal, "the log gives"),
        _equal("digest", read.digest, digest, "its rows give"),
    ]
    unchecked = tuple(column for column in read.columns if column not in proper.columns)
    return Proof(tuple(checks), different, erased, unchecked, count - len(different))


def _equal(what: str, claimed: str, actual: str, whose: str) -> Check:
    equal = claimed == actual
    return Check(what, equal, actual if equal else f"the document has {claimed}, {whose} {actual}")


def _facts(read: ListDocument, listed: RatingList) -> Check:
    """Compares day, zone, numbers of players and results left off or out, and other pools of a document and a list."""
    made = listed.provenance
    wrong = []
    if read.at != made.at:
        wrong.append(f"the list is as of {made.clock.exact(made.at)}, not {clock(read.zone).exact(read.at)}")
    if read.zone != made.zone:
        wrong.append(f"its days are those of {made.zone or 'UTC'}, not of {read.zone or 'UTC'}")
    if dict(read.left_off) != dict(made.left_off):
        wrong.append(f"left off were {made.left_off_text()}")
    if dict(read.left_out) != dict(made.unreadable):
        wrong.append(f"left out was {made.unreadable_text()}")
    if dict(read.waiting) != dict(made.waiting):
        wrong.append(f"not yet rated was {made.waiting_text()}")
    if dict(read.begins_from) != {pool: given for pool, _, given in made.other_pools}:
        wrong.append(
            f"other pools gave {', '.join(f'{pool} {given}' for pool, _, given in made.other_pools) or 'nothing'}"
        )
    return Check("facts", not wrong, "; ".join(wrong) or f"as of {made.clock.exact(made.at)}, {len(listed)} players")


def _rows(rows: list[Cells], proper: RatingList) -> tuple[tuple[Different, ...], int, int]:
    """Returns the first rows that differ, the number of rows that differ, and the number of names erased since."""
    mine = list(proper.cells(proper.player))
    if rows == mine:
        return (), 0, 0
    who = proper.columns.index("player")
    left = {str(row[who]): row for row in mine}
    nameless_ids = proper.people.erased
    gone = {player for player, number in zip(proper.player, proper.id.tolist(), strict=True) if number in nameless_ids}
    different: list[Different] = []
    strangers = []
    for row in rows:
        player = str(row[who])
        other = left.pop(player, None)
        if other is None:
            strangers.append(row)
        elif row != other:
            different.append(Different(player, *_apart(proper.columns, row, other)))
    nameless = Counter(_without(left[player], who) for player in left if player in gone)
    erased = 0
    for row in strangers:
        if nameless[_without(row, who)] > 0 and row[who] not in proper:
            nameless[_without(row, who)] -= 1
            erased += 1
        else:
            different.append(Different(str(row[who]), _text(proper.columns, row), "nothing"))
    for player, row in left.items():
        if player in gone and nameless[_without(row, who)] <= 0:
            continue
        nameless[_without(row, who)] -= player in gone
        different.append(Different(player, "nothing", _text(proper.columns, row)))
    if not different and not _in_order(rows, mine, who, gone):
        different.append(Different("order of rows", "one", "another"))
    return tuple(different[:_FEW]), len(different), erased


def _in_order(rows: list[Cells], mine: list[Cells], who: int, gone: set[str]) -> bool:
    """True if the rows are in the same order as in the log, apart from erased names."""
    named = {str(row[who]) for row in mine} - gone
    ranks = [row[0] for row in rows] == [row[0] for row in mine]
    return ranks and [row for row in rows if row[who] in named] == [row for row in mine if row[who] in named]


def _without(row: Cells, who: int) -> Cells:
    return row[:who] + row[who + 1 :]


def _apart(columns: Sequence[str], row: Cells, other: Cells) -> tuple[str, str]:
    """Describes the cells in which two rows differ."""
    which = [place for place, (one, two) in enumerate(zip(row, other, strict=True)) if one != two]
    return tuple(", ".join(f"{columns[place]} {cells[place]}" for place in which) for cells in (row, other))  # type: ignore[return-value]  # two of them


def _text(columns: Sequence[str], row: Cells) -> str:
    return ", ".join(f"{name} {cell}" for name, cell in zip(columns, row, strict=True) if name != "player")
