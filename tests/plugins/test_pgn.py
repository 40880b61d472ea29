"""PGN: games are found wherever tags stand, and their days, ids, results and players are those of their tags."""

from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ratingcore_chess.pgn_blocks import WANTED, Block, GameSplitter, Tags, blocks, ends
from ratingcore_chess.pgn_values import Ordinals

from ratingcore.errors import BadFile, BadParameter
from ratingcore.events import instant
from ratingcore.readers import Document, Facts, Refused, Source, Unrated, Warning, Who
from tests.plugins.chess_files import (
    FORMATS,
    LONG,
    READERS,
    counts,
    games,
    of,
    pairings,
    refusals,
    said,
    seeds,
    sure,
)
from tests.plugins.pgn_by_characters import PlainGame, plain_games
from tests.plugins.reader_laws import mutations, survives

FILES = sorted((FORMATS / "pgn").glob("*.pgn"))


def pgn(moves: str = "1. e4 1-0", **tags: str) -> bytes:
    """A game with some tags, and a day and players if it says none."""
    given = {"Event": "Cup", "Date": "2024.03.02", "White": "Ann", "Black": "Bo", "Result": "1-0"} | tags
    return (
        "".join(f'[{name} "{value}"]\n' for name, value in given.items() if value is not None) + f"\n{moves}\n\n"
    ).encode()


def test_a_game_counts_from_the_end_that_its_tags_give() -> None:
    """Games by mail of chess.com counted on the day on which they began."""
    site = {"Site": "Chess.com", "Link": "https://www.chess.com/game/daily/7", "UTCDate": "2024.05.01"}
    mail = pgn(**site, UTCTime="10:00:00", EndDate="2024.06.15", EndTime="11:30:00")
    (game,) = games(said("pgn", mail))
    assert (game.played, game.key) == (instant("2024-06-15T11:30Z"), ("chess.com:daily:7",))
    assert [one.played for one in games(said("pgn", mail, time="start"))] == [instant("2024-05-01T10:00Z")]
    for end, played in {
        '"2024.06.15"]': "2024-06-15", '"2024.04.01"]': "2024-05-01T10:00Z", '"????.??.??"]': "2024-05-01T10:00Z",
        '"2024.06.??"]': "2024-05-01T10:00Z", '"soon"]': "2024-05-01T10:00Z",
        '"2024.06.15"]\n[EndTime "13:30:00 GMT+0000"]': "2024-06-15T13:30Z",
    }.items():  # fmt: skip
        (game,) = games(
            said("pgn", pgn(**site, UTCTime="10:00:00").replace(b"\n\n1.", f"\n[EndDate {end}\n\n1.".encode()))
        )
        assert game.played == instant(played)
    local = pgn(EndDate="2024.03.04", EndTime="21:00:00", Round="3")
    assert [(one.played, one.order) for one in games(said("pgn", local))] == [(instant("2024-03-04"), 3000)]


# files


def test_days_known_in_part_are_refused_unless_the_first_or_last_day_is_to_stand() -> None:
    items = of("pgn", "pgn/match_of_a_year.pgn")
    assert pairings(items) == {"refused": 6}
    assert [item.line for item in items if isinstance(item, Refused)] == [1, 24, 47, 70, 95, 119]
    taken = games(of("pgn", "pgn/match_of_a_year.pgn", partial="first"))
    assert [game.line for game in taken] == [1, 24, 47, 70, 95, 119]
    assert sorted(game.score for game in taken) == [0.5, 0.5, 0.5, 1.0, 1.0, 1.0]
    assert {(game.played, game.data["dated"]) for game in taken} == {(instant("1997-01-01"), "year")}
    assert {game.played for game in games(of("pgn", "pgn/match_of_a_year.pgn", partial="last"))} == {
        instant("1997-12-31")
    }


def test_a_blank_line_between_tags_begins_no_game() -> None:
    (game,) = games(of("pgn", "pgn/blank_line_after_event.pgn"))
    assert (game.score, game.played, game.order) == (0.0, instant("2017-12-04"), 1000)
    assert (game.a, game.b) == (Who(None, "Engine 8"), Who(None, "Zero"))
    assert game.data == {"event": "Engine vs. Engine (2017)", "round": 1, "board": 1, "home": "a"}


