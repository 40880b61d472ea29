"""The archives of the gallery: their files and readers, the first day of the test, and the methods to compare."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from gallery import reading
from gallery.files import Download, Form, Shipped
from gallery.reading import Reader

Values = Mapping[str, str | Sequence[str]]
"""Values to try for each parameter: a range such as `8:64:4`, or a sequence."""


@frozen
class Candidate:
    """A method, and the values to try for its parameters in training.

    Parameters
    ----------
    text : str
        The method with its fixed parameters.
    grid : mapping of parameter to values
        Empty if nothing is tuned.
    note : str
        What distinguishes it from other candidates of the same method.
    """

    text: str
    grid: Values = field(factory=dict)
    note: str = ""

    @property
    def label(self) -> str:
        """The name of the method, with the note."""
        name = self.text.partition(":")[0]
        return f"{name}, {self.note}" if self.note else name


@frozen
class Archive:
    """An archive of the gallery: its files, and how methods are compared on it.

    Parameters
    ----------
    key : str
        Name of its page.
    title : str
    about : str
        What the results are, in a sentence or two.
    files : tuple of Shipped or Download
    origin, licence : str
        Where the files come from, and their licence.
    read : callable
        Puts the results into an engine.
    split : str
        First day of the test; what was played before is the training part.
    candidates : tuple of Candidate
    unit : {"game", "session"}
        What is forecast and counted.
    refit : str
        How often methods that look back are refitted.
    tune_refit : str
        How often they are refitted in training; empty for the same.
    left_out : mapping of str to str
        Methods that would fit but are not compared, with the reason.
    """

    key: str
    title: str
    about: str
    files: tuple[Shipped | Download, ...]
    origin: str
    licence: str
    read: Reader
    split: str
    candidates: tuple[Candidate, ...]
    unit: str = "game"
    refit: str = "month"
    tune_refit: str = ""
    left_out: Mapping[str, str] = field(factory=dict)


def _two_sides(home: str, draws: bool) -> tuple[Candidate, ...]:
    """Returns the candidates for games of two; `home` is the range of the home advantage, empty for none."""
    ahead: Values = {"first_move": home} if home else {}
    of_home = "" if not home else "home"
    band = "band" if draws else "square"
    return (
        Candidate("elo", {"k": "4:64:4"}, note="no home" if home else ""),
        *((Candidate("elo", {"k": "4:64:4", **ahead}, note=of_home),) if home else ()),
        Candidate("adaptive-k", {"k": "5:50:5"}),
        Candidate("periodic", {"blend": ("0.05", "0.1", "0.2", "0.4"), "cap": ("400", "800")}),
        Candidate("glicko", {"c": ("10", "20", "35", "50"), "deviation": ("50", "100", "200", "350"), **ahead}),
        Candidate("glicko2", {"volatility": ("0.03", "0.06", "0.12"), "deviation": ("100", "200", "350"), **ahead}),
        Candidate("weng-lin", {"beta": ("4", "8", "12", "16", "24"), "drift": ("0.05", "0.1", "0.2", "0.4")}),
        Candidate(
            f"trueskill:draw_chance={'0.2' if draws else '0'}",
            {"beta": ("4", "8", "12", "16", "24"), "drift": ("0.05", "0.1", "0.2", "0.4")},
        ),
        Candidate(
            f"chess-bayes:model={band}",
            {"drift_var": ("1", "3", "10", "30", "100"), "deviation": ("100", "200", "350")},
        ),
        Candidate("berkin-change", {"n0": ("10", "20", "40", "80", "160")}),
        Candidate("berkin:prior_draws=1", {"prior_draws": ("1", "4")}),
        Candidate(
            "bradley-terry:deviations=no,prior_games=1",
            {"prior_games": ("1", "3"), **({"home": home.replace(":20", ":40")} if home else {})},
        ),
        Candidate("whr:deviations=own", {"w2": ("14", "60", "240")}),
    )


THROUGH_TIME = Candidate(
    "trueskill-through-time", {"gamma": ("0.02", "0.05", "0.1"), "beta": ("1", "3"), "deviation": ("1", "3")}
)

MARGINS: Values = {"k": "8:40:8", "home": "40:140:20"}

_TOO_LONG = "a fit takes minutes where the pool has tens of thousands of games"

BASKETBALL = Archive(
    "basketball", "Basketball: NBA and ABA, 1946 to 2005",
    "Every game of the two American leagues, regular season and playoffs. There are no draws, and home wins most "
    "games.",
    (Shipped("archives/nba/games.csv.gz", "sha256:b848d8cf6139884033a1b012a601bc24bf38ffd4f6dc28e365dcfe01cb936cbb"),),
    "fivethirtyeightdata/fivethirtyeightdata on GitHub, commit 8de5de4, data/nba_elo.rda",
    "CC BY 4.0. Data: FiveThirtyEight, NBA Elo; rows and columns selected",
    reading.table("games.csv.gz", "nba/mapping.toml"), "1990-10-01",
    (
        *_two_sides("60:160:20", draws=False),
        Candidate("elo-margin:preset=nba538", MARGINS, note="nba538"),
        Candidate("elo-margin:margin=none,carry=0.75,carry_to=1505", MARGINS, note="no margin"),
    ),
    tune_refit="quarter", left_out={"trueskill-through-time": _TOO_LONG},
)  # fmt: skip

FOOTBALL = Archive(
    "international-football", "Football: men's internationals, 1872 to 2017",
    "Every match of national teams. A quarter are drawn; teams play ten times a year, and some are far apart.",
    (Shipped(
        "archives/football/results.csv.gz", "sha256:6061cd026caf1a7808e4ffae4f8d2bbcd7c1b47ed757536ff44673d358d7f630"
    ),),
    "martj42/international_results on GitHub, commit 65d212a, results.csv, cut at the end of 2017",
    "CC0 1.0",
    reading.table("results.csv.gz", "international_football.toml"), "2006-01-01",
    (
        *_two_sides("40:120:20", draws=True),
        Candidate("elo-margin:margin=goals", MARGINS, note="goals"),
        Candidate("world-football-elo", {"home": "40:120:20"}),
        Candidate("fifa", {"scale": ("400", "500", "600", "700")}),
    ),
    tune_refit="year", left_out={"trueskill-through-time": _TOO_LONG},
)  # fmt: skip

AMERICAN_FOOTBALL = Archive(
    "american-football", "American football: NFL, 1920 to 2018",
    "Every game of the league and its forerunners, playoffs included. Ties are rare; a season has few games.",
    (Download(
        "https://raw.githubusercontent.com/fivethirtyeight/nfl-elo-game/233ac60d6f54374f12be63d2e1e8a334aca8486d/data/nfl_games.csv",
        (Form("nfl_games.csv", "bytes:1167330"),),
    ),),
    "fivethirtyeight/nfl-elo-game on GitHub, commit 233ac60, data/nfl_games.csv; no digest of it is published, so "
    "its size is checked",
    "MIT, Copyright (c) 2018 ABC News Internet Ventures",
    reading.table("nfl_games.csv", "american_football.toml"), "1995-07-01",
    (
        *_two_sides("20:100:20", draws=False),
        THROUGH_TIME,
        Candidate("elo-margin:preset=nfl538", MARGINS, note="nfl538"),
        Candidate("elo-margin:margin=none,carry=0.67,carry_to=1505", MARGINS, note="no margin"),
    ),
    tune_refit="quarter",
)  # fmt: skip

AUSTRALIAN_FOOTBALL = Archive(
    "australian-football", "Australian football: AFL, 2009 to 2012",
    "675 games of 17 and then 18 teams, of three and a half seasons.",
    (Download(
        "https://raw.githubusercontent.com/cran/PlayerRatings/b0e14790c57798dec7cf0b758c70bdaa16aaabba/data/aflodds.rda",
        (Form("aflodds.rda", "md5:fe523826fbc3bdcdd924b2abd234912a"),),
    ),),
    "the data of the R package PlayerRatings, whose file MD5 has the digest",
    "GPL-3: not carried here, downloaded by the reader",
    reading.australian_football, "2011-07-01",
    (*_two_sides("20:80:20", draws=False), THROUGH_TIME, Candidate("elo-margin:margin=log", MARGINS, note="log")),
)  # fmt: skip

SEEDED = "initial=1500,deviation=100,beta=200"
_KNOWN = ("50", "100", "200", "300")
"""Deviations to try for players who begin with a known rating."""
_BETAS = ("50", "100", "200", "400")
_CONTEST: Values = {"deviation": ("100", "200"), "beta": ("100", "200", "300")}

GO = Archive(
    "go-congress", "Go: European Go Congress 2013",
    "The McMahon tournament: 594 players, ten rounds between opponents of like grade. Every player comes with a "
    "rating, which every method that reads seeds begins with; the first five rounds are for tuning.",
    (
        Shipped(
            "archives/egc2013/games.csv", "sha256:161e683f6be22ea15e9be4df4d45c893017b300e702df629d51640775dce2584"
        ),
        Shipped(
            "archives/egc2013/players.csv", "sha256:56253c8cbf285c386ee08a32e442d5b7e711e3a95298daa2099bfa8a861d9749"
        ),
    ),
    "RussianGoFederation/opengotha-rgf on GitHub, commit 2db2608, egc2013.xml",
    "none is stated for these data: facts only, names replaced by codes",
    reading.go_congress, "2013-08-02",
    (
        Candidate("egf", {"variant": ("2021", "gor")}, note="rated at the end"),
        Candidate("egf:period=days(1)", {"variant": ("2021", "gor")}, note="rated every round"),
        Candidate("fesa:period=days(1)"),
        Candidate("elo", {"k": ("0", "16", "32", "64", "128"), "scale": ("200", "300", "400", "600", "800")}),
        Candidate("adaptive-k:initial=1500", {"k": ("15", "30", "60", "120")}),
        Candidate("periodic:period=days(1)", {"blend": ("0.02", "0.05", "0.1", "0.2")}),
        Candidate("glicko:period=days(1)", {"deviation": _KNOWN, "c": ("0", "20")}),
        Candidate("glicko2:period=days(1)", {"deviation": _KNOWN, "volatility": ("0.03", "0.06")}),
        Candidate(f"weng-lin:{SEEDED}", {"deviation": _KNOWN, "beta": _BETAS}),
        Candidate(f"trueskill:{SEEDED},draw_chance=0,drift=1", {"deviation": _KNOWN, "beta": _BETAS}),
        Candidate("chess-bayes:model=square", {"deviation": _KNOWN, "scale": ("200", "300", "400", "600", "800")}),
        Candidate("bradley-terry:deviations=no,prior_games=1", {"prior_games": ("1", "4")}),
        Candidate("whr:deviations=own", {"w2": ("14",), "prior_games": ("1", "4")}),
        Candidate("trueskill-through-time", {"beta": ("1", "3"), "deviation": ("0.3", "1", "3")}),
    ),
    refit="days(1)",
    left_out={"berkin": "its ratings are positive, and two players came with one below zero"},
)  # fmt: skip

BRIDGE = Archive(
    "bridge-club", "Bridge: sessions of a club",
    "Three evenings of pairs at one club in July 2022 and one at another in 2026, far too few for a choice: the "
    "page is here to show what that looks like. The last July evening and that of 2026 are the test.",
    (
        Shipped(
            "archives/bridge_usebio/pairs.csv",
            "sha256:9ddcc33490ee75a8149f189d949fe22a54bdc0993927d29b32dd5313915fa9b6",
        ),
        Shipped(
            "archives/bridge_usebio/sessions.csv",
            "sha256:70f53b3ae3262804826c666730a5b9b52565d9d759eb676daf1b3a4479a9f692",
        ),
    ),
    "abftech/cobalt on GitHub, commit e621972, results/tests/test_files",
    "facts only, taken out of files of a GPL-3 repository; names replaced by codes",
    reading.bridge_sessions, "2022-07-28",
    (
        Candidate("bridge-bayes", {"sigma1": ("4", "6", "8", "12"), "k": ("0.001", "0.0027", "0.005")}),
        Candidate("weng-lin", {"beta": ("4", "8", "16", "32")}),
        Candidate("trueskill", {"beta": ("4", "8", "16", "32")}),
    ),
    "session", left_out={"elo-mmr, codeforces": "they rate individuals, and bridge is played in pairs"},
)  # fmt: skip

RIICHI = Archive(
    "riichi", "Riichi mahjong: a club in 2019",
    "540 tables of four players each. The last quarter of the year is the test.",
    (Download(
        "https://raw.githubusercontent.com/cran/PlayerRatings/3229f664b5a5d0f882406d3acb42d7bc94a931c7/data/riichi.rda",
        (
            Form("riichi.rda", "md5:ea8f012310ece7c8cee42b9c559c08dc"),
            Form("riichi.csv", "sha256:75855c125812b71ad9feaa13b37875bdbe039c0230f70e064d27dbc94c99fd16"),
        ),
        "in R: names(riichi) <- c('day_of_2019', paste0('play', 1:4), paste0('score', 1:4)); write.csv(riichi, "
        "'riichi.csv', row.names = FALSE, quote = FALSE)",
    ),),
    "the data of the R package PlayerRatings, whose file MD5 has the digest; collected by the Melbourne Mahjong Club",
    "GPL-3: not carried here, downloaded by the reader",
    reading.riichi_tables, "2019-10-01",
    (
        Candidate("weng-lin", {"model": ("pl", "bt_full"), "beta": ("4", "8", "16", "32"), "drift": ("0", "0.1")}),
        Candidate("trueskill:draw_chance=0.01", {"beta": ("4", "8", "16", "32"), "drift": ("0.02", "0.1")}),
        Candidate("elo-mmr", {"weight": ("0.05", "0.2"), "limit": ("80", "160")}),
        Candidate("codeforces"),
        Candidate(
            "bridge-bayes:s0=25000,k=10,sigma1=16000", {"k": ("2", "5", "10"), "sigma1": ("8000", "16000", "24000")}
        ),
    ),
    "session",
)  # fmt: skip

CONTESTS = Archive(
    "contests", "Programming contests: two rounds of Codeforces, 2020",
    "Every participant comes with the rating that the site had for them, which every method begins with. One in "
    "six participants of round 1305 are for tuning. This shows how far apart ratings are, but not how far a result "
    "should move them. Round 1349, with 1,248 participants, is the test.",
    (
        Shipped(
            "formats/codeforces/round-1305-ozon-2020-div1_2-data.json.gz",
            "sha256:160aeb2b3c977a64ce2114c09fcd59d4e3425e9ff1eb356828820b8d109e4875",
        ),
        Shipped(
            "formats/codeforces/round-1349-641-div1-data.json",
            "sha256:9972723b07b6260292dd2555ef822f2b43ac57aac8959bdc6273b653026d4d36",
        ),
    ),
    "meooow25/carrot on GitHub, commit e615e17, carrot/tests/data",
    "MIT",
    reading.contests, "2020-05-01",
    (
        Candidate("codeforces"),
        Candidate("elo-mmr", {"deviation": ("100", "200", "350")}),
        Candidate(f"weng-lin:{SEEDED}", _CONTEST, note="pl"),
        Candidate(f"weng-lin:{SEEDED},model=bt_full", _CONTEST, note="bt_full"),
        Candidate(f"trueskill:{SEEDED},drift=1,draw_chance=0", {"beta": ("150", "250")}),
    ),
    "session",
)  # fmt: skip

CHESS = Archive(
    "chess", "Chess: rated games of Lichess, January 2013",
    "A month of rated games of all speeds among the players of a server. The last week is the test.",
    (Download(
        "https://database.lichess.org/standard/lichess_db_standard_rated_2013-01.pgn.zst",
        (Form(
            "lichess_db_standard_rated_2013-01.pgn.zst",
            "sha256:aa40b3671fa3cf1072eb182892cd90b0e1e003a4a5943492f64b77e7f3fd1635",
        ),),
    ),),
    "database.lichess.org, which publishes the digest",
    "CC0 1.0",
    reading.chess_server, "2013-01-25",
    (
        Candidate("elo", {"k": "8:64:8"}),
        Candidate("adaptive-k:initial=1500", {"k": ("10", "20", "30", "40")}),
        Candidate("periodic:period=days(1),initial=1500", {"blend": ("0.05", "0.1", "0.2")}),
        Candidate("glicko:period=days(1)", {"c": ("5", "15", "35"), "deviation": ("200", "350")}),
        Candidate("glicko2:preset=lichess", {"deviation": ("200", "350", "500")}),
        Candidate("dwz:period=days(1),initial=1500", {"development": ("5", "15", "30")}),
        Candidate("uschess:period=days(1),initial=1500"),
        Candidate("weng-lin", {"beta": ("4", "8", "12"), "drift": ("0", "0.1")}),
        Candidate("trueskill:draw_chance=0.03", {"beta": ("4", "8", "12"), "drift": ("0.02", "0.1")}),
        Candidate("chess-bayes", {"drift_var": ("1", "10", "100"), "deviation": ("200", "350")}),
        Candidate("bradley-terry:deviations=no,prior_games=1", {"prior_games": ("1", "3")}),
    ),
    refit="days(7)",
    left_out={
        "whr": _TOO_LONG, "trueskill-through-time": _TOO_LONG,
        "elo:preset=fide": "its games count from a thousand points on and by published lists, which this pool has not",
    },
)  # fmt: skip

ARCHIVES = (
    BASKETBALL, AMERICAN_FOOTBALL, FOOTBALL, AUSTRALIAN_FOOTBALL, GO, CHESS, BRIDGE, RIICHI, CONTESTS,
)  # fmt: skip
"""All archives, in the order of the index."""
