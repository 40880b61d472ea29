"""Writes files so that they appear under their name only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_file(path: Path, part: str = "") -> Iterator[Path]:
    """Yields a temporary path beside `path`; the file written there becomes `path` at the end.

    After an error the temporary file is removed, and an existing file at `path` stays unchanged.

    Parameters
    ----------
    path : Path
    part : str
        Name of the temporary file; by default the name of the file with `.part` appended. If several processes may
        write the same file, each needs a different name.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "list.csv"
    >>> with atomic_file(path) as unfinished:
    ...     _ = unfinished.write_text("rank,player")
    ...     path.exists()
    False
    >>> path.read_text(), unfinished.exists()
    ('rank,player', False)
    """
    unfinished = path.with_name(part or f"{path.name}.part")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        if error.filename == str(unfinished):  # name the file that the caller knows
            error.filename = str(path)
        raise
    finally:
        unfinished.unlink(missing_ok=True)
