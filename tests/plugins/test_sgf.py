"""SGF: encodings of names, results and days, many games in a file, and games that do not end."""

from pathlib import Path

import pytest
from ratingcore_go import SGF
from ratingcore_go.sgf import properties
from ratingcore_go.sgf_trees import decoded, trees

from ratingcore.errors import BadFile, BadParameter
from ratingcore.plugin.readers import Game, Refused, Source, Unrated, Warning, Who, at, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "sgf"
SAMPLES = {path.stem: path.read_bytes() for path in FOLDER.glob("*.sgf")}
CUP = (
    "(;GM[1]FF[4]EV[Cup]RO[3 (final)]DT[1996-12-27,28]PB[Ann]BR[3d]PW[Bo \\] C]WR[?]RE[B+3.5]KM[6.5]HA[2]SZ[13]RU[AGA]"
    ";B[pd];W[dp](;B[aa]C[a ( in a comment])(;B[bb]))\n"
)


def names(content: bytes | str, **about: str) -> list[tuple[str, str]]:
    """Black and White of each game, whatever its result."""
    source = Source.of_bytes("file", content.encode() if isinstance(content, str) else content, **about)
    found = []
    for tree in trees(source):
        values = properties(decoded(tree.root, source, tree.wide)[0])
        found.append((values.get("PB", ""), values.get("PW", "")))
    return found


def test_the_samples_have_no_result_and_their_names_are_read() -> None:
    for content in SAMPLES.values():
        assert sniffed(SGF, content) == 90
        assert items(SGF, content) == [Unrated(1, "no result yet")]
    assert {name: names(content)[0] for name, content in SAMPLES.items()} == {
        "chinese": ("古力", "柯洁"), "japanese": ("井山 裕太", "山下 敬吾"), "utf8bom": ("Kitani Minoru", "Go Seigen"),
        "no-ca": ("", ""),
    }  # fmt: skip


def test_a_game_with_all_there_is() -> None:
    (game,) = items(SGF, CUP)
    assert isinstance(game, Game)
    assert game == Game(
        1, ("EV[Cup]", "RO[3 (final)]", "DT[1996-12-27,28]", "PB[Ann]", "PW[Bo ] C]", game.key[-1]),
        Who(None, "Ann"), Who(None, "Bo ] C"), 1.0, at(day_of("1996-12-28")), 3000,
        {"event": "Cup (1996)", "round": "3 (final)", "rules": "AGA", "grade_a": "3d", "komi": 6.5, "handicap": 2,
         "board_size": 13},
    )  # fmt: skip


def test_a_game_of_several_days_counts_from_the_last_of_them() -> None:
    last = {"1996-12-27,28": "28", "1996-12-9,10": "10", "1996-12-27,1996-12-29": "29", "1996-12-27, Tokyo": "27"}
    for text, day in last.items():
        (game,) = items(SGF, CUP.replace("1996-12-27,28", text))
        assert isinstance(game, Game)
        assert game.played == at(day_of(f"1996-12-{day}"))
    (game,) = items(SGF, CUP, time="start")
    assert isinstance(game, Game)
    assert game.played == at(day_of("1996-12-27"))


def test_the_moves_tell_two_games_of_the_same_day_apart_but_comments_and_variations_do_not() -> None:
    (first,), (second,) = items(SGF, CUP), items(SGF, CUP.replace("W[dp]", "W[dd]"))
    (third,) = items(SGF, CUP.replace("a ( in a comment", "another comment").replace("(;B[bb])", ""))
    keys = [item.key for item in (first, second, third) if isinstance(item, Game)]
    assert keys[0] == keys[2] != keys[1]


@pytest.mark.parametrize(
    ("result", "score"),
    [("B+R", 1.0), ("W+0.5", 0.0), ("w + time", 0.0), ("B+", 1.0), ("0", 0.5), ("Jigo", 0.5), ("Draw", 0.5)],
)
def test_results_that_count(result: str, score: float) -> None:
    (game,) = items(SGF, f"(;PB[Ann]PW[Bo]RE[{result}])")
    assert isinstance(game, Game)
    assert (game.score, game.played) == (score, None)


@pytest.mark.parametrize(
    ("result", "reason"),
    [("B+F", "forfeit"), ("W+Forfeit", "forfeit"), ("Void", "annulled"), ("?", "no result yet"), ("", "no result yet")],
)
def test_results_that_do_not_count(result: str, reason: str) -> None:
    assert items(SGF, f"(;PB[Ann]PW[Bo]RE[{result}])") == [Unrated(1, reason)]


