"""The real sessions of `fixtures/archives/bridge_usebio` as USEBIO files."""

import csv
import gzip
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

FACTS = Path(__file__).parents[2] / "fixtures" / "archives" / "bridge_usebio"
DOCTYPE = '<!DOCTYPE USEBIO SYSTEM "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd">'

Row = dict[str, str]


def rows(name: str, issue: str) -> list[Row]:
    """The rows of a table that belong to an issue of a session."""
    path = FACTS / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["issue"] == issue]


def usebio(issue: str) -> str:
    """A session as its program wrote it, as far as the facts go."""
    (session,) = rows("sessions.csv", issue)
    return "\n".join(
        [
            '<?xml version="1.0"?>', DOCTYPE, '<USEBIO Version="1.2">', "<CLUB>",
            _leaf("CLUB_NAME", session["club_name"]), _leaf("CLUB_ID_NUMBER", session["club"]), "</CLUB>",
            f'<EVENT EVENT_TYPE="{session["type"]}">', _leaf("EVENT_IDENTIFIER", session["event"]),
            _leaf("EVENT_DESCRIPTION", session["description"]), _leaf("WINNER_TYPE", session["winners"]),
            _leaf("DATE", session["date"]), f'<PARTICIPANTS EVENT_TYPE="{session["type"]}">',
            *(line for pair in rows("pairs.csv", issue) for line in _pair(pair)), "</PARTICIPANTS>",
            *_boards(rows("lines.csv.gz", issue), "BUTLER" if "BUTLER" in session["type"] else "MATCH"),
            "</EVENT>", "<HANDSET><BOARD><BOARD_NUMBER>1</BOARD_NUMBER></BOARD></HANDSET>", "</USEBIO>", "",
        ]
    )  # fmt: skip


def write(folder: Path, *issues: str) -> list[Path]:
    """Files of these issues in a folder."""
    paths = [folder / f"{issue}.xml" for issue in issues]
    for path, issue in zip(paths, issues, strict=True):
        path.write_text(usebio(issue), encoding="utf-8")
    return paths


def _leaf(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _pair(pair: Row) -> Iterator[str]:
    yield "<PAIR>"
    yield _leaf("PAIR_NUMBER", pair["pair"]) + _leaf("DIRECTION", pair["direction"])
    yield _leaf("TOTAL_SCORE", pair["total"]) + (_leaf("PERCENTAGE", pair["percentage"]) if pair["percentage"] else "")
    yield _leaf("PLACE", pair["place"])
    for player in (pair["player"], pair["partner"]):
        numbers = _leaf("NATIONAL_ID_NUMBER", player) + _leaf("CLUB_ID_NUMBER", "")
        yield f"<PLAYER>{_leaf('PLAYER_NAME', f'PLAYER {player}')}{numbers}</PLAYER>"
    yield "</PAIR>"


def _boards(lines: list[Row], points: str) -> Iterator[str]:
    for board, played in groupby(lines, key=lambda line: line["board"]):
        yield f'<BOARD EVENT_TYPE="x">{_leaf("BOARD_NUMBER", board)}'
        for line in played:
            numbers = _leaf("NS_PAIR_NUMBER", line["ns"]) + _leaf("EW_PAIR_NUMBER", line["ew"])
            scores = _leaf(f"NS_{points}_POINTS", line["ns_points"]) + _leaf(f"EW_{points}_POINTS", line["ew_points"])
            yield f"<TRAVELLER_LINE>{numbers}{_leaf('SCORE', line['score'])}{scores}</TRAVELLER_LINE>"
        yield "</BOARD>"
