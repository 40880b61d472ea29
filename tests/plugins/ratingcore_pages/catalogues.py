"""What holds of the catalogues of a package: they are complete, and compiled from their sources.

`python -m tests.plugins.ratingcore_pages.catalogues` compiles them all.
"""

from datetime import UTC, datetime
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from ratingcore_pages.look import Look
from ratingcore_pages.words import LANGUAGES

FOREIGN = [language for language in LANGUAGES if language != "en"]


def messages(package: str) -> set[str]:
    """The first form of every text in the templates of a package."""
    environment, found = Look().environment, set[str]()
    for template in files(package).joinpath("templates").iterdir():
        for _, _, text in environment.extract_translations(template.read_text("utf-8")):  # type: ignore[attr-defined]
            found.add(text if isinstance(text, str) else next(one for one in text if one))
    return found


def check_complete(package: str, language: str, wanted: set[str]) -> None:
    """A catalogue has words for these texts, in every form, and for no others."""
    with files(package).joinpath("locale", f"{language}.po").open("rb") as file:
        read = read_po(file, locale=language)
    words = {(message.id if isinstance(message.id, str) else message.id[0]): message for message in read if message.id}
    assert words.keys() == wanted
    for message in words.values():
        assert all([message.string] if isinstance(message.string, str) else message.string), message.id
        assert not list(message.check(read)), message.id


def check_compiled(package: str, language: str) -> None:
    """A compiled catalogue is that of its source."""
    folder = files(package).joinpath("locale")
    with folder.joinpath(f"{language}.po").open("rb") as file:
        compiled = BytesIO()
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    with folder.joinpath(f"{language}.mo").open("rb") as file:
        assert _texts(GNUTranslations(file)) == _texts(GNUTranslations(compiled))


def _texts(words: GNUTranslations) -> dict[object, str]:
    """Translations by message, without the header, which names the version of the compiler."""
    return {message: text for message, text in vars(words)["_catalog"].items() if message}


def compile_all(root: Path) -> None:
    """Compiles every catalogue below a folder, each beside its source."""
    for source in sorted(root.rglob("locale/*.po")):
        with source.open("rb") as file:
            words = read_po(file, locale=source.stem)
        words.creation_date = datetime(2026, 1, 1, tzinfo=UTC)  # now by default: the file would differ each time
        with source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, words)


if __name__ == "__main__":
    compile_all(Path(__file__).parents[3] / "plugins")
