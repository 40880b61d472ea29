"""Lists beside those of others, and what leaves the log for other programs."""

from math import isfinite
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from ratingcore.engine.core import Part
from ratingcore.engine.lists import Lists
from ratingcore.errors import BadValue
from ratingcore.lists import RatingList
from ratingcore.lists.against import Against
from ratingcore.lists.published import Published

if TYPE_CHECKING:
    from ratingcore.archives import FieldMap


class Outgoing(Part):
    """Lists and results as others have them."""

    def against(
        self,
        /,
        rating_list: "RatingList | Published | str",
        path: "str | PathLike[str] | BinaryIO",
        reader: str | None = None,
        *,
        pool: str | None = None,
        tolerance: float = 0.0,
        fields: "FieldMap | None" = None,
        column: str = "rating",
        **options: Any,
    ) -> Against:
        """Compares a list with the ratings in a file, such as those that a federation published for the same day.

        Of a player with several ratings in the file the latest counts. Players are compared by their keys: the id of
        their register, or their name.

        Parameters
        ----------
        rating_list : RatingList, Published or str
            A list, or the name of a published one.
        path : path, "-" or binary file
            A file of ratings in any format that is installed; a table is one of seeds.
        reader : str or None
            Name of the reader, with options as for `import_file`: `fide-list:list=rapid`. None to go by content.
        pool : str or None
            Needed where published lists of several pools have this name.
        tolerance : float >= 0, rating points
            The largest difference that counts as none.
        fields : FieldMap or None
            Which columns of a table hold what: `player`, `rating`, `at`, `pool`.
        column : str
            Which column of the list, and which value of a seed, is compared.
        **options
            Options of the reader.

        Returns
        -------
        Against

        Raises
        ------
        BadFile
            If the file cannot be read, or holds no rating.
        BadValue
            If the tolerance is no number from 0, or the list has no such column.
        UnknownList, SeveralLists, FormulaChanged, CannotRebuild, BadParameter, ArchiveError

        Examples
        --------
        >>> import io, ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> theirs = io.BytesIO(b"player,rating\\nann,1510\\nbo,1491\\ncy,1600\\n")
        >>> found = engine.against(engine.rating_list("rapid", "elo"), theirs, tolerance=0.5)
        >>> found.apart, found.within, dict(found.only_theirs)
        ((('bo', 1490.0, 1491.0),), 1, {'cy': 1600.0})
        """
        from ratingcore.importer.choice import spelt  # readers of files are not there for lists
        from ratingcore.importer.plain import readers_of
        from ratingcore.importer.ratings import ratings_in

        if not (isfinite(tolerance) and tolerance >= 0):
            raise BadValue("tolerance", tolerance, "is no number from 0 up")
        ours = (
            rating_list if isinstance(rating_list, RatingList) else Lists(self.core).published_list(rating_list, pool)
        )
        values = ours.values.get(column)
        if values is None or isinstance(values, tuple):
            raise BadValue("column", column, f"is no column of numbers: {', '.join(ours.values)}")
        numbers = dict(zip(ours.player, np.asarray(values, dtype=np.float64).tolist(), strict=True))
        name, texts = spelt(reader)
        theirs = ratings_in(
            path, readers_of(self.core.registry), ours.pool, at=ours.provenance.at, reader=name,
            options=texts | {key: str(value) for key, value in options.items()}, fields=fields, column=column,
        )  # fmt: skip
        rated = {who: number for who, number in numbers.items() if isfinite(number)}
        return Against.between(rated, theirs.of, tolerance, theirs.unread)