def test_other_variants_are_unrated_unless_all_are_wanted() -> None:
    assert pairings(of("pgn", "pgn/engines_fischerandom.pgn")) == {"variant fischerandom": 4}
    taken = games(of("pgn", "pgn/engines_fischerandom.pgn", variants="all"))
    assert sorted(game.score for game in taken) == [0.0, 0.0, 1.0, 1.0]
    assert {game.data["variant"] for game in taken} == {"fischerandom"}
    assert len({game.key for game in taken}) == 4


def test_a_game_of_lichess_has_its_id_its_instant_and_is_unrated_if_casual() -> None:
    assert pairings(of("pgn", "pgn/server_game.pgn")) == {"casual": 1}
    items = of("pgn", "pgn/server_game.pgn", casual="true")
    (game,) = games(items)
    assert game.key == ("lichess:abcdEFGH",)
    assert (game.played, game.order) == (instant("2026-07-06T22:34:04Z"), 0)
    assert game.data == {"home": "a"}
    assert game.tables == {"speed": "bullet", "variant": "standard"}
    assert [seed.values for seed in seeds(items)] == [{"rating": 2813.0}, {"rating": 2330.0}]
    assert not any(isinstance(item, Facts) for item in items)  # LM is not a title of FIDE


def test_no_result_is_said_before_missing_players() -> None:
    assert pairings(of("pgn", "pgn/broadcast.pgn")) == {"no result yet": 5}
    assert pairings(of("pgn", "pgn/byte_order_mark.pgn")) == {"no result yet": 2}


# the grammar


@pytest.mark.parametrize(
    "text",
    [
        '[Event "Cup"][Date "2024.03.02"] [White "Ann"]\n[Black "Bo"][Result "1-0"]\n1. e4 1-0',
        '[ Event  "Cup" ]\n  [Date "2024.03.02"]\n[White"Ann"]\n\t[Black "Bo" ]\n[Result "1-0"]\n\n1-0\n',
        '% [Event "No"]\n; a remark\n[Event "Cup"]\r\n\r\n[Date "2024.03.02"]\r[White "Ann"]\n[Black "Bo"]\n%x\n'
        '[Result "1-0"]\n*',
        '[Event "Cup"]\n[Date "2024.03.02"]\n[White "Ann"]\n[Black "Bo"]\n[Result "1-0"]\n'
        '{a\n[Event "No"]\n\n[White "No"]\n} 1-0',
        '[White "Ann"]\n[White "No"]\n[Black "Bo"]\n[date "2024.03.02"]\n[Event "Cup"]\n'
        "1. e4 ; a { that opens nothing\n1-0\n",
        '[Event "Cup"]\n[Date "2024.03.02"]\n[White "Ann"]\n[Black "Bo"]\n[Result "1-0"]',
        '[Event "Cup"]\n[Date "2024.03.02"]\n[White "Ann"]\n[Black "Bo"]\n[Result "?"]\n1. e4 {good} 1-0 {time}\n',
    ],
)
def test_a_game_is_the_same_however_its_tags_stand(text: str) -> None:
    (game,) = games(said("pgn", text.encode()))
    assert (game.a.name, game.b.name, game.score, game.played) == ("Ann", "Bo", 1.0, instant("2024-03-02"))
    assert game.data["event"] == "Cup (2024)"


def test_a_game_begins_at_the_first_tag_after_moves_or_at_a_second_event() -> None:
    bare = pgn("").replace(b"\n\n", b"")
    items = said("pgn", bare + b"\n" + bare + b"\n" + pgn() + b'[White "Cy"]\n[Black "Di"]\n[Date "2024.01.01"]\n0-1\n')
    assert [game.line for game in games(items)] == [1, 6, 11, 19]
    assert games(items)[-1].score == 0.0


def test_a_value_that_does_not_end_refuses_its_game_alone() -> None:
    items = said("pgn", pgn() + pgn(White='Ann"]\n[Site "x').replace(b'[Site "x"]', b'[Site "x') + pgn())
    assert counts(items)["game"] == 2
    assert refusals(items) == ["""line 12: a value has no closing quotation mark: '[Site "x'"""]


