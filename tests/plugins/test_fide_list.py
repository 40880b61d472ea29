"""Rating lists of FIDE: columns come from the header, whatever year it is of, and XML is read as it comes."""

from collections import Counter
from io import BytesIO

import pytest

from ratingcore.errors import BadFile
from ratingcore.events import instant
from ratingcore.readers import Facts, Item, Refused, Source, Warning, Who
from ratingcore.registry import Registry
from tests.plugins.chess_files import FORMATS, counts, of, said, seeds, sure

OLD = FORMATS / "fide_list" / "standard_2011.txt"
NEW = (
    f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'Tit':5}{'WTit':5}{'OTit':15}{'FOA':4}"
    f"{'OCT26':6}{'Gms':4}{'K':3}{'B-day':6}Flag"
)
COMBINED = NEW.replace(f"{'OCT26':6}{'Gms':4}{'K':3}", "SRtng SGm SK RRtng RGm Rk BRtng BGm BK ")
ROW = (
    f"{'3400042':15}{'Doe, Jo':61}{'FRA':4}{'F':4}{'IM':5}{'WGM':5}{'':15}{'':4}{'2105':6}{'12':4}{'20':3}{'1969':6}wi"
)


def listed(*rows: str, header: str = NEW) -> bytes:
    return "".join(f"{row}\r\n" for row in (header, *rows)).encode("cp1252")


def facts(items: list[Item]) -> list[Facts]:
    return [item for item in items if isinstance(item, Facts)]


def test_a_list_of_2011() -> None:
    items = of("fide-list", "fide_list/standard_2011.txt")
    assert counts(items) == {"facts": 200, "seed": 61, "not a game": 139}
    assert {item.played for item in (*facts(items), *seeds(items))} == {instant("2011-03-01")}
    assert sum("born" in item.data for item in facts(items)) == 153
    assert Counter((item.data.get("sex"), item.data.get("inactive")) for item in facts(items)) == {
        ("f", None): 21, (None, True): 15, ("f", True): 4, (None, None): 160,
    }  # fmt: skip
    assert facts(items)[1].who == Who("fide:90000001", ", Onename")
    assert {seed.tables["speed"] for seed in seeds(items)} == {"standard"}


def test_a_list_through_a_pipe_is_read_like_a_file() -> None:
    piped = Source("a list", iter([BytesIO(OLD.read_bytes())]).__next__, once=True)
    reader = Registry.installed().readers["fide-list"]
    assert list(reader.read(piped, reader.options())) == of("fide-list", "fide_list/standard_2011.txt")


def test_a_list_of_today() -> None:
    items = said("fide-list", listed(ROW), list="blitz")
    assert facts(items)[0].data == {
        "called": "Doe, Jo", "born": 1969, "sex": "f", "title": "IM", "federation": "FRA", "inactive": True,
    }  # fmt: skip
    (seed,) = seeds(items)
    assert (seed.who.id, seed.values, seed.played, seed.tables) == (
        "fide:3400042", {"rating": 2105.0}, instant("2026-10-01"), {"speed": "blitz"},
    )  # fmt: skip


@pytest.mark.parametrize(("name", "rating"), [("standard", 2105.0), ("rapid", 2001.0), ("blitz", None)])
def test_a_combined_list_has_a_column_for_each_and_no_month(name: str, rating: float | None) -> None:
    row = ROW[:113] + f"{'2105':6}{'0':4}{'20':3}{'2001':6}{'0':4}{'20':3}{'0':6}{'0':4}{'20':3}{'1969':6}"
    items = said("fide-list", listed(row, header=COMBINED), list=name)
    assert [seed.values["rating"] for seed in seeds(items)] == ([] if rating is None else [rating])
    assert {item.played for item in facts(items)} == {None}
    assert facts(items)[0].data["born"] == 1969


def test_rows_may_be_short_or_have_other_titles_that_are_too_long() -> None:
    long = ROW[:94] + "IA,FT,NI,DI,FST,FI" + ROW[109:]
    items = said("fide-list", listed(ROW[:40], long))
    assert counts(items) == {"facts": 2, "not a game": 1, "seed": 1}
    assert facts(items)[1].data["born"] == 1969


@pytest.mark.parametrize(
    "row", [ROW.replace("3400042", "0      "), ROW.replace("3400042", "x      "), ROW.replace("2105", "21x5")]
)
def test_rows_without_an_id_or_with_a_rating_that_is_none_are_refused(row: str) -> None:
    items = said("fide-list", listed(row, ROW))
    assert counts(items) == {"facts": 1, "seed": 1, "refused": 1}
    assert [item.line for item in items if isinstance(item, Refused)] == [2]


def test_a_month_that_is_none_is_remarked_on() -> None:
    items = said("fide-list", listed(ROW, header=NEW.replace("OCT26", "XYZ26")))
    assert [item.text for item in items if isinstance(item, Warning)] == ["its header names no month: 'XYZ26'"]
    assert seeds(items)[0].played is None


def test_xml_is_read_player_by_player() -> None:
    content = b"""<?xml version="1.0"?><playerslist>
        <player><fideid>3400042</fideid><name>Doe, Jo</name><country>FRA</country><sex>F</sex><title>IM</title>
        <w_title>WGM</w_title><rating>2105</rating><rapid_rating>2001</rapid_rating><birthday>1969</birthday>
        <flag>wi</flag></player>
        <player><fideid>3400043</fideid><name>Roe</name><rating>0</rating><birthday>0</birthday></player></playerslist>"""
    items = said("fide-list", content)
    assert counts(items) == {"facts": 2, "seed": 1, "not a game": 1}
    assert facts(items)[0].data == facts(said("fide-list", listed(ROW)))[0].data
    assert facts(items)[1].data == {"called": "Roe"}
    assert seeds(said("fide-list", content, list="rapid"))[0].values == {"rating": 2001.0}
    assert sure("fide-list", content) == 95


def test_old_encoding() -> None:
    assert facts(said("fide-list", listed(ROW.replace("Doe", "Möe"))))[0].who.name == "Möe, Jo"


def test_recognition() -> None:
    assert sure("fide-list", OLD.read_bytes()) == 95
    assert sure("fide-list", listed(ROW)) == 95
    assert sure("fide-list", b"ID,Name,Fed\n") == 0
    assert sure("fide-list", b"<players>") == 0


def test_what_has_no_header_is_refused() -> None:
    with pytest.raises(BadFile):
        said("fide-list", b"\n1 2 3\n")
