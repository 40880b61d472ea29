"""The kit accepts honest methods of every form, in several settings, and says why a law is silent."""

import subprocess
import sys

import pytest
from attrs import frozen
from ratingcore_elo import Elo
from ratingcore_elo_margin import EloMargin

from ratingcore.errors import BadResult, BadValue
from ratingcore.methods import kernels
from ratingcore.plugin import Games, Method, Period, Rated, State
from ratingcore.registry import Registry
from ratingcore.testing import LAWS, Law, check_method, method_checks, settings
from ratingcore.testing.check import judged
from tests.testing.liars import Honest, Lumping, White
from tests.testing.toys import TOYS, Rivals

BY_NAME = {law.name: law for law in LAWS}


@method_checks(*TOYS)
def test_toys_of_every_form_keep_the_laws(law: Law, method: Method) -> None:
    law(method)


def test_names_of_laws_are_told_apart_and_have_sentences() -> None:
    assert len(BY_NAME) == len(LAWS)
    assert all(law.sentence and law.sentence[0].isupper() for law in LAWS)


@pytest.mark.parametrize("text", ["elo:entry=trial(15)", "elo:period=month,entry=mean"])
def test_methods_whose_newcomers_enter_by_a_rule_keep_the_laws(text: str) -> None:
    """The laws looked at the wrapper in place of the method: `parameter k is unknown`."""
    report = check_method(Registry.installed().method(text), further=())
    assert [line for line in report.lines() if line.startswith("FAILED")] == []


def test_a_rule_with_a_history_is_checked_step_by_step() -> None:
    book = Registry.installed().method("elo then elo:k=40 from 2024-03-05")
    with pytest.raises(BadValue, match=r"is a rule with a history: check its steps one by one: 'elo, elo:k=40.0'"):
        check_method(book)
    with pytest.raises(BadValue, match="refuses newcomers, which all seasons of the check have"):
        check_method(Registry.installed().method("elo:entry=refuse"))


def test_settings_are_presets_words_switches_and_a_period() -> None:
    every = settings(EloMargin(k=24.0))
    assert every[0] == EloMargin(k=24.0)
    assert {EloMargin(**values) for values in EloMargin.presets.values()} <= set(every)
    assert EloMargin(k=24.0, margin="none") in every
    assert EloMargin(k=24.0, importance=True) in every
    assert Elo(k=24.0, period=Period.parse("month")) in settings(Elo(k=24.0))


# the report


def test_a_report_has_a_line_a_law_and_passes() -> None:
    report = check_method(Elo(k=24.0))
    assert report.passed, "\n".join(report.lines())
    assert report.settings[0] == "elo:k=24.0"
    assert len(report.lines()) == len(LAWS)
    assert report.lines()[0].split()[:2] == ["ok", "value"]


def test_a_law_that_does_not_apply_says_why() -> None:
    lines = check_method(Honest(), further=()).lines()
    assert "does not apply  permutation  the method is continuous" in lines


def test_a_failure_is_told_with_its_setting_and_example() -> None:
    report = check_method(Honest(), further=[White(k=30.0)])
    assert not report.passed
    (line,) = [line for line in report.lines() if line.startswith("FAILED")]
    assert line.startswith("FAILED          symmetry     with the sides turned round: rating of p")
    assert "seen in 1 event: " in line
    assert line.endswith("[honest:k=30.0]")


# excuses


@frozen
class Excused(Lumping):
    """Lumps together, and says so."""

    excuses = {"slicing": "games of a call are rated together", "seeds": "the same"}  # noqa: RUF012  # as authors write it


@frozen
class Overcautious(Honest):
    """Excuses itself for nothing."""

    excuses = {"slicing": "who knows"}  # noqa: RUF012  # as authors write it


@frozen
class Misspelt(Honest):
    """Excuses itself from a law that there is not."""

    excuses = {"slice": "who knows"}  # noqa: RUF012  # as authors write it


def test_an_excuse_is_shown_with_its_reason() -> None:
    report = check_method(Excused(), further=())
    assert report.passed
    assert "excused         slicing      games of a call are rated together" in report.lines()


def test_an_excuse_that_is_not_needed_is_a_failure() -> None:
    result = judged(BY_NAME["slicing"], Overcautious())
    assert (result.verdict, result.words) == ("FAILED", "excuse no longer needed: who knows")


def test_an_excuse_from_no_law_is_a_failure() -> None:
    report = check_method(Misspelt(), further=())
    assert not report.passed
    assert report.lines()[0].startswith("FAILED          slice        there is no such law")
    with pytest.raises(ValueError, match="no such law to be excused from: slice"):
        method_checks(Misspelt())


def test_under_pytest_an_excuse_is_an_expected_failure() -> None:
    cases = {case.id: case for case in method_checks(Rivals()).args[1]}
    assert [mark.name for mark in cases["relabelling-rivals"].marks] == ["xfail"]
    assert cases["relabelling-rivals"].marks[0].kwargs["strict"] is True
    assert not cases["slicing-rivals"].marks


# what is drawn, and what is not needed


@frozen
class Decisive(Honest):
    """Refuses every result but a win."""

    def rate(self, state: State, games: Games) -> Rated:
        for g in range(len(games)):
            if 0.0 < games.score[g] < 1.0:
                raise BadResult(self.name, f"position {games.position[g]}", "is not a win")
        return super().rate(state, games)


@frozen
class Sulking(Honest):
    """Refuses everything."""

    def rate(self, state: State, games: Games) -> Rated:
        raise BadResult(self.name, "any position", "no")


def test_a_method_that_refuses_draws_is_given_none() -> None:
    assert check_method(Decisive(), further=()).passed


def test_a_method_that_refuses_everything_fails() -> None:
    result = judged(BY_NAME["slicing"], Sulking())
    assert (result.verdict, result.words[:20]) == ("FAILED", "it refuses results: ")


def test_without_numba_the_law_of_compiling_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratingcore.testing.laws.extremes.has_numba", lambda: False)
    result = judged(BY_NAME["compiled"], Elo())
    assert (result.verdict, result.words) == ("does not apply", "numba is not installed")


def test_checking_leaves_kernels_as_they_were() -> None:
    was = kernels.Kernel.__call__
    BY_NAME["compiled"](Elo())
    assert kernels.Kernel.__call__ is was


def test_checking_needs_neither_pytest_nor_hypothesis() -> None:
    program = (
        "import sys; sys.modules |= dict.fromkeys(('pytest', 'hypothesis'));"
        "from ratingcore.testing import check_method; from ratingcore_elo import Elo;"
        "sys.exit(not check_method(Elo(), further=()).passed)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
