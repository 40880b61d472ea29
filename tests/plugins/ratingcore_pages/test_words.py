"""Catalogues are complete: every text of every template has words in every language."""

import pytest
from markupsafe import Markup
from ratingcore_pages.explanation import BEFORE, CORRECTED, OTHERWISE
from ratingcore_pages.look import Look
from ratingcore_pages.pages import SIDES
from ratingcore_pages.rules import DIGITS, LEFT, PERIODS, PROVISIONAL, RESTATED, SIGNIFICANT, SINCE, TIES, WITH_K
from ratingcore_pages.words import DIGEST, FIELDS, HEADINGS, RESULTS, SEAL, UnknownLanguage, catalogue

from ratingcore.cli.sentences import SENTENCES
from ratingcore.explain.explanation import FACTS
from ratingcore.lists.provenance import MADE_FROM
from tests.plugins.ratingcore_pages.catalogues import FOREIGN, check_complete, check_read, messages

PACKAGE = "ratingcore_pages"
WANTED = {*messages(PACKAGE), *RESULTS.values(), *HEADINGS.values(), *FIELDS.values(), *SENTENCES, *MADE_FROM, *FACTS}
WANTED |= {DIGEST, SEAL, *CORRECTED, BEFORE, SIDES[0], WITH_K, *PERIODS.values()}
WANTED |= {RESTATED, SINCE, OTHERWISE, DIGITS, LEFT, PROVISIONAL, SIGNIFICANT, TIES}
"""Every text of the pages: those of templates, and those that templates are given."""


@pytest.mark.parametrize("language", FOREIGN)
def test_every_text_has_words(language: str) -> None:
    check_complete(PACKAGE, language, WANTED)


@pytest.mark.parametrize("language", FOREIGN)
def test_a_catalogue_is_read_as_gettext_reads_it(language: str) -> None:
    check_read(PACKAGE, language)


def test_numbers_of_things_have_their_own_forms() -> None:
    russian = catalogue("ru")
    forms = [russian.ngettext("%(num)d player", "%(num)d players", n) % {"num": n} for n in (1, 3, 5)]
    assert forms == ["1 игрок", "3 игрока", "5 игроков"]


def test_a_language_without_a_catalogue_is_named() -> None:
    with pytest.raises(UnknownLanguage, match="eo"):
        Look(language="eo")


def test_a_number_is_written_as_the_language_does_and_a_picture_stays_one() -> None:
    """A fixed fault: where decimals have a comma, the small curves of a list were shown as their source."""
    written = Look(language="de").environment.from_string("{{ one|written }} {{ other|written }}")
    assert written.render(one="1512.5", other=Markup("<svg/>")) == "1512,5 <svg/>"
