"""Kit of checks for authors of methods, readers and stores: the laws that a method must keep, and their counterparts.

In a test of the plugin, one case for every law and every method value::

    @method_checks(Elo(), Elo(k=40.0))
    def test_elo_keeps_the_laws(law, method):
        law(method)

On the command line `ratingcore check elo:k=40`, in Python `check_method(Elo(k=40.0)).lines()`.
A store of logs is checked by `check_store(new)`, with a function that makes an empty log.
A reader is checked on files of its format: `ratingcore check --reader trf cup.trf`, `check_reader(TRF, ["cup.trf"])`.
"""

from ratingcore.testing.check import CheckReport, Verdict, check_method, method_checks, settings
from ratingcore.testing.law import DoesNotApply, Law, LawBroken
from ratingcore.testing.laws import LAWS
from ratingcore.testing.reader_check import check_reader
from ratingcore.testing.store_check import check_store

__all__ = [
    "LAWS",
    "CheckReport",
    "DoesNotApply",
    "Law",
    "LawBroken",
    "Verdict",
    "check_method",
    "check_reader",
    "check_store",
    "method_checks",
    "settings",
]
