"""Every argument and option of every command meets values that no one means: an answer or a sentence, never a crash.

`RATINGCORE_FUZZ=full` tries every value at every place; without it a seeded choice of them is tried.
"""

import gzip
import os
import random
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from ratingcore.cli.main import SUMMARIES, cli
from tests.cli.conftest import APART, GAMES, Ran

FULL = os.environ.get("RATINGCORE_FUZZ") == "full"
CHOSEN = 3
"""Values tried at each place without full strength."""
PATIENCE = 10
"""Seconds after which a command hangs."""
LONGEST = 5_000
"""Characters of an error at most: a value is shown in part where it is long."""

BASES = {
    "demo": "--dir DIR",
    "import": "club.db games.csv --pool rapid",
    "seed": "club.db seeds.csv --pool rapid --at 2024-01-01",
    "record": "club.db ann bo 1-0 --pool rapid --played 2024-05-01",
    "void": "club.db g-1",
    "revive": "club.db g-1",
    "amend": "club.db g-1 score=0.5",
    "merge": "club.db ann cy",
    "name": "club.db ann Annie",
    "players": "club.db",
    "declare": "club.db --pool rapid --fits elo",
    "pools": "club.db",
    "names": "club.db",
    "unmerge": "club.db m-1",
    "split": "club.db ann ann2 --since 2024-03-05",
    "list": "club.db",
    "player": "club.db ann",
    "explain": "club.db ann",
    "forecasts": "club.db",
    "predict": "club.db ann bo",
    "season": "club.db fixtures.csv",
    "performance": "club.db ann",
    "category": "club.db Open",
    "versus": "club.db ann bo",
    "impact": "club.db g-1",
    "connect": "club.db",
    "plot": "club.db curves ann",
    "log": "club.db",
    "compare": "club.db -m elo -m periodic",
    "tune": "club.db -m elo --grid k=10,20",
    "fit": "club.db -m elo",
    "backdate": "club.db plan.toml",
    "simulate": "thesis-1:players=20,rounds=2,joining_mean=2,leaving_mean=2",
    "expect": "1500 1600",
    "performance-of": "1800:3/10",
    "publish": "club.db May",
    "calendar": "club.db monthly --from 2024-03",
    "lists": "club.db",
    "show": "club.db March",
    "diff": "club.db March March",
    "against": "club.db March seeds.csv",
    "prove": "march.json club.db",
    "catch-up": "club.db --pool rapid --method elo --to lists",
    "site": "club.db pages",
    "report": "club.db meeting.toml --to meeting",
    "superiority": "club.db --method glicko",
    "order": "club.db --method glicko",
    "token": "add club.db secretary",
    "webhook": "add club.db https://club.example/news",
    "verify": "club.db",
    "anchor": "club.db",
    "backup": "club.db copy.db",
    "restore": "club.db other.db",
    "export": "club.db",
    "load": "new.db export.jsonl",
    "erase": "club.db ann --yes",
    "convert": "open.trf copy.trf",
    "methods": "elo",
    "check": "elo",
    "plugins": "",
    "readers": "",
}
"""A command line of each command that does its work."""

SERVERS = ("serve", "datasette")
"""Commands that run until somebody ends them: their own tests start them."""

COMMANDS = [name for name in cli.list_commands(click.Context(cli)) if name in SUMMARIES and name not in SERVERS]
"""Those that are installed, bundled guests included."""

SLOW = ("demo", "check", "simulate", "tune", "compare", "backdate", "catch-up", "fit")
"""Commands whose work takes long: without full strength one value is tried at each place."""
DRAWN = {"html", "as_json", "folder"}
"""Places of files that reports are written to: drawing one takes seconds, so only odd files are tried there."""