def test_quotation_marks_within_a_value_may_be_escaped_or_not() -> None:
    items = said("pgn", pgn(White='The \\"Big\\" One', Black='The "Small" One', Site="C:\\games"))
    assert [(game.a.name, game.b.name) for game in games(items)] == [('The "Big" One', 'The "Small" One')]


def test_games_that_a_comment_swallows_are_refused_not_forgotten() -> None:
    items = said("pgn", pgn() + pgn("1. e4 {never ends") + pgn() + pgn())
    assert pairings(items) == {"game": 2, "refused": 2}
    assert refusals(items)[0] == "it is inside a comment that begins at line 15 and does not end"


def test_moves_without_a_tag_are_refused() -> None:
    assert refusals(said("pgn", b"1. e4 e5 1-0\n\n" + pgn())) == [
        "it has moves but no tags, so its players are unknown"
    ]
    assert pairings(said("pgn", b"{a remark}\n\n" + pgn())) == {"game": 1}


def test_usual_and_unusual_ways_to_take_a_file_apart_agree() -> None:
    def by_lines(content: bytes) -> list[Block]:
        lines, found = GameSplitter(), []
        for number, line in Source.of_bytes("f", content).byte_lines():
            found += lines.take(number, line)
        return [*found, *lines.ended()]

    def normal(block: Block) -> tuple[object, ...]:
        line, tags, moves, last, flaw = block
        return line, tuple(tags), ends(last)[0], moves > 1 or ends(last)[1], flaw

    contents = [path.read_bytes() for path in FILES]
    copies = (mutations(content, 1994, 40) for content in (*contents, b"\n\n".join(contents)))
    for content in (copy.replace(b"\0", b"") for some in copies for copy in some):
        if content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            usual = blocks(Source.of_bytes("f", content))
            assert list(map(normal, usual)) == list(map(normal, by_lines(content)))


_VALUES = (
    "",
    "Ann",
    "1-0",
    "2024.03.02",
    'The \\\\"Big\\\\" One',
    'The "Small" One',
    "C:\\\\",
    "[x]",
    "{",
    "\xe9",
    "\xc3\xa9",
)
_TAGS = tuple(WANTED[name] for name in (b"event", b"white", b"result", b"date"))
_LINES = st.one_of(
    st.builds('[{} "{}"]'.format, st.sampled_from((*_TAGS, "Event", "Result", "Clock")), st.sampled_from(_VALUES)),
    st.sampled_from((
        "", " ", "\t", '% [Event "no"]', "; {", '[Event "Cup', "[White]", "[%clk 1]", "[Event", "[\xe9 'x']",
        '[ White"Bo" ] [black "Cy"]', '[Event "A"][Event "B"] 1-0', "1. e4 {best} e5 1-0", "1-0", "0-1 ; {", "*", "{",
        "}", '{ [Event "no"]', '[Event "no"] }', '[Event "in"]', "1. e4 ([Nf3 is better) 1/2-1/2", "} 1-0 {", "\f*",
        "$1 (1. d4 [%eval 0.3]) 0-1", "12.", '[\xe9 "x"]', '[White "x"', "x" * 70_000,
    )),
)  # fmt: skip
_BEFORE = (
    "",
    "",
    "1. e4 ",
    "{ ",
    "; ",
    "% ",
    " %",
    "[x ",
    "1. e4\n% ",
    "1. e4 ; e5\n",
    "1. e4\n [Round '3'] ",
    "{}\n; ",
    "} {\n",
)
_GAMES = st.builds(
    '[Event "Cup"]\n[White "{}"]\n[Result "{}"]\n\n{}{}'.format, st.sampled_from(("Ann", "Ann", "A\nB")),
    st.sampled_from(("1-0", "1-0", "*", "x")), st.sampled_from(_BEFORE), st.sampled_from(("1-0", "1-0", "*", "")),
)  # fmt: skip
_PIECES = st.lists(
    st.tuples(_LINES | _GAMES, st.sampled_from(("\n", "\n\n", "\r\n", "\r", "\n", "\n\n\n", ""))), max_size=14
)


