"""The score of games from a column that names the winner, or the heading of the winner's column."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from ratingcore.errors import BadValue, ScoresInDoubt
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.cells import (
    FORFEIT,
    NO_RESULT,
    POINTS,
    RETIRED,
    plain_score,
    score,
    score_of_points,
    unplayed,
)
from ratingcore.importer.tables.headings import WON, meanings, plain
from ratingcore.importer.tables.rows import Binding, Decided, Group
from ratingcore.importer.tables.score_columns import points_in
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.readers import Refused


def names_winner(a: str, score: str) -> bool:
    """True if a column for the score names the winner: by its heading, or as the column of winning players."""
    return score == a != "" or meanings(score, WON) == {"winner"}


def score_from_winner(bound: Binding) -> Group[Decided]:
    """Parser of the score from a column that names the winner, or the heading of its column; else a score word.

    A column of scores beside it, such as 6-4 6-3 or 3-1, is read for draws and for games that were not played. If
    `points` are mapped beside it, 3-1 gives points too: those of `a` first or, if this fits more rows, the winner's.
    """
    heads = [{*plain(bound.column(side)).split()} for side in ("a", "b")]
    letters = [{word[0] for word in head} if len(head) == 1 else set() for head in heads]
    by_points = "points" in bound.mapped
    beside = ("points",) if by_points else ("score",) if bound.owns("score") else tuple(bound.score_columns())[:1]
    readers = [bound.required(field, normal) for field in ("score", "a", "b")]
    readers += [bound.required("points" if by_points else "sets", normal, *beside)] if beside else []

    first = before = ""
    """Side whose points are written first: `a` or `winner`; empty if the scores are not points."""
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
                said = won(*texts[:3])
                if points[0] != points[1] and said in (0.0, 1.0):
                    against_a += said != score_of_points(*points)
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
        return f"points of both sides{', the winner first' if first == 'winner' else ''}" if first else ""

    unread, total = Counter[str](), 0

    def meet_winners(rows: Iterable[Row]) -> None:
        nonlocal total
        for row in rows:
            if isinstance(row, Refused):
                continue
            texts = [reader[row[1][reader.index]] for reader in readers[:3]]
            total += texts[0] != ""
            try:
                won(*texts)
            except BadValue:
                unread[texts[0]] += 1

    def learn_winners() -> str:
        if max(1, total / 2) < unread.total() < total:  # without a score to take, each row is refused
            column, *sides = (bound.column(name) for name in ("score", "a", "b"))
            most = [word for word, _ in unread.most_common(2)]
            if len(most) == 2 and plain(most[0])[:1] == plain(sides[1])[:1] != plain(most[1])[:1]:
                most.reverse()
            words = ", ".join(f'{toml_key(word)} = "{side}"' for word, side in zip(most, sides, strict=False))
            why = (
                f"{unread.total()} cells of its column {column}, such as {most[0]!r}, name neither side: none is taken"
            )
            source = f'score = {{ column = "{column}", words = {{ {words} }} }}'
            raise ScoresInDoubt(bound.path, why, f"say in a mapping file whom they mean, such as {source}")
        return ""

    if bound.column("a") != bound.column("score"):
        bound.learning.add(Learner(frozenset(reader.index for reader in readers[:3]), meet_winners, learn_winners, str))
    numbered = False

    def meet_numbers(rows: Iterable[Row]) -> None:
        nonlocal numbered
        numbered = numbered or any(type(row) is tuple and readers[0][row[1][readers[0].index]] == "0" for row in rows)

    def learn_numbers() -> str:
        if numbered:
            column, a, b = (bound.column(name) for name in ("score", "a", "b"))
            why = f"its column {column} has a 0, which may be the first side or the second: none of its scores is taken"
            words = f'score = {{ column = "{column}", words = {{ 0 = "{a}", 1 = "{b}" }} }}'
            raise ScoresInDoubt(bound.path, why, f"say in a mapping file which sides are meant, such as {words}")
        return ""

    if "1" in heads[0] | heads[1] and "0" not in heads[0] | heads[1]:  # else no number names a side
        bound.learning.add(Learner(frozenset((readers[0].index,)), meet_numbers, learn_numbers, str))
    if by_points:
        bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, remark))

    def won(winner: str, *sides: str) -> float | str:
        words = {*plain(winner).split()}
        named = [winner == side for side in sides]
        if winner not in sides and words:
            named = [words <= head or (words == letter and letters[0] != letters[1])
                     for head, letter in zip(heads, letters, strict=True)]  # fmt: skip
        said: float | str
        if named[0] != named[1]:
            said = float(named[0])
        elif words & {"tie", "tied"} or words == {"x"}:
            said = 0.5
        elif (word := _word_of(winner)) is not None or not winner:
            said = NO_RESULT if word is None else word
        else:
            raise BadValue("score", winner, "names neither side, and is no score word")
        return said

    def combine(texts: list[str]) -> Decided:
        winner, said = texts[0], won(*texts[:3])
        points = points_in(plain_score(texts[3])) if first else None
        if points is not None:
            if -1 in points:
                return FORFEIT
            if not winner and (first == "a" or points[0] == points[1]):
                said = score_of_points(*points)
            of_sides = points[::-1] if first == "winner" and said == 0.0 else points
            return said if isinstance(said, str) else (said, dict(zip(POINTS, of_sides, strict=True)))
        for text in texts[3:]:
            other = _word_of(text)
            if other == RETIRED and bound.retired_counts:
                continue
            if isinstance(other, str) or other == 0.5:
                return other if isinstance(other, str) else (other, {})
            if other is not None and other != said and beside == ("score",):
                raise BadValue("score", text, f"is no win of {winner}")
        return said if isinstance(said, str) else (said, {})

    found = Group(readers, combine)
    return found


def score_beside(bound: Binding, decided: Group[Decided], others: Sequence[str]) -> Group[Decided]:
    """Parser of the score in a table with other columns that say it too: the name of the winner, or a result.

    A row in which they contradict each other is refused; if more than a few do, such as where the points are the
    winner's first, `learn` raises `ScoresInDoubt`.
    """
    sides = [bound.required(name, normal) for name in ("a", "b")]
    texts = [bound.required(column, normal, column) for column in others]
    columns = [None if meanings(one, WON) == {"winner"} else bound.score_words() for one in others]
    readers, unread = [*decided.readers, *sides, *texts], set[int]()
    met = Counter[tuple[Any, ...]]()

    def said(at: int, text: str, a: str, b: str) -> float | None:
        column = columns[at]
        if column is None:
            if a != b and text in (a, b):
                return float(text == a)
            return 0.5 if _word_of(text) == 0.5 else None
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
                met[at, said(at, text, a, b) if column is None else text, *given] += 1
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
                word = said(at, seen, "", "") if isinstance(seen, str) else seen
                if isinstance(score, tuple) and word is not None and score[0] != word:
                    against[" ".join(given)] += count
        if against.total() > max(1, _FEW * total):
            most = max(against, key=against.__getitem__)
            name, points = others[at], dict[str, str]()
            why = (
                f"{against.total()} of its scores, such as {most!r}, are not those of the column {name}: none is taken"
            )
            if columns[at] is None and len(decided.readers) == 1 and points_in(plain_score(most)) is not None:
                points = {"score": name, "points": "score"}
            raise ScoresInDoubt(bound.path, why, "map the score to the column that counts", points=points)

    def combine(values: list[Any]) -> Decided:
        count = len(decided.readers)
        score, (a, b) = decided.combine(values[:count]), values[count : count + 2]
        for at, text in enumerate(values[count + 2 :]):
            word = said(at, text, a, b)
            if isinstance(score, tuple) and word is not None and score[0] != word:
                of = "who won" if columns[at] is None else "the score of the row"
                raise BadValue(others[at], text, f"is not {of}: the other columns give {a} {score[0]:g}")
        return score

    bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, str))
    found = Group(readers, combine)
    return found


def says_unplayed(heading: str) -> bool:
    """True if a column says of its rows whether they were played: `Status`, or a whole word such as `Forfeit`.

    Examples
    --------
    >>> says_unplayed("Kampflos"), says_unplayed("Nr"), says_unplayed("Status")
    (True, False, True)
    """
    return plain(heading) == "status" or is_of_remarks(heading) or (len(heading) > _SHORT and unplayed(heading) != "")


def is_of_remarks(heading: str) -> bool:
    """True if a column is called like remarks on a game: `Comment`, `Bemerkung`."""
    return plain(heading) in _REMARKS


_HEADINGS_OF_REMARKS = (
    "note, notes, comment, comments, remark, remarks, bemerkung, bemerkungen, anmerkung, anmerkungen, kommentar, "
    "hinweis, remarque, remarques, commentaire, commentaires, comentario, comentarios, observacion, observaciones, "
    "commento, opmerking, opmerkingen, poznamka, poznamky, uwagi, uwaga, примечание, комментарий, megjegyzes"
)
_REMARKS = frozenset(_HEADINGS_OF_REMARKS.split(", "))
_ABBREVIATED = frozenset({"wo", "ret", "rtd", "ff", "dq", "dsq", "kl"})
"""Short words that mean in a remark what they mean in a score; others, such as NA and NP, may mean anything there."""


def _unplayed_by(column: str, text: str) -> str:
    """Why a game was not played, by the text of a column that may say it."""
    letters = "".join(filter(str.isalpha, text.casefold()))
    if is_of_remarks(column) and len(letters) < _SHORT and letters not in _ABBREVIATED:
        return ""
    return unplayed(column) if text.casefold() in _YES else unplayed(text)


def score_if_played(bound: Binding, decided: Group[Decided], columns: Sequence[str]) -> Group[Decided]:
    """Parser of the score in a table with columns that say of some rows that nobody played: `Forfeit`, `Status`."""
    readers = [bound.required(column, normal, column) for column in columns]

    def combine(values: list[Any]) -> Decided:
        for column, text in zip(columns, values[len(decided.readers) :], strict=True):
            why = _unplayed_by(column, text)
            if why and not (why == RETIRED and bound.retired_counts):
                return why
        return decided.combine(values[: len(decided.readers)])

    return Group([*decided.readers, *readers], combine)


def toml_key(word: str) -> str:
    """A word as the key of a table in TOML."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


_SHORT = 4
"""Letters of headings that may be abbreviations: `Nr` is a number here, and in a column of scores no result."""
_YES = frozenset(["yes", "y", "true", "1", "x", "ja", "j", "oui", "si", "sí", "ano", "tak", "да"])

_FEW = 0.05
"""Share of rows that may be slips."""


def _no_number(text: str) -> None:
    """A number does not name a winner: 1 may be the first of two, or 1 of 0 and 1."""


def _word_of(text: str) -> float | str | None:
    """The meaning of a score word; None for other texts, or without a text."""
    try:
        return score(text, _no_number) if text else None
    except BadValue:
        return None
