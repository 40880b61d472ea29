"""Readers of files against the least work that a file needs: reading and splitting its lines."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from ratingcore_chess.pgn_blocks import blocks

import ratingcore as rc
from bench.measure import Results, seconds, wall
from ratingcore.importer.file_choice import choose
from ratingcore.importer.reader_choice import InstalledReaders
from ratingcore.readers import Source
from ratingcore.registry import Registry

_TAGS_COST = "27 tags are parsed, and the end of the moves; the yardstick only looks at the first byte of lines"
_LIST_COST = "making two items of a row, each with a player, alone takes ten times as long as reading its line"
_LOG_COST = "each game is looked up, numbered, digested and stored, with an index on its uid"

_TAGS = (
    '[Event "Rated Blitz game"]\n[Site "https://lichess.org/{id}"]\n[Date "2024.03.{day:02}"]\n[Round "-"]\n'
    '[White "player{white}"]\n[Black "player{black}"]\n[Result "{result}"]\n[UTCDate "2024.03.{day:02}"]\n'
    '[UTCTime "{hour:02}:{minute:02}:{second:02}"]\n[WhiteElo "{elo}"]\n[BlackElo "1602"]\n[WhiteRatingDiff "+5"]\n'
    '[BlackRatingDiff "-5"]\n[Variant "Standard"]\n[TimeControl "180+2"]\n[ECO "B01"]\n'
    '[Opening "Scandinavian Defense"]\n[Termination "Normal"]\n\n'
)
_MOVES = (
    "1. e4 {{ [%clk 0:03:00] }} d5 {{ [%clk 0:03:00] }} 2. exd5 {{ [%clk 0:02:59] }} Qxd5 {{ [%clk 0:02:58] }} " * 4
)
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def pgn(games: int) -> bytes:
    """Returns games in the form of Lichess, with 18 tags and 0.8 KB each."""
    made = []
    for g in range(games):
        result, number = ("1-0", "0-1", "1/2-1/2")[g % 3], g * 2_654_435_761 % 62**8
        letters = "".join(_LETTERS[number // 62**place % 62] for place in range(8))  # a different id for every game
        tags = _TAGS.format(
            id=letters, day=1 + g // 3_000_000 % 28, white=g % 5003, black=(g * 7 + 1) % 5009, result=result,
            hour=g // 126_000 % 24, minute=g // 2100 % 60, second=g // 35 % 60, elo=1500 + g % 300,
        )  # fmt: skip
        made.append(f"{tags}{_MOVES.replace('{{', '{').replace('}}', '}')}{result}\n\n")
    return "".join(made).encode()


def fide(players: int) -> bytes:
    """Returns a rating list in the current format of FIDE."""
    header = (
        f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'Tit':5}{'WTit':5}{'OTit':15}{'FOA':4}{'OCT26':6}{'Gms':4}"
        f"{'K':3}{'B-day':6}{'Flag':4}"
    )
    rows = [
        f"{1_000_000 + n:<15}{f'Surname{n}, First':61}{('FRA', 'IND', 'USA')[n % 3]:4}{'MF'[n % 2]:4}"
        f"{('GM', '', '', '')[n % 4]:5}{'':5}{'':15}{'':4}{1400 + n % 1200:<6}{n % 9:<4}{20:<3}{1950 + n % 60:<6}"
        f"{'i' if n % 5 else '':4}"
        for n in range(players)
    ]
    return "\r\n".join([header, *rows, ""]).encode()


def trf(players: int, rounds: int) -> bytes:
    """Returns a report of a tournament, with a pairing by exclusive or in each round."""
    rows = []
    for n in range(players):
        blocks = []
        for turn in range(1, rounds + 1):
            other = n ^ turn if n ^ turn < players else n
            score = "=" if (n + other + turn) % 3 == 0 else "1" if (n < other) == (turn % 2 == 0) else "0"
            blocks.append("0000 - H" if other == n else f"{other + 1:>4} {'wb'[n > other]} {score}")
        rows.append(
            f"001 {n + 1:>4} m    {f'Surname{n}, First':33} {2400 - n:>4} FRA {1_000_000 + n:>11} 1980/00/00 {0.0:>4} "
            f"{n + 1:>4}  {'  '.join(blocks)}"
        )
    return "\n".join(["012 Open", "042 2024/03/01", "052 2024/03/09", *rows, ""]).encode()


def cpu(work: Callable[[], object]) -> float:
    """Returns the CPU seconds of work that cannot be repeated."""
    began = process_time()
    work()
    return process_time() - began


def run(results: Results, games: int) -> None:
    """Print the speeds of readers, of imports through them, and of recognising many files."""
    readers = Registry.installed().readers
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    n = min(games, 100_000)
    files = {"pgn": folder / "games.pgn", "trf": folder / "open.trf", "fide-list": folder / "players.txt"}
    for name, content in (("pgn", pgn(n)), ("trf", trf(284, 7)), ("fide-list", fide(n))):
        files[name].write_bytes(content)

    def bare(name: str, tags: bool = False) -> None:
        with files[name].open("rb") as file:
            for line in file:
                if tags and line[:1] == b"[":
                    pass

    def split() -> None:
        for line in files["trf"].read_text().split("\n"):
            line.split()

    def tags() -> None:
        for _ in blocks(source("pgn")):
            pass

    def source(name: str) -> Source:
        return Source(name, lambda: files[name].open("rb"))

    def read(name: str) -> None:
        for _ in readers[name].read(source(name), readers[name].options()):
            pass

    def imported(name: str, again: bool = False) -> None:
        with rc.open(folder / "club.db") as engine:
            report = engine.import_file(files[name], pool="p")
        assert (report.accepted == 0) == again
        assert report.read

    def ratio(work: Callable[[], object], yardstick: Callable[[], object]) -> float:
        taken, least = seconds(work, yardstick, repeats=3)
        return taken / least

    results.row("PGN, tags of each game", ratio(tags, lambda: bare("pgn", tags=True)), "x bare", 2.0, note=_TAGS_COST)
    results.row("PGN to games", ratio(lambda: read("pgn"), lambda: bare("pgn", tags=True)), "x bare", 6.0)
    results.row("TRF to games, 284 players, 7 rounds", ratio(lambda: read("trf"), split), "x split", 10.0)
    results.row(
        "FIDE list to facts and ratings", ratio(lambda: read("fide-list"), lambda: bare("fide-list")), "x lines", 15.0,
        note=_LIST_COST,
    )  # fmt: skip
    first = cpu(lambda: imported("pgn"))
    print(f"PGN to log: {n / first:,.0f} games a CPU second")
    results.row("PGN to log", first / cpu(lambda: read("pgn")), "x read", 2.2, note=_LOG_COST)
    results.row("the same games again", cpu(lambda: imported("pgn", again=True)) / first, "x first", 1.0)
    first = cpu(lambda: imported("trf"))
    results.row("the same document again", cpu(lambda: imported("trf", again=True)) / first, "x first", 1.0)
    many = folder / "many"
    many.mkdir()
    for number in range(1_000):
        content = (files["trf"].read_bytes(), b"; EV[Cup]\n1 Li 3d FR Pari 0+\n", b'[Event "?"]\n*\n')[number % 3]
        (many / f"{number}.txt").write_bytes(content)
    with rc.open(":memory:") as engine:
        readers = InstalledReaders(engine.registry)
        results.row("1,000 files recognised", wall(lambda: choose([many], readers), 1), "s", 1.0)
    shutil.rmtree(folder)
