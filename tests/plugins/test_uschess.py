"""Reports to US Chess: three tables, made here byte by byte, are joined to sections."""

import struct

import pytest

from ratingcore.errors import BadFile
from ratingcore.events import instant
from ratingcore.readers import Document, Game, Item, Sample, Source, Unrated, Warning, Who
from tests.plugins.chess_files import READERS, counts, games, pairings, refusals, seeds
from tests.plugins.reader_laws import HOSTILE, mutations

Fields = dict[str, int]
HEAD = {"H_EVENT_ID": 12, "H_NAME": 35, "H_BEG_DATE": 8, "H_END_DATE": 8}
SECTION = {
    "S_EVENT_ID": 12,
    "S_SEC_NUM": 2,
    "S_SEC_NAME": 30,
    "S_R_SYSTEM": 1,
    "S_TOT_RNDS": 2,
    "S_BEG_DATE": 8,
    "S_END_DATE": 8,
}
PLAYER = {"D_EVENT_ID": 12, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_REC_SEQ": 1, "D_MEM_ID": 8, "D_NAME": 30, "D_RATING": 4}
ROUNDS = {f"D_RND{turn:02}": 7 for turn in range(1, 11)}
EVENT = "202403021234"


def dbf(fields: Fields, rows: list[dict[str, str]], deleted: int = -1) -> bytes:
    """A dBase III table."""
    width = 1 + sum(fields.values())
    head = struct.pack("<B3xIHH20x", 3, len(rows), 33 + 32 * len(fields), width)
    head += b"".join(struct.pack("<11sc4xB15x", name.encode(), b"C", size) for name, size in fields.items()) + b"\r"
    body = b""
    for index, row in enumerate(rows):
        body += b"*" if index == deleted else b" "
        body += b"".join(row.get(name, "").encode("cp437").ljust(size)[:size] for name, size in fields.items())
    return head + body + b"\x1a"


def player(
    number: int, *rounds: str, member: str = "NEW", section: str = "1", sequence: str = "", event: str = EVENT
) -> dict[str, str]:
    row = {
        "D_EVENT_ID": event,
        "D_SEC_NUM": section,
        "D_PAIR_NUM": str(number),
        "D_MEM_ID": member,
        "D_REC_SEQ": sequence,
    }
    cells = {f"D_RND{turn:02}": cell for turn, cell in enumerate(rounds, 1)}
    return row | {"D_NAME": f"PLAYER, {number}", "D_RATING": str(1500 + number)} | cells


def report(*players: dict[str, str], system: str = "R", event: str = EVENT, number: str = "1 ") -> dict[str, bytes]:
    head = {"H_EVENT_ID": event, "H_NAME": "March Open", "H_BEG_DATE": "20240302", "H_END_DATE": "20240303"}
    section = {
        "S_EVENT_ID": event, "S_SEC_NUM": number, "S_SEC_NAME": "Reserve", "S_R_SYSTEM": system, "S_TOT_RNDS": "2",
        "S_BEG_DATE": "20240302", "S_END_DATE": "20240303",
    }  # fmt: skip
    return {
        "THEXPORT.DBF": dbf(HEAD, [head]), "TSEXPORT.DBF": dbf(SECTION, [section]),
        "TDEXPORT.DBF": dbf(PLAYER | ROUNDS, list(players)),
    }  # fmt: skip


def source(files: dict[str, bytes], name: str = "TDEXPORT.DBF", folder: str = "") -> Source:
    def sibling(wanted: str) -> Source | None:
        return next((source(files, one, folder) for one in files if f"{folder}{one}".upper() == wanted.upper()), None)

    return Source.of_bytes(f"{folder}{name}", files[name], sibling=sibling)


def said(files: dict[str, bytes], name: str = "TDEXPORT.DBF", **options: str) -> list[Item]:
    reader = READERS["uschess"]
    return list(reader.read(source(files, name), reader.configured(options)))


TWO = player(1, "W   2W", member="12345678"), player(2, "L   1B")


def test_three_tables_are_one_tournament_a_section() -> None:
    items = said(report(*TWO))
    assert items[0] == Document(
        (EVENT, "1"),
        "March Open: Reserve (2024-03-02)",
        items[0].start,
        items[0].end,  # type: ignore[union-attr]  # it is one
    )
    (game,) = games(items)
    assert (game.a, game.b) == (Who("uschess:12345678", "PLAYER, 1", "1"), Who(None, "PLAYER, 2", "2"))
    assert (game.score, game.played, game.order, game.key) == (1.0, instant("2024-03-02"), 1000, ("1",))
    assert game.data == {"event": "March Open: Reserve (2024-03-02)", "round": 1, "home": "a", "dated": "event"}
    assert game.tables == {"system": "regular"}
    assert [seed.values for seed in seeds(items)] == [{"rating": 1501.0}, {"rating": 1502.0}]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("D  2B", "D  1W", {"game": 1}), ("W2W", "L1B", {"game": 1}), ("w   2", "l   1", {"game": 1}),
        ("X   2W", "F   1B", {"forfeit": 1}), ("X0000", "F0000", {"forfeit": 2}), ("Z   0", "Z", {"forfeit": 2}),
        ("B0000", "H   0", {"bye": 2}), ("U0000  ", "U", {"absent": 2}), ("W   2W", "L   1W", {"refused": 1}),
        ("W   2W", "W   1B", {"both won": 1}), ("W   2W", "D   1B", {"refused": 1}), ("W   9W", "", {"refused": 1}),
        ("W0000", "B0000", {"refused": 1, "bye": 1}), ("Q   2W", "B0000", {"refused": 1, "bye": 1}),
        ("W   1W", "", {"refused": 1}), ("??", "", {"refused": 1}),
    ],
)  # fmt: skip
def test_cells(one: str, other: str, found: dict[str, int]) -> None:
    assert pairings(said(report(player(1, one), player(2, other)))) == found


