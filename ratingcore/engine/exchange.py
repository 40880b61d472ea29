"""Writes lists and results for other programs, and exports and loads logs."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.corrections.results import results
from ratingcore.engine.core import Part
from ratingcore.engine.explanations import Explanations
from ratingcore.engine.publications import Publications
from ratingcore.errors import BadValue, NotOfWriter
from ratingcore.events import When
from ratingcore.explain.list_columns import names_of
from ratingcore.importer.reader_choice import named_options
from ratingcore.importer.tables.writers import TABLE_WRITERS, table_writers
from ratingcore.importer.tournament_items import event_names, tournament_items
from ratingcore.lists import RatingList
from ratingcore.lists.cuts import KnownAt, played_through
from ratingcore.lists.published import Published
from ratingcore.log import Verified, export_lines, load_lines
from ratingcore.methods.wrapped import failing
from ratingcore.readers.contract import Outgoing, configured

SHOWN = 10
"""Largest number of tournaments that an error names."""


class Exchange(Part):
    """Lists and results written for other programs."""

    def written(
        self,
        /,
        to: str,
        file: str = "",
        *,
        pool: str | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        rating_list: "RatingList | Published | str | None" = None,
        show: str | Iterable[str] = (),
        event: str | None = None,
        remark: Callable[[str], None] | None = None,
        **options: Any,
    ) -> Iterator[bytes]:
        """Yields the bytes of a file of results, ratings or one tournament, in an installed format.

        Results are those known at the cuts, with corrections applied and without voided ones. Importing them into an
        empty log gives the same lists, if no player was seeded or described. A tournament has its games by round, the
        facts of its players, and their ratings in the list; rounds without a game are left blank.

        Parameters
        ----------
        to : str
            Name of the writer, with options as for readers: `results`, `results:form=jsonl`, `ratings`,
            `trf:version=26`.
        file : str
            Name of the file, whose ending may choose the form; it is not opened.
        pool : str or None
            Only results of this pool, of this board (a named selection of results), or of a slice such as
            `arena[language=en]`; None for all.
        through, known_at
            Cuts, as for a rating list.
        rating_list : RatingList, Published, str or None
            The list to write, or the list with the ratings of a tournament's players; a text names a published list.
        show : str or iterable of str
            Further columns of the list for the writer `ratings`, as `with_columns` adds them: facts, changes, results.
        event : str or None
            The tournament, by the field `event` of its results; for writers of tournaments.
        remark : callable or None
            Called with a sentence about each fact that the format cannot hold.
        **options
            Options of the writer.

        Returns
        -------
        iterator of bytes

        Raises
        ------
        BadValue
            If no writer has this name.
        BadParameter
            If the writer has no such option, or the content does not fit it.
        CannotWrite
            If the format cannot hold the content.
        UnknownName
            If no result names the event, or the log has no such pool.
        UnknownList, SeveralLists, BadCut, NotInstalled

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> receipt = engine.amend("g-1", {"score": 0.5})
        >>> print(b"".join(engine.written("results")).decode(), end="")
        position,uid,pool,played,order,a,b,score
        1,g-1,rapid,2024-03-02,0,ann,bo,0.5
        """

        name, texts = named_options(to)
        writers = table_writers(self.core.registry.sheets) | self.core.registry.writers
        if name not in writers:
            raise BadValue("writer", to, f"is not installed; installed are {', '.join(writers)}")
        writer, log = writers[name], self.core.log
        settings = configured(writer.name, writer.options, texts | {key: str(value) for key, value in options.items()})
        number = None if pool is None else self.core.pool_id(pool)
        cut = self.core.position(known_at, number)
        listed = rating_list
        if listed is not None and not isinstance(listed, RatingList):
            listed = Publications(self.core).published_list(listed, pool)
        if names_of(show):
            if listed is None or name != "ratings":
                raise NotOfWriter(name, "show", "applies only to the writer named ratings")
            listed = Explanations(self.core).with_columns(listed, show)
        called = rating_list if isinstance(rating_list, str) else getattr(rating_list, "name", "")
        if (event is None) != (name in TABLE_WRITERS):
            why = "applies only to writers of tournaments"
            if event is None:
                known = event_names(log, pool, played_through(through), cut)
                why = f"is missing: choose a tournament: {_first(known) or 'no result names one'}"
            raise NotOfWriter(name, "event", why)
        last = played_through(through)
        given = Outgoing(
            file, partial(results, log, pool, last, cut), head=str(log.head), listed=listed, listed_name=called,
        )  # fmt: skip
        if event is not None:
            ratings = {} if listed is None else _ratings(listed)
            given = evolve(given, items=partial(tournament_items, log, event, pool, last, cut, ratings))
        if remark is not None:
            given = evolve(given, remark=remark)
        with failing(f"of the writer {writer.name}"):
            yield from writer.write(given, settings)

    def export(self) -> Iterator[str]:
        """Iterates over the log as lines of JSON, from which `load` rebuilds it with the same digests.

        Returns
        -------
        iterator of str

        Raises
        ------
        OnlySupposed
            If the engine is a what-if.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> copy = rc.open(":memory:")
        >>> copy.load(engine.export()).head == receipt.head
        True
        """
        return export_lines(self.core.log)

    def load(self, lines: Iterable[str]) -> Verified:
        """Loads an export into this log, which must be empty, checking every digest, and every line like an append.

        Parameters
        ----------
        lines : iterable of str
            Lines made by `export`.

        Returns
        -------
        Verified

        Raises
        ------
        BadTransfer
            If the log is not empty, or a line is not of an export, or has values that no append would have written.
        BrokenChain
            If the digests do not follow from the rows.

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     engine.load(["{}"])
        Traceback (most recent call last):
        ratingcore.errors.log.BadTransfer: ...
        """
        return load_lines(self.core.log, lines)


def _first(names: list[str]) -> str:
    """Returns the first of many names as a text."""
    return ", ".join(names[:SHOWN]) + (f", and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _ratings(listed: RatingList) -> dict[str, float]:
    """Returns the ratings by player, without unrated players."""
    numbers = np.asarray(listed.values["rating"], dtype=np.float64).tolist()
    return {player: number for player, number in zip(listed.player, numbers, strict=True) if isfinite(number)}
