"""Plugins that raise, return garbage, call `sys.exit` or bear odd names: each is named, and everything else works."""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.errors import BrokenContract, PluginFails
from tests.cli.conftest import Run, club, run  # noqa: F401  # fixtures
from tests.registry.foreign import announced

_NUMBER = count()

METHOD = """\
import sys
from math import inf, nan
from types import SimpleNamespace

import numpy as np
from attrs import field, frozen
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Rated, State, hookimpl


@frozen
class Odd(Method):
    name = "odd"
    cadence = Cadence.CONTINUOUS
    k: float = field(default=2.0)

    def columns(self):
        return (Column("rating", 0.0),)

    def rate(self, state, games):
        zero = np.zeros(len(games))
        return Rated(state, zero, (zero, zero))

    def expected(self, state, games):
        return Forecast(np.full(len(games), 0.5))

{inside}


@hookimpl
def ratingcore_methods():
    return [Odd]


{after}
"""

Plug = Callable[..., str]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Installs a plugin whose method has this further text; gives its name."""
    monkeypatch.syspath_prepend(tmp_path / "modules")

    def install(inside: str = "", after: str = "", whole: str = "") -> str:
        name = f"odd{next(_NUMBER)}"
        lines = "\n".join(f"    {line}" for line in inside.splitlines())
        announced(tmp_path / "modules", name, whole or METHOD.format(inside=lines, after=after))
        return name

    yield install
    for module in [module for module in sys.modules if module.startswith("league_odd")]:
        del sys.modules[module]


def broken(run: Run, name: str) -> str:  # noqa: F811  # the fixture, handed on
    rows = {row["name"]: row for row in json.loads(run("plugins", "--format", "json").out)}
    assert not rows["elo"]["broken"]
    return str(rows[name]["broken"])


def others_work(run: Run) -> None:  # noqa: F811  # as above
    assert run("list", "club.db", "--method", "elo").code == 0
    assert "elo" in {row["name"] for row in json.loads(run("methods", "--format", "json").out)}
    assert run("readers").code == run("--help").code == 0


@pytest.mark.parametrize(
    ("hook", "given", "why"),
    [
        ("methods", "None", "TypeError: ratingcore_methods returned None, not a list of methods"),
        ("methods", "7", "TypeError: ratingcore_methods returned a int, not a list of methods"),
        ("methods", "['elo']", "TypeError: 'elo' is not a Method"),
        ("methods", "[Method]", "is not a method that can be made"),
        ("methods", "[Odd, Odd]", "ValueError: two methods are named odd"),
        ("methods", "sys.exit(0)", "SystemExit: 0"),
        ("methods", "1 / 0", "ZeroDivisionError: division by zero"),
        ("readers", "[print]", "TypeError: ratingcore_readers returned a list, not a dictionary of readers"),
        ("readers", "{'x': 7}", "TypeError: the reader x is a int, neither a Reader nor a function"),
        ("readers", "{'\\x1b[2Jx': print}", "the name of a reader cannot be typed"),
        ("readers", "{7: print}", "the name of a reader cannot be typed"),
    ],
)  # fmt: skip
def test_a_hook_that_fails_or_returns_garbage_is_named(
    run: Run, club: Path, plug: Plug, hook: str, given: str, why: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    name = plug(after=f"@hookimpl\ndef ratingcore_{hook}():\n    return {given}\n")
    told = broken(run, name)
    assert why in told
    assert told.isprintable()
    others_work(run)


@pytest.mark.parametrize(
    "text",
    [
        "raise SystemExit",
        "raise GeneratorExit",
        "raise BaseException('odd')",
        "class Bad(Exception):\n    def __str__(self):\n        raise ValueError\nraise Bad",
        "raise ValueError('\\x1b[2J\\u202e\\n' * 1000)",
    ],
)
def test_a_module_that_does_not_load_is_named_in_printable_words(
    run: Run, club: Path, plug: Plug, text: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    told = broken(run, plug(whole=text))
    assert told.isprintable()
    assert 0 < len(told) < 500
    others_work(run)


@pytest.mark.parametrize(
    "declared",
    [
        "name = '\\x1b[31modd'",
        "name = 'o\\u202edd'",
        "name = 'o dd'",
        "name = 'o' * 41",
        "name = ''",
        "name = 7",
        "name = 'Ödd'",
        "formula = 'one'",
        "formula = 0",
        "reads = int",
        "presets = 7",
        "presets = {'\\x07': {}}",
        "ķ: float = field(default=1.0)",
    ],
)
def test_a_method_that_declares_what_cannot_be_typed_is_refused(
    run: Run, club: Path, plug: Plug, declared: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    told = broken(run, plug(declared))
    assert told.startswith(("ValueError", "TypeError"))
    assert told.isprintable()
    others_work(run)


@pytest.mark.parametrize("how", ["sys.exit(0)", "1 / 0", "raise GeneratorExit", "raise BaseException('x')", "[][7]"])
@pytest.mark.parametrize(
    "where",
    ["def rate(self, state, games)", "def show(self, state, at)", "def columns(self)", "@property\ndef needs(self)"],
)
def test_a_method_that_fails_is_named_and_so_is_its_plugin(
    run: Run, club: Path, plug: Plug, where: str, how: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    name = plug(f"{where}:\n    {how if how.startswith('raise') else f'return {how}'}")
    code, out, err = run("list", "club.db", "--method", "odd")
    assert (code, out) == (1, "")
    assert err.startswith("error: the plugin of odd (module league_") or f"the plugin {name} (league-{name} 1.0)" in err
    assert "should not happen" not in err
    others_work(run)
    with open_log(club) as engine, pytest.raises(PluginFails):
        engine.rating_list("rapid", "odd")


@pytest.mark.parametrize("where", ["__attrs_post_init__(self)", "expected(self, state, games)"])
def test_a_method_that_ends_the_process_elsewhere_is_named_too(
    run: Run, club: Path, plug: Plug, where: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    name = plug(f"def {where}:\n    sys.exit(0)")
    code, out, err = run("expect", "1500", "1600", "--method", "odd")
    assert (code, out) == (1, "")
    assert err.startswith("error: the plugin o")
    assert f"league{'-' if where.startswith('__') else '_'}{name}" in err
    assert "SystemExit: 0" in err
    others_work(run)


@pytest.mark.parametrize(
    "inside",
    [
        "cadence = 'weekly'",
        "cadence = Cadence.PERIODIC",
        "period = 'month'",
        "needs = 7",
        "needs = ('home',)",
        "def columns(self): return None",
        "def columns(self): return ('rating',)",
        "def columns(self): return (Column('rating', 0.0), Column('rating', 0.0))",
        "def columns(self): return (Column('rating', 'high'),)",
        "def columns(self): return (Column('rating', 0.0), Column('\\x1b[2J', 0.0))",
        "def columns(self): return (Column('rating', 0.0), Column('a b', 0.0))",
        "def columns(self): return (Column('rating', 0.0), Column('o' * 61, 0.0))",
        "def show(self, state, at): return None",
        "def show(self, state, at): return {}",
        "def show(self, state, at): return {'rating': [1.0]}",
        "def show(self, state, at): return {'rating': np.zeros(9)}",
        "def show(self, state, at): return {'rating': np.full(len(state['rating']), inf)}",
        "def show(self, state, at): return {'rating': np.full(len(state['rating']), 'x')}",
        "def show(self, state, at): return {'rating': state['rating'], 'o\\u202e': state['rating']}",
        "def rate(self, state, games): return None",
        "def rate(self, state, games): return Rated(state, np.full(len(games), 'x'), (games.score,) * 2)",
        "def rate(self, state, games): return Rated(State({'rating': np.zeros(1)}), games.score, (games.score,) * 2)",
    ],
)
def test_what_no_method_may_answer_breaks_the_contract_by_name(
    run: Run, club: Path, plug: Plug, inside: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug(inside)
    code, out, err = run("list", "club.db", "--method", "odd")
    assert (code, out) == (1, "")
    assert err.startswith("error: odd breaks the method contract: ")
    assert err.replace("\n", "").isprintable()
    others_work(run)
    with open_log(club) as engine, pytest.raises(BrokenContract):
        engine.rating_list("rapid", "odd")


def test_garbage_is_named_by_questions_that_make_no_list_too(
    run: Run, club: Path, plug: Plug  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug("def expected(self, state, games): return None\ndef fit(self, replay, what=()): return 7")
    assert run("expect", "1500", "1600", "--method", "odd").err.startswith("error: the plugin of odd (module league_")
    assert run("fit", "club.db", "--method", "odd").err.startswith("error: odd breaks the method contract: fit must ")


def test_an_error_whose_text_is_no_text_is_named_by_its_kind(
    run: Run, club: Path, plug: Plug  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug("def rate(self, state, games):\n    class Bad(Exception):\n        __str__ = lambda self: 7\n    raise Bad")
    for command in ("list", "catch-up"):
        code, _, err = run(command, "club.db", "--method", "odd")
        assert code == 1
        assert "Bad: its text cannot be read" in err
        assert "Traceback" not in err


COLUMNS = """
def columns(self):
    from random import random
    return (Column("rating", 0.0), Column(f"x{str(random())[2:]}", 0.0))"""


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("def rate(self, state, games): return None", "a continuous method must return Rated, not NoneType"),
        ("def rate(self, state, games): return Rated(7, games.score, (games.score,) * 2)", "the state is a int"),
        ("def expected(self, state, games): return None", "expected must return a Forecast, not NoneType"),
        (
            "cadence = Cadence.PERIODIC\nfrom ratingcore.plugin import Period\nperiod = Period('months', 1)\n"
            "def expected(self, state, games): return 7", "expected must return a Forecast, not int",
        ),
        (
            "cadence = Cadence.RETROSPECTIVE\ndef rate(self, state, games): return None",
            "a retrospective method must return Solved, not NoneType",
        ),
    ],
)  # fmt: skip
def test_a_comparison_names_what_a_method_may_not_answer(
    run: Run, club: Path, plug: Plug, inside: str, why: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug(inside)
    code, out, err = run("compare", "club.db", "--method", "odd", "--method", "elo", "--format", "json")
    assert (code, [row["method"] for row in json.loads(out)]) == (0, ["elo"])
    assert f"odd breaks the method contract: {why}" in err


@pytest.mark.parametrize("question", ["player", "impact"])
@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (COLUMNS, "its columns change from call to call"),
        ("def show(self, state, at): return None", "show must return columns by name"),
    ],
)
def test_questions_about_a_player_name_what_a_method_may_not_show(
    run: Run, club: Path, plug: Plug, question: str, inside: str, why: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug(inside)
    asked = "ann" if question == "player" else json.loads(run("log", "club.db", "--format", "json").out)[0]["uid"]
    code, _, err = run(question, "club.db", asked, "--method", "odd")
    assert code == 1
    assert err.startswith(f"error: odd breaks the method contract: {why}")


@pytest.mark.parametrize(
    ("reader", "why"),
    [
        ("lambda path: None", "it returned NoneType, not events"),
        ("lambda path: 7", "it returned int, not events"),
        ("lambda path: 'abc'", "number 1 is of str, not an event"),
        ("lambda path: [None]", "number 1 is of NoneType, not an event"),
        ("lambda path: 1 / 0", "ZeroDivisionError: division by zero"),
        ("lambda path: sys.exit(0)", "SystemExit: 0"),
        ("lambda path: (sys.exit(0) for _ in 'x')", "SystemExit: 0"),
        ("lambda: []", "TypeError"),
    ],
)
def test_a_reader_that_fails_or_makes_no_events_is_named_and_nothing_is_imported(
    run: Run, club: Path, plug: Plug, reader: str, why: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    plug(after=f"@hookimpl\ndef ratingcore_readers():\n    return {{'odd': {reader}}}\n")
    Path("file.odd").write_text("x")
    code, out, err = run("import", "club.db", "file.odd", "--reader", "odd", "--pool", "rapid")
    assert (code, out) == (1, "")
    assert err.startswith("error: the plugin ")
    assert "odd" in err.splitlines()[0]
    assert why in err
    others_work(run)
    assert run("verify", "club.db").err.startswith("5 events")


@pytest.mark.parametrize(
    ("whole", "why"),
    [
        ("", "ValueError: it registers nothing: no function of it is one of the hooks ratingcore_erasers"),
        ("def ratingcore_methods(): return []", "ratingcore_methods is not marked as a hook: put @hookimpl above it"),
        ("@hookimpl\ndef ratingcore_method(): return []", "is not a hook: did you mean ratingcore_methods?"),
        ("def ratingcore_reader(): return {}", "ratingcore_reader is not a hook: did you mean ratingcore_readers?"),
        ("@hookimpl\ndef ratingcore_xyz(): return []", "ratingcore_xyz is not a hook: there are ratingcore_erasers, "),
        ("@hookimpl\ndef ratingcore_commands(): return []", "entry points of the group ratingcore.commands"),
    ],
)
def test_a_plugin_that_registers_nothing_or_misspells_a_hook_is_named(
    run: Run, club: Path, plug: Plug, whole: str, why: str  # noqa: F811  # fixtures
) -> None:  # fmt: skip
    assert why in broken(run, plug(whole=f"from ratingcore.plugin import hookimpl\n{whole}\n"))
    others_work(run)


def test_a_users_ctrl_c_stays_one(run: Run, club: Path, plug: Plug) -> None:  # noqa: F811  # fixtures
    plug("def rate(self, state, games):\n    raise KeyboardInterrupt")
    with open_log(club) as engine, pytest.raises(KeyboardInterrupt):
        engine.rating_list("rapid", "odd")
    assert "interrupted" in run("list", "club.db", "--method", "odd").err


def test_the_check_of_a_method_that_ends_the_process_fails(run: Run, plug: Plug) -> None:  # noqa: F811  # fixtures
    plug("def rate(self, state, games):\n    sys.exit(0)")
    code, out, _ = run("check", "odd")
    assert code == 1
    assert "SystemExit" in out
