"""A wrapped method answers as the one it holds."""

from inspect import isabstract

from ratingcore_elo import Elo

from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering, Entry
from ratingcore.methods.wrapped import Wrapped
from ratingcore.plugin import Period


def test_everything_a_method_says_of_itself_is_asked_of_the_one_it_holds() -> None:
    own = {name for name in vars(Method) if not name.startswith("_") and name not in {"presets", "sweep"}}
    assert own <= vars(Wrapped).keys()  # presets and sweep are of a class, before there is a value to hold
    assert not isabstract(Wrapped)


def test_a_method_with_an_entry_answers_as_without() -> None:
    elo = Elo(period=Period("days", 2))
    entering = Entering(elo, Entry("refuse"))
    assert (entering.name, entering.formula, entering.reads) == (elo.name, elo.formula, elo.reads)
    assert (entering.cadence, entering.period, entering.needs) == (elo.cadence, elo.period, elo.needs)
    assert entering.columns() == elo.columns()
    assert entering.excuses == elo.excuses