def _played(moves: str) -> list[tuple[str, str]]:
    return [(f'[Event "Cup"]\n[Result "1-0"]\n\n{moves}', "\n"), ('[Event "A"]', "\n")]


@settings(max_examples=300)
@given(_PIECES, st.booleans())
@example(_played("1. e4 ; {\n1-0"), False)
@example(_played("1. e4 { [%clk 1]\n1-0"), False)
@example(_played("{" + '[Event "x"]\n' * 2**16 + "} 1-0"), True)
def test_games_are_those_that_a_reading_character_by_character_finds(
    pieces: list[tuple[str, str]], marked: bool
) -> None:
    content = b"\xef\xbb\xbf" * marked + "".join(line + end for line, end in pieces).encode("latin-1")
    found = [
        PlainGame(
            line, {name: value.decode("latin-1") for name, value in zip(Tags._fields, tags, strict=True) if value},
            ends(last)[0].decode(), moves > 1 or ends(last)[1], bool(flaw),
        )
        for line, tags, moves, last, flaw in blocks(Source.of_bytes("f", content))
    ]  # fmt: skip
    said = [
        one._replace(tags={k: v for k, v in one.tags.items() if v and k in Tags._fields})
        for one in plain_games(content)
    ]
    assert found == said


# results


@pytest.mark.parametrize(
    ("tag", "moves", "kind"),
    [
        ("1-0", "1-0", "game"), ("0-1", "", "game"), ("1/2-1/2", "*", "game"), ("½-½", "", "game"),
        ("*", "1-0", "no result yet"), ("", "0-1", "game"),
        ("?", "1. e4", "no result yet"), ("0-0", "", "both lost"), ("+/-", "", "forfeit"),
        ("-/+", "", "forfeit"), ("1-0F", "", "forfeit"), ("2-0", "", "refused"),
    ],
)  # fmt: skip
def test_results(tag: str, moves: str, kind: str) -> None:
    assert pairings(said("pgn", pgn(moves, Result=tag))) == {kind: 1}


def test_a_result_that_contradicts_the_moves_stands_with_a_warning() -> None:
    items = said("pgn", pgn("1. e4 0-1"))
    assert [item.text for item in items if isinstance(item, Warning)] == [
        "a game has two results, in its tag and after its moves: '1-0 and 0-1'"
    ]
    assert games(items)[0].score == 1.0


@pytest.mark.parametrize(
    ("termination", "moves", "kind"),
    [
        ("Time forfeit", "1-0", "game"), ("rules infraction", "1. e4 1-0", "forfeit"),
        ("Abandoned", "1. e4 1-0", "game"),
        ("abandoned", "1-0", "forfeit"), ("unplayed", "1-0", "forfeit"), ("Forfeit", "1. e4 1-0", "forfeit"),
    ],
)  # fmt: skip
def test_terminations(termination: str, moves: str, kind: str) -> None:
    assert pairings(said("pgn", pgn(moves, Termination=termination))) == {kind: 1}
    assert pairings(said("pgn", pgn(moves, Termination=termination), terminations="count")) == {"game": 1}


# days, ids, facts


def test_tags_of_the_opening_become_fields_if_asked_for() -> None:
    """Games of engines from one opening, with either colour, are a cluster: they may be wrong together."""
    tags = {"ECO": "B33", "Opening": r"Sicilian, \"Sveshnikov\"", "FEN": "8/8/8/8/8/8/8/8 w - - 0 1"}
    (game,) = games(said("pgn", pgn(**tags), openings="true"))
    assert {name: game.data[name] for name in ("eco", "opening", "fen")} == {
        "eco": "B33", "opening": 'Sicilian, "Sveshnikov"', "fen": "8/8/8/8/8/8/8/8 w - - 0 1"
    }  # fmt: skip
    (bare,) = games(said("pgn", pgn(**tags)))
    (without,) = games(said("pgn", pgn(ECO="?"), openings="true"))
    assert not {"eco", "opening", "fen"} & (bare.data.keys() | without.data.keys())


