"""Files that archives are made of: where they are, whether they are the right ones, how a reader gets those missing."""

from collections.abc import Mapping, Sequence
from hashlib import new, sha256
from pathlib import Path
from urllib.request import urlopen

from attrs import frozen

from ratingcore.errors import RatingCoreError

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
SECONDS = 60
"""How long a download may be silent."""


@frozen
class Form:
    """One file that holds the facts of a download.

    Parameters
    ----------
    name : str
        Its name in the folder of downloads.
    check : str
        `sha256:...` or `md5:...` of its bytes, or `bytes:...`, their number, where nobody has published a digest.
    """

    name: str
    check: str


@frozen
class Shipped:
    """A file of `fixtures/`, which the repository has.

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
        """Its name without the folder."""
        return Path(self.path).name

    def found(self, folder: Path) -> Path:
        """Where it is, its bytes checked."""
        return checked(FIXTURES / self.path, self.check)


@frozen
class Download:
    """A file that the reader downloads, because its licence does not let this repository carry it, or its size.

    Parameters
    ----------
    address : str
        Where the first form is published.
    forms : tuple of Form
        Files with the same facts, of which one is enough; the first is the published one.
    how : str
        How the other forms are made of the first.
    """

    address: str
    forms: tuple[Form, ...]
    how: str = ""

    @property
    def name(self) -> str:
        """Name of the published form."""
        return self.forms[0].name

    def found(self, folder: Path) -> Path:
        """Where one of its forms is, its bytes checked.

        Raises
        ------
        FileMissing
            If the folder has none of them.
        WrongFile
            If the one it has is another file.
        """
        for form in self.forms:
            if (folder / form.name).is_file():
                return checked(folder / form.name, form.check)
        raise FileMissing(self.name, str(folder), self.address, self.forms[0].check)

    def fetch(self, folder: Path) -> Path:
        """Downloads the published form into a folder, unless one of the forms is there."""
        if not any((folder / form.name).is_file() for form in self.forms):
            folder.mkdir(parents=True, exist_ok=True)
            with urlopen(self.address, timeout=SECONDS) as answer:
                (folder / self.name).write_bytes(answer.read())
        return self.found(folder)


class FileMissing(RatingCoreError, LookupError):
    """A file that the reader has to download is not there."""

    name: str
    folder: str
    address: str
    check: str

    def __str__(self) -> str:
        return f"{self.name} is not in {self.folder}"

    @property
    def hint(self) -> str:
        """What to do."""
        return f"download {self.address} to there ({self.check}), or let `python -m gallery --fetch` do so"


class WrongFile(RatingCoreError, ValueError):
    """A file has other bytes than the ones that the archive was declared with."""

    path: str
    check: str
    found: str

    def __str__(self) -> str:
        return f"{self.path} is another file than expected: {self.found}, not {self.check}"

    @property
    def hint(self) -> str:
        """What to do."""
        return "delete it and download it again from the address on the page of its archive"


def checked(path: Path, check: str) -> Path:
    """A path whose file has the digest, or the size, that was declared.

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
    """Paths of the files of an archive, by name.

    Parameters
    ----------
    files : sequence of Shipped or Download
    folder : path
        Where downloads are.
    fetch : bool
        Whether those missing are downloaded; else the network is never touched.

    Raises
    ------
    FileMissing, WrongFile
    """
    return {
        file.name: file.fetch(folder) if fetch and isinstance(file, Download) else file.found(folder) for file in files
    }


def digests(paths: Mapping[str, Path]) -> dict[str, str]:
    """SHA-256 of each file that was read, by its name."""
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in paths.values()}
