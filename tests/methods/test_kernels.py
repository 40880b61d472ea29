"""Kernels: one loop, on lists and compiled, with the same outcome and its inputs untouched."""

from typing import Any

import numpy as np
import pytest

from ratingcore.methods import kernels
from ratingcore.methods.kernels import Kernel, has_numba, kernel

STEPS = [0.25, 0.5, 1.0]
needs_numba = pytest.mark.skipif(not has_numba(), reason="needs the extra fast")


@kernel
def half(x: float) -> float:
    return 0.5 * x


@kernel
def stepped(step: Any, total: Any, last: Any) -> int:
    """Adds up half of the steps that a table names; the index of the first step of 1, or -1."""
    running = 0.0
    found = -1
    for g in range(len(step)):
        running += half(STEPS[step[g]])
        total[g] = running
        last[step[g]][1] = running
        if STEPS[step[g]] == 1.0 and found < 0:
            found = g
    return found


def read_only(values: list[int]) -> Any:
    array = np.array(values, dtype=np.int32)
    array.flags.writeable = False
    return array


@pytest.fixture
def fresh() -> Kernel[..., int]:
    """The kernel as after import: it has done no work yet."""
    return Kernel(stepped.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper


def run(call: Any) -> tuple[Any, list[float], list[list[float]]]:
    total, last = np.zeros(3), np.zeros((3, 2))
    found = call(read_only([0, 2, 1]), total, last)
    return found, total.tolist(), last.tolist()


WANTED = (1, [0.125, 0.625, 0.875], [[0.0, 0.125], [0.0, 0.875], [0.0, 0.625]])


def test_on_lists_what_is_written_comes_back_and_a_number_is_returned(fresh: Kernel[..., int]) -> None:
    assert run(fresh) == WANTED
    assert "compiled" not in vars(fresh)


def test_on_lists_nothing_is_written_back_to_columns_without_rows(fresh: Kernel[..., int]) -> None:
    """`ValueError: could not broadcast input array from shape (0,) into shape (0,2)`."""
    assert fresh(read_only([]), np.zeros(0), np.zeros((0, 2))) == -1


@needs_numba
def test_compiled_it_does_the_same(fresh: Kernel[..., int]) -> None:
    assert run(fresh.compiled) == WANTED


@needs_numba
def test_work_that_repays_compiling_is_compiled(fresh: Kernel[..., int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "REPAYS_IMPORT", 6)
    monkeypatch.setattr(kernels, "REPAYS_COMPILING", 6)
    assert run(fresh) == WANTED
    assert "compiled" not in vars(fresh)
    assert run(fresh) == WANTED
    assert "compiled" in vars(fresh)


@needs_numba
def test_machine_code_on_disk_is_used_for_less_work(fresh: Kernel[..., int], monkeypatch: pytest.MonkeyPatch) -> None:
    """First lists of glicko2 in a new process took 5 seconds on lists, with machine code beside the source."""
    assert run(fresh.compiled) == WANTED  # and numba is imported
    again = kernel(fresh.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
    monkeypatch.setattr(kernels, "LEAST", 6)
    assert again.on_disk
    assert run(again) == WANTED
    assert "compiled" not in vars(again)
    assert run(again) == WANTED
    assert "compiled" in vars(again)


@needs_numba
def test_a_solver_that_turns_often_repays_compiling_on_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole-history ratings of 41,300 games took 83 seconds: the solver counted as one pass, and ran uncompiled."""
    monkeypatch.setattr(kernels, "REPAYS_IMPORT", 300)
    monkeypatch.setattr(kernels, "REPAYS_COMPILING", 300)
    for passes in (100, lambda *columns: 100):
        solver = kernel(passes=passes)(stepped.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
        assert run(solver) == WANTED
        assert "compiled" in vars(solver)


def test_without_numba_it_stays_on_lists(fresh: Kernel[..., int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "REPAYS_IMPORT", 0)
    monkeypatch.setattr(kernels, "REPAYS_COMPILING", 0)
    monkeypatch.setattr(kernels, "has_numba", lambda: False)
    assert run(fresh) == WANTED
    assert "compiled" not in vars(fresh)


def test_numbers_alone_are_a_call_of_the_function() -> None:
    assert half(3.0) == 1.5


def test_arguments_by_name_are_refused() -> None:
    with pytest.raises(TypeError, match="kernel half takes positional arguments only"):
        half(x=3.0)


def test_read_only_arrays_are_inputs() -> None:
    @kernel
    def overwrite(given: Any) -> None:
        given[0] = 9.0

    given = np.ones(2)
    given.flags.writeable = False
    overwrite(given)
    assert given.tolist() == [1.0, 1.0]


def test_it_keeps_the_name_and_the_sentence_of_its_function() -> None:
    assert stepped.__name__ == "stepped"  # type: ignore[attr-defined]  # by update_wrapper
    assert (stepped.__doc__ or "").startswith("Adds up half")


def test_the_digest_follows_code_tables_and_kernels_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest() -> str:
        made: Kernel[..., int] = Kernel(stepped.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
        return made.digest

    @kernel
    def third(x: float) -> float:
        return x / 3.0

    before = digest()
    assert digest() == before
    monkeypatch.setitem(globals(), "STEPS", [0.25, 0.5, 2.0])
    table = digest()
    monkeypatch.setitem(globals(), "half", third)
    assert len({before, table, digest()}) == 3