@pytest.mark.parametrize(
    ("tags", "played", "order", "dated"),
    [
        ({"Round": "5.3"}, "2024-03-02", 5003, None),
        ({"UTCDate": "2024.03.01", "UTCTime": "23:00:00", "Round": "5"}, "2024-03-01T23:00:00Z", 0, None),
        ({"Time": "23:00:00", "Round": "5"}, "2024-03-02T22:00:00Z", 0, None),
        ({"Date": "????.??.??", "EventDate": "2024.02.01"}, "2024-02-01", 0, "event"),
    ],
)
def test_days(tags: dict[str, str], played: str, order: int, dated: str | None) -> None:
    (game,) = games(said("pgn", pgn(**tags), zone=ZoneInfo("Europe/Paris")))
    assert (game.played, game.order, game.data.get("dated")) == (instant(played), order, dated)


def test_a_game_without_a_day_says_so_and_a_wrong_day_is_refused() -> None:
    assert games(said("pgn", pgn(Date="????.??.??")))[0].played is None
    for day in ("2024.02.30", "1024.01.01", "9999.01.01", "soon"):
        assert pairings(said("pgn", pgn(Date=day))) == {"refused": 1}


@pytest.mark.parametrize(
    ("tags", "key"),
    [
        ({"Site": "https://lichess.org/abcdEFGH"}, "lichess:abcdEFGH"),
        ({"Site": "https://lichess.org/abcdEFGH/black#20"}, "lichess:abcdEFGH"),
        ({"GameId": "abcdEFGH", "Site": "https://lichess.org/xxxxxxxx"}, "lichess:abcdEFGH"),
        ({"Site": "https://lichess.org/study/aaaaaaaa/bbbbbbbb"}, "lichess:bbbbbbbb"),
        ({"Site": "Chess.com", "Link": "https://www.chess.com/game/live/123"}, "chess.com:live:123"),
        ({"Site": "https://www.chess.com/live/game/123"}, "chess.com:live:123"),
        ({"FICSGamesDBGameNo": "42"}, "fics:42"),
    ],
)
def test_ids_of_servers(tags: dict[str, str], key: str) -> None:
    assert games(said("pgn", pgn(**tags)))[0].key == (key,)


@pytest.mark.parametrize(
    "site",
    [
        "https://lichess.org/analysis",
        "https://lichess.org/tournament/abcdEFGH",
        "https://lichess.org/broadcast/a/b/abcdEFGH",
    ],
)
def test_addresses_of_many_games_are_no_ids(site: str) -> None:
    first, second = games(said("pgn", pgn(Site=site) * 2))
    assert len(first.key) > 1
    assert first.key != second.key


def test_a_key_names_no_player_and_counts_games_of_two_players_in_either_colour() -> None:
    keys = [game.key for game in games(said("pgn", pgn() + pgn(White="Bo", Black="Ann") + pgn(White="Cy")))]
    assert [key[-1] for key in keys] == ["1", "2", "1"]
    assert not any("Ann" in key for key in keys)


def test_ordinals_are_counted_in_bounded_memory() -> None:
    ordinals = Ordinals(most=2)
    assert [ordinals.of((text,)) for text in "aabacdefgha"] == [1, 2, 1, 3, *[1] * 7]


def test_an_event_gets_its_year_and_an_event_of_a_server_is_none_but_an_arena() -> None:
    lichess = {"Site": "https://lichess.org/abcdEFGH"}
    cases = [
        ({"Event": "Cup", "EventDate": "2023.12.28"}, "Cup (2023)"), ({"Event": "Cup 1992"}, "Cup 1992"),
        ({"Event": "?"}, None),
        ({"Event": "Rated Blitz game", **lichess}, None),
        ({"Event": "Rated Blitz tournament https://lichess.org/tournament/yc1WW2Ox", **lichess}, "yc1WW2Ox"),
    ]  # fmt: skip
    for tags, event in cases:
        assert games(said("pgn", pgn(**tags)))[0].data.get("event") == event


