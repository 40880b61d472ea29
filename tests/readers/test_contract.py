"""Readers as values: samples and options."""

import pytest

from ratingcore.errors import BadParameter
from ratingcore.readers import DatedOptions, Reader, Sample


def reader() -> Reader:
    return Reader("cross", read=lambda source, options: iter(()), options=DatedOptions)


def test_options_are_read_from_texts() -> None:
    assert reader().configured({"dates": "end", "players": "name"}) == DatedOptions(dates="end", players="name")


@pytest.mark.parametrize("texts", [{"date": "end"}, {"dates": "middle"}])
def test_an_unknown_option_or_value_is_refused(texts: dict[str, str]) -> None:
    with pytest.raises(BadParameter):
        reader().configured(texts)


def test_a_sample_that_is_cut_within_a_letter_is_still_text() -> None:
    assert Sample("f", "aé".encode()[:2]).text == "a"
    assert Sample("f", b"\xef\xbb\xbfa").text == "a"
    assert Sample("f", "é".encode("latin-1") + b"abcdef").text == "éabcdef"


def test_many_comments_before_no_root_take_no_time_that_doubles_with_each() -> None:
    """Each comment more doubled the time in which a file was recognised: forty were enough for years."""
    comments = b"<!-- -->" * 5_000
    assert Sample("f.xml", comments + b"x").root == ""
    assert Sample("f.xml", b"<?xml version='1.0'?>" + comments + b"<!DOCTYPE a SYSTEM 'b'>\n<a/>").root == "a"
