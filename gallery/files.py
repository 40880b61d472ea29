"""The files of archives: where they are, how they are checked, and how missing ones are downloaded."""

from collections.abc import Mapping, Sequence
from hashlib import new, sha256
from pathlib import Path
from urllib.request import urlopen

from attrs import frozen

from ratingcore.errors import RatingCoreError

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
SECONDS = 60
"""Seconds without data after which a download fails."""


@frozen
class Form:
    """One of the files that hold the same facts of a download.

    Parameters
    ----------
    name : str
        Its name in the folder of downloads.
    check : str
        `sha256:...` or `md5:...` of its bytes, or `bytes:` with their number if no digest is published.
    """

    name: str
    check: str


@frozen
class Shipped:
    """A file in the repository, below `fixtures/`.

    Parameters
    ----------
    path : str
        Below `fixtures/`.
    check : str
        As of `Form`.
    """

    path: str
    check: str

    @property
    def name(self) -> str:
        """The name of the file, without its folder."""
        return Path(self.path).name

    def found(self, folder: Path) -> Path:
        """Returns the path of the file, after checking its bytes."""
        return checked(FIXTURES / self.path, self.check)


@frozen
class Download:
    """A file to download, since its licence or its size keeps it out of the repository.

    Parameters
    ----------
    address : str
        Where the first form is published.
    forms : tuple of Form
        Files with the same facts; one of them is enough, and the first is the published one.
    how : str
        How to make the other forms from the first.
    """

    address: str
    forms: tuple[Form, ...]
    how: str = ""

    @property
    def name(self) -> str:
        """The name of the published form."""
        return self.forms[0].name

    def found(self, folder: Path) -> Path:
        """Returns the path of one of its forms, after checking its bytes.

        Raises
        ------
        FileMissing
            If the folder has none of the forms.
        WrongFile
            If the bytes of the file are not the declared ones.
        """
        for form in self.forms:
            if (folder / form.name).is_file():
                return checked(folder / form.name, form.check)
        raise FileMissing(self.name, str(folder), self.address, self.forms[0].check)

    def fetch(self, folder: Path) -> Path:
        """Downloads the published form into a folder, unless the folder has one of the forms."""
        if not any((folder / form.name).is_file() for form in self.forms):
            folder.mkdir(parents=True, exist_ok=True)
            with urlopen(self.address, timeout=SECONDS) as answer:
                (folder / self.name).write_bytes(answer.read())
        return self.found(folder)


class FileMissing(RatingCoreError, LookupError):
    """A file that has to be downloaded is missing."""

    name: str
    folder: str
    address: str
    check: str

    def __str__(self) -> str:
        return f"{self.name} is not in {self.folder}"

    @property
    def hint(self) -> str:
        """What to do about it."""
        return f"download {self.address} into that folder ({self.check}), or run `python -m gallery --fetch`"


class WrongFile(RatingCoreError, ValueError):
    """A file has a different digest or size than the archive declares."""

    path: str
    check: str
    found: str

    def __str__(self) -> str:
        return f"{self.path} is not the expected file: it has {self.found}, the archive declares {self.check}"

    @property
    def hint(self) -> str:
        """What to do about it."""
        return "delete it and download it again from the address on the page of its archive"


def checked(path: Path, check: str) -> Path:
    """Returns a path, after checking the digest or the size of its file.

    Raises
    ------
    WrongFile
    """
    kind, _, wanted = check.partition(":")
    content = path.read_bytes()
    found = str(len(content)) if kind == "bytes" else new(kind, content).hexdigest()
    if found != wanted:
        raise WrongFile(str(path), check, f"{kind}:{found}")
    return path


def located(files: Sequence[Shipped | Download], folder: Path, *, fetch: bool = False) -> dict[str, Path]:
    """Returns the paths of the files of an archive, by name.

    Parameters
    ----------
    files : sequence of Shipped or Download
    folder : path
        Folder of the downloads.
    fetch : bool
        Whether to download missing files; otherwise the network is not used.

    Raises
    ------
    FileMissing, WrongFile
    """
    return {
        file.name: file.fetch(folder) if fetch and isinstance(file, Download) else file.found(folder) for file in files
    }


def digests(paths: Mapping[str, Path]) -> dict[str, str]:
    """Returns the SHA-256 of each file, by its name."""
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in paths.values()}