def test_players_have_ids_titles_ratings_and_teams() -> None:
    tags = {
        "WhiteFideId": "3400042", "BlackFideId": "0", "WhiteTitle": "g", "WhiteElo": "2500", "BlackElo": "?",
        "WhiteTeam": "Home", "BlackTeam": "Away", "Board": "3", "TimeControl": "40/5400+30:1800+30",
    }  # fmt: skip
    items = said("pgn", pgn(**tags) * 2)
    game = games(items)[0]
    assert (game.a.id, game.b.id) == ("fide:3400042", None)
    assert (game.data["team_a"], game.data["team_b"], game.data["board"]) == ("Home", "Away", 3)
    assert game.tables["speed"] == "classical"
    assert [item.data for item in items if isinstance(item, Facts)] == [{"called": "Ann", "title": "GM"}]
    assert [seed.values for seed in seeds(items)] == [{"rating": 2500.0}]


def test_titles_that_are_none_of_fide_are_remarked_on() -> None:
    items = said("pgn", pgn(WhiteTitle="BOT", BlackTitle="GM") + pgn(WhiteTitle="BOT"))
    assert [item.text for item in items if isinstance(item, Warning)] == [
        "titles that are not FIDE's are left out: BOT (line 1)"
    ]


def test_whole_makes_each_event_and_year_a_document() -> None:
    items = said("pgn", pgn(Round="1") + pgn(Round="2") + pgn(Event="Open"), whole="true")
    assert [item.key for item in items if isinstance(item, Document)] == [
        ("Cup (2024)", "2024"),
        ("Open (2024)", "2024"),
    ]
    assert [game.key[0] for game in games(items)] == ["1", "2", ""]


def test_old_files_are_read_in_their_encoding() -> None:
    assert games(said("pgn", pgn(White="Müller").decode().encode("cp1252")))[0].a.name == "Müller"
    assert games(said("pgn", pgn(White="Müller")))[0].a.name == "Müller"


# bad input


@pytest.mark.parametrize(
    "content",
    [
        pgn("x" * LONG), pgn(White="x" * LONG), pgn()[:40], pgn(White="é" * 9)[:50], pgn(Round="999999999"),
        pgn(Round="0"),
        pgn(White="n" * 10_000), pgn(WhiteFideId="9" * 30), pgn(WhiteFideId="-1"), pgn(White="Bo"), pgn() * 3,
    ],
)  # fmt: skip
def test_bad_values_do_no_harm(content: bytes) -> None:
    survives(READERS["pgn"], content + b"\n" + pgn())
    assert games(said("pgn", content + b"\n" + pgn()))[-1].a.name == "Ann"


def test_lines_that_are_too_long_are_noted() -> None:
    source = Source.of_bytes("f", pgn("1. e4\n" + "x" * LONG + "\n1-0") + pgn())
    assert len(games(list(READERS["pgn"].read(source, READERS["pgn"].configured({}))))) == 2
    assert source.too_long == [8]


def test_utf_16_and_nul_are_refused() -> None:
    for content in (pgn().decode().encode("utf-16"), pgn(White="a\0b")):
        with pytest.raises(BadFile):
            said("pgn", content)


# recognition and options


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_recognised(path: object) -> None:
    assert sure("pgn", path.read_bytes()) >= 95  # type: ignore[attr-defined]  # a Path


@pytest.mark.parametrize(
    ("content", "least", "most"),
    [
        (b'\xef\xbb\xbf% x\n\n[White "Ann"]\n', 95, 100), (b'[Round "1"]\r[White "Ann"]\r', 80, 80),
        (b'[Board "1"]\n', 0, 0),
        (b'% PBN 2.1\n[Event "x"]\n', 0, 0), (b'[Event "x"]\n[Site ""]\n[Deal "N:"]\n', 0, 0),
        (b"{}", 0, 0), (b"", 0, 0),
    ],
)  # fmt: skip
def test_recognition(content: bytes, least: int, most: int) -> None:
    assert least <= sure("pgn", content) <= most


def test_options_are_checked() -> None:
    assert READERS["pgn"].tables == ("speed", "variant")
    with pytest.raises(BadParameter):
        READERS["pgn"].configured({"variants": "some"})


def test_unrated_counts_are_one_a_game() -> None:
    items = said("pgn", pgn(Result="*") * 5)
    assert [item.count for item in items if isinstance(item, Unrated)] == [1] * 5