DIGITS = "9" * 5_000
TEXTS = (
    "", " ", "0", "-1", "-0.0", "nan", "inf", "-inf", "1e400", "1e300", "1e-320", "-1e308", "99999999999999999999",
    str(10**30), "-" + "9" * 25, DIGITS, "0x10", "1_000", "\u0663", "\u00b2",
    "0024-01-01", "0001-01-01", "9999-12-31", "99999-01-01", "2024-W12", "2024-W12-3", "2024-02-30", "20240331",
    "2024-03-31T99:00", "2024-03-31T23:59:59+99:00", "0001-01-01T00:00+14:00", "0001-01-01:9999-12-31", ":", "today",
    "a\x00b", "\x1b[31mred\x1b[0m", "\ud800", "a\udcffb", "ann\u202eeoz", "an\u200bn", "\ufeffann", "x" * 201,
    "x" * 100_000, "\u0301" * 3_000, "\U0001f600", "=1+1", "<script>alert(1)</script>", "a,b", "a=b", "a=", "=", ",",
    "score=nan", "score=1e400", "played=0024-01-01", "order=" + DIGITS, "points_a=1e400", "a=" + "x" * 201,
    "list:", "head 1:", "1:abc", "-", "--", "-x", "list:" + DIGITS, "3,1,0", "nan,nan,nan", "1e400,0,0", "1,2,3,4",
    "12 months", "99999 days", "days(99999)", "months(99999)",
    "fide2014", "rating=nan", "deviation=1e300", "k=1:2", "k=1e300,1e301", "k=" + ",".join(map(str, range(2_000))),
    "(((((" * 2_000, "a" * 50 + "=1," * 5_000,
)  # fmt: skip
METHODS = (
    "elo:k=1e300", "elo:k=-0.0", "elo:k=nan", "elo:k=1e400", f"elo:k={DIGITS}", "elo:scale=1e-320", "elo:scale=1e308",
    "elo:initial=1e308", "elo:initial=-1e300", "elo:draw_band=1e300", "elo:first_move=1e308", "elo:cap=1e-320",
    "elo:extra=1e308,extra_gap=1", "elo:mean=1e300", "elo:floor=1e300", "elo:k=\u00b2", "elo:k=1,k=2", "elo:=",
    "elo:k",
    "elo:entry=trial(1000000000000000000000)", "elo:entry=trial(100000000)", "elo:entry=trial(\u00b2)",
    f"elo:entry=trial({DIGITS})", "elo:entry=pooled(5,99999999999)", "elo:entry=pooled(99999999999,5)",
    "elo:entry=mean(99999999999)", "elo:entry=mean(0)", "periodic:entry=pooled(100000000,100000000)",
    "elo:period=days(99999999999)", f"elo:period=days({DIGITS})", "elo:period=days(1)",
    "elo:period=months(99999999999)",
    "elo:period=months(100000)", "elo:period=cuts()", "elo:period=cuts(2024-W12)",
    "elo:period=cuts(0001-01-01;9999-12-31)",
    "elo:period=days(\u00b2)", "elo:period=cuts(" + ";".join(["2024-01-01"] * 2_000) + ")",
    "periodic:cap=1e300", "periodic:cap=1e-320", "periodic:blend=1e-320", "periodic:period=days(99999999999)",
    "chess-bayes:deviation=1e300", "chess-bayes:deviation=1e154", "chess-bayes:drift_var=1e300",
    "chess-bayes:nu=1e308",
    "chess-bayes:scale=1e-320", "chess-bayes:theta=1e300,draws=rao_kupper", "chess-bayes:draw_band=1e308",
    "bridge-bayes:deviation=1e300", "bridge-bayes:sigma1=1e-320", "bridge-bayes:tau=1e300",
    "bridge-bayes:players=10000000",
    f"bridge-bayes:players={DIGITS}", "bridge-bayes:draws=1000000000", f"bridge-bayes:seed={DIGITS}",
    "bridge-bayes:k=1e300", "bridge-bayes:drift_var=1e308",
    "berkin:anchor=1e308", "berkin:anchor=1e-320", "berkin:prior_draws=1e308", "berkin:points=1e308",
    "elo-margin:k=1e308", "elo-margin:scale=1e-320", "elo-margin:home=1e308", "elo-margin:carry_to=1e308",
    "adaptive-k:window=100000000", f"adaptive-k:window={DIGITS}", "adaptive-k:k=1e308", "adaptive-k:initial=1e308",
    "glicko:c=1e308", "glicko:days=1e-320", "glicko:deviation=1e300,max_deviation=1e300",
    "glicko:period=days(99999999999)",
    "glicko2:tau=1e-320", "glicko2:tau=1e300", "glicko2:volatility=1e308", "glicko2:period=none,days=1e-9",
    "weng-lin:beta=1e-320", "weng-lin:deviation=1e308", "weng-lin:drift=1e300",
    "weng-lin:model=tm_full,draw_margin=1e308",
    "elo:curve=davidson,nu=1e300",
    "dwz:development=1e308", "dwz:development=1e-320", "dwz:initial=1e308", "dwz:initial=-1e308",
    "egf:epsilon=1e-320", "egf:initial=1e308", "egf:handicap_points=1e308", "egf:floor=1e308", "fesa:initial=1e308",
    "fesa:initial=-1e308", "egf:period=days(99999999999)", "dwz:period=months(99999999)",
)  # fmt: skip
WORLDS = (
    "thesis-1:players=99999999999999999999", "thesis-1:players=100000000", f"thesis-1:players={DIGITS}",
    "thesis-1:players=nan", "thesis-1:rounds=10000,players=100000000", "thesis-1:games_mean=1e300,players=2,rounds=1",
    "thesis-1:joining_mean=1e300,players=2,rounds=1", "thesis-1:base_sd=1e308,players=20,rounds=1",
    "thesis-1:amplitude=1e308,evolution=sine,players=20,rounds=1", "thesis-1:scale=1e-320,players=20,rounds=1",
    "thesis-1:group_width=1e-320,players=20,rounds=1",
    "thesis-1:appetite_mean=1e300,appetite_most=1e300,players=9,rounds=1",
    "thesis-1:margin=1e308,players=9,rounds=1", "thesis-1:reach=100000000,players=9,rounds=1",
    "thesis-1:base_mean=1e300,players=9,rounds=1", "thesis-1:period=1e-320,evolution=sine,players=9,rounds=1",
    "thesis-1:leaving_mean=1e300,players=9,rounds=2", "thesis-1:joining_sd=1e300,players=9,rounds=2",
    "thesis-1:seats=100,players=9,rounds=1,noise=1e-320", "thesis-1:worth=1e308,seats=2,players=9,rounds=1",
)  # fmt: skip
FILES = (
    "DIR", "EMPTY", "FIFO", "/dev/zero", "/dev/full", "/dev/null", "MISSING/x", "UNREADABLE", "READONLY/x",
    "bomb.csv.gz",
    "bomb.jsonl.gz", "utf16.csv", "latin.csv", "nul.csv", "long.csv", "deep.toml", "deep.jsonl", "types.toml",
    "types2.toml", "numbers.toml", "digits.toml", "binary", "damaged.gz", "damaged.db", "odd.jsonl", "deep.xml",
    "wide.csv", "open.csv", "cr.csv", "club.db", "march.json", "names.csv", "/proc/self/mem", ".", "..", "/",
    "x" * 300,
)  # fmt: skip


