"""The check of a method: every law on several settings, and a report with one line a law."""

from collections.abc import Callable, Iterable
from typing import Literal

from attrs import field, frozen

from ratingcore.methods.contract import Method
from ratingcore.testing.law import DoesNotApply, Law, LawBroken
from ratingcore.testing.laws import LAWS
from ratingcore.testing.settings import brief, settings


@frozen
class Result:
    """The verdict of a law on one setting of a method."""

    law: str
    setting: str
    verdict: Literal["ok", "excused", "FAILED", "does not apply"]
    words: str


@frozen
class Report:
    """The verdicts of all laws on a method.

    Parameters
    ----------
    method : str
        The method as it was given.
    results : tuple of Result
        One for each law and setting.
    """

    method: str
    results: tuple[Result, ...]
    sentences: dict[str, str] = field(factory=dict, repr=False)

    @property
    def passed(self) -> bool:
        """Whether the method keeps every law that applies and is not excused."""
        return all(result.verdict != "FAILED" for result in self.results)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that were checked, the given one first."""
        return tuple(dict.fromkeys(result.setting for result in self.results if result.setting))

    def lines(self) -> list[str]:
        """One line a law: ok, excused (why), FAILED (what, where), or does not apply (why)."""
        by_law: dict[str, list[Result]] = {}
        for result in self.results:
            by_law.setdefault(result.law, []).append(result)
        return [self._line(law, results) for law, results in by_law.items()]

    def _line(self, law: str, results: list[Result]) -> str:
        verdicts = ("FAILED", "ok", "excused", "does not apply")
        worst = min(results, key=lambda result: verdicts.index(result.verdict))
        words = self.sentences.get(law, "") if worst.verdict == "ok" else worst.words
        where = f" [{worst.setting}]" if worst.verdict == "FAILED" and worst.setting not in ("", self.method) else ""
        return f"{worst.verdict:<15} {law:<12} {words}{where}"


def check_method(
    method: Method, further: Iterable[Method] | None = None, told: Callable[[str], None] = lambda setting: None
) -> Report:
    """Checks a method by every law of the kit.

    Parameters
    ----------
    method : Method
    further : iterable of Method or None
        Other settings to check; None derives them: presets, words, switches, a period.
    told : callable
        Called with each setting before it is checked.

    Returns
    -------
    Report

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> report = check_method(Elo(k=24.0), further=())
    >>> report.passed, report.lines()[0]
    (True, 'ok              value        A method is a frozen value: like ones are equal, and none can be changed')
    """
    every = settings(method) if further is None else [method, *further]
    results = list(_strangers(method))
    for setting in every:
        told(brief(setting))
        results += [judged(law, setting) for law in LAWS]
    return Report(brief(method), tuple(results), {law.name: law.sentence for law in LAWS})


def judged(law: Law, method: Method) -> Result:
    """The verdict of a law on a method; an excuse that is not needed fails."""
    setting, excuse = brief(method), method.excuses.get(law.name)
    try:
        law(method)
    except DoesNotApply as silent:
        return Result(law.name, setting, "does not apply", str(silent))
    except LawBroken as broken:
        if excuse is not None:
            return Result(law.name, setting, "excused", excuse)
        seen = f"; seen in {broken.example}" if broken.example else ""
        return Result(law.name, setting, "FAILED", f"{broken.what}{seen}")
    if excuse is not None:
        return Result(law.name, setting, "FAILED", f"excuse no longer needed: {excuse}")
    return Result(law.name, setting, "ok", law.sentence)


def _strangers(method: Method) -> Iterable[Result]:
    """Failures for excuses from laws that do not exist."""
    names = {law.name for law in LAWS}
    for name in method.excuses:
        if name not in names:
            yield Result(
                name, "", "FAILED", f"there is no such law to be excused from; there are {', '.join(sorted(names))}"
            )
