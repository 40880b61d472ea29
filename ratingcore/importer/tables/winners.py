"""Reads the score of games from a column whose cells hold the winner's name, or the heading of the winner's column."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from ratingcore.errors import BadValue, ScoresInDoubt
from ratingcore.events.bounds import POINTS
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.headings import WON, meanings, plain
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group, name_in
from ratingcore.importer.tables.score_columns import points_in
from ratingcore.importer.tables.score_words import FORFEIT, NO_RESULT, RETIRED, plain_score, score, score_of_points
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.readers import Refused
from ratingcore.safe_text import Filled


def names_winner(a: str, score: str) -> bool:
    """True if the column of the score names the winner: its heading says so, or it is also the column of side `a`."""
    return score == a != "" or meanings(score, WON) == {"winner"}


def score_from_winner(bound: Binding) -> Group[Decided]:
    """Returns the parser of the score from the winner's name, the heading of the winner's column, or a score word.

    A further column of scores, such as 6-4 6-3 or 3-1, is read for draws and for games that were not played. If
    `points` is mapped to it, 3-1 also gives points: those of `a` first, or the winner's first if this fits more rows.
    """
    heads = [{*plain(bound.column(side)).split()} for side in ("a", "b")]
    letters = [{word[0] for word in head} if len(head) == 1 else set() for head in heads]
    by_points = "points" in bound.mapped
    others = ("points",) if by_points else ("score",) if bound.owns("score") else tuple(bound.score_columns())[:1]
    readers = [bound.required(field, bound.side(field)) for field in ("score", "a", "b")]
    readers += [bound.required("points" if by_points else "sets", name_in, *others)] if others else []

    of_winners = bound.column("a") == bound.column("score")
    first = before = ""
    """The side whose points come first, `a` or `winner`; empty if the scores are not points."""
    most, against_a, against_winner = 0.0, 0, 0
    one_of_points = ""

    def meet(rows: Iterable[Row]) -> None:
        nonlocal most, against_a, against_winner, one_of_points
        for row in rows:
            if isinstance(row, Refused):
                continue
            texts = [reader[row[1][reader.index]] for reader in readers]
            points = points_in(plain_score(texts[3]))
            if points is None:
                continue
            most, one_of_points = max(most, *points), one_of_points or texts[3]
            with suppress(BadValue):
                outcome = won(*texts[:3])
                if points[0] != points[1] and outcome in (0.0, 1.0):
                    against_a += outcome != score_of_points(*points)
                    against_winner += points[0] < points[1]

    def learn() -> str:
        nonlocal first, before
        if most > 1:
            first = "winner" if against_a > against_winner else "a"
        changed = one_of_points if before not in ("", first or "none") else ""
        before = first or ("none" if one_of_points else "")
        found.clear()
        return changed

    def remark() -> str:
        if first == "winner":
            return "points of both sides, the winner first"
        return "points of both sides" if first else ""

    unread, total = Counter[str](), 0
    winners, of_numbers = set[str](), dict[str, float]()

    def meet_winners(rows: Iterable[Row]) -> None:
        nonlocal total
        for row in rows:
            if isinstance(row, Refused):
                continue
            texts = [reader[row[1][reader.index]] for reader in readers[:3]]
            total += texts[0] != ""
            if len(winners) < _MOST and texts[0] not in texts[1:]:
                winners.add(texts[0].casefold())
            try:
                won(*texts)
            except BadValue:
                unread[texts[0]] += 1

    def learn_winners() -> str:
        if "2" in winners and winners <= _NUMBERED.keys() | {""}:
            of_numbers.update({word: _NUMBERED[word] for word in winners - {""}})
            found.clear()
            return ""
        if max(1, total / 2) < unread.total():
            if all(points_in(plain_score(word)) is not None for word in unread):
                raise ScoresInDoubt(
                    bound.path, "its column of winners has points", "", points=bound.mapping_by_points()
                )
            column, *sides = (bound.column(name) for name in ("score", "a", "b"))
            most = [word for word, _ in unread.most_common(2)]
            if len(most) == 2 and plain(most[0])[:1] == plain(sides[1])[:1] != plain(most[1])[:1]:
                most.reverse()
            words = ", ".join(f'{toml_key(word)} = "{side}"' for word, side in zip(most, sides, strict=False))
            form = "{n} cells of {column}, such as {word}, name neither side: nothing was imported"
            why = Filled(form, n=unread.total(), column=column, word=repr(most[0]))
            source = f'score = {{ column = "{column}", words = {{ {words} }} }}'
            raise ScoresInDoubt(bound.path, why, f"give their meaning in a mapping file, such as {source}")
        return ""

    def remark_numbers() -> str:
        return ", ".join(
            f"{word} = {of_numbers[word]:g}" for word in sorted(of_numbers, key=lambda one: -of_numbers[one])
        )

    if bound.column("a") != bound.column("score"):
        columns_read = frozenset(reader.index for reader in readers[:3])
        bound.learning.add(Learner(columns_read, meet_winners, learn_winners, remark_numbers))
    numbered = False

    def meet_numbers(rows: Iterable[Row]) -> None:
        nonlocal numbered
        numbered = numbered or any(type(row) is tuple and readers[0][row[1][readers[0].index]] == "0" for row in rows)

    def learn_numbers() -> str:
        if numbered and not of_numbers:
            column, a, b = (bound.column(name) for name in ("score", "a", "b"))
            form = "its column {column} has a 0, which may be the first side or the second: none of its scores is taken"
            why = Filled(form, column=column)
            words = f'score = {{ column = "{column}", words = {{ 0 = "{a}", 1 = "{b}" }} }}'
            raise ScoresInDoubt(bound.path, why, f"give their meaning in a mapping file, such as {words}")
        return ""

    # only headings such as `team1` and `team2` let a number name a side
    if "1" in heads[0] | heads[1] and "0" not in heads[0] | heads[1]:
        bound.learning.add(Learner(frozenset((readers[0].index,)), meet_numbers, learn_numbers, str))
    if by_points:
        bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, remark))

    def won(winner: str, *sides: str) -> float | str:
        if of_numbers and winner not in sides and (number := of_numbers.get(winner.casefold())) is not None:
            return number
        words = {*plain(winner).split()}
        named = [winner == side for side in sides]
        if winner not in sides and words:
            named = [words <= head or (words == letter and letters[0] != letters[1])
                     for head, letter in zip(heads, letters, strict=True)]  # fmt: skip
        outcome: float | str
        if named[0] != named[1]:
            outcome = float(named[0])
        elif words & {"tie", "tied"} or words == {"x"}:
            outcome = 0.5
        elif (word := word_of(winner)) is not None or not winner:
            outcome = NO_RESULT if word is None else word
        else:
            raise BadValue("score", winner, "names neither side, and is not a score word")
        return outcome

    def combine(texts: list[str]) -> Decided:
        winner, outcome = texts[0], won(*texts[:3])
        points = points_in(plain_score(texts[3])) if first else None
        if points is not None:
            if -1 in points:
                return FORFEIT
            if not winner and (first == "a" or points[0] == points[1]):
                outcome = score_of_points(*points)
            of_sides = points[::-1] if first == "winner" and outcome == 0.0 else points
            return outcome if isinstance(outcome, str) else (outcome, dict(zip(POINTS, of_sides, strict=True)))
        for text in texts[3:]:
            other = word_of(text)
            if other == RETIRED and bound.retired_counts:
                continue
            if isinstance(other, str) or other == 0.5:
                return other if isinstance(other, str) else (other, {})
            in_letters = of_winners and points_in(plain_score(text)) is None
            if other is not None and other != outcome and (others == ("score",) or in_letters):
                raise BadValue("score", text, Filled("is not a win of {winner}", winner=winner))
        return outcome if isinstance(outcome, str) else (outcome, {})

    found = Group(readers, combine)
    return found


def compared_score(bound: Binding, decided: Group[Decided], others: Sequence[str]) -> Group[Decided]:
    """Returns a parser of the score that compares it with further columns: the name of the winner, or a result.

    A row in which they contradict each other is refused. If more than a few rows do, for instance because the winner's
    points come first, `learn` raises `ScoresInDoubt`.
    """
    sides = [bound.required(name, bound.side(name)) for name in ("a", "b")]
    texts = [bound.required(column, name_in, column) for column in others]
    columns = [None if meanings(one, WON) == {"winner"} else bound.score_words(one) for one in others]
    readers, unread = [*decided.readers, *sides, *texts], set[int]()
    met = Counter[tuple[Any, ...]]()

    def score_in(at: int, text: str, a: str, b: str) -> float | None:
        column = columns[at]
        if column is None:
            if a != b and text in (a, b):
                return float(text == a)
            return 0.5 if word_of(text) == 0.5 else None
        try:
            score = None if at in unread or not text else column.read(text)
        except BadValue:
            return None
        return score_of_points(*score) if isinstance(score, tuple) else None if isinstance(score, str) else score

    def meet(rows: Iterable[Row]) -> None:
        for row in rows:
            if isinstance(row, Refused):
                continue
            given = [row[1][reader.index] for reader in decided.readers]
            a, b = (reader[row[1][reader.index]] for reader in sides)
            for at, reader in enumerate(texts):
                text = reader[row[1][reader.index]]
                column = columns[at]
                met[at, score_in(at, text, a, b) if column is None else text, *given] += 1
                if column is not None:
                    column.meet({text: 1}, column.read_alone)

    def learn() -> str:
        found.clear()
        unread.clear()
        for at, column in enumerate(columns):
            if column is not None and column.learn()[1]:
                unread.add(at)
            check_agreement(at)
        return ""

    def check_agreement(at: int) -> None:
        against, total = Counter[str](), 0
        for (place, seen, *given), count in met.items():
            if place != at:
                continue
            total += count
            with suppress(BadValue):
                score = decided.combine([one[cell] for one, cell in zip(decided.readers, given, strict=True)])
                word = score_in(at, seen, "", "") if isinstance(seen, str) else seen
                if isinstance(score, tuple) and word is not None and score[0] != word:
                    against[" ".join(given)] += count
        if against.total() > max(1, _FEW * total):
            most = max(against, key=against.__getitem__)
            name, points = others[at], dict[str, str]()
            form = "{n} scores, such as {word}, contradict the column {column}: nothing was imported"
            why = Filled(form, n=against.total(), word=repr(most), column=name)
            if columns[at] is None and len(decided.readers) == 1 and points_in(plain_score(most)) is not None:
                points = {"score": name, "points": "score"}
            raise ScoresInDoubt(bound.path, why, "map the score to the column that counts", points=points)

    def combine(values: list[Any]) -> Decided:
        count = len(decided.readers)
        score, (a, b) = decided.combine(values[:count]), values[count : count + 2]
        for at, text in enumerate(values[count + 2 :]):
            word = score_in(at, text, a, b)
            if isinstance(score, tuple) and word is not None and score[0] != word:
                form = "is not the score of the row: the other columns give {player} {score}"
                if columns[at] is None:
                    form = "is not who won: the other columns give {player} {score}"
                raise BadValue(others[at], text, Filled(form, player=a, score=f"{score[0]:g}"))
        return score

    bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, str))
    found = Group(readers, combine)
    return found


def toml_key(word: str) -> str:
    """Returns a word as a TOML key, quoted if it has to be."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


_NUMBERED = {"1": 1.0, "2": 0.0, **dict.fromkeys(("0", "x", "-", "=", "d", "draw", "tie", "remis"), 0.5)}
"""Scores in a column that holds the number of the winning side: 1 the first, 2 the second.

A 2 anywhere in the column shows that it is of this kind.
"""
_MOST = 100
"""Number of different winners from which on a column is taken to hold names."""
_FEW = 0.05
"""Largest share of rows that may be slips."""


def _no_number(text: str) -> None:
    """Reads no number as a score: a 1 may mean the first side, or a win in a column of 0 and 1."""


def word_of(text: str) -> float | str | None:
    """Returns the meaning of a score word; None for other texts and for an empty one."""
    try:
        return score(text, _no_number) if text else None
    except BadValue:
        return None
