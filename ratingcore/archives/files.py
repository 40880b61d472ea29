"""Opens files as text: gzip and encodings are handled, and every failure is a `BadFile`."""

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import BinaryIO, TextIO, cast

from ratingcore.errors import BadFile

Path = str | PathLike[str]
"""Path of a file."""

UTF8 = "utf-8-sig"
"""Default encoding: UTF-8 with an optional byte order mark."""

_GZIP = b"\x1f\x8b"
_NEWLINE = re.compile(r"\r\n|\r|\n")


def fingerprint(path: Path) -> str:
    """Digest of a file's bytes; the same file name with another fingerprint is a resubmission.

    Parameters
    ----------
    path : str or path
        Any file, of any format.

    Returns
    -------
    str, 32 hexadecimal digits
        BLAKE2b of the bytes on disk; compressing a file anew changes it.

    Raises
    ------
    BadFile
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "games.csv")
    ...     _ = file.write_bytes(b"a,b,score,played")
    ...     fingerprint(file)
    '3618e3510df3faf8189dd6a62750e024'
    """
    try:
        with open(path, "rb") as raw:
            return hashlib.file_digest(raw, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as problem:
        raise BadFile(fspath(path), _says(problem)) from None


@contextmanager
def reading(path: Path, encoding: str | None) -> Iterator[TextIO]:
    """Opens a file as text with its line ends; what goes wrong until it is closed becomes `BadFile`."""
    encoding = _with_mark(encoding)
    try:
        with open(path, "rb") as raw, _unpacked(raw) as plain, io.TextIOWrapper(plain, encoding, newline="") as text:
            yield text
    except UnicodeDecodeError as problem:
        raise _undecodable(path, encoding, problem) from None
    except (EOFError, zlib.error):
        raise BadFile(fspath(path), "the gzip data ends early or is damaged") from None
    except OSError as problem:
        raise BadFile(fspath(path), _says(problem)) from None


def _with_mark(encoding: str | None) -> str:
    return UTF8 if encoding is None or encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding


def _unpacked(raw: BinaryIO) -> BinaryIO:
    packed = raw.read(2) == _GZIP
    raw.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw


def _says(problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    return (problem.strerror or str(problem)).lower()


def _undecodable(path: Path, encoding: str, problem: UnicodeDecodeError) -> BadFile:
    # the decoder failed on a chunk of unknown place: only the whole file tells the line
    with open(path, "rb") as raw, _unpacked(raw) as plain:
        content = plain.read()
    try:
        content.decode(encoding)
    except UnicodeDecodeError as whole:
        problem = whole
    before = content[: problem.start].decode(encoding, "replace")
    line = len(_NEWLINE.findall(before)) + 1
    plain_name = "utf-8" if encoding == UTF8 else encoding
    why = f"line {line} is not {plain_name}: byte 0x{content[problem.start]:02x}"
    return BadFile(fspath(path), why, 'name the encoding in a mapping file, such as encoding = "cp1252"')