def test_results_in_words_are_refused_unless_a_file_says_what_they_mean(tmp_path: Path) -> None:
    (refused,) = items(SGF, "(;PB[Ann]PW[Bo]RE[白中押し勝ち])")
    assert isinstance(refused, Refused)
    assert "words=FILE" in refused.reason
    file = tmp_path / "words.txt"
    file.write_text("# results\n白中押し勝ち = W+R\nno game = ?\n", encoding="utf-8")
    (game,) = items(SGF, "(;PB[Ann]PW[Bo]RE[白中押し勝ち])", words=str(file))
    assert isinstance(game, Game)
    assert game.score == 0.0
    assert items(SGF, "(;RE[no game])", words=str(file)) == [Unrated(1, "no result yet")]
    file.write_text("white = white\n", encoding="utf-8")
    for path in (file, tmp_path / "none.txt"):
        with pytest.raises(BadParameter):
            items(SGF, "(;RE[x])", words=str(path))


@pytest.mark.parametrize(
    ("properties_", "why"),
    [
        ("GM[3]RE[B+]", "another game than go"),
        ("DT[1996-12]RE[B+]", "known in part"),
        ("DT[last spring]RE[B+]", "a day in the format of the file"),
        ("DT[2024-02-30]RE[B+]", "must be a day of the calendar"),
        ("DT[1024-01-01]RE[B+]", "1400"),
        ("PB[\ufffd\ufffd]RE[B+]", "cannot be read"),
    ],
)
def test_games_that_cannot_be_read_are_refused(properties_: str, why: str) -> None:
    (refused,) = items(SGF, f"(;PW[Bo]{properties_})")
    assert isinstance(refused, Refused)
    assert why in refused.reason


def test_a_day_known_in_part_is_taken_where_it_is_asked_for() -> None:
    (game,) = items(SGF, "(;PB[Ann]PW[Bo]DT[1996-12]RE[B+])", partial="last")
    assert isinstance(game, Game)
    assert (game.played, game.data["dated"]) == (at(day_of("1996-12-31")), "month")


def test_games_follow_each_other_with_their_lines() -> None:
    found = items(SGF, "a letter\n" + CUP + "\r\n(;RE[Void])(\r\n;RE[W+F])\n")
    assert [item.line for item in found] == [2, 4, 4]  # type: ignore[union-attr]  # none of them is a document
    assert kinds(found) == {"Game": 1, "annulled": 1, "forfeit": 1}


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-be", "gb18030", "cp932", "big5hkscs"])
def test_names_survive_every_encoding_whose_bytes_look_like_brackets(codec: str) -> None:
    said = {"gb18030": "GB2312", "cp932": "Shift_JIS", "big5hkscs": "Big5"}.get(codec, "UTF-8")
    word = {"gb18030": "昞", "cp932": "表ソ", "big5hkscs": "功育"}.get(codec, "表")
    text = f"(;CA[{said}]PB[{word}]PW[{word}b]RE[B+];C[{word}])" * 3
    mark = b"\xfe\xff" if codec == "utf-16-be" else b""
    content = mark + text.encode(codec)
    assert names(content) == [(word, word + "b")] * 3
    assert kinds(items(SGF, content)) == {"Game": 3}
    assert sniffed(SGF, content) == 90


def test_an_encoding_that_is_not_what_it_says_is_a_warning() -> None:
    for said in ("GB2312", "Shift_JIS", "ISO-9999"):
        found = items(SGF, f"(;CA[{said}]PB[古力]PW[柯洁]RE[B+])")
        assert [type(item) for item in found] == [Warning, Game]
        assert isinstance(found[1], Game)
        assert (found[1].a.name, found[1].b.name) == ("古力", "柯洁")
    found = items(SGF, "(;CA[UTF-8]PB[André]PW[Bo]RE[B+])".encode("latin-1"))
    assert [item.a.name for item in found if isinstance(item, Game)] == ["André"]


def test_the_encoding_of_the_user_beats_that_of_the_file() -> None:
    content = "(;CA[Shift_JIS]PB[古力]PW[柯洁]RE[B+])".encode("gb18030")
    assert names(content, encoding="gb18030") == [("古力", "柯洁")]
    with pytest.raises(BadFile):
        names(content, encoding="utf-8")


@pytest.mark.parametrize("gone", [")\n", "))\n", "])(;B[bb]))\n", "[a ( in a comment])(;B[bb]))\n"])
def test_a_game_that_does_not_end_swallows_no_other(gone: str) -> None:
    assert CUP.endswith(gone)
    found = items(SGF, CUP.removesuffix(gone) + "\n" + CUP)
    assert kinds(found) == {"Refused": 1, "Game": 1}
    assert items(SGF, CUP.removesuffix(gone))[0] == found[0]


def test_a_comment_that_quotes_a_game_is_none() -> None:
    assert kinds(items(SGF, "(;GM[1]RE[B+]C[as in (;GM[1\\]FF[4\\] and so on];B[aa])")) == {"Game": 1}


def test_a_large_collection_is_read_in_pieces() -> None:
    many = CUP * 3000
    assert kinds(items(SGF, many)) == {"Game": 3000}
    long = CUP.replace("a ( in a comment", "x" * 2**20)
    assert kinds(items(SGF, long * 2)) == {"Game": 2}