def test_blank_rounds_are_absences_up_to_the_last_of_the_player() -> None:
    items = said(report(player(1, "", "W   2W"), player(2, "", "L   1B", "", "")))
    assert pairings(items) == {"absent": 2, "game": 1}
    assert games(said(report(player(1, "", "W   2W"), player(2, "", "L   1B")), dates="spread"))[0].played == instant(
        "2024-03-03"
    )


def test_the_old_form_has_a_second_record_for_later_rounds() -> None:
    rows = (
        player(1, *["B"] * 10, sequence="1"), player(1, "W  2W", sequence="2"), player(2, *["B"] * 10, sequence="1"),
        player(2, "L  1B", sequence="2"),
    )  # fmt: skip
    items = said(report(*rows))
    assert pairings(items) == {"bye": 20, "game": 1}
    assert games(items)[0].data["round"] == 11


@pytest.mark.parametrize(
    ("system", "dual", "tables"),
    [
        ("Q", "regular", ["quick"]),
        ("B", "regular", ["blitz"]),
        ("D", "regular", ["regular"]),
        ("D", "both", ["regular", "quick"]),
        ("O", "both", ["O"]),
    ],
)
def test_systems(system: str, dual: str, tables: list[str]) -> None:
    found = games(said(report(*TWO, system=system), dual=dual))
    assert [game.tables["system"] for game in found] == tables
    assert len({game.key for game in found}) == len(tables)


def test_sections_are_documents_and_join_whatever_fills_their_numbers() -> None:
    rows = (*TWO, player(1, "W   2W", section="02"), player(2, "L   1B", section=" 2"))
    items = said(report(*rows))
    assert [item.key for item in items if isinstance(item, Document)] == [(EVENT, "1"), (EVENT, "2")]
    assert [item.text for item in items if isinstance(item, Warning)] == ["the section is not in TSEXPORT.DBF: '2'"]
    assert {game.played for game in games(items)} == {instant("2024-03-02")}


def test_without_an_event_id_name_and_day_are_the_key() -> None:
    items = said(report(*(player(n, event="") for n in (1, 2)), event=""))
    assert [item.key for item in items if isinstance(item, Document)] == [("March Open", "20240302", "1")]


def test_a_pairing_number_that_stands_twice_or_is_none_is_refused() -> None:
    twice = said(report(*TWO, player(2, "L   1B")))
    assert (refusals(twice), counts(twice)["game"]) == (["another player has the pairing number: '2'"], 1)
    assert refusals(said(report(*TWO, player(0, "B")))) == ["has no pairing number"]


def test_deleted_records_are_passed_over_and_counted() -> None:
    files = report(*TWO)
    files["TDEXPORT.DBF"] = dbf(PLAYER | ROUNDS, [*TWO, player(3, "B")], deleted=2)
    items = said(files)
    assert pairings(items) == {"game": 1}
    assert [item.text for item in items if isinstance(item, Warning)] == [
        "1 deleted records of TDEXPORT.DBF are passed over"
    ]


def test_the_other_two_tables_say_nothing_by_themselves() -> None:
    assert said(report(*TWO), "THEXPORT.DBF") == []
    assert said(report(*TWO), "TSEXPORT.DBF") == []


def test_a_table_without_the_others_beside_it_is_refused() -> None:
    files = report(*TWO)
    del files["TSEXPORT.DBF"]
    for name in files:
        with pytest.raises(BadFile, match=r"TSEXPORT\.DBF must lie beside it"):
            said(files, name)


def test_tables_lie_in_folders_and_have_longer_names() -> None:
    files = {f"Spring_{name.lower()}": content for name, content in report(*TWO).items()}
    reader = READERS["uschess"]
    found = list(reader.read(source(files, "Spring_tdexport.dbf", "season/"), reader.configured({})))
    assert pairings(found) == {"game": 1}


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b[:-40],
        lambda b: b + b"x" * 9,
        lambda b: b[:20],
        lambda b: b[:4] + b"\xff" + b[5:],
        lambda b: b"\x04" + b[1:],
    ],
)
def test_a_header_that_disagrees_with_the_file_is_refused(change: object) -> None:
    files = report(*TWO)
    files["TDEXPORT.DBF"] = change(files["TDEXPORT.DBF"])  # type: ignore[operator]  # a function
    with pytest.raises(BadFile):
        said(files)


def test_recognition() -> None:
    for name, content in report(*TWO).items():
        assert READERS["uschess"].sniff(Sample(name, content)) == 95
    for content in (b"", b"\x03", b"\x03" * 99, dbf({"OTHER": 3}, [])):
        assert READERS["uschess"].sniff(Sample("x", content)) == 0


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_do_no_harm(content: bytes) -> None:
    with pytest.raises(BadFile):
        said(report(*TWO) | {"TDEXPORT.DBF": content})
    assert READERS["uschess"].sniff(Sample("x", content)) == 0


def test_mutations_do_no_harm() -> None:
    files = report(*TWO, player(3, "B0000", "W   4W"), player(4, "U0000", "L   3B"), system="D")
    for name, content in files.items():
        for changed in mutations(content, rounds=100):
            try:
                items = said(files | {name: changed}, dual="both")
            except BadFile:
                continue
            reasons = {item.reason for item in items if isinstance(item, Unrated)}
            assert reasons <= {"forfeit", "bye", "absent", "both lost", "both won"}
            assert {item.score for item in items if isinstance(item, Game)} <= {0.0, 0.5, 1.0}
