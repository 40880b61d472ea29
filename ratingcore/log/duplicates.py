"""Compares an event with the recorded event of the same uid; an erased name equals any other name."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from ratingcore.events import CORRECTIONS, Row, canonical
from ratingcore.events.rounds import follows_round
from ratingcore.events.values import exchanged, is_other_side
from ratingcore.log.names import NameBook


def compared_fields(row: Row) -> tuple[object, ...]:
    """Returns the fields of a row that are compared.

    Three differences do not count: which side reports a game, the order of sides and players in a session, and an
    order on the day that follows from the round.
    """
    _, _, kind, pool, played, order, a, b, score, _, data = row
    if kind == "session":
        data = canonical(unordered(row.facts))
    elif kind == "game" and (a or 0) > (b or 0):
        a, b, score, data = b, a, _other_share(score), _exchanged_text(data)
    if order and _follows_round(order, data):
        order = 0
    return pool, played, order, a, b, score if score in _USUAL else round(score, _DIGITS), data


_USUAL = (None, 0.0, 0.5, 1.0)
_DIGITS = 9
"""Number of decimals to which shares of the point are compared, since 1 minus a share is rounded."""


def _exchanged(row: Row) -> Row:
    """The row of a game as the other side reports it."""
    return row._replace(a=row.b, b=row.a, score=_other_share(row.score), data=_exchanged_text(row.data))


def _other_share(score: float | None) -> float | None:
    return None if score is None else 1.0 - score


@lru_cache(maxsize=4096)
def _exchanged_text(data: str | None) -> str | None:
    return canonical(exchanged(json.loads(data))) if data else data


def _follows_round(order: int, data: str | None) -> bool:
    return follows_round(order, _round_of(data) if data and '"round":' in data else None)


@lru_cache(maxsize=4096)
def _round_of(data: str) -> Any:
    return json.loads(data).get("round")


def unordered(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the facts of a row with the sides of a session sorted, and the players within each side."""
    if "sides" not in facts:
        return dict(facts)
    return {**facts, "sides": sorted([sorted(players), score] for players, score in facts["sides"])}


def differs(recorded: Row, given: Row, book: NameBook) -> str:
    """Returns the first field in which an event differs from the recorded event of its uid; empty without any.

    An erased name equals any name, since its owner is unknown: a retry after an erasure is still a retry. A game
    that the other side reports with the same content is the same game.
    """
    if recorded[2:] == given[2:]:
        return ""
    differing = _differing(recorded, given, book)
    if differing and given.kind == "game" and is_other_side((recorded.a, recorded.b), (given.a, given.b), book.erased):
        return _differing(recorded, _exchanged(given), book) and differing
    return differing


def _differing(recorded: Row, given: Row, book: NameBook) -> str:
    for name in Row._fields[2:]:
        was, now = getattr(recorded, name), getattr(given, name)
        if was == now or (name in ("a", "b") and was and now and was in book.erased):
            continue
        if name == "score" and was is not None and now is not None and abs(was - now) < 10**-_DIGITS:
            continue
        if name == "order" and all(_follows_round(one.order, one.data) for one in (recorded, given)):
            continue  # if the rounds differ, the data differ
        if name != "data" or not was or not now or not _alike(recorded.kind, was, now, book):
            return name
    return ""


def _alike(kind: str, was: str, now: str, book: NameBook) -> bool:
    """True if two texts of `data` are equal, with an erased name equal to any."""
    # copy erased ids over to the given text, wherever `data` holds ids of names; then compare as text
    facts, given = json.loads(was), json.loads(now)
    if kind in CORRECTIONS:
        _take_erased(facts, given, ("why", "by"), book)
    if kind == "player":
        _take_called(facts, given, book)
        _take_facts(facts, given, book)
    if kind == "amend":
        _take_called(facts["set"], given["set"], book)
        _take_facts(facts["set"], given["set"], book)
        _take_erased(facts["set"], given["set"], ("a", "b", "player"), book)
        _take_seated(facts["set"], given["set"], book)
    if kind == "session":
        _take_seated(facts, given, book)
    return canonical(facts) == canonical(given)


def _take_erased(facts: dict[str, Any], given: dict[str, Any], fields: Iterable[str], book: NameBook) -> None:
    for field in fields:
        if field in facts and field in given and facts[field] in book.erased:
            given[field] = facts[field]


def _take_called(facts: dict[str, Any], given: dict[str, Any], book: NameBook) -> None:
    called, other = facts.get("called"), given.get("called")
    if isinstance(called, list) and isinstance(other, list) and called[0] in book.erased:
        given["called"] = called


def _take_facts(facts: dict[str, Any], given: dict[str, Any], book: NameBook) -> None:
    """Copies recorded facts of players that were erased, or that are equal and kept in the row by an older version."""
    for name in facts.keys() & given.keys() - {"called", "sides"}:
        was, now = facts[name], given[name]
        if isinstance(now, list) and now != was:
            value = canonical(book.facts(now)[0])
            if was[0] in book.erased if isinstance(was, list) else canonical(was) == value:
                given[name] = was


def _take_seated(facts: dict[str, Any], given: dict[str, Any], book: NameBook) -> None:
    """Puts the sides of both sessions in the same order; a side with an erased name pairs with an unmatched side."""
    if "sides" not in facts or "sides" not in given:
        return
    facts["sides"], given["sides"] = unordered(facts)["sides"], unordered(given)["sides"]
    if not book.erased:
        return
    unmet = [side for side in given["sides"] if side not in facts["sides"]]
    for side in (one for one in facts["sides"] if one not in given["sides"]):
        members, score = side
        known = {player for player in members if player not in book.erased}
        fits = (one for one in unmet if one[1] == score and len(one[0]) == len(members) and known <= set(one[0]))
        fit = next(fits, None) if len(known) < len(members) else None
        if fit is None:
            return
        unmet.remove(fit)
        given["sides"][given["sides"].index(fit)] = side
    given["sides"].sort()
