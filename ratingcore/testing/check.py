"""Checks a method against every law: chooses the settings to try, and reports one line per law or cases for pytest."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import attrs
from attrs import field, frozen

from ratingcore.errors import BadParameter, BadValue
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.text import identity, parameters, text_of
from ratingcore.testing.law import DoesNotApply, Law, LawBroken
from ratingcore.testing.laws import LAWS

if TYPE_CHECKING:
    import pytest


def settings(method: Method) -> list[Method]:
    """Returns the settings to check: the method, its presets, and the method with one word, switch or period changed.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> texts = [brief(other) for other in settings(Elo(k=40.0))]
    >>> texts[0], texts[-1]
    ('elo:k=40.0', 'elo:k=40.0,period=month')
    """
    distinct = {identity(method): method}
    others: list[tuple[Callable[..., Method], Mapping[str, object]]] = [
        (type(method), values) for values in method.presets.values()
    ]
    others += [(partial(attrs.evolve, method), values) for values in _changes(method)]
    for make, values in others:
        try:
            other = make(**values)
        except BadParameter:  # not valid together with the other parameters
            continue
        distinct.setdefault(identity(other), other)
    return list(distinct.values())


def _changes(method: Method) -> Iterator[dict[str, object]]:
    for parameter in attrs.fields(type(method)):  # type: ignore[arg-type]  # methods are attrs classes
        given = getattr(method, parameter.name)
        options = get_args(parameter.type) if isinstance(parameter.type, UnionType) else (parameter.type,)
        for option in options:
            if option is bool:
                yield {parameter.name: not given}
            elif option is Period and given is None:
                yield {parameter.name: Period.parse("month")}
            elif get_origin(option) is Literal:
                yield from ({parameter.name: word} for word in get_args(option) if word != given)


def brief(method: Method) -> str:
    """Returns a method text with only the parameters that differ from their defaults.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> brief(Elo()), brief(Elo(k=40.0))
    ('elo', 'elo:k=40.0')
    """
    try:
        defaults = parameters(type(method)())
    except Exception:  # a parameter has no default, or the class is broken: name all parameters
        defaults = {}
    spelt = [f"{name}={text}" for name, text in parameters(method).items() if defaults.get(name) != text]
    return f"{method.name}:{','.join(spelt)}" if spelt else method.name


@frozen
class Verdict:
    """The result of checking one setting of a method against a law."""

    law: str
    setting: str
    verdict: Literal["ok", "excused", "FAILED", "does not apply"]
    words: str


@frozen
class CheckReport:
    """The results of checking a method against all laws.

    Parameters
    ----------
    method : str
        The method as it was given.
    results : tuple of Verdict
        One verdict for each law and setting.
    """

    method: str
    results: tuple[Verdict, ...]
    sentences: dict[str, str] = field(factory=dict, repr=False)

    @property
    def passed(self) -> bool:
        """True if no law failed: the method keeps every law that applies and from which it is not excused."""
        return all(result.verdict != "FAILED" for result in self.results)

    @property
    def settings(self) -> tuple[str, ...]:
        """The checked settings, the given one first."""
        return tuple(dict.fromkeys(result.setting for result in self.results if result.setting))

    def lines(self) -> list[str]:
        """Returns one line per law: ok, excused (why), FAILED (what, where), or does not apply (why)."""
        by_law: dict[str, list[Verdict]] = {}
        for result in self.results:
            by_law.setdefault(result.law, []).append(result)
        return [self._line(law, results) for law, results in by_law.items()]

    def _line(self, law: str, results: list[Verdict]) -> str:
        verdicts = ("FAILED", "ok", "excused", "does not apply")
        worst = min(results, key=lambda result: verdicts.index(result.verdict))
        words = self.sentences.get(law, "") if worst.verdict == "ok" else worst.words
        where = f" [{worst.setting}]" if worst.verdict == "FAILED" and worst.setting not in ("", self.method) else ""
        return f"{worst.verdict:<15} {law:<12} {words}{where}"


def check_method(
    method: Method, further: Iterable[Method] | None = None, progress: Callable[[str], None] = lambda setting: None
) -> CheckReport:
    """Checks a method against every law of the kit.

    Parameters
    ----------
    method : Method
    further : iterable of Method or None
        Other settings to check; None derives them, as `settings` does.
    progress : callable
        Called with each setting before it is checked.

    Returns
    -------
    CheckReport

    Raises
    ------
    BadValue
        If it is a rule with a history, whose steps must be checked one by one, or if it refuses newcomers.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> report = check_method(Elo(k=24.0), further=())
    >>> report.passed, report.lines()[0]
    (True, 'ok              value        A method is a frozen value: equal parameters make equal methods')
    """
    if isinstance(method, Book):
        why = "is a rule with a history: check its steps one by one"
        raise BadValue("method", ", ".join(dict.fromkeys(brief(step) for step, _ in method.steps)), why)
    if isinstance(method, Entering) and method.entry.kind == "refuse":
        raise BadValue("method", text_of(method), "refuses newcomers, which all seasons of the check have")
    every = settings(method) if further is None else [method, *further]
    results = list(_unknown_excuses(method))
    for setting in every:
        progress(brief(setting))
        results += [judged(law, setting) for law in LAWS]
    return CheckReport(brief(method), tuple(results), {law.name: law.sentence for law in LAWS})


def judged(law: Law, method: Method) -> Verdict:
    """Checks a method against a law and returns the verdict; an excuse that is not needed counts as a failure."""
    setting, excuse = brief(method), method.excuses.get(law.name)
    try:
        law(method)
    except DoesNotApply as silent:
        return Verdict(law.name, setting, "does not apply", str(silent))
    except LawBroken as broken:
        if excuse is not None:
            return Verdict(law.name, setting, "excused", excuse)
        seen = f"; seen in {broken.example}" if broken.example else ""
        return Verdict(law.name, setting, "FAILED", f"{broken.what}{seen}")
    if excuse is not None:
        return Verdict(law.name, setting, "FAILED", f"excuse no longer needed: {excuse}")
    return Verdict(law.name, setting, "ok", law.sentence)


def _unknown_excuses(method: Method) -> Iterable[Verdict]:
    """Yields a failure for every excuse from a law that does not exist."""
    names = {law.name for law in LAWS}
    for name in method.excuses:
        if name not in names:
            yield Verdict(
                name, "", "FAILED", f"there is no such law to be excused from; there are {', '.join(sorted(names))}"
            )


def method_checks(*methods: Method) -> "pytest.MarkDecorator":
    """Decorator: runs a test that takes `law` and `method` for every law and each of these methods.

    If a method is excused from a law, the check must fail; an excuse that is no longer needed fails the test. A law
    that does not apply is skipped, with the reason.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> @method_checks(Elo(), Elo(k=40.0))
    ... def test_elo_keeps_the_laws(law, method):
    ...     law(method)
    """
    import pytest  # an extra, which the check on the command line does not need

    def case(law: Any, method: Method) -> Any:
        excuse = method.excuses.get(law.name)
        marks = [] if excuse is None else [pytest.mark.xfail(strict=True, raises=LawBroken, reason=excuse)]
        return pytest.param(law, method, id=f"{law.name}-{brief(method)}", marks=marks)

    strangers = {name for method in methods for name in method.excuses} - {law.name for law in LAWS}
    if strangers:
        raise ValueError(f"no such law to be excused from: {', '.join(sorted(strangers))}")
    return pytest.mark.parametrize(("law", "method"), [case(law, method) for method in methods for law in LAWS])
