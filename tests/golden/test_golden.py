"""The runner of golden cases: published numbers pass, wrong ones fail, malformed files say so."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.__main__ import VECTORS, main
from tests.golden.cases import Case, read_cases
from tests.golden.comparing import differences
from tests.golden.running import BUILT, answer

CASE = {
    "id": "elo.expected/x",
    "method": "elo.expected",
    "input": {"diff": 400, "curve": "table", "cap": None},
    "expected": {"e": 0.92},
    "tol": 1e-9,
}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write_cases(*cases: Any) -> str:
        path = tmp_path / "cases.json"
        path.write_text(json.dumps({"schema": 1, "cases": cases}))
        return str(path)

    return write_cases


ANSWERED = [case for case in read_cases(VECTORS) if case.method in BUILT]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
def test_published_number(case: Case) -> None:
    assert list(differences(answer(case), case.expected, case.tol)) == []


@pytest.mark.parametrize(
    ("method", "given", "wanted"),
    [
        ("elo.period", {"rating": 1800, "games": []}, {"delta": 0.0, "new": 1800.0}),
        ("fide.period", {"rating": 1800, "games": []}, {"change": 0.0, "new": 1800.0}),
        ("dwz", {"rating": 1600.4, "e": 15, "games": []}, {"expected": 0.0, "new": 1600.4}),
        ("uscf", {"rating": 1500, "games_before": 6, "games": []}, {"new": 1500, "k": None}),
        ("glicko", {"r": 1500, "rd": 61, "games": [], "c": 63.2, "t": 5}, {"r": 1500.0, "rd": 153.922708}),
        ("glicko2", {"r": 1500, "rd": 200, "vol": 0.06, "games": []}, {"r": 1500.0, "rd": 200.271417}),
        ("thesis.sequence", {"games": []}, {"ratings": []}),
        ("whr", {"games": []}, {"nodes": []}),
        ("ttt", {"games": []}, {"nodes": []}),
        ("bt.mle", {"points": [[0, 0], [0, 0]]}, {"status": "reducible"}),
        (
            "elommr.sequence",
            {"players": [[1500, 350]], "rounds": [[None]]},
            {"players": [{"mu": 1500.0, "sig": 350.0}]},
        ),
        ("bridge.sequence", {"players": [[1500, 40000]], "boards": []}, {"means": [1500.0], "vars": [40000.0]}),
    ],
)
def test_without_games_ratings_stay_and_deviations_grow(method: str, given: Any, wanted: Any) -> None:
    """Glickman's formulas: RD 61 five periods idle at c = 63.2 is 153.922708; a period adds sigma^2 in Glicko-2."""
    assert list(differences(answer(Case("without", method, given, wanted, 1e-8)), wanted, 1e-8)) == []


def test_the_shipped_file_passes_and_names_what_is_not_built(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "elo.game              12 cases    12 passed     0 failed     0 not built" in out
    assert out.count("\n") == 1 + len({case.method for case in read_cases(VECTORS)})


def test_every_elo_case_has_a_method_that_answers_it() -> None:
    assert {case.method for case in read_cases(VECTORS) if case.method.startswith("elo.")} <= set(BUILT)


def test_a_wrong_number_fails_with_id_key_got_and_expected(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(CASE, {**CASE, "id": "wrong", "expected": {"e": 0.93}})]) == 1
    out = capsys.readouterr().out
    assert "2 cases     1 passed     1 failed" in out
    assert "wrong  e: got 0.92, expected 0.93" in out


def test_a_key_nobody_computes_fails(write: Any) -> None:
    assert main([write({**CASE, "expected": {"elo": 1.0}})]) == 1


def test_a_method_that_is_not_built_is_no_failure(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write({**CASE, "method": "nobody.knows"})]) == 0
    assert "1 not built" in capsys.readouterr().out


def test_a_refusal_of_the_method_is_a_failure_that_says_why(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write({**CASE, "input": {"diff": 0, "curve": "crooked"}})]) == 1
    assert "must be one of logistic, normal, table, davidson: 'crooked'" in capsys.readouterr().out


@pytest.mark.parametrize(
    "case",
    [
        pytest.param({**CASE, "input": {"curve": "table"}}, id="a key is missing"),
        pytest.param({**CASE, "input": {"diff": None}}, id="a needed key is null"),
        pytest.param({**CASE, "input": {"diff": 1, "dif": 2}}, id="a key is unknown"),
        pytest.param({**CASE, "input": {"diff": "far"}}, id="a text stands for a number"),
        pytest.param({key: value for key, value in CASE.items() if key != "tol"}, id="no tolerance"),
        pytest.param({**CASE, "expected": 0.92}, id="expected is not an object"),
        pytest.param("elo.expected/x", id="the case is not an object"),
    ],
)
def test_a_malformed_case_gives_2_and_a_message(case: Any, write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(CASE, case)]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 2, "cases": []}', '{"schema": 1}', "{"])
def test_a_malformed_file_gives_2_and_a_message(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text)
    assert main([str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_no_file_gives_2_and_the_worst_of_several_counts(write: Any, tmp_path: Path) -> None:
    assert main([write(CASE), str(tmp_path / "none.json")]) == 2


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (1.0, 1.0 + 2e-9), (1e6, 1e6 + 1e-2), ("a", "b"), (None, 1.0), (1.0, None), ([1.0], [1.0, 2.0]),
        ({"x": [{"y": 1.0}]}, {"x": [{"y": 2.0}]}), (float("nan"), 1.0), (1, True),
    ],
)  # fmt: skip
def test_values_differ(got: Any, expected: Any) -> None:
    assert list(differences(got, expected, 1e-9))


@pytest.mark.parametrize(
    ("got", "expected"),
    [(1.0, 1.0 + 5e-10), (1e6, 1e6 + 5e-4), (1, 1.0), ("a", "a"), (None, None), ({"x": 1, "y": 2}, {"y": 2})],
)
def test_values_are_the_same(got: Any, expected: Any) -> None:
    assert not list(differences(got, expected, 1e-9))
