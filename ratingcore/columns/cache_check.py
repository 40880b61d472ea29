"""The check of columns in files: each of them recomputed from the rows of the log, and compared."""

import numpy as np

from ratingcore.columns.cache import columns_of, timeline_of
from ratingcore.columns.cache_key import Damaged
from ratingcore.columns.columnfiles import ColumnFolder
from ratingcore.columns.history import History
from ratingcore.columns.knowledge import known_at
from ratingcore.columns.soundness import see_sound
from ratingcore.columns.timeline import empty


def check_columns(folder: ColumnFolder, pool: int, log: History) -> bool:
    """Returns whether there are columns of this history in files; whatever a stamp says, all files are read.

    Raises
    ------
    Damaged
        If they are not what the rows of the log give.
    """
    manifest = folder.manifest(pool)
    if manifest is None or manifest.position > log.head.position:
        return False
    if log.digest_at(manifest.position) != manifest.digest:
        return False
    try:
        mapped = folder.mapped(manifest, stamped=False)
    except OSError as error:
        raise Damaged(f"a file cannot be read: {error.strerror}") from None
    timeline = timeline_of(mapped.columns, manifest, log)
    see_sound(timeline, log.look().names)
    true = known_at(empty(pool, log.digest_at(0)), log, manifest.position)
    given, made = columns_of(timeline), columns_of(true)
    for name in sorted(given.keys() | made.keys()):
        same = name in given and name in made and given[name].dtype == made[name].dtype
        if not same or not np.array_equal(given[name], made[name], equal_nan=given[name].dtype.kind == "f"):
            raise Damaged(f"its column {name} is not what the rows of the log give")
    if timeline.alone != true.alone:
        raise Damaged("the games it leaves out are not those of the log")
    mapped.vouch()
    return True
