"""Catalogues are complete: every text of every template has words in every language."""

from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from ratingcore_pages.look import Look
from ratingcore_pages.words import HEADINGS, LANGUAGES, RESULTS, UnknownLanguage, catalogue

FOLDER = files("ratingcore_pages")
FOREIGN = [language for language in LANGUAGES if language != "en"]


def messages() -> set[str]:
    """The first form of every text in the templates, and the words of results and columns."""
    environment, found = Look().environment, {*RESULTS.values(), *HEADINGS.values()}
    for template in FOLDER.joinpath("templates").iterdir():
        for _, _, text in environment.extract_translations(template.read_text("utf-8")):  # type: ignore[attr-defined]
            found.add(text if isinstance(text, str) else next(one for one in text if one))
    return found


@pytest.mark.parametrize("language", FOREIGN)
def test_every_text_has_words(language: str) -> None:
    with FOLDER.joinpath("locale", f"{language}.po").open("rb") as file:
        read = read_po(file, locale=language)
    words = {(message.id if isinstance(message.id, str) else message.id[0]): message for message in read if message.id}
    assert words.keys() == messages()
    for message in words.values():
        assert all([message.string] if isinstance(message.string, str) else message.string), message.id
        assert not list(message.check(read)), message.id


def texts(words: GNUTranslations) -> dict[object, str]:
    """Translations by message, without the header, which names the version of the compiler."""
    return {message: text for message, text in vars(words)["_catalog"].items() if message}


@pytest.mark.parametrize("language", FOREIGN)
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    with FOLDER.joinpath("locale", f"{language}.po").open("rb") as file:
        compiled = BytesIO()
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    with FOLDER.joinpath("locale", f"{language}.mo").open("rb") as file:
        assert texts(GNUTranslations(file)) == texts(GNUTranslations(compiled))


def test_numbers_of_things_have_their_own_forms() -> None:
    russian = catalogue("ru")
    forms = [russian.ngettext("%(num)d player", "%(num)d players", n) % {"num": n} for n in (1, 3, 5)]
    assert forms == ["1 игрок", "3 игрока", "5 игроков"]


def test_a_language_without_a_catalogue_is_named() -> None:
    with pytest.raises(UnknownLanguage, match="eo"):
        Look(language="eo")
