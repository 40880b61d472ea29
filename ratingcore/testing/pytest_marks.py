"""The laws as pytest cases: one for every law and every method value."""

from typing import TYPE_CHECKING, Any

from ratingcore.methods.contract import Method
from ratingcore.testing.law import LawBroken
from ratingcore.testing.laws import LAWS
from ratingcore.testing.settings import brief

if TYPE_CHECKING:
    import pytest


def method_checks(*methods: Method) -> "pytest.MarkDecorator":
    """Decorator: runs a test that takes `law` and `method` for every law and each of these methods.

    A law from which a method is excused must fail: an excuse that is no longer needed fails the test. A law that does
    not apply is skipped, with the reason.

    Examples
    --------
    >>> from ratingcore_elo import Elo
    >>> @method_checks(Elo(), Elo(k=40.0))
    ... def test_elo_keeps_the_laws(law, method):
    ...     law(method)
    """
    import pytest  # an extra, and the check on the command line does without

    def case(law: Any, method: Method) -> Any:
        excuse = method.excuses.get(law.name)
        marks = [] if excuse is None else [pytest.mark.xfail(strict=True, raises=LawBroken, reason=excuse)]
        return pytest.param(law, method, id=f"{law.name}-{brief(method)}", marks=marks)

    strangers = {name for method in methods for name in method.excuses} - {law.name for law in LAWS}
    if strangers:
        raise ValueError(f"no such law to be excused from: {', '.join(sorted(strangers))}")
    return pytest.mark.parametrize(("law", "method"), [case(law, method) for method in methods for law in LAWS])
