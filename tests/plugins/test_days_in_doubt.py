"""Results whose day may be one of several are refused with the formats, so edges can offer them."""

import io
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import SeveralDays
from ratingcore.readers import Reason
from tests.plugins.test_chess_results import file
from tests.plugins.test_opengotha import TILLEULS
from tests.plugins.test_pbn import TWO
from tests.plugins.test_trf import row, trf
from tests.plugins.test_uschess import player, report

TRF = trf(row(1, "   2 w 1"), row(2, "   1 b 0"), head="012 Cup\n042 05/09/2024\n052 06/09/2024\n")
CHESS_RESULTS = file('reswhite="1" resblack="0"').replace(b"20240302", b"05/09/2024")
GOTHA = TILLEULS.replace(b'"2019-10-26"', b'"05/09/2024"').replace(b'"2019-10-28"', b'"05/09/2024"')
BRIDGE = TWO.replace("2024.03.02", "05/09/2024").encode()
FILES = [
    ("trf", "cup.trf", TRF), ("chess-results", "cup.xml", CHESS_RESULTS), ("opengotha", "cup.xml", GOTHA),
    ("pbn", "cup.pbn", BRIDGE),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "name", "content"), FILES)
def test_a_game_whose_day_is_in_doubt_is_refused_with_the_formats(reader: str, name: str, content: bytes) -> None:
    """A game of a tournament was refused as one that has no date."""
    with rc.open(":memory:") as engine:
        opened = io.BytesIO(content)
        opened.name = name
        report = engine.import_file(opened, "rapid", reader=reader)
        assert report.refused
        for _, reason, _ in report.refused:
            assert isinstance(reason, Reason)
            assert (reason.kind, reason.facts["value"]) == (SeveralDays, "05/09/2024")
            assert tuple(reason.facts["forms"]) == ("%d/%m/%Y", "%m/%d/%Y")  # type: ignore[arg-type]  # texts


def test_a_report_to_us_chess_whose_days_are_in_doubt_is_refused_with_the_formats(tmp_path: Path) -> None:
    for name, table in report(player(1, "W   2W"), player(2, "L   1B")).items():
        (tmp_path / name).write_bytes(table.replace(b"20240302", b"05/09/24").replace(b"20240303", b"05/09/24"))
    with rc.open(":memory:") as engine:
        ((_, reason, _),) = engine.import_file(tmp_path / "TDEXPORT.DBF", "rapid", reader="uschess").refused
        assert isinstance(reason, Reason)
        assert (reason.kind, reason.facts["value"]) == (SeveralDays, "05/09/24")
