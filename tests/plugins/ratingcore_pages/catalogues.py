"""What holds of the catalogues of a package: they are complete, and are read as gettext reads them."""

from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from ratingcore_pages.look import Look
from ratingcore_pages.words import LANGUAGES, catalogue

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
    assert not [message.id for message in read if message.id and message.fuzzy]


def check_read(package: str, language: str) -> None:
    """A catalogue has the words that gettext finds in it once Babel has compiled it."""
    with files(package).joinpath("locale", f"{language}.po").open("rb") as file:
        source = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, source)
    compiled.seek(0)
    expected, words = GNUTranslations(compiled), catalogue(language, package)
    for message in source:
        if isinstance(message.id, str):
            assert not message.id or words.gettext(message.id) == expected.gettext(message.id)
        else:
            for n in (*range(26), 100, 101, 1000000):
                assert words.ngettext(*message.id, n) == expected.ngettext(*message.id, n)
