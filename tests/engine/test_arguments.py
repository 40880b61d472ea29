"""Arguments of a wrong type: every method of the engine names the argument, or answers."""

import inspect
import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.engine.arguments import mistyped
from ratingcore.errors import BadValue, RatingCoreError

WRONG: tuple[Any, ...] = (None, 5, "x", [], object())


def valid(engine: rc.Engine, folder: Path) -> dict[str, dict[str, Any]]:
    """Arguments of every method with which it works, as far as it has any that are needed."""
    march = engine.rating_list("rapid", "elo")
    game = rc.GamePlayed(pool="rapid", played="2024-04-02", a="ann", b="bo", score=1.0)
    results = folder / "results.csv"
    results.write_text("played,a,b,score\n2024-05-02,ann,bo,1\n")
    rapid = {"pool": "rapid"}
    return {
        "pools": {},
        "record": {"events": (game,)}, "events": {}, "verify": {},
        "apply": {"plan": engine.plan.void("g-1")}, "void": {"uid": "g-1"},
        "revive": {"uid": "g-1"}, "amend": {"uid": "g-1", "changes": {"score": 0.5}},
        "merge": {"keep": "ann", "other": "cy"},
        "split": {"player": "ann", "into": "di", "since": "2024-03-02"},
        "rating_list": rapid | {"method": "elo"}, "publish": {"rating_list": march, "name": "April"},
        "published": {},
        "published_list": {"name": "March"}, "restated": {"name": "March"},
        "prove": {"document": march.document("json")},
        "tournament": rapid | {"method": "elo", "event": "Open"},
        "history": rapid | {"player": "ann", "method": "elo"}, "meetings": rapid | {"a": "ann", "b": "bo"},
        "peaks": rapid | {"method": "elo"},
        "with_columns": {"rating_list": march, "worth": "10"}, "explain": rapid | {"player": "ann", "method": "elo"},
        "compare": rapid | {"methods": ["elo", "elo:k=40"]},
        "tune": rapid | {"method": "elo", "grid": {"k": [10.0, 20.0]}},
        "fit": rapid | {"method": "elo"},
        "forecasts": rapid | {"method": "elo"}, "predict": rapid | {"method": "elo", "meetings": [("ann", "bo")]},
        "impact": {"of": "g-1"}, "moves": {"plan": []},
        "follow": {}, "deliver": {"connection": sqlite3.connect(":memory:")}, "erase": {"player": "cy"},
        "import_seeds": {"path": results, "pool": "rapid"},
        "import_file": {"what": results, "pool": "rapid"},
        "import_players": {"path": results, "pool": "rapid"},
        "games_on_lines": {"path": results, "lines": [2], "player": "ann"},
        "players": {}, "player": rapid | {"player": "ann"}, "rename": {"player": "ann", "called": "Ann"},
        "replay_pools": {"method": "elo"},
        "declare": {"pool": "cup"},
        "written": {"to": "results"},
        "export": {}, "load": {"lines": engine.export()},
        "what_if": {"events": [game]}, "within": {"connection": None}, "close": {},
    }  # fmt: skip


def game_row() -> dict[str, Any]:
    return {"played": "2024-05-02", "a": "ann", "b": "bo", "score": 1.0}


def methods() -> list[str]:
    """Every public method of an engine."""
    return [name for name, _ in inspect.getmembers(rc.Engine, inspect.isfunction) if name[0] != "_"]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[rc.Engine]:
    monkeypatch.chdir(tmp_path)
    with rc.open("club.db") as opened:
        days = (("g-1", "2024-03-02", "ann", "bo"), ("g-2", "2024-03-09", "bo", "cy"))
        for uid, day, a, b in days:
            opened.record(rc.GamePlayed(uid=uid, pool="rapid", played=day, a=a, b=b, score=1.0, data={"event": "Open"}))
        opened.publish(opened.rating_list("rapid", "elo"), name="March")
        yield opened


def complaint(ask: Callable[[], object], argument: str) -> str:
    """What is wrong with the answer to a call with a wrong argument; empty if nothing is."""
    try:
        answer = ask()
        if isinstance(answer, Iterator):
            list(islice(answer, 3))
    except RatingCoreError:
        return ""
    except (TypeError, ValueError) as error:
        return "" if argument in str(error) else f"{type(error).__name__}: {error}"
    except Exception as error:  # what is looked for
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("name", methods())
def test_an_argument_of_a_wrong_type_is_named(engine: rc.Engine, tmp_path: Path, name: str) -> None:
    given, complaints = valid(engine, tmp_path)[name], []
    for argument, parameter in list(inspect.signature(getattr(rc.Engine, name)).parameters.items())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        for wrong in WRONG:
            several = parameter.kind is parameter.VAR_POSITIONAL
            asked = given | {argument: (wrong,) if several else wrong}
            args = asked.pop("events") if name == "record" else ()
            told = complaint(lambda args=args, asked=asked: getattr(engine, name)(*args, **asked), argument)  # type: ignore[misc]  # mypy reads no defaults of a lambda
            if told:
                complaints.append(f"{argument}={wrong!r}: {told}")
    assert not complaints


def asked(
    part: object, name: str, count: int = 1, share: float = 0.5, many: "list[str] | None" = None,
    policy: "ListPolicy | None" = None, *rest: rc.GamePlayed, say: "Callable[[], object] | None" = None,  # type: ignore[name-defined]  # noqa: F821  # a name of annotations only
) -> None:  # fmt: skip
    """Takes one of each sort."""


@pytest.mark.parametrize(
    ("args", "options", "why"),
    [
        ((5,), {}, "name must be str, not int: 5"),
        (("ann", "x"), {}, "count must be int, not str: 'x'"),
        (("ann",), {"share": "x"}, "share must be float, not str: 'x'"),
        (("ann",), {"many": [5]}, "many must be list[str] | None, not list: [5]"),
        (("ann",), {"policy": {}}, "policy must be ListPolicy | None, not dict: {}"),
        (("ann",), {"say": 5}, "say must be Callable[[], object] | None, not int: 5"),
        (("ann", 1, 0.5, None, None, []), {}, "rest must be GamePlayed, not list: []"),
    ],
)
def test_the_first_argument_that_does_not_fit_is_named(
    args: tuple[Any, ...], options: dict[str, Any], why: str
) -> None:
    found = mistyped(asked, None, args, options)
    assert isinstance(found, BadValue)
    assert str(found) == why


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (("ann", np.int64(3), np.float64(0.5), ["bo"]), {"say": print}),
        (("ann",), {"policy": rc.ListPolicy()}),
        ((), {}),
        (("ann",), {"unknown": 1}),
    ],
)
def test_arguments_that_fit_or_are_missing_are_not_named(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    assert mistyped(asked, None, args, options) is None