class Place(NamedTuple):
    """A place of a command line where a value stands: its words, with None for the value."""

    command: str
    parameter: str
    words: tuple[str | None, ...]


def places(command: str) -> Iterator[Place]:
    """The places of a command: each word of its base that is an argument, and each option behind the base."""
    base = BASES[command].split()
    kind = cli.get_command(click.Context(cli), command)
    assert kind is not None
    arguments = [param.name or "" for param in kind.params if isinstance(param, click.Argument)]
    valued = {option for param in kind.params if takes_value(param) for option in param.opts}
    free = [n for n, word in enumerate(base) if not word.startswith("-") and (n == 0 or base[n - 1] not in valued)]
    for number, n in enumerate(free):
        name = arguments[min(number, len(arguments) - 1)]
        yield Place(command, name, tuple(None if i == n else word for i, word in enumerate(base)))
    for param in kind.params:
        if takes_value(param):
            option = max(param.opts, key=len)
            yield Place(command, param.name or "", (*base, option, None))


def takes_value(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and not param.is_flag


def values(place: Place) -> list[str]:
    """What is tried at a place: fitting values first."""
    about = {"methods": METHODS, "method": METHODS, "reference": METHODS, "cohort": METHODS, "scenario": WORLDS}
    mine = list(about.get(place.parameter, ()))
    mine += FILES if place.parameter in FILE_LIKE else ()
    if place.parameter in DRAWN:
        return mine
    if place.parameter == "seeds":
        return [text for text in TEXTS if text != "1_000"]  # a number that is meant, and takes its time
    rest = [*TEXTS, *(() if place.parameter in FILE_LIKE else FILES[:5])]
    return mine + rest


FILE_LIKE = {
    "log", "files", "file", "mapping", "plan", "to", "html", "as_json", "folder", "copy", "grades", "anchors",
    "anchor",
}  # fmt: skip


def cases() -> list[Place]:
    return [place for command in COMMANDS for place in places(command)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a club, files that are as they should be, and files that are not."""
    folder = tmp_path_factory.mktemp("hostile")
    base = folder / "base"
    base.mkdir()
    fill(base)
    return base


def fill(base: Path) -> None:
    with open_log(base / "club.db") as engine:
        seed = RatingSeeded(uid="s-1", pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.0})
        engine.record(seed)
        for uid, played, a, b, score, data in GAMES:
            engine.record(GamePlayed(uid=uid, pool="rapid", played=played, a=a, b=b, score=score, data=data))
        engine.publish(engine.rating_list("rapid", "elo", through="2024-03-31"), name="March")
        lines = list(engine.export())
    for side in base.glob("club.db-*"):
        side.unlink() if side.is_file() else None
    (base / "export.jsonl").write_text("\n".join(lines) + "\n")
    header = "a,b,score,played\n"
    (base / "games.csv").write_text(header + "ann,bo,1-0,2024-05-01\n")
    (base / "seeds.csv").write_text("player,rating\nann,1500\n")
    (base / "fixtures.csv").write_text("a,b\nann,bo\n")
    (base / "plan.toml").write_text('old = "elo"\nnew = "elo:k=40"\nstart = ["beginning"]\n')
    (base / "meeting.toml").write_text('[[list]]\nmethod = "elo"\n')
    (base / "march.json").write_text("{}")
    (base / "open.trf").write_text("012 Open\n001    1      Ann\n")
    (base / "EMPTY").touch()
    os.mkfifo(base / "FIFO")
    (base / "DIR").mkdir()
    (base / "UNREADABLE").write_text(header)
    (base / "UNREADABLE").chmod(0)
    (base / "READONLY").mkdir(mode=0o500)
    bomb = gzip.compress(b"x" * 3_000_000) * 100
    (base / "bomb.csv.gz").write_bytes(gzip.compress(header.encode()) + bomb)
    (base / "bomb.jsonl.gz").write_bytes(gzip.compress(b'{"a":"') + bomb)
    (base / "utf16.csv").write_bytes((header + "ann,bo,1-0,2024-05-01\n").encode("utf-16"))
    (base / "latin.csv").write_bytes((header + "Zo\u00eb,bo,1-0,2024-05-01\n").encode("latin-1"))
    (base / "nul.csv").write_bytes((header + "an\0n,bo,1-0,2024-05-01\n").encode())
    (base / "long.csv").write_text(header + "x" * 3_000_000 + ",bo,1-0,2024-05-01\n" + "ann,bo,1-0,2024-05-01\n")
    (base / "deep.toml").write_text("fields = " + "[" * 5_000 + "]" * 5_000)
    (base / "deep.jsonl").write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    (base / "types.toml").write_text(
        'old = 3\nnew = ["elo"]\nstart = 3.5\nthrough = 99999999999999999999\n[fields]\na=1'
    )
    (base / "types2.toml").write_text("delimiter = 3\nencoding = []\npool = 1979-05-27\n[fields]\na = [1]\n")
    (base / "numbers.toml").write_text(
        'old = "elo"\nnew = "elo:k=40"\nstart = [99999999999999999999999]\nthresholds = [1e400, nan, inf]\n'
    )
    (base / "digits.toml").write_text(f'old = "elo"\nnew = "elo"\nstart = {DIGITS}\n')
    (base / "binary").write_bytes(bytes(range(256)) * 300)
    (base / "damaged.gz").write_bytes(gzip.compress(b"a,b,score,played\n" * 100)[:40])
    (base / "damaged.db").write_bytes((base / "club.db").read_bytes()[:5000])
    (base / "odd.jsonl").write_text(
        '{"a": NaN, "b": 1e999, "score": [], "played": {}}\n[]\n3\nnull\n{"a": "\\ud800", "b": "bo", "score": 1, '
        f'"played": "2024-01-01"}}\n{{"a": {DIGITS}, "b": "bo", "score": {DIGITS}, "played": {DIGITS}}}\n'
    )
    (base / "deep.xml").write_text("<a>" * 20_000)
    (base / "wide.csv").write_text(",".join(f"c{n}" for n in range(50_000)) + "\n" + "," * 49_999 + "\n")
    (base / "open.csv").write_text(header + '"ann,bo,1-0,2024-05-01\n' * 3)
    (base / "cr.csv").write_bytes(b"a,b,score,played\rann,bo,1-0,2024-05-01\r")
    names = ("ann\u202e", "an\u200bn", "x" * 201, "\x1b[31m", "\ufeffann", "=1+1", "<script>")
    (base / "names.csv").write_text(header + "".join(f"{name},bo,1-0,2024-05-01\n" for name in names))


class Hung(BaseException):
    """A command did not end in time."""


@contextmanager
def alarmed() -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ran(words: list[str]) -> Ran:
    with alarmed():
        result = CliRunner(**APART).invoke(cli, words, input="", prog_name="ratingcore")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return Ran(99, result.stdout, repr(result.exception))
    return Ran(result.exit_code, result.stdout, result.stderr)


def judged(words: list[str]) -> str:
    """What is wrong with the answer to a command line; nothing if it is an answer."""
    try:
        code, _, err = ran(words)
    except Hung:
        return "hangs"
    if code not in (0, 1, 2):
        return f"ends with {code}: {err}"
    if "this is a bug in ratingcore" in err or "Traceback" in err:
        return err[-600:]
    if code and not any(line.startswith("error: ") and line[7:].strip() for line in err.splitlines()):
        return f"fails without a sentence: {err[:300]!r}"
    if code and len(err) > LONGEST:
        return f"says {len(err)} characters: {err[:100]!r}"
    if any(char in err for char in "\x1b\x00\u202e\u200b\ufeff"):
        return f"shows what is invisible: {err[:300]!r}"
    return ""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_value_crashes_or_hangs_a_command(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    folder = tmp_path / "work"
    chooser, wrong = random.Random(command), []
    for place in places(command):
        tried = values(place)
        if not FULL:
            tried = chooser.sample(tried, 1 if command in SLOW else CHOSEN)
        for value in tried:
            shutil.rmtree(folder, ignore_errors=True)
            mirrored(world, folder)
            monkeypatch.chdir(folder)
            words = [value if word is None else word for word in place.words]
            if problem := judged(words):
                shown = [word if len(word) < 80 else f"{word[:60]}...({len(word)})" for word in [command, *words]]
                wrong.append(f"{shown!r}\n    {problem}")
    assert not wrong, f"{len(wrong)} values:\n" + "\n".join(wrong[:30])


def mirrored(world: Path, folder: Path) -> None:
    """A folder of links to the files of the world, with a log of its own."""
    folder.mkdir()
    for path in world.iterdir():
        if path.name != "club.db":
            (folder / path.name).symlink_to(path)
    shutil.copy(world / "club.db", folder / "club.db")
